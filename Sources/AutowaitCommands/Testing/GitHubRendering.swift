import AutowaitScenario

/// Renders what tests came to for GitHub: annotations at lines of files, and a summary.
enum GitHubRendering {
  /// GitHub shows no more of one kind in one step.
  static let annotationsMax = 10
  /// A summary may have 1 MiB; so many rows stay far below it.
  private static let rowsMax = 200

  /// Returns the commands that make annotations.
  static func annotations(_ summary: TestSummary) -> [GitHubAnnotation] {
    let failures = summary.reports.filter(\.isWrong).flatMap { report in
      report.failures.map { (report, $0) }
    }
    return failures.prefix(annotationsMax).map { annotation($0, $1) }
      + summary.warnings.prefix(annotationsMax).map { annotation($0, $1, .warning) }
  }

  private static func annotation(
    _ report: TestReport, _ failure: TestFailure, _ kind: GitHubAnnotation.Kind = .error
  ) -> GitHubAnnotation {
    let message = ([failure.message] + failure.details).map(\.printableLine)
      .joined(separator: "\n")
    // The log of a step is shown in terminals and browsers.
    return GitHubAnnotation(
      kind, path: failure.path.printableLine, line: failure.line,
      title: TestLabel.text(report.name, report.runName).printableLine, message: message)
  }

  /// Returns the summary, in Markdown.
  static func summary(_ summary: TestSummary) -> String {
    var text = "### autowait test\n\n"
    text += TestTextRendering.counts(summary) + "\n"
    text += reasons(summary, .known, "known to fail") + reasons(summary, .skipped, "skipped")
    text += warnings(summary)
    let failed = summary.reports.filter(\.isWrong)
    if failed.isEmpty { return text + "\n" }
    text += "\n| scenario | what | reproduce with |\n|---|---|---|\n"
    for report in failed.prefix(rowsMax) {
      let what = report.failures.first.map(\.message) ?? report.status.rawValue
      let others = report.failures.count > 1 ? " (and \(report.failures.count - 1) more)" : ""
      text += "| \(cell(report.label)) | \(cell(what + others)) | "
      text += "`\(cell(report.reproduction(root: summary.root)))` |\n"
    }
    if failed.count > rowsMax { text += "\nand \(failed.count - rowsMax) more\n" }
    return text + "\n"
  }

  /// Says which scenarios have a status that needs a reason.
  private static func reasons(
    _ summary: TestSummary, _ status: TestReport.Status, _ title: String
  ) -> String {
    let skipped = summary.reports.filter { $0.status == status }
    if skipped.isEmpty { return "" }
    var text = "\n| \(title) | why |\n|---|---|\n"
    for report in skipped.prefix(rowsMax) {
      text += "| \(cell(report.label)) | \(cell(report.reason ?? "")) |\n"
    }
    if skipped.count > rowsMax { text += "\nand \(skipped.count - rowsMax) more\n" }
    return text
  }

  /// Says which expectations are not met that only warn.
  private static func warnings(_ summary: TestSummary) -> String {
    let all = summary.warnings
    if all.isEmpty { return "" }
    var text = "\n| warning | what |\n|---|---|\n"
    for (report, warning) in all.prefix(rowsMax) {
      let what = ([warning.message] + warning.details).joined(separator: "; ")
      text += "| \(cell("\(report.path):\(warning.line)")) | \(cell(what)) |\n"
    }
    if all.count > rowsMax { text += "\nand \(all.count - rowsMax) more\n" }
    return text
  }

  private static func cell(_ text: String) -> String {
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
    return GitHubAnnotation.escaped(
      short.printable,
      [("|", "\\|"), ("`", "'"), ("<", "&lt;"), (">", "&gt;"), ("*", "\\*"), ("_", "\\_")])
  }
}
