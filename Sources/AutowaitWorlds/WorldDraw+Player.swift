import Autowait
import AutowaitScenario

/// The settings of players, and the rules by which they wait and choose variants.
extension WorldDraw {
  /// The settings of a player, of which some belong to versions of iOS.
  mutating func player(_ index: Int) -> Draft {
    var player: Draft = .empty
    let contract = chance(1, 3) ? pick([9, 10, 11, 12, 13, 14, 15, 16, 18, 26]) : 26
    players[index].contract = contract
    if contract != 26 || chance(1, 6) {
      player["contract"] = chance(1, 2) ? .string("ios\(contract)") : Draft(Int64(contract))
    }
    if contract >= 10, chance(1, 2) { player["automaticallyWaitsToMinimizeStalling"] = flag() }
    if contract >= 16, chance(1, 6) { player["defaultRate"] = playbackRate() }
    if chance(1, 4) { player["actionAtItemEnd"] = .string(pick(["pause", "none"])) }
    if chance(1, 6) { player["forwardPlaybackEndTime"] = time(least: 1, most: 25_000) }
    if chance(1, 10) { player["pipelineRebuild"] = time(least: 1, most: 900) }
    if chance(1, 6) { player["pipelineBuild"] = time(most: 2_000) }
    if chance(1, 8) { player["hasLayer"] = flag() }
    if players[index].hasStream { streamSettings(into: &player, contract) }
    apart {
      if $0.chance(1, 6) { player["postsStallFirst"] = $0.flag() }
      if $0.chance(1, 6) { player["rangeProbe"] = $0.chance(1, 2) ? "2 B" : .null }
      if $0.chance(1, 6) {
        player["preset"] = .string($0.pick(["avfoundation", "avfoundation-observed-26"]))
      }
      $0.queue(into: &player, index)
      if $0.players[index].hasStream, $0.chance(1, 6) { player["history"] = $0.rate(100, 4_000) }
    }
    return player
  }

  /// The items of a fifth of the players, and how they play one after another, or again and again.
  private mutating func queue(into player: inout Draft, _ index: Int) {
    if !chance(1, 5) { return }
    let media = players[index].itemCount
    if chance(1, 2) {
      var items: [Draft] = some(1, 4) {
        var item: Draft = ["media": Draft($0.number(0, Int64(media) - 1))]
        if $0.chance(1, 2) { item["timeRange"] = $0.timeRange() }
        return item
      }
      name(&items, "part")
      player["items"] = .array(items)
      players[index].itemCount = items.count
    }
    if chance(2, 3) {
      var rest = Array(0..<Int64(players[index].itemCount))
      let queue = (0..<number(0, Int64(rest.count))).map { _ in
        Draft(rest.remove(at: Int(number(0, Int64(rest.count) - 1))))
      }
      player["queue"] = .array(queue)
      players[index].hasQueue = true
    }
    if chance(1, 3) { loop(into: &player, index) }
    let advances = players[index].hasQueue && chance(1, 2)
    if advances, player["actionAtItemEnd"] != nil { player["actionAtItemEnd"] = "advance" }
  }

  private mutating func loop(into player: inout Draft, _ index: Int) {
    let techniques = ["queue", "treadmill", "looper"]
    let technique = pick(players[index].hasQueue ? techniques : techniques + ["rewind"])
    var loop: Draft = ["by": .string(technique)]
    if chance(1, 2) { loop["item"] = Draft(number(0, Int64(players[index].itemCount) - 1)) }
    if chance(1, 3) { loop["timeRange"] = timeRange() }
    if technique != "rewind" {
      players[index].hasQueue = true
      if chance(1, 3) { loop["copies"] = Draft(number(technique == "looper" ? 3 : 1, 5)) }
    }
    if technique == "queue" || technique == "treadmill", chance(1, 4) {
      var rest = Array(0..<Int64(players[index].itemCount))
      for key in ["item", "timeRange", "copies"] { loop[key] = nil }
      loop["items"] = .array(
        (0..<number(1, Int64(rest.count))).map { _ in
          Draft(rest.remove(at: Int(number(0, Int64(rest.count) - 1))))
        })
    }
    if chance(1, 2) { loop["notification"] = time(most: 300) }
    if chance(1, 2) { loop["request"] = time(most: 300) }
    if chance(1, 2) { loop["kvo"] = .string(pick(["queued", "nested"])) }
    if chance(1, 4) { loop["itemOrdering"] = "loopingItemsFollowExistingItems" }
    players[index].loops = true
    player["loop"] = loop
  }

