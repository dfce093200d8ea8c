import Autowait
import Testing

/// What requests take on a fluid link, by hand and as measured.
@Suite struct FluidPlanTests {
  /// A link on which a full packet takes a millisecond down, and a byte a microsecond up.
  static let link = FluidFixture.link(
    down: (12_000_000, 50), up: (8_000_000, 50), queue: .unlimited)

  /// 52 bytes on the way down, rounded up.
  static let acknowledgement = TimeSpan(nanoseconds: 34_667)

  /// Header and body together fill 100 packets of 1,448 bytes.
  static let hundred = ByteCount(bytes: 144_500)

  /// The steps of a new connection, and the bursts of slow start: 10, 20 and 40 packets, each
  /// followed by what is left of a round trip of 101.052 ms, and the last 30.
  @Test func firstRequestByHand() throws {
    let times = try #require(
      FluidFixture.run([Self.hundred], on: Self.link).first
    ).times
    // 60 µs up, 100 ms, 40 µs down.
    #expect(times.connected == Demo.microseconds(100_100))
    #expect(times.sent == times.connected)
    // The handshake's last packet and the request, 504 µs; 100 ms; the acknowledgement of the
    // request, 34.667 µs; a packet.
    let answered = Demo.microseconds(100_100 + 504 + 100_000) + Self.acknowledgement
    #expect(times.firstByte == answered + .milliseconds(1))
    // 100 packets and the gaps: each packet is acknowledged while it widens the receive window. The
    // first packet of a round, which raises the limit of that window, waits for the second: the
    // last gap is a millisecond longer.
    let gaps: Int64 = (101_052 - 10_000) + (101_052 - 20_000) + (101_052 - 40_000) + 1_000
    #expect(times.completed == answered + TimeSpan(nanoseconds: (100_000 + gaps) * 1_000))
  }

  /// A warm connection sends all at once; after ten seconds it begins again.
  @Test(
    arguments: [
      // One acknowledgement of the body before is ahead of the request: 52 µs.
      ("at once", 0, 504, [] as [Int64]),
      ("after a millisecond", 1_000, 452, []),
      ("after 10 s", 10_000_000, 452, [10_000, 20_000, 40_000]),
    ] as [(String, Int64, Int64, [Int64])])
  func laterRequestByHand(_ name: String, _ idle: Int64, _ request: Int64, _ bursts: [Int64]) {
    let outcomes = FluidFixture.run([Self.hundred, Self.hundred], idle: [0, idle], on: Self.link)
    let gaps = bursts.reduce(0) { $0 + 101_052 - $1 }
    let total = TimeSpan(nanoseconds: (request + 100_000 + 100_000 + gaps) * 1_000)
    // A server that has replied before acknowledges the request with its response.
    #expect(outcomes.last?.total == total, "\(name)")
  }

  @Test func stepsBeforeTheRequest() {
    func totals(_ change: (inout TransportPolicy) -> Void) -> Int64 {
      var policy = FluidFixture.policy
      change(&policy)
      let times = FluidFixture.run([Self.hundred], on: Self.link, policy).first?.times
      return ((times?.sent ?? .never) - .start).nanoseconds / 1_000
    }
    #expect(totals { _ in } == 100_100)
    // 76 bytes up, 140 down.
    #expect(totals { $0.usesDNSLookup = true } == 100_100 + 100_076 + 93)
    // An acknowledgement and 517 + 52 bytes up; another one and 2,900 + 3 · 52 bytes down.
    #expect(totals { $0.tls = .tls13 } == 100_100 + 100_621 + 2_072)
    // 300 + 52 bytes up; the acknowledgement of the last packet, which is short, waits 15 µs for
    // the one before it; 130 + 52 bytes up, 250 + 52 down.
    #expect(totals { $0.tls = .tls12 } == 100_100 + 100_404 + 2_072 + 100_234 + 15 + 201)
    #expect(totals { $0.tls = .zeroRoundTrip } == 100_100)
    // RFC 9000: 1,200 + 28 bytes up; an acknowledgement and 3,000 + 3 · 60 bytes down.
    #expect(totals { $0.http = .http3 } == 100_000 + 1_228 + 2_166)
  }

  /// LTE rates over a deep queue, a megabyte on a warm connection, in milliseconds.
  ///
  /// Measured on Linux with CUBIC: 0.28, 0.33, 0.51 and 0.82 s, after rests of 20 ms, 0.3, 1 and
  /// 4 s.
  @Test(
    arguments: [(20, 280), (300, 330), (1_000, 510), (4_000, 820)] as [(Int64, Int64)])
  func restsShrinkTheWindow(_ idle: Int64, _ measured: Int64) throws {
    let link = FluidFixture.link(
      down: (50_000_000, 50), up: (10_000_000, 65), queue: .packets(1_000))
    let size = ByteCount(bytes: 1_000_000)
    let outcomes = FluidFixture.run([size, size], idle: [0, idle * 1_000], on: link)
    let total = try #require(outcomes.last?.total).nanoseconds / 1_000_000
    #expect(abs(total - measured) * 100 <= 2 * measured, "\(total)")
  }

  /// Downloads over real TCP: a new connection, the same one again, and after 6 s (3 s where the
  /// rate is odd), in hundredths of a millisecond.
  struct Measured: Sendable {
    let down: (Int64, Int64)
    let up: (Int64, Int64)
    var queue = 100
    var isPaced = false
    var isReno = false
    let size: Int64
    let totals: [Int64]
  }

  static let measured = [
    Measured(
      down: (5_000_000, 40_000), up: (5_000_000, 40_000), size: 50_000,
      totals: [33_821, 16_442, 16_440, 25_767]),
    Measured(
      down: (5_000_000, 40_000), up: (5_000_000, 40_000), isPaced: true, size: 250_000,
      totals: [66_989, 49_589, 49_595, 59_132]),
    Measured(
      down: (5_000_000, 40_000), up: (5_000_000, 40_000), isPaced: true, size: 1_000_000,
      totals: [191_296, 173_918, 173_898, 183_710]),
    Measured(
      down: (50_000_000, 50_000), up: (10_000_000, 65_000), isPaced: true, size: 50_000,
      totals: [47_035, 15_826, 14_274, 35_515]),
    Measured(
      down: (20_000_000, 100_000), up: (20_000_000, 100_000), size: 50_000,
      totals: [80_531, 22_127, 22_131, 60_503]),
    Measured(
      down: (20_000_000, 100_000), up: (20_000_000, 100_000), queue: 1_000, size: 1_000_000,
      totals: [164_416, 61_502]),
    Measured(
      down: (780_000, 100_000), up: (330_000, 100_000), size: 50_000,
      totals: [101_279, 74_695, 74_589, 80_883]),
    Measured(
      down: (240_000, 400_000), up: (200_000, 440_000), size: 50_000,
      totals: [383_632, 259_762, 259_763, 283_800]),
    Measured(
      down: (40_000_000, 1_000), up: (33_000_000, 1_000), size: 250_000,
      totals: [5_655, 5_424, 5_425, 5_433]),
    Measured(
      down: (1_017_749, 152_600), up: (1_017_749, 152_600), queue: 500, isReno: true,
      size: 281_339, totals: [319_158, 260_340]),
  ]

  @Test(arguments: measured.indices)
  func measuredTransfers(_ index: Int) {
    let row = Self.measured[index]
    var link = FluidFixture.link(down: row.down, up: row.up, queue: .packets(row.queue))
    link.down.track = LinkTrack(
      rate: BitRate(bitsPerSecond: row.down.0), delay: TimeSpan(nanoseconds: row.down.1 * 1_000))
    link.up.track = LinkTrack(
      rate: BitRate(bitsPerSecond: row.up.0), delay: TimeSpan(nanoseconds: row.up.1 * 1_000))
    var policy = FluidFixture.policy
    policy.isPaced = row.isPaced
    policy.congestionControl = row.isReno ? .reno : .cubic
    let sizes = row.totals.map { _ in ByteCount(bytes: row.size) }
    let idle = row.totals.indices.map { $0 == 3 ? 6_000_000 : 0 as Int64 }
    let outcomes = FluidFixture.run(sizes, idle: idle, on: link, policy)
    for (place, outcome) in outcomes.enumerated() {
      let total = (outcome.total?.nanoseconds ?? 0) / 10_000
      let bound = max(row.totals[place] / 50, 50)
      #expect(abs(total - row.totals[place]) <= bound, "request \(place): \(total)")
    }
  }

  /// Each timeout that passes halves the window.
  ///
  /// After a megabyte over 5 Mbit/s and 80 ms it holds 119 packets, and the timeout is 0.47 s.
  /// Measured, in hundredths of a millisecond.
  @Test(
    arguments: [
      (600, 50_000, 16_441), (1_000, 50_000, 17_728), (2_000, 50_000, 25_748),
      (600, 250_000, 49_600), (1_000, 250_000, 50_883), (4_000, 250_000, 58_908),
    ] as [(Int64, Int64, Int64)])
  func measuredRests(_ idle: Int64, _ size: Int64, _ measured: Int64) throws {
    let link = FluidFixture.link(down: (5_000_000, 40), up: (5_000_000, 40), queue: .packets(100))
    let outcomes = FluidFixture.run(
      [ByteCount(bytes: 1_000_000), ByteCount(bytes: size)], idle: [0, idle * 1_000], on: link)
    let total = try #require(outcomes.last?.total).nanoseconds / 10_000
    // A window is a packet smaller than measured after a second: 2.2 ms, more than half a percent.
    let isSmaller = idle == 1_000 && size == 50_000
    #expect(abs(total - measured) <= measured / (isSmaller ? 80 : 200), "\(total)")
  }

  // MARK: Sharing

  /// Two downloads from the same instant take about as long as one of their sum.
  @Test func twoConnectionsShareEqually() throws {
    let request = TransferRequest(size: ByteCount(bytes: 1_000_000))
    let plan = TransferPlan(
      flows: [.init(steps: [.init(request)]), .init(steps: [.init(request)])])
    let both = FluidFixture.run(plan, on: [Self.link]).flatMap(\.self)
    let alone = FluidFixture.run([ByteCount(bytes: 2_000_000)], on: Self.link)
    let totals = try (both + alone).map { try #require($0.total).nanoseconds / 1_000_000 }
    #expect(abs(totals[0] - totals[1]) * 5 < totals[2], "\(totals)")
    #expect(abs(max(totals[0], totals[1]) - totals[2]) * 20 < totals[2], "\(totals)")
  }

  /// A full queue holds up the handshake and the first byte of others: bufferbloat.
  @Test func aFullQueueDelaysOthers() throws {
    let slow = FluidFixture.link(down: (780_000, 100), up: (330_000, 100), queue: .packets(50))
    let bulk = TransferPlan.Flow(
      steps: [.init(TransferRequest(owner: 1, size: ByteCount(bytes: 4_000_000)))])
    let small = TransferPlan.Flow(
      start: Demo.seconds(10),
      steps: [.init(TransferRequest(size: ByteCount(bytes: 2_000)))])
    let behind = try #require(
      FluidFixture.run(TransferPlan(flows: [bulk, small]), on: [slow])[1].first)
    let connected = try #require(behind.times.connected) - behind.times.opened
    // 50 packets of 15.4 ms, less what is on the way.
    #expect(connected > .milliseconds(600))
    #expect(connected < .milliseconds(980))
    let alone = try #require(FluidFixture.run(TransferPlan(flows: [small]), on: [slow])[0].first)
    #expect((alone.times.connected ?? .never) - alone.times.opened < .milliseconds(204))
    #expect((behind.total ?? .zero) > (alone.total ?? .zero) + .milliseconds(1_000))
  }

  /// Streams of one connection share its window; the more urgent one comes first.
  @Test func streamsShareAWindow() throws {
    var policy = FluidFixture.policy
    policy.http = .http2
    var urgent = TransferRequest(size: ByteCount(bytes: 500_000))
    urgent.priority = 1
    let plain = TransferRequest(size: ByteCount(bytes: 500_000))
    var plan = TransferPlan(
      flows: [.init(steps: [.init(plain)]), .init(steps: [.init(urgent)])])
    for flow in plan.flows.indices { plan.flows[flow].owner = 0 }
    let outcomes = FluidFixture.run(plan, on: [Self.link], policy).flatMap(\.self)
    let ends = try outcomes.map { try #require($0.times.completed) }
    let alone = FluidFixture.run([ByteCount(bytes: 500_000)], on: Self.link, policy)
    let first = try #require(alone.first?.times.completed)
    #expect(abs((ends[1] - first).nanoseconds) < 2_000_000)
    #expect(ends[0] > ends[1] + .milliseconds(300))
  }

  /// HTTP/1.1 has so many connections to a host; what comes late waits.
  @Test func requestsWaitForAConnection() throws {
    var policy = FluidFixture.policy
    policy.connectionsPerHost = 1
    let request = TransferRequest(size: ByteCount(bytes: 100_000))
    var plan = TransferPlan(
      flows: [.init(steps: [.init(request)]), .init(steps: [.init(request)])])
    for flow in plan.flows.indices { plan.flows[flow].owner = 0 }
    let outcomes = FluidFixture.run(plan, on: [Self.link], policy).flatMap(\.self)
    #expect(outcomes[1].times.connected == nil)
    #expect(outcomes[1].times.sent == outcomes[0].times.completed)
  }

  // MARK: Trouble

  /// An outage that drops nothing costs its own length, and no more.
  @Test(arguments: [200, 1_000, 5_000] as [Int64])
  func outagesCostTheirLength(_ length: Int64) throws {
    var out = Self.link
    out.events = [LinkEvent(at: .seconds(2), .blackout(.milliseconds(length), drops: .nothing))]
    let size = ByteCount(bytes: 4_000_000)
    let whole = try #require(FluidFixture.run([size], on: Self.link).first?.total)
    let held = try #require(FluidFixture.run([size], on: out).first?.total)
    #expect(held == whole + .milliseconds(length))
  }

  @Test func nothingComesForTooLong() {
    let dead = FluidFixture.link(down: (0, 50), up: (8_000_000, 50), queue: .unlimited)
    var policy = FluidFixture.policy
    for (looksUp, failure) in [
      (false, TransferFailure.cannotConnect), (true, .nameNotResolved),
    ] {
      policy.usesDNSLookup = looksUp
      #expect(FluidFixture.run([Self.hundred], on: dead, policy).first?.failure == failure)
    }
    var late = FluidFixture.link(down: (12_000_000, 50), up: (8_000_000, 50), queue: .unlimited)
    late.events = [LinkEvent(at: .milliseconds(350), .blackout(.seconds(90), drops: .nothing))]
    let outcome = FluidFixture.run([Self.hundred], on: late).first
    #expect(outcome?.failure == .timedOut)
    #expect(outcome?.times.firstByte != nil)
  }

  /// A handover to another network ends the connections; the rest is asked for again.
  @Test func aHandoverIsSurvived() throws {
    var link = Self.link
    link.events = [
      LinkEvent(
        at: .seconds(1),
        .handover(.init(gap: .milliseconds(300), flushesQueue: true, endsConnections: true)))
    ]
    let size = ByteCount(bytes: 4_000_000)
    let whole = try #require(FluidFixture.run([size], on: Self.link).first?.total)
    let outcome = try #require(FluidFixture.run([size], on: link).first)
    let total = try #require(outcome.total)
    // The gap, two round trips, and a slow start.
    #expect(total > whole + .milliseconds(500))
    #expect(total < whole + .milliseconds(1_000))
    #expect(outcome.failure == nil)
  }
}
