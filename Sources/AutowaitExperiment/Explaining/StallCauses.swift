import Autowait

/// What made a stall: what of it remains when one thing after another is taken away.
package struct StallCauses: Sendable {
  /// What remains of a stall without a thing.
  package struct Trial: Hashable, Sendable {
    /// What is taken away.
    package let remedy: Remedy
    /// What remains of the stall; nil if playback does not come that far.
    package let remains: TimeSpan?
  }

  /// What made the stall, the first one first; none if nothing that can be taken away did.
  package let named: [Remedy]
  /// Whether each of them alone takes away at least half; else only all of them do.
  package let isEachEnough: Bool
  /// What remains without each thing that makes a difference, the least first.
  package let trials: [Trial]

  /// Looks for the causes of a stall of a run.
  ///
  /// First come the incidents. What is as it is throughout the run, such as the rate of the link or
  /// its round trip, is tried only if no incident takes away half of the stall: a link that is fast
  /// enough takes away everything, and a path without delay makes up for much of what is lost.
  package init(of stall: Int, in whatIf: inout WhatIf) {
    let total = whatIf.outline.players[whatIf.player].stoppages[stall].span
    let incidents = whatIf.effective(Remedy.incidents)
    var trials = Self.trials(incidents, of: stall, &whatIf)
    var named = trials.filter { $0.takesHalf(of: total) }.map { $0.remedy }
    var isEachEnough = !named.isEmpty
    if named.isEmpty {
      named = Self.pair(of: stall, among: incidents, total, &whatIf)
    } else if named.count == 1, let rest = trials.first?.remains, rest > .zero {
      // What is left after the first cause may have one of its own.
      let others = incidents.filter { $0 != named[0] }
      let more = others.map { other in
        Trial(remedy: other, remains: whatIf.remains(of: stall, with: [named[0], other]))
      }.sorted { $0.order < $1.order }
      if let next = more.first, next.takesHalf(of: rest) {
        named.append(next.remedy)
        isEachEnough = false
      }
    }
    if named.isEmpty {
      let standing = whatIf.effective(Self.circumstances(of: whatIf))
      let more = Self.trials(standing, of: stall, &whatIf)
      trials += more
      if let first = standing.first(where: { remedy in
        more.contains { $0.remedy == remedy && $0.takesHalf(of: total) }
      }) {
        named = [first]
        isEachEnough = true
      }
    }
    (self.named, self.isEachEnough, self.trials) = (named, isEachEnough, trials)
  }

  private static func trials(
    _ remedies: [Remedy], of stall: Int, _ whatIf: inout WhatIf
  ) -> [Trial] {
    var trials: [Trial] = []
    for remedy in remedies {
      trials.append(Trial(remedy: remedy, remains: whatIf.remains(of: stall, with: [remedy])))
    }
    // What was tried first stays first of two that matter alike.
    return trials.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }.map { $0.element }
  }

  /// Returns the two incidents that matter most together; none if no two take away half.
  private static func pair(
    of stall: Int, among incidents: [Remedy], _ total: TimeSpan, _ whatIf: inout WhatIf
  ) -> [Remedy] {
    var best: (trial: Trial, pair: [Remedy])?
    for (place, first) in incidents.enumerated() {
      for second in incidents[(place + 1)...] {
        let trial = Trial(
          remedy: first, remains: whatIf.remains(of: stall, with: [first, second]))
        if trial.takesHalf(of: total), trial.order < best?.trial.order ?? .max {
          best = (trial, [first, second])
        }
      }
    }
    return best?.pair ?? []
  }

  /// The lowest peak rate of a variant of the player's streams; nil without one.
  static func lowestRate(of whatIf: WhatIf) -> BitRate? {
    let media = whatIf.world.players[whatIf.player].media
    return media.compactMap { $0.streamMedia }.flatMap { $0.variants }.map { $0.bandwidth }.min()
  }

  /// What is as it is throughout a run, and can be another way.
  private static func circumstances(of whatIf: WhatIf) -> [Remedy] {
    var remedies: [Remedy] = [.impatience]
    if let lowest = lowestRate(of: whatIf) { remedies.append(.variant(max: lowest)) }
    remedies += [.bufferLimit, .roundTrips]
    remedies.append(.linkRate(kilobits: 16, of: 1))
    return remedies
  }
}

extension StallCauses.Trial {
  /// The place among trials: by what remains.
  fileprivate var order: Int64 { remains?.nanoseconds ?? .max }

  /// Whether at least half of a stall is taken away.
  fileprivate func takesHalf(of total: TimeSpan) -> Bool {
    guard let remains else { return false }
    return remains.nanoseconds <= total.nanoseconds / 2
  }
}
