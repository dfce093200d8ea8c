import Autowait
import AutowaitScenario

/// Runs the sessions of an experiment, unit by unit.
///
/// It keeps the scenarios of the world that it ran last, so that a row of units with other seeds
/// reads nothing again: what is drawn from a seed is drawn again, and nothing else differs. What it
/// returns does not depend on that.
package struct UnitRunner {
  /// A scenario as it was read once for all seeds.
  private struct Prepared {
    var world: World
    /// What is drawn again under another seed; nil if nothing is.
    var drawing: WorldDraws?
    /// The first contestant for whom the same is drawn.
    var twin: Int
    var plain: PlainScript?
    var linkToMedia: Int64?
    /// The programs that are the players' rules; none if all rules are built in.
    var programs: [ExternalProgram?] = []
    /// The scenario, if something is expected of it.
    var expecting: Scenario?

    /// Whether the same is drawn for both under any seed, into worlds that are alike in all that a
    /// drawing touches or is measured by.
    func isDrawnLike(_ other: Self) -> Bool {
      drawing == other.drawing && world.seed == other.world.seed
        && world.links == other.world.links && world.linkChanges == other.world.linkChanges
        && world.hostLinks == other.world.hostLinks && world.draws == other.world.draws
        && world.players.map { $0.media } == other.world.players.map { $0.media }
    }

    /// Takes over what was drawn for another contestant.
    mutating func takeDraws(of other: Self) {
      world.seed = other.world.seed
      world.draws = other.world.draws
      world.links = other.world.links
      for player in world.players.indices {
        world.players[player].media = other.world.players[player].media
      }
      linkToMedia = other.linkToMedia
    }
  }

  /// What a run came to, and the variants that were chosen if it is of a stream.
  private typealias Ran = (row: SessionRow, metrics: PlayerMetrics, variants: [Int]?)

  /// What contestants of a unit have in common.
  private struct Shared {
    /// The contestant for whom a world was drawn first, and that world.
    var drawn: (twin: Int, session: Prepared)?
    var best: (world: World, yardstick: Yardstick)?
    /// What the packets of the first session brought; nil where all is done event by event.
    var tape: PacketTape?
  }

  private let plan: ExperimentPlan
  private let contestantCount: Int
  private let metrics: [Metric]
  private let files: ExperimentFiles
  private let pace: Simulation.Pace
  private let loader: FileLoader
  private var world = -1
  private var prepared: [Result<Prepared, RowError>?] = []

  /// Creates a runner; it reads the files that the experiment names.
  package init(_ plan: ExperimentPlan, files: ExperimentFiles, pace: Simulation.Pace = .fast) {
    self.plan = plan
    self.pace = pace
    contestantCount = plan.contestantCount
    metrics = plan.metrics
    self.files = files
    loader = files.loader(of: plan)
  }

  /// Runs all sessions of a unit; returns their rows in the order of their keys.
  package mutating func rows(of index: Int) -> [SessionRow] {
    rows(of: index, contestants: 0..<contestantCount)
  }

  /// Runs the sessions of some contestants in a unit; returns their rows in the order of their
  /// keys.
  package mutating func rows(of index: Int, contestants: Range<Int>) -> [SessionRow] {
    let unit = plan.unit(index)
    if unit.world != world {
      world = unit.world
      prepared = Array(repeating: nil, count: contestantCount)
    }
    var shared = Shared()
    // A tape is written for others alone, and who judges shares no shortcut.
    if contestantCount > 1, pace == .fast { shared.tape = PacketTape() }
    return contestants.map { contestant in
      let key = plan.key(unit: index, contestant: contestant)
      switch seeded(contestant, unit.seed, &shared) {
      case .failure(let error):
        var row = SessionRow(key)
        row.problem = error.reason
        row.metrics = metrics.map { _ in nil }
        return row
      case .success(let session):
        return row(key, session, &shared)
      }
    }
  }

  private func read(_ contestant: Int, seed: UInt64) -> Result<Prepared, RowError> {
    let source = plan.composition(contestant: contestant, world: world).source
    let (scenario, findings) = ScenarioReader.read(
      source, loader: loader, seed: seed, programs: files.acceptance)
    guard let scenario else {
      let first = findings.first { $0.severity == .error }
      return .failure(RowError(first?.message ?? "the scenario is invalid"))
    }
    var world = scenario.world
    Metric.measure(metrics, in: &world)
    var read = Prepared(
      world: world, drawing: scenario.drawing, twin: contestant,
      plain: PlainScript(world), linkToMedia: world.linkToMedia,
      programs: scenario.programs.contains { $0 != nil } ? scenario.programs : [])
    if !plan.expected.isEmpty { read.expecting = scenario }
    if read.drawing == nil { return .success(read) }
    for (number, other) in prepared.enumerated() where number != contestant {
      if case .success(let other) = other, other.twin == number, read.isDrawnLike(other) {
        read.twin = number
        break
      }
    }
    return .success(read)
  }

  /// Returns the scenario of a contestant under a seed.
  private mutating func seeded(
    _ contestant: Int, _ seed: UInt64, _ shared: inout Shared
  ) -> Result<Prepared, RowError> {
    guard case .success(var session) = prepared[contestant] else {
      // What is wrong under one seed may be right under another.
      let read = read(contestant, seed: seed)
      prepared[contestant] = read
      return read
    }
    if session.world.seed == seed { return .success(session) }
    guard let drawing = session.drawing else {
      session.world.seed = seed
      return .success(session)
    }
    if let (twin, drawn) = shared.drawn, twin == session.twin {
      session.takeDraws(of: drawn)
      return .success(session)
    }
    guard drawing.redraw(&session.world, seed: seed) else { return read(contestant, seed: seed) }
    session.linkToMedia = session.world.linkToMedia
    shared.drawn = (session.twin, session)
    return .success(session)
  }

  private func row(
    _ key: SessionKey, _ session: Prepared, _ shared: inout Shared
  ) -> SessionRow {
    let ran: Ran
    do throws(RowError) {
      if let scenario = session.expecting {
        ran = try judge(scenario, session, key)
      } else {
        ran = try run(session, key, &shared.tape)
      }
    } catch {
      var row = SessionRow(key)
      row.problem = error.reason
      row.metrics = metrics.map { _ in nil }
      return row
    }
    var row = ran.row
    row.linkToMedia = session.linkToMedia
    row.metrics = metrics.map { $0.measured(in: ran.metrics)?.number }
    if let plain = session.plain, plain.itemCount > 1 {
      row.mediaDuration = plain.duration.nanoseconds
    }
    guard let kind = plan.yardstick, let plain = session.plain else { return row }
    var yardstick: Yardstick
    if ran.variants == nil, let known = shared.best, known.world.isSameNetwork(as: session.world) {
      yardstick = known.yardstick
    } else {
      yardstick = Yardstick(session.world, plain, variants: ran.variants, tape: shared.tape)
      if ran.variants == nil { shared.best = (session.world, yardstick) }
    }
    if kind == .ownBuffer { yardstick.limit(to: session.world, plain, variants: ran.variants) }
    row.take(yardstick, ran.metrics, isExact: session.world.leavesNothingToChance)
    return row
  }

  /// Runs a session whose base expects something of it.
  private func judge(
    _ scenario: Scenario, _ session: Prepared, _ key: SessionKey
  ) throws(RowError) -> Ran {
    var scenario = scenario
    scenario.world = session.world
    let media = session.world.players[0].media.first
    var chosen = media?.streamMedia.map { ChosenVariants($0) }
    let take: ((EventRecord) -> Void)? = chosen == nil ? nil : { chosen?.take($0) }
    let pace = pace
    let (result, end) = try plan.withPrograms(session.programs, files) {
      rule throws(RuleFailure) in
      try ScenarioRun.judged(scenario, asking: &rule, pace: pace, take)
    }
    var row = SessionRow(key)
    let metrics = result.metrics[0]
    row.take(metrics, finish: result.finish, end)
    row.fingerprint = result.fingerprint
    row.missed = result.outcomes.indices.filter { !result.outcomes[$0].isMet }
    return Self.ran(row, metrics, media, chosen)
  }

  /// Runs a scenario of an experiment by itself, and holds it against the best in a buffer without
  /// a limit.
  static func row(
    of scenario: Scenario, _ plan: ExperimentPlan, _ files: ExperimentFiles
  ) throws(RowError) -> SessionRow {
    let world = scenario.world
    var simulation = simulation(of: world)
    let ran = try run(&simulation, world, scenario.programs, SessionKey(0), (plan, files))
    var row = ran.row
    if let yardstick = Yardstick(world, variants: ran.variants) {
      row.take(yardstick, ran.metrics, isExact: world.leavesNothingToChance)
    }
    return row
  }

  /// Runs a session, whose packets may have travelled before.
  private func run(
    _ session: Prepared, _ key: SessionKey, _ tape: inout PacketTape?
  ) throws(RowError) -> Ran {
    let world = session.world
    var simulation = Self.simulation(of: world, pace: pace, tape: tape)
    let ran = try Self.run(&simulation, world, session.programs, key, (plan, files))
    if let written = simulation.tape { tape = written }
    return ran
  }

  /// Returns the simulation of a world; the variants that were chosen are read from its records.
  private static func simulation(
    of world: World, pace: Simulation.Pace = .fast, tape: PacketTape? = nil
  ) -> Simulation {
    let isStream = world.players[0].media.first?.streamMedia != nil
    return Simulation(world, keepsRecords: isStream, pace: pace, tape: tape)
  }

  /// Runs a simulation of a world to its end; programs may be asked in it.
  private static func run(
    _ simulation: inout Simulation, _ world: World, _ programs: [ExternalProgram?],
    _ key: SessionKey, _ origin: (plan: ExperimentPlan, files: ExperimentFiles)
  ) throws(RowError) -> Ran {
    let media = world.players[0].media.first
    var chosen = media?.streamMedia.map { ChosenVariants($0) }
    if case .needsDecision(let first) = simulation.run({ chosen?.take($0) }) {
      try origin.plan.withPrograms(programs, origin.files) { rule throws(RuleFailure) in
        var question = first
        while true {
          simulation.answer(try rule.answer(question), to: question)
          let step = simulation.run { chosen?.take($0) }
          guard case .needsDecision(let next) = step else { return }
          question = next
        }
      }
    }
    var row = SessionRow(key)
    let metrics = simulation.metrics(of: 0)
    row.take(metrics, finish: simulation.finishReason, simulation.snapshot(of: 0))
    row.fingerprint = simulation.fingerprint.value
    return ran(row, metrics, media, chosen)
  }

  /// Completes a row with what is known of the media and of the variants that were chosen.
  private static func ran(
    _ row: SessionRow, _ metrics: PlayerMetrics, _ media: Media?, _ chosen: ChosenVariants?
  ) -> Ran {
    var row = row
    row.mediaDuration = media?.duration.nanoseconds ?? 0
    guard let chosen else { return (row, metrics, nil) }
    row.qualitySum = chosen.sum
    row.qualityChange = chosen.change
    return (row, metrics, chosen.variants)
  }
}

