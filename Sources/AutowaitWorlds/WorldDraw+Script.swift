import Autowait
import AutowaitScenario

/// What users, applications and the system do, and what is expected of it.
extension WorldDraw {
  mutating func script() -> [Draft] {
    var steps: [Draft] = []
    for index in players.indices where !chance(1, 16) {
      steps.append(step(at: 0, "load", index))
      if chance(2, 3) { steps.append(step(at: 0, "play", index)) }
    }
    var now: Int64 = 0
    for _ in 0..<number(0, 10) {
      let index = Int(number(0, Int64(players.count) - 1))
      var step = action(of: index)
      if chance(1, 4) {
        step["when"] = conditionOfStep()
      } else {
        if !chance(1, 4) { now += nanoseconds(most: 9_000) }
        step["at"] = Self.time(now)
      }
      if chance(1, 20) { step["about"] = "Drawn." }
      steps.append(step)
    }
    return steps
  }

  /// Steps that follow from events, from each other, or come again.
  mutating func reactions(hasTraffic: Bool) -> [Draft] {
    let events = [
      "playbackStalled", "didPlayToEndTime", "timeControlStatus", "isPlaybackLikelyToKeepUp",
      "isPlaybackBufferFull", "mediaResponse", "segmentRequest", "variantSwitch", "status", "step",
      "seekDidComplete", "linkRate",
    ]
    return (0..<number(1, 3)).map { place in
      var step = action(of: Int(number(0, Int64(players.count) - 1)))
      if hasTraffic, chance(1, 2) {
        step = ["do": .string(pick(["suspendTraffic", "resumeTraffic"]))]
      } else if let index = players.firstIndex(where: { $0.hasQueue || $0.loops }), chance(2, 3) {
        step = queueStep(players[index])
      }
      switch number(place == 0 ? 1 : 0, 3) {
      case 0:
        step["after"] = .string("\(number(0, place - 1))")
        if chance(1, 2) { step["delay"] = time(most: 3_000) }
      case 1:
        step["every"] = time(least: 500, most: 9_000)
        step["count"] = Draft(number(1, 5))
        if chance(1, 2) { step["from"] = time(most: 9_000) }
      default:
        step["on"] = chance(1, 2) ? .string(pick(events)) : eventOfStep()
        if chance(1, 2) { step["count"] = Draft(number(1, 5)) }
        if chance(1, 3) { step["skip"] = Draft(number(0, 3)) }
        if chance(1, 2) { step["delay"] = time(most: 3_000) }
      }
      step["name"] = .string("\(place)")
      return step
    }
  }

  /// A step that changes the queue of a player.
  private mutating func queueStep(_ player: PlayerDraft) -> Draft {
    var words = player.hasQueue ? ["insert", "remove", "removeAllItems", "advanceToNextItem"] : []
    if player.loops { words.append("disableLooping") }
    let word = pick(words)
    var step: Draft = ["do": .string(word)]
    if word == "insert" || word == "remove" {
      step["item"] = Draft(number(0, Int64(player.itemCount) - 1))
    }
    if word == "insert", chance(1, 3) {
      step["afterItem"] =
        chance(1, 4) ? .null : Draft(number(0, Int64(player.itemCount) - 1))
    }
    if let name = player.name { step["player"] = .string(name) }
    if player.hasQueue, chance(1, 6) {
      var set: Draft = ["do": "set", "actionAtItemEnd": "advance"]
      if let name = player.name { set["player"] = .string(name) }
      return set
    }
    return step
  }

  /// An event with its value, of a player.
  private mutating func eventOfStep() -> Draft {
    var event: Draft =
      chance(1, 2)
      ? ["event": "timeControlStatus", "value": .string(pick(["playing", "paused"]))]
      : ["event": "isPlaybackLikelyToKeepUp", "value": flag()]
    if let name = pick(players).name { event["player"] = .string(name) }
    return event
  }

  private func step(at instant: Int64, _ word: String, _ index: Int) -> Draft {
    var step: Draft = ["at": Self.time(instant), "do": .string(word)]
    if let name = players[index].name { step["player"] = .string(name) }
    return step
  }

