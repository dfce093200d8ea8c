/// A number of bytes.
public struct ByteCount: Comparable, Hashable, Sendable {
  /// The number itself.
  public var bytes: Int64

  /// Creates a count of the given number of bytes.
  @inlinable @inline(__always)
  public init(bytes: Int64) {
    self.bytes = bytes
  }

  /// No bytes.
  public static let zero = ByteCount(bytes: 0)

  /// Returns whether the left count is the smaller one.
  @inlinable @inline(__always)
  public static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.bytes < right.bytes
  }

  /// Returns the sum of two counts.
  @inlinable @inline(__always)
  public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(bytes: left.bytes + right.bytes)
  }
}

/// A rate of data in bits per second of wall time.
public struct BitRate: Comparable, Hashable, Sendable {
  /// The bits per second.
  public var bitsPerSecond: Int64

  /// Creates a rate of the given number of bits per second.
  @inlinable @inline(__always)
  public init(bitsPerSecond: Int64) {
    self.bitsPerSecond = bitsPerSecond
  }

  /// The rate of a link that is down.
  public static let zero = BitRate(bitsPerSecond: 0)

  /// The rate of a link that is not limited: faster than any that is, and still a number.
  public static let unlimited = BitRate(bitsPerSecond: 1_000_000_000_000)

  /// Returns whether the left rate is the slower one.
  @inlinable @inline(__always)
  public static func < (left: BitRate, right: BitRate) -> Bool {
    left.bitsPerSecond < right.bitsPerSecond
  }
}

/// An amount of transferred data in nanobits: a rate in bit/s times a time in nanoseconds.
///
/// Counting in nanobits makes what a link has delivered by any instant an exact integer, however
/// many times its rate changed before; only the estimate of a completion divides. 128 bits hold
/// any amount inside ``Limits``.
package struct DataAmount: Comparable, Hashable, Sendable {
  /// The amount in nanobits.
  package var nanobits: UInt128

  /// Creates an amount of the given number of nanobits.
  @inlinable @inline(__always)
  package init(nanobits: UInt128) {
    self.nanobits = nanobits
  }

  /// Creates the amount that is a number of whole bytes.
  @inlinable @inline(__always)
  package init(_ size: ByteCount) {
    nanobits = UInt128(UInt64(size.bytes)) * 8_000_000_000
  }

  /// Creates the amount that a rate delivers in a span of time; exact.
  @inlinable @inline(__always)
  package init(_ rate: BitRate, for span: TimeSpan) {
    assert(rate.bitsPerSecond >= 0, "a rate must not be negative, is \(rate.bitsPerSecond) bit/s")
    assert(span.nanoseconds >= 0, "data flows in no time below zero, \(span.nanoseconds) ns")
    let product = UInt64(bitPattern: rate.bitsPerSecond)
      .multipliedFullWidth(by: UInt64(bitPattern: span.nanoseconds))
    nanobits = UInt128(product.high) << 64 | UInt128(product.low)
  }

  /// No data.
  package static let zero = DataAmount(nanobits: 0)

  /// The whole bytes in this amount; a begun byte does not count.
  package var wholeBytes: ByteCount {
    // Most amounts are narrow, and a division of wide ones is a call.
    if nanobits >> 64 == 0 {
      return ByteCount(bytes: Int64(UInt64(truncatingIfNeeded: nanobits) / 8_000_000_000))
    }
    return ByteCount(bytes: Int64(nanobits / 8_000_000_000))
  }

  /// The bytes in this amount; a begun byte counts as one.
  package var begunBytes: ByteCount {
    ByteCount(bytes: Int64((nanobits + 7_999_999_999) / 8_000_000_000))
  }

  /// Returns whether the left amount is the smaller one.
  @inlinable @inline(__always)
  package static func < (left: DataAmount, right: DataAmount) -> Bool {
    left.nanobits < right.nanobits
  }

  /// Returns the sum of two amounts.
  @inlinable @inline(__always)
  package static func + (left: DataAmount, right: DataAmount) -> DataAmount {
    assert(left.nanobits <= .max - right.nanobits, "a sum of data needs more than 128 bits")
    return DataAmount(nanobits: left.nanobits &+ right.nanobits)
  }

  /// Returns what is left of an amount when a smaller one is taken from it.
  @inlinable @inline(__always)
  package static func - (left: DataAmount, right: DataAmount) -> DataAmount {
    precondition(left.nanobits >= right.nanobits, "more data taken than there is")
    return DataAmount(nanobits: left.nanobits &- right.nanobits)
  }

  /// Adds an amount to this one.
  @inlinable @inline(__always)
  package static func += (left: inout DataAmount, right: DataAmount) {
    assert(left.nanobits <= .max - right.nanobits, "a sum of data needs more than 128 bits")
    left.nanobits &+= right.nanobits
  }
}
