import Autowait

/// What a run of a scenario came to.
public struct RunResult: Sendable {
  /// The state of the world at an instant that was asked for.
  package struct Sample: Sendable {
    /// The instant that was asked for.
    package let instant: Instant
    /// The players' properties.
    package let players: [PlayerSnapshot]
    /// The rate of the link.
    package let linkRate: BitRate
    /// The fill rate of each player; nil as long as nothing was asked for.
    package let fillRates: [BitRate?]
  }

  /// The scenario that was run.
  public let scenario: Scenario
  /// Why the run ended.
  public let finish: FinishReason
  /// When the run ended.
  public let end: Instant
  /// The digest of everything that happened.
  public let fingerprint: UInt64
  /// The number of simulated events.
  package let eventCount: Int
  /// What happened.
  package let records: EventRecords
  /// What it came to, for each player.
  public let metrics: [PlayerMetrics]
  /// What became of the expectations, in the order of the file, but for those that only warn.
  public let outcomes: [Outcome]
  /// What became of the expectations that only warn.
  package let warned: [Outcome]
  /// The states that were asked for.
  package let samples: [Sample]

  /// Whether all expectations were met.
  public var isAsExpected: Bool { outcomes.allSatisfy { $0.isMet } }

  /// What happened, in order.
  public var events: [EventRecord] { Array(records) }

  /// Returns the metrics of a player by its name; nil if no player has it.
  public func metrics(of player: String) -> PlayerMetrics? {
    scenario.playerNames.firstIndex(of: player).map { metrics[$0] }
  }

  /// What stopped a run that is taken to be running away, such as "10000000 events".
  package var bound: String {
    let world = scenario.world
    let count = metrics.lazy.map { $0.accessLog.count + $0.stallCount }.max() ?? 0
    return count > world.entriesMax
      ? "\(world.entriesMax) stalls and entries" : "\(world.eventsMax) events"
  }
}

