import Autowait
import AutowaitScenario
import Testing

/// Where the index of a file lies, and what a scenario says of pipelines.
@Suite struct FileReaderTests {
  private func read(_ text: String) -> (Scenario?, [String]) {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    return (
      scenario,
      findings.map { finding in
        "\(finding.line):\(finding.column): \(finding.severity.rawValue): \(finding.message)"
      }
    )
  }

  @Test func anExperimentIsToldAsSuch() {
    let (_, findings) = read("{\"experiment\": 1, \"base\": {}}")
    #expect(findings == ["1:16: error: this is an experiment, not a scenario"])
  }

  @Test func anItemIsNoPath() {
    let (_, findings) = ScenarioReader.read(
      SourceText(
        path: "a.json",
        text: "{\"link\": \"demo/fast\", \"media\": \"ladder.json\", \"script\": []}"),
      loader: .none)
    #expect(findings.map(\.message) == ["an item must be an object, not a string"])
    let notes = findings.flatMap(\.notes)
    #expect(notes.contains { $0.contains("'autowait convert --to ladder'") })
    #expect(notes.contains("{\"file\": \"clip.mp4\"} is a movie on disk"))
  }

  private func check(
    media: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) -> Media? {
    let (scenario, findings) = read(
      """
      {"link": "demo/fast", "script": [{"at": 0, "do": "load"}], "media":
      {\(media)}}
      """)
    #expect(findings == expected, sourceLocation: sourceLocation)
    return scenario?.world.players[0].media.first
  }

  @Test(
    arguments: [
      (#""kind": "progressive", "duration": 1, "bitrate": 8"#, .front, 0, 1),
      (#""kind": "progressive", "duration": 1, "bitrate": 8, "index": "front""#, .front, 0, 1),
      (
        #""kind": "progressive", "duration": 1, "bitrate": 8, "header": 5, "index": "back""#,
        .back, 5, 6
      ),
      (
        #""kind": "progressive", "duration": 1, "size": 9, "header": 5, "index": "back""#,
        .back, 5, 9
      ),
    ] as [(String, Media.IndexPlacement, Int64, Int64)])
  func indexes(_ text: String, _ placement: Media.IndexPlacement, _ header: Int64, _ size: Int64) {
    let media = check(media: text, [])
    #expect(media?.indexPlacement == placement)
    #expect(media?.headerSize.bytes == header)
    #expect(media?.size == DataAmount(ByteCount(bytes: size)))
  }

  @Test(arguments: [
    (
      #""kind": "progressive", "duration": 1, "bitrate": 8, "index": "bakc", "header": 1"#,
      "2:63: error: 'index' has the unknown value 'bakc'"
    ),
    (
      #""kind": "progressive", "duration": 1, "bitrate": 8, "index": "back""#,
      "2:63: error: an index at the back must be more than 0 B: its size, 'header', is missing"
    ),
    (
      #""kind": "progressive", "duration": 1, "bitrate": 8, "header": 0, "index": "back""#,
      "2:64: error: an index at the back must be more than 0 B: 'header' is its size"
    ),
    (
      #""kind": "progressive", "duration": 1, "size": 8, "header": 8, "index": "back""#,
      "2:61: error: 'header' must be less than the 'size' of the file"
    ),
    (
      #""kind": "local", "duration": 1, "index": "back""#,
      "2:43: warning: 'index' changes nothing: a local file is all there"
    ),
    (
      #""kind": "local", "duration": 1, "resourceLoader": true"#,
      "2:52: warning: 'resourceLoader' changes nothing: a local file is all there"
    ),
  ])
  func mistakesOfIndexes(_ text: String, _ message: String) {
    _ = check(media: text, [message])
  }

  private func player(_ fields: String, _ steps: [String]) -> (PipelinePolicy?, [String]) {
    let script = ["load"] + steps
    let lines = script.map { "{\"at\": 0, \"do\": \"\($0)\"}" }.joined(separator: ",\n")
    let (scenario, findings) = read(
      """
      {"link": "demo/fast", "media": {"kind": "local", "duration": 1}, "player": {\(fields)},
      "script": [
      \(lines)]}
      """)
    return (scenario?.world.players[0].pipeline, findings)
  }

  @Test(
    arguments: [
      ("", [], nil, nil),
      (#""pipelineBuild": 0"#, [], 0, true),
      (#""pipelineBuild": "250 ms""#, [], 250_000_000, true),
      (#""hasLayer": true"#, [], 0, true),
      (#""hasLayer": false"#, ["attachLayer"], 0, false),
      (
        #""hasLayer": false, "pipelineBuild": 1"#, ["attachLayer", "detachLayer"], 1_000_000_000,
        false
      ),
      ("", ["detachLayer"], 0, true),
    ] as [(String, [String], Int64?, Bool?)])
  func pipelines(_ fields: String, _ steps: [String], _ build: Int64?, _ hasLayer: Bool?) {
    let (policy, findings) = player(fields, steps)
    #expect(findings.isEmpty)
    #expect(policy?.build.nanoseconds == build)
    #expect(policy?.hasLayer == hasLayer)
  }

  @Test(
    arguments: [
      ("", ["attachLayer"], ["4:17: warning: the layer is attached already"]),
      (#""hasLayer": false"#, ["detachLayer"], ["4:17: warning: there is no layer to detach"]),
      (
        "", ["detachLayer", "attachLayer", "attachLayer"],
        ["6:17: warning: the layer is attached already"]
      ),
      (
        #""pipelineBuild": "-1 s""#, [],
        ["1:94: error: 'pipelineBuild' must not be negative"]
      ),
      (#""hasLayer": 1"#, [], ["1:89: error: 'hasLayer' must be true or false, not a number"]),
      ("", ["attachlayer"], ["4:17: error: 'do' has the unknown value 'attachlayer'"]),
    ] as [(String, [String], [String])])
  func mistakesOfPipelines(_ fields: String, _ steps: [String], _ expected: [String]) {
    #expect(player(fields, steps).1 == expected)
  }
}
