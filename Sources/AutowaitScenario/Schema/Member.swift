/// A key whose value is a part of something: it is read into that, and written from it.
struct Member<Whole: Sendable>: Sendable {
  let row: KeyRow
  let read: @Sendable (_ fields: inout FieldReader, _ whole: inout Whole) -> Void
  /// Writes the key and its value.
  let write: @Sendable (_ json: inout JSONWriter, _ whole: Whole) -> Void
  /// Whether the part is the same in two wholes.
  let isSame: @Sendable (Whole, Whole) -> Bool

  /// Creates a member, told by a kind that can be written.
  ///
  /// Without a word it is as in `plain`, unless that depends on other keys.
  init<Value: Equatable & Sendable & SendableMetatype>(
    _ name: String, _ kind: FieldKind<Value>, _ about: String, plain: Whole, depends: Bool = false,
    _ get: @escaping @Sendable (Whole) -> Value,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void
  ) {
    guard let writeValue = kind.write else {
      preconditionFailure("nobody has said how '\(name)' is written")
    }
    let standard = JSONWriter.text { writeValue(&$0, get(plain)) }
    let key = Key(name, kind, depends ? .optional : .standard(standard), about)
    row = key.row
    read = { fields, whole in if let value = fields.optional(key) { set(&whole, value) } }
    write = { json, whole in
      json.key(text: name)
      writeValue(&json, get(whole))
    }
    isSame = { get($0) == get($1) }
  }
}
