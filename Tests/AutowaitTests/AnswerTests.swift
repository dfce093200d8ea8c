import Autowait
import Testing

/// What a server makes of one request: how long it delays, what it sends, and whether it is there.
@Suite struct AnswerTests {
  /// A way to carry requests.
  struct Way: Sendable, CustomTestStringConvertible {
    var tier: LinkTier
    var http = TransportPolicy.HTTP.http1
    var tls = TransportPolicy.TLS.none

    var testDescription: String { "\(tier), \(http), \(tls)" }

    static let all: [Way] = [
      Way(tier: .ideal),
      Way(tier: .fluid), Way(tier: .fluid, http: .http2, tls: .tls13),
      Way(tier: .fluid, http: .http3, tls: .tls13),
      Way(tier: .packet), Way(tier: .packet, http: .http2, tls: .tls13),
      Way(tier: .packet, http: .http3, tls: .tls13), Way(tier: .packet, tls: .tls12),
    ]
    static let real = all.filter { $0.tier != .ideal }
  }

  /// A trial of requests over 8 Mbit/s with 50 ms each way, and no names.
  private static func trial(_ way: Way, _ requests: [TransferRequest]) -> TransferTrial {
    let direction = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000), delay: .milliseconds(50)))
    var policy = TransportPolicy()
    policy.usesDNSLookup = false
    policy.http = way.http
    policy.tls = way.tls
    policy.requestTimeout = nil
    return TransferTrial(
      TransferPlan(flows: [.init(steps: requests.map { .init($0) })]),
      on: [LinkProfile(down: direction, up: direction)], policy: policy, tier: way.tier, seed: 1)
  }

  private static func request(
    _ size: Int64 = 1_000, serverDelay: TimeSpan = .zero, answer: TransferRequest.Answer = .served
  ) -> TransferRequest {
    var request = TransferRequest(size: ByteCount(bytes: size))
    request.serverDelay = serverDelay
    request.answer = answer
    return request
  }

  private static func seconds(_ count: Int64) -> Instant { .start + .seconds(count) }

  // MARK: Thinking

  /// The first byte comes later by the server's delay, on a new connection and on one
  /// that is used again, and neither twice nor for the requests that follow.
  @Test(arguments: Way.all, [0, 1, 700_000_000, 7_200_000_000_000])
  func serverDelayDelaysTheFirstByte(_ way: Way, nanoseconds: Int64) throws {
    let serverDelay = TimeSpan(nanoseconds: nanoseconds)
    let rest = Self.trial(way, [Self.request(), Self.request(), Self.request()])
    let delayed = Self.trial(
      way,
      [
        Self.request(serverDelay: serverDelay), Self.request(serverDelay: serverDelay),
        Self.request(),
      ])
    let (before, after) = (rest.run().outcomes[0], delayed.run().outcomes[0])
    for (place, span) in [serverDelay, serverDelay, .zero].enumerated() {
      let plain = try #require(before[place].times.firstByte) - before[place].times.opened
      let first = try #require(after[place].times.firstByte) - after[place].times.opened
      // An acknowledgement that waited for the response, or did not, takes some of the link.
      let error = abs((first - plain - span).nanoseconds)
      #expect(error <= (way.tier == .ideal ? 0 : 100_000), "request \(place)")
      #expect(after[place].delivered.bytes == 1_000)
    }
  }

  /// What a request takes is added to what the policy says of all; an ideal link has no policy.
  @Test(arguments: Way.all)
  func serverDelayComesOnTopOfThePolicy(_ way: Way) throws {
    func firstByte(policy: Int64, own: Int64) throws -> Instant {
      var trial = Self.trial(way, [Self.request(serverDelay: .milliseconds(own))])
      trial.policy.serverDelay = .milliseconds(policy)
      return try #require(trial.run().outcomes[0][0].times.firstByte)
    }
    let plain = try firstByte(policy: 0, own: 0)
    let both = try firstByte(policy: 300, own: 500)
    let span = (both - plain).nanoseconds + (way.tier == .ideal ? 0 : 100_000)
    #expect(span / 1_000_000 == (way.tier == .ideal ? 500 : 800))
  }

  /// While a server delays, the connection of HTTP/1.1 is busy, and other streams go on.
  @Test(arguments: Way.all)
  func othersWaitOnlyForAConnection(_ way: Way) throws {
    var trial = Self.trial(way, [Self.request(serverDelay: .seconds(20)), Self.request()])
    trial.policy.connectionsPerHost = 1
    trial.plan.flows[0].steps[0].isConcurrent = true
    let flow = trial.run().outcomes[0]
    let (first, second) = (
      try #require(flow[0].times.completed), try #require(flow[1].times.completed)
    )
    #expect((second > first) == (way.tier != .ideal && way.http == .http1))
    #expect(second < Self.seconds(21))
  }

  /// A server that delays for too long is given up; five milliseconds less and it is not.
  @Test(arguments: Way.real)
  func timeoutsCountServerDelay(_ way: Way) throws {
    var trial = Self.trial(way, [Self.request(), Self.request()])
    let second = trial.run().outcomes[0][1].times
    let way = try #require(second.firstByte) - (try #require(second.sent))
    trial.policy.requestTimeout = .seconds(30)
    for (extra, isServed) in [(Int64(-5_000_000), true), (5_000_000, false)] {
      let serverDelay = TimeSpan(nanoseconds: 30_000_000_000 - way.nanoseconds + extra)
      trial.plan.flows[0].steps[1].request.serverDelay = serverDelay
      let outcome = trial.run().outcomes[0][1]
      #expect(outcome.failure == (isServed ? nil : .timedOut))
      #expect((outcome.times.completed != nil) == isServed)
    }
  }

  /// A request to a server that never answers is not made again when the link changes.
  @Test(arguments: Way.real)
  func timeoutsOfAServerThatNeverAnswers(_ way: Way) {
    var trial = Self.trial(way, [Self.request(serverDelay: TimeSpan(nanoseconds: .max))])
    trial.policy.requestTimeout = .seconds(30)
    trial.changes = [LinkChange(at: Self.seconds(20), link: 0)]
    #expect(trial.run(to: Self.seconds(29)).outcomes[0][0].failure == nil)
    #expect(trial.run(to: Self.seconds(31)).outcomes[0][0].failure == .timedOut)
  }

  /// A server that never answers can be given up at any time, and costs HTTP/1.1 its connection.
  @Test(
    arguments: Way.all, [TimeSpan.seconds(86_400), Limits.timeMax, TimeSpan(nanoseconds: .max)])
  func cancellingAServerThatDelays(_ way: Way, serverDelay: TimeSpan) throws {
    var trial = Self.trial(way, [Self.request(serverDelay: serverDelay), Self.request()])
    trial.plan.flows[0].steps[0].patience = .seconds(5_000)
    let flow = trial.run().outcomes[0]
    #expect(flow[0].isCancelled && flow[0].times.firstByte == nil && flow[0].delivered == .zero)
    #expect(flow[1].times.opened == Self.seconds(5_000))
    #expect(flow[1].delivered.bytes == 1_000 && flow[1].failure == nil)
    let isNew = flow[1].times.connected != nil
    #expect(isNew == (way.tier != .ideal && way.http == .http1))
    var run = TransferRun(Self.trial(way, [Self.request(serverDelay: serverDelay)]))
    run.advance(to: Self.seconds(80_000))
    #expect(!run.isOver && run.report.outcomes[0][0].times.firstByte == nil)
  }

  /// A time below zero is none.
  @Test(arguments: Way.all)
  func serverDelayIsNeverNegative(_ way: Way) {
    let plain = Self.trial(way, [Self.request()]).run()
    let odd = Self.trial(way, [Self.request(serverDelay: TimeSpan(nanoseconds: .min))]).run()
    #expect(plain == odd)
  }

  /// A request whose connection is lost is made again, and the server delays again.
  @Test(arguments: Way.real)
  func retriesAreDelayedAgain(_ way: Way) throws {
    var trial = Self.trial(way, [Self.request(serverDelay: .seconds(10))])
    trial.links[0].events = [
      LinkEvent(
        at: .seconds(8),
        .handover(.init(gap: .milliseconds(100), flushesQueue: true, endsConnections: true)))
    ]
    let first = try #require(trial.run().outcomes[0][0].times.firstByte)
    #expect((18..<19).contains(first.nanoseconds / 1_000_000_000))
  }

  // MARK: Names

  /// A name that does not resolve costs what its lookup takes, and makes no connection.
  @Test(arguments: Way.real)
  func namesThatDoNotResolve(_ way: Way) throws {
    var trial = Self.trial(way, (0..<4).map { _ in Self.request() })
    trial.policy.usesDNSLookup = true
    trial.links[0].names.delay = .milliseconds(200)
    for place in [0, 2] {
      trial.plan.flows[0].steps[place].request.answer = .nameNotResolved
    }
    let flow = trial.run().outcomes[0]
    // A known name is asked for again, for it may have changed.
    for place in [0, 2] {
      #expect(flow[place].failure == .nameNotResolved)
      #expect(flow[place].times.nameResolved == nil && flow[place].times.connected == nil)
      #expect(flow[place].times.firstByte == nil && flow[place].delivered == .zero)
    }
    let resolved = try #require(flow[1].times.nameResolved) - flow[1].times.opened
    #expect(resolved.nanoseconds / 1_000_000 == 300)
    // What fails takes as long as what resolves.
    for place in [0, 2] {
      let span = flow[place + 1].times.opened - flow[place].times.opened
      #expect(abs((span - resolved).nanoseconds) < 100_000)
    }
    #expect(flow[1].times.completed != nil && flow[3].times.completed != nil)
  }

  /// Without lookups the request fails at once.
  @Test(arguments: Way.real)
  func namesWithoutLookup(_ way: Way) {
    let trial = Self.trial(way, [Self.request(answer: .nameNotResolved), Self.request()])
    let flow = trial.run().outcomes[0]
    #expect(flow[0].failure == .nameNotResolved)
    #expect(flow[1].times.opened == .start && flow[1].times.completed != nil)
  }

  /// An ideal link fails nothing: after one round trip comes a response of no bytes.
  @Test func namesOnAnIdealLink() {
    let request = Self.request(serverDelay: .seconds(9), answer: .nameNotResolved)
    let flow = Self.trial(Way(tier: .ideal), [request]).run().outcomes[0]
    #expect(flow[0].failure == nil && flow[0].delivered == .zero)
    #expect(flow[0].times.firstByte == .start + .milliseconds(100))
    #expect(flow[0].times.completed == .start + .milliseconds(100))
  }

  /// A lost query is repeated: after one second, two more and four more the request fails, and so
  /// do all that wait for the same name.
  @Test func lostQueries() {
    var trial = Self.trial(
      Way(tier: .packet), [Self.request(answer: .nameNotResolved), Self.request()])
    trial.policy.usesDNSLookup = true
    trial.plan.flows[0].steps[0].isConcurrent = true
    trial.links[0].up.loss = .bernoulli(.always)
    var run = TransferRun(trial)
    run.advance(to: Instant(nanoseconds: 6_999_999_999))
    #expect(run.report.outcomes[0].allSatisfy { $0.failure == nil })
    run.advance(to: Self.seconds(7))
    #expect(run.report.outcomes[0].allSatisfy { $0.failure == .nameNotResolved })
    trial.links[0].up.loss = .packets([1])
    run = TransferRun(trial)
    run.advance(to: .never)
    let flow = run.report.outcomes[0]
    #expect(flow[0].failure == .nameNotResolved && flow[1].failure == nil)
    #expect(flow[1].times.nameResolved.map { $0.nanoseconds / 1_000_000 } == 1_100)
  }

  /// Who waits for the answer to another's query asks again when the other gives up.
  @Test(arguments: Way.real)
  func waitingForANameThatAnotherAskedFor(_ way: Way) throws {
    var trial = Self.trial(way, [Self.request(), Self.request()])
    trial.policy.usesDNSLookup = true
    trial.links[0].names.delay = .milliseconds(400)
    trial.plan.flows[0].steps[0].isConcurrent = true
    trial.plan.flows[0].steps[0].patience = .milliseconds(60)
    let flow = trial.run().outcomes[0]
    #expect(flow[0].isCancelled)
    let completed = try #require(flow[1].times.completed)
    #expect(completed < .start + .milliseconds(1_000))
  }

  // MARK: Bodies of next to nothing

  /// An empty body is over with the header, and a byte with its packet.
  @Test(arguments: Way.all, [Int64(0), 1])
  func smallBodies(_ way: Way, size: Int64) throws {
    let trial = Self.trial(way, [Self.request(size), Self.request(size), Self.request(1_000)])
    let flow = trial.run().outcomes[0]
    for place in 0..<2 {
      #expect(flow[place].delivered.bytes == size && flow[place].failure == nil)
      let first = try #require(flow[place].times.firstByte)
      let last = try #require(flow[place].times.completed)
      #expect(last - first == TimeSpan(nanoseconds: way.tier == .ideal ? 1_000 * size : 0))
      #expect(flow[place].tenths.count == (size == 0 ? 0 : 10))
    }
    #expect(flow[2].delivered.bytes == 1_000)
    // A round trip, and what the header takes.
    let span = try #require(flow[1].times.firstByte) - flow[1].times.opened
    #expect((100..<110).contains(span.nanoseconds / 1_000_000))
  }

  /// A response has a byte even where headers have none.
  @Test(arguments: Way.all, [Int64(0), 1])
  func smallBodiesWithoutHeader(_ way: Way, size: Int64) throws {
    var trial = Self.trial(way, [Self.request(size), Self.request(size)])
    trial.policy.responseHeaderSize = .zero
    for outcome in trial.run().outcomes[0] {
      let (first, last) = (outcome.times.firstByte, outcome.times.completed)
      #expect(try #require(first) <= #require(last))
      #expect(outcome.delivered.bytes == size)
    }
  }

  /// A small response can be given up before and after its request has got to the server.
  @Test(arguments: Way.all, [Int64(0), 1])
  func cancellingSmallBodies(_ way: Way, size: Int64) throws {
    let whole = Self.trial(way, [Self.request(size), Self.request()]).run().outcomes[0][0]
    let span = try #require(whole.total)
    for patience in [1, 30_000_000, 70_000_000, span.nanoseconds - 1] {
      var trial = Self.trial(way, [Self.request(size), Self.request()])
      trial.plan.flows[0].steps[0].patience = TimeSpan(nanoseconds: patience)
      let flow = trial.run().outcomes[0]
      #expect(flow[0].isCancelled && flow[0].delivered == .zero, "\(patience)")
      #expect(flow[1].delivered.bytes == 1_000, "\(patience)")
    }
  }

  /// Nobody reads from before the first byte on: an empty body is over with its header all the
  /// same, and of a large one no more comes than has room on the way, until it is read.
  @Test(arguments: Way.all, [Int64(0), 1, 4_000_000])
  func heldBeforeTheFirstByte(_ way: Way, size: Int64) throws {
    var trial = Self.trial(way, [Self.request(size, serverDelay: .seconds(1))])
    let free = try #require(trial.run().outcomes[0][0].times.completed)
    trial.plan.flows[0].steps[0].suspendedAfter = .milliseconds(900)
    trial.plan.flows[0].steps[0].suspension = .seconds(60)
    if way.http == .http1 { trial.policy.receiveWindow = ByteCount(bytes: 60_000) }
    var run = TransferRun(trial)
    run.advance(to: Self.seconds(60))
    let held = run.report.outcomes[0][0]
    #expect(held.times.firstByte != nil)
    if size == 0 { #expect(held.times.completed == free) }
    if size > 1 { #expect(held.times.completed == nil && held.delivered.bytes < 1_100_000) }
    run.advance(to: .never)
    let whole = run.report.outcomes[0][0]
    #expect(whole.delivered.bytes == size)
    let isLate = try #require(whole.times.completed) >= Self.seconds(60)
    #expect(isLate == (size > 1 || size == 1 && way.tier == .ideal))
  }

  /// Who reads on before the first byte comes waits for it as if nothing had been.
  @Test(arguments: Way.all, [Int64(0), 1, 100_000])
  func heldAndReadBeforeTheFirstByte(_ way: Way, size: Int64) {
    var trial = Self.trial(way, [Self.request(size, serverDelay: .seconds(10))])
    let free = trial.run().outcomes[0][0].times
    trial.plan.flows[0].steps[0].suspendedAfter = .seconds(1)
    trial.plan.flows[0].steps[0].suspension = .seconds(3)
    let times = trial.run().outcomes[0][0].times
    #expect(times.firstByte == free.firstByte)
    #expect(times.completed == free.completed)
  }

  /// Time without bytes does not count while nobody reads.
  @Test(arguments: Way.real)
  func heldRequestsHaveTime(_ way: Way) {
    var trial = Self.trial(way, [Self.request(serverDelay: .seconds(50))])
    trial.policy.requestTimeout = .seconds(30)
    trial.plan.flows[0].steps[0].suspendedAfter = .seconds(10)
    trial.plan.flows[0].steps[0].suspension = .seconds(25)
    #expect(trial.run().outcomes[0][0].failure == nil)
    trial.plan.flows[0].steps[0].suspension = .seconds(5)
    #expect(trial.run().outcomes[0][0].failure == .timedOut)
  }
}
