import Autowait
import Testing

/// What holds of every run over real links: it is a value as any other, whatever carries its data.
@Suite struct NetworkLawTests {
  #if DEBUG
  static let worlds: Range<UInt64> = 0..<20
  #else
  static let worlds: Range<UInt64> = 0..<2_000
  #endif

  private static func world(_ seed: UInt64) -> World {
    var world = RandomWorld.world(seed, [.all, .networks])
    world.horizon = min(world.horizon, .start + .seconds(25))
    return world
  }

  @Test(arguments: worlds)
  func copiesAndStepsAreTheRun(_ seed: UInt64) {
    let world = Self.world(seed)
    let whole = Simulation.run(of: world)
    #expect(whole.finishReason != .eventLimit)
    var stepped = Simulation(world)
    var forks: [Simulation] = []
    var count = 0
    while stepped.step() == .advanced {
      count += 1
      if count.isMultiple(of: 40) { forks.append(stepped) }
    }
    #expect(stepped.trace.records == whole.trace.records)
    #expect(stepped.eventCount == whole.eventCount)
    for saved in forks.suffix(2) {
      var fork = saved
      _ = fork.run()
      #expect(fork.fingerprint == whole.fingerprint)
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
        #expect(pieces.now == min(instant, world.horizon))
      }
      _ = pieces.snapshot(of: 0)
    }
    _ = pieces.run()
    #expect(pieces.trace.records == whole.trace.records)
    #expect(pieces.fingerprint == whole.fingerprint)
    #expect(pieces.finishReason == whole.finishReason)
  }

  /// A player that does nothing is nobody's business.
  @Test(arguments: worlds)
  func idlePlayerChangesNothing(_ seed: UInt64) {
    let world = Self.world(seed)
    var crowded = world
    crowded.players.append(PlayerConfiguration(media: []))
    #expect(Simulation.run(of: world).fingerprint == Simulation.run(of: crowded).fingerprint)
  }
}
