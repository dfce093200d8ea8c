/// Strings, numbers and words.
extension JSONParser {
  /// Returns whether a word stands at an offset; what follows it is the caller's to judge.
  @inline(__always)
  package static func matches(_ word: StaticString, _ text: Span<UInt8>, _ at: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - at >= count else { return false }
    for index in 0..<count where text[at + index] != word.utf8Start[index] { return false }
    return true
  }

  /// Steps over a number.
  @inline(__always)
  static func scanNumber(_ text: Span<UInt8>, _ at: inout Int) throws(JSONError) {
    let start = at
    if text[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    skipDigits(text, &at)
    guard at > first else {
      throw numberError(text, at, start, "expected a digit after '-'")
    }
    if text[first] == UInt8(ascii: "0"), at > first + 1 {
      throw JSONError(
        offset: first, length: at - first, message: "a number may not begin with a zero")
    }
    guard at < text.count else { return }
    if text[at] == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      skipDigits(text, &at)
      guard at > fraction else {
        throw numberError(text, at, start, "expected a digit after the decimal point")
      }
      guard at < text.count else { return }
    }
    if text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < text.count, text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") {
        at += 1
      }
      let exponent = at
      skipDigits(text, &at)
      guard at > exponent else {
        throw numberError(text, at, start, "expected a digit in the exponent")
      }
    }
  }

  @inline(__always)
  private static func skipDigits(_ text: Span<UInt8>, _ at: inout Int) {
    while at < text.count, text[at] &- UInt8(ascii: "0") < 10 { at += 1 }
  }

  private static func numberError(
    _ text: Span<UInt8>, _ at: Int, _ start: Int, _ message: String
  ) -> JSONError {
    JSONError(
      offset: at, length: at < text.count ? 1 : 0, message: message,
      note: JSONError.Note(offset: start, message: "the number begins"))
  }

  /// Steps over a string; returns whether it holds an escape.
  @inline(__always)
  static func scanString(_ text: Span<UInt8>, _ at: inout Int) throws(JSONError) -> Bool {
    let start = at
    at += 1
    var hasEscapes = false
    while true {
      skipPlain(text, &at)
      guard at < text.count else { throw endOfString(text, start) }
      let byte = text[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return hasEscapes
      }
      if byte >= 0x80 {
        at += try scalarLength(text, at)
      } else if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try scanEscape(text, &at, start)
      } else {
        throw controlCharacter(byte, at)
      }
    }
  }

  /// Steps over printable ASCII that is neither a quotation mark nor a backslash.
  @inline(__always)
  private static func skipPlain(_ text: Span<UInt8>, _ at: inout Int) {
    let raw = text.bytes
    let ones: UInt64 = 0x0101_0101_0101_0101
    while at &+ 8 <= text.count {
      // Eight bytes at once. A borrow can only mark bytes above one that is rightly marked, so
      // the lowest mark, the first byte in the text, is exact.
      let word = UInt64(
        littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let stop =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        | ((word &- (ones &* 0x20)) & ~word) | word
      let marks = stop & (ones &* 0x80)
      if marks != 0 {
        at += marks.trailingZeroBitCount >> 3
        return
      }
      at += 8
    }
    while at < text.count {
      let byte = text[at]
      if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return }
      at += 1
    }
  }

  private static func scanEscape(
    _ text: Span<UInt8>, _ at: inout Int, _ start: Int
  ) throws(JSONError) {
    guard at + 1 < text.count else { throw endOfString(text, start) }
    switch text[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
    case UInt8(ascii: "u"):
      try scanUnicodeEscape(text, &at, start)
    default:
      throw unknownEscape(text, at)
    }
  }

  /// Steps over `\uXXXX`, or over the two of a surrogate pair.
  private static func scanUnicodeEscape(
    _ text: Span<UInt8>, _ at: inout Int, _ start: Int
  ) throws(JSONError) {
    let unit = try hexadecimal(text, at, start)
    guard unit & 0xF800 == 0xD800 else {
      at += 6
      return
    }
    guard unit < 0xDC00 else {
      throw JSONError(
        offset: at, length: 6, message: "a low surrogate needs a high surrogate before it")
    }
    let next = at + 6
    guard next + 1 < text.count, text[next] == UInt8(ascii: "\\"),
      text[next + 1] == UInt8(ascii: "u"),
      try hexadecimal(text, next, start) & 0xFC00 == 0xDC00
    else {
      if next >= text.count { throw endOfString(text, start) }
      throw JSONError(
        offset: at, length: 6, message: "a high surrogate needs a low surrogate after it")
    }
    at += 12
  }

  /// Returns the number that the four digits of a `\uXXXX` at an offset spell.
  private static func hexadecimal(
    _ text: Span<UInt8>, _ at: Int, _ start: Int
  ) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for index in at + 2..<at + 6 {
      guard index < text.count else { throw endOfString(text, start) }
      guard let digit = hexadecimalDigit(text[index]) else {
        throw JSONError(
          offset: at, length: index - at,
          message: "expected four hexadecimal digits after '\\u'")
      }
      value = value << 4 | digit
    }
    return value
  }

  @inline(__always)
  static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Returns the length of the well-formed scalar at an offset, by the table of RFC 3629.
  package static func scalarLength(
    _ text: Span<UInt8>, _ at: Int
  ) throws(JSONError) -> Int {
    let lead = text[at]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: throw invalidScalar(text, at)
    }
    guard at + length <= text.count, second.contains(text[at + 1]) else {
      throw invalidScalar(text, at)
    }
    for index in at + 2..<max(at + length, at + 2) where text[index] & 0xC0 != 0x80 {
      throw invalidScalar(text, at)
    }
    return length
  }
}
