import Autowait
import Testing

/// How often the pipeline of an item is built, when, and what waits for it.
///
/// A build takes 0.2 s, and the item is a local file of ten seconds, unless a test says otherwise.
@Suite struct PipelineTests {
  private static let local = Media(
    .local, duration: .seconds(10), bitRate: BitRate(bitsPerSecond: 1_000_000))
  private static let attach = PlayerAction.set(.layerAttached(true))
  private static let detach = PlayerAction.set(.layerAttached(false))

  /// A world of one player without a layer, and steps at times in milliseconds.
  private static func world(
    _ steps: [(Int64, PlayerAction)], of media: Media = local, hasLayer: Bool = false,
    iOS version: Int = 26
  ) -> World {
    var player = PlayerConfiguration(media: [media])
    player.contract = APIContract(iOS: version) ?? .newest
    var pipeline = PipelinePolicy()
    pipeline.build = .milliseconds(200)
    pipeline.hasLayer = hasLayer
    player.pipeline = pipeline
    return World(
      links: [LinkProfile(Demo.fast)], players: [player],
      script: steps.map { Demo.at($0.0 * 1_000_000, $0.1) }, horizon: Demo.seconds(100))
  }

  /// The pipelines that were built, each with its time in milliseconds.
  private func builds(_ run: Simulation) -> [String] {
    run.log.records.compactMap { record in
      guard case .pipelineBuilt(let count, let hasVideo) = record.event else { return nil }
      let milliseconds = record.instant.nanoseconds / 1_000_000
      return "\(count) \(hasVideo ? "video" : "audio") at \(milliseconds)"
    }
  }

  /// Runs a world and expects what was built, when it first played, and how long it stood.
  @discardableResult
  private func check(
    _ world: World, _ expected: [String], playsAt milliseconds: Int64?, gap: Int64 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Simulation {
    let run = Simulation.run(of: world)
    let metrics = run.metrics(of: 0)
    #expect(builds(run) == expected, sourceLocation: sourceLocation)
    #expect(metrics.pipelineBuildCount == expected.count, sourceLocation: sourceLocation)
    #expect(
      metrics.firstPlayed?.nanoseconds == milliseconds.map { $0 * 1_000_000 },
      sourceLocation: sourceLocation)
    #expect(metrics.time(.gap) == .milliseconds(gap), sourceLocation: sourceLocation)
    return run
  }

  /// Runs a world as fast as it can be run, through many events at a time.
  private static func runAtOnce(_ world: World) -> Simulation {
    var run = Simulation(world)
    _ = run.run()
    return run
  }

  // MARK: The order of play, item and layer

  @Test(
    arguments: [
      ([attach, .play, .replaceCurrentItem(0)], ["1 video at 200"], 200),
      ([.play, attach, .replaceCurrentItem(0)], ["1 video at 200"], 200),
      ([attach, .replaceCurrentItem(0), .play], ["1 video at 200"], 200),
      ([.play, .replaceCurrentItem(0)], ["1 audio at 200"], 200),
      ([.play, .replaceCurrentItem(0), attach], ["1 audio at 200", "2 video at 400"], 400),
      ([.replaceCurrentItem(0), attach, .play], ["1 audio at 200", "2 video at 400"], 400),
      ([.replaceCurrentItem(0), .play, attach], ["1 audio at 200", "2 video at 400"], 400),
      ([.replaceCurrentItem(0), .play, attach, detach], ["1 audio at 200"], 200),
      (
        [attach, .replaceCurrentItem(0), .play, detach], ["1 video at 200", "2 audio at 400"], 400
      ),
    ] as [([PlayerAction], [String], Int64)])
  func order(_ actions: [PlayerAction], _ expected: [String], _ playsAt: Int64) {
    check(Self.world(actions.map { (0, $0) }), expected, playsAt: playsAt)
  }

  /// A layer that comes a moment before the first pipeline is built holds the item back, and one
  /// that comes with it or later does not.
  @Test(
    arguments: [
      (-1, 400, 400_000_000), (0, 200, 400_000_000), (1, 200, 400_000_001),
    ] as [(Int64, Int64, Int64)])
  func layerAroundTheFirstBuild(_ nanoseconds: Int64, _ playsAt: Int64, _ built: Int64) {
    var world = Self.world([(0, .replaceCurrentItem(0)), (0, .play)])
    world.script.append(Demo.at(200_000_000 + nanoseconds, Self.attach))
    let run = check(world, ["1 audio at 200", "2 video at 400"], playsAt: playsAt)
    #expect(run.times(of: .pipelineBuilt(count: 2, hasVideo: true)) == [built])
  }

