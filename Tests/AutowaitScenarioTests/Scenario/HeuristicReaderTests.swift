import Autowait
import AutowaitScenario
import Testing

/// What a rule's parameters bring about is told where nobody would look for it.
@Suite struct HeuristicReaderTests {
  @Test(arguments: [
    (#""forwardBufferLimit":"30 ms""#, true), (#""forwardBufferLimit":"39 ms""#, true),
    (#""forwardBufferLimit":"40 ms""#, false), (#""frameDuration":"1 s""#, false),
    (#""forwardBufferLimit":"2 s","frameDuration":"3 s""#, true),
  ])
  func aBufferOfLessThanAFrame(_ parameters: String, _ isWarned: Bool) throws {
    let text = """
      {"link":"demo/fast","media":{"kind":"progressive","duration":"20 s","bitrate":1000000},
       "heuristic":{\(parameters)},"script":[{"at":0,"do":"load"},{"at":0,"do":"play"}],
       "until":"60 s"}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    let warning = "with a 'forwardBufferLimit' below 'frameDuration' playback never begins"
    #expect(findings.map(\.message) == (isWarned ? [warning] : []))
    var run = Simulation(try #require(scenario).world)
    _ = run.run()
    #expect((run.metrics(of: 0).firstPlayed == nil) == isWarned)
  }
}
