import AutowaitExperiment

/// Runs an experiment on some threads, and hands its rows on in the order of their keys.
///
/// A batch is some units in a row. Some batches are under way at a time, and only their rows are
/// kept, so that memory does not grow with the number of seeds.
struct ExperimentExecution {
  /// About the sessions in a batch: enough that reading its scenarios is little of the work.
  private static let batchSessions = 2_048
  /// The batches for each thread that are under way before rows are handed on: so many that few
  /// threads wait for the last one.
  private static let batchesPerThread = 16

  let plan: ExperimentPlan
  /// Finds the files that the experiment names.
  let files: ScenarioFiles
  let threads: Int

  /// Runs the units of a range; calls back with how many are done, now and then, and with the rows
  /// of each unit, in order.
  func run(
    _ units: Range<Int>, progress: ((_ done: Int) -> Void)?, rows: ([SessionRow]) -> Void
  ) {
    let fair = (units.count + threads * 4 - 1) / (threads * 4)
    let size = max(1, min(fair, Self.batchSessions / plan.contestantCount))
    let round = size * threads * Self.batchesPerThread
    var start = units.lowerBound
    while start < units.upperBound {
      let end = min(units.upperBound, start + round)
      let batches = stride(from: start, to: end, by: size).map { $0..<min(end, $0 + size) }
      let done = start - units.lowerBound
      let results = ThreadPool.map(
        batches, threads: threads,
        progress: progress.map { tell in { tell(min(units.count, done + $0 * size)) } }
      ) { [plan, files] batch in
        var runner = UnitRunner(plan, files: files.experimentFiles)
        return batch.map { runner.rows(of: $0) }
      }
      for batch in results { for unit in batch { rows(unit) } }
      start = end
      progress?(min(end, units.upperBound) - units.lowerBound)
    }
  }

  /// Runs all blocks of seeds, or as many as the rule to stop asks for.
  func run(
    progress: ((_ done: Int) -> Void)?, rows: (([SessionRow]) -> Void)? = nil
  ) -> ExperimentResult {
    var result = ExperimentResult(plan)
    var start = 0
    while start < plan.unitCount {
      let end = min(plan.unitCount, start + plan.blockUnits)
      run(start..<end, progress: progress.map { tell in { tell(start + $0) } }) { unit in
        result.add(unit)
        rows?(unit)
      }
      start = end
      if result.isPreciseEnough { break }
    }
    return result
  }
}
