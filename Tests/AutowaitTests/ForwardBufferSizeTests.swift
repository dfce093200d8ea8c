import Autowait
import Testing

/// Players that count the data ahead of the playhead: when reading is suspended, and goes on.
///
/// A byte takes a microsecond on this link. Expected instants are computed here from the sizes.
@Suite struct ForwardBufferSizeTests {
  private static let second: Int64 = 1_000_000_000

  private static func rate(_ bits: Int64) -> BitRate { BitRate(bitsPerSecond: bits) }

  private static func bytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count) }

  private static func step(_ nanoseconds: Int64, _ action: PlayerAction) -> ScriptStep {
    ScriptStep(.at(Instant(nanoseconds: nanoseconds)), .player(0, action))
  }

  /// A player that reads a file or a stream from the start and plays from ten seconds on.
  private static func run(
    _ media: Media, _ change: (inout KeepUpPolicy) -> Void,
    _ steps: [ScriptStep] = [step(10 * second, .play)], until end: Int64 = 15
  ) -> Simulation {
    var player = PlayerConfiguration(media: [media])
    player.keepUp.rule = .conditions(ConditionRule(start: .none))
    change(&player.keepUp)
    player.streaming.adaptation.rule = .fixed
    player.streaming.knowsPlaylists = true
    var simulation = Simulation(
      World(
        links: [LinkProfile(LinkTrack(rate: rate(8_000_000)))], players: [player],
        script: [step(0, .replaceCurrentItem(0))] + steps,
        horizon: Instant(nanoseconds: end * second)))
    _ = simulation.run()
    return simulation
  }

  // MARK: Files

  private static let film = Media(
    .progressive, duration: .seconds(60), bitRate: rate(4_000_000))

  /// When reading is suspended, and when it goes on.
  private static func turns(_ run: Simulation) -> [Int64] {
    run.log.records.compactMap {
      if case .readingSuspended = $0.event { $0.instant.nanoseconds } else { nil }
    }
  }

  @Test(arguments: [Int64(-1), 0, 1])
  func filesAreSuspendedByData(_ error: Int64) {
    let run = Self.run(Self.film) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = Self.bytes(1_000_000 + error)
      sizes.slack = Self.bytes(200_000)
      $0.forwardBufferSizes = sizes
    }
    // Half of what comes while it plays is played: 200,000 bytes are 0.4 s without reading.
    let full = (1_000_000 + error) * 1_000
    #expect(
      Array(Self.turns(run).prefix(4)) == [
        full, 10_400_000_000, 10_800_000_000, 11_200_000_000,
      ])
  }

  /// Without a slack a quarter of the mark must be played.
  @Test func aQuarterIsTheSlack() {
    let run = Self.run(Self.film) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = Self.bytes(1_000_000)
      $0.forwardBufferSizes = sizes
    }
    #expect(Array(Self.turns(run).prefix(2)) == [1_000_000_000, 10_500_000_000])
  }

  /// A limit in time suspends nothing before there is so much data; 2 s are 1,000,000 bytes.
  @Test(arguments: [Int64(-1), 0, 1], [true, false])
  func timeSuspendsWithEnoughData(_ error: Int64, _ isData: Bool) {
    let run = Self.run(Self.film) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMin = Self.bytes((isData ? 1_500_000 : 500_000) + error)
      sizes.slack = Self.bytes(100_000)
      $0.forwardBufferLimit = .seconds(2)
      $0.forwardBufferResume = MediaTime(nanoseconds: 1_500_000_000)
      $0.forwardBufferSizes = sizes
    }
    let turns = Array(Self.turns(run).prefix(2))
    // What suspended it lets it go on: 100,000 bytes, or half a second.
    #expect(
      turns
        == (isData
          ? [(1_500_000 + error) * 1_000, 10_200_000_000] : [1_000_000_000, 10_500_000_000]))
  }

  /// Data behind a limit in time is loaded as well; 2 s are 1,000,000 bytes.
  @Test(arguments: [Int64(-1), 0, 1], [nil, 100_000, 9_000_000] as [Int64?])
  func dataBehindALimitIsLoaded(_ error: Int64, _ slack: Int64?) {
    let run = Self.run(Self.film) {
      var sizes = ForwardBufferSizes()
      sizes.sizeBeyond = Self.bytes(400_000 + error)
      sizes.slack = slack.map { Self.bytes($0) }
      $0.forwardBufferLimit = .seconds(2)
      $0.forwardBufferSizes = sizes
    }
    // A quarter of what is behind the limit is the slack, and no more than all of it; 500,000 B
    // are played in a second.
    let less = min(slack ?? (400_000 + error) / 4, 400_000 + error)
    #expect(
      Array(Self.turns(run).prefix(2)) == [
        (1_400_000 + error) * 1_000, 10_000_000_000 + less * 2_000,
      ])
  }

  /// So much media suspends with any data.
  @Test(arguments: [Int64(-1), 0, 1])
  func muchMediaSuspends(_ error: Int64) {
    let run = Self.run(Self.film) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMin = Self.bytes(9_000_000)
      sizes.limitMax = MediaTime(nanoseconds: 4 * Self.second + 2 * error)
      $0.forwardBufferLimit = .seconds(2)
      $0.forwardBufferSizes = sizes
    }
    // A nanosecond brings two of media; three quarters are two seconds less half of one.
    #expect(
      Array(Self.turns(run).prefix(2)) == [2 * Self.second + error, 10 * Self.second + 500_000_000])
  }

  /// The mark at which reading would go on lies behind the one at which the buffer starves.
  @Test(arguments: [film, stream], 0..<3)
  func whoStarvesReadsOn(_ media: Media, _ mark: Int) {
    let run = Self.run(
      media,
      {
        $0.starvesBelow = MediaTime(nanoseconds: 500_000_000)
        $0.forwardBufferLimit = .seconds(4)
        $0.forwardBufferResume = MediaTime(nanoseconds: 300_000_000)
        if mark == 0 { return }
        var sizes = ForwardBufferSizes()
        // As far below this limit as reading goes on below the usual one, nothing is left.
        if mark == 1 { (sizes.sizeMin, sizes.limitMax) = (Self.bytes(90_000_000), .seconds(3)) }
        if mark == 2 { (sizes.sizeMax, sizes.slack) = (Self.bytes(900_000), Self.bytes(890_000)) }
        $0.forwardBufferSizes = sizes
      }, until: 99)
    #expect(run.log.records.contains { $0.event == .didPlayToEndTime })
  }

  // MARK: Streams

  /// Segments of a second, each of half a million bytes.
  private static let stream: Media = {
    let list = SegmentList(
      (0..<60).map { _ in (MediaTime.seconds(1), ByteCount(bytes: 500_000)) })
    return Media(
      StreamMedia(
        variants: [StreamMedia.Variant(bandwidth: rate(4_000_000), list: 0)], lists: [list]))
  }()

  private static func requests(_ run: Simulation) -> [Int64] {
    run.log.records.compactMap {
      if case .segmentRequest = $0.event { $0.instant.nanoseconds } else { nil }
    }
  }

  /// Whole segments come; what is ahead of the playhead within one is its part of the time.
  @Test(
    arguments: [
      (Int64(-1), 4, Int64(11_000_002_000)), (0, 4, 11_000_000_000), (1, 5, 11_999_998_000),
    ])
  func streamsAreSuspendedByData(_ row: (error: Int64, count: Int, resume: Int64)) {
    let run = Self.run(Self.stream) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = Self.bytes(2_000_000 + row.error)
      sizes.slack = Self.bytes(500_000)
      $0.forwardBufferSizes = sizes
    }
    let requests = Self.requests(run)
    #expect(requests.filter { $0 < 10 * Self.second }.count == row.count)
    #expect(requests.first { $0 >= 10 * Self.second } == row.resume)
  }

  /// The default is more data than the 30 MB of the stream; another size is a limit in its place.
  @Test func dataAloneIsNoLimitInTime() {
    let run = Self.run(Self.stream, { _ in }, [], until: 60)
    #expect(Self.requests(run).count == 60)
    func limit(_ policy: inout KeepUpPolicy) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = Self.bytes(27_500_000)
      policy.forwardBufferSizes = sizes
    }
    let other = Self.run(Self.stream, limit, [], until: 60)
    #expect(Self.requests(other).count == 55)
    // What the app prefers holds beside it.
    let asked = Self.run(
      Self.stream, limit,
      [Self.step(0, .set(.preferredForwardBufferDuration(.seconds(10))))], until: 60)
    #expect(Self.requests(asked).count == 10)
  }

  @Test(arguments: [(Int64(-1), 6), (0, 6), (1, 7)])
  func timeSuspendsStreamsWithEnoughData(_ row: (error: Int64, count: Int)) {
    let run = Self.run(Self.stream) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMin = Self.bytes(3_000_000 + row.error)
      $0.forwardBufferLimit = .seconds(2)
      $0.forwardBufferSizes = sizes
    }
    #expect(Self.requests(run).filter { $0 < 10 * Self.second }.count == row.count)
    let long = Self.run(Self.stream) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMin = Self.bytes(30_000_000)
      sizes.limitMax = MediaTime(nanoseconds: 4 * Self.second + row.error)
      $0.forwardBufferLimit = .seconds(2)
      $0.forwardBufferSizes = sizes
    }
    let count = row.error > 0 ? 5 : 4
    #expect(Self.requests(long).filter { $0 < 10 * Self.second }.count == count)
  }

  /// Sizes that are of files do nothing to a stream.
  @Test func sizesOfFilesLeaveStreamsAlone() {
    let run = Self.run(Self.stream) {
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = Self.bytes(1_000_000)
      sizes.appliesToFiles = true
      $0.forwardBufferLimit = .seconds(8)
      $0.forwardBufferSizes = sizes
    }
    #expect(Self.requests(run).filter { $0 < 10 * Self.second }.count == 8)
  }

  // MARK: Law

  /// With one rate for all segments a size is a time: both limits give the same run, whatever the
  /// application does.
  @Test(arguments: 0..<40)
  func aSizeIsATime(_ seed: Int) {
    let limit = Int64(3 + seed % 7)
    let steps = [
      Self.step(Int64(1 + seed % 5) * 700_000_000, .play),
      Self.step(Int64(7 + seed % 3) * Self.second, .pause),
      Self.step(11 * Self.second + Int64(seed) * 1_000_003, .seek(.seconds(Int64(seed % 23)))),
      Self.step(13 * Self.second, .setRate(PlaybackRate(millionths: 1_500_000))),
    ]
    for media in [Self.film, Self.stream] {
      let byTime = Self.run(media, { $0.forwardBufferLimit = .seconds(limit) }, steps, until: 40)
      let byData = Self.run(
        media,
        {
          var sizes = ForwardBufferSizes()
          sizes.sizeMax = Self.bytes(limit * 500_000)
          $0.forwardBufferSizes = sizes
        }, steps, until: 40)
      #expect(byTime.log.records.map { $0.event } == byData.log.records.map { $0.event })
      #expect(byTime.log.records.map { $0.instant } == byData.log.records.map { $0.instant })
    }
  }
}
