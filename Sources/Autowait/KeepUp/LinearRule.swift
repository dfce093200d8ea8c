/// What is missing, and the media that is left to play until it must be there.
struct KeepUpQuestion: Hashable, Sendable {
  let missing: DataAmount
  let left: MediaTime
  /// What the time that is left is rounded up by, in millionths of a nanosecond.
  let part: Int64

  init(missing: DataAmount, left: MediaTime) {
    (self.missing, self.left, part) = (missing, left, 0)
  }

  /// Asks for something in the time of another question.
  @inline(__always)
  init(missing: DataAmount, leftOf other: KeepUpQuestion) {
    (self.missing, left, part) = (missing, other.left, other.part)
  }

  /// Asks for something before a playhead comes to a time.
  @inline(__always)
  init(missing: DataAmount, before time: MediaTime, _ playhead: Playhead) {
    self.missing = missing
    left = max(.zero, time - playhead.time)
    part = left == .zero ? 0 : playhead.part
  }

  /// Whether nothing is missing any more, or no time is left for it: its balance has a kink there.
  var isOver: Bool { missing == .zero || left == .zero }

  /// The media that is left, in millionths of a nanosecond.
  fileprivate var leftInMillionths: UInt128 {
    UInt128(UInt64(left.nanoseconds)) &* 1_000_000 &- UInt128(UInt64(part))
  }
}

/// AVFoundation's rule in exact numbers: what is missing arrives before the playhead needs its end.
struct LinearRule: Hashable, Sendable {
  /// The speed of playback, with the margin, as a reduced fraction.
  private let need: UInt128
  private let have: UInt128

  /// Creates the rule for a rate of playback.
  init(rate: PlaybackRate, safetyMargin: Int64) {
    let speed = rate.millionths.magnitude
    let margin = UInt64(1_000_000 + safetyMargin)
    let speedDivisor = Self.commonDivisor(speed, 1_000_000)
    let marginDivisor = Self.commonDivisor(margin, 1_000_000)
    need = UInt128(speed / speedDivisor) * UInt128(margin / marginDivisor)
    have = UInt128(1_000_000 / speedDivisor) * UInt128(1_000_000 / marginDivisor)
  }

  /// Returns whether an amount, arriving as fast as a reading shows, is there in time.
  ///
  /// missing ÷ (received ÷ open) ≤ left ÷ rate, as products: nothing is rounded.
  @inline(__always)
  func holds(missing: DataAmount, left: MediaTime, reading: FillMeter.Reading) -> Bool {
    if reading.received == .zero { return missing == .zero }
    return ExactProduct.isAtMost(
      missing.nanobits, UInt128(UInt64(reading.open.nanoseconds)) &* need,
      reading.received.nanobits, UInt128(UInt64(left.nanoseconds)) &* have)
  }

  /// Returns whether what is missing is there in time.
  @inline(__always)
  func holds(_ question: KeepUpQuestion, _ reading: FillMeter.Reading) -> Bool {
    if question.part == 0 || reading.received == .zero {
      return holds(missing: question.missing, left: question.left, reading: reading)
    }
    return ExactProduct.isAtMost(
      question.missing.nanobits,
      UInt128(UInt64(reading.open.nanoseconds)) &* 1_000_000 &* need,
      reading.received.nanobits, question.leftInMillionths &* have)
  }

  /// Returns whether the rule's balance, which is a parabola, rises from one instant to another.
  func rises(
    from first: (KeepUpQuestion, FillMeter.Reading), to second: (KeepUpQuestion, FillMeter.Reading)
  ) -> Bool {
    let (one, other) = (sides(first.0, first.1), sides(second.0, second.1))
    return (one.given + other.needed).isLess(than: other.given + one.needed)
  }

  /// Returns whether the balance, a parabola between two looks at which the rule says the same,
  /// stays on that side.
  ///
  /// Between its ends a parabola leaves the line between them by a quarter of what its curve makes
  /// of the time at most.
  func isSafe(
    _ held: Bool, from first: (KeepUpQuestion, FillMeter.Reading),
    to last: (KeepUpQuestion, FillMeter.Reading)
  ) -> Bool {
    func distance(_ one: DataAmount, _ other: DataAmount) -> UInt128 {
      one > other ? (one - other).nanobits : (other - one).nanobits
    }
    let open = UInt128(UInt64((last.1.open - first.1.open).nanoseconds))
    let played = first.0.leftInMillionths &- last.0.leftInMillionths
    let curve =
      WideProduct(distance(first.1.received, last.1.received), played &* have)
      + WideProduct(distance(first.0.missing, last.0.missing), open &* 1_000_000 &* need)
    func isSafe(_ look: (KeepUpQuestion, FillMeter.Reading)) -> Bool {
      let (given, needed) = sides(look.0, look.1)
      let (more, less) = (given + given + given + given, needed + needed + needed + needed)
      return held ? !more.isLess(than: less + curve) : (more + curve).isLess(than: less)
    }
    return isSafe(first) && isSafe(last)
  }

  private func sides(
    _ question: KeepUpQuestion, _ reading: FillMeter.Reading
  ) -> (given: WideProduct, needed: WideProduct) {
    let open = UInt128(UInt64(reading.open.nanoseconds)) &* 1_000_000
    return (
      WideProduct(reading.received.nanobits, question.leftInMillionths &* have),
      WideProduct(question.missing.nanobits, open &* need)
    )
  }

  /// Returns about how far the rule is from its turn, with the sign of what it says.
  func margin(missing: DataAmount, left: MediaTime, reading: FillMeter.Reading) -> Margin {
    Margin(
      (reading.received, left.nanoseconds, have),
      minus: (missing, reading.open.nanoseconds, need))
  }

  /// The factors, if they are so small that no product with a window or a duration overflows.
  var packed: (need: UInt64, have: UInt64)? {
    need <= 16 && have <= 16 ? (UInt64(need), UInt64(have)) : nil
  }

  private static func commonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (greater, lesser) = (a, b)
    while lesser != 0 { (greater, lesser) = (lesser, greater % lesser) }
    return max(greater, 1)
  }
}