  /// A part of an item, short enough to lie within nearly all.
  private mutating func timeRange() -> Draft {
    let start = number(0, 200) * 1_000_000
    let end = start + nanoseconds(least: 1, most: 900)
    return .array([Self.time(start), chance(1, 3) ? .null : Self.time(end)])
  }

  /// What passes where nothing is waited for, of a third of the players; drawn behind all else.
  mutating func latencies(into world: inout Draft) {
    if case .array(let drafts)? = world["players"] {
      world["players"] = .array(drafts.map { latency(of: $0) })
    } else if let player = world["player"] {
      world["player"] = latency(of: player)
    }
    if let heuristic = world["heuristic"], case .object = heuristic {
      world["heuristic"] = latency(of: heuristic)
    }
  }

  /// Gives a player, or a heuristic, latencies of its own.
  private mutating func latency(of player: Draft) -> Draft {
    var latency: Draft = .empty
    if !chance(1, 3) { return player }
    for key in ["notification", "reaction", "preroll", "resume", "firstFrame", "appending"]
    where chance(1, 2) {
      latency[key] = time(most: chance(1, 4) ? 3_000 : 200)
    }
    var player = player
    player["latency"] = latency
    return player
  }

  /// In which order tracks load, of a fifth of the heuristics that are spelled out; drawn behind
  /// all else.
  mutating func requestOrders(into world: inout Draft) {
    func order(_ owner: Draft) -> Draft {
      guard let heuristic = owner["heuristic"], case .object = heuristic, chance(1, 5) else {
        return owner
      }
      var (owner, changed) = (owner, heuristic)
      changed["requestOrder"] = .string("\(pick(RequestOrder.allCases).word)")
      if chance(1, 3) { changed["requestInterval"] = time(least: 50, most: 2_000) }
      if chance(1, 3) { changed["pictureGrace"] = time(most: 4_000) }
      if chance(1, 3) { changed["readStep"] = time(least: 20, most: 3_000) }
      if chance(1, 4), heuristic["latency"] == nil {
        var latency: Draft = .empty
        latency["opening"] = time(most: 400)
        changed["latency"] = latency
      }
      if chance(1, 3) { changed["readAhead"] = .plain("\(number(1, 400_000))") }
      if chance(1, 3) {
        changed["probeSize"] = .plain("\(number(1, 40_000))")
        changed["probeDropped"] = .plain("\(number(0, 30_000))")
      }
      if chance(1, 6) { changed["forwardBufferSizeBeyond"] = .plain("\(number(1, 2_000_000))") }
      if chance(1, 4) { changed["droppedSize"] = .plain("\(number(1, 60_000))") }
      if chance(1, 4) { changed["followingBlock"] = .plain("\(number(1, 400_000))") }
      owner["heuristic"] = changed
      return owner
    }
    Self.changeOwners(in: &world, order)
  }

  /// How tracks are opened and share the link, of a fifth of the heuristics that are spelled out;
  /// drawn behind all else.
  mutating func openings(into world: inout Draft) {
    Self.changeOwners(in: &world) { owner in
      guard let heuristic = owner["heuristic"], case .object = heuristic, chance(1, 5) else {
        return owner
      }
      var (owner, changed) = (owner, heuristic)
      if chance(1, 2) { changed["soundShare"] = .plain("0.\(number(1, 999))") }
      if chance(1, 3) { changed["queuedAhead"] = .plain("\(number(1, 60_000))") }
      if chance(1, 3) { changed["openingSize"] = .plain("\(number(1, 200_000))") }
      if changed["openingSize"] != nil, chance(2, 3) {
        changed["openingOrder"] = .string("\(pick(TrackOpening.Order.allCases).word)")
      }
      if chance(1, 3) { changed["replacesOnClimb"] = flag() }
      if chance(1, 3) {
        changed["bolaBuffer"] = time(least: 1, most: 30_000)
        changed["requestInterval"] = time(least: 50, most: 2_000)
      }
      owner["heuristic"] = changed
      return owner
    }
  }

  /// How long requests are waited for, of a fifth of the heuristics that are spelled out, and where
  /// the queue is; drawn behind all else.
  mutating func timeouts(into world: inout Draft) {
    Self.changeOwners(in: &world) { owner in
      guard let heuristic = owner["heuristic"], case .object = heuristic, chance(1, 5) else {
        return owner
      }
      var (owner, changed) = (owner, heuristic)
      if chance(1, 3) { changed["connectsTracksApart"] = flag() }
      changed["ownTimeouts"] = flag()
      for key in ["answerTimeout", "silenceTimeout", "wholeTimeout"] where chance(1, 2) {
        changed[key] = chance(1, 4) ? .null : time(least: 100, most: 12_000)
      }
      if chance(1, 2) { changed["timeoutRetries"] = Draft(number(0, 4)) }
      if chance(1, 2) { changed["timeoutRetryDelay"] = time(most: 3_000) }
      if chance(1, 2) { changed["timeoutKeepsData"] = flag() }
      owner["heuristic"] = changed
      return owner
    }
    if var transport = world["transport"], case .object = transport, chance(1, 4) {
      transport["queueInServer"] = flag()
      world["transport"] = transport
    }
  }

