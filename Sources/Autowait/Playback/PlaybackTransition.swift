/// The state machine of a player, as a pure function.
///
/// It has no clock and no memory but the phase; the driver supplies facts and carries out effects.
/// The letters in comments name the rows of the transition table in <doc:how-waiting-is-decided>,
/// which says for each whether it is documented by Apple, observed, or our choice.
package struct PlaybackTransition: Hashable, Sendable {
  /// The state after the input.
  package var phase: PlaybackPhase
  /// What else is to be done, in order.
  package var effects: [PlaybackEffect] = []

  /// Creates the result of a transition.
  package init(_ phase: PlaybackPhase, _ effects: [PlaybackEffect] = []) {
    self.phase = phase
    self.effects = effects
  }

  /// Returns what an input does to a player in a phase, given the facts.
  package static func from(
    _ phase: PlaybackPhase, on input: PlaybackInput, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    var next = step(from: phase, on: input, given: facts)
    if !phase.isPlaying { next.waitForNextItem(from: phase, given: facts) }
    if facts.isAtLiveEdge {
      next.slowDown(isStalling: phase.isPlaying && input == .bufferEmptied)
    }
    if next.phase.rate != phase.rate, !next.effects.contains(where: { $0.isRateChange }) {
      let reason = rateChangeReason(of: input, to: next.phase, given: facts)
      next.effects.insert(.rateDidChange(reason), at: 0)
    }
    next.assertInvariants(from: phase, on: input, given: facts)
    return next
  }

  private static func step(
    from phase: PlaybackPhase, on input: PlaybackInput, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch input {
    case .setRate(let rate): setRate(rate, from: phase, given: facts)
    case .playImmediately(let wish): playImmediately(wish, given: facts)
    case .setRateAtHostTime(let wish): setRateAtHostTime(wish, from: phase, given: facts)
    case .bufferChanged: bufferChanged(phase, given: facts)
    case .bufferEmptied: bufferEmptied(phase, given: facts)
    case .reachedEnd: reachedEnd(phase, given: facts)
    case .reachedStartOfSeekableRange: reachedStart(phase, given: facts)
    case .reachedLiveEdge: reachedLiveEdge(phase)
    case .seekBegan: seekBegan(phase, given: facts)
    case .itemChanged: itemChanged(phase, given: facts)
    case .holdChanged: holdChanged(phase, given: facts)
    case .itemFailed: itemFailed(phase, given: facts)
    case .automaticWaitingChanged, .endTimeChanged: redecidedIfWaiting(phase, given: facts)
    case .actionAtItemEndChanged: actionAtItemEndChanged(phase, given: facts)
    case .interrupted(let reason): interrupted(phase, reason)
    case .tracksChanged: tracksChanged(phase, given: facts)
    }
  }

  /// Whether a player that waits has been decided upon: what leaves it as it is asks for nothing.
  func isDecision(on input: PlaybackInput) -> Bool {
    if effects.contains(where: { $0.isException }) { return false }
    return switch input {
    case .tracksChanged, .actionAtItemEndChanged: false
    case .setRate, .playImmediately, .setRateAtHostTime, .bufferChanged, .bufferEmptied,
      .reachedEnd, .reachedStartOfSeekableRange, .reachedLiveEdge, .seekBegan, .itemChanged,
      .itemFailed, .automaticWaitingChanged, .endTimeChanged, .holdChanged, .interrupted:
      true
    }
  }

  /// The rate that AVFoundation's notification gives as the cause of a change by an input.
  private static func rateChangeReason(
    of input: PlaybackInput, to phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> RateChangeReason? {
    if facts.isAtStart, phase == .paused, input != .setRate(.zero) {
      return .reversePlaybackReachedStartOfSeekableRange
    }
    return switch input {
    case .setRate, .playImmediately, .setRateAtHostTime: .setRateCalled
    case .bufferChanged, .bufferEmptied, .reachedEnd, .reachedStartOfSeekableRange,
      .reachedLiveEdge, .seekBegan, .itemChanged, .itemFailed, .automaticWaitingChanged,
      .actionAtItemEndChanged, .endTimeChanged, .holdChanged, .interrupted, .tracksChanged:
      nil
    }
  }
}

extension PlaybackEffect {
  /// Whether the effect announces a change of the rate.
  var isRateChange: Bool {
    if case .rateDidChange = self { true } else { false }
  }

  /// Whether the effect is an exception, after which all is as it was.
  fileprivate var isException: Bool {
    if case .raise = self { true } else { false }
  }
}

extension PlaybackFacts {
  /// Why a player that waits automatically waits for its buffer.
  fileprivate var doubt: WaitingReason {
    hasVerdict ? .toMinimizeStalls : .evaluatingBufferingRate
  }
}

// MARK: - Decisions

extension PlaybackTransition {
  /// Returns where a wish to play leads: rows d0 to d10, the first guard that holds.
  static func decide(_ wish: WishedRate, given facts: PlaybackFacts) -> PlaybackTransition {
    if let decided = decideWithoutBuffer(wish, given: facts) { return decided }
    if facts.isHeldByCoordinator {  // d3
      return PlaybackTransition(.waiting(.waitingForCoordinatedPlayback, wish))
    }
    if facts.isAtEnd { return atEnd(wish, given: facts) }  // d4
    if facts.item == .unknown || facts.isSeeking {  // d5; a pending seek waits the same way
      return PlaybackTransition(.waiting(facts.waitsAutomatically ? facts.doubt : nil, wish))
    }
    if !facts.supportsRate { return PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)]) }
    if facts.waitsAutomatically {
      if !facts.isBufferEmpty, facts.isLikelyToKeepUp || facts.isBufferFull {  // d6
        return PlaybackTransition(.playing(wish))
      }
      return PlaybackTransition(.waiting(facts.doubt, wish))  // d7, d8
    }
    return PlaybackTransition(facts.isBufferEmpty ? .paused : .playing(wish))  // d10, d9
  }

  /// Returns where a wish to play immediately leads: the coordinator and K are not asked.
  static func playImmediately(
    _ wish: WishedRate, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    if let decided = decideWithoutBuffer(wish, given: facts) { return decided }
    if facts.isAtEnd { return atEnd(wish, given: facts) }
    if facts.item == .unknown || facts.isSeeking || facts.isBufferEmpty {  // P9, P10, W8
      // As if the buffer had run empty in playback, but without a stall being announced.
      return PlaybackTransition(
        facts.waitsAutomatically ? .waiting(.toMinimizeStalls, wish) : .paused)
    }
    if !facts.supportsRate { return PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)]) }
    return PlaybackTransition(.playing(wish))  // P8, W7
  }

  /// Rows d0 to d2, which no way of playing can skip.
  private static func decideWithoutBuffer(
    _ wish: WishedRate, given facts: PlaybackFacts
  ) -> PlaybackTransition? {
    switch facts.item {
    case .none: PlaybackTransition(.waiting(.noItemToPlay, wish))  // d0
    case .failed: PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)])  // d1
    case .unknown, .ready:
      facts.isInterstitialActive
        ? PlaybackTransition(.waiting(.interstitialEvent, wish)) : nil  // d2
    }
  }

  /// Row d4: the end was reached before, so only its action is taken; at the start there is none.
  private static func atEnd(_ wish: WishedRate, given facts: PlaybackFacts) -> PlaybackTransition {
    if facts.isAtStart { return PlaybackTransition(.paused) }
    return switch facts.actionAtItemEnd {
    case .pause: PlaybackTransition(.paused)
    case .none where !facts.supportsRate:
      PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)])
    case .none: PlaybackTransition(.playing(wish))
    case .advance: PlaybackTransition(.playing(wish), [.advanceToNextItem])
    }
  }

  /// Row d4 of a queue: an item that is at its end is not played, the next one decides.
  private mutating func waitForNextItem(from old: PlaybackPhase, given facts: PlaybackFacts) {
    guard case .playing(let wish) = phase, effects.contains(.advanceToNextItem) else { return }
    if case .waiting(_, wish) = old {
      phase = old
    } else {
      phase = .waiting(facts.waitsAutomatically ? facts.doubt : nil, wish)
    }
  }
}

