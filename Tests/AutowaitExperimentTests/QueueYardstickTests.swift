import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// The best that was possible where several items are played in order.
@Suite struct QueueYardstickTests {
  /// A queue of two to four files on a link that comes and goes, and when they are wished for.
  private static func world(_ seed: UInt64) throws -> (world: World, wish: Instant) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "queue")
    func number(_ range: ClosedRange<UInt64>) -> UInt64 {
      range.lowerBound + stream.next(below: range.upperBound - range.lowerBound + 1)
    }
    let track = (0..<number(3...12)).map { _ in
      let rate = number(0...3) == 0 ? 0 : number(500...9_000)
      return "{\"for\": \(number(1...12)), \"rate\": \"\(rate) kbit/s\"}"
    }
    let count = 2 + seed % 3
    let media = (0..<count).map { _ in
      """
      {"kind": "progressive", "duration": "\(number(3...40)) s", \
      "bitrate": "\(number(300...5_000)) kbit/s"}
      """
    }
    let wish = number(0...4)
    let text = """
      {"link": {"down": {"track": [\(track.joined(separator: ", "))], "trackEnd": "loop"}}, \
      "media": [\(media.joined(separator: ", "))], \
      "player": {"queue": [\((0..<count).map { "\($0)" }.joined(separator: ", "))]}, \
      "script": [{"at": "\(wish) s", "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "x.json", text: text), loader: .none, seed: seed)
    #expect(findings.map(\.rendered) == [])
    return (
      try #require(scenario).world, Instant(nanoseconds: Int64(wish) * 1_000_000_000)
    )
  }

  /// How long a player waits in all, under a rule.
  private static func waited(_ world: World) -> (time: TimeSpan, isOver: Bool) {
    var simulation = Simulation(world)
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    let accounts: [TimeAccount] = [.startup, .stalled, .resuming, .gap]
    return (
      accounts.reduce(.zero) { $0 + metrics.time($1) },
      metrics.playedToEndCount == world.players[0].media.count
    )
  }

  /// The same for a player that plays from an instant on what is there.
  private static func waited(
    _ world: World, from start: Instant
  ) -> (time: TimeSpan, isOver: Bool) {
    var world = world
    world.script = [ScriptStep(.at(start), .player(0, .playImmediately(.normal)))]
    world.players[0].keepUp.rule = .buffered(start: .zero, resume: .zero)
    return waited(world)
  }

  /// When there is a frame to show, if nobody plays.
  private static func firstFrame(_ world: World) throws -> Instant {
    var world = world
    world.script = []
    var simulation = Simulation(world)
    while simulation.snapshot(of: 0).isPlaybackBufferEmpty {
      guard case .advanced = simulation.step() else { break }
    }
    return simulation.now + TimeSpan(nanoseconds: 1)
  }

  /// A start there waits for nothing, a millisecond sooner waits, and no rule waits less.
  @Test(arguments: 1...90 as ClosedRange<UInt64>)
  func theEarliestStartIsTheBest(_ seed: UInt64) throws {
    let (world, wish) = try Self.world(seed)
    let yardstick = try #require(Yardstick(world))
    // Of two files it is always known; of more, where the first two decide.
    if world.players[0].media.count == 2 { #expect(yardstick.earliestStart != nil) }
    guard let earliest = yardstick.earliestStart else { return }
    let least = max(.start, earliest) + TimeSpan(nanoseconds: 2)
    let best = Self.waited(world, from: max(least, try Self.firstFrame(world)))
    #expect(best.isOver && best.time <= TimeSpan(nanoseconds: 8), "\(best)")
    let sooner = Instant(nanoseconds: earliest.nanoseconds - 1_000_000)
    if sooner > .start {
      #expect(Self.waited(world, from: sooner).time > TimeSpan(nanoseconds: 8))
    }
    for rule in [
      StartupRule.linearToEnd, .buffered(start: .zero, resume: .zero),
      .buffered(start: .seconds(2), resume: .seconds(5)),
    ] {
      var ruled = world
      ruled.players[0].keepUp.rule = rule
      let (time, isOver) = Self.waited(ruled)
      if isOver { #expect(time.nanoseconds + 60 >= earliest.nanoseconds - wish.nanoseconds) }
    }
  }

  /// Queues of three and more are known often enough for the above to mean something.
  @Test func manyLongerQueuesAreKnown() throws {
    var known = 0
    for seed in 1...90 as ClosedRange<UInt64> {
      let world = try Self.world(seed).world
      if world.players[0].media.count == 2 { continue }
      if Yardstick(world)?.earliestStart != nil { known += 1 }
    }
    #expect((10...59).contains(known), "\(known) of 60")
  }

  private static func row(
    _ media: String, _ player: String, _ steps: String = #"{"at": 0, "do": "play"}"#
  ) throws -> SessionRow {
    let base = """
      {"link": {"rate": "4.4 Mbit/s"}, "media": [\(media)], "player": {\(player)}, \
      "script": [\(steps)]}
      """
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""heuristic": ["avfoundation"]"#, base: base))
    return try #require(ExperimentFixture.rows(plan).first)
  }

  private static let files = """
    {"kind": "progressive", "duration": "10 s", "bitrate": "4 Mbit/s"}, \
    {"kind": "progressive", "duration": "6 s", "bitrate": "8 Mbit/s"}
    """

  /// 88 Mbit over 4.4 Mbit/s take 20 s, and 16 s are played: 4 s are to be waited.
  ///
  /// This is `Scenarios/queue/next-late.json`, which waits most of it between the items.
  @Test func theWaitBetweenItemsCounts() throws {
    let row = try Self.row(Self.files, #""queue": [0, 1]"#)
    #expect(abs((row.yardstick ?? 0) - 4_000_000_000) <= 2)
    #expect((0...100).contains(row.excessWait ?? -1), "\(row)")
    #expect(row.mediaDuration == 16_000_000_000)
    #expect(row.outcome == .ended && row.problem == nil)
  }

  @Test(arguments: [
    (#""queue": [0, 1], "actionAtItemEnd": "pause""#, #"{"at": 0, "do": "play"}"#),
    (
      #""queue": [0, 1]"#,
      #"{"at": 0, "do": "play"}, {"at": 3, "do": "pause"}, {"at": 4, "do": "play"}"#
    ),
    (#""queue": [0, 1]"#, #"{"at": 0, "do": "play"}, {"at": 3, "do": "advanceToNextItem"}"#),
    (#""queue": [0, 1]"#, #"{"at": 0, "do": "play"}, {"at": 3, "do": "seek", "to": 1}"#),
  ])
  func aQueueThatDoesMoreHasNoYardstick(_ player: String, _ steps: String) throws {
    #expect(try Self.row(Self.files, player, steps).yardstick == nil)
  }
}
