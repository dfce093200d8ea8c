import Autowait

/// How often a rule decides as a player's own code did.
package struct RuleScore: Sendable {
  /// The decisions, and those among them that changed the variant.
  package private(set) var decisions = Score()
  package private(set) var changes = Score()
  /// What the player expected of the network, where it said so.
  package private(set) var estimates = Score()
  /// The requests that the player gave up, and those given up within a millisecond of it.
  package private(set) var abandonments = Score()
  /// Those among the latter that were given up for the same variant.
  package private(set) var targets = Score()
  /// The requests that only the rule gave up, or at another time.
  package private(set) var invented = 0

  /// Takes note of a decision.
  mutating func note(
    _ row: RuleCase.Decision, _ choice: Int, _ estimate: Double?, after before: Int?
  ) {
    let isMet = choice == row.choice
    decisions.count += 1
    if isMet { decisions.met += 1 }
    if let before, before != row.choice {
      changes.count += 1
      if isMet { changes.met += 1 }
    }
    if let expected = row.estimate {
      estimates.count += 1
      if let estimate, abs(estimate - expected) <= max(1, expected / 1_000) { estimates.met += 1 }
    }
    if row.given != nil { abandonments.count += 1 }
  }

  /// Takes note of a request that the rule gave up.
  mutating func note(_ quality: Int, at time: Double, _ row: RuleCase.Decision) {
    guard let given = row.given, abs(given.time - time) <= 1 else {
      invented += 1
      return
    }
    abandonments.met += 1
    targets.count += 1
    if given.quality == quality { targets.met += 1 }
  }

  /// Adds what another case has shown.
  mutating func add(_ other: RuleScore) {
    decisions = decisions + other.decisions
    changes = changes + other.changes
    estimates = estimates + other.estimates
    abandonments = abandonments + other.abandonments
    targets = targets + other.targets
    invented += other.invented
  }
}

/// How true the rules of players are to decisions of the players' own code.
package struct RuleReport: Sendable {
  /// A player, with what its cases showed.
  package struct PlayerScore: Sendable {
    package let player: PlayerRule
    package var cases = 0
    package var score = RuleScore()
  }

  /// The players that have a case, in the order of ``PlayerRule/caseNames``.
  package private(set) var rows: [PlayerScore] = []
  /// What could not be read.
  package private(set) var problems: [RecordingProblem] = []

  package init() {}

  package mutating func note(_ problem: RecordingProblem) { problems.append(problem) }

  /// Takes a rule through a case.
  package mutating func add(_ recorded: RuleCase) {
    var replay = RuleReplay(recorded)
    replay.run()
    if !rows.contains(where: { $0.player == recorded.player }) {
      rows.append(PlayerScore(player: recorded.player))
      let order = PlayerRule.caseNames.map(\.player)
      rows.sort {
        (order.firstIndex(of: $0.player) ?? 0) < (order.firstIndex(of: $1.player) ?? 0)
      }
    }
    for index in rows.indices where rows[index].player == recorded.player {
      rows[index].cases += 1
      rows[index].score.add(replay.score)
    }
  }
}
