import Autowait
import AutowaitScenario
import Testing

/// Over which connections the segments of a stream come.
@Suite struct ConnectionsOfTracksTests {
  /// How many round trips of 0.2 s each segment took to its first byte, in the order of requests.
  private static func roundTrips(apart: Bool, tier: String) throws -> [Int64] {
    let text = """
      {"autowait": 1,
       "link": {"down": {"rate": "10 Mbit/s", "delay": "100 ms"}, "up": {"delay": "100 ms"},
         "transport": {"tier": "\(tier)", "dnsLookup": false}},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "500 kbit/s", "audio": "a"}],
         "audio": [{"group": "a", "bitrate": "64 kbit/s"}]},
       "heuristic": {"rule": "vlc", "requestOrder": "soundFirst", "connectsTracksApart": \(apart)},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(!findings.contains { $0.severity == .error }, "\(findings.map(\.message))")
    var (asked, order): ([Int: Instant], [Int]) = ([:], [])
    var spans: [Int: Int64] = [:]
    for record in ScenarioRun.run(try #require(scenario)).records {
      if case .segmentRequest(let transfer, _, _, _, _) = record.event {
        asked[transfer] = record.instant
        order.append(transfer)
      } else if case .mediaResponse(let transfer) = record.event, let start = asked[transfer] {
        spans[transfer] = (record.instant - start).nanoseconds / 200_000_000
      }
    }
    return order.compactMap { spans[$0] }
  }

  /// Playlists have opened a connection, which every segment finds; with connections of their own
  /// the first segment of each track, which comes with sound first, makes one: a round trip more.
  @Test(arguments: ["packet", "fluid"])
  func firstSegmentsConnect(_ tier: String) throws {
    #expect(try Self.roundTrips(apart: false, tier: tier) == [1, 1, 1, 1, 1, 1])
    #expect(try Self.roundTrips(apart: true, tier: tier) == [2, 1, 2, 1, 1, 1])
  }
}
