/// Numbers as bytes, of which small numbers take few: seven bits a byte, the lowest first.
struct VariableLength {
  private(set) var bytes: [UInt8] = []
  private var place = 0

  /// Begins to write numbers.
  init() {}

  /// Begins to read numbers.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all numbers are read.
  var isAtEnd: Bool { place == bytes.count }

  /// The bytes in an array without room for more, which one that has grown keeps.
  var exactBytes: [UInt8] { bytes.withUnsafeBufferPointer { Array($0) } }

  /// Adds a byte as it is.
  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Reads a byte as it is.
  mutating func nextByte() -> UInt8 {
    place += 1
    return bytes[place - 1]
  }

  /// Adds a number.
  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number.
  mutating func next() -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      assert(shift < 64, "a number of more than 64 bits at byte \(place)")
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
