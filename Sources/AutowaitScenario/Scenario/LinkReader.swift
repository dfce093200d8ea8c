import Autowait

/// Reads links: names, files, objects, and lists of changes over time.
struct LinkReader {
  /// A file that is larger stays out of the log's header and is named there by its digest.
  static let embeddedMax = 65_536
  /// A scenario that drew more would need gigabytes.
  static let drawsMax: Int64 = 4_000_000

  /// The first mention of a link that is built in or in a file.
  struct Mention {
    let text: String
    /// Where it stands in the scenario.
    let place: Int
    let track: Int
    /// The link itself; nil if it is too large to be embedded.
    let value: JSONValue?
  }

  private let findings: Findings
  private let loader: FileLoader
  private let seed: UInt64
  /// The conditions met so far.
  private(set) var profiles: [LinkProfile] = []
  /// Their names.
  private(set) var names: [String] = []
  /// The numbers drawn for them.
  private(set) var draws: Int64 = 0
  /// The strings that were met first, each with the condition that it stands for.
  private(set) var mentions: [Mention] = []
  /// The files that are too large to be embedded, with their digests.
  private(set) var inputs: [InputFile] = []

  init(_ findings: Findings, loader: FileLoader, seed: UInt64) {
    self.findings = findings
    self.loader = loader
    self.seed = seed
  }

  /// Reads the link of a world: the condition at the start, and the changes that follow.
  mutating func world(_ value: JSONValue) -> [LinkChange] {
    guard value.kind == .array else {
      _ = condition(value)
      return []
    }
    var changes: [LinkChange] = []
    var previous = Instant(nanoseconds: -1)
    for element in value.elements {
      var fields = FieldReader(element, "a change of the link", findings)
      let instant = fields.required("at", .instant)
      let track = fields.value("use").flatMap { condition($0) }
      if fields.object != nil, element.member("use") == nil {
        findings.error("a change of the link needs the key 'use'", at: opening(element))
      }
      fields.finish()
      guard let instant else { continue }
      if instant <= previous {
        fields.error("the changes of a link must be in the order of their times", at: "at")
      } else if previous < .start, instant != .start {
        fields.error("the first condition of a link must hold from 0 on", at: "at")
      }
      previous = instant
      if let track, instant > .start { changes.append(LinkChange(at: instant, link: track)) }
    }
    if value.count == 0 { findings.error("'link' has no conditions", at: value) }
    return changes
  }

  /// Reads one condition and returns its number.
  mutating func condition(_ value: JSONValue) -> Int? {
    switch value.kind {
    case .string: return named(value)
    case .object: return profile(value, findings, fallbackName: "link \(profiles.count + 1)")
    case .array, .number, .true, .false, .null:
      findings.error(
        "a link must be a name, a file or an object, not \(value.kind.description)",
        at: value)
      return nil
    }
  }

  /// A name of a link that is built in, or a path to a file.
  private mutating func named(_ value: JSONValue) -> Int? {
    guard let name = value.string else { return nil }
    if let known = known(name) {
      if self.known(names[known]) != known {
        findings.error(
          "the link '\(name.excerpt)' is called '\(names[known].excerpt)', as another link is",
          at: value, notes: ["a link that is named again needs a name of its own"])
      }
      return known
    }
    if let text = BuiltInLinks.text(name) {
      let inner = Findings(SourceText(path: name, text: text))
      guard let root = inner.parseJSON() else {
        preconditionFailure("the link '\(name)' that is built in is no JSON")
      }
      return mentioned(name, value, root, profile(root, inner, fallbackName: name))
    }
    guard name.hasSuffix(".json") else {
      let known = BuiltInLinks.all.map(\.name)
      let nearest = NearestWord.nearest(to: name, among: known)
      findings.error(
        "unknown link '\(name.excerpt)'", at: value,
        notes: (nearest.map { ["did you mean '\($0)'?"] } ?? [])
          + [
            "the links that are built in are: " + NearestWord.quotedList(known),
            "a link of your own is an object, or a file whose name ends in .json",
          ])
      return nil
    }
    return file(name, value)
  }

