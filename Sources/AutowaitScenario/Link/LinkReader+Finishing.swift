import Autowait

/// Making a world of what was read, once it is known how requests are carried and for how long.
extension LinkReader {
  /// The most outages that one link may have before the end of a run.
  static let outagesMax = 1_000_000

  /// Decides how requests are carried, by what the scenario says, then by what its links say.
  ///
  /// Links are ideal if none of them says more than an ideal link can do. One on which nothing ever
  /// comes goes along with the others: it is the same however requests are carried.
  mutating func transport(_ value: JSONValue?, at link: JSONValue?) -> AskedTransport {
    let alive = conditions.filter { !$0.isDead }
    let asked = (alive.isEmpty ? conditions : alive).compactMap { $0.transport }
    let isMixed = asked.contains { $0 != asked[0] }
    let isPinned = asked.contains(.ideal)
    let isReal = conditions.contains { $0.isReal && $0.transport == nil }
    var transport = asked.first ?? (isReal ? AskedTransport(policy: TransportPolicy()) : .ideal)
    if let value {
      let base = transport == .ideal ? nil : transport
      let kind = FieldKind<AskedTransport>.transport(from: base)
      transport = kind.read(value, FieldLabel(key: "transport"), findings) ?? transport
    } else if isMixed || isPinned && isReal, let link {
      findings.error(
        "the links of this scenario carry requests in different ways", at: link.opening,
        notes: wayNotes(alive))
    }
    if transport.policy == nil { makeIdeal(value) }
    return transport
  }

  /// Says which links carry requests in which way, and what to write so that all do in one.
  private func wayNotes(_ conditions: [Condition]) -> [String] {
    func names(_ isMeant: (Condition) -> Bool) -> String {
      NearestWord.quotedList(
        conditions.filter(isMeant).reduce(into: []) { names, condition in
          if !names.contains(condition.name), names.count < 4 { names.append(condition.name) }
        })
    }
    let ideal = names { $0.transport == .ideal }
    let others = names { $0.transport != .ideal && ($0.transport != nil || $0.isReal) }
    let ways =
      ideal.isEmpty || others.isEmpty
      ? "each has a 'transport' of its own"
      : "a request costs a round trip and no more on \(ideal), and goes over TCP on \(others)"
    return [
      ways, #"write "transport": {} in the scenario, and all go over HTTP and TCP"#,
      #"or "transport": "ideal", and a request costs a round trip and no more on all of them"#,
    ]
  }

  /// Cuts outages into the tracks of links that know nothing else; of those of a device that is
  /// offline the events stay.
  private mutating func makeIdeal(_ value: JSONValue?) {
    for number in conditions.indices {
      let profile = conditions[number].profile
      var outages: [ClosedRange<TimeSpan>] = []
      for event in profile.events {
        if event.isHandover { continue }
        let outage = event.start...(event.start + event.kind.standstill)
        if let last = outages.last, last.upperBound >= outage.lowerBound {
          outages[outages.count - 1] =
            last.lowerBound...max(last.upperBound, outage.upperBound)
        } else {
          outages.append(outage)
        }
      }
      conditions[number].profile.events.removeAll { !$0.isOffline }
      conditions[number].outage = nil
      if outages.isEmpty { continue }
      if case .loop = profile.down.track.ending {
        if let value { findings.error("a track that loops cannot have events", at: value) }
        continue
      }
      conditions[number].profile.down.track = profile.down.track.withOutages(outages)
      conditions[number].drawn.cuts = outages
    }
  }

  /// Returns the conditions of the world, with all that happens to them before the end of the run.
  mutating func finish(horizon: Instant) -> [LinkProfile] {
    for number in conditions.indices { addOutages(number, until: horizon - .start) }
    for number in conditions.indices { moveEventsOn(number) }
    return conditions.map { $0.profile }
  }

  /// Moves what stands behind a handover to the link that holds then, in place of its own events.
  private mutating func moveEventsOn(_ number: Int) {
    let events = conditions[number].profile.events
    var stage = number
    var begin = TimeSpan.zero
    var held: [LinkEvent] = []
    for (place, event) in events.enumerated() {
      guard var moved = event.moved(to: begin) else { continue }
      if case .handover(var handover) = moved.kind, let link = handover.link,
        place + 1 < events.count
      {
        var next = conditions[link]
        next.outage = nil
        next.drawn.outage = nil
        next.profile.events = []
        handover.link = conditions.count
        moved.kind = .handover(handover)
        held.append(moved)
        conditions[stage].profile.events = held
        begin = begin + moved.start + handover.gap
        held = []
        stage = conditions.count
        conditions.append(next)
      } else {
        held.append(moved)
      }
    }
    conditions[stage].profile.events = held
  }

  /// Turns on and off times into blackouts.
  private mutating func addOutages(_ number: Int, until end: TimeSpan) {
    guard let outage = conditions[number].outage else { return }
    guard let drawn = outage.events(seed: seed, link: number, until: end) else {
      findings.adopt(
        Finding(
          .error,
          "the link '\(conditions[number].name.excerpt)' has more than \(Self.outagesMax) "
            + "outages before the run ends", path: findings.source.path,
          notes: ["a run ends earlier with 'until'"]))
      return
    }
    draws += drawn.draws
    conditions[number].profile.events = drawn.events
    if outage.isRandom { conditions[number].drawn.outage = outage }
  }

  /// What of the finished links was drawn.
  func drawing(until end: TimeSpan) -> LinkDraws {
    LinkDraws(tracks: drawnTracks, parts: conditions.map { $0.drawn }, end: end)
  }
}

extension LinkReader.Condition {
  /// Whether nothing ever comes over the link, whatever happens to it.
  fileprivate var isDead: Bool { profile.down.track.samples.allSatisfy { $0.rate == .zero } }
}

extension LinkEvent {
  /// Returns what is left of the event behind a time, counted from there; nil for nothing.
  fileprivate func moved(to begin: TimeSpan) -> LinkEvent? {
    if start >= begin { return LinkEvent(at: start - begin, kind) }
    switch kind {
    case .blackout(let length, let drops):
      let end = start + length
      return end > begin ? LinkEvent(at: .zero, .blackout(end - begin, drops: drops)) : nil
    case .offline(let length):
      let end = start + length
      return end > begin ? LinkEvent(at: .zero, .offline(end - begin)) : nil
    case .handover: return LinkEvent(at: .zero, kind)
    }
  }
}

extension LinkEvent {
  /// Whether the way to the server changes.
  var isHandover: Bool { if case .handover = kind { true } else { false } }

  /// Whether the device has no network for a while.
  var isOffline: Bool { if case .offline = kind { true } else { false } }
}
