/// Writes JSON into a buffer of bytes, member by member in the order of the calls.
///
/// It is meant for logs of a million lines a second: no `String` is built, and each call checks
/// once that there is room. The order of calls is the order of the text, so that equal runs give
/// equal bytes. What is written is the caller's duty: a key before each value of an object.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.field("t", seconds: 349_687_500)
///     writer.field("event", "playbackStalled")
///     writer.endObject()
///     writer.endLine()
package struct JSONWriter: Sendable {
  /// How the text is laid out.
  package enum Style: Hashable, Sendable {
    /// All in one line, without a space.
    case compact
    /// A line for each member and element, indented by two spaces a level.
    case pretty
  }

  /// The layout.
  package let style: Style

  /// The buffer: always initialized to its end, so that writing is storing.
  private var buffer: [UInt8]
  /// The number of bytes written.
  package private(set) var count = 0

  /// Whether a value stands before the next one in the same container.
  private var needsComma = false
  /// Whether a key stands before the next value.
  private var followsKey = false
  private var depth = 0

  /// Creates a writer with room for a number of bytes; more room is made when it is needed.
  package init(_ style: Style = .compact, capacity: Int = 0) {
    self.style = style
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  /// The bytes written so far, copied.
  package var bytes: [UInt8] { Array(buffer[..<count]) }

  /// Gives the bytes written so far to a function without copying them.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try buffer.withUnsafeBufferPointer { (all) throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: all[..<count]))
    }
  }

  /// Forgets what was written and keeps the room for it.
  package mutating func removeAll() {
    count = 0
    needsComma = false
    followsKey = false
    depth = 0
  }

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the innermost object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the innermost array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Ends a line of JSON Lines, or the last line of a file.
  package mutating func endLine() {
    precondition(depth == 0, "a line ends inside an object or array")
    store(1) { $0.store(0x0A as UInt8) }
    needsComma = false
  }

  /// Writes the key of the next value; it must need no escape.
  package mutating func key(_ key: StaticString) {
    write(key.utf8CodeUnitCount + 4) { $0.key(key) }
    followsKey = true
  }

  /// Writes the key of the next value.
  package mutating func key(text key: String) {
    write(6 * key.utf8.count + 4) {
      $0.quoteEscaping(key)
      $0.colon()
    }
    followsKey = true
  }

  /// Writes a string that needs no escape.
  package mutating func string(_ text: StaticString) {
    write(text.utf8CodeUnitCount + 2) { $0.quote(text) }
  }

  /// Writes a string.
  package mutating func string(text: String) {
    // Six bytes for each, in case that all of them are control characters.
    write(6 * text.utf8.count + 2) { $0.quoteEscaping(text) }
  }

  /// Writes a whole number.
  package mutating func integer(_ value: Int64) {
    write(20) { $0.integer(value) }
  }

  /// Writes a whole number.
  package mutating func integer(_ value: UInt64) {
    write(20) { $0.digits(value) }
  }

  /// Writes nanoseconds as seconds, exactly and without zeros at the end: `0.3496875`, `6`.
  package mutating func seconds(nanoseconds: Int64) {
    write(21) { $0.seconds(nanoseconds) }
  }

  /// Writes millionths as a number, exactly and without zeros at the end: `1.5`.
  package mutating func millionths(_ value: Int64) {
    fixedPoint(value, unit: 1_000_000)
  }

  /// Writes true or false.
  package mutating func bool(_ value: Bool) {
    write(5) { $0.store(value ? "true" : "false") }
  }

  /// Writes null.
  package mutating func null() {
    write(4) { $0.store("null") }
  }

  /// Writes a number exactly.
  package mutating func decimal(_ value: ExactDecimal) {
    raw(value.text)
  }

  /// Writes a value of a document again: its numbers as they were spelled, in this layout.
  package mutating func value(_ value: JSONValue) {
    switch value.kind {
    case .null: null()
    case .false: bool(false)
    case .true: bool(true)
    case .string: string(text: value.string ?? "")
    case .number: raw(String(decoding: value.source.bytes[value.range], as: UTF8.self))
    case .array:
      beginArray()
      for element in value.elements { self.value(element) }
      endArray()
    case .object:
      beginObject()
      for member in value.members {
        key(text: member.key.string ?? "")
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Writes a number that counts parts of a unit, a power of ten.
  package mutating func fixedPoint(_ value: Int64, unit: Int64) {
    write(22) { $0.fixedPoint(value, unit: unit.magnitude) }
  }

  /// Writes a value that is spelled already.
  package mutating func raw(_ text: String) {
    write(text.utf8.count) { cursor in
      for byte in text.utf8 { cursor.store(byte) }
    }
  }

  /// Writes a key or value of at most a number of bytes, after what separates it from the last.
  @inline(__always)
  mutating func write(_ size: Int, _ body: (inout JSONCursor) -> Void) {
    let separator = needsComma && !followsKey
    let indent = style == .pretty && !followsKey && depth > 0 ? 2 * depth : -1
    needsComma = true
    followsKey = false
    store(size + indent + 2) { cursor in
      if separator { cursor.store(UInt8(ascii: ",")) }
      if indent >= 0 { cursor.newLine(indent) }
      body(&cursor)
    }
  }

  /// Begins a line of at most a number of bytes, which opens an object.
  @inline(__always)
  mutating func beginLine(_ size: Int, _ body: (inout JSONCursor) -> Void) {
    precondition(depth == 0 && style == .compact, "a record begins inside an object or array")
    store(size, body)
    depth = 1
    needsComma = true
  }

  /// Ends such a line with at most a number of bytes.
  @inline(__always)
  mutating func endLine(_ size: Int, _ body: (inout JSONCursor) -> Void) {
    precondition(depth == 1 && !followsKey, "a record ends inside an object or array")
    store(size, body)
    depth = 0
    needsComma = false
  }

  /// Makes room for a number of bytes and gives the place for them to a function.
  @inline(__always)
  private mutating func store(_ size: Int, _ body: (inout JSONCursor) -> Void) {
    if buffer.count &- count < size { grow(size) }
    let start = count
    let spaced = style == .pretty
    count = buffer.withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return start }
      var cursor = JSONCursor(base: base, at: start, isSpaced: spaced)
      body(&cursor)
      // The sizes above are upper bounds; a wrong one is a defect that must not go unnoticed.
      precondition(cursor.at <= all.count, "more was written than there was room for")
      return cursor.at
    }
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    let more = max(buffer.count, size, 256)
    buffer.append(contentsOf: repeatElement(0, count: more))
  }

  private mutating func begin(_ bracket: UInt8) {
    write(1) { $0.store(bracket) }
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0, "nothing is open")
    precondition(!followsKey, "a key has no value")
    depth -= 1
    let indent = style == .pretty && needsComma ? 2 * depth : -1
    store(indent + 2) { cursor in
      if indent >= 0 { cursor.newLine(indent) }
      cursor.store(bracket)
    }
    needsComma = true
  }
}

extension Int64 {
  /// The number of parts of a unit, a power of ten, as an exact decimal number of the unit.
  package func fixedPoint(_ unit: Int64) -> String {
    JSONWriter.text { $0.fixedPoint(self, unit: unit) }
  }
}