extension World {
  /// Whether what arrives depends on the link and on how much was asked for alone: not on packets,
  /// on how connections warmed up, or on what fails.
  fileprivate var leavesNothingToChance: Bool {
    transport == nil && traffic.isEmpty
      && players.allSatisfy { $0.media.allSatisfy { $0.streamMedia?.faults.isEmpty ?? true } }
  }

  /// Whether two players that only load would load alike.
  fileprivate func isSameNetwork(as other: World) -> Bool {
    guard players.count == 1, other.players.count == 1 else { return false }
    return players[0].media == other.players[0].media && script == other.script
      && players[0].queue == other.players[0].queue
      && players[0].contract == other.players[0].contract
  }
}

extension SessionRow {
  /// Takes over what a run came to.
  fileprivate mutating func take(
    _ metrics: PlayerMetrics, finish: FinishReason?, _ snapshot: PlayerSnapshot
  ) {
    startup = metrics.timeSpentInInitialStartup.nanoseconds
    stallCount = Int64(metrics.stallCount)
    stalled = metrics.timeSpentRecoveringFromStall.nanoseconds
    played = metrics.playbackDuration.nanoseconds
    mediaPlayed = metrics.mediaPlayed.nanoseconds
    watched = startup + stalled + played
    bitRate = metrics.streaming?.timeWeightedAverageBitrate?.bitsPerSecond
    switchCount = metrics.streaming.map { Int64($0.variantSwitchCount) }
    for account in [TimeAccount.seeking, .resuming, .noItem, .coordinated, .interstitial, .gap] {
      watched += metrics.time(account).nanoseconds
    }
    if finish == .eventLimit {
      outcome = .eventLimit
    } else if snapshot.status == .failed {
      outcome = .failed
    } else if metrics.playedToEndCount > 0 {
      outcome = .ended
    } else {
      outcome = metrics.firstPlayed == nil ? .neverStarted : .unfinished
    }
  }