  /// Changes what has a heuristic: the world, and its players.
  private static func changeOwners(in world: inout Draft, _ change: (Draft) -> Draft) {
    world = change(world)
    if let player = world["player"] { world["player"] = change(player) }
    if case .array(let drafts)? = world["players"] {
      world["players"] = .array(drafts.map { change($0) })
    }
  }

  private mutating func streamSettings(into player: inout Draft, _ contract: Int) {
    if contract >= 10, chance(1, 4) {
      player["preferredForwardBufferDuration"] = time(most: 12_000)
    }
    if chance(1, 6) { player["preferredPeakBitRate"] = rate(2, 3_000) }
    if contract >= 15, chance(1, 10) {
      player["preferredPeakBitRateForExpensiveNetworks"] = rate(2, 3_000)
    }
    if contract >= 11, chance(1, 10) {
      player["preferredMaximumResolution"] = .string(pick(["640x360", "1280x720"]))
    }
    if contract >= 15, chance(1, 12) {
      player["preferredMaximumResolutionForExpensiveNetworks"] = "960x540"
    }
    if chance(1, 8) {
      player["layer"] = pick([
        "375x211@2x", ["width": 640, "height": 360], ["width": 375, "height": 211, "scale": 2],
      ])
    }
    if chance(1, 8) { player["expensiveNetwork"] = flag() }
    if chance(1, 12) {
      player["codecs"] = pick([["avc", "aac"], ["hevc", "aac", "ec3"], ["avc", "hevc", "other"]])
    }
    if contract >= 14, chance(1, 6) { player["startsOnFirstEligibleVariant"] = flag() }
    if chance(1, 6) { player["observedBitrate"] = rate(100, 4_000) }
    if chance(1, 6) { player["preloadsEligibleContentKeys"] = flag() }
    if contract >= 13, chance(1, 6) { player["automaticallyPreservesTimeOffsetFromLive"] = flag() }
    if chance(1, 8) { player["canUseNetworkResourcesForLiveStreamingWhilePaused"] = flag() }
    if chance(1, 6) { player["showsSubtitles"] = flag() }
    if chance(1, 2) { player["streaming"] = streaming() }
  }

  /// How much data a stream loads ahead by default, and how it climbs.
  private mutating func forwardBuffer(into streaming: inout Draft) {
    if chance(1, 2) {
      let size = number(20_000, 3_000_000)
      streaming["forwardBufferSize"] = Draft(size)
      if chance(1, 2) { streaming["forwardBufferSizeSlack"] = Draft(number(1, size - 1)) }
    }
    if chance(1, 4) { streaming["forwardBufferSegments"] = Draft(number(0, 6)) }
    if chance(1, 8) { streaming["dropsWhenSeeking"] = flag() }
    if chance(1, 6) { streaming["startupClimb"] = .string("\(number(10, 100)) %") }
    if chance(1, 8) { streaming["startupSpan"] = time(most: 20_000) }
    if chance(1, 6) { streaming["climbRungs"] = chance(1, 4) ? .null : Draft(number(1, 3)) }
    if chance(1, 6) { streaming["climbInterval"] = time(most: 4_000) }
  }

  /// A script of the one variant that each stream has, some of which is given up.
  private mutating func script() -> Draft {
    var script: Draft = ["scripted": .array(some(1, 4) { _ in 0 })]
    if chance(1, 2) {
      var segment: Int64 = 0
      script["givenUp"] = .array(
        some(1, 3) {
          segment += $0.number(0, 2)
          return ["segment": Draft(segment), "variant": 0, "after": $0.time(least: 1, most: 4_000)]
        })
    }
    return script
  }

