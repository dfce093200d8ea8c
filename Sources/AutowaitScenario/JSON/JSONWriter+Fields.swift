/// A key and its value in one call.
extension JSONWriter {
  /// Writes a member whose value is a string that needs no escape.
  public mutating func field(_ name: StaticString, _ value: StaticString) {
    key(name)
    string(value)
  }

  /// Writes a member whose value is a string.
  public mutating func field(_ name: StaticString, text value: String) {
    key(name)
    string(text: value)
  }

  /// Writes a member whose value is a whole number.
  public mutating func field(_ name: StaticString, _ value: Int64) {
    key(name)
    integer(value)
  }

  /// Writes a member whose value is true or false.
  public mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Writes a member whose value is a time in nanoseconds, written as seconds.
  public mutating func field(_ name: StaticString, seconds nanoseconds: Int64) {
    key(name)
    seconds(nanoseconds: nanoseconds)
  }

  /// Writes a member whose value counts millionths.
  public mutating func field(_ name: StaticString, millionths value: Int64) {
    key(name)
    millionths(value)
  }
}
