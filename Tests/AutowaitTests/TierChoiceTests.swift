import Autowait
import Testing

/// Which tier models which link, and why.
@Suite struct TierChoiceTests {
  private static let plain = FluidFixture.link(
    down: (5_000_000, 40), up: (5_000_000, 40), queue: .packets(100))
  private static let lte = FluidFixture.link(
    down: (50_000_000, 50), up: (10_000_000, 65), queue: .packets(100))

  /// A link, or what is asked of it, with something about it changed.
  struct Row: Sendable {
    let name: String
    let tier: LinkTier
    let reason: TierChoice.Reason
    var link = TierChoiceTests.plain
    var policy = TransportPolicy()
    var demand = TransferDemand(largest: ByteCount(bytes: 100_000_000))

    init(
      _ name: String, _ tier: LinkTier, _ reason: TierChoice.Reason,
      _ change: (inout Row) -> Void = { _ in }
    ) {
      self.name = name
      self.tier = tier
      self.reason = reason
      change(&self)
    }
  }

  static let rows: [Row] = [
    Row("deep queue", .fluid, .queueKeepsPathFull),
    Row("a queue without end, and responses of any size", .fluid, .queueKeepsPathFull) {
      $0.link.down.queue = .unlimited
      $0.demand = TransferDemand()
    },
    Row("small response", .fluid, .responsesFitQueue) {
      $0.demand.largest = ByteCount(bytes: 100_000)
    },
    Row("small response on LTE", .fluid, .responsesFitQueue) {
      $0.link = lte
      $0.policy.isPaced = false
      // With a header of 300 bytes these are 98 full packets, and two acknowledgements.
      $0.demand.largest = ByteCount(bytes: 141_604)
    },
    // Each of nine records takes 22 bytes.
    Row("small response on LTE over TLS", .fluid, .responsesFitQueue) {
      $0.link = lte
      $0.policy.isPaced = false
      $0.policy.tls = .resumed
      $0.demand.largest = ByteCount(bytes: 141_406)
    },
    Row("a byte more on LTE over TLS", .packet, .shallowQueue) {
      $0.link = lte
      $0.policy.isPaced = false
      $0.policy.tls = .resumed
      $0.demand.largest = ByteCount(bytes: 141_407)
    },
    Row("a byte more on LTE", .packet, .visibleOverflow) {
      $0.link = lte
      $0.link.down.queue = .packets(300)
      $0.demand.largest = ByteCount(bytes: 431_205)
    },
    Row("a receive window that fits", .fluid, .responsesFitQueue) {
      $0.link = lte
      $0.policy.receiveWindow = ByteCount(bytes: 97 * 1_448)
    },
    Row("a receive window that does not", .packet, .shallowQueue) {
      $0.link = lte
      $0.policy.receiveWindow = ByteCount(bytes: 98 * 1_448)
    },
    // Twice what the path and the queue hold.
    Row("a receive window that hardly overflows the queue", .packet, .visibleOverflow) {
      $0.policy.receiveWindow = ByteCount(bytes: 267 * 1_448)
    },
    Row("a receive window that does not matter", .fluid, .queueKeepsPathFull) {
      $0.policy.receiveWindow = ByteCount(bytes: 268 * 1_448)
    },
    // The path holds 34 packets and the queue 100: twelve times as many are 1,608.
    Row("an overflow that shows", .packet, .visibleOverflow) {
      $0.demand.largest = ByteCount(bytes: 2_326_636)
    },
    Row("an overflow that does not", .fluid, .queueKeepsPathFull) {
      $0.demand.largest = ByteCount(bytes: 2_326_637)
    },
    // The way up has room for 100 packets, and 400 bytes go with the upload.
    Row("an upload that fits", .fluid, .queueKeepsPathFull) {
      $0.demand.largestUpload = ByteCount(bytes: 144_400)
    },
    Row("an upload that does not", .packet, .largeUpload) {
      $0.demand.largestUpload = ByteCount(bytes: 144_401)
    },
    Row("a first window of two", .packet, .smallWindow) { $0.policy.initialWindow = 2 },
    Row("a first window of three", .fluid, .queueKeepsPathFull) { $0.policy.initialWindow = 3 },
    Row("a first window less than a flight", .packet, .smallWindow) {
      $0.policy.tls = .tls13
      $0.policy.certificateSize = ByteCount(bytes: 4_000)
      $0.policy.initialWindow = 3
    },
    Row("a receive window of few packets", .packet, .smallWindow) {
      $0.link = lte
      $0.policy.receiveWindow = ByteCount(bytes: 36 * 1_448 - 1)
    },
    Row("a receive window of some", .fluid, .responsesFitQueue) {
      $0.link = lte
      $0.policy.receiveWindow = ByteCount(bytes: 36 * 1_448)
    },
    Row("new connections need no warm window", .fluid, .queueKeepsPathFull) {
      $0.link = lte
      $0.link.down.queue = .packets(300)
      $0.policy.isPaced = false
      $0.demand.reusesConnections = false
    },
    // 330 packets on the way: the burst of 320 leaves 160 in the queue.
    Row("burst that overflows", .packet, .shallowQueue) {
      $0.link = FluidFixture.link(
        down: (20_000_000, 99), up: (20_000_000, 99), queue: .packets(159))
      $0.policy.isPaced = false
      $0.demand.reusesConnections = false
    },
    Row("burst that fits", .fluid, .queueKeepsPathFull) {
      $0.link = FluidFixture.link(
        down: (20_000_000, 99), up: (20_000_000, 99), queue: .packets(160))
      $0.policy.isPaced = false
      $0.demand.reusesConnections = false
    },
    Row("paced burst", .fluid, .queueKeepsPathFull) {
      $0.link = FluidFixture.link(
        down: (20_000_000, 99), up: (20_000_000, 99), queue: .packets(159))
    },
    Row("LTE", .packet, .shallowQueue) { $0.link = lte },
    Row("LTE as people think of it", .fluid, .queueKeepsPathFull) {
      $0.link = lte
      $0.link.down.queue = .automatic
    },
    Row("unknown sizes", .fluid, .queueKeepsPathFull) { $0.demand.largest = nil },
    Row("unpaced", .packet, .unpacedBursts) { $0.policy.isPaced = false },
    Row("Reno needs a whole product", .packet, .shallowQueue) {
      $0.policy.congestionControl = .reno
      $0.link.down.queue = .packets(33)
    },
    Row("loss", .packet, .loss) {
      $0.link.down.loss = .bernoulli(Probability(billionths: 1))
    },
    Row("loss of requests", .packet, .loss) { $0.link.up.loss = .everyNth(100) },
    Row("loss at times", .packet, .loss) {
      $0.link.down.track = LinkTrack([
        LinkTrack.Sample(
          rate: BitRate(bitsPerSecond: 5_000_000), loss: Probability(billionths: 1))
      ])
    },
    Row("jitter", .packet, .jitter) { $0.link.down.jitter = Jitter(deviation: .milliseconds(1)) },
    Row("reordering", .packet, .reordering) {
      $0.link.up.reorder = Reordering(chance: .always)
    },
    Row("duplicates", .packet, .duplication) { $0.link.down.duplicate = .always },
    Row("blackout", .packet, .droppingOutage) {
      $0.link.events = [LinkEvent(at: .zero, .blackout(.seconds(1), drops: .new))]
    },
    Row("standstill", .packet, .stoppingRate) {
      $0.link.events = [LinkEvent(at: .zero, .blackout(.seconds(1), drops: .nothing))]
    },
    Row("a track that stops", .packet, .stoppingRate) {
      $0.link.up.track = LinkTrack([
        LinkTrack.Sample(rate: BitRate(bitsPerSecond: 5_000_000)),
        LinkTrack.Sample(start: .seconds(3), rate: .zero),
        LinkTrack.Sample(start: .seconds(4), rate: BitRate(bitsPerSecond: 5_000_000)),
      ])
    },
    Row("a track whose delay changes", .packet, .varyingDelay) {
      $0.link.down.track = LinkTrack([
        LinkTrack.Sample(
          rate: BitRate(bitsPerSecond: 5_000_000), delay: .milliseconds(10)),
        LinkTrack.Sample(
          start: .seconds(3), rate: BitRate(bitsPerSecond: 5_000_000), delay: .milliseconds(11)),
      ])
    },
    Row("a queue for less than the first packets", .packet, .shallowQueue) {
      $0.link = FluidFixture.link(
        down: (20_000_000, 1), up: (20_000_000, 1), queue: .packets(8))
    },
    Row("a queue for the first packets", .fluid, .queueKeepsPathFull) {
      $0.link = FluidFixture.link(
        down: (20_000_000, 1), up: (20_000_000, 1), queue: .packets(9))
    },
    Row("BBR", .packet, .bbrSender) { $0.policy.congestionControl = .bbr },
    Row("a queue in the server", .packet, .queueInServer) { $0.policy.isQueueInServer = true },
    Row("two at once", .packet, .parallelFlows) { $0.demand.flowsMax = 2 },
    Row("narrow uplink", .packet, .narrowUplink) {
      $0.link.up.track = LinkTrack(rate: BitRate(bitsPerSecond: 173_000))
    },
    Row("uplink wide enough", .fluid, .queueKeepsPathFull) {
      $0.link.up.track = LinkTrack(rate: BitRate(bitsPerSecond: 174_000))
    },
    Row("narrow uplink for every second packet", .packet, .narrowUplink) {
      $0.link.up.track = LinkTrack(rate: BitRate(bitsPerSecond: 86_000))
      $0.policy.receiveWindow = ByteCount(bytes: 400 * 1_448)
    },
    Row("uplink wide enough for every second packet", .fluid, .queueKeepsPathFull) {
      $0.link.up.track = LinkTrack(rate: BitRate(bitsPerSecond: 87_000))
      $0.policy.receiveWindow = ByteCount(bytes: 400 * 1_448)
    },
  ]

