import Autowait
import Testing

/// Live streams on an ideal link, in numbers that anybody can reckon.
@Suite struct LiveTests {
  /// Segments of 6 seconds at 1 Mbit/s on a link of 8, 60 seconds of which are over.
  private static func world(
    _ change: (inout StreamMedia, inout LiveWindow) -> Void = { _, _ in },
    configure: (inout PlayerConfiguration) -> Void = { _ in }, steps: [ScriptStep] = []
  ) -> World {
    let list = SegmentList(
      Array(repeating: (MediaTime.seconds(6), ByteCount(bytes: 750_000)), count: 60))
    var streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: [list])
    var window = LiveWindow(elapsed: .seconds(60), window: nil)
    change(&streamMedia, &window)
    streamMedia.live = window
    var player = PlayerConfiguration(media: [Media(streamMedia)])
    configure(&player)
    return World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000)))], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ] + steps,
      horizon: .start + .seconds(100))
  }

  private static func at(_ seconds: Int64, _ action: PlayerAction) -> ScriptStep {
    ScriptStep(.at(.start + .seconds(seconds)), .player(0, action))
  }

  /// The instants, in milliseconds, at which something happens.
  private static func times(_ run: Simulation, _ isMeant: (Event) -> Bool) -> [Int64] {
    run.log.records.filter { isMeant($0.event) }.map { $0.instant.nanoseconds / 1_000_000 }
  }

  private static func isPlaylist(_ event: Event) -> Bool {
    if case .playlistRequest = event { true } else { false }
  }

  private static func jumps(_ run: Simulation) -> [(at: Int64, to: Int64)] {
    run.log.records.compactMap {
      guard case .timeJumped(let time) = $0.event else { return nil }
      return ($0.instant.nanoseconds / 1_000_000, time.nanoseconds / 1_000_000)
    }
  }

  @Test func playlistsAreLoadedAfterATargetDurationOrHalfOfOne() {
    // Segments come every 6 seconds: nothing is new at 5 s, nor at 17.5 s. Since iOS 13 it is the
    // duration of the last segment.
    let run = Simulation.run(
      of: Self.world { streamMedia, _ in
        streamMedia.lists[0].targetDuration = .seconds(5)
      } configure: {
        $0.contract = APIContract(iOS: 12) ?? .newest
      })
    #expect(
      Self.times(run, Self.isPlaylist).prefix(6) == [0, 5_000, 7_500, 12_500, 17_500, 20_000])
    let punctual = Simulation.run(of: Self.world())
    #expect(Self.times(punctual, Self.isPlaylist).prefix(4) == [0, 6_000, 12_000, 18_000])
  }

  @Test func blockedReloadsAreAnsweredWhenThereIsSomethingNew() {
    let run = Simulation.run(of: Self.world { _, window in window.canBlockReload = true })
    let answers = run.log.records.filter {
      if case .mediaRequestCompleted(_, let bytes) = $0.event { bytes == .zero } else { false }
    }
    #expect(
      answers.prefix(4).map(\.instant.nanoseconds) == [0, 6, 12, 18].map { $0 * 1_000_000_000 })
  }

  @Test func playbackStartsThreeTargetDurationsBehindTheEnd() throws {
    var simulation = Simulation(Self.world())
    #expect(simulation.advance(to: .start + .seconds(3)) == .advanced)
    let snapshot = simulation.snapshot(of: 0)
    // All three segments on offer, 6 Mbit each, come at 0.75, 1.5 and 2.25 s.
    let first = try #require(simulation.metrics(of: 0).firstPlayed)
    #expect(
      snapshot.currentTime == .seconds(42)
        + MediaTime(nanoseconds: 3_000_000_000 - first.nanoseconds))
    #expect(snapshot.duration == nil)
    #expect(snapshot.seekableTimeRanges == [LoadedTimeRange(start: .zero, end: .seconds(60))])
    #expect(snapshot.offsetFromLive == .seconds(63) - snapshot.currentTime)
    #expect(snapshot.isPlaybackBufferFull)
    _ = simulation.run()
    #expect(simulation.metrics(of: 0).stallCount == 0)
  }

  @Test func shortWindowIsADangerOfStalls() {
    let run = Simulation.run(
      of: Self.world { _, window in
        window.elapsed = .seconds(12)
        window.publishDelay = .zero
      })
    let codes = run.log.records.compactMap { Self.code($0.event) }
    #expect(codes == [-16_832])
  }

  /// A playlist of 6 s grows to the 18 s at which playback starts by 12 s, or never has more than
  /// the last 12 s: until then each load is the start of another try.
  @Test(arguments: [(nil, 6), (12, 96)] as [(Int64?, Int64)])
  func whatListsTooLittleIsStartedAgain(_ length: Int64?, _ last: Int64) {
    let told = stride(from: 0, through: last, by: 6).map { $0 * 1_000 }
    let world = Self.world { _, window in
      window.elapsed = .seconds(6)
      window.window = length.map { .seconds($0) }
    } configure: {
      $0.streaming.restartsShortWindows = true
    }
    let run = Simulation.run(of: world)
    #expect(Self.times(run) { Self.code($0) == -16_832 } == told)
    #expect(Self.jumps(run).map(\.at) == Array(told.dropFirst()))
    // The window begins to move at 12 s.
    #expect(Self.jumps(run).map(\.to) == told.dropFirst().map { $0 - 6_000 })
    // A segment comes in 0.75 s, and is enough.
    let starts = Self.times(run) {
      if case .timebaseRate(let rate, _) = $0 { rate > .zero } else { false }
    }
    #expect(starts == told.map { $0 + 750 })
    var plain = Simulation(world, pace: .eventByEvent)
    _ = plain.run()
    #expect(plain.fingerprint == run.fingerprint)
  }

  private static func code(_ event: Event) -> Int32? {
    if case .newErrorLogEntry(_, let code) = event { code } else { nil }
  }

  @Test(arguments: [(-10, 50), (-600, 0), (20, 20), (600, 60)])
  func startOffsetSaysWherePlaybackStarts(offset: Int64, start: Int64) {
    var simulation = Simulation(
      Self.world { streamMedia, _ in streamMedia.startOffset = .seconds(offset) })
    #expect(simulation.advance(to: .start) == .advanced)
    #expect(simulation.snapshot(of: 0).currentTime == .seconds(start))
  }

  @Test func bugWaitsForEver() {
    var simulation = Simulation(
      Self.world(
        { _, window in window.window = .seconds(30) },
        configure: { $0.streaming.freezesWhenPaused = true },
        steps: [Self.at(10, .pause), Self.at(70, .play)]))
    #expect(simulation.run() == .finished(.stillWaiting))
    let snapshot = simulation.snapshot(of: 0)
    #expect(snapshot.isPlaybackBufferFull && snapshot.isPlaybackBufferEmpty)
    #expect(snapshot.reasonForWaitingToPlay == .toMinimizeStalls)
  }

  /// A link of half the stream's rate.
  ///
  /// Each segment takes 12 seconds, and two have left the playlist when one has come. It plays all
  /// the same, and nothing is loaded without need.
  @Test func whatIsUnderWayStillComesThoughItHasLeftThePlaylist() {
    var world = Self.world { _, window in window.window = .seconds(18) }
    world.links[0].down.track = LinkTrack([
      LinkTrack.Sample(rate: BitRate(bitsPerSecond: 8_000_000)),
      LinkTrack.Sample(start: .seconds(20), rate: BitRate(bitsPerSecond: 500_000)),
    ])
    let run = Simulation.run(of: world)
    let cancelled = Self.times(run) {
      if case .mediaRequestCancelled = $0 { true } else { false }
    }
    #expect(cancelled == [])
    #expect(Self.jumps(run).map(\.to) == [126_000])
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(60))
  }

  @Test func whoPlaysLatePlaysBehindUnlessHeSeeks() {
    let steps = [Self.at(10, .pause), Self.at(40, .play)]
    let late = Simulation.run(of: Self.world(steps: steps))
    let back = Simulation.run(of: Self.world(steps: steps + [Self.at(60, .seekToLive)]))
    #expect(Self.jumps(late).isEmpty)
    let offset = late.snapshot(of: 0).offsetFromLive ?? .zero
    #expect(offset > .seconds(48))
    #expect((back.snapshot(of: 0).offsetFromLive ?? .zero) < .seconds(26))
  }

  @Test func nobodyIsFasterThanLive() {
    let run = Simulation.run(
      of: Self.world(steps: [Self.at(10, .setRate(PlaybackRate(millionths: 2_000_000)))]))
    let reasons = run.log.records.filter { $0.event == .rateDidChange(.playheadReachedLiveEdge) }
    #expect(reasons.count == 1)
    #expect(run.metrics(of: 0).stallCount == 0)
    #expect(run.snapshot(of: 0).rate == .normal)
  }

  /// A link whose round trip is as long as the time after which playlists may be loaded again.
  private static func far(
    _ change: (inout StreamMedia, inout LiveWindow) -> Void, _ steps: [ScriptStep]
  ) -> World {
    var world = world(change, steps: steps)
    for place in world.links.indices {
      world.links[place].down.track = LinkTrack(
        rate: BitRate(bitsPerSecond: 8_000_000), delay: .milliseconds(100))
    }
    return world
  }

  @Test func serverThatHoldsItsAnswersKeepsNobodyFromStarting() {
    let run = Simulation.run(
      of: Self.far({ _, window in window.canBlockReload = true }, []))
    #expect(run.metrics(of: 0).stallCount == 0)
    #expect((run.metrics(of: 0).firstPlayed ?? .never) < .start + .seconds(2))
  }

  @Test func whoPausesTooLongGoesOnNearTheEndThoughAnswersAreHeld() {
    let run = Simulation.run(
      of: Self.far(
        { _, window in (window.window, window.canBlockReload) = (.seconds(30), true) },
        [Self.at(10, .pause), Self.at(70, .play)]))
    #expect(Self.jumps(run).map(\.to) == [108_000])
  }

  @Test func oldPlaylistSaysNothingOfTheLiveEdge() {
    // Paused from the start at 42 s, where a start would be by a playlist that is 20 s old. By the
    // one of 26 s it would be at 66 s.
    let run = Simulation.run(
      of: Self.world(steps: [
        Self.at(0, .pause), Self.at(20, .setRate(PlaybackRate(millionths: 2_000_000))),
      ]))
    let reached = Self.times(run) { $0 == .rateDidChange(.playheadReachedLiveEdge) }
    #expect(reached == [32_000])
  }

  @Test func conditionsTestTheOffset() {
    var world = Self.world(steps: [Self.at(10, .pause)])
    let test = Condition.Test(.offsetFromLive, .atLeast, 30_000_000_000)
    world.script.append(ScriptStep(.when(Condition([test])), .player(0, .seekToLive)))
    let run = Simulation.run(of: world)
    let seeks = Self.times(run) { if case .seek = $0 { true } else { false } }
    // 18.75 s behind from the start on.
    #expect(seeks == [10_000 + 30_000 - 18_750])
  }

  @Test func whatIsNotLiveHasNoOffset() {
    var world = Self.world(steps: [])
    world.players[0].media = [
      Media(
        StreamMedia(
          variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
          lists: [SegmentList([(MediaTime.seconds(6), ByteCount(bytes: 750_000))])]))
    ]
    let test = Condition.Test(.offsetFromLive, .less, 30_000_000_000)
    world.script.append(ScriptStep(.when(Condition([test])), .player(0, .pause)))
    let run = Simulation.run(of: world)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// The segment that was sought fails, and leaves the playlist before it may be asked for again.
  @Test func whatWasSoughtAndHasLeftThePlaylistIsGivenUp() {
    let run = Simulation.run(
      of: Self.world(
        { streamMedia, window in
          (window.window, window.canBlockReload) = (.seconds(30), true)
          streamMedia.faults = [Fault(.status(404), of: .segment(list: 0, number: 5), count: 1)]
        },
        configure: {
          $0.streaming.adaptation.rule = .fixed
          $0.streaming.retryDelay = .seconds(9)
          $0.streaming.retryDelayMax = .seconds(9)
        }, steps: [Self.at(1, .seek(.seconds(31)))]))
    let ends = run.log.records.filter {
      $0.event == .seekDidComplete(number: 1, isFinished: false, isInBuffer: false)
    }
    #expect(ends.map(\.instant) == [.start + .seconds(6)])
    // Of what is on offer then the first is played, as soon as anything may be asked for again.
    #expect(Self.jumps(run).map(\.to) == [36_000])
    #expect(run.metrics(of: 0).mediaPlayed > .seconds(80))
  }

  @Test func partsMakeUpTheirSegment() {
    // 7 does not divide what a segment holds.
    let run = Simulation.run(
      of: Self.world { streamMedia, window in
        window.partDuration = .seconds(1)
        window.canBlockReload = true
        var list = SegmentList(
          Array(repeating: (MediaTime.seconds(6), ByteCount(bytes: 100_003)), count: 60))
        list.targetDuration = .seconds(6)
        streamMedia.lists = [list]
      })
    var sizes: [Int64] = []
    for case .segmentRequest(_, let size, _, 12?, _) in run.log.records.map(\.event) {
      sizes.append(size.bytes)
    }
    #expect(sizes.count == 6)
    #expect(sizes.reduce(0, +) == 100_003)
    #expect(run.metrics(of: 0).stallCount == 0)
    // Three parts behind the end, and never more than a part more.
    let offset = run.snapshot(of: 0).offsetFromLive ?? .zero
    #expect(offset >= .seconds(3) && offset <= .seconds(4), "\(offset)")
  }

  @Test func endOfTheProgrammeIsTheEndOfTheItem() {
    var world = Self.world { _, window in window.elapsed = .seconds(300) }
    world.horizon = .start + .seconds(400)
    var simulation = Simulation(world)
    #expect(simulation.run() == .finished(.settled))
    #expect(simulation.snapshot(of: 0).duration == .seconds(360))
    #expect(simulation.metrics(of: 0).playedToEndCount == 1)
    #expect(simulation.metrics(of: 0).stallCount == 0)
  }
}
