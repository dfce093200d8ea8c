import Autowait

/// Whether numbers that were measured on recordings hold on others.
///
/// Each player's numbers are chosen again without one shape of link, from a half to twice what is
/// in use, and tried on that shape. What is no better than a coincidence of the shapes that it was
/// measured on is worse there than what is in use.
package struct LeaveOneOut: Sendable {
  /// The recordings of a player of one kind of media.
  package struct Group: Sendable {
    package let player: String
    package let isStream: Bool
    /// What is in use.
    package let constants: [RecordedPlayer.Constant]
    /// What was chosen, with the shape that had no say, and how many of its recordings that meets.
    package fileprivate(set) var choices: [Choice] = []
    /// How many are met with what is in use.
    package fileprivate(set) var inUse = Score()

    /// How many are met with numbers in which they had no say.
    package var leftOut: Score { choices.reduce(Score()) { $0 + $1.met } }
  }

  /// What was chosen without a shape.
  package struct Choice: Sendable {
    package let shape: String
    package let constants: [RecordedPlayer.Constant]
    package let met: Score
  }

  /// The parts of what is in use that are tried, in percent: the nearest first, which wins a draw.
  static let parts: [Int64] = [100, 85, 118, 70, 140, 50, 200]

  package private(set) var groups: [Group] = []

  /// Tries all players that have measured numbers and were recorded on several shapes of link.
  package init(_ report: FidelityReport) {
    let recordings = report.rows.map(\.recording).filter { !$0.isBusy && !$0.shape.isEmpty }
    for player in RecordedPlayer.names {
      for isStream in [false, true] {
        let own = recordings.filter { $0.player == player && $0.medium.isStream == isStream }
        guard let known = RecordedPlayer.named(player, isStream: isStream),
          !known.constants.isEmpty
        else { continue }
        var trials = Trials(own)
        var group = Group(player: player, isStream: isStream, constants: known.constants)
        let shapes = own.map(\.shape).reduce(into: [String]()) { shapes, shape in
          if !shapes.contains(shape) { shapes.append(shape) }
        }
        if shapes.count < 2 { continue }
        group.inUse = trials.met(known.constants) { _ in true }
        group.choices = shapes.sorted().map { shape in
          let constants = trials.chosen(from: known.constants) { $0.shape != shape }
          return Choice(
            shape: shape, constants: constants,
            met: trials.met(constants) { $0.shape == shape })
        }
        groups.append(group)
      }
    }
  }
}

/// What became of the recordings of a player with several numbers.
private struct Trials {
  /// What became of a recording: whether it is met, and how far its waits are away.
  typealias Outcome = (isMet: Bool, error: Int64)

  private let recordings: [Recording]
  private var known: [[RecordedPlayer.Constant]: [Outcome]] = [:]

  init(_ recordings: [Recording]) { self.recordings = recordings }

  /// How many of the wanted recordings are met.
  mutating func met(
    _ constants: [RecordedPlayer.Constant], where isWanted: (Recording) -> Bool
  ) -> Score {
    zip(recordings, outcomes(constants)).reduce(into: Score()) { score, pair in
      if isWanted(pair.0) { score.add(pair.1.isMet) }
    }
  }

  /// Chooses one number after the other by the wanted recordings.
  mutating func chosen(
    from constants: [RecordedPlayer.Constant], where isWanted: (Recording) -> Bool
  ) -> [RecordedPlayer.Constant] {
    var best = constants
    for place in constants.indices {
      var bestRank: (met: Int, error: Int64)?
      var winner = best
      for part in LeaveOneOut.parts {
        var candidate = best
        candidate[place].value = constants[place].value * part / 100
        let outcomes = outcomes(candidate)
        var rank = (met: 0, error: Int64(0))
        for (recording, outcome) in zip(recordings, outcomes) where isWanted(recording) {
          if outcome.isMet { rank.met += 1 }
          rank.error += outcome.error
        }
        if let other = bestRank,
          (other.met, -other.error) >= (rank.met, -rank.error)
        {
          continue
        }
        (bestRank, winner) = (rank, candidate)
      }
      best = winner
    }
    return best
  }

  private mutating func outcomes(_ constants: [RecordedPlayer.Constant]) -> [Outcome] {
    if let outcomes = known[constants] { return outcomes }
    let outcomes = recordings.map { outcome($0, constants) }
    known[constants] = outcomes
    return outcomes
  }

  private func outcome(
    _ recording: Recording, _ constants: [RecordedPlayer.Constant]
  ) -> Outcome {
    let isOfTraces = recording.standard.kind == .traces
    let text =
      (isOfTraces
        ? RecordingScenario.text(of: recording, .arrivals, with: constants) : nil)
      ?? RecordingScenario.text(of: recording, .planned, with: constants)
    guard let text, let session = try? ReplayedSession(text, name: recording.name) else {
      return (false, 60_000_000_000)
    }
    let (seen, recorded) = (session.outcome, recording.outcome)
    let startup = (seen.startup ?? .start) - (recorded.startup ?? .start)
    let stalled = seen.stalled.nanoseconds - recorded.stalled.nanoseconds
    let verdict = FidelityVerdict(seen, against: recorded, by: recording.standard)
    // A stall too many shall not weigh more than all the rest.
    let error = min(abs(startup.nanoseconds), 1_000_000_000) + min(abs(stalled), 1_000_000_000)
    return (verdict.isTrue, error)
  }
}
