import Autowait

/// A host, by name or pattern, whose requests another link carries.
package struct HostLink: Hashable, Sendable {
  /// The name of the host; a `*` at its beginning stands for any text.
  package let host: String
  /// The number of the link.
  package let link: Int

  /// Returns whether a host is meant.
  package func matches(_ name: String) -> Bool {
    guard host.utf8.first == UInt8(ascii: "*") else {
      return name.lowercased() == host.lowercased()
    }
    return name.lowercased().hasSuffix(host.dropFirst().lowercased())
  }
}

/// Reads links: names, files, objects, and lists of changes over time.
struct LinkReader {
  /// A file that is larger stays out of the log's header and is named there by its digest.
  static let embeddedMax = 65_536
  /// A scenario that drew more would need gigabytes.
  static let drawsMax: Int64 = 4_000_000
  /// Links that repeat each other's events could lead to any number of others.
  static let conditionsMax = 100_000

  /// A condition that the link can be in.
  struct Condition {
    var name: String
    var profile: LinkProfile
    /// The object that it was read from.
    var object: JSONValue?
    /// Where its built-in name stands, if that is what it was read from.
    var preset: JSONValue?
    /// Whether it says more than an ideal link can do.
    var isReal = false
    /// How it asks for requests to be carried.
    var transport: AskedTransport?
    var traceKind: TraceKind?
    /// On and off times that become events once the end of the run is known.
    var outage: LinkOutage?
    /// What of it is drawn from the seed.
    var drawn = LinkDraws.DrawnPart()
    /// The object that says what happens to it, once that is read, and where mistakes in it go.
    var happening: (object: JSONValue, findings: Findings)?
  }

  /// The first mention of a link that is built in or in a file.
  struct Mention {
    let text: String
    /// Where it stands.
    let value: JSONValue
    let condition: Int
    /// The link itself; nil if it is too large to be embedded.
    let object: JSONValue?
  }

  /// Where a link that is spelled out comes from.
  struct Origin {
    var fallbackName: String?
    /// The string that stands for it, and whether it can be embedded in that string's place.
    var mention: (text: String, value: JSONValue, isEmbedded: Bool)?
    /// Whether that string is the name of a link that is built in.
    var isPreset = false
    /// The condition whose properties hold where the link does not say otherwise.
    var base: Int?
  }

  let findings: Findings
  let loader: FileLoader
  let seed: UInt64
  /// The conditions met so far.
  var conditions: [Condition] = []
  /// The numbers drawn for them.
  var draws: Int64 = 0
  /// The tracks that were drawn, in this order.
  var drawnTracks: [LinkDraws.Track] = []
  /// The strings that were met first, each with the condition that it stands for.
  private(set) var mentions: [Mention] = []
  /// The files that are too large to be embedded, with their digests.
  var inputs: [InputFile] = []
  /// How much of a trace a run can need.
  var traceUntil: TimeSpan?
  /// The hosts that have links of their own.
  var hosts: [HostLink] = []
  /// The links that others begin with, as logs spell them.
  var spellings: [Spelling] = []

  init(_ findings: Findings, loader: FileLoader, seed: UInt64) {
    self.findings = findings
    self.loader = loader
    self.seed = seed
  }

  /// The names of the conditions.
  var names: [String] { conditions.map { $0.name } }

  /// Reads the link of a world: the condition at the start, and the changes that follow.
  mutating func world(_ value: JSONValue) -> [LinkChange] {
    guard value.kind == .array else {
      _ = condition(value, findings)
      return []
    }
    var changes: [LinkChange] = []
    var previous = Instant(nanoseconds: -1)
    for element in value.elements {
      var fields = FieldReader(element, LinkChangeKeys.object, findings)
      let instant = fields.required(LinkChangeKeys.at)
      let number = fields.value(LinkChangeKeys.use).flatMap { condition($0, findings) }
      if fields.object != nil, element.member("use") == nil {
        findings.error("a change of the link needs the key 'use'", missing: ["use"], in: element)
      }
      fields.finish()
      guard let instant else { continue }
      if instant <= previous {
        fields.error("the changes of a link must be in the order of their times", at: "at")
      } else if previous < .start, instant != .start {
        fields.error("the first condition of a link must hold from 0 on", at: "at")
      }
      previous = instant
      if let number, instant > .start { changes.append(LinkChange(at: instant, link: number)) }
    }
    if value.count == 0 { findings.error("'link' has no conditions", at: value) }
    return changes
  }

