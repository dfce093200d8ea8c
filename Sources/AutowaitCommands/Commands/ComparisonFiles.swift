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

  /// Throws if a file would be written that is read.
  func check(_ experiment: String, html: Option, svg: Option) throws(Command.UsageError) {
    try InputGuard(option: html.name, output: self.html).check(inputs: [experiment])
    try InputGuard(option: svg.name, output: self.svg).check(inputs: [experiment])
  }

  /// Writes the page and the pictures; returns whether all could be written.
  func write(
    _ comparison: Comparison, _ sessions: [NotableSessions.Choice], _ files: ExperimentFiles,
    _ console: Console
  ) -> ExitCode {
    var code = ExitCode.fine
    if let html {
      let page = ComparisonPage.html(comparison, sessions: sessions, files: files)
      code = code.combined(with: write(page, to: html, console))
    }
    guard let svg else { return code }
    do throws(Files.Problem) {
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
    do throws(Files.Problem) {
      try Files.write(bytes, to: path)
      return .fine
    } catch {
      console.report([Finding(.error, "the file \(error.reason)", path: path)])
      return .invalid
    }
  }
}
