/// Words that follow a number.
package enum Plural {
  /// Returns a number and a word, which takes an s but after 1.
  package static func text(_ count: Int64, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }

  /// Returns a number and a word, as for a count of 64 bits.
  package static func text(_ count: Int, _ word: String) -> String { text(Int64(count), word) }
}
