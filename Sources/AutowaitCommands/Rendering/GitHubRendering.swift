import AutowaitScenario

/// Renders what tests came to for GitHub: annotations at lines of files, and a summary.
enum GitHubRendering {
  /// GitHub shows no more of one kind in one step.
  static let annotationsMax = 10
  /// A summary may have 1 MiB; so many rows stay far below it.
  private static let rowsMax = 200

  /// A command to the runner that makes an annotation; nothing else can make one.
  struct Annotation {
    /// The line that is the command.
    let line: String

    fileprivate init(_ line: String) { self.line = line }
  }

  /// Returns the commands that make annotations.
  static func annotations(_ summary: TestSummary) -> [Annotation] {
    let failures = summary.reports.flatMap { report in
      report.failures.map { (report, $0) }
    }
    return failures.prefix(annotationsMax).map { report, failure in
      let message = ([failure.message] + failure.details).map(\.printableLine)
        .joined(separator: "\n")
      // The log of a step is shown in terminals and browsers.
      return Annotation(
        "::error file=\(property(failure.path.printableLine)),line=\(failure.line),"
          + "title=\(property(report.name.printableLine))::\(data(message))")
    }
  }

  /// Returns the summary, in Markdown.
  static func summary(_ summary: TestSummary) -> String {
    var text = "### autowait test\n\n"
    text += TestTextRendering.counts(summary) + "\n"
    text += skipped(summary)
    let failed = summary.reports.filter { $0.status != .passed && $0.status != .skipped }
    if failed.isEmpty { return text + "\n" }
    text += "\n| scenario | what | reproduce with |\n|---|---|---|\n"
    for report in failed.prefix(rowsMax) {
      let what = report.failures.first.map(\.message) ?? report.status.rawValue
      let others = report.failures.count > 1 ? " (and \(report.failures.count - 1) more)" : ""
      text += "| \(cell(report.path)) | \(cell(what + others)) | "
      text += "`\(cell(report.reproduction(root: summary.root)))` |\n"
    }
    if failed.count > rowsMax { text += "\nand \(failed.count - rowsMax) more\n" }
    return text + "\n"
  }

  /// Says which scenarios were not run.
  private static func skipped(_ summary: TestSummary) -> String {
    let skipped = summary.reports.filter { $0.status == .skipped }
    if skipped.isEmpty { return "" }
    var text = "\n| skipped | why |\n|---|---|\n"
    for report in skipped.prefix(rowsMax) {
      text += "| \(cell(report.path)) | \(cell(report.skipReason ?? "")) |\n"
    }
    if skipped.count > rowsMax { text += "\nand \(skipped.count - rowsMax) more\n" }
    return text
  }

  /// Escapes the text of a command to the runner.
  private static func data(_ text: String) -> String {
    escaped(text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")])
  }

  /// Escapes a property of a command to the runner.
  private static func property(_ text: String) -> String {
    escaped(
      text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")])
  }

  private static func cell(_ text: String) -> String {
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
    return escaped(
      short.printable,
      [("|", "\\|"), ("`", "'"), ("<", "&lt;"), (">", "&gt;"), ("*", "\\*"), ("_", "\\_")])
  }

  private static func escaped(
    _ text: String, _ table: [(from: Unicode.Scalar, to: String)]
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let row = table.first(where: { $0.from == scalar }) {
        result.append(contentsOf: row.to.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
