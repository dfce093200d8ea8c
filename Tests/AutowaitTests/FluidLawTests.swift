import Autowait
import Testing

/// Laws of the fluid tier, over drawn links and requests.
@Suite struct FluidLawTests {
  /// A drawn link with what is asked of it.
  private struct Drawn {
    var down: [LinkTrack.Sample] = []
    var up = LinkTrack(rate: .zero)
    var queue = LinkQueue.unlimited
    var policy = TransportPolicy()
    var sizes: [ByteCount] = []
    var idle: [Int64] = []

    init(_ seed: UInt64, isSteady: Bool, senders: [TransportPolicy.CongestionControl]) {
      var stream = RandomStream(seed: seed, component: "test", purpose: "fluid")
      func draw(_ bound: Int64) -> Int64 { Int64(stream.next(below: UInt64(bound))) }
      func one<Value>(of values: [Value]) -> Value { values[Int(draw(Int64(values.count)))] }
      let scale: Int64 = one(of: [300_000, 3_000_000, 30_000_000])
      let delay = TimeSpan.milliseconds(one(of: [1, 10, 50, 200]))
      let rate = { scale / 10 + draw(scale) }
      let steady = rate()
      var start: Int64 = 0
      for _ in 0..<(isSteady ? 1 : 1 + draw(8)) {
        let isOut = !isSteady && draw(6) == 0
        down.append(
          LinkTrack.Sample(
            start: TimeSpan(nanoseconds: start),
            rate: BitRate(bitsPerSecond: isOut ? 0 : isSteady ? steady : rate()), delay: delay))
        start += 50_000_000 + draw(2_000_000_000)
      }
      if down[down.count - 1].rate == .zero {
        down[down.count - 1].rate = BitRate(bitsPerSecond: scale)
      }
      up = LinkTrack(rate: BitRate(bitsPerSecond: scale), delay: delay)
      policy.congestionControl = one(of: senders)
      policy.tls = one(of: TransportPolicy.TLS.allCases)
      policy.http = one(of: TransportPolicy.HTTP.allCases)
      policy.isPaced = draw(2) == 0
      policy.requestTimeout = nil
      for _ in 0..<3 {
        sizes.append(ByteCount(bytes: 1 + draw(one(of: [2_000, 100_000, 3_000_000]))))
        idle.append(one(of: [0, 1_000, 400_000, 3_000_000]))
      }
    }

    func outcomes(on samples: [LinkTrack.Sample], first count: Int = 1) -> [TransferOutcome] {
      var link = LinkProfile(
        down: LinkDirection(LinkTrack(samples)), up: LinkDirection(up))
      link.down.queue = queue
      return FluidFixture.run(Array(sizes.prefix(count)), idle: idle, on: link, policy)
    }
  }

