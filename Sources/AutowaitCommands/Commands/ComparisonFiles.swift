import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// The files that a comparison is drawn into, beside what it prints.
struct ComparisonFiles {
  /// The page; nil if none is wished for.
  let html: String?
  /// The folder of the pictures; nil if none are wished for.
  let svg: String?
  /// The sessions that the page shows closely.
  let sessionCount: Int

  private static let htmlOption = Option(
    "--html", value: "FILE",
    "Also writes a page: tables, pictures, and a closer look at some sessions")
  private static let svgOption = Option(
    "--svg", value: "FOLDER", "Also writes each picture as a file")
  private static let sessionsOption = Option(
    "--sessions", value: "N", "Shows N sessions of the page closely; without it, 20")

  /// The options that say what is drawn.
  static let options = [htmlOption, svgOption, sessionsOption]

  /// Reads what is wished for.
  init(_ arguments: Arguments) throws(Command.UsageError) {
    html = arguments.value(Self.htmlOption)
    svg = arguments.value(Self.svgOption)
    sessionCount = try arguments.number(Self.sessionsOption, in: 0...200).map { Int($0) } ?? 20
  }

  /// Throws if a file would be written that is read, or that is written already; `output` is the
  /// file of the results.
  func check(_ inputs: [String], output: String?) throws(Command.UsageError) {
    try InputGuard(option: Self.htmlOption.name, output: html).check(inputs: inputs)
    try InputGuard(option: Self.svgOption.name, output: svg).check(inputs: inputs)
    try InputGuard.check(
      apart: [
        (CompareCommand.output.name, output), (Self.htmlOption.name, html),
        (Self.svgOption.name, svg),
      ])
  }

  /// Writes the page and the pictures; returns whether all could be written.
  func write(
    _ comparison: Comparison, _ sessions: [NotableSessions.NotableSession],
    _ files: ExperimentFiles,
    _ console: Console
  ) -> ExitCode {
    var code = ExitCode.fine
    if let html {
      let page = ComparisonPage.html(comparison, sessions: sessions, files: files)
      code = code.combined(with: write(page, to: html, console))
    }
    guard let svg else { return code }
    do throws(Files.SystemProblem) {
      try Files.makeFolder(svg)
    } catch {
      console.report([Finding(.error, "the folder \(error.reason)", path: svg)])
      return .invalid
    }
    for figure in ComparisonFigures(comparison).all {
      let path = Path.join(svg, figure.stem + ".svg")
      code = code.combined(with: write(figure.svg, to: path, console))
    }
    return code
  }

  private func write(_ bytes: [UInt8], to path: String, _ console: Console) -> ExitCode {
    do throws(Files.SystemProblem) {
      try Files.write(bytes, to: path)
      return .fine
    } catch {
      console.report([Finding(.error, "the file \(error.reason)", path: path)])
      return .invalid
    }
  }
}
