import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// All rules meet the same network: to change the rule moves no draw of the link.
@Suite struct CommonNumbersTests {
  /// Links on which much is left to chance, for each tier.
  static let links = [
    #"{"name": "r", "down": {"random": {"from": "1 Mbit/s", "to": "9 Mbit/s", "every": "1 s", "#
      + #""count": 60}}}"#,
    #"{"name": "l", "down": {"rate": "4 Mbit/s", "delay": "20 ms", "loss": "1 %"}, "#
      + #""up": {"rate": "1 Mbit/s", "delay": "20 ms"}}"#,
    #"{"name": "j", "down": {"rate": "5 Mbit/s", "delay": "30 ms", "queue": {"packets": 30}, "#
      + #""jitter": {"deviation": "4 ms"}}, "up": {"rate": "1 Mbit/s", "delay": "9 ms"}}"#,
  ]

  #if DEBUG
  private static let some = Array(links.prefix(2))
  #else
  private static let some = links
  #endif

  /// Media that is short, since packets take their time where nothing is optimized.
  static let base = ExperimentFixture.base.replacing("\"39 s\"", with: "\"6 s\"")

  private struct Seen: Equatable {
    var draws: Int64
    var links: [LinkProfile]
    var network: [EventRecord.Key]
  }

  /// What a session saw of its network, until playback has no say any more.
  private func seen(_ plan: ExperimentPlan, _ contestant: Int, _ unit: Int) throws -> Seen {
    let here = plan.unit(unit)
    let source = plan.scenarioText(contestant: contestant, world: here.world)
    let read = ScenarioReader.read(source, loader: .none, seed: here.seed)
    let world = try #require(read.scenario).world
    var simulation = Simulation(world)
    _ = simulation.run()
    let network = simulation.log.records.compactMap { EventRecord.Key($0) }
    return Seen(draws: world.draws, links: world.links, network: network)
  }

  @Test(arguments: some)
  func theRuleMovesNoDraw(_ link: String) throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": "*", "link": [\#(link)], "seed": 2"#, base: Self.base))
    for unit in 0..<plan.unitCount {
      let first = try seen(plan, 0, unit)
      #expect(first.network.count > 2)
      for contestant in 1..<plan.contestantCount {
        let other = try seen(plan, contestant, unit)
        #expect(other.draws == first.draws && other.links == first.links)
        // A player that reads a second ahead has a say in when the network is used.
        if plan.contestantName(contestant) == "ffplay" { continue }
        #expect(other == first)
      }
    }
    // Another seed is another network, or there would be nothing to move.
    #expect(try seen(plan, 0, 0) != seen(plan, 0, 1))
  }

  @Test(arguments: links)
  func aScenarioThatIsReadOnceIsTheOneThatIsReadForEachSeed(_ link: String) throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": ["mpv", "vlc"], "link": [\#(link)], "seed": 2"#, base: Self.base))
    for row in ExperimentFixture.rows(plan) {
      let unit = plan.unit(of: row.key)
      let source = plan.scenarioText(contestant: plan.contestant(of: row.key), world: unit.world)
      let scenario = try #require(
        ScenarioReader.read(source, loader: .none, seed: unit.seed).scenario)
      #expect(row.fingerprint == ScenarioRun.run(scenario).fingerprint)
    }
  }
}

extension EventRecord {
  /// What a record says of the network; the order of other events in the log has no part in it.
  struct Key: Equatable {
    let instant: Instant
    let event: Event

    init?(_ record: EventRecord) {
      switch record.event {
      case .linkRate, .linkChanged, .mediaRequest, .mediaResponse, .mediaRequestCompleted,
        .transferPhase:
        instant = record.instant
        event = record.event
      default: return nil
      }
    }
  }
}
