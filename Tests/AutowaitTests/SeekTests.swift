import Autowait
import Testing

/// Seeks: where they lead, what they announce, and what they cost.
///
/// The media has a megabyte a second and the link two unless a test says otherwise.
@Suite struct SeekTests {
  static let media = Media(
    .progressive, duration: .seconds(60), bitRate: BitRate(bitsPerSecond: 8_000_000))
  static let link = LinkTrack(rate: BitRate(bitsPerSecond: 16_000_000))

  private static func world(_ steps: ScriptStep...) -> World {
    var world = Demo.world(on: link, of: media)
    world.script += steps
    return world
  }

  private static func seek(at seconds: Int64, to target: Int64) -> ScriptStep {
    Demo.at(seconds: seconds, .seek(.seconds(target)))
  }

  /// The completions of the seeks of a run, and the times at which they came.
  private func completions(_ run: Simulation) -> [String] {
    run.log.records.compactMap { record in
      guard case .seekDidComplete(let number, let isFinished, let isInBuffer) = record.event
      else { return nil }
      let words = [isFinished ? "done" : "given up", isInBuffer ? "in buffer" : ""]
      let milliseconds = record.instant.nanoseconds / 1_000_000
      return "\(number) \(words.filter { !$0.isEmpty }.joined(separator: " ")) at \(milliseconds)"
    }
  }

  /// Runs a world and expects how its seeks complete, and what the player shows a second later.
  @discardableResult
  private func check(
    _ world: World, _ expected: [String], _ status: TimeControlStatus, time: Int64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Simulation {
    let run = Simulation.run(of: world)
    #expect(completions(run) == expected, sourceLocation: sourceLocation)
    let last = run.log.records.last {
      if case .seekDidComplete = $0.event { true } else { false }
    }
    let instant = (last?.instant.nanoseconds ?? 0) + 1_000_000_000
    let shown = Simulation.run(of: world, to: instant).snapshot(of: 0)
    #expect(shown.timeControlStatus == status, sourceLocation: sourceLocation)
    #expect(shown.currentTime.nanoseconds == time, sourceLocation: sourceLocation)
    return run
  }

  /// Parts that seeks have left are loaded round, one request behind the other: over a link that
  /// stays as it is, playback that began as early as it could does not run into the edge for less
  /// than it takes to send a packet.
  @Test func aGapThatIsFilledCostsNoTime() {
    var filled = 0
    for seed in LawWorlds.numbers(600, release: 3_000) {
      var random = RandomStream(seed: seed, component: "tests", purpose: "gaps")
      func draw(_ most: UInt64) -> Int64 { Int64(random.next(below: most)) }
      let bitRate = (300 + draw(2_700)) * 1_000
      let media = Media(
        .progressive, duration: .seconds(60), bitRate: BitRate(bitsPerSecond: bitRate))
      let link = LinkTrack(rate: BitRate(bitsPerSecond: bitRate / 100 * (30 + draw(270))))
      let rate = PlaybackRate(millionths: [1_000_000, 700_000, 1_100_000, 2_000_000][Int(draw(4))])
      var world = Demo.world(Demo.at(0, .setRate(rate)), on: link, of: media)
      var instant = Int64(0)
      for _ in 0...draw(4) {
        instant += 500_000_000 + draw(15_000_000_000)
        let target = MediaTime(nanoseconds: draw(57_000) * 1_000_000)
        world.script.append(Demo.at(instant, .seek(target)))
      }
      let run = Simulation.run(of: world)
      let stalls = Set(run.times(of: .playbackStalled))
      for start in run.starts() {
        #expect(stalls.isDisjoint(with: start - 1_000..<start), law(seed))
      }
      let requests = run.log.records.count {
        if case .mediaRequest = $0.event { true } else { false }
      }
      filled += max(0, requests - world.script.count + 1)
    }
    #expect(filled > 50, "\(filled) requests follow a gap")
  }

  @Test func outsideTheBufferIsNotAStall() {
    let world = Self.world(Demo.at(0, .play), Self.seek(at: 4, to: 30))
    // A frame of 0.04 s comes in 20 ms, and the verdict needs 65,536 bytes: 32.768 ms.
    let run = check(world, ["1 done at 4020"], .playing, time: 30_987_232_000)
    #expect(run.times(of: .timeJumped(.seconds(30))) == [4_020_000_000])
    #expect(run.times(of: .reasonForWaitingToPlay(.evaluatingBufferingRate)).last == 4_000_000_000)
    #expect(run.times(of: .reasonForWaitingToPlay(.toMinimizeStalls)) == [])
    let metrics = run.metrics(of: 0)
    #expect(metrics.stallCount == 0)
    #expect(metrics.time(.seeking).nanoseconds == 32_768_000)
    #expect(metrics.time(.stalled) == .zero)
  }

  @Test func outsideTheBufferIsWaitedForEvenWithoutAutomaticWaiting() {
    let world = Demo.with(Self.world(Demo.at(seconds: 1, .play), Self.seek(at: 4, to: 30))) {
      $0.automaticallyWaitsToMinimizeStalling = false
    }
    let run = check(world, ["1 done at 4020"], .playing, time: 31_000_000_000)
    #expect(
      run.times(of: .timeControlStatus(.waitingToPlayAtSpecifiedRate)) == [4_000_000_000])
    #expect(run.times(of: .reasonForWaitingToPlay(.evaluatingBufferingRate)).isEmpty)
    #expect(run.metrics(of: 0).stallCount == 0)
  }