  @Test(arguments: rows.indices)
  func choice(_ index: Int) {
    let row = Self.rows[index]
    let choice = TierChoice(links: [row.link], policy: row.policy, demand: row.demand)
    #expect(choice.tier == row.tier, "\(row.name)")
    #expect(choice.reason == row.reason, "\(row.name)")
  }

  @Test func withoutTransportALinkIsIdeal() {
    let choice = TierChoice(links: [Self.plain], policy: nil, demand: TransferDemand())
    #expect(choice.tier == .ideal)
    #expect(choice.reason == .noTransport)
  }

  /// The worst of a world's links decides.
  @Test func anyLinkDecides() {
    let choice = TierChoice(
      links: [Self.plain, Self.lte], policy: TransportPolicy(), demand: TransferDemand())
    #expect(choice.tier == .packet)
  }

  private static func plan(_ sizes: [Int64]) -> TransferPlan {
    let steps = sizes.map { TransferPlan.Step(TransferRequest(size: ByteCount(bytes: $0))) }
    return TransferPlan(flows: [.init(steps: steps)])
  }

  /// Of a plan each response must be so long that an overflow does not show in it.
  @Test(
    arguments: [
      ([100_000_000], .queueKeepsPathFull), ([100_000_000, 200_000], .visibleOverflow),
      ([200_000, 100_000_000], .visibleOverflow), ([100_000_000, 10_000], .queueKeepsPathFull),
      ([70_000, 60_000], .responsesFitQueue),
      // In a timeout 125 packets pass: with the 134 of path and queue, and a quarter of those,
      // twelve times 292 are 3,504.
      ([5_072_044], .visibleOverflow), ([5_072_045], .queueKeepsPathFull),
    ] as [([Int64], TierChoice.Reason)])
  func eachResponseCounts(_ sizes: [Int64], _ reason: TierChoice.Reason) {
    let choice = TierChoice(Self.plan(sizes), on: [Self.plain], policy: TransportPolicy())
    #expect(choice.reason == reason)
  }

