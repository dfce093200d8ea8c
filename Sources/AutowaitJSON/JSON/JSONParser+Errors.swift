/// What is said about a text that is not JSON.
///
/// None of this runs for a valid text, so all of it is about being understood.
extension JSONParser {
  /// Rejects what can only be wrong at the very beginning.
  func checkBeginning(_ text: Span<UInt8>) throws(JSONError) {
    if text.count > JSONDocument.bytesMax {
      throw JSONError(
        offset: JSONDocument.bytesMax, length: 1, message: "the text is longer than 512 MiB")
    }
    guard text.count >= 2 else { return }
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      throw JSONError(
        offset: 0, length: 3,
        message: "the text begins with a byte order mark, which JSON does not allow")
    }
    // RFC 8259 section 8.1: JSON is exchanged in UTF-8 and nothing else.
    let mark = UInt16(text[0]) << 8 | UInt16(text[1])
    if mark == 0xFEFF || mark == 0xFFFE || text[0] == 0 || text[1] == 0 {
      throw JSONError(offset: 0, length: 2, message: "the text is not UTF-8 but UTF-16 or UTF-32")
    }
  }

  func endOfText(_ text: Span<UInt8>) -> JSONError {
    let message =
      switch openNote {
      case nil: "expected a value but found the end of the text"
      case .some: "the text ends too early"
      }
    return JSONError(offset: text.count, length: 0, message: message, note: openNote)
  }

  static func endOfString(_ text: Span<UInt8>, _ start: Int) -> JSONError {
    JSONError(
      offset: text.count, length: 0, message: "the text ends inside a string",
      note: JSONError.Note(offset: start, message: "the string begins"))
  }

  static func controlCharacter(_ byte: UInt8, _ at: Int) -> JSONError {
    let escape =
      switch byte {
      case 0x08: "\\b"
      case 0x09: "\\t"
      case 0x0A: "\\n"
      case 0x0C: "\\f"
      case 0x0D: "\\r"
      default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    return JSONError(
      offset: at, length: 1,
      message: "a string may not hold a control character; write it as '\(escape)'")
  }

  static func unknownEscape(_ text: Span<UInt8>, _ at: Int) -> JSONError {
    guard let letter = scalar(text, at + 1) else { return invalidScalar(text, at + 1) }
    let name = isPrintable(letter) ? "'\\\(letter)'" : "'\\' before \(codePoint(letter))"
    return JSONError(
      offset: at, length: 1 + UTF8.width(letter), message: "unknown escape \(name)")
  }

  static func invalidScalar(_ text: Span<UInt8>, _ at: Int) -> JSONError {
    let lead = text[at]
    let second: UInt8 = at + 1 < text.count ? text[at + 1] : 0
    let isFollowed = second & 0xC0 == 0x80
    let what =
      switch lead {
      case 0x80...0xBF: "a continuation byte without a beginning"
      case 0xC0...0xC1: "an overlong form"
      case 0xE0 where isFollowed && second < 0xA0: "an overlong form"
      case 0xF0 where isFollowed && second < 0x90: "an overlong form"
      case 0xED where isFollowed && second > 0x9F: "a surrogate"
      case 0xF4 where isFollowed && second > 0x8F: "a scalar above U+10FFFF"
      case 0xF5...0xFF: "a byte that never occurs"
      default: "a sequence that ends too early"
      }
    return JSONError(offset: at, length: 1, message: "invalid UTF-8: \(what)")
  }

  func unexpectedInsteadOfValue(_ text: Span<UInt8>, _ at: Int) -> JSONError {
    let byte = text[at]
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      let closer = byte == UInt8(ascii: "]") ? "]" : "}"
      if JSONParser.follows(UInt8(ascii: ","), text, at) {
        return JSONError(
          offset: at, length: 1, message: "expected a value after ',' but found '\(closer)'")
      }
      return JSONError(offset: at, length: 1, message: "expected a value but found '\(closer)'")
    case UInt8(ascii: "'"):
      return JSONError(offset: at, length: 1, message: "strings are quoted with '\"', not with '''")
    case UInt8(ascii: "."):
      return JSONError(
        offset: at, length: 1, message: "expected a digit before the decimal point")
    case UInt8(ascii: "+"):
      return JSONError(offset: at, length: 1, message: "a number may not begin with '+'")
    default:
      return unexpected(text, at, "expected a value")
    }
  }

  func unexpectedInsteadOfKey(_ text: Span<UInt8>, _ at: Int) -> JSONError {
    switch text[at] {
    case UInt8(ascii: "}"):
      JSONError(offset: at, length: 1, message: "expected a key after ',' but found '}'")
    case UInt8(ascii: "'"):
      JSONError(offset: at, length: 1, message: "keys are quoted with '\"', not with '''")
    default:
      unexpected(text, at, "expected a key in quotation marks")
    }
  }

  /// Returns an error that names what was expected and what stands there instead.
  func unexpected(_ text: Span<UInt8>, _ at: Int, _ expected: String) -> JSONError {
    if JSONParser.matches("//", text, at) || JSONParser.matches("/*", text, at) {
      return JSONError(offset: at, length: 2, message: "JSON has no comments")
    }
    var end = at
    while end < text.count, end - at < 20, JSONParser.isWordByte(text[end]) { end += 1 }
    if end > at {
      var word = ""
      for index in at..<end { word.unicodeScalars.append(Unicode.Scalar(text[index])) }
      return JSONError(
        offset: at, length: end - at, message: "\(expected) but found '\(word)'")
    }
    guard let scalar = JSONParser.scalar(text, at) else {
      return JSONParser.invalidScalar(text, at)
    }
    let name =
      JSONParser.isPrintable(scalar) ? "'\(scalar)'" : JSONParser.codePoint(scalar)
    return JSONError(
      offset: at, length: UTF8.width(scalar), message: "\(expected) but found \(name)")
  }

  /// Says how a number is written with its unit, if a unit stands at an offset behind a number.
  static func quantityHelp(_ text: Span<UInt8>, _ at: Int) -> String? {
    var end = at
    while end < text.count, end - at < 20, isUnitByte(text[end]) { end += 1 }
    var behind = at
    while behind > 0, text[behind - 1] == 0x20 { behind -= 1 }
    var start = behind
    while start > 0, behind - start < 20, isNumberByte(text[start - 1]) { start -= 1 }
    guard end > at, start < behind, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[behind - 1] else {
      return nil
    }
    var quantity = ""
    for index in start..<behind { quantity.unicodeScalars.append(Unicode.Scalar(text[index])) }
    quantity += " "
    for index in at..<end { quantity.unicodeScalars.append(Unicode.Scalar(text[index])) }
    return "a number with a unit must be in quotation marks: \"\(quantity)\""
  }

  private static func isUnitByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) && byte != UInt8(ascii: "_") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "%")
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  /// Returns whether the last byte before an offset that is not white space is a given one.
  private static func follows(_ byte: UInt8, _ text: Span<UInt8>, _ at: Int) -> Bool {
    var index = at - 1
    while index >= 0, text[index] <= 0x20 { index -= 1 }
    return index >= 0 && text[index] == byte
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == UInt8(ascii: "_")
    }
  }

  /// Returns the scalar at an offset, or nil when its bytes are not UTF-8.
  private static func scalar(_ text: Span<UInt8>, _ at: Int) -> Unicode.Scalar? {
    var bytes = [text[at]]
    while bytes.count < 4, at + bytes.count < text.count, text[at + bytes.count] & 0xC0 == 0x80,
      text[at] >= 0xC0
    {
      bytes.append(text[at + bytes.count])
    }
    // One continuation byte too many is the next error, not this one.
    for count in stride(from: bytes.count, to: 0, by: -1) {
      if let string = String(validating: bytes.prefix(count), as: UTF8.self),
        string.unicodeScalars.count == 1
      {
        return string.unicodeScalars.first
      }
    }
    return nil
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(scalar)
    return text.printable == text
  }

  /// Returns a scalar by its number: `U+200B`.
  private static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
