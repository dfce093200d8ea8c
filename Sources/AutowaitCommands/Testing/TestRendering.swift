import AutowaitRendering
import AutowaitScenario

/// Renders what tests came to for people.
enum TestTextRendering {
  /// Returns the failures and a closing line.
  static func text(_ summary: TestSummary, usesColor: Bool) -> String {
    let red = usesColor ? "\u{1B}[31m" : ""
    let green = usesColor ? "\u{1B}[32m" : ""
    let plain = usesColor ? "\u{1B}[0m" : ""
    var text = ""
    for report in summary.reports {
      guard let reason = report.skipReason else { continue }
      text += "- \(title(report))\n  skipped: \(reason)\n\n"
    }
    for report in summary.reports where report.status != .passed && report.status != .skipped {
      text += "\(red)✗\(plain) \(title(report))\n"
      for failure in report.failures {
        text += "  \(failure.path.printable):\(failure.line): \(failure.message.printable)\n"
        for detail in failure.details { text += "    \(detail.printable)\n" }
      }
      if report.run != nil {
        text += "  reproduce with: \(report.reproduction(root: summary.root))\n"
      }
      text += "\n"
    }
    for path in summary.updated { text += "wrote \(path.printable)\n" }
    if summary.reports.isEmpty { return text }
    let color = summary.failedCount == 0 ? green : red
    text += "\(color)\(closing(summary))\(plain)\n"
    return text
  }

  /// The path of a scenario and its name.
  private static func title(_ report: TestReport) -> String {
    let name = report.name == report.path ? "" : ": \(report.name.printable)"
    return report.path.printable + name
  }

  /// The closing line.
  private static func closing(_ summary: TestSummary) -> String {
    var notes: [String] = []
    if !summary.updated.isEmpty {
      notes.append("\(Plural.text(summary.updated.count, "golden log")) written")
    }
    if summary.filteredCount > 0 { notes.append("\(summary.filteredCount) filtered out") }
    if summary.foreignCount > 0 {
      notes.append("\(Plural.text(summary.foreignCount, "other JSON file")) skipped")
    }
    let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
    return counts(summary) + note
  }

  /// How many scenarios there are, and what they came to.
  static func counts(_ summary: TestSummary) -> String {
    let skipped = summary.skippedCount > 0 ? ", \(summary.skippedCount) skipped" : ""
    return "\(Plural.text(summary.reports.count, "scenario")): \(summary.passedCount) passed, "
      + "\(summary.failedCount) failed\(skipped)"
  }
}

/// Renders what tests came to as one JSON object.
enum TestJSONRendering {
  private static let formatVersion: Int64 = 1

  /// Returns the object, in one line.
  static func bytes(_ summary: TestSummary) -> [UInt8] {
    JSONWriter.line(capacity: 256 * (1 + summary.reports.count)) { writer in
      writer.field("version", formatVersion)
      writer.objects("scenarios", summary.reports) { write($1, into: &$0) }
      writer.field("passed", Int64(summary.passedCount))
      writer.field("failed", Int64(summary.failedCount))
      writer.field("skipped", Int64(summary.skippedCount + summary.foreignCount))
      writer.field("filtered", Int64(summary.filteredCount))
      writer.strings("updated", summary.updated)
    }
  }

  private static func write(_ report: TestReport, into writer: inout JSONWriter) {
    writer.field("path", text: report.path)
    writer.field("name", text: report.name)
    if let run = report.run { writer.field("seed", run.seed) } else { writer.nullField("seed") }
    writer.field("status", text: report.status.rawValue)
    if let run = report.run {
      writer.field("fingerprint", text: LogRendering.hexadecimal(run.fingerprint))
    } else {
      writer.nullField("fingerprint")
    }
    if let reason = report.skipReason { writer.field("reason", text: reason) }
    writer.objects("failures", report.failures) { writer, failure in
      writer.field("kind", text: failure.kind.rawValue)
      writer.field("path", text: failure.path)
      writer.field("line", Int64(failure.line))
      writer.field("message", text: failure.message)
      writer.strings("details", failure.details)
    }
  }
}
