/// One value of a document: a view that copies nothing until it is asked to.
package struct JSONValue: Sendable {
  let storage: JSONDocument.Storage
  let index: Int

  private var node: JSONNode { storage.nodes[index] }

  /// What the value is.
  package var kind: JSONKind { node.kind }

  /// The bytes of the value in the source, with quotation marks and brackets.
  package var range: Range<Int> { node.range }

  /// The opening brace: a message about a whole object should not underline its first line.
  package var opening: Range<Int> { range.lowerBound..<range.lowerBound + 1 }

  /// The text that the value was read from.
  package var source: SourceText { storage.source }

  /// The number of elements of an array or members of an object, 0 for all others.
  package var count: Int { node.count }

  /// The string, decoded, when the value is one.
  package var string: String? {
    kind == .string ? storage.string(index) : nil
  }

  /// Gives the decoded bytes of a string to a function, without copying them if there is no escape.
  package func withText<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let node = node
    if node.kind == .string, !node.hasEscapes {
      let bytes = storage.source.bytes
      return try body(bytes.span.extracting(node.range.lowerBound + 1..<node.range.upperBound - 1))
    }
    let bytes = Array((string ?? "").utf8)
    return try body(bytes.span)
  }

  /// The number, exact, when the value is one.
  package var decimal: ExactDecimal? {
    let node = node
    guard node.kind == .number else { return nil }
    let bytes = storage.source.bytes
    return ExactDecimal(bytes.span.extracting(node.range))
  }

  /// The truth value, when the value is one.
  package var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    case .null, .number, .string, .array, .object: nil
    }
  }

  /// The elements when the value is an array, in order; else none.
  package var elements: JSONElements {
    JSONElements(storage: storage, nextIndex: index + 1, end: kind == .array ? Int(node.next) : 0)
  }

  /// The members when the value is an object, in order and with duplicates; else none.
  package var members: JSONMembers {
    JSONMembers(storage: storage, nextIndex: index + 1, end: kind == .object ? Int(node.next) : 0)
  }

  /// Returns the value of the first member with a key, when the value is an object that has one.
  package func member(_ key: String) -> JSONValue? {
    guard let member = storage.member(of: index, key) else { return nil }
    return JSONValue(storage: storage, index: member.index + 1)
  }

  /// Returns the value of the first member with a key, and the number of members before it.
  package func placedMember(_ key: String) -> (value: JSONValue, place: Int)? {
    storage.member(of: index, key).map {
      (JSONValue(storage: storage, index: $0.index + 1), $0.place)
    }
  }

  /// Calls a function with each key that the object had before, and with the first one like it.
  package func forEachDuplicateKey(_ body: (_ key: JSONValue, _ first: JSONValue) -> Void) {
    if count > 16 { return forEachDuplicateOfMany(body) }
    // Comparing pairs costs less than decoding keys for a dictionary.
    let end = kind == .object ? Int(node.next) : 0
    var key = index + 1
    while key < end {
      var earlier = index + 1
      while earlier < key, !storage.areSameStrings(earlier, key) {
        earlier = Int(storage.nodes[earlier + 1].next)
      }
      if earlier < key {
        body(
          JSONValue(storage: storage, index: key), JSONValue(storage: storage, index: earlier))
      }
      key = Int(storage.nodes[key + 1].next)
    }
  }

  private func forEachDuplicateOfMany(_ body: (_ key: JSONValue, _ first: JSONValue) -> Void) {
    var seen: [String: JSONValue] = [:]
    for member in members {
      guard let name = member.key.string else { continue }
      if let first = seen[name] { body(member.key, first) } else { seen[name] = member.key }
    }
  }

  /// Returns whether the value is a string that decodes to a text; builds no string if it can.
  package func isString(_ text: String) -> Bool {
    node.kind == .string && storage.isString(index, text)
  }
}

/// One key of an object and its value.
package struct JSONMember: Sendable {
  /// The key, always a string.
  package let key: JSONValue
  /// The value that stands after the colon.
  package let value: JSONValue
}

/// The elements of an array in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let storage: JSONDocument.Storage?
  private var nextIndex: Int
  private let end: Int

  init(storage: JSONDocument.Storage, nextIndex: Int, end: Int) {
    self.storage = storage
    self.nextIndex = nextIndex
    self.end = end
  }

  /// Creates the elements of an empty array.
  package init() {
    storage = nil
    nextIndex = 0
    end = 0
  }

  /// Returns the next element, or nil after the last.
  package mutating func next() -> JSONValue? {
    guard nextIndex < end, let storage else { return nil }
    let value = JSONValue(storage: storage, index: nextIndex)
    nextIndex = Int(storage.nodes[nextIndex].next)
    return value
  }
}

/// The members of an object in order.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  let storage: JSONDocument.Storage
  var nextIndex: Int
  let end: Int

  /// Returns the next member, or nil after the last.
  package mutating func next() -> JSONMember? {
    guard nextIndex < end else { return nil }
    let key = JSONValue(storage: storage, index: nextIndex)
    let value = JSONValue(storage: storage, index: nextIndex + 1)
    nextIndex = Int(storage.nodes[nextIndex + 1].next)
    return JSONMember(key: key, value: value)
  }
}
