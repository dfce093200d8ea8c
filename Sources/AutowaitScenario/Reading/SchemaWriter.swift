/// Writes schemas in the language of JSON Schema, draft 2020-12.
///
/// Each kind of object is a definition of its own, in the order in which they are first named.
package struct SchemaWriter {
  /// The kinds that were named, in the order in which they are written.
  private var kinds: [ObjectKind] = []
  /// The lists of strings that were named.
  private var lists: [(name: String, words: [String])] = []
  private var json = JSONWriter(.pretty, capacity: 1 << 16)

  /// Returns the schema of a kind of file, with what identifies it and what it is called.
  package static func write(_ root: Schema, id: String, title: String) -> [UInt8] {
    var writer = SchemaWriter()
    writer.json.beginObject()
    writer.json.field("$schema", "https://json-schema.org/draft/2020-12/schema")
    writer.json.field("$id", text: id)
    writer.json.field("title", text: title)
    writer.file(root)
    writer.json.endObject()
    writer.json.endLine()
    return writer.json.bytes
  }

  /// Returns all kinds of objects that a kind of file has.
  package static func kinds(in root: Schema) -> [ObjectKind] {
    var writer = SchemaWriter()
    writer.json.beginObject()
    writer.file(root)
    return writer.kinds
  }

  private mutating func file(_ root: Schema) {
    members(of: root)
    json.key("$defs")
    json.beginObject()
    var next = 0
    while next < kinds.count {
      define(kinds[next])
      next += 1
    }
    for list in lists {
      json.object(text: list.name) { json in
        json.array("anyOf", [true, false]) { json, isKnown in
          json.object { json in
            if isKnown {
              json.array("enum", list.words) { $0.string(text: $1) }
            } else {
              json.field("type", "string")
            }
          }
        }
      }
    }
    json.endObject()
  }

  /// Returns what a schema says, with nothing but the names of what it leads to.
  fileprivate static func text(_ schema: Schema) -> [UInt8] {
    var writer = SchemaWriter()
    writer.schema(schema)
    return writer.json.bytes
  }

  private mutating func schema(_ schema: Schema) {
    json.beginObject()
    members(of: schema)
    json.endObject()
  }

  /// Writes what a schema says into the object that is open.
  private mutating func members(of schema: Schema) {
    switch schema {
    case .any: break
    case .null: json.field("type", "null")
    case .bool: json.field("type", "boolean")
    case .string: json.field("type", "string")
    case .number: json.field("type", "number")
    case .pattern(let pattern):
      json.field("type", "string")
      json.field("pattern", text: pattern)
    case .integer(let limits):
      json.field("type", "integer")
      json.field("minimum", limits.lowerBound)
      json.field("maximum", limits.upperBound)
    case .quantity(let quantity, let limits): members(of: quantity, in: limits)
    case .words(let words): json.array("enum", words) { $0.string(text: $1) }
    case .suggested(let name, let words):
      if !lists.contains(where: { $0.name == name }) { lists.append((name, words())) }
      json.field("$ref", text: "#/$defs/\(name)")
    case .list(let element, let least):
      json.field("type", "array")
      json.key("items")
      self.schema(element)
      if least > 0 { json.field("minItems", Int64(least)) }
    case .object(let kind): json.field("$ref", text: "#/$defs/\(name(of: kind()))")
    case .either(let schemas): list("anyOf", schemas)
    case .forms(let forms):
      json.field("type", "object")
      members(of: forms[...])
    }
  }

  /// Writes the first of some forms, and behind `else` the others.
  private mutating func members(of forms: ArraySlice<Form>) {
    guard let form = forms.first else { return }
    let reference = "#/$defs/\(name(of: form.object()))"
    if form.mark == .otherwise {
      json.field("$ref", text: reference)
      return
    }
    json.object("if") { $0.members(of: [form.mark]) }
    json.object("then") { $0.field("$ref", text: reference) }
    json.key("else")
    json.beginObject()
    members(of: forms.dropFirst())
    json.endObject()
  }

  private mutating func members(of quantity: Quantity, in limits: ClosedRange<Int64>) {
    if quantity.units.isEmpty {
      json.field("type", quantity.bareSize == 1 ? "integer" : "number")
    } else {
      json.array("type", ["number", "string"]) { $0.string(text: $1) }
      let units = quantity.units.map { "\($0.name)" }.joined(separator: "|")
      let sign = limits.lowerBound < 0 ? "-?" : ""
      let isPart = units == "%" && limits.upperBound == quantity.bareSize
      let number =
        isPart
        ? "([0-9]+(\\.[0-9]+)?[eE][-+]?[0-9]+|0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?))"
        : "\(sign)[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"
      json.field("pattern", text: "^\(number) ?(\(units))$")
    }
    if limits.lowerBound == 1, quantity.bareSize > 1 {
      json.field("exclusiveMinimum", Int64(0))
    } else {
      json.field("minimum", limits.lowerBound, of: quantity.bareSize)
    }
    json.field("maximum", limits.upperBound, of: quantity.bareSize)
  }

  private mutating func list(_ key: StaticString, _ schemas: [Schema]) {
    json.key(key)
    json.beginArray()
    for schema in schemas { self.schema(schema) }
    json.endArray()
  }

  /// Returns the name of a kind, which is defined after those that were named before it.
  private mutating func name(of kind: ObjectKind) -> String {
    if !kinds.contains(where: { $0.definition == kind.definition }) { kinds.append(kind) }
    return kind.definition
  }
}

