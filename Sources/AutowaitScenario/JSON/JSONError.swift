/// The reason why a text is not JSON, and the place where it stops being so.
public struct JSONError: Error, Hashable, Sendable {
  /// The offset of the first byte that is wrong; the length of the text when its end is.
  public let offset: Int
  /// The number of bytes that are wrong, 0 at the end of the text.
  public let length: Int
  /// What is wrong, in lower case and without a full stop.
  public let message: String
  /// A second place that explains the first.
  public var note: Note?

  /// A second place of an error.
  public struct Note: Hashable, Sendable {
    /// The offset of the byte that the note is about.
    public let offset: Int
    /// What begins there, such as `the array begins`.
    public let message: String
  }

  /// The bytes that are wrong.
  public var range: Range<Int> { offset..<offset + length }
}
