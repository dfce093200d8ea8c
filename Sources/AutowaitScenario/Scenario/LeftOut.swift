import Autowait

/// A key that a file leaves out, and what it stands for.
package struct LeftOutKey: Sendable {
  /// Where it would stand: `media.segmentDuration`, `players[1].defaultRate`.
  package let path: String
  package let value: JSONValue
  /// What the value says, in a few words.
  package let about: String
}

extension Scenario {
  /// Returns the keys that the file of the scenario leaves out, in the order of its objects.
  package func leftOut(in root: JSONValue) -> [LeftOutKey] {
    var finder = LeftOutFinder(self, root)
    finder.look(at: root, ScenarioKeys.object, "", resolved: nil)
    return finder.found
  }
}

/// Walks a file beside its schema.
private struct LeftOutFinder {
  private let scenario: Scenario
  /// Whether what the file leaves out of a link may be said by the file that it extends.
  private let isPartial: Bool
  /// Whether a link says how requests are carried: the scenario need not then.
  private let hasLinkTransport: Bool
  private(set) var found: [LeftOutKey] = []

  init(_ scenario: Scenario, _ root: JSONValue) {
    self.scenario = scenario
    isPartial = root.member(ScenarioKeys.extends.name) != nil
    let link = root.member(ScenarioKeys.link.name)
    let links = link?.kind == .array ? link?.elements.map { $0 } ?? [] : [link].compactMap { $0 }
    hasLinkTransport = links.contains { link in
      [link, link.member(LinkKeys.use.name)].contains {
        $0?.member(LinkKeys.transport.name) != nil
      }
    }
  }

  /// Looks at an object; where values depend on other keys, they are those of a resolved object.
  mutating func look(
    at object: JSONValue, _ kind: ObjectKind, _ path: String, resolved: JSONValue?
  ) {
    if kind.name == TransportKeys.object.name, scenario.world.transport == nil { return }
    let further = kind.cases.filter { object.has($0.mark) }.flatMap { $0.keys }
    let resolved = resolved ?? link(object, kind, at: path)
    var names: Set<String> = []
    for row in kind.keys + further where exists(row, at: path) {
      if !names.insert(row.name).inserted { continue }
      let place = path.isEmpty ? row.name : "\(path).\(row.name)"
      let resolved = resolved?.member(row.name) ?? self.resolved(place)
      if let value = object.member(row.name) {
        // A name stands for what it is resolved to.
        let isName = value.kind == .string && resolved?.kind == .object
        let spelled = isName ? spelledOut(value, at: place) : value
        look(at: spelled, row.schema, place, resolved: resolved)
        continue
      }
      if let value = row.presence.standard ?? resolved, value.kind != .object {
        let value = resolved?.scalar ?? value
        found.append(
          LeftOutKey(path: place, value: row.schema.withUnit(value) ?? value, about: row.about))
      }
      if (resolved ?? row.presence.standard)?.kind == .object {
        look(at: .empty, row.schema, place, resolved: resolved)
      }
    }
  }

  /// The object that a name stands for: that of a rule names it, and has its numbers.
  private func spelledOut(_ name: JSONValue, at path: String) -> JSONValue {
    guard player(of: path, "heuristic") != nil else { return .empty }
    return .written { json in
      json.key("rule")
      json.value(name)
    }
  }

  private mutating func look(
    at value: JSONValue, _ schema: Schema, _ path: String, resolved: JSONValue?
  ) {
    switch schema {
    case .object(let kind):
      if value.kind == .object { look(at: value, kind(), path, resolved: resolved) }
    case .forms(let forms):
      if value.kind == .object, let form = forms.first(where: { value.has($0.mark) }) {
        look(at: value, form.object(), path, resolved: resolved)
      }
    case .list(let element, _):
      if value.kind != .array { return }
      for (number, item) in value.elements.enumerated() {
        let place = "\(path)[\(number)]"
        look(at: item, element, place, resolved: self.resolved(place))
      }
    case .either(let schemas):
      for schema in schemas { look(at: value, schema, path, resolved: resolved) }
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested:
      break
    }
  }

  /// Whether a property says something: the version of iOS that a player is made for has it, and
  /// no link says it in its place.
  private func exists(_ row: KeyRow, at path: String) -> Bool {
    if path.isEmpty, row.name == ScenarioKeys.transport.name, hasLinkTransport { return false }
    guard let version = row.firstIOS, let player = player(of: path, nil) else { return true }
    return scenario.world.players[player].contract.iOS >= version
  }

