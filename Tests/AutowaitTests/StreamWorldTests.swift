import Autowait
import AutowaitWorlds
import Testing

/// What holds of every stream: a run is a value, it never runs away, and what is requested exists.
@Suite struct StreamWorldTests {
  static let batches = LawWorlds.batches(250, release: 8_000, of: 25)

  /// Half of the worlds are live, and a fifth has real links.
  static func world(_ seed: UInt64) -> World {
    let tiers: [LinkTier] = [.ideal, .ideal, .ideal, .ideal, seed % 2 == 0 ? .fluid : .packet]
    let shape = WorldShape(
      tiers[Int(seed % 5)], seed % 2 == 0 ? .stream : .live, rule: .builtIn)
    var world = LawWorlds.world(seed, shape)
    if seed % 5 == 4 { world.horizon = min(world.horizon, .start + .seconds(25)) }
    return world
  }

  /// A live programme with which nothing goes wrong, and somebody who watches it.
  ///
  /// Nil if its tracks are not equally long.
  static func programme(_ seed: UInt64) -> World? {
    var world = LawWorlds.world(seed, WorldShape(.ideal, .live, rule: .builtIn, isAlone: true))
    guard var stream = world.players[0].media[0].streamMedia, var window = stream.live,
      stream.lists.allSatisfy({ $0.end == stream.duration })
    else { return nil }
    window.elapsed = min(window.elapsed, .seconds(15))
    stream.live = window
    (stream.faults, stream.startOffset, stream.mediaEnd) = ([], nil, nil)
    for key in stream.keys.indices { stream.keys[key].serverDelay = .zero }
    var player = PlayerConfiguration(media: [Media(stream)])
    let drawn = world.players[0]
    player.automaticallyPreservesTimeOffsetFromLive =
      drawn.automaticallyPreservesTimeOffsetFromLive
    player.streaming.adaptation = drawn.streaming.adaptation
    player.streaming.selection = drawn.streaming.selection
    world.players = [player]
    let rate = BitRate(bitsPerSecond: 20_000_000)
    let delay = TimeSpan.milliseconds(Int64(seed % 5) * 50)
    world.links = [LinkProfile(LinkTrack(rate: rate, delay: delay))]
    (world.linkChanges, world.traffic) = ([], [])
    world.script = [
      ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
      ScriptStep(.at(.start), .player(0, .play)),
    ]
    // Time for all of it, and for what is waited for.
    world.horizon = .start + TimeSpan(nanoseconds: stream.duration.nanoseconds) + .seconds(60)
    return world
  }

  @Test(arguments: batches)
  func worldsKeepTheirPromises(_ batch: Range<UInt64>) {
    for seed in batch {
      let world = Self.world(seed)
      var simulation = Simulation(world, keepsRecords: false)
      while simulation.step() == .advanced {
        guard seed % 4 == 0 else { continue }
        for player in world.players.indices {
          if let broken = SnapshotJudge.contradiction(in: simulation.snapshot(of: player)) {
            Issue.record("\(law(seed)): player \(player), \(simulation.now): \(broken)")
            return
          }
        }
      }
      #expect(simulation.finishReason != .eventLimit, law(seed))
      for player in world.players.indices {
        if let broken = Promises.contradiction(in: simulation.metrics(of: player)) {
          Issue.record("\(law(seed)): player \(player): \(broken)")
        }
      }
    }
  }

  /// On a good link every programme is watched to its end, and nothing is asked for before it is
  /// there.
  @Test(arguments: batches)
  func liveProgrammesAreWatchedToTheirEnd(_ batch: Range<UInt64>) throws {
    for seed in batch {
      guard let world = Self.programme(seed) else { continue }
      let run = Simulation.run(of: world)
      #expect(run.finishReason == .settled, law(seed))
      #expect(run.metrics(of: 0).playedToEndCount == 1, law(seed))
      let streamMedia = try #require(world.players[0].media[0].streamMedia)
      let window = try #require(streamMedia.live)
      for record in run.log.records {
        guard case .segmentRequest(_, _, let list, let segment?, _) = record.event else { continue }
        let edge =
          window.elapsed.nanoseconds + record.instant.nanoseconds
          - window.publishDelay.nanoseconds
        let segments = streamMedia.lists[Int(list)]
        let end =
          window.partDuration == nil
          ? segments.end(of: Int(segment)) : segments.start(of: Int(segment))
        #expect(end.nanoseconds <= edge, "\(law(seed)): \(record.instant)")
      }
    }
  }

  /// Copies, pieces and looking change nothing.
  @Test(arguments: batches)
  func runsAreValues(_ batch: Range<UInt64>) {
    for seed in batch where seed % 4 != 3 {
      let world = Self.world(seed)
      let whole = Simulation.run(of: world)
      var stream = RandomStream(seed: seed, component: "test", purpose: "pieces")
      var pieces = Simulation(world)
      var fork = pieces
      var target: Int64 = 0
      while target < world.horizon.nanoseconds, pieces.finishReason == nil {
        target += Int64(stream.next(below: 3_000_000_000))
        _ = pieces.hasEvent(notAfter: pieces.now)
        _ = pieces.advance(to: Instant(nanoseconds: target))
        _ = pieces.snapshot(of: 0)
        _ = pieces.metrics(of: 0)
        if stream.next(below: 6) == 0 { fork = pieces }
      }
      _ = pieces.run()
      _ = fork.run()
      #expect(pieces.log.records == whole.log.records, law(seed))
      #expect(fork.fingerprint == whole.fingerprint, law(seed))
      #expect(pieces.finishReason == whole.finishReason, law(seed))
    }
  }

  /// Every request has exactly one end at most, and none is made twice at a time.
  @Test(arguments: batches)
  func requestsHaveOneEnd(_ batch: Range<UInt64>) {
    for seed in batch {
      let run = Simulation.run(of: Self.world(seed))
      var open: [Int] = []
      for record in run.log.records {
        switch record.event {
        case .playlistRequest(let transfer, _, _, _), .contentKeyRequest(let transfer, _, _, _),
          .segmentRequest(let transfer, _, _, _, _), .mediaRequest(let transfer, _, _, _):
          open.append(transfer)
        case .mediaRequestCompleted(let transfer, _), .mediaRequestCancelled(let transfer, _),
          .mediaRequestFailed(let transfer, _, _):
          #expect(open.contains(transfer), "\(law(seed)): \(record.instant), ended twice")
          open.removeAll { $0 == transfer }
        default: break
        }
      }
    }
  }
}
