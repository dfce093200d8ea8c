/// A key of a terminal.
enum LiveKey: Hashable {
  case left, right, up, down, enter, erase, escape
  case letter(Character)

  /// Returns the keys that a terminal sent; a sequence that is cut off, or none of these, is left
  /// out.
  static func keys(_ bytes: [UInt8]) -> [LiveKey] {
    var keys: [LiveKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B: keys += sequence(&rest)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.erase)
      case 0x80...: continue
      default: keys.append(.letter(Character(UnicodeScalar(byte))))
      }
    }
    return keys
  }

  /// Reads what follows an escape: nothing, where the key itself was hit.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> [LiveKey] {
    guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
      return [.escape]
    }
    rest.removeFirst()
    // Parameters come before the letter that ends the sequence.
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "A"): return [.up]
      case UInt8(ascii: "B"): return [.down]
      case UInt8(ascii: "C"): return [.right]
      case UInt8(ascii: "D"): return [.left]
      case 0x20...0x3F: continue
      default: return []
      }
    }
    return []
  }
}
