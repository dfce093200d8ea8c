import Autowait
import Testing

/// What transfers over a link of packets take, by hand and against measurements.
@Suite struct PacketTransferTests {
  private static func link(
    down: Int64, up: Int64, delay: TimeSpan, back: TimeSpan? = nil, queue: LinkQueue = .automatic
  ) -> LinkProfile {
    var link = LinkProfile(
      down: LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: down), delay: delay)),
      up: LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: up), delay: back ?? delay)))
    link.down.queue = queue
    link.up.queue = queue
    return link
  }

  private static func plan(_ link: LinkProfile, _ sizes: [Int64]) -> TransferTrial {
    var plan = TransferTrial(
      links: [link],
      flows: [TransferPlan.Flow(steps: sizes.map { .init(size: ByteCount(bytes: $0)) })])
    plan.policy.usesDNSLookup = false
    plan.policy.isPaced = false
    return plan
  }

  private static func span(_ from: Instant?, _ to: Instant?) -> Int64? {
    guard let from, let to else { return nil }
    return (to - from).nanoseconds
  }

  // MARK: By hand

  /// One full packet over 8 Mbit/s, a byte a microsecond, with 10 ms each way.
  @Test func onePacketTakesItsBytes() {
    let link = Self.link(down: 8_000_000, up: 8_000_000, delay: .milliseconds(10))
    let report = Self.plan(link, [1_148]).run()
    let times = report.outcomes[0][0].times
    // 60 bytes each way.
    #expect(Self.span(times.opened, times.connected) == 20_120_000)
    // The end of the handshake, 52 bytes, and the request, 452; then an acknowledgement, 52, and
    // the response, 1,500. The fourth packet up acknowledges it.
    let carried: Int64 = 504_000 + 1_552_000 + 20_000_000
    #expect(Self.span(times.connected, times.completed) == carried)
    #expect(times.firstByte == times.completed)
    #expect(report.down?.offered == 3)
    #expect(report.up?.offered == 4)
  }

  /// The round trips before the first byte, on a link without limit.
  @Test(arguments: [
    ("plain", TransportPolicy.HTTP.http1, TransportPolicy.TLS.none, Int64(2)),
    ("TLS 1.2", .http1, .tls12, 4), ("TLS 1.3", .http1, .tls13, 3),
    ("resumed", .http1, .resumed, 3), ("early data", .http1, .zeroRoundTrip, 2),
    ("HTTP/2", .http2, .tls13, 3), ("HTTP/3", .http3, .tls13, 2),
    ("HTTP/3, early data", .http3, .zeroRoundTrip, 1),
  ])
  func handshakesTakeRoundTrips(
    name: String, http: TransportPolicy.HTTP, tls: TransportPolicy.TLS, roundTrips: Int64
  ) throws {
    let link = Self.link(
      down: 1_000_000_000_000, up: 1_000_000_000_000, delay: .milliseconds(50))
    var plan = Self.plan(link, [1_000, 1_000])
    plan.policy.http = http
    plan.policy.tls = tls
    let flow = plan.run().outcomes[0]
    let first = try #require(Self.span(flow[0].times.opened, flow[0].times.completed))
    let second = try #require(Self.span(flow[1].times.opened, flow[1].times.completed))
    #expect((0..<1_000_000).contains(first - roundTrips * 100_000_000), "\(name)")
    #expect((0..<1_000_000).contains(second - 100_000_000), "\(name), reused")
  }

  /// A name costs a round trip and what the resolver takes, once.
  @Test func namesAreLookedUpOnce() throws {
    var link = Self.link(
      down: 1_000_000_000_000, up: 1_000_000_000_000, delay: .milliseconds(50))
    link.names.delay = .milliseconds(500)
    var plan = Self.plan(link, [1_000, 1_000])
    plan.policy.usesDNSLookup = true
    let flow = plan.run().outcomes[0]
    let named = try #require(Self.span(flow[0].times.opened, flow[0].times.nameResolved))
    #expect((0..<1_000_000).contains(named - 600_000_000))
    #expect(flow[1].times.nameResolved == nil)
  }

  /// What happens when nothing gets through.
  @Test(arguments: [
    ("name", true, TransferFailure.nameNotResolved, Int64(7)),
    ("connection", false, .timedOut, 60),
  ])
  func nothingGetsThrough(
    name: String, looksUp: Bool, failure: TransferFailure, seconds: Int64
  ) {
    var link = Self.link(down: 1_000_000, up: 1_000_000, delay: .milliseconds(10))
    link.up.loss = .bernoulli(.always)
    var plan = Self.plan(link, [1_000])
    plan.policy.usesDNSLookup = looksUp
    var run = TransferRun(plan)
    run.advance(to: Instant(nanoseconds: seconds * 1_000_000_000 - 1))
    #expect(run.report.outcomes[0][0].failure == nil, "\(name)")
    run.advance(to: Instant(nanoseconds: seconds * 1_000_000_000))
    #expect(run.report.outcomes[0][0].failure == failure, "\(name)")
  }

  /// Giving up costs HTTP/1.1 its connection, and HTTP/2 only the stream.
  @Test(arguments: [(TransportPolicy.HTTP.http1, true), (.http2, false)])
  func cancelling(http: TransportPolicy.HTTP, needsConnection: Bool) {
    let link = Self.link(down: 2_000_000, up: 1_000_000, delay: .milliseconds(20))
    var plan = Self.plan(link, [5_000_000, 100_000])
    plan.policy.http = http
    plan.plan.flows[0].steps[0].patience = .milliseconds(1_500)
    let flow = plan.run().outcomes[0]
    #expect(flow[0].isCancelled && flow[0].delivered.bytes < 400_000)
    #expect(flow[1].delivered.bytes == 100_000)
    #expect((flow[1].times.connected != nil) == needsConnection)
  }

  /// Who waits for a connection gets the room of one that was closed.
  @Test func waitingForAConnection() {
    let link = Self.link(down: 2_000_000, up: 1_000_000, delay: .milliseconds(20))
    var plan = Self.plan(link, [5_000_000, 100_000, 100_000])
    plan.policy.connectionsPerHost = 1
    for step in 0..<2 { plan.plan.flows[0].steps[step].isConcurrent = true }
    plan.plan.flows[0].steps[0].patience = .seconds(1)
    let flow = plan.run().outcomes[0]
    #expect(flow[1].delivered.bytes == 100_000 && flow[2].delivered.bytes == 100_000)
    #expect(flow[1].times.connected != nil && flow[2].times.connected == nil)
  }

  /// Nobody reads for ten seconds: no more than a window arrives, and the rest later.
  @Test(arguments: TransportPolicy.HTTP.allCases)
  func suspending(http: TransportPolicy.HTTP) throws {
    let link = Self.link(down: 8_000_000, up: 8_000_000, delay: .milliseconds(20))
    var plan = Self.plan(link, [4_000_000])
    plan.policy.http = http
    plan.policy.receiveWindow = http == .http1 ? ByteCount(bytes: 200_000) : nil
    plan.plan.flows[0].steps[0].suspendedAfter = .seconds(1)
    plan.plan.flows[0].steps[0].suspension = .seconds(10)
    var run = TransferRun(plan)
    run.advance(to: Instant(nanoseconds: 10_000_000_000))
    #expect(run.report.outcomes[0][0].delivered.bytes < 2_300_000)
    run.advance(to: .never)
    let download = run.report.outcomes[0][0]
    #expect(download.delivered.bytes == 4_000_000)
    let total = try #require(Self.span(download.times.opened, download.times.completed))
    #expect((11_000_000_000..<16_000_000_000).contains(total))
  }

  /// Without congestion control no more is under way than the receive window, also under QUIC:
  /// on a link that is not limited, so much comes in a round trip.
  @Test(arguments: TransportPolicy.HTTP.allCases)
  func receiveWindowsHold(http: TransportPolicy.HTTP) throws {
    let link = Self.link(
      down: 1_000_000_000_000, up: 1_000_000_000_000, delay: .milliseconds(50), queue: .unlimited)
    var plan = Self.plan(link, [2_896_000])
    plan.policy.http = http
    plan.policy.congestionControl = .none
    plan.policy.receiveWindow = ByteCount(bytes: 289_600)
    let times = plan.run().outcomes[0][0].times
    let body = try #require(Self.span(times.firstByte, times.completed))
    #expect((950_000_000...1_250_000_000).contains(body), "\(body)")
  }

  /// How long a client of QUIC waits before it sends a request again that was lost, after so many
  /// requests whose round trips were all 100 ms.
  private static func probeTimeout(after count: Int, outage: TimeSpan) -> Int64? {
    let link = link(
      down: 1_000_000_000_000, up: 1_000_000_000_000, delay: .milliseconds(50), queue: .unlimited)
    var plan = plan(link, Array(repeating: 1_000, count: count + 1))
    plan.policy.http = .http3
    plan.policy.tls = .tls13
    guard let opened = plan.run().outcomes[0].last?.times.opened else { return nil }
    let start = opened - .start - .milliseconds(1)
    plan.links[0].events = [LinkEvent(at: start, .blackout(outage, drops: .both))]
    let times = plan.run().outcomes[0].last?.times
    return span(opened, times?.firstByte).map { $0 - 100_000_000 }
  }

  /// RFC 9002, 6.2.1: the smoothed round trip, 100 ms, four times its variation or a millisecond,
  /// and the 25 ms for which the other end may wait; twice as long after each probe (A.8).
  @Test func probesOfQUICComeByTheirRFC() throws {
    // The variation has sunk from 50 ms to less than a quarter of a millisecond: 126 ms.
    let one = try #require(Self.probeTimeout(after: 30, outage: .milliseconds(10)))
    #expect((125_900_000...126_500_000).contains(one), "\(one)")
    // The probe of 126 ms is lost as well: 252 ms more.
    let two = try #require(Self.probeTimeout(after: 30, outage: .milliseconds(200)))
    #expect((377_900_000...378_500_000).contains(two), "\(two)")
    // Each sample of 100 ms takes a quarter of the variation away (5.3).
    let more = (2...8).compactMap { Self.probeTimeout(after: $0, outage: .milliseconds(10)) }
      .map { $0 - 125_000_000 }
    for (before, after) in zip(more, more.dropFirst()) {
      #expect(abs(4 * after - 3 * before) < 1_000_000, "\(more)")
    }
    #expect(more.count == 7)
  }

  /// What arrives while nobody reads is there when it goes on, and not before: nothing of a
  /// response of which the call to suspend finds a part under way.
  @Test(arguments: TransportPolicy.HTTP.allCases)
  func nothingIsLoadedWhileSuspended(http: TransportPolicy.HTTP) {
    let link = Self.link(down: 8_000_000, up: 8_000_000, delay: .milliseconds(20))
    var plan = Self.plan(link, [4_000_000])
    plan.policy.http = http
    plan.plan.flows[0].steps[0].suspendedAfter = .seconds(1)
    plan.plan.flows[0].steps[0].suspension = .seconds(10)
    var run = TransferRun(plan)
    run.advance(to: .start + .seconds(1))
    let before = run.report.outcomes[0][0].delivered
    run.advance(to: .start + .milliseconds(10_999))
    #expect(before.bytes > 0 && run.report.outcomes[0][0].delivered == before)
    run.advance(to: .start + .milliseconds(11_001))
    // At least what was under way has been kept: a round trip of the link, 40 ms of 8 Mbit/s.
    let kept = run.report.outcomes[0][0].delivered.bytes - before.bytes
    #expect(kept >= 38_000, "\(kept)")
    run.advance(to: .never)
    #expect(run.report.outcomes[0][0].delivered.bytes == 4_000_000)
  }

  /// A client of QUIC that was told so lets no more be under way (RFC 9000, 4.1): 20 kB in each
  /// 100 ms are 1.6 Mbit/s of 50.
  @Test func aReceiveWindowHoldsUnderQUIC() throws {
    var plan = Self.plan(
      Self.link(down: 50_000_000, up: 50_000_000, delay: .milliseconds(50)), [1_000_000])
    plan.policy.http = .http3
    let free = try #require(plan.run().outcomes[0][0].total)
    plan.policy.receiveWindow = ByteCount(bytes: 20_000)
    let held = try #require(plan.run().outcomes[0][0].total)
    #expect(free < .seconds(2) && held >= .seconds(5), "\(free), \(held)")
  }

  /// The last packets of a burst are lost, and the others need 17 s: a sender of QUIC probes for
  /// them from when they were sent (RFC 9002, A.8), and a probe that arrives shows that all are
  /// lost.
  @Test func aLostTailIsProbedForFromWhenItWasSent() throws {
    var plan = Self.plan(
      Self.link(down: 64_000, up: 64_000, delay: .milliseconds(5), queue: .packets(100)), [1, 1, 1])
    plan.policy.http = .http3
    plan.policy.requestTimeout = nil
    for step in plan.plan.flows[0].steps.indices {
      plan.plan.flows[0].steps[step].request.upload = ByteCount(bytes: 152_078)
    }
    let report = plan.run()
    #expect((report.up?.dropped ?? 0) > 0)
    for outcome in report.outcomes[0] {
      #expect(try #require(outcome.total) < .seconds(50), "\(outcome.times)")
    }
  }

  /// A stream of a higher class goes first, equal ones share.
  @Test(arguments: [TransportPolicy.HTTP.http2, .http3])
  func priorities(http: TransportPolicy.HTTP) throws {
    let link = Self.link(down: 4_000_000, up: 4_000_000, delay: .milliseconds(20))
    var plan = Self.plan(link, [1_000_000, 1_000_000, 1_000_000])
    plan.policy.http = http
    for step in 0..<2 { plan.plan.flows[0].steps[step].isConcurrent = true }
    plan.plan.flows[0].steps[2].request.priority = 1
    let flow = plan.run().outcomes[0]
    let ends = try flow.map { try #require($0.times.completed).nanoseconds }
    #expect(ends[2] < ends[0] && ends[2] < ends[1])
    #expect(abs(ends[0] - ends[1]) < 50_000_000)
    #expect(flow.allSatisfy { $0.delivered.bytes == 1_000_000 })
  }

  /// A sender of Reno whose first ten packets are all lost doubles up to half of that window, and
  /// then sends one more in each round trip: behind 13 packets come 5, then 6, then 7.
  @Test(arguments: [(Int64(14), Int64(1)), (18, 1), (19, 2), (24, 2), (25, 3)])
  func slowStartEndsAtTheThreshold(_ packets: Int64, _ roundTrips: Int64) throws {
    func total(_ packets: Int64) throws -> Int64 {
      var link = Self.link(
        down: 1_000_000_000_000, up: 1_000_000_000_000, delay: .milliseconds(50), queue: .unlimited)
      // The two before them end the handshake and acknowledge the request.
      link.down.loss = .packets(Array(3...12))
      // The header of the response has 300 bytes.
      var plan = Self.plan(link, [packets * 1_448 - 300])
      plan.policy.congestionControl = .reno
      let times = plan.run().outcomes[0][0].times
      return try #require(Self.span(times.opened, times.completed))
    }
    let later = try total(packets) - total(13)
    #expect(abs(later - roundTrips * 100_000_000) < 1_000_000, "\(later)")
  }

  /// A sender of BBR whose packets under way were all lost goes on at the rate of the link as soon
  /// as it sends again: 780 packets take 4.68 s, and what is not sent is the start and the outage.
  ///
  /// Copies are all that arrives for a while, and must count as rounds as other packets do.
  @Test func copiesTellOfTheRateToo() throws {
    var link = Self.link(
      down: 2_000_000, up: 5_000_000, delay: .milliseconds(100), queue: .packets(100))
    link.events = [LinkEvent(at: .seconds(2), .blackout(.milliseconds(300), drops: .inFlight))]
    var plan = Self.plan(link, [1_000_000])
    plan.policy.congestionControl = .bbr
    let report = plan.run()
    #expect(report.down?.offered == 780)
    let times = report.outcomes[0][0].times
    let total = try #require(Self.span(times.opened, times.completed))
    #expect((5_400_000_000..<5_500_000_000).contains(total), "\(total)")
  }

  // MARK: Against measurements

  /// A measured transfer: Linux 6.18, a queue of 100 packets, an unpaced sender; milliseconds.
  struct Measured: Sendable {
    var name: String
    var down: Int64
    var up: Int64
    var delay: Int64
    var back: Int64
    var size: Int64
    var first: Int64
    var second: Int64
    var afterSilence: Int64
  }

  @Test(arguments: [
    Measured(
      name: "3G", down: 780_000, up: 330_000, delay: 100, back: 100, size: 50_000,
      first: 1_013, second: 747, afterSilence: 809),
    Measured(
      name: "3G", down: 780_000, up: 330_000, delay: 100, back: 100, size: 250_000,
      first: 3_138, second: 2_872, afterSilence: 2_903),
    Measured(
      name: "DSL", down: 2_000_000, up: 256_000, delay: 5, back: 5, size: 250_000,
      first: 1_076, second: 1_063, afterSilence: 1_062),
    Measured(
      name: "5M40", down: 5_000_000, up: 5_000_000, delay: 40, back: 40, size: 50_000,
      first: 338, second: 164, afterSilence: 258),
    Measured(
      name: "5M40", down: 5_000_000, up: 5_000_000, delay: 40, back: 40, size: 1_000_000,
      first: 1_913, second: 1_739, afterSilence: 1_837),
    Measured(
      name: "LTE", down: 50_000_000, up: 10_000_000, delay: 50, back: 65, size: 50_000,
      first: 463, second: 124, afterSilence: 348),
    Measured(
      name: "WiFi", down: 40_000_000, up: 33_000_000, delay: 1, back: 1, size: 1_000_000,
      first: 212, second: 210, afterSilence: 210),
  ])
  func measuredTransfers(_ row: Measured) throws {
    let link = Self.link(
      down: row.down, up: row.up, delay: .milliseconds(row.delay), back: .milliseconds(row.back),
      queue: .packets(100))
    var plan = Self.plan(link, [row.size, row.size, row.size, row.size])
    plan.plan.flows[0].steps[3].idle = .seconds(6)
    let flow = plan.run().outcomes[0]
    for (step, measured) in [(0, row.first), (1, row.second), (3, row.afterSilence)] {
      let times = flow[step].times
      let total = try #require(Self.span(times.opened, times.completed))
      let error = abs(total - measured * 1_000_000)
      #expect(error <= max(1_500_000, measured * 10_000), "\(row.name), step \(step): \(total)")
    }
  }

  /// A blackout is over at the first try after it: 250 kB over 5 Mbit/s with 40 ms each way.
  @Test(arguments: [(Int64(1), Int64(1_696)), (3, 3_741), (5, 5_777)])
  func blackoutsAtConnect(seconds: Int64, measured: Int64) throws {
    var link = Self.link(
      down: 5_000_000, up: 5_000_000, delay: .milliseconds(40), queue: .packets(100))
    link.events = [LinkEvent(at: .zero, .blackout(.seconds(seconds), drops: .new))]
    let times = Self.plan(link, [250_000]).run().outcomes[0][0].times
    let total = try #require(Self.span(times.opened, times.completed))
    #expect(abs(total - measured * 1_000_000) <= measured * 10_000, "\(total)")
  }
}
