import Autowait
import Testing

/// Four ways to play an item again and again, measured against each other.
@Suite struct LoopTests {
  private static func world(
    _ technique: LoopTechnique, copies: Int = 3, duration: Int64 = 5_000,
    until: Int64 = 30_000, _ change: (inout LoopPlan) -> Void = { _ in }
  ) -> World {
    let count = technique.needsQueue ? copies : 1
    let clip = QueueTests.clip(milliseconds: duration)
    var player = PlayerConfiguration(media: Array(repeating: clip, count: count))
    player.spans = Array(repeating: ItemSpan(asset: 0), count: count)
    var plan = LoopPlan(technique, items: Array(0..<count))
    change(&plan)
    player.loop = plan
    if technique == .rewind { player.actionAtItemEnd = .none }
    player.latency.preroll = .milliseconds(100)
    return World(
      links: [LinkProfile(Demo.fast)], players: [player], script: [Demo.at(0, .play)],
      horizon: Instant(nanoseconds: until * 1_000_000))
  }

  /// The gap of the naive way is the sum of its latencies, to the nanosecond, whatever the action
  /// at the end.
  @Test(
    arguments: [
      (0, 0, 0), (7_000_001, 5_000_002, 100_000_003), (1, 0, 0), (0, 0, 1), (2_000_000_000, 1, 1),
    ] as [(Int64, Int64, Int64)])
  func theNaiveWayCostsItsLatencies(_ notification: Int64, _ request: Int64, _ preroll: Int64) {
    for action in [ActionAtItemEnd.none, .pause] {
      var world = Self.world(.rewind) {
        $0.notification = TimeSpan(nanoseconds: notification)
        $0.request = TimeSpan(nanoseconds: request)
      }
      world.players[0].actionAtItemEnd = action
      world.players[0].latency.preroll = TimeSpan(nanoseconds: preroll)
      let run = QueueTests.run(world)
      let lap = 5_000_000_000 + notification + request + preroll
      let starts = (0..<7).map { preroll + lap * $0 }.filter { $0 <= 30_000_000_000 }
      if preroll > 0 || action == .pause { #expect(run.starts() == starts, "\(action)") }
      let ends = starts.map { $0 + 5_000_000_000 }.filter { $0 <= 30_000_000_000 }
      #expect(run.times(of: .didPlayToEndTime) == ends)
    }
  }

  /// The other ways have no gap where the item fits, and at the end of each lap all laps have been
  /// played.
  @Test(
    arguments: [LoopTechnique.queue, .treadmill, .looper],
    [(5_000, 100), (100, 100), (60, 100)]
      as [(Int64, Int64)])
  func theOtherWaysHaveNoGap(_ technique: LoopTechnique, _ clip: (Int64, Int64)) {
    let run = QueueTests.run(
      Self.world(technique, duration: clip.0, until: clip.1 + 7 * clip.0))
    let ends = run.times(of: .didPlayToEndTime)
    #expect(ends == (1...7).map { (clip.1 + $0 * clip.0) * 1_000_000 })
    let metrics = run.metrics(of: 0)
    #expect(metrics.time(.gap) == .zero)
    #expect(metrics.loopCount == 7)
    #expect(metrics.mediaPlayed == MediaTime(nanoseconds: 7 * clip.0 * 1_000_000))
  }

  /// A clip shorter than half its preroll waits for it, as a queue of such items does.
  @Test(arguments: [40, 33, 10, 1, 49] as [Int64])
  func aShortClipWaitsForItsPreroll(_ duration: Int64) {
    let starts = QueueTests.starts(Array(repeating: duration, count: 40), preroll: 100)
    for technique in [LoopTechnique.treadmill, .looper] {
      let run = QueueTests.run(
        Self.world(technique, copies: 4, duration: duration, until: starts[30]))
      #expect(Array(run.starts().prefix(30)) == starts.prefix(30).map { $0 * 1_000_000 })
    }
  }

  /// Observers that are told in the middle of a change put the item back before all else.
  @Test func observersAreToldNowOrLater() {
    func order(_ delivery: ObservationDelivery) -> [String] {
      let run = QueueTests.run(Self.world(.treadmill, until: 5_100) { $0.delivery = delivery })
      return run.log.records.filter { $0.instant.nanoseconds == 5_100_000_000 }.compactMap {
        switch $0.event {
        case .currentItem: "current"
        case .itemInserted: "inserted"
        case .timebaseRate: "plays"
        default: nil
        }
      }
    }
    #expect(order(.nested) == ["current", "inserted", "plays"])
    #expect(order(.queued) == ["current", "plays", "inserted"])
  }

  /// Who takes the current item out of a loop is told of the item that the loop puts there, once.
  @Test(arguments: [LoopTechnique.treadmill, .looper])
  func anItemThatIsTakenOutComesBack(_ technique: LoopTechnique) {
    var world = Self.world(technique) { $0.delivery = .nested }
    world.script.append(Demo.at(seconds: 2, .replaceCurrentItem(nil)))
    let run = QueueTests.run(world)
    let told = run.log.records.filter { $0.instant.nanoseconds == 2_000_000_000 }.map(\.event)
    #expect(told.filter { if case .currentItem = $0 { true } else { false } }.count == 2)
    #expect(told.filter { if case .timebaseRate = $0 { true } else { false } }.count <= 1)
  }

  /// An empty queue ends a treadmill: with one item there is nothing to go on with.
  @Test func aTreadmillOfOneEnds() {
    let run = QueueTests.run(Self.world(.treadmill, copies: 1))
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(5))
    #expect(run.metrics(of: 0).loopCount == 0)
  }

