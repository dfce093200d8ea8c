import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// Renders what tests came to for people.
enum TestTextRendering {
  /// Returns the failures and a closing line.
  static func text(_ summary: TestSummary, columns: Int, _ style: TextStyle) -> String {
    let usesColor = style.usesColor
    let red = usesColor ? "\u{1B}[31m" : ""
    let green = usesColor ? "\u{1B}[32m" : ""
    let yellow = usesColor ? "\u{1B}[33m" : ""
    let plain = usesColor ? "\u{1B}[0m" : ""
    var text = ""
    for report in summary.reports {
      guard let reason = report.skipReason else { continue }
      text += "- \(title(report))\n  skipped: \(reason)\n\n"
    }
    for report in summary.reports where report.isWrong {
      text += "\(red)✗\(plain) \(title(report))\n"
      for finding in report.findings where finding.severity == .error {
        for line in MessageText.lines(finding, style) { text += "  \(line)\n" }
      }
      for failure in report.failures where failure.kind != .invalid || report.findings.isEmpty {
        for line in lines(failure, columns: columns) { text += "\(line)\n" }
      }
      if report.run != nil {
        text += "  reproduce with: \(report.reproduction(root: summary.root))\n"
      }
      for line in report.replays { text += "  \(line)\n" }
      text += "\n"
    }
    for (_, warning) in summary.warnings { text += "\(yellow)!\(plain) \(line(warning))\n" }
    for path in summary.updated { text += "wrote \(path.printable)\n" }
    if summary.reports.isEmpty { return text }
    text += advice(summary)
    let color = summary.failedCount == 0 ? green : red
    text += "\(color)\(closing(summary))\(plain)\n"
    return text
  }

  /// What is held against a scenario, in lines that a terminal has room for.
  private static func lines(_ failure: TestFailure, columns: Int) -> [String] {
    let head = "\(failure.path):\(failure.line): \(failure.wording ?? failure.message)"
    let details = failure.details.flatMap { detail -> [String] in
      // A line of a log begins with a sign, and is cut as `diff` cuts it.
      let isOfLog = detail.hasPrefix("- ") || detail.hasPrefix("+ ") || detail.hasPrefix("  ")
      return isOfLog
        ? [TerminalText.shortened("    \(detail.printable)", columns: columns)]
        : indented(detail.printable, by: 4, further: 2, columns: columns)
    }
    return indented(head.printable, by: 2, further: 4, columns: columns) + details
  }

  /// Breaks a text into lines; all but the first begin further right.
  private static func indented(
    _ text: String, by margin: Int, further: Int, columns: Int
  ) -> [String] {
    let first = TerminalText.spaces(margin)
    if TerminalText.width(text) <= columns - margin { return [first + text] }
    let lines = TerminalText.wrapped(text, columns: columns - margin - further)
    return lines.enumerated().map { ($0 == 0 ? first : TerminalText.spaces(margin + further)) + $1 }
  }

  /// What can be done about logs that were kept beside golden ones.
  private static func advice(_ summary: TestSummary) -> String {
    let new = summary.newLogs
    guard let first = new.first else { return "" }
    if new.count == 1 {
      return "new log next to the golden one: autowait review \(Path.quoted(first))\n"
    }
    let folders = new.map { Path.folder(of: $0) }
    let folder = folders.dropFirst().reduce(folders[0]) { Path.common($0, $1) }
    return "\(new.count) new logs next to golden ones: autowait review \(Path.quoted(folder))\n"
  }

  /// The path of a scenario and its name.
  private static func title(_ report: TestReport) -> String {
    let name = report.name == report.path ? "" : ": \(report.name.printable)"
    return report.label.printable + name
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

  /// A warning, in one line.
  static func line(_ warning: TestFailure) -> String {
    let said = ([warning.message] + warning.details).joined(separator: "; ")
    return "\(warning.path):\(warning.line): warning: \(said)".printableLine
  }

  /// How many scenarios there are, and what they came to.
  static func counts(_ summary: TestSummary) -> String {
    let known = summary.knownCount > 0 ? ", \(summary.knownCount) known to fail" : ""
    let skipped = summary.skippedCount > 0 ? ", \(summary.skippedCount) skipped" : ""
    let count = summary.warnings.count
    let warnings = count > 0 ? "; \(Plural.text(count, "warning"))" : ""
    return "\(Plural.text(summary.reports.count, "scenario")): \(summary.passedCount) passed, "
      + "\(summary.failedCount) failed\(known)\(skipped)\(warnings)"
  }
}

/// Renders what tests came to as one JSON object.
enum TestJSONRendering {
  private static let formatVersion: Int64 = 1

  /// Returns the object, in one line.
  static func bytes(_ summary: TestSummary) -> [UInt8] {
    JSONWriter.line(capacity: 256 * (1 + summary.reports.count)) { writer in
      writer.field("version", formatVersion)
      ToolVersion.write(into: &writer)
      writer.objects("scenarios", summary.reports) { write($1, summary.root, into: &$0) }
      counts(summary, into: &writer)
    }
  }

  /// Returns a line for each scenario, and one at the end with the counts.
  static func lines(_ summary: TestSummary) -> [UInt8] {
    var bytes: [UInt8] = []
    for report in summary.reports {
      bytes += JSONWriter.line(capacity: 256) { writer in
        writer.field("version", formatVersion)
        writer.field("kind", "scenario")
        write(report, summary.root, into: &writer)
      }
    }
    return bytes
      + JSONWriter.line(capacity: 128) { writer in
        writer.field("version", formatVersion)
        writer.field("kind", "summary")
        ToolVersion.write(into: &writer)
        counts(summary, into: &writer)
      }
  }

  private static func counts(_ summary: TestSummary, into writer: inout JSONWriter) {
    writer.field("passed", Int64(summary.passedCount))
    writer.field("failed", Int64(summary.failedCount))
    writer.field("known", Int64(summary.knownCount))
    writer.field("skipped", Int64(summary.skippedCount + summary.foreignCount))
    writer.field("filtered", Int64(summary.filteredCount))
    writer.strings("updated", summary.updated)
    writer.strings("new", summary.newLogs)
  }

  private static func write(
    _ report: TestReport, _ root: String?, into writer: inout JSONWriter
  ) {
    writer.field("path", text: report.path)
    writer.field("name", text: report.name)
    if let run = report.runName { writer.field("run", text: run) }
    if let run = report.run { writer.field("seed", run.seed) } else { writer.nullField("seed") }
    writer.field("status", text: report.status.rawValue)
    if let run = report.run {
      writer.field("fingerprint", text: LogRendering.hexadecimal(run.fingerprint))
    } else {
      writer.nullField("fingerprint")
    }
    if let reason = report.reason { writer.field("reason", text: reason) }
    writer.objects("failures", report.failures) { write($1, into: &$0) }
    if !report.warnings.isEmpty {
      writer.objects("warnings", report.warnings) { write($1, into: &$0) }
    }
    if report.run != nil, !report.failures.isEmpty {
      writer.field("reproduce", text: report.reproduction(root: root))
    }
    if let path = report.kept.first { writer.field("recording", text: path) }
  }

  private static func write(_ failure: TestFailure, into writer: inout JSONWriter) {
    writer.field("kind", text: failure.kind.rawValue)
    writer.field("path", text: failure.path)
    writer.field("line", Int64(failure.line))
    writer.field("message", text: failure.message)
    writer.strings("details", failure.details)
  }
}
