import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Testing

/// Scenarios whose timelines are tested, and how they are rendered.
enum TimelineExamples {
  /// The second act of the stage demo; an action, a rate and expectations can be other ones.
  static func demo(
    _ action: String = "play", link: String = #""demo/slow-server""#, expect: String = ""
  ) -> String {
    #"""
    {"autowait": 1, "name": "Slow server", "about": "The stage demo.", "seed": 1, "link": \#(link),
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"},
                {"when": {"loaded": {">=": "0.3 s"}}, "do": "\#(action)"}],
     "expect": [\#(expect)]}
    """#
  }

  /// The link is down for half a minute.
  static let airplaneMode = #"""
    {"autowait": 1, "name": "Airplane mode", "link": [
       {"at": 0, "use": {"name": "cafe", "rate": "4 Mbit/s"}}, {"at": 20, "use": "demo/offline"},
       {"at": 50, "use": {"name": "cafe again", "rate": "4 Mbit/s"}}],
     "media": {"kind": "progressive", "duration": "60 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  /// Nothing is ever loaded.
  static let deadServer = #"""
    {"autowait": 1, "name": "A server that never answers", "link": {"name": "dead", "rate": 0},
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"}],
     "expect": [{"finish": "stillWaiting"},
                {"eventually": {"timeControlStatus": "playing"}, "within": "20 s"}]}
    """#

  /// Two players share a link, and their names are not easy.
  static let twoPlayers = #"""
    {"autowait": 1, "name": "Two players", "link": {"name": "home", "rate": "6 Mbit/s"},
     "players": [
       {"name": "main", "media": {"kind": "progressive", "duration": "30 s", "bitrate": 4000000}},
       {"name": "picture in picture 画中画 and more words than fit",
        "media": {"kind": "progressive", "duration": "20 s", "bitrate": 2000000}}],
     "script": [
       {"at": 0, "do": "load", "player": "main"}, {"at": 0, "do": "play", "player": "main"},
       {"at": 3, "do": "load", "player": "picture in picture 画中画 and more words than fit"},
       {"at": 3, "do": "playImmediately",
        "player": "picture in picture 画中画 and more words than fit"}]}
    """#

  /// Everything that a user can do in a minute.
  static let seeking = #"""
    {"autowait": 1, "name": "Seeking about",
     "link": {"name": "home", "down": {"rate": "5 Mbit/s"}, "up": {"delay": "80 ms"}},
     "media": {"kind": "progressive", "duration": 100, "bitrate": "4 Mbit/s", "header": "40 kB"},
     "script": [
       {"at": 0, "do": "load"}, {"at": 0, "do": "play"}, {"at": 8, "do": "seek", "to": 9},
       {"at": 12, "do": "seek", "to": 60}, {"at": 14.1, "do": "seek", "to": 3},
       {"at": 20, "do": "setRate", "rate": 2}, {"at": 21, "do": "preroll"},
       {"at": 22, "do": "pause"}, {"at": 23, "do": "play"}, {"at": 24, "do": "seek", "to": null},
       {"at": 40, "do": "set", "actionAtItemEnd": "none"}, {"at": 41, "do": "interrupt"},
       {"at": 44, "do": "setRate", "rate": 1, "time": 50, "hostTime": 45},
       {"at": 46, "do": "play"}, {"at": 50, "do": "failItem"}]}
    """#

  /// An hour on a link that is drawn, with more events than are shown.
  static let hour = #"""
    {"autowait": 1, "name": "An hour", "seed": 7,
     "link": {"name": "hotel", "down": {"track": [
       {"rate": "4.2 Mbit/s", "for": 20}, {"rate": 0, "for": 3}],
       "trackEnd": "loop", "length": 23}},
     "media": {"kind": "progressive", "duration": 3600, "bitrate": "4 Mbit/s"},
     "player": {"automaticallyWaitsToMinimizeStalling": true},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "playImmediately"}]}
    """#

  /// One stall of a fifth of a second in an hour.
  static let shortStall = #"""
    {"autowait": 1, "name": "An hour but for a moment",
     "link": [{"at": 0, "use": {"name": "before", "rate": "4 Mbit/s"}},
              {"at": 1000, "use": "demo/offline"},
              {"at": "1001.1 s", "use": {"name": "behind", "rate": "40 Mbit/s"}}],
     "player": {"automaticallyWaitsToMinimizeStalling": false},
     "media": {"kind": "progressive", "duration": 3600, "bitrate": "4 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"}, {"at": 1001.2, "do": "play"}]}
    """#

  /// Names that would move the cursor, and a link whose name would set the terminal's title.
  static let hostile = #"""
    {"autowait": 1, "name": "red \u001b[31m\r\nbell \u0007 \u009b2J 数字 👩‍👩‍👧",
     "about": "right to left \u202e, a long wordthatfitsnolinewhateveritswidthmaybe\#(
       String(repeating: "数", count: 300))",
     "link": {"name": "\u001b]0;title\u0007", "rate": "3.2 Mbit/s"},
     "players": [{"name": "\u001b[2J\nplayer",
       "media": {"kind": "progressive", "duration": 39, "bitrate": "3.73 Mbit/s"}}],
     "script": [{"at": 0, "do": "load", "player": "\u001b[2J\nplayer"},
                {"at": 1, "do": "link", "link": {"name": "\u001b]0;t\u0007", "rate": 5000000}}],
     "expect": [{"at": 5, "player": "\u001b[2J\nplayer", "rate": 1}]}
    """#

  /// Nothing is done at all.
  static let idle = #"""
    {"autowait": 1, "name": "Idle", "link": "demo/fast",
     "media": {"kind": "local", "duration": 39}, "script": []}
    """#

  /// A large file of no length to speak of.
  static let dense = #"""
    {"link": "demo/fast", "media": {"kind": "progressive", "duration": "1 ns", "size": "2 GB"},
     "script": [{"at": 0, "do": "load"}]}
    """#

  /// The time is up while the player plays.
  static let cutOff = #"""
    {"autowait": 1, "name": "Half a minute", "until": 30, "link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  /// A stream of three variants, keys and audio on a train that goes through a tunnel.
  static let stream = #"""
    {"autowait": 1, "name": "A stream on a train",
     "link": {"name": "train", "down": {"delay": "40 ms", "track": [
       {"rate": "6 Mbit/s", "for": 40}, {"rate": "900 kbit/s", "for": 60},
       {"rate": "8 Mbit/s", "for": 1}]}, "up": {"delay": "40 ms"},
       "events": [{"type": "blackout", "at": "100 s", "for": "45 s"}]},
     "media": {"kind": "hls", "duration": 240, "segmentDuration": 6, "variants": [
       {"bandwidth": "1800 kbit/s", "resolution": "960x540", "audio": "a", "init": 900},
       {"bandwidth": "600 kbit/s", "resolution": "480x270", "audio": "a", "init": 900},
       {"bandwidth": "4500 kbit/s", "resolution": "1920x1080", "audio": "a", "name": "best"}],
       "audio": [{"group": "a", "name": "English", "default": true, "bitrate": "96 kbit/s"}],
       "keys": {"method": "SAMPLE-AES", "serverTime": "150 ms"},
       "failures": [{"of": "segment", "number": 4, "status": 404, "count": 1}]},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  /// A segment is missing in all variants.
  static let brokenStream = #"""
    {"autowait": 1, "name": "A hole", "link": {"name": "home", "rate": "4 Mbit/s"},
     "media": {"kind": "hls", "duration": 60, "segmentDuration": 6,
       "variants": [{"bandwidth": "800 kbit/s"}, {"bandwidth": "2 Mbit/s"}],
       "failures": [{"of": "segment", "number": 3, "status": 404}]},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  /// Two players of different streams, one of which has a single variant, and many variants.
  static let manyVariants: String = {
    let variants = (1...40).map { #"{"bandwidth": "\#($0 * 100) kbit/s"}"# }
    let play = ["a", "b", "c 画"].map {
      #"{"at": 0, "do": "load", "player": "\#($0)"}, {"at": 0, "do": "play", "player": "\#($0)"}"#
    }
    return #"""
      {"autowait": 1, "name": "Ladders", "link": {"name": "home", "rate": "9 Mbit/s"},
       "players": [
         {"name": "a", "media": {"kind": "hls", "duration": 60,
           "variants": [\#(variants.joined(separator: ", "))]}},
         {"name": "b", "media": {"kind": "hls", "duration": 30,
           "variants": [{"bandwidth": "1 Mbit/s"}]}},
         {"name": "c 画", "media": {"kind": "hls", "duration": 30,
           "variants": [{"bandwidth": "1 Mbit/s", "name": "\u001b[31m 画"},
                        {"bandwidth": "2 Mbit/s"}]}}],
       "script": [\#(play.joined(separator: ", "))]}
      """#
  }()

  /// All of them.
  static let all = [
    demo(), cutOff, demo("playImmediately"), airplaneMode, deadServer, twoPlayers, seeking, hour,
    shortStall, hostile, idle, dense, stream, brokenStream, manyVariants,
  ]

  /// Runs a scenario.
  static func run(_ text: String, samplesAt instants: [Instant] = []) throws -> RunResult {
    let source = SourceText(path: "example.json", text: text)
    let (scenario, findings) = ScenarioReader.read(source, loader: .none)
    let read = try #require(scenario, "\(findings)")
    return ScenarioRun.run(read, samplesAt: instants)
  }

  /// Renders a scenario's timeline.
  static func timeline(
    _ text: String, width: Int = 80, usesColor: Bool = false, tableAt table: Instant? = nil
  ) throws -> String {
    let result = try run(text)
    let strip = try run(
      text, samplesAt: TimelineRendering.stripInstants(result, width: width)
    ).samples
    let sample = try table.map { try run(text, samplesAt: [$0]).samples[0] }
    return TimelineRendering.text(
      result, strip: strip, table: sample, style: TextStyle(width: width, usesColor: usesColor))
  }
}
