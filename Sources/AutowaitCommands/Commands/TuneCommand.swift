import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// `autowait tune`: searches the numbers of a rule that cost a viewer least.
enum TuneCommand {
  private static let numbers = Option(
    "--numbers", value: "NAME,NAME",
    "Searches these numbers of the rule; default: those that it waits for")
  private static let stallWeight = Option(
    "--stall-weight", value: "N",
    "A second of stall costs as much as N seconds of startup; default: 10, as in 'compare'")

  static let command = Command(
    name: "tune", operands: "RULE EXPERIMENT", operandsMin: 2, operandsMax: 2,
    summary: "Searches the numbers of a startup rule on your networks",
    about: """
      Searches values for the numbers of RULE, a rule of 'autowait list heuristics', with which \
      the sessions of EXPERIMENT cost a viewer least. A session costs its startup and N times its \
      stalls. A third of the networks is held back: the search does not see them, and what it \
      finds is judged on them. Prints what to choose, what that gains with a 95 % interval, where \
      it is worse, how far the best built-in rule and the best start possible are, and the line \
      for a scenario.

      Uses only the experiment's networks, media, script and seeds, not what it compares. The \
      output does not depend on the number of threads. Exits with 0 whether or not something \
      better was found.
      """,
    options: [
      numbers, stallWeight, CompareCommand.seeds, CompareCommand.jobs, .set, .format,
      .allowPrograms, .root, .color,
    ],
    examples: [
      ("autowait tune media3 Scenarios/experiments/all-rules.json", "Searches start and resume."),
      ("autowait tune mpv x.json --stall-weight 3", "For a viewer who minds stalls less."),
      ("autowait tune avfoundation x.json --numbers safetyMargin", "Searches one number."),
    ],
    operandWords: { before in
      OperandWords(
        words: before.isEmpty ? Heuristic.all.map(\.name) : [], orFile: before.count == 1)
    },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let (rule, parameters) = try searched(arguments)
    let viewer = ViewerCost(stallWeight: try weight(arguments))
    let threads =
      try arguments.count(CompareCommand.jobs, in: 1...256) ?? console.environment.processorCount
    let seedCount = try arguments.count(CompareCommand.seeds, in: 1...1_000_000)
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console),
      changes: try arguments.changes())
    let path = arguments.operands[1]
    let traces = TraceNotes()
    let (plan, findings) = files.readExperiment(
      path, seedCount: seedCount, traces: traces)
    console.report(findings)
    guard let plan else { return .invalid }
    traces.report(console)
    var tuning: RuleTuning
    do throws(RuleTuning.TuningProblem) {
      tuning = try RuleTuning(rule, parameters, on: plan, for: viewer)
    } catch {
      console.report([Finding(.error, error.message, path: path, notes: error.notes)])
      return .invalid
    }
    search(&tuning, files, threads, console)
    let all = tuning.planOfRules
    let meter = ProgressMeter(console, total: all.sessionCount, word: "session")
    let rules = cost(all, tuning, files, threads, meter)
    console.clearProgress()
    let report = TuningReport(tuning, rules: rules)
    if report.neverStarts {
      console.report([
        Finding(
          .warning, "no session ever starts, whatever the numbers", path: path,
          notes: [
            "see why with: autowait run \(Path.quoted(path)) --session 0"
          ])
      ])
    }
    let format: TextFormat = arguments.choice(.format, default: .text)
    switch format {
    case .json: console.write(data: report.json(plan))
    case .text:
      let style = arguments.style(console)
      console.write(report.text(plan, style), keepsPaint: style.usesColor)
    }
    return .fine
  }

  /// Tries candidates until nothing is left to try.
  private static func search(
    _ tuning: inout RuleTuning, _ files: ScenarioFiles, _ threads: Int, _ console: Console
  ) {
    while true {
      let fresh = tuning.next()
      if fresh.isEmpty { return }
      let plan = tuning.plan(of: fresh)
      let meter = ProgressMeter(console, total: plan.sessionCount, word: "session")
      tuning.take(fresh, cost(plan, tuning, files, threads, meter))
      console.clearProgress()
    }
  }

  /// Runs all sessions of an experiment, and returns what each contestant costs.
  private static func cost(
    _ plan: ExperimentPlan, _ tuning: RuleTuning, _ files: ScenarioFiles, _ threads: Int,
    _ meter: ProgressMeter
  ) -> [TuningCost] {
    var costs = tuning.noCosts(plan.contestantCount)
    let execution = ExperimentExecution(plan: plan, files: files, threads: threads)
    let perUnit = plan.contestantCount
    execution.run(0..<plan.unitCount, progress: { meter.tell($0 * perUnit) }) { rows in
      tuning.add(rows, of: plan, to: &costs)
    }
    return costs
  }

  /// Returns the rule, and the numbers of it that are searched.
  private static func searched(
    _ arguments: Arguments
  ) throws(Command.UsageError) -> (Heuristic, [HeuristicParameter]) {
    let name = arguments.operands[0]
    guard let rule = Heuristic.named(name) else {
      throw Command.UsageError(
        message: "there is no rule '\(name.excerpt)'",
        notes: NearestWord.notes(
          for: name, among: Heuristic.all.map { $0.name }, list: "the rules are: ",
          shownBy: "autowait list heuristics"))
    }
    let all = rule.parameters.map { $0.name }
    guard let given = arguments.value(numbers) else {
      let usual = RuleTuning.usual.compactMap { name in
        rule.parameters.first { $0.name == name }
      }
      if usual.isEmpty {
        throw Command.UsageError(
          message: "the rule '\(name)' waits for no number of its own",
          notes: all.isEmpty
            ? ["it has no numbers"] : ["its numbers, for '--numbers', are: \(quoted(all))"])
      }
      return (rule, usual)
    }
    let names = given.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    var parameters: [HeuristicParameter] = []
    for word in names {
      guard let parameter = rule.parameters.first(where: { $0.name == word }) else {
        throw Command.UsageError(
          message: "the rule '\(name)' has no number '\(word.excerpt)'",
          notes: NearestWord.notes(for: word, among: all, list: "its numbers are: "))
      }
      if parameters.contains(parameter) {
        throw Command.UsageError(message: "'--numbers' names '\(word)' twice")
      }
      parameters.append(parameter)
    }
    return (rule, parameters)
  }

  /// Returns what a second of stall is worth, in millionths of a second of startup.
  private static func weight(_ arguments: Arguments) throws(Command.UsageError) -> Int64 {
    guard let text = arguments.value(stallWeight) else {
      return ViewerPolicy.standard.stallWeight * 1_000_000
    }
    if case .exact(let weight)? = ExactDecimal(text)?.integer(scaledBy: 1_000_000),
      weight <= 1_000_000_000
    {
      return weight
    }
    throw Command.UsageError(
      message: "'\(stallWeight.name)' must be a number from 0 to 1000, not '\(text.excerpt)'")
  }

  private static func quoted(_ words: [String]) -> String {
    words.map { "'\($0)'" }.joined(separator: ", ")
  }
}
