import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// An experiment that is run in parts: its plan, and the digest that all parts have in common.
struct ShardedExperiment {
  let plan: ExperimentPlan
  let origin: ShardOrigin
  let files: ScenarioFiles
  /// The real paths of the files that the experiment names.
  let loaded: [String]
  /// How sessions are run.
  var pace = Simulation.Pace.fast

  /// Reads an experiment; reports what is wrong with it, and returns nil if that is an error.
  init?(_ path: String, seedCount: Int?, files: ScenarioFiles, report: ([Finding]) -> Void) {
    self.files = files
    switch files.source(path) {
    case .failure(let finding):
      report([finding])
      return nil
    case .success(let source):
      let noted = RecordingFileLoader(files)
      let (plan, findings) = files.programs.checked(
        ExperimentReader.read(
          source, files: noted.experimentFiles, seedCount: seedCount, changes: files.changes))
      report(findings)
      guard let plan else { return nil }
      self.plan = plan
      loaded = noted.places
      do throws(Files.SystemProblem) {
        origin = ShardOrigin(
          path: path, seedCount: seedCount, changes: plan.changes,
          digest: try noted.digest(plan.digest))
      } catch {
        report([Finding(.error, "a file of the experiment \(error.reason)", path: path)])
        return nil
      }
    }
  }

  /// Runs some units and hands on each row as a line, and the trailer last; an error of whom they
  /// are handed to ends the work.
  func write(
    _ units: Range<Int>, shard: Shard?, threads: Int, progress: ((_ done: Int) -> Void)? = nil,
    _ sink: ([UInt8]) throws(Files.SystemProblem) -> Void
  ) throws(Files.SystemProblem) -> ShardTrailer {
    var execution = ExperimentExecution(plan: plan, files: files, threads: threads)
    execution.pace = pace
    var writer = SessionRowWriter(plan)
    var digest = RowDigest()
    try execution.run(units, progress: progress) {
      (rows: [SessionRow]) throws(Files.SystemProblem) in
      for row in rows {
        let line = writer.json(row)
        digest.add(line, key: row.key)
        try sink(line)
      }
    }
    let trailer = ShardTrailer(origin, shard: shard, units: units, digest)
    try sink(trailer.line)
    return trailer
  }
}
