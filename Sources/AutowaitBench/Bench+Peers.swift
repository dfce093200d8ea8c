import Autowait
import AutowaitReference
import AutowaitScenario

/// What a session of another simulator costs, decided by its rules.
extension Bench {
  /// Measures sessions of 199 segments by Sabre's rules, and 48 by Pensieve's player.
  ///
  /// How they compare with Sabre itself is measured in one run with it, by
  /// `autowait-accuracy --sabre`.
  mutating func measurePeers(_ writer: inout JSONWriter, rounds: Int) {
    writer.object("sabreSession") { writer in
      writer.field("segments", Int64(199))
      let rows: [(key: String, rule: SegmentRulePolicy.Rule, abandons: Bool)] = [
        ("throughput", .throughput, false), ("throughputWithAbandonment", .throughput, true),
        ("bola", .bola, false), ("bolaWithAbandonment", .bola, true),
        ("bolaE", .bolaE, false), ("bolaEWithAbandonment", .bolaE, true),
        ("dynamic", .dynamic, false), ("dynamicWithAbandonment", .dynamic, true),
      ]
      for row in rows {
        var setup = Workloads.sabreSession
        setup.rule = SegmentRulePolicy(row.rule)
        setup.abandons = row.abandons
        writer.object(text: row.key) { writer in
          writer.field("sessionsPerSecond", sessionsPerSecond(setup, rounds: rounds))
        }
      }
    }
    writer.object("pensieveSession") { writer in
      writer.field("segments", Int64(48))
      let setup = Workloads.pensieveSession
      let count = 200
      let time = Stopwatch.best(of: rounds) {
        for _ in 0..<count {
          var session = PensieveSession(setup)
          absorb(session.run().total.bitPattern)
        }
      }
      writer.field("sessionsPerSecond", Int64(count) * 1_000_000_000 / time)
    }
  }

  /// The sessions that one core plays in a second.
  private mutating func sessionsPerSecond(_ setup: SabreSetup, rounds: Int) -> Int64 {
    let count = 100
    let time = Stopwatch.best(of: rounds) {
      for _ in 0..<count {
        var session = SabreSession(setup)
        absorb(session.run().total.bitPattern)
      }
    }
    return Int64(count) * 1_000_000_000 / time
  }
}

extension Workloads {
  /// A film of 199 segments of three seconds in ten qualities, over ten minutes of rows of a second
  /// between 0.1 and 5 Mbit/s that start again, with a latency of 100 ms.
  static let sabreSession: SabreSetup = {
    var stream = RandomStream(seed: 1, component: "bench", purpose: "sabre")
    let rates = [230.0, 331, 477, 688, 991, 1_427, 2_056, 2_962, 5_027, 6_000]
    var sizes: [Double] = []
    for _ in 0..<199 {
      let thousandths = Double(700 + stream.next(below: 600))
      sizes += rates.map { $0 * 3 * thousandths }
    }
    let ladder = RuleLadder(segmentDuration: 3_000, bitRates: rates, count: 199, sizes: sizes)
    let rows = (0..<600).map { _ in
      SabreRow(
        duration: 1_000, bandwidth: Double(100 + stream.next(below: 4_900)), latency: 100)
    }
    return SabreSetup(ladder, over: rows, rule: SegmentRulePolicy(.throughput))
  }()

  /// 48 segments of four seconds in six qualities over the same network, by the buffer alone.
  static let pensieveSession: PensieveSetup = {
    let rates = [300.0, 750, 1_200, 1_850, 2_850, 4_300]
    let sizes = (0..<48).flatMap { _ in rates.map { $0 * 4_000 } }
    let ladder = RuleLadder(segmentDuration: 4_000, bitRates: rates, count: 48, sizes: sizes)
    let rows = sabreSession.rows.enumerated().map { index, row in
      PensieveSetup.RateRow(time: Double(index), megabits: row.bandwidth / 1_000)
    }
    return PensieveSetup(ladder, over: rows, rule: SegmentRulePolicy(.bufferBased))
  }()
}
