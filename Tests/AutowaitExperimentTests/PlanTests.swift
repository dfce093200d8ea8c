import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Every session has its number, and its scenario is the base with its values.
@Suite struct PlanTests {
  @Test func sessionsAreNumberedSeedsFirstThenWorlds() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    #expect(plan.contestantNames == ["avfoundation", "vlc"])
    #expect(plan.sessionCount == 8)
    let units = (0..<plan.unitCount).map { plan.unit($0) }
    #expect(units.map(\.world) == [0, 0, 1, 1])
    #expect(units.map(\.seed) == [1, 2, 1, 2])
    #expect(plan.unit(of: SessionKey(5)).index == 2)
    #expect(plan.contestant(of: SessionKey(5)) == 1)
  }

  @Test func blocksOfSeedsComeBeforeWorldsWhereTheExperimentMayStop() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""link": ["demo/fast", "demo/slow-server"], "seed": 5"#,
        more: #", "stop": {"halfWidth": "1 s", "every": 2}"#))
    let units = (0..<plan.unitCount).map { plan.unit($0) }
    #expect(units.map(\.seed) == [1, 2, 1, 2, 3, 4, 3, 4, 5, 5])
    #expect(units.map(\.world) == [0, 0, 1, 1, 0, 0, 1, 1, 0, 1])
  }

  @Test func everyUnitIsThereOnce() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": "*", "link": "demo/*", "until": [1, 2], "seed": 7"#,
        more: #", "stop": {"halfWidth": "1 s", "every": 3}"#))
    var seen: Set<[UInt64]> = []
    for index in 0..<plan.unitCount {
      let unit = plan.unit(index)
      #expect(seen.insert([UInt64(unit.world), unit.seed]).inserted)
    }
    #expect(seen.count == 3 * 2 * 7)
  }

  @Test func aScenarioIsTheBaseWithItsValues() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": ["avfoundation"], "heuristic.verdictSize": [1, "2 kB"], "#
          + #""player.defaultRate": [1, 2], "#
          + #""media": [{"name": "m", "kind": "local", "duration": 3}]"#
      ))
    #expect(
      plan.contestantNames == [
        "avfoundation verdictSize 1 defaultRate 1", "avfoundation verdictSize 1 defaultRate 2",
        "avfoundation verdictSize 2 kB defaultRate 1",
        "avfoundation verdictSize 2 kB defaultRate 2",
      ])
    let text = String(
      decoding: plan.scenarioText(contestant: 3, world: 0).bytes, as: UTF8.self)
    #expect(
      text == #"{"seed":1,"link":"demo/slow-server","media":{"kind":"local","duration":3},"#
        + #""script":[{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],"#
        + #""heuristic":{"rule":"avfoundation","verdictSize":"2 kB"},"#
        + #""player":{"defaultRate":2}}"#)
  }

  @Test func presetsAndTheirChangesStandForMany() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""link": ["nlc/*@queue=bdp"]"#))
    #expect(plan.worldCount == LinkPreset.all.count { $0.family == "nlc" })
    #expect(
      plan.worldNames(0) == [
        LinkPreset.all.first { $0.family == "nlc" }.map(\.name)
          .map { $0 + "@queue=bdp" } ?? ""
      ])
  }
}
