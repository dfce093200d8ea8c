import Autowait

/// Times in which a link is up and times in which it is down, in turn.
struct LinkOutage: Hashable, Sendable {
  /// How long the link is up, at a time or on average; it is up at first.
  var on: TimeSpan
  /// How long it is down, at a time or on average.
  var off: TimeSpan
  /// Whether the times are drawn from exponential distributions.
  var isRandom: Bool
  /// What is lost while it is down.
  var drops: LinkEvent.Dropped
}

/// Reading what happens to a link.
extension LinkReader {
  /// Reads what happens to a link, unless what another layer says of that counts.
  mutating func readEvents(_ fields: inout FieldReader, _ number: Int, count: Bool) {
    guard count else {
      _ = fields.contains(LinkKeys.outage)
      _ = fields.contains(LinkKeys.events)
      return
    }
    readOutage(&fields, number)
    readEvents(&fields, number)
    if let object = fields.object { conditions[number].happening = (object, fields.findings) }
  }

  /// Lets happen to a link what happens to another one.
  mutating func repeatEvents(of base: Int, _ number: Int) {
    // What is only being read has no list yet, and a link that led to itself would have no end.
    guard let (object, findings) = conditions[base].happening else { return }
    guard conditions.count < Self.conditionsMax else {
      self.findings.adopt(
        Finding(
          .error, "the links lead to more than \(Self.conditionsMax) others",
          path: findings.source.path))
      return
    }
    var fields = FieldReader(object, LinkKeys.object, findings)
    readEvents(&fields, number, count: true)
  }

  /// Reads the events of a link, which count their times from when it begins to hold.
  private mutating func readEvents(_ fields: inout FieldReader, _ number: Int) {
    let findings = fields.findings
    var events: [(event: LinkEvent, value: JSONValue)] = []
    for element in fields.elements(LinkKeys.events) {
      var event = FieldReader(element, EventKeys.object, findings)
      let word = event.required(EventKeys.type)
      let start = event.required(EventKeys.at)
      let kind: LinkEvent.Kind?
      switch word {
      case .handover: kind = handover(&event, number)
      case .conditioner: kind = conditioner(&event, number)
      case .offline: kind = event.required(EventKeys.length).map { .offline($0) }
      case .blackout, nil:
        kind = blackout(&event, number)
        // Nobody knows which keys an unknown event would have.
        if word == nil, event.contains(EventKeys.type) { _ = event.others() }
      }
      event.finish()
      guard let start, let kind else { continue }
      events.append((LinkEvent(at: start, kind), element))
    }
    if events.isEmpty { return }
    events.sort { $0.event.start < $1.event.start }
    conditions[number].profile.events = merged(events, findings)
    if case .loop = conditions[number].profile.down.track.ending {
      if conditions[number].transport == .ideal, let object = fields.object {
        findings.error("a track that loops cannot have events", at: object.opening)
      }
      conditions[number].isReal = true
    }
  }

  private mutating func blackout(
    _ event: inout FieldReader, _ number: Int
  ) -> LinkEvent.Kind? {
    let length: TimeSpan?
    // An event of an unknown type is not asked for what a blackout needs.
    if event.object?.member("type")?.isString(LinkEventWord.blackout.rawValue) ?? true {
      length = event.required(EventKeys.length)
    } else {
      length = nil
    }
    if event.contains(EventKeys.drop) { conditions[number].isReal = true }
    let drops = event.optional(EventKeys.drop) ?? .nothing
    return length.map { .blackout($0, drops: drops) }
  }

  private mutating func handover(
    _ event: inout FieldReader, _ number: Int
  ) -> LinkEvent.Kind? {
    conditions[number].isReal = true
    let gap = event.value(of: EventKeys.gap)
    let flushes = event.value(of: EventKeys.flushQueue)
    let ends = event.value(of: EventKeys.newPath)
    let value = event.value(EventKeys.to)
    let link = value.flatMap { condition($0, event.findings, base: number) }
    if value != nil, link == nil { return nil }
    return .handover(
      LinkEvent.Handover(gap: gap, flushesQueue: flushes, endsConnections: ends, link: link))
  }

  /// A conditioner that is switched on, over or off: nothing is lost and no connection ends.
  ///
  /// Off is the link itself, without what happens to it.
  private mutating func conditioner(
    _ event: inout FieldReader, _ number: Int
  ) -> LinkEvent.Kind? {
    conditions[number].isReal = true
    guard let value = event.value(EventKeys.use) else {
      _ = event.required(EventKeys.use)
      return nil
    }
    let off = value.isString("off") ? open(conditions[number].name, nil, Origin(base: number)) : nil
    guard let link = off ?? condition(value, event.findings, base: number) else { return nil }
    return .handover(
      LinkEvent.Handover(gap: .zero, flushesQueue: false, endsConnections: false, link: link))
  }

  /// Returns events with blackouts that touch as one, so that no two overlap.
  private func merged(
    _ events: [(event: LinkEvent, value: JSONValue)], _ findings: Findings
  ) -> [LinkEvent] {
    var merged: [LinkEvent] = []
    for (event, value) in events {
      guard case .blackout(let length, let drops) = event.kind, let last = merged.last,
        case .blackout(let before, let droppedBefore) = last.kind,
        event.start <= last.start + before
      else {
        merged.append(event)
        continue
      }
      if drops != droppedBefore {
        findings.error("blackouts that overlap must drop the same", at: value.opening)
      }
      let end = max(last.start + before, event.start + length)
      merged[merged.count - 1].kind = .blackout(end - last.start, drops: droppedBefore)
    }
    return merged
  }

  /// Reads on and off times.
  private mutating func readOutage(_ fields: inout FieldReader, _ number: Int) {
    guard var outage = fields.object(LinkKeys.outage) else { return }
    conditions[number].isReal = true
    let isRandom = ["onMean", "offMean"].contains { outage.object?.member($0) != nil }
    let on: TimeSpan?
    let off: TimeSpan?
    if isRandom {
      on = outage.required(OutageKeys.onMean)
      off = outage.required(OutageKeys.offMean)
    } else {
      on = outage.required(OutageKeys.on)
      off = outage.required(OutageKeys.off)
      ["onMean", "offMean"].forEach { _ = outage.contains($0) }
    }
    // As mahimahi's switched links do it: what is sent while the link is off is lost.
    let drops = outage.value(of: OutageKeys.drop)
    outage.finish()
    if fields.contains(LinkKeys.events) {
      fields.error("'outage' cannot be combined with 'events'", at: "outage")
    }
    guard let on, let off else { return }
    conditions[number].outage = LinkOutage(on: on, off: off, isRandom: isRandom, drops: drops)
  }
}
