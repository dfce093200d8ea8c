import Autowait
import AutowaitScenario

/// Reading what varies.
extension ExperimentReader {
  /// The most values of an axis.
  static let valuesMax = 1_000_000
  /// The words that a key of `vary` can begin with: those of a scenario.
  private static let words = [
    "heuristic", "player", "link", "media", "transport", "traffic", "script", "until",
    "eventsMax", "players",
  ]

  /// Reads `vary`: a key of the scenario and its values, or the seeds.
  mutating func axes(_ value: JSONValue, _ base: JSONValue?, seeds: inout SeedList?) -> [Axis] {
    var fields = FieldReader(value, ExperimentKeys.varied, findings)
    var axes: [Axis] = []
    if let value = fields.value(ExperimentKeys.seed) {
      seeds = SeedList.read(value, countMax: ExperimentPlan.sessionsMax, findings)
    }
    for member in fields.others() {
      guard let key = member.key.string else { continue }
      let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let isPlain = parts.allSatisfy { part in
        !part.isEmpty && part.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
      }
      guard isPlain, let first = parts.first, Self.words.contains(first) else {
        findings.error(
          "'\(key)' is not a key of a scenario that can vary", at: member.key,
          notes: NearestWord.hint(for: parts.first ?? "", among: Self.words + ["seed"]))
        continue
      }
      let values = values(member.value, of: key)
      guard !values.isEmpty else {
        if !findings.hasErrors { findings.error("'\(key)' has no values", at: member.value) }
        continue
      }
      axes.append(Axis(key: key, values: values, place: member.key))
      if parts.count == 1, let replaced = base?.member(key) { refuseNumber(replaced, of: key) }
    }
    fields.finish()
    return axes
  }

  /// Refuses a number, or true or false, in the base where one can be nothing: what varies replaces
  /// it, and so nobody else reads it.
  private func refuseNumber(_ replaced: JSONValue, of key: String) {
    let isNumber = [.number, .true, .false].contains(replaced.kind)
    guard isNumber, key != "until", key != "eventsMax" else { return }
    findings.error("'\(key)' of the base must not be a number, true or false", at: replaced)
  }

  /// Reads the values of a key: a list, or a single one that stands for several, such as `"*"`.
  private mutating func values(_ value: JSONValue, of key: String) -> [AxisValue] {
    var result: [AxisValue] = []
    let elements = value.kind == .array ? Array(value.elements) : [value]
    for element in elements {
      switch key {
      case "heuristic": result += rules(element)
      case "link": result += links(element)
      case "media": result += media(element)
      default:
        notePrograms(in: element)
        if key.hasSuffix(".program") { noteProgram(element) }
        let words = key.hasSuffix(".program") ? words(of: element) : nil
        result.append(AxisValue(words ?? name(of: element), ScenarioPiece(element)))
      }
      if result.count > Self.valuesMax {
        findings.error("'\(key)' has more than \(Self.valuesMax) values", at: value)
        return result
      }
    }
    return distinct(result, key)
  }

  /// Two values of one name could not be told apart in a table.
  private func distinct(_ values: [AxisValue], _ key: String) -> [AxisValue] {
    var seen: Set<String> = []
    for value in values where value.name.utf8.allSatisfy({ $0 == 0x20 }) {
      findings.error(
        "'\(key)' has a value with an empty name", at: value.piece.origin ?? value.piece.value)
    }
    for value in values where !seen.insert(value.name).inserted {
      findings.error(
        "'\(key)' has two values '\(value.name)'", at: value.piece.origin ?? value.piece.value,
        notes: value.piece.value.kind == .object ? ["the key 'name' tells objects apart"] : [])
    }
    return values
  }

  /// What a value is called: its own name, or its text as far as a table can bear it.
  private func name(of value: JSONValue) -> String {
    if let text = value.string { return text }
    if let name = value.member("name")?.string { return name }
    for key in ["rule", "program"] {
      guard let rule = value.member(key), let name = rule.string ?? words(of: rule) else {
        continue
      }
      let rest = value.members.filter { $0.key.string != key }.map {
        "\($0.key.string ?? "") \(self.name(of: $0.value))"
      }
      return ([name] + rest).joined(separator: " ")
    }
    let text = JSONWriter.text { $0.value(value) }
    return text.unicodeScalars.count <= 60 ? text : String(text.prefix(57)) + "..."
  }

  /// The words of a program as one text; nil of what is none.
  private func words(of value: JSONValue) -> String? {
    let words = value.kind == .array ? value.elements.compactMap { $0.string } : []
    return words.isEmpty || words.count != value.count ? nil : words.joined(separator: " ")
  }

