/// Logarithm and exponential from + − × ÷ and the bits of a number.
///
/// The last digit of a C library's functions differs between machines, so none of them may decide
/// anything that is to be replayed. These give equal bits everywhere, and err by less than 0.51
/// units in the last place. Rules are the only ones to use them: the trajectory counts in whole
/// numbers.
package enum Elementary {
  /// Returns two to a power.
  package static func exp2(_ x: Double) -> Double {
    if !(x < 1_024) { return x.isNaN ? x : .infinity }
    if x < -1_080 { return 0 }
    let sixtyFourths = nearest(x * 64)
    let rest = x - Double(sixtyFourths) * 0x1p-6
    assert(rest.magnitude <= 1.0 / 128, "the rest of a power is at most 1/128 of two")
    return scaled(sixtyFourths, expm1OfPower(rest))
  }

  /// Returns e to a power.
  package static func exp(_ x: Double) -> Double {
    if !(x < 710) { return x.isNaN ? x : .infinity }
    if x < -750 { return 0 }
    // ln 2 ÷ 64 in two parts: products with the first, which has 32 bits, are exact.
    let sixtyFourths = nearest(x * 0x1.71547652b82fep+6)
    let high = x - Double(sixtyFourths) * 0x1.62e42fee00000p-7
    let low = Double(sixtyFourths) * 0x1.a39ef35793c76p-39
    let rest = high - low
    let lost = (high - rest) - low
    assert(rest.magnitude < 0.0055, "the rest of a power is at most ln 2 ÷ 128")
    let power = rest * rest * (0.5 + rest * (1.0 / 6 + rest * (1.0 / 24 + rest * (1.0 / 120))))
    return scaled(sixtyFourths, rest + (power + lost))
  }

  /// Returns the natural logarithm; of zero it is −∞, of less it is no number.
  package static func ln(_ x: Double) -> Double {
    if x == 0 { return -.infinity }
    if !(x > 0) { return .nan }
    if x == .infinity { return x }
    var exponent = Int(x.exponent)
    var significand = x.significand
    if significand > 0x1.6a09e667f3bcdp+0 {
      significand *= 0.5
      exponent += 1
    }
    assert(0.7 < significand && significand < 1.42, "the series is for numbers around 1")
    // ln m = 2 artanh((m − 1) ÷ (m + 1)): the series gains five bits with each of its terms.
    let slope = DoubleDouble(significand - 1) / DoubleDouble(sumOf: significand, 1)
    let square = slope * slope
    var series = DoubleDouble(1) / DoubleDouble(41)
    // Steps in whole numbers: those of doubles need a fused multiplication.
    for term in stride(from: 39, through: 1, by: -2) {
      series = series * square + DoubleDouble(1) / DoubleDouble(Double(term))
    }
    let ln2 = DoubleDouble(high: 0x1.62e42fefa39efp-1, low: 0x1.abc9e3b39803fp-56)
    let whole = ln2 * DoubleDouble(Double(exponent))
    let part = slope * series
    return (whole + DoubleDouble(high: 2 * part.high, low: 2 * part.low)).high
  }

  /// Returns the square root of a number that is not negative, by Newton's steps from a first guess
  /// with half the exponent; it errs by less than a unit in the last place.
  static func root(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x }
    var root = Double(bitPattern: (x.bitPattern >> 1) + (0x1ff8 << 48))
    for _ in 0..<6 { root = 0.5 * (root + x / root) }
    assert(x < 0x1p-1000 || abs(root * root - x) <= x * 1e-15, "Newton's steps are too few")
    return root
  }

  /// Returns ½ to a power: what is left of a weight after so many half-lives.
  @inline(__always)
  static func half(to power: Double) -> Double { Self.exp2(-power) }

  /// Returns 2 to a power, less one, for a power of at most 1/128.
  @inline(__always)
  private static func expm1OfPower(_ x: Double) -> Double {
    let high = 0x1.c6b08d704a0c0p-5 + x * (0x1.3b2ab6fba4e77p-7 + x * highest(x))
    return x * (0x1.62e42fefa39efp-1 + x * (0x1.ebfbdff82c58fp-3 + x * high))
  }

  @inline(__always)
  private static func highest(_ x: Double) -> Double {
    0x1.5d87fe78a6731p-10 + x * 0x1.430912f86c787p-13
  }

  /// Returns 2 to so many sixty-fourths, times one more than a small number.
  @inline(__always)
  private static func scaled(_ sixtyFourths: Int, _ more: Double) -> Double {
    let place = sixtyFourths & 63
    let exponent = sixtyFourths >> 6
    let high = Double(bitPattern: ElementaryTable.powers[2 * place])
    let low = Double(bitPattern: ElementaryTable.powers[2 * place + 1])
    let value = high + (low + high * more)
    if exponent > -1_000, exponent < 1_000 { return value * power(exponent) }
    // In two steps, lest the factor itself be out of range.
    return value * power(exponent / 2) * power(exponent - exponent / 2)
  }

  /// Two to a whole power that a normal number can have.
  @inline(__always)
  private static func power(_ exponent: Int) -> Double {
    assert(-1_022...1_023 ~= exponent, "2 to \(exponent) is no normal number")
    return Double(bitPattern: UInt64(exponent + 1_023) << 52)
  }

  /// The whole number that is nearest.
  @inline(__always)
  private static func nearest(_ x: Double) -> Int { Int(x + (x < 0 ? -0.5 : 0.5)) }
}

extension Double {
  /// The largest whole number that is not above it, without a function of a C library.
  var wholePart: Double {
    // From 2⁵² on all numbers are whole; what is no number stays what it is.
    guard magnitude < 0x1p52 else { return self }
    let whole = Double(Int64(self))
    assert((whole - self).magnitude < 1, "\(whole) is no part of \(self)")
    return whole > self ? whole - 1 : whole
  }
}

/// A number of twice as many digits: the sum of two, the second below the last place of the first.
///
/// The sums and products are Dekker's and Knuth's; none needs a fused multiplication.
private struct DoubleDouble {
  var high: Double
  var low = 0.0

  init(high: Double, low: Double) { (self.high, self.low) = (high, low) }

  init(_ value: Double) { high = value }

  /// The exact sum of two numbers.
  init(sumOf left: Double, _ right: Double) {
    high = left + right
    let other = high - left
    low = (left - (high - other)) + (right - other)
  }

  /// The exact product of two numbers.
  init(productOf left: Double, _ right: Double) {
    let (leftHigh, leftLow) = Self.split(left)
    let (rightHigh, rightLow) = Self.split(right)
    high = left * right
    low =
      leftLow * rightLow
      - (((high - leftHigh * rightHigh) - leftLow * rightHigh) - leftHigh * rightLow)
  }

  static func + (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let sum = DoubleDouble(sumOf: left.high, right.high)
    return DoubleDouble(sumOf: sum.high, sum.low + left.low + right.low)
  }

  static func * (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let product = DoubleDouble(productOf: left.high, right.high)
    return DoubleDouble(
      sumOf: product.high, product.low + (left.high * right.low + left.low * right.high))
  }

  static func / (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let quotient = left.high / right.high
    let back = DoubleDouble(quotient) * right
    let rest = DoubleDouble(sumOf: left.high, -back.high)
    return DoubleDouble(
      sumOf: quotient, (rest.high + (rest.low + left.low - back.low)) / right.high)
  }

  /// Two halves of a number's digits.
  private static func split(_ value: Double) -> (high: Double, low: Double) {
    let scaled = value * 0x1.0000002p+27
    let high = scaled - (scaled - value)
    return (high, value - high)
  }
}
