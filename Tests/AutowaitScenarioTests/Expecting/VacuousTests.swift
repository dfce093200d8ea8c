import AutowaitScenario
import Testing

/// Expectations that could never hold or never fail say so, and where.
@Suite struct VacuousTests {
  private func warnings(_ expectation: String, media: String = Self.file) -> [String] {
    let text = """
      {"link":{"rate":"2 Mbit/s"},"media":\(media),"until":"60 s",
       "script":[{"at":0,"do":"load"}],"expect":[\(expectation)]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(scenario != nil)
    return findings.map(\.message)
  }

  private static let file = #"{"kind":"progressive","duration":"9 s","bitrate":"1 Mbit/s"}"#
  private static let stream =
    #"{"kind":"hls","duration":"9 s","variants":[{"bandwidth":"1 Mbit/s"}]}"#

  @Test(arguments: [
    (
      #"{"at":"61 s","rate":1}"#,
      "this can hold only if nothing is left to happen: the run is over at 60 s at the latest"
    ),
    (
      #"{"never":{"event":"playbackStalled","at":"61 s"}}"#,
      "this can never fail: the run is over at 60 s at the latest"
    ),
    (
      #"{"eventually":{"event":"playbackStalled","at":"61 s"}}"#,
      "this can never hold: the run is over at 60 s at the latest"
    ),
    (
      #"{"sequence":[{"event":"playbackStalled","gap":{"<":"1 s",">":"2 s"}}]}"#,
      "this can never hold: no time is within these bounds"
    ),
    (
      #"{"always":{"stallCount":{">":1,"<":2}}}"#,
      "this can never hold: no value is within these bounds"
    ),
    (
      #"{"metric":"stallCount","<":3,">":2}"#,
      "this can never hold: no figure is within these bounds"
    ),
    (#"{"metric":"stallCount",">=":0}"#, "this can never fail: no figure is below 0"),
    (
      #"{"metric":"timeSpentRecoveringFromStall","<":0}"#,
      "this can never hold: no figure is below 0"
    ),
    (
      #"{"metric":"loopCount",">=":1}"#,
      "this can never hold: only a player with 'loop' has 'loopCount'"
    ),
    (
      #"{"never":{"event":"ruleAnswer"}}"#,
      "this can never fail: no rule here is a program, and only those give the event 'ruleAnswer'"
    ),
  ])
  func says(_ expectation: String, _ warning: String) {
    #expect(warnings(expectation) == [warning])
  }

  /// What only streams have, of a file and of a stream.
  @Test(arguments: [
    (
      #"{"never":{"event":"variantSwitch"}}"#,
      "this can never fail: only streams have the event 'variantSwitch', but this is not a stream"
    ),
    (
      #"{"at":{"event":"segmentRequest"},"rate":1}"#,
      "this can never hold: only streams have the event 'segmentRequest', but this is not a stream"
    ),
    (
      #"{"eventually":{"event":"playlistRequest"},"count":0}"#,
      "this can never fail: only streams have the event 'playlistRequest', but this is not a stream"
    ),
    (
      #"{"always":{"variant":{">=":0}}}"#,
      "this can never hold: only streams have 'variant', but this is not a stream"
    ),
    (
      #"{"metric":"variantSwitchCount","<=":3}"#,
      "this can never hold: only streams have 'variantSwitchCount', but this is not a stream"
    ),
  ])
  func knowsFilesAndStreams(_ expectation: String, _ warning: String) {
    #expect(warnings(expectation) == [warning])
    #expect(warnings(expectation, media: Self.stream) == [])
  }

  /// What the media, the link, the queue or the script of this world never brings about.
  @Test(arguments: [
    (#"{"eventually":{"event":"linkRate"}}"#, "the rate of this link is always the same"),
    (#"{"eventually":{"event":"linkChanged"}}"#, "nothing here changes the link"),
    (
      #"{"eventually":{"event":"itemRemoved"}}"#,
      "only a queue or a loop has the event 'itemRemoved'"
    ), (#"{"eventually":{"event":"connect"}}"#, "without 'transport' there is no 'connect'"),
    (#"{"eventually":{"event":"pipelineBuilt"}}"#, "without 'pipeline' none is built"),
    (#"{"metric":"pipelineBuildCount",">=":1}"#, "without 'pipeline' none is built"),
    (
      #"{"metric":"mediaPlayedWithoutVideo",">=":0}"#,
      "no picture here is shorter than its sound"
    ),
    (
      #"{"eventually":{"loopCount":1}}"#, "only a player with 'loop' has a 'loopCount' above 0"
    ),
    (
      #"{"metric":"rebufferRatio","<=":0.1}"#,
      "no step of the script plays this player, and 'rebufferRatio' is of playback"
    ),
  ])
  func knowsWhatAWorldHas(_ expectation: String, _ reason: String) {
    #expect(warnings(expectation) == ["this can never hold: \(reason)"])
  }

  /// What streams without an end, without keys, and local files never have.
  @Test func knowsWhatMediaHave() {
    let live =
      #"{"kind":"hls","live":{"elapsed":"60 s"},"duration":"1 h","#
      + #""variants":[{"bandwidth":"1 Mbit/s"}]}"#
    let local = #"{"kind":"local","duration":"9 s"}"#
    let rows: [(expectation: String, media: String, reason: String)] = [
      (
        #"{"eventually":{"event":"didPlayToEndTime"}}"#, live,
        "the live stream goes on for longer than the run"
      ),
      (
        #"{"metric":"playedToEndCount","==":1}"#, live,
        "the live stream goes on for longer than the run"
      ),
      (
        #"{"eventually":{"event":"contentKeyRequest"}}"#, Self.stream,
        "nothing of this stream is encrypted, and no key is asked for"
      ),
      (
        #"{"eventually":{"event":"mediaRequest"}}"#, Self.stream,
        "only files have the event 'mediaRequest'; streams have 'segmentRequest'"
      ),
      (
        #"{"eventually":{"event":"mediaResponse"}}"#, local,
        "only media that comes over the network has the event 'mediaResponse', and this is local"
      ),
      (
        #"{"metric":"observedBitrate",">=":1}"#, local,
        "only media that comes over the network has 'observedBitrate', and this is local"
      ),
    ]
    for row in rows {
      #expect(
        warnings(row.expectation, media: row.media) == ["this can never hold: \(row.reason)"])
    }
    #expect(warnings(#"{"metric":"playedToEndCount","==":0}"#, media: live) == [])
    #expect(warnings(#"{"eventually":{"event":"didPlayToEndTime"}}"#, media: Self.stream) == [])
  }

  /// A run that misses it says why it had to.
  @Test func aMissSaysWhyItCannotHold() throws {
    let text = #"""
      {"link":"demo/fast","media":{"kind":"local","duration":"9 s"},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}],
       "expect":[{"metric":"observedBitrate",">=":0}]}
      """#
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    let result = ScenarioRun.run(try #require(scenario))
    #expect(
      result.outcomes[0].expectation.impossible
        == "only media that comes over the network has 'observedBitrate', and this is local")
    #expect(!result.isAsExpected)
  }

  @Test(arguments: [
    #"{"at":"60 s","rate":1}"#, #"{"never":{"event":"playbackStalled","at":"60 s"}}"#,
    #"{"always":{"variant":null}}"#, #"{"metric":"stallCount","<=":0}"#,
    #"{"metric":"stallCount",">=":1}"#, #"{"metric":"stallCount","between":[1,1]}"#,
    #"{"never":{"event":"seek"}}"#,
  ])
  func isSilentElsewhere(_ expectation: String) { #expect(warnings(expectation) == []) }

  /// A bound on a startup that nobody wished for is not met, and one on stalls is told of.
  @Test func aPlayerThatNeverPlays() throws {
    let text = #"""
      {"link":{"rate":"2 Mbit/s"},"media":{"kind":"progressive","duration":"9 s","bitrate":1000000},
       "script":[{"at":0,"do":"load"}],"expect":[{"metric":"stallCount","==":0},
       {"metric":"timeSpentInInitialStartup","<=":"6 s"}]}
      """#
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    let result = ScenarioRun.run(try #require(scenario))
    #expect(result.outcomes.map(\.isMet) == [true, false])
    #expect(
      RunFindings.of(result).map(\.message).contains(
        "line 2: 'stallCount' is as expected only because the player 'player' never plays"))
  }

  /// An expectation that warns fails nothing.
  @Test func levels() throws {
    let text = #"""
      {"link":"demo/fast","media":{"kind":"local","duration":"9 s"},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}],
       "expect":[{"metric":"stallCount",">":0,"level":"warn"},{"finish":"settled","level":"error"},
        {"finish":"settled","level":"warn"}]}
      """#
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.map(\.message) == [])
    let result = ScenarioRun.run(try #require(scenario))
    #expect(result.isAsExpected)
    #expect(result.outcomes.map(\.isMet) == [true])
    #expect(result.warned.map(\.isMet) == [false, true])
  }
}
