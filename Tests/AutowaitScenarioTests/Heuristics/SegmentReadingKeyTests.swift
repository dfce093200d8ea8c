import Autowait
import AutowaitScenario
import Testing

/// The keys that say how a player reads segments: what they mean, and where they mean nothing.
@Suite struct SegmentReadingKeyTests {
  private static func read(
    _ heuristic: String, streaming: String = #""rule": "fixed""#
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"autowait": 1, "link": {"rate": "1 Mbit/s"}, "heuristic": \(heuristic),
       "media": {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s",
         "variants": [{"bandwidth": "310 kbit/s"}]},
       "player": {"streaming": {\(streaming)}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
  }

  @Test func theyAreReadAndSpelledOut() throws {
    let (scenario, findings) = Self.read(
      #"{"rule": "mpv", "readStep": "0.1 s", "readAhead": 122800}"#)
    #expect(findings.isEmpty)
    let policy = try #require(scenario).world.players[0].keepUp
    #expect(policy.readStep == MediaTime(nanoseconds: 100_000_000))
    #expect(policy.readAhead == ByteCount(bytes: 122_800))
    // The log's spelling means the same.
    let source = SourceText(path: "b.json", bytes: try #require(scenario).resolved)
    let again = try #require(ScenarioReader.read(source, loader: .none).scenario)
    #expect(again.world.players[0].keepUp == policy)
    let neither = Self.read(#"{"rule": "mpv", "readStep": null, "readAhead": null}"#)
    #expect(neither.findings.isEmpty)
    #expect(try #require(neither.scenario).world.players[0].keepUp.readAhead == nil)
  }

  @Test func theBlockThatFollowsIsReadAndSpelledOut() throws {
    let (scenario, findings) = Self.read(
      #"{"rule": "vlc", "requestOrder": "soundFirst", "followingBlock": "32 KiB","#
        + #" "droppedSize": 9, "tail": "1 s"}"#)
    #expect(findings.isEmpty)
    let policy = try #require(scenario).world.players[0].keepUp
    #expect(policy.requestOrder == .soundFirst)
    #expect(policy.followingBlock == ByteCount(bytes: 32_768))
    #expect(policy.starvesBelow == .seconds(1))
    #expect(policy.droppedSize == ByteCount(bytes: 9))
    let source = SourceText(path: "b.json", bytes: try #require(scenario).resolved)
    let again = try #require(ScenarioReader.read(source, loader: .none).scenario)
    #expect(again.world.players[0].keepUp == policy)
    let none = Self.read(#"{"rule": "vlc", "followingBlock": null}"#)
    #expect(none.findings.isEmpty)
    #expect(try #require(none.scenario).world.players[0].keepUp.followingBlock == nil)
  }

  @Test(
    arguments: [
      (
        #"{"rule": "vlc", "followingBlock": 9, "readStep": "0.1 s"}"#, #""rule": "fixed""#,
        "'followingBlock' changes nothing: with 'readStep' or 'readAhead' a segment is read while "
          + "it comes"
      ),
      (
        #"{"rule": "mpv", "readAhead": 9, "requestOrder": "soundFirst"}"#, #""rule": "fixed""#,
        "'readAhead' changes nothing: with 'soundFirst' there is one request at a time"
      ),
      (
        #"{"rule": "mpv", "readAhead": 9, "requestOrder": "serial"}"#, #""rule": "fixed""#,
        "'readAhead' changes nothing: with 'serial' there is one request at a time"
      ),
      (
        #"{"rule": "mpv", "readAhead": 9}"#, #""rule": "shaka""#,
        "'readAhead' changes nothing: this rule follows one segment at a time"
      ),
      (
        #"{"rule": "mpv", "readStep": 0}"#, #""rule": "fixed""#,
        "'readStep' must be more than 0"
      ),
    ])
  func whatMeansNothingIsTold(_ heuristic: String, _ streaming: String, _ message: String) {
    let findings = Self.read(heuristic, streaming: streaming).findings
    #expect(findings.map(\.message) == [message])
  }

  /// The media that mpv reads of a stream to learn its frame rate decides when it starts.
  @Test func mpvStartsWithWhatItAnalyzes() throws {
    func start(_ more: String) throws -> TimeSpan {
      let heuristic = #"{"rule": "mpv", "decoded": "0.4 s", "readStep": "0.1 s"\#(more)}"#
      let scenario = try #require(Self.read(heuristic).scenario)
      return ScenarioRun.run(scenario).metrics[0].timeSpentInInitialStartup
    }
    // A second of media is 310,000 bit, which take 0.31 s.
    let later = try start(#", "analyzed": "0.8 s""#).nanoseconds - start("").nanoseconds
    #expect(abs(later - 400_000_000 * 31 / 100) < 2, "\(later)")
  }
}
