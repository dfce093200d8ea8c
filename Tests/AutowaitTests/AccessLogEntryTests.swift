import Autowait
import Testing

/// When an entry of the access log begins, and what it counts: by the header of
/// AVPlayerItemAccessLogEvent and WWDC18 502, in numbers reckoned by hand.
@Suite struct AccessLogEntryTests {
  /// The first segment of 10 s is there after 1.25 s, and what follows it is of the better variant.
  ///
  /// That is asked for at 1.25 s, and plays from 11.25 s on.
  @Test func anEntryBeginsWhereAnotherVariantPlays() {
    let log = run(ladder())
    #expect(log.map(\.reason) == [.start, .variantSwitch])
    #expect(log.map(\.variant) == [0, 1])
    #expect(log.map(\.playbackStartDate) == [Demo.at(1_250), Demo.at(11_250)])
    #expect(log.map(\.playbackStartOffset) == [.zero, .seconds(10)])
    #expect(log.map(\.durationWatched) == [.seconds(10), .seconds(70)])
    #expect(log.map(\.startupTime) == [.milliseconds(1_250), .milliseconds(1_250)])
    #expect(log.map { $0.segments?.indicatedBitrate?.bitsPerSecond } == [1_000_000, 4_000_000])
    #expect(log.map { $0.segments?.switchBitrate?.bitsPerSecond } == [nil, 8_000_000])
  }

  /// (1 · 10 + 4 · 70) / 80 = 3.625 Mbit/s: what WWDC18 502 reckons from the log, and the metric.
  @Test func theLogTellsTheTimeWeightedBitRate() {
    let run = Simulation.run(of: ladder())
    let metrics = run.metrics(of: 0)
    #expect(Demo.indicatedBitrate(of: metrics.accessLog) == 3_625_000)
    #expect(metrics.streaming?.timeWeightedPeakBitrate?.bitsPerSecond == 3_625_000)
  }

  /// At rate 2 the switch is met in half the time, and the media is as long as ever.
  @Test func watchedIsMediaAndNotTime() {
    var world = ladder()
    world.script[1] = Demo.at(0, .setRate(PlaybackRate(millionths: 2_000_000)))
    let run = Simulation.run(of: world)
    let log = run.metrics(of: 0).accessLog
    #expect(log.map(\.durationWatched) == [.seconds(10), .seconds(70)])
    #expect(log.map(\.playbackStartOffset) == [.zero, .seconds(10)])
    #expect(run.metrics(of: 0).playbackDuration == .seconds(40))
  }

  /// What the user does at 4 and 6 s, while 1 Mbit/s play that came at 2.
  @Test(
    arguments: [
      (.pause, .play), (.setRate(.zero), .setRate(.normal)),
      (.setRate(PlaybackRate(millionths: 500_000)), .setRate(PlaybackRate(millionths: 1_500_000))),
      (.interrupt, .play), (.set(.interstitial(true)), .set(.interstitial(false))),
      (.set(.coordination(true)), .set(.coordination(false))),
    ] as [(PlayerAction, PlayerAction)])
  func nothingElseBeginsAnEntry(_ first: PlayerAction, _ second: PlayerAction) {
    var world = single()
    world.script += [Demo.at(seconds: 8, first), Demo.at(seconds: 9, second)]
    let simulation = Simulation.run(of: world)
    let log = simulation.metrics(of: 0).accessLog
    #expect(log.map(\.reason) == [.start])
    #expect(log.map(\.durationWatched) == [.seconds(40)])
    #expect(simulation.times(of: .newAccessLogEntry).count == 1)
  }

  /// A recorded stall lies within one entry of 46.871 s (SRGSSR pillarbox-apple #903).
  ///
  /// Here the link is down from 7 to 16 s: 4 of the second segment's 10 Mbit have come by then, and
  /// the others by 19 s, 4 s after the first segment was played.
  @Test func aStallLiesWithinItsEntry() throws {
    let world = single([(0, 2_000_000), (7, 0), (16, 2_000_000)])
    let metrics = Simulation.run(of: world).metrics(of: 0)
    #expect(metrics.stallCount == 1)
    #expect(metrics.accessLog.map(\.numberOfStalls) == [1])
    #expect(metrics.accessLog.map(\.durationWatched) == [.seconds(40)])
    // 40 Mbit at 2 Mbit/s, and not the 29 s in which something was asked for.
    #expect(metrics.accessLog.map(\.transferDuration) == [.seconds(20)])
    #expect(metrics.accessLog.first?.observedBitrate?.bitsPerSecond == 2_000_000)
  }

