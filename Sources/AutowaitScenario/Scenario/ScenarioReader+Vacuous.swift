import Autowait

/// Warning of expectations that could never hold, or never fail.
extension ScenarioReader {
  /// Warns of what no run of this world can show, whatever happens in it; returns why, for each
  /// expectation that can never hold.
  func checkExpectations(_ world: World) -> [String?] {
    let players = world.players.indices.map { PossibleEvents(world, player: $0, programs) }
    return expected.map { kind, value in
      var reason: String?
      for problem in problems(kind, value, world, players) {
        guard let place = problem.place else { continue }
        findings.warning(problem.message, at: place, notes: problem.notes)
        if problem.makesItFail { reason = reason ?? problem.reason }
      }
      return reason
    }
  }

  /// Warns of steps of the script that wait for what no run of this world can show.
  func checkTriggers(_ world: World) {
    let players = world.players.indices.map { PossibleEvents(world, player: $0, programs) }
    for trigger in awaited {
      switch trigger {
      case .event(let name, let player, let place):
        let reasons = (player.map { [players[$0]] } ?? players).map {
          $0.reason(againstEvent: name)
        }
        guard let reason = reasons.first ?? nil, reasons.allSatisfy({ $0 != nil }) else { continue }
        findings.warning("this step never comes: \(reason)", at: place)
      case .state(let pattern, let place):
        for test in pattern.tests {
          let place = place.member(test.property.rawValue) ?? place
          if let reason = players[pattern.player].reason(against: test) {
            findings.warning("this step never comes: \(reason)", at: place)
          } else if let reason = players[pattern.player].reason(whyEmpty: test) {
            findings.warning("this says nothing: \(reason)", at: place)
          }
        }
      }
    }
  }

  /// What an expectation never does.
  private enum Verb: String { case hold, fail }

  /// Why an expectation never does something.
  private struct Problem {
    let reason: String
    let place: JSONValue?
    let verb: Verb
    /// Whether that is so whatever happens.
    var isCertain = true
    /// Whether only a part of it says nothing, since it always holds.
    var isEmpty = false
    var notes: [String] = []

    init(_ reason: String, at place: JSONValue?, _ verb: Verb) {
      (self.reason, self.place, self.verb) = (reason, place, verb)
    }

    /// Whether the expectation is not met, whatever happens.
    var makesItFail: Bool { verb == .hold && isCertain && !isEmpty }

    var message: String {
      if isEmpty { return "this says nothing: \(reason)" }
      return isCertain
        ? "this can never \(verb.rawValue): \(reason)"
        : "this can hold only if nothing is left to happen: \(reason) at the latest"
    }
  }

  private func problems(
    _ kind: Expectation.Kind, _ value: JSONValue, _ world: World, _ players: [PossibleEvents]
  ) -> [Problem] {
    func event(_ pattern: EventPattern, _ place: JSONValue?, _ verb: Verb) -> [Problem] {
      problems(pattern, world, players, at: place, verb)
    }
    func state(_ pattern: StatePattern, _ place: JSONValue?, _ verb: Verb) -> [Problem] {
      problems(pattern, players[pattern.player], at: place, verb)
    }
    switch kind {
    case .snapshot(let instant, let pattern):
      return afterEnd(instant, of: world, at: value.member("at")) + state(pattern, value, .hold)
    case .snapshotAtEvent(let pattern, _, let properties):
      return event(pattern, value.member("at"), .hold) + state(properties, value, .hold)
    case .never(.event(let pattern)): return event(pattern, value.member("never"), .fail)
    case .never(.state(let pattern)): return state(pattern, value.member("never"), .fail)
    case .always(let pattern): return state(pattern, value.member("always"), .hold)
    case .eventually(.event(let pattern), _, let count):
      return event(pattern, value.member("eventually"), count == 0 ? .fail : .hold)
    case .eventually(.state(let pattern), _, _):
      return state(pattern, value.member("eventually"), .hold)
    case .sequence(let patterns):
      let places = value.member("sequence").map { Array($0.elements) } ?? []
      return zip(patterns, places).flatMap { pattern, place in
        event(pattern, place, .hold)
          + (pattern.gap.areUnsatisfiable
            ? [Problem("no time is within these bounds", at: place.member("gap"), .hold)] : [])
      }
    case .metric(let metric, let player, let bounds):
      return problem(metric, players[player], bounds, at: value.member("metric")).map { [$0] } ?? []
    case .finish: return []
    }
  }

