import AutowaitScenario
import Testing

/// A mistake in a step is told once, and nothing that only follows from it.
@Suite struct ScriptReaderTests {
  @Test(arguments: [
    (#""do":"paly","player":"x","rate":2"#, ["'do' has the unknown value 'paly'"]),
    (
      #""dO":"play""#,
      ["a step needs the key 'do'", "unknown key 'dO'"]
    ),
    (#""do":"play","rate":2"#, ["unknown key 'rate'"]),
    (#""do":"laod""#, ["'do' has the unknown value 'laod'"]),
    (#""do":"play""#, ["the script never loads anything"]),
  ])
  func messages(_ step: String, _ messages: [String]) {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},"script":[{"at":0,\(step)}]}
      """
    let (_, findings) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.map(\.message) == messages)
  }
}
