import Autowait
import Testing

/// The four acts of the stage demo and what follows from them, the numbers worked out by hand.
///
/// The link carries x = 320/373 seconds of media a second. Playback that shall not stall starts
/// when D(1 − x) = 5.541555 s are loaded, at 6.459375 s, and ends with the download at
/// D/x = 45.459375 s.
@Suite struct SimulationDemoTests {
  static let playAtFirstFrame = ScriptStep(Demo.firstFrame, .player(0, .play))
  static let immediatelyAtFirstFrame = ScriptStep(
    Demo.firstFrame, .player(0, .playImmediately(.normal)))

  /// What a player shows at an instant.
  struct Frame {
    var status = TimeControlStatus.paused
    var reason: WaitingReason?
    var rate: Int64 = 0
    var timebaseRate: Int64 = 0
    var time: Int64 = 0
    var loaded: Int64 = 0
    var isLikely = false
    var isFull = false
    var isEmpty = false
  }

  private func check(
    _ world: World, at nanoseconds: Int64, _ expected: Frame,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let shown = Simulation.run(of: world, to: nanoseconds).snapshot(of: 0)
    #expect(shown.timeControlStatus == expected.status, sourceLocation: sourceLocation)
    #expect(shown.reasonForWaitingToPlay == expected.reason, sourceLocation: sourceLocation)
    #expect(shown.rate.millionths == expected.rate, sourceLocation: sourceLocation)
    #expect(
      shown.timebaseRate.millionths == expected.timebaseRate, sourceLocation: sourceLocation)
    #expect(shown.currentTime.nanoseconds == expected.time, sourceLocation: sourceLocation)
    #expect(
      shown.loadedTimeRanges == [
        LoadedTimeRange(start: .zero, end: MediaTime(nanoseconds: expected.loaded))
      ], sourceLocation: sourceLocation)
    #expect(
      shown.isPlaybackLikelyToKeepUp == expected.isLikely, sourceLocation: sourceLocation)
    #expect(shown.isPlaybackBufferFull == expected.isFull, sourceLocation: sourceLocation)
    #expect(shown.isPlaybackBufferEmpty == expected.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func slowNetworkIsWaitedForByTheUser() {
    let likely = Condition([Condition.Test(.isPlaybackLikelyToKeepUp, .equal, 1)])
    let world = Demo.world(ScriptStep(.when(likely), .player(0, .play)))
    check(world, at: 6_459_374_999, Frame(loaded: 5_541_554_958))
    check(
      world, at: 6_459_375_000,
      Frame(
        status: .playing, rate: 1_000_000, timebaseRate: 1_000_000, loaded: 5_541_554_959,
        isLikely: true))
    #expect(Simulation.run(of: world).times(of: .didPlayToEndTime) == [45_459_375_000])
  }

  @Test func slowNetworkIsWaitedForByThePlayer() {
    let world = Demo.world(Self.playAtFirstFrame)
    check(world, at: 349_687_499, Frame(loaded: 299_999_999))
    var waiting = Frame(
      status: .waitingToPlayAtSpecifiedRate, reason: .toMinimizeStalls, rate: 1_000_000,
      loaded: 300_000_000)
    check(world, at: 349_687_500, waiting)
    waiting.loaded = 3_300_000_000
    check(world, at: 3_846_562_500, waiting)
    check(
      world, at: 8_159_375_000,
      Frame(
        status: .playing, rate: 1_000_000, timebaseRate: 1_000_000, time: 1_700_000_000,
        loaded: 7_000_000_000, isLikely: true))
    let run = Simulation.run(of: world)
    #expect(run.starts() == [6_459_375_000])
    #expect(run.times(of: .didPlayToEndTime) == [45_459_375_000])
    #expect(run.metrics(of: 0).stallCount == 0)
    #expect(run.metrics(of: 0).timeSpentInInitialStartup.nanoseconds == 6_109_687_500)
    #expect(run.metrics(of: 0).playbackDuration == .seconds(39))
  }

  @Test func slowNetworkStallsWhenItIsNotWaitedFor() {
    let run = Simulation.run(of: Demo.world(Self.immediatelyAtFirstFrame))
    // The playhead m meets the edge 0.3 + x·m at m = 0.3 / (1 − x) = 2.111320754… s.
    #expect(run.times(of: .playbackStalled) == [2_461_008_255])
    #expect(
      run.events().contains(
        .timebaseRate(.zero, currentTime: MediaTime(nanoseconds: 2_111_320_754))))
    #expect(run.starts() == [349_687_500, 8_570_695_754])
    #expect(run.times(of: .rate(.zero)) == [45_459_375_000])
    #expect(run.times(of: .didPlayToEndTime) == [45_459_375_000])
    let metrics = run.metrics(of: 0)
    #expect(metrics.stallCount == 1)
    #expect(metrics.timeSpentRecoveringFromStall.nanoseconds == 6_109_687_499)
    #expect(metrics.accessLog.map(\.numberOfStalls) == [1])
  }

  /// The link is down from 20 s to 50 s.
  ///
  /// Until then 20x = 17.158177 s are loaded, which the player
  /// that began at 6.459375 s has played at 23.617552 s. The remaining a = 21.841823 s are likely
  /// to keep up when, τ after the outage, (a − xτ) / (xτ / 10 s) ≤ a, that is at τ = 7.995577 s.
  @Test func airplaneModePlaysOutTheBufferAndResumes() {
    var world = Demo.world(Self.playAtFirstFrame)
    world.links.append(LinkProfile(LinkTrack(rate: .zero)))
    world.linkChanges = [
      LinkChange(at: Demo.seconds(20), link: 1), LinkChange(at: Demo.seconds(50), link: 0),
    ]
    let run = Simulation.run(of: world)
    #expect(run.times(of: .playbackStalled) == [23_617_551_944])
    #expect(run.starts() == [6_459_375_000, 57_995_577_061])
    #expect(run.times(of: .didPlayToEndTime) == [79_837_400_118])
    #expect(run.times(of: .rate(.zero)) == [79_837_400_118])
    #expect(run.metrics(of: 0).stallCount == 1)
    check(
      world, at: 30_000_000_000,
      Frame(
        status: .waitingToPlayAtSpecifiedRate, reason: .toMinimizeStalls, rate: 1_000_000,
        time: 17_158_176_943, loaded: 17_158_176_943, isEmpty: true))
  }
}