  /// Seventy packets are the first three windows to the packet.
  ///
  /// One that is late costs a round trip. Thirty-eight are far from those of two and of three
  /// windows, and twenty from those of one and of two.
  @Test(
    arguments: [
      (20, .responsesFitQueue), (38, .responsesFitQueue), (69, .closeCall), (70, .closeCall),
      (71, .closeCall),
    ] as [(Int64, TierChoice.Reason)])
  func aPacketMoreOrLessIsACloseCall(_ packets: Int64, _ reason: TierChoice.Reason) {
    var link = Self.lte
    link.down.queue = .unlimited
    let plan = Self.plan([packets * 1_448 - 300])
    let choice = TierChoice(plan, on: [link], policy: TransportPolicy())
    #expect(choice.reason == reason)
    #expect(choice.tier == (reason == .closeCall ? .packet : .fluid))
  }

  /// A client that does not hear of the end of its request sends it once more, and the copy keeps
  /// acknowledgements from going up: for 94 ms on a way up of 68 kbit/s, and for 9 ms on one ten
  /// times as fast.
  @Test(
    arguments: [
      (68_531, 802, .closeCall), (685_310, 802, .responsesFitQueue),
    ] as [(Int64, Int64, TierChoice.Reason)])
  func copiesOfRequestsAreCloseCalls(_ up: Int64, _ upload: Int64, _ reason: TierChoice.Reason) {
    let delay = TimeSpan(nanoseconds: 4_854_000)
    var link = LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 1_370_628), delay: delay))
    link.up = LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: up), delay: delay))
    var policy = TransportPolicy()
    policy.http = .http2
    policy.tls = .resumed
    policy.usesDNSLookup = false
    var plan = Self.plan([56_467])
    plan.flows[0].steps[0].request.upload = ByteCount(bytes: upload)
    #expect(TierChoice(plan, on: [link], policy: policy).reason == reason)
  }

  /// A plan tells what it asks for.
  @Test func demandOfAPlan() {
    let request = TransferRequest(size: ByteCount(bytes: 7))
    var fresh = request
    fresh.connection = .new
    let flow = TransferPlan.Flow(steps: [.init(request), .init(fresh)])
    let demand = TransferDemand(TransferPlan(flows: [flow, flow]))
    #expect(demand.flowsMax == 2)
    #expect(demand.largest == ByteCount(bytes: 7))
    #expect(!demand.reusesConnections)
    #expect(demand.largestUpload == .zero)
    var together = flow
    together.steps[0].isConcurrent = true
    together.steps[1].request.upload = ByteCount(bytes: 9)
    let streams = TransferDemand(TransferPlan(flows: [together, flow]))
    #expect(streams.flowsMax == 3)
    #expect(streams.largestUpload == ByteCount(bytes: 9))
    let warm = TransferPlan.Flow(steps: [.init(fresh), .init(request)])
    #expect(TransferDemand(TransferPlan(flows: [warm])).reusesConnections)
  }
}
