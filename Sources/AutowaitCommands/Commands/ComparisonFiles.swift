import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The files that a comparison is written to and drawn into.
struct ComparisonFiles {
  /// The file of the results; nil if they are printed.
  let output: String?
  /// The page; nil if none is wished for.
  let html: String?
  /// The folder of the pictures; nil if none are wished for.
  let svg: String?
  /// How the pictures look.
  private let style: FigureStyle
  /// The file of figures for a monitoring system; nil if none is wished for.
  let openMetrics: String?
  /// The sessions that the page shows closely.
  let sessionCount: Int
  /// The file that sessions are saved to as a baseline; nil if nobody wants that.
  let newBaseline: String?
  /// The file of the baseline that sessions are held against; nil if none is.
  let baseline: String?

  private static let htmlOption = Option(
    "--html", value: "FILE",
    "Also writes a page with tables, pictures and details of some sessions")
  private static let svgOption = Option(
    "--svg", value: "FOLDER", "Also writes each picture to a file")
  private static let sessionsOption = Option(
    "--sessions", value: "N", "Shows the details of N sessions on the page; default: 20")

  private static let openMetricsOption = Option(
    "--openmetrics", value: "FILE",
    "Also writes the figures of each contestant as OpenMetrics text, which Prometheus reads")

  private static let newBaselineOption = Option(
    "--save-baseline", value: "FILE",
    "Also saves the results of each session as a baseline for later calls")
  private static let baselineOption = Option(
    "--baseline", value: "FILE",
    "Compares each session with the same one in FILE, a saved baseline")

  /// The options that say what is drawn and kept.
  static let options = [
    htmlOption, svgOption, FigureOptions.option, sessionsOption, openMetricsOption,
    newBaselineOption, baselineOption,
  ]

  /// Reads what is wished for; throws if one file is named twice.
  init(_ arguments: Arguments) throws(Command.UsageError) {
    output = arguments.output(CompareCommand.output)
    html = arguments.value(Self.htmlOption)
    svg = arguments.value(Self.svgOption)
    style = try FigureOptions.style(arguments, for: Self.svgOption)
    openMetrics = arguments.value(Self.openMetricsOption)
    sessionCount = try arguments.count(Self.sessionsOption, in: 0...200) ?? 20
    newBaseline = arguments.value(Self.newBaselineOption)
    baseline = arguments.value(Self.baselineOption)
    try InputGuard(option: Self.htmlOption.name, output: html).checkIsName()
    try InputGuard(option: Self.openMetricsOption.name, output: openMetrics).checkIsName()
    try InputGuard(option: Self.newBaselineOption.name, output: newBaseline).checkIsName()
    try InputGuard.check(folder: svg, for: "'\(Self.svgOption.name)'")
    try InputGuard.check(
      apart: outputs.map { ($0.option, $0.output) } + [(Self.svgOption.name, svg)])
    for file in outputs {
      guard let path = file.output, isPicture(path) else { continue }
      throw Command.UsageError(
        message: "'\(file.option)' lies among the pictures of '\(Self.svgOption.name)', '\(path)'")
    }
  }

  private var outputs: [InputGuard] {
    [
      InputGuard(option: CompareCommand.output.name, output: output),
      InputGuard(option: Self.htmlOption.name, output: html),
      InputGuard(option: Self.openMetricsOption.name, output: openMetrics),
      InputGuard(option: Self.newBaselineOption.name, output: newBaseline),
    ]
  }

  /// Throws if a file would be written that is read.
  func check(inputs: [String]) throws(Command.UsageError) {
    // A baseline may be replaced by one that was held against it.
    let read = baseline.map { [$0] } ?? []
    for file in outputs where file.option != Self.newBaselineOption.name {
      try file.check(inputs: read)
    }
    for file in outputs { try file.check(inputs: inputs) }
    if let path = inputs.first(where: isPicture) {
      throw Command.UsageError(
        message: "'\(Self.svgOption.name)' may replace one of the files that are read, '\(path)'")
    }
  }

