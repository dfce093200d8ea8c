import Autowait
import AutowaitExperiment

/// Runs an experiment on some threads, and hands its rows on in the order of their keys.
///
/// Some batches are under way at a time, and only their rows are kept, so that memory does not grow
/// with the number of seeds. Rows are handed on while others are made: no thread waits for it.
package struct ExperimentExecution {
  /// The batches for each thread that may be ahead of what was handed on: so many that few threads
  /// wait for a long one.
  private static let batchesAhead = 16

  let plan: ExperimentPlan
  /// Finds the files that the experiment names.
  let files: ScenarioFiles
  let threads: Int
  /// How sessions are run.
  var pace = Simulation.Pace.fast

  init(plan: ExperimentPlan, files: ScenarioFiles, threads: Int) {
    self.plan = plan
    self.files = files
    self.threads = threads
  }

  /// Prepares an experiment that names no files.
  package init(_ plan: ExperimentPlan, threads: Int) {
    self.init(plan: plan, files: ScenarioFiles(), threads: threads)
  }

  /// Runs the units of a range; calls back with how many are done, now and then, and with the rows
  /// of each unit, in order; an error of whom they are handed to ends the run.
  func run<Problem>(
    _ units: Range<Int>, progress: ((_ done: Int) -> Void)?,
    rows: ([SessionRow]) throws(Problem) -> Void
  ) throws(Problem) {
    let batches = BatchList(plan, units, threads: threads)
    let contestantCount = plan.contestantCount
    var unit: [SessionRow] = []
    try ThreadPool.stream(
      ThreadPool.Load(
        count: batches.count, threads: threads, ahead: threads * Self.batchesAhead),
      progress: progress.map { tell in { tell(batches.units(behind: $0)) } }
    ) { [plan, files, pace] in
      UnitRunner(plan, files: files.experimentFiles, pace: pace)
    } _: { runner, number in
      let batch = batches[number]
      return batch.units.map { runner.rows(of: $0, contestants: batch.contestants) }
    } _: { (parts: [[SessionRow]]) throws(Problem) in
      for part in parts {
        if part.count == contestantCount {
          try rows(part)
          continue
        }
        unit += part
        if unit.count < contestantCount { continue }
        try rows(unit)
        unit = []
      }
    }
    progress?(units.count)
  }

  /// Runs all blocks of seeds, or as many as the rule to stop asks for.
  package func run(
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
