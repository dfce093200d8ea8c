/// Turns the bytes of a JSON text into nodes, or says where it stops being JSON.
///
/// The grammar is that of RFC 8259. Nesting is kept in an array instead of on the call stack, so
/// that a hundred megabytes of brackets are an error like any other.
package struct JSONParser {
  private(set) var nodes: [JSONNode] = []
  /// The indices of the containers that are open, outermost first.
  private var open: [Int] = []
  private let depthMax: Int

  init(depthMax: Int) {
    self.depthMax = depthMax
  }

  mutating func parse(_ text: Span<UInt8>) throws(JSONError) {
    try checkBeginning(text)
    // One node for eight bytes is what traces have. Denser texts grow the array by doubling; what
    // sparser ones leave unused is never touched.
    nodes.reserveCapacity(text.count / 8 + 8)
    var at = 0
    while true {
      at = skipSpace(text, at)
      if try parseValue(text, &at) {
        continue
      }
      if try parseAfterValue(text, &at) {
        return
      }
    }
  }

  /// Parses one value; returns true when it is a container whose first element comes next.
  @inline(__always)
  private mutating func parseValue(
    _ text: Span<UInt8>, _ at: inout Int
  ) throws(JSONError) -> Bool {
    guard at < text.count else { throw endOfText(text) }
    if let container = open.last { nodes[container].addChild() }
    let start = at
    switch text[at] {
    case UInt8(ascii: "\""):
      let hasEscapes = try JSONParser.scanString(text, &at)
      append(.string, start, at, hasEscapes: hasEscapes)
      return false
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try JSONParser.scanNumber(text, &at)
      append(.number, start, at)
      return false
    case UInt8(ascii: "{"):
      return try openObject(text, &at)
    case UInt8(ascii: "["):
      return try openArray(text, &at)
    case UInt8(ascii: "t") where JSONParser.matches("true", text, at):
      at += 4
      append(.true, start, at)
      return false
    case UInt8(ascii: "f") where JSONParser.matches("false", text, at):
      at += 5
      append(.false, start, at)
      return false
    case UInt8(ascii: "n") where JSONParser.matches("null", text, at):
      at += 4
      append(.null, start, at)
      return false
    default:
      throw unexpectedInsteadOfValue(text, at)
    }
  }

  @inline(__always)
  private mutating func append(
    _ kind: JSONKind, _ start: Int, _ end: Int, hasEscapes: Bool = false
  ) {
    let next = nodes.count + 1
    nodes.append(
      JSONNode(kind, offset: start, length: end - start, next: next, hasEscapes: hasEscapes))
  }

  private mutating func openArray(
    _ text: Span<UInt8>, _ at: inout Int
  ) throws(JSONError) -> Bool {
    try open(.array, at)
    at = skipSpace(text, at + 1)
    if at < text.count, text[at] == UInt8(ascii: "]") {
      close(&at)
      return false
    }
    return true
  }

  private mutating func openObject(
    _ text: Span<UInt8>, _ at: inout Int
  ) throws(JSONError) -> Bool {
    try open(.object, at)
    at = skipSpace(text, at + 1)
    if at < text.count, text[at] == UInt8(ascii: "}") {
      close(&at)
      return false
    }
    try parseKey(text, &at)
    return true
  }

  private mutating func open(_ kind: JSONKind, _ at: Int) throws(JSONError) {
    if open.count >= depthMax {
      throw JSONError(
        offset: at, length: 1, message: "arrays and objects nest deeper than \(depthMax) levels")
    }
    open.append(nodes.count)
    nodes.append(JSONNode(kind, offset: at, length: 1, next: 0))
  }

  /// Closes the innermost container with the bracket at an offset, and steps over it.
  private mutating func close(_ at: inout Int) {
    at += 1
    if let container = open.popLast() {
      nodes[container].length = UInt32(truncatingIfNeeded: at - Int(nodes[container].offset))
      nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
    }
  }

  /// Parses a key and its colon, with the spaces before and between.
  @inline(__always)
  private mutating func parseKey(_ text: Span<UInt8>, _ at: inout Int) throws(JSONError) {
    at = skipSpace(text, at)
    guard at < text.count else { throw endOfText(text) }
    guard text[at] == UInt8(ascii: "\"") else { throw unexpectedInsteadOfKey(text, at) }
    let start = at
    let hasEscapes = try JSONParser.scanString(text, &at)
    append(.string, start, at, hasEscapes: hasEscapes)
    at = skipSpace(text, at)
    guard at < text.count else { throw endOfText(text) }
    guard text[at] == UInt8(ascii: ":") else {
      throw unexpected(text, at, "expected ':' after a key")
    }
    at += 1
  }

  /// Parses what follows a value up to the next one; returns true at the end of the text.
  @inline(__always)
  private mutating func parseAfterValue(
    _ text: Span<UInt8>, _ at: inout Int
  ) throws(JSONError) -> Bool {
    while let container = open.last {
      at = skipSpace(text, at)
      guard at < text.count else { throw endOfText(text) }
      let isObject = nodes[container].kind == .object
      let byte = text[at]
      if byte == UInt8(ascii: ",") {
        at += 1
        if isObject { try parseKey(text, &at) }
        return false
      }
      guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        let closer = isObject ? "'}'" : "']'"
        var error = unexpected(text, at, "expected ',' or \(closer)")
        error.help = JSONParser.quantityHelp(text, at)
        throw error
      }
      close(&at)
    }
    at = skipSpace(text, at)
    if at < text.count {
      var error = unexpected(text, at, "expected the end of the text after the value")
      if text[at] == UInt8(ascii: "{") || text[at] == UInt8(ascii: "[") {
        error.help = "a file has one value; put several in a list: [{...}, {...}]"
      }
      throw error
    }
    return true
  }

  /// Returns the offset of the first byte at or after one that is not white space.
  @inline(__always)
  private func skipSpace(_ text: Span<UInt8>, _ start: Int) -> Int {
    var at = start
    while at < text.count {
      let byte = text[at]
      // The four bytes of RFC 8259's `ws`, all of them at most 0x20: one test ends most walks.
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        break
      }
      at += 1
    }
    return at
  }

  /// Returns the innermost open container as a note, for the errors at the end of a text.
  var openNote: JSONError.Note? {
    guard let container = open.last else { return nil }
    let what = nodes[container].kind == .object ? "the object" : "the array"
    return JSONError.Note(offset: Int(nodes[container].offset), message: "\(what) begins")
  }
}