/// Runs a scenario and holds it against what it expects.
///
/// A scenario can be run at either ``Simulation/Pace``; the result is the same.
package struct ScenarioRun {
  private let scenario: Scenario
  private var simulation: Simulation
  private var observer: ExpectationObserver
  /// The records of which a summary is made, if no others are kept.
  private var summary: SummaryRecords?
  /// Takes the records, if no others are kept.
  private var take: ((EventRecord) -> Void)?

  init(_ scenario: Scenario, keepsRecords: Bool = true, pace: Simulation.Pace = .fast) {
    self.scenario = scenario
    simulation = Simulation(scenario.world, keepsRecords: keepsRecords, pace: pace)
    observer = ExpectationObserver(keepsRecords ? scenario.expectations : [])
  }

  /// Creates a run that is judged, and whose records are handed on if somebody takes them.
  private init(
    judging scenario: Scenario, pace: Simulation.Pace, _ take: ((EventRecord) -> Void)?
  ) {
    self.scenario = scenario
    observer = ExpectationObserver(scenario.expectations)
    let keepsRecords = observer.looksAtRecords || take != nil
    simulation = Simulation(scenario.world, keepsRecords: keepsRecords, pace: pace)
    self.take = take
  }

  /// Runs a scenario once for its metrics, its expectations and the state of its first player at
  /// the end; hands on what happened, in order, if somebody takes it.
  ///
  /// Records are kept only if the expectations look at them.
  package static func judged<Rule: ExternalRule>(
    _ scenario: Scenario, asking rule: inout Rule, pace: Simulation.Pace,
    _ take: ((EventRecord) -> Void)?
  ) throws(RuleFailure) -> (result: RunResult, end: PlayerSnapshot) {
    var run = ScenarioRun(judging: scenario, pace: pace, take)
    let result = try run.finish(samplesAt: [], asking: &rule)
    // Nothing is left if they were handed on while they were made.
    if let take { result.records.forEach(take) }
    return (result, run.simulation.snapshot(of: 0))
  }

  /// Runs a scenario to its end; the state at some instants, ascending, is kept as samples.
  package static func run(
    _ scenario: Scenario, samplesAt instants: [Instant] = [], pace: Simulation.Pace = .fast
  ) -> RunResult {
    finished(ScenarioRun(scenario, pace: pace), samplesAt: instants)
  }

  /// Runs a scenario for what it came to, and not for what happened: of its records those are kept
  /// that say which steps were done and what went wrong, and all if its expectations look at them.
  ///
  /// So a run of any length takes the memory of a short one.
  package static func summary(_ scenario: Scenario, pace: Simulation.Pace = .fast) -> RunResult {
    var run = ScenarioRun(scenario, pace: pace)
    if !run.observer.looksAtRecords { run.summary = SummaryRecords() }
    return finished(run, samplesAt: [])
  }

  /// Runs a scenario once more, for its samples, end and fingerprint alone: without its records,
  /// which may be many, and so without its expectations.
  package static func rerun(
    _ scenario: Scenario, samplesAt instants: [Instant] = [], pace: Simulation.Pace = .fast
  ) -> RunResult {
    finished(ScenarioRun(scenario, keepsRecords: false, pace: pace), samplesAt: instants)
  }

  private static func finished(_ run: ScenarioRun, samplesAt instants: [Instant]) -> RunResult {
    var (run, rule) = (run, NoExternalRule())
    do throws(RuleFailure) {
      return try run.finish(samplesAt: instants, asking: &rule)
    } catch {
      preconditionFailure(error.message)
    }
  }

  mutating func finish<Rule: ExternalRule>(
    samplesAt instants: [Instant], asking rule: inout Rule
  ) throws(RuleFailure) -> RunResult {
    var samples: [RunResult.Sample] = []
    var next = 0
    let stops = (instants + observer.instants).sorted()
    for stop in stops {
      try advance(to: stop, asking: &rule)
      observer.look(at: stop, simulation)
      while next < instants.count, instants[next] <= stop {
        samples.append(sample(at: instants[next]))
        next += 1
      }
    }
    try advance(to: nil, asking: &rule)
    guard let finish = simulation.finishReason else {
      preconditionFailure("a run that is over has no reason")
    }
    let all = observer.outcomes(simulation)
    return RunResult(
      scenario: scenario, finish: finish, end: simulation.now,
      fingerprint: simulation.fingerprint.value, eventCount: simulation.eventCount,
      records: summary?.records ?? simulation.log.records,
      metrics: scenario.world.players.indices.map { simulation.metrics(of: $0) },
      outcomes: all.filter { $0.expectation.level == .error },
      warned: all.filter { $0.expectation.level == .warn }, samples: samples)
  }

  private func sample(at instant: Instant) -> RunResult.Sample {
    let players = scenario.world.players.indices
    return RunResult.Sample(
      instant: instant, players: players.map { simulation.snapshot(of: $0, at: instant) },
      linkRate: simulation.linkRate(at: instant),
      fillRates: players.map { simulation.fillRate(of: $0) })
  }

  /// Lets everything happen up to an instant, or to the end, and shows each state to the observer.
  private mutating func advance<Rule: ExternalRule>(
    to instant: Instant?, asking rule: inout Rule
  ) throws(RuleFailure) {
    if !observer.looksAtEveryEvent {
      while case .needsDecision(let question) = step(to: instant) {
        simulation.answer(try rule.answer(question), to: question)
      }
      return
    }
    while simulation.finishReason == nil {
      if let instant, !simulation.hasEvent(notAfter: instant) {
        _ = simulation.advance(to: instant)
        return
      }
      if case .needsDecision(let question) = simulation.step() {
        simulation.answer(try rule.answer(question), to: question)
      }
      observer.lookAfterEvent(&simulation)
    }
  }

  private mutating func step(to instant: Instant?) -> Simulation.StepResult {
    if instant == nil, var kept = summary.take() {
      defer { summary = kept }
      return simulation.run { kept.take($0) }
    }
    if instant == nil, let take, !observer.looksAtRecords { return simulation.run(take) }
    return if let instant { simulation.advance(to: instant) } else { simulation.run() }
  }
}
