import Autowait
import Testing

/// Edges at which a comparison that is wrong by one changes what happens; what should happen was
/// worked out by hand.
@Suite struct OffByOneTests {
  private static func rate(_ bits: Int64) -> BitRate { BitRate(bitsPerSecond: bits) }

  // MARK: The link

  /// The delay is 0 in the first second, 100 ms in the next one and 300 ms from 2 s on; nothing
  /// flows before the request, so that two changes are passed at once.
  @Test(arguments: [(1_999_999_999, 2_099_999_999), (2_000_000_000, 2_300_000_000)])
  func aRequestAtAChangeHasTheNewDelay(_ asked: Int64, _ answered: Int64) {
    let track = LinkTrack([
      LinkTrack.Sample(start: .zero, rate: Self.rate(8_000_000), delay: .zero),
      LinkTrack.Sample(start: .seconds(1), rate: Self.rate(8_000_000), delay: .milliseconds(100)),
      LinkTrack.Sample(start: .seconds(2), rate: Self.rate(8_000_000), delay: .milliseconds(300)),
    ])
    let run = Simulation.run(
      of: World(
        links: [LinkProfile(track)], players: [PlayerConfiguration(media: [Demo.media])],
        script: [Demo.at(asked, .replaceCurrentItem(0))], horizon: Demo.seconds(60)))
    let responses = run.log.records.filter {
      if case .mediaResponse = $0.event { true } else { false }
    }
    #expect(responses.first?.instant.nanoseconds == answered)
  }

  /// The acknowledgement of the request, 52 bytes, and ten full packets of 1,500 come at once: the
  /// queue holds them all or one byte too few.
  @Test(arguments: [(15_051, true), (15_052, false), (15_053, false)])
  func aPacketThatFitsExactlyIsQueued(_ queue: Int64, _ isDropped: Bool) {
    var link = LinkProfile(
      down: LinkDirection(LinkTrack(rate: Self.rate(8_000_000), delay: .milliseconds(10))),
      up: LinkDirection(LinkTrack(rate: Self.rate(8_000_000), delay: .milliseconds(10))))
    link.down.queue = .bytes(ByteCount(bytes: queue))
    // The header of the response has 300 bytes, and a packet carries 1,448.
    var trial = TransferTrial(
      links: [link],
      flows: [TransferPlan.Flow(steps: [.init(size: ByteCount(bytes: 10 * 1_448 - 300))])])
    trial.policy.usesDNSLookup = false
    trial.policy.isPaced = false
    #expect(trial.run().down.map { $0.dropped > 0 } == isDropped)
  }

  // MARK: Which variant

  /// The caps of a player, on any network and on expensive ones, and the variants of 1, 2 and
  /// 3 Mbit/s that they leave.
  @Test(
    arguments: [
      (0, 0, true, [0, 1, 2]), (1_999_999, 0, true, [0]), (2_000_000, 0, true, [0, 1]),
      (2_000_001, 0, true, [0, 1]), (0, 1_999_999, true, [0]), (0, 2_000_000, true, [0, 1]),
      (3_000_000, 2_000_000, true, [0, 1]), (2_000_000, 3_000_000, true, [0, 1]),
      (3_000_000, 1_000_000, true, [0]), (1_000_000, 3_000_000, true, [0]),
      (3_000_000, 1_000_000, false, [0, 1, 2]), (2_000_000, 1_000_000, false, [0, 1]),
      (999_999, 0, true, [0]), (0, 1_000_000, false, [0, 1, 2]),
    ] as [(Int64, Int64, Bool, [Int])])
  func theTighterOfTwoCapsCounts(
    _ cap: Int64, _ expensiveCap: Int64, _ isExpensive: Bool, _ eligible: [Int]
  ) {
    var limits = VariantLimits()
    limits.preferredPeakBitRate = Self.rate(cap)
    limits.preferredPeakBitRateForExpensiveNetworks = Self.rate(expensiveCap)
    limits.isExpensive = isExpensive
    let streamMedia = StreamRunFixture.streamMedia([1_000_000, 2_000_000, 3_000_000], segments: 3)
    #expect(limits.eligible(in: streamMedia) == eligible)
    var world = StreamRunFixture.world(streamMedia, rate: 100_000_000)
    world.players[0].limits = limits
    world.players[0].streaming.adaptation.rule = .throughput
    let run = Simulation.run(of: world)
    let lists = run.log.records.compactMap { $0.event.segmentList }
    #expect(lists.last.map(Int.init) == eligible.last)
  }

  /// Two qualities that need the same have the same score at every level.
  @Test(arguments: [0.0, 1_000, 5_000, 12_000, 24_000])
  func ofEqualScoresTheLowestQualityIsBest(_ level: Double) {
    let ladder = RuleLadder(segmentDuration: 4_000, bitRates: [1_000, 1_000, 1_000], count: 100)
    var policy = SegmentRulePolicy(.bola)
    policy.checksBuffer = false
    var rule = SegmentRule(policy, for: ladder, bufferMax: 25_000)
    let view = RuleView(segment: 50, level: level, throughput: 9_000, latency: 0)
    #expect(rule.decide(view, ladder).quality == 0)
  }

