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
public struct JSONWriter: Sendable {
  /// How the text is laid out.
  public enum Style: Hashable, Sendable {
    /// All in one line, without a space.
    case compact
    /// A line for each member and element, indented by two spaces a level.
    case pretty
  }

  /// The layout.
  public let style: Style

  /// The buffer: always initialized to its end, so that writing is storing.
  var buffer: [UInt8]
  /// The number of bytes written.
  public private(set) var count = 0

  /// Whether a value stands before the next one in the same container.
  private var needsComma = false
  /// Whether a key stands before the next value.
  private var followsKey = false
  private var depth = 0

  /// Creates a writer with room for a number of bytes; more room is made when it is needed.
  public init(_ style: Style = .compact, capacity: Int = 0) {
    self.style = style
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  /// The bytes written so far, copied.
  public var bytes: [UInt8] { Array(buffer[..<count]) }

  /// Gives the bytes written so far to a function without copying them.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try buffer.withUnsafeBufferPointer { (all) throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: all[..<count]))
    }
  }

  /// Forgets what was written and keeps the room for it.
  public mutating func removeAll() {
    count = 0
    needsComma = false
    followsKey = false
    depth = 0
  }

  /// Begins an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the innermost object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the innermost array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Ends a line of JSON Lines, or the last line of a file.
  public mutating func endLine() {
    precondition(depth == 0, "a line ends inside an object or array")
    room(1)
    store(0x0A)
    needsComma = false
  }

  /// Writes the key of the next value; it must need no escape.
  public mutating func key(_ key: StaticString) {
    separate(key.utf8CodeUnitCount + 4)
    storeQuoted(key)
    storeColon()
  }

  /// Writes the key of the next value.
  public mutating func key(text key: String) {
    separate(4)
    storeEscaped(key)
    room(2)
    storeColon()
  }

  /// Writes a string that needs no escape.
  public mutating func string(_ text: StaticString) {
    separate(text.utf8CodeUnitCount + 2)
    storeQuoted(text)
  }

  /// Writes a string.
  public mutating func string(text: String) {
    separate(2)
    storeEscaped(text)
  }

  /// Writes a whole number.
  public mutating func integer(_ value: Int64) {
    separate(20)
    if value < 0 { store(UInt8(ascii: "-")) }
    storeDigits(value.magnitude)
  }

  /// Writes a whole number.
  public mutating func integer(_ value: UInt64) {
    separate(20)
    storeDigits(value)
  }

  /// Writes nanoseconds as seconds, exactly and without zeros at the end: `0.3496875`, `6`.
  public mutating func seconds(nanoseconds: Int64) {
    separate(21)
    storeSeconds(nanoseconds)
  }

  /// Writes millionths as a number, exactly and without zeros at the end: `1.5`.
  public mutating func millionths(_ value: Int64) {
    fixedPoint(value, unit: 1_000_000)
  }

  /// Writes true or false.
  public mutating func bool(_ value: Bool) {
    separate(5)
    store(value ? "true" : "false")
  }

  /// Writes null.
  public mutating func null() {
    separate(4)
    store("null")
  }

  /// Writes a number exactly.
  public mutating func decimal(_ value: ExactDecimal) {
    separate(0)
    storeRaw(value.text)
  }

  /// Writes a value of a document again: its numbers as they were spelled, in this layout.
  public mutating func value(_ value: JSONValue) {
    switch value.kind {
    case .null: null()
    case .false: bool(false)
    case .true: bool(true)
    case .string: string(text: value.string ?? "")
    case .number:
      separate(0)
      storeRaw(String(decoding: value.source.bytes[value.range], as: UTF8.self))
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
  mutating func fixedPoint(_ value: Int64, unit: Int64) {
    separate(22)
    if value < 0 { store(UInt8(ascii: "-")) }
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit.magnitude)
    storeDigits(whole)
    var (fraction, digit) = (rest, unit.magnitude / 10)
    if fraction != 0 { store(UInt8(ascii: ".")) }
    while fraction != 0 {
      store(UInt8(ascii: "0") + UInt8(fraction / digit))
      (fraction, digit) = (fraction % digit, digit / 10)
    }
  }

  /// Writes what separates a value or key from what stands before it, and makes room.
  @inline(__always)
  private mutating func separate(_ size: Int) {
    if style == .pretty {
      separatePretty()
      room(size)
      return
    }
    room(size + 1)
    if needsComma, !followsKey { store(UInt8(ascii: ",")) }
    needsComma = true
    followsKey = false
  }

  private mutating func separatePretty() {
    if !followsKey {
      if needsComma {
        room(1)
        store(UInt8(ascii: ","))
      }
      if depth > 0 { storeIndentedLine() }
    }
    needsComma = true
    followsKey = false
  }

  private mutating func storeIndentedLine() {
    room(1 + 2 * depth)
    store(0x0A)
    for _ in 0..<2 * depth { store(0x20) }
  }

  @inline(__always)
  private mutating func storeColon() {
    store(UInt8(ascii: ":"))
    if style == .pretty { store(0x20) }
    followsKey = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate(1)
    store(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0, "nothing is open")
    precondition(!followsKey, "a key has no value")
    depth -= 1
    if style == .pretty, needsComma { storeIndentedLine() }
    room(1)
    store(bracket)
    needsComma = true
  }

  /// Makes room for more bytes.
  @inline(__always)
  mutating func room(_ size: Int) {
    if buffer.count - count < size { grow(size) }
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    let more = max(buffer.count, size, 256)
    buffer.append(contentsOf: repeatElement(0, count: more))
  }

  /// Moves the end of what is written.
  @inline(__always)
  mutating func advance(_ size: Int) { count &+= size }
}
