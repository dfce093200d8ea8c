/// How wide a text is about to be, since nothing here knows the reader's fonts.
enum TextWidth {
  /// The size of the letters of figures.
  static let size = 11

  /// Returns the width of a text in letters of a size, as sans serif fonts have it on average.
  ///
  /// Assumed: the shares of the size below, between those of Helvetica and of wider fonts.
  static func of(_ text: String, size: Int = size) -> Length {
    var hundredths: Int64 = 0
    for scalar in text.unicodeScalars { hundredths += Int64(share(scalar)) }
    return Length(tenths: Int(clamping: (hundredths * Int64(size) + 9) / 10))
  }

  /// The share of the letters' size that a character fills, in hundredths.
  private static func share(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "i", "j", "l", "I", "|", "!", ".", ",", ":", ";", "'": return 31
    case "f", "t", "r", "(", ")", "[", "]", "/", "-", " ", "\u{A0}": return 38
    case "m", "w", "M", "W", "@", "%", "…", "→": return 88
    case "0"..."9": return 62
    default: break
    }
    switch scalar.value {
    case 0x41...0x5A: return 70
    case 0x21...0x24F: return 60
    case 0x300...0x36F: return 0
    default: return 100
    }
  }

  /// Returns a text that fits a width, with an ellipsis where its end was cut; nothing if there is
  /// room for less than two characters.
  static func shortened(_ text: String, to width: Length, size: Int = size) -> String {
    let text = MarkupText.plain(text)
    if of(text, size: size) <= width { return text }
    var kept: [Character] = []
    var filled = of("…", size: size)
    for character in text {
      let own = of(String(character), size: size)
      if filled + own > width { break }
      filled += own
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept.count < 2 ? "" : String(kept) + "…"
  }

  /// Returns a text in lines that fit a width, broken at spaces; a longer word stands alone.
  static func lines(_ text: String, within width: Length) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, of(last + " " + word) <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
