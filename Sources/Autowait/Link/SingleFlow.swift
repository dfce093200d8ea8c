/// The only transfer of an ideal link, in 64-bit numbers.
struct SingleFlow {
  let number: Int
  let size: UInt64
  private(set) var delivered: UInt64
  /// Since when the rate that holds delivers.
  private(set) var anchor: Instant
  private(set) var isFlowing: Bool
  let firstByteAt: Instant
  /// What the link has to spare at the anchor besides what this flow gets.
  private(set) var leftOver: UInt64 = 0
  /// The time in which data came that was not taken.
  private var active = TimeSpan.zero

  /// Makes the flow of a transfer that is not suspended; nil if its numbers are wider.
  @inline(__always)
  init?(_ transfer: Transfer, delivered: DataAmount, anchor: Instant, leftOver: DataAmount) {
    guard transfer.size.nanobits < 1 << 62 else { return nil }
    number = transfer.number
    size = UInt64(truncatingIfNeeded: transfer.size.nanobits)
    self.delivered = UInt64(truncatingIfNeeded: delivered.nanobits)
    self.anchor = anchor
    self.leftOver = UInt64(truncatingIfNeeded: leftOver.nanobits)
    switch transfer.phase {
    case .suspended: return nil
    case .flowing: (isFlowing, firstByteAt) = (true, anchor)
    case .requested(let instant): (isFlowing, firstByteAt) = (false, instant)
    }
  }

  /// Makes the flow of a transfer that is asked for at an instant, and begins with what the link
  /// has to spare.
  init(number: Int, size: UInt64, headStart: UInt64, firstByteAt: Instant, at now: Instant) {
    (self.number, self.size, self.firstByteAt) = (number, size, firstByteAt)
    (delivered, anchor, isFlowing) = (min(headStart, size), now, false)
    leftOver = headStart &- delivered
  }

  /// What the last nanosecond of a flow that has ended could have brought beyond its end.
  var spare: UInt64 { delivered > size ? delivered &- size : leftOver }

  /// Returns whether a rate brings the rest before, or at, an instant.
  @inline(__always)
  func isBrought(by rate: BitRate, until instant: Instant) -> Bool {
    let span = UInt64(bitPattern: (instant - anchor).nanoseconds)
    let flowed = UInt64(bitPattern: rate.bitsPerSecond).multipliedFullWidth(by: span)
    return flowed.high != 0 || flowed.low >= size &- delivered
  }

  /// Moves what a rate has brought by an instant before the end into the transfer.
  @inline(__always)
  mutating func deliver(_ rate: BitRate, until instant: Instant) {
    assert(instant >= anchor, "a flow goes back to \(instant.nanoseconds) ns")
    let span = UInt64(bitPattern: (instant - anchor).nanoseconds)
    delivered &+= UInt64(bitPattern: rate.bitsPerSecond) &* span
    if span > 0 { leftOver = 0 }
    if rate > .zero { active.nanoseconds &+= Int64(bitPattern: span) }
    anchor = instant
    assert(
      delivered < size &+ UInt64(max(1, rate.bitsPerSecond)),
      "transfer \(number) has a nanosecond's data more than was asked for")
  }

  /// Returns the time in which data came since it was last taken.
  @inline(__always)
  mutating func takeActive() -> TimeSpan {
    defer { active = .zero }
    return active
  }

  /// Returns what has come by an instant before the end at a rate that holds since the anchor.
  func delivered(_ rate: BitRate, at instant: Instant) -> UInt64 {
    if !isFlowing { return delivered }
    let span = UInt64(bitPattern: (instant - anchor).nanoseconds)
    return delivered &+ UInt64(bitPattern: rate.bitsPerSecond) &* span
  }

  /// Lets the response flow from now on.
  mutating func begin(at now: Instant) {
    isFlowing = true
    anchor = now
  }

  /// The instant of the first byte, or of the last one while the rate holds.
  @inline(__always)
  func nextInstant(_ rate: BitRate) -> Instant {
    if !isFlowing { return max(firstByteAt, anchor) }
    if rate == .zero { return delivered == size ? anchor : .never }
    let speed = UInt64(bitPattern: rate.bitsPerSecond)
    let span = (size &- delivered &+ speed &- 1) / speed
    return Instant(nanoseconds: anchor.nanoseconds &+ Int64(bitPattern: span))
  }
}

extension IdealLink {
  /// The only transfer under way; nil if there are others, or none.
  var singleFlow: SingleFlow? {
    if transferCount != 1 { return nil }
    let delivered =
      isFlowing(in: 0) ? transfers[0].size - lanes[0] : transfers[0].delivered
    return SingleFlow(
      transfers[0], delivered: delivered, anchor: anchor,
      leftOver: spare(of: transfers[0].number, at: anchor))
  }
}
