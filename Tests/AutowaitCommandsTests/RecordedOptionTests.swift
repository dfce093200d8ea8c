import AutowaitFidelity
import AutowaitRendering
import Testing

/// The options that players were recorded with.
@Suite struct RecordedOptionTests {
  private static func recording(
    _ player: String, _ options: String, version: String = "1.0"
  ) throws -> Recording {
    var session = RecordedSession()
    (session.player, session.options, session.version) = (player, options, version)
    let text = session.text
    let reader = RecordingReader { path throws(RecordingProblem) in
      Array((path.hasSuffix("map.json") ? RecordedSession.map : text).utf8)
    }
    return try reader.recording("a.json", casePath: nil)
  }

  /// The heuristic of the scenario, from its rule to what comes next.
  private static func heuristic(
    _ player: String, _ options: String, version: String = "1.0"
  ) throws -> String {
    let recording = try recording(player, options, version: version)
    let text = try #require(RecordingScenario.text(of: recording, .planned))
    let start = try #require(text.firstRange(of: #""heuristic":"#)).upperBound
    let end = try #require(text.firstRange(of: #","player":"#)).lowerBound
    return String(text[start..<end])
  }

  /// An option that differs from the one of the version that was recorded is a number of the
  /// heuristic.
  @Test(arguments: [
    (
      "hls.js", #"{"maxBufferLength": 5, "maxMaxBufferLength": 9, "maxBufferSize": 1000}"#,
      #"{"rule":"hls.js","forwardBufferLimit":"5000000 µs","forwardBufferResume":"4000000 µs","#
        + #""forwardBufferLimitMax":"9000000 µs","forwardBufferSizeMin":1000}"#
    ),
    (
      "hls.js", #"{"maxMaxBufferLength": 9}"#,
      #"{"rule":"hls.js","forwardBufferLimitMax":"9000000 µs","forwardBufferLimit":"9000000 µs","#
        + #""forwardBufferResume":"8000000 µs"}"#
    ),
    ("hls.js", #"{"maxBufferLength": 30, "maxMaxBufferLength": 600}"#, #"{"rule":"hls.js"}"#),
    (
      "shaka-4.12", #"{"streaming": {"bufferingGoal": 10, "rebufferingGoal": 12}}"#,
      #"{"rule":"shaka-4.12","rebufferingGoal":"12000000 µs","forwardBufferLimit":"12000000 µs","#
        + #""forwardBufferResume":"11000000 µs"}"#
    ),
    (
      "dash.js", #"{"streaming": {"buffer": {"bufferTimeDefault": 0.5}}}"#,
      #"{"rule":"dash.js","forwardBufferLimit":"500000 µs"}"#
    ),
    (
      "media3", #"{"bufferForPlaybackMs": 2500, "maxBufferMs": 20000}"#,
      #"{"rule":"media3","start":"2500000 µs","forwardBufferLimit":"20000000 µs","#
        + #""forwardBufferResume":"19000000 µs"}"#
    ),
    ("media3", #"{"zonk": 1, "list": [1], "maxBufferMs": null}"#, #"{"rule":"media3"}"#),
  ])
  func optionsAreNumbersOfTheHeuristic(
    _ player: String, _ options: String, _ expected: String
  ) throws {
    #expect(try Self.heuristic(player, options) == expected)
  }

  /// Measured numbers stay beside an option, unless it is about them.
  @Test func optionsAndMeasuredNumbersStandTogether() throws {
    let vlc = try Self.heuristic("vlc", #"{"network-caching_ms": 300}"#)
    #expect(vlc.hasPrefix(#"{"rule":"vlc","requestOrder":"soundFirst","followingBlock":33158,"#))
    #expect(vlc.contains(#""networkCaching":"300000 µs","step":"250000 µs","tail":"#))
    #expect(try !Self.heuristic("vlc", #"{"network-caching_ms": 1000}"#).contains("Caching"))
    let mpv = try Self.heuristic("mpv", #"{"cache-pause-initial": true, "cache-pause-wait": 4}"#)
    #expect(mpv.hasPrefix(#"{"rule":"mpv-cache-pause-initial","#))
    #expect(mpv.contains(#""resume":"4000000 µs""#) && mpv.contains(#""decoded":"420000 µs""#))
    #expect(!mpv.contains("analyzed"))
  }

  /// Shaka 4.7 was measured with its goal of 2 s, and any other one needs the rule that has goals.
  @Test(arguments: [
    ("0", "v4.7.0", "shaka"), ("2", "v4.7.0", "shaka"), ("3", "v4.7.0", "shaka-4.12"),
    ("2", "v4.12.9", "shaka"), ("2", "v4.13.0", "shaka-4.12"), ("2", "5.2.7", "shaka-4.12"),
    ("0", "5.2.7", "shaka"),
  ])
  func anotherGoalIsAnotherRule(_ goal: String, _ version: String, _ rule: String) throws {
    let options = #"{"streaming": {"rebufferingGoal": \#(goal)}}"#
    let heuristic = try Self.heuristic("shaka", options, version: version)
    #expect(heuristic.hasPrefix(#"{"rule":"\#(rule)""#), "\(heuristic)")
    #expect(heuristic.contains("tail") == (rule == "shaka"))
    var report = FidelityReport()
    report.add(try Self.recording("shaka", options, version: version))
    #expect(report.problems.isEmpty && report.rows.count == 1)
  }

  /// What no heuristic has is told where the recording is.
  @Test func whatNoHeuristicHasIsTold() throws {
    let options = #"{"abrBandWidthFactor": 0.8, "testBandwidth": true, "maxBufferLength": 0}"#
    let recording = try Self.recording("hlsjs", options)
    let notes = [
      "option 'abrBandWidthFactor' was 0.8, which the heuristic cannot have",
      "option 'maxBufferLength' was 0, which the heuristic cannot have",
    ]
    #expect(RecordedPlayer.notes(on: recording) == notes)
    var report = FidelityReport()
    report.add(recording)
    let style = TextStyle(width: 100, usesColor: false)
    let text = FidelityRendering.text(report, .recordings, style: style)
    #expect(text.contains("   " + notes[0] + "\n   " + notes[1]), "\(text)")
    let row = try #require(report.rows.first)
    let object = String(decoding: FidelityJSON.line(row), as: UTF8.self)
    #expect(object.contains(#""notes":["\#(notes[0])","\#(notes[1])"]"#))
    #expect(RecordedPlayer.notes(on: try Self.recording("hlsjs", "{}")).isEmpty)
  }
}