  private func afterEnd(
    _ instant: Instant, of world: World, at place: JSONValue?
  ) -> [Problem] {
    if instant <= world.horizon { return [] }
    let end = "the run is over at \(world.horizon.nanoseconds.fixedPoint(1_000_000_000)) s"
    // Of a run that has settled it is known how things stand at any time.
    var problem = Problem(end, at: place, .hold)
    problem.isCertain = false
    problem.notes = ["a run is given more time with 'until'"]
    return [problem]
  }

  private func problems(
    _ event: EventPattern, _ world: World, _ players: [PossibleEvents], at place: JSONValue?,
    _ verb: Verb
  ) -> [Problem] {
    let reasons = (event.player.map { [players[$0]] } ?? players).map {
      $0.reason(againstEvent: event.name)
    }
    if let reason = reasons.first ?? nil, reasons.allSatisfy({ $0 != nil }) {
      return [Problem(reason, at: place, verb)]
    }
    guard let instant = event.instant, instant > world.horizon else { return [] }
    let end = world.horizon.nanoseconds.fixedPoint(1_000_000_000)
    return [
      Problem("the run is over at \(end) s at the latest", at: place?.member("at"), verb)
    ]
  }

  private func problems(
    _ state: StatePattern, _ player: PossibleEvents, at place: JSONValue?, _ verb: Verb
  ) -> [Problem] {
    let impossible = state.tests.compactMap { test in
      player.reason(against: test).map {
        Problem($0, at: place?.member(test.property.rawValue), verb)
      }
    }
    let alwaysMet = state.tests.compactMap { test -> Problem? in
      guard let reason = player.reason(whyEmpty: test) else { return nil }
      var problem = Problem(reason, at: place?.member(test.property.rawValue), verb)
      problem.isEmpty = true
      return problem
    }
    let empty = Property.allCases.compactMap { property -> Problem? in
      let bounds = state.tests.filter { $0.property == property }.compactMap { test in
        test.expected.isOrdered
          ? test.expected.number.map { Bound(comparison: test.comparison, limit: $0) } : nil
      }
      return bounds.areUnsatisfiable
        ? Problem("no value is within these bounds", at: place?.member(property.rawValue), verb)
        : nil
    }
    return impossible + alwaysMet + empty
  }

  private func problem(
    _ metric: Metric, _ player: PossibleEvents, _ bounds: [Bound], at place: JSONValue?
  ) -> Problem? {
    if let reason = player.reason(againstMetric: metric, bounds) {
      return Problem(reason, at: place, .hold)
    }
    if bounds.areUnsatisfiable {
      return Problem("no figure is within these bounds", at: place, .hold)
    }
    let leastFigure = Bound(comparison: .atLeast, limit: 0)
    if (bounds + [leastFigure]).areUnsatisfiable {
      return Problem("no figure is below 0", at: place, .hold)
    }
    if metric.traits.contains(.isAlwaysThere), bounds.allSatisfy({ $0.isEmptyPromise }) {
      return Problem("no figure is below 0", at: place, .fail)
    }
    return nil
  }
}

extension Bound {
  /// Whether the bound holds of every number that is not negative.
  fileprivate var isEmptyPromise: Bool { comparison == .atLeast && limit <= 0 }
}

extension [Bound] {
  /// Whether no whole number is within all of the bounds.
  package var areUnsatisfiable: Bool {
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
