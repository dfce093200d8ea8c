import AutowaitScenario

/// Renders findings as JSON.
package enum FindingRendering {
  /// Writes a member whose value is an array of findings, each as an object.
  package static func write(
    _ name: StaticString, _ findings: [Finding], into writer: inout JSONWriter
  ) {
    writer.objects(name, findings) { writer, finding in
      writer.field("severity", text: finding.severity.rawValue)
      writer.field("path", text: finding.path)
      writer.field("line", Int64(finding.line))
      writer.field("column", Int64(finding.column))
      writer.field("message", text: finding.message)
      writer.strings("notes", finding.notes)
    }
  }
}