/// With constant rates AVFoundation's rule has a closed form, whatever the user does meanwhile.
@Suite struct ClosedFormTests {
  /// The ratios of link and media, below one, and durations come from a stream of the test's own.
  private struct Case {
    var duration: Int64
    var link: Int64
    var media: Int64
    /// D/x in nanoseconds, rounded up.
    var download: Int64 {
      Int64((Int128(duration) * Int128(media) + Int128(link) - 1) / Int128(link))
    }

    init(_ stream: inout RandomStream) {
      duration = 5_000_000_000 + Int64(stream.next(below: 60_000_000_000))
      media = 500_000 + Int64(stream.next(below: 8_000_000))
      link = media / 10 + Int64(stream.next(below: UInt64(media - media / 10)))
    }

    func world(_ steps: [ScriptStep]) -> World {
      var world = Demo.world(
        on: LinkTrack(rate: BitRate(bitsPerSecond: link)),
        of: Media(
          .progressive, duration: MediaTime(nanoseconds: duration),
          bitRate: BitRate(bitsPerSecond: media)), horizon: 3_000)
      world.script += steps
      // The whole run is the window: the fill rate is the link's from the first byte on.
      world.players[0].keepUp.verdictSize = ByteCount(bytes: 1)
      return world
    }
  }

  @Test(arguments: LawWorlds.numbers(150))
  func impatienceNeverMovesTheEnd(_ seed: UInt64) throws {
    var stream = RandomStream(seed: seed, component: "test", purpose: "impatience")
    let drawn = Case(&stream)
    var instants = [Instant(nanoseconds: 1)]
    for _ in 0..<stream.next(below: 9) {
      instants.append(Instant(nanoseconds: Int64(stream.next(below: UInt64(drawn.download)))))
    }
    let run = Simulation.run(
      of: drawn.world(
        instants.sorted().enumerated().map {
          ScriptStep(.at($1), .player(0, $0 == 0 ? .play : .playImmediately(.normal)))
        }), keepsRecords: true)
    let end = try #require(run.times(of: .didPlayToEndTime).first)
    let stalls = Int64(run.metrics(of: 0).stallCount)
    #expect(end >= drawn.download, law(seed))
    #expect(end - drawn.download <= 1 + stalls, law(seed))
  }

  @Test(arguments: LawWorlds.numbers(150))
  func rateMovesTheStart(_ seed: UInt64) throws {
    var stream = RandomStream(seed: seed, component: "test", purpose: "rates")
    let drawn = Case(&stream)
    let rate = 100_000 + Int64(stream.next(below: 1_900_000))
    let run = Simulation.run(
      of: drawn.world([Demo.at(0, .setRate(PlaybackRate(millionths: rate)))]))
    let end = try #require(run.times(of: .didPlayToEndTime).first)
    let start = try #require(run.starts().first)
    // D/r, rounded up, and the start max(0, D/x − D/r), at which max(0, D − xD/r) is loaded.
    let played = (Int128(drawn.duration) * 1_000_000 + Int128(rate) - 1) / Int128(rate)
    let awaited = Int128(drawn.download) - played
    if awaited > 1_000_000_000 {
      #expect(abs(Int128(start) - awaited) <= 2, law(seed))
      #expect(abs(end - drawn.download) <= 2, law(seed))
    } else {
      // The first frame must be there, too.
      #expect(abs(Int128(end) - Int128(start) - played) <= 1, law(seed))
    }
    #expect(run.metrics(of: 0).stallCount == 0, law(seed))
  }
}
