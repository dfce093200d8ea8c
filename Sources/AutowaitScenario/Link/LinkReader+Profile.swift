import Autowait

/// Reading a link that is spelled out.
extension LinkReader {
  /// Reads a link and returns the number of its condition.
  mutating func profile(
    _ value: JSONValue, _ findings: Findings, _ given: Origin
  ) -> Int? {
    var fields = FieldReader(value, LinkKeys.object, findings)
    if fields.object == nil { return nil }
    var origin = given
    if fields.value(of: LinkKeys.whole) { origin.base = nil }
    var layers: [Layer] = []
    if let use = fields.value(LinkKeys.use) {
      guard let start = start(use, findings, chain: [given.fallbackName ?? ""]) else { return nil }
      layers = start.layers
      origin.base = start.base
      origin.fallbackName = origin.fallbackName ?? "\(start.name), changed"
    }
    let fallback = origin.fallbackName ?? "link \(conditions.count + 1)"
    let name = fields.optional(LinkKeys.name) ?? fallback
    let number = open(name, value, origin)
    var isComplete = origin.base != nil
    let eventful = layers.lastIndex { $0.object.hasEvents }
    let matching = layers.lastIndex { $0.object.member("match") != nil }
    for (index, layer) in layers.enumerated() {
      var below = FieldReader(layer.object, LinkKeys.object, layer.findings)
      _ = below.contains(LinkKeys.whole)
      _ = below.contains(LinkKeys.use)
      _ = below.contains(LinkKeys.name)
      isComplete = readParts(&below, number, isPartial: isComplete)
      if let track = layer.track { conditions[number].profile.fillIn(track) }
      readHosts(&below, counts: index == matching && value.member("match") == nil)
      readEvents(&below, number, count: index == eventful && !value.hasEvents)
      below.finish()
      let isLast = index + 1 == layers.count || layers[index + 1].findings !== layer.findings
      if layer.findings === findings || !isLast { continue }
      for finding in layer.findings.sorted { self.findings.adopt(finding) }
    }
    isComplete = readParts(&fields, number, isPartial: isComplete)
    readHosts(&fields, counts: true)
    readEvents(&fields, number, count: value.hasEvents)
    if !value.hasEvents, eventful == nil, let base = origin.base, value.member("use") != nil {
      repeatEvents(of: base, number)
    }
    fields.finish()
    return isComplete ? number : nil
  }

  /// Reads what a link is, but for what happens to it; returns whether it is known what comes down.
  private mutating func readParts(
    _ fields: inout FieldReader, _ number: Int, isPartial: Bool
  ) -> Bool {
    _ = fields.optional(LinkKeys.editorSchema)
    _ = fields.optional(LinkKeys.schema)
    _ = fields.optional(LinkKeys.about)
    _ = fields.optional(LinkKeys.source)
    _ = fields.optional(LinkKeys.confidence)
    conditions[number].traceKind =
      fields.optional(LinkKeys.traceKind) ?? conditions[number].traceKind
    if fields.contains(LinkKeys.transport) {
      conditions[number].transport =
        fields.optional("transport", .transport(from: conditions[number].transport))
    }
    let hasRate = readDirections(&fields, number, isPartial: isPartial)
    readNames(&fields, number)
    for key in ["delay", "queue", "loss", "jitter"] where fields.object?.member(key) != nil {
      _ = fields.contains(key)
      fields.error(
        "a link has a \(key) in each direction", at: key,
        notes: [
          key == "delay"
            ? #"write "down": {"rate": …, "delay": …} and "up": {"delay": …}"#
            : #"write "down": {"rate": …, "\#(key)": …} and "up": {"\#(key)": …}"#
        ])
    }
    return hasRate
  }

