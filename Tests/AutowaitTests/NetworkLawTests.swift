import Autowait
import AutowaitWorlds
import Testing

/// What holds of every run over real links: it is a value as any other, whatever carries its data.
@Suite struct NetworkLawTests {
  static let worlds = LawWorlds.numbers(20, release: 2_000)

  private static func world(_ seed: UInt64) -> World {
    shortened(WorldShape(seed % 3 == 0 ? .packet : .fluid, rule: .builtIn), seed)
  }

  private static func shortened(_ shape: WorldShape, _ seed: UInt64) -> World {
    var world = LawWorlds.world(seed, shape)
    world.horizon = min(world.horizon, .start + .seconds(25))
    return world
  }

  @Test(arguments: worlds)
  func copiesAndStepsAreTheRun(_ seed: UInt64) {
    let world = Self.world(seed)
    let whole = Simulation.run(of: world)
    #expect(whole.finishReason != .eventLimit, law(seed))
    var stepped = Simulation(world)
    var forks: [Simulation] = []
    var count = 0
    while stepped.step() == .advanced {
      count += 1
      if count.isMultiple(of: 40) { forks.append(stepped) }
    }
    #expect(stepped.log.records == whole.log.records, law(seed))
    #expect(stepped.eventCount == whole.eventCount, law(seed))
    for saved in forks.suffix(2) {
      var fork = saved
      _ = fork.run()
      #expect(fork.fingerprint == whole.fingerprint, law(seed))
    }
  }

  @Test(arguments: worlds)
  func runInPiecesIsTheRun(_ seed: UInt64) {
    let world = Self.world(seed)
    let whole = Simulation.run(of: world)
    var stream = RandomStream(seed: seed, component: "test", purpose: "pieces")
    var pieces = Simulation(world)
    var target: Int64 = 0
    while target < world.horizon.nanoseconds, pieces.finishReason == nil {
      target += Int64(stream.next(below: 2_000_000_000))
      let instant = Instant(nanoseconds: target)
      _ = pieces.hasEvent(notAfter: pieces.now)
      if pieces.advance(to: instant) == .advanced {
        #expect(pieces.now == min(instant, world.horizon), law(seed))
      }
      _ = pieces.snapshot(of: 0)
    }
    _ = pieces.run()
    #expect(pieces.log.records == whole.log.records, law(seed))
    #expect(pieces.fingerprint == whole.fingerprint, law(seed))
    #expect(pieces.finishReason == whole.finishReason, law(seed))
  }