  @Test func aLayerFromTheStart() {
    check(
      Self.world([(0, .replaceCurrentItem(0)), (0, .play), (1_000, Self.attach)], hasLayer: true),
      ["1 video at 200"], playsAt: 200)
  }

  // MARK: Later layers

  @Test func aPlayingPlayerPlaysOn() {
    let run = check(
      Self.world([(0, .replaceCurrentItem(0)), (0, .play), (3_000, Self.attach)]),
      ["1 audio at 200", "2 video at 3200"], playsAt: 200)
    #expect(run.times(of: .didPlayToEndTime) == [10_200_000_000])
    #expect(run.times(of: .timebaseRate(.normal, currentTime: .zero)) == [200_000_000])
  }

  @Test func beforeIOS10ItsTimeStands() {
    let run = check(
      Self.world([(0, .replaceCurrentItem(0)), (0, .play), (3_000, Self.attach)], iOS: 9),
      ["1 audio at 200", "2 video at 3300"], playsAt: 200, gap: 300)
    #expect(run.times(of: .didPlayToEndTime) == [10_500_000_000])
  }

  /// A layer that is there already changes nothing, nor does one that is not there when it goes.
  @Test(arguments: [true, false])
  func whatIsSoAlreadyCostsNothing(_ isAttached: Bool) {
    let steps: [(Int64, PlayerAction)] = [
      (0, .replaceCurrentItem(0)), (0, .play), (3_000, .set(.layerAttached(isAttached))),
    ]
    check(
      Self.world(steps, hasLayer: isAttached, iOS: 9),
      ["1 \(isAttached ? "video" : "audio") at 200"], playsAt: 200)
  }

  @Test func beforeIOS10OnlyAPlayingPlayerStands() {
    check(
      Self.world([(0, .replaceCurrentItem(0)), (1_000, Self.attach), (2_000, .play)], iOS: 9),
      ["1 audio at 200", "2 video at 1200"], playsAt: 2_000)
  }

  /// Other tracks cost a pipeline where they cost a gap.
  @Test(
    arguments: [(9, ["1 video at 200", "2 video at 3300"], 300), (10, ["1 video at 200"], 0)]
      as [(Int, [String], Int64)])
  func otherTracks(_ version: Int, _ expected: [String], _ gap: Int64) {
    check(
      Self.world(
        [(0, .replaceCurrentItem(0)), (0, .play), (3_000, .changeTracks)], hasLayer: true,
        iOS: version), expected, playsAt: 200, gap: gap)
  }

