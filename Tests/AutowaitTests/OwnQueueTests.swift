import Autowait
import Testing

/// Senders that have the queue in front of the link in their own host, held against a kernel: Linux
/// 6.18 behind `tbf` on its own device, CUBIC with pacing, a queue of 32,000 B and no delay.
@Suite struct OwnQueueTests {
  private static func link(_ rate: Int64, outage: Bool) -> LinkProfile {
    func sample(_ second: Int64, _ rate: Int64) -> LinkTrack.Sample {
      .init(
        start: .seconds(second), rate: BitRate(bitsPerSecond: rate),
        delay: TimeSpan(nanoseconds: 50_000))
    }
    var down = LinkDirection(
      LinkTrack(
        outage ? [sample(0, rate), sample(10, 1_046), sample(18, rate)] : [sample(0, rate)])
    )
    down.queue = .bytes(ByteCount(bytes: 32_000))
    let up = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 1_000_000_000), delay: TimeSpan(nanoseconds: 50_000)))
    return LinkProfile(down: down, up: up)
  }

  /// Runs responses one after the other, the first after a rest of so many milliseconds.
  private static func run(
    _ link: LinkProfile, _ sizes: [Int64], isOwn: Bool, rest: Int64 = 0
  ) -> TransferReport {
    var policy = TransportPolicy()
    policy.usesDNSLookup = false
    policy.isQueueInServer = isOwn
    var steps = sizes.map { TransferPlan.Step(TransferRequest(size: ByteCount(bytes: $0))) }
    steps[0].request.serverDelay = .milliseconds(rest)
    return TransferTrial(
      TransferPlan(flows: [.init(steps: steps)]), on: [link], policy: policy, tier: .packet, seed: 0
    ).run()
  }

  /// How late each response is that is under way when the link goes away, in hundredths of a second
  /// behind what a link without TCP would take; of so many starts within 0.4 s, ascending.
  private static func lateness(isOwn: Bool, starts: Int64) -> [Int64] {
    let link = link(1_568_370, outage: true)
    // Segments of picture and sound in turn, as a player asks for them.
    let sizes: [Int64] = (0..<12).flatMap { _ in [454_354, 49_354] }
    return (0..<starts).compactMap { start -> Int64? in
      let report = run(link, sizes, isOwn: isOwn, rest: 400 * start / starts)
      let out = Instant.start + .seconds(10)
      let outcomes = report.outcomes[0]
      guard
        let place = outcomes.firstIndex(where: { outcome in
          guard let end = outcome.times.completed, let first = outcome.times.firstByte else {
            return false
          }
          return first <= out && end > out
        }), let end = outcomes[place].times.completed, let first = outcomes[place].times.firstByte
      else { return nil }
      // 1,448 bytes in packets of 1,500.
      let gone = (out - first).nanoseconds * 1_568_370 / 1_000_000_000
      let rest = sizes[place] * 8 * 1_500 / 1_448 - gone
      let span = TimeSpan(nanoseconds: rest * 1_000_000_000 / 1_568_370)
      let ideal = Instant.start + .seconds(18) + span
      return (end - ideal).nanoseconds / 10_000_000
    }.sorted()
  }

  /// The first response of a connection fits: nothing is dropped.
  ///
  /// The kernel took 0.280 s, twelve times; 31 packets of 1,500 bytes take 0.296 s.
  @Test func aResponseThatFitsIsNotHeldUp() throws {
    let own = Self.run(Self.link(1_256_822, outage: false), [43_445], isOwn: true)
    #expect(own.down?.dropped == 0)
    let took = try #require(own.outcomes[0][0].total).nanoseconds
    #expect((270_000_000..<300_000_000).contains(took), "\(took) ns")
  }

  /// After eight seconds in which nothing passed a sender whose queue is its own comes back sooner.
  ///
  /// Of 32 transfers of the kernel 31 were late by 0.75 to 4.03 s, half of them by 1.8 s or less.
  /// Behind a router 24 were late by 1.96 to 3.94 s, half of them by up to 3.05 s.
  @Test func itComesBackSoonerAfterAnOutage() throws {
    let own = Self.lateness(isOwn: true, starts: 24)
    #expect(own.count >= 20)
    #expect((100...260).contains(own[own.count / 2]), "\(own)")
    #expect((50...150).contains(own[0]), "\(own)")
    let other = Self.lateness(isOwn: false, starts: 24)
    #expect((240...370).contains(other[other.count / 2]), "\(other)")
    #expect((190...300).contains(other[0]), "\(other)")
    #expect(other[other.count - 1] <= 450, "\(other)")
  }
}
