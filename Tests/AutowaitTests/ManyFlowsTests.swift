import Autowait
import Testing

/// Many flows on one ideal link, beside a judge that divides it in fractions.
@Suite struct ManyFlowsTests {
  /// When each flow begins, in seconds, and the bits of its responses, one after another.
  private struct Drawn {
    var flows: [(start: Double, bits: [Double])] = []
    var rate: Int64

    init(_ seed: UInt64) {
      var stream = RandomStream(seed: seed, component: "test", purpose: "many flows")
      func draw(_ count: Int) -> Int { Int(stream.next(below: UInt64(count))) }
      rate = Int64(1 + draw(20)) * 1_000_000
      flows = (0..<3 + draw(40)).map { _ in
        let start = Double(draw(3_000)) / 1_000
        // Sizes that are alike end at one instant, and others close together.
        return (start, (0..<1 + draw(5)).map { _ in Double((1 + draw(40)) * 8_000 + draw(2) * 8) })
      }
    }

    /// When each response has come, in seconds.
    var ends: [[Double]] {
      var ends: [[Double]] = flows.map { _ in [] }
      var left = flows.map(\.bits[0])
      var now = 0.0
      while let next = flows.indices.filter({ ends[$0].count < flows[$0].bits.count }).map({
        max(now, flows[$0].start)
      }).min() {
        now = max(now, next)
        let open = flows.indices.filter {
          ends[$0].count < flows[$0].bits.count && flows[$0].start <= now
        }
        let share = Double(rate) / Double(open.count)
        let starts = flows.map(\.start).filter { $0 > now }.min() ?? .infinity
        let first = open.map { left[$0] }.min() ?? 0
        let span = min(first / share, starts - now)
        now += span
        for flow in open {
          left[flow] -= span * share
          if left[flow] > 1e-3 { continue }
          ends[flow].append(now)
          let responses = flows[flow].bits
          if ends[flow].count < responses.count { left[flow] = responses[ends[flow].count] }
        }
      }
      return ends
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func flowsEndWhenFractionsSay(seed: UInt64) throws {
    let drawn = Drawn(seed)
    let flows = drawn.flows.map { flow in
      TransferPlan.Flow(
        start: Instant(nanoseconds: Int64(flow.start * 1e9 + 0.5)),
        steps: flow.bits.map {
          TransferPlan.Step(TransferRequest(size: ByteCount(bytes: Int64($0 / 8))))
        })
    }
    let direction = LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: drawn.rate)))
    let trial = TransferTrial(
      TransferPlan(flows: flows), on: [LinkProfile(down: direction, up: direction)],
      policy: TransportPolicy(), tier: .ideal, seed: 1)
    let outcomes = trial.run().outcomes
    for (flow, ends) in drawn.ends.enumerated() {
      for (step, end) in ends.enumerated() {
        let completed = try #require(outcomes[flow][step].times.completed)
        let error = abs(Double(completed.nanoseconds) / 1e9 - end)
        #expect(error < 1e-6, "response \(step) of flow \(flow) of \(drawn.flows.count): \(end) s")
      }
    }
  }
}
