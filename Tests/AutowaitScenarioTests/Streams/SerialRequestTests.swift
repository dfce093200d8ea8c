import Autowait
import AutowaitScenario
import Testing

/// A player that makes one request at a time does so from the first one on.
@Suite struct SerialRequestTests {
  /// How many requests are open at most, and how many were made.
  private static func requests(_ more: String) throws -> (open: Int, count: Int) {
    let text = """
      {"autowait": 1, "link": {"down": {"rate": "1 Mbit/s", "delay": "50 ms"}},
       "media": {"kind": "hls", "duration": "20 s", "segmentDuration": "4 s", \(more)
         "variants": [
           {"bandwidth": "300 kbit/s", "bitrate": "200 kbit/s", "init": 700, "audio": "a"},
           {"bandwidth": "600 kbit/s", "bitrate": "500 kbit/s", "init": 700, "audio": "a"}],
         "audio": [{"group": "a", "bitrate": "64 kbit/s", "init": 700}]},
       "heuristic": {"rule": "chromium-play", "requestOrder": "serial"},
       "player": {"streaming": {"rule": {"scripted": [0, 1, 0]}}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    var (open, most, count): (Set<Int>, Int, Int) = ([], 0, 0)
    for record in ScenarioRun.run(try #require(scenario)).records {
      switch record.event {
      case .playlistRequest(let transfer, _, _, _), .segmentRequest(let transfer, _, _, _, _),
        .contentKeyRequest(let transfer, _, _, _):
        open.insert(transfer)
        (most, count) = (max(most, open.count), count + 1)
      case .mediaRequestCompleted(let transfer, _): open.remove(transfer)
      default: continue
      }
    }
    return (most, count)
  }

  @Test(arguments: ["", "\"keys\": {\"method\": \"AES-128\"},"])
  func oneAtATimeFromTheStart(_ keys: String) throws {
    let (open, count) = try Self.requests(keys)
    #expect(open == 1)
    // The common playlist, three of media, sections as variants change, and ten segments.
    #expect(count >= 1 + 3 + 3 + 10)
  }
}