  /// Four segments of a round trip of 100 ms each take 20 s to come, however they are modelled.
  ///
  /// In packets and windows the start adds some round trips in which few bytes come.
  @Test(arguments: [(.ideal, 0), (.fluid, 400), (.packet, 400)] as [(LinkTier, Int64)])
  func roundTripsAndDeadAirAreNotTransfer(_ tier: LinkTier, _ slack: Int64) throws {
    for samples: [(Int64, Int64)] in [
      [(0, 2_000_000)], [(0, 2_000_000), (7, 0), (13, 2_000_000)],
    ] {
      var world = single(samples, delay: 50)
      world.tier = tier
      let metrics = Simulation.run(of: world).metrics(of: 0)
      let log = metrics.accessLog
      #expect(log.map(\.numberOfMediaRequests) == [4], "\(tier)")
      #expect(log.map(\.numberOfBytesTransferred.bytes) == [5_000_000], "\(tier)")
      let spent = try #require(log.first).transferDuration.nanoseconds / 1_000_000
      let wire: Int64 = tier == .ideal ? 20_000 : 20_800
      #expect(spent >= 20_000 && spent <= wire + slack, "\(tier) \(samples.count): \(spent)")
      #expect(metrics.transferDuration == log[0].transferDuration, "\(tier)")
    }
  }

  /// A seek out of what is loaded takes a segment of 5 s; one into it takes nothing.
  @Test func aSeekHasAnEntryAndAStartupOfItsOwn() {
    var world = single(segments: 60)
    world.players[0].keepUp.forwardBufferLimit = .seconds(20)
    world.script += [
      Demo.at(seconds: 30, .seek(.seconds(400))), Demo.at(seconds: 47, .seek(.seconds(403))),
    ]
    let log = run(world).prefix(3)
    #expect(log.map(\.reason) == [.start, .seek, .seek])
    #expect(log.map(\.playbackStartDate) == [Demo.at(5_000), Demo.at(30_000), Demo.at(47_000)])
    #expect(log.map(\.playbackStartOffset) == [.zero, .seconds(400), .seconds(403)])
    #expect(log.map(\.startupTime) == [.seconds(5), .seconds(5), .zero])
    #expect(log.map(\.durationWatched) == [.seconds(25), .seconds(12), .seconds(197)])
    #expect(log.allSatisfy { $0.variant == 0 })
  }

  /// In the microsecond between two seeks two bits come, and no byte.
  @Test func anEntryWithoutBytesHasObservedNothing() throws {
    var world = single(segments: 60)
    world.script += [10_000_000_000, 10_000_001_000].map {
      ScriptStep(.at(Instant(nanoseconds: $0)), .player(0, .seek(.seconds(3))))
    }
    let log = run(world)
    let brief = try #require(log.dropFirst().first)
    #expect(brief.transferDuration == TimeSpan(nanoseconds: 1_000))
    #expect(brief.numberOfBytesTransferred.bytes == 0)
    #expect(brief.observedBitrate == nil)
    #expect(log.last?.observedBitrate?.bitsPerSecond == 2_000_000)
  }

  /// Two seeks while the player is paused begin two entries, in the first of which nothing plays:
  /// logs of devices have such empty entries around seeks.
  @Test func aSeekInAPauseBeginsAnEntryToo() {
    var world = single()
    world.script += [
      Demo.at(seconds: 8, .pause), Demo.at(seconds: 9, .seek(.seconds(1))),
      Demo.at(seconds: 10, .seek(.seconds(2))), Demo.at(seconds: 11, .play),
    ]
    let log = run(world)
    #expect(log.map(\.reason) == [.start, .seek, .seek])
    #expect(log.map(\.durationWatched) == [.seconds(3), .zero, .seconds(38)])
    #expect(log.map(\.variant) == [0, nil, 0])
  }

  /// A seek out of what is loaded has no startup if the next one comes before its segment: what
  /// holds where that one leads says nothing of the place before.
  @Test func aSeekThatIsLeftHasNoStartup() {
    var world = single(segments: 60)
    world.players[0].keepUp.forwardBufferLimit = .seconds(20)
    world.script += [
      Demo.at(seconds: 30, .seek(.seconds(400))), Demo.at(seconds: 33, .seek(.seconds(30))),
    ]
    let log = run(world).prefix(3)
    #expect(log.map(\.reason) == [.start, .seek, .seek])
    #expect(log.map(\.startupTime) == [.seconds(5), nil, .zero])
  }

  /// What is loaded whole, from 20 s on, is likely to keep up at its end, too.
  @Test func aSeekToTheEndOfWhatIsThereTakesNoTime() {
    var world = single()
    world.script += [Demo.at(seconds: 30, .pause), Demo.at(seconds: 31, .seek(.seconds(40)))]
    #expect(run(world).map(\.startupTime) == [.seconds(5), .zero])
  }

  /// Before playback begins there is no entry to end: the first one begins where it was sought.
  @Test func aSeekBeforePlaybackBeginsNoEntry() {
    var world = single()
    world.script.insert(Demo.at(0, .seek(.seconds(20))), at: 1)
    let log = run(world)
    #expect(log.map(\.reason) == [.start])
    #expect(log.map(\.playbackStartOffset) == [.seconds(20)])
  }

