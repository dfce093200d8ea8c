/// A key of an object: its name, what may stand there, and what that says.
///
/// The readers ask for keys, and the schema lists them: a key that is read and a key that is
/// documented are one declaration.
package struct Key<Value: Sendable>: Sendable {
  let kind: FieldKind<Value>
  package private(set) var row: KeyRow
  /// What it stands for if the key is left out; nil if that depends on other things.
  let standard: Value?

  /// Creates a key that may be left out, for which nothing in particular stands then.
  package init(_ name: String, _ kind: FieldKind<Value>, _ about: String) {
    self.init(name, kind, .optional, about)
  }

  /// Creates a key.
  package init(
    _ name: String, _ kind: FieldKind<Value>, _ presence: KeyRow.Presence, _ about: String
  ) {
    self.kind = kind
    standard = presence.standard.flatMap {
      kind.read($0, FieldLabel(key: name), Findings($0.source))
    }
    precondition(
      standard != nil || presence.standard == nil, "the standard of '\(name)' is not of its kind")
    row = KeyRow(name: name, schema: kind.schema, presence: presence, about: about)
  }

  package var name: String { row.name }

  /// Returns the same key as one that came with a version of iOS.
  package func since(iOS version: Int) -> Key {
    var key = self
    key.row.firstIOS = version
    return key
  }

  /// The row of the same key where it may be left out.
  package var optional: KeyRow { row.with(row.schema, .optional) }

  /// The row of the same key where it may not be left out.
  var required: KeyRow { row.with(row.schema, .required) }
}

/// What is known of a key whatever the type of its value.
package struct KeyRow: Sendable {
  /// Whether a key may be left out, and what that stands for.
  package enum Presence: Sendable {
    case required
    case optional
    /// It may be left out, which is the same as a value; what is no JSON is a string.
    case standard(String)

    /// The value that a key that is left out stands for.
    package var standard: JSONValue? {
      guard case .standard(let text) = self else { return nil }
      func read(_ text: String) -> JSONValue? {
        let findings = Findings(SourceText(path: "", bytes: Array(text.utf8)))
        return findings.parseJSON()
      }
      return read(text) ?? read("\"\(text)\"")
    }
  }

  package let name: String
  package let schema: Schema
  package let presence: Presence
  /// What the value says, in a few words.
  package let about: String
  /// The version of iOS that it came with; nil if that does not matter.
  package fileprivate(set) var firstIOS: Int?
  /// The regular expression of the names that it stands for; nil if it has just the one.
  package let pattern: String?

  package init(
    name: String, schema: Schema, presence: Presence, about: String, pattern: String? = nil
  ) {
    (self.name, self.schema, self.presence, self.about) = (name, schema, presence, about)
    self.pattern = pattern
  }

  package var isRequired: Bool { if case .required = presence { true } else { false } }

  /// Returns the same key with something else that may stand there, and where it must be there or
  /// need not.
  func with(_ schema: Schema, _ presence: Presence) -> KeyRow {
    var row = KeyRow(
      name: name, schema: schema, presence: presence, about: about, pattern: pattern)
    row.firstIOS = firstIOS
    return row
  }
}

