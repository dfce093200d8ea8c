/// A key whose value is a part of something: it is read into that, and written from it.
struct Member<Whole: Sendable>: Sendable {
  let row: KeyRow
  /// Reads the part; returns whether it is there or need not be.
  let read: @Sendable (_ fields: inout FieldReader, _ whole: inout Whole) -> Bool
  /// Writes the key and the part, if the whole has it.
  private let writePart:
    @Sendable (_ json: inout JSONWriter, _ whole: Whole, _ style: WrittenStyle) -> Void
  /// Whether the part is the same in two wholes.
  let isSame: @Sendable (Whole, Whole) -> Bool
  /// Whether it is written even if it is what it stands for when it is left out.
  let isSpelled: Bool

  /// Creates a member that some wholes do not have, of a key whose kind can be written.
  init<Value: Equatable & Sendable & SendableMetatype>(
    optional key: Key<Value>, _ get: @escaping @Sendable (Whole) -> Value?,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void, isSpelled: Bool = false
  ) {
    row = key.row
    self.isSpelled = isSpelled
    read = { fields, whole in
      let value = key.row.isRequired ? fields.required(key) : fields.optional(key)
      if let value { set(&whole, value) }
      return value != nil || !key.row.isRequired
    }
    writePart = { json, whole, style in
      if let value = get(whole) { key.write(value, into: &json, style) }
    }
    isSame = { get($0) == get($1) }
  }

  /// Creates a member that some wholes do not have.
  init<Value: Equatable & Sendable & SendableMetatype>(
    optional name: String, _ kind: FieldKind<Value>, _ about: String,
    _ get: @escaping @Sendable (Whole) -> Value?,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void
  ) {
    self.init(optional: Key(name, kind, about), get, set)
  }

  /// Creates a member that all wholes have, of a key whose kind can be written.
  init<Value: Equatable & Sendable & SendableMetatype>(
    _ key: Key<Value>, _ get: @escaping @Sendable (Whole) -> Value,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void, isSpelled: Bool = false
  ) {
    // Not the function itself: a value that may be nil is there all the same.
    self.init(optional: key, { .some(get($0)) }, set, isSpelled: isSpelled)
  }

  /// Creates a member of a key that may be left out, for which nothing in particular stands then.
  init<Value: Equatable & Sendable & SendableMetatype>(
    _ name: String, _ kind: FieldKind<Value>, _ about: String,
    _ get: @escaping @Sendable (Whole) -> Value,
    _ set: @escaping @Sendable (inout Whole, Value) -> Void
  ) {
    self.init(Key(name, kind, about), get, set)
  }

  /// Creates a member that is an object with parts of the same whole.
  init(_ name: String, _ about: String, _ record: Record<Whole>) {
    let key = Key(name, .object(of: record.kind), about)
    row = key.row
    isSpelled = false
    read = { fields, whole in
      guard var inner = fields.object(key) else { return true }
      _ = record.members.read(&inner, into: &whole)
      inner.finish()
      return true
    }
    writePart = { json, whole, style in
      json.key(text: key.name)
      record.write(whole, into: &json, style)
    }
    isSame = { whole, other in record.members.allSatisfy { $0.isSame(whole, other) } }
  }

  /// Writes the key and its value.
  func write(_ json: inout JSONWriter, _ whole: Whole, _ style: WrittenStyle = .full) {
    writePart(&json, whole, style)
  }
}

/// An object of a file and what it stands for: its members are read into that, and written from it.
struct Record<Whole: Sendable>: Sendable {
  let kind: ObjectKind
  /// What an object without members stands for, as far as it may have none.
  let plain: Whole
  let members: [Member<Whole>]

  /// Creates a record of an object that may have further keys, which are read elsewhere.
  init(
    _ name: String, _ subject: String, _ plain: Whole, _ members: [Member<Whole>],
    besides others: [KeyRow] = []
  ) {
    kind = ObjectKind(name, subject, rows: members.map { $0.row } + others)
    self.plain = plain
    self.members = members
  }

  /// Reads an object that has no further keys; nil if it is wrong or something else.
  func read(
    _ value: JSONValue, _ findings: Findings, _ label: FieldLabel? = nil
  ) -> Whole? {
    var fields = FieldReader(value, kind, findings, label ?? FieldLabel(subject: kind.subject))
    if fields.object == nil { return nil }
    var whole = plain
    let isWhole = members.read(&fields, into: &whole)
    fields.finish()
    return isWhole ? whole : nil
  }

  /// Writes the object.
  func write(_ whole: Whole, into json: inout JSONWriter, _ style: WrittenStyle) {
    json.object { members.write(whole, over: plain, into: &$0, style) }
  }
}