// MARK: - Objects

extension SchemaWriter {
  private mutating func define(_ kind: ObjectKind) {
    json.key(text: kind.definition)
    json.beginObject()
    json.field("type", "object")
    json.key("properties")
    json.beginObject()
    for row in kind.keys { property(row) }
    let further = FurtherKeys(kind)
    for key in further.keys { key.row.map { property($0) } ?? describe(key.rows) }
    json.endObject()
    if let patterns = Patterns(kind.cases.flatMap { $0.keys }) {
      // What stands there depends on other keys, as the conditions below say.
      json.object("patternProperties") { json in
        for row in patterns.rows {
          json.object(text: row.pattern ?? "") { $0.field("description", text: row.about) }
        }
      }
    }
    json.key("additionalProperties")
    if let others = kind.others { schema(others) } else { json.bool(false) }
    let required = kind.keys.filter { $0.isRequired }.map { $0.name }
    if !required.isEmpty { json.array("required", required) { $0.string(text: $1) } }
    if !kind.choices.isEmpty {
      json.array("oneOf", kind.choices) { json, key in json.object { $0.required([key]) } }
    }
    if !kind.needed.isEmpty {
      json.array("anyOf", kind.needed) { json, key in json.object { $0.required([key]) } }
    }
    if !further.keys.isEmpty {
      json.object("dependentSchemas") { json in
        for key in further.keys {
          json.object(text: key.name) { $0.members(of: key.marks) }
        }
      }
    }
    conditions(kind.cases, further)
    json.endObject()
  }

  private mutating func property(_ row: KeyRow) {
    json.key(text: row.pattern ?? row.name)
    json.beginObject()
    json.field("description", text: row.description)
    members(of: row.schema)
    if let standard = row.presence.standard {
      json.key("default")
      json.value(standard)
    }
    json.endObject()
  }

  /// Writes what a key means that is another one in other cases: what may stand there, the
  /// conditions say.
  private mutating func describe(_ rows: [KeyRow]) {
    json.object(text: rows[0].name) { $0.field("description", text: KeyRow.description(of: rows)) }
  }

  /// Writes what only holds with a mark: the keys that must be there, and those that mean one thing
  /// with it and another one without.
  private mutating func conditions(_ cases: [ObjectKind.Case], _ further: FurtherKeys) {
    let said = cases.filter { own in
      own.keys.contains { $0.isRequired || $0.pattern != nil || further.isAmbiguous($0) }
    }
    if said.isEmpty { return }
    json.key("allOf")
    json.beginArray()
    for own in said {
      json.beginObject()
      json.object("if") { $0.members(of: [own.mark]) }
      json.key("then")
      json.beginObject()
      let ambiguous = own.keys.filter { further.isAmbiguous($0) }
      if !ambiguous.isEmpty {
        json.key("properties")
        json.beginObject()
        for row in ambiguous { property(row) }
        json.endObject()
      }
      if let patterns = Patterns(own.keys) {
        json.key("patternProperties")
        json.beginObject()
        for row in patterns.rows { property(row) }
        json.endObject()
      }
      let required = own.keys.filter { $0.isRequired }.map { $0.name }
      if !required.isEmpty { json.required(required) }
      json.endObject()
      json.endObject()
    }
    json.endArray()
  }
}

/// Keys that stand for many names, each once.
private struct Patterns {
  let rows: [KeyRow]

  /// Finds them; nil if there are none.
  init?(_ keys: [KeyRow]) {
    var rows: [KeyRow] = []
    for row in keys where row.pattern != nil {
      if !rows.contains(where: { $0.pattern == row.pattern }) { rows.append(row) }
    }
    if rows.isEmpty { return nil }
    self.rows = rows
  }
}

