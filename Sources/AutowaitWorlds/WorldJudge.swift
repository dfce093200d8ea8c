import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario

/// Holds a world against the laws.
package struct WorldJudge {
  /// A rule in the place of any program: it answers by the question alone.
  struct DrawnRule: ExternalRule {
    func answer(_ question: RuleQuestion) -> RuleAnswer {
      RuleAnswer(
        isLikelyToKeepUp: question.missing.bytes == 0 || question.number % 3 == 0,
        askAgainAfter: TimeSpan(nanoseconds: Int64(question.number) * 40_000_000))
    }
  }

  private let world: DrawnWorld
  private let scenario: Scenario
  /// The run that is used.
  package let result: RunResult
  private var stream: RandomStream
  /// What does not hold.
  private(set) var breaches: [Breach] = []

  /// Runs a world, and prepares to judge it.
  package init(_ world: DrawnWorld, _ scenario: Scenario) {
    self.world = world
    self.scenario = scenario
    result = Self.run(scenario)
    stream = RandomStream(seed: world.seed, component: "worlds", purpose: "judge")
  }

  /// Returns what does not hold.
  package static func breaches(_ world: DrawnWorld, _ scenario: Scenario) -> [Breach] {
    var judge = WorldJudge(world, scenario)
    judge.judge()
    return judge.breaches
  }

  /// Runs a scenario.
  static func run(
    _ scenario: Scenario, samplesAt instants: [Instant] = [], keepsRecords: Bool = true,
    pace: Simulation.Pace = .fast
  ) -> RunResult {
    var rule = DrawnRule()
    do throws(RuleFailure) {
      return try ScenarioRun.run(
        scenario, asking: &rule, samplesAt: instants, keepsRecords: keepsRecords, pace: pace)
    } catch {
      preconditionFailure("a rule that always answers did not: \(error.message)")
    }
  }

  /// Judges by all laws but those that need other worlds.
  package mutating func judge() {
    judgeEventByEvent()
    judgeLooks()
    judgeIdlePlayer()
    judgePieces()
    judgeReplay()
    judgeTape()
    breaches += RecordJudge.breaches(result)
  }

  private mutating func breach(_ law: Law, _ message: String) {
    breaches.append(Breach(law: law, message: message))
  }

  // MARK: - Ways to run

  private mutating func judgeEventByEvent() {
    // An instant at which nothing comes of looking may be an event of one way alone: where a run is
    // cut off by the number of its events, the ways may differ.
    if result.finish == .eventLimit { return }
    let other = Self.run(scenario, pace: .eventByEvent)
    let (log, otherLog) = (LogRendering.log(result), LogRendering.log(other))
    if log != otherLog {
      breach(.eventByEvent, "the logs differ \(Self.place(log, otherLog))")
    } else if result.metrics != other.metrics {
      breach(.eventByEvent, "the logs are the same, but not the metrics")
    }
    let (met, otherMet) = (result.outcomes.map(\.isMet), other.outcomes.map(\.isMet))
    if met != otherMet { breach(.eventByEvent, "expectations: \(met) and \(otherMet)") }
  }

  private mutating func judgeLooks() {
    var instants: [Instant] = []
    for _ in 0..<6 { instants.append(instant()) }
    let failures = failures
    instants += failures.map(\.instant)
    let other = Self.run(scenario, samplesAt: instants.sorted(), keepsRecords: false)
    compare(.looks, other.fingerprint, other.end)
    for (instant, player) in failures {
      guard let shown = other.samples.first(where: { $0.instant == instant })?.players[player],
        let message = SnapshotJudge.unplayed(in: shown)
      else { continue }
      breach(.playedOut, "at \(instant.nanoseconds) ns, player \(player): \(message)")
    }
  }

  /// When items failed that the script did not let fail.
  private var failures: [(instant: Instant, player: Int)] {
    let isScripted = scenario.world.script.contains {
      if case .player(_, .failItem) = $0.action { true } else { false }
    }
    if isScripted { return [] }
    return result.records.compactMap { record in
      guard record.event == .itemStatus(.failed), let player = record.player else { return nil }
      return (record.instant, player)
    }
  }

  private mutating func judgeIdlePlayer() {
    var crowded = scenario
    crowded.world.players.append(PlayerConfiguration(media: []))
    crowded.playerNames.append("idle")
    crowded.expectations = []
    let other = Self.run(crowded, keepsRecords: false)
    compare(.idlePlayer, other.fingerprint, other.end)
  }

  private mutating func judgePieces() {
    var pieces = Simulation(scenario.world, keepsRecords: false)
    var fork = pieces
    var target = Instant.start
    while pieces.finishReason == nil, target < scenario.world.horizon {
      target = target + TimeSpan(nanoseconds: Int64(stream.next(below: 3_000_000_000)))
      if stream.next(below: 4) == 0 { _ = pieces.hasEvent(notAfter: target) }
      Self.answer(&pieces, pieces.advance(to: target)) { $0.advance(to: target) }
      for player in scenario.world.players.indices {
        let shown = pieces.snapshot(of: player)
        if let message = SnapshotJudge.contradiction(in: shown)
          ?? SnapshotJudge.unloaded(in: shown)
        {
          breach(.loaded, "at \(pieces.now.nanoseconds) ns, player \(player): \(message)")
          return
        }
      }
      if stream.next(below: 5) == 0 { fork = pieces }
    }
    Self.answer(&pieces, pieces.run()) { $0.run() }
    compare(.pieces, pieces.fingerprint.value, pieces.now)
    Self.answer(&fork, fork.run()) { $0.run() }
    compare(.copies, fork.fingerprint.value, fork.now)
  }

  /// Lets the packets of a run be read by the same run, and by one that asks for something else:
  /// its last step is left out, or players have another rule.
  private mutating func judgeTape() {
    func run(_ world: World, _ tape: PacketTape?) -> Simulation {
      var run = Simulation(world, keepsRecords: false, tape: tape)
      Self.answer(&run, run.run()) { $0.run() }
      return run
    }
    let written = run(scenario.world, PacketTape())
    guard let tape = written.tape else { return }
    compare(.tape, written.fingerprint.value, written.now)
    let read = run(scenario.world, tape)
    compare(.tape, read.fingerprint.value, read.now)
    var world = scenario.world
    if world.script.count > 2, stream.next(below: 2) == 0 {
      world.script.removeLast()
    } else {
      let mark = MediaTime(nanoseconds: Int64(stream.next(below: 9_000_000_000)))
      for player in world.players.indices {
        world.players[player].keepUp.rule = .buffered(start: mark, resume: mark)
      }
    }
    let (plain, other) = (run(world, nil), run(world, tape))
    let players = world.players.indices
    if plain.fingerprint != other.fingerprint || plain.now != other.now
      || players.contains(where: { plain.metrics(of: $0) != other.metrics(of: $0) })
    {
      breach(.tape, "another run reads what its own packets would not bring")
    }
  }

  /// Answers questions until a run goes on.
  private static func answer(
    _ simulation: inout Simulation, _ step: Simulation.StepResult,
    _ proceed: (inout Simulation) -> Simulation.StepResult
  ) {
    var step = step
    while case .needsDecision(let question) = step {
      simulation.answer(DrawnRule().answer(question), to: question)
      step = proceed(&simulation)
    }
  }

  private mutating func compare(_ law: Law, _ fingerprint: UInt64, _ end: Instant) {
    if fingerprint != result.fingerprint || end != result.end {
      breach(law, "the fingerprints differ; the ends are \(result.end) and \(end)")
    }
  }

  private mutating func instant() -> Instant {
    Instant(nanoseconds: Int64(stream.next(below: UInt64(scenario.world.horizon.nanoseconds))))
  }

  // MARK: - The log

  private mutating func judgeReplay() {
    let log = LogRendering.log(result)
    let end = log.firstIndex(of: 0x0A) ?? log.count
    let header = Findings(SourceText(path: DrawnWorld.path, bytes: Array(log[..<end]))).parseJSON()
    guard let text = header?.member("scenario") else {
      breach(.replay, "the log has no scenario")
      return
    }
    let source = SourceText(
      path: DrawnWorld.path, bytes: Array(text.source.bytes[text.range]))
    let read = ScenarioReader.read(source, loader: world.loader, programs: .accepted)
    guard let again = read.scenario else {
      let first = read.findings.first { $0.severity == .error }
      breach(.replay, "the log's scenario is refused: \(first?.message ?? "")")
      return
    }
    let other = LogRendering.log(Self.run(again))
    if other != log { breach(.replay, "the logs differ \(Self.place(log, other))") }
  }

  /// Names the first line in which two logs differ.
  private static func place(_ left: [UInt8], _ right: [UInt8]) -> String {
    let common = zip(left, right).prefix { $0 == $1 }
    let line = 1 + common.count { $0.0 == 0x0A }
    let start = (left[..<common.count].lastIndex(of: 0x0A) ?? -1) + 1
    func text(_ log: [UInt8]) -> String {
      String(
        decoding: log[min(start, log.count)...].prefix { $0 != 0x0A }.prefix(160), as: UTF8.self)
    }
    return "from line \(line) on: \(text(left)) / \(text(right))"
  }
}

extension WorldJudge {
  /// Runs worlds again on several threads; returns those whose fingerprints are others then.
  package static func breachesOfThreads(
    _ worlds: [(seed: UInt64, scenario: Scenario, fingerprint: UInt64)], threads: Int
  ) -> [(seed: UInt64, breach: Breach)] {
    var place = 0
    var found: [(seed: UInt64, breach: Breach)] = []
    let message = "on \(threads) threads the fingerprint is another one"
    ThreadPool.stream(
      ThreadPool.Load(count: worlds.count, threads: threads, ahead: worlds.count), state: {}
    ) { _, place in
      run(worlds[place].scenario, keepsRecords: false).fingerprint
    } _: { (fingerprint: UInt64) in
      if fingerprint != worlds[place].fingerprint {
        found.append((worlds[place].seed, Breach(law: .threads, message: message)))
      }
      place += 1
    }
    return found
  }
}