  /// Throws if a file would be taken for a shard that lies in one of some folders.
  func check(shardFolders: [String]) throws(Command.UsageError) {
    for file in outputs {
      guard let path = file.output, ShardFiles.isShard(path), let place = Files.place(of: path)
      else { continue }
      for folder in shardFolders.compactMap(Files.realPath) where Path.isInside(place, folder) {
        throw Command.UsageError(
          message: "'\(file.option)' would be taken for a shard, '\(path)'",
          notes: ["write it to another folder, or under a name that does not end with .ndjson"])
      }
    }
  }

  /// Whether a file may be one of the pictures, whose names are known only when all has run.
  private func isPicture(_ path: String) -> Bool {
    guard let svg, let target = try? Files.target(of: path), target.hasSuffix(".svg") else {
      return false
    }
    let folder = Path.folder(of: target)
    if Path.tidied(folder) == Path.tidied(svg) { return true }
    guard let real = Files.realPath(folder) else { return false }
    return real == Files.realPath(svg)
  }

  /// Reads the baseline that sessions are held against into a plan, and says whether the plan can
  /// be saved as one; returns nil after having reported why not.
  func prepared(_ plan: ExperimentPlan, _ console: Console) -> ExperimentPlan? {
    var plan = plan
    if newBaseline != nil, let reason = plan.reasonAgainstSaving {
      console.report([
        Finding(.error, "the experiment cannot be saved as a baseline: \(reason)", path: plan.path)
      ])
      return nil
    }
    guard let baseline else { return plan }
    let saved: SavedBaseline
    do throws(Files.SystemProblem) {
      let bytes = try Files.read(baseline)
      saved = try Result { () throws(RowError) in try SavedBaseline(path: baseline, bytes) }
        .mapError { Files.SystemProblem("cannot be read as a baseline: \($0.reason)") }.get()
    } catch {
      console.report([
        Finding(
          .error, "the file \(error.reason)", path: baseline,
          notes: ["'autowait compare \(Path.quoted(plan.path)) --save-baseline FILE' writes one"])
      ])
      return nil
    }
    let axes = plan.axesByKey.map { plan.worldAxes[$0].key }
    if saved.axes != axes {
      func list(_ keys: [String]) -> String {
        keys.isEmpty ? "nothing" : keys.map { "'\($0)'" }.joined(separator: ", ")
      }
      console.report([
        Finding(
          .error,
          "the worlds of the baseline differ in \(list(saved.axes)), those of the experiment in "
            + list(axes), path: baseline, notes: ["save a new one with: --save-baseline FILE"])
      ])
      return nil
    }
    if saved.modelVersion != SimulationModel.version {
      console.report([
        Finding(
          .warning,
          "the baseline is of version \(saved.modelVersion) of the model, and this is "
            + "\(SimulationModel.version): differences may be those of autowait itself",
          path: baseline)
      ])
    }
    if let digest = saved.baseDigest, digest != plan.baseDigest {
      console.report([
        Finding(
          .warning,
          "the base of the experiment is not what it was when the baseline was saved: "
            + "differences may be those of the edit", path: baseline)
      ])
    }
    plan.saved = saved
    return plan
  }

  /// Writes the page and the pictures; returns whether all could be written.
  func write(
    _ comparison: Comparison, _ sessions: [NotableSessions.NotableSession],
    _ files: ScenarioFiles, threads: Int, _ console: Console
  ) -> ExitCode {
    var code = ExitCode.fine
    if let html {
      let plan = comparison.result.plan
      let drawn = ThreadPool.map(sessions, threads: threads) {
        ComparisonPage.session($0, plan, files.experimentFiles)
      }
      let page = ComparisonPage.html(comparison, sessions: drawn.compactMap { $0 })
      code = code.combined(with: Files.store([(html, page)], console))
    }
    if let openMetrics {
      let text = OpenMetricsRendering.bytes(comparison)
      code = code.combined(with: Files.store([(openMetrics, text)], console))
    }
    guard let svg else { return code }
    guard Files.make(folder: svg, console) else { return .invalid }
    let pictures = ComparisonFigures(comparison, width: style.layoutWidth).all.map { figure in
      (path: Path.join(svg, figure.stem + ".svg"), bytes: figure.svg(style))
    }
    return code.combined(with: Files.store(pictures, console))
  }
}
