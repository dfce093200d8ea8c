import Autowait
import AutowaitExperiment
import Testing

/// What is planted into worlds without a stall is named as the cause of the stall that it makes.
@Suite struct ExplanationTests {
  #if DEBUG
  private static let singleCount = 7
  private static let pairCount = 4
  #else
  private static let singleCount = 300
  private static let pairCount = 100
  #endif

  /// Packets are slow to simulate: of those worlds a part is enough.
  private static func isDrawn(_ cause: Remedy, _ seed: UInt64) -> Bool {
    cause != .loss || seed % 6 == 0
  }

  private static func outline(_ world: World) throws -> RunOutline.PlayerOutline {
    try #require(RunOutline(of: world)).players[0]
  }

  @Test func whatIsPlantedIsNamedFirst() throws {
    var (count, named, judged) = (0, 0, 0)
    var misses: [String] = []
    var tally: [Remedy: Int] = [:]
    var seed: UInt64 = 0
    while count < Self.singleCount {
      seed += 1
      try #require(seed < 20_000)
      let cause = PlantedWorlds.causes[Int(seed) % PlantedWorlds.causes.count]
      if !Self.isDrawn(cause, seed / 7) { continue }
      var worlds = PlantedWorlds(seed)
      if try !Self.outline(worlds.base).stoppages.isEmpty { continue }
      var world = worlds.base
      worlds.plant(cause, in: &world, at: Int64(10 + seed % 20))
      guard var whatIf = WhatIf(world, player: 0) else { continue }
      guard let first = whatIf.outline.players[0].stoppages.first,
        first.span > .milliseconds(200)
      else { continue }
      count += 1
      tally[cause, default: 0] += 1
      let causes = StallCauses(of: 0, in: &whatIf)
      if causes.named.first == cause {
        named += 1
      } else {
        misses.append("seed \(seed): \(cause), not \(causes.named)")
      }
      // The judge: without it at least half is gone, and without anything else less is.
      let remains = causes.trials.first { $0.remedy == cause }?.remains
      let others = causes.trials.filter { $0.remedy != cause }.compactMap { $0.remains }
      if let remains, remains.nanoseconds <= first.span.nanoseconds / 2,
        others.allSatisfy({ $0 > remains })
      {
        judged += 1
      } else {
        misses.append("seed \(seed): \(cause) leaves \(remains as Any) of \(first.span): \(others)")
      }
    }
    #expect(named * 100 >= count * 98, "\(named) of \(count): \(misses)")
    #expect(judged * 100 >= count * 98, "\(judged) of \(count): \(misses)")
    // Each kind has its share.
    for cause in PlantedWorlds.causes { #expect((tally[cause] ?? 0) > 0, "\(cause): \(tally)") }
  }

  @Test func ofTwoPlantedCausesBothAreNamed() throws {
    var (count, named) = (0, 0)
    var misses: [String] = []
    var seed: UInt64 = 100_000
    while count < Self.pairCount {
      seed += 1
      try #require(seed < 120_000)
      let number = Int(seed) % (PlantedWorlds.causes.count * PlantedWorlds.causes.count)
      let first = PlantedWorlds.causes[number % PlantedWorlds.causes.count]
      let second = PlantedWorlds.causes[number / PlantedWorlds.causes.count]
      // Loss and another link hold on until the end: with them no stall has one cause.
      if first == second || [first, second].contains(.loss) || first == .linkChanges { continue }
      var worlds = PlantedWorlds(seed)
      if try !Self.outline(worlds.base).stoppages.isEmpty { continue }
      var world = worlds.base
      worlds.plant(first, in: &world, at: Int64(6 + seed % 5))
      // Each makes a stall of its own.
      if try Self.outline(world).stoppages.count != 1 { continue }
      let alone = try Self.outline(world).stoppages[0]
      let second2 = (alone.end - .start).nanoseconds / 1_000_000_000 + 8
      worlds.plant(second, in: &world, at: second2)
      guard var whatIf = WhatIf(world, player: 0) else { continue }
      let stoppages = whatIf.outline.players[0].stoppages
      let stallCount = stoppages.reduce(0) { $0 + $1.count }
      if stallCount < 2 || stoppages.contains(where: { $0.span < .milliseconds(200) }) {
        continue
      }
      count += 1
      var all: [Remedy] = []
      for number in stoppages.indices {
        all += StallCauses(of: number, in: &whatIf).named
      }
      if all.contains(first), all.contains(second) {
        named += 1
      } else {
        misses.append("seed \(seed): \(first) and \(second), not \(all)")
      }
    }
    #expect(named * 100 >= count * 98, "\(named) of \(count): \(misses)")
  }

  /// Each answer is run, and so is one step less.
  @Test func eachAnswerSparesTheStallAndOneStepLessDoesNot() throws {
    var kinds: [String: Int] = [:]
    for seed: UInt64 in 1...12 {
      let cause = PlantedWorlds.causes[Int(seed) % PlantedWorlds.causes.count]
      if cause == .loss { continue }
      var worlds = PlantedWorlds(seed)
      var world = worlds.base
      if seed % 2 == 0 {
        // More at the start helps only where it may be loaded.
        world.players[0].keepUp.forwardBufferLimit = nil
        world.players[0].preferredForwardBufferDuration = .zero
      }
      worlds.plant(cause, in: &world, at: 7)
      guard var whatIf = WhatIf(world, player: 0) else { continue }
      if whatIf.outline.players[0].stoppages.isEmpty { continue }
      let base = whatIf.outline
      for answer in Counterfactual.all(of: 0, in: &whatIf) {
        // Run without what the search has kept.
        func remains(_ remedy: Remedy) throws -> TimeSpan? {
          let changed = try #require(world.changed(by: [remedy], for: 0))
          return base.remains(of: 0, of: 0, in: try #require(RunOutline(of: changed)))
        }
        #expect(try remains(answer.remedy) == .zero, "seed \(seed): \(answer)")
        let other = answer.other
        if let other {
          #expect(try remains(other) != .zero, "seed \(seed): \(answer)")
          #expect(Self.isOneStep(answer.remedy, other), "seed \(seed): \(answer)")
        }
        kinds[Self.kind(answer.remedy), default: 0] += 1
      }
    }
    for kind in ["play", "startBuffer", "linkRate", "mediaRate", "outages"] {
      #expect((kinds[kind] ?? 0) > 0, "\(kind): \(kinds)")
    }
  }

  private static func kind(_ remedy: Remedy) -> String {
    String("\(remedy)".prefix { $0 != "(" })
  }

  private static func isOneStep(_ one: Remedy, _ other: Remedy) -> Bool {
    switch (one, other) {
    case (.play(let one), .play(let other)): one - other == .milliseconds(1)
    case (.startBuffer(let one), .startBuffer(let other)),
      (.bufferTarget(let one), .bufferTarget(let other)):
      (one - other).nanoseconds == 1_000_000
    case (.linkRate(let one, _), .linkRate(let other, _)): one - other == 1
    case (.mediaRate(let one, _), .mediaRate(let other, _)): other - one == 1
    case (.outages(let one), .outages(let other)): other - one == .milliseconds(1)
    case (.variant(let one), .variant(let other)): one < other
    default: false
    }
  }
}
