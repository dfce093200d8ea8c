import Autowait
import Testing

/// Packets that travelled in one run tell another run on the same network what they bring.
@Suite struct PacketTapeTests {
  /// A file of 20 s at 1 Mbit/s, over 1.2 Mbit/s that lose one packet of fifty.
  private static func world(
    _ rule: StartupRule, _ steps: [ScriptStep] = [], seed: UInt64 = 5
  ) -> World {
    var direction = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 1_200_000), delay: .milliseconds(40)))
    direction.loss = .bernoulli(Probability(billionths: 20_000_000))
    var player = PlayerConfiguration(media: [
      Media(
        .progressive, duration: .seconds(20), bitRate: BitRate(bitsPerSecond: 1_000_000))
    ])
    player.keepUp.rule = rule
    var world = World(
      seed: seed, links: [LinkProfile(down: direction, up: direction)], players: [player],
      script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)] + steps,
      horizon: .start + .seconds(90))
    world.transport = TransportPolicy()
    world.tier = .packet
    return world
  }

  private static func run(_ world: World, _ tape: PacketTape? = nil) -> Simulation {
    var run = Simulation(world, tape: tape)
    _ = run.run()
    return run
  }

  private static let early = StartupRule.buffered(start: .seconds(1), resume: .seconds(1))
  private static let late = StartupRule.buffered(start: .seconds(8), resume: .seconds(3))

  @Test func anotherRuleReadsThePacketsOfTheFirst() {
    let first = Self.run(Self.world(Self.early), PacketTape())
    #expect(first.fingerprint == Self.run(Self.world(Self.early)).fingerprint)
    let second = Self.run(Self.world(Self.late), first.tape)
    let own = Self.run(Self.world(Self.late))
    #expect(second.readsTape)
    #expect(second.fingerprint == own.fingerprint)
    #expect(second.metrics(of: 0) == own.metrics(of: 0))
    #expect(second.fingerprint != first.fingerprint)
  }

  @Test func aRunThatAsksForSomethingElseLetsPacketsTravel() {
    let first = Self.run(Self.world(Self.early), PacketTape())
    let steps: [ScriptStep] = [.at(6_000, .seek(.seconds(15))), .at(9_000, .seek(.seconds(2)))]
    let second = Self.run(Self.world(Self.late, steps), first.tape)
    let own = Self.run(Self.world(Self.late, steps))
    #expect(!second.readsTape)
    #expect(second.fingerprint == own.fingerprint)
    #expect(second.metrics(of: 0) == own.metrics(of: 0))
  }

  @Test func theTapeOfAnotherNetworkIsNotRead() {
    let first = Self.run(Self.world(Self.early), PacketTape())
    let second = Self.run(Self.world(Self.early, seed: 6), first.tape)
    #expect(!second.readsTape)
    #expect(second.fingerprint == Self.run(Self.world(Self.early, seed: 6)).fingerprint)
  }

  @Test func noTapeIsWrittenWhereNoPacketTravels() {
    var world = Self.world(Self.early)
    world.tier = .fluid
    #expect(Self.run(world, PacketTape()).tape == nil)
  }
}
