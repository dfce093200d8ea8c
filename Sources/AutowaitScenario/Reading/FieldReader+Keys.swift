/// Reading what stands at keys that are described.
extension FieldReader {
  /// Reads a value that must be there; nil when it is missing or wrong, which was reported.
  package mutating func required<Value>(_ key: Key<Value>) -> Value? {
    assertDescribed(key.row)
    return required(key.name, key.kind)
  }

  /// Reads a value that may be left out; nil when it is, or when it is wrong.
  package mutating func optional<Value>(_ key: Key<Value>) -> Value? {
    assertDescribed(key.row)
    return optional(key.name, key.kind)
  }

  /// Reads a value that may be left out; what that stands for when it is, or when it is wrong.
  package mutating func value<Value>(of key: Key<Value>) -> Value {
    guard let standard = key.standard else {
      preconditionFailure("'\(key.name)' may not be left out")
    }
    return optional(key) ?? standard
  }

  /// Reads a value that may be left out into a place that keeps what it has when it is, or when it
  /// is wrong.
  package mutating func read<Value>(_ key: Key<Value>, into place: inout Value) {
    if let value = optional(key) { place = value }
  }

  /// Begins to read an object that may be left out; nil when it is, or when it is none.
  package mutating func object(_ key: Key<JSONValue>) -> FieldReader? {
    assertDescribed(key.row)
    guard case .object(let kind) = key.row.schema else {
      preconditionFailure("'\(key.name)' is not said to be an object")
    }
    return object(key.name, kind())
  }

  /// Returns the elements of an array that may be left out; none when it is, or is wrong.
  package mutating func elements(_ key: Key<JSONValue>) -> JSONElements {
    optional(key)?.elements ?? JSONElements()
  }

  /// Returns the value of a key, whatever it is, and counts the key as known.
  package mutating func value<Value>(_ key: Key<Value>) -> JSONValue? {
    assertDescribed(key.row)
    return value(key.name)
  }

  /// Returns whether a key is there, and counts it as known.
  package mutating func contains<Value>(_ key: Key<Value>) -> Bool { value(key) != nil }

  /// Returns the one of the keys that exclude each other that is there; none or a second one is
  /// reported.
  package mutating func choice() -> String? {
    guard let choices = kind?.choices, !choices.isEmpty else {
      preconditionFailure("\(subject) has no keys that exclude each other")
    }
    return one(of: choices)
  }

  /// Whether an object of this kind may have a key.
  func has<Value>(_ key: Key<Value>) -> Bool { kind?.contains(key.name) ?? true }

  private func assertDescribed(_ row: KeyRow) {
    assert(kind?.contains(row.name) ?? true, "\(subject) has no key '\(row.name)'")
  }
}
