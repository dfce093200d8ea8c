/// Reads XML, and refuses what is not well formed: the judge of all that is drawn here.
///
/// It knows elements, attributes in double quotes, texts, the entities that are written here, and
/// one document type at the beginning; figures and pages need no more.
struct MarkupReader {
  /// An element with its attributes, the text directly in it, and the elements in it.
  struct Element {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [Element] = []

    /// The element and all in it, in the order of the text.
    var all: [Element] { [self] + children.flatMap(\.all) }

    /// All elements of a name in it.
    func all(_ name: String) -> [Element] { all.filter { $0.name == name } }

    /// All elements in it whose class has a word.
    func all(ofClass word: String) -> [Element] {
      all.filter { ($0.attributes["class"] ?? "").split(separator: " ").contains { $0 == word } }
    }

    /// The text of its title, if it has one.
    var title: String? { children.first { $0.name == "title" }?.text }

    /// An attribute in tenths of a pixel; nil unless it is a number of at most one digit behind
    /// the point.
    func tenths(_ attribute: String) -> Int? {
      guard let value = attributes[attribute] else { return nil }
      let parts = value.split(separator: ".", omittingEmptySubsequences: false)
      guard let whole = Int(parts[0]), parts.count <= 2 else { return nil }
      if parts.count == 1 { return whole * 10 }
      guard parts[1].count == 1, let part = Int(parts[1]) else { return nil }
      return whole * 10 + (value.hasPrefix("-") ? -part : part)
    }
  }

  /// What is wrong, and where.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private let bytes: [UInt8]
  private var index = 0

  /// Reads a document; returns its root.
  static func read(_ bytes: [UInt8]) throws -> Element {
    var reader = MarkupReader(bytes: bytes)
    return try reader.document()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func document() throws -> Element {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(description: "the text is not UTF-8")
    }
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where scalar.value < 0x20 && scalar != "\n" || scalar.value == 0xFFFE {
      throw Problem(description: "the character \(scalar.value) is in the text")
    }
    if take("<!DOCTYPE html>") { skipSpace() }
    let root = try element()
    skipSpace()
    if index < bytes.count { throw problem("text behind the root") }
    return root
  }

  private mutating func element() throws -> Element {
    guard take("<") else { throw problem("no element") }
    var element = Element(name: try name())
    while true {
      let hadSpace = skipSpace()
      if take("/>") { return element }
      if take(">") { break }
      guard hadSpace else { throw problem("no space before an attribute") }
      let key = try name()
      guard take("=\"") else { throw problem("an attribute without a value") }
      if element.attributes[key] != nil { throw problem("the attribute \(key) stands twice") }
      element.attributes[key] = try text(until: UInt8(ascii: "\""))
      guard take("\"") else { throw problem("a value without an end") }
    }
    while true {
      element.text += try text(until: UInt8(ascii: "<"))
      if take("</") {
        let end = try name()
        guard end == element.name, take(">") else {
          throw problem("\(element.name) ends as \(end)")
        }
        return element
      }
      element.children.append(try self.element())
    }
  }

  private mutating func name() throws -> String {
    let start = index
    while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
    if index == start { throw problem("no name") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func text(until end: UInt8) throws -> String {
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != end {
      if bytes[index] == UInt8(ascii: "<") { throw problem("a < in a value") }
      if bytes[index] == UInt8(ascii: "&") {
        text += try entity()
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    if index == bytes.count { throw problem("the text ends too early") }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func entity() throws -> [UInt8] {
    let known = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]
    for name in known.keys.sorted() where take(name) { return Array((known[name] ?? "").utf8) }
    throw problem("an ampersand that is not escaped")
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x0A { index += 1 }
    return index > start
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  private func problem(_ text: String) -> Problem {
    let before = String(decoding: bytes[max(0, index - 40)..<index], as: UTF8.self)
    return Problem(description: "\(text) behind '\(before)'")
  }
}
