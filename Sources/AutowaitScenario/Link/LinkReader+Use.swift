import Autowait

/// Reading links that begin with another one, as `{"use": "nlc/lte", "events": […]}` does.
extension LinkReader {
  /// A link that another one begins with: its parts hold where those above it say nothing.
  struct Layer {
    /// The link as it is spelled.
    let object: JSONValue
    /// Where mistakes in it go.
    let findings: Findings
    /// The link with its long tracks, which its text leaves out.
    var track: LinkProfile?
  }

  /// How logs spell the link that another one begins with.
  struct Spelling {
    enum Text {
      /// The link itself, and what it is called.
      case object(JSONValue, name: String)
      /// The name of a link that stands in the log already.
      case name(String)
    }

    /// Where it is named.
    let value: JSONValue
    let text: Text
  }

  /// What a link begins with: a condition that was read already, or layers.
  typealias Start = (base: Int?, layers: [Layer], name: String)

  /// Returns how logs spell what is named at a place.
  func spelling(at value: JSONValue) -> Spelling.Text? {
    spellings.first {
      $0.value.range.lowerBound == value.range.lowerBound
        && $0.value.source.path == value.source.path
    }?.text
  }

  /// Finds the link that another one begins with; nil after having reported why there is none.
  ///
  /// The chain has the files that lead here.
  mutating func start(_ value: JSONValue, _ findings: Findings, chain: [String]) -> Start? {
    switch value.kind {
    case .string: return start(named: value.string ?? "", value, findings, chain: chain)
    case .object:
      if value.member("trace") != nil { return startOfTrace(value, findings) }
      return start(spelled: value, findings, name: nil, chain: chain)
    case .array, .number, .true, .false, .null:
      findings.error(
        "a link begins with a name, a file or an object, not \(value.kind.description)", at: value)
      return nil
    }
  }

  /// A link that is spelled out, which may begin with another one itself.
  private mutating func start(
    spelled value: JSONValue, _ findings: Findings, name: String?, chain: [String]
  ) -> Start? {
    guard value.kind == .object else {
      _ = FieldReader(value, LinkKeys.object, findings)
      return nil
    }
    let own = Layer(object: value, findings: findings)
    let given = value.member("name")?.string
    guard let use = value.member("use") else {
      return (nil, [own], given ?? name ?? "link")
    }
    guard let below = start(use, findings, chain: chain) else { return nil }
    return (below.base, below.layers + [own], given ?? name ?? "\(below.name), changed")
  }

  private mutating func start(
    named name: String, _ value: JSONValue, _ findings: Findings, chain: [String]
  ) -> Start? {
    if chain.contains(name) {
      let places = (chain.drop { $0 != name } + [name]).map { "'\($0.excerpt)'" }
      findings.error(
        "the link '\(name.excerpt)' begins with itself", at: value,
        notes: places.count > 2 ? ["by way of " + places.joined(separator: ", ")] : [])
      return nil
    }
    if let known = known(name) {
      checkName(of: known, named: name, value, findings)
      spellings.append(Spelling(value: value, text: .name(conditions[known].name)))
      return (known, [], conditions[known].name)
    }
    if name.hasSuffix(".json") { return start(file: name, value, findings, chain: chain) }
    if let file = Self.traceFile(name) { return start(file, value, findings) }
    do throws(LinkPreset.PresetProblem) {
      let text = try LinkPreset.named(name).file
      let inner = Findings(SourceText(path: name, bytes: text))
      guard let root = inner.parseJSON() else {
        preconditionFailure("the link '\(name)' that is built in is not JSON")
      }
      spellings.append(Spelling(value: value, text: .object(root, name: name)))
      return (nil, [Layer(object: root, findings: inner)], name)
    } catch {
      findings.error(error.message, at: value, notes: error.notes)
      return nil
    }
  }

  private mutating func start(
    file name: String, _ value: JSONValue, _ findings: Findings, chain: [String]
  ) -> Start? {
    switch loader.load(name, self.findings.source.path) {
    case .failure(let problem):
      findings.error("the link '\(name.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      let inner = Findings(source)
      let start = inner.parseJSON().flatMap {
        self.start(spelled: $0, inner, name: name, chain: chain + [name])
      }
      guard let start else {
        for finding in inner.sorted { self.findings.adopt(finding) }
        return nil
      }
      if embeds(source, name), let root = start.layers.last?.object {
        spellings.append(Spelling(value: value, text: .object(root, name: start.name)))
      }
      return start
    }
  }
}

extension JSONValue {
  /// Whether a link says what happens to it.
  var hasEvents: Bool { member("events") != nil || member("outage") != nil }
}
