import Autowait
import Testing

/// Each rule at the thresholds where its mind changes: just below, at, and just above.
@Suite struct SegmentRuleTests {
  /// Segments of four seconds in four qualities.
  static let ladder = RuleLadder(
    segmentDuration: 4_000, bitRates: [500, 1_000, 2_000, 4_000], count: 100,
    sizes: (0..<100).flatMap { _ -> [Double] in
      [2_000_000, 4_000_000, 8_000_000, 16_000_000]
    })

  /// What a rule is asked: the buffered milliseconds, the throughput, and the time.
  typealias Asked = (level: Double, throughput: Double, time: Double)

  /// Questions one after another, and the qualities that are chosen.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var policy: SegmentRulePolicy
    var asked: [Asked]
    var chosen: [Int]
    var latency: Double
    var firstSegment: Int
    var testDescription: String { name }

    init(
      _ name: String, _ policy: SegmentRulePolicy, _ asked: [Asked], _ chosen: [Int],
      latency: Double = 0
    ) {
      (self.name, self.policy, self.asked, self.chosen) = (name, policy, asked, chosen)
      self.latency = latency
      firstSegment = 50
    }
  }

  static func policy(
    _ rule: SegmentRulePolicy.Rule, _ change: (inout SegmentRulePolicy) -> Void = { _ in }
  ) -> SegmentRulePolicy {
    var policy = SegmentRulePolicy(rule)
    change(&policy)
    return policy
  }

  static let unchecked = policy(.throughput) { $0.checksBuffer = false }

  static let rows: [Row] = [
    // 0.9 × 2,222.2 is 2,000.
    Row(
      "throughput: nine tenths of it", unchecked,
      [(20_000, 2_222, 0), (20_000, 2_223, 0), (20_000, 4_444, 0), (20_000, 4_445, 0)],
      [1, 2, 2, 3]),
    // A latency of a second leaves three: 4 s of 2 Mbit/s need 2,963 kbit/s of 0.9.
    Row(
      "throughput: latency costs time", unchecked, [(20_000, 2_962, 0), (20_000, 2_963, 0)],
      [1, 2], latency: 1_000),
    // 0.9 of 2,223 ms at 8 Mbit/s is 16 Mbit: just what a segment of the best quality needs.
    Row("throughput: the buffer does not pay", policy(.throughput), [(2_222, 8_000, 0)], [2]),
    Row("throughput: the buffer pays", policy(.throughput), [(2_223, 8_000, 0)], [3]),
    // The part that is counted on shrinks from 0.9 to 0.81, and to 0.5 in the end.
    Row(
      "throughput: less is counted on each time", policy(.throughput),
      [(2_400, 8_000, 0), (2_400, 8_000, 0), (2_500, 8_000, 0)], [3, 2, 2]),
    Row(
      "throughput: half at least", policy(.throughput),
      (0..<9).map { _ in (4_001.0, 8_000.0, 0.0) }, Array(repeating: 3, count: 9)),
    Row("fixed", policy(.fixed(2)), [(0, 1, 0), (9_000, 9_999, 0)], [2, 2]),
    Row("fixed: beyond the best", policy(.fixed(9)), [(0, 1, 0)], [3]),
    Row(
      "bba: reservoir and cushion", policy(.bufferBased),
      [
        (4_999, 1, 0), (5_000, 1, 0), (8_333, 1, 0), (8_334, 1, 0), (14_999, 1, 0), (15_000, 1, 0),
      ], [0, 0, 0, 1, 2, 3]),
    // Below 10 s of buffer the network decides, whatever BOLA says.
    Row(
      "dynamic: the network decides at ten seconds", policy(.dynamic),
      [(10_000, 9_000, 0)], [3]),
    Row(
      "dynamic-dash: at five and ten seconds", policy(.dynamicDash),
      [(10_000, 9_000, 0), (10_001, 9_000, 0)], [3, 3]),
    // One step above what the network brings at once, and not two.
    Row(
      "bola: climbs to a step above the network", policy(.bola),
      [(24_000, 1_001, 0), (24_000, 900, 0)], [2, 2]),
    Row(
      "bola: waits rather than go to and fro", policy(.bola) { $0.avoidsOscillation = true },
      [(24_000, 1_001, 0)], [1]),
    Row(
      "bola-e: begins with what the network brings", policy(.bolaE),
      [(4_000, 2_001, 0), (4_000, 100, 0)], [2, 0]),
  ]

  @Test(arguments: rows) func choosesAtItsThresholds(_ row: Row) {
    var rule = SegmentRule(row.policy, for: Self.ladder, bufferMax: 25_000)
    let chosen = row.asked.enumerated().map { index, asked in
      var view = RuleView(
        segment: row.firstSegment + index, level: asked.level, throughput: asked.throughput,
        latency: row.latency)
      view.time = asked.time
      return rule.decide(view, Self.ladder).quality
    }
    #expect(chosen == row.chosen)
  }

  @Test func firstQualities() {
    let rows: [(SegmentRulePolicy.Rule, Int)] = [
      (.throughput, 0), (.bola, 0), (.bolaE, 0), (.dynamic, 0), (.dynamicDash, 0),
      (.bufferBased, 1), (.predictive, 1), (.robustPredictive, 1), (.fixed(2), 2),
      (.scripted([3, 1]), 3), (.player(.hlsJS), 0), (.player(.dashJS), 1), (.player(.shaka), 0),
      (.player(.media3), 0), (.player(.vhs), 2),
    ]
    for (rule, quality) in rows {
      let state = SegmentRule(SegmentRulePolicy(rule), for: Self.ladder, bufferMax: 25_000)
      #expect(state.firstQuality(Self.ladder) == quality, "\(rule)")
    }
  }

  /// BOLA's delay where it would rather wait: the level above which its quality has no score.
  @Test func bolaWaitsForItsLevel() {
    let policy = Self.policy(.bola) { $0.avoidsOscillation = true }
    var rule = SegmentRule(policy, for: Self.ladder, bufferMax: 25_000)
    let view = RuleView(segment: 50, level: 24_000, throughput: 1_001, latency: 0)
    let decision = rule.decide(view, Self.ladder)
    let control = 21_000 / (Elementary.ln(8) + 5)
    #expect(decision.quality == 1)
    #expect(abs(decision.delay - (24_000 - control * (Elementary.ln(2) + 5))) < 1e-6)
  }

  /// Two half-lives, of which the one that says less counts: by hand.
  @Test func estimatorsByHand() {
    var means = ThroughputEstimator(.halfLives([1, 2]), segmentDuration: 1_000)
    means.note(time: 1_000, throughput: 1_000, latency: 100)
    #expect(means.throughput == 1_000 && means.latency == 100)
    means.note(time: 1_000, throughput: 4_000, latency: 40)
    // (½ × 500 + ½ × 4,000) ÷ ¾ and (√½ × …): the slower one is less.
    let kept = 0.5.squareRoot()
    let slow = (kept * (1 - kept) * 1_000 + (1 - kept) * 4_000) / 0.5
    #expect(abs(means.throughput - slow) < 1e-9)
    let slowLatency = (kept * (1 - kept) * 100 + (1 - kept) * 40) / 0.5
    #expect(abs(means.latency - slowLatency) < 1e-9)

    var windows = ThroughputEstimator(.windows([1, 3]), segmentDuration: 1_000)
    for throughput in [1_000.0, 2_000, 6_000] {
      windows.note(time: 10, throughput: throughput, latency: throughput / 100)
    }
    #expect(windows.throughput == 3_000 && windows.latency == 60)
    for _ in 0..<40 { windows.note(time: 10, throughput: 500, latency: 1) }
    #expect(windows.throughput == 500 && windows.latency == 1 && windows.count == 43)

    var harmonic = ThroughputEstimator(.harmonic(2), segmentDuration: 1_000)
    for throughput in [9.0, 1_000, 4_000] {
      harmonic.note(time: 10, throughput: throughput, latency: 1)
    }
    #expect(abs(harmonic.throughput - 1_600) < 1e-9)

    var last = ThroughputEstimator(.last, segmentDuration: 1_000)
    for throughput in [9.0, 1_000] { last.note(time: 10, throughput: throughput, latency: 1) }
    #expect(last.throughput == 1_000)
  }

  /// Weights are roots of bytes: 1 of 10,000 bytes weighs as much as 10 of 100.
  @Test func medianWeighsRoots() {
    var median = ThroughputEstimator(.median(weightMax: 200), segmentDuration: 1_000)
    median.note(time: 80, throughput: 1_000, latency: 0)
    for _ in 0..<9 { median.note(time: 8, throughput: 100, latency: 0) }
    #expect(median.throughput == 1_000)
    median.note(time: 16, throughput: 100, latency: 0)
    #expect(median.throughput == 100)
    // Beyond the sum of weights the oldest count no more.
    for _ in 0..<3 { median.note(time: 160, throughput: 500, latency: 0) }
    #expect(median.throughput == 500)
  }
}