  private mutating func streaming() -> Draft {
    var streaming: Draft = .empty
    if chance(2, 3) {
      streaming["rule"] =
        chance(1, 6)
        ? script() : adaptationRule(pick(AdaptationRules.all))
    }
    if chance(1, 6) { streaming["climb"] = .string("\(number(10, 100)) %") }
    if chance(1, 6) { streaming["safety"] = .string("\(number(10, 100)) %") }
    if chance(1, 6) { streaming["segments"] = Draft(number(1, 9)) }
    if chance(1, 6) { streaming["rungsAfterStall"] = Draft(number(0, 3)) }
    if chance(1, 3) {
      streaming["abandonedAfter"] =
        chance(1, 3) ? .null : .plain(pick(["0", "2", "-1", "0.5", "-30"]))
    }
    if chance(1, 3) { streaming["forwardBufferDefault"] = time(least: 500, most: 20_000) }
    if chance(1, 4) { streaming["responseTimeout"] = time(least: 300, most: 10_000) }
    if chance(1, 4) { streaming["retries"] = Draft(number(0, 3)) }
    if chance(1, 4) { streaming["retryDelay"] = time(most: 3_000) }
    if chance(1, 8) { streaming["reconnects"] = flag() }
    if chance(1, 8) { streaming["waitsForMissingEnd"] = flag() }
    if chance(1, 8) { streaming["freezesWhenPaused"] = flag() }
    apart {
      $0.forwardBuffer(into: &streaming)
      $0.givingUp(into: &streaming)
      if $0.chance(1, 8) { streaming["knowsPlaylists"] = $0.flag() }
    }
    return streaming
  }

  /// When requests that fail are given up, and what follows.
  private mutating func givingUp(into streaming: inout Draft) {
    if streaming["responseTimeout"] == nil, chance(1, 8) { streaming["responseTimeout"] = .null }
    if chance(1, 4) { streaming["cutsSlowSegments"] = flag() }
    if chance(1, 4) { streaming["retryDelayMax"] = time(least: 1, most: 6_000) }
    if chance(1, 4) { streaming["penaltyTime"] = time(most: 12_000) }
    if chance(1, 4) { streaming["failuresMax"] = chance(1, 4) ? .null : Draft(number(1, 5)) }
    if chance(1, 4) { streaming["stalePollsMax"] = chance(1, 4) ? .null : Draft(number(1, 6)) }
    if chance(1, 4) { streaming["failsWhenPlayedOut"] = flag() }
    if chance(1, 4) { streaming["restartsShortWindows"] = flag() }
    if chance(1, 4) { streaming["rejoinsAfterStall"] = flag() }
  }
}

extension WorldDraw {
  /// A rule that chooses variants: by its name, or with options if it has any.
  private mutating func adaptationRule(_ entry: AdaptationRules.Entry) -> Draft {
    guard case .modelled = entry.rule, apart({ $0.chance(1, 2) }) else {
      return .string(entry.name)
    }
    return apart {
      var rule: Draft = ["name": .string(entry.name)]
      if $0.chance(3, 4) { rule["abandons"] = $0.flag() }
      if $0.chance(1, 3) { rule["measuresFirst"] = $0.flag() }
      if $0.chance(1, 4) { rule["basic"] = $0.flag() }
      if $0.chance(1, 4) { rule["avoidsOscillation"] = $0.flag() }
      if $0.chance(1, 4) { rule["checksBuffer"] = $0.flag() }
      if $0.chance(1, 4) { rule["gammaP"] = Draft($0.number(1, 9)) }
      switch $0.number(0, 5) {
      case 0: rule["windows"] = .array([Draft($0.number(1, 9))])
      case 1: rule["halfLives"] = .array([$0.time(least: 500, most: 9_000)])
      default: break
      }
      return rule
    }
  }
}

// MARK: - Rules for waiting

extension WorldDraw {
  mutating func heuristic() -> Draft {
    if shape.rule == .conditions { return ["rule": conditionRule()] }
    switch shape.rule == .program ? 6 : number(0, 9) {
    case 0...2: return .string(pick(Heuristic.all).name)
    case 3, 4: return ["rule": conditionRule()]
    case 5:
      var rule: Draft = ["rule": "buffered", "start": time(least: 1, most: 4_000)]
      if chance(1, 2) { rule["resume"] = time(least: 1, most: 8_000) }
      buffer(into: &rule)
      return rule
    case 6 where shape.rule != .builtIn:
      var rule: Draft = ["program": ["./rule", "--drawn"]]
      if shape.rule == .program { add("drawn", at: "./rule") }
      if chance(1, 2) { rule["timeout"] = "5 s" }
      if chance(1, 2) { rule["askEvery"] = time(least: 50, most: 2_000) }
      return rule
    case 7: return named()
    default:
      var rule: Draft = .empty
      if chance(1, 2) { rule["rule"] = "avfoundation" }
      buffer(into: &rule)
      return rule
    }
  }