  private func check(_ drawn: Drawn, _ seed: UInt64, _ test: String = #function) {
    guard let slow = drawn.outcomes(on: drawn.down)[0].times.completed else {
      Issue.record("\(law(seed, test)): the request did not end")
      return
    }
    for change in 0..<3 {
      let better = drawn.down.enumerated().map { place, sample in
        var better = sample
        let rate = sample.rate.bitsPerSecond
        switch change {
        case 0: better.rate.bitsPerSecond += (place + Int(seed)) % 2 == 0 ? 100_003 : 0
        case 1: better.rate.bitsPerSecond = rate + rate / Int64(1 + seed % 7)
        default: better.delay = TimeSpan(nanoseconds: sample.delay.nanoseconds * 2 / 3)
        }
        return better
      }
      let fast = drawn.outcomes(on: better)[0].times.completed ?? .never
      // A nanosecond: shares are rounded.
      #expect(
        fast.nanoseconds <= slow.nanoseconds + 1, "\(law(seed, test)): change \(change)")
    }
  }

  /// More rate at any time, and less delay, never make a response later.
  ///
  /// That holds for a sender that obeys what it is told. A CUBIC sender leaves slow start by what
  /// it guesses of the path, and a pacing one goes by an old round trip: on a link that grows
  /// later, a better start can end in a smaller window. So it is with the real ones.
  @Test func betterIsNeverLater() {
    for seed in LawWorlds.numbers(150) {
      var drawn = Drawn(seed, isSteady: false, senders: [.reno, .none])
      drawn.policy.isPaced = false
      check(drawn, seed)
    }
  }

  /// On a link of one rate it holds for every sender.
  @Test func betterIsNeverLaterOnASteadyLink() {
    for seed in LawWorlds.numbers(150) {
      check(Drawn(seed, isSteady: true, senders: [.cubic, .reno, .none]), seed)
    }
  }

  /// A track that is cut in two is the same track, to the nanosecond.
  @Test func cutTrackIsTheWholeTrack() {
    for seed in LawWorlds.numbers(100) {
      let drawn = Drawn(seed, isSteady: false, senders: [.cubic, .reno, .none])
      let pieces = drawn.down.flatMap { sample in
        var second = sample
        second.start.nanoseconds += 17_654_321
        return [sample, second]
      }
      #expect(
        drawn.outcomes(on: drawn.down, first: 3) == drawn.outcomes(on: pieces, first: 3),
        law(seed))
    }
  }

  /// The steps of a request come in their order, and its tenths ascend to its end.
  @Test func stepsAreInOrder() {
    for seed in LawWorlds.numbers(100) {
      let drawn = Drawn(seed, isSteady: seed % 2 == 0, senders: [.cubic, .reno, .none, .bbr])
      for outcome in drawn.outcomes(on: drawn.down, first: 3) {
        let times = outcome.times
        let steps =
          [
            times.opened, times.nameResolved, times.connected, times.secured, times.sent,
            times.firstByte,
          ].compactMap(\.self) + outcome.tenths
        #expect(steps == steps.sorted(), law(seed))
        #expect(outcome.tenths.count == 10, law(seed))
        #expect(outcome.tenths.last == times.completed, law(seed))
      }
    }
  }

  /// A request costs at most fifteen events beside the link's own, and one where its sender begins
  /// to pace.
  ///
  /// That is a path of 640 packets: each doubling of the window beyond costs two more.
  @Test func eventsAreFew() {
    for (rate, delay, size): (Int64, Int64, Int64) in [
      (240_000, 400, 500_000), (780_000, 100, 4_000_000), (5_000_000, 40, 4_000_000),
      (20_000_000, 100, 4_000_000), (50_000_000, 57, 20_000_000), (250_000_000, 1, 20_000_000),
    ] {
      for isPaced in [false, true] {
        var policy = TransportPolicy()
        policy.isPaced = isPaced
        policy.tls = .tls13
        let request = TransferRequest(size: ByteCount(bytes: size))
        let link = FluidFixture.link(
          down: (rate, delay), up: (rate, delay), queue: .packets(2_000))
        let plan = TransferPlan(flows: [.init(steps: [.init(request)])])
        let report = TransferTrial(plan, on: [link], policy: policy, tier: .fluid)
          .run(to: Demo.seconds(1_000))
        #expect(report.outcomes[0][0].times.completed != nil)
        #expect(report.eventCount <= 15 + (isPaced ? 1 : 0), "\(rate) bit/s: \(report.eventCount)")
      }
    }
  }

  /// Flows that start, wait, share and give up on all kinds of links come to their end.
  @Test func crowdsComeToTheirEnd() {
    for seed in LawWorlds.numbers(60) {
      var stream = RandomStream(seed: seed, component: "test", purpose: "crowd")
      let drawn = Drawn(seed, isSteady: false, senders: TransportPolicy.CongestionControl.allCases)
      var policy = drawn.policy
      policy.connectionsPerHost = 1 + Int(stream.next(below: 3))
      let flows = (0..<4).map { _ in
        TransferPlan.Flow(
          start: Instant(nanoseconds: Int64(stream.next(below: 3_000_000_000))),
          steps: drawn.sizes.map { size in
            var request = TransferRequest(size: size)
            request.priority = Int(stream.next(below: 2))
            var step = TransferPlan.Step(request)
            step.isConcurrent = stream.next(below: 2) == 0
            if stream.next(below: 3) == 0 {
              step.patience = TimeSpan(nanoseconds: Int64(stream.next(below: 2_000_000_000)))
            }
            return step
          })
      }
      var link = LinkProfile(
        down: LinkDirection(LinkTrack(drawn.down)), up: LinkDirection(drawn.up))
      link.events = [
        LinkEvent(
          at: .seconds(1),
          .handover(
            .init(gap: .seconds(1), flushesQueue: true, endsConnections: seed % 2 == 0)))
      ]
      let outcomes = FluidFixture.run(TransferPlan(flows: flows), on: [link], policy)
      for (flow, all) in zip(flows, outcomes) {
        #expect(all.count == flow.steps.count, law(seed))
        for (step, outcome) in zip(flow.steps, all) where step.patience == nil {
          #expect(outcome.total != nil || outcome.failure != nil, law(seed))
        }
      }
    }
  }

  /// What was in flight of a request that is given up still takes the link.
  @Test func givingUpHasAPrice() throws {
    let slow = FluidFixture.link(down: (1_200_000, 50), up: (8_000_000, 50), queue: .unlimited)
    var policy = FluidFixture.policy
    var ends: [TransportPolicy.HTTP: Int64] = [:]
    for http in [TransportPolicy.HTTP.http1, .http2] {
      policy.http = http
      var first = TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 1_000_000)))
      first.patience = .seconds(3)
      let next = TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 1_000)))
      let outcomes = FluidFixture.run(
        TransferPlan(flows: [.init(steps: [first, next])]), on: [slow], policy)[0]
      #expect(outcomes[0].times.completed == nil)
      #expect((outcomes[1].times.connected != nil) == (http == .http1))
      ends[http] = try #require(outcomes[1].total).nanoseconds / 1_000_000
    }
    // A request on an idle link takes 0.11 s, and the handshake 0.1 s.
    #expect(try #require(ends[.http2]) > 250)
    #expect(try #require(ends[.http1]) > 350)
  }
}
