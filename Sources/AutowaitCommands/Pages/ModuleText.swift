/// The module as text in a page: thirteen bits in two of 91 characters, where base 64 has twelve.
///
/// It takes a thirteenth less room. The characters are those that ASCII prints but `&`, `<` and
/// `\`, in the order of their codes; the script of the page reads them.
package enum ModuleText {
  private static let digits = (33...126).map { UInt8($0) }.filter { !#"&<\"#.utf8.contains($0) }

  /// Returns the text: what is left of the last bits takes one character if it has at most six.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 16 / 13 + 2)
    var word: UInt32 = 0, bits: UInt32 = 0
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      if bits < 13 { continue }
      bits -= 13
      appendPair(word >> bits, to: &text)
      word &= (1 << bits) - 1
    }
    if bits > 6 {
      appendPair(word << (13 - bits), to: &text)
    } else if bits > 0 {
      text.append(digits[Int(word << (6 - bits))])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func appendPair(_ bits: UInt32, to text: inout [UInt8]) {
    text.append(digits[Int(bits / 91)])
    text.append(digits[Int(bits % 91)])
  }
}
