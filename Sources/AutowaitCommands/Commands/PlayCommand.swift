import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait play`: a scenario in virtual time, on a terminal, with keys for what users and
/// networks do.
enum PlayCommand {
  private static let output = Option(
    "--output", value: "FILE", "Saves to FILE; default: a new file named after the scenario")
  private static let held = Option("--hold", "Begins with virtual time held")

  static let command = Command(
    name: "play", operands: "FILE", operandsMin: 1, operandsMax: 1,
    summary: "Plays a scenario in a terminal, with keys to change it",
    about: """
      FILE is a scenario. Draws its timeline while virtual time runs. Keys do what a user, an app \
      and the network do: each adds a step to the script at the current time. The result can be \
      saved as a scenario, which 'autowait run' replays exactly.

      space pauses and resumes time; the arrows left and right move by a second, up and down \
      by an event. 1, 4 and f set the pace: as a clock, 4 times and 40 times as fast.

      p plays, x pauses, i plays immediately, s seeks. o turns the link off and on, r sets its \
      rate, l replaces it with a preset. Tab selects the next player. u takes the last step back. \
      A step at an earlier time discards the steps after it. w saves, q quits.
      """,
    options: [output, held, .run, .set, .root, .color],
    examples: [
      ("autowait play Scenarios/demo/play-right-away.json", "Plays a demo from the stage."),
      ("autowait play x.json --hold", "Begins at 0 s, to go from event to event."),
      ("autowait play x.json --output y.json", "Saves to y.json."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let path = arguments.operands[0]
    try InputGuard(option: output.name, output: arguments.output(output)).check(inputs: [path])
    let files = ScenarioFiles(
      root: try arguments.root(), programs: .named, changes: try arguments.changes())
    guard let (scenario, text) = try read(path, files, arguments, console) else {
      return .invalid
    }
    if scenario.asksPrograms {
      console.refuse(
        "rules that are programs cannot be played",
        notes: ["'autowait run \(Path.quoted(path)) --allow-programs' runs them"])
      return .invalid
    }
    guard let screen = console.environment.screen else {
      console.refuse(
        "'autowait play' needs a terminal for its keys and its output",
        notes: ["elsewhere, 'autowait run \(Path.quoted(path))' shows the run"])
      return .invalid
    }
    let again = ScenarioFiles(root: try arguments.root(), programs: .named)
    let play = LivePlay(scenario, writtenAs: text) { text in
      let (read, findings) = again.read(SourceText(path: path, text: text))
      return (read, findings.first { $0.severity == .error }?.message)
    }
    var stage = LiveStage(
      play, screen, console, arguments.style(console), output: arguments.output(output))
    if arguments.has(held) { stage.hold() }
    stage.run()
    return stage.conclude()
  }

  /// Reads the scenario, or the run of it that is wanted; with its text, where that is all of it.
  private static func read(
    _ path: String, _ files: ScenarioFiles, _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> (scenario: Scenario, text: SourceText?)? {
    switch path == "-" ? .failure(noInput) : files.source(path) {
    case .failure(let finding):
      console.report([finding])
      return nil
    case .success(let source):
      let runs = files.runs(of: source, arguments.values(.run))
      guard runs.count == 1 else {
        throw Command.UsageError(
          message: "'autowait play' takes one run, but '\(path)' has \(runs.count)",
          notes: ["'\(Option.run.name) NAME' chooses one of them"])
      }
      let (scenario, findings) = files.read(source, ScenarioFiles.Asked(run: runs[0]))
      console.report(findings.filter { scenario == nil || $0.severity == .error })
      let root = Findings(source).parseJSON()
      let isWhole =
        root?.member("extends") == nil && runs[0] == nil && arguments.values(.set).isEmpty
      return scenario.map { ($0, isWhole ? source : nil) }
    }
  }

  private static let noInput = Finding(
    .error, "standard input is where keys come from; name a file", path: "-")
}
