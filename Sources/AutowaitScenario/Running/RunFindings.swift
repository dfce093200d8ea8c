import Autowait

extension RunResult {
  /// Whether the scenario says that its run is to end as it did.
  package var isFinishExpected: Bool {
    scenario.expectations.contains {
      if case .finish(finish) = $0.kind { true } else { false }
    }
  }

  /// Whether a bound stopped the run, and the scenario does not expect that.
  package var isCutOff: Bool { finish == .eventLimit && !isFinishExpected }
}

/// What is to be said about a run beside its results.
package enum RunFindings {
  /// Returns warnings about what a scenario's author most likely did not mean to happen.
  package static func of(_ result: RunResult) -> [Finding] {
    let findings = findings(result)
    // Of a run that is cut off nothing else is worth a word.
    return result.isCutOff ? findings : findings + idleBounds(result)
  }

  private static func findings(_ result: RunResult) -> [Finding] {
    let scenario = result.scenario
    let end = seconds(result.end)
    if result.isFinishExpected { return forgottenPlayers(result) }
    func warning(_ message: String, notes: [String] = []) -> Finding {
      Finding(.warning, message, path: scenario.path, notes: notes)
    }
    switch result.finish {
    case .settled, .horizon:
      return undoneSteps(result).map { warning($0) } + forgottenPlayers(result)
    case .stillWaiting:
      let waiting = warning(
        "a player still waits when the run ends at \(end) s",
        notes: ["a run is given more time with 'until'"])
      return undoneSteps(result).map { warning($0) } + [waiting]
    case .eventLimit:
      return [
        warning(
          "the run was stopped at \(end) s: it reached its bound of \(result.bound)",
          notes: ["raise it with 'eventsMax'"])
      ]
    }
  }

  /// Says which players nobody asked to play, and what they took from those that were.
  ///
  /// A player that is not released goes on to load ("release" it, "so that they do not waste
  /// bandwidth", WWDC16 503).
  private static func forgottenPlayers(_ result: RunResult) -> [Finding] {
    let metrics = result.metrics
    guard metrics.contains(where: { $0.timeSpentInInitialStartup > .zero || $0.firstPlayed != nil })
    else { return [] }
    let all = metrics.reduce(Int128(0)) { $0 + Int128($1.numberOfBytesTransferred.bytes) }
    return metrics.indices.compactMap { player in
      let own = metrics[player].numberOfBytesTransferred.bytes
      guard metrics[player].time(.paused) == metrics[player].wallTime, own > 0 else { return nil }
      let share = Int64(Int128(own) * 100 / all)
      return Finding(
        .warning,
        "the player '\(result.scenario.playerNames[player])' never plays, and took "
          + "\(Quantity.size.text(own)), \(share) % of what came", path: result.scenario.path,
        notes: ["release a player that is no longer needed, or remove its item"])
    }
  }

  /// Says which bounds on stalls were met by players that never played.
  private static func idleBounds(_ result: RunResult) -> [Finding] {
    result.outcomes.compactMap { outcome in
      guard outcome.isMet, case .metric(let metric, let player, _) = outcome.expectation.kind,
        metric.traits.contains(.needsPlayback), result.metrics[player].firstPlayed == nil
      else { return nil }
      return Finding(
        .warning,
        "line \(outcome.expectation.line): '\(metric.rawValue)' is as expected only because the "
          + "player '\(result.scenario.playerNames[player])' never plays",
        path: result.scenario.path)
    }
  }

  /// Says which steps of the script were never done, such as those whose condition never held; an
  /// event to which a step reacts need not happen.
  private static func undoneSteps(_ result: RunResult) -> [String] {
    var isDone = Array(repeating: false, count: result.scenario.stepNames.count)
    for record in result.records {
      if case .step(let index) = record.event { isDone[index] = true }
    }
    for (index, step) in result.scenario.world.script.enumerated() {
      switch step.trigger {
      case .at, .when, .every: break
      case .on, .after: isDone[index] = true
      }
    }
    return isDone.indices.filter { !isDone[$0] }.map {
      "step \($0 + 1) of the script, '\(result.scenario.stepNames[$0])', was never done"
    }
  }

  private static func seconds(_ instant: Instant) -> String {
    instant.nanoseconds.fixedPoint(1_000_000_000)
  }
}
