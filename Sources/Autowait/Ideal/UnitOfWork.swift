/// What is left of a unit of work whose pace changes: an exact fraction.
///
/// At a latency of 100 ms a span of 25 ms does a quarter of the unit, whatever the pace was before.
struct UnitOfWork {
  private var numerator: UInt128 = 1
  private var denominator: UInt128 = 1

  /// Returns the time that the rest takes at a latency, rounded up to a nanosecond.
  func span(at latency: TimeSpan) -> TimeSpan {
    let whole = numerator * UInt128(UInt64(latency.nanoseconds))
    return TimeSpan(nanoseconds: Int64(clamping: (whole + denominator - 1) / denominator))
  }

  /// Takes away what a span does at a latency; the rest must take longer.
  mutating func spend(_ span: TimeSpan, at latency: TimeSpan) {
    let whole = UInt128(UInt64(latency.nanoseconds))
    let done = UInt128(UInt64(span.nanoseconds)) * denominator
    precondition(numerator * whole > done, "more work done than there was")
    numerator = numerator * whole - done
    denominator *= whole
    reduce()
  }

  /// Keeps both numbers so small that a product with a latency fits in 128 bits.
  ///
  /// A fraction that the common divisor does not make small enough, after three or more changes of
  /// latency within one wait, is rounded up to a multiple of 2⁻⁶².
  private mutating func reduce() {
    var (larger, smaller) = (denominator, numerator)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    numerator /= larger
    denominator /= larger
    let limit = UInt128(1) << 62
    if denominator <= limit { return }
    let (quotient, remainder) = denominator.dividingFullWidth(
      numerator.multipliedFullWidth(by: limit))
    numerator = remainder == 0 ? quotient : quotient + 1
    denominator = limit
  }
}
