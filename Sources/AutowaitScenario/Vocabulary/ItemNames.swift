/// What the items of a player, or its media, are called; files name them so, or by their numbers.
struct ItemNames {
  /// What they are: items or media.
  enum Noun {
    case item, medium
  }

  let noun: Noun
  /// The names, by number; nil for those without one.
  private(set) var names: [String?]
  /// Whether all could be read: what is wrong with the others has been reported.
  private(set) var isWhole: Bool
  /// The item that is played as copies of itself, which stand behind all others.
  private var copied: Int?

  init(_ noun: Noun = .item, _ names: [String?] = [], isWhole: Bool = true) {
    (self.noun, self.names, self.isWhole) = (noun, names, isWhole)
  }

  /// Adds the copies of an item that is not played itself, or is.
  ///
  /// Returns the first name of a copy that another item has, if there is one.
  mutating func addCopies(_ count: Int, of item: Int, isPlayed: Bool) -> String? {
    let stem = names[item].map { "\($0) " } ?? ""
    let copies = (1...count).map { "\(stem)copy \($0)" }
    let taken = copies.first { names.contains($0) }
    for copy in copies { names.append(copy) }
    if !isPlayed { copied = item }
    return taken
  }

  /// Takes note that some could not be read, which has been reported.
  mutating func lose() { isWhole = false }

  /// The number or the name of one.
  static let schema: Schema = .either([.integer(0...1_000_000), .string])
  /// The same, or null for none.
  static let schemaOrNull: Schema = .either([.integer(0...1_000_000), .string, .null])

  /// Returns what messages call one: its name between quotes, or its number.
  func word(_ number: Int) -> String {
    (number < names.count ? names[number] : nil).map { "'\($0.excerpt)'" } ?? "\(number)"
  }

  /// Returns the number of what a value names; nil, with an error, if there is no such one.
  func number(of value: JSONValue, _ label: FieldLabel, _ findings: Findings) -> Int? {
    if let name = value.string {
      if let number = names.firstIndex(of: name) { return number }
      if !isWhole { return nil }
      findings.error("there is no \(noun) '\(name.excerpt)'", at: value, notes: notes(for: name))
      return nil
    }
    guard value.kind == .number else {
      findings.errorWrongType(value, label, "the number or the name of an item")
      return nil
    }
    let kind = FieldKind<Int64>.integer(in: 0...1_000_000)
    guard let number = kind.read(value, label, findings) else { return nil }
    if number < names.count { return Int(number) }
    if names.isEmpty || !isWhole { return nil }
    let all = noun == .item ? "items" : "media"
    findings.error(
      "there is no \(noun) \(number); \(all) count from 0 to \(names.count - 1)", at: value)
    return nil
  }

  /// Returns the number of the item that a value names as the current one, as ``number(of:_:_:)``.
  ///
  /// Warns of an item that loops as copies of itself, and so is never the current one.
  func currentItem(_ value: JSONValue, _ label: FieldLabel, _ findings: Findings) -> Int? {
    guard let number = number(of: value, label, findings) else { return nil }
    guard let copied, number == copied, let last = names.last ?? nil, copied + 1 < names.count
    else {
      return number
    }
    let first = names[names.firstIndex { $0?.hasSuffix("copy 1") == true } ?? number] ?? ""
    findings.warning(
      "item \(word(number)) loops as copies of itself, and never plays", at: value,
      notes: ["its copies are called '\(first.excerpt)' to '\(last.excerpt)'"])
    return number
  }

  private func notes(for name: String) -> [String] {
    var known: [String] = []
    for case let name? in names where !known.contains(name) { known.append(name) }
    if known.isEmpty {
      return [#"none has a name; one is given with "name", as in { "name": "intro", … }"#]
    }
    let all = noun == .item ? "items" : "media"
    return NearestWord.notes(for: name, among: known, list: "the \(all) with names are: ")
  }
}

/// What the value of an event counts, and a file may name instead.
enum NamedValue {
  case item, step
}

extension FieldKind where Value == String {
  /// A name that can stand where a number can: a word that is not one, nor `null`.
  static var name: FieldKind {
    FieldKind(.string) { value, label, findings in
      guard let name = FieldKind.string.read(value, label, findings) else { return nil }
      let isWord = !name.isEmpty && name != "null" && ExactDecimal(name) == nil
      if !isWord { findings.error("\(label) must be a word, not a number or nothing", at: value) }
      return isWord ? name : nil
    }
  }
}
