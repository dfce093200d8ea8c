import Autowait
import AutowaitExperiment
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
      + "FILE, which can be read offline; of two runs, side by side; - prints it instead of the "
      + "timeline")

  /// A file that is asked for.
  private struct Wish {
    let option: Option
    let path: String

    /// Whether it is a page, and not a picture by itself.
    var isPage: Bool { option.name == PictureFiles.html.name }
    /// The most runs that it shows.
    var runsMax: Int { isPage ? 2 : 1 }
  }

  private let wishes: [Wish]
  /// How the picture by itself looks.
  private let style: FigureStyle
  /// The runs so far.
  private var sides: [SessionSide] = []
  /// Why the first run waited, if a page says so.
  private var why: RunExplanation?
  /// A run of more events is not run again and again for a page, nor is one of more bytes of which
  /// each packet travels; assumed.
  private static let (eventsMax, packetBytesMax) = (100_000, 20_000_000 as Int64)

  /// How much of a run a page can wait for; nil if nothing.
  ///
  /// Where packets travel, a run takes as long as thousands of events, and a hundred are too many.
  private static func depth(of result: RunResult) -> Explanation.Depth? {
    if result.isCutOff || result.eventCount > eventsMax { return nil }
    if result.scenario.world.tierChoice.tier != .packet { return .whole }
    let bytes = result.metrics.reduce(0 as Int64) { sum, metrics in
      sum + (Metric.numberOfBytesTransferred.value(in: metrics)?.number ?? 0)
    }
    return bytes > packetBytesMax ? nil : .causes
  }

  /// Whether nothing is to be drawn.
  var isEmpty: Bool { wishes.isEmpty }
  /// Whether a picture is printed where results are printed else.
  var takesOutput: Bool { wishes.contains { $0.path == "-" } }

  /// Reads what is requested; `output` is the file of the results.
  init(_ arguments: Arguments, output: String?) throws(Command.UsageError) {
    wishes = [Self.svg, Self.html].compactMap { option in
      arguments.value(option).map { Wish(option: option, path: $0) }
    }
    style = try FigureOptions.style(arguments, for: Self.svg)
    for wish in wishes where arguments.operands.count > wish.runsMax {
      throw Command.UsageError(
        message:
          "'\(wish.option.name)' takes \(wish.runsMax == 1 ? "one scenario" : "two scenarios")"
          + ", but there are \(arguments.operands.count)",
        notes: ["run each by itself, with a FILE of its own"])
    }
    try InputGuard.check(
      apart: [("--output", output)] + wishes.map { ($0.option.name, $0.path) })
  }

  /// Throws if there is more than one run of a file to be drawn.
  func check(count: Int, of path: String) throws(Command.UsageError) {
    guard let wish = wishes.first(where: { count > $0.runsMax }) else { return }
    throw Command.UsageError(
      message: "'\(wish.option.name)' takes \(wish.runsMax == 1 ? "one run" : "two runs"), but "
        + "'\(path)' has \(count)",
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

  /// Takes a run that is to be drawn.
  mutating func add(_ played: ScenarioRunner.Played, _ runner: ScenarioRunner) {
    if isEmpty { return }
    // What happened in between is known only now, so that the picture takes a second run.
    let samples = runner.samples(of: played, at: SessionPicture.instants(played.result))
    sides.append(SessionSide(played.result, samples: samples))
    why = nil
    guard sides.count == 1, wishes.contains(where: { $0.isPage }),
      let depth = Self.depth(of: played.result)
    else { return }
    why = RunExplanation(played.result, depth) { runner.samples(of: played, at: [$0]).first }
  }

  /// Draws the runs; returns whether all files could be written.
  func write(_ console: Console) -> ExitCode {
    guard let first = sides.first, let last = sides.last else { return .fine }
    var code = ExitCode.fine
    for wish in wishes {
      let page =
        sides.count == 1 ? SessionPage.html(first, why: why) : SessionPairPage.html(first, last)
      let bytes = wish.isPage ? page : first.svg(style)
      if wish.path == "-" {
        console.write(data: bytes)
      } else {
        code = code.combined(with: Files.store([(wish.path, bytes)], console))
      }
    }
    return code
  }
}
