/// The reason why a text is not JSON, and the place where it stops being so.
package struct JSONError: Error, Hashable, Sendable {
  /// The offset of the first byte that is wrong; the length of the text when its end is.
  package let offset: Int
  /// The number of bytes that are wrong, 0 at the end of the text.
  package let length: Int
  /// What is wrong, in lower case and without a full stop.
  package let message: String
  /// A second place that explains the first.
  package var note: Note?
  /// What should be written instead, where that is plain.
  package var help: String?

  /// A second place of an error.
  package struct Note: Hashable, Sendable {
    /// The offset of the byte that the note is about.
    package let offset: Int
    /// What begins there, such as `the array begins`.
    package let message: String
  }

  /// The bytes that are wrong.
  package var range: Range<Int> { offset..<offset + length }
}