  /// Reads one condition and returns its number.
  ///
  /// An object that stands in for another condition says only what differs from it.
  mutating func condition(
    _ value: JSONValue, _ findings: Findings, base: Int? = nil
  ) -> Int? {
    switch value.kind {
    case .string: return named(value, findings)
    case .object:
      if value.member("trace") != nil { return trace(value, findings) }
      return profile(value, findings, Origin(base: base))
    case .array, .number, .true, .false, .null:
      findings.error(
        "a link must be a name, a file or an object, not \(value.kind.description)",
        at: value)
      return nil
    }
  }

  /// A name of a link that is built in, or a path to a file.
  private mutating func named(_ value: JSONValue, _ findings: Findings) -> Int? {
    guard let name = value.string else { return nil }
    if let known = known(name) {
      checkName(of: known, named: name, value, findings)
      return known
    }
    if name.hasSuffix(".json") { return file(name, value, findings) }
    if let file = Self.traceFile(name) { return trace(file, value, findings) }
    do throws(LinkPreset.PresetProblem) {
      let text = try LinkPreset.named(name).file
      let inner = Findings(SourceText(path: name, bytes: text))
      guard let root = inner.parseJSON() else {
        preconditionFailure("the link '\(name)' that is built in is not JSON")
      }
      var origin = Origin(fallbackName: name, mention: (name, value, true))
      origin.isPreset = true
      return profile(root, inner, origin)
    } catch {
      findings.error(error.message, at: value, notes: error.notes)
      return nil
    }
  }

  private mutating func file(_ name: String, _ value: JSONValue, _ findings: Findings) -> Int? {
    switch loader.load(name, self.findings.source.path) {
    case .failure(let problem):
      findings.error("the link '\(name.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      let inner = Findings(source)
      let condition = inner.parseJSON().flatMap { root -> Int? in
        let isSmall = embeds(source, name)
        return profile(
          root, inner, Origin(fallbackName: name, mention: (name, value, isSmall)))
      }
      if inner.hasErrors, let format = Self.traceTitle(source) {
        findings.error(
          "the file '\(name.excerpt)' is \(format), not a link", at: value,
          notes: ["a trace is named as {\"trace\": \"\(name.excerpt)\"}"])
        return nil
      }
      for finding in inner.sorted { self.findings.adopt(finding) }
      return inner.hasErrors ? nil : condition
    }
  }

  /// Returns whether logs embed a file; the digest of any other one is noted.
  mutating func embeds(_ source: SourceText, _ path: String) -> Bool {
    if source.bytes.count <= Self.embeddedMax { return true }
    if inputs.contains(where: { $0.path == path }) { return false }
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: source.bytes)
    inputs.append(InputFile(path: path, digest: fingerprint.value))
    return false
  }

  /// Reports that a link which is named again could not be told from another one in a log.
  func checkName(of known: Int, named name: String, _ value: JSONValue, _ findings: Findings) {
    if self.known(conditions[known].name) == known { return }
    findings.error(
      "the link '\(name.excerpt)' is called '\(conditions[known].name.excerpt)', "
        + "as another link is",
      at: value, notes: ["a link that is named again needs a name of its own"])
  }

  /// Returns the condition that a string stands for already: the same string, the same link.
  func known(_ name: String) -> Int? {
    mentions.first { $0.text == name }?.condition ?? conditions.firstIndex { $0.name == name }
  }

  /// Returns the first mention of a link if it stands at a place.
  func mention(at value: JSONValue) -> Mention? {
    mentions.first {
      $0.value.range.lowerBound == value.range.lowerBound
        && $0.value.source.path == value.source.path
    }
  }

  /// Makes room for a condition that is about to be read, so that it can be named in itself.
  mutating func open(_ name: String, _ value: JSONValue?, _ origin: Origin) -> Int {
    let number = conditions.count
    var condition = Condition(name: name, profile: LinkProfile(LinkTrack(rate: .unlimited)))
    if let base = origin.base { condition = conditions[base] }
    condition.name = name
    condition.object = value
    condition.preset = nil
    condition.outage = nil
    condition.happening = nil
    condition.profile.events = []
    if let mention = origin.mention {
      condition.preset = origin.isPreset ? mention.value : nil
      mentions.append(
        Mention(
          text: mention.text, value: mention.value, condition: number,
          object: mention.isEmbedded ? value : nil))
    }
    conditions.append(condition)
    return number
  }
}
