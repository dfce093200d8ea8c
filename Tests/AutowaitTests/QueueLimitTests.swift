import Autowait
import Testing

/// How much waits before a link: one limit, which every tier and the choice of a tier go by.
@Suite struct QueueLimitTests {
  /// A direction whose rate changes every second, in Mbit/s, with a delay in milliseconds.
  private static func direction(
    _ rates: [Int64], _ delay: Int64, _ queue: LinkQueue = .automatic
  ) -> LinkDirection {
    var direction = LinkDirection(
      LinkTrack(
        rates.enumerated().map { second, rate in
          LinkTrack.Sample(
            start: .seconds(Int64(second)), rate: BitRate(bitsPerSecond: rate * 1_000_000),
            delay: .milliseconds(delay))
        }))
    direction.queue = queue
    return direction
  }

  private static let back = direction([10], 100)

  /// 12 Mbit/s are a packet of 1,500 bytes a millisecond.
  @Test(
    arguments: [
      // 100 packets, until a round trip holds more than that.
      (direction([12], 0), 100), (direction([12], 1), 101), (direction([12], 100), 200),
      (direction([6], 99), 100), (direction([6], 101), 101),
      // Begun packets count as whole ones.
      (direction([13], 100), 217),
      // The fastest second counts, wherever it is.
      (direction([1, 12, 2], 100), 200), (direction([12, 1], 100), 200),
      (direction([1, 40], 100), 667),
      (direction([1], 100, .packets(7)), 7),
      (direction([12], 100, .bytes(ByteCount(bytes: 4_499))), 2),
      (direction([12], 100, .bytes(ByteCount(bytes: 4_500))), 3),
      (direction([1, 12], 100, .time(.milliseconds(50))), 50),
    ])
  func packetsThatFit(_ direction: LinkDirection, _ count: Int) {
    let limit = QueueLimit.limit(of: direction, back: Self.back)
    #expect(limit.packets(of: direction.fullPacket) == Int64(count))
  }

  /// What the link carries besides a packet is a part of what it holds.
  @Test func overheadCounts() {
    var direction = Self.direction([12], 100)
    direction.overheadPerPacket = ByteCount(bytes: 1_500)
    #expect(QueueLimit.limit(of: direction, back: Self.back) == .packets(100))
    direction.overheadPerPacket = ByteCount(bytes: 500)
    #expect(QueueLimit.limit(of: direction, back: Self.back) == .packets(150))
  }

  @Test func nothingIsTooMuch() {
    for direction in [LinkDirection(), Self.direction([1], 0, .unlimited)] {
      let limit = QueueLimit.limit(of: direction, back: Self.back)
      #expect(limit == .none)
      #expect(limit.packets(of: direction.fullPacket) == nil)
    }
  }

  /// Links on which a sender without congestion control keeps 6 MB under way.
  private static let full = [
    direction([2], 20), direction([2, 60], 60), direction([30, 2], 60),
    direction([2], 20, .packets(31)), direction([2], 20, .packets(117)),
  ]

  private static func trial(_ down: LinkDirection, _ tier: LinkTier) -> TransferTrial {
    var link = LinkProfile(down: down, up: direction([10], 20))
    link.up.queue = .unlimited
    var policy = FluidFixture.policy
    policy.congestionControl = .none
    policy.receiveWindow = ByteCount(bytes: 6_000_000)
    var bulk = TransferRequest(owner: 1, size: ByteCount(bytes: 4_000_000))
    bulk.host = 1
    let small = TransferRequest(size: ByteCount(bytes: 1_000))
    let plan = TransferPlan(flows: [
      .init(steps: [.init(bulk)]), .init(start: .start + .milliseconds(600), steps: [.init(small)]),
    ])
    return TransferTrial(plan, on: [link], policy: policy, tier: tier)
  }

  /// The packet tier lets so many packets wait and drops what is more.
  @Test(arguments: full.indices)
  func packetsBeyondTheLimitAreDropped(_ index: Int) throws {
    let down = Self.full[index]
    let trial = Self.trial(down, .packet)
    let limit = QueueLimit.limit(of: down, back: trial.links[0].up)
    let counts = try #require(trial.run(to: Demo.seconds(30)).down)
    #expect(counts.dropped > 0)
    #expect(Int64(counts.queuedMax) == limit.packets(of: down.fullPacket))
  }

  /// The fluid tier lets the grant of a new connection wait for as much.
  @Test(arguments: full.indices)
  func waterBeforeTheLinkIsTheLimit(_ index: Int) throws {
    let down = Self.full[index]
    var trial = Self.trial(down, .fluid)
    let limit = QueueLimit.limit(of: down, back: trial.links[0].up)
    let times = try #require(trial.run(to: Demo.seconds(100)).outcomes[1].first).times
    trial.plan.flows[0].steps[0].request.size = ByteCount(bytes: 1)
    let alone = try #require(trial.run(to: Demo.seconds(100)).outcomes[1].first).times
    let waited = try #require(times.connected) - (try #require(alone.connected))
    let packets = Int64(try #require(limit.packets(of: down.fullPacket)))
    // A packet takes 6 ms, or less in a faster second.
    let rate = down.fastest.rate.bitsPerSecond
    if down.track.samples.count == 1 {
      #expect(abs(waited.nanoseconds - packets * 6_000_000) < 1_000_000, "\(packets)")
    } else {
      #expect(waited.nanoseconds * rate > packets * 12_000_000_000_000 / 2, "\(packets)")
    }
  }
}
