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
