import AutowaitExperiment
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait merge`: puts the shards of an experiment together and tells what they come to.
enum MergeCommand {
  private static let experiment = Option(
    "--experiment", value: "FILE",
    "Reads the experiment from FILE; default: the path recorded in the shards")

  static let command = Command(
    name: "merge", operands: "DIR…", operandsMin: 1,
    summary: "Merges the shards of an experiment",
    about: """
      Reads the shards that 'autowait compare --out' or 'autowait work' wrote to each DIR: files \
      whose names end in .ndjson or begin with part-. Prints exactly what 'autowait compare' \
      would print, however the experiment was split and even if some shards were run twice.

      The number of seeds and the changes of the base ('--set') are those of the first shard.

      Checks every shard against its trailer and against the experiment. If one is missing, \
      damaged or from another experiment, prints only a list of these, each with the command that \
      makes it, and ends with 1. Memory use does not grow with the number of rows.
      """,
    options: CompareCommand.formats + ComparisonFiles.options
      + [CompareCommand.output, experiment, .allowPrograms, .root, .color],
    examples: [
      ("autowait merge shards", "Prints the comparison."),
      ("autowait merge shards --ndjson --output rows.ndjson", "Writes all rows to one file."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    var files = try files(arguments, console)
    for folder in arguments.operands {
      try InputGuard.check(folder: folder, for: "'autowait merge'")
    }
    var merge: ShardMerge
    do throws(ShardMerge.FolderProblem) {
      merge = try ShardMerge(arguments.operands)
    } catch {
      console.report([Finding(.error, "the folder \(error.reason)", path: error.folder)])
      return .invalid
    }
    let calls = ShardCalls(arguments, merge)
    let split: Int?
    switch merge.split {
    case .failure(let mismatch): return refuse(mismatch.message, console)
    case .success(let count): split = count
    }
    guard let path = calls.path else {
      for fault in merge.faults { report(fault, console) }
      console.refuse(
        "no complete shards in \(arguments.operands.joined(separator: ", "))",
        notes: ["'autowait compare EXPERIMENT --shard 1/8 --out DIR' makes one"])
      return merge.faults.isEmpty ? .nothing : .differs
    }
    files.changes = try Arguments.changes(calls.changes)
    guard
      let experiment = ShardedExperiment(
        path, seedCount: calls.seedCount, files: files, report: console.report)
    else {
      console.note("if the experiment lies elsewhere, say where: --experiment FILE")
      return .invalid
    }
    let written = try ComparisonFiles(arguments)
    try written.check(inputs: [path] + experiment.loaded + merge.paths)
    try written.check(shardFolders: arguments.operands)
    merge.keep(experiment)
    let cover = merge.cover(experiment.plan)
    let mismatches = merge.mismatches(cover)
    if let reason = merge.commonForeignness {
      let count = merge.faults.count
      let subject = count == 1 ? "the only shard" : "each of the \(count) shards"
      return refuse(
        "\(subject) \(reason)", console,
        notes: ["put that version back, or make the shards again in another folder"])
    }
    if !merge.faults.isEmpty || !cover.missing.isEmpty || !mismatches.isEmpty {
      for fault in merge.faults { report(fault, console) }
      for pair in mismatches { _ = refuse(pair.message, console, notes: ["remove one of them"]) }
      return missing(cover, split, experiment.plan, calls, console)
    }
    guard let plan = written.prepared(experiment.plan, console) else { return .invalid }
    return try write((merge, cover), plan, experiment.files, arguments, console)
  }

  /// The files of the experiment; sessions are played again only for a page that shows them
  /// closely.
  private static func files(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ScenarioFiles {
    let programs = try arguments.programs(console)
    let pages = try ComparisonFiles(arguments)
    let playsAgain = pages.html != nil && pages.sessionCount > 0
    return ScenarioFiles(root: try arguments.root(), programs: playsAgain ? programs : .named)
  }

  // MARK: What is wrong

  /// What the calls that make shards have in common.
  private struct ShardCalls {
    /// The path of the experiment; nil if no shard tells it.
    let path: String?
    let seedCount: Int?
    let changes: [String]
    private let folder: String
    private let root: String?

    init(_ arguments: Arguments, _ merge: ShardMerge) {
      // Whatever the order in which shards were made, the first one has the say.
      let first = merge.sections.min {
        ($0.trailer.units.lowerBound, $0.path) < ($1.trailer.units.lowerBound, $1.path)
      }?.trailer
      path = arguments.value(experiment) ?? first?.path
      seedCount = first?.seedCount
      changes = first?.changes ?? []
      folder = arguments.operands.first ?? "."
      root = arguments.value(.root)
    }

    private func options(_ plan: ExperimentPlan) -> String {
      (seedCount.map { " --seeds \($0)" } ?? "") + Path.options(settingChanges: changes)
        + (plan.namesPrograms ? " \(Option.allowPrograms.name)" : "")
        + (root.map { " --root \(Path.quoted($0))" } ?? "")
    }

    private var quotedPath: String { path.map { Path.quoted($0) } ?? "EXPERIMENT" }

    /// The call that makes a shard.
    func call(_ shard: Shard, _ plan: ExperimentPlan) -> String {
      "autowait compare \(quotedPath)\(options(plan)) --shard \(shard.text) "
        + "--out \(Path.quoted(folder))"
    }

    /// The call that makes some units.
    func call(_ units: Range<Int>, _ plan: ExperimentPlan) -> String {
      let target = Path.join(folder, "units-\(units.lowerBound)-\(units.upperBound).ndjson")
      return "echo '{\"units\": [\(units.lowerBound), \(units.upperBound)]}' | "
        + "autowait work \(quotedPath)\(options(plan)) > \(Path.quoted(target))"
    }
  }

  private static func refuse(
    _ message: String, _ console: Console, notes: [String] = []
  ) -> ExitCode {
    console.refuse(message, notes: notes)
    return .differs
  }

  private static func report(_ fault: ShardMerge.ShardFault, _ console: Console) {
    let (message, note) =
      fault.isExternal
      ? (
        "the file \(fault.reason)",
        "it may be a result of yours: merge it by itself, from another folder"
      )
      : ("the shard is damaged: \(fault.reason)", "remove it")
    console.report([Finding(.error, message, path: fault.path, notes: [note])])
  }

  /// Lists what no shard tells of, each with the call that makes it.
  private static func missing(
    _ cover: ShardCover, _ split: Int?, _ plan: ExperimentPlan, _ calls: ShardCalls,
    _ console: Console
  ) -> ExitCode {
    if cover.missing.isEmpty { return .differs }
    guard let split else {
      for units in cover.missing {
        let range = "\(units.lowerBound) to \(units.upperBound - 1)"
        console.message("missing: units \(range): \(calls.call(units, plan))")
      }
      return refuse(
        "\(Plural.text(cover.missing.count, "run")) of units missing or damaged", console)
    }
    let shards = cover.missingShards(of: split, unitCount: plan.unitCount)
    for shard in shards {
      console.message("missing: shard \(shard.text): \(calls.call(shard, plan))")
    }
    return refuse(
      "\(shards.count) of \(Plural.text(split, "shard")) missing or damaged", console,
      notes: ["their numbers, as arrays of tasks take them: \(Self.list(shards.map(\.number)))"])
  }

  /// Returns ascending numbers as engines take them: `2,5-7`.
  static func list(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  // MARK: What they come to

  private static func write(
    _ shards: (merge: ShardMerge, cover: ShardCover), _ plan: ExperimentPlan,
    _ files: ScenarioFiles, _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    var failure: RowError?
    let rows = ShardRows(shards.cover.order.map { shards.merge.sections[$0] })
    let code = try console.writing(to: arguments.output(CompareCommand.output)) {
      console throws(Command.UsageError) in
      try CompareCommand.show(plan, files, arguments, console) {
        result(of: rows, plan, console, &failure, $0)
      }
    }
    if let failure { return refuse(failure.reason, console) }
    return code ?? .defect
  }

  /// So many rows are read before some threads take them apart.
  private static let portionRows = 16_384
  private static let batchRows = 512

  /// Adds rows up, unit by unit; ends where the rule to stop would have ended the experiment.
  private static func result(
    of source: ShardRows, _ plan: ExperimentPlan, _ console: Console, _ failure: inout RowError?,
    _ rows: ([SessionRow]) -> Void
  ) -> ExperimentResult? {
    var source = source
    var result = ExperimentResult(plan)
    let meter = ProgressMeter(console, total: plan.sessionCount, word: "row")
    var unit: [SessionRow] = []
    do throws(RowError) {
      while true {
        let portion = try read(&source, plan, threads: console.environment.processorCount)
        if portion.isEmpty { break }
        for row in portion {
          guard row.key.number == result.unitCount * plan.contestantCount + unit.count,
            row.isPlausible
          else { throw RowError("session \(row.key.number) is not what a session results in") }
          unit.append(row)
          if unit.count < plan.contestantCount { continue }
          result.add(unit)
          rows(unit)
          unit.removeAll(keepingCapacity: true)
          if result.unitCount % plan.blockUnits == 0, result.isPreciseEnough { return result }
        }
        meter.tell(result.sessionCount)
      }
      guard result.unitCount == plan.unitCount else { throw RowError("rows are missing") }
      return result
    } catch {
      failure = error
      return nil
    }
  }

  /// Reads some rows on; none at the end.
  private static func read(
    _ source: inout ShardRows, _ plan: ExperimentPlan, threads: Int
  ) throws(RowError) -> [SessionRow] {
    var batches: [[[UInt8]]] = []
    var batch: [[UInt8]] = []
    var count = 0
    while count < portionRows, let line = try source.next() {
      batch.append(line)
      count += 1
      if batch.count == batchRows {
        batches.append(batch)
        batch = []
      }
    }
    if !batch.isEmpty { batches.append(batch) }
    let results = ThreadPool.map(batches, threads: threads) { lines in
      let reader = SessionRowReader(plan)
      return Result<[SessionRow], RowError> { () throws(RowError) in
        var rows: [SessionRow] = []
        for line in lines { rows.append(try reader.row(json: line)) }
        return rows
      }
    }
    var rows: [SessionRow] = []
    for result in results { rows += try result.get() }
    return rows
  }
}