  private mutating func action(of index: Int) -> Draft {
    let player = players[index]
    if chance(1, 14) { return ["do": "link", "link": linkOfStep()] }
    var step: Draft = .empty
    let item = Draft(number(0, Int64(player.itemCount) - 1))
    switch number(0, 27) {
    case 0...4: step["do"] = "play"
    case 5, 6: step["do"] = "pause"
    case 7:
      step["do"] = "playImmediately"
      if chance(1, 2) { step["rate"] = playbackRate() }
    case 8:
      step["do"] = "setRate"
      step["rate"] = playbackRate()
      if chance(1, 3) { step["time"] = chance(1, 4) ? .null : time(most: 20_000) }
      if chance(1, 3) { step["hostTime"] = chance(1, 4) ? .null : time(most: 30_000) }
    case 9...12:
      step["do"] = "seek"
      step["to"] = chance(1, 12) ? .null : time(most: 25_000)
    case 13: step["do"] = "preroll"
    case 14:
      step["do"] = "replaceCurrentItem"
      if chance(2, 3) { step["item"] = chance(1, 4) ? .null : item }
    case 15:
      step["do"] = .string(pick(["load", "loadValues", "createItem"]))
      step["item"] = item
    case 16...19: setting(into: &step, player)
    case 20: step["do"] = .string(pick(["attachLayer", "detachLayer"]))
    case 21 where player.contract >= 15:
      step["do"] = .string(pick(["beginInterstitial", "endInterstitial"]))
    case 22 where player.contract >= 15:
      step["do"] = .string(pick(["beginCoordination", "endCoordination"]))
    case 23: step["do"] = "seekToLive"
    case 24: step["do"] = chance(1, 4) ? "failItem" : "changeTracks"
    default: step["do"] = .string(pick(["interrupt", "enterBackground", "changeTracks", "play"]))
    }
    if let name = player.name { step["player"] = .string(name) }
    return step
  }

  private mutating func linkOfStep() -> Draft {
    if !linkNames.isEmpty, chance(1, 2) { return .string(pick(linkNames)) }
    var link: Draft = ["down": ["rate": linkRate()]]
    if chance(1, 2) { link["up"] = ["delay": time(most: 300)] }
    return link
  }

  private mutating func setting(into step: inout Draft, _ player: PlayerDraft) {
    step["do"] = "set"
    var settings: [(String, Draft)] = [
      ("actionAtItemEnd", .string(pick(["pause", "none"]))),
      ("forwardPlaybackEndTime", chance(1, 3) ? .null : time(most: 25_000)),
      ("reversePlaybackEndTime", chance(1, 3) ? .null : time(most: 25_000)),
      ("preferredPeakBitRate", chance(1, 4) ? .null : rate(2, 3_000)),
      ("layer", chance(1, 3) ? .null : "375x211@2x"), ("expensiveNetwork", flag()),
    ]
    if player.contract >= 10 {
      settings.append(("automaticallyWaitsToMinimizeStalling", flag()))
      settings.append(("automaticallyWaitsToMinimizeStalling", flag()))
      settings.append(("preferredForwardBufferDuration", time(most: 9_000)))
    }
    if player.contract >= 11 {
      settings.append(("preferredMaximumResolution", chance(1, 3) ? .null : "960x540"))
    }
    if player.contract >= 13 {
      settings.append(("automaticallyPreservesTimeOffsetFromLive", flag()))
    }
    if player.contract >= 15 {
      settings.append(("preferredPeakBitRateForExpensiveNetworks", rate(2, 3_000)))
      settings.append(("preferredMaximumResolutionForExpensiveNetworks", "640x360"))
    }
    if player.contract >= 16 { settings.append(("defaultRate", playbackRate())) }
    let (key, value) = pick(settings)
    step[key] = value
  }

  private mutating func conditionOfStep() -> Draft {
    var condition: Draft = .empty
    if let name = pick(players).name, chance(2, 3) { condition["player"] = .string(name) }
    for (key, value) in some(1, 2, { $0.test(isOfStep: true) }) { condition[key] = value }
    return condition
  }

