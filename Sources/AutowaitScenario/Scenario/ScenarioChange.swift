import Autowait

/// A value that a command puts into a scenario: `link.rate=3 Mbit/s`, `script[1].at=8`.
package struct ScenarioChange: Sendable {
  /// A part of the path to the value.
  enum Step: Hashable, Sendable {
    case key(String)
    case element(Int)
  }

  /// The change as it is written, under the name of what it is written for.
  let source: SourceText
  /// The parts of the path, each with its place in the text.
  let steps: [(step: Step, range: Range<Int>)]
  /// Where the value stands in the text.
  let valueRange: Range<Int>

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
    var steps: [(step: Step, range: Range<Int>)] = []
    var place = 0
    while place < equals {
      let start = place
      if bytes[place] == UInt8(ascii: "[") {
        guard let end = bytes[place..<equals].firstIndex(of: UInt8(ascii: "]")),
          let number = Int(String(decoding: bytes[place + 1..<end], as: UTF8.self)), number >= 0
        else { return problem("the number of an element stands in brackets", start..<equals) }
        steps.append((.element(number), start..<end + 1))
        place = end + 1
        if place < equals, bytes[place] == UInt8(ascii: ".") { place += 1 }
        continue
      }
      let end = bytes[place..<equals].firstIndex { [0x2E, 0x5B].contains($0) } ?? equals
      if end == start { return problem("the path has a key without a name", start..<start + 1) }
      steps.append((.key(String(decoding: bytes[start..<end], as: UTF8.self)), start..<end))
      place = end < equals && bytes[end] == 0x2E ? end + 1 : end
    }
    if steps.isEmpty || equals > 0 && bytes[equals - 1] == 0x2E {
      return problem("the path has a key without a name", 0..<max(1, equals))
    }
    return .success(
      ScenarioChange(source: source, steps: steps, valueRange: equals + 1..<bytes.count))
  }

  /// The value: JSON if it is, or else a string.
  var value: MergedTree {
    let text = String(decoding: source.bytes[valueRange], as: UTF8.self)
    let isJSON = Findings(SourceText(path: "", text: text)).parseJSON() != nil
    let spelled = isJSON ? text : JSONWriter.text { $0.string(text: text) }
    return .given(spelled, source, valueRange)
  }

  /// Returns a tree with the value in it, or says why it has no place there.
  func applied(to tree: MergedTree) -> Result<MergedTree, Finding> { applied(to: tree, at: 0) }

  private func applied(to tree: MergedTree, at depth: Int) -> Result<MergedTree, Finding> {
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
        return problem(
          "there is no element \(number): there are \(elements.count), counted from 0", range)
      }
      return applied(to: elements[number], at: depth + 1).map { value in
        elements[number] = value
        return .array(elements, opening: opening)
      }
    // What is made for a path that leads on can only be made for keys.
    case (.element, .object(let members, _)) where members.isEmpty:
      return problem("there is no list here", range)
    case (.key(let key), _): return problem("'\(key)' is a key, and here is no object", range)
    case (.element, _): return problem("here is no list", range)
    }
  }

  /// The key of the name where a name may stand for an object.
  private func nameKey(at depth: Int) -> String? {
    guard depth == 1, case .key(let key) = steps[0].step else { return nil }
    return ["link": "use", "heuristic": "rule"][key]
  }

  private func problem(_ message: String, _ range: Range<Int>) -> Result<MergedTree, Finding> {
    .failure(Finding(.error, message, at: range, in: source))
  }
}
