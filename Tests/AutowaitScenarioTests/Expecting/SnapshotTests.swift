import AutowaitScenario
import Testing

/// An expectation of many properties is missed if one of them is not as expected.
@Suite struct SnapshotTests {
  static let right = [
    "timeControlStatus": "\"playing\"", "rate": "1", "timebaseRate": "1",
    "currentTime": "\"2 s\"", "loaded": "\"5 s\"", "isPlaybackLikelyToKeepUp": "true",
  ]

  @Test(arguments: [
    ("", ""), ("timeControlStatus", "\"paused\""), ("rate", "2"), ("timebaseRate", "0"),
    ("currentTime", "\"2.001 s\""), ("loaded", "\"4.999 s\""),
    ("isPlaybackLikelyToKeepUp", "false"),
  ])
  func oneWrongPropertyIsEnough(_ key: String, _ wrong: String) throws {
    let tests = Self.right.merging([key: wrong]) { $1 }.filter { !$0.key.isEmpty }
      .map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",")
    let text = """
      {"link":"demo/fast","media":{"kind":"progressive","duration":"5 s","bitrate":1000000},
       "script":[{"at":0,"do":"load"},{"at":"1 s","do":"play"}],
       "expect":[{"at":"3 s",\(tests)}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty)
    let outcomes = ScenarioRun.run(try #require(scenario)).outcomes
    #expect(outcomes.map(\.isMet) == [key.isEmpty])
  }

  /// What holds only in parts, and never all at once, does not hold over time either.
  @Test(arguments: [
    (#"{"eventually":{"timeControlStatus":"paused","rate":1}}"#, false),
    (#"{"never":{"timeControlStatus":"paused","rate":1}}"#, true),
    (#"{"always":{"timeControlStatus":"paused","rate":1}}"#, false),
    (#"{"eventually":{"timeControlStatus":"paused","rate":0}}"#, true),
    (#"{"never":{"timeControlStatus":"paused","rate":0}}"#, false),
  ])
  func statesOverTime(_ expectation: String, _ isMet: Bool) throws {
    let text = """
      {"link":"demo/fast","media":{"kind":"progressive","duration":"5 s","bitrate":1000000},
       "script":[{"at":0,"do":"load"},{"at":"1 s","do":"play"}],"expect":[\(expectation)]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty)
    #expect(ScenarioRun.run(try #require(scenario)).outcomes.map(\.isMet) == [isMet])
  }
}
