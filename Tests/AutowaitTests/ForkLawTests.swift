import Autowait
import AutowaitWorlds
import Testing

/// A simulation is a value: copies, pieces and records change nothing about a run.
@Suite struct ForkLawTests {
  static let worlds = LawWorlds.numbers(120, release: 3_000)

  /// A linear rule in the driver, for worlds whose rule is external.
  static func answer(_ question: RuleQuestion) -> RuleAnswer {
    RuleAnswer(
      isLikelyToKeepUp: question.missing.bytes == 0 || question.number % 3 == 0,
      askAgainAfter: TimeSpan(nanoseconds: Int64(question.number) * 40_000_000))
  }

  /// Runs to the end with a driver's answers; calls out before each step.
  private func finish(
    _ simulation: inout Simulation, before: (Int, Simulation) -> Void = { _, _ in }
  ) -> FinishReason {
    var count = 0
    while true {
      before(count, simulation)
      count += 1
      switch simulation.step() {
      case .advanced: continue
      case .needsDecision(let question): simulation.answer(Self.answer(question), to: question)
      case .finished(let reason): return reason
      }
    }
  }

  private static func world(_ seed: UInt64) -> World {
    LawWorlds.world(seed, seed % 3 == 0 ? WorldShape(.ideal, rule: .program) : LawWorlds.ideal)
  }

  @Test(arguments: worlds)
  func copyGoesOnLikeTheOriginal(_ seed: UInt64) {
    var forks: [(Simulation, Fingerprint, Int)] = []
    let interval = 7 + Int(seed % 90)
    var original = Simulation(Self.world(seed))
    let reason = finish(&original) { count, simulation in
      if count % interval == 0 {
        forks.append((simulation, simulation.fingerprint, simulation.eventCount))
      }
    }
    for (saved, fingerprint, eventCount) in forks.suffix(6) {
      var fork = saved
      #expect(finish(&fork) == reason, law(seed))
      #expect(fork.fingerprint == original.fingerprint, law(seed))
      #expect(fork.log.records == original.log.records, law(seed))
      // The value that was copied is where it was.
      #expect(saved.fingerprint == fingerprint, law(seed))
      #expect(saved.eventCount == eventCount, law(seed))
    }
  }

  @Test(arguments: worlds)
  func runInPiecesIsTheRun(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    let whole = Simulation.run(of: world)
    var stream = RandomStream(seed: seed, component: "test", purpose: "pieces")
    var pieces = Simulation(world)
    var target: Int64 = 0
    while target < world.horizon.nanoseconds, pieces.finishReason == nil {
      target += Int64(stream.next(below: 3_000_000_000))
      if pieces.advance(to: Instant(nanoseconds: target)) == .advanced {
        #expect(pieces.now == min(Instant(nanoseconds: target), world.horizon), law(seed))
      }
      // Looking changes nothing.
      _ = pieces.snapshot(of: 0)
      _ = pieces.metrics(of: 0)
    }
    _ = pieces.run()
    #expect(pieces.fingerprint == whole.fingerprint, law(seed))
    #expect(pieces.finishReason == whole.finishReason, law(seed))
    #expect(pieces.now == whole.now, law(seed))
  }

  @Test(arguments: worlds)
  func recordsAreForReading(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    let kept = Simulation.run(of: world)
    let dropped = Simulation.run(of: world, keepsRecords: false)
    #expect(kept.fingerprint == dropped.fingerprint, law(seed))
    #expect(kept.log.count == dropped.log.count, law(seed))
    #expect(kept.log.records.count == kept.log.count, law(seed))
    #expect(dropped.log.records == [], law(seed))
    #expect(kept.metrics(of: 0) == dropped.metrics(of: 0), law(seed))
    #expect(Simulation.run(of: world).fingerprint == kept.fingerprint, law(seed))
    var other = world
    other.seed += 1
    #expect(Simulation.run(of: other).fingerprint != kept.fingerprint, law(seed))
  }

  /// A player that does nothing is nobody's business, and neither is how far a run is driven.
  @Test(arguments: worlds)
  func idlePlayerChangesNothing(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    var crowded = world
    crowded.players.append(PlayerConfiguration(media: []))
    var alone = Simulation(world)
    _ = alone.run()
    let accompanied = Simulation.run(of: crowded)
    #expect(alone.fingerprint == accompanied.fingerprint, law(seed))
    #expect(alone.log.records == accompanied.log.records, law(seed))
  }

  /// A longer run begins with the shorter one.
  @Test(arguments: worlds)
  func longerRunBeginsWithTheShorter(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    var shorter = world
    shorter.horizon = Instant(nanoseconds: world.horizon.nanoseconds / 2 + 1)
    let (long, short) = (Simulation.run(of: world), Simulation.run(of: shorter))
    // Only that the run ended is not in the longer one.
    let records = short.log.records.dropLast()
    #expect(Array(long.log.records.prefix(records.count)) == Array(records), law(seed))
  }

  /// What a driver does at an instant is what the script would have done last then.
  @Test(arguments: worlds)
  func performingIsAStepOfTheScript(_ seed: UInt64) throws {
    var world = LawWorlds.world(seed)
    world.keepSteps { if case .at = $0.trigger { true } else { false } }
    guard case .player(let player, let action)? = world.script.last?.action else { return }
    world.horizon = max(world.horizon, .start + .seconds(30))
    let instant = Instant(nanoseconds: 3_000_000_001 + Int64(seed % 150) * 110_000_001)
    world.script.removeLast()
    world.script.removeAll { if case .at(let due) = $0.trigger { due >= instant } else { false } }
    // A last step keeps the run from settling before the driver acts.
    let last = ScriptStep(
      .at(Instant(nanoseconds: world.horizon.nanoseconds - 1)), .player(player, .pause))
    var scripted = world
    scripted.script += [ScriptStep(.at(instant), .player(player, action)), last]
    world.script.append(last)

    var performed = Simulation(world)
    try #require(performed.advance(to: instant) == .advanced)
    performed.perform(.player(player, action))
    _ = performed.run()
    #expect(
      observations(performed) == observations(Simulation.run(of: scripted)),
      "\(law(seed)): \(action) at \(instant)")
  }

  /// What observers see: not which step was done, nor how records are numbered.
  private func observations(_ simulation: Simulation) -> [EventRecord] {
    simulation.log.records.filter {
      if case .step = $0.event { false } else { true }
    }.map {
      EventRecord(instant: $0.instant, number: 1, cause: 0, player: $0.player, event: $0.event)
    }
  }
}
