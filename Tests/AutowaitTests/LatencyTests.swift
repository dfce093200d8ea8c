import Autowait
import AutowaitWorlds
import Testing

/// What passes in an application and its player where nothing is waited for, in numbers that
/// anybody can reckon.
@Suite struct LatencyTests {
  private static let clip = Media(
    .local, duration: .seconds(5), bitRate: BitRate(bitsPerSecond: 1_000_000))
  /// A file of a megabit for each second, of which none tells of the media.
  private static let file = Media(
    .progressive, duration: .seconds(20), bitRate: BitRate(bitsPerSecond: 1_000_000),
    headerSize: .zero)
  private static let half = LinkTrack(rate: BitRate(bitsPerSecond: 500_000))

  /// A world of one player with latencies.
  private static func world(
    _ steps: ScriptStep..., on track: LinkTrack = Demo.fast, of media: Media = clip,
    _ change: (inout LatencyPolicy) -> Void
  ) -> World {
    var world = Demo.world(on: track, of: media, horizon: 100)
    world.script += steps
    change(&world.players[0].latency)
    return world
  }

  /// A run that is the same event by event.
  private static func run(
    _ world: World, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Simulation {
    var (fast, plain) = (Simulation(world), Simulation(world, pace: .eventByEvent))
    _ = fast.run()
    _ = plain.run()
    #expect(fast.fingerprint == plain.fingerprint, sourceLocation: sourceLocation)
    #expect(fast.metrics(of: 0) == plain.metrics(of: 0), sourceLocation: sourceLocation)
    return fast
  }

  private static func on(
    _ event: Event, _ action: PlayerAction, count: Int? = 1, after delay: TimeSpan = .zero
  ) -> ScriptStep {
    var reaction = ScriptStep.Reaction(to: EventFilter(event, player: 0))
    (reaction.count, reaction.delay) = (count, delay)
    return ScriptStep(.on(reaction), .player(0, action))
  }

  private static func nanoseconds(_ count: Int64) -> TimeSpan { TimeSpan(nanoseconds: count) }

  // MARK: The application

  /// The talk's naive loop: the gap is notification, request and preroll, to the nanosecond.
  @Test func aNaiveLoopHasAGap() {
    let world = Self.world(
      Demo.at(seconds: 1, .play),
      Self.on(.didPlayToEndTime, .seek(.zero)), ScriptStep(.after(2, .zero), .player(0, .play))
    ) {
      $0.notification = Self.nanoseconds(7_000_001)
      $0.reaction = Self.nanoseconds(5_000_002)
      $0.preroll = Self.nanoseconds(100_000_003)
    }
    let run = Self.run(world)
    #expect(run.starts() == [1_100_000_003, 6_212_000_009])
    #expect(run.times(of: .didPlayToEndTime) == [6_100_000_003, 11_212_000_009])
    #expect(run.times(of: .timeJumped(.zero)) == [6_112_000_006])
    let metrics = run.metrics(of: 0)
    #expect(metrics.timeSpentInInitialStartup == Self.nanoseconds(100_000_003))
    #expect(metrics.time(.afterEnd) == Self.nanoseconds(12_000_003))
    #expect(metrics.time(.resuming) == Self.nanoseconds(100_000_003))
    #expect(metrics.mediaPlayed == .seconds(10))
  }

  /// An app that waits for likely-to-keep-up before it plays pays for hearing of it.
  ///
  /// Half of the file is missing when the other half has come: of 20 s at half the rate, playback
  /// keeps up from 20 s on.
  @Test(arguments: [(0, 0, 0), (20, 0, 20), (0, 30, 30), (20, 30, 50)] as [(Int64, Int64, Int64)])
  func hearingOfItCosts(_ notification: Int64, _ reaction: Int64, _ later: Int64) {
    let keepsUp = Event.isPlaybackLikelyToKeepUp(true)
    let world = Self.world(
      Self.on(keepsUp, .play), on: Self.half, of: Self.file
    ) {
      $0.notification = .milliseconds(notification)
      $0.reaction = .milliseconds(reaction)
    }
    let run = Self.run(world)
    #expect(run.times(of: keepsUp) == [20_000_000_000])
    #expect(run.starts() == [20_000_000_000 + later * 1_000_000])
  }

  /// They come before the step's own delay, and only before steps that react to events and act on
  /// the player that has them.
  @Test func onlyReactionsPayForThem() {
    var world = Self.world(
      Demo.at(seconds: 1, .play), Self.on(.rate(.normal), .pause, after: .milliseconds(400)),
      ScriptStep(.after(2, .milliseconds(7)), .player(0, .preroll)),
      ScriptStep(.every(.seconds(3), from: Demo.seconds(3), count: 1), .player(0, .preroll)),
      ScriptStep(
        .when(Condition([Condition.Test(.currentTime, .atLeast, 200_000_000)])),
        .player(0, .changeTracks)),
      ScriptStep(
        .on(ScriptStep.Reaction(to: EventFilter(.rate(.normal), player: 0))), .useLink(track: 0))
    ) {
      $0.notification = .milliseconds(20)
      $0.reaction = .milliseconds(30)
    }
    world.players.append(PlayerConfiguration(media: [Self.clip]))
    let other = ScriptStep.Reaction(to: EventFilter(.rate(.normal), player: 0))
    world.script.append(ScriptStep(.on(other), .player(1, .pause)))
    let run = Simulation.run(of: world)
    let done = (2...7).map { step in
      run.log.records.first { $0.event == .step(index: step) }?.instant.nanoseconds ?? -1
    }
    #expect(done.map { $0 / 1_000_000 } == [1_450, 1_457, 3_000, 1_200, 1_000, 1_000])
  }

  // MARK: Preroll

  /// Status and rate are told at once, the timebase when it moves; startup lasts until then.
  @Test func aStartIsLaterByThePreroll() throws {
    let run = Self.run(Self.world(Demo.at(seconds: 1, .play)) { $0.preroll = .milliseconds(174) })
    #expect(run.times(of: .timeControlStatus(.playing)) == [1_000_000_000])
    #expect(run.starts() == [1_174_000_000])
    #expect(run.times(of: .didPlayToEndTime) == [6_174_000_000])
    let metrics = run.metrics(of: 0)
    #expect(metrics.firstPlayed?.nanoseconds == 1_174_000_000)
    #expect(metrics.timeSpentInInitialStartup == .milliseconds(174))
    #expect(metrics.time(.gap) == .zero)
    #expect(metrics.accessLog.map(\.playbackStartDate.nanoseconds) == [1_174_000_000])
    // What the timebase does follows from what let it begin, as status and rate do.
    let records = Array(run.log.records)
    let start = try #require(
      records.first { $0.event == .timebaseRate(.normal, currentTime: .zero) })
    #expect(records[start.cause - 1].event == .step(index: 1))
  }

