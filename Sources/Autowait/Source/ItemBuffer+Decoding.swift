extension ItemBuffer {
  /// Returns what holds at an instant at which the playhead has a time, for the prepared rate.
  ///
  /// This is a function of the buffer and the instant, exact between two changes of the link:
  /// looking at it more often changes nothing but where the window's history is looked at first.
  @inline(__always)
  mutating func facts(at instant: Instant, _ playhead: Playhead) -> BufferFacts {
    let facts = factsOfDecoded(at: instant, playhead)
    if instant >= decodedAt { return facts }
    // Where playback backwards starts at its end, the first frame is there all the same.
    let isThere = ruleRate < .zero && facts.contains(.atEnd)
    return facts.subtracting(
      isThere ? [.ready, .likely, .atEnd, .empty] : [.ready, .likely, .atEnd])
  }
}
