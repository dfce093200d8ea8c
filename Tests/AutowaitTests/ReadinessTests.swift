import Autowait
import Testing

/// When an item is ready, and what becomes of a wish to play until then.
///
/// The film has a megabyte a second and the link half of that, so that a frame of 0.04 s takes
/// 80 ms; the stream has segments of 10 s at 1 Mbit/s, which take 2.5 s.
@Suite struct ReadinessTests {
  private static let link = LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000))
  private static let film = LinkLawTests.media
  private static let stream = Media(StreamRunFixture.streamMedia([1_000_000], segments: 3))

  /// A world of a player that does not wait automatically, before iOS 10 because none does.
  private static func world(
    _ media: Media, iOS: Int = 26, on link: LinkTrack = link, _ steps: [ScriptStep]
  ) -> World {
    var player = PlayerConfiguration(media: [media])
    player.contract = APIContract(iOS: iOS) ?? .newest
    if iOS >= 10 { player.automaticallyWaitsToMinimizeStalling = false }
    return World(
      links: [LinkProfile(link)], players: [player], script: steps, horizon: Demo.seconds(300))
  }

  private static func header(_ bytes: Int64) -> Media {
    Media(
      .progressive, duration: .seconds(100), bitRate: BitRate(bitsPerSecond: 8_000_000),
      headerSize: ByteCount(bytes: bytes))
  }

  private static func delayed(_ milliseconds: Int64) -> LinkTrack {
    LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000), delay: .milliseconds(milliseconds))
  }

  // MARK: Wishes

  /// What is wished and when, in milliseconds; when the item is ready and playback starts; and when
  /// the buffer runs dry, in nanoseconds.
  ///
  /// Playback at rate r over half its data rate empties 0.04 s in 0.04 / (r − 1/2) s: 80 ms at 1,
  /// 26 and two thirds at 2. A header of 100 kB takes 200 ms.
  @Test(
    arguments: [
      (film, link, [.at(0, .replaceCurrentItem(0)), .at(0, .play)], 80, 160_000_000),
      (film, link, [.at(0, .play), .at(0, .replaceCurrentItem(0))], 80, 160_000_000),
      (film, link, [.at(0, .play), .at(1_000, .replaceCurrentItem(0))], 1_080, 1_160_000_000),
      (film, link, [.at(0, .replaceCurrentItem(0)), .at(79, .play)], 80, 160_000_000),
      (film, link, [.at(0, .setRate(.normal)), .at(9, .replaceCurrentItem(0))], 89, 169_000_000),
      (header(100_000), link, [.at(0, .play), .at(0, .replaceCurrentItem(0))], 280, 360_000_000),
      (film, delayed(100), [.at(0, .play), .at(0, .replaceCurrentItem(0))], 180, 260_000_000),
      (
        film, link,
        [.at(0, .setRate(PlaybackRate(millionths: 2_000_000))), .at(0, .replaceCurrentItem(0))],
        80, 106_666_667
      ),
    ] as [(Media, LinkTrack, [ScriptStep], Int64, Int64)])
  func aWishLastsUntilTheFirstFrame(
    _ media: Media, _ link: LinkTrack, _ steps: [ScriptStep], _ start: Int64, _ stall: Int64
  ) {
    for contract in [9, 10, 26] {
      let run = Simulation.run(of: Self.world(media, iOS: contract, on: link, steps))
      #expect(run.times(of: .itemStatus(.readyToPlay)) == [start * 1_000_000])
      #expect(run.starts() == [start * 1_000_000])
      #expect(run.times(of: .playbackStalled) == [stall])
      #expect(run.times(of: .rate(.zero)) == [stall])
      #expect(run.metrics(of: 0).firstPlayed == .start + .milliseconds(start))
    }
  }

  /// A stream is ready with its first segment, 10 Mbit of 4 Mbit/s, and plays it to its end, at
  /// 12.5 s, when five have come.
  @Test(arguments: [true, false])
  func aWishLastsUntilTheFirstSegment(_ isBeforeItem: Bool) {
    let steps: [ScriptStep] = [.at(0, .play), .at(0, .replaceCurrentItem(0))]
    let run = Simulation.run(of: Self.world(Self.stream, isBeforeItem ? steps : steps.reversed()))
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [2_500_000_000])
    #expect(run.starts() == [2_500_000_000])
    #expect(run.metrics(of: 0).playedToEndCount == 1)
    #expect(run.metrics(of: 0).stallCount == 0)
  }

  /// A pause ends the wish; a wish that comes with an empty buffer of a ready item does nothing.
  @Test func aWishThatIsTakenBackIsOver() {
    let paused = Simulation.run(
      of: Self.world(
        Self.film, [.at(0, .replaceCurrentItem(0)), .at(0, .play), .at(79, .pause)]))
    #expect(paused.starts().isEmpty)
    #expect(paused.times(of: .itemStatus(.readyToPlay)) == [80_000_000])
    // The buffer is empty from 160 ms on, and has a frame at 240 ms.
    let again = Simulation.run(
      of: Self.world(
        Self.film,
        [
          .at(0, .replaceCurrentItem(0)), .at(0, .play), .at(200, .play),
          .at(240, .play),
        ]))
    #expect(again.starts() == [80_000_000, 240_000_000])
    #expect(again.times(of: .rate(.normal)) == [0, 240_000_000])
  }

  /// A seek before the first frame leads to where the item becomes ready: a frame after 10 ms.
  @Test func anItemIsReadyWhereASeekLeads() {
    var run = Simulation(
      Self.world(
        Self.film,
        [
          .at(0, .play), .at(0, .replaceCurrentItem(0)),
          .at(10, .seek(.seconds(20))),
        ]))
    _ = run.advance(to: .start + .milliseconds(89))
    #expect(run.snapshot(of: 0).status == .unknown)
    _ = run.advance(to: .start + .milliseconds(90))
    #expect(run.snapshot(of: 0).status == .readyToPlay)
    #expect(run.snapshot(of: 0).currentTime == .seconds(20))
    #expect(run.starts() == [90_000_000])
  }

  /// A random link that is never down for long, and what plays over it.
  private static func drawn(_ seed: UInt64) -> World {
    var stream = RandomStream(seed: seed, component: "test", purpose: "readiness")
    func draw(_ bound: Int64) -> Int64 { Int64(stream.next(below: UInt64(bound))) }
    var samples: [LinkTrack.Sample] = []
    var start: Int64 = 0
    for place in 0...draw(8) {
      let isDown = place > 0 && draw(4) == 0
      samples.append(
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: start),
          rate: BitRate(bitsPerSecond: isDown ? 0 : 300_000 + draw(4_000_000)),
          delay: .milliseconds(draw(300))))
      start += 1 + draw(3_000_000_000)
    }
    if samples[samples.count - 1].rate == .zero {
      samples[samples.count - 1].rate = BitRate(bitsPerSecond: 300_000)
    }
    var streamMedia = StreamRunFixture.streamMedia([200_000], segments: 4)
    streamMedia.playlistSize = ByteCount(bytes: draw(5_000))
    let file = Media(
      .progressive, duration: .seconds(40), bitRate: BitRate(bitsPerSecond: 1_000_000),
      headerSize: ByteCount(bytes: draw(100_000)),
      indexPlacement: draw(3) == 0 ? .back : .front)
    let isStream = draw(2) == 0
    return world(
      isStream ? Media(streamMedia) : file, iOS: isStream || draw(2) == 0 ? 26 : 9,
      on: LinkTrack(samples),
      [Demo.at(0, .play), Demo.at(draw(2) * draw(900_000_000), .replaceCurrentItem(0))])
  }

  /// Over any link playback starts exactly when the item becomes ready, and after a stall it never
  /// goes on by itself.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func playbackStartsOnceWithTheItem(_ seed: UInt64) {
    let run = Simulation.run(of: Self.drawn(seed))
    let ready = run.times(of: .itemStatus(.readyToPlay))
    #expect(ready.count == 1, "seed \(seed)")
    #expect(run.starts() == ready, "seed \(seed)")
    #expect(run.times(of: .rate(.normal)) == [0], "seed \(seed)")
    let metrics = run.metrics(of: 0)
    #expect(metrics.stallCount + metrics.playedToEndCount == 1, "seed \(seed)")
  }

  // MARK: Reasons

  /// Players before iOS 10 had neither a status nor a reason, and those that do not wait
  /// automatically have no reason while they wait for the buffer.
  @Test(arguments: [(9, false), (10, true), (26, true)])
  func reasonsNeedAutomaticWaiting(_ iOS: Int, _ isTold: Bool) {
    // Waiting for an item until 10 ms, and for a frame until 90 ms; then it plays.
    let run = Simulation.run(
      of: Self.world(
        Self.film, iOS: iOS, [.at(0, .play), .at(10, .replaceCurrentItem(0))]),
      to: 100_000_000)
    let told = run.events().filter { event in
      if case .reasonForWaitingToPlay = event { true } else { false }
    }
    #expect(
      told
        == (isTold ? [.reasonForWaitingToPlay(.noItemToPlay), .reasonForWaitingToPlay(nil)] : []))
    let status = run.events().filter { event in
      if case .timeControlStatus = event { true } else { false }
    }
    #expect(
      status
        == (isTold
          ? [.timeControlStatus(.waitingToPlayAtSpecifiedRate), .timeControlStatus(.playing)] : []))
    #expect(run.starts() == [90_000_000])
  }

  /// A stream on iOS 9 waits as if automatically, and tells as little: segments of 10 s take 2.5 s.
  @Test func aStreamBeforeIOS10TellsNoReason() {
    let run = Simulation.run(
      of: Self.world(Self.stream, iOS: 9, [.at(0, .replaceCurrentItem(0)), .at(0, .play)]))
    for record in run.log.records {
      switch record.event {
      case .timeControlStatus, .reasonForWaitingToPlay: Issue.record("\(record) is told")
      default: break
      }
    }
    #expect(run.starts() == [2_500_000_000])
  }

  /// Waiting becomes a wait without a reason when the app forbids it, and one with a reason again.
  @Test func aReasonComesAndGoesWithAutomaticWaiting() {
    var world = Self.world(
      Self.film, on: Self.delayed(900),
      [
        .at(0, .replaceCurrentItem(0)), .at(0, .play),
        .at(200, .set(.automaticallyWaitsToMinimizeStalling(true))),
        .at(400, .set(.automaticallyWaitsToMinimizeStalling(false))),
      ])
    world.players[0].automaticallyWaitsToMinimizeStalling = false
    let run = Simulation.run(of: world)
    #expect(
      run.times(of: .reasonForWaitingToPlay(.evaluatingBufferingRate)) == [200_000_000])
    #expect(run.times(of: .reasonForWaitingToPlay(nil)) == [400_000_000])
    #expect(
      run.times(of: .timeControlStatus(.waitingToPlayAtSpecifiedRate)) == [0])
    #expect(run.starts() == [980_000_000])
  }
}