  /// A heuristic that is built in, with some of its own parameters.
  private mutating func named() -> Draft {
    switch number(0, 8) {
    case 0:
      return [
        "rule": .string(pick(["media3", "exoplayer"])), "start": time(least: 1, most: 3_000),
        "resume": time(least: 1, most: 5_000), "startSize": Draft(number(1_000, 900_000)),
      ]
    case 1: return ["rule": "gstreamer", "starvesBelow": time(most: 900)]
    case 2: return ["rule": "vlc", "networkCaching": time(least: 1, most: 3_000)]
    case 3: return ["rule": "dash.js", "stallThreshold": time(most: 900)]
    case 4: return ["rule": "shaka-4.12", "rebufferingGoal": time(least: 1, most: 4_000)]
    case 5:
      return [
        "rule": .string(pick(["firefox", "firefox-play"])), "patience": time(least: 1, most: 9_000),
        "checkEvery": chance(1, 2) ? .null : "1 s",
      ]
    case 6: return ["rule": "fixed", "start": time(least: 1, most: 4_000)]
    case 7:
      return [
        "rule": .string(pick(["hls.js", "shaka", "vhs", "chromium-play"])),
        "queue": "0.2 s", "queueMax": "3 s", "tail": time(most: 90),
      ]
    default: return ["rule": "mpv", "resume": time(least: 1, most: 3_000)]
    }
  }

  /// The numbers that any rule may have.
  private mutating func buffer(into rule: inout Draft) {
    if chance(1, 2) { rule["verdictSize"] = pick([0, 1, 65_536, Draft(number(0, 200_000))]) }
    if apart({ $0.chance(1, 3) }) {
      rule["verdictTime"] = apart { $0.pick(["0", "1 ns", "366 d", $0.time(most: 5_000)]) }
    }
    if chance(1, 3) { rule["fillRateWindow"] = time(least: 1, most: 10_000) }
    if chance(1, 3) { rule["safetyMargin"] = .plain(pick(["0", "0.1", "0.333", "10"])) }
    let limit = nanoseconds(least: 100, most: 12_000)
    if chance(1, 3) {
      rule["forwardBufferLimit"] = chance(1, 5) ? .null : Self.time(limit)
      if rule["forwardBufferLimit"] != .null, chance(1, 2) {
        rule["forwardBufferResume"] = Self.time(limit / 100 * number(0, 90))
      }
    }
    if chance(1, 8) {
      let least = number(20_000, 2_000_000)
      rule["forwardBufferSizeMax"] = Draft(least * 2)
      if chance(1, 2) { rule["forwardBufferSizeMin"] = Draft(least) }
      if chance(1, 2) { rule["forwardBufferSizeSlack"] = chance(1, 4) ? .null : Draft(least / 4) }
      if chance(1, 2) { rule["forwardBufferSizesOfFiles"] = flag() }
      if rule["forwardBufferLimit"] != nil, rule["forwardBufferLimit"] != .null, chance(1, 3) {
        rule["forwardBufferLimitMax"] = Self.time(2 * limit)
      }
    }
    if chance(1, 6) { rule["frameDuration"] = time(least: 5, most: 900) }
  }

  private mutating func conditionRule() -> Draft {
    var rule: Draft = ["start": condition(depth: 2)]
    if chance(1, 6) { rule["name"] = "drawn" }
    if chance(1, 2) { rule["resume"] = condition(depth: 2) }
    if chance(1, 3) { rule["afterSeek"] = condition(depth: 2) }
    if chance(1, 3) { rule["starvesBelow"] = time(most: 2_000) }
    if chance(1, 3) {
      rule["checkEvery"] = chance(1, 4) ? .null : time(least: 1, most: 2_000)
    }
    return rule
  }

  private mutating func condition(depth: Int) -> Draft {
    if chance(1, 3) {
      return .string(pick(["always", "keepsUp", "loaded", "networkIdle", "networkBusy", "never"]))
    }
    if depth > 0, chance(1, 4) {
      return [chance(1, 2) ? "all" : "any": .array(some(1, 3) { $0.condition(depth: depth - 1) })]
    }
    let (key, value): (String, Draft) = pick([
      ("buffered", time(most: 6_000)), ("playout", time(most: 6_000)),
      ("bufferedBytes", Draft(number(0, 3_000_000))), ("missing", Draft(number(0, 3_000_000))),
      ("received", Draft(number(0, 3_000_000))), ("fillRate", rate(10, 8_000)),
      ("waited", time(most: 6_000)), ("waitedPerSpeed", time(most: 6_000)),
      ("speed", .plain(pick(["0.5", "1", "2"]))), ("stalls", Draft(number(0, 3))),
    ])
    return [key: [pick([">=", ">", "<", "<="]): value]]
  }
}
