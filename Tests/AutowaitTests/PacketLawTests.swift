import Autowait
import Testing

/// Laws that hold for every link of packets: nothing vanishes, copies fork, chance is a flow's own.
@Suite struct PacketLawTests {
  private static func below(_ bound: UInt64, _ stream: inout RandomStream) -> Int64 {
    Int64(stream.next(below: bound))
  }

  private static func direction(_ stream: inout RandomStream) -> LinkDirection {
    let rate = BitRate(bitsPerSecond: 300_000 + below(20_000_000, &stream))
    let delay = TimeSpan.milliseconds(below(120, &stream))
    var samples = [LinkTrack.Sample(rate: rate, delay: delay)]
    if below(2, &stream) == 0 {
      let pause = BitRate(bitsPerSecond: below(2, &stream) * rate.bitsPerSecond / 3)
      samples.append(.init(start: .seconds(1), rate: pause, delay: delay))
      samples.append(.init(start: .seconds(2), rate: rate, delay: delay))
    }
    var direction = LinkDirection(LinkTrack(samples))
    let queues: [LinkQueue] = [
      .automatic, .packets(20), .bytes(ByteCount(bytes: 60_000)), .time(.milliseconds(200)),
      .unlimited,
    ]
    direction.queue = queues[Int(below(5, &stream))]
    let losses: [LossModel] = [
      .none, .bernoulli(Probability(billionths: 20_000_000)), .everyNth(40),
      .packets([3, 9, 10, 50]),
      .gilbertElliott(
        BurstLoss(
          fromGoodToBad: Probability(billionths: 5_000_000),
          fromBadToGood: Probability(billionths: 300_000_000))),
      .measured(Probability(billionths: 10_000_000), seed: 7),
    ]
    direction.loss = losses[Int(below(6, &stream))]
    if below(3, &stream) == 0 {
      let shapes: [Jitter.Distribution] = [.uniform, .normal, .pareto, .paretoNormal]
      direction.jitter = Jitter(
        deviation: .milliseconds(5), distribution: shapes[Int(below(4, &stream))],
        keepsOrder: below(2, &stream) == 0)
    }
    if below(4, &stream) == 0 {
      direction.reorder = Reordering(chance: Probability(billionths: 50_000_000))
    }
    if below(4, &stream) == 0 { direction.duplicate = Probability(billionths: 20_000_000) }
    return direction
  }

  /// A link and flows drawn from a seed, with everything that a link can do.
  private static func plan(seed: UInt64) -> TransferTrial {
    var stream = RandomStream(seed: seed, component: "packets", purpose: "plan")
    var link = LinkProfile(down: direction(&stream), up: direction(&stream))
    let drops: [LinkEvent.Dropped] = [.nothing, .new, .inFlight, .both]
    if below(2, &stream) == 0 {
      link.events.append(
        LinkEvent(
          at: .milliseconds(700),
          .blackout(.milliseconds(900), drops: drops[Int(below(4, &stream))])))
    }
    if below(3, &stream) == 0 {
      link.events.append(
        LinkEvent(
          at: .seconds(3),
          .handover(
            .init(
              gap: .milliseconds(300), flushesQueue: below(2, &stream) == 0,
              endsConnections: below(2, &stream) == 0, link: 1))))
    }
    let other = LinkProfile(down: direction(&stream), up: direction(&stream))
    let flows = (0..<(1 + below(3, &stream))).map { _ in
      var flow = TransferPlan.Flow(steps: [])
      for _ in 0..<(1 + below(4, &stream)) {
        let isEmpty = below(5, &stream) == 0
        var step = TransferPlan.Step(
          size: ByteCount(bytes: isEmpty ? 0 : 1 + below(300_000, &stream)))
        step.idle = .milliseconds(below(900, &stream))
        if below(4, &stream) == 0 {
          step.request.serverDelay = .milliseconds(below(3_000, &stream))
        }
        step.isConcurrent = below(3, &stream) == 0
        step.request.priority = Int(below(2, &stream))
        if below(5, &stream) == 0 { step.patience = .milliseconds(400) }
        if below(5, &stream) == 0 {
          step.suspendedAfter = .milliseconds(300)
          step.suspension = .seconds(2)
        }
        flow.steps.append(step)
      }
      return flow
    }
    var plan = TransferTrial(links: [link, other], flows: flows, seed: seed)
    let kinds = TransportPolicy.CongestionControl.allCases
    plan.policy.congestionControl = kinds[Int(below(UInt64(kinds.count), &stream))]
    plan.policy.http = TransportPolicy.HTTP.allCases[Int(below(3, &stream))]
    plan.policy.tls = TransportPolicy.TLS.allCases[Int(below(5, &stream))]
    plan.policy.isPaced = below(2, &stream) == 0
    plan.policy.serverDelay = .milliseconds(below(30, &stream))
    plan.changes = [LinkChange(at: Instant(nanoseconds: 5_000_000_000), link: 1)]
    return plan
  }

  /// Every request ends, whole, cancelled or failed; the network itself asserts conservation.
  @Test(arguments: LawWorlds.numbers(40)) func everyRequestEnds(seed: UInt64) {
    let plan = Self.plan(seed: seed)
    let report = plan.run()
    for (flow, downloads) in zip(plan.plan.flows, report.outcomes) {
      #expect(downloads.count == flow.steps.count, law(seed))
      for (step, download) in zip(flow.steps, downloads) {
        let isWhole = download.delivered == step.request.size && download.times.completed != nil
        #expect(isWhole || download.isCancelled || download.failure != nil, law(seed))
      }
    }
    for counts in [report.down, report.up].compactMap({ $0 }) {
      #expect(counts.lost + counts.dropped + counts.delivered <= counts.offered, law(seed))
    }
  }

