/// Where a ``JSONWriter`` stores its next byte, valid while the writer holds its buffer.
///
/// It exists so that one call of the writer checks once for room and once for sharing, not at
/// every byte: a record of five fields went from 119 to 63 ns (measured). The caller made the
/// room.
struct JSONCursor {
  private let base: UnsafeMutablePointer<UInt8>
  private(set) var at: Int
  /// Whether a space follows the colon of a key.
  private let isSpaced: Bool

  @inline(__always)
  init(base: UnsafeMutablePointer<UInt8>, at: Int, isSpaced: Bool) {
    self.base = base
    self.at = at
    self.isSpaced = isSpaced
  }

  @inline(__always)
  mutating func store(_ byte: UInt8) {
    base[at] = byte
    at &+= 1
  }

  /// Stores a short text; a call to copy memory would cost more than the copying.
  @inline(__always)
  mutating func store(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    let source = UnsafeRawPointer(text.utf8Start)
    let target = UnsafeMutableRawPointer(base + at)
    if size >= 8 {
      // The last eight bytes overlap those before them unless they are all there is.
      var offset = 0
      while offset < size &- 8 {
        JSONCursor.copy(UInt64.self, source + offset, target + offset)
        offset &+= 8
      }
      JSONCursor.copy(UInt64.self, source + (size &- 8), target + (size &- 8))
    } else if size >= 4 {
      JSONCursor.copy(UInt32.self, source, target)
      JSONCursor.copy(UInt32.self, source + (size &- 4), target + (size &- 4))
    } else {
      for offset in 0..<size { base[at &+ offset] = text.utf8Start[offset] }
    }
    at &+= size
  }

  @inline(__always)
  private static func copy<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) {
    target.storeBytes(of: source.loadUnaligned(as: type), as: type)
  }

  mutating func newLine(_ indent: Int) {
    store(0x0A)
    for _ in 0..<indent { store(0x20) }
  }

  @inline(__always)
  mutating func colon() {
    store(UInt8(ascii: ":"))
    if isSpaced { store(0x20) }
  }

  @inline(__always)
  mutating func quote(_ text: StaticString) {
    store(UInt8(ascii: "\""))
    store(text)
    store(UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func key(_ key: StaticString) {
    quote(key)
    colon()
  }

  /// Stores a string with quotation marks and escapes.
  ///
  /// Escaped is what RFC 8259 section 7 says must be, the quotation mark, the backslash and the
  /// control characters, with the short form where there is one; and also what would drive a
  /// terminal that shows the text, or hide in it, as far as four digits can name it.
  mutating func quoteEscaping(_ text: String) {
    store(UInt8(ascii: "\""))
    let isStored: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0) }
    // Only a string bridged from Foundation has no contiguous bytes.
    if isStored == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0) } }
    store(UInt8(ascii: "\""))
  }

  private mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte >= 0x80 {
        if let (code, length) = Self.hidden(bytes, index - 1) {
          escape(code)
          index += length - 1
        } else {
          store(byte)
        }
      } else if byte == UInt8(ascii: "#"), Self.beginsCommand(bytes, index - 1) {
        escape(UInt16(byte))
      } else if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7F {
        store(byte)
      } else {
        escape(byte)
      }
    }
  }

  /// Returns the scalar of two or three bytes that begins at an index, and their number, if it is
  /// one that nobody sees: a control character, or one of those that turn the direction of text.
  private static func hidden(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (code: UInt16, length: Int)? {
    let lead = bytes[index]
    func bits(_ place: Int) -> UInt16 {
      index + place < bytes.count ? UInt16(bytes[index + place] & 0x3F) : 0
    }
    let (code, length): (UInt16, Int)
    switch lead {
    case 0xC2, 0xD8: (code, length) = (UInt16(lead & 0x1F) << 6 | bits(1), 2)
    case 0xE1, 0xE2, 0xEF:
      (code, length) = (UInt16(lead & 0x0F) << 12 | bits(1) << 6 | bits(2), 3)
    default: return nil
    }
    switch code {
    case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB:
      return (code, length)
    default: return nil
    }
  }

  /// Returns whether a command to a CI server begins at an index, such as `##[` or `##vso[`, which
  /// some take wherever it stands in a line.
  private static func beginsCommand(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "#") else { return false }
    let behind = bytes[(index + 2)...].first { !(0x61...0x7A ~= $0 | 0x20) }
    return behind == UInt8(ascii: "[")
  }

  private mutating func escape(_ code: UInt16) {
    store("\\u")
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(code >> shift & 0xF)
      store(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  private mutating func escape(_ byte: UInt8) {
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

  @inline(__always)
  mutating func integer(_ value: Int64) {
    if value < 0 { store(UInt8(ascii: "-")) }
    digits(value.magnitude)
  }

  /// Stores the digits of a number.
  @inline(__always)
  mutating func digits(_ value: UInt64) {
    at &+= JSONCursor.digitCount(value)
    storeBackwards(value)
  }

  /// Stores nanoseconds as seconds.
  @inline(__always)
  mutating func seconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { store(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    let whole = magnitude / 1_000_000_000
    var fraction = UInt32(truncatingIfNeeded: magnitude &- whole &* 1_000_000_000)
    digits(whole)
    if fraction == 0 { return }
    var size = 9
    // Several zeros at once first: most logs hold whole milliseconds or full nanoseconds.
    if fraction % 10_000 == 0 {
      fraction /= 10_000
      size &-= 4
    }
    while fraction % 10 == 0 {
      fraction /= 10
      size &-= 1
    }
    store(UInt8(ascii: "."))
    // The zeros after the point are those that the digits do not reach.
    for place in 0..<size { base[at &+ place] = UInt8(ascii: "0") }
    at &+= size
    storeBackwards(UInt64(fraction))
  }

  /// Stores a number that counts parts of a unit, a power of ten.
  mutating func fixedPoint(_ value: Int64, unit: UInt64) {
    if value < 0 { store(UInt8(ascii: "-")) }
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    digits(whole)
    var (fraction, digit) = (rest, unit / 10)
    if fraction != 0 { store(UInt8(ascii: ".")) }
    while fraction != 0 {
      store(UInt8(ascii: "0") + UInt8(fraction / digit))
      (fraction, digit) = (fraction % digit, digit / 10)
    }
  }

  /// Stores digits before the place reached, two at a time.
  @inline(__always)
  private func storeBackwards(_ value: UInt64) {
    let pairs = JSONCursor.pairs.utf8Start
    var left = value
    var end = base + at
    while left >= 100 {
      let quotient = left / 100
      let pair = pairs + Int(truncatingIfNeeded: left &- quotient &* 100) &* 2
      left = quotient
      end -= 2
      end[0] = pair[0]
      end[1] = pair[1]
    }
    if left >= 10 {
      let pair = pairs + Int(truncatingIfNeeded: left) &* 2
      end[-2] = pair[0]
      end[-1] = pair[1]
    } else {
      end[-1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: left)
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