  private mutating func rules(_ value: JSONValue) -> [AxisValue] {
    guard let word = value.string else {
      notePrograms(in: value)
      return [AxisValue(name(of: value), renamed(value))]
    }
    let entries = word == "*" ? RuleCatalogue.all : RuleCatalogue.named(word).map { [$0] } ?? []
    if !entries.isEmpty {
      return entries.compactMap { entry in
        ScenarioPiece(entry.json, for: value).map { AxisValue(entry.name, $0) }
      }
    }
    let names = RuleCatalogue.all.map { $0.name } + ["*"]
    findings.error(
      "unknown rule '\(word)'", at: value,
      notes: NearestWord.hint(
        for: word, among: names, orElse: "'*' stands for all that are built in"))
    return []
  }

  /// Notes the programs in a value, whose paths are relative to the experiment.
  private mutating func notePrograms(in value: JSONValue) {
    for member in value.members {
      if member.key.string == "program" {
        noteProgram(member.value)
      } else {
        notePrograms(in: member.value)
      }
    }
    if value.kind == .array { for element in value.elements { notePrograms(in: element) } }
  }

  private mutating func noteProgram(_ words: JSONValue) {
    guard words.kind == .array, let path = words.elements.first(where: { _ in true })?.string
    else { return }
    variedPaths.append(path)
  }

  /// A rule without its name, which only tables know.
  private func renamed(_ value: JSONValue) -> ScenarioPiece {
    guard value.kind == .object, value.member("name") != nil else { return ScenarioPiece(value) }
    let text = JSONWriter.text { $0.object(value, without: "name") }
    return ScenarioPiece(text, for: value) ?? ScenarioPiece(value)
  }

  private mutating func links(_ value: JSONValue) -> [AxisValue] {
    guard let text = value.string else {
      if let path = value.member("trace")?.string { variedPaths.append(path) }
      if let start = value.member("use")?.string, start.utf8.contains(UInt8(ascii: ".")) {
        variedPaths.append(start)
      }
      return [AxisValue(value.member("trace")?.string ?? name(of: value), ScenarioPiece(value))]
    }
    if text.utf8.last == UInt8(ascii: "/") { return folder(text, value) }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if parts[0].utf8.last == UInt8(ascii: "*") {
      let prefix = parts[0].dropLast()
      let suffix = parts.count > 1 ? "@\(parts[1])" : ""
      let names = LinkPreset.all.map { $0.name }.filter { $0.hasPrefix(prefix) }
      if names.isEmpty {
        let families = LinkPreset.families.map { "\($0)/*" }
        findings.error(
          "no link that is built in is called '\(text)'", at: value,
          notes: NearestWord.hint(
            for: text, among: families,
            orElse: "'autowait list profiles' shows the links that are built in"))
      }
      return names.compactMap { preset in
        let name = preset + suffix
        return ScenarioPiece("\"\(name)\"", for: value).map { AxisValue(name, $0) }
      }
    }
    if text.utf8.contains(UInt8(ascii: ".")) { variedPaths.append(text) }
    return [AxisValue(text, ScenarioPiece(value))]
  }

  /// The traces in a folder, each a link.
  private mutating func folder(_ path: String, _ value: JSONValue) -> [AxisValue] {
    switch files.list(path, findings.source.path) {
    case .failure(let problem):
      findings.error("the folder '\(path)' \(problem.reason)", at: value)
      return []
    case .success(let names):
      if names.isEmpty { findings.error("the folder '\(path)' has no files", at: value) }
      return names.compactMap { name in
        variedPaths.append(name)
        let text = JSONWriter.text { $0.string(text: name) }
        return ScenarioPiece(text, for: value).map { AxisValue(name, $0) }
      }
    }
  }

  private mutating func media(_ value: JSONValue) -> [AxisValue] {
    guard let path = value.string else {
      if let path = (value.member("playlist") ?? value.member("file"))?.string {
        variedPaths.append(path)
      }
      return [AxisValue(name(of: value), renamed(value))]
    }
    if path.hasSuffix(".m3u8") {
      variedPaths.append(path)
      let text = JSONWriter.text { $0.object { $0.field("playlist", text: path) } }
      return ScenarioPiece(text, for: value).map { [AxisValue(path, $0)] } ?? []
    }
    switch files.loader.load(path, findings.source.path) {
    case .failure(let problem):
      findings.error("the media '\(path)' \(problem.reason)", at: value)
      return []
    case .success(let source):
      let inner = Findings(source)
      guard let root = inner.parseJSON(), root.kind == .object else {
        findings.error("the media '\(path)' is not a JSON object", at: value)
        return []
      }
      return [AxisValue(path, ScenarioPiece(root))]
    }
  }
}