  private mutating func file(_ name: String, _ value: JSONValue) -> Int? {
    switch loader.load(name, findings.source.path) {
    case .failure(let problem):
      findings.error("the link '\(name.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      let inner = Findings(source)
      let track = inner.parseJSON().flatMap { root -> Int? in
        let isSmall = source.bytes.count <= Self.embeddedMax
        if !isSmall {
          var fingerprint = Fingerprint()
          fingerprint.mix(bytes: source.bytes)
          inputs.append(InputFile(path: name, digest: fingerprint.value))
        }
        let track = profile(root, inner, fallbackName: name)
        return mentioned(name, value, isSmall ? root : nil, track)
      }
      for finding in inner.sorted { findings.adopt(finding) }
      return inner.hasErrors ? nil : track
    }
  }

  /// Returns the condition that a string stands for already: the same string, the same link.
  func known(_ name: String) -> Int? {
    mentions.first { $0.text == name }?.track ?? names.firstIndex(of: name)
  }

  private mutating func mentioned(
    _ name: String, _ value: JSONValue, _ link: JSONValue?, _ track: Int?
  ) -> Int? {
    guard let track else { return nil }
    mentions.append(
      Mention(text: name, place: value.range.lowerBound, track: track, value: link))
    return track
  }

  /// Reads a link that is spelled out.
  private mutating func profile(
    _ value: JSONValue, _ findings: Findings, fallbackName: String
  ) -> Int? {
    var fields = FieldReader(value, "a link", findings)
    let name = fields.optional("name", .string) ?? fallbackName
    _ = fields.optional("schema", .string)
    _ = fields.optional("about", .string)
    _ = fields.optional("source", .string)
    _ = fields.optional("confidence", .word([("high", 0), ("medium", 1), ("low", 2)]))
    _ = fields.optional("traceKind", .word(of: TraceKind.self))
    let rate = fields.optional("rate", .bitRate)
    var down = fields.object("down", "a direction of a link")
    var up = fields.object("up", "a direction of a link")
    let upDelay = up?.optional("delay", .time) ?? .zero
    up?.finish()
    let outages = blackouts(&fields, findings)
    if fields.contains("delay") {
      fields.error(
        "a link has a delay in each direction", at: "delay",
        notes: [#"write "down": {"rate": …, "delay": …} and "up": {"delay": …}"#])
    }
    fields.finish()
    let upward = LinkDirection(LinkTrack(rate: .unlimited, delay: upDelay))
    if let rate {
      if down != nil { fields.error("'rate' cannot stand beside 'down'", at: "rate") }
      let link = LinkProfile(down: LinkDirection(LinkTrack(rate: rate)), up: upward)
      return add(name, link, outages, value, findings)
    }
    guard down != nil else {
      if fields.object != nil, value.member("rate") == nil, value.member("down") == nil {
        findings.error(
          "a link needs the key 'down', or 'rate' for one that never changes", at: opening(value))
      }
      return nil
    }
    guard let track = direction(&down, findings) else { return nil }
    let link = LinkProfile(down: LinkDirection(track), up: upward)
    return add(name, link, outages, value, findings)
  }

  private mutating func add(
    _ name: String, _ link: LinkProfile, _ outages: [ClosedRange<TimeSpan>], _ value: JSONValue,
    _ findings: Findings
  ) -> Int? {
    if case .loop = link.down.track.ending, !outages.isEmpty {
      findings.error("a track that loops cannot have events", at: opening(value))
      return nil
    }
    var profile = link
    profile.down.track = link.down.track.withOutages(outages)
    profiles.append(profile)
    names.append(name)
    return profiles.count - 1
  }

  /// Reads the downward direction: a rate, a track or a drawn track.
  private mutating func direction(
    _ fields: inout FieldReader?, _ findings: Findings
  ) -> LinkTrack? {
    guard let choice = fields?.one(of: ["rate", "track", "random"]) else {
      fields?.finish()
      return nil
    }
    let delay = fields?.optional("delay", .time) ?? .zero
    defer { fields?.finish() }
    switch choice {
    case "rate":
      return fields?.required("rate", .bitRate).map { LinkTrack(rate: $0, delay: delay) }
    case "track": return samples(&fields, delay: delay, findings)
    default: return drawn(&fields, delay: delay)
    }
  }

  /// Reads a track: samples that begin at times, or that last for times.
  private func samples(
    _ fields: inout FieldReader?, delay: TimeSpan, _ findings: Findings
  ) -> LinkTrack? {
    var samples: [LinkTrack.Sample] = []
    var end: TimeSpan?
    let length = fields?.optional("length", .positiveTime)
    let ending = fields?.optional(
      "trackEnd", .word([("hold", 0), ("loop", 1), ("offline", 2)]), default: 0)
    guard let elements = fields?.elements("track"), let array = fields?.object?.member("track")
    else { return nil }
    samples.reserveCapacity(array.count)
    var isWrong = false
    for element in elements {
      var sample = FieldReader(element, "a sample of a track", findings)
      let rate = sample.required("rate", .bitRate)
      let ownDelay = sample.optional("delay", .time) ?? delay
      let lasting = sample.optional("for", .positiveTime)
      let begins = sample.contains("at")
      if begins == (lasting != nil) { _ = sample.one(of: ["at", "for"]) }
      let start = begins ? sample.required("at", .time) : end ?? .zero
      sample.finish()
      guard let rate, let start, begins || lasting != nil else {
        isWrong = true
        continue
      }
      if let last = samples.last, start <= last.start {
        sample.error("the samples of a track must be in the order of their times", at: "at")
        isWrong = true
        continue
      }
      if samples.isEmpty, start != .zero {
        sample.error("the first sample of a track must begin at 0", at: "at")
        isWrong = true
      }
      samples.append(LinkTrack.Sample(start: start, rate: rate, delay: ownDelay))
      end = lasting.map { start + $0 }
    }
    if array.count == 0 { findings.error("'track' has no samples", at: array) }
    if samples.isEmpty || isWrong { return nil }
    return finished(samples, ending ?? 0, length ?? end, at: array, findings)
  }

  private func finished(
    _ samples: [LinkTrack.Sample], _ ending: Int, _ length: TimeSpan?, at array: JSONValue,
    _ findings: Findings
  ) -> LinkTrack? {
    if let length, let last = samples.last, length <= last.start {
      findings.error("the 'length' of a track must be behind its last sample", at: array)
      return nil
    }
    if ending == 0 { return LinkTrack(samples) }
    guard let length else {
      findings.error(
        "a track that loops or ends needs the key 'length', or samples with 'for'", at: array)
      return nil
    }
    return LinkTrack(samples, ending: ending == 1 ? .loop(after: length) : .offline(after: length))
  }

  /// Draws a track whose rate is uniform between two bounds, from the scenario's seed.
  private mutating func drawn(_ fields: inout FieldReader?, delay: TimeSpan) -> LinkTrack? {
    guard var random = fields?.object("random", "a random track") else { return nil }
    let from = random.required("from", .bitRate)
    let to = random.required("to", .bitRate)
    let every = random.required("every", .positiveTime)
    let count = random.required("count", .integer(in: 1...1_000_000))
    random.finish()
    guard let from, let to, let every, let count else { return nil }
    if to < from {
      random.error("'to' must not be less than 'from'", at: "to")
      return nil
    }
    if draws + count > Self.drawsMax {
      random.error("the links of a scenario draw at most \(Self.drawsMax) numbers", at: "count")
      return nil
    }
    var stream = RandomStream(seed: seed, component: "link/\(profiles.count)", purpose: "rate")
    var samples: [LinkTrack.Sample] = []
    samples.reserveCapacity(Int(count))
    for index in 0..<count {
      let span = UInt64(to.bitsPerSecond - from.bitsPerSecond) + 1
      let rate = from.bitsPerSecond + Int64(stream.next(below: span))
      let (start, overflow) = index.multipliedReportingOverflow(by: every.nanoseconds)
      if overflow || start > Limits.timeMax.nanoseconds {
        random.error("the track is longer than any run", at: "count")
        return nil
      }
      samples.append(
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: rate),
          delay: delay))
    }
    draws += stream.draws
    return LinkTrack(samples)
  }

  /// Reads the outages that a link has at given times.
  private func blackouts(
    _ fields: inout FieldReader, _ findings: Findings
  ) -> [ClosedRange<TimeSpan>] {
    var outages: [ClosedRange<TimeSpan>] = []
    for element in fields.elements("events") {
      var event = FieldReader(element, "an event of a link", findings)
      _ = event.required("type", .word([("blackout", 0)]))
      let start = event.required("at", .time)
      let length = event.required("for", .positiveTime)
      event.finish()
      guard let start, let length else { continue }
      outages.append(start...(start + length))
    }
    return outages
  }

  private func opening(_ value: JSONValue) -> Range<Int> {
    value.range.lowerBound..<value.range.lowerBound + 1
  }
}

extension LinkTrack {
  /// Returns the track with outages in it; behind each, what the track says then holds.
  func withOutages(_ outages: [ClosedRange<TimeSpan>]) -> LinkTrack {
    if outages.isEmpty { return self }
    let end: TimeSpan? = if case .offline(let end) = ending { end } else { nil }
    var cut: [Sample] = []
    var next = 0
    for outage in union(outages) {
      if let end, end <= outage.lowerBound { break }
      while next < samples.count, samples[next].start < outage.lowerBound {
        cut.append(samples[next])
        next += 1
      }
      if next < samples.count, samples[next].start == outage.lowerBound { next += 1 }
      cut.append(samples[next - 1].with(start: outage.lowerBound, rate: .zero))
      while next < samples.count, samples[next].start <= outage.upperBound { next += 1 }
      if let end, end <= outage.upperBound { return LinkTrack(cut) }
      cut.append(samples[next - 1].with(start: outage.upperBound, rate: samples[next - 1].rate))
    }
    return LinkTrack(cut + samples[next...], ending: ending)
  }

  /// Returns the same outages in their order, with those that touch as one.
  private func union(_ outages: [ClosedRange<TimeSpan>]) -> [ClosedRange<TimeSpan>] {
    var union: [ClosedRange<TimeSpan>] = []
    for outage in outages.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.last, outage.lowerBound <= last.upperBound {
        union[union.count - 1] = last.lowerBound...max(last.upperBound, outage.upperBound)
      } else {
        union.append(outage)
      }
    }
    return union
  }
}

extension LinkTrack.Sample {
  fileprivate func with(start: TimeSpan, rate: BitRate) -> LinkTrack.Sample {
    LinkTrack.Sample(start: start, rate: rate, delay: delay, loss: loss)
  }
}
