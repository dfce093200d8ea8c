/// Roots of whole numbers, rounded down, found bit by bit.
enum IntegerRoot {
  /// Returns the largest number whose square is not above a number.
  static func square(of number: UInt128) -> UInt64 {
    var root: UInt64 = 0
    var bit = UInt64(1) << ((127 - min(127, number.leadingZeroBitCount)) / 2)
    while bit > 0 {
      let next = root | bit
      if UInt128(next) * UInt128(next) <= number { root = next }
      bit >>= 1
    }
    assert(UInt128(root) * UInt128(root) <= number, "\(root) is not the root of \(number)")
    return root
  }

  /// Returns the largest number whose cube is not above a number.
  static func cube(of number: UInt64) -> UInt64 {
    var root: UInt64 = 0
    // The cube root of 2⁶⁴ is below 2²².
    var bit = UInt64(1) << 21
    while bit > 0 {
      let next = root | bit
      let (product, overflow) = (next &* next).multipliedReportingOverflow(by: next)
      if !overflow, product <= number { root = next }
      bit >>= 1
    }
    assert(root * root * root <= number, "\(root) is not the root of \(number)")
    return root
  }
}
