import Autowait
import AutowaitScenario
import Testing

/// What still crosses an ideal link of a request that was given up.
@Suite struct DroppedSizeTests {
  /// When a segment of 50,000 B has come over 1 Mbit/s that is asked for instead of a larger one,
  /// which was given up after a second.
  private static func done(_ droppedSize: String) throws -> Int64 {
    let text = """
      {"autowait": 1, "link": {"rate": "1 Mbit/s"},
       "heuristic": {"rule": "fixed", "start": "1 s", "droppedSize": \(droppedSize)},
       "media": {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s",
         "variants": [{"bandwidth": "100 kbit/s", "sizes": [50000, 50000]},
           {"bandwidth": "1 Mbit/s", "sizes": [500000, 500000]}]},
       "player": {"streaming": {"knowsPlaylists": true, "rule": {
         "scripted": [0], "givenUp": [{"segment": 0, "variant": 1, "after": "1 s"}]}}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty)
    let result = ScenarioRun.run(try #require(scenario))
    let first = result.records.first {
      if case .mediaRequestCompleted(_, let size) = $0.event { size.bytes == 50_000 } else { false }
    }
    return try #require(first).instant.nanoseconds
  }

  /// The two share the link until one has come whole.
  @Test(arguments: [(25_000, 200), (50_000, 400), (100_000, 400), (1, 0)] as [(Int64, Int64)])
  func itIsBesideWhatComesNext(_ size: Int64, _ later: Int64) throws {
    let more = try Self.done("\(size)") - Self.done("null")
    #expect(more == (size == 1 ? 8_000 : later * 1_000_000))
  }
}
