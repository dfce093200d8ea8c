extension Player {
  /// Lives through changes of the rate of a single flow for as long as they are all that happens.
  ///
  /// Most events of a session are of this kind, and need neither the queue nor a plan: the meter
  /// takes note, and what holds at the next change is what holds now. Everything here is what the
  /// general way comes to, in the same order, in numbers half as wide; a law test holds the two
  /// together. Returns the number of changes that were lived through, zero if the first one is for
  /// the general way; the link stands at the last of them.
  mutating func liveThroughRateChanges(
    from first: Instant, notAfter limit: Instant, countMax: Int, link: inout Link,
    trace: inout Trace
  ) -> Int {
    guard seek == nil, rebuiltAt == nil, let start = buffer.requestStart,
      timebase.rate == .zero || (timebase.rate == .normal && timebase.start <= first),
      var narrow = buffer.narrow
    else { return 0 }
    let turn = turnOfPlayhead(after: first)
    let moves: Int64 = timebase.rate == .zero ? 0 : 1
    let playhead = timebase.time(at: first).nanoseconds
    var now = first
    var count = 0
    while count < countMax {
      let span = UInt64(bitPattern: now.nanoseconds &- narrow.meter.start.nanoseconds)
      let flowed = narrow.meter.rate.multipliedFullWidth(by: span)
      let received = narrow.meter.received &+ flowed.low
      guard flowed.high == 0, flowed.low < 1 << 62, narrow.edge &+ flowed.low < narrow.end,
        narrow.meter.note(
          at: now, received: received, rate: UInt64(bitPattern: link.nextRate.bitsPerSecond),
          history: &fillHistory)
      else { break }
      narrow.edge &+= flowed.low
      count += 1
      let before = link.rate
      link.enterNextRate()
      if link.rate != before {
        link.cause = trace.record(.linkRate(link.rate), at: now, cause: link.cause)
        cause = link.cause
      }
      let next = link.nextRateChange
      let time = playhead &+ moves &* (next.nanoseconds &- first.nanoseconds)
      guard next <= limit, next < turn, next != .never,
        narrow.stays(until: next.nanoseconds, playhead: time)
      else { break }
      now = next
    }
    if count == 0 { return 0 }
    buffer.widen(narrow)
    link.setSingleFlow(
      delivered: Work(nanobits: UInt128(narrow.edge)) - start, at: narrow.meter.start)
    return count
  }

  /// The instant at which the playhead will be at its end, or begins to move.
  @inline(__always)
  func turnOfPlayhead(after now: Instant) -> Instant {
    if timebase.rate == .zero { return .never }
    if timebase.start > now { return timebase.start }
    let (end, time) = (buffer.endTime(for: timebase.rate), currentTime(at: now))
    guard timebase.rate > .zero ? time < end : time > end else { return .never }
    return timebase.instant(of: end, from: now)
  }
}
