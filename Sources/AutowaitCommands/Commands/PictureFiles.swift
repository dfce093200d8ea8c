import Autowait
import AutowaitFigures
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The files into which `autowait run` draws: a picture by itself, and a page around it.
struct PictureFiles {
  static let svg = Option(
    "--svg", value: "FILE",
    "Draws the run as lanes over time into FILE, a self-contained SVG; - prints "
      + "it instead of the timeline")
  static let html = Option(
    "--html", value: "FILE",
    "Writes a page with the picture, what happened and why, the metrics and the expectations into "
      + "FILE, which can be read offline; - prints it instead of the timeline")

  /// A file that is asked for.
  private struct Wish {
    let option: Option
    let path: String
  }

  private let wishes: [Wish]

  /// Whether nothing is to be drawn.
  var isEmpty: Bool { wishes.isEmpty }
  /// Whether a picture is printed where results are printed else.
  var takesOutput: Bool { wishes.contains { $0.path == "-" } }

  /// Reads what is requested; `output` is the file of the results.
  init(_ arguments: Arguments, output: String?) throws(Command.UsageError) {
    wishes = [Self.svg, Self.html].compactMap { option in
      arguments.value(option).map { Wish(option: option, path: $0) }
    }
    if let wish = wishes.first, arguments.operands.count > 1 {
      throw Command.UsageError(
        message: "'\(wish.option.name)' takes one scenario, but there are "
          + "\(arguments.operands.count)",
        notes: ["run each by itself, with a FILE of its own"])
    }
    try InputGuard.check(
      apart: [("--output", output)] + wishes.map { ($0.option.name, $0.path) })
  }

  /// Throws if there is more than one run of a file to be drawn.
  func check(count: Int, of path: String) throws(Command.UsageError) {
    guard let wish = wishes.first, count > 1 else { return }
    throw Command.UsageError(
      message: "'\(wish.option.name)' takes one run, but '\(path)' has \(count)",
      notes: ["'\(Option.run.name) NAME' chooses one of them"])
  }

  /// Throws if a file that is to be drawn is one that is read.
  func check(scenarios: [String], loaded: [String] = []) throws(Command.UsageError) {
    for wish in wishes where wish.path != "-" {
      let guarded = InputGuard(option: wish.option.name, output: wish.path)
      try guarded.check(scenarios: scenarios)
      try guarded.check(loaded: loaded)
    }
  }

  /// Draws a run; returns whether all files could be written.
  func write(
    _ played: ScenarioRunner.Played, _ runner: ScenarioRunner, _ console: Console
  ) -> ExitCode {
    if isEmpty { return .fine }
    let result = played.result
    // What happened in between is known only now, so that the picture takes a second run.
    let samples = runner.samples(of: played, at: SessionPicture.instants(result))
    let chart = SessionPicture.chart(result, samples: samples)
    var code = ExitCode.fine
    for wish in wishes {
      let isPage = wish.option.name == Self.html.name
      let bytes = isPage ? SessionPage.html(result, chart, samples: samples) : chart.figure.svg
      if wish.path == "-" {
        console.write(data: bytes)
      } else {
        code = code.combined(with: Files.store([(wish.path, bytes)], console))
      }
    }
    return code
  }
}
