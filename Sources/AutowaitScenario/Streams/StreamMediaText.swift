/// Breaks the one line of a stream into lines that people can read.
enum StreamMediaText {
  /// Where a line ends at the next comma, between the members of an object or deeper.
  private static func width(_ depth: Int) -> Int { depth == 3 ? 60 : 80 }

  /// Returns the same JSON with line ends and indents: a line for each member of the outer object,
  /// and for each element of its arrays of objects.
  static func lines(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 5 / 4)
    var (depth, column) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    /// Whether the array at the second depth holds objects.
    var holdsObjects = false
    func end(_ indent: Int) {
      result.append(0x0A)
      result += Array(repeating: 0x20, count: indent)
      column = indent
    }
    for (place, byte) in bytes.enumerated() {
      if !isInString, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
        if depth == 0 || depth == 1 && holdsObjects { end(2 * depth) }
      }
      result.append(byte)
      column += 1
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: ":"):
        result.append(0x20)
        column += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 2 {
          holdsObjects = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "{")
        }
        if depth == 1 || depth == 2 && holdsObjects { end(2 * depth) }
      case UInt8(ascii: ","):
        if depth == 1 || depth == 2 && holdsObjects {
          end(2 * depth)
        } else if column >= width(depth) {
          end(2 * depth)
        } else {
          result.append(0x20)
          column += 1
        }
      default: break
      }
    }
    result.append(0x0A)
    return result
  }
}
