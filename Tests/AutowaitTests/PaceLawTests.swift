import Autowait
import AutowaitWorlds
import Testing

/// Shortcuts change nothing: long runs of a player are those that are taken event by event.
///
/// The net holds the same law against many more worlds, none of which lasts for minutes.
@Suite struct PaceLawTests {
  private static func check(
    _ seed: UInt64, _ item: WorldShape.Item, _ test: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let world = LawWorlds.world(
      seed, WorldShape(.ideal, item, rule: .builtIn, isAlone: true, isLong: true))
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

  @Test(arguments: LawWorlds.numbers(60))
  func changesOfTheRateMayBeTakenTogether(_ seed: UInt64) { Self.check(seed, .file) }
}
