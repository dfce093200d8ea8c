/// What the items of a player, or its media, are called; files name them so, or by their numbers.
struct ItemNames {
  /// What they are: items or media.
  enum Noun {
    case item, medium
  }

  let noun: Noun
  /// The names, by number; nil for those without one.
  let names: [String?]

  init(_ noun: Noun = .item, _ names: [String?] = []) { (self.noun, self.names) = (noun, names) }

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
    // What is wrong with the media has been reported.
    if names.isEmpty { return nil }
    let all = noun == .item ? "items" : "media"
    findings.error(
      "there is no \(noun) \(number); \(all) count from 0 to \(names.count - 1)", at: value)
    return nil
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