  @Test func loadedRangesMayHaveGaps() {
    let world = Self.world(Self.seek(at: 4, to: 30))
    let shown = Simulation.run(of: world, to: 6_000_000_000).snapshot(of: 0)
    #expect(
      shown.loadedTimeRanges == [
        LoadedTimeRange(start: .zero, end: .seconds(8)),
        LoadedTimeRange(start: .seconds(30), end: .seconds(34)),
      ])
    #expect(shown.loadedEnd == .seconds(34))
  }

  /// What lies between two loaded parts is asked for, and no more.
  @Test func gapIsFilled() {
    let run = Simulation.run(of: Self.world(Self.seek(at: 4, to: 30), Self.seek(at: 6, to: 2)))
    let requests = run.events().compactMap { event -> [Int64]? in
      guard case .mediaRequest(_, let from, let size, _) = event else { return nil }
      return [from.bytes, size.bytes]
    }
    #expect(
      requests == [
        [0, 60_000_000], [30_000_000, 30_000_000], [8_000_000, 22_000_000],
        [34_000_000, 26_000_000],
      ])
    #expect(run.metrics(of: 0).numberOfBytesTransferred.bytes == 60_000_000)
    #expect(run.snapshot(of: 0).loadedTimeRanges.count == 1)
  }

  @Test func ofThreeInOneTurnTheLastMoves() {
    let world = Self.world(
      Demo.at(0, .play), Self.seek(at: 4, to: 1), Self.seek(at: 4, to: 40), Self.seek(at: 4, to: 7))
    let run = check(
      world, ["1 given up at 4000", "2 given up at 4000", "3 done in buffer at 4000"], .playing,
      time: 8_000_000_000)
    #expect(run.events().filter { if case .timeJumped = $0 { true } else { false } }.count == 1)
    #expect(run.metrics(of: 0).mediaResourceRequestCount == 1)
  }

  @Test func outsideTheMediaIsGivenUpAtOnce() {
    let world = Self.world(
      Demo.at(0, .play), Self.seek(at: 4, to: 61),
      Demo.at(seconds: 4, .seek(MediaTime(nanoseconds: -1))))
    check(
      world, ["1 given up at 4000", "2 given up at 4000"], .playing,
      time: 4_967_232_000)
  }

  @Test func withoutAnItemIsGivenUpAtOnce() {
    var world = Self.world(Self.seek(at: 4, to: 1))
    world.script.removeFirst()
    check(world, ["1 given up at 4000"], .paused, time: 0)
  }

  @Test func toNoTimeRaises() {
    let run = check(Self.world(Demo.at(seconds: 1, .seek(nil))), [], .paused, time: 0)
    #expect(run.times(of: .exception(.seekToInvalidTime)) == [1_000_000_000])
  }

  @Test(arguments: [10, 11])
  func beforeTheItemIsReady(_ version: Int) throws {
    let contract = try #require(APIContract(iOS: version))
    var world = Demo.with(Self.world(Demo.at(0, .seek(.seconds(20))))) { $0.contract = contract }
    let slow = LinkTrack(rate: BitRate(bitsPerSecond: 16_000_000), delay: .seconds(1))
    world.links = [LinkProfile(slow)]
    let run = Simulation.run(of: world)
    if version < 11 {
      #expect(run.times(of: .exception(.seekBeforeReady)) == [0])
      #expect(completions(run) == [])
    } else {
      // One round trip for the item, one for the part that was sought, and a frame.
      #expect(completions(run) == ["1 done at 2020"])
    }
  }

  /// A seek to the end waits for nothing, and is outside what is loaded.
  @Test func toTheEndWhilePlayingEnds() {
    let run = check(
      Self.world(Demo.at(0, .play), Self.seek(at: 4, to: 60)), ["1 done at 4000"],
      .paused, time: 60_000_000_000)
    #expect(run.times(of: .didPlayToEndTime) == [4_000_000_000])
    #expect(run.snapshot(of: 0).playedToEndCount == 1)
  }

  @Test func toTheEndWhilePlayingOnGoesOn() {
    let world = Demo.with(
      Self.world(Demo.at(0, .play), Self.seek(at: 4, to: 60), Demo.at(seconds: 9, .pause))
    ) { $0.actionAtItemEnd = .none }
    let run = check(world, ["1 done at 4000"], .playing, time: 61_000_000_000)
    #expect(run.times(of: .didPlayToEndTime) == [4_000_000_000])
  }

  /// A full buffer has stopped reading; a seek in it makes room, and reading goes on at once.
  ///
  /// Loaded at twice the speed of playback, the buffer is 10 s ahead after about 10 s; at 12 s it
  /// is still above the mark at which reading resumes, unless the playhead moves.
  @Test func readingGoesOnWhenASeekMakesRoom() {
    var world = Self.world(Demo.at(0, .play), Self.seek(at: 12, to: 18))
    world.players[0].keepUp.forwardBufferLimit = .seconds(10)
    let run = Simulation.run(of: world)
    let resumed = run.log.records.filter {
      if case .readingSuspended(_, false) = $0.event { true } else { false }
    }.map(\.instant.nanoseconds)
    #expect(resumed.first == 12_000_000_000)
    #expect(run.metrics(of: 0).stallCount == 0)
  }

  @Test func anotherItemGivesSeeksUp() {
    var world = Self.world(Self.seek(at: 4, to: 30), Demo.at(4_010_000_000, .replaceCurrentItem(1)))
    world.players[0].media.append(Self.media)
    check(world, ["1 given up at 4010"], .paused, time: 0)
  }
}

