/// A JSON value that is being put together, or taken apart.
package indirect enum Draft: Hashable, Sendable {
  /// A member of an object.
  package struct KeyedDraft: Hashable, Sendable {
    /// The key.
    package var key: String
    /// The value.
    package var value: Draft

    /// Creates a member.
    package init(key: String, value: Draft) { (self.key, self.value) = (key, value) }
  }

  /// A value without parts, as it stands in a file: a number, `true`, `false` or `null`.
  case plain(String)
  /// A string.
  case string(String)
  /// An array.
  case array([Draft])
  /// An object, whose keys keep their order.
  case object([KeyedDraft])

  /// No value.
  package static var null: Draft { .plain("null") }

  /// An object without members.
  package static var empty: Draft { .object([]) }

  /// The value of a key, or nil.
  ///
  /// Writing nil removes the member.
  package subscript(key: String) -> Draft? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(KeyedDraft(key: key, value: value))
      case (nil, nil): break
      }
      self = .object(members)
    }
  }

  /// Reads a value of a JSON document.
  package init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      self = .object(
        value.members.map { KeyedDraft(key: $0.key.string ?? "", value: Draft($0.value)) })
    case .array: self = .array(value.elements.map { Draft($0) })
    case .string: self = .string(value.string ?? "")
    case .null, .false, .true, .number:
      self = .plain(String(decoding: value.source.bytes[value.range], as: UTF8.self))
    }
  }

  /// The value as a file has it: a line for each member of an object or array that does not fit
  /// in one.
  package var text: String { text(indent: 0) + "\n" }

  private func text(indent: Int) -> String {
    let line = self.line
    if line.utf8.count + indent <= 90 { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .plain, .string: return line
    case .array(let elements):
      let lines = elements.map { inner + $0.text(indent: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members):
      let lines = members.map {
        inner + Self.quoted($0.key) + ": " + $0.value.text(indent: indent + 2)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
    }
  }

  private var line: String {
    switch self {
    case .plain(let text): return text
    case .string(let text): return Self.quoted(text)
    case .array(let elements):
      return elements.isEmpty ? "[]" : "[" + elements.map { $0.line }.joined(separator: ", ") + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let list = members.map { Self.quoted($0.key) + ": " + $0.value.line }
      return "{ " + list.joined(separator: ", ") + " }"
    }
  }

  private static func quoted(_ text: String) -> String {
    // Nearly all of what is drawn needs no escape, and thousands of worlds are drawn in tests.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      return "\"\(text)\""
    }
    return JSONWriter.text { $0.string(text: text) }
  }
}

extension Draft: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  package init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  package init(integerLiteral value: Int64) { self = .plain("\(value)") }
  /// A yes or no.
  package init(booleanLiteral value: Bool) { self = .plain(value ? "true" : "false") }
  /// An array.
  package init(arrayLiteral elements: Draft...) { self = .array(elements) }
  /// An object.
  package init(dictionaryLiteral elements: (String, Draft)...) {
    self = .object(elements.map { KeyedDraft(key: $0.0, value: $0.1) })
  }

  /// A whole number.
  package init(_ number: Int64) { self = .plain("\(number)") }
  /// A yes or no.
  package init(_ flag: Bool) { self = .plain(flag ? "true" : "false") }
}
