/// Reads an object key by key, and at the end tells of the keys that nobody asked for.
///
/// A value that is missing or wrong is reported and read as nil, so that one pass over a file
/// finds all that is wrong with it:
///
///     var fields = FieldReader(value, "a link", findings)
///     let rate = fields.required("rate", .bitRate)
///     let latency = fields.optional("latency", .time, default: .zero)
///     fields.finish()
package struct FieldReader {
  /// The object, or nil when the value was something else, which was reported.
  package let object: JSONValue?
  /// What the object describes, as a message calls it: `a link`.
  package let subject: String
  /// Where the mistakes go.
  package let findings: Findings

  private var names: [String] = []
  /// A bit for each of the first members that was asked for and found.
  private var readMembers: UInt64 = 0
  /// Whether keys that nobody asked for are free names rather than mistakes.
  private var acceptsOthers = false
  /// What is known of the object; nil for one in a format of others.
  private(set) var kind: ObjectKind?

  /// Begins to read a value that must be an object.
  package init(_ value: JSONValue, _ subject: String, _ findings: Findings) {
    self.init(value, subject, findings, FieldLabel(subject: subject))
  }

  /// Begins to read a value that must be an object of a kind.
  package init(_ value: JSONValue, _ kind: ObjectKind, _ findings: Findings) {
    self.init(value, kind.subject, findings)
    self.kind = kind
  }

  /// Begins to read a value that must be an object of a kind and that a message calls by a label.
  init(_ value: JSONValue, _ kind: ObjectKind, _ findings: Findings, _ label: FieldLabel) {
    self.init(value, kind.subject, findings, label)
    self.kind = kind
  }

  private init(_ value: JSONValue, _ subject: String, _ findings: Findings, _ label: FieldLabel) {
    self.subject = subject
    self.findings = findings
    if value.kind == .object {
      object = value
      // One allocation for most objects instead of three.
      names.reserveCapacity(8)
    } else {
      object = nil
      findings.errorWrongType(value, label, "an object")
    }
  }

  /// Reads a value that must be there; nil when it is missing or wrong, which was reported.
  package mutating func required<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
    if let value = value(name) { return kind.read(value, FieldLabel(key: name), findings) }
    reportMissing("the key '\(name)'", [name])
    return nil
  }

  /// Reads a value that may be left out; nil when it is, or when it is wrong.
  package mutating func optional<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
    guard let value = value(name) else { return nil }
    return kind.read(value, FieldLabel(key: name), findings)
  }

  /// Reads a value that may be left out; the default when it is, or when it is wrong.
  package mutating func optional<Value>(
    _ name: String, _ kind: FieldKind<Value>, default fallback: @autoclosure () -> Value
  ) -> Value {
    optional(name, kind) ?? fallback()
  }

  /// Begins to read an object that may be left out; nil when it is, or when it is none.
  package mutating func object(_ name: String, _ subject: String) -> FieldReader? {
    guard let value = value(name) else { return nil }
    return reader(value, subject, name)
  }

  mutating func object(_ name: String, _ kind: ObjectKind) -> FieldReader? {
    var reader = object(name, kind.subject)
    reader?.kind = kind
    return reader
  }

  /// Begins to read an object that must be there; nil when it is not.
  package mutating func requiredObject(_ name: String, _ subject: String) -> FieldReader? {
    if let value = value(name) { return reader(value, subject, name) }
    reportMissing("the key '\(name)'", [name])
    return nil
  }

  /// Returns the elements of an array that may be left out; none when it is, or is wrong.
  package mutating func elements(_ name: String) -> JSONElements {
    optional(name, .array)?.elements ?? JSONElements()
  }

  /// Returns the value of a key, whatever it is, and counts the key as known.
  package mutating func value(_ name: String) -> JSONValue? {
    names.append(name)
    guard let (value, place) = object?.placedMember(name) else { return nil }
    if place < UInt64.bitWidth { readMembers |= 1 << UInt64(place) }
    return value
  }

  /// Returns whether a key is there, and counts it as known.
  package mutating func contains(_ name: String) -> Bool {
    value(name) != nil
  }

  /// Returns the one of some keys that is there; none or a second one is reported.
  package mutating func one(of choices: [String]) -> String? {
    names.append(contentsOf: choices)
    guard let object else { return nil }
    var first: String?
    for member in object.members {
      guard let name = choices.first(where: { member.key.isString($0) }) else { continue }
      if let first, first != name {
        findings.error("'\(name)' cannot be combined with '\(first)'", at: member.key)
      }
      first = first ?? name
    }
    if first == nil {
      reportMissing("one of the keys \(NearestWord.quotedList(choices))", choices)
    }
    return first
  }

  /// Returns the members with names of a kind, and counts them as known.
  package mutating func members(named isOne: (String) -> Bool) -> [JSONMember] {
    guard let object else { return [] }
    let found = object.members.filter { isOne($0.key.string ?? "") }
    names.append(contentsOf: found.map { $0.key.string ?? "" })
    return found
  }

  /// Returns the members that nobody asked for yet, for objects whose keys are free names.
  package mutating func others() -> [JSONMember] {
    acceptsOthers = true
    guard let object else { return [] }
    return object.members.filter { !isKnown($0.key) }
  }

  /// Reports an error about the value of a key, or about the object when the key is missing.
  package func error(_ message: String, at name: String, notes: [String] = []) {
    guard let object else { return }
    let value = object.member(name)
    findings.error(message, at: value?.range ?? object.opening, notes: notes)
  }

  /// Reads the rest of the object as one of another kind, of which some keys were asked for.
  package mutating func become(_ kind: ObjectKind) { self.kind = kind }

  /// Reports unknown and duplicate keys; to be called once, after the last question.
  package func finish() {
    guard let object else { return }
    assert(isAsDescribed, "\(subject) was not asked for \(undescribed)")
    // A member that was read is known and the first of its name. When all were, as in each of a
    // million objects of a good trace, nothing needs to be compared.
    if readMembers.nonzeroBitCount == object.count { return }
    object.forEachDuplicateKey { reportDuplicate($0, of: $1) }
    if acceptsOthers { return }
    // A key that is there already is not what was meant.
    var free: [String]?
    var meant: Set<String> = []
    for member in object.members where !isKnown(member.key) {
      let candidates = free ?? distinctNames.filter { object.member($0) == nil }
      free = candidates
      reportUnknown(member.key, candidates, &meant)
    }
  }

  /// The keys that were asked for, each once, in the order of the questions.
  private var distinctNames: [String] {
    names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
  }

  /// Reports an unknown key; no two of an object are corrected to the same one.
  private func reportUnknown(
    _ key: JSONValue, _ candidates: [String], _ meant: inout Set<String>
  ) {
    if findings.isFull {
      findings.error("unknown key", at: key)
      return
    }
    let name = key.string ?? ""
    let known = distinctNames
    // Only where something is missing is it likely that a key stands one level too high.
    let places =
      kind?.places(of: name).filter { place in
        object.map { findings.isMissing(place.key, in: $0) } ?? false
      } ?? []
    let notes: [String]
    var correct: String?
    if let bare = name.split(separator: "_").first.map(String.init), bare != name,
      candidates.contains(bare)
    {
      notes = ["did you mean '\(bare)'? its unit is part of the value, as in \"780 kbit/s\""]
      forgive([bare])
    } else if let nearest = OtherWord.meant(by: name, among: candidates)
      ?? NearestWord.nearest(to: name, among: candidates)
    {
      notes = ["did you mean '\(nearest)'?"]
      forgive([nearest])
      correct = meant.insert(nearest).inserted ? nearest : nil
    } else if let there = NearestWord.nearest(to: name, among: known) {
      notes = ["did you mean '\(there)'? that key is there already"]
    } else if !places.isEmpty {
      let texts = places.prefix(Self.placesMax).map { $0.text(around: name) }
      notes = ["did you mean \(texts.joined(separator: " or "))?"]
      forgive(places.map { $0.key })
    } else if names.isEmpty {
      notes = ["\(subject) has no keys"]
    } else {
      // All keys of an object that has few; else those that can still be meant.
      let isShort = known.count <= NearestWord.listedMax || candidates.isEmpty
      notes = NearestWord.notes(
        for: name, among: isShort ? known : candidates, list: "the keys are: ",
        shownBy: kind.map { "autowait list keys \($0.name)" })
    }
    findings.error(
      "unknown key '\(name.excerpt)'", at: key, notes: notes, meant: correct, choices: known)
  }

  /// So many places are named in which a key stands that is unknown here.
  private static let placesMax = 4

  /// That keys are missing as which an unknown one was meant, is no mistake of its own.
  private func forgive(_ names: [String]) {
    guard let object else { return }
    for name in names { findings.forgive(missing: name, in: object) }
  }

  private func reader(_ value: JSONValue, _ subject: String, _ name: String) -> FieldReader? {
    let reader = FieldReader(value, subject, findings, FieldLabel(key: name))
    return reader.object == nil ? nil : reader
  }

  private func reportMissing(_ what: String, _ names: [String]) {
    guard let object else { return }
    findings.error("\(subject) needs \(what)", missing: names, in: object)
  }

  /// The keys that are described and were not asked for, though nothing was wrong.
  private var undescribed: [String] {
    guard let kind, !findings.hasErrors, !acceptsOthers else { return [] }
    return kind.keys.map { $0.name }.filter { !names.contains($0) }
  }

  private var isAsDescribed: Bool { undescribed.isEmpty }

  private func isKnown(_ key: JSONValue) -> Bool {
    names.contains { key.isString($0) }
  }

  private func reportDuplicate(_ key: JSONValue, of first: JSONValue) {
    if findings.isFull {
      findings.error("duplicate key", at: key)
      return
    }
    let position = findings.position(of: first.range.lowerBound)
    findings.error(
      "duplicate key '\((key.string ?? "").excerpt)'", at: key,
      notes: ["the first one is at \(position)"])
  }
}
