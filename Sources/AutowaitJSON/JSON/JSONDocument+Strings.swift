/// The strings of a document, by the index of their node.
///
/// Keys are compared where they stand: a trace of a million objects has millions of them, and a
/// `String` for each would cost more than parsing did.
extension JSONDocument.Storage {
  /// Returns the string of a node, decoded.
  func string(_ index: Int) -> String {
    let node = nodes[index]
    let inner = node.range.lowerBound + 1..<node.range.upperBound - 1
    if node.hasEscapes { return JSONDocument.Storage.decode(source.bytes, inner) }
    return String(decoding: source.bytes[inner], as: UTF8.self)
  }

  /// Returns whether the string of a node decodes to a text.
  func isString(_ index: Int, _ text: String) -> Bool {
    let node = nodes[index]
    if node.hasEscapes { return string(index).utf8.elementsEqual(text.utf8) }
    guard Int(node.length) - 2 == text.utf8.count else { return false }
    let start = Int(node.offset) + 1
    // Only a string bridged from Foundation has no contiguous bytes; ours all have.
    return text.utf8.withContiguousStorageIfAvailable { letters in
      for (place, letter) in letters.enumerated() where source.bytes[start + place] != letter {
        return false
      }
      return true
    } ?? text.utf8.elementsEqual(source.bytes[start..<start + Int(node.length) - 2])
  }

  /// Returns whether the strings of two nodes decode to the same text.
  func areSameStrings(_ first: Int, _ second: Int) -> Bool {
    let (left, right) = (nodes[first], nodes[second])
    if left.hasEscapes || right.hasEscapes {
      return string(first).utf8.elementsEqual(string(second).utf8)
    }
    guard left.length == right.length else { return false }
    let distance = Int(right.offset) - Int(left.offset)
    for offset in left.range where source.bytes[offset] != source.bytes[offset + distance] {
      return false
    }
    return true
  }

  /// Returns the index of the first key of an object that decodes to a text, and the number of
  /// members before it.
  func member(of object: Int, _ key: String) -> (index: Int, place: Int)? {
    guard nodes[object].kind == .object else { return nil }
    let end = Int(nodes[object].next)
    var index = object + 1
    var place = 0
    while index < end {
      if isString(index, key) { return (index, place) }
      index = Int(nodes[index + 1].next)
      place += 1
    }
    return nil
  }

  /// Decodes the inside of a string that the parser found valid.
  private static func decode(_ bytes: [UInt8], _ inner: Range<Int>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(inner.count)
    var at = inner.lowerBound
    while at < inner.upperBound {
      guard bytes[at] == UInt8(ascii: "\\") else {
        result.append(bytes[at])
        at += 1
        continue
      }
      let letter = bytes[at + 1]
      at += 2
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"): appendUnicodeEscape(bytes, &at, &result)
      default: result.append(letter)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends the scalar whose four digits, or twice four, begin at an offset.
  private static func appendUnicodeEscape(
    _ bytes: [UInt8], _ at: inout Int, _ result: inout [UInt8]
  ) {
    func unit(_ start: Int) -> UInt32 {
      bytes[start..<start + 4].reduce(0) {
        $0 << 4 | (JSONParser.hexadecimalDigit($1) ?? 0)
      }
    }
    var value = unit(at)
    at += 4
    if value & 0xFC00 == 0xD800 {
      value = 0x1_0000 + (value & 0x3FF) << 10 + unit(at + 2) & 0x3FF
      at += 6
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
