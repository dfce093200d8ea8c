/// How bytes get into the buffer. All but ``storeEscaped(_:)`` and ``storeRaw(_:)`` need room
/// that was made before.
extension JSONWriter {
  @inline(__always)
  mutating func store(_ byte: UInt8) {
    buffer[count] = byte
    advance(1)
  }

  @inline(__always)
  mutating func store(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    let start = count
    buffer.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + size])
        .copyMemory(from: UnsafeRawBufferPointer(start: text.utf8Start, count: size))
    }
    advance(size)
  }

  @inline(__always)
  mutating func storeQuoted(_ text: StaticString) {
    store(UInt8(ascii: "\""))
    store(text)
    store(UInt8(ascii: "\""))
  }

  /// Stores text as it is, with its own room.
  mutating func storeRaw(_ text: String) {
    room(text.utf8.count)
    for byte in text.utf8 { store(byte) }
  }

  /// Stores a string with quotation marks and escapes, with its own room.
  ///
  /// Only what RFC 8259 section 7 says must be escaped is: the quotation mark, the backslash and
  /// the control characters, with the short form where there is one.
  mutating func storeEscaped(_ text: String) {
    // A control character takes six bytes; the second walk only starts when there is one.
    room(6 * text.utf8.count + 2)
    store(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        store(byte)
      } else {
        storeEscape(byte)
      }
    }
    store(UInt8(ascii: "\""))
  }

  private mutating func storeEscape(_ byte: UInt8) {
    store(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): store(byte)
    case 0x08: store(UInt8(ascii: "b"))
    case 0x09: store(UInt8(ascii: "t"))
    case 0x0A: store(UInt8(ascii: "n"))
    case 0x0C: store(UInt8(ascii: "f"))
    case 0x0D: store(UInt8(ascii: "r"))
    default:
      store("u00")
      store(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0xF
      store(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }

  /// Stores the digits of a number.
  @inline(__always)
  mutating func storeDigits(_ value: UInt64) {
    let size = JSONWriter.digitCount(value)
    storeDigits(value, endingAt: count + size)
    advance(size)
  }

  /// Stores nanoseconds as seconds.
  @inline(__always)
  mutating func storeSeconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { store(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    let whole = magnitude / 1_000_000_000
    var fraction = UInt32(truncatingIfNeeded: magnitude &- whole &* 1_000_000_000)
    storeDigits(whole)
    if fraction == 0 { return }
    var size = 9
    // Four zeros at once first: most logs hold milliseconds or full nanoseconds.
    if fraction % 10_000 == 0 {
      fraction /= 10_000
      size -= 4
    }
    while fraction % 10 == 0 {
      fraction /= 10
      size -= 1
    }
    store(UInt8(ascii: "."))
    // The zeros after the point are those that the digits do not reach.
    for index in 0..<size { buffer[count &+ index] = UInt8(ascii: "0") }
    storeDigits(UInt64(fraction), endingAt: count &+ size)
    advance(size)
  }

  /// Stores digits backwards, two at a time.
  @inline(__always)
  private mutating func storeDigits(_ value: UInt64, endingAt end: Int) {
    var left = value
    var at = end
    while left >= 100 {
      let quotient = left / 100
      let pair = Int(truncatingIfNeeded: left &- quotient &* 100) &* 2
      left = quotient
      at &-= 2
      buffer[at] = JSONWriter.pairs.utf8Start[pair]
      buffer[at &+ 1] = JSONWriter.pairs.utf8Start[pair &+ 1]
    }
    if left >= 10 {
      let pair = Int(truncatingIfNeeded: left) &* 2
      buffer[at &- 2] = JSONWriter.pairs.utf8Start[pair]
      buffer[at &- 1] = JSONWriter.pairs.utf8Start[pair &+ 1]
    } else {
      buffer[at &- 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: left)
    }
  }

  /// Returns the number of decimal digits of a number, one for zero.
  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var left = value
    while left >= 10_000 {
      left /= 10_000
      count &+= 4
    }
    if left >= 1_000 { return count &+ 3 }
    if left >= 100 { return count &+ 2 }
    return left >= 10 ? count &+ 1 : count
  }

  /// The numbers from 00 to 99, two digits each.
  @inline(__always)
  private static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  }
}
