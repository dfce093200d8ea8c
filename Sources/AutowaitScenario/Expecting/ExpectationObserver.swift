import Autowait

/// Watches a run for what a scenario expects.
struct ExpectationObserver {
  private let expectations: [Expectation]
  /// What was seen so far, by expectation.
  private var seen: [Outcome.Observation?]

  /// Whether every state must be shown, because an expectation speaks of states over time.
  let looksAtEveryEvent: Bool

  /// Whether what happened must be known, and not only the states and what the run came to.
  var looksAtRecords: Bool { expectations.contains { $0.kind.looksAtRecords } }

  init(_ expectations: [Expectation]) {
    self.expectations = expectations
    seen = Array(repeating: nil, count: expectations.count)
    looksAtEveryEvent = expectations.contains { $0.kind.statesOverTime != nil }
  }

  /// The instants at which the run must be looked at.
  var instants: [Instant] {
    expectations.compactMap {
      if case .snapshot(let instant, _) = $0.kind { instant } else { nil }
    }
  }

  /// Looks at the state at an instant that was asked for.
  mutating func look(at stop: Instant, _ simulation: Simulation) {
    for index in expectations.indices {
      guard case .snapshot(stop, let pattern) = expectations[index].kind else { continue }
      if simulation.now < stop, simulation.finishReason != .settled {
        seen[index] = .ended(simulation.now)
        continue
      }
      let snapshot = simulation.snapshot(of: pattern.player, at: max(stop, simulation.now))
      seen[index] = .properties(
        pattern.tests.map { test in
          let observed = test.property.value(in: snapshot)
          return (
            test, observed,
            observed.satisfies(test.comparison, test.expected, tolerance: pattern.tolerance)
          )
        })
    }
  }

  /// Looks at the state after an event.
  mutating func lookAfterEvent(_ simulation: Simulation) {
    for index in expectations.indices where seen[index] == nil {
      guard let (pattern, wanted) = expectations[index].kind.statesOverTime else { continue }
      if pattern.holds(in: simulation.snapshot(of: pattern.player)) == wanted {
        seen[index] = .instant(simulation.now)
      }
    }
  }

  /// Returns what became of each expectation when the run is over.
  func outcomes(_ simulation: Simulation) -> [Outcome] {
    expectations.indices.map { index in
      outcome(expectations[index], seen[index], simulation)
    }
  }

  private func outcome(
    _ expectation: Expectation, _ seen: Outcome.Observation?, _ simulation: Simulation
  ) -> Outcome {
    func result(_ isMet: Bool, _ observation: Outcome.Observation) -> Outcome {
      Outcome(expectation: expectation, isMet: isMet, observation: observation)
    }
    let records = expectation.kind.looksAtRecords ? simulation.log.records : []
    switch expectation.kind {
    case .snapshot:
      guard let seen, case .properties(let properties) = seen else {
        return result(false, seen ?? .ended(simulation.now))
      }
      return result(properties.allSatisfy { $0.holds }, seen)
    case .never(.state), .always:
      return result(seen == nil, seen ?? .instant(nil))
    case .never(.event(let pattern)):
      let found = records.filter { pattern.matches($0) }
      return result(found.isEmpty, .records(first: found.first, count: found.count))
    case .eventually(.state, let deadline, _):
      guard case .instant(let instant?) = seen else { return result(false, .instant(nil)) }
      return result(deadline.map { instant <= $0 } ?? true, .instant(instant))
    case .eventually(.event(let pattern), let deadline, let count):
      let found = records.filter { record in
        pattern.matches(record) && (deadline.map { record.instant <= $0 } ?? true)
      }
      let isMet = count.map { found.count == $0 } ?? !found.isEmpty
      return result(isMet, .records(first: found.first, count: found.count))
    case .sequence(let patterns):
      var met = 0
      for record in records where met < patterns.count && patterns[met].matches(record) {
        met += 1
      }
      return result(met == patterns.count, .sequence(met: met))
    case .metric(let metric, let player, let bounds):
      let value = metric.measured(in: simulation.metrics(of: player))
      let isMet = value.map { value in
        bounds.allSatisfy { $0.comparison.holds(value.number, $0.limit) }
      }
      return result(isMet ?? false, .metric(value))
    case .finish(let reason):
      let finish = simulation.finishReason ?? .horizon
      return result(finish == reason, .finish(finish))
    }
  }
}

extension Expectation.Kind {
  /// Whether it is about events, or about states over time.
  fileprivate var looksAtRecords: Bool {
    switch self {
    case .never, .always, .eventually, .sequence: true
    case .snapshot, .metric, .finish: false
    }
  }

  /// The states that are watched for over time, and whether they decide by holding or by failing.
  fileprivate var statesOverTime: (StatePattern, decidesWhen: Bool)? {
    switch self {
    case .never(.state(let pattern)), .eventually(.state(let pattern), _, _): (pattern, true)
    case .always(let pattern): (pattern, false)
    case .snapshot, .never(.event), .eventually(.event, _, _), .sequence, .metric, .finish: nil
    }
  }
}
