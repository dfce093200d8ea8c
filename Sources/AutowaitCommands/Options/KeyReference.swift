import Autowait
import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// All keys of all files that are read, as their readers declare them: what may stand there, what
/// it stands for if it is left out, and what it means.
enum KeyReference {
  /// A key of an object, whatever else the object has.
  struct Row {
    let name: String
    /// What may stand there, each alternative once.
    var values: [String]
    /// What it stands for if it is left out: a value, `required`, or nothing in particular.
    var standard: String
    /// What it means, and when it may be there.
    var about: String
  }

  /// An object.
  struct KeyedObject {
    let name: String
    /// What it describes, as a message calls it.
    let subject: String
    let rows: [Row]
    /// Where it stands.
    var places: [String] = []
  }

  /// The objects, those that files begin with first.
  static let sections: [KeyedObject] = {
    // The same object can have several definitions, of which some demand more.
    var kinds: [ObjectKind] = []
    let all = SchemaWriter.kinds(
      in: .either([
        .object { ScenarioKeys.object }, .object { ExperimentKeys.object },
        .object { LinkKeys.object }, HeuristicKeys.nameOrObject,
      ]))
    for kind in all where !isComparison(kind.name) {
      if !kinds.contains(where: { $0.name == kind.name }) { kinds.append(kind) }
    }
    return kinds.map { kind in
      var section = KeyedObject(name: kind.name, subject: kind.subject, rows: rows(of: kind))
      for other in kinds {
        for row in other.keys + other.cases.flatMap(\.keys)
        where objects(in: row.schema).contains(kind.name) {
          let place = "`\(row.name)` of `\(other.name)`"
          if !section.places.contains(place) { section.places.append(place) }
        }
      }
      return section
    }
  }()

  /// Returns the objects of a name, or that a message calls so.
  static func sections(named name: String) -> [KeyedObject] {
    sections.filter { section in
      let words = section.subject.split(separator: " ").dropFirst()
      return section.name == name || words.joined(separator: " ") == name
    }
  }

  /// Returns the objects with nothing but their key of a name.
  static func sections(withKey name: String) -> [KeyedObject] {
    sections.compactMap { section in
      let rows = section.rows.filter { $0.name == name }
      return rows.isEmpty
        ? nil : KeyedObject(name: section.name, subject: section.subject, rows: rows)
    }
  }

  /// All names by which something can be found.
  static let names: [String] = sections.reduce(into: sections.map(\.name)) { names, section in
    for row in section.rows where row.name != anyName && !names.contains(row.name) {
      names.append(row.name)
    }
  }

  /// What stands for keys whose names are free.
  private static let anyName = "NAME"

  // MARK: - What keys say

  private static func rows(of kind: ObjectKind) -> [Row] {
    var rows: [Row] = []
    // What each row of them may be, in how many ways.
    var waysOfRows: [Set<[String]>] = []
    func add(_ row: KeyRow, _ mark: ObjectMark?) {
      let values = texts(of: row.schema)
      guard let place = rows.firstIndex(where: { $0.name == row.name }) else {
        var about = row.about
        if let condition = mark.flatMap(text(of:)) { about += "; \(condition)" }
        if let version = row.firstIOS { about += "; from iOS \(version) on" }
        rows.append(
          Row(
            name: row.name, values: unique(values), standard: text(of: row.presence), about: about))
        waysOfRows.append([values])
        return
      }
      waysOfRows[place].insert(values)
      rows[place].values = unique(rows[place].values + values)
      if row.isRequired, rows[place].standard.isEmpty {
        rows[place].standard = (["required"] + [mark.flatMap(text(of:))].compactMap { $0 })
          .joined(separator: " ")
      }
      if mark != nil, rows[place].about.hasPrefix(row.about) { rows[place].about = row.about }
    }
    for row in kind.keys { add(row, nil) }
    for own in kind.cases {
      for row in own.keys { add(row, own.mark) }
    }
    if let others = kind.others {
      rows.append(
        Row(
          name: anyName, values: unique(texts(of: others)), standard: "",
          about: "a key of any other name"))
    }
    for place in waysOfRows.indices where waysOfRows[place].count > waysMax {
      rows[place].values = ["a value that fits the other keys"]
    }
    return rows
  }

  /// The most ways to fill a key that are listed, if it has others where other keys say so.
  private static let waysMax = 6

  private static func text(of presence: KeyRow.Presence) -> String {
    switch presence {
    case .required: "required"
    case .optional: ""
    case .standard(let text): "`\(text)`"
    }
  }

  /// Says when a key may be there.
  private static func text(of mark: ObjectMark) -> String? {
    switch mark {
    case .key(let key): "with `\(key)`"
    case .noneOf(let keys): "without \(alternatives(keys.map { "`\($0)`" }))"
    case .words(let words, let key):
      words.count > 3 ? nil : "where `\(key)` is \(alternatives(words.map { "`\($0)`" }))"
    case .otherwise: nil
    }
  }

  /// Says what may stand in a place.
  private static func text(of schema: Schema) -> String { choice(unique(texts(of: schema))) }

  /// Returns the alternatives that may stand in a place, also those of alternatives.
  private static func texts(of schema: Schema) -> [String] {
    switch schema {
    case .any: ["any value"]
    case .null: ["`null`"]
    case .bool: ["`true`", "`false`"]
    case .string, .pattern, .suggested: ["a string"]
    case .number: ["a number"]
    case .integer(let limits):
      limits.lowerBound == limits.upperBound
        ? ["`\(limits.lowerBound)`"] : [text(of: .integer, in: limits)]
    case .quantity(let quantity, let limits): [text(of: quantity, in: limits)]
    case .words(let words): texts(of: words)
    case .list(let element, _): [listHead + text(of: element)]
    case .object(let kind): [object([kind().name])]
    case .forms(let forms): [object(forms.map { $0.object().name })]
    case .either(let schemas): schemas.flatMap { texts(of: $0) }
    }
  }

