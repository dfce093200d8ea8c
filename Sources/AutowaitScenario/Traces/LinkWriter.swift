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
    member("schema") { $0.string("link/1") }
    member("name") { $0.string(text: link.name) }
    if !link.about.isEmpty { member("about") { $0.string(text: link.about) } }
    if !link.source.isEmpty { member("source") { $0.string(text: link.source) } }
    if let confidence = link.confidence {
      member("confidence") { $0.string(text: confidence.rawValue) }
    }
    if let kind = link.kind { member("traceKind") { $0.string(text: kind.rawValue) } }
    let profile = link.profile
    direction("down", profile.down, spellsRate: true)
    if profile.up != LinkDirection() || link.own.spellsUp {
      direction("up", profile.up, spellsRate: link.own.spellsUp)
    }
    if profile.names != NameResolution() {
      object("dns") { json in
        json.field("delay", text: LinkPreset.text(profile.names.delay))
        if !profile.names.isCached { json.field("cache", false) }
      }
    }
    if let asked = link.own.outage { outage(asked) }
    if let events = link.own.events {
      key("events")
      append(events)
    } else {
      blackouts(profile.events)
    }
    if let hosts = link.own.hosts {
      key("match")
      append(hosts)
    }
    if let transport = link.own.transport {
      member("transport") { transport.write(into: &$0) }
    }
    close()
    text.append(0x0A)
    take(text)
  }

  /// Writes one direction; a rate without a limit is spelled out on demand.
  private mutating func direction(
    _ name: StaticString, _ direction: LinkDirection, spellsRate: Bool
  ) {
    key(name)
    open()
    let track = direction.track
    let delay = track.samples[0].delay
    let isConstant = track.samples.count == 1 && track.ending == .hold
    if isConstant, track.samples[0].rate != .unlimited || spellsRate {
      member("rate") { $0.string(text: LinkPreset.text(track.samples[0].rate)) }
    }
    let hasOneDelay = track.samples.allSatisfy { $0.delay == delay }
    if hasOneDelay, delay > .zero {
      member("delay") { $0.string(text: LinkPreset.text(delay)) }
    }
    packets(direction)
    if !isConstant { samples(track, writesDelay: !hasOneDelay) }
    close()
  }

  /// Writes what a direction does to packets.
  private mutating func packets(_ direction: LinkDirection) {
    switch direction.queue {
    case .automatic: break
    case .packets(let count): object("queue") { $0.field("packets", Int64(count)) }
    case .bytes(let size): object("queue") { $0.field("bytes", size.bytes) }
    case .time(let time): object("queue") { $0.field("time", text: LinkPreset.text(time)) }
    case .unlimited: member("queue") { $0.string("unlimited") }
    }
    loss(direction)
    if let jitter = direction.jitter {
      object("jitter") { json in
        json.field("deviation", text: LinkPreset.text(jitter.deviation))
        json.key("distribution")
        jitter.distribution.write(into: &json)
        if !jitter.keepsOrder { json.field("keepOrder", false) }
      }
    }
    if let reorder = direction.reorder {
      object("reorder") { json in
        json.field("probability", reorder.chance.billionths, of: 1_000_000_000)
        json.field("gap", Int64(reorder.gap))
      }
    }
    if direction.duplicate > .never {
      member("duplicate") { $0.fixedPoint(direction.duplicate.billionths, unit: 1_000_000_000) }
    }
    let plain = LinkDirection()
    if direction.mtu != plain.mtu || direction.overheadPerPacket != plain.overheadPerPacket {
      object("overhead") { json in
        json.field("mtu", direction.mtu.bytes)
        json.field("perPacket", direction.overheadPerPacket.bytes)
      }
    }
  }

  private mutating func loss(_ direction: LinkDirection) {
    switch direction.loss {
    case .none: break
    case .bernoulli(let chance):
      member("loss") { $0.fixedPoint(chance.billionths, unit: 1_000_000_000) }
    case .gilbertElliott(let bursts):
      object("loss") { json in
        json.object("gilbertElliott") { json in
          json.field("pGB", bursts.fromGoodToBad.billionths, of: 1_000_000_000)
          json.field("pBG", bursts.fromBadToGood.billionths, of: 1_000_000_000)
          json.field("lossGood", bursts.lossWhenGood.billionths, of: 1_000_000_000)
          json.field("lossBad", bursts.lossWhenBad.billionths, of: 1_000_000_000)
        }
      }
    case .everyNth(let number): object("loss") { $0.field("everyNth", Int64(number)) }
    case .packets(let numbers):
      object("loss") { json in
        json.array("packets", numbers) { json, number in json.integer(Int64(number)) }
      }
    case .measured(let probability, let seed):
      object("loss") { json in
        json.object("measured") { json in
          json.field("probability", probability.billionths, of: 1_000_000_000)
          json.field("seed", seed)
        }
      }
    }
  }

  /// Writes the samples of a track: by their durations if the last one has one.
  private mutating func samples(_ track: LinkTrack, writesDelay: Bool) {
    let finite = FiniteTrack(track)
    key("track")
    text += "[".utf8
    var json = JSONWriter(.compact, capacity: 256)
    for (index, sample) in track.samples.enumerated() {
      text += (index == 0 ? "\n      " : ",\n      ").utf8
      json.removeAll()
      json.beginObject()
      if track.ending == .hold {
        json.field("at", text: LinkPreset.text(sample.start))
      } else {
        json.field("for", text: LinkPreset.text(finite.length(index)))
      }
      json.field("rate", text: LinkPreset.text(sample.rate))
      if writesDelay { json.field("delay", text: LinkPreset.text(sample.delay)) }
      if let loss = sample.loss {
        json.field("loss", loss.billionths, of: 1_000_000_000)
      }
      json.endObject()
      append(json)
      if text.count >= Self.pieceMax {
        take(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    text += "\n    ]".utf8
    member("trackEnd") { $0.string(text: track.ending.kind.rawValue) }
  }

  /// Writes on and off times; without a word what is sent while the link is off is lost.
  private mutating func outage(_ outage: LinkOutage) {
    object("outage") { json in
      json.field(outage.isRandom ? "onMean" : "on", text: LinkPreset.text(outage.on))
      json.field(outage.isRandom ? "offMean" : "off", text: LinkPreset.text(outage.off))
      if outage.drops != .new { json.field("drop", outage.drops.word) }
    }
  }

  private mutating func blackouts(_ events: [LinkEvent]) {
    var json = JSONWriter()
    json.beginArray()
    for event in events {
      guard case .blackout(let length, let drops) = event.kind else { continue }
      json.beginObject()
      json.field("type", "blackout")
      json.field("at", text: LinkPreset.text(event.start))
      json.field("for", text: LinkPreset.text(length))
      if drops != .nothing { json.field("drop", drops.word) }
      json.endObject()
    }
    json.endArray()
    if json.count > 2 {
      key("events")
      append(json)
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

  private mutating func key(_ key: StaticString) {
    if counts[counts.count - 1] > 0 { text += ",".utf8 }
    counts[counts.count - 1] += 1
    newLine()
    text += "\"\(key)\": ".utf8
  }

  private mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    member(name) { json in
      json.beginObject()
      body(&json)
      json.endObject()
    }
  }

  private mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
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

extension Jitter.Distribution {
  /// Writes the word of a distribution, or its table.
  fileprivate func write(into json: inout JSONWriter) {
    switch self {
    case .uniform: json.string("uniform")
    case .normal: json.string("normal")
    case .pareto: json.string("pareto")
    case .paretoNormal: json.string("paretonormal")
    case .table(let quantiles):
      json.array(quantiles) { json, quantile in json.integer(Int64(quantile)) }
    }
  }
}