// MARK: - Inputs

extension PlaybackTransition {
  private static func setRate(
    _ rate: PlaybackRate, from phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    guard let wish = WishedRate(rate) else { return PlaybackTransition(.paused) }  // P13, W5, L5
    switch phase {
    case .paused, .waiting: return decide(wish, given: facts)  // P1–P7, W6
    case .playing:
      // L4: at once. The buffer is judged when playback starts and when it stalls, not here.
      return facts.supportsRate
        ? PlaybackTransition(.playing(wish))
        : PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)])
    }
  }

  private static func setRateAtHostTime(
    _ wish: WishedRate, from phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    let linked = facts.linkedContract ?? facts.contract
    if facts.waitsAutomatically, linked.hasAutomaticWaiting {  // P11
      return PlaybackTransition(phase, [.raise(.setRateAtHostTimeWhileWaitingAutomatically)])
    }
    if facts.item == .ready, !facts.isAtEnd, !facts.isInterstitialActive,
      !facts.isHeldByCoordinator, facts.supportsRate
    {
      // P12: the player does not make sure that data is there; without it, L2 at this instant.
      return facts.isBufferEmpty || facts.isSeeking
        ? PlaybackTransition(.paused, [.playbackStalled]) : PlaybackTransition(.playing(wish))
    }
    return decide(wish, given: facts)
  }

  private static func bufferChanged(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    // P15: never starts by itself. L3: only an empty buffer stops. W1–W4, W15.
    redecidedIfWaiting(phase, given: facts)
  }

  private static func bufferEmptied(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused, .waiting: return PlaybackTransition(phase)
    case .playing(let wish):
      if facts.isPrerolling { return decide(wish, given: facts) }  // nothing moved that could stall
      if !facts.waitsAutomatically {  // L2: nothing resumes by itself
        return PlaybackTransition(.paused, [.playbackStalled])
      }
      return PlaybackTransition(.waiting(facts.doubt, wish), [.playbackStalled])  // L1
    }
  }

  private static func reachedEnd(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused: return PlaybackTransition(.paused)  // P17
    case .waiting: return redecidedIfWaiting(phase, given: facts)  // W16
    case .playing:
      switch facts.actionAtItemEnd {
      case .pause: return PlaybackTransition(.paused, [.didPlayToEndTime])
      case .none: return PlaybackTransition(phase, [.didPlayToEndTime])
      case .advance: return PlaybackTransition(phase, [.didPlayToEndTime, .advanceToNextItem])
      }  // L8, L9, L10–L12
    }
  }

  private static func reachedStart(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused: PlaybackTransition(.paused)
    case .waiting: redecidedIfWaiting(phase, given: facts)  // W16, backwards
    case .playing:  // L15
      PlaybackTransition(.paused, [.rateDidChange(.reversePlaybackReachedStartOfSeekableRange)])
    }
  }

  private static func reachedLiveEdge(_ phase: PlaybackPhase) -> PlaybackTransition {
    var next = PlaybackTransition(phase)
    next.slowDown(isStalling: false)
    return next
  }

  /// L15: at the live edge nothing is played faster than it happens, and for no time either.
  ///
  /// Who stalls there has come to it and waits for natural speed.
  ///
  /// The reason is told even if the rate stays 1: it is not what was asked for.
  private mutating func slowDown(isStalling: Bool) {
    guard let wish = phase.wish, wish.rate > .normal, !effects.contains(where: { $0.isException })
    else { return }
    switch phase {
    case .playing: phase = .playing(.normal)
    case .waiting(let reason, _) where isStalling: phase = .waiting(reason, .normal)
    case .paused, .waiting: return
    }
    effects.removeAll { $0.isRateChange }
    effects.insert(.rateDidChange(.playheadReachedLiveEdge), at: 0)
  }

  private static func seekBegan(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused: PlaybackTransition(.paused)  // P14
    case .waiting(_, let wish): decide(wish, given: facts)  // W13, W14
    case .playing(let wish):
      // L7: waiting for a seek's data is not a stall. L6: with the data there, playback goes on.
      facts.isSeeking ? decide(wish, given: facts) : PlaybackTransition(phase)
    }
  }

  private static func itemChanged(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused: PlaybackTransition(.paused)
    case .waiting(_, let wish), .playing(let wish): decide(wish, given: facts)  // W11, W12, L14
    }
  }

  private static func holdChanged(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused: PlaybackTransition(.paused)
    case .waiting: redecidedIfWaiting(phase, given: facts)  // W18
    case .playing(let wish):
      facts.isInterstitialActive || facts.isHeldByCoordinator
        ? decide(wish, given: facts) : PlaybackTransition(phase)
    }
  }

  /// Lets a waiting player look again; a verdict stands until play, seek or another item asks.
  private static func redecidedIfWaiting(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused, .playing: return PlaybackTransition(phase)
    case .waiting(let reason, let wish):  // W9, W10
      let decided = decide(wish, given: facts)
      let isOlder = decided.phase == .waiting(.evaluatingBufferingRate, wish)
      return reason == .toMinimizeStalls && isOlder && facts.waitsAutomatically
        ? PlaybackTransition(phase) : decided
    }
  }

  private static func itemFailed(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    let announced: [PlaybackEffect] = facts.hasBegun ? [.failedToPlayToEndTime] : []
    // d1: "emptied out due to bad player item" (WWDC16 503) says that a queue drops it.
    if facts.hasQueue { return PlaybackTransition(phase, announced + [.advanceToNextItem]) }
    return switch phase {
    case .paused: PlaybackTransition(.paused, announced)
    case .waiting, .playing:  // W17, L16, d1
      PlaybackTransition(.paused, [.rateDidChange(.setRateFailed)] + announced)
    }
  }

  private static func actionAtItemEndChanged(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused, .waiting: PlaybackTransition(phase)
    case .playing:
      // Beyond the end nothing was done; another action, set later, is taken at once.
      switch facts.isAtEnd ? facts.actionAtItemEnd : .none {
      case .pause: PlaybackTransition(.paused)
      case .none: PlaybackTransition(phase)
      case .advance: PlaybackTransition(phase, [.advanceToNextItem])
      }
    }
  }

  private static func interrupted(
    _ phase: PlaybackPhase, _ reason: RateChangeReason
  ) -> PlaybackTransition {
    switch phase {
    case .paused: PlaybackTransition(.paused)
    case .waiting, .playing: PlaybackTransition(.paused, [.rateDidChange(reason)])  // W19
    }
  }

  private static func tracksChanged(
    _ phase: PlaybackPhase, given facts: PlaybackFacts
  ) -> PlaybackTransition {
    switch phase {
    case .paused, .waiting: PlaybackTransition(phase)
    case .playing:  // L17
      facts.contract.hasAutomaticWaiting
        ? PlaybackTransition(phase) : PlaybackTransition(phase, [.rebuildPipeline])
    }
  }
}
