import Autowait

/// A rule of one's own, written in Swift: whether playback is likely to keep up.
///
/// The simulation stops where a player whose rule is ``StartupRule/external`` needs an answer, and
/// goes on with it. A rule that answers by the question alone gives the same run every time.
///
///     struct TwoSeconds: ExternalRule {
///       func answer(_ question: RuleQuestion) -> RuleAnswer {
///         let ahead = question.loadedEnd - question.currentTime
///         return RuleAnswer(isLikelyToKeepUp: ahead >= .seconds(2))
///       }
///     }
package protocol ExternalRule {
  /// Answers a question, or says why it cannot.
  mutating func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer
}

/// Why a rule could not answer; it ends the run.
package struct RuleFailure: Error, Hashable, Sendable {
  /// What happened, in lower case and without a full stop.
  package let message: String
  /// What helps.
  package let notes: [String]
  /// The player whose rule it was.
  package let player: Int

  /// Creates a failure to answer for a player.
  package init(_ message: String, notes: [String] = [], player: Int) {
    self.message = message
    self.notes = notes
    self.player = player
  }
}

/// The rule of scenarios in which nobody asks.
struct NoExternalRule: ExternalRule {
  func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    preconditionFailure("no driver answers for the external rule of player \(question.player)")
  }
}

extension ScenarioRun {
  /// Runs a scenario to its end and asks a rule for every player whose rule is external; the
  /// state at some instants, ascending, is kept as samples.
  ///
  /// Without records, which may be many, there is nothing to hold expectations against.
  package static func run<Rule: ExternalRule>(
    _ scenario: Scenario, asking rule: inout Rule, samplesAt instants: [Instant] = [],
    keepsRecords: Bool = true, pace: Simulation.Pace = .fast
  ) throws(RuleFailure) -> RunResult {
    var run = ScenarioRun(scenario, keepsRecords: keepsRecords, pace: pace)
    return try run.finish(samplesAt: instants, asking: &rule)
  }
}
