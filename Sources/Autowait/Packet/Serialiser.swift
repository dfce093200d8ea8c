/// Puts packets one behind the other onto a line whose rate changes over time.
///
/// A departure is rounded up to a nanosecond; what the rate carries in the rest of that nanosecond
/// is credited to a packet that follows at once, so that rounding never adds up.
struct Serialiser: Sendable {
  private var cursor: LinkCursor
  private var freeAt: Instant
  /// What the line has already carried, at the instant at which it is free, in nanobits.
  private var credit: UInt64 = 0
  /// The rate and the nanobits of the last packet, with their quotient and remainder: most packets
  /// are like the one before.
  private var known: (rate: UInt64, nanobits: UInt64, quotient: UInt64, remainder: UInt64)
  private var heldUntil = Instant.start
  /// The delay when the last packet left.
  private(set) var delay: TimeSpan

  /// Creates a line that is free at an instant, from its place on the track.
  init(_ cursor: LinkCursor, at now: Instant) {
    self.cursor = cursor
    freeAt = now
    delay = cursor.delay
    known = (0, 0, 0, 0)
  }

  /// The bits of some bytes, in nanobits.
  @inline(__always)
  static func nanobits(_ bytes: Int64) -> UInt64 { UInt64(bytes) &* 8_000_000_000 }

  /// Carries nothing before an instant.
  mutating func hold(until end: Instant) {
    heldUntil = end
    freeAt = max(freeAt, end)
    credit = 0
  }

  /// Returns when a packet that comes at an instant has left.
  @inline(__always)
  mutating func departure(of bytes: Int64, at now: Instant) -> Instant {
    departure(ofNanobits: Serialiser.nanobits(bytes), at: now)
  }

  /// Returns when data that comes at an instant has departed.
  @inline(__always)
  mutating func departure(ofNanobits nanobits: UInt64, at now: Instant) -> Instant {
    if now > freeAt {
      freeAt = now
      credit = 0
    }
    if freeAt == .never { return .never }
    if cursor.changesAt <= freeAt {
      cursor.advance(to: freeAt)
      credit = 0
    }
    let rate = UInt64(bitPattern: cursor.rate.bitsPerSecond)
    if rate == 0 { return departureAcross(nanobits: nanobits) }
    if known.rate != rate || known.nanobits != nanobits {
      let (quotient, remainder) = nanobits.quotientAndRemainder(dividingBy: rate)
      known = (rate, nanobits, quotient, remainder)
    }
    // The credit is less than a nanosecond of the rate.
    var span = known.quotient
    if known.remainder > credit {
      span &+= 1
      let end = freeAt + TimeSpan(nanoseconds: Int64(span))
      if end > cursor.changesAt { return departureAcross(nanobits: nanobits) }
      credit = rate &+ credit &- known.remainder
      freeAt = end
    } else {
      let end = freeAt + TimeSpan(nanoseconds: Int64(span))
      if end > cursor.changesAt { return departureAcross(nanobits: nanobits) }
      credit &-= known.remainder
      freeAt = end
    }
    assert(credit < rate, "a credit of more than a nanosecond of \(rate) bit/s")
    assert(freeAt >= now, "a packet leaves before it comes, at \(freeAt.nanoseconds) ns")
    delay = cursor.delay
    return freeAt
  }

  /// Returns when data has departed during which the rate changes.
  private mutating func departureAcross(nanobits: UInt64) -> Instant {
    var missing = nanobits
    var idleLaps = 0
    while true {
      let rate = UInt64(bitPattern: cursor.rate.bitsPerSecond)
      if rate > 0 {
        idleLaps = 0
        let needed = missing > credit ? missing - credit : 0
        let span = needed / rate + (needed % rate == 0 ? 0 : 1)
        let end = freeAt + TimeSpan(nanoseconds: Int64(clamping: span))
        if end <= cursor.changesAt {
          credit = span &* rate &+ credit &- missing
          assert(end >= freeAt, "the line is free at \(end.nanoseconds) ns, and before")
          freeAt = end
          delay = cursor.delay
          return freeAt
        }
      }
      if cursor.changesAt == .never || idleLaps > cursor.samplesCount {
        freeAt = .never
        return .never
      }
      let span = UInt64((cursor.changesAt - freeAt).nanoseconds)
      let done = rate &* span &+ credit
      missing = missing > done ? missing - done : 0
      credit = 0
      freeAt = cursor.changesAt
      cursor.enterNext()
      idleLaps += 1
    }
  }

  /// Returns what the line carries between an instant and a departure, in nanobits.
  func rest(
    from present: LinkCursor, at now: Instant, until departure: Instant, atMost whole: UInt64
  ) -> UInt64 {
    if departure == .never { return whole }
    var cursor = present
    var start = max(now, heldUntil)
    if cursor.changesAt <= start { cursor.advance(to: start) }
    var done: UInt128 = 0
    while start < departure {
      let end = min(departure, cursor.changesAt)
      done += DataAmount(cursor.rate, for: end - start).nanobits
      start = end
      if start < departure { cursor.enterNext() }
    }
    return UInt64(min(done, UInt128(whole)))
  }
}