  /// Bad copies leave one by one, and the last one ends the loop.
  @Test(arguments: [LoopTechnique.queue, .treadmill, .looper])
  func badCopiesEndALoop(_ technique: LoopTechnique) {
    var world = Self.world(technique)
    world.script += (1...4).map { Demo.at(seconds: $0, .failItem) }
    let run = QueueTests.run(world)
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(3) - MediaTime(nanoseconds: 100_000_000))
    #expect(run.times(of: .currentItem(nil)) == [3_000_000_000])
    #expect(
      run.times(of: .looperStatus(.failed)) == (technique == .looper ? [1_000_000_000] : []))
  }

  /// A looper that is disabled plays its lap to the end, and gives the player back.
  @Test func aDisabledLooperEndsItsLap() {
    var world = Self.world(.looper)
    world.players[0].actionAtItemEnd = .pause
    world.script += [
      Demo.at(seconds: 7, .disableLooping), Demo.at(seconds: 8, .disableLooping),
    ]
    let run = QueueTests.run(world)
    #expect(run.times(of: .looperStatus(.cancelled)) == [7_000_000_000])
    #expect(run.metrics(of: 0).mediaPlayed == .seconds(10))
    #expect(run.snapshot(of: 0).actionAtItemEnd == .pause)
    #expect(run.snapshot(of: 0).looperStatus == .cancelled)
  }

  /// Existing items come before a looper's copies, or after them when it lets go.
  @Test(arguments: ItemOrdering.allCases) func existingItemsKeepTheirPlace(_ order: ItemOrdering) {
    var world = Self.world(.looper) { $0.ordering = order }
    world.players[0].media.append(QueueTests.clip(milliseconds: 2_000))
    world.players[0].spans.append(ItemSpan(asset: 1))
    world.players[0].queue = [3]
    world.script.append(Demo.at(seconds: 6, .disableLooping))
    let run = QueueTests.run(world)
    let order = run.log.records.compactMap { record -> Int? in
      if case .currentItem(let item?) = record.event { item } else { nil }
    }
    let isFirst = world.players[0].loop?.ordering == .loopingItemsFollowExistingItems
    #expect(order == (isFirst ? [3, 0] : [0, 1, 3]))
  }

  /// Backwards from the start of each copy there is nothing to play: no time passes, and it ends.
  @Test(arguments: [LoopTechnique.treadmill, .looper])
  func aLoopOfNothingEnds(_ technique: LoopTechnique) {
    var world = Self.world(technique)
    world.script = [Demo.at(0, .setRate(PlaybackRate(millionths: -1_000_000)))]
    #expect(QueueTests.run(world).metrics(of: 0).mediaPlayed == .zero)
  }

  /// Each lap shows what one track has more than the other.
  @Test func tracksOfDifferentLengthShowALackEachLap() {
    var world = Self.world(.looper, duration: 53_000, until: 53_100 * 3)
    for item in 0..<3 {
      world.players[0].media[item].videoEnd = MediaTime(nanoseconds: 52_967_000_000)
    }
    #expect(
      QueueTests.run(world).metrics(of: 0).mediaPlayedWithoutVideo
        == MediaTime(nanoseconds: 99_000_000))
    world.players[0].forwardPlaybackEndTime = MediaTime(nanoseconds: 52_967_000_000)
    #expect(QueueTests.run(world).metrics(of: 0).mediaPlayedWithoutVideo == .zero)
  }
}