/// Preroll (row P16).
@Suite struct PrerollTests {
  /// A seek to what is not loaded, which leaves a ready item nothing to show for a while.
  private static let seek = Demo.at(10_000_000, .seek(.seconds(30)))

  /// Runs a world and expects when prerolls completed, and whether they finished.
  private func check(
    _ steps: [ScriptStep], _ expected: [(Int64, Bool)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var world = Demo.world(on: Demo.fast)
    world.script += steps
    let run = Simulation.run(of: world)
    for (isFinished, times) in [true, false].map({ flag in
      (flag, expected.filter { $0.1 == flag }.map(\.0))
    }) {
      #expect(
        run.times(of: .prerollDidComplete(isFinished: isFinished)) == times,
        sourceLocation: sourceLocation)
    }
  }

  @Test func completesWhenThereIsSomethingToShow() {
    check([Demo.at(seconds: 1, .preroll)], [(1_000_000_000, true)])
    // A frame of 0.04 s takes 1.492 ms of 100 Mbit/s, here after a seek at 10 ms.
    check([Self.seek, Demo.at(10_000_001, .preroll)], [(11_492_000, true)])
  }

  @Test func isGivenUpByAChangeOfRateOrAJump() {
    let preroll = Demo.at(10_000_001, .preroll)
    check([Self.seek, preroll, Demo.at(10_000_002, .play)], [(10_000_002, false)])
    check([Self.seek, preroll, Demo.at(10_000_002, .seek(.seconds(20)))], [(10_000_002, false)])
  }

  /// Before its first frame an item is not ready.
  @Test(arguments: [(1_491_999, 1), (1_492_000, 0)])
  func raisesBeforeTheItemIsReady(_ instant: Int64, _ count: Int) {
    let run = Simulation.run(of: Demo.world(Demo.at(instant, .preroll), on: Demo.fast))
    #expect(run.times(of: .exception(.prerollNotPossible)).count == count)
    #expect(run.times(of: .prerollDidComplete(isFinished: true)).count == 1 - count)
  }

  @Test func raisesWhilePlaying() {
    let run = Simulation.run(
      of: Demo.world(Demo.at(0, .play), Demo.at(seconds: 1, .preroll), on: Demo.fast))
    #expect(run.times(of: .exception(.prerollNotPossible)) == [1_000_000_000])
  }

  /// A seek that need not be exact goes to a key frame: the last one before its target, or else the
  /// next one, if that is within the tolerance.
  @Test(
    arguments: [
      (25_500, 0, 0, 25_500), (25_500, 1_499, 0, 25_500), (25_500, 1_500, 0, 24_000),
      (25_500, 1_000, 499, 25_500), (25_500, 1_000, 500, 26_000), (25_500, 9_000, 9_000, 24_000),
      (24_000, 1, 1, 24_000), (38_500, 100, 9_000, 38_500), (0, 5_000, 5_000, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func tolerance(_ target: Int64, _ before: Int64, _ after: Int64, _ place: Int64) {
    func time(_ milliseconds: Int64) -> MediaTime {
      MediaTime(nanoseconds: milliseconds * 1_000_000)
    }
    let action = PlayerAction.seekNear(time(target), before: time(before), after: time(after))
    // Key frames every 2 s, by the file's interval and by segments.
    var file = Media(.progressive, duration: .seconds(39), bitRate: BitRate(bitsPerSecond: 8_000))
    file.keyFrameInterval = .seconds(2)
    let list = SegmentList((0..<20).map { _ in (MediaTime.seconds(2), ByteCount(bytes: 2_000)) })
    let stream = Media(
      StreamMedia(
        variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 8_000), list: 0)],
        lists: [list]))
    for media in [file, stream] where media.streamMedia == nil || target < 38_000 {
      var world = Demo.world(on: Demo.fast, of: media)
      world.script = [Demo.at(0, .replaceCurrentItem(0)), Demo.at(seconds: 1, action)]
      let run = Simulation.run(of: world)
      #expect(run.events().contains(.timeJumped(time(place))))
      #expect(run.snapshot(of: 0).currentTime == time(place))
    }
  }
}
