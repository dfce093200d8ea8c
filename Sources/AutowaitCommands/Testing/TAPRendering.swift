import AutowaitScenario

/// Renders what tests came to in version 14 of the Test Anything Protocol.
enum TAPRendering {
  /// Returns the lines.
  static func text(_ summary: TestSummary) -> String {
    var text = "TAP version 14\n1..\(summary.reports.count)\n"
    for (index, report) in summary.reports.enumerated() {
      let isFine = report.status == .passed || report.status == .skipped
      text += "\(isFine ? "ok" : "not ok") \(index + 1) - \(description(report))"
      switch report.status {
      case .skipped: text += " # SKIP \(escaped(report.reason ?? ""))\n"
      case .known: text += " # TODO \(escaped(report.reason ?? ""))\n"
      case .passed: text += "\n"
      case .failed, .invalid, .cutOff, .defect, .foreign, .filtered:
        text += "\n" + diagnosis(report, summary.root)
      }
      for warning in report.warnings {
        text += "# \(escaped(TestTextRendering.line(warning)))\n"
      }
    }
    return text
  }

  /// The path and the name, in one line.
  private static func description(_ report: TestReport) -> String {
    escaped(report.label) + (report.name == report.path ? "" : ": \(escaped(report.name))")
  }

  /// What is held against a scenario, as YAML whose texts are JSON, which is YAML too.
  private static func diagnosis(_ report: TestReport, _ root: String?) -> String {
    var text = "  ---\n  failures:\n"
    for failure in report.failures {
      text += "    - kind: \(failure.kind.rawValue)\n"
      text += "      at: \(quoted("\(failure.path):\(failure.line)"))\n"
      text += "      message: \(quoted(failure.message))\n"
      if failure.details.isEmpty { continue }
      text += "      details:\n"
      for detail in failure.details { text += "        - \(quoted(detail))\n" }
    }
    if report.run != nil { text += "  reproduce: \(quoted(report.reproduction(root: root)))\n" }
    return text + "  ...\n"
  }

  private static func quoted(_ text: String) -> String {
    JSONWriter.text { $0.string(text: text.printableLine) }
  }

  /// A text in which nothing is a directive.
  private static func escaped(_ text: String) -> String {
    GitHubAnnotation.escaped(text.printableLine, [("\\", "\\\\"), ("#", "\\#")])
  }
}
