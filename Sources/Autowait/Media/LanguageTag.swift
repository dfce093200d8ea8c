/// The tag of a language, such as `en`, `pt-BR` or `zh-Hant-TW` (BCP 47).
package struct LanguageTag: Hashable, Sendable {
  /// Its subtags in lower case: no letter of a tag tells more than another one of its case.
  package let subtags: [[UInt8]]

  /// Takes a tag apart; nil if it is none.
  package init?(_ text: String) {
    var subtags: [[UInt8]] = [[]]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        subtags[subtags.count - 1].append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): subtags[subtags.count - 1].append(byte | 0x20)
      case UInt8(ascii: "-"): subtags.append([])
      default: return nil
      }
    }
    if subtags.contains(where: { $0.isEmpty || $0.count > 8 }) { return nil }
    // A language has two letters or more.
    guard subtags[0].count > 1, subtags[0].allSatisfy({ $0 >= UInt8(ascii: "a") }) else {
      return nil
    }
    self.subtags = subtags
  }

  /// Returns how many of the first subtags of both are the same.
  private func commonCount(_ other: LanguageTag) -> Int {
    zip(subtags, other.subtags).prefix { $0.0 == $0.1 }.count
  }

  /// Whether the tag meets a wish for a language.
  package func meets(_ wish: LanguageTag) -> Bool { closeness(to: wish) > 0 }

  /// Returns how well the tag meets a wish, by subtags: zero if it is another language.
  ///
  /// The tag itself is best; then one that says more (RFC 4647, 3.3.1); then one that says less,
  /// the nearest first (3.4).
  func closeness(to wish: LanguageTag) -> Int {
    let common = commonCount(wish)
    if common == wish.subtags.count { return common == subtags.count ? .max : .max - 1 }
    return common == subtags.count ? common : 0
  }
}
