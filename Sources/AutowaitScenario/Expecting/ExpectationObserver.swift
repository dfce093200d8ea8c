import Autowait

/// Watches a run for what a scenario expects.
struct ExpectationObserver {
  private let expectations: [Expectation]
  /// What was seen so far, by expectation.
  private var seen: [Outcome.Observation?]
  /// The events that snapshots wait for, by expectation.
  private var awaited: [AwaitedEvent?]
  /// How many records were looked at for them.
  private var recordCount = 0

  /// Whether every state must be shown, because an expectation speaks of states over time.
  let looksAtEveryEvent: Bool

  /// Whether what happened must be known, and not only the states and what the run came to.
  var looksAtRecords: Bool { expectations.contains { $0.kind.looksAtRecords } }

  init(_ expectations: [Expectation]) {
    self.expectations = expectations
    seen = Array(repeating: nil, count: expectations.count)
    awaited = expectations.map { $0.kind.awaited }
    looksAtEveryEvent = expectations.contains {
      $0.kind.statesOverTime != nil || $0.kind.awaited != nil
    }
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
      seen[index] = pattern.observation(of: snapshot)
    }
  }

  /// Looks at the state after an event.
  mutating func lookAfterEvent(_ simulation: inout Simulation) {
    lookForAwaited(&simulation)
    for index in expectations.indices where seen[index] == nil {
      guard let (pattern, wanted) = expectations[index].kind.statesOverTime else { continue }
      if pattern.holds(in: simulation.snapshot(of: pattern.player)) == wanted {
        seen[index] = .instant(simulation.now)
      }
    }
  }

  /// Looks at the state at the instant of each event that a snapshot waits for, once all has
  /// happened at that instant.
  private mutating func lookForAwaited(_ simulation: inout Simulation) {
    guard awaited.contains(where: { $0 != nil }) else { return }
    let records = simulation.log.records
    records.forEach(from: recordCount) { record in
      for index in awaited.indices { awaited[index]?.meet(record) }
    }
    recordCount = records.count
    for index in awaited.indices where seen[index] == nil {
      guard let awaited = awaited[index], awaited.isMet else { continue }
      if simulation.finishReason == nil, simulation.hasEvent(notAfter: simulation.now) { continue }
      seen[index] = awaited.state.observation(of: simulation.snapshot(of: awaited.state.player))
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
    case .snapshotAtEvent:
      guard let seen, case .properties(let properties) = seen else {
        let found = awaited(expectation, in: records)
        return result(false, .records(first: found.first, count: found.count))
      }
      return result(properties.allSatisfy { $0.holds }, seen)
    case .snapshot:
      guard let seen, case .properties(let properties) = seen else {
        return result(false, seen ?? .ended(simulation.now))
      }
      return result(properties.allSatisfy { $0.holds }, seen)
    case .never(.state), .always:
      return result(seen == nil, seen ?? .instant(nil))
    case .never(.event(let pattern)):
      let found = records.filter { pattern.matches($0) }
      // Nobody knows what would have happened after the end of the run.
      if found.isEmpty, let instant = pattern.instant, isCut(simulation, before: instant) {
        return result(false, .ended(simulation.now))
      }
      return result(found.isEmpty, .records(first: found.first, count: found.count))
    case .eventually(.state, let deadline, _):
      guard case .instant(let instant?) = seen else { return result(false, .instant(nil)) }
      return result(deadline.map { instant <= $0 } ?? true, .instant(instant))
    case .eventually(.event(let pattern), let deadline, let count):
      let found = records.filter { record in
        pattern.matches(record) && (deadline.map { record.instant <= $0 } ?? true)
      }
      let isMet = count.map { found.count == $0 } ?? !found.isEmpty
      if isMet, count != nil, let deadline, isCut(simulation, before: deadline) {
        return result(false, .ended(simulation.now))
      }
      if !isMet, found.isEmpty {
        // It may have happened at another time.
        var anywhen = pattern
        anywhen.instant = nil
        return result(false, .records(first: records.first { anywhen.matches($0) }, count: 0))
      }
      return result(isMet, .records(first: found.first, count: found.count))
    case .sequence(let patterns):
      let met = EventPattern.met(patterns, by: records)
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

  /// Returns the events that a snapshot waited for, and that were too few.
  private func awaited(
    _ expectation: Expectation, in records: EventRecords
  ) -> [EventRecord] {
    guard case .snapshotAtEvent(let pattern, _, _) = expectation.kind else { return [] }
    return records.filter { pattern.matches($0) }
  }

  /// Whether a run ended before an instant at which things could still have happened.
  private func isCut(_ simulation: Simulation, before instant: Instant) -> Bool {
    simulation.now < instant && simulation.finishReason != .settled
  }
}

/// An event that a snapshot waits for.
private struct AwaitedEvent {
  let pattern: EventPattern
  let state: StatePattern
  /// How many more such events must come.
  private var left: Int

  init(_ pattern: EventPattern, number: Int, _ state: StatePattern) {
    (self.pattern, self.state, left) = (pattern, state, number)
  }

  var isMet: Bool { left == 0 }

  mutating func meet(_ record: EventRecord) {
    if left > 0, pattern.matches(record) { left -= 1 }
  }
}

extension StatePattern {
  /// Returns what the properties are in a snapshot, and whether each is as expected.
  fileprivate func observation(of snapshot: PlayerSnapshot) -> Outcome.Observation {
    .properties(
      tests.map { test in
        let observed = test.property.value(in: snapshot)
        return (
          test, observed, observed.satisfies(test.comparison, test.expected, tolerance: tolerance)
        )
      })
  }
}

extension EventPattern {
  /// Returns how many events of a sequence were met in order, each after a gap that it allows.
  ///
  /// All records that can be the nth event are kept, for the first one may be too early for the
  /// event after it.
  fileprivate static func met(_ patterns: [EventPattern], by records: EventRecords) -> Int {
    var before: [(place: Int, instant: Instant)] = [(-1, .start)]
    for (number, pattern) in patterns.enumerated() {
      var found: [(place: Int, instant: Instant)] = []
      for (place, record) in records.enumerated() where pattern.matches(record) {
        let isMet =
          pattern.gap.isEmpty
          ? before[0].place < place
          : before.contains { $0.place < place && pattern.allows(record.instant - $0.instant) }
        if isMet { found.append((place, record.instant)) }
      }
      if found.isEmpty { return number }
      before = found
    }
    return patterns.count
  }

  private func allows(_ span: TimeSpan) -> Bool {
    gap.allSatisfy { $0.comparison.holds(span.nanoseconds, $0.limit) }
  }
}

extension Expectation.Kind {
  /// Whether it is about events, or about states over time.
  fileprivate var looksAtRecords: Bool {
    switch self {
    case .never, .always, .eventually, .sequence, .snapshotAtEvent: true
    case .snapshot, .metric, .finish: false
    }
  }

  /// The states that are watched for over time, and whether they decide by holding or by failing.
  fileprivate var statesOverTime: (StatePattern, decidesWhen: Bool)? {
    switch self {
    case .never(.state(let pattern)), .eventually(.state(let pattern), _, _): (pattern, true)
    case .always(let pattern): (pattern, false)
    case .snapshot, .snapshotAtEvent, .never(.event), .eventually(.event, _, _), .sequence,
      .metric, .finish:
      nil
    }
  }

  /// The event that a snapshot waits for.
  fileprivate var awaited: AwaitedEvent? {
    if case .snapshotAtEvent(let pattern, let number, let state) = self {
      AwaitedEvent(pattern, number: number, state)
    } else {
      nil
    }
  }
}
