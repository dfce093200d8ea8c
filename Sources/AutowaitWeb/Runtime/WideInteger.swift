/// A whole number of 128 bits as two words, with the arithmetic that a compiler asks its runtime
/// for where the machine has none: wasm32 has no such runtime, so it is written here.
///
/// `UInt128` itself may not be used: it would call what is defined with this.
package struct WideInteger: Hashable, Sendable {
  package var low: UInt64
  package var high: UInt64

  package init(low: UInt64, high: UInt64 = 0) {
    (self.low, self.high) = (low, high)
  }

  /// Whether the number is below zero if it is taken as one with a sign.
  private var isNegative: Bool { high >> 63 == 1 }

  /// The number below zero that is as far from it, in two's complement.
  private var negated: WideInteger {
    WideInteger(low: 0 &- low, high: ~high &+ (low == 0 ? 1 : 0))
  }

  /// Returns the lower 128 bits of a product.
  package static func &* (left: WideInteger, right: WideInteger) -> WideInteger {
    let half = UInt64(UInt32.max)
    let (l0, l1, r0, r1) = (left.low & half, left.low >> 32, right.low & half, right.low >> 32)
    let inner = (l0 &* r0) >> 32
    let first = l1 &* r0 &+ inner
    let second = l0 &* r1 &+ (first & half)
    let carried = l1 &* r1 &+ (first >> 32) &+ (second >> 32)
    return WideInteger(
      low: left.low &* right.low,
      high: carried &+ left.low &* right.high &+ left.high &* right.low)
  }

  /// Returns the number moved to the left by less than 128 bits.
  package static func &<< (number: WideInteger, bits: UInt64) -> WideInteger {
    if bits == 0 { return number }
    if bits >= 64 { return WideInteger(low: 0, high: number.low &<< (bits &- 64)) }
    return WideInteger(
      low: number.low &<< bits, high: number.high &<< bits | number.low &>> (64 &- bits))
  }

  /// Returns the number moved to the right by less than 128 bits; zeros or signs come in.
  package func shiftedRight(_ bits: UInt64, keepsSign: Bool = false) -> WideInteger {
    let fill: UInt64 = keepsSign && isNegative ? .max : 0
    if bits == 0 { return self }
    if bits >= 64 {
      let rest = bits &- 64
      let moved = rest == 0 ? high : high &>> rest | (fill &<< (64 &- rest))
      return WideInteger(low: moved, high: fill)
    }
    return WideInteger(
      low: low &>> bits | high &<< (64 &- bits), high: high &>> bits | fill &<< (64 &- bits))
  }

  /// Returns quotient and remainder of numbers without signs; the divisor is not zero.
  package func quotientAndRemainder(
    dividingBy divisor: WideInteger
  ) -> (quotient: WideInteger, remainder: WideInteger) {
    if divisor.high == 0 {
      let (upper, rest) = high.quotientAndRemainder(dividingBy: divisor.low)
      let (lower, remainder) = Self.divide(rest, low, by: divisor.low)
      return (WideInteger(low: lower, high: upper), WideInteger(low: remainder))
    }
    // The quotient has as many bits as the divisor has zeros before it, and one more.
    var places = divisor.high.leadingZeroBitCount - high.leadingZeroBitCount
    var (quotient, rest) = (UInt64(0), self)
    while places >= 0 {
      let part = divisor &<< UInt64(places)
      quotient = quotient &<< 1
      if rest.high > part.high || rest.high == part.high && rest.low >= part.low {
        let borrow: UInt64 = rest.low < part.low ? 1 : 0
        rest = WideInteger(low: rest.low &- part.low, high: rest.high &- part.high &- borrow)
        quotient |= 1
      }
      places -= 1
    }
    return (WideInteger(low: quotient), rest)
  }

  /// Divides two words by one that is more than the upper of them: digits of 32 bits, as on paper
  /// (Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D).
  private static func divide(
    _ high: UInt64, _ low: UInt64, by divisor: UInt64
  ) -> (quotient: UInt64, remainder: UInt64) {
    if high == 0 { return low.quotientAndRemainder(dividingBy: divisor) }
    let places = UInt64(divisor.leadingZeroBitCount)
    let number = WideInteger(low: low, high: high) &<< places
    let by = divisor &<< places
    let (upper, rest) = digit(number.high, number.low >> 32, by)
    let (lower, remainder) = digit(rest, number.low & UInt64(UInt32.max), by)
    return (upper &<< 32 | lower, remainder &>> places)
  }

  /// Returns a digit of a quotient: of what is left and the next digit, by a divisor whose highest
  /// bit is set.
  private static func digit(
    _ rest: UInt64, _ next: UInt64, _ divisor: UInt64
  ) -> (digit: UInt64, rest: UInt64) {
    let (upper, lower) = (divisor >> 32, divisor & UInt64(UInt32.max))
    var (guess, left) = rest.quotientAndRemainder(dividingBy: upper)
    while guess >> 32 != 0 || guess &* lower > left &<< 32 | next {
      guess -= 1
      left += upper
      if left >> 32 != 0 { break }
    }
    return (guess, rest &<< 32 &+ next &- guess &* divisor)
  }

  /// Returns the quotient of numbers with signs, towards zero.
  package func signedQuotient(dividingBy divisor: WideInteger) -> WideInteger {
    let (left, right) = (
      isNegative ? negated : self, divisor.isNegative ? divisor.negated : divisor
    )
    let quotient = left.quotientAndRemainder(dividingBy: right).quotient
    return isNegative == divisor.isNegative ? quotient : quotient.negated
  }

  /// Returns the remainder of numbers with signs; it has that of the dividend.
  package func signedRemainder(dividingBy divisor: WideInteger) -> WideInteger {
    let (left, right) = (
      isNegative ? negated : self, divisor.isNegative ? divisor.negated : divisor
    )
    let remainder = left.quotientAndRemainder(dividingBy: right).remainder
    return isNegative ? remainder.negated : remainder
  }
}
