import Autowait
import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// Reports what an experiment was expected to show, and did not.
struct ComparisonJudgement {
  let result: ExperimentResult
  /// The files that the experiment was read from.
  let files: ScenarioFiles
  /// Whether a baseline is saved, which there need not have been one before.
  let isSaving: Bool

  /// Reports each expectation of the base that some session did not meet, and each threshold that
  /// is crossed or cannot be judged.
  func report(_ console: Console) -> ExitCode {
    reportExpectations(console).combined(with: reportThresholds(console))
  }

  private func reportExpectations(_ console: Console) -> ExitCode {
    let plan = result.plan
    let sessions = result.contestants.reduce(0) { $0 + $1.valid }
    var code = ExitCode.fine
    for (expected, missed) in zip(plan.expected, result.missed) {
      guard missed.count > 0, let first = missed.first else { continue }
      code = .differs
      let message =
        "expected \(expected.text), which \(missed.count) of "
        + "\(Plural.text(Int(clamping: sessions), "session")) did not meet"
      let notes = [
        "the first is \(description(of: first))", "reproduce with: \(reproduction(of: first))",
      ]
      if let place = expected.place {
        console.report([
          Finding(.error, message, at: place.range, in: place.source, notes: notes)
        ])
      } else {
        console.report([Finding(.error, message, path: plan.path, notes: notes)])
      }
    }
    return code
  }

  private func reportThresholds(_ console: Console) -> ExitCode {
    var code = ExitCode.fine
    for verdict in result.verdicts where verdict.isMissed || verdict.state == .doubtful {
      let place = verdict.threshold.place
      let text =
        "\(ThresholdRendering.text(verdict, result)), \(ThresholdRendering.observed(verdict))"
      // To save a baseline, none needs to be there before.
      let isExcused = verdict.lacksBaseline && isSaving
      let isError = verdict.isMissed && verdict.threshold.level == .error && !isExcused
      if isError { code = .differs }
      let message =
        switch verdict.state {
        case .crossed: "this threshold is crossed: \(text)"
        case .unjudged: "this threshold cannot be judged: \(text)"
        case .held, .doubtful: "this threshold may be crossed: \(text)"
        }
      console.report([
        Finding(
          isError ? .error : .warning, message, at: place.opening, in: place.source,
          notes: notes(verdict))
      ])
    }
    return code
  }

  /// Says which session is worth a look, where that is one that makes the figure large.
  private func notes(_ verdict: ThresholdVerdict) -> [String] {
    let isAbove = verdict.threshold.bounds.contains { [.less, .atMost].contains($0.comparison) }
    guard verdict.state == .crossed, isAbove, let session = verdict.session else { return [] }
    let which =
      if case .share = verdict.threshold.statistic { "the first that counts" } else {
        "the greatest"
      }
    return [
      "\(which) is \(description(of: session))", "look at it with: \(reproduction(of: session))",
    ]
  }

  /// Returns which session it is, in words.
  private func description(of session: SessionKey) -> String {
    let plan = result.plan
    let unit = plan.unit(of: session)
    let world = plan.worldNames(unit.world) + ["seed \(unit.seed)"]
    return "session \(session.number), '\(result.contestants[plan.contestant(of: session)].name)' "
      + "on \(world.joined(separator: ", "))"
  }

  /// Returns the call that runs a session by itself.
  private func reproduction(of session: SessionKey) -> String {
    let plan = result.plan
    var call = "autowait run \(Path.quoted(plan.path)) --session \(session.number)"
    if let count = plan.seedCount { call += " --seeds \(count)" }
    call += Path.options(settingChanges: plan.changes)
    if plan.namesPrograms { call += " \(Option.allowPrograms.name)" }
    if let root = files.root { call += " --root \(Path.quoted(root))" }
    return call
  }
}
