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

  /// Reads what is wished for; throws if one file is named twice.
  init(_ arguments: Arguments) throws(Command.UsageError) {
    output = arguments.output(CompareCommand.output)
    html = arguments.value(Self.htmlOption)
    svg = arguments.value(Self.svgOption)
    sessionCount = try arguments.count(Self.sessionsOption, in: 0...200) ?? 20
    try InputGuard(option: Self.htmlOption.name, output: html).checkIsName()
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
    ]
  }

  /// Throws if a file would be written that is read.
  func check(inputs: [String]) throws(Command.UsageError) {
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

  /// Writes the page and the pictures; returns whether all could be written.
  func write(
    _ comparison: Comparison, _ sessions: [NotableSessions.NotableSession],
    _ files: ExperimentFiles,
    _ console: Console
  ) -> ExitCode {
    var code = ExitCode.fine
    if let html {
      let page = ComparisonPage.html(comparison, sessions: sessions, files: files)
      code = code.combined(with: Files.store([(html, page)], console))
    }
    guard let svg else { return code }
    guard Files.make(folder: svg, console) else { return .invalid }
    let pictures = ComparisonFigures(comparison).all.map { figure in
      (path: Path.join(svg, figure.stem + ".svg"), bytes: figure.svg)
    }
    return code.combined(with: Files.store(pictures, console))
  }
}
