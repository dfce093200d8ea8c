/// Logarithms to the base two in whole numbers, in parts of 2³², from a table.
///
/// Chains compare sums of them, and must take the same turn on any machine: a C library's
/// logarithm differs in its last digits, and floating-point numbers depend on how a compiler
/// arranges them.
struct FixedLogarithm: Sendable {
  /// One, in the parts that logarithms are counted in.
  static let one: Int64 = 1 << 32

  private static let indexBits: UInt64 = 10
  /// log2(1 + i/1024) for each i, and that of 2 at the end.
  private let table: [Int64]

  init() {
    let size = 1 << Self.indexBits
    table = (0...size).map { place in
      Self.exact(UInt64(size + place) << (63 - Self.indexBits - (place == size ? 1 : 0)))
        + (place == size ? Self.one : 0)
    }
  }

  /// Returns the logarithm of a number with its highest bit set, less 63, bit by bit: the square
  /// of what is left reaches two, or does not.
  private static func exact(_ number: UInt64) -> Int64 {
    precondition(number >> 63 == 1, "\(number) lacks its highest bit")
    var (mantissa, fraction): (UInt64, Int64) = (number, 0)
    for _ in 0..<32 {
      let square = mantissa.multipliedFullWidth(by: mantissa).high
      fraction <<= 1
      if square >> 63 == 1 {
        fraction |= 1
        mantissa = square
      } else {
        mantissa = square << 1
      }
    }
    return fraction
  }

  /// Returns the logarithm of a number above zero; it errs by less than a thousand parts.
  @inline(__always)
  func callAsFunction(_ number: UInt64) -> Int64 {
    let zeros = UInt64(number.leadingZeroBitCount)
    let mantissa = number << zeros
    let index = Int((mantissa >> (63 - Self.indexBits)) & ((1 << Self.indexBits) - 1))
    let rest = Int64((mantissa >> (31 - Self.indexBits)) & 0xFFFF_FFFF)
    let step = table[index + 1] &- table[index]
    return Int64(63 - zeros) << 32 &+ table[index] &+ (step &* rest) >> 32
  }
}
