extension PlaybackTransition {
  /// Asserts what holds of every transition, whichever row it is.
  @inline(__always)
  func assertInvariants(
    from old: PlaybackPhase, on input: PlaybackInput, given facts: PlaybackFacts
  ) {
    assert(
      effects.count { $0.isRateChange } <= 1, "one change of the rate is announced twice")
    assert(
      phase.rate == old.rate || effects.contains { $0.isRateChange },
      "the rate became \(phase.rate.millionths) without a word")
    assert(
      old.isPlaying || !phase.isPlaying || facts.item == .ready || facts.isAtEnd,
      "an item that is not ready begins to play")
    assert(
      old.isPlaying || !phase.isPlaying || !facts.isInterstitialActive,
      "a player begins to play during an interstitial")
    assert(
      phase == old || phase.reasonForWaitingToPlay != .toMinimizeStalls
        || facts.waitsAutomatically,
      "a player that does not wait automatically begins to minimize stalls")
    assert(
      phase == old || phase.reasonForWaitingToPlay != .noItemToPlay || facts.item == .none,
      "a player begins to wait for an item that is there")
    // A loop in which nothing is asserted may still cost something in a release build.
    #if DEBUG
    for effect in effects { assertPlace(of: effect, from: old, on: input, given: facts) }
    #endif
  }

  private func assertPlace(
    of effect: PlaybackEffect, from old: PlaybackPhase, on input: PlaybackInput,
    given facts: PlaybackFacts
  ) {
    switch effect {
    case .raise: assert(phase == old, "a call that raises changes the player's state")
    case .playbackStalled:
      assert(!phase.isPlaying, "a player that plays on has stalled")
    case .didPlayToEndTime: assert(input == .reachedEnd, "an end is told that was not reached")
    case .rebuildPipeline: assert(old.isPlaying, "a pipeline is rebuilt that shows nothing")
    case .failedToPlayToEndTime: assert(input == .itemFailed, "a failure is told of no item")
    case .advanceToNextItem: assert(facts.hasQueue, "a player without a queue advances")
    case .rateDidChange: break
    }
  }
}
