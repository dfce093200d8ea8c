import Autowait

/// Writes links as files of their own, a line for each sample of a track.
struct LinkWriter {
  /// As many bytes are handed on at once, about.
  private static let pieceMax = 1 << 16

  private var text: [UInt8] = []
  /// Takes the text piece by piece.
  private let take: ([UInt8]) -> Void
  /// The members that were written of each object that is open.
  private var counts: [Int] = []

  private init(_ take: @escaping ([UInt8]) -> Void) { self.take = take }

  /// Returns the file of a link.
  static func write(_ link: ConvertedLink) -> [UInt8] {
    var text: [UInt8] = []
    write(link) { text += $0 }
    return text
  }

  /// Writes the file of a link and hands it on piece by piece: that of a long track is large.
  static func write(_ link: ConvertedLink, _ take: ([UInt8]) -> Void) {
    withoutActuallyEscaping(take) { take in
      var writer = LinkWriter(take)
      writer.whole(link)
    }
  }

  private mutating func whole(_ link: ConvertedLink) {
    open()
    field(LinkKeys.schema, "link/1")
    field(LinkKeys.name, link.name)
    if !link.about.isEmpty { field(LinkKeys.about, link.about) }
    if !link.source.isEmpty { field(LinkKeys.source, link.source) }
    if let confidence = link.confidence { field(LinkKeys.confidence, confidence) }
    if let kind = link.kind { field(LinkKeys.traceKind, kind) }
    let profile = link.profile
    direction(LinkKeys.down, profile.down, spellsRate: true)
    if profile.up != LinkDirection() || link.own.spellsUp {
      direction(LinkKeys.up, profile.up, spellsRate: link.own.spellsUp)
    }
    if profile.names != NameResolution() {
      member { json in
        json.key(text: LinkKeys.dns.name)
        LookupKeys.record.write(profile.names, into: &json, .full)
      }
    }
    if let asked = link.own.outage { outage(asked) }
    if let events = link.own.events {
      key(LinkKeys.events.name)
      append(events)
    } else {
      blackouts(profile.events)
    }
    if let hosts = link.own.hosts {
      key(LinkKeys.match.name)
      append(hosts)
    }
    if let transport = link.own.transport {
      field(LinkKeys.transport, transport)
    }
    close()
    text.append(0x0A)
    take(text)
  }

  /// Writes one direction; a rate without a limit is spelled out on demand.
  private mutating func direction(
    _ key: Key<JSONValue>, _ direction: LinkDirection, spellsRate: Bool
  ) {
    self.key(key.name)
    open()
    let track = direction.track
    let delay = track.samples[0].delay
    let isConstant = track.samples.count == 1 && track.ending == .hold
    if isConstant, track.samples[0].rate != .unlimited || spellsRate {
      field(DirectionKeys.rate, track.samples[0].rate)
    }
    let hasOneDelay = track.samples.allSatisfy { $0.delay == delay }
    if hasOneDelay, delay > .zero { field(DirectionKeys.delay, delay) }
    for property in PacketProperty.all where property.isPart(of: direction) {
      member { property.member.write(&$0, direction) }
    }
    if !isConstant { samples(track, writesDelay: !hasOneDelay) }
    close()
  }

  /// Writes the samples of a track: by their durations if the last one has one.
  private mutating func samples(_ track: LinkTrack, writesDelay: Bool) {
    let finite = FiniteTrack(track)
    key(DirectionKeys.track.name)
    text += "[".utf8
    var json = JSONWriter(.compact, capacity: 256)
    for (index, sample) in track.samples.enumerated() {
      text += (index == 0 ? "\n      " : ",\n      ").utf8
      json.removeAll()
      json.beginObject()
      if track.ending == .hold {
        SampleKeys.at.write(sample.start, into: &json)
      } else {
        SampleKeys.length.write(finite.length(index), into: &json)
      }
      SampleKeys.rate.write(sample.rate, into: &json)
      if writesDelay { SampleKeys.delay.write(sample.delay, into: &json) }
      if let loss = sample.loss { SampleKeys.loss.write(loss, into: &json) }
      json.endObject()
      append(json)
      if text.count >= Self.pieceMax {
        take(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    text += "\n    ]".utf8
    field(DirectionKeys.trackEnd, track.ending.kind)
  }

  /// Writes on and off times; without a word what is sent while the link is off is lost.
  private mutating func outage(_ outage: LinkOutage) {
    member { json in
      json.object(text: LinkKeys.outage.name) { json in
        (outage.isRandom ? OutageKeys.onMean : OutageKeys.on).write(outage.on, into: &json)
        (outage.isRandom ? OutageKeys.offMean : OutageKeys.off).write(outage.off, into: &json)
        if outage.drops != .new { OutageKeys.drop.write(outage.drops, into: &json) }
      }
    }
  }

  private mutating func blackouts(_ events: [LinkEvent]) {
    let blackouts = events.filter { !$0.isHandover && !$0.isOffline }
    if blackouts.isEmpty { return }
    member { json in
      json.array(LinkKeys.events, blackouts) { json, event in
        guard case .blackout(let length, let drops) = event.kind else { return }
        json.object { json in
          EventKeys.type.write(.blackout, into: &json)
          EventKeys.at.write(event.start, into: &json)
          EventKeys.length.write(length, into: &json)
          if drops != .nothing { EventKeys.drop.write(drops, into: &json) }
        }
      }
    }
  }

  private mutating func open() {
    text += "{".utf8
    counts.append(0)
  }

  private mutating func close() {
    counts.removeLast()
    newLine()
    text += "}".utf8
  }

  private mutating func newLine() {
    text.append(0x0A)
    text += String(repeating: "  ", count: counts.count).utf8
  }

  /// Begins a line of an object.
  private mutating func line() {
    if counts[counts.count - 1] > 0 { text += ",".utf8 }
    counts[counts.count - 1] += 1
    newLine()
  }

  private mutating func key(_ key: String) {
    line()
    text += "\"\(key)\": ".utf8
  }

  private mutating func field<Value>(_ key: Key<Value>, _ value: Value) {
    member { key.write(value, into: &$0) }
  }

  private mutating func member(_ body: (inout JSONWriter) -> Void) {
    line()
    var json = JSONWriter()
    body(&json)
    append(json)
  }

  private mutating func append(_ json: borrowing JSONWriter) {
    json.withBytes { append($0) }
  }

  /// Adds what was written, with spaces as people set them.
  private mutating func append(_ json: some Sequence<UInt8>) {
    var isInString = false
    var isEscaped = false
    for byte in json {
      text.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",") {
        text.append(0x20)
      }
    }
  }
}
