/// A key whose value is a part of something: it is read into that, and written from it.
struct Member<Whole: Sendable>: Sendable {
  let row: KeyRow
  let read: @Sendable (_ fields: inout FieldReader, _ whole: inout Whole) -> Void
  /// Writes the key and its value.
  let write: @Sendable (_ json: inout JSONWriter, _ whole: Whole) -> Void
  /// Whether the part is the same in two wholes.
  let isSame: @Sendable (Whole, Whole) -> Bool

  /// Creates a member of a key whose kind can be written.
  init<Value: Equatable & Sendable & SendableMetatype>(
    _ key: Key<Value>, _ get: @escaping @Sendable (Whole) -> Value,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void
  ) {
    row = key.row
    read = { fields, whole in if let value = fields.optional(key) { set(&whole, value) } }
    write = { json, whole in
      json.key(text: key.name)
      key.kind.write(get(whole), into: &json)
    }
    isSame = { get($0) == get($1) }
  }
}

extension FieldKind {
  /// Writes a value as it may be read.
  func write(_ value: Value, into json: inout JSONWriter) {
    guard let writeValue else {
      preconditionFailure("nobody has said how \(Value.self) is written")
    }
    writeValue(&json, value)
  }

  /// The text of a value in JSON.
  func text(of value: Value) -> String { JSONWriter.text { write(value, into: &$0) } }
}
