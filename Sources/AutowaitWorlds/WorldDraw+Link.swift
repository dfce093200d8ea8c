import Autowait
import AutowaitScenario

/// Links of every kind: what they carry, what is lost on them, what happens to them.
extension WorldDraw {
  /// The world's link, or a list of them over time.
  mutating func links() -> Draft {
    if chance(1, 4) {
      var start: Int64 = 0
      return .array(
        some(1, 3) { draw in
          defer { start += 500_000_000 * draw.number(1, 40) }
          return ["at": WorldDraw.time(start), "use": draw.link(isInList: true)]
        })
    }
    return link(isInList: false)
  }

  /// The presets of a kind that are light enough to be drawn by the thousand.
  static let presets: [LinkTier: [String]] = [
    .ideal: ["demo/fast", "demo/slow-server", "demo/offline"],
    .fluid: ["nlc/3g", "nlc/edge", "nlc/dsl@delay=30 ms", "nlc/lte"],
    .packet: ["nlc/edge", "nlc/3g@loss=1 %", "nlc/dsl@queue=20"],
  ]

  private mutating func link(isInList: Bool) -> Draft {
    // What is in a list with others must carry requests as they do.
    if !isInList, chance(1, 8) {
      return .string(pick(Self.presets[kind.tier] ?? ["demo/fast"]))
    }
    if kind.tier != .packet, !isInList, chance(1, 16) { return trace() }
    var link: Draft = .empty
    if chance(1, 3) {
      let name = "link \(linkNames.count + 1)"
      linkNames.append(name)
      link["name"] = .string(name)
    }
    if chance(1, 20) { link["about"] = "Drawn." }
    if chance(1, 40) { link["source"] = "None." }
    if chance(1, 40) { link["confidence"] = .string(pick(["high", "medium", "low"])) }
    if chance(1, 40) { link["schema"] = "none" }
    if chance(1, 40) { link["traceKind"] = .string(pick(["capacity", "goodput"])) }
    if chance(1, 6) {
      link["rate"] = linkRate()
    } else {
      link["down"] = direction(isDown: true)
    }
    if chance(1, 2) { link["up"] = direction(isDown: false) }
    if kind.tier != .ideal, chance(1, 4) {
      var names: Draft = .empty
      if chance(1, 2) { names["delay"] = time(most: 900) }
      if chance(1, 2) { names["cache"] = flag() }
      link["dns"] = names
    }
    events(into: &link)
    apart { $0.offline(into: &link) }
    if kind.tier != .ideal, !isInList {
      if chance(1, 8) { matches(into: &link) }
      if chance(1, 12) { link["transport"] = ["http": .string(pick(["h1", "h2"]))] }
    }
    return link
  }

  /// A trace of another tool: seconds and Mbit/s, or what a mobile network let through.
  private mutating func trace() -> Draft {
    var text = ""
    for second in 0..<number(3, 30) { text += "\(second) \(number(0, 80) / 10).\(number(0, 9))\n" }
    add(text, at: "trace.log")
    if chance(1, 2) { return "trace.log" }
    return ["trace": "trace.log", "format": "pensieve"]
  }

  mutating func linkRate() -> Draft {
    if chance(1, 12) { return 0 }
    if chance(1, 12) { return "17 bit/s" }
    if kind.tier != .packet, chance(1, 10) { return "100 Mbit/s" }
    return rate(60, kind.tier == .packet ? 3_000 : 8_000)
  }

  private mutating func direction(isDown: Bool) -> Draft {
    var direction: Draft = .empty
    switch isDown ? number(0, 3) : 0 {
    case 1: track(into: &direction)
    case 2:
      direction["random"] = [
        "from": rate(60, 1_000), "to": rate(1_000, kind.tier == .packet ? 2_500 : 9_000),
        "every": time(least: 100, most: 3_000), "count": Draft(number(1, 40)),
      ]
    default:
      // A rate up makes a link real.
      if isDown || kind.tier != .ideal {
        direction["rate"] = !isDown && chance(1, 3) ? "unlimited" : linkRate()
      }
    }
    if chance(1, 2) { direction["delay"] = time(most: 400) }
    if kind.tier != .ideal { disturb(&direction) }
    return direction
  }

