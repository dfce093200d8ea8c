import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitScenario
import Testing

/// Links that are inferred from sessions whose link is known.
@Suite struct LinkInferenceTests {
  /// Few in a debug build, which takes tens of times as long.
  #if DEBUG
  private static let (sessions, steps) = (2, 3_000)
  #else
  private static let (sessions, steps) = (20, 60_000)
  #endif

  private static func options(
    seed: UInt64 = 1, samples: Int = 9, steps: Int = 3_000
  ) -> LinkInference.Options {
    var options = LinkInference.Options(LinkModel(.ideal))
    (options.seed, options.samples, options.steps) = (seed, samples, steps)
    options.roundsMax = 1
    return options
  }

  /// A rate that halves is found, where it halves.
  @Test func oneChangeIsFound() throws {
    var log = SessionLog(.har, name: "log", requests: [])
    // 1 Mbit/s until 6 s and 500 kbit/s after: 125 kB a second, and half of it.
    for second in 0..<12 {
      var request = SessionRequest(
        .segment, sent: .start + .seconds(Int64(second)), quantum: .milliseconds(1))
      request.firstByte = request.sent
      request.size = ByteCount(bytes: second < 6 ? 125_000 : 62_500)
      request.done = request.sent + .seconds(1)
      log.requests.append(request)
    }
    let links = try #require(LinkInference(log, Self.options()).run())
    #expect(links.best.samples.count == 2)
    let change = try #require(links.best.samples.last)
    #expect(abs(change.start.nanoseconds - 6_000_000_000) < 300_000_000)
    #expect((480_000...520_000).contains(change.rate.bitsPerSecond))
    #expect(links.fits.allSatisfy { abs(($0.recorded - $0.simulated).nanoseconds) < 60_000_000 })
    #expect(links.samples.count == 9)
  }

  /// An outage within a response is found, and as long as it was.
  @Test func outagesAreFound() throws {
    var log = SessionLog(.har, name: "log", requests: [])
    for (second, end) in [(0, 2), (2, 4), (4, 14), (14, 16), (16, 18)] {
      var request = SessionRequest(
        .segment, sent: .start + .seconds(Int64(second)), quantum: .milliseconds(1))
      request.firstByte = request.sent
      request.size = ByteCount(bytes: 250_000)
      request.done = .start + .seconds(Int64(end))
      log.requests.append(request)
    }
    var options = Self.options()
    options.steps = 20_000
    let links = try #require(LinkInference(log, options).run())
    let samples = Array(links.best.samples)
    // Either nothing for 8 s, or so little that it makes no difference.
    let poor = samples.indices.filter { samples[$0].rate.bitsPerSecond < 300_000 }
    #expect(!poor.isEmpty)
    #expect(links.fits.allSatisfy { abs(($0.recorded - $0.simulated).nanoseconds) < 600_000_000 })
  }

  /// Equal seeds draw equal links, other seeds others.
  @Test func seedsDecideEverything() throws {
    let session = try SyntheticSession(.levels, seed: 7)
    func text(seed: UInt64) throws -> String {
      let links = try #require(LinkInference(session.log, Self.options(seed: seed)).run())
      return JSONWriter.text { links.write(of: session.log, into: &$0) }
    }
    let first = try text(seed: 1)
    #expect(try text(seed: 1) == first)
    #expect(try text(seed: 2) != first)
    // The same bytes on any machine, in any build mode.
    var log = SessionLog(.har, name: "log", requests: [])
    var request = SessionRequest(.segment, sent: .start, quantum: .milliseconds(1))
    (request.size, request.done) = (ByteCount(bytes: 500_000), .start + .seconds(4))
    log.requests = [request]
    var options = Self.options()
    (options.steps, options.samples) = (1_000, 2)
    let links = try #require(LinkInference(log, options).run())
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(JSONWriter.text { links.write(of: log, into: &$0) }.utf8))
    #expect(String(fingerprint.value, radix: 16) == "595d7f57c0df4e6f")
  }

  /// On the inferred links another player stalls for about as long as on the true one, up to the
  /// last byte of the log.
  @Test(arguments: SyntheticSession.Kind.allCases)
  func anotherPlayerStallsForAsLong(_ kind: SyntheticSession.Kind) throws {
    let percent: Int64 = kind == .levels ? 8 : 12
    var (error, all, naive): (Int64, Int64, Int64) = (0, 0, 0)
    for seed in 0..<UInt64(Self.sessions) {
      let session = try SyntheticSession(kind, seed: 100 + seed)
      let horizon = try #require(session.log.end)
      func stalled(_ outcome: ViewerOutcome) -> Int64 {
        PlayedOutcome(outcome, until: horizon).stalled.nanoseconds
      }
      let truth = stalled(try session.truth(rule: "media3"))
      let options = Self.options(samples: 32, steps: Self.steps)
      let links = try #require(LinkInference(session.log, options).run())
      let totals = try links.samples.map {
        stalled(try session.predicted(rule: "media3", $0))
      }.sorted()
      error += abs(totals[totals.count / 2] - truth)
      all += truth
      // Without any stall nothing would be tested.
      let plain = LinkTrack(rate: BitRate(bitsPerSecond: 1_000_000))
      naive += abs(stalled(try session.predicted(rule: "media3", plain)) - truth)
    }
    #expect(error * 100 <= all * percent)
    #expect(error <= naive)
  }

  /// Whatever times and sizes a log has, nothing traps, and what comes back can be read.
  @Test func hostileLogsAreNoTrouble() throws {
    var random = RandomStream(seed: 3, component: "test", purpose: "hostile")
    let times: [Int64] = [-1, 0, 1, 999, 1_000_000, 4_000_000_000, 60_000_000_000, 1 << 50]
    let sizes: [Int64] = [0, 1, 15_999, 16_000, 400_000, 2_000_000_000, 1 << 40]
    for _ in 0..<12 {
      var log = SessionLog(.har, name: "log", requests: [])
      for _ in 0..<random.next(below: 30) {
        let sent = times[Int(random.next(below: 8))] / 2
        var request = SessionRequest(
          .segment, sent: Instant(nanoseconds: sent),
          quantum: TimeSpan(nanoseconds: times[Int(random.next(below: 8))]))
        request.size = ByteCount(bytes: sizes[Int(random.next(below: 7))])
        request.done = Instant(nanoseconds: sent + times[Int(random.next(below: 8))])
        if random.next(below: 2) == 0 {
          request.firstByte = Instant(nanoseconds: times[Int(random.next(below: 8))])
        }
        log.requests.append(request)
      }
      log.roundTrip = TimeSpan(nanoseconds: times[Int(random.next(below: 7))])
      var options = Self.options(samples: 2)
      options.steps = 100
      options.model = LinkModel(.transport, recoversByTimer: random.next(below: 2) == 0)
      guard let links = LinkInference(log, options).run() else { continue }
      #expect(links.samples.count == 2)
      #expect(links.best.samples.allSatisfy { $0.rate.bitsPerSecond >= 0 })
    }
  }
}
