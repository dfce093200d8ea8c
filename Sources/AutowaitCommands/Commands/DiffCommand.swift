import Autowait
import AutowaitRendering
import AutowaitScenario

/// `autowait diff`: what happened first otherwise in one run than in another one, and why.
enum DiffCommand {
  private static let all = Option(
    "--all", "Shows also the properties and metrics that are equal, and all words that differ")

  static let command = Command(
    name: "diff", operands: "A B", operandsMin: 2,
    summary: "Shows how two runs differ: the first event, the state, the metrics",
    about: """
      A and B are scenarios, logs or recordings, in any combination; - is what comes in on \
      standard input. Scenarios are run. Shows which words differ in the scenarios, the first \
      event that differs with the lines around it and the events that caused it, the state of the \
      players at that instant, and the metrics that differ. A line that begins with - is that of \
      A, and one with + that of B.

      Ends with 0 if the same happens, whatever the scenarios are called, and with 1 if not. Logs \
      need not be those of this build: where it does not give them again, the state is what their \
      events say.
      """,
    options: [all, .format, .allowPrograms, .root, .color],
    examples: [
      ("autowait diff before.json after.json", "Compares two scenarios."),
      ("autowait diff x.expected.log x.json", "Compares a golden log with what happens now."),
      ("autowait diff old.log new.log", "Compares the logs of two builds."),
      ("autowait diff x.actual.recording x.json", "Compares a CI server's run with one here."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    guard arguments.operands.count == 2 else {
      throw Command.UsageError(
        message: "'autowait diff' needs two runs, but was given \(arguments.operands.count)",
        notes: ["see 'autowait diff --help'"])
    }
    if arguments.operands.allSatisfy({ $0 == "-" }) {
      throw Command.UsageError(message: "standard input can be read only once")
    }
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console))
    var sides: [RunReading] = []
    for path in arguments.operands {
      switch RunReading.read(path, files, console) {
      case .failure(let error): console.report(error.findings)
      case .success(let side): sides.append(side)
      }
    }
    guard sides.count == 2 else { return .invalid }
    let difference = RunDifference(sides[0].side, sides[1].side) { side, instant in
      let reading = sides.first { $0.side.path == side.path && $0.played != nil }
      return reading?.sample(at: instant)
    }
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
}
