import AutowaitScenario

/// Files and links that a world begins with, and what is expected of it besides.
///
/// These keys came later: they are drawn last, so that all else of a number stays what it was.
extension WorldDraw {
  mutating func changes(to world: inout Draft) {
    if chance(1, 10), var link = world["link"], link["down"] != nil {
      link["use"] = .string(pick(Self.presets[kind.tier] ?? ["demo/fast"]))
      world["link"] = link
    }
    if chance(1, 20) {
      add("{\"about\": \"What a world begins with.\"}\n", at: "base.json")
      world["extends"] = "base.json"
    }
    if chance(1, 6), case .array(let expected)? = world["expect"] {
      world["expect"] = .array(expected + [laterExpectation()])
    }
    if chance(1, 20) { world["vary"] = varied() }
  }

  /// What varies; a world is the first of the runs.
  private mutating func varied() -> Draft {
    switch number(0, 2) {
    case 0: return ["seed": Draft(number(1, 5))]
    case 1:
      let first = number(0, 9)
      return ["seed": ["from": Draft(first), "to": Draft(first + number(0, 2))]]
    default:
      var run: Draft = ["name": "first", "set": ["until": time(most: 60_000)]]
      // What can be expected is drawn above.
      if chance(1, 2) { run["expect"] = .array([]) }
      if chance(1, 2) { run["xfail"] = "It is only drawn." }
      return .array([run, ["name": "second"]])
    }
  }

  private mutating func laterExpectation() -> Draft {
    var expectation: Draft = pick([
      ["metric": "stallCount", "between": [0, Draft(number(0, 3))]],
      ["metric": "stallCount", "approximately": Draft(number(0, 3)), "tolerance": 1],
      [
        "sequence": [
          ["event": "timeControlStatus", "value": "playing"],
          ["event": "didPlayToEndTime", "gap": [">=": time(most: 9_000)]],
        ]
      ],
      ["at": laterEvent(), "currentTime": ["between": ["0 s", time(most: 20_000)]]],
      [
        "at": laterEvent(),
        "bufferedAhead": ["approximately": time(most: 9_000), "tolerance": time(most: 900)],
      ],
    ])
    if chance(1, 2) { expectation["level"] = "warn" }
    return expectation
  }

  private mutating func laterEvent() -> Draft {
    var event: Draft = pick([
      ["event": "playbackStalled"], ["event": "timeControlStatus", "value": "playing"],
    ])
    if chance(1, 2) { event["number"] = Draft(number(1, 3)) }
    if let name = pick(players).name, chance(1, 2) { event["player"] = .string(name) }
    if chance(1, 6) {
      event["at"] = time(most: 20_000)
      event["tolerance"] = time(most: 900)
    }
    return event
  }
}
