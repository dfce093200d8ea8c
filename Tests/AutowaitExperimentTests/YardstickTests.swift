import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// The best that was possible, and how far rules are from it.
@Suite struct YardstickTests {
  @Test func theDemoWaitsNoLessThanItsNetworkAsks() throws {
    let plan = try Bench.plan(
      Bench.experiment(#""heuristic": ["avfoundation", "media3", "mpv"]"#))
    let rows = Bench.rows(plan)
    // 39 s * 373 / 320 - 39 s, the wait that no rule can be without.
    let best: Int64 = 6_459_375_000
    for row in rows { #expect(abs((row.yardstick ?? 0) - best) <= 1) }
    #expect(abs((rows[0].excessWait ?? -1)) <= 2)
    #expect(rows[0].stallCount == 0)
    // media3 waits 1.17 s, stalls three times for 6.99 s.
    #expect(rows[1].stallCount == 3)
    #expect(rows[1].avoidableStalls == 3)
    #expect(abs((rows[1].excessWait ?? 0) - 1_700_000_000) < 10_000_000)
    #expect(rows[2].stallCount == 6)
  }

  @Test func aNetworkThatNeverDeliversHasNoYardstick() throws {
    let plan = try Bench.plan(Bench.experiment(#""link": "demo/offline""#))
    let row = try #require(Bench.rows(plan).first)
    #expect(row.yardstick == nil)
    #expect(row.excessWait == nil)
    #expect(row.outcome == .neverStarted)
  }
}
