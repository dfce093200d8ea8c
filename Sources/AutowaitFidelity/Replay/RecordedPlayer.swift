import Autowait
import AutowaitScenario

/// How a player is played again that was recorded.
package struct RecordedPlayer: Sendable {
  /// A number of a heuristic that was measured on recordings.
  package struct Constant: Hashable, Sendable {
    /// Where a scenario spells it: a key of the heuristic, or of its latencies.
    package let key: String
    /// Nanoseconds, or bytes.
    package var value: Int64
    /// Whether it is a time.
    package let isTime: Bool
    /// Whether it is one of the latencies.
    let isLatency: Bool
    /// Whether the heuristic has it by itself.
    let isPreset: Bool
  }

  /// How a player chooses among variants.
  struct Adaptation: Sendable {
    /// The rule, as scenarios spell it.
    let name: String
    /// What it expects of the network at first; nil for its own default.
    var expected: BitRate?
  }

  /// The heuristic, as scenarios spell it.
  var rule: String
  /// What replaces numbers of the heuristic that were read of a player's source: their keys, and
  /// what stands there as JSON.
  var options: [(key: String, value: String)] = []
  /// What was measured.
  package var constants: [Constant] = []
  /// What the options of the recorded player say that the heuristic does not have.
  var notes: [String] = []

  /// The player of whom nothing is known.
  static let naive = #"{"rule": {"name": "naive", "start": "always"}}"#

  /// The player over what was recorded of responses.
  ///
  /// What more crosses the link for a connection that the player dropped nobody acknowledges: it is
  /// in no recording of what arrived, and must not take the place of what is.
  var overArrivals: RecordedPlayer {
    let key = "probeDropped"
    var player = self
    player.options.removeAll { $0.key == "droppedSize" || $0.key == Self.queued.key }
    if Heuristic.named(rule)?.parameters.contains(where: { $0.name == key }) == true {
      player.set(key, "0")
    }
    return player
  }

  /// Replaces a number of the heuristic, also one that was measured.
  mutating func set(_ key: String, _ value: String) {
    options.removeAll { $0.key == key }
    options.append((key, value))
  }

  /// The heuristic as JSON, with its own numbers or others.
  package func heuristic(_ others: [Constant]? = nil) -> String {
    let parameters = Heuristic.named(rule)?.parameters ?? []
    let constants = (others ?? constants).filter { constant in
      if !constant.isLatency {
        // An option says it, or made the player one that has nothing like it.
        if options.contains(where: { $0.key == constant.key }) { return false }
        if !parameters.contains(where: { $0.name == constant.key }) { return false }
      }
      return !constant.isPreset || !self.constants.contains(constant)
    }
    func text(_ constants: [Constant]) -> String {
      constants.map { constant in
        constant.isTime
          ? #", "\#(constant.key)": "\#(constant.value / 1_000) µs""#
          : #", "\#(constant.key)": \#(constant.value)"#
      }.joined()
    }
    let latencies = text(constants.filter(\.isLatency)).dropFirst(2)
    let members = options.map { #", "\#($0.key)": \#($0.value)"# }.joined()
    return #"{"rule": "\#(rule)"\#(members)\#(text(constants.filter { !$0.isLatency }))"#
      + (latencies.isEmpty ? "}" : #", "latency": {\#(latencies)}}"#)
  }
}

extension RecordedPlayer.Constant {
  fileprivate static func time(
    _ key: String, milliseconds: Int64, isPreset: Bool = true
  ) -> Self {
    Self(
      key: key, value: milliseconds * 1_000_000, isTime: true, isLatency: false,
      isPreset: isPreset)
  }

  fileprivate static func latency(
    _ key: String, milliseconds: Int64, isPreset: Bool = true
  ) -> Self {
    Self(
      key: key, value: milliseconds * 1_000_000, isTime: true, isLatency: true,
      isPreset: isPreset)
  }

  fileprivate static func size(_ key: String, bytes: Int64) -> Self {
    Self(key: key, value: bytes, isTime: false, isLatency: false, isPreset: true)
  }
}

// MARK: - Who is known

extension RecordedPlayer {
  /// The players by the names that recordings give them.
  ///
  /// What is not of the heuristic itself was measured on recordings while the heuristic follows the
  /// player's source, or a published example.
  private static let all: [(name: String, player: RecordedPlayer)] = [
    (
      // A rule that starts just in time stalls at the very end with the tail.
      "chromium-autoplay",
      RecordedPlayer(
        rule: "chromium-canplaythrough",
        constants: [.time("tail", milliseconds: 64, isPreset: false)])
    ),
    (
      "chromium-play",
      RecordedPlayer(
        rule: "chromium-play",
        constants: [
          .latency("preroll", milliseconds: 150), .size("startSize", bytes: 131_072),
        ])
    ),
    (
      // Assumed of a dropped connection: what was measured of the player that is built in, over a
      // link with the same queue. The buffer is its bufferTimeDefault.
      "dashjs",
      RecordedPlayer(
        rule: "dash.js",
        options: [
          ("droppedSize", "20500"), ("bolaBuffer", #""18 s""#), ("replacesOnClimb", "true"),
        ], constants: dash)
    ),
    ("ffplay", RecordedPlayer(rule: "ffplay")),
    ("firefox-autoplay", RecordedPlayer(rule: "firefox", constants: [starvation])),
    (
      "firefox-play",
      RecordedPlayer(
        rule: "firefox-play",
        constants: [.time("start", milliseconds: 1_340, isPreset: false), starvation])
    ),
    ("gst", RecordedPlayer(rule: "gstreamer-playbin")),
    (
      // Two recorded sessions began with 6.95 and 7.56 s of picture, which came at 0.74 and 2.4 s a
      // second, the second with what a lost packet had held up: the middle in time, 0.2 s off
      // either. Sound came at 0.276 of the link from its first bytes on, in seventeen answers. It
      // was asked for with 58,600 and 64,400 B of the picture there.
      "gst3",
      RecordedPlayer(
        rule: "gstreamer",
        options: [
          ("requestOrder", #""independent""#), ("readStep", #""0.01 s""#),
          ("forwardBufferLimit", #""30 s""#), ("soundShare", "0.38"), queued,
          ("openingSize", "61440"),
        ],
        constants: [.time("start", milliseconds: 7_090, isPreset: false)])
    ),
    ("hlsjs", hls), ("hlsjs-firefox", hls),
    ("mpv", RecordedPlayer(rule: "mpv", constants: decoding)),
    (
      "mpv-pauseinitial",
      RecordedPlayer(rule: "mpv-cache-pause-initial", constants: startDecoding)
    ),
    ("mpv-wait4", RecordedPlayer(rule: "mpv-cache-pause-initial", constants: startDecoding)),
    ("shaka", RecordedPlayer(rule: "shaka", constants: element(preroll: 74))),
    (
      "vlc",
      RecordedPlayer(
        rule: "vlc",
        constants: [
          .time("step", milliseconds: 250, isPreset: false),
          .latency("preroll", milliseconds: 280, isPreset: false),
          .latency("resume", milliseconds: 280, isPreset: false),
        ])
    ),
  ]

  /// What was measured of hls.js until its clock runs is divided: it appends its first segments,
  /// and asks for the next ones, before that.
  private static let hls = RecordedPlayer(
    rule: "hls.js",
    constants: element(preroll: 104, isPreset: false)
      + [.latency("opening", milliseconds: 70, isPreset: false)])

  private static let chromiumHLS = RecordedPlayer(
    rule: "chromium-hls",
    constants: element(preroll: 130) + [.size("probeDropped", bytes: 20_500)])

  /// What lies in the queue of the recorded links before an answer, of 32,000 B that it holds.
  private static let queued = (key: "queuedAhead", value: "20000")

  /// How a player opens tracks that has other variants to open, as scenarios spell it.
  static let everyVariant = #""everyVariant""#

  /// What was recorded of an mpv 0.35.1 that plays a stream.
  ///
  /// It plays a segment of 6.4 s after 2.6 s, and has the next one open with the answer for the
  /// first. Of eight connections came 115,000 to 123,000 B before they were read, 120,000 B in the
  /// middle. It went on to the next variant with 30,900 to 42,900 B of a first segment there, four
  /// times, 36,000 B in the middle. Assumed: it reads in steps of 0.1 s; in truth 32 KiB at a time.
  private static let mpvHLS = RecordedPlayer(
    rule: "mpv",
    options: [
      ("readStep", #""0.1 s""#), ("readAhead", "120000"), ("openingSize", "36000"),
      ("openingOrder", everyVariant),
    ],
    constants: decoding + [.time("analyzed", milliseconds: 800, isPreset: false)])

  /// What was recorded of a VLC 3.0.24 that plays a stream.
  ///
  /// It reads 32 KiB at a time, here with the header of a response. From where the block that it
  /// waited for had come, by the rate, it took 0.03 s to the clock at two starts, and 0.02 to
  /// 0.05 s after three stalls.
  private static let vlcHLS = RecordedPlayer(
    rule: "vlc",
    options: [
      ("requestOrder", #""soundFirst""#), ("followingBlock", "33158"),
      ("connectsTracksApart", "true"),
    ],
    constants: [
      .time("step", milliseconds: 250, isPreset: false),
      .time("tail", milliseconds: 340, isPreset: false),
      .latency("preroll", milliseconds: 30, isPreset: false),
      .latency("resume", milliseconds: 40, isPreset: false),
    ])

  private static let starvation = Constant.time(
    "starvesBelow", milliseconds: 1_100, isPreset: false)

  /// What was measured of mpv 0.35.1.
  static let decoding = [
    Constant.time("decoded", milliseconds: 330, isPreset: false),
    .time("checkEvery", milliseconds: 200, isPreset: false),
  ]

  /// The same where it waits before the first frame: more has been decoded then.
  static let startDecoding = [
    Constant.time("decoded", milliseconds: 420, isPreset: false),
    .time("checkEvery", milliseconds: 200, isPreset: false),
  ]

  /// What was measured of an element of Chromium that plays segments.
  ///
  /// Of 20 recorded first stalls of chromium-hls, hls.js and Shaka the clock stopped 0.094 to
  /// 0.139 s before the nominal end of what was loaded, in the middle 0.107 s: 64 ms are the sound
  /// still to be heard, and the rest is missing where sound is cut at whole frames.
  private static func element(preroll: Int64, isPreset: Bool = true) -> [Constant] {
    [
      .latency("preroll", milliseconds: preroll, isPreset: isPreset),
      .latency("resume", milliseconds: 28),
      .time("tail", milliseconds: 107, isPreset: false),
    ]
  }

  /// The latencies of dash.js, whose heuristic has a target and no tail.
  private static let dash: [Constant] = [
    .latency("preroll", milliseconds: 69), .latency("resume", milliseconds: 28),
  ]

  /// Returns the player of a name and a medium: the heuristic of the same name where recordings
  /// have no other name for it; nil if nobody knows the player.
  package static func named(_ name: String, isStream: Bool) -> RecordedPlayer? {
    if isStream, name == "chromium-play" { return chromiumHLS }
    if isStream, name == "mpv" { return mpvHLS }
    if isStream, name == "vlc" { return vlcHLS }
    if let known = all.first(where: { $0.name == name }) { return known.player }
    return Heuristic.named(name) == nil ? nil : RecordedPlayer(rule: name)
  }

  /// All names that are known.
  package static var names: [String] { all.map { $0.name } }

  /// The rules by the names that recordings give their players.
  ///
  /// Shaka asks the browser what it expects: 1.07 to 2.99 Mbit/s were read of Chromium's Network
  /// Information, and all ten recorded sessions begin with the second variant, of 1.02 Mbit/s.
  private static let adaptations: [(player: String, adaptation: Adaptation)] = [
    ("chromium-play", Adaptation(name: "chromium-hls")),
    ("dashjs", Adaptation(name: "dash.js")),
    ("hlsjs", Adaptation(name: "hls.js")),
    ("hlsjs-firefox", Adaptation(name: "hls.js")),
    ("shaka", Adaptation(name: "shaka-4.7", expected: BitRate(bitsPerSecond: 1_500_000))),
    // The names of heuristics.
    ("chromium-hls", Adaptation(name: "chromium-hls")), ("dash.js", Adaptation(name: "dash.js")),
    ("exoplayer", Adaptation(name: "media3")), ("hls.js", Adaptation(name: "hls.js")),
    ("media3", Adaptation(name: "media3")), ("shaka-4.12", Adaptation(name: "shaka-4.7")),
    ("vhs", Adaptation(name: "vhs")),
  ]

  /// The players of which it was measured how they play streams.
  private static let measuredOnStreams = [
    "chromium-play", "dashjs", "hlsjs", "hlsjs-firefox", "shaka",
  ]

  /// Whether it was measured how a player plays streams; of others the rule for files is all that
  /// is known.
  package static func isMeasuredOnStreams(_ player: String) -> Bool {
    measuredOnStreams.contains(player)
  }

  /// Returns how a recorded player chose among variants; nil if nobody knows, or there was nothing
  /// to choose.
  static func adaptation(of recording: Recording) -> Adaptation? {
    if !recording.medium.isMultivariant { return nil }
    var adaptation = adaptations.first { $0.player == recording.player }?.adaptation
    // What hls.js expects at first is one of its options.
    let option = recording.options.first { $0.name == "abrEwmaDefaultEstimate" }
    if adaptation?.name == "hls.js", case .number(let rate)? = option?.value, rate > 0,
      rate != 500_000_000_000
    {
      adaptation?.expected = BitRate(bitsPerSecond: max(1, rate / 1_000_000))
    }
    return adaptation
  }
}
