/// A value of an XML property list, and where it stands.
struct PropertyListValue {
  enum Content {
    case dictionary([(key: String, value: PropertyListValue)])
    case array([PropertyListValue])
    case string(String)
    case number(ExactDecimal)
    case bool(Bool)
    /// A date or data, which nobody here asks for.
    case other
  }

  let content: Content
  /// The bytes of the element.
  let range: Range<Int>

  /// Returns the value of a key of a dictionary.
  func member(_ key: String) -> PropertyListValue? {
    guard case .dictionary(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The keys of a dictionary; none of anything else.
  var keys: [String] {
    guard case .dictionary(let members) = content else { return [] }
    return members.map { $0.key }
  }
}

/// Reads XML property lists, and no other XML: no namespaces, no entities of one's own.
struct PropertyListParser {
  /// The deepest nesting; the conditioner's files have three levels.
  private static let depthMax = 64

  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0

  /// Why the text is no property list.
  struct PropertyListProblem: Error {
    let message: String
    let range: Range<Int>
    var notes: [String] = []
  }

  /// A tag: `<name>`, `</name>` or `<name/>`.
  private struct Tag {
    let name: String
    let isClosing: Bool
    let isEmpty: Bool
    let range: Range<Int>
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a text, or reports why it is no property list.
  static func parse(_ findings: Findings) -> PropertyListValue? {
    var parser = PropertyListParser(findings.source.bytes)
    do throws(PropertyListProblem) {
      return try parser.document()
    } catch {
      findings.error(error.message, at: error.range, notes: error.notes)
      return nil
    }
  }

  private mutating func document() throws(PropertyListProblem) -> PropertyListValue {
    if bytes.starts(with: "bplist".utf8) {
      throw PropertyListProblem(
        message: "this is a binary property list", range: 0..<6,
        notes: ["'plutil -convert xml1 FILE' makes it one of XML"])
    }
    let opening = try tag()
    if opening.name != "plist" || opening.isClosing || opening.isEmpty {
      throw PropertyListProblem(
        message: "a property list must begin with the tag 'plist'", range: opening.range)
    }
    let first = try tag()
    let value = try element(first)
    let closing = try tag()
    guard closing.isClosing, closing.name == "plist" else {
      throw PropertyListProblem(
        message: "the tag 'plist' must hold one value", range: closing.range)
    }
    try skipSpace()
    if at < bytes.count {
      throw PropertyListProblem(message: "nothing may follow the property list", range: at..<at + 1)
    }
    return value
  }

  /// Reads the element that a tag opens.
  private mutating func element(_ tag: Tag) throws(PropertyListProblem) -> PropertyListValue {
    if tag.isClosing {
      throw PropertyListProblem(
        message: "nothing is open that '</\(tag.name.excerpt)>' closes", range: tag.range)
    }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax {
      throw PropertyListProblem(message: "more than \(Self.depthMax) levels", range: tag.range)
    }
    let content = try content(tag)
    return PropertyListValue(content: content, range: tag.range.lowerBound..<at)
  }

  private mutating func content(_ tag: Tag) throws(PropertyListProblem) -> PropertyListValue.Content
  {
    switch tag.name {
    case "dict": return .dictionary(tag.isEmpty ? [] : try members(tag))
    case "array": return .array(tag.isEmpty ? [] : try elements(tag))
    case "true", "false":
      if !tag.isEmpty, !(try text(tag).allSatisfy({ $0.isWhitespace })) {
        throw PropertyListProblem(message: "the tag '\(tag.name)' must be empty", range: tag.range)
      }
      return .bool(tag.name == "true")
    case "string": return .string(tag.isEmpty ? "" : try text(tag))
    case "integer", "real":
      let start = at
      let spelled = tag.isEmpty ? "" : try text(tag)
      let inner = spelled.split { $0.isWhitespace }.joined()
      guard let number = ExactDecimal(inner.hasPrefix("+") ? String(inner.dropFirst()) : inner)
      else {
        throw PropertyListProblem(
          message: "'\(inner.excerpt)' is not a number", range: start..<max(start + 1, closingStart)
        )
      }
      return .number(number)
    case "date", "data":
      if !tag.isEmpty { _ = try text(tag) }
      return .other
    default:
      throw PropertyListProblem(
        message: "a property list has no tag '\(tag.name.excerpt)'", range: tag.range)
    }
  }

  /// Where the last closing tag began.
  private var closingStart = 0

  private mutating func members(
    _ opening: Tag
  ) throws(PropertyListProblem) -> [(key: String, value: PropertyListValue)] {
    var members: [(key: String, value: PropertyListValue)] = []
    while true {
      let tag = try inner(opening)
      if tag.isClosing {
        try check(tag, closes: opening)
        return members
      }
      guard tag.name == "key", !tag.isEmpty else {
        throw PropertyListProblem(
          message: "a dictionary needs a key before each value", range: tag.range)
      }
      let key = try text(tag)
      if members.contains(where: { $0.key == key }) {
        throw PropertyListProblem(message: "duplicate key '\(key.excerpt)'", range: tag.range)
      }
      let value = try inner(opening)
      if value.isClosing || value.name == "key" {
        throw PropertyListProblem(
          message: "the key '\(key.excerpt)' has no value", range: tag.range)
      }
      members.append((key, try element(value)))
    }
  }

  private mutating func elements(_ opening: Tag) throws(PropertyListProblem) -> [PropertyListValue]
  {
    var elements: [PropertyListValue] = []
    while true {
      let tag = try inner(opening)
      if tag.isClosing {
        try check(tag, closes: opening)
        return elements
      }
      elements.append(try element(tag))
    }
  }

  /// Returns the next tag in an element.
  private mutating func inner(_ opening: Tag) throws(PropertyListProblem) -> Tag {
    try skipSpace()
    if at == bytes.count {
      throw PropertyListProblem(
        message: "the tag '\(opening.name.excerpt)' is not closed", range: opening.range)
    }
    return try tag()
  }

  private func check(_ tag: Tag, closes opening: Tag) throws(PropertyListProblem) {
    if tag.name == opening.name { return }
    throw PropertyListProblem(
      message: "'</\(tag.name.excerpt)>' does not close '<\(opening.name.excerpt)>'",
      range: tag.range)
  }

  /// Reads the text of an element up to its closing tag.
  private mutating func text(_ opening: Tag) throws(PropertyListProblem) -> String {
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "<") {
      if bytes[at] == UInt8(ascii: "&") {
        text += try reference()
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    if at == bytes.count {
      throw PropertyListProblem(
        message: "the tag '\(opening.name.excerpt)' is not closed", range: opening.range)
    }
    closingStart = at
    let closing = try tag()
    guard closing.isClosing else {
      throw PropertyListProblem(
        message: "'\(opening.name.excerpt)' must hold nothing but text", range: closing.range)
    }
    try check(closing, closes: opening)
    guard let decoded = String(validating: text, as: UTF8.self) else {
      throw PropertyListProblem(message: "the text is not UTF-8", range: opening.range)
    }
    return decoded
  }

  /// Reads a character that is spelled with an ampersand.
  private mutating func reference() throws(PropertyListProblem) -> [UInt8] {
    let start = at
    let known: [(name: String, byte: UInt8)] = [
      ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&quot;", 0x22), ("&apos;", 0x27),
    ]
    for (name, byte) in known where bytes[at...].starts(with: name.utf8) {
      at += name.utf8.count
      return [byte]
    }
    let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    if let end, at + 3 <= end, bytes[at + 1] == UInt8(ascii: "#") {
      let isHex = bytes[at + 2] == UInt8(ascii: "x")
      let digits = String(decoding: bytes[(at + (isHex ? 3 : 2))..<end], as: UTF8.self)
      if let value = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value) {
        at = end + 1
        return Array(String(Character(scalar)).utf8)
      }
    }
    throw PropertyListProblem(
      message: "unknown character reference", range: start..<(end ?? start) + 1)
  }

  /// Reads a tag, after spaces and all that is not part of the list.
  private mutating func tag() throws(PropertyListProblem) -> Tag {
    try skipSpace()
    guard at < bytes.count else {
      throw PropertyListProblem(
        message: "the property list ends too early", range: bytes.count..<bytes.count)
    }
    guard bytes[at] == UInt8(ascii: "<") else {
      throw PropertyListProblem(message: "there must be a tag", range: at..<at + 1)
    }
    let start = at
    guard let end = endOfTag() else {
      throw PropertyListProblem(message: "the tag is not closed", range: start..<start + 1)
    }
    var inner = bytes[start + 1..<end]
    at = end + 1
    let isClosing = inner.first == UInt8(ascii: "/")
    if isClosing { inner = inner.dropFirst() }
    let isEmpty = inner.last == UInt8(ascii: "/")
    if isEmpty { inner = inner.dropLast() }
    let name = inner.prefix { $0 > 0x20 }
    let text = String(decoding: name, as: UTF8.self)
    let isName = !name.isEmpty && name.allSatisfy { Self.isLetter($0) }
    if !isName || (isClosing && isEmpty) {
      throw PropertyListProblem(message: "the tag has no proper name", range: start..<end + 1)
    }
    return Tag(name: text, isClosing: isClosing, isEmpty: isEmpty, range: start..<end + 1)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// Returns where a tag ends; its attributes may hold its mark in quotation marks.
  private func endOfTag() -> Int? {
    var quote: UInt8?
    for index in at + 1..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      } else if byte == UInt8(ascii: "<") {
        return nil
      }
    }
    return nil
  }

  /// Steps over spaces, comments, instructions and the type of the document.
  private mutating func skipSpace() throws(PropertyListProblem) {
    while at < bytes.count {
      if bytes[at] == 0x20 || 0x09...0x0D ~= bytes[at] {
        at += 1
      } else if bytes[at...].starts(with: "<!--".utf8) {
        try skip(to: "-->", "the comment is not closed")
      } else if bytes[at...].starts(with: "<?".utf8) {
        try skip(to: "?>", "the instruction is not closed")
      } else if bytes[at...].starts(with: "<!DOCTYPE".utf8) {
        let start = at
        try skip(to: ">", "the type of the document is not closed")
        if bytes[start..<at].contains(UInt8(ascii: "[")) {
          throw PropertyListProblem(
            message: "a property list has no declarations of its own", range: start..<at)
        }
      } else {
        return
      }
    }
  }

  private mutating func skip(to end: String, _ message: String) throws(PropertyListProblem) {
    let start = at
    let mark = Array(end.utf8)
    at += 2
    while at < bytes.count {
      if bytes[at...].starts(with: mark) {
        at += mark.count
        return
      }
      at += 1
    }
    throw PropertyListProblem(message: message, range: start..<start + 2)
  }
}
