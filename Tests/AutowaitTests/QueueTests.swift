import Autowait
import Testing

/// Queue players, by numbers that a few lines of arithmetic give.
@Suite struct QueueTests {
  /// A file on the device.
  static func clip(milliseconds: Int64) -> Media {
    Media(
      .local, duration: MediaTime(nanoseconds: milliseconds * 1_000_000),
      bitRate: BitRate(bitsPerSecond: 1_000_000))
  }

  /// A queue player that plays from the start.
  static func world(_ media: [Media], preroll: Int64, horizon: Int64 = 600) -> World {
    var player = PlayerConfiguration(media: media)
    player.queue = Array(media.indices)
    player.latency.preroll = .milliseconds(preroll)
    return World(
      links: [LinkProfile(Demo.fast)], players: [player],
      script: [Demo.at(0, .play)], horizon: Demo.seconds(horizon))
  }

  /// A run that is the same event by event.
  static func run(_ world: World, sourceLocation: SourceLocation = #_sourceLocation) -> Simulation {
    var (fast, plain) = (Simulation(world), Simulation(world, pace: .eventByEvent))
    _ = fast.run()
    _ = plain.run()
    #expect(fast.fingerprint == plain.fingerprint, sourceLocation: sourceLocation)
    #expect(fast.metrics(of: 0) == plain.metrics(of: 0), sourceLocation: sourceLocation)
    return fast
  }

  /// When each of some items begins to play, in milliseconds, reckoned without a player.
  ///
  /// An item begins to be prerolled when the one before it becomes the current one; or another one
  /// earlier, if the one before it is shorter than the preroll.
  static func starts(_ durations: [Int64], preroll: Int64) -> [Int64] {
    var (becameCurrent, starts) = ([Int64(0)], [preroll])
    for (place, duration) in durations.enumerated().dropLast() {
      becameCurrent.append(starts[place] + duration)
      let isEarly = place > 0 && durations[place] < preroll
      let begun = becameCurrent[isEarly ? place - 1 : place]
      starts.append(max(becameCurrent[place + 1], begun + preroll))
    }
    return starts
  }

