import Autowait
import Testing

/// What the access log says of streams, in numbers that anybody can reckon: segments of 10 s at
/// 1 Mbit/s, four of them.
@Suite struct AccessLogTests {
  @Test func allThatIsKnownOfAStreamIsThere() throws {
    let log = run(rate: 2_000_000)
    #expect(log.count == 1)
    let event = try #require(log.first)
    let segments = try #require(event.segments)
    #expect((event.item, event.variant) == (0, 0))
    #expect(event.playbackType == .vod)
    #expect(event.numberOfMediaRequests == 4)
    #expect(event.mediaRequestsWWAN == 0)
    #expect(event.numberOfBytesTransferred.bytes == 5_000_000)
    #expect(event.transferDuration == .seconds(20))
    #expect(event.durationWatched == .seconds(40))
    #expect(segments.segmentsDownloadedDuration == .seconds(40))
    #expect(segments.indicatedBitrate?.bitsPerSecond == 1_000_000)
    #expect(segments.indicatedAverageBitrate == nil)
    #expect(segments.averageVideoBitrate?.bitsPerSecond == 1_000_000)
    #expect(segments.averageAudioBitrate == nil)
    #expect(segments.switchBitrate == nil)
  }

  @Test func theRatesOfSegmentsHaveALeastAHighestAndASpread() {
    // Rates of 4, 2, 2 and 2 Mbit/s: the mean is 2.5, the variance (1.5² + 3 · 0.5²) / 4 = 0.75.
    let log = run(samples: [(0, 4_000_000), (2_500_000_000, 2_000_000)])
    let segments = log.first?.segments
    #expect(segments?.observedMaxBitrate?.bitsPerSecond == 4_000_000)
    #expect(segments?.observedMinBitrate?.bitsPerSecond == 2_000_000)
    #expect(segments?.observedBitrateStandardDeviation?.bitsPerSecond == 866_025)
    let even = run(rate: 2_000_000).first?.segments
    #expect(even?.observedBitrateStandardDeviation == .zero)
    #expect(even?.observedMinBitrate == even?.observedMaxBitrate)
  }

  /// Whether a segment of 10 s is overdue that comes at such a rate.
  @Test(arguments: [(999_999, 4), (1_000_000, 0), (1_000_001, 0)])
  func aSegmentIsOverdueIfItTakesLongerThanItPlays(_ rate: Int64, _ count: Int) {
    let log = run(rate: rate)
    #expect(log.reduce(0) { $0 + ($1.segments?.downloadOverdue ?? 0) } == count)
  }

  // Of the requests at 0, 5, 10 and 15 s two are made while it is.
  @Test(arguments: [(true, 2), (false, 2)])
  func requestsOnExpensiveNetworksAreCounted(_ becomes: Bool, _ count: Int) {
    // Segments are asked for at 0, 5, 10 and 15 s.
    var world = world([(0, 2_000_000)], streamMedia())
    world.players[0].limits.isExpensive = !becomes
    let now = Instant(nanoseconds: 7_000_000_000)
    world.script.append(ScriptStep(.at(now), .player(0, .set(.isExpensive(becomes)))))
    #expect(run(world).map(\.mediaRequestsWWAN) == [count])
  }

  /// When the network becomes expensive, and cheap again, and how many of the requests at 0, 5, 10
  /// and 15 s are made while it is.
  @Test(
    arguments: [
      ([], 0), ([0], 4), ([0, 2], 1), ([0, 2, 7], 3), ([0, 2, 7, 12], 2), ([2, 7], 1),
      ([2, 7, 12], 2), ([2, 3, 7, 8], 0), ([0, 6, 8, 14], 3),
    ] as [([Int64], Int)])
  func allExpensiveStretchesCount(_ changes: [Int64], _ count: Int) {
    var world = world([(0, 2_000_000)], streamMedia())
    world.players[0].limits.isExpensive = changes.first == 0
    for (index, second) in changes.enumerated() where second > 0 {
      let becomes = index % 2 == 0
      world.script.append(Demo.at(seconds: second, .set(.isExpensive(becomes))))
    }
    #expect(run(world).map(\.mediaRequestsWWAN) == [count])
  }

  /// The request of a file is made at once, and its answer is there at 0.4 s.
  @Test(arguments: [true, false]) func theRequestOfAFileIsCountedAsItIsMade(_ becomes: Bool) {
    var world = world([(0, 4_000_000)], streamMedia())
    world.links[0].down.track = LinkTrack(
      rate: BitRate(bitsPerSecond: 4_000_000), delay: .milliseconds(400))
    let rate = BitRate(bitsPerSecond: 1_000_000)
    world.players[0].media = [Media(.progressive, duration: .seconds(10), bitRate: rate)]
    world.players[0].limits.isExpensive = !becomes
    let now = Instant(nanoseconds: 200_000_000)
    world.script.append(ScriptStep(.at(now), .player(0, .set(.isExpensive(becomes)))))
    #expect(run(world).map(\.mediaRequestsWWAN) == [becomes ? 0 : 1])
  }