  /// A player that does nothing is nobody's business.
  @Test(arguments: worlds)
  func idlePlayerChangesNothing(_ seed: UInt64) {
    let world = Self.world(seed)
    var crowded = world
    crowded.players.append(PlayerConfiguration(media: []))
    #expect(
      Simulation.run(of: world).fingerprint == Simulation.run(of: crowded).fingerprint, law(seed))
  }

  /// An ideal link that is all there is has no handovers, however it came to hold.
  @Test func handoversAreNothingToAnIdealLink() {
    let plain = Demo.world(ScriptStep(.at(Demo.seconds(1)), .useLink(track: 0)))
    var world = plain
    world.links[0].events = [
      LinkEvent(
        at: .seconds(5),
        .handover(
          LinkEvent.Handover(
            gap: .seconds(1), flushesQueue: true, endsConnections: true, link: 0)))
    ]
    let (run, other) = (Simulation.run(of: plain), Simulation.run(of: world))
    #expect(run.log.records == other.log.records)
  }

  /// A host with a link of its own is reached over that link.
  @Test func aHostIsReachedOverItsLink() {
    let fast = Demo.world(on: Demo.fast)
    var world = Demo.world(on: Demo.slow)
    world.links.append(fast.links[0])
    world.hostLinks = [1]
    for route in [0, 1] {
      world.players[0].media[0].route = route
      let run = Simulation.run(of: world, to: 1_000_000_000).snapshot(of: 0).loadedEnd
      let direct = Simulation.run(of: route == 0 ? Demo.world() : fast, to: 1_000_000_000)
      #expect(run == direct.snapshot(of: 0).loadedEnd, "route \(route)")
    }
  }

  /// Over links that are alike each host has losses of its own.
  @Test func eachHostHasItsOwnChances() {
    var world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000)))
    world.transport = TransportPolicy()
    world.links[0].down.loss = .bernoulli(Probability(billionths: 50_000_000))
    world.hostLinks = [0]
    let ends = [0, 1].map { route in
      world.players[0].media[0].route = route
      return Simulation.run(of: world, to: 3_000_000_000).snapshot(of: 0).loadedEnd
    }
    #expect(ends[0] != ends[1])
  }

  /// A link of 3.2 Mbit/s for five seconds and of 100 Mbit/s from then on.
  private static let fastLater = LinkTrack([
    LinkTrack.Sample(start: .zero, rate: Demo.slow.samples[0].rate, delay: .zero),
    LinkTrack.Sample(start: .seconds(5), rate: Demo.fast.samples[0].rate, delay: .zero),
  ])

  /// A change of the link may lead into the middle of its track: after its slow five seconds here.
  @Test(arguments: LinkTier.allCases)
  func aChangeLeadsIntoTheTrack(_ tier: LinkTier) {
    var world = Demo.world()
    world.links.append(LinkProfile(Self.fastLater))
    world.transport = TransportPolicy()
    world.tier = tier
    let loaded = [TimeSpan.zero, .seconds(5)].map { elapsed in
      world.linkChanges = [LinkChange(at: Demo.seconds(1), link: 1, elapsed: elapsed)]
      return Simulation.run(of: world, to: 3_000_000_000).snapshot(of: 0).loadedEnd
    }
    #expect(loaded[0] < .seconds(4))
    #expect(loaded[1] > .seconds(20))
  }

  /// So it does where a plan makes the requests, and the path itself knows of the change; an outage
  /// that the track has behind it by then does not happen.
  @Test(arguments: LinkTier.allCases)
  func aPlannedChangeLeadsIntoTheTrack(_ tier: LinkTier) {
    var later = LinkProfile(Self.fastLater)
    later.events = [LinkEvent(at: .seconds(1), .blackout(.seconds(3), drops: .nothing))]
    let steps = [TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 4_000_000)))]
    var trial = TransferTrial(
      TransferPlan(flows: [.init(steps: steps)]), on: [LinkProfile(Demo.slow), later],
      policy: TransportPolicy(), tier: tier)
    let completed = [TimeSpan.zero, .seconds(5)].map { elapsed in
      trial.changes = [LinkChange(at: Demo.seconds(1), link: 1, elapsed: elapsed)]
      return trial.run().outcomes[0][0].times.completed ?? .never
    }
    #expect(completed[0] > Demo.seconds(6))
    #expect(completed[1] < Demo.seconds(2))
  }

  /// A flow of next to nothing that begins or ends does not start the link's track again.
  @Test(arguments: LinkTier.allCases)
  func aFlowLeavesTheTrackAsItIs(_ tier: LinkTier) {
    var world = Demo.world(on: Self.fastLater)
    world.transport = TransportPolicy()
    world.tier = tier
    world.traffic = [
      CrossTraffic(
        .constant(BitRate(bitsPerSecond: 1)), from: .start + .seconds(3), to: .start + .seconds(4))
    ]
    let loaded = Simulation.run(of: world, to: 7_000_000_000).snapshot(of: 0).loadedEnd
    #expect(loaded > .seconds(20))
  }

  /// What is loaded of an item stays loaded.
  @Test(arguments: worlds)
  func whatIsLoadedStays(_ seed: UInt64) {
    var world = Self.shortened(
      WorldShape(seed % 3 == 0 ? .packet : .fluid, .file, rule: .builtIn), seed)
    world.keepCalls { [.play, .pause, .replaceCurrentItem(0)].contains($0) }
    var simulation = Simulation(world, keepsRecords: false)
    var loaded = world.players.map { _ in Int64(0) }
    while simulation.step() == .advanced {
      for player in world.players.indices {
        let shown = simulation.snapshot(of: player)
        // Of a queue one item follows another, of which less is loaded.
        let hasQueue = world.players[player].hasQueue || world.players[player].loop != nil
        if shown.currentItem == nil || hasQueue { continue }
        let length = shown.loadedTimeRanges.reduce(Int64(0)) {
          $0 + ($1.end - $1.start).nanoseconds
        }
        #expect(length >= loaded[player], "\(law(seed)): player \(player), \(simulation.now)")
        loaded[player] = length
      }
    }
  }

  /// A flow of next to nothing changes nothing: no loss, no outage, and not more than its rate.
  @Test(arguments: [
    LossModel.none, .bernoulli(Probability(billionths: 30_000_000)), .everyNth(20),
  ])
  func constantFlowsTakeTheirRate(_ loss: LossModel) throws {
    let media = Media(
      .progressive, duration: .seconds(30), bitRate: BitRate(bitsPerSecond: 1_000_000))
    var link = LinkProfile(
      down: LinkDirection(
        LinkTrack(rate: BitRate(bitsPerSecond: 3_000_000), delay: .milliseconds(30))),
      up: LinkDirection(
        LinkTrack(rate: BitRate(bitsPerSecond: 3_000_000), delay: .milliseconds(30))))
    link.down.loss = loss
    link.events = [LinkEvent(at: .seconds(2), .blackout(.seconds(3), drops: .new))]
    var world = World(
      seed: 4, links: [link], players: [PlayerConfiguration(media: [media])],
      script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))],
      horizon: .start + .seconds(600))
    world.transport = TransportPolicy()
    world.tier = .packet
    let alone = try #require(Self.loadedAt(world))
    for flow in [
      CrossTraffic(.constant(BitRate(bitsPerSecond: 1))),
      CrossTraffic(
        .constant(BitRate(bitsPerSecond: 1)), from: .start + .seconds(3), to: .start + .seconds(6)),
    ] {
      world.traffic = [flow]
      let beside = try #require(Self.loadedAt(world))
      #expect(abs((beside - alone).nanoseconds) < 1_000_000)
    }
  }

  private static func loadedAt(_ world: World) -> Instant? {
    Simulation.run(of: world).log.records.first { record in
      if case .mediaRequestCompleted = record.event { true } else { false }
    }?.instant
  }
}
