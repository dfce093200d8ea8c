import Autowait
import AutowaitReference
import Testing

/// Sessions of Pensieve whose times can be told without a computer.
@Suite struct PensieveSessionTests {
  /// Segments of four seconds in two qualities, of 475 kB and 950 kB: 4 and 8 s of 1 Mbit/s, of
  /// which 0.95 is media.
  static func setup(
    _ rows: [(time: Double, megabits: Double)], _ rule: SegmentRulePolicy.Rule, count: Int = 4
  ) -> PensieveSetup {
    let sizes = (0...count).flatMap { _ -> [Double] in [3_800_000, 7_600_000] }
    let ladder = RuleLadder(
      segmentDuration: 4_000, bitRates: [950, 1_900], count: count, sizes: sizes)
    return PensieveSetup(
      ladder, over: rows.map { PensieveSetup.RateRow(time: $0.time, megabits: $0.megabits) },
      rule: SegmentRulePolicy(rule))
  }

  static func near(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-6 }

  @Test func latencyIsAddedAndNotSpent() {
    var session = PensieveSession(Self.setup([(0, 9), (1_000, 1)], .fixed(0)))
    let outcome = session.run()
    // Each segment takes 4.08 s and brings 4: the first is startup, the others stall 80 ms each.
    #expect(Self.near(outcome.startup, 4_080))
    #expect(Self.near(outcome.stalled, 240))
    #expect(outcome.stalls == 3 && outcome.ownStalls == 4)
    #expect(Self.near(outcome.ownStalled, 4_320))
    #expect(Self.near(outcome.total, 16_320))
    #expect(Self.near(outcome.linkClock, 16_000))
  }

  @Test func latencyCanBeSpent() {
    var setup = Self.setup([(0, 9), (1_000, 1)], .fixed(0))
    setup.spendsLatency = true
    var session = PensieveSession(setup)
    let outcome = session.run()
    #expect(Self.near(outcome.linkClock, 16_320))
    #expect(Self.near(outcome.total, 16_320))
  }

  /// A row's rate holds up to its time; the trace starts again with its second row.
  @Test func rowsHoldUpToTheirTimes() {
    // 3 s of 1 Mbit/s, 1 s of nothing: a segment of 4 s of work takes 5, then 5, then 5.
    var session = PensieveSession(Self.setup([(0, 77), (3, 1), (4, 0)], .fixed(0), count: 3))
    let downloads = session.run()
    #expect(Self.near(downloads.startup, 5_080))
    #expect(Self.near(downloads.total - downloads.startup, 5_000 + 6_000 + 160))
  }

  /// Above 60 s the player sleeps half seconds until it is there or below.
  @Test func fullBuffersSleep() {
    var session = PensieveSession(
      Self.setup([(0, 9), (1_000, 100)], .fixed(0), count: 20), keepsDownloads: true)
    let outcome = session.run()
    // Each takes 120 ms and brings 4 s: after 16 there are 62.2 s, of which 2.5 s are slept.
    #expect(Self.near(session.downloads[14].levelAfter, 60_000 - 14 * 120))
    #expect(Self.near(session.downloads[15].levelAfter, 64_000 - 15 * 120 - 2_500))
    #expect(session.downloads.dropFirst(15).allSatisfy { $0.levelAfter <= 60_000 })
    #expect(outcome.stalled == 0)
    // A sleep within a row is told whole by the peer too.
    #expect(outcome.ownTotal == outcome.total)
  }

  /// The peer's log says only what a sleep had left in its last row.
  @Test func ownClockLosesSleeps() {
    let rows = (0..<200).map { (time: Double($0) * 0.3, megabits: 100.0) }
    var session = PensieveSession(Self.setup(rows, .fixed(0), count: 40))
    let outcome = session.run()
    #expect(outcome.ownTotal < outcome.total - 10_000)
  }

  @Test func deadNetworksEnd() {
    for rows in [[(0, 1), (5, 0)], [(0, 1), (0, 9)]] as [[(Double, Double)]] {
      var session = PensieveSession(
        Self.setup(rows.map { (time: $0.0, megabits: $0.1) }, .fixed(0)))
      #expect(session.run().isEndless)
    }
  }

  /// With a network that brings just the second quality a plan stays there; errors make it careful.
  @Test func plansLookAhead() {
    let steady = Self.planned(.predictive, throughputs: Array(repeating: 1_100, count: 40))
    #expect(steady.suffix(20).allSatisfy { $0 == 1 || $0 == 2 })
    let wild = (0..<40).map { $0 % 2 == 0 ? 600.0 : 5_000 }
    let plain = Self.planned(.predictive, throughputs: wild).reduce(0, +)
    let robust = Self.planned(.robustPredictive, throughputs: wild).reduce(0, +)
    #expect(robust < plain)
  }

  /// A session of the other simulator over a second-by-second network.
  static func planned(_ rule: SegmentRulePolicy.Rule, throughputs: [Double]) -> [Int] {
    let rows = ([0] + throughputs).enumerated().map {
      PensieveSetup.RateRow(time: Double($0.offset) * 5, megabits: $0.element / 1_000)
    }
    let rates = [500.0, 1_000, 2_000, 4_000]
    let ladder = RuleLadder(
      segmentDuration: 4_000, bitRates: rates, count: 40,
      sizes: (0..<41).flatMap { _ in rates.map { $0 * 4_000 } })
    var session = PensieveSession(
      PensieveSetup(ladder, over: rows, rule: SegmentRulePolicy(rule)))
    return session.run().qualities.map { Int($0) }
  }
}
