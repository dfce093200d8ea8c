/// The most changes of the rate through which a small message is followed.
private let stepsMax = 100_000

/// One direction of a fluid link: its track, and the times in which nothing gets through.
struct FluidDirection: Sendable {
  /// A time in which nothing gets through.
  struct Outage: Hashable, Sendable {
    let start: Instant
    let end: Instant
  }

  private var cursor: LinkCursor
  /// What is to come, by ascending start, without overlaps.
  private let outages: [Outage]
  private var outagesPassed = 0
  private var isOut = false

  /// Creates the place that a direction has reached at an instant.
  ///
  /// Water that leaves the link at an instant is there a delay later. The way down is told by the
  /// time of its far end, so its origin is moved by the delay, and what came before has the
  /// track's first rate.
  init(_ track: LinkTrack, outages: [Outage], origin: Instant, at now: Instant) {
    cursor = LinkCursor(track, origin: origin, at: max(now, origin))
    self.outages = outages
    assert(
      zip(outages, outages.dropFirst()).allSatisfy { $0.end < $1.start },
      "outages must ascend and not touch")
    advance(to: now)
  }

  /// The rate that holds.
  var rate: BitRate { isOut ? .zero : cursor.rate }
  /// The rate of the track, of which an outage leaves nothing.
  var trackRate: BitRate { cursor.rate }
  /// The time that data is under way.
  var delay: TimeSpan { cursor.delay }

  /// The instant at which the rate may change next.
  var changesAt: Instant {
    guard outagesPassed < outages.count else { return cursor.changesAt }
    let outage = outages[outagesPassed]
    return min(cursor.changesAt, isOut ? outage.end : outage.start)
  }

  /// When the outage is over in which it is; nil if it is in none.
  var outageEnd: Instant? { isOut ? outages[outagesPassed].end : nil }

  /// Moves on to what holds at an instant.
  mutating func advance(to now: Instant) {
    cursor.advance(to: now)
    while outagesPassed < outages.count, outages[outagesPassed].end <= now { outagesPassed += 1 }
    isOut = outagesPassed < outages.count && outages[outagesPassed].start <= now
  }

  /// Returns when the last bit of a message has left the link that it reached at an instant.
  ///
  /// Nothing else is sent meanwhile; `never` if the link does not carry it.
  func passage(of size: DataAmount, from start: Instant) -> Instant {
    if start == .never { return .never }
    var copy = self
    copy.advance(to: start)
    var (now, left) = (start, size)
    for _ in 0..<stepsMax {
      if left == .zero { return now }
      let end = now + FlowShare(rate: copy.rate, flows: 1, place: 0).span(for: left)
      let change = copy.changesAt
      if end <= change || change == .never { return end }
      assert(change > now, "the rate changes at \(change.nanoseconds) ns, again and again")
      left = left - DataAmount(copy.rate, for: change - now)
      now = change
      copy.advance(to: now)
    }
    return .never
  }
}

extension TimeSpan {
  /// Returns so many of this span, or the longest there is.
  func times(_ count: Int64) -> TimeSpan {
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: count)
    return TimeSpan(nanoseconds: overflow ? .max : product)
  }
}
