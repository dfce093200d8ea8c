import Autowait
import AutowaitScenario
import Testing

/// How long players wait for segments, by the documentation of each, when nothing comes any more.
@Suite struct PlayerTimeoutTests {
  /// Segments of 4 s at 1 Mbit/s come in 3.2 s over 1.25 Mbit/s: the fourth is asked for at 9.6 s.
  private static func run(
    _ heuristic: String, dead start: String, back end: String = "100 s", horizon: Int64 = 60
  ) throws -> RunResult {
    let text = """
      {"autowait": 1,
       "link": {"transport": "ideal", "down": {"track": [
         {"at": 0, "rate": "1.25 Mbit/s"}, {"at": "\(start)", "rate": 0},
         {"at": "\(end)", "rate": "1.25 Mbit/s"}]}},
       "media": {"kind": "hls", "duration": "40 s", "segmentDuration": "4 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0, "variants": [{"bandwidth": "1 Mbit/s"}]},
       "heuristic": \(heuristic),
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": \(horizon)}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "player.json", text: text), loader: .none)
    return ScenarioRun.run(try #require(scenario, "\(findings)"))
  }

  /// When requests are given up, in milliseconds.
  private static func given(_ run: RunResult) -> [Int64] {
    run.times { if case .mediaRequestCancelled = $0 { true } else { false } }
  }

  /// A twentieth of the segment has come when nothing does any more, at 10 s but for the last row.
  @Test(arguments: [
    // stallTimeout 5 s, two attempts; then, as it is the only variant, by the rule for all.
    (#""shaka-4.12""#, [Int64(15_000)]), (#""shaka""#, [15_000]),
    // DEFAULT_READ_TIMEOUT_MILLIS 8 s.
    (#""media3""#, [18_000]), (#""exoplayer""#, [18_000]),
    // souphttpsrc waits for 15 s; it asks at 11.45 s, as it loads no more than 5 s ahead.
    (#""gstreamer""#, [26_450]),
    // fragmentRequestTimeout 20 s from the request on.
    (#""dash.js""#, [29_600]),
    // A first byte has come, and 120 s are not over; VLC and the player in Chromium have no limit.
    (#""hls.js""#, []), (#""vlc""#, []), (#""chromium-hls""#, []), (#""ffplay""#, []),
    // AVFoundation: two target durations.
    (#""avfoundation""#, [17_600]),
  ])
  func segmentsAreGivenUp(_ row: (heuristic: String, first: [Int64])) throws {
    let given = Self.given(try Self.run(row.heuristic, dead: "10 s"))
    #expect(Array(given.prefix(1)) == row.first, "\(given)")
  }

  /// Nothing comes of an answer: 10 s, four times more at once, each time 10 s.
  @Test func hlsJSAsksAgain() throws {
    let run = try Self.run(#""hls.js""#, dead: "9.6 s", horizon: 58)
    #expect(Self.given(run) == [19_600, 29_600, 39_600, 49_600])
    #expect(run.times { $0.isRequest }.filter { $0 > 9_600 } == [19_600, 29_600, 39_600, 49_600])
  }

  /// Only what is missing is asked for: 62,500 of 500,000 B are there.
  @Test func whatHasComeIsKept() throws {
    let run = try Self.run(#""shaka-4.12""#, dead: "10 s", back: "18 s")
    // A second after it was given up; what is missing takes 2.8 s from 18 s on.
    #expect(run.times { $0.isRequest }.filter { $0 > 9_600 }.prefix(2) == [16_000, 20_800])
    let whole = try Self.run(
      #"{"rule": "shaka-4.12", "timeoutKeepsData": false}"#, dead: "10 s", back: "18 s")
    #expect(whole.times { $0.isRequest }.filter { $0 > 9_600 }.prefix(2) == [16_000, 21_200])
  }

  /// The mean rate is that of what lies in ten segments of 500,000 B and 4 s, though 62,500 B of
  /// one came in a request that was given up; that request brought no segment.
  @Test func whatIsKeptLiesInTheSegment() throws {
    let run = try Self.run(#""shaka-4.12""#, dead: "10 s", back: "18 s")
    let entry = try #require(run.metrics[0].accessLog.first)
    #expect(entry.segments?.averageVideoBitrate?.bitsPerSecond == 1_000_000)
    #expect(entry.segments?.segmentsDownloadedDuration == .seconds(40))
    #expect(entry.numberOfBytesTransferred.bytes == 5_000_000)
    #expect(entry.numberOfMediaRequests == 10)
    // 437,500 B from 16 to 20.8 s: the rate of the request that brought it.
    #expect(entry.segments?.observedMinBitrate?.bitsPerSecond == 729_166)
  }

  /// The times can be changed one by one, and taken from any rule.
  @Test func timesAreKeys() throws {
    let late = try Self.run(#"{"rule": "shaka-4.12", "silenceTimeout": "7 s"}"#, dead: "10 s")
    #expect(Self.given(late).first == 17_000)
    let never = try Self.run(#"{"rule": "avfoundation", "ownTimeouts": true}"#, dead: "10 s")
    #expect(Self.given(never).isEmpty)
    let other = try Self.run(#"{"rule": "avfoundation", "answerTimeout": "3 s"}"#, dead: "9.6 s")
    #expect(Self.given(other).first == 12_600)
    let apple = try Self.run(#"{"rule": "vlc", "ownTimeouts": false}"#, dead: "10 s")
    #expect(Self.given(apple).first == 17_600)
  }
}
