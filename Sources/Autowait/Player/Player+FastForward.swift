extension Player {
  /// Whether nothing is going on but that the item plays, or does not, and its data comes.
  @inline(__always)
  func mayFastForward(at now: Instant) -> Bool {
    if isOccupiedOtherwise { return false }
    if !source.buffer.isStream {
      return source.buffer.isRuleLinear
        && (timebase.rate == .zero || (timebase.rate > .zero && timebase.start <= now))
    }
    // What is cheap to ask, and most often fails, comes first.
    let count = source.stream.tracks.count
    guard count == 2 || (count == 1 && source.stream.requests.count == 1),
      !configuration.measuresBufferedData
    else { return false }
    let facts = source.buffer.facts
    guard prepared.isEmpty, timebase.start <= now, source.item?.isPrerolling == false,
      facts.isSuperset(of: [.ready, .verdict]), !facts.contains(.atEnd),
      count == 2 || (!facts.contains(.full) && !source.buffer.isSuspended)
    else { return false }
    return phase.isPlaying
      ? timebase.rate > .zero && !facts.contains(.empty) : count == 1 && waitsForSegments
  }

  /// Whether something is going on but that an item plays, or does not.
  @inline(__always)
  private var isOccupiedOtherwise: Bool {
    if hasQueue || loop != nil { return true }
    return seek != nil || hold != nil || hostTime != nil || pipeline?.build != nil
  }

  /// Whether a stream plays, or waits for segments, and nothing else is going on, beside another
  /// player on the link.
  mutating func mayFastForwardBeside(at now: Instant) -> Bool {
    guard source.buffer.isStream, hasTracksToFollow, !isOccupiedOtherwise, !isStirred,
      prepared.isEmpty, timebase.start <= now, source.item?.isPrerolling == false,
      !configuration.measuresBufferedData
    else { return false }
    let (facts, isLoading) = (source.buffer.facts, !source.stream.requests.isEmpty)
    guard 1...2 ~= source.stream.tracks.count, facts.isSuperset(of: [.ready, .verdict]),
      !facts.contains(.atEnd), isLoading || source.buffer.isSuspended
    else { return false }
    let isSteady =
      phase.isPlaying
      ? timebase.rate > .zero && !facts.contains(.empty) && source.buffer.marks != nil
      : isLoading && waitsForSegments
    return isSteady && source.stream.mayFastForwardTracks(at: now)
  }

  /// Whether nothing but segments that come can end a wait.
  private var waitsForSegments: Bool {
    phase.isWaiting && timebase.rate == .zero && source.buffer.ruleResume != nil
      && !source.buffer.facts.contains(.likely) && decidedOn == source.buffer.facts
      && !source.stream.givesUp
  }

  /// Whether it is due now that a rule that asks for media ahead alone says otherwise of a stream
  /// with one track: the loop through two begins to count with an event of the link.
  @inline(__always)
  func isTurningUnlikely(at now: Instant) -> Bool {
    guard source.buffer.isStream, phase.isPlaying, source.stream.tracks.count == 1,
      let time = source.buffer.unlikelyFrom
    else { return false }
    return timebase.instant(of: time, from: now) == now
  }

  /// Lives through as many events of the link as are of the kinds that the loops know; returns
  /// their number, zero if the first one is for the general way.
  ///
  /// The caller settles a player of a stream that is stirred: what comes after the last event may
  /// have to be asked for.
  @inline(__always)
  mutating func fastForward(
    notAfter limit: Instant, countMax: Int, in moment: inout Moment
  ) -> Int {
    assert(mayFastForward(at: moment.now), "player \(index) does what no loop knows")
    if !source.buffer.isStream {
      return fastForwardRates(notAfter: limit, countMax: countMax, in: &moment)
    }
    return source.stream.tracks.count == 1
      ? fastForwardSegments(notAfter: limit, countMax: countMax, in: &moment)
      : fastForwardTracks(notAfter: limit, countMax: countMax, in: &moment)
  }
}
