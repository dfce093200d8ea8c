import Autowait
import Testing

/// One plan for each class of plans in which the fluid tier was far from packets on drawn links:
/// either the tier models it now, or `auto` takes packets.
@Suite struct TierClassTests {
  /// A plan over a link that loses nothing, with a queue that holds everything.
  struct Row: Sendable {
    let name: String
    /// Bits per second down and up, and microseconds in each direction.
    let down: Int64, up: Int64, delay: Int64
    let http: TransportPolicy.HTTP
    let tls: TransportPolicy.TLS
    let control: TransportPolicy.CongestionControl
    /// Milliseconds of rest, and the bytes of a response and of an upload.
    let steps: [(Int64, Int64, Int64)]
    var window: Int64?
    var isPaced = true
    /// How far the tiers are apart at most, in hundredths; nil where packets are taken.
    var apart: Int64?
  }

  static let rows = [
    // The request acknowledges what ends the handshake, and the sender measures it: without that
    // sample a timeout was so long that a window did not shrink in time (30 percent).
    Row(
      name: "handshake", down: 9_600_000, up: 9_600_000, delay: 250_000, http: .http1, tls: .tls12,
      control: .reno, steps: [(0, 266_000, 8_000), (270, 266_000, 8_000), (270, 266_000, 8_000)],
      apart: 2),
    // A sender that begins again is paced by the round trip of a full queue (25 percent).
    Row(
      name: "slow pace", down: 20_000_000, up: 6_600_000, delay: 1_900, http: .http1, tls: .tls13,
      control: .cubic, steps: [(0, 5_000_000, 0), (100, 9_600_000, 0), (3_400, 176_000, 0)]),
    // Early data, a path that is full, a rest (47 percent).
    Row(
      name: "early data", down: 80_000_000, up: 7_000_000, delay: 1_000, http: .http2,
      tls: .zeroRoundTrip, control: .reno,
      steps: [(0, 1_800_000, 0), (12_000, 70_000, 0), (0, 240_000, 0)]),
    // Whether the last packet needs a round of its own (12 percent).
    Row(
      name: "last packet", down: 13_600_000, up: 2_300_000, delay: 26_800, http: .http3,
      tls: .zeroRoundTrip, control: .none, steps: [(0, 118_600, 0)], window: 61_018),
    // An upload holds acknowledgements up for longer than a timeout (13 and 32 percent).
    Row(
      name: "late", down: 190_000, up: 190_000, delay: 1_200, http: .http2, tls: .zeroRoundTrip,
      control: .none, steps: [(0, 440_000, 8_000)]),
    Row(
      name: "late, unpaced", down: 1_000_000, up: 70_000, delay: 1_500, http: .http2,
      tls: .zeroRoundTrip, control: .none, steps: [(0, 78_000, 3_100)], isPaced: false),
    // Two packets that wait for each other end slow start (11 percent).
    Row(
      name: "slow start", down: 1_280_000, up: 67_000, delay: 260_000, http: .http2, tls: .resumed,
      control: .cubic, steps: [(0, 609_000, 0)]),
  ]

  @Test(arguments: rows.indices)
  func auto(_ index: Int) throws {
    let row = Self.rows[index]
    var link = LinkProfile(LinkTrack(rate: .zero))
    let delay = TimeSpan(nanoseconds: row.delay * 1_000)
    link.down = LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: row.down), delay: delay))
    link.up = LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: row.up), delay: delay))
    link.down.queue = .unlimited
    var policy = TransportPolicy()
    (policy.http, policy.tls, policy.congestionControl) = (row.http, row.tls, row.control)
    (policy.usesDNSLookup, policy.isPaced) = (false, row.isPaced)
    if let window = row.window { policy.receiveWindow = ByteCount(bytes: window) }
    let steps = row.steps.map { idle, size, upload in
      var request = TransferRequest(size: ByteCount(bytes: size))
      request.upload = ByteCount(bytes: upload)
      return TransferPlan.Step(request, idle: .milliseconds(idle))
    }
    let plan = TransferPlan(flows: [TransferPlan.Flow(steps: steps)])
    guard let apart = row.apart else {
      let choice = TierChoice(plan, on: [link], policy: policy)
      #expect(choice.reason == .closeCall, "\(row.name)")
      return
    }
    func totals(_ tier: LinkTier) throws -> [Int64] {
      let report = TransferTrial(plan, on: [link], policy: policy, tier: tier).run()
      return try report.outcomes[0].map { try #require($0.total).nanoseconds }
    }
    for (fluid, packet) in zip(try totals(.fluid), try totals(.packet)) {
      #expect(abs(fluid - packet) * 100 <= apart * packet, "\(row.name): \(fluid), \(packet) ns")
    }
  }
}
