import Autowait
import Testing

/// How long a player evaluates the fill rate, and what an empty buffer is judged to be.
///
/// Over 90 kbit/s the 65,536 bytes of a verdict take 524,288 / 90,000 = 5.825422222… s.
@Suite struct BriefEvaluatingTests {
  private static let link = LinkTrack(rate: BitRate(bitsPerSecond: 90_000))
  private static let enough: Int64 = 5_825_422_223
  private static let second: Int64 = 1_000_000_000

  /// Runs a world for 9 seconds, and returns when each reason began, in nanoseconds.
  private static func reasons(
    _ steps: [ScriptStep], on link: LinkTrack = link, media: [Media] = [Demo.media],
    verdictTime: TimeSpan? = nil
  ) -> [Int64: [WaitingReason?]] {
    var player = PlayerConfiguration(media: media)
    if let verdictTime { player.keepUp.verdictTime = verdictTime }
    let world = World(
      links: [LinkProfile(link)], players: [player], script: steps, horizon: Demo.seconds(9))
    var reasons: [Int64: [WaitingReason?]] = [:]
    for record in Simulation.run(of: world).log.records {
      guard case .reasonForWaitingToPlay(let reason) = record.event else { continue }
      reasons[record.instant.nanoseconds, default: []].append(reason)
    }
    return reasons
  }

  /// The reason turns a second after the wait began, or as soon as there is enough data.
  @Test(
    arguments: [
      (0, second), (3_000, 4 * second), (4_800, 5_800_000_000), (5_000, enough),
    ] as [(Int64, Int64)])
  func evaluatingLastsASecondAtMost(_ play: Int64, _ turn: Int64) {
    let reasons = Self.reasons([.at(0, .replaceCurrentItem(0)), .at(play, .play)])
    #expect(reasons == [play * 1_000_000: [.evaluatingBufferingRate], turn: [.toMinimizeStalls]])
  }

  /// The time is a number of the rule: none at all, half a second, and without end.
  @Test(
    arguments: [
      (TimeSpan.milliseconds(500), 500_000_000), (TimeSpan(nanoseconds: 1), 1),
      (.seconds(5), 5 * second), (.seconds(366 * 86_400), enough),
    ] as [(TimeSpan, Int64)])
  func theTimeIsANumberOfTheRule(_ time: TimeSpan, _ turn: Int64) {
    let steps: [ScriptStep] = [.at(0, .replaceCurrentItem(0)), .at(0, .play)]
    let reasons = Self.reasons(steps, verdictTime: time)
    #expect(reasons == [0: [.evaluatingBufferingRate], turn: [.toMinimizeStalls]])
    let none = Self.reasons(steps, verdictTime: .zero)
    #expect(none.keys.sorted() == [0])
    #expect(none[0]?.last == .toMinimizeStalls)
  }

  /// A new wait, another place and another item are each evaluated for a second.
  @Test(
    arguments: [
      // A pause between 0.5 s and 0.8 s.
      ([.at(0, .play), .at(500, .pause), .at(800, .play)], [(800, 1_800)]),
      ([.at(0, .play), .at(600, .seek(.seconds(20)))], [(0, 1_600)]),
      ([.at(0, .play), .at(3_000, .seek(.seconds(20)))], [(0, 1_000), (3_000, 4_000)]),
      ([.at(0, .play), .at(600, .replaceCurrentItem(1))], [(0, 1_600)]),
      ([.at(0, .play), .at(3_000, .replaceCurrentItem(1))], [(0, 1_000), (3_000, 4_000)]),
    ] as [([ScriptStep], [(Int64, Int64)])])
  func eachWaitIsEvaluated(_ steps: [ScriptStep], _ rows: [(Int64, Int64)]) {
    let reasons = Self.reasons(
      [.at(0, .replaceCurrentItem(0))] + steps, media: [Demo.media, Demo.media])
    func times(_ reason: WaitingReason) -> [Int64] {
      reasons.filter { $0.value.last == .some(reason) }.keys.sorted()
    }
    #expect(Set(times(.evaluatingBufferingRate)).isSuperset(of: rows.map { $0.0 * 1_000_000 }))
    #expect(times(.toMinimizeStalls) == rows.map { $0.1 * 1_000_000 })
  }

  /// Nothing has come, and nothing will: the item is unknown, and the player minimizes stalls.
  @Test func aDeadLinkIsNoLongerEvaluated() {
    let dead = LinkTrack(rate: .zero)
    let reasons = Self.reasons([.at(0, .replaceCurrentItem(0)), .at(0, .play)], on: dead)
    #expect(reasons == [0: [.evaluatingBufferingRate], Self.second: [.toMinimizeStalls]])
    // The second begins with the item, whose absence has a reason of its own.
    let late = Self.reasons([.at(0, .play), .at(5_000, .replaceCurrentItem(0))], on: dead)
    #expect(
      late == [
        0: [.noItemToPlay], 5 * Self.second: [.evaluatingBufferingRate],
        6 * Self.second: [.toMinimizeStalls],
      ])
  }

  /// Time alone is no reason to play: 65,536 bytes of a link that is ten times fast enough take
  /// 524,288 / 37.3 Mbit/s = 14.055979 ms.
  @Test(arguments: [TimeSpan.zero, .milliseconds(5), .seconds(1)])
  func likelyToKeepUpNeedsTheData(_ time: TimeSpan) {
    var world = Demo.world(
      Demo.at(0, .play), on: LinkTrack(rate: BitRate(bitsPerSecond: 37_300_000)))
    world.players[0].keepUp.verdictTime = time
    #expect(Simulation.run(of: world).starts() == [14_055_979])
  }

  // MARK: Empty buffers

  /// A rule that is content with nothing still needs a frame, at the start and after a stall.
  ///
  /// The film arrives as fast as it plays, so that it stays 0.04 s ahead. The link is down from 2 s
  /// to 5 s: the buffer is empty at 2.04 s, and has a frame at 5.04 s.
  @Test(arguments: [
    StartupRule.buffered(start: .zero, resume: .zero), .conditions(ConditionRule(start: .none)),
  ])
  func anEmptyBufferIsNotLikelyToKeepUp(_ rule: StartupRule) {
    let link = LinkTrack([
      LinkTrack.Sample(rate: BitRate(bitsPerSecond: 8_000_000)),
      LinkTrack.Sample(start: .seconds(2), rate: .zero),
      LinkTrack.Sample(start: .seconds(5), rate: BitRate(bitsPerSecond: 8_000_000)),
    ])
    var world = Demo.world(Demo.at(0, .play), on: link, of: LinkLawTests.media)
    world.players[0].keepUp.rule = rule
    let run = Simulation.run(of: world)
    #expect(
      run.times(of: .isPlaybackLikelyToKeepUp(true)) == [40_000_000, 5_040_000_000])
    #expect(run.times(of: .isPlaybackLikelyToKeepUp(false)) == [2_040_000_000])
    #expect(run.starts() == [40_000_000, 5_040_000_000])
    // At the end everything is loaded, and nothing is ahead.
    #expect(run.snapshot(of: 0).isPlaybackLikelyToKeepUp)
    #expect(run.snapshot(of: 0).isPlaybackBufferEmpty)
  }
}