  private mutating func track(into direction: inout Draft) {
    let lasts = chance(1, 2)
    var start: Int64 = 0
    let samples: [Draft] = some(1, shape.isLong ? 200 : 6) { draw in
      var sample: Draft = .empty
      let span = draw.nanoseconds(least: 20, most: 6_000)
      if lasts {
        sample["for"] = WorldDraw.time(span)
      } else {
        sample["at"] = WorldDraw.time(start)
      }
      start += span
      sample["rate"] = draw.linkRate()
      if draw.chance(1, 3) { sample["delay"] = draw.time(most: 400) }
      if draw.kind.tier != .ideal, draw.chance(1, 8) {
        sample["loss"] = draw.probability(upTo: 10)
      }
      return sample
    }
    direction["track"] = .array(samples)
    if chance(2, 3) { direction["trackEnd"] = .string(pick(["hold", "loop", "loop", "offline"])) }
    if !lasts || chance(1, 5) { direction["length"] = Self.time(start) }
  }

  /// What only real links do to packets.
  private mutating func disturb(_ direction: inout Draft) {
    if chance(1, 3) {
      direction["queue"] = pick([
        "automatic", "unlimited", ["packets": Draft(number(2, 60))],
        ["bytes": .string("\(number(3_000, 90_000)) B")], ["time": time(least: 20, most: 900)],
      ])
    }
    if chance(1, 4) { direction["loss"] = loss() }
    if chance(1, 8) {
      var jitter: Draft = ["deviation": time(least: 1, most: 50)]
      if chance(1, 2) {
        jitter["distribution"] = pick([
          "uniform", "normal", "pareto", "paretonormal", [-8192, -2000, 0, 2000, 8192],
        ])
      }
      if chance(1, 2) { jitter["keepOrder"] = flag() }
      direction["jitter"] = jitter
    }
    if chance(1, 10) {
      direction["reorder"] =
        chance(1, 2)
        ? probability(upTo: 20)
        : ["probability": probability(upTo: 20), "gap": Draft(number(1, 5))]
    }
    if chance(1, 10) { direction["duplicate"] = probability(upTo: 5) }
    if chance(1, 10) {
      var overhead: Draft = .empty
      if chance(1, 2) { overhead["mtu"] = Draft(number(600, 1_500)) }
      if chance(1, 2) { overhead["perPacket"] = Draft(number(0, 60)) }
      direction["overhead"] = overhead
    }
  }

  private mutating func loss() -> Draft {
    switch number(0, 4) {
    case 0:
      var burst: Draft = ["pGB": probability(upTo: 4), "pBG": "30 %"]
      if chance(1, 2) { burst["lossGood"] = probability(upTo: 1) }
      if chance(1, 2) { burst["lossBad"] = probability(upTo: 90) }
      return ["gilbertElliott": burst]
    case 1: return ["everyNth": Draft(number(5, 60))]
    case 2: return ["packets": [1, 3, 4, 20]]
    case 3: return ["measured": ["probability": probability(upTo: 4), "seed": Draft(number(0, 9))]]
    default: return probability(upTo: 8)
    }
  }

  private mutating func events(into link: inout Draft) {
    if kind.tier != .ideal, chance(1, 12) {
      var outage: Draft =
        chance(1, 2)
        ? ["on": time(least: 500, most: 9_000), "off": time(least: 100, most: 3_000)]
        : ["onMean": time(least: 500, most: 9_000), "offMean": time(least: 100, most: 3_000)]
      if chance(1, 2) { outage["drop"] = .string(pick(["nothing", "new", "inFlight", "both"])) }
      link["outage"] = outage
      return
    }
    guard chance(1, 3) else { return }
    if kind.tier == .ideal, link["down"]?["trackEnd"] == .string("loop") { return }
    var start: Int64 = 0
    link["events"] = .array(
      some(1, 3) { draw in
        start += draw.nanoseconds(least: 200, most: 8_000)
        defer { start += 3_000_000_000 }
        return draw.event(at: WorldDraw.time(start))
      })
  }

  /// Lets the device lose its network, if nothing else happens to the link.
  private mutating func offline(into link: inout Draft) {
    guard link["events"] == nil, link["outage"] == nil, chance(1, 5) else { return }
    if kind.tier == .ideal, link["down"]?["trackEnd"] == .string("loop") { return }
    var start: Int64 = 0
    link["events"] = .array(
      some(1, 3) { draw in
        start += draw.nanoseconds(most: 9_000)
        let span = draw.nanoseconds(least: 1, most: 30_000)
        defer { start += span + 1 }
        return ["type": "offline", "at": WorldDraw.time(start), "for": WorldDraw.time(span)]
      })
  }

