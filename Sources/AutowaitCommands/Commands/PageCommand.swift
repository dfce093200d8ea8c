import AutowaitRendering
import AutowaitScenario

/// `autowait page`: a page in which the same simulator runs.
enum PageCommand {
  private static let module = Option(
    "--module", value: "FILE",
    "Embeds the module FILE; default: \(PageModule.names[0]) in \(PageModule.folder), or else "
      + "next to the tool")
  private static let output = Option("--output", value: "FILE", "Writes the page to FILE")

  static let command = Command(
    name: "page", operands: "[FILE…]", operandsMin: 0,
    summary: "Writes a page in which scenarios run and can be changed",
    about: """
      Writes one HTML file that needs no network. In it the same simulator runs as WebAssembly. \
      You draw the rate of the link, add outages, change rules and media, and see the result \
      while you draw. What you see is a scenario in JSON, which 'autowait run' replays with the \
      same fingerprint.

      The page has the acts of the stage demo, a queue, a looper, a stream and an experiment. \
      Each FILE is a scenario or an experiment, and adds a tab; files that it names are embedded \
      too. When the page opens, it runs all of its scenarios again and compares their \
      fingerprints with those of this tool.

      Open the page with '?scenario=NAME' to begin with one of its scenarios.
      """,
    options: [module, output, .root],
    examples: [
      ("autowait page > page.html", "Writes the page with the demo."),
      ("autowait page commuter.json --output page.html", "Adds a scenario of your own."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let paths = arguments.operands
    let destination = arguments.output(output)
    try InputGuard(option: output.name, output: destination).check(
      inputs: paths + arguments.values(module))
    let files = ScenarioFiles(root: try arguments.root(), programs: .named)
    var code = ExitCode.fine
    var sources: [EmbeddedSource] = []
    for path in paths {
      let (source, findings) = EmbeddedSource.read(path, files)
      console.report(findings.filter { $0.severity == .error })
      if let source { sources.append(source) } else { code = .invalid }
    }
    switch PageModule.read(
      arguments.value(module), toolFolder: console.environment.toolFolder)
    {
    case .failure(let finding):
      console.report([finding])
      return .invalid
    case .success(let bytes):
      if code != .fine { return code }
      let page = LivePage(module: bytes, sources)
      return try console.writing(to: destination) { console in
        console.write(data: page.html)
        return .fine
      } ?? .invalid
    }
  }
}