  /// Samples of equal weight in any order: the least throughput of which they and those below make
  /// up half of the weight.
  @Test(
    arguments: [
      ([100, 900], 100), ([900, 100], 100), ([100, 300, 900], 300), ([400, 100, 900, 300], 300),
    ] as [([Double], Double)])
  func halfOfTheWeightIsEnoughForAMedian(_ throughputs: [Double], _ expected: Double) {
    var median = ThroughputEstimator(.median(weightMax: 2_000), segmentDuration: 1_000)
    for throughput in throughputs {
      // 10,000 bytes each, which weigh 100.
      median.note(time: 80_000 / throughput, throughput: throughput, latency: 0)
    }
    #expect(median.throughput == expected)
  }

  // MARK: Streams

  /// A key that an item has loaded is there when the same item is the current one again.
  @Test func anAssetKeepsItsKeys() {
    var streamMedia = StreamRunFixture.streamMedia([1_000_000], segments: 6)
    streamMedia.keys = [StreamMedia.ContentKey(size: ByteCount(bytes: 16))]
    streamMedia.lists[0].need(SegmentList.SegmentStretch(first: 0, key: 0))
    var world = StreamRunFixture.world(streamMedia, rate: 8_000_000)
    world.script += [
      Demo.at(seconds: 5, .replaceCurrentItem(nil)), Demo.at(seconds: 6, .replaceCurrentItem(0)),
      Demo.at(seconds: 9, .replaceCurrentItem(nil)), Demo.at(seconds: 9, .replaceCurrentItem(0)),
    ]
    let run = Simulation.run(of: world)
    let keys = run.log.records.filter {
      if case .contentKeyRequest = $0.event { true } else { false }
    }
    #expect(keys.count == 1)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// What is asked for when the buffer has run empty is late from the start; with no patience at
  /// all it is loaded all the same, since giving it up prevents no stall.
  ///
  /// The link falls from 10 Mbit/s to 100 kbit/s at 2 s. The buffer ends at 10.5 s, and the segment
  /// of 4 Mbit/s that is under way is given up. 15.85 Mbit have come in the last 10 s, of which
  /// 80 % allow 1 Mbit/s; that is asked for, and not given up for 500 kbit/s.
  @Test func aLateRequestIsNotGivenUpAtOnce() {
    let rates: [Int64] = [500_000, 1_000_000, 2_000_000, 4_000_000]
    var world = StreamRunFixture.world(StreamRunFixture.streamMedia(rates, segments: 6), rate: 1)
    world.links = [
      LinkProfile(
        LinkTrack([
          LinkTrack.Sample(start: .zero, rate: Self.rate(10_000_000), delay: .zero),
          LinkTrack.Sample(start: .seconds(2), rate: Self.rate(100_000), delay: .zero),
        ]))
    ]
    world.players[0].keepUp.rule = .buffered(start: .seconds(1), resume: .seconds(1))
    world.players[0].streaming.adaptation.abandonedAfter = .zero
    world.players[0].streaming.adaptation.rungsAfterStall = 1
    world.horizon = Demo.seconds(60)
    let run = Simulation.run(of: world)
    let cancelled = run.log.records.filter {
      if case .mediaRequestCancelled = $0.event { true } else { false }
    }
    let lists = run.log.records.compactMap { $0.event.segmentList }
    #expect(lists.prefix(3) == [0, 3, 1])
    #expect(cancelled.count == 1)
    #expect(run.metrics(of: 0).stallCount == 1)
  }

  /// The audio of a live stream is over after 66 s, and its video goes on: 80 s have been published
  /// at 20 s, of which 13 segments are whole.
  @Test func aTrackThatIsOverHoldsUpNobody() {
    let size = ByteCount(bytes: 75_000)
    let lists = [60, 11].map { count in
      SegmentList(Array(repeating: (MediaTime.seconds(6), size), count: count))
    }
    var streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: Self.rate(1_000_000), list: 0)], lists: lists)
    streamMedia.variants[0].audioGroup = 0
    streamMedia.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    streamMedia.live = LiveWindow(elapsed: .seconds(60), window: nil)
    var world = StreamRunFixture.world(streamMedia, rate: 8_000_000)
    world.horizon = Demo.seconds(100)
    func end(_ seconds: Int64) -> MediaTime? {
      Simulation.run(of: world, to: seconds * 1_000_000_000).snapshot(of: 0)
        .seekableTimeRanges.last?.end
    }
    #expect(end(1) == .seconds(60))
    #expect(end(8) == .seconds(66))
    #expect(end(20) == .seconds(78))
  }

  /// Playback starts at 50 s of a programme of 60 s, where 42 s are as near to the end as it is
  /// meant to be: at natural speed it may be there, and nobody watches faster.
  @Test(arguments: [(1_000_000, 0), (1_000_001, 1), (1_500_000, 1)])
  func theLiveEdgeSlowsOnlyWhatIsFaster(_ millionths: Int64, _ count: Int) {
    let list = SegmentList(
      Array(repeating: (MediaTime.seconds(6), ByteCount(bytes: 75_000)), count: 60))
    var streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: Self.rate(1_000_000), list: 0)], lists: [list])
    streamMedia.startOffset = .seconds(-10)
    streamMedia.live = LiveWindow(elapsed: .seconds(60), window: nil)
    var world = StreamRunFixture.world(streamMedia, rate: 80_000_000)
    world.script[1] = Demo.at(0, .playImmediately(PlaybackRate(millionths: millionths)))
    world.horizon = Demo.seconds(5)
    let run = Simulation.run(of: world)
    #expect(run.times(of: .rateDidChange(.playheadReachedLiveEdge)).count == count)
    #expect(run.snapshot(of: 0).rate == .normal)
    #expect(run.metrics(of: 0).stallCount == 0)
  }

  // MARK: Clocks

  /// A clock that is set to 2 s has its rate before, and its time moves from that very instant on.
  @Test(arguments: [(-1, 0), (0, 0), (1, 1), (2, 2)])
  func aHostTimeIsTheInstantFromWhichTheClockRuns(_ offset: Int64, _ time: Int64) {
    let start = Demo.seconds(2)
    var world = Demo.world(
      Demo.at(
        seconds: 1, .setRateAtHostTime(.normal, time: .zero, hostTime: start)), on: Demo.fast)
    world.players[0].automaticallyWaitsToMinimizeStalling = false
    let run = Simulation.run(of: world, to: start.nanoseconds + offset)
    let snapshot = run.snapshot(of: 0)
    #expect(snapshot.currentTime.nanoseconds == time)
    #expect(snapshot.timebaseRate == .normal)
    #expect(snapshot.rate == .normal)
  }

  /// Before iOS 10 a pipeline takes 300 ms to rebuild, in which the time stands; the clock runs
  /// from the host time on or, if that comes first, from when the pipeline is there.
  ///
  /// The timebase, which plays from 0.5 s on, has its rate again when the pipeline is there or, if
  /// the time is held for longer, at the call.
  @Test(
    arguments: [
      // Tracks that change while the host time is awaited, and during a rebuild that began before.
      (2_000, 1_000, 3_000, 3_000, 500), (2_700, 1_000, 3_000, 3_000, 500),
      (2_701, 1_000, 3_000, 3_001, 3_001), (2_900, 2_950, 3_100, 3_200, 3_200),
      (2_900, 2_950, 3_200, 3_200, 2_950), (2_900, 2_950, 3_500, 3_500, 2_950),
    ])
  func aHostTimeWaitsForAPipelineThatIsRebuilt(
    _ tracks: Int64, _ wish: Int64, _ host: Int64, _ expected: Int64, _ told: Int64
  ) {
    let map = PlayerAction.setRateAtHostTime(
      .normal, time: nil, hostTime: .start + .milliseconds(host))
    let steps: [ScriptStep] = [.at(wish, map), .at(tracks, .changeTracks)]
    var world = Demo.world(
      .at(500, .play), tracks < wish ? steps[1] : steps[0], tracks < wish ? steps[0] : steps[1],
      on: Demo.fast)
    world.players[0].contract = APIContract(iOS: 9) ?? .newest
    world.players[0].automaticallyWaitsToMinimizeStalling = false
    for pace in Simulation.Pace.allCases {
      var run = Simulation(world, pace: pace)
      _ = run.advance(to: .start + .milliseconds(expected))
      let time = run.snapshot(of: 0).currentTime
      _ = run.advance(to: .start + .milliseconds(expected + 500))
      #expect((run.snapshot(of: 0).currentTime - time).nanoseconds == 500_000_000)
      _ = run.run()
      let starts = run.log.records.filter { record in
        if case .timebaseRate(.normal, _) = record.event { true } else { false }
      }
      #expect(starts.last?.instant == .start + .milliseconds(told))
    }
  }

  /// What waits or plays belongs to one account from its first nanosecond to its last.
  @Test(arguments: [(-1, 1_999_999_999, 0), (0, 2_000_000_000, 0), (1, 2_000_000_000, 1)])
  func accountsChangeAtTheInstant(_ offset: Int64, _ paused: Int64, _ played: Int64) {
    let world = Demo.world(
      Demo.at(seconds: 2, .playImmediately(.normal)), on: Demo.fast)
    let metrics = Simulation.run(of: world, to: 2_000_000_000 + offset).metrics(of: 0)
    #expect(metrics.time(.paused).nanoseconds == paused)
    #expect(metrics.playbackDuration.nanoseconds == played)
    #expect(metrics.timeSpentInInitialStartup == .zero)
    #expect(metrics.firstPlayed == (offset < 0 ? nil : Demo.seconds(2)))
  }
}
