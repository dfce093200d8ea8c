import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait work`: does jobs that come in line by line, for engines that send lines to programs.
enum WorkCommand {
  /// The longest job.
  ///
  /// Assumed: a scenario with all that it embeds is never longer.
  static let lineMax = 16 << 20

  private static let jobs = Option(
    "--jobs", value: "N",
    "Uses N threads; default: 1, since engines start a worker for each processor")

  static let command = Command(
    name: "work", operands: "[EXPERIMENT]", operandsMin: 0, operandsMax: 1,
    summary: "Runs jobs read from standard input",
    about: """
      Reads jobs from standard input, one JSON object per line, and prints each result in order, \
      as soon as it is known. The jobs are:

      {"shard": "3/8"}: prints the rows of a shard of EXPERIMENT, and its trailer. {"units": [0, \
      100]}: prints the rows of units 0 to 99, where a unit is one world under one seed. Both may \
      name another "experiment" and a number of "seeds". 'autowait merge' reads the output.

      {"scenario": {…}, "seed": 7}: prints the result of one run, as 'autowait run --format json' \
      does. The scenario is an object or a path. One with several runs needs the name of a run, \
      too: "run": "NAME". If a run reached a limit, its "finish" is "eventLimit", and so is the \
      outcome in the row of a session.

      An invalid job is answered with {"line": N, "error": "…"}, and work continues with the \
      next. Empty lines are ignored. The last line counts the jobs. Invalid jobs do not change \
      the exit code, since running them again would not help.
      """,
    options: [jobs, CompareCommand.seeds, .set, .eventByEvent, .allowPrograms, .root],
    examples: [
      (
        "echo '{\"shard\": \"1/8\"}' | autowait work x.json > 1-of-8.ndjson",
        "Runs an eighth of the sessions."
      ),
      ("parallel --pipe -N 10 autowait work x.json < jobs", "Runs jobs on all processors."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let threads = try arguments.count(jobs, in: 1...256) ?? 1
    let seedCount = try arguments.count(CompareCommand.seeds, in: 1...1_000_000_000_000)
    var worker = Worker(
      files: ScenarioFiles(
        root: try arguments.root(), programs: try arguments.programs(console),
        changes: try arguments.changes()),
      threads: threads, pace: arguments.pace, console: console)
    if let path = arguments.operands.first {
      var findings: [Finding] = []
      let experiment = ShardedExperiment(path, seedCount: seedCount, files: worker.files) {
        findings += $0
      }
      console.report(findings)
      guard let experiment else { return .invalid }
      worker.experiments = [experiment]
      worker.standard = path
    }
    var feed = LineSplitter(lineMax: lineMax) { () throws(Files.SystemProblem) in
      switch console.environment.input() {
      case .bytes(let bytes): return bytes
      case .end: return []
      case .failed(let reason): throw Files.SystemProblem("cannot be read: \(reason)")
      }
    }
    do throws(Files.SystemProblem) {
      while !console.isOutputClosed, let line = try feed.next() { worker.take(line) }
    } catch {
      if console.isOutputClosed { return .fine }
      console.refuse("the standard input \(error.reason)")
      return .invalid
    }
    worker.end()
    return .fine
  }

  /// What is kept from job to job.
  private struct Worker {
    /// The most experiments that are kept, the first one apart.
    private static let experimentsMax = 8

    let files: ScenarioFiles
    let threads: Int
    let pace: Simulation.Pace
    let console: Console
    /// The experiments that were read, each once.
    var experiments: [ShardedExperiment] = []
    /// The experiment of jobs that name none.
    var standard: String?
    var line = 0
    var jobs: Int64 = 0
    var errors: Int64 = 0
    var rows: Int64 = 0

    /// Does a job and prints what it came to.
    mutating func take(_ read: LineSplitter.Line) {
      line += 1
      let bytes: [UInt8]
      switch read {
      case .whole(let line), .unfinished(let line): bytes = line
      case .tooLong:
        jobs += 1
        refuse("the line is longer than \(WorkCommand.lineMax >> 20) MiB")
        return
      }
      if bytes.allSatisfy({ $0 == 0x20 || 0x09...0x0D ~= $0 }) { return }
      jobs += 1
      do throws(RowError) {
        try work(bytes)
      } catch {
        refuse(error.reason)
      }
      console.flush()
    }

    /// Prints how many jobs there were.
    func end() {
      answer { writer in
        writer.field("worker", ShardTrailer.formatVersion)
        writer.field("jobs", jobs)
        writer.field("errors", errors)
        writer.field("rows", rows)
      }
    }

    private mutating func refuse(_ reason: String) {
      errors += 1
      answer { writer in
        writer.field("line", Int64(line))
        writer.field("error", text: reason)
      }
    }

    /// Prints an object in a line, at once.
    private func answer(_ members: (inout JSONWriter) -> Void) {
      console.write(data: JSONWriter.line(.compact, members))
      console.flush()
    }

    private mutating func work(_ bytes: [UInt8]) throws(RowError) {
      let findings = Findings(SourceText(path: "job", bytes: bytes))
      let root = findings.parseJSON()
      guard let root, !findings.hasErrors else { throw Self.error(findings.sorted) }
      var fields = FieldReader(root, "a job", findings)
      let kind = fields.one(of: ["shard", "units", "scenario"])
      let path = fields.optional("experiment", .string)
      let seedCount = fields.optional("seeds", .integer(in: 1...1_000_000_000_000))
      let seed = fields.optional("seed", .integer())
      let name = fields.optional("run", .string)
      let shard = fields.optional("shard", .string)
      let bounds = fields.optional("units", .list(of: .integer()))
      let scenario = fields.value("scenario")
      fields.finish()
      if findings.hasErrors { throw Self.error(findings.sorted) }
      if kind == "scenario", let scenario {
        if path != nil || seedCount != nil {
          throw RowError("a scenario belongs to no experiment")
        }
        try run(scenario, ScenarioFiles.Asked(run: name, seed: seed.map { UInt64($0) }))
        return
      }
      if name != nil { throw RowError("'run' belongs to a scenario; experiments have no runs") }
      if seed != nil { throw RowError("'seed' belongs to a scenario; units have their own") }
      let experiment = try experiment(path, seedCount: seedCount.map { Int($0) })
      let unitCount = experiment.plan.unitCount
      if let shard {
        guard let shard = Shard(shard) else {
          throw RowError("'shard' must be a number and how many there are, as 3/8")
        }
        try run(shard.units(of: unitCount), shard, experiment)
        return
      }
      guard let bounds, bounds.count == 2, bounds[0] <= bounds[1], bounds[1] <= unitCount else {
        throw RowError("'units' must be two numbers, ascending, up to \(unitCount)")
      }
      try run(Int(bounds[0])..<Int(bounds[1]), nil, experiment)
    }

    private mutating func run(
      _ units: Range<Int>, _ shard: Shard?, _ asked: ShardedExperiment
    ) throws(RowError) {
      let console = console
      var experiment = asked
      experiment.pace = pace
      do throws(Files.SystemProblem) {
        let trailer = try experiment.write(units, shard: shard, threads: threads) {
          bytes throws(Files.SystemProblem) in
          console.write(data: bytes)
          if console.isOutputClosed { throw Files.SystemProblem("is closed") }
        }
        rows += Int64(trailer.rows)
      } catch {
        // Nobody reads any more; the loop ends for the same reason.
      }
    }

    private mutating func run(
      _ value: JSONValue, _ asked: ScenarioFiles.Asked
    ) throws(RowError) {
      let text: SourceText
      if let path = value.string {
        switch files.source(path) {
        case .success(let source): text = source
        case .failure(let finding): throw Self.error([finding])
        }
      } else {
        // A scenario that came in a line names files from the folder in which the worker runs.
        text = SourceText(path: "job", bytes: Array(value.source.bytes[value.range]))
      }
      let read = files.read(text, asked)
      guard let scenario = read.scenario else { throw Self.error(read.findings) }
      let result: RunResult
      do throws(Finding) {
        result = try ScenarioRunner(files, pace: pace).summary(of: scenario).result
      } catch {
        throw Self.error([error])
      }
      answer { writer in
        writer.field("line", Int64(line))
        writer.key("result")
        ResultRendering.write(result, into: &writer)
      }
    }

    /// Returns an experiment, which is read once and not for each job.
    private mutating func experiment(
      _ named: String?, seedCount: Int?
    ) throws(RowError) -> ShardedExperiment {
      guard let path = named ?? standard else { throw RowError("the job names no experiment") }
      if named == nil, seedCount == nil, let first = experiments.first { return first }
      let known = experiments.first {
        $0.origin.path == path && $0.origin.seedCount == seedCount
      }
      if let known { return known }
      var findings: [Finding] = []
      let experiment = ShardedExperiment(path, seedCount: seedCount, files: files) {
        findings += $0
      }
      guard let experiment else { throw Self.error(findings) }
      let kept = standard == nil ? 0 : 1
      if experiments.count > Self.experimentsMax {
        experiments.removeLast(experiments.count - kept)
      }
      experiments.append(experiment)
      return experiment
    }

    private static func error(_ findings: [Finding]) -> RowError {
      guard let first = findings.first(where: { $0.severity == .error }) else {
        return RowError("the job is invalid")
      }
      let place = first.path == "job" ? "" : "\(first.path): "
      let notes = first.notes.map { "; \($0)" }.joined()
      return RowError(place + first.message + notes)
    }
  }
}
