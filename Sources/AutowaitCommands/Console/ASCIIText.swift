import AutowaitScenario

/// A text for people in nothing but ASCII, for terminals and locales that know nothing else.
///
/// Each sign of a strip stays one sign, so that columns stay columns. What becomes longer takes the
/// room from the next gap of its line, where there is one.
enum ASCIIText {
  /// Returns a text of one or several lines in ASCII; sequences that change the colour of text are
  /// ASCII already.
  static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0)) }.joined(separator: "\n")
  }

  private static func line(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = ""
    // So many columns were used that the line had not before.
    var debt = 0
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == " " {
        var end = index
        while end < scalars.count, scalars[end] == " " { end += 1 }
        let gap = end - index
        let repaid = min(debt, gap - 1)
        result += String(repeating: " ", count: gap - repaid)
        debt -= repaid
        index = end
        continue
      }
      if scalar == "…", index + 1 == scalars.count, result.last?.isLetter ?? false {
        // A text that was cut to fit is cut a little more.
        result = String(result.dropLast(2)) + "..."
      } else {
        let isFirst = index == 0 || !isSuperscript(scalars[index - 1])
        let word = (isSuperscript(scalar) && isFirst ? "^" : "") + spelled(scalar)
        result += word
        debt += max(0, word.utf8.count - 1)
      }
      index += 1
    }
    return result
  }

  /// Returns how a scalar is spelled; `?` for one that no other stands for.
  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII { return String(scalar) }
    if let row = table.first(where: { $0.scalar == scalar }) { return row.spelling }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return ""
    default: return "?"
    }
  }

  private static func isSuperscript(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xB2, 0xB3, 0xB9, 0x2070...0x207F: true
    default: false
    }
  }

  private static let table: [(scalar: Unicode.Scalar, spelling: String)] = [
    // Levels, from the lowest.
    ("▁", "."), ("▂", ":"), ("▃", "-"), ("▄", "="), ("▅", "+"), ("▆", "*"), ("▇", "#"),
    ("█", "@"),
    // States and marks of strips.
    ("·", "."), ("━", "="), ("■", "#"), ("○", "o"), ("▾", "v"), ("×", "x"), ("✓", "+"),
    ("✗", "x"), ("↗", "/"), ("↘", "\\"), ("↑", "^"), ("↓", "v"),
    // Lines.
    ("─", "-"), ("├", "|"), ("┤", "|"), ("┬", "+"), ("│", "|"),
    // What stands in sentences.
    ("\u{A0}", " "), ("…", "..."), ("→", "->"), ("−", "-"), ("–", "-"), ("—", "-"), ("±", "+-"),
    ("≤", "<="), ("≥", ">="), ("≈", "~"), ("÷", "/"), ("√", "sqrt "), ("∛", "cbrt "),
    ("∞", "inf"), ("½", "1/2"), ("⅓", "1/3"), ("⅞", "7/8"), ("µ", "u"), ("μ", "u"),
    ("α", "alpha"), ("β", "beta"), ("⌊", "floor("), ("⌋", ")"), ("´", "'"), ("‘", "'"),
    ("’", "'"), ("“", "\""), ("”", "\""),
    ("¹", "1"), ("²", "2"), ("³", "3"), ("⁰", "0"), ("⁴", "4"), ("⁵", "5"), ("⁶", "6"),
    ("⁷", "7"), ("⁸", "8"), ("⁹", "9"), ("⁻", "-"), ("ⁿ", "n"),
  ]
}
