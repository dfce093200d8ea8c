import Autowait
import AutowaitScenario
import AutowaitWorlds
import Testing

/// What is drawn, how it is judged, and how it is made smaller.
@Suite struct WorldTests {
  /// The laws hold in a few worlds of each kind; CI judges many more.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func lawsHold(_ seed: UInt64) {
    var run = WorldRun()
    run.judge(seed)
    run.finish()
    for found in run.found {
      Issue.record(
        """
        law '\(found.breach.law.rawValue)' does not hold in world \(seed): \
        \(found.breach.message); again, and as the smallest file that shows it: \
        autowait-worlds run \(seed)..\(seed + 1) --keep .build/found
        """)
    }
  }

  /// A draw may be refused for what its parts come to together, but for no value that is unknown.
  @Test func drawsHaveNoUnknownValues() {
    for seed in 0..<400 as Range<UInt64> {
      let findings = DrawnWorld(seed, attempt: 0).read().findings
      let unknown = findings.first { $0.message.contains("unknown value") }
      #expect(unknown == nil, "world \(seed)")
    }
  }

  /// What is said never to happen never does, nor is an expectation met that is said to never hold.
  @Test func whatIsImpossibleNeverHappens() {
    var (said, missed) = (0, 0)
    for seed in 0..<150 as Range<UInt64> {
      let (_, scenario, _) = DrawnWorld.valid(seed)
      let result = ScenarioRun.run(scenario)
      for player in scenario.world.players.indices {
        let possible = PossibleEvents(scenario.world, player: player, scenario.programs)
        let impossible = Set(Event.names.filter { possible.reason(againstEvent: $0) != nil })
        said += impossible.count
        for record in result.records where record.player == player || record.player == nil {
          let name = "\(record.event.name)"
          guard impossible.contains(name) else { continue }
          Issue.record("world \(seed): \(name)")
          break
        }
        for metric in Metric.allCases where possible.reason(againstMetric: metric, []) != nil {
          let value = metric.measured(in: result.metrics[player])
          #expect(value == nil, "world \(seed): \(metric)")
        }
        let above = [Bound(comparison: .greater, limit: 0)]
        if possible.reason(againstMetric: .playedToEndCount, above) != nil {
          #expect(result.metrics[player].playedToEndCount == 0, "world \(seed)")
        }
      }
      for outcome in result.outcomes + result.warned where outcome.expectation.impossible != nil {
        missed += 1
        #expect(!outcome.isMet, "world \(seed): \(outcome.expectation.text)")
      }
    }
    #expect(said > 1_000)
    #expect(missed > 3)
  }

  @Test func worldsAreOfAllKinds() {
    var (refused, live, unlike) = (0, 0, 0)
    var tiers: [LinkTier: Int] = [:]
    for seed in 0..<1_000 as Range<UInt64> {
      let (world, scenario, count) = DrawnWorld.valid(seed)
      refused += count
      tiers[scenario.world.tierChoice.tier, default: 0] += 1
      if world.kind.isLive { live += 1 }
      if scenario.world.players.count > 1 { unlike += 1 }
    }
    #expect(refused < 400)
    #expect(tiers[.ideal, default: 0] >= 500)
    #expect(tiers[.fluid, default: 0] >= 200)
    #expect(tiers[.packet, default: 0] >= 100)
    #expect(live >= 150)
    #expect(unlike >= 500)
  }

  @Test func aWorldIsThatOfItsNumber() {
    #expect(DrawnWorld.valid(7).world.draft == DrawnWorld.valid(7).world.draft)
    #expect(DrawnWorld.valid(7).world.draft != DrawnWorld.valid(8).world.draft)
    #expect(WorldRun.digest(7) == WorldRun.digest(7))
  }

  /// Worlds that failed are kept as files, and must be the same when they are read again.
  @Test func noWorldHasTwoFilesAtOnePath() {
    for seed in UInt64(0)..<2_000 {
      let paths = DrawnWorld(seed, attempt: 0).files.map(\.path)
      #expect(Set(paths).count == paths.count, "world \(seed) has the files \(paths)")
    }
  }

  /// Every key that the reader knows of an object is drawn in some world.
  ///
  /// The reader is asked: it names the keys of an object in which there is one that it does not
  /// know.
  @Test func everyKeyIsDrawn() {
    var drawn: [String: Set<String>] = [:]
    var places: [String: (world: DrawnWorld, path: [Step])] = [:]
    for seed in 0..<6_000 as Range<UInt64> {
      let world = DrawnWorld(seed, attempt: 0)
      Self.walk(world.draft, []) { path, keys in
        let name = Self.name(of: path)
        drawn[name, default: []].formUnion(keys)
        if places[name] == nil { places[name] = (world, path) }
      }
    }
    // Objects with the same keys are of a kind, wherever they stand.
    var kinds: [Set<String>: (drawn: Set<String>, name: String)] = [:]
    for (name, place) in places.sorted(by: { $0.key < $1.key }) {
      var world = place.world
      world.draft = Self.inserted(in: world.draft, place.path[...])
      let unknown = world.read().findings.first { $0.message == "unknown key 'zzzzzzzzzzzz'" }
      guard let known = unknown.map({ Set($0.choices) }) else { continue }
      kinds[known, default: ([], name)].drawn.formUnion(drawn[name, default: []])
    }
    for (known, kind) in kinds {
      let missing = known.subtracting(kind.drawn).subtracting(Self.notDrawn)
      #expect(missing == [], "of '\(kind.name)'")
    }
    #expect(places.count > 60)
  }

  /// Keys that change nothing in any run.
  private static let notDrawn: Set<String> = ["$schema"]

  enum Step {
    case key(String)
    case element(Int)
  }

  private static func name(of path: [Step]) -> String {
    path.map {
      switch $0 {
      case .key(let key): key
      case .element: "[]"
      }
    }.joined(separator: ".")
  }

  private static func walk(_ draft: Draft, _ path: [Step], _ visit: ([Step], [String]) -> Void) {
    switch draft {
    case .plain, .string: break
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        walk(element, path + [.element(index)], visit)
      }
    case .object(let members):
      visit(path, members.map(\.key))
      for member in members { walk(member.value, path + [.key(member.key)], visit) }
    }
  }

  private static func inserted(in draft: Draft, _ path: ArraySlice<Step>) -> Draft {
    var copy = draft
    switch (draft, path.first) {
    case (_, nil): copy["zzzzzzzzzzzz"] = 1
    case (.array(var elements), .element(let index)?):
      elements[index] = inserted(in: elements[index], path.dropFirst())
      copy = .array(elements)
    case (_, .key(let key)?):
      if let value = draft[key] { copy[key] = inserted(in: value, path.dropFirst()) }
    default: break
    }
    return copy
  }

  // MARK: Making smaller

  @Test func theSmallestFileIsFound() {
    let draft: Draft = [
      "a": ["x": [1, 2, 3, "left"], "y": "12345 ms"], "b": true, "c": ["d": 4_321],
    ]
    let small = draft.shrunk(triesMax: 1_000) { $0.text.contains("left") }
    #expect(small == ["a": "left"])
    let round = draft.shrunk(triesMax: 1_000) { ($0["c"]?["d"]).map { $0 != 0 } ?? false }
    #expect(round == ["c": ["d": 1_000]])
  }

  @Test func aDraftIsReadAsItIsWritten() {
    let draft = DrawnWorld.valid(11).world.draft
    let source = SourceText(path: "x", text: draft.text)
    let root = Findings(source).parseJSON()
    #expect(root.map { Draft($0) } == draft)
  }
}