  /// Reads both directions; returns whether it is known what comes down.
  private mutating func readDirections(
    _ fields: inout FieldReader, _ number: Int, isPartial: Bool
  ) -> Bool {
    var profile = conditions[number].profile
    let rate = fields.optional(LinkKeys.rate)
    var isRead = true
    if fields.contains(LinkKeys.down) {
      if rate != nil { fields.error("'rate' cannot be combined with 'down'", at: "rate") }
      let purpose = isPartial || rate != nil ? Purpose.down : .downNeedingRate
      let down = fields.object(LinkKeys.down).flatMap {
        direction($0, profile.down, number, purpose)
      }
      isRead = down != nil
      profile.down = down ?? profile.down
    } else if let rate {
      let delay = profile.down.track.samples[0].delay
      profile.down.track = LinkTrack(rate: rate, delay: delay)
      conditions[number].drawn.down = nil
    } else if !isPartial {
      if let value = fields.object, value.member("rate") == nil {
        fields.findings.error(
          "a link needs the key 'down', or 'rate' for one that never changes",
          missing: ["down", "rate"], in: value,
          notes: [#"a link that differs from another one is {"use": …, "down": {…}}"#])
      }
      isRead = false
    }
    let up = fields.object(LinkKeys.up).flatMap {
      direction($0, profile.up, number, .up)
    }
    profile.up = up ?? profile.up
    conditions[number].profile = profile
    return isRead
  }

  /// Which direction is read, and whether it must have a rate.
  private enum Purpose {
    case downNeedingRate, down, up
  }

  /// Reads a direction: what it carries over time, and what it does to packets.
  private mutating func direction(
    _ reader: FieldReader, _ base: LinkDirection, _ number: Int, _ purpose: Purpose
  ) -> LinkDirection? {
    var fields = reader
    defer { fields.finish() }
    var direction = base
    let choices = DirectionKeys.choices
    let hasRate = choices.contains { fields.object?.member($0) != nil }
    if hasRate, purpose == .up { conditions[number].isReal = true }
    let own = fields.optional(DirectionKeys.delay)
    let delay = own ?? base.track.samples[0].delay
    let track: LinkTrack?
    if hasRate || purpose == .downNeedingRate {
      conditions[number].drawn.take(nil, goesUp: purpose == .up)
      switch fields.one(of: choices) {
      case "rate":
        track = fields.required(DirectionKeys.rate).map { LinkTrack(rate: $0, delay: delay) }
      case "track": track = samples(&fields, delay: delay, number)
      case "random":
        let component = purpose == .up ? "link/\(number)/up" : "link/\(number)"
        track = drawn(&fields, delay: delay, component: component)
        if track != nil {
          conditions[number].drawn.take(drawnTracks.count - 1, goesUp: purpose == .up)
        }
      default: track = nil
      }
    } else {
      for choice in choices { _ = fields.contains(choice) }
      track = own.map { base.track.with(delay: $0) } ?? base.track
    }
    if readPackets(&fields, into: &direction) { conditions[number].isReal = true }
    guard let track else { return nil }
    direction.track = track
    return direction
  }

  /// Reads what a direction does to packets; returns whether it says anything of that.
  private func readPackets(
    _ fields: inout FieldReader, into direction: inout LinkDirection
  ) -> Bool {
    let isReal = PacketProperty.names.contains { fields.object?.member($0) != nil }
    for property in PacketProperty.all { _ = property.member.read(&fields, &direction) }
    return isReal
  }

  /// Reads what a lookup of a name costs.
  private mutating func readNames(_ fields: inout FieldReader, _ number: Int) {
    guard var names = fields.object(LinkKeys.dns) else { return }
    conditions[number].isReal = true
    _ = LookupKeys.record.members.read(&names, into: &conditions[number].profile.names)
    names.finish()
  }

  /// Reads the hosts that have links of their own, unless those of another layer count.
  private mutating func readHosts(_ fields: inout FieldReader, counts: Bool) {
    let findings = fields.findings
    let elements = fields.elements(LinkKeys.match)
    if !counts { return }
    for element in elements {
      var match = FieldReader(element, MatchKeys.object, findings)
      let host = match.required(MatchKeys.host)
      let link = match.value(MatchKeys.profile).flatMap { condition($0, findings) }
      if match.object != nil, element.member("profile") == nil {
        findings.error("a match needs the key 'profile'", missing: ["profile"], in: element)
      }
      match.finish()
      guard let host, let link else { continue }
      if host.dropFirst().contains("*") || host.isEmpty {
        match.error("'host' is a name, or '*' and the end of one", at: "host")
      }
      hosts.append(HostLink(host: host, link: link))
    }
  }
}

extension LinkTrack {
  /// Returns the track with another delay throughout.
  fileprivate func with(delay: TimeSpan) -> LinkTrack {
    LinkTrack(
      TrackSamples(
        samples.lazy.map {
          Sample(start: $0.start, rate: $0.rate, delay: delay, loss: $0.loss)
        }), ending: ending)
  }
}
