/// One value of a document: a view that copies nothing until it is asked to.
public struct JSONValue: Sendable {
  let storage: JSONDocument.Storage
  let index: Int

  private var node: JSONNode { storage.nodes[index] }

  /// What the value is.
  public var kind: JSONKind { node.kind }

  /// The bytes of the value in the source, with quotation marks and brackets.
  public var range: Range<Int> { node.range }

  /// The text that the value was read from.
  public var source: SourceText { storage.source }

  /// The number of elements of an array or members of an object, 0 for all others.
  public var count: Int { node.count }

  /// The string, decoded, when the value is one.
  public var string: String? {
    let node = node
    guard node.kind == .string else { return nil }
    let inner = node.range.lowerBound + 1..<node.range.upperBound - 1
    if !node.hasEscapes {
      return String(decoding: storage.source.bytes[inner], as: UTF8.self)
    }
    return JSONValue.decode(storage.source.bytes, inner)
  }

  /// The number, exact, when the value is one.
  public var decimal: ExactDecimal? {
    let node = node
    guard node.kind == .number else { return nil }
    let bytes = storage.source.bytes
    return ExactDecimal(bytes.span.extracting(node.range))
  }

  /// The truth value, when the value is one.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The elements when the value is an array, in order; else none.
  public var elements: JSONElements {
    JSONElements(storage: storage, nextIndex: index + 1, end: kind == .array ? Int(node.next) : 0)
  }

  /// The members when the value is an object, in order and with duplicates; else none.
  public var members: JSONMembers {
    JSONMembers(storage: storage, nextIndex: index + 1, end: kind == .object ? Int(node.next) : 0)
  }

  /// Returns the value of the first member with a key, when the value is an object that has one.
  public func member(_ key: String) -> JSONValue? {
    for member in members where member.key.isString(key) { return member.value }
    return nil
  }

  /// Returns whether the value is a string that decodes to a text; builds no string if it can.
  public func isString(_ text: String) -> Bool {
    let node = node
    guard node.kind == .string else { return false }
    if node.hasEscapes { return string.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    guard Int(node.length) - 2 == text.utf8.count else { return false }
    let bytes = storage.source.bytes
    var at = Int(node.offset) + 1
    for byte in text.utf8 {
      if bytes[at] != byte { return false }
      at += 1
    }
    return true
  }

  /// Returns whether two strings of one document decode to the same text.
  func isSameString(as other: JSONValue) -> Bool {
    let (left, right) = (node, other.node)
    if left.hasEscapes || right.hasEscapes {
      guard let text = string, let otherText = other.string else { return false }
      return text.utf8.elementsEqual(otherText.utf8)
    }
    guard left.length == right.length else { return false }
    let bytes = storage.source.bytes
    for (first, second) in zip(left.range, right.range) where bytes[first] != bytes[second] {
      return false
    }
    return true
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

/// One key of an object and its value.
public struct JSONMember: Sendable {
  /// The key, always a string.
  public let key: JSONValue
  /// The value that stands after the colon.
  public let value: JSONValue
}

/// The elements of an array in order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  let storage: JSONDocument.Storage
  var nextIndex: Int
  let end: Int

  /// Returns the next element, or nil after the last.
  public mutating func next() -> JSONValue? {
    guard nextIndex < end else { return nil }
    let value = JSONValue(storage: storage, index: nextIndex)
    nextIndex = Int(storage.nodes[nextIndex].next)
    return value
  }
}

/// The members of an object in order.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  let storage: JSONDocument.Storage
  var nextIndex: Int
  let end: Int

  /// Returns the next member, or nil after the last.
  public mutating func next() -> JSONMember? {
    guard nextIndex < end else { return nil }
    let key = JSONValue(storage: storage, index: nextIndex)
    let value = JSONValue(storage: storage, index: nextIndex + 1)
    nextIndex = Int(storage.nodes[nextIndex + 1].next)
    return JSONMember(key: key, value: value)
  }
}