  private mutating func event(at start: Draft) -> Draft {
    let type = kind.tier == .ideal ? "blackout" : pick(["blackout", "handover", "conditioner"])
    var event: Draft = ["type": .string(type), "at": start]
    switch type {
    case "blackout":
      event["for"] = time(least: 1, most: 3_000)
      if kind.tier != .ideal, chance(1, 2) { event["drop"] = "new" }
    case "handover":
      if chance(1, 2) { event["gap"] = time(most: 2_000) }
      if chance(1, 2) { event["flushQueue"] = flag() }
      if chance(1, 2) { event["newPath"] = flag() }
      if chance(1, 2) { event["to"] = otherLink() }
    default: event["use"] = chance(1, 3) ? "off" : otherLink()
    }
    return event
  }

  private mutating func otherLink() -> Draft {
    var link: Draft = ["down": ["rate": rate(60, 3_000)]]
    if chance(1, 3) { link["whole"] = flag() }
    return link
  }

  private mutating func matches(into link: inout Draft) {
    hosts = ["cdn.example.com", "keys.example.org"]
    link["match"] = .array([
      ["host": .string(pick(["cdn.example.com", "*.com"])), "profile": otherLink()],
      ["host": "keys.example.org", "profile": otherLink()],
    ])
  }
}

// MARK: - Transport and traffic

extension WorldDraw {
  /// How requests are carried; nil for what suits the links.
  mutating func transport() -> Draft? {
    switch kind.tier {
    case .ideal: return chance(1, 6) ? "ideal" : nil
    case .fluid: return policy("fluid")
    case .packet: return policy("packet")
    }
  }

  private mutating func policy(_ tier: String) -> Draft {
    var policy: Draft = ["tier": .string(tier)]
    let http = pick(["h1", "h1", "h2", "h3"])
    if chance(1, 2) { policy["http"] = .string(http) }
    let secured = ["1.3", "resumed", "0rtt"]
    if policy["http"] == .string("h3") {
      if chance(1, 2) { policy["tls"] = .string(pick(secured)) }
    } else if chance(1, 2) {
      policy["tls"] = .string(pick(["none", "1.2"] + secured))
    }
    if chance(1, 4) { policy["connectionsPerHost"] = Draft(number(1, 6)) }
    if chance(1, 4) { policy["serverThink"] = time(most: 500) }
    if chance(1, 4) { policy["responseHeaderSize"] = Draft(number(0, 4_000)) }
    if chance(1, 6) { policy["requestSize"] = Draft(number(1, 3_000)) }
    if chance(1, 2) { policy["cc"] = .string(pick(["cubic", "reno", "bbr", "none"])) }
    if chance(1, 4) { policy["paced"] = flag() }
    if chance(1, 4) { policy["initialWindow"] = Draft(number(1, 32)) }
    if chance(1, 8) { policy["segmentSize"] = Draft(number(536, 1_448)) }
    if chance(1, 6) {
      policy["receiveWindow"] = chance(1, 4) ? .null : Draft(number(3_000, 200_000))
    }
    if chance(1, 6) { policy["slowStartAfterIdle"] = flag() }
    if chance(1, 8) { policy["acknowledgementDelay"] = time(most: 200) }
    if chance(1, 8) { policy["retransmissionTimeoutMin"] = time(least: 10, most: 500) }
    if chance(1, 8) { policy["synTimeout"] = time(least: 200, most: 3_000) }
    if chance(1, 6) { policy["dnsLookup"] = flag() }
    if chance(1, 8) { policy["dnsTimeout"] = time(least: 200, most: 3_000) }
    if chance(1, 6) {
      policy["requestTimeout"] = chance(1, 3) ? .null : time(least: 3_000, most: 60_000)
    }
    if chance(1, 6) { policy["retriesMax"] = Draft(number(0, 4)) }
    if chance(1, 8) { policy["certificateSize"] = Draft(number(0, 9_000)) }
    return policy
  }

  mutating func traffic() -> Draft {
    .array(
      some(1, 2) { draw in
        let word = draw.pick(["constant", "download", "poll"])
        var traffic: Draft = ["kind": .string(word)]
        switch word {
        case "constant": traffic["rate"] = draw.rate(10, 900)
        case "download": if draw.chance(1, 2) { traffic["size"] = Draft(draw.number(1, 900_000)) }
        default:
          traffic["size"] = Draft(draw.number(1, 60_000))
          traffic["every"] = draw.time(least: 200, most: 4_000)
        }
        let start = draw.nanoseconds(most: 5_000)
        if draw.chance(1, 2) { traffic["from"] = WorldDraw.time(start) }
        if draw.chance(1, 2) {
          traffic["to"] = WorldDraw.time(start + draw.nanoseconds(least: 1, most: 9_000))
        }
        return traffic
      })
  }
}
