import AutowaitRendering
import AutowaitScenario

/// `autowait explain`: why playback waited and stalled in a run, and what would have helped.
enum ExplainCommand {
  static let command = Command(
    name: "explain", operands: "FILE", operandsMin: 1,
    summary: "Explains why playback waited and stalled, and what would have helped",
    about: """
      FILE is a scenario, a log or a recording; - is standard input. Runs the scenario, and says \
      of the start and of each stall how long it lasted, what it waited for, and what caused it. A \
      cause is found by running the scenario again without it: no outage, no loss, nobody else \
      on the link, keys and playlists known, and so on. The cause that is named takes away at \
      least half of the stall; the text also says what remains without other things.

      Then it says what would have spared the player the stall: the least later start, start \
      buffer, link rate or shorter outage, the highest variant, a step of the script. Each value \
      was run, and so was one step less, with which the stall happens. Where more is not always \
      better, 200 values are run before the search, and the text says so.

      Stalls that are close to each other are explained together, and of each player the first 5. \
      Logs must be those of this build. Rules that are programs are not explained, since they \
      would have to be asked again each time.
      """,
    options: [.run, .set, .format, .allowPrograms, .root, .color],
    examples: [
      (
        "autowait explain Scenarios/demo/play-immediately.json",
        "Says why a player that plays at once stalls."
      ),
      ("autowait explain x.json --set link=nlc/3g", "Explains it on another network."),
      ("autowait explain x.expected.log --format json", "For programs."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    guard arguments.operands.count == 1, arguments.values(.run).count < 2 else {
      throw Command.UsageError(
        message: "'autowait explain' explains one run of one file",
        notes: ["see 'autowait explain --help'"])
    }
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console))
    var choice = RunReading.RunChoice(path: arguments.operands[0], run: arguments.value(.run))
    choice.changes = try arguments.changes()
    let reading: RunReading
    switch RunReading.read(choice, files, console) {
    case .failure(let error):
      console.report(error.findings)
      return .invalid
    case .success(let read): reading = read
    }
    guard let result = reading.played?.result else {
      console.report([
        Finding(
          .error, "this build does not produce the log again, and so cannot explain it",
          path: choice.path, notes: ["'autowait replay' shows where they part"])
      ])
      return .invalid
    }
    guard let explanation = RunExplanation(result, sample: { reading.sample(at: $0) }) else {
      console.report([
        Finding(
          .error, "a run that asks a program, or is cut off, cannot be explained",
          path: choice.path)
      ])
      return .invalid
    }
    let format: TextFormat = arguments.choice(.format, default: .text)
    switch format {
    case .json: console.write(data: ExplanationJSON.bytes(explanation))
    case .text:
      let style = arguments.style(console)
      console.write(
        ExplanationText.text(explanation, style: style), keepsPaint: style.usesColor)
    }
    return .fine
  }
}
