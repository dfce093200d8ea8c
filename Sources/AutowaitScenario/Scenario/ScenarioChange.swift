import Autowait

/// A value that is put into a scenario at a path: `link.rate=3 Mbit/s`, `script[1].at=8`.
package struct ScenarioChange: Sendable {
  /// A part of the path to the value.
  enum Step: Hashable, Sendable {
    case key(String)
    case element(Int)

    var isKey: Bool { if case .key = self { true } else { false } }
  }

  /// A part of a path, with its place in a text.
  typealias PlacedStep = (step: Step, range: Range<Int>)

  /// What is wrong with a path, or with what it leads to, and where in the text that says it.
  struct Problem: Error {
    let message: String
    let range: Range<Int>
  }

  /// The text that the change stands in.
  let source: SourceText
  /// The parts of the path, each with its place in the text.
  let steps: [PlacedStep]
  /// What is put there.
  let value: MergedTree

  static let pathNotes = ["a path is written as 'link.rate' or 'script[1].at'"]

  init(source: SourceText, steps: [PlacedStep], value: MergedTree) {
    (self.source, self.steps, self.value) = (source, steps, value)
  }

  /// Reads a change, or says why it is none.
  package static func read(
    _ text: String, for name: String
  ) -> Result<ScenarioChange, Finding> {
    let source = SourceText(path: name, text: text)
    let bytes = source.bytes
    func problem(_ message: String, _ range: Range<Int>) -> Result<ScenarioChange, Finding> {
      .failure(
        Finding(
          .error, message, at: range, in: source,
          notes: ["as in 'link.rate=3 Mbit/s' or 'script[1].at=8 s'"]))
    }
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
      return problem("a change needs '=' between its path and its value", bytes.indices)
    }
    switch steps(of: Array(bytes[..<equals])) {
    case .failure(let error): return problem(error.message, error.range)
    case .success(let steps):
      switch value(source, equals + 1..<bytes.count) {
      case .failure(let error):
        return problem("the value begins as JSON does: \(error.message)", error.range)
      case .success(let value):
        return .success(ScenarioChange(source: source, steps: steps, value: value))
      }
    }
  }

  /// Reads a path: keys with full stops between them, and numbers of elements in brackets.
  static func steps(of bytes: [UInt8]) -> Result<[PlacedStep], Problem> {
    var steps: [PlacedStep] = []
    var place = 0
    func problem(_ message: String, _ range: Range<Int>) -> Result<[PlacedStep], Problem> {
      .failure(Problem(message: message, range: range))
    }
    while place < bytes.count {
      let start = place
      if bytes[place] == UInt8(ascii: "[") {
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "]")),
          let number = Int(String(decoding: bytes[place + 1..<end], as: UTF8.self)),
          "\(number)".utf8.elementsEqual(bytes[place + 1..<end])
        else { return problem("the number of an element must be in brackets", start..<bytes.count) }
        steps.append((.element(number), start..<end + 1))
        place = end + 1
        if place == bytes.count || bytes[place] == UInt8(ascii: "[") { continue }
        guard bytes[place] == UInt8(ascii: ".") else {
          return problem("a full stop must separate an element and a key", place..<place + 1)
        }
        place += 1
        continue
      }
      let end = bytes[place...].firstIndex { [0x2E, 0x5B].contains($0) } ?? bytes.count
      if end == start { return problem("the path has a key without a name", start..<start + 1) }
      steps.append((.key(String(decoding: bytes[start..<end], as: UTF8.self)), start..<end))
      place = end < bytes.count && bytes[end] == 0x2E ? end + 1 : end
    }
    if steps.isEmpty || bytes.last == 0x2E {
      return problem("the path has a key without a name", 0..<max(1, bytes.count))
    }
    return .success(steps)
  }

  /// Spells a path.
  static func text(of path: [Step]) -> String {
    var text = ""
    for step in path {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .element(let number): text += "[\(number)]"
      }
    }
    return text
  }

  /// Reads a value: JSON if it is, or else a string.
  ///
  /// What begins as an object, an array or a string of JSON is meant as one.
  private static func value(
    _ source: SourceText, _ range: Range<Int>
  ) -> Result<MergedTree, Problem> {
    let text = String(decoding: source.bytes[range], as: UTF8.self)
    let findings = Findings(SourceText(path: "", text: text))
    if findings.parseJSON() != nil { return .success(.given(text, source, range)) }
    let start = source.bytes[range].first { $0 != 0x20 }
    if let start, "{[\"".utf8.contains(start) {
      let first = findings.sorted.first
      return .failure(Problem(message: first?.message ?? "it is incomplete", range: range))
    }
    return .success(.given(JSONWriter.text { $0.string(text: text) }, source, range))
  }

  /// The change as it is written, of one that is read from a text.
  package var text: String { String(decoding: source.bytes, as: UTF8.self) }

  /// The keys that the path begins with, up to the first number of an element.
  package var keys: [String] {
    var keys: [String] = []
    for (step, _) in steps {
      guard case .key(let key) = step else { break }
      keys.append(key)
    }
    return keys
  }

  /// Returns an error about the path, which leads to where it has no effect.
  package func pathError(_ message: String, notes: [String]) -> Finding {
    let start = steps.first?.range.lowerBound ?? 0
    let end = steps.last?.range.upperBound ?? start
    return Finding(.error, message, at: start..<end, in: source, notes: notes)
  }

  /// Whether it changes what the scenario varies, and not what its runs are.
  var isOfVary: Bool { steps.first?.step == .key(ScenarioKeys.vary.name) }

  /// Returns a tree with the value in it, or says why it has no place there.
  func applied(to tree: MergedTree) -> Result<MergedTree, Problem> { applied(to: tree, at: 0) }

  private func applied(to tree: MergedTree, at depth: Int) -> Result<MergedTree, Problem> {
    if depth == steps.count { return .success(value) }
    let (step, range) = steps[depth]
    switch (step, tree.opened) {
    case (.key(let key), .object(var members, let opening)):
      let place = members.firstIndex { $0.key.string == key }
      let below = place.map { members[$0].value } ?? .object([], opening: (source, range))
      return applied(to: below, at: depth + 1).map { value in
        let quoted = MergedTree.given(
          JSONWriter.text { $0.string(text: key) }, source, range)
        if let place {
          members[place].value = value
        } else {
          members.append((quoted, value))
        }
        return .object(members, opening: opening)
      }
    case (.key, let name) where name.string != nil && nameKey(at: depth) != nil:
      // A link or a rule that goes by its name becomes an object that begins with it.
      let key = MergedTree.given("\"\(nameKey(at: depth) ?? "")\"", source, range)
      return applied(to: .object([(key, name)], opening: (source, range)), at: depth)
    case (.element(let number), .array(var elements, let opening)):
      guard elements.indices.contains(number) else {
        let known =
          number < 0 && !elements.isEmpty
          ? "elements are numbered from the front, 0 to \(elements.count - 1)"
          : "there are \(elements.count), counted from 0"
        return problem("there is no element \(number): \(known)", range)
      }
      return applied(to: elements[number], at: depth + 1).map { value in
        elements[number] = value
        return .array(elements, opening: opening)
      }
    // What is made for a path that leads on can only be made for keys.
    case (.element, .object(let members, _)) where members.isEmpty:
      return problem("there is no list here", range)
    case (.key(let key), .array) where key.utf8.allSatisfy { 0x30...0x39 ~= $0 }:
      return problem("there is a list here, whose element \(key) is written as [\(key)]", range)
    case (.key(let key), _):
      return problem("there is no object here that has the key '\(key)'", range)
    case (.element, _): return problem("there is no list here", range)
    }
  }

  /// The key of the name where a name may stand for an object.
  private func nameKey(at depth: Int) -> String? {
    guard depth == 1, case .key(let key) = steps[0].step else { return nil }
    return ["link": "use", "heuristic": "rule"][key]
  }

  private func problem(_ message: String, _ range: Range<Int>) -> Result<MergedTree, Problem> {
    .failure(Problem(message: message, range: range))
  }
}