  @Test(
    arguments: [
      ([5_000, 3_000, 4_000], 100), ([5_000, 3_000], 0), ([40, 40, 40, 40, 40, 40], 100),
      ([90, 1, 90, 1, 90, 1_000], 100), ([100, 99, 101, 98, 1], 100), ([1], 2_000),
      ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 3), ([2_000, 10, 10, 10, 2_000], 500),
    ] as [([Int64], Int64)])
  func itemsFollowEachOther(_ durations: [Int64], _ preroll: Int64) {
    let run = Self.run(Self.world(durations.map { Self.clip(milliseconds: $0) }, preroll: preroll))
    let expected = Self.starts(durations, preroll: preroll)
    #expect(run.starts() == expected.map { $0 * 1_000_000 })
    let metrics = run.metrics(of: 0)
    let total = durations.reduce(0, +)
    #expect(metrics.mediaPlayed == MediaTime(nanoseconds: total * 1_000_000))
    let gaps = expected[expected.count - 1] + durations[durations.count - 1] - total - preroll
    #expect(metrics.time(.gap) == .milliseconds(gaps))
    #expect(metrics.playedToEndCount == durations.count)
    #expect(metrics.wallTime == .milliseconds(total + gaps + preroll))
  }

  /// A queue of one is a plain player until its item ends.
  @Test(arguments: [500_000, 900_000, 1_000_000, 1_100_000, 3_000_000] as [Int64])
  func aQueueOfOneIsAPlainPlayer(_ rate: Int64) {
    let media = Media(
      .progressive, duration: .seconds(20), bitRate: BitRate(bitsPerSecond: 1_000_000),
      headerSize: ByteCount(bytes: 5_000))
    let track = LinkTrack(rate: BitRate(bitsPerSecond: rate))
    // A queue has its item before anything is asked of the player.
    var plain = Demo.world(on: track, of: media)
    plain.script += [
      Demo.at(1, .playImmediately(.normal)), Demo.at(seconds: 2, .seek(.seconds(5))),
    ]
    plain.players[0].latency.preroll = .milliseconds(250)
    var queued = plain
    queued.script.removeFirst()
    queued.players[0].queue = [0]
    let (one, other) = (Self.run(plain), Self.run(queued))
    let (told, toldOfOther) = (Self.told(of: one), Self.told(of: other))
    #expect(told.count == toldOfOther.count && told.count > 20)
    for (first, second) in zip(told, toldOfOther) where first != second {
      Issue.record("'\(first)' and '\(second)'")
      break
    }
    #expect(one.metrics(of: 0).stallCount == other.metrics(of: 0).stallCount)
  }

  /// What is told of an item before it has ended, without the steps that differ.
  private static func told(of run: Simulation) -> [String] {
    let end = run.times(of: .didPlayToEndTime).first
    return run.log.records.compactMap { record in
      if record.instant.nanoseconds == end { return nil }
      switch record.event {
      case .step, .itemInserted, .finished: return nil
      default: return "\(record.instant.nanoseconds) \(record.event)"
      }
    }
  }

  /// Exceptions leave the queue as it is.
  @Test func whatCannotBeInsertedIsAnException() {
    var world = Self.world((0..<4).map { _ in Self.clip(milliseconds: 1_000) }, preroll: 0)
    world.players[0].queue = [0, 1]
    world.script += [
      Demo.at(100, .insert(0, after: nil)), Demo.at(200, .insert(1, after: 0)),
      Demo.at(300, .insert(2, after: 3)), Demo.at(400, .replaceCurrentItem(1)),
      Demo.at(500, .remove(3)), Demo.at(600, .insert(2, after: 0)),
      Demo.at(seconds: 2, .remove(2)),
    ]
    let run = Self.run(world)
    #expect(
      run.log.records.compactMap { record -> PlaybackException? in
        if case .exception(let exception) = record.event { exception } else { nil }
      } == [
        .itemAlreadyInQueue, .itemAlreadyInQueue, .insertAfterItemNotInQueue, .itemAlreadyInQueue,
      ])
    let order = run.log.records.compactMap { record -> [Int]? in
      if case .currentItem(let item) = record.event { item.map { [$0] } ?? [] } else { nil }
    }
    #expect(order == [[0], [2], [1], []])
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(3))
  }

  /// A plain player cannot advance.
  @Test func onlyAQueueAdvances() {
    var world = Demo.world(on: Demo.fast, of: Self.clip(milliseconds: 1_000))
    world.script.append(Demo.at(1, .set(.actionAtItemEnd(.advance))))
    let run = Self.run(world)
    #expect(run.times(of: .exception(.advanceWithoutQueue)) == [1])
  }

  /// Items that fail, one after another, do not keep the queue from ending.
  @Test(arguments: [1, 7, 300]) func badItemsAreDropped(_ count: Int) {
    var world = Self.world(
      (0..<count).map { _ in Self.clip(milliseconds: 1_000) }, preroll: 10)
    world.script = (0..<count).map { Demo.at(5 + Int64($0), .failItem) }
    let run = Self.run(world)
    #expect(run.metrics(of: 0).mediaPlayed == .zero)
    #expect(run.times(of: .currentItem(nil)) == [4 + Int64(count)])
    #expect(run.log.records.count { $0.event == .itemStatus(.failed) } == count)
  }

  /// Thousands of items are no playlist, and are played all the same.
  @Test func manyItemsPlay() {
    #if DEBUG
    let count = 300
    #else
    let count = 2_000
    #endif
    let run = Self.run(
      Self.world((0..<count).map { _ in Self.clip(milliseconds: 2) }, preroll: 2))
    #expect(run.metrics(of: 0).mediaPlayed == MediaTime(nanoseconds: Int64(count) * 2_000_000))
    #expect(run.metrics(of: 0).time(.gap) == .zero)
  }

  /// Of many seeks in one instant only the last one is carried out, whichever item is next.
  @Test func aThousandSeeksInAnInstant() {
    var world = Self.world(
      [4_000, 500].map { Self.clip(milliseconds: $0) }, preroll: 0)
    world.script += (0..<1_000).map { number in
      Demo.at(seconds: 1, .seek(MediaTime(nanoseconds: (number + 1) * 3_000_000)))
    }
    let run = Self.run(world)
    let finished = run.log.records.compactMap { record -> Bool? in
      if case .seekDidComplete(_, let isFinished, _) = record.event { isFinished } else { nil }
    }
    #expect(finished == Array(repeating: false, count: 999) + [true])
    #expect(run.metrics(of: 0).mediaPlayed == MediaTime(nanoseconds: 2_500_000_000))
  }

  /// Parts of one asset share what was loaded: nothing is asked for twice.
  @Test func partsOfAnAssetShareWhatWasLoaded() {
    let media = Media(
      .progressive, duration: .seconds(60), bitRate: BitRate(bitsPerSecond: 1_000_000),
      headerSize: ByteCount(bytes: 1_000))
    var world = Self.world([media, media, media, media], preroll: 50)
    world.players[0].spans = [
      ItemSpan(asset: 0, start: .zero, end: .seconds(2)),
      ItemSpan(asset: 0, start: .seconds(40), end: .seconds(43)),
      ItemSpan(asset: 0, start: .seconds(1), end: .seconds(2)),
      ItemSpan(asset: 0, start: .seconds(41), end: .seconds(42)),
    ]
    let metrics = Self.run(world).metrics(of: 0)
    #expect(metrics.mediaPlayed == .seconds(7))
    #expect(metrics.time(.gap) == .zero)
    // The header, and five seconds of 125 kB; what is under way when reading stops is not read.
    #expect(metrics.numberOfBytesTransferred == ByteCount(bytes: 626_000))
    #expect(metrics.mediaResourceRequestCount == 2)
  }
}