  /// A run that stops anywhere and goes on, or whose copy does, is the same run.
  @Test(arguments: LawWorlds.numbers(12)) func copiesFork(seed: UInt64) {
    let plan = Self.plan(seed: seed)
    let whole = plan.run()
    var run = TransferRun(plan)
    for millisecond: Int64 in [1, 90, 350, 777, 1_300, 2_999, 5_000, 9_000] {
      run.advance(to: Instant(nanoseconds: millisecond * 1_000_000))
      var fork = run
      fork.advance(to: .never)
      #expect(fork.report == whole, law(seed))
    }
    run.advance(to: .never)
    #expect(run.report == whole, law(seed))
  }

  /// Another flow does not change what happens to this one, on a link with room for all.
  @Test(arguments: [
    LossModel.bernoulli(Probability(billionths: 30_000_000)),
    .gilbertElliott(
      BurstLoss(
        fromGoodToBad: Probability(billionths: 10_000_000),
        fromBadToGood: Probability(billionths: 250_000_000))),
  ])
  func lossesAreOwn(loss: LossModel) {
    for seed: UInt64 in 0..<10 {
      var link = LinkProfile(
        down: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(30))),
        up: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(30))))
      link.down.loss = loss
      link.up.loss = loss
      let flow = TransferPlan.Flow(steps: [.init(size: ByteCount(bytes: 200_000))])
      var plan = TransferTrial(links: [link], flows: [flow], seed: seed)
      let alone = plan.run().outcomes[0]
      plan.plan.flows.append(
        TransferPlan.Flow(
          start: Instant(nanoseconds: 10_007_001),
          steps: [.init(size: ByteCount(bytes: 300_000))]))
      #expect(plan.run().outcomes[0][0].times.connected == alone[0].times.connected)
      #expect(plan.run().outcomes[0][0].delivered == alone[0].delivered)
      plan.seed = seed + 1_000
      #expect(plan.run().outcomes[0] != alone || seed > 0)
    }
  }

  /// Two flows that do the same do not meet the same losses, nor does one under another seed.
  @Test func lossesDiffer() {
    var link = LinkProfile(
      down: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(30))),
      up: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(30))))
    link.down.loss = .bernoulli(Probability(billionths: 100_000_000))
    let flow = TransferPlan.Flow(steps: [.init(size: ByteCount(bytes: 200_000))])
    var alike = 0
    var before: Int64?
    for seed: UInt64 in 0..<10 {
      let plan = TransferTrial(links: [link], flows: [flow, flow], seed: seed)
      // In steps of 10 ms: packets that wait for each other make less of a difference.
      let ends = plan.run().outcomes.map { ($0[0].times.completed?.nanoseconds ?? 0) / 10_000_000 }
      if ends[0] == ends[1] { alike += 1 }
      if ends[0] == before { alike += 1 }
      before = ends[0]
    }
    #expect(alike < 3)
  }

  /// More bandwidth or less delay never ends a transfer later that no window holds back.
  @Test func moreIsNeverLater() {
    func end(_ rate: Int64, _ delay: Int64, _ size: Int64) -> Instant {
      var link = LinkProfile(
        down: LinkDirection(
          LinkTrack(rate: BitRate(bitsPerSecond: rate), delay: .milliseconds(delay))),
        up: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(delay))))
      link.down.queue = .unlimited
      var plan = TransferTrial(
        links: [link], flows: [.init(steps: [.init(size: ByteCount(bytes: size))])])
      plan.policy.congestionControl = .none
      plan.policy.receiveWindow = ByteCount(bytes: 100_000_000)
      plan.policy.isPaced = false
      return plan.run().outcomes[0][0].times.completed ?? .never
    }
    var stream = RandomStream(seed: 3, component: "packets", purpose: "monotone")
    for _ in 0..<25 {
      let rate = 500_000 + Self.below(50_000_000, &stream)
      let delay = Self.below(100, &stream)
      let size = 1_000 + Self.below(400_000, &stream)
      let base = end(rate, delay, size)
      #expect(end(rate + 1 + Self.below(5_000_000, &stream), delay, size) <= base)
      #expect(end(rate, delay + 1, size) >= base)
    }
  }

  /// A link that stands still and loses nothing costs what it stands still, if no timer notices.
  @Test func standingStillCostsItsTime() throws {
    var link = LinkProfile(
      down: LinkDirection(
        LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000), delay: .milliseconds(20))),
      up: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(20))))
    link.down.queue = .unlimited
    var plan = TransferTrial(
      links: [link], flows: [.init(steps: [.init(size: ByteCount(bytes: 1_000_000))])])
    plan.policy.congestionControl = .none
    plan.policy.receiveWindow = ByteCount(bytes: 100_000_000)
    plan.policy.isPaced = false
    plan.policy.usesDNSLookup = false
    let base = try #require(plan.run().outcomes[0][0].times.completed)
    plan.links[0].events = [
      LinkEvent(at: .milliseconds(500), .blackout(.milliseconds(100), drops: .nothing))
    ]
    let held = try #require(plan.run().outcomes[0][0].times.completed)
    #expect(held - base == .milliseconds(100))
  }
}
