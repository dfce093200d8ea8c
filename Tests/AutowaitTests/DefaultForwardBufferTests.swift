import Autowait
import Testing

/// How far ahead a stream is loaded if nobody asks for anything: whole segments of so much data.
///
/// What devices did is taken from logs that developers published; what a rule gives is counted
/// here, in whole segments.
@Suite struct DefaultForwardBufferTests {
  /// A stream of even segments of one variant, its link, and when a viewer who has watched for so
  /// long pauses.
  struct Session {
    var segment: MediaTime
    var size: Int64
    var count: Int
    var link: Int64
    var watched: MediaTime
  }

  private static func run(
    _ session: Session, until end: Int64, _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Simulation {
    let list = SegmentList(
      (0..<session.count).map { _ in (session.segment, ByteCount(bytes: session.size)) })
    let bits = session.size * 8 * 1_000_000_000 / session.segment.nanoseconds
    let media = Media(
      StreamMedia(
        variants: [
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: bits + 1), list: 0)
        ], lists: [list]))
    var player = PlayerConfiguration(media: [media])
    player.keepUp.rule = .buffered(start: session.segment, resume: session.segment)
    change(&player)
    var pause = ScriptStep(.at(.start), .player(0, .pause))
    pause.trigger = .when(
      Condition([Condition.Test(.currentTime, .atLeast, session.watched.nanoseconds)]))
    var simulation = Simulation(
      World(
        links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: session.link)))],
        players: [player],
        script: [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player(0, .play)), pause,
        ],
        horizon: Instant(nanoseconds: end * 1_000_000_000)))
    _ = simulation.run()
    return simulation
  }

  private static func requests(_ run: Simulation) -> [Instant] {
    run.log.records.compactMap {
      if case .segmentRequest = $0.event { $0.instant } else { nil }
    }
  }

  private static func isFull(_ run: Simulation) -> [Bool] {
    run.log.records.compactMap {
      if case .isPlaybackBufferFull(let value) = $0.event { value } else { nil }
    }
  }

  /// Apple's bipbop on iPadOS 26.5 (FB22519249): 20 segments, 199.78 s and 42.23 MB.
  ///
  /// The link had 23.67 Mbit/s, and the viewer paused after 10.181 s. The first segment has been
  /// played as a whole then: 20 others are 42.23 MB, and 19 are less than 40 MiB.
  @Test func bipbopOnAnIPad() {
    let session = Session(
      segment: MediaTime(nanoseconds: 9_989_000_000), size: 2_111_500, count: 181,
      link: 23_670_000, watched: MediaTime(nanoseconds: 10_181_000_000))
    let run = Self.run(session, until: 35)
    #expect(Self.requests(run).count == 21)
    #expect(abs(Self.requests(run).count - 20) <= 1)
    #expect(20 * session.size >= 41_943_040 && 19 * session.size < 41_943_040)
  }

  /// A film of 2,494,507 bit/s on iPadOS 17.5 (pillarbox-apple issue 903): 130 s, 13 segments.
  ///
  /// They were 42.6 MB of a link of 111 Mbit/s, with 46.871 s watched.
  @Test func aFilmOnAnIPad() {
    let session = Session(
      segment: .seconds(10), size: 3_276_923, count: 60, link: 111_000_000,
      watched: MediaTime(nanoseconds: 46_871_000_000))
    let run = Self.run(session, until: 60)
    #expect(Self.requests(run).count == 13)
    #expect(Self.isFull(run) == [true])
    #expect(13 * session.size >= 41_943_040 && 12 * session.size < 41_943_040)
  }

  /// The same film watched on: loading goes on once no more than 24 MiB are ahead.
  ///
  /// They are seven segments and a part: it goes on with the end of the sixth of 13.
  @Test func aFilmGoesOn() {
    let session = Session(
      segment: .seconds(10), size: 3_276_923, count: 60, link: 111_000_000,
      watched: .seconds(500))
    let run = Self.run(session, until: 75)
    #expect(41_943_040 - 16_777_216 >= 7 * session.size)
    #expect(41_943_040 - 16_777_216 < 8 * session.size)
    let requests = Self.requests(run)
    // A segment takes 3,276,923 × 8 ÷ 111 Mbit/s, rounded up, and playback starts with it.
    let start = (session.size * 8 * 1_000 + 110) / 111
    #expect(requests[13].nanoseconds == start + 60_000_000_000)
    // Thirteen are ahead again when six more have come; the seventh is being played.
    #expect(requests.count == 19)
  }

  /// Segments of which four are as much as the mark, a byte less, or a byte more.
  @Test(arguments: [(Int64(-1), 5), (0, 4), (1, 4)])
  func wholeSegmentsAreCounted(_ row: (error: Int64, count: Int)) {
    let session = Session(
      segment: .seconds(1), size: 1_000_000, count: 60, link: 800_000_000,
      watched: MediaTime(nanoseconds: 1))
    let run = Self.run(session, until: 5) {
      $0.streaming.forwardBufferSize = ByteCount(bytes: 4_000_000 - row.error)
      $0.streaming.forwardBufferSizeSlack = ByteCount(bytes: 1_000_000)
      $0.streaming.forwardBufferSegmentsMin = 0
    }
    #expect(Self.requests(run).count == row.count)
  }

  /// Two segments may be ahead however much data they are: each of these is more than 40 MiB.
  @Test func twoSegmentsMayBeAhead() {
    let session = Session(
      segment: .seconds(10), size: 70_000_000, count: 12, link: 62_700_000,
      watched: .seconds(500))
    let run = Self.run(session, until: 115)
    let stalls = run.log.records.filter { $0.event == .playbackStalled }
    #expect(stalls.isEmpty)
    let fast = Self.run(
      Session(
        segment: .seconds(10), size: 70_000_000, count: 12, link: 620_000_000,
        watched: .zero), until: 30)
    #expect(Self.requests(fast).count == 2)
  }

  /// Limits in time, and those of a heuristic, hold instead of the default.
  @Test func limitsInTimeHoldInstead() {
    let session = Session(
      segment: .seconds(1), size: 10_000, count: 120, link: 8_000_000, watched: .zero)
    func count(_ change: (inout PlayerConfiguration) -> Void) -> Int {
      Self.requests(Self.run(session, until: 60, change)).count
    }
    #expect(count { _ in } == 120)
    #expect(count { $0.streaming.forwardBufferDefault = .seconds(12) } == 12)
    #expect(count { $0.keepUp.forwardBufferLimit = .seconds(30) } == 30)
    #expect(count { $0.preferredForwardBufferDuration = .seconds(7) } == 7)
    #expect(count { $0.preferredForwardBufferDuration = .seconds(1) } == 2)
  }
}
