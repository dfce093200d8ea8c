import Autowait
import AutowaitFidelity
import AutowaitScenario

/// How well the recorded player comes back when its rule is played on the links of its own log.
///
/// If it does not, the rule is not that of the player, or the log cannot carry the question: a
/// wrong rule returns the recorded stalls in less than half of all sessions (measured).
package struct Refit: Sendable {
  /// A request, recorded and played again.
  package struct Pair: Hashable, Sendable {
    /// Its number among the requests of the log, from 0.
    package let number: Int
    package let resource: RequestIndex.Resource
    package let recorded: Instant
    package let played: Instant

    package var difference: TimeSpan {
      played >= recorded ? played - recorded : recorded - played
    }
  }

  /// The requests that both made, by when they were over.
  package let pairs: [Pair]
  /// The requests of the log for media that came whole.
  package let wanted: Int
  package let reason: String?

  /// How far a request may be off: assumed, twice what the ends of stalls are off on recordings.
  package static let tolerance = TimeSpan.seconds(1)

  /// The request that is farthest from its recorded one.
  package var worst: Pair? { pairs.max { $0.difference < $1.difference } }

  /// Whether the recorded session was reproduced.
  package var isReproduced: Bool { reason == nil }

  /// Compares the log with its player on each link, the best of them first.
  init(_ log: SessionLog, _ outcomes: [PlayedOutcome], until horizon: Instant) {
    pairs = outcomes.first.map { Self.pairs(log, $0) } ?? []
    wanted = Self.wanted(log).count
    reason = Self.reason(log, outcomes, pairs, wanted: wanted, until: horizon)
  }

  /// The requests of a log for media that came whole, with their numbers.
  static func wanted(_ log: SessionLog) -> [(offset: Int, element: SessionRequest)] {
    log.requests.enumerated().filter {
      $0.element.kind == .segment && !$0.element.isAborted && $0.element.done != nil
        && $0.element.resource != nil
    }
  }

  /// The requests that a log and a player have in common.
  static func pairs(_ log: SessionLog, _ outcome: PlayedOutcome) -> [Pair] {
    let played = outcome.requests
    var (taken, pairs) = (Set<Int>(), [Pair]())
    for (number, request) in wanted(log) {
      guard let resource = request.resource, let done = request.done,
        let place = played.indices.first(where: {
          played[$0].resource == resource && !taken.contains($0) && played[$0].done != nil
        }), let end = played[place].done
      else { continue }
      taken.insert(place)
      pairs.append(Pair(number: number, resource: resource, recorded: done, played: end))
    }
    return pairs
  }

  /// How far what the viewer saw differs in the middle of the links, where the log says it.
  private static func difference(
    _ log: SessionLog, _ outcomes: [PlayedOutcome], until horizon: Instant
  ) -> String? {
    guard let seen = log.outcome else { return nil }
    let own = PlayedOutcome(seen, until: horizon)
    func isFar(_ value: Int64?, _ other: Int64?, _ most: TimeSpan) -> Bool {
      guard let value, let other else { return (value == nil) != (other == nil) }
      return abs(value - other) > most.nanoseconds + other / 4
    }
    let startup = ValueRange(outcomes.compactMap { $0.startup?.nanoseconds })?.median
    if isFar(startup, own.startup?.nanoseconds, tolerance) {
      return "it starts at \(text(startup)), and the recorded one at "
        + text(own.startup?.nanoseconds)
    }
    let stalled = ValueRange(outcomes.map(\.stalled.nanoseconds))?.median
    if isFar(stalled, own.stalled.nanoseconds, tolerance + tolerance) {
      return "it stalls for \(text(stalled)), and the recorded one for "
        + text(own.stalled.nanoseconds)
    }
    return nil
  }

  private static func text(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { "\(WhatIfText.seconds($0)) s" } ?? "no time"
  }

  private static func reason(
    _ log: SessionLog, _ outcomes: [PlayedOutcome], _ pairs: [Pair], wanted: Int,
    until horizon: Instant
  ) -> String? {
    if let count = log.outcome.map({ PlayedOutcome($0, until: horizon).stalls.count })
      ?? log.stallCount
    {
      let same = outcomes.filter { $0.stalls.count == count }.count
      if same * 2 < outcomes.count {
        return "the log has \(WhatIfText.count(count, "stall")), and the same number comes back "
          + "on \(same) of \(outcomes.count) links"
      }
    }
    if let reason = difference(log, outcomes, until: horizon) { return reason }
    let near = pairs.filter { $0.difference <= tolerance }.count
    if near * 5 < wanted * 4 {
      return "\(near) of \(wanted) segments end within 1 s of the recorded ones"
    }
    return nil
  }
}
