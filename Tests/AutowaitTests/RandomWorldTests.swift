import Autowait
import AutowaitWorlds
import Testing

/// What holds in every world, looked at after every event.
@Suite struct RandomWorldTests {
  #if DEBUG
  static let batches: Range<UInt64> = 0..<20
  static let batchSize: UInt64 = 100
  #else
  static let batches: Range<UInt64> = 0..<100
  static let batchSize: UInt64 = 1_000
  #endif

  /// No precondition fails, no run runs away, and no snapshot contradicts itself.
  @Test(arguments: batches)
  func worldsKeepTheirPromises(_ batch: UInt64) {
    for seed in batch * Self.batchSize..<(batch + 1) * Self.batchSize {
      let world = RandomWorld.world(seed)
      var simulation = Simulation(world, keepsRecords: false)
      var before = Instant.start
      while simulation.step() == .advanced {
        #expect(simulation.now >= before, "world \(seed): time went back")
        before = simulation.now
        guard seed % 8 == 0 else { continue }
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
}

/// What no metrics may say.
enum Promises {
  static func contradiction(in metrics: PlayerMetrics) -> String? {
    let booked = TimeAccount.allCases.reduce(TimeSpan.zero) { $0 + metrics.time($1) }
    if booked != metrics.wallTime { return "the accounts of time do not add up" }
    let log = metrics.accessLog
    if log.map(\.numberOfStalls).reduce(0, +) != metrics.stallCount {
      return "the access log counts \(log.map(\.numberOfStalls)), not \(metrics.stallCount) stalls"
    }
    if metrics.playbackDuration != log.reduce(TimeSpan.zero, { $0 + $1.durationWatched }) {
      return "the access log's periods are not what was watched"
    }
    return nil
  }
}