  @Test func aReadyItemStaysReady() {
    let run = check(
      Self.world([(0, .replaceCurrentItem(0)), (1_000, Self.attach), (1_100, .play)]),
      ["1 audio at 200", "2 video at 1200"], playsAt: 1_100)
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [200_000_000])
  }

  @Test func layersThatComeAndGoAreBuiltForInTurn() {
    check(
      Self.world([
        (0, .replaceCurrentItem(0)), (1_000, Self.attach), (1_100, Self.detach),
        (1_150, Self.attach), (2_000, Self.detach), (2_100, Self.attach), (2_150, Self.detach),
      ]), ["1 audio at 200", "2 video at 1200", "3 audio at 2200"], playsAt: nil)
  }

  // MARK: Items that go

  @Test(arguments: [.replaceCurrentItem(nil), .failItem] as [PlayerAction])
  func nothingIsBuiltForAnItemThatIsGone(_ action: PlayerAction) {
    let run = check(
      Self.world([(0, .replaceCurrentItem(0)), (100, action), (150, Self.attach)]), [],
      playsAt: nil)
    #expect(run.times(of: .itemStatus(.readyToPlay)).isEmpty)
  }

  @Test func eachItemHasItsOwn() {
    check(
      Self.world([
        (0, .replaceCurrentItem(0)), (100, .replaceCurrentItem(nil)),
        (1_000, .replaceCurrentItem(0)), (1_000, .play), (2_000, .replaceCurrentItem(nil)),
        (3_000, Self.attach), (3_000, .replaceCurrentItem(0)),
      ]), ["1 audio at 1200", "2 video at 3200"], playsAt: 1_200)
  }

  // MARK: Other media, and none of it

  /// What comes over a link arrives while the pipeline is built: the later of the two decides.
  ///
  /// A header of 20 MB takes 1.6 s of 100 Mbit/s, and the first frame, 40 kbit, 0.4 ms.
  @Test(arguments: [(0, 200_000), (20_000_000, 1_600_400)] as [(Int64, Int64)])
  func dataComesMeanwhile(_ header: Int64, _ ready: Int64) {
    let media = Media(
      .progressive, duration: .seconds(10), bitRate: BitRate(bitsPerSecond: 1_000_000),
      headerSize: ByteCount(bytes: header))
    let run = Simulation.run(of: Self.world([(0, .replaceCurrentItem(0))], of: media))
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [ready * 1_000])
    #expect(builds(run) == ["1 audio at 200"])
  }

  /// A stream that plays lives through a layer too, on the short way and on the general one.
  @Test(arguments: [(1, 400), (400, 600), (4_000, 4_200), (40_000, 40_200), (99_999, 100_199)])
  func streamsHavePipelinesToo(_ attached: Int64, _ built: Int64) {
    func run(_ faults: [Fault]) -> Simulation {
      var streamMedia = StreamRunFixture.streamMedia([400_000, 1_800_000], segments: 30)
      streamMedia.faults = faults
      var world = Self.world(
        [(0, .replaceCurrentItem(0)), (0, .play), (attached, Self.attach)], of: Media(streamMedia))
      world.links = [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000)))]
      world.horizon = Demo.seconds(1_000)
      return Self.runAtOnce(world)
    }
    let short = run([])
    let general = run([Fault(.noResponse, of: .segment(list: 99, number: 0))])
    #expect(builds(short) == ["1 audio at 200", "2 video at \(built)"])
    #expect(short.times(of: .didPlayToEndTime).count == 1)
    #expect(short.fingerprint == general.fingerprint)
  }

  /// A build that is done as the link changes is told at that instant, whatever way is taken there.
  @Test(arguments: [false, true])
  func theLinkMayChangeAsABuildIsDone(_ isStream: Bool) {
    let file = Media(
      .progressive, duration: .seconds(60), bitRate: BitRate(bitsPerSecond: 1_000_000))
    let stream = Media(StreamRunFixture.streamMedia([1_000_000], segments: 30))
    var world = Self.world(
      [(0, .replaceCurrentItem(0)), (0, .play), (8_000, Self.attach)],
      of: isStream ? stream : file)
    let samples = [0, 1].map {
      LinkTrack.Sample(
        start: .milliseconds(100 * $0), rate: BitRate(bitsPerSecond: 1_500_000 + $0 * 500_000),
        delay: .zero)
    }
    world.links = [LinkProfile(LinkTrack(samples, ending: .loop(after: .milliseconds(200))))]
    world.horizon = Demo.seconds(1_000)
    let run = Self.runAtOnce(world)
    #expect(run.fingerprint == Simulation.run(of: world).fingerprint)
    #expect(builds(run) == ["1 audio at 200", "2 video at 8200"])
    let (first, last) = (run.metrics(of: 0).firstPlayed, run.times(of: .didPlayToEndTime).first)
    #expect(first.map { $0 < Demo.seconds(8) } ?? false)
    #expect(last.map { $0 > 9_000_000_000 } ?? false)
  }

  @Test func aBuildMayTakeNoTime() {
    var world = Self.world([(0, .replaceCurrentItem(0)), (0, .play), (0, Self.attach)])
    world.players[0].pipeline?.build = .zero
    check(world, ["1 audio at 0", "2 video at 0"], playsAt: 0)
  }

  @Test func whoDoesNotAskIsToldNothing() {
    var world = Self.world([
      (0, .replaceCurrentItem(0)), (0, .play), (0, Self.attach), (1_000, Self.detach),
    ])
    world.players[0].pipeline = nil
    let run = Simulation.run(of: world)
    #expect(builds(run).isEmpty)
    #expect(run.metrics(of: 0).pipelineBuildCount == nil)
    #expect(run.metrics(of: 0).firstPlayed == .start)
  }
}
