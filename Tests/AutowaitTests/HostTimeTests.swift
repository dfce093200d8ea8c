import Autowait
import Testing

/// `setRate(_:time:atHostTime:)`, as its header describes it.
@Suite struct HostTimeTests {
  private static let two = PlaybackRate(millionths: 2_000_000)

  /// A player that does not wait automatically and has everything within half a second.
  private static func run(
    _ mapping: (rate: PlaybackRate, time: MediaTime?, host: Int64), of media: Media = Demo.media,
    iOS: Int = 26, waits: Bool = false
  ) -> Simulation {
    var world = Demo.world(
      Demo.at(
        seconds: 2,
        .setRateAtHostTime(
          mapping.rate, time: mapping.time, hostTime: Demo.seconds(mapping.host))),
      on: LinkTrack(rate: BitRate(bitsPerSecond: 400_000_000)), of: media)
    world.players[0].contract = APIContract(iOS: iOS) ?? .newest
    if iOS >= 10 { world.players[0].automaticallyWaitsToMinimizeStalling = waits }
    return Simulation(world)
  }

  /// Mapped at 2 s to a host time, in seconds; the playhead in tenths of a second at some tenths.
  ///
  /// A host time that is past was when playback would have begun. Until one to come the time is
  /// held, and the timebase has its rate from the call on.
  @Test(
    arguments: [
      (.normal, nil, 2, [(20, 0), (25, 5), (40, 20)]),
      (.normal, nil, 1, [(20, 10), (25, 15), (40, 30)]),
      (.normal, .seconds(7), 1, [(20, 80), (25, 85), (40, 100)]),
      (.normal, nil, 4, [(20, 0), (39, 0), (40, 0), (45, 5)]),
      (.normal, .seconds(7), 4, [(20, 70), (39, 70), (40, 70), (45, 75)]),
      (two, .seconds(7), 4, [(20, 70), (39, 70), (40, 70), (45, 80)]),
      (two, nil, 1, [(20, 20), (25, 30), (40, 60)]),
    ] as [(PlaybackRate, MediaTime?, Int64, [(Int64, Int64)])])
  func theTimeIsHeldUntilTheHostTime(
    _ rate: PlaybackRate, _ time: MediaTime?, _ host: Int64, _ rows: [(Int64, Int64)]
  ) {
    for iOS in [9, 10, 26] {
      var run = Self.run((rate, time, host), iOS: iOS)
      for (tenths, expected) in rows {
        _ = run.advance(to: .start + .milliseconds(tenths * 100))
        let shown = run.snapshot(of: 0)
        #expect(shown.currentTime.nanoseconds == expected * 100_000_000, "at \(tenths)")
        #expect(shown.timebaseRate == rate)
        #expect(shown.timeControlStatus == .playing)
      }
      // The rate is told once, at the call, with the time at which it is held.
      _ = run.run()
      let told = run.log.records.compactMap { record -> (Int64, MediaTime)? in
        guard case .timebaseRate(rate, let time) = record.event else { return nil }
        return (record.instant.nanoseconds, time)
      }
      #expect(told.map(\.0) == [2_000_000_000])
      #expect(told.map(\.1.nanoseconds) == [rows[0].1 * 100_000_000])
      // 39 s less what was before the start, at the rate, from the host time or the call on.
      #expect(run.metrics(of: 0).time(.gap).nanoseconds == max(0, host - 2) * 1_000_000_000)
    }
  }

  /// A pause while the time is held: nothing was played.
  @Test func aPauseBeforeTheHostTimePlaysNothing() {
    var run = Self.run((.normal, .seconds(7), 4))
    _ = run.advance(to: Demo.seconds(3))
    run.perform(.player(0, .pause))
    _ = run.advance(to: Demo.seconds(9))
    #expect(run.snapshot(of: 0).currentTime == .seconds(7))
    #expect(run.snapshot(of: 0).timebaseRate == .zero)
    #expect(run.metrics(of: 0).mediaPlayed == .zero)
    #expect(run.times(of: .rate(.zero)) == [3_000_000_000])
  }

  /// `playbackStartDate` is when playback began (AVPlayerItem.h): at the call or a later host time.
  ///
  /// A pause before it leaves nothing to log.
  @Test(arguments: [(1, 2), (2, 2), (4, 4), (7, 7)] as [(Int64, Int64)])
  func anEntryOfTheAccessLogBeginsWithPlayback(_ host: Int64, _ begins: Int64) {
    let stream = Media(StreamRunFixture.streamMedia([1_000_000], segments: 3))
    for media in [Demo.media, stream] {
      var run = Self.run((.normal, nil, host), of: media)
      var paused = run
      _ = run.run()
      #expect(run.times(of: .newAccessLogEntry) == [begins * 1_000_000_000])
      let log = run.metrics(of: 0).accessLog
      #expect(log.map(\.playbackStartDate) == [Demo.seconds(begins)])
      let watched = media.duration - .seconds(max(0, 2 - host))
      #expect(log.map(\.durationWatched) == [watched])
      _ = paused.advance(to: Demo.seconds(host - 1))
      paused.perform(.player(0, .pause))
      _ = paused.run()
      #expect(paused.metrics(of: 0).accessLog.isEmpty == (host > 2))
    }
  }

  /// Streams can be mapped from iOS 11 on; before, nothing happens.
  ///
  /// From iOS 10 on an exception is raised while the player waits automatically, whatever it plays.
  @Test(
    arguments: [
      (9, false, 0, 0), (10, false, 0, 0), (11, false, 1, 0), (26, false, 1, 0), (10, true, 0, 1),
      (11, true, 0, 1),
    ])
  func streamsAreMappedFromIOS11On(_ iOS: Int, _ waits: Bool, _ starts: Int, _ raised: Int) {
    let stream = Media(StreamRunFixture.streamMedia([1_000_000], segments: 3))
    var run = Self.run((.normal, nil, 4), of: stream, iOS: iOS, waits: waits)
    _ = run.run()
    #expect(run.starts() == Array(repeating: 2_000_000_000, count: starts))
    #expect(run.times(of: .rate(.normal)).count == starts)
    #expect(
      run.times(of: .exception(.setRateAtHostTimeWhileWaitingAutomatically)).count == raised)
  }
}
