import Autowait
import AutowaitWorlds
import Testing

/// What holds in every world, looked at after every event.
@Suite struct RandomWorldTests {
  static let batches = LawWorlds.batches(800, release: 20_000, of: 100)

  /// No precondition fails, no run runs away, and no snapshot contradicts itself.
  @Test(arguments: batches)
  func worldsKeepTheirPromises(_ batch: Range<UInt64>) {
    for seed in batch {
      let world = LawWorlds.world(seed)
      var simulation = Simulation(world, keepsRecords: false)
      var before = Instant.start
      while simulation.step() == .advanced {
        #expect(simulation.now >= before, law(seed))
        before = simulation.now
        guard seed % 8 == 0 else { continue }
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

  /// A law that does not hold says which it is, in which world, and how to run that one alone.
  @Test func aBrokenLawNamesItsWorld() {
    #expect(
      law(17, "runInPiecesIsTheRun(_:)", file: "AutowaitTests/ForkLawTests.swift").rawValue == """
        law ForkLawTests/runInPiecesIsTheRun does not hold in world 17; \
        again: AUTOWAIT_WORLD=17 swift test --filter ForkLawTests/runInPiecesIsTheRun
        """)
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
    if metrics.mediaPlayed != log.reduce(MediaTime.zero, { $0 + $1.durationWatched }) {
      return "the access log's entries are not what was watched"
    }
    return nil
  }
}
