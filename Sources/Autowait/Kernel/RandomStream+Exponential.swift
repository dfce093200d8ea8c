/// Draws whose distribution needs a logarithm, made of whole numbers alone.
extension RandomStream {
  /// Returns a time that is distributed exponentially around a mean, from one draw.
  ///
  /// The time is mean · −ln(u) with u = (draw + 1) / 2⁶⁴, rounded down to a nanosecond and cut at
  /// the longest time of ``Limits``. It is never more than 44.4 times the mean.
  package mutating func nextExponential(mean: TimeSpan) -> TimeSpan {
    precondition(mean >= .zero, "mean must not be negative, is \(mean)")
    let logarithm = RandomStream.negativeLogarithm(ofPartsOf64Bits: next())
    let time = (UInt128(UInt64(mean.nanoseconds)) * UInt128(logarithm)) >> 40
    return min(TimeSpan(nanoseconds: Int64(clamping: time)), Limits.timeMax)
  }

  /// The natural logarithm of two, in parts of 2⁶⁴, rounded down.
  private static let logarithmOfTwo: UInt64 = 0xB172_17F7_D1CF_79AB

  /// Returns −ln((parts + 1) / 2⁶⁴) in parts of 2⁴⁰.
  ///
  /// The binary logarithm has as whole part the place of the highest bit; each bit of its fraction
  /// says whether the square of what is left reaches two. The error is below three parts.
  static func negativeLogarithm(ofPartsOf64Bits parts: UInt64) -> UInt64 {
    let (number, overflow) = parts.addingReportingOverflow(1)
    if overflow { return 0 }
    let zeros = UInt64(number.leadingZeroBitCount)
    var mantissa = number << zeros
    var fraction: UInt64 = 0
    for _ in 0..<40 {
      assert(mantissa >> 63 == 1, "what is left has lost its highest bit")
      let square = mantissa.multipliedFullWidth(by: mantissa).high
      fraction <<= 1
      if square >> 63 == 1 {
        fraction |= 1
        mantissa = square
      } else {
        mantissa = square << 1
      }
    }
    let binary = (zeros + 1) << 40 - fraction
    return UInt64((UInt128(binary) * UInt128(logarithmOfTwo)) >> 64)
  }
}
