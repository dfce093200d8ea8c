import Autowait

/// Tells of links that are valid, but probably not intended.
extension LinkReader {
  /// Warns of all conditions, once it is known how requests are carried.
  mutating func lint(_ transport: AskedTransport, written: JSONValue? = nil) {
    if transport.policy == nil, let written { lintIdeal(written) }
    for condition in conditions {
      guard let object = condition.object else { continue }
      let place = condition.preset ?? object
      let isOwn = place.source.path == findings.source.path
      let inner = isOwn ? findings : Findings(place.source)
      if transport.policy == nil, isOwn, let own = object.member(LinkKeys.transport.name) {
        lintIdeal(own)
      }
      LinkLint(condition: condition, transport: transport, findings: inner).check()
      if isOwn { continue }
      for finding in inner.sorted { findings.adopt(finding) }
    }
  }

  /// Warns of what a transport says beside a tier that knows nothing of it.
  private func lintIdeal(_ transport: JSONValue) {
    guard let key = TransportKeys.all.first(where: { transport.member($0.row.name) != nil }),
      let value = transport.member(key.row.name)
    else { return }
    findings.warning(
      "an ideal link has no '\(key.row.name)': what 'transport' says of it changes nothing",
      at: value, notes: ["the tiers 'fluid' and 'packet' have one, and so has 'auto'"])
  }
}

/// The warnings about one condition of a link.
struct LinkLint {
  let condition: LinkReader.Condition
  let transport: AskedTransport
  let findings: Findings

  /// A queue that delays more than this is what people call bufferbloat; assumed.
  private static let queueDelayMax = TimeSpan.seconds(1)
  /// Rates below this were not meant in bit/s; the slowest network in use, GSM, has 14.4 kbit/s.
  private static let plausibleRateMin = BitRate(bitsPerSecond: 10_000)
  /// The packets of data, times their size over that of an acknowledgement, that one covers.
  ///
  /// A receiver acknowledges every second packet (RFC 5681) with 52 bytes: 2 · 1,500 / 52.
  private static let dataPerAcknowledgement: Int64 = 57

  /// Where a property of a direction stands, or else what is nearest to it.
  private func place(_ direction: String, _ key: String) -> Range<Int> {
    if let preset = condition.preset { return preset.range }
    guard let object = condition.object else { return 0..<0 }
    if let value = object.member(direction)?.member(key) { return value.range }
    if direction == "down", key == "rate", let value = object.member(key) { return value.range }
    return (object.member(direction) ?? object).opening
  }

  private var name: String { "'\(condition.name.excerpt)'" }

  /// Warns of all that there is to warn of.
  func check() {
    if condition.preset == nil { checkRates() }
    if transport.policy == nil {
      checkIdeal()
      return
    }
    let figures = LinkFigures(condition.profile)
    let profile = condition.profile
    for (key, direction, own) in [
      ("down", profile.down, figures.down), ("up", profile.up, figures.up),
    ] {
      checkQueue(key, direction, own)
      checkLoss(key, direction, own)
      checkOrder(key, direction)
      checkSegment(key, direction)
    }
    checkAcknowledgements(figures)
    if condition.traceKind == .goodput, transport.tier == .packet {
      findings.warning(
        "the rates of \(name) are goodput: the packet tier takes the cost of TCP off again",
        at: place("down", "track"),
        notes: ["the tier 'ideal' takes them as they are"])
    }
  }

  /// A rate that is a bare number or in bit/s, and too small for any network.
  private func checkRates() {
    for (key, direction) in [("down", condition.profile.down), ("up", condition.profile.up)] {
      let slow = direction.track.samples.lazy.map { $0.rate }.filter { $0 > .zero }.min()
      guard let slow, slow < Self.plausibleRateMin else { continue }
      let member = condition.object?.member(key)
      let position = place(key, member?.member("track") == nil ? "rate" : "track")
      findings.warning(
        "a rate of \(slow.bitsPerSecond) bit/s looks like a mistake", at: position,
        notes: ["did you mean \(slow.bitsPerSecond) kbit/s? bare numbers count bit/s"])
    }
  }