/// The keys of an object that depend on others.
private struct FurtherKeys {
  struct FurtherKey {
    let name: String
    /// What is known of it in some case; those of which the same is known count once.
    var rows: [KeyRow]
    /// Of which one must be met.
    var marks: [ObjectMark]

    /// What is known of it in all cases; nil if that differs.
    var row: KeyRow? { rows.count == 1 ? rows[0] : nil }
  }

  private(set) var keys: [FurtherKey] = []
  private let kind: ObjectKind

  init(_ kind: ObjectKind) {
    self.kind = kind
    for own in kind.cases {
      for row in own.keys where row.pattern == nil {
        if kind.keys.contains(where: { $0.name == row.name }) { continue }
        guard let place = keys.firstIndex(where: { $0.name == row.name }) else {
          keys.append(FurtherKey(name: row.name, rows: [row], marks: [own.mark]))
          continue
        }
        keys[place].marks.append(own.mark)
        if !keys[place].rows.contains(where: { $0.isSame(as: row) }) {
          keys[place].rows.append(row)
        }
      }
    }
  }

  /// Whether what is known of a key in a case is not what is known of it in all.
  func isAmbiguous(_ row: KeyRow) -> Bool {
    if let key = keys.first(where: { $0.name == row.name }) { return key.row == nil }
    return kind.keys.contains { $0.name == row.name && !$0.isSame(as: row) }
  }
}

extension Schema {
  /// Whether another schema says the same.
  func says(the other: Schema) -> Bool { SchemaWriter.text(self) == SchemaWriter.text(other) }
}

extension KeyRow {
  /// Whether another row says the same of the value, if not of whether it must be there.
  fileprivate func isSame(as other: KeyRow) -> Bool {
    about == other.about && presence.text == other.presence.text
      && schema.says(the: other.schema)
  }

  /// What the key means, and when it came.
  fileprivate var description: String {
    about + (firstIOS.map { "; from iOS \($0) on" } ?? "")
  }

  /// What a key means, whichever of several rows holds of it.
  fileprivate static func description(of rows: [KeyRow]) -> String {
    rows.map { $0.description }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      .joined(separator: "; or ")
  }

  /// Returns one row for each name: where it allows what any row of the name does.
  static func merged(_ rows: [KeyRow]) -> [KeyRow] {
    var names: [String] = []
    for row in rows where !names.contains(row.name) { names.append(row.name) }
    return names.map { name in
      var different: [KeyRow] = []
      for row in rows where row.name == name {
        if !different.contains(where: { $0.isSame(as: row) }) { different.append(row) }
      }
      if different.count == 1 { return different[0] }
      var schemas: [Schema] = []
      for row in different {
        if !schemas.contains(where: { $0.says(the: row.schema) }) { schemas.append(row.schema) }
      }
      return KeyRow(
        name: name, schema: schemas.count == 1 ? schemas[0] : .either(schemas),
        presence: .optional, about: description(of: different))
    }
  }
}

extension KeyRow.Presence {
  fileprivate var text: String? { if case .standard(let text) = self { text } else { nil } }
}

extension JSONWriter {
  fileprivate mutating func required(_ keys: [String]) {
    array("required", keys) { $0.string(text: $1) }
  }

  /// Writes that one of some marks is met.
  fileprivate mutating func members(of marks: [ObjectMark]) {
    var words: [(key: String, words: [String])] = []
    var others: [ObjectMark] = []
    for mark in marks {
      guard case .words(let own, let key) = mark else {
        others.append(mark)
        continue
      }
      if let place = words.firstIndex(where: { $0.key == key }) {
        words[place].words += own
      } else {
        words.append((key, own))
      }
    }
    if words.count + others.count == 1 {
      if let own = words.first { members(of: own) } else { members(of: others[0]) }
      return
    }
    array("anyOf") { json in
      for own in words { json.object { $0.members(of: own) } }
      for mark in others { json.object { $0.members(of: mark) } }
    }
  }

  private mutating func members(of own: (key: String, words: [String])) {
    object("properties") { json in
      json.object(text: own.key) { json in
        json.array("enum", own.words) { $0.string(text: $1) }
      }
    }
    required([own.key])
  }

  private mutating func members(of mark: ObjectMark) {
    switch mark {
    case .key(let key): required([key])
    case .noneOf(let keys):
      object("not") { json in
        if keys.count == 1 {
          json.required(keys)
        } else {
          json.array("anyOf", keys) { json, key in json.object { $0.required([key]) } }
        }
      }
    case .words(let words, let key): members(of: (key, words))
    case .otherwise: break
    }
  }
}
