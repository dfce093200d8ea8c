import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// The searches for better parameters and for worse networks.
@Suite struct SearchTests {
  @Test func moreValuesAreTriedWhereTheFrontRuns() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": [{"name": "b", "rule": "buffered"}], "#
          + #""heuristic.start": ["1 s", "9 s", "5 s"]"#))
    #expect(FrontSearch.canRefine(plan))
    // The second contestant, 9 s, has one neighbour.
    let finer = try #require(FrontSearch.refined(plan, front: [1]))
    #expect(
      finer.contestantNames == ["b start 1 s", "b start 5 s", "b start 7 s", "b start 9 s"])
    let both = try #require(FrontSearch.refined(plan, front: [2]))
    #expect(both.contestantCount == 5)
    let text = String(decoding: finer.scenarioText(contestant: 2, world: 0).bytes, as: UTF8.self)
    #expect(text.contains(#""heuristic":{"rule":"buffered","start":"7 s"}"#))
  }

  @Test func whatIsNoTimeIsNotRefined() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""heuristic": "*", "player.defaultRate": [1, 2]"#))
    #expect(!FrontSearch.canRefine(plan))
    #expect(FrontSearch.refined(plan, front: [0]) == nil)
  }

  @Test func theFrontIsTheSameInAnyOrderOfRows() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": ["avfoundation", "mpv", "media3", "exoplayer"], "link": "demo/*""#))
    var runner = UnitRunner(plan, files: .none)
    var result = ExperimentResult(plan)
    for unit in 0..<plan.unitCount { result.add(runner.rows(of: unit)) }
    let names = result.front.map { result.contestants[$0].name }
    #expect(names.first == "mpv")
    #expect(names.last == "avfoundation")
  }

  @Test func theWorstNetworkIsAScenarioThatHurts() throws {
    let base = ExperimentFixture.base.replacing("\"39 s\"", with: "\"20 s\"")
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""heuristic": ["mpv", "fixed"]"#, base: base))
    let found = try WorstNetwork.find(0, of: plan, files: .none)
    #expect(found.stallCount > 0)
    #expect(found.stalled > 3_000_000_000)
    let carried = found.stretches.reduce(0) { $0 + $1.seconds * $1.kilobits }
    #expect(carried >= found.stretches.reduce(0) { $0 + $1.seconds } * 3_730)
    #expect((1...6).contains(found.stretches.count))
    let text = SourceText(path: "worst.json", bytes: found.scenario(0, of: plan))
    let (scenario, findings) = ScenarioReader.read(text, loader: .none)
    #expect(findings.map(\.rendered) == [])
    let result = ScenarioRun.run(try #require(scenario))
    #expect(Int64(result.metrics[0].stallCount) == found.stallCount)
    #expect(result.metrics[0].timeSpentRecoveringFromStall.nanoseconds == found.stalled)
    let again = try WorstNetwork.find(0, of: plan, files: .none)
    #expect(again.stretches == found.stretches)
  }
}
