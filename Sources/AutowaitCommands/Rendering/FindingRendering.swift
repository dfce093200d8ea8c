import AutowaitScenario

/// Renders findings as JSON.
enum FindingRendering {
  /// Writes findings as an array of objects.
  static func write(_ findings: [Finding], into writer: inout JSONWriter) {
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.field("severity", text: finding.severity.rawValue)
      writer.field("path", text: finding.path)
      writer.field("line", Int64(finding.line))
      writer.field("column", Int64(finding.column))
      writer.field("message", text: finding.message)
      writer.key("notes")
      writer.beginArray()
      for note in finding.notes { writer.string(text: note) }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
  }
}