  private static func text(of quantity: Quantity, in limits: ClosedRange<Int64>) -> String {
    let name = quantity.description.split(separator: " ").prefix { $0 != "such" }
      .joined(separator: " ")
    if quantity.isCount, limits.upperBound <= 1_000 {
      return "\(name) from \(limits.lowerBound) to \(limits.upperBound)"
    }
    switch limits.lowerBound {
    case ..<1: return name
    case 1 where !quantity.isCount: return "\(name) above 0"
    case let least: return "\(name) of at least \(quantity.text(least))"
    }
  }

  private static func texts(of words: [String]) -> [String] {
    if words == Event.names { return ["the name of an event"] }
    if words == Metric.allCases.map(\.rawValue) { return ["the name of a metric"] }
    return words.map { "`\($0)`" }
  }

  private static func object(_ names: [String]) -> String {
    if names.allSatisfy(isComparison) { return "a comparison" }
    let own = unique(names.filter { !isComparison($0) })
    return "an object: " + own.map { "`\($0)`" }.joined(separator: " / ")
  }

  private static func isComparison(_ name: String) -> Bool { name.hasPrefix("comparisonOf_") }

  private static func alternatives(_ texts: [String]) -> String {
    guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
  }

  private static let listHead = "a list, each "

  /// Joins the alternatives of a place, lists last: what follows 'each' is said of their elements.
  private static func choice(_ texts: [String]) -> String {
    alternatives(
      texts.filter { !$0.hasPrefix(listHead) } + texts.filter { $0.hasPrefix(listHead) })
  }

  private static func unique(_ texts: [String]) -> [String] {
    texts.reduce(into: []) { unique, text in
      if !unique.contains(text) { unique.append(text) }
    }
  }

  /// The names of the objects that may stand in a place, also in a list.
  private static func objects(in schema: Schema) -> [String] {
    switch schema {
    case .object(let kind): [kind().name]
    case .forms(let forms): forms.map { $0.object().name }
    case .either(let schemas): schemas.flatMap(objects(in:))
    case .list(let element, _): objects(in: element)
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested: []
    }
  }
}

// MARK: - Formats

extension KeyReference {
  /// The article that has all of it, in Markdown.
  static var article: String {
    var text = """
      # Scenario reference

      All keys of all files that Autowait reads, with their values, defaults and meanings.

      ## Overview

      <doc:writing-a-scenario> explains how files are put together; this page has every key. It is
      what `autowait manual scenario` prints. The readers of the files declare each key once, and
      this page, `autowait schema`, `autowait list keys` and the error messages all follow from
      that.

      A quantity is a string with a unit, such as `"780 kbit/s"` or `"250 ms"`, or a number of
      seconds, bits per second or bytes. A comparison is a value, or an object with some of `<`,
      `<=`, `==`, `>=` and `>`. Where the third column is empty, a key that is left out has no
      value, or one that depends on others.

      """
    for section in sections {
      text += "\n## \(section.name)\n\n\(sentence(section.subject))"
      if !section.places.isEmpty {
        let places = section.places.prefix(placesMax).map { $0 }
        let rest = section.places.count - places.count
        let more = rest > 0 ? ["\(rest) more"] : []
        text += "; used in:\n" + (places + more).map { "\n- \($0)" }.joined()
      } else {
        text += "."
      }
      text += "\n\n| key | value | default | meaning |\n|---|---|---|---|\n"
      for row in section.rows {
        let cells = [
          "`\(row.name)`", choice(row.values), row.standard, row.about,
        ].map { $0.replacing("|", with: "\\|") }
        text += "| \(cells.joined(separator: " | ")) |\n"
      }
    }
    return text
  }

  /// So many places are listed at which an object stands.
  private static let placesMax = 6

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns a line for each object.
  static func overview(width: Int) -> String {
    var page = TextPage(TextStyle(width: width, usesColor: false))
    for section in sections {
      let head = head(section.name, columns: 28)
      let keys = section.rows.map(\.name).joined(separator: ", ")
      page.paragraph([PaintedText(head)], "\(section.subject): \(keys)")
    }
    return page.text
  }

  /// Returns all there is to say about the keys of some objects.
  static func text(_ sections: [KeyedObject], width: Int) -> String {
    var page = TextPage(TextStyle(width: width, usesColor: false))
    for section in sections {
      page.separate()
      page.line("\(section.name): \(section.subject)")
      for row in section.rows {
        let head = "  " + head(row.name, columns: 26)
        let standard =
          switch row.standard {
          case "": ""
          case let value where value.hasPrefix("required"): "; \(value)"
          case let value: "; default: \(value)"
          }
        let words = "\(row.about): \(choice(row.values))\(standard)"
        page.paragraph([PaintedText(head)], words.filter { $0 != "`" })
      }
    }
    return page.text
  }

  /// Returns a name with spaces up to a column, and with two of them if it is longer.
  private static func head(_ name: String, columns: Int) -> String {
    TerminalText.padded(name.count < columns ? name : name + "  ", columns: columns)
  }

  /// Writes an object with its keys.
  static func write(_ section: KeyedObject, into writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", text: section.name)
      writer.field("subject", text: section.subject)
      writer.objects("keys", section.rows) { writer, row in
        writer.field("name", text: row.name)
        writer.field("value", text: choice(row.values).filter { $0 != "`" })
        writer.field("required", row.standard.hasPrefix("required"))
        if row.standard.hasPrefix("`") {
          writer.field("default", text: row.standard.filter { $0 != "`" })
        }
        writer.field("about", text: row.about.filter { $0 != "`" })
      }
    }
  }
}
