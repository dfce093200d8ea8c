/// What is known of a file for longer than until the link changes.
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
}
