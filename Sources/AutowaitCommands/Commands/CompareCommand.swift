import AutowaitExperiment
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait compare`: runs an experiment and tells which of its rules does best.
enum CompareCommand {
  static let jobs = Option(
    "--jobs", value: "N", "Uses N threads; default: one per processor")
  static let seeds = Option(
    "--seeds", value: "N",
    "Runs every world with the seeds 1 to N, instead of those of the "
      + "experiment")
  private static let json = Option("--json", "Prints the comparison as one JSON object")
  private static let csv = Option("--csv", "Prints one line of CSV per session")
  private static let ndjson = Option("--ndjson", "Prints one line of JSON per session")
  private static let search = Option(
    "--search",
    "Tries more values for varied keys that are times, where startup and stalls are balanced "
      + "best; prints the results in the form that scenarios use")
  private static let worst = Option(
    "--worst", value: "CONTESTANT",
    "Searches for the network on which CONTESTANT does worst, and prints it as a scenario"
  ).offering(ListCommand.heuristicNames)
  private static let shrink = Option(
    "--shrink",
    "With '--worst', prints the smallest scenario in which CONTESTANT still stalls or starts as "
      + "late")
  static let output = Option(
    "--output", value: "FILE", "Writes the results to FILE, or prints them if FILE is -")
  private static let markdown = Option("--markdown", "Prints the tables as Markdown")
  private static let histogram = Option(
    "--histogram", "Also prints how many sessions started within which time")

  /// The options that say what is printed.
  static let formats = [json, csv, ndjson, markdown, histogram]
  /// The options that a shard cannot do alone.
  static let wholeOnly = formats + ComparisonFiles.options + [output, search, worst, shrink]

  static let command = Command(
    name: "compare", operands: "EXPERIMENT", operandsMin: 1, operandsMax: 1,
    summary: "Compares rules over networks, media and seeds",
    about: """
      Runs an EXPERIMENT, a file with the key "experiment", which has a base scenario and what \
      varies. All rules play over the same networks, with the same media and random numbers, and \
      each session is compared with the best possible one. Prints which rule starts soonest, \
      which stalls least, and which is best for which viewers, and then the differences between \
      them, session by session.

      The output does not depend on the number of threads. Exits with 1 if a session could not \
      run or did not meet an expectation of the base, or if a threshold is crossed, and with 6 if \
      a session reached a limit; for shards, 'autowait merge' does this.

      Thresholds are limits on statistics of the sessions, under the key "thresholds". \
      --save-baseline writes the results of all sessions to a file. --baseline compares the same \
      sessions with that file later; thresholds can refer to the differences.

      \(ShardCall.about)
      """,
    options: formats + ComparisonFiles.options
      + [
        output, search, worst, shrink, seeds, .set, jobs, ShardCall.shard, ShardCall.out,
        .allowPrograms,
        .root, .color,
      ],
    examples: [
      ("autowait compare Scenarios/experiments/all-rules.json", "Compares all rules."),
      ("autowait compare x.json --seeds 1000", "Runs a thousand seeds."),
      (
        "autowait compare x.json --set 'media.duration=2 min'",
        "Changes the base scenario, and compares with the change."
      ),
      ("autowait compare x.json --csv > rows.csv", "Writes the result of each session."),
      ("autowait compare x.json --html report.html", "Writes a page with tables and pictures."),
      (
        "autowait compare x.json --worst mpv --output worst.json",
        "Writes a scenario with the worst network for a rule."
      ),
      (
        "autowait compare x.json --save-baseline x.baseline",
        "Saves the current results."
      ),
      ("autowait compare x.json --baseline x.baseline", "Compares later results with them."),
      ("autowait compare x.json --shard 3/8 --out shards", "Runs an eighth of the sessions."),
    ],
    run: run)

  private enum Format {
    case text, json, csv, ndjson, markdown
  }

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    _ = try format(arguments)
    let path = arguments.operands[0]
    let jobs = try arguments.count(jobs, in: 1...256)
    let seedCount = try arguments.count(seeds, in: 1...1_000_000_000_000)
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console),
      changes: try arguments.changes())
    if let call = try ShardCall(arguments, console) {
      return try call.run(path, seedCount: seedCount, threads: jobs, files: files)
    }
    let written = try ComparisonFiles(arguments)
    try written.check(inputs: [path])
    var loaded: [String] = []
    let traces = TraceNotes()
    let (plan, findings) = files.readExperiment(path, seedCount: seedCount, traces: traces) {
      loaded.append($0)
    }
    console.report(findings)
    guard let plan = plan.flatMap({ written.prepared($0, console) }) else { return .invalid }
    try written.check(inputs: loaded)
    traces.report(console)
    let threads = jobs ?? console.environment.processorCount
    if arguments.has(shrink), !arguments.has(worst) {
      throw Command.UsageError(message: "'--shrink' shrinks what '--worst' finds")
    }
    if let name = arguments.value(worst) {
      guard let contestant = plan.contestantNames.firstIndex(of: name) else {
        throw unknown(name, plan)
      }
      return WorstSearch(
        plan: plan, contestant: contestant, output: written.output, threads: threads,
        shrinks: arguments.has(shrink)
      ).run(files, arguments, console)
    }
    var execution = ExperimentExecution(plan: plan, files: files, threads: threads)
    if arguments.has(search) {
      guard FrontSearch.canRefine(plan) else {
        throw Command.UsageError(
          message: "'--search' needs an axis with two times or more to search between",
          notes: [#"as in "heuristic.start": ["1 s", "20 s"]"#])
      }
      execution = refined(execution, console)
    }
    return try run(execution, arguments, console)
  }

  /// Runs an experiment and prints what it came to.
  private static func run(
    _ execution: ExperimentExecution, _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let plan = execution.plan
    let meter = ProgressMeter(console, total: plan.sessionCount, word: "session")
    let tell = { (done: Int) in meter.tell(done * plan.contestantCount) }
    let code = try console.writing(to: arguments.output(output)) {
      console throws(Command.UsageError) in
      try show(plan, execution.files, arguments, console) {
        execution.run(progress: tell, rows: $0)
      }
    }
    return code ?? .invalid
  }

  /// Prints what an experiment came to as the options say; where its rows come from is for the
  /// caller to say.
  ///
  /// Returns nil if they came to an early end.
  static func show(
    _ plan: ExperimentPlan, _ files: ScenarioFiles, _ arguments: Arguments, _ console: Console,
    _ run: (_ rows: @escaping ([SessionRow]) -> Void) -> ExperimentResult?
  ) throws(Command.UsageError) -> ExitCode? {
    let format = try format(arguments)
    var writer = SessionRowWriter(plan)
    if format == .csv { console.write(data: writer.csvHeader) }
    let pages = try ComparisonFiles(arguments)
    var saved = pages.newBaseline.map { _ in SavedBaselineWriter(plan) }
    var notable = NotableSessions(countMax: pages.html == nil ? 0 : pages.sessionCount)
    let result = run { rows in
      notable.add(rows, baseline: plan.baseline)
      saved?.add(rows)
      switch format {
      case .csv: for row in rows { console.write(data: writer.csv(row)) }
      case .ndjson: for row in rows { console.write(data: writer.json(row)) }
      case .text, .json, .markdown: break
      }
    }
    console.clearProgress()
    guard let result else { return nil }
    let comparison = Comparison(result)
    switch format {
    case .text:
      let style = arguments.style(console)
      console.write(
        ComparisonRendering.text(
          comparison, hasHistogram: arguments.has(histogram), style: style),
        keepsPaint: style.usesColor)
      if arguments.has(search) { console.write(ComparisonRendering.found(comparison)) }
    case .json: console.write(data: ComparisonJSON.bytes(comparison))
    case .markdown:
      console.write(
        document: ComparisonRendering.markdown(comparison, hasHistogram: arguments.has(histogram)))
    case .csv, .ndjson: break
    }
    let threads =
      try arguments.count(jobs, in: 1...256) ?? console.environment.processorCount
    var written = pages.write(comparison, notable.choices, files, threads: threads, console)
    if let path = pages.newBaseline, let saved {
      written = written.combined(with: Files.store([(path, saved.bytes)], console))
    }
    let judgement = ComparisonJudgement(
      result: result, files: files, isSaving: pages.newBaseline != nil)
    return report(judgement, console).combined(with: written)
  }

  /// Returns the experiment with the values that rounds of a search have added.
  private static func refined(
    _ first: ExperimentExecution, _ console: Console
  ) -> ExperimentExecution {
    var execution = first
    for round in 1...FrontSearch.rounds {
      let meter = ProgressMeter(console, total: execution.plan.sessionCount, word: "session")
      let perUnit = execution.plan.contestantCount
      let result = execution.run(progress: { meter.tell($0 * perUnit) })
      guard let plan = FrontSearch.refined(execution.plan, front: result.front) else { break }
      console.clearProgress()
      if console.environment.messages.isTerminal {
        console.message("round \(round): \(Plural.text(plan.contestantCount, "contestant"))")
      }
      execution = ExperimentExecution(
        plan: plan, files: execution.files, threads: execution.threads)
    }
    return execution
  }

  private static func unknown(_ name: String, _ plan: ExperimentPlan) -> Command.UsageError {
    let names = plan.contestantNames
    return Command.UsageError(
      message: "there is no contestant '\(name)'",
      notes: NearestWord.notes(for: name, among: names, list: "the contestants are: "))
  }

  private static func format(_ arguments: Arguments) throws(Command.UsageError) -> Format {
    let formats: [(Option, Format)] = [
      (json, .json), (csv, .csv), (ndjson, .ndjson), (markdown, .markdown),
    ]
    let asked = formats.filter { arguments.has($0.0) }
    if asked.count > 1 {
      throw Command.UsageError(
        message: "'\(asked[0].0.name)' cannot be combined with '\(asked[1].0.name)'")
    }
    let format = asked.first?.1 ?? .text
    if arguments.has(histogram), format != .text, format != .markdown, let other = asked.first?.0 {
      throw Command.UsageError(
        message: "'\(histogram.name)' cannot be combined with '\(other.name)'")
    }
    return format
  }

  /// Tells of sessions that could not be run.
  private static func report(_ judgement: ComparisonJudgement, _ console: Console) -> ExitCode {
    let result = judgement.result
    let names = result.plan.contestantNames
    for problem in result.problems {
      let unit = result.plan.unit(of: problem.key)
      let world = result.plan.worldNames(unit.world) + ["seed \(unit.seed)"]
      console.report([
        Finding(
          .error,
          "session \(problem.key.number), '\(names[result.plan.contestant(of: problem.key)])' on "
            + "\(world.joined(separator: ", ")): \(problem.reason)",
          path: result.plan.path)
      ])
    }
    let count = result.contestants.reduce(0) { $0 + Int($1.errors) }
    let more = count - result.problems.count
    if more > 0 {
      console.note("so could \(Plural.text(more, "more session")) not")
    }
    let code: ExitCode = count == 0 ? .fine : .differs
    return code.combined(with: reportCutOff(result, console))
      .combined(with: judgement.report(console))
  }

  /// Tells of sessions that a bound cut off.
  private static func reportCutOff(_ result: ExperimentResult, _ console: Console) -> ExitCode {
    let counts = result.contestants.map { ($0.name, Int($0.outcomeCount(.eventLimit))) }
      .filter { $0.1 > 0 }
    if counts.isEmpty { return .fine }
    let total = Plural.text(counts.reduce(0) { $0 + $1.1 }, "session")
    let names = counts.prefix(10).map { "'\($0.0)' \($0.1)" }.joined(separator: ", ")
    console.report([
      Finding(
        .warning, "\(total) reached the bound of events and were cut off: \(names)",
        path: result.plan.path,
        notes: ["their outcome is 'eventLimit'; raise it with 'eventsMax' in the base"])
    ])
    return .cutOff
  }
}
