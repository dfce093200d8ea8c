import Autowait

/// Making a world of what was read, once it is known how requests are carried and for how long.
extension LinkReader {
  /// The most outages that one link may have before the end of a run.
  static let outagesMax = 1_000_000

  /// Decides how requests are carried, by what the scenario says, then by what its links say.
  ///
  /// Links are ideal if none of them says more than an ideal link can do.
  mutating func transport(_ value: JSONValue?, at link: JSONValue?) -> AskedTransport {
    let asked = conditions.compactMap(\.transport)
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
        "the links of this scenario carry requests in different ways", at: opening(link),
        notes: ["the key 'transport' of the scenario says what holds for all"])
    }
    if transport.policy == nil { makeIdeal(value) }
    return transport
  }

  /// Cuts outages into the tracks of links that know nothing else.
  private mutating func makeIdeal(_ value: JSONValue?) {
    for number in conditions.indices {
      let profile = conditions[number].profile
      var outages: [ClosedRange<TimeSpan>] = []
      for event in profile.events {
        if case .blackout(let length, _) = event.kind {
          outages.append(event.start...(event.start + length))
        }
      }
      conditions[number].profile.events = []
      conditions[number].outage = nil
      if outages.isEmpty { continue }
      if case .loop = profile.down.track.ending {
        if let value { findings.error("a track that loops cannot have events", at: value) }
        continue
      }
      conditions[number].profile.down.track = profile.down.track.withOutages(outages)
    }
  }

  /// Returns the conditions of the world, with all that befalls them before the end of the run.
  mutating func finish(horizon: Instant) -> [LinkProfile] {
    for number in conditions.indices { addOutages(number, until: horizon - .start) }
    for number in conditions.indices { moveEventsOn(number) }
    return conditions.map(\.profile)
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
    var stream = RandomStream(seed: seed, component: "link/\(number)", purpose: "outage")
    func next(_ mean: TimeSpan) -> TimeSpan {
      // A time of zero would join two outages, or make one that is none.
      outage.isRandom
        ? max(TimeSpan(nanoseconds: 1), stream.nextExponential(mean: mean)) : mean
    }
    var events: [LinkEvent] = []
    var time = next(outage.on)
    while time < end {
      if events.count == Self.outagesMax {
        findings.adopt(
          Finding(
            .error,
            "the link '\(conditions[number].name.excerpt)' has more than \(Self.outagesMax) "
              + "outages before the run ends", path: findings.source.path,
            notes: ["a run ends earlier with 'until'"]))
        return
      }
      let length = next(outage.off)
      events.append(LinkEvent(at: time, .blackout(length, drops: outage.drops)))
      time = time + length + next(outage.on)
    }
    draws += stream.draws
    conditions[number].profile.events = events
  }
}

extension LinkEvent {
  /// Returns what is left of the event behind a time, counted from there; nil for nothing.
  fileprivate func moved(to begin: TimeSpan) -> LinkEvent? {
    if start >= begin { return LinkEvent(at: start - begin, kind) }
    guard case .blackout(let length, let drops) = kind else {
      return LinkEvent(at: .zero, kind)
    }
    let end = start + length
    return end > begin ? LinkEvent(at: .zero, .blackout(end - begin, drops: drops)) : nil
  }
}

extension LinkTrack {
  /// Returns the track with outages in it; behind each, what the track says then holds.
  fileprivate func withOutages(_ outages: [ClosedRange<TimeSpan>]) -> LinkTrack {
    let end: TimeSpan? = if case .offline(let end) = ending { end } else { nil }
    var cut: [Sample] = []
    var next = 0
    for outage in outages {
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
}

extension LinkTrack.Sample {
  fileprivate func with(start: TimeSpan, rate: BitRate) -> LinkTrack.Sample {
    LinkTrack.Sample(start: start, rate: rate, delay: delay, loss: loss)
  }
}
