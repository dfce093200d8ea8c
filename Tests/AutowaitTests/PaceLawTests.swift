import Autowait
import AutowaitWorlds
import Testing

/// Shortcuts change nothing: long runs of a player are those that are taken event by event.
///
/// The net holds the same law against many more worlds, none of which lasts for minutes.
@Suite struct PaceLawTests {
  private static func check(
    _ seed: UInt64, _ item: WorldShape.Item, _ test: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation, change: (inout World) -> Void = { _ in }
  ) {
    var world = LawWorlds.world(
      seed, WorldShape(.ideal, item, rule: .builtIn, isAlone: true, isLong: true))
    change(&world)
    var (fast, plain) = (Simulation(world), Simulation(world, pace: .eventByEvent))
    _ = fast.run()
    _ = plain.run()
    let difference = zip(fast.log.records, plain.log.records).first { $0 != $1 }
    #expect(difference == nil, law(seed, test), sourceLocation: sourceLocation)
    #expect(fast.fingerprint == plain.fingerprint, law(seed, test), sourceLocation: sourceLocation)
    #expect(
      fast.metrics(of: 0) == plain.metrics(of: 0), law(seed, test), sourceLocation: sourceLocation)
  }

  @Test(arguments: LawWorlds.numbers(120))
  func segmentsMayBeTakenTogether(_ seed: UInt64) { Self.check(seed, .stream) }

  /// Rules that are asked each 50 ms whether to give a segment up, and do.
  @Test(arguments: LawWorlds.numbers(60))
  func rulesMayBeAskedOnTheWay(_ seed: UInt64) {
    let rules: [SegmentRulePolicy.Rule] = [
      .throughput, .bola, .bolaE, .dynamic, .dynamicDash, .player(.dashJS), .player(.hlsJS),
      .player(.vhs), .player(.shaka), .player(.shaka4), .player(.media3), .player(.chromiumHLS),
    ]
    Self.check(seed, .stream) {
      var policy = SegmentRulePolicy(rules[Int(seed) % rules.count])
      // A third of them looks at nothing that it would give up.
      policy.abandons = seed / 12 % 3 != 0
      $0.players[0].streaming.adaptation.rule = .modelled(policy)
    }
  }

  @Test(arguments: LawWorlds.numbers(60))
  func changesOfTheRateMayBeTakenTogether(_ seed: UInt64) { Self.check(seed, .file) }
}
