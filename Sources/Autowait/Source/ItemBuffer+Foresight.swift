/// What is known of a buffer for longer than until the link changes.
extension ItemBuffer {
  /// Whether what holds of a file stays as it is while no more than so much data comes and the
  /// playhead goes no farther than to a place.
  ///
  /// No fact comes or goes twice while the edge only grows, or while the playhead only goes on:
  /// what holds with the most data and the first place, and with the least and the last, holds
  /// between them.
  mutating func keepsFacts(
    with most: DataAmount, from first: Playhead, to last: Playhead, at now: Instant
  ) -> Bool {
    assert(turnsByPlaces, "what holds depends on more than the edge and the playhead")
    let edge = edge(at: now)
    assert(edge <= edgeMax, "the edge lies behind what was asked for")
    return factsOfDecoded(at: now, last, edge, .zero) == facts
      && factsOfDecoded(at: now, first, min(edgeMax, edge + most), .zero) == facts
  }

  /// Whether the edge and the playhead are all that what holds of a file depends on.
  @inline(__always)
  var turnsByPlaces: Bool {
    if isStream || isRuleLinear || asksExternalRule || ruleReadsFillRate { return false }
    return ruleRate > .zero && facts.contains(.ready) && facts.contains(.verdict)
      && (!usesConditions || remainsReady)
  }

  /// Returns about how far the buffer is from a change of what holds, if a margin is known.
  mutating func margin(of fact: BufferFacts, at instant: Instant, playhead: MediaTime) -> Margin? {
    if isStream { return nil }
    let edge = edge(at: instant)
    if fact == .opened { return Margin(map.position(of: .zero), minus: edge) }
    if fact == .verdict {
      return Margin(verdictAmount + meter.receivedBefore, minus: meter.received(at: instant))
    }
    if fact == .empty {
      let least = policy.starvesBelow
      let ahead =
        facts.contains(.empty) ? max(leadAfterStarving + policy.frameDuration, least) : least
      return Margin(map.position(of: playhead + ahead), minus: edge)
    }
    if fact == .likely, case .buffered(let start, let resume) = policy.rule {
      let mark = min(playhead + (hasBegun ? resume : start), endTime)
      return Margin(position(of: mark, from: playhead), minus: edge)
    }
    guard fact == .likely, edge < endPosition, island == nil, isRuleLinear else { return nil }
    return rule.margin(
      missing: endPosition - edge, left: endTime - playhead,
      reading: meter.reading(at: instant, flowed: meter.flowed(at: instant), history: &fillHistory))
  }
}
