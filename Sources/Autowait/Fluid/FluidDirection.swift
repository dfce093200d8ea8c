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
  /// When the first of it is there, and whether it is.
  private let begins: Instant
  private var hasBegun = false
  /// The link before it, of which some is still under way, in an array of one: a direction cannot
  /// hold another one.
  private var earlier: [Earlier] = []

  /// A link that holds no more, and when the last of it is there.
  private struct Earlier: Sendable {
    var direction: FluidDirection
    let end: Instant
  }

  /// Where a direction begins.
  struct Place {
    /// The instant that is zero on its track.
    let origin: Instant
    /// From when on it holds.
    let now: Instant
    /// How much later what leaves it is there, if that is the time of the direction.
    var delay = TimeSpan.zero
  }

  /// Creates the place that a direction has reached at an instant, from which on it holds.
  ///
  /// Water that leaves the link at an instant is there a delay later. The way down is told by the
  /// time of its far end, so its origin is moved by the delay. What left the link before it in its
  /// last delay comes with that one's rate.
  init(
    _ track: LinkTrack, outages: [Outage], at place: Place, after last: FluidDirection? = nil
  ) {
    let (now, origin) = (place.now, place.origin + place.delay)
    cursor = LinkCursor(track, origin: origin, at: max(now, origin))
    self.outages = outages
    begins = last == nil ? now : now + place.delay
    if let last { earlier = [Earlier(direction: last, end: now + last.delay)] }
    assert(
      zip(outages, outages.dropFirst()).allSatisfy { $0.end < $1.start },
      "outages must ascend and not touch")
    advance(to: now)
  }

  /// The rate that holds.
  private(set) var rate = BitRate.zero
  /// The instant at which the rate may change next.
  private(set) var changesAt = Instant.start
  /// The rate of the track, of which an outage leaves nothing.
  var trackRate: BitRate {
    hasBegun ? cursor.rate : earlier.first?.direction.trackRate ?? cursor.rate
  }
  /// The time that data is under way.
  var delay: TimeSpan { cursor.delay }

  /// When the outage is over in which it is; nil if it is in none.
  var outageEnd: Instant? { isOut ? outages[outagesPassed].end : nil }

  /// Moves on to what holds at an instant.
  mutating func advance(to now: Instant) {
    if now < changesAt { return }
    cursor.advance(to: now)
    while outagesPassed < outages.count, outages[outagesPassed].end <= now { outagesPassed += 1 }
    isOut = outagesPassed < outages.count && outages[outagesPassed].start <= now
    if begins <= now { hasBegun = true }
    rate = isOut || !hasBegun ? .zero : cursor.rate
    changesAt = cursor.changesAt
    if outagesPassed < outages.count {
      let outage = outages[outagesPassed]
      changesAt = min(changesAt, isOut ? outage.end : outage.start)
    }
    if !hasBegun { changesAt = min(changesAt, begins) }
    if !earlier.isEmpty { addEarlier(at: now) }
  }

  /// Adds what still comes of the link before.
  private mutating func addEarlier(at now: Instant) {
    if earlier[0].end <= now {
      earlier = []
      return
    }
    earlier[0].direction.advance(to: now)
    let last = earlier[0].direction
    let (sum, overflow) = rate.bitsPerSecond.addingReportingOverflow(last.rate.bitsPerSecond)
    rate = BitRate(bitsPerSecond: overflow ? .max : sum)
    changesAt = min(changesAt, earlier[0].end, last.changesAt)
  }

  /// Returns when the last bit of a message has left the link that it reached at an instant.
  ///
  /// Nothing else is sent meanwhile; `never` if the link does not carry it.
  func passage(of size: DataAmount, from start: Instant) -> Instant {
    if start == .never { return .never }
    if start < changesAt {
      let end = start + FlowShare(rate: rate, flows: 1, place: 0).span(for: size)
      if end <= changesAt { return end }
    }
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
