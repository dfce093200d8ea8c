import Autowait
import AutowaitScenario
import Testing

/// The numbers of the rules that are built in, as the players' sources have them.
///
/// The tests of thresholds take the numbers from the rules; here they stand again, so that a slip
/// in one of them is seen.
@Suite struct HeuristicNumbersTests {
  /// Rules with times in milliseconds and sizes in bytes; nil is none.
  static let rows: [(rule: String, parameter: String, value: Int64?)] = [
    ("avfoundation", "verdictSize", 65_536), ("avfoundation", "fillRateWindow", 10_000),
    ("avfoundation", "verdictTime", 1_000),
    ("chromium-play", "queue", 200), ("chromium-play", "queueMax", 3_000),
    ("chromium-play", "tail", 64), ("chromium-canplaythrough", "tail", nil),
    ("firefox", "verdictSize", 83_220), ("firefox-play", "patience", 15_000),
    ("firefox-play", "resume", 15_000), ("firefox-play", "checkEvery", 1_000),
    ("media3", "start", 1_000), ("media3", "resume", 2_000), ("media3", "startSize", 144_179_200),
    ("media3", "forwardBufferLimit", 50_000), ("exoplayer", "start", 2_500),
    ("exoplayer", "resume", 5_000), ("hls.js", "forwardBufferLimit", 30_000),
    ("dash.js", "stallThreshold", 300), ("dash.js", "forwardBufferLimit", 18_000),
    ("shaka-4.12", "rebufferingGoal", 2_000), ("shaka", "forwardBufferLimit", 10_000),
    ("vhs", "forwardBufferLimit", 30_000), ("mpv", "resume", 1_000),
    ("mpv-cache-pause-initial", "resume", 1_000), ("gstreamer", "start", 3_000),
    ("gstreamer", "starvesBelow", 50), ("gstreamer", "startSize", 6_291_456),
    ("vlc", "networkCaching", 1_000), ("ffplay", "forwardBufferLimit", 1_000),
    ("fixed", "start", 5_000),
    ("media3", "forwardBufferSizeMax", 144_179_200),
    ("exoplayer", "forwardBufferSizeMax", 144_179_200),
    ("mpv", "forwardBufferSizeMax", 157_286_400),
    ("mpv-cache-pause-initial", "forwardBufferSizeMax", 157_286_400),
    ("gstreamer", "forwardBufferSizeMax", 10_485_760), ("gstreamer", "forwardBufferSizeSlack", nil),
    ("ffplay", "forwardBufferSizeMax", 15_728_640), ("hls.js", "forwardBufferSizeMin", 60_000_000),
    ("hls.js", "forwardBufferLimitMax", 600_000), ("hls.js", "forwardBufferSizeSlack", 1_048_576),
    ("chromium-play", "forwardBufferSizeBeyond", 1_048_576),
    ("chromium-play", "forwardBufferLimit", 13_000), ("chromium-play", "startSize", 131_072),
    ("chromium-hls", "forwardBufferLimit", 10_300), ("chromium-hls", "forwardBufferResume", 5_350),
    ("chromium-hls", "probeSize", 33_304), ("chromium-hls", "probeDropped", 20_500),
    ("gstreamer-playbin", "start", 3_000), ("gstreamer-playbin", "resume", 3_200),
    ("gstreamer-playbin", "starvesBelow", 1_300),
    ("mpv", "decoded", nil), ("mpv", "checkEvery", nil), ("vlc", "step", nil), ("vlc", "tail", nil),
    ("firefox-play", "start", nil), ("firefox-play", "starvesBelow", nil),
    ("chromium-play", "forwardBufferSizeMax", 53_477_376),
    ("chromium-canplaythrough", "forwardBufferSizeSlack", 1_048_576),
  ]

  @Test(arguments: rows)
  func isTheSources(_ row: (rule: String, parameter: String, value: Int64?)) throws {
    let heuristic = try #require(Heuristic.named(row.rule))
    let parameter = try #require(heuristic.parameters.first { $0.name == row.parameter })
    let isSize = parameter.kind == .size || parameter.kind == .optionalSize
    let unit: Int64 = isSize ? 1 : 1_000_000
    #expect(parameter.value == row.value.map { $0 * unit })
  }
}
