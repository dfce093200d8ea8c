import Autowait

/// Warning of expectations that could never hold, or never fail.
extension ScenarioReader {
  /// Warns of what no run of this world can show, whatever happens in it.
  func checkExpectations(_ world: World) {
    for (kind, value) in expected {
      switch kind {
      case .snapshot(let instant, let state):
        warn(ifAfterEnd: instant, of: world, at: value.member("at"), .hold)
        warn(ifImpossible: state, world, at: value, .hold)
      case .snapshotAtEvent(let event, _, let state):
        warn(ifImpossible: event, world, at: value.member("at"), .hold)
        warn(ifImpossible: state, world, at: value, .hold)
      case .never(.event(let event)):
        warn(ifImpossible: event, world, at: value.member("never"), .fail)
      case .never(.state(let state)):
        warn(ifImpossible: state, world, at: value.member("never"), .fail)
      case .always(let state): warn(ifImpossible: state, world, at: value.member("always"), .hold)
      case .eventually(.event(let event), _, let count):
        warn(
          ifImpossible: event, world, at: value.member("eventually"), count == 0 ? .fail : .hold)
      case .eventually(.state(let state), _, _):
        warn(ifImpossible: state, world, at: value.member("eventually"), .hold)
      case .sequence(let events):
        let places = value.member("sequence").map { Array($0.elements) } ?? []
        for (event, place) in zip(events, places) {
          warn(ifImpossible: event, world, at: place, .hold)
          warn(ifImpossible: event.gap, at: place.member("gap"))
        }
      case .metric(let metric, let player, let bounds):
        check(metric, of: player, bounds, world, value)
      case .finish: break
      }
    }
  }

  /// What an expectation never does.
  private enum Verb: String { case hold, fail }

  private func warn(_ reason: String, at place: JSONValue?, _ verb: Verb, notes: [String] = []) {
    guard let place else { return }
    findings.warning("this can never \(verb.rawValue): \(reason)", at: place, notes: notes)
  }

  private func warn(
    ifAfterEnd instant: Instant, of world: World, at place: JSONValue?, _ verb: Verb
  ) {
    if instant <= world.horizon { return }
    let end = "the run is over at \(world.horizon.nanoseconds.fixedPoint(1_000_000_000)) s"
    guard verb == .hold, let place else { return warn(end, at: place, verb) }
    // Of a run that has settled it is known how things stand at any time.
    findings.warning(
      "this holds only if nothing can happen any more before: \(end) at the latest", at: place,
      notes: ["a run is given more time with 'until'"])
  }

  private func warn(
    ifImpossible event: EventPattern, _ world: World, at place: JSONValue?, _ verb: Verb
  ) {
    if let reason = reason(against: event, world) { return warn(reason, at: place, verb) }
    if let instant = event.instant, instant > world.horizon {
      let end = world.horizon.nanoseconds.fixedPoint(1_000_000_000)
      warn("the run is over at \(end) s at the latest", at: place?.member("at"), verb)
    }
  }

  private func warn(
    ifImpossible state: StatePattern, _ world: World, at place: JSONValue?, _ verb: Verb
  ) {
    for test in state.tests {
      guard let reason = reason(against: test, of: state.player, world) else { continue }
      warn(reason, at: place?.member(test.property.rawValue), verb)
    }
    for property in Property.allCases {
      let bounds = state.tests.filter { $0.property == property }.compactMap { test in
        test.expected.isOrdered
          ? test.expected.number.map { Bound(comparison: test.comparison, limit: $0) } : nil
      }
      if bounds.areUnsatisfiable {
        warn("no value is within these bounds", at: place?.member(property.rawValue), verb)
      }
    }
  }

  private func warn(ifImpossible gap: [Bound], at place: JSONValue?) {
    if gap.areUnsatisfiable { warn("no time is within these bounds", at: place, .hold) }
  }