  /// What a link is that is written out, where it says nothing: nil for what is none, or begins
  /// with another one.
  ///
  /// What happens to single packets is nothing on an ideal link, and would make another one of it.
  private func link(_ object: JSONValue, _ kind: ObjectKind, at path: String) -> JSONValue? {
    let isLink = path == "link" || path.hasPrefix("link[") && path.hasSuffix("].use")
    guard isLink, !isPartial, kind.name == LinkKeys.object.name,
      object.member(LinkKeys.use.name) == nil
    else { return nil }
    let isReal = scenario.world.transport != nil
    return .written { json in
      if object.member(LinkKeys.rate.name) == nil {
        json.object("down") { $0.unsaidDirection(isReal: isReal, hasRate: true) }
      }
      let up = object.member(LinkKeys.up.name)
      let hasRate = DirectionKeys.choices.contains { up?.member($0) != nil }
      json.object("up") { $0.unsaidDirection(isReal: isReal, hasRate: hasRate) }
      if !isReal { return }
      json.object("dns") { json in
        for member in LookupKeys.record.members { member.write(&json, NameResolution()) }
      }
    }
  }

  /// What the reader made of a value that depends on other keys; nil for all others.
  private func resolved(_ path: String) -> JSONValue? {
    if path == "until" {
      let end = scenario.world.horizon - .start
      return JSONValue.written { $0.field("until", seconds: end.nanoseconds) }.member(path)
    }
    if path == "transport" {
      return scenario.world.transport.map { policy in
        .written { json in
          for key in TransportKeys.all { key.write(&json, policy) }
        }
      }
    }
    if let player = player(of: path, "heuristic") {
      let player = scenario.world.players[player]
      return .written { json in
        PolicyKeys.write(player.keepUp, into: &json)
      }
    }
    if let player = player(of: path, nil) {
      let player = scenario.world.players[player]
      return .written { json in
        json.field("automaticallyWaitsToMinimizeStalling", player.waitsAtFirst)
        json.field("actionAtItemEnd", player.actionAtItemEnd.word)
        json.field(
          "startsOnFirstEligibleVariant", player.streaming.adaptation.startsOnFirstEligibleVariant)
        json.field("postsStallFirst", player.postsStallFirst)
        json.field("rangeProbe", player.rangeProbe?.bytes)
      }
    }
    guard let player = player(of: path, "streaming") else { return nil }
    let policy = scenario.world.players[player].streaming
    return .written { json in
      for key in StreamingKeys.all { key.write(&json, policy) }
      json.field("forwardBufferSizeSlack", policy.forwardBufferSizeSlack.bytes)
    }
  }

  /// Returns the player one of whose keys a path names.
  private func player(of path: String, _ key: String?) -> Int? {
    let key = key.map { ".\($0)" } ?? ""
    if path == "player\(key)" || ".\(path)" == key && scenario.world.players.count == 1 { return 0 }
    return scenario.world.players.indices.first { path == "players[\($0)]\(key)" }
  }
}

extension JSONWriter {
  /// Writes what a direction does that says nothing.
  fileprivate mutating func unsaidDirection(isReal: Bool, hasRate: Bool) {
    let direction = LinkDirection()
    DirectionKeys.delay.write(direction.track.samples[0].delay, into: &self)
    if !isReal { return }
    if !hasRate { DirectionKeys.rate.write(.unlimited, into: &self) }
    for property in PacketProperty.all { property.member.write(&self, direction) }
  }
}

extension Schema {
  /// Returns a time, a rate of data or a size with its unit; nil for all else.
  fileprivate func withUnit(_ value: JSONValue) -> JSONValue? {
    switch self {
    case .quantity(let quantity, let limits):
      guard let count = quantity.count(value, in: limits) else { return nil }
      return JSONValue.written { json in
        json.key("value")
        json.string(text: quantity.decimalText(count))
      }.member("value")
    case .either(let schemas): return schemas.lazy.compactMap { $0.withUnit(value) }.first
    case .any, .null, .bool, .string, .pattern, .number, .integer, .words, .suggested, .list,
      .object, .forms:
      return nil
    }
  }
}

extension Quantity {
  /// Returns how many of the smallest units a value is; nil if it is none, or has no unit.
  fileprivate func count(_ value: JSONValue, in limits: ClosedRange<Int64>) -> Int64? {
    guard units.contains(where: { $0.isShown }) else { return nil }
    if let number = value.decimal { return try? convert(number, in: limits) }
    return value.string.flatMap { try? parse($0, in: limits) }
  }
}

extension JSONValue {
  /// The value, if it is neither an object nor an array.
  fileprivate var scalar: JSONValue? { kind == .object || kind == .array ? nil : self }

  /// An object without members.
  fileprivate static var empty: JSONValue { .written { _ in } }

  /// An object that a function writes.
  fileprivate static func written(_ members: (inout JSONWriter) -> Void) -> JSONValue {
    let text = JSONWriter.text { $0.object(members) }
    let findings = Findings(SourceText(path: "", bytes: Array(text.utf8)))
    guard let value = findings.parseJSON() else {
      preconditionFailure("what was written is not JSON: \(text)")
    }
    return value
  }
}
