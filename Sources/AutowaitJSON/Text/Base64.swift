/// Bytes as text, as RFC 4648 has it.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let pad = UInt8(ascii: "=")

  /// Returns the text.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
      for place in 0..<4 {
        text.append(
          place <= part.count ? digits[Int(word >> (18 - 6 * UInt32(place)) & 63)] : pad)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes; nil for a text that ``text(_:)`` does not return.
  package static func bytes(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.reversed().prefix { $0 == pad }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var word = UInt32(0)
    for (place, digit) in text.dropLast(padding).enumerated() {
      guard let value = value(of: digit) else { return nil }
      word = word << 6 | value
      if place % 4 == 3 {
        bytes += [UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8)]
        bytes.append(UInt8(truncatingIfNeeded: word))
        word = 0
      }
    }
    // What is left has 12 or 18 bits, of which the last ones say nothing and must be zero.
    switch padding {
    case 0: break
    case 1:
      if word & 3 != 0 { return nil }
      bytes += [UInt8(truncatingIfNeeded: word >> 10), UInt8(truncatingIfNeeded: word >> 2)]
    default:
      if word & 15 != 0 { return nil }
      bytes.append(UInt8(truncatingIfNeeded: word >> 4))
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
