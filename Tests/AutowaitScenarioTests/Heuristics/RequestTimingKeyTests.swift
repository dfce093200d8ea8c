import Autowait
import AutowaitScenario
import Testing

/// The keys that say when a player asks for what, and what its answers get of a link.
@Suite struct RequestTimingKeyTests {
  private static func read(_ heuristic: String) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"autowait": 1, "link": {"rate": "1 Mbit/s"}, "heuristic": \(heuristic),
       "media": {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s",
         "variants": [{"bandwidth": "310 kbit/s", "audio": "a"}],
         "audio": [{"group": "a", "bitrate": "90 kbit/s"}]},
       "player": {"streaming": {"rule": "fixed"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
  }

  @Test func theyAreReadAndSpelledOut() throws {
    let (scenario, findings) = Self.read(
      #"{"rule": "dash.js", "soundShare": 0.333, "queuedAhead": 20000, "bolaBuffer": "18 s","#
        + #" "replacesOnClimb": true, "openingSize": 9, "openingOrder": "everyVariant"}"#)
    #expect(findings.isEmpty)
    let policy = try #require(scenario).world.players[0].keepUp
    #expect(policy.soundShare == 333)
    #expect(policy.queuedAhead == ByteCount(bytes: 20_000))
    #expect(policy.bolaBuffer == .seconds(18))
    #expect(policy.replacesOnClimb)
    #expect(policy.opening == TrackOpening(size: ByteCount(bytes: 9), order: .everyVariant))
    let source = SourceText(path: "b.json", bytes: try #require(scenario).resolved)
    let again = try #require(ScenarioReader.read(source, loader: .none).scenario)
    #expect(again.world.players[0].keepUp == policy)
  }

  @Test func noneOfThemIsThere() throws {
    let (scenario, findings) = Self.read(
      #"{"rule": "dash.js", "soundShare": 1, "queuedAhead": null, "bolaBuffer": null,"#
        + #" "replacesOnClimb": false, "openingSize": null}"#)
    #expect(findings.isEmpty)
    let policy = try #require(scenario).world.players[0].keepUp
    #expect(policy.soundShare == 1_000 && policy.queuedAhead == nil && policy.bolaBuffer == nil)
    #expect(!policy.replacesOnClimb && policy.opening == nil)
  }

  @Test(
    arguments: [
      (#""soundShare": 0"#, "'soundShare' must be at least 0.001"),
      (#""queuedAhead": 0"#, "'queuedAhead' must be more than 0"),
      (#""bolaBuffer": 0"#, "'bolaBuffer' must be more than 0"),
      (#""openingSize": 0"#, "'openingSize' must be more than 0"),
    ])
  func whatCannotBeIsRefused(_ key: String, _ message: String) {
    let (scenario, findings) = Self.read(#"{"rule": "dash.js", \#(key)}"#)
    #expect(scenario == nil)
    #expect(findings.first?.message.hasPrefix(message) == true, "\(findings)")
  }
}