  /// A property with what it is compared with; a step cannot wait for all of them, and only for a
  /// side of those that move.
  private mutating func test(isOfStep: Bool) -> (String, Draft) {
    let side = pick([">=", ">", "<", "<="] + (isOfStep ? [] : ["==", "!="]))
    let moving: (String, Draft) = pick([
      ("currentTime", [side: time(most: 20_000)]), ("loaded", [side: time(most: 20_000)]),
      ("bufferedAhead", [side: time(most: 9_000)]), ("offsetFromLive", [side: time(most: 20_000)]),
    ])
    if chance(1, 2) { return moving }
    let standing: [(String, Draft)] = [
      (
        "timeControlStatus",
        .string(pick(["paused", "waitingToPlayAtSpecifiedRate", "playing"]))
      ),
      (
        "reasonForWaitingToPlay",
        pick([.null, "toMinimizeStalls", "evaluatingBufferingRate", "noItemToPlay"])
      ),
      ("isPlaybackLikelyToKeepUp", flag()), ("isPlaybackBufferFull", flag()),
      ("isPlaybackBufferEmpty", flag()), ("status", pick([.null, "unknown", "readyToPlay"])),
      ("stallCount", [side: Draft(number(0, 3))]), ("playedToEndCount", [side: 1]),
      ("variant", [side: Draft(number(0, 2))]), ("errorCount", [side: Draft(number(0, 2))]),
      ("indicatedBitrate", [side: rate(100, 4_000)]),
    ]
    let others: [(String, Draft)] = [
      ("rate", playbackRate()), ("defaultRate", "1x"), ("timebaseRate", [side: playbackRate()]),
      ("loadedTimeRanges", [["0 s", time(most: 9_000)]]), ("seekableTimeRanges", [["0 s", "9 s"]]),
      ("duration", ["!=": .null]), ("currentItem", 0), ("actionAtItemEnd", "pause"),
      ("automaticallyWaitsToMinimizeStalling", flag()),
    ]
    let ofQueues: [(String, Draft)] = [
      ("itemCount", [side: 2]), ("loopCount", [side: 1]), ("looperStatus", "ready"),
    ]
    if !isOfStep, let drawn = apart({ $0.chance(1, 6) ? $0.pick(ofQueues) : nil }) {
      return drawn
    }
    return pick(isOfStep ? standing : standing + others)
  }
}

// MARK: - Expectations

extension WorldDraw {
  mutating func expectation() -> Draft {
    var expectation: Draft = .empty
    switch number(0, 6) {
    case 0:
      expectation["at"] = time(most: 40_000)
      for (key, value) in some(1, 2, { $0.test(isOfStep: false) }) { expectation[key] = value }
      if chance(1, 3) { expectation["tolerance"] = time(most: 900) }
      name(in: &expectation)
    case 1: expectation["never"] = chance(1, 2) ? event() : state()
    case 2: expectation["always"] = state()
    case 3:
      let isOfEvent = chance(1, 2)
      expectation["eventually"] = isOfEvent ? event() : state()
      if chance(1, 2) { expectation["within"] = time(most: 40_000) }
      if isOfEvent, chance(1, 2) { expectation["count"] = Draft(number(0, 3)) }
    case 4: expectation["sequence"] = .array(some(1, 3) { $0.event() })
    case 5:
      expectation["metric"] = .string(pick(["stallCount", "playedToEndCount"]))
      expectation[pick([">=", ">", "<", "<=", "==", "!="])] = Draft(number(0, 2))
      name(in: &expectation)
    default:
      expectation["finish"] = .string(pick(["settled", "horizon", "stillWaiting", "eventLimit"]))
    }
    if chance(1, 10) { expectation["about"] = "Drawn." }
    return expectation
  }

  private mutating func name(in value: inout Draft) {
    if let name = pick(players).name, chance(1, 2) { value["player"] = .string(name) }
  }

  private mutating func state() -> Draft {
    var state: Draft = .empty
    for (key, value) in some(1, 2, { $0.test(isOfStep: false) }) { state[key] = value }
    if chance(1, 4) { state["tolerance"] = time(most: 900) }
    name(in: &state)
    return state
  }

  private mutating func event() -> Draft {
    var event: Draft = pick([
      ["event": "playbackStalled"], ["event": "didPlayToEndTime"],
      ["event": "timeControlStatus", "value": "playing"],
      ["event": "isPlaybackBufferEmpty", "value": true],
      ["event": "status", "value": "readyToPlay"], ["event": "mediaRequest"],
    ])
    if chance(1, 3) { event["at"] = time(most: 20_000) }
    if event["at"] != nil, chance(1, 3) { event["tolerance"] = time(most: 900) }
    name(in: &event)
    return event
  }
}