  /// Meanwhile the player plays and its timebase stands.
  @Test func meanwhileTheTimebaseStands() {
    var run = Simulation(
      Self.world(Demo.at(seconds: 1, .play)) { $0.preroll = .milliseconds(174) })
    _ = run.advance(to: Instant(nanoseconds: 1_173_999_999))
    let shown = run.snapshot(of: 0)
    #expect(shown.timeControlStatus == .playing)
    #expect(shown.rate == .normal)
    #expect(shown.timebaseRate == .zero)
    #expect(shown.currentTime == .zero)
    #expect(run.metrics(of: 0).firstPlayed == nil)
  }

  /// A pause in the middle: nothing was played, and the next start begins its preroll again.
  @Test func aPauseGivesThePrerollUp() {
    let run = Self.run(
      Self.world(
        Demo.at(1_000_000_000, .play), Demo.at(1_100_000_000, .pause),
        Demo.at(2_000_000_000, .play)
      ) { $0.preroll = .milliseconds(174) })
    #expect(run.starts() == [2_174_000_000])
    #expect(run.metrics(of: 0).timeSpentInInitialStartup == .milliseconds(274))
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(5))
    #expect(run.times(of: .newAccessLogEntry) == [2_174_000_000])
  }

  /// A rate that is set in the middle is the one at which the timebase then goes.
  @Test func aRateOfThePrerollIsTheOneThatIsPlayed() {
    let two = PlaybackRate(millionths: 2_000_000)
    let run = Self.run(
      Self.world(Demo.at(1_000_000_000, .play), Demo.at(1_100_000_000, .setRate(two))) {
        $0.preroll = .milliseconds(174)
      })
    #expect(run.starts() == [1_174_000_000])
    #expect(run.times(of: .timebaseRate(two, currentTime: .zero)) == [1_174_000_000])
    #expect(run.times(of: .didPlayToEndTime) == [3_674_000_000])
  }

  /// A seek while it plays stops the clock for a preroll; one in the middle of a preroll begins it
  /// again; before anything was played that is startup.
  @Test func aSeekPrerollsAgain() {
    let run = Self.run(
      Self.world(
        Demo.at(1_000_000_000, .play), Demo.at(1_050_000_000, .seek(.seconds(1))),
        Demo.at(2_200_000_000, .seek(.seconds(2))), Demo.at(2_250_000_000, .seek(.seconds(3)))
      ) { $0.preroll = .milliseconds(100) })
    #expect(run.starts() == [1_150_000_000, 2_350_000_000])
    #expect(
      run.times(of: .timebaseRate(.zero, currentTime: .seconds(2))) == [2_200_000_000])
    #expect(run.times(of: .didPlayToEndTime) == [4_350_000_000])
    let metrics = run.metrics(of: 0)
    #expect(metrics.timeSpentInInitialStartup == .milliseconds(150))
    #expect(metrics.time(.seeking) == .milliseconds(150))
    #expect(metrics.mediaPlayed == MediaTime(nanoseconds: 3_050_000_000))
    #expect(metrics.stallCount == 0)
  }

  /// After a pause, or when the application has prerolled, it takes the shorter time.
  @Test func whatIsReadyTakesTheShorterTime() {
    let run = Self.run(
      Self.world(
        Demo.at(500_000_000, .preroll), Demo.at(1_000_000_000, .play),
        Demo.at(2_000_000_000, .pause), Demo.at(3_000_000_000, .play)
      ) {
        $0.preroll = .milliseconds(100)
        $0.resume = .milliseconds(30)
      })
    #expect(run.times(of: .prerollDidComplete(isFinished: true)) == [600_000_000])
    #expect(run.starts() == [1_030_000_000, 3_030_000_000])
    #expect(run.metrics(of: 0).timeSpentInInitialStartup == .milliseconds(30))
    #expect(run.metrics(of: 0).time(.resuming) == .milliseconds(30))
  }

  /// A preroll that was asked for and is not done is given up by a wish to play.
  @Test func aPrerollThatIsNotDoneIsGivenUp() {
    let run = Self.run(
      Self.world(Demo.at(500_000_000, .preroll), Demo.at(550_000_000, .play)) {
        $0.preroll = .milliseconds(100)
      })
    #expect(run.times(of: .prerollDidComplete(isFinished: false)) == [550_000_000])
    #expect(run.times(of: .prerollDidComplete(isFinished: true)) == [])
    #expect(run.starts() == [650_000_000])
  }

  /// A host time that comes later than the preroll is kept, and an earlier one is not.
  @Test(arguments: [(1_400, 1_000, 400), (1_050, 1_100, 0)] as [(Int64, Int64, Int64)])
  func aHostTimeWaitsForThePreroll(_ host: Int64, _ told: Int64, _ gap: Int64) {
    var world = Self.world(
      Demo.at(
        seconds: 1,
        .setRateAtHostTime(
          .normal, time: nil, hostTime: Instant(nanoseconds: host * 1_000_000)))
    ) { $0.preroll = .milliseconds(100) }
    world.players[0].automaticallyWaitsToMinimizeStalling = false
    let run = Self.run(world)
    #expect(run.starts() == [told * 1_000_000])
    let metrics = run.metrics(of: 0)
    #expect(metrics.firstPlayed?.nanoseconds == max(host, 1_100) * 1_000_000)
    #expect(metrics.time(.gap) == .milliseconds(gap))
  }

  /// A stall lasts until the timebase moves again.
  ///
  /// With 1 s to start and 1 s to go on, at half the rate: 1 s is loaded at 2 s, played from 2.1 s
  /// on, gone at 4.2 s with 2.1 s loaded, and there again with 3.1 s at 6.2 s.
  @Test func aStallLastsUntilTheTimebaseMoves() {
    var world = Self.world(Demo.at(seconds: 0, .play), on: Self.half, of: Self.file) {
      $0.preroll = .milliseconds(100)
      $0.resume = .milliseconds(30)
    }
    world.players[0].keepUp.rule = .buffered(start: .seconds(1), resume: .seconds(1))
    var run = Simulation(world)
    _ = run.advance(to: Demo.seconds(7))
    #expect(run.starts() == [2_100_000_000, 6_230_000_000])
    #expect(run.times(of: .playbackStalled) == [4_200_000_000])
    #expect(run.metrics(of: 0).timeSpentRecoveringFromStall == .milliseconds(2_030))
    #expect(run.metrics(of: 0).timeSpentInInitialStartup == .milliseconds(2_100))
    _ = Self.run(world)
  }

  /// Audio that is thrown away in the middle of a preroll is waited for, and nothing has stalled.
  @Test func whatNeverMovedDoesNotStall() {
    var facts = PlaybackFacts()
    (facts.item, facts.isBufferEmpty, facts.hasVerdict) = (.ready, true, true)
    for (isPrerolling, effects) in [
      (true, []), (false, [PlaybackEffect.playbackStalled]),
    ] as [(Bool, [PlaybackEffect])] {
      facts.isPrerolling = isPrerolling
      let next = PlaybackTransition.from(.playing(.normal), on: .bufferEmptied, given: facts)
      #expect(next.phase == .waiting(.toMinimizeStalls, .normal))
      #expect(next.effects == effects)
    }
  }

  // MARK: The first frame

  /// The data of the first frame is there after 0.08 s of half the rate, or at once on the device.
  @Test(arguments: [(file, 80), (clip, 0)] as [(Media, Int64)])
  func theFirstFrameIsDecoded(_ media: Media, _ there: Int64) {
    var world = Self.world(
      Demo.at(seconds: 0, .playImmediately(.normal)),
      Self.on(.itemStatus(.readyToPlay), .playImmediately(.normal)), on: Self.half, of: media
    ) { $0.firstFrame = .milliseconds(50) }
    world.players[0].automaticallyWaitsToMinimizeStalling = true
    let run = Self.run(world)
    #expect(run.times(of: .isPlaybackBufferEmpty(false)).first == there * 1_000_000)
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [(there + 50) * 1_000_000])
    #expect(run.starts().first == (there + 50) * 1_000_000)
  }

  /// Nothing keeps up before it can be shown, though all of it is there.
  @Test func nothingKeepsUpUndecoded() {
    var run = Simulation(Self.world { $0.firstFrame = .milliseconds(50) })
    _ = run.advance(to: Instant(nanoseconds: 49_999_999))
    #expect(run.snapshot(of: 0).status == .unknown)
    #expect(!run.snapshot(of: 0).isPlaybackLikelyToKeepUp)
    #expect(run.snapshot(of: 0).isPlaybackBufferFull)
    _ = run.advance(to: Instant(nanoseconds: 50_000_000))
    #expect(run.snapshot(of: 0).status == .readyToPlay)
    #expect(run.snapshot(of: 0).isPlaybackLikelyToKeepUp)
  }

  /// A seek before the item is ready has another frame decoded.
  @Test func aSeekHasAnotherFrameDecoded() {
    let run = Self.run(
      Self.world(Demo.at(30_000_000, .seek(.seconds(2)))) { $0.firstFrame = .milliseconds(50) })
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [80_000_000])
  }

  // MARK: Appending

  /// Segments of 10 s at half of the link's rate come after 5 s each, and the next one is asked for
  /// when the buffer has the last.
  @Test func segmentsAreAppended() {
    let stream = StreamRunFixture.streamMedia([500_000], segments: 3)
    var world = StreamRunFixture.world(stream, rate: 1_000_000)
    world.players[0].latency.appending = .milliseconds(3)
    world.players[0].keepUp.rule = .buffered(start: .seconds(1), resume: .seconds(1))
    let run = Self.run(world)
    let requests = run.log.records.filter { $0.event.segmentList != nil }
    #expect(requests.map { $0.instant.nanoseconds / 1_000_000 } == [0, 5_003, 10_006])
    let came = run.log.records.filter { $0.event.isSegmentCompleted }
    #expect(came.map { $0.instant.nanoseconds / 1_000_000 } == [5_000, 10_003, 15_006])
    #expect(run.starts() == [5_003_000_000])
    #expect(run.times(of: .didPlayToEndTime) == [35_003_000_000])
    // What was measured is how the segments came, and not when the buffer had them.
    let segments = run.metrics(of: 0).accessLog.first?.segments
    #expect(segments?.observedMaxBitrate?.bitsPerSecond == 1_000_000)
    #expect(segments?.observedMinBitrate?.bitsPerSecond == 1_000_000)
  }

  /// Until then what has come is not loaded; a seek out of it throws it away at the start.
  @Test func whatIsBeingAppendedIsNotLoaded() {
    let stream = StreamRunFixture.streamMedia([500_000], segments: 3)
    var world = StreamRunFixture.world(stream, rate: 1_000_000)
    world.players[0].latency.appending = .seconds(1)
    world.script.append(Demo.at(5_500_000_000, .seek(.seconds(10))))
    var run = Simulation(world)
    _ = run.advance(to: Instant(nanoseconds: 5_400_000_000))
    #expect(run.snapshot(of: 0).loadedTimeRanges == [])
    #expect(run.snapshot(of: 0).status == .unknown)
    #expect(run.metrics(of: 0).numberOfBytesTransferred.bytes == 625_000)
    _ = run.run()
    #expect(run.metrics(of: 0).numberOfBytesTransferred.bytes == 3 * 625_000)
  }

  // MARK: All of them

  /// Shortcuts change nothing with latencies either.
  @Test(arguments: LawWorlds.numbers(60))
  func shortcutsChangeNothing(_ seed: UInt64) {
    var world = LawWorlds.world(
      seed,
      WorldShape(
        .ideal, seed % 2 == 0 ? .stream : .file, rule: .builtIn, isAlone: true, isLong: true))
    let span = TimeSpan.milliseconds(Int64(seed % 7) * 50 + 1)
    world.players[0].latency.preroll = span
    world.players[0].latency.resume = .milliseconds(Int64(seed % 3) * 20)
    world.players[0].latency.firstFrame = .milliseconds(Int64(seed % 5) * 30)
    world.players[0].latency.appending = .milliseconds(Int64(seed % 4) * 10)
    _ = Self.run(world)
  }
}
