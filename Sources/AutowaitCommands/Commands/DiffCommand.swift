import Autowait
import AutowaitRendering
import AutowaitScenario

/// `autowait diff`: what happened first otherwise in one run than in another one, and why.
enum DiffCommand {
  private static let all = Option(
    "--all", "Shows also the properties and metrics that are equal, and all words that differ")

  static let command = Command(
    name: "diff", operands: "A [B]", operandsMin: 1,
    summary: "Shows how two runs differ: the first event, the state, the metrics",
    about: """
      A and B are scenarios, logs or recordings, in any combination; - is standard input. Runs \
      the scenarios, and shows the values that differ in them, the first event that differs with \
      the lines around it and its causes, the state of the players at that instant, and the \
      metrics that differ. Lines with - belong to A, and lines with + to B.

      Without B, compares A with itself after the changes of --set, or two of its runs. One --run \
      selects the run of both; a second one selects that of B.

      Exits with 0 if the same happens, whatever the scenarios are called, and with 1 if not. Logs \
      can be those of other builds: if this build does not produce them again, the state is what \
      their events say.
      """,
    options: [all, .run, .set, .format, .allowPrograms, .root, .color],
    examples: [
      ("autowait diff before.json after.json", "Compares two scenarios."),
      ("autowait diff x.json --set link=nlc/3g", "Compares a scenario with a changed one."),
      ("autowait diff x.json --run one --run two", "Compares two runs of a scenario."),
      ("autowait diff x.expected.log x.json", "Compares a golden log with what happens now."),
      ("autowait diff old.log new.log", "Compares the logs of two builds."),
      ("autowait diff x.actual.recording x.json", "Compares a CI server's run with one here."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let asked = try asked(arguments)
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console))
    var sides: [RunReading] = []
    for asked in asked {
      switch RunReading.read(asked, files, console) {
      case .failure(let error): console.report(error.findings)
      case .success(let side): sides.append(side)
      }
    }
    guard sides.count == 2 else { return .invalid }
    var difference = RunDifference(sides[0].side, sides[1].side) { side, instant in
      let reading = sides.first { $0.side.path == side.path && $0.played != nil }
      return reading?.sample(at: instant)
    }
    difference.why = DifferenceReasons(difference, files: files).sentences(
      sides[0].played?.result, sides[1].played?.result)
    let format: TextFormat = arguments.choice(.format, default: .text)
    switch format {
    case .json:
      console.write(data: RunDifferenceJSON.bytes(difference, showsAll: arguments.has(all)))
    case .text:
      let style = arguments.style(console)
      console.write(
        RunDifferenceText.text(difference, showsAll: arguments.has(all), style: style),
        keepsPaint: style.usesColor)
    }
    return difference.isSame ? .fine : .differs
  }

  /// Returns which two runs are compared.
  private static func asked(
    _ arguments: Arguments
  ) throws(Command.UsageError) -> [RunReading.RunChoice] {
    let (paths, runs) = (arguments.operands, arguments.values(.run))
    let changes = try arguments.changes()
    if runs.count > 2 {
      throw Command.UsageError(message: "'autowait diff' compares two runs, not \(runs.count)")
    }
    var asked = paths.map { RunReading.RunChoice(path: $0, run: runs.first) }
    if paths.count == 1, runs.count == 2 || !changes.isEmpty { asked.append(asked[0]) }
    guard asked.count == 2 else {
      throw Command.UsageError(
        message: "'autowait diff' needs two runs, but was given \(paths.count)",
        notes: ["see 'autowait diff --help'"])
    }
    if paths.count == 2, !changes.isEmpty {
      throw Command.UsageError(
        message: "'\(Option.set.name)' changes one scenario, and compares it with itself",
        notes: ["give one FILE"])
    }
    if asked.allSatisfy({ $0.path == "-" }) {
      throw Command.UsageError(message: "standard input can be read only once")
    }
    asked[1].run = runs.last
    asked[1].changes = changes
    return asked
  }
}