/// What an object of a file may say: its keys, and how they go together.
package final class ObjectKind: Sendable {
  /// The keys that an object may have if it has a mark.
  package struct Case: Sendable {
    package let mark: ObjectMark
    package let keys: [KeyRow]

    package init(_ mark: ObjectMark, _ keys: KeyRow...) { self.init(mark, rows: keys) }

    package init(_ mark: ObjectMark, rows: [KeyRow]) {
      self.mark = mark
      keys = rows
    }
  }

  /// What references call it.
  package let name: String
  /// The name in a schema, which differs where the same object may say more or less.
  package let definition: String
  /// What the object describes, as a message calls it: `a link`.
  package let subject: String
  /// The keys that it has in any case.
  package let keys: [KeyRow]
  /// Keys of which exactly one is there.
  package let choices: [String]
  /// Keys of which one or more are there; none if that does not matter.
  package let needed: [String]
  /// The keys that it may have besides, and those of which more is known with a mark.
  package let cases: [Case]
  /// What stands at keys that are free names; nil if there are none.
  package let others: Schema?

  /// Creates a description.
  package init(
    _ name: String, _ subject: String, _ keys: KeyRow..., choices: [String] = [],
    cases: [Case] = []
  ) {
    (self.name, self.subject, self.keys) = (name, subject, keys)
    (self.choices, self.cases, others) = (choices, cases, nil)
    (definition, needed) = (name, [])
  }

  /// Creates the description of an object with the keys of others besides its own.
  package init(
    _ name: String, _ subject: String, rows: [KeyRow], cases: [Case] = [],
    others: Schema? = nil
  ) {
    (self.name, self.subject, keys) = (name, subject, rows)
    (choices, self.cases, self.others) = ([], cases, others)
    (definition, needed) = (name, [])
  }

  /// Creates the description of another one's object where more must be there, or less.
  private init(
    _ kind: ObjectKind, as definition: String, keys: [KeyRow], cases: [Case],
    needing needed: (oneOf: [String], only: [String])
  ) {
    (name, subject, others) = (kind.name, kind.subject, kind.others)
    (self.definition, self.keys, self.cases) = (definition, keys, cases)
    (self.needed, choices) = (needed.oneOf, needed.only)
  }

  /// Returns the same object where one or more of some keys must be there.
  package func needing(oneOf needed: [String]) -> ObjectKind {
    ObjectKind(self, as: definition, keys: keys, cases: cases, needing: (needed, choices))
  }

  /// Returns the same object where just one of some keys must be there; a schema defines it under a
  /// name of its own.
  func needing(only choices: [String], as definition: String) -> ObjectKind {
    ObjectKind(self, as: definition, keys: keys, cases: cases, needing: (needed, choices))
  }

  /// Returns the same object where more is known of some keys; a schema defines it under a name of
  /// its own.
  func with(_ more: Case, as definition: String) -> ObjectKind {
    ObjectKind(self, as: definition, keys: keys, cases: cases + [more], needing: (needed, choices))
  }

  /// The same object where others complete it, and nothing must be there.
  package var partial: ObjectKind {
    let demands = !cases.isEmpty || !choices.isEmpty || !needed.isEmpty
    if !demands, keys.allSatisfy({ !$0.isRequired && !$0.schema.hasObjects }) { return self }
    let rows = (keys + cases.flatMap { $0.keys }).map { row in
      row.with(row.schema.partial, row.isRequired ? .optional : row.presence)
    }
    return ObjectKind(
      self, as: "\(definition)Part", keys: KeyRow.merged(rows), cases: [], needing: ([], []))
  }

  /// Whether a key of the name is described.
  package func contains(_ name: String) -> Bool {
    keys.contains { $0.name == name }
      || cases.contains { $0.keys.contains { $0.name == name } }
  }

  /// A key whose value is an object, or a list of objects, that may have a certain key.
  struct KeyPlace {
    let key: String
    let isList: Bool

    /// How it is written around the key.
    func text(around name: String) -> String {
      isList ? "\"\(key)\": [{\"\(name)\": …}]" : "\"\(key)\": {\"\(name)\": …}"
    }
  }

  /// The keys of this object in the value of which a key may stand.
  func places(of name: String) -> [KeyPlace] {
    (keys + cases.flatMap { $0.keys }).reduce(into: []) { places, row in
      if places.contains(where: { $0.key == row.name }) { return }
      if row.schema.takes(name) {
        places.append(KeyPlace(key: row.name, isList: false))
      } else if case .list(let element, _) = row.schema, element.takes(name) {
        places.append(KeyPlace(key: row.name, isList: true))
      }
    }
  }
}
