/// Compares products of wide factors without rounding.
enum ExactProduct {
  /// Returns whether a times b is at most c times d.
  ///
  /// The 64-bit factors of the common case cost two multiplications; wider ones take the 256-bit
  /// way.
  @inline(__always)
  static func isAtMost(_ a: UInt128, _ b: UInt128, _ c: UInt128, _ d: UInt128) -> Bool {
    if (a | b | c | d) >> 64 != 0 { return isWideAtMost(a, b, c, d) }
    let left = UInt64(truncatingIfNeeded: a).multipliedFullWidth(by: UInt64(truncatingIfNeeded: b))
    let right = UInt64(truncatingIfNeeded: c).multipliedFullWidth(by: UInt64(truncatingIfNeeded: d))
    return left.high < right.high || (left.high == right.high && left.low <= right.low)
  }

  private static func isWideAtMost(_ a: UInt128, _ b: UInt128, _ c: UInt128, _ d: UInt128) -> Bool {
    let left = a.multipliedFullWidth(by: b)
    let right = c.multipliedFullWidth(by: d)
    return left.high < right.high || (left.high == right.high && left.low <= right.low)
  }

  /// Returns a times b divided by c, rounded down; the product must fit in 128 bits.
  @inline(__always)
  static func scaledDown(_ a: UInt128, _ b: UInt64, _ c: UInt128) -> UInt128 {
    let product = a * UInt128(b)
    let divisor = c
    if (product | divisor) >> 64 == 0 {
      return UInt128(
        UInt64(truncatingIfNeeded: product) / UInt64(truncatingIfNeeded: divisor))
    }
    return product / divisor
  }

  /// Returns a times b divided by c, rounded up; the product must fit in 128 bits.
  @inline(__always)
  static func scaledUp(_ a: UInt128, _ b: UInt64, _ c: UInt128) -> UInt128 {
    let product = a * UInt128(b)
    return (product + c - 1) / c
  }
}

/// A product of wide factors that is less than 2²⁵⁵, and a sum of two.
struct WideProduct {
  private var high: UInt128
  private var low: UInt128

  /// Multiplies by halves: a full product of two wide numbers takes the standard library four times
  /// as long.
  @inline(__always)
  init(_ a: UInt128, _ b: UInt128) {
    let (aHigh, aLow) = (UInt64(truncatingIfNeeded: a >> 64), UInt64(truncatingIfNeeded: a))
    let (bHigh, bLow) = (UInt64(truncatingIfNeeded: b >> 64), UInt64(truncatingIfNeeded: b))
    func product(_ one: UInt64, _ other: UInt64) -> UInt128 {
      let whole = one.multipliedFullWidth(by: other)
      return UInt128(whole.high) << 64 | UInt128(whole.low)
    }
    let least = product(aLow, bLow)
    // What is carried is less than 2⁶⁴, and with it no sum of halves needs more than 128 bits.
    let first = product(aHigh, bLow) &+ (least >> 64)
    let (second, carries) = first.addingReportingOverflow(product(aLow, bHigh))
    low = second << 64 | UInt128(UInt64(truncatingIfNeeded: least))
    high =
      product(aHigh, bHigh) &+ (second >> 64) &+ (carries ? UInt128(1) << 64 : UInt128(0))
    assert(a.multipliedFullWidth(by: b) == (high, low), "a product by halves is another one")
  }

  static func + (a: WideProduct, b: WideProduct) -> WideProduct {
    var sum = a
    let (low, carries) = a.low.addingReportingOverflow(b.low)
    sum.low = low
    sum.high = a.high + b.high + (carries ? 1 : 0)
    return sum
  }

  func isLess(than other: WideProduct) -> Bool {
    high < other.high || (high == other.high && low < other.low)
  }
}