extension Array {
  /// Reads the members of an object; returns whether all are there that must be.
  func read<Whole>(_ fields: inout FieldReader, into whole: inout Whole) -> Bool
  where Element == Member<Whole> {
    var isWhole = true
    for member in self where !member.read(&fields, &whole) { isWhole = false }
    return isWhole
  }

  /// Writes the members of an object, but for those that are left out over a plain one.
  func write<Whole>(
    _ whole: Whole, over plain: Whole, into json: inout JSONWriter, _ style: WrittenStyle
  ) where Element == Member<Whole> {
    for member in self {
      let isNeeded = member.row.isRequired || member.isSpelled && style != .terse
      if isNeeded || !member.isSame(whole, plain) { member.write(&json, whole, style) }
    }
  }
}

/// A key of an object that has just one of several, and what it stands for.
struct Choice<Whole: Sendable>: Sendable {
  let row: KeyRow
  let read: @Sendable (_ fields: inout FieldReader) -> Whole?
  /// Whether it stands for a value.
  let isMeant: @Sendable (Whole) -> Bool
  /// Writes the key and what it stands for.
  let write: @Sendable (_ json: inout JSONWriter, _ whole: Whole, _ style: WrittenStyle) -> Void

  init<Value: Sendable>(
    _ name: String, _ kind: FieldKind<Value>, _ about: String,
    _ get: @escaping @Sendable (Whole) -> Value?, _ make: @escaping @Sendable (Value) -> Whole
  ) {
    let key = Key(name, kind, about)
    row = key.row
    read = { fields in fields.required(key).map(make) }
    isMeant = { get($0) != nil }
    write = { json, whole, style in
      if let value = get(whole) { key.write(value, into: &json, style) }
    }
  }
}

extension FieldKind where Value: Sendable {
  /// An object with the members of a record, or what another kind reads; a message gives an example
  /// of the object.
  static func record(
    _ record: Record<Value>, example: String? = nil, or other: FieldKind? = nil
  ) -> FieldKind {
    let object = Schema.object { record.kind }
    let read: Read = { value, label, findings in
      if value.kind != .object, let other { return other.read(value, label, findings) }
      if value.kind != .object, let example {
        findings.errorWrongType(value, label, "an object such as \(example)")
        return nil
      }
      return record.read(value, findings, label)
    }
    return FieldKind(
      other.map { .either([$0.schema, object]) } ?? object, read,
      write: { json, value, style in record.write(value, into: &json, style) })
  }

  /// An object with one of some keys, or what another kind reads.
  static func choice(
    _ name: String, _ subject: String, _ choices: [Choice<Value>], or other: FieldKind
  ) -> FieldKind {
    let rows = choices.map { $0.row }
    let kind = ObjectKind(name, subject, rows: rows)
      .needing(only: rows.map { $0.name }, as: name)
    let read: Read = { value, label, findings in
      if value.kind != .object { return other.read(value, label, findings) }
      var fields = FieldReader(value, kind, findings)
      defer { fields.finish() }
      guard let name = fields.choice() else { return nil }
      return choices.first { $0.row.name == name }?.read(&fields)
    }
    return FieldKind(
      .either([other.schema, .object { kind }]), read,
      write: { json, value, style in
        guard let choice = choices.first(where: { $0.isMeant(value) }) else {
          other.write(value, into: &json, style)
          return
        }
        json.object { choice.write(&$0, value, style) }
      })
  }

  /// One of some words; a message gives an example of what else it may be.
  static func words(
    _ words: [(word: String, meaning: Value)], otherwise example: String
  ) -> FieldKind where Value: Equatable {
    let kind = FieldKind.words(words)
    return FieldKind(
      kind.schema,
      { value, label, findings in
        for (word, meaning) in words where value.isString(word) { return meaning }
        findings.errorWrongWord(
          value, label, words.map { $0.word }, otherwise: "an object such as \(example)")
        return nil
      }, write: kind.writeValue)
  }
}

extension FieldKind {
  /// Writes a value as it may be read.
  func write(_ value: Value, into json: inout JSONWriter, _ style: WrittenStyle = .full) {
    guard let writeValue else {
      preconditionFailure("nobody has said how \(Value.self) is written")
    }
    writeValue(&json, value, style)
  }

  /// The text of a value in JSON.
  func text(of value: Value) -> String { JSONWriter.text { write(value, into: &$0) } }
}

extension JSONWriter {
  /// Writes a key, and an array of what a function writes of each element.
  mutating func array<Value, Elements: Sequence>(
    _ key: Key<Value>, _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.key(text: key.name)
    array(elements, write)
  }
}

extension Key {
  /// Writes the key and a value.
  func write(_ value: Value, into json: inout JSONWriter, _ style: WrittenStyle = .full) {
    json.key(text: name)
    kind.write(value, into: &json, style)
  }
}
