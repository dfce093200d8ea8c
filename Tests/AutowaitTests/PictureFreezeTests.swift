import Autowait
import Testing

/// A picture that starves while there is sound, against what the log says of arrivals and of the
/// clock: Chromium lets it run for three seconds, and then stops it (`renderer_impl.cc`).
@Suite struct PictureFreezeTests {
  private static let segment: Int64 = 4_000_000_000
  private static let tail: Int64 = 64_000_000

  private static func stream(video: Int64, count: Int = 12) -> Media {
    func list(_ size: Int64) -> SegmentList {
      SegmentList((0..<count).map { (.seconds(4), ByteCount(bytes: size + Int64($0 % 4) * 999)) })
    }
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 900_000), list: 0)],
      lists: [list(video), list(48_000)])
    parts.variants[0].audioGroup = 0
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    parts.renditions[0].isDefault = true
    return Media(parts)
  }

  private static func run(
    bitsPerSecond: Int64, grace: Int64 = 3_000, _ steps: [ScriptStep] = [],
    _ order: RequestOrder = .segmentAhead, until end: Int64 = 200_000_000_000
  ) -> Simulation {
    var player = PlayerConfiguration(media: [stream(video: 450_000)])
    configure(&player, grace, order)
    let world = World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: bitsPerSecond)))],
      players: [player], script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)] + steps,
      horizon: Instant(nanoseconds: end))
    return Simulation.run(of: world)
  }

  private static func configure(
    _ player: inout PlayerConfiguration, _ grace: Int64, _ order: RequestOrder
  ) {
    let some = BufferConditions(allOf: .atLeast(.buffered, 200_000_000))
    player.keepUp.rule = .conditions(ConditionRule(start: some))
    player.keepUp.starvesBelow = MediaTime(nanoseconds: tail)
    player.keepUp.requestOrder = order
    player.keepUp.pictureGrace = .milliseconds(grace)
    player.streaming.adaptation.rule = .fixed
  }

  /// At rates around that of the media: when the clock stops, and when the picture stands.
  @Test(arguments: [560_000, 700_000, 800_000, 861_457, 930_000, 990_000] as [Int64])
  func theClockRunsOnForSomeSeconds(_ bitsPerSecond: Int64) throws {
    let log = TrackLog(Self.run(bitsPerSecond: bitsPerSecond))
    #expect(log.froze.count > 2, "the picture of so slow a link freezes")
    #expect(log.wentOn.count == log.froze.count)
    for (froze, wentOn) in zip(log.froze, log.wentOn) {
      // It stands a tail before the picture ends, where the clock would, and there is sound.
      let end = Int64(log.count(0, at: froze)) * Self.segment
      #expect(log.place(at: froze) == end - Self.tail)
      #expect(Int64(log.count(1, at: froze)) * Self.segment > end)
      #expect(log.stretch(at: froze).rate == 1_000_000)
      // It goes on when its next segment is there, as soon as the clock runs.
      let came = try #require(log.came[0].first { Int64($0.segment) * Self.segment == end }?.at)
      let runs = log.clock.first { $0.since >= came && $0.rate > 0 }?.since ?? came
      #expect(wentOn == (log.stretch(at: came).rate > 0 ? came : runs))
    }
    for stop in log.clock.dropFirst() where stop.rate == 0 && stop.place < 12 * Self.segment {
      let picture = Int64(log.count(0, at: stop.since)) * Self.segment
      let sound = Int64(log.count(1, at: stop.since)) * Self.segment
      // Three seconds after it, or just before the end of the sound.
      #expect(stop.place == min(picture + 3_000_000_000, sound) - Self.tail)
    }
  }

  /// At double speed three seconds are six of media; half of one is what is left of half a second.
  @Test(arguments: [(2_000_000, 3_000), (1_000_000, 500), (1_500_000, 1_000)] as [(Int64, Int64)])
  func theSecondsAreThoseOfTheWall(_ rate: Int64, _ grace: Int64) {
    let set = ScriptStep.at(1, .setRate(PlaybackRate(millionths: rate)))
    let log = TrackLog(Self.run(bitsPerSecond: 800_000, grace: grace, [set]))
    let stops = log.clock.dropFirst().filter { $0.rate == 0 && $0.place < 12 * Self.segment }
    #expect(!stops.isEmpty)
    for stop in stops {
      let picture = Int64(log.count(0, at: stop.since)) * Self.segment
      let sound = Int64(log.count(1, at: stop.since)) * Self.segment
      #expect(stop.place == min(picture + grace * rate, sound) - Self.tail)
    }
  }

  /// Who has no grace stops where the picture ends, and tells of no frozen picture.
  @Test func withoutGraceTheClockStops() {
    let log = TrackLog(Self.run(bitsPerSecond: 800_000, grace: 0))
    #expect(log.froze.isEmpty)
    let stops = log.clock.dropFirst().filter { $0.rate == 0 && $0.place < 12 * Self.segment }
    #expect(stops.count > 3)
    for stop in stops {
      #expect(stop.place == Int64(log.count(0, at: stop.since)) * Self.segment - Self.tail)
    }
  }

  /// With sound in step with the picture there is nothing to go on with.
  @Test func soundThatIsNotAheadFreezesNothing() {
    let run = Self.run(bitsPerSecond: 800_000, [], .serial)
    #expect(TrackLog(run).froze.isEmpty)
    #expect(run.metrics(of: 0).stallCount > 0)
  }

  /// A pause and a seek end what stands; what is counted is the time between the two events.
  @Test(arguments: [PlayerAction.pause, .seek(.zero), .replaceCurrentItem(nil)])
  func whatEndsIt(_ action: PlayerAction) throws {
    let whole = TrackLog(Self.run(bitsPerSecond: 800_000))
    let froze = try #require(whole.froze.first)
    let now = froze / 1_000_000 + 200
    let run = Self.run(bitsPerSecond: 800_000, [.at(now, action)])
    let log = TrackLog(run)
    #expect(log.wentOn.first == now * 1_000_000)
    let frozen = zip(log.froze, log.wentOn).reduce(0) { $0 + $1.1 - $1.0 }
    let metrics = run.metrics(of: 0)
    #expect(metrics.pictureFreezeCount == log.froze.count)
    #expect(metrics.timePictureFrozen.nanoseconds == frozen)
  }

  /// What is loaded is told as it is, though the clock is behind the picture.
  @Test func whatIsLoadedIsToldAsItIs() throws {
    let froze = try #require(TrackLog(Self.run(bitsPerSecond: 800_000)).froze.first)
    let run = Self.run(bitsPerSecond: 800_000, until: froze + 300_000_000)
    let shown = run.snapshot(of: 0)
    #expect(shown.isPictureFrozen)
    #expect(shown.loadedEnd == shown.currentTime)
    let after = MediaTime(nanoseconds: 300_000_000 - Self.tail)
    #expect(shown.loadedTimeRanges.last?.end == shown.currentTime - after)
  }
}
