import Autowait
import AutowaitWorlds
import Testing

/// Every nanosecond of a player is booked to one account, and the access log adds up.
@Suite struct AccountTests {
  private func check(
    _ world: World, _ expected: [(TimeAccount, Int64)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let metrics = Simulation.run(of: world).metrics(of: 0)
    for account in TimeAccount.allCases {
      let wanted = expected.first { $0.0 == account }?.1 ?? 0
      #expect(
        metrics.time(account).nanoseconds == wanted, "\(account)", sourceLocation: sourceLocation)
    }
    #expect(
      metrics.wallTime.nanoseconds == expected.reduce(0) { $0 + $1.1 },
      sourceLocation: sourceLocation)
  }

  @Test func startup() {
    check(
      Demo.world(Demo.at(seconds: 1, .play)),
      [(.paused, 1_000_000_000), (.startup, 5_459_375_000), (.playing, 39_000_000_000)])
  }

  @Test func stall() {
    check(
      Demo.world(SimulationDemoTests.immediatelyAtFirstFrame),
      [
        (.paused, 349_687_500), (.playing, 39_000_000_001), (.stalled, 6_109_687_499),
      ])
  }

  @Test func resuming() {
    // 4.29 s are loaded at 5 s, too little to play on without a stall: another play waits.
    let world = Demo.world(
      Demo.at(seconds: 4, .playImmediately(.normal)), Demo.at(seconds: 5, .pause),
      Demo.at(seconds: 5, .play))
    let metrics = Simulation.run(of: world).metrics(of: 0)
    #expect(metrics.time(.resuming) > .zero)
    #expect(metrics.time(.startup) == .zero)
    #expect(metrics.stallCount == 0)
  }

  @Test func waitsForOtherReasons() {
    let world = Demo.world(
      Demo.at(seconds: 1, .play), Demo.at(seconds: 2, .set(.interstitial(true))),
      Demo.at(seconds: 4, .set(.interstitial(false))),
      Demo.at(seconds: 5, .set(.coordination(true))),
      Demo.at(seconds: 8, .set(.coordination(false))),
      Demo.at(seconds: 9, .replaceCurrentItem(nil)), Demo.at(seconds: 13, .pause), on: Demo.fast)
    check(
      world,
      [
        (.paused, 1_000_000_000), (.playing, 3_000_000_000), (.interstitial, 2_000_000_000),
        (.coordinated, 3_000_000_000), (.noItem, 4_000_000_000),
      ])
  }

  @Test func gapsAndTheTimeAfterTheEnd() {
    let world = Demo.with(
      Demo.world(
        Demo.at(seconds: 1, .play), Demo.at(seconds: 2, .changeTracks),
        Demo.at(seconds: 50, .interrupt), on: Demo.fast)
    ) { $0.contract = APIContract(iOS: 9) ?? .newest }
    check(
      world,
      [
        (.paused, 1_000_000_000), (.playing, 39_000_000_000), (.gap, 300_000_000),
        (.afterEnd, 9_700_000_000),
      ])
  }

  /// Media played at the natural rate is the time that was played, however often it was broken off.
  @Test(arguments: LawWorlds.numbers(300))
  func mediaPlayedIsTimePlayed(_ seed: UInt64) {
    var world = LawWorlds.world(seed, WorldShape(.ideal, rule: .builtIn, isAlone: true))
    world.keepCalls { action in
      switch action {
      case .replaceCurrentItem, .play, .pause, .playImmediately(.normal), .setRate(.normal),
        .seek, .set(.automaticallyWaitsToMinimizeStalling):
        true
      default: false
      }
    }
    world.players[0].actionAtItemEnd = .pause
    world.players[0].defaultRate = .normal
    world.players[0].forwardPlaybackEndTime = nil
    world.players[0].pipeline = nil
    let run = Simulation.run(of: world)
    let metrics = run.metrics(of: 0)
    let difference = metrics.mediaPlayed.nanoseconds - metrics.playbackDuration.nanoseconds
    // A nanosecond each time that the playhead stopped.
    #expect(difference <= 0 && -difference <= run.starts().count, law(seed))
  }

  /// An end that is placed behind the playhead ends playback where it is.
  @Test func endBehindThePlayheadDoesNotMoveIt() {
    let run = Simulation.run(
      of: Demo.world(
        Demo.at(seconds: 1, .play),
        Demo.at(seconds: 10, .set(.forwardPlaybackEndTime(.seconds(3)))), on: Demo.fast))
    #expect(run.times(of: .didPlayToEndTime) == [10_000_000_000])
    #expect(run.snapshot(of: 0).currentTime == .seconds(9))
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(9))
  }

  /// A playhead that runs on behind the end plays nothing there, wherever the end is moved.
  @Test(arguments: [
    (3, 20, 14), (20, 3, 9), (5, 50, 26), (3, 4, 3),
  ])
  func nothingIsPlayedBehindTheEnd(_ first: Int64, _ second: Int64, _ played: Int64) {
    let world = Demo.with(
      Demo.world(
        Demo.at(seconds: 1, .play),
        Demo.at(seconds: 10, .set(.forwardPlaybackEndTime(.seconds(second)))),
        Demo.at(seconds: 31, .pause), on: Demo.fast)
    ) {
      $0.forwardPlaybackEndTime = .seconds(first)
      $0.actionAtItemEnd = .none
    }
    let run = Simulation.run(of: world)
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(played))
    #expect(run.metrics(of: 0).playbackDuration == .seconds(played))
  }

  /// What was played before the item's time is mapped to a host time to come was played.
  @Test func hostTimeToComeIsAGap() {
    let world = Demo.with(
      Demo.world(
        Demo.at(seconds: 1, .play),
        Demo.at(
          seconds: 5, .setRateAtHostTime(.normal, time: nil, hostTime: Demo.seconds(10))),
        on: Demo.fast)
    ) { $0.automaticallyWaitsToMinimizeStalling = false }
    check(
      world, [(.paused, 1_000_000_000), (.playing, 39_000_000_000), (.gap, 5_000_000_000)])
    #expect(Simulation.run(of: world).metrics(of: 0).mediaPlayed == .seconds(39))
  }

  /// What the entries of the access log say adds up to what the player says.
  @Test(arguments: LawWorlds.numbers(300))
  func entriesAddUp(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    let run = Simulation.run(of: world)
    for player in world.players.indices {
      let metrics = run.metrics(of: player)
      let log = metrics.accessLog
      #expect(log.map(\.numberOfStalls).reduce(0, +) == metrics.stallCount, law(seed))
      #expect(
        log.reduce(MediaTime.zero) { $0 + $1.durationWatched } == metrics.mediaPlayed, law(seed))
      // What an item brought that never played is in none.
      let requests = log.map(\.numberOfMediaRequests).reduce(0, +)
      #expect(requests <= metrics.mediaResourceRequestCount, law(seed))
      #expect(
        metrics.streaming?.timeWeightedPeakBitrate?.bitsPerSecond
          == Demo.indicatedBitrate(of: log), law(seed))
      let bytes = log.map(\.numberOfBytesTransferred.bytes).reduce(0, +)
      #expect(bytes <= metrics.numberOfBytesTransferred.bytes, law(seed))
      let shown = run.snapshot(of: player)
      let hasOne = world.players[player].media.count == 1
      if hasOne, shown.timeControlStatus == .playing, !shown.isPlaybackBufferEmpty {
        #expect(bytes == metrics.numberOfBytesTransferred.bytes, law(seed))
        #expect(
          log.reduce(TimeSpan.zero) { $0 + $1.transferDuration } == metrics.transferDuration,
          law(seed))
      }
      let stalls = run.times(of: .playbackStalled, player: player).count
      #expect(stalls == metrics.stallCount, law(seed))
      #expect(run.times(of: .newAccessLogEntry, player: player).count == log.count, law(seed))
    }
  }
}
