import Autowait
import AutowaitScenario
import Testing

/// Players to whom something happens at one instant, in the order of the world.
@Suite struct PlayersOfOneInstantTests {
  /// Two of three players reach another variant at 19.93105 s.
  ///
  /// Event by event the second one was planned for that before the first, and acted first.
  @Test func theFirstOfTheWorldActsFirst() throws {
    let text = """
      {"autowait": 1, "link": "demo/slow-server",
       "media": {"kind": "hls", "duration": "20 s", "segmentDuration": "3300 ms",
         "variants": [{"bandwidth": "3 Mbit/s"}, {"bandwidth": "1100 kbit/s"}], "live": {}},
       "players": [
         {"name": "a"},
         {"name": "b", "heuristic": {"rule": {"start": "keepsUp"}}, "queue": [0]},
         {"name": "c", "preferredForwardBufferDuration": "1 s"}],
       "script": [
         {"at": 0, "do": "load"}, {"at": 0, "do": "play"}, {"at": 0, "do": "play", "player": "b"},
         {"at": 0, "do": "load", "player": "c"}, {"at": 0, "do": "play", "player": "c"}]}
      """
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    for pace in [Simulation.Pace.fast, .eventByEvent] {
      let run = ScenarioRun.run(try #require(scenario), pace: pace)
      let players = run.records.filter {
        $0.instant == Instant(nanoseconds: 19_931_050_000) && $0.event == .newAccessLogEntry
      }.map(\.player)
      #expect(players == [0, 1], "\(pace)")
    }
  }
}
