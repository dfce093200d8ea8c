import Autowait

/// Reading the traffic of others, and the ways to hosts.
extension ScenarioReader {
  /// The most flows of others in one scenario.
  private static let trafficMax = 1_000

  /// Reads `traffic`: flows that share the link with the players.
  func traffic(_ fields: inout FieldReader) -> [CrossTraffic] {
    var result: [CrossTraffic] = []
    for element in fields.elements(ScenarioKeys.traffic) {
      var other = FieldReader(element, TrafficKeys.object, findings)
      let kind = other.required(TrafficKeys.kind)
      let start = other.value(of: TrafficKeys.from)
      let end = other.optional(TrafficKeys.to) ?? .never
      if let read = kind.flatMap({ self.kind($0, &other) }) {
        result.append(CrossTraffic(read, from: start, to: end))
      }
      other.finish()
      if end <= start {
        other.error(
          "'to' must be after 'from'", at: other.contains(TrafficKeys.to) ? "to" : "from")
      }
      if result.count == Self.trafficMax + 1 {
        other.error("there are more than \(Self.trafficMax) flows of others", at: "kind")
      }
    }
    return result
  }

  private func kind(_ word: TrafficWord, _ fields: inout FieldReader) -> CrossTraffic.Kind? {
    switch word {
    case .constant: return fields.required(TrafficKeys.rate).map { .constant($0) }
    case .download: return .download(fields.optional(TrafficKeys.download))
    case .poll:
      let size = fields.required(TrafficKeys.size)
      let every = fields.required(TrafficKeys.every)
      guard let size, let every else { return nil }
      return .poll(size, every: every)
    }
  }

  /// Leads every item, and its keys, to the link of its host: the first that `match` names for it.
  mutating func leadToHosts() {
    for player in players.indices {
      for number in players[player].media.indices {
        let item = items[player][number]
        let route = item.host.map { self.route(to: $0) } ?? 0
        if var streamMedia = item.media.streamMedia {
          let keyRoute = item.keyHost.map { self.route(to: $0) } ?? route
          for key in streamMedia.keys.indices { streamMedia.keys[key].route = keyRoute }
          var media = Media(streamMedia)
          media.canPlayFastForward = item.media.canPlayFastForward
          media.canPlayReverse = item.media.canPlayReverse
          media.isFedByDelegate = item.media.isFedByDelegate
          players[player].media[number] = media
        }
        players[player].media[number].route = route
      }
    }
  }

  private func route(to host: String) -> Int {
    links.hosts.firstIndex { $0.matches(host) }.map { $0 + 1 } ?? 0
  }

  /// The links of hosts with one of their own, if any media or key lies on such a host.
  var hostLinks: [Int] {
    let isUsed = players.contains { player in
      player.media.contains { media in
        media.route > 0 || media.streamMedia?.keys.contains { $0.route > 0 } == true
      }
    }
    return isUsed ? links.hosts.map { $0.link } : []
  }

  /// Warns of a tier that takes from the link what is not there, or leaves out what is.
  func warnOfTier(_ world: World, at link: JSONValue) {
    let place = link.opening
    let goodput = links.conditions.first { $0.traceKind == .goodput }
    if world.tier == nil, world.tierChoice.tier == .packet, let goodput {
      findings.warning(
        "the rates of '\(goodput.name.excerpt)' are goodput: the packet tier takes the cost of "
          + "TCP off again", at: place, notes: ["the tier 'ideal' takes them as they are"])
    }
    if world.tierChoice.tier == .ideal, world.links.contains(where: { $0.losesAll }) {
      findings.warning(
        "an ideal link loses nothing: that every packet is lost is left out", at: place,
        notes: ["a rate of 0 or a blackout stops it; losses need the tier 'packet', or 'auto'"])
    }
    if world.tierLeavesOut {
      findings.warning(
        "the fluid tier leaves out what happens to single packets on this link", at: place,
        notes: ["losses, jitter and the like need the tier 'packet', or 'auto'"])
    }
  }
}

extension World {
  /// Whether the tier that is asked for knows less than there is to know.
  private var tierNeeded: TierChoice {
    var other = self
    other.tier = nil
    return other.tierChoice
  }

  fileprivate var tierLeavesOut: Bool {
    tier == .fluid && tierNeeded.reason.leavesOutInFluid
  }
}

extension LinkProfile {
  /// Whether every packet is lost, in a direction and for a time at least.
  var losesAll: Bool {
    [down, up].contains { direction in
      direction.loss.share == Probability.always.parts
        || direction.track.samples.contains { $0.loss == .always }
    }
  }
}