  private func checkIdeal() {
    if !condition.isReal || condition.preset != nil { return }
    let object = condition.object
    // A link that loses everything has a warning of its own wherever it is run.
    let losesAll = condition.profile.losesAll
    let ignored = PacketProperty.names.filter { name in
      !(losesAll && name == "loss")
        && ["down", "up"].contains { object?.member($0)?.member(name) != nil }
    }
    let others = ["dns", "outage"].filter { object?.member($0) != nil }
    let events = object?.member("events")?.elements ?? JSONElements()
    let unknown = events.contains {
      $0.member("drop") != nil || !($0.member("type")?.isString("blackout") ?? false)
    }
    let all = ignored + others + (unknown ? ["handover' or 'drop"] : [])
    guard let first = all.first, let object else { return }
    findings.warning(
      "an ideal link has no '\(first)': what \(name) says of it changes nothing",
      at: object.opening,
      notes: ["'transport' is ideal"])
  }

  private func checkQueue(_ key: String, _ direction: LinkDirection, _ figures: DirectionFigures) {
    if direction.queue == .automatic { return }
    let position = place(key, "queue")
    guard figures.rate != nil else {
      if condition.preset == nil, direction.queue != .unlimited {
        findings.warning(
          "the queue of \(name) \(key) never fills: its rate is unlimited", at: position)
      }
      return
    }
    if let packets = figures.queuePackets, let tenths = figures.productTenths {
      let product = (tenths + 5) / 10
      if packets == 0 {
        findings.warning(
          "the queue of \(name) \(key) cannot hold a full packet: none gets through", at: position)
      } else if packets * 20 < tenths {
        findings.warning(
          "the queue of \(name) \(key) holds \(packets) packets, less than half of the "
            + "\(product) that fit into a round trip", at: position,
          notes: ["slow start overflows it before the link is full: one download does not fill it"])
      }
    }
    if let delay = figures.queueDelay, delay > Self.queueDelayMax {
      findings.warning(
        "the queue of \(name) \(key) delays \(Self.text(delay)) when it is full", at: position,
        notes: ["every request behind a download waits that long"])
    }
  }

  private func checkLoss(_ key: String, _ direction: LinkDirection, _ figures: DirectionFigures) {
    let position = place(key, "loss")
    if direction.loss.share == Probability.always.parts {
      findings.warning("\(name) loses every packet \(key): nothing arrives", at: position)
      return
    }
    guard key == "down", let ceiling = figures.lossCeiling, let rate = figures.rate,
      ceiling.bitsPerSecond < rate.bitsPerSecond / 2
    else { return }
    findings.warning(
      "its loss leaves a long download over \(name) "
        + "\(LinkPreset.text(Self.rounded(ceiling))) of \(LinkPreset.text(rate))", at: position,
      notes: ["a sender takes loss for congestion (Mathis and others, 1997); BBR does not"])
  }

  private func checkOrder(_ key: String, _ direction: LinkDirection) {
    guard let jitter = direction.jitter else { return }
    let position = place(key, "jitter")
    if !jitter.keepsOrder {
      findings.warning(
        "packets of \(name) overtake each other \(key), and TCP takes that for loss",
        at: position, notes: ["'keepOrder' is false"])
    }
    let delay = direction.track.samples.lazy.map { $0.delay }.min() ?? .zero
    if delay < jitter.deviation {
      findings.warning(
        "the jitter of \(name) \(key) is more than its delay: no delay is below zero",
        at: position)
    }
  }

  /// A segment has 20 bytes of IPv4, 20 of TCP and 12 of its timestamps before it.
  private func checkSegment(_ key: String, _ direction: LinkDirection) {
    guard let segment = transport.policy?.segmentSize.bytes, segment + 52 > direction.mtu.bytes
    else { return }
    findings.warning(
      "a segment of \(segment) bytes does not fit a packet of \(name) \(key)",
      at: place(key, "overhead"),
      notes: ["'segmentSize' of 'transport' is at most \(direction.mtu.bytes - 52) for it"])
  }

  private func checkAcknowledgements(_ figures: LinkFigures) {
    guard let up = figures.up.rate, let down = figures.down.rate, up > .zero else { return }
    if up.bitsPerSecond < down.bitsPerSecond / Self.dataPerAcknowledgement {
      findings.warning(
        "acknowledgements fill the way up of \(name) before data fills the way down",
        at: place("up", "rate"))
    }
  }

  /// Returns a rate with three digits, rounded down.
  private static func rounded(_ rate: BitRate) -> BitRate {
    var unit: Int64 = 1
    while rate.bitsPerSecond / unit >= 1_000 { unit *= 10 }
    return BitRate(bitsPerSecond: rate.bitsPerSecond / unit * unit)
  }

  /// Returns a time in whole milliseconds, rounded down.
  private static func text(_ time: TimeSpan) -> String {
    LinkPreset.text(TimeSpan(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000))
  }
}