  /// A segment that failed was not downloaded, and neither was one that is under way.
  ///
  /// AVMetrics counts every request: two playlists and five segments.
  @Test func requestsAreCountedAsTheHeadersSay() {
    var media = StreamRunFixture.streamMedia([1_000_000], segments: 4)
    media.playlistSize = ByteCount(bytes: 1)
    media.faults = [Fault(.status(404), of: .segment(list: nil, number: 2), count: 1)]
    let simulation = Simulation.run(of: StreamRunFixture.world(media, rate: 2_000_000))
    let metrics = simulation.metrics(of: 0)
    #expect(metrics.accessLog.map(\.numberOfMediaRequests) == [4])
    #expect(metrics.mediaResourceRequestCount == 7)
    let half = Simulation.run(of: single(), to: 7_500_000_000).metrics(of: 0)
    #expect(half.accessLog.map(\.numberOfMediaRequests) == [1])
  }

  /// What an item loaded that never played is in the log of no other one.
  @Test func aNewItemHasALogOfItsOwn() {
    var world = single()
    world.players[0].media.append(world.players[0].media[0])
    world.script = [
      Demo.at(0, .replaceCurrentItem(0)), Demo.at(seconds: 6, .replaceCurrentItem(1)),
      Demo.at(seconds: 6, .play),
    ]
    let log = run(world)
    #expect(log.map(\.item) == [1])
    #expect(log.map(\.numberOfBytesTransferred.bytes) == [5_000_000])
    #expect(log.map(\.numberOfMediaRequests) == [4])
    #expect(log.map(\.startupTime) == [.seconds(5)])
  }

  /// Backwards from 25 s, over the switch at 10 s, to the beginning.
  @Test func anEntryBeginsBackwardsToo() {
    var world = ladder()
    world.script += [Demo.at(26_250, milliseconds: .setRate(PlaybackRate(millionths: -1_000_000)))]
    let metrics = Simulation.run(of: world).metrics(of: 0)
    let log = metrics.accessLog
    #expect(log.map(\.variant) == [0, 1, 0])
    #expect(log.map(\.playbackStartOffset) == [.zero, .seconds(10), .seconds(10)])
    #expect(log.map(\.durationWatched) == [.seconds(10), .seconds(30), .seconds(10)])
    // (1 · 20 + 4 · 30) / 50
    #expect(Demo.indicatedBitrate(of: log) == 2_800_000)
    #expect(metrics.streaming?.timeWeightedPeakBitrate?.bitsPerSecond == 2_800_000)
  }

  // MARK: Worlds

  private func ladder() -> World {
    var world = StreamRunFixture.world(
      StreamRunFixture.streamMedia([1_000_000, 4_000_000], segments: 8), rate: 8_000_000)
    world.players[0].streaming.adaptation.rule = .throughput
    world.players[0].keepUp.forwardBufferLimit = .seconds(20)
    return world
  }

  /// Segments of 10 s at 1 Mbit/s over 2 Mbit/s, or what it is from some seconds on.
  private func single(
    _ samples: [(second: Int64, rate: Int64)] = [(0, 2_000_000)], delay: Int64 = 0,
    segments: Int = 4
  ) -> World {
    var world = StreamRunFixture.world(
      StreamRunFixture.streamMedia([1_000_000], segments: segments), rate: 1)
    let track = LinkTrack(
      samples.map {
        LinkTrack.Sample(
          start: .seconds($0.second), rate: BitRate(bitsPerSecond: $0.rate),
          delay: .milliseconds(delay))
      }, ending: .hold)
    world.links = [LinkProfile(track)]
    return world
  }

  private func run(_ world: World) -> [AccessLogEvent] {
    Simulation.run(of: world).metrics(of: 0).accessLog
  }
}

extension Demo {
  /// The instant of a number of milliseconds.
  static func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  static func at(seconds: Int64, after milliseconds: Int64) -> Instant {
    at(seconds * 1_000 + milliseconds)
  }

  static func at(_ count: Int64, milliseconds action: PlayerAction) -> ScriptStep {
    at(count * 1_000_000, action)
  }

  /// The time-weighted indicated bit rate as WWDC18 502 reckons it from an access log, over the
  /// entries in which both are known and positive, rounded down.
  static func indicatedBitrate(of log: [AccessLogEvent]) -> Int64? {
    var (sum, watched) = (Int128(0), Int128(0))
    for event in log {
      guard let rate = event.segments?.indicatedBitrate?.bitsPerSecond, rate > 0,
        event.durationWatched > .zero
      else { continue }
      sum += Int128(rate) * Int128(event.durationWatched.nanoseconds)
      watched += Int128(event.durationWatched.nanoseconds)
    }
    return watched == 0 ? nil : Int64(sum / watched)
  }
}