  private func check(
    _ metric: Metric, of player: Int, _ bounds: [Bound], _ world: World, _ value: JSONValue
  ) {
    let place = value.member("metric")
    let configuration = world.players[player]
    if metric.isStreamOnly, !configuration.hasStreams {
      warn("only streams have '\(metric.rawValue)', and this is none", at: place, .hold)
    } else if metric == .loopCount, configuration.loop == nil {
      warn("only a player with 'loop' has '\(metric.rawValue)'", at: place, .hold)
    } else if bounds.areUnsatisfiable {
      warn("no figure is within these bounds", at: place, .hold)
    } else if metric.isAlwaysMeasured, bounds.allSatisfy({ $0.isEmptyPromise }) {
      warn("no figure is below 0", at: place, .fail)
    }
  }

  /// Why an event cannot happen in a world; nil if it can.
  private func reason(against event: EventPattern, _ world: World) -> String? {
    let players = event.player.map { [world.players[$0]] } ?? world.players
    switch event.name {
    case "playlistRequest", "contentKeyRequest", "segmentRequest", "variantSwitchStart",
      "variantSwitch", "segmentDiscarded":
      if players.contains(where: { $0.hasStreams }) { return nil }
      return "only streams have the event '\(event.name)', and this is none"
    case "looperStatus", "loopCount":
      if players.contains(where: { $0.loop != nil }) { return nil }
      return "only a player with 'loop' has the event '\(event.name)'"
    case "ruleAnswer":
      if programs.contains(where: { $0 != nil }) { return nil }
      return "no rule here is a program, and only those give the event 'ruleAnswer'"
    default: return nil
    }
  }

  /// Why a property cannot be as it is expected; nil if it can.
  private func reason(
    against test: StatePattern.Test, of player: Int, _ world: World
  ) -> String? {
    let configuration = world.players[player]
    let isNull = test.expected == .null && test.comparison == .equal
    if isNull || test.comparison == .notEqual { return nil }
    switch test.property {
    case .variant, .indicatedBitrate:
      if configuration.hasStreams { return nil }
      return "only streams have '\(test.property.rawValue)', and this is none"
    case .offsetFromLive:
      if configuration.hasLiveStreams { return nil }
      return "only live streams have 'offsetFromLive', and this is none"
    case .looperStatus:
      if configuration.loop != nil { return nil }
      return "only a player with 'loop' has 'looperStatus'"
    default: return nil
    }
  }
}

extension PlayerConfiguration {
  fileprivate var hasStreams: Bool {
    media.contains { $0.streamMedia != nil }
  }

  fileprivate var hasLiveStreams: Bool {
    media.contains { $0.streamMedia?.live != nil }
  }
}

extension Metric {
  /// Whether there is a figure whatever a player does.
  fileprivate var isAlwaysMeasured: Bool {
    switch self {
    case .stallCount, .timeSpentRecoveringFromStall, .playbackDuration, .mediaPlayed, .wallTime,
      .playedToEndCount, .mediaResourceRequestCount, .numberOfBytesTransferred, .wastedBytes,
      .timePaused, .timeInGaps, .timeAfterEnd:
      true
    default: false
    }
  }
}

extension Bound {
  /// Whether the bound holds of every number that is not negative.
  fileprivate var isEmptyPromise: Bool { comparison == .atLeast && limit <= 0 }
}

extension [Bound] {
  /// Whether no whole number is within all of the bounds.
  fileprivate var areUnsatisfiable: Bool {
    var (least, most) = (Int64.min, Int64.max)
    var excluded: [Int64] = []
    for bound in self {
      switch bound.comparison {
      case .equal: (least, most) = (Swift.max(least, bound.limit), Swift.min(most, bound.limit))
      case .notEqual: excluded.append(bound.limit)
      case .less: most = Swift.min(most, bound.limit - 1)
      case .atMost: most = Swift.min(most, bound.limit)
      case .greater: least = Swift.max(least, bound.limit + 1)
      case .atLeast: least = Swift.max(least, bound.limit)
      }
    }
    return least > most || least == most && excluded.contains(least)
  }
}
