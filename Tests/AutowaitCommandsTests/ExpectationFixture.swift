import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Testing

/// Runs of which everything can be worked out by hand, and what becomes of expectations of them.
enum ExpectationFixture {
  /// A run.
  struct World: Sendable {
    /// The scenario without what is expected.
    let text: String
  }

  /// What became of an expectation.
  struct Judgement: Equatable, CustomStringConvertible {
    var isMet: Bool
    var observed: String

    var description: String { "\(isMet ? "met" : "not met"): \(observed)" }
  }

  /// A file of 10 s at 1 Mbit/s over 2 Mbit/s, of which there is nothing from 2 to 7 s.
  ///
  /// Playback starts with 2 s ahead, at 1 s; stalls at 5 s, when the 4 s that had come by 2 s are
  /// played; goes on with 1 s ahead, at 7.5 s; and ends 6 s later, at 13.5 s. All has come at 10 s.
  /// The other player does nothing.
  static let stalling = World(text: stalling())

  /// The same, ended at 8 s.
  static let cut = World(text: stalling(more: #""until": "8 s", "#))

  private static func stalling(more: String = "") -> String {
    """
    {"link": {"down": {"track": [{"for": "2 s", "rate": "2 Mbit/s"}, {"for": "5 s", "rate": 0},
      {"for": "100 s", "rate": "2 Mbit/s"}]}},
     "media": {"kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s"},
     "heuristic": {"rule": "fixed", "start": "2 s", "resume": "1 s"}, \(more)
     "players": [{"name": "a"}, {"name": "idle"}],
     "script": [{"at": 0, "do": "load", "player": "a"}, {"at": 0, "do": "play", "player": "a"}]
    """
  }

  /// The same for one player, who pauses from 5.5 to 6 s.
  static let resuming = World(
    text: """
      {"link": {"down": {"track": [{"for": "2 s", "rate": "2 Mbit/s"}, {"for": "5 s", "rate": 0},
        {"for": "100 s", "rate": "2 Mbit/s"}]}},
       "media": {"kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s"},
       "heuristic": {"rule": "fixed", "start": "2 s", "resume": "1 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}, {"at": 5.5, "do": "pause"},
         {"at": 6, "do": "play"}]
      """)

  /// A file of 100 s at 1 Mbit/s over 2 Mbit/s: a seek at 2 s to what is not loaded waits until a
  /// second of it has come, half a second.
  static let seeking = World(
    text: """
      {"link": {"rate": "2 Mbit/s"}, "until": "10 s",
       "media": {"kind": "progressive", "duration": "100 s", "bitrate": "1 Mbit/s"},
       "heuristic": {"rule": "fixed", "start": "1 s", "resume": "1 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
         {"at": 2, "do": "seek", "to": "50 s"}]
      """)

  /// A stream of four segments of 5 s over 8 Mbit/s, a megabyte a second.
  ///
  /// Its playlists take 1 and 0.5 s, its key 0.125 s, a section 0.25 s; the first segment, at
  /// 1 Mbit/s, 0.625 s; then the other variant's playlist and section and its segments at 3 Mbit/s,
  /// 1.875 s each, one of which fails at once and is asked for again after a second. Playback
  /// starts with 6 s ahead, when two segments are there.
  static let streaming = World(
    text: """
      {"link": {"rate": "8 Mbit/s"},
       "media": {"kind": "hls", "duration": "20 s", "segmentDuration": "5 s",
         "variants": [{"bandwidth": "1 Mbit/s", "init": "250 kB"},
           {"bandwidth": "4 Mbit/s", "averageBandwidth": "3 Mbit/s", "init": "250 kB"}],
         "multivariantPlaylist": "1 MB", "mediaPlaylist": "500 kB",
         "keys": {"method": "AES-128", "size": "125 kB"},
         "failures": [{"of": "segment", "number": 2, "status": 404, "count": 1}]},
       "heuristic": {"rule": "fixed", "start": "6 s", "resume": "1 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// A stream that gives up one segment, and a link that hardly brings anything then.
  static let abandoning = World(
    text: """
      {"link": {"down": {"track": [{"for": "2 s", "rate": "10 Mbit/s"},
        {"for": "100 s", "rate": "100 kbit/s"}]}}, "until": "60 s",
       "media": {"kind": "hls", "duration": "60 s", "segmentDuration": "10 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "500 kbit/s"}, {"bandwidth": "4 Mbit/s"}]},
       "heuristic": {"rule": "fixed", "start": "1 s", "resume": "1 s"},
       "player": {"streaming": {"abandonedAfter": 0, "rungsAfterStall": 1}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// A server that is 80 ms away, there and back.
  static let far = World(
    text: """
      {"link": {"down": {"rate": "8 Mbit/s", "delay": "50 ms"}, "up": {"delay": "30 ms"}},
       "transport": {"tier": "ideal"},
       "media": {"kind": "progressive", "duration": "2 s", "bitrate": "1 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// A stream of which nothing comes.
  static let offline = World(
    text: """
      {"link": "demo/offline", "until": "10 s",
       "media": {"kind": "hls", "duration": "20 s", "variants": [{"bandwidth": "1 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// Files on the device, each of which stops for another reason; 10 s.
  static let acting = World(
    text: """
      {"link": "demo/fast", "media": {"kind": "local", "duration": "100 s"}, "until": "10 s",
       "players": [{"name": "pauser"}, {"name": "left"}, {"name": "held"}, {"name": "interrupted"},
         {"name": "built", "pipelineBuild": "0.2 s"}, {"name": "gap", "contract": "ios9"},
         {"name": "ended", "media": {"kind": "local", "duration": "4 s"}}],
       "script": [\(["pauser", "left", "held", "interrupted", "built", "gap", "ended"].map {
         "{\"at\": 0, \"do\": \"load\", \"player\": \"\($0)\"}, "
           + "{\"at\": \($0 == "pauser" ? 2 : 0), \"do\": \"play\", \"player\": \"\($0)\"}, "
         }.sorted().joined())
         {"at": 2, "do": "beginCoordination", "player": "held"},
         {"at": 2, "do": "beginInterstitial", "player": "interrupted"},
         {"at": 2, "do": "changeTracks", "player": "gap"},
         {"at": 3, "do": "replaceCurrentItem", "item": null, "player": "left"},
         {"at": "3.5 s", "do": "endCoordination", "player": "held"},
         {"at": "4.25 s", "do": "endInterstitial", "player": "interrupted"}]
      """)

  /// A clip of 4 s, 3 s of it with sound and 3.5 s with a picture in the other, in loops: laps end
  /// every 4 s, and the run at 10 s.
  static let looping = World(
    text: """
      {"link": "demo/fast", "until": "10 s",
       "media": [{"kind": "local", "duration": "4 s", "videoDuration": "3.5 s"},
         {"kind": "local", "duration": "4 s", "audioDuration": "3 s"}],
       "players": [{"name": "silent", "loop": {"by": "looper", "item": 1}},
         {"name": "dark", "loop": {"by": "treadmill", "copies": 2}}, {"name": "plain"}],
       "script": [{"at": 0, "do": "play", "player": "silent"},
         {"at": 0, "do": "play", "player": "dark"},
         {"at": 9, "do": "disableLooping", "player": "silent"}]
      """)

  /// A picture and sound of no size, which is a segment ahead: playback starts with the first
  /// segment of 2 s, at 2 s; the second comes 3 s later, when the picture has stood for one.
  static let freezing = World(
    text: """
      {"link": {"rate": "1 Mbit/s"},
       "media": {"kind": "hls", "duration": "4 s", "segmentDuration": "2 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "900 kbit/s", "audio": "a", "sizes": [250000, 375000]}],
         "audio": [{"group": "a", "sizes": [0, 0]}]},
       "heuristic": {"rule": {"start": {"buffered": {">=": "0.2 s"}}},
         "requestOrder": "segmentAhead", "pictureGrace": "3 s"},
       "player": {"streaming": {"rule": "fixed"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// A live stream that 60 s of have been published, and 3 s of which are watched.
  static let live = World(
    text: """
      {"link": {"rate": "80 Mbit/s"}, "until": "20 s",
       "media": {"kind": "hls", "duration": "600 s", "segmentDuration": "6 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "1 Mbit/s"}], "live": {"elapsed": "60 s"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      """)

  /// Returns what becomes of expectations that a scenario holds together.
  static func judgements(of expectations: [String], in world: World) throws -> [Judgement] {
    let text = "\(world.text), \"expect\": [\(expectations.joined(separator: ",\n"))]}"
    let (read, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.filter { $0.severity == .error }.map(\.rendered) == [])
    let scenario = try #require(read)
    return ScenarioRun.run(scenario).outcomes.map {
      Judgement(isMet: $0.isMet, observed: OutcomeRendering.observed($0, scenario))
    }
  }

  /// The ways to compare, and what each of them makes of an order.
  static let comparisons: [(sign: String, holds: @Sendable (Int64, Int64) -> Bool)] = [
    ("==", { $0 == $1 }), ("!=", { $0 != $1 }), ("<", { $0 < $1 }), ("<=", { !($0 > $1) }),
    (">", { $0 > $1 }), (">=", { !($0 < $1) }),
  ]

  /// Returns a whole number of the smallest units as a decimal number.
  static func decimal(_ number: Int64, digits: Int) -> String {
    let all = String(repeating: "0", count: digits) + "\(number)"
    let padded = all.suffix(max(digits + 1, "\(number)".count))
    var text = "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
