extension Player {
  /// Lives through changes of the rate of a single flow, and through what the rule says of them,
  /// for as long as they are all that happens.
  ///
  /// Most events of a session are of these kinds, and need neither the queue nor a plan: the meter
  /// takes note, and what holds at the next change is what holds now, or the rule has turned and
  /// observers are told. Everything here is what the general way does, in the same order, in
  /// numbers half as wide; a law test holds the two together. Returns the number of events that
  /// were lived through, zero if the first one is for the general way; the link stands at the last
  /// of its changes, and `now` at the last event.
  mutating func fastForwardRates(
    notAfter limit: Instant, countMax: Int, in moment: inout Moment
  ) -> Int {
    guard let start = source.buffer.requestStart, source.buffer.isRuleLinear,
      let clock = timebase.packed(at: moment.now),
      var packed = source.buffer.packed(clock)
    else { return 0 }
    let turn = turnOfPlayhead(after: moment.now)
    let bound = min(limit, Instant(nanoseconds: turn.nanoseconds - 1))
    var (change, count) = (moment.now, 0)
    let span = UInt64(bitPattern: change.nanoseconds &- packed.meter.start.nanoseconds)
    let first = packed.meter.rate.multipliedFullWidth(by: span)
    guard first.high == 0, first.low < 1 << 62, packed.edge &+ first.low < packed.end else {
      return 0
    }
    var flowed = first.low
    var ended = EndedStretches()
    // What the rule sees as a stretch begins is what it has seen as the last one ended.
    var look: ItemBuffer.Packed.Look?
    while count < countMax {
      assert(packed.edge &+ flowed < packed.end, "more has flowed than there is")
      guard packed.meter.mayNote(at: change, ended, &source.buffer.fillHistory) else { break }
      let before = moment.network.link.rate
      moment.network.link.enterNextRate()
      packed.meter.note(
        at: change, received: packed.meter.received &+ flowed,
        rate: UInt64(bitPattern: moment.network.link.rate.bitsPerSecond), &ended,
        &source.buffer.fillHistory)
      count += 1
      moment.now = change
      if moment.network.link.rate != before {
        moment.network.link.cause = moment.log.record(
          .linkRate(moment.network.link.rate), at: change, cause: moment.network.link.cause)
        moment.followLink()
      }
      // The link's condition holds until after the limit.
      let next = moment.network.link.nextTrackChange
      guard next <= bound, let more = packed.flowed(from: change, until: next)
      else { break }
      let first = look ?? packed.look(at: change.nanoseconds, flowed: 0)
      assert(
        first == packed.look(at: change.nanoseconds, flowed: 0), "a stretch looks otherwise")
      let last = packed.look(at: next.nanoseconds, flowed: more)
      look = last
      if last.verdict != packed.isLikely {
        guard count < countMax, !phase.isWaiting, first.verdict == packed.isLikely,
          let range = source.file?.startOfOnlyRange
        else { break }
        let instant = packed.turn(after: change, first.margin, notAfter: next, last.margin)
        if instant >= next { break }
        packed.isLikely.toggle()
        count += 1
        moment.now = instant
        recordVerdict(packed, rangeStart: range, in: &moment)
      } else if !packed.keepsVerdict(from: first, to: last, flowed: more, by: next.nanoseconds) {
        break
      }
      (change, flowed) = (next, more)
    }
    if count == 0 { return 0 }
    ended.move(into: &source.buffer.fillHistory)
    touched = moment.now
    source.buffer.unpack(packed)
    moment.network.link.setSingleFlow(
      delivered: DataAmount(nanobits: UInt128(packed.edge)) - start, at: packed.meter.start)
    return count
  }

  /// Records that the rule has turned, as `settle` does for a player that does not wait.
  private mutating func recordVerdict(
    _ packed: ItemBuffer.Packed, rangeStart: MediaTime, in moment: inout Moment
  ) {
    moment.cause = moment.flowCause
    let end = packed.loadedEnd(at: moment.now)
    if end != source.recordedEnd {
      source.recordedEnd = end
      if rangeStart != end {
        moment.record(.loadedTimeRange(index: 0, count: 1, start: rangeStart, end: end))
      }
    }
    if packed.isLikely { noteStartup(.likely, at: moment.now) }
    moment.cause = moment.record(.isPlaybackLikelyToKeepUp(packed.isLikely))
  }
}