  /// What needs no request takes no time.
  @Test func aLocalFileTakesNoTime() {
    var world = world([(0, 1_000_000)], streamMedia())
    let rate = BitRate(bitsPerSecond: 1_000_000)
    world.players[0].media = [Media(.local, duration: .seconds(10), bitRate: rate)]
    #expect(run(world).map(\.startupTime) == [.zero])
  }

  /// From the request of the first segment to its last byte are 5 s, whenever the item is made.
  ///
  /// The playlist takes 100 ms before. Then 30 Mbit are missing that take 15 of the 40 s.
  @Test(arguments: [0, 3, 20] as [Int64])
  func startupIsFromTheFirstMediaRequestToLikelyToKeepUp(_ second: Int64) throws {
    var streamMedia = streamMedia()
    streamMedia.playlistSize = ByteCount(bytes: 25_000)
    var world = world([(0, 2_000_000)], streamMedia)
    world.script = [
      Demo.at(seconds: second, .replaceCurrentItem(0)), Demo.at(seconds: second, .play),
    ]
    let event = try #require(run(world).first)
    #expect(event.startupTime == .seconds(5))
    #expect(event.playbackStartDate == Demo.at(seconds: second + 5, after: 100))
  }

  /// An application that does not wait plays before the item is likely to keep up.
  ///
  /// The file comes as fast as it plays, so the rule holds from the verdict on: 65,536 B at
  /// 1 Mbit/s.
  @Test func whatIsNotLikelyYetHasNoStartup() {
    var world = world([(0, 1_000_000)], streamMedia())
    let rate = BitRate(bitsPerSecond: 1_000_000)
    world.players[0].media = [Media(.progressive, duration: .seconds(30), bitRate: rate)]
    world.script[1] = Demo.at(200_000_000, .playImmediately(.normal))
    func startup(at nanoseconds: Int64) -> [TimeSpan?] {
      Simulation.run(of: world, to: nanoseconds).metrics(of: 0).accessLog.map(\.startupTime)
    }
    #expect(startup(at: 524_287_999) == [nil])
    #expect(startup(at: 524_288_000) == [TimeSpan(nanoseconds: 524_288_000)])
    #expect(startup(at: 9_000_000_000) == [TimeSpan(nanoseconds: 524_288_000)])
  }

  @Test func audioHasARateOfItsOwn() {
    var streamMedia = streamMedia()
    streamMedia.lists.append(
      SegmentList(Array(repeating: (.seconds(10), ByteCount(bytes: 125_000)), count: 4)))
    streamMedia.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    streamMedia.variants[0].audioGroup = 0
    streamMedia.variants[0].averageBandwidth = BitRate(bitsPerSecond: 900_000)
    let segments = run(world([(0, 4_000_000)], streamMedia)).first?.segments
    #expect(segments?.averageAudioBitrate?.bitsPerSecond == 100_000)
    #expect(segments?.averageVideoBitrate?.bitsPerSecond == 1_000_000)
    #expect(segments?.indicatedAverageBitrate?.bitsPerSecond == 900_000)
    #expect(segments?.segmentsDownloadedDuration == .seconds(40))
  }

  @Test func filesHaveNoSegments() {
    var world = world([(0, 2_000_000)], streamMedia())
    let rate = BitRate(bitsPerSecond: 1_000_000)
    world.players[0].media = [Media(.progressive, duration: .seconds(40), bitRate: rate)]
    let log = run(world)
    #expect(log.map(\.playbackType) == [.file])
    #expect(log.map(\.variant) == [nil])
    #expect(log.allSatisfy { $0.segments == nil })
  }

  private func streamMedia() -> StreamMedia {
    StreamRunFixture.streamMedia([1_000_000], segments: 4)
  }

  private func world(_ samples: [(start: Int64, rate: Int64)], _ streamMedia: StreamMedia) -> World
  {
    var world = StreamRunFixture.world(streamMedia, rate: 1)
    let track = LinkTrack(
      samples.map { start, rate in
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: rate), delay: .zero)
      }, ending: .hold)
    world.links = [LinkProfile(track)]
    return world
  }

  private func run(_ world: World) -> [AccessLogEvent] {
    var simulation = Simulation(world)
    _ = simulation.run()
    return simulation.metrics(of: 0).accessLog
  }

  private func run(rate: Int64) -> [AccessLogEvent] { run(samples: [(0, rate)]) }

  private func run(samples: [(Int64, Int64)]) -> [AccessLogEvent] {
    run(world(samples, streamMedia()))
  }
}
