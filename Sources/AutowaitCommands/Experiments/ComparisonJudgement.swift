import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// Tells of what an experiment was expected to show, and did not.
enum ComparisonJudgement {
  /// Reports each expectation of the base that some session did not meet.
  static func report(_ result: ExperimentResult, _ console: Console) -> ExitCode {
    let plan = result.plan
    let sessions = result.contestants.reduce(0) { $0 + $1.valid }
    var code = ExitCode.fine
    for (expected, missed) in zip(plan.expected, result.missed) {
      guard missed.count > 0, let first = missed.first else { continue }
      code = .differs
      let unit = plan.unit(of: first)
      let world = plan.worldNames(unit.world) + ["seed \(unit.seed)"]
      let message =
        "expected \(expected.text), which \(missed.count) of "
        + "\(Plural.text(Int(clamping: sessions), "session")) did not meet"
      let notes = [
        "the first is session \(first.number), "
          + "'\(result.contestants[plan.contestant(of: first)].name)' on "
          + world.joined(separator: ", ")
      ]
      if let place = expected.place {
        console.report([
          Finding(.error, message, at: place.opening, in: place.source, notes: notes)
        ])
      } else {
        console.report([Finding(.error, message, path: plan.path, notes: notes)])
      }
    }
    return code
  }
}