  /// Holds the session against the best that was possible.
  ///
  /// Where a network is not exact, a session whose loading paused may have had a luckier one than
  /// the session that only loads; what it waited for is then the best that is known.
  fileprivate mutating func take(
    _ best: Yardstick, _ metrics: PlayerMetrics, isExact: Bool
  ) {
    guard let earliest = best.earliestStart, outcome != .eventLimit else { return }
    // The wish to play came before the startup, in which nothing else happens in a plain script.
    let started = metrics.firstPlayed ?? .start + metrics.wallTime
    let wish = best.wish?.nanoseconds ?? started.nanoseconds - startup
    // Behind a pause a player may wait before it plays on, and between two items: no stalls.
    let resuming = best.pauses.isEmpty ? .zero : metrics.time(.resuming)
    let between = best.itemCount > 1 ? metrics.time(.gap) : .zero
    let waited = waiting + resuming.nanoseconds + between.nanoseconds
    var least = max(0, earliest.nanoseconds - wish)
    let isOver = outcome == .ended && metrics.playedToEndCount >= best.itemCount
    if !isExact, isOver { least = min(least, waited) }
    yardstick = least
    avoidableStalls = stallCount
    // No rule can end sooner: what it plays has to arrive. A nanosecond is lost to each stall; what
    // is lost of the media takes longer at a slow speed, and is played behind the wait.
    let playing = Int128(mediaPlayed) * 1_000_000 / Int128(best.rate.millionths)
    if isOver, Int128(waited + played + stallCount + 2) < Int128(least) + playing {
      outcome = .error
      problem = "the session ended before its media can have arrived"
    }
    excessWait = max(0, waited - least)
  }
}
