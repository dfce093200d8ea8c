import Autowait
import Testing

/// Rules as data: each condition turns where it should, and in every situation another list counts.
@Suite struct ConditionRuleTests {
  private static let second: Int64 = 1_000_000_000

  private static func world(
    _ rule: ConditionRule, _ steps: ScriptStep..., on track: LinkTrack = Demo.slow,
    policy change: (inout KeepUpPolicy) -> Void = { _ in }
  ) -> World {
    var world = Demo.world(Demo.at(0, .play), on: track)
    world.script += steps
    return Demo.with(world) {
      $0.keepUp.rule = .conditions(rule)
      change(&$0.keepUp)
    }
  }

  private static func start(_ conditions: BufferCondition...) -> Int64? {
    let rule = ConditionRule(start: BufferConditions(anyOf: [conditions]))
    return Simulation.run(of: world(rule)).starts().first
  }

  /// Media that comes at 3.2 and plays at 3.73 Mbit/s: when so much of it is there.
  private static func loaded(_ media: Int64) -> Int64 { (3_730 * media + 3_199) / 3_200 }

  @Test(arguments: [Int64(-1), 0, 1])
  func measuresOfData(_ error: Int64) {
    let million = 1_000_000 + error
    #expect(
      Self.start(.atLeast(.buffered, Self.second + error)) == Self.loaded(Self.second + error))
    #expect(Self.start(.atLeast(.bufferedBytes, million)) == million * 2_500)
    #expect(Self.start(.atLeast(.receivedBytes, million)) == million * 2_500)
    // What is missing is below a size a nanosecond after it was the size.
    #expect(Self.start(.below(.missingBytes, million)) == (18_183_750 - million) * 2_500 + 1)
    // A rule that asks for less than a frame waits for the frame.
    #expect(
      Self.start(.atLeast(.bufferedBytes, 18_650 + error))
        == max(46_625_000, (18_650 + error) * 2_500)
    )
  }

  @Test(arguments: [Int64(-1), 0, 1])
  func measuresOfTime(_ error: Int64) {
    #expect(Self.start(.atLeast(.waited, Self.second + error)) == Self.second + error)
    #expect(
      Self.start(.atLeast(.fillRate, 3_200_000 + error)) == (error > 0 ? Self.all : 46_625_000))
    #expect(Self.start(.below(.fillRate, 3_200_000 + error)) == (error > 0 ? 46_625_000 : Self.all))
    #expect(Self.start(.atLeast(.speed, 1_000_000 + error)) == (error > 0 ? Self.all : 46_625_000))
    #expect(Self.start(.atLeast(.stalls, error)) == (error > 0 ? Self.all : 46_625_000))
  }

  /// When all is loaded, playback begins whatever is asked.
  private static let all: Int64 = 45_459_375_000

  @Test func listsAndAlternatives() {
    let (early, late) = (
      BufferCondition.atLeast(.waited, 3), BufferCondition.atLeast(.waited, 9 * Self.second)
    )
    #expect(Self.start(early, late) == 9 * Self.second)
    func any(_ alternatives: [[BufferCondition]]) -> Int64? {
      let rule = ConditionRule(start: BufferConditions(anyOf: alternatives))
      return Simulation.run(of: Self.world(rule)).starts().first
    }
    #expect(any([[late], [.atLeast(.buffered, Self.second)]]) == Self.loaded(Self.second))
    #expect(any([]) == Self.all)
    #expect(any([[]]) == 46_625_000)
    // A window between two turns, of which no look at its ends would tell.
    let window: [BufferCondition] = [
      .atLeast(.waited, 2 * Self.second), .below(.buffered, 1_715_817_696),
    ]
    #expect(any([window]) == 2 * Self.second)
    #expect(
      any([[.atLeast(.waited, 2 * Self.second), .below(.buffered, 1_715_817_694)]]) == Self.all)
    #expect(any([[.isNetworkBusy, late]]) == 9 * Self.second)
    #expect(any([[.isLoaded]]) == Self.all)
  }

  @Test func keepingUpIsTheDefaultRule() {
    #expect(Self.start(.isKeepingUp) == 6_459_375_000)
    let rule = ConditionRule(start: BufferConditions(allOf: .isKeepingUp))
    let known = Simulation.run(
      of: Self.world(rule, on: Demo.fast) { $0.verdictSize = ByteCount(bytes: 1_000_000) })
    #expect(known.starts().first == 80_000_000)
    let margin = Simulation.run(of: Self.world(rule) { $0.safetyMargin = 100_000 })
    let linear = Simulation.run(
      of: Demo.with(Demo.world(Demo.at(0, .play))) { $0.keepUp.safetyMargin = 100_000 })
    #expect(margin.starts() == linear.starts())
  }

  /// A full buffer begins to play although the rule says no; the network is idle then.
  @Test func fullBuffers() {
    let rule = ConditionRule(start: BufferConditions(anyOf: []))
    let run = Simulation.run(
      of: Self.world(rule) { $0.forwardBufferLimit = .seconds(2) })
    #expect(run.starts().first == Self.loaded(2 * Self.second))
    let idle = ConditionRule(start: BufferConditions(allOf: .isNetworkIdle))
    let other = Simulation.run(
      of: Self.world(idle) { $0.forwardBufferLimit = .seconds(2) })
    #expect(other.starts().first == Self.loaded(2 * Self.second))
  }

  /// After a stall and after a seek other conditions count; the seek forgets the stalls.
  @Test func situations() throws {
    let rule = ConditionRule(
      start: .none, resume: BufferConditions(allOf: .atLeast(.buffered, Self.second)),
      afterSeek: BufferConditions(allOf: .atLeast(.buffered, 2 * Self.second)))
    let run = Simulation.run(
      of: Self.world(rule, Demo.at(seconds: 12, .seek(.seconds(20)))))
    let starts = run.starts()
    #expect(starts[0] == 46_625_000)
    func ahead(_ place: Int) -> Int64 {
      var copy = Simulation(Self.world(rule, Demo.at(seconds: 12, .seek(.seconds(20)))))
      _ = copy.advance(to: Instant(nanoseconds: starts[place]))
      let snapshot = copy.snapshot(of: 0)
      return (snapshot.loadedEnd - snapshot.currentTime).nanoseconds
    }
    #expect(ahead(1) == Self.second)
    let sought = try #require(starts.firstIndex { $0 >= 12 * Self.second })
    #expect(ahead(sought) == 2 * Self.second)
    #expect(ahead(sought + 1) == Self.second)
  }

  /// A measure of stalls counts those since playback began, or since the playhead was moved.
  @Test func stallsAreForgottenWithASeek() throws {
    let rule = ConditionRule(
      start: .none,
      resume: BufferConditions(anyOf: [
        [.below(.stalls, 2), .atLeast(.buffered, Self.second)],
        [.atLeast(.stalls, 2), .atLeast(.buffered, 2 * Self.second)],
      ]), afterSeek: BufferConditions.none)
    let seek = Demo.at(seconds: 15, .seek(.seconds(20)))
    let run = Simulation.run(of: Self.world(rule, seek))
    let ahead = run.starts().map { start in
      var copy = Simulation(Self.world(rule, seek))
      _ = copy.advance(to: Instant(nanoseconds: start))
      let snapshot = copy.snapshot(of: 0)
      return (start, (snapshot.loadedEnd - snapshot.currentTime).nanoseconds)
    }
    #expect(ahead.prefix(3).map(\.1) == [40_000_000, Self.second, 2 * Self.second])
    let sought = ahead.filter { $0.0 >= 15 * Self.second }.prefix(3).map(\.1)
    #expect(sought == [40_000_000, Self.second, 2 * Self.second])
  }

  /// The wait that counts begins when the player begins to wait, and again with a seek.
  @Test func waitsBeginAnewWithASeek() {
    let rule = ConditionRule(
      start: BufferConditions(allOf: .atLeast(.waited, 3 * Self.second)))
    let run = Simulation.run(of: Self.world(rule, Demo.at(seconds: 2, .seek(.seconds(1)))))
    #expect(run.starts().first == 5 * Self.second)
    let paused = Simulation.run(
      of: Self.world(rule, Demo.at(seconds: 2, .pause), Demo.at(seconds: 4, .play)))
    #expect(paused.starts().first == 7 * Self.second)
  }

  /// A seek asks again, also where media is loaded: a paused player that was ready may not be.
  @Test func aSeekAsksAnew() {
    let rule = ConditionRule(
      start: BufferConditions(allOf: .atLeast(.buffered, 3 * Self.second)),
      afterSeek: BufferConditions(allOf: .atLeast(.buffered, 4 * Self.second)))
    let run = Simulation.run(
      of: Self.world(
        rule, Demo.at(seconds: 5, .pause), Demo.at(seconds: 6, .seek(.seconds(4))),
        Demo.at(seconds: 7, .play)))
    // At seven seconds two are ahead of the fourth; of four the last comes with the eighth.
    #expect(
      run.starts() == [Self.loaded(3 * Self.second), Self.loaded(8 * Self.second)]
        + run.starts().dropFirst(2))
  }

  /// Four-second segments of 1 Mbit/s, at nine tenths of that.
  private static func stream(
    _ rule: ConditionRule, _ steps: [ScriptStep] = [Demo.at(0, .play)], starves: Int64 = 0
  ) -> Simulation {
    let list = SegmentList(
      (0..<10).map { _ in (MediaTime.seconds(4), ByteCount(bytes: 500_000)) })
    let streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: [list])
    let slow = LinkTrack(rate: BitRate(bitsPerSecond: 900_000))
    var world = Demo.world(on: slow, of: Media(streamMedia))
    world.script += steps
    return Simulation.run(
      of: Demo.with(world) {
        $0.keepUp.rule = .conditions(rule)
        $0.keepUp.starvesBelow = MediaTime(nanoseconds: starves)
      })
  }

  /// The buffer of a stream grows by segments, in time and in bytes, and starves at the nanosecond.
  @Test(arguments: [Int64(0), 1, 700_000_000])
  func streams(_ starves: Int64) throws {
    let first = ConditionRule(start: BufferConditions(allOf: .atLeast(.bufferedBytes, 500_000)))
    let run = Self.stream(first, starves: starves)
    let start = try #require(run.starts().first)
    #expect(start == 4_444_444_445)
    // The second segment has not come by then.
    let stall = try #require(run.times(of: .playbackStalled).first)
    #expect(stall == start + 4 * Self.second - starves)
    let second = ConditionRule(start: BufferConditions(allOf: .atLeast(.bufferedBytes, 500_001)))
    #expect(Self.stream(second).starts().first == 8_888_888_889)
    let missing = ConditionRule(start: BufferConditions(allOf: .below(.missingBytes, 4_000_000)))
    #expect(Self.stream(missing).starts().first == 8_888_888_889)
  }

  /// Of a segment that the playhead is in, the part counts that is still to be played.
  @Test(arguments: [(Int64(250_000), Int64(5_000_000_000)), (250_001, 8_888_888_889)])
  func partsOfSegments(_ bytes: Int64, _ start: Int64) {
    let rule = ConditionRule(start: BufferConditions(allOf: .atLeast(.bufferedBytes, bytes)))
    // Before it has played, a seek would throw the segment away.
    let steps = [
      Demo.at(4_900_000_000, .playImmediately(.normal)), Demo.at(seconds: 5, .pause),
      Demo.at(seconds: 5, .seek(.seconds(2))), Demo.at(seconds: 5, .play),
    ]
    #expect(Self.stream(rule, steps).starts().first { $0 >= 5_000_000_000 } == start)
  }

  /// What was ready stays so through a pause, and what has starved does not.
  @Test func aPauseIsNoReasonToBuffer() {
    let rule = ConditionRule(start: BufferConditions(allOf: .atLeast(.buffered, 3 * Self.second)))
    let run = Simulation.run(
      of: Self.world(rule, Demo.at(seconds: 10, .pause), Demo.at(seconds: 11, .play)))
    #expect(
      run.starts() == [Self.loaded(3 * Self.second), 11 * Self.second] + run.starts().dropFirst(2))
    #expect(
      run.events().filter { $0 == .isPlaybackLikelyToKeepUp(false) }.count
        == run.metrics(of: 0).stallCount)
  }

  /// Looks once a second begin at the stall, and only there.
  @Test func looksInIntervals() throws {
    let rule = ConditionRule(
      start: .none, resume: BufferConditions(allOf: .atLeast(.buffered, Self.second)),
      checkInterval: .seconds(1))
    let run = Simulation.run(of: Self.world(rule))
    let stalls = run.times(of: .playbackStalled)
    #expect(run.starts()[0] == 46_625_000)
    #expect(stalls.count > 2)
    for (stall, start) in zip(stalls, run.starts().dropFirst()) {
      #expect((start - stall) % Self.second == 0)
    }
    // A second of media takes more than a second to come.
    #expect(run.starts()[1] - stalls[0] == 2 * Self.second)
  }

  /// A buffer that starves early stalls with media ahead, and counts as empty until there is more.
  @Test(arguments: [Int64(0), 1, 50_000_000, 500_000_000])
  func starving(_ amount: Int64) throws {
    let rule = ConditionRule(start: BufferConditions(allOf: .atLeast(.buffered, Self.second)))
    let world = Self.world(rule) { $0.starvesBelow = MediaTime(nanoseconds: amount) }
    let run = Simulation.run(of: world)
    let stall = try #require(run.times(of: .playbackStalled).first)
    let start = run.starts()[0]
    #expect(stall == (3_730 * (start - amount) + 529) / 530)
    var copy = Simulation(world)
    _ = copy.advance(to: Instant(nanoseconds: stall))
    #expect(copy.snapshot(of: 0).isPlaybackBufferEmpty)
    #expect(!copy.snapshot(of: 0).isPlaybackLikelyToKeepUp)
    let ahead = (copy.snapshot(of: 0).loadedEnd - copy.snapshot(of: 0).currentTime).nanoseconds
    #expect(ahead >= amount - 1 && ahead <= amount)
    #expect(run.finishReason == .settled)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// A rule that goes on with anything has a frame more than it would starve of, so that it plays
  /// for a frame at least.
  @Test(arguments: [Int64(1), 50_000_000, 1_782_000_000])
  func goingOnWithAnything(_ amount: Int64) {
    let rule = ConditionRule(
      start: BufferConditions(allOf: .atLeast(.buffered, amount + 1)),
      resume: BufferConditions(allOf: .atLeast(.buffered, 0)))
    let run = Simulation.run(
      of: Self.world(rule) { $0.starvesBelow = MediaTime(nanoseconds: amount) })
    let (stalls, starts) = (run.times(of: .playbackStalled), run.starts())
    #expect(stalls.count > 10)
    // The frame lasts the longer because more comes meanwhile.
    for (start, stall) in zip(starts.dropFirst(), stalls.dropFirst()) {
      #expect(stall - start >= 40_000_000)
    }
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }
}
