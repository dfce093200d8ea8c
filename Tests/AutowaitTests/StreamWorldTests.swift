import Autowait
import AutowaitWorlds
import Testing

/// What holds of every stream: a run is a value, it never runs away, and what is asked for exists.
@Suite struct StreamWorldTests {
  #if DEBUG
  static let batches: Range<UInt64> = 0..<10
  static let batchSize: UInt64 = 25
  #else
  static let batches: Range<UInt64> = 0..<100
  static let batchSize: UInt64 = 400
  #endif

  /// Programmes that went wrong once.
  ///
  /// 37931: the playlist of the sound of another variant was never
  /// loaded, because the picture's next segment had left its own.
  static let found: [UInt64] = [37_931]

  static func world(_ seed: UInt64) -> World {
    var options: RandomWorld.Options = seed % 2 == 0 ? [.all, .streams] : [.all, .streams, .live]
    if seed % 5 == 4 { options.insert(.networks) }
    var world = RandomWorld.world(seed, options)
    if seed % 5 == 4 { world.horizon = min(world.horizon, .start + .seconds(25)) }
    return world
  }

  private static func seeds(of batch: UInt64) -> Range<UInt64> {
    batch * batchSize..<(batch + 1) * batchSize
  }

  @Test(arguments: batches)
  func worldsKeepTheirPromises(_ batch: UInt64) {
    for seed in Self.seeds(of: batch) {
      let world = Self.world(seed)
      var simulation = Simulation(world, keepsRecords: false)
      while simulation.step() == .advanced {
        guard seed % 4 == 0 else { continue }
        for player in world.players.indices {
          if let broken = SnapshotJudge.contradiction(in: simulation.snapshot(of: player)) {
            Issue.record("world \(seed), player \(player), \(simulation.now): \(broken)")
            return
          }
        }
      }
      #expect(simulation.finishReason != .eventLimit, "world \(seed) ran away")
      for player in world.players.indices {
        if let broken = Promises.contradiction(in: simulation.metrics(of: player)) {
          Issue.record("world \(seed), player \(player): \(broken)")
        }
      }
    }
  }

  /// On a good link every programme is watched to its end, and nothing is asked for before it is
  /// there.
  @Test(arguments: batches)
  func liveProgrammesAreWatchedToTheirEnd(_ batch: UInt64) throws {
    for seed in Self.found + Self.seeds(of: batch) {
      let world = RandomStreamMedia.live(seed)
      let run = Simulation.run(of: world)
      #expect(run.finishReason == .settled, "world \(seed)")
      #expect(run.metrics(of: 0).playedToEndCount == 1, "world \(seed)")
      let streamMedia = try #require(world.players[0].media[0].streamMedia)
      let window = try #require(streamMedia.live)
      for record in run.log.records {
        guard case .segmentRequest(_, _, let list, let segment?) = record.event else { continue }
        let edge =
          window.elapsed.nanoseconds + record.instant.nanoseconds
          - window.publishDelay.nanoseconds
        let segments = streamMedia.lists[Int(list)]
        let end =
          window.partDuration == nil
          ? segments.end(of: Int(segment)) : segments.start(of: Int(segment))
        #expect(end.nanoseconds <= edge, "world \(seed), \(record.instant)")
      }
    }
  }

  /// Copies, pieces and looking change nothing.
  @Test(arguments: batches)
  func runsAreValues(_ batch: UInt64) {
    for seed in Self.seeds(of: batch) where seed % 4 != 3 {
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
      #expect(pieces.log.records == whole.log.records, "world \(seed)")
      #expect(fork.fingerprint == whole.fingerprint, "world \(seed)")
      #expect(pieces.finishReason == whole.finishReason, "world \(seed)")
    }
  }

  /// Every request has exactly one end at most, and none is made twice at a time.
  @Test(arguments: batches)
  func requestsHaveOneEnd(_ batch: UInt64) {
    for seed in Self.seeds(of: batch) {
      let run = Simulation.run(of: Self.world(seed))
      var open: [Int] = []
      for record in run.log.records {
        switch record.event {
        case .playlistRequest(let transfer, _, _), .contentKeyRequest(let transfer, _, _),
          .segmentRequest(let transfer, _, _, _), .mediaRequest(let transfer, _, _):
          open.append(transfer)
        case .mediaRequestCompleted(let transfer, _), .mediaRequestCancelled(let transfer, _),
          .mediaRequestFailed(let transfer, _, _):
          #expect(open.contains(transfer), "world \(seed), \(record.instant): ended twice")
          open.removeAll { $0 == transfer }
        default: break
        }
      }
    }
  }
}
