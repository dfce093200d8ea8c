import Autowait
import AutowaitScenario

/// The options that a player was recorded with, as numbers of its heuristic.
extension RecordedPlayer {
  /// What an option does in a heuristic.
  private enum Meaning {
    /// A time, of which one is so many nanoseconds.
    case time(String, unit: Int64)
    case size(String)
    /// How far ahead it loads, of which one is so many nanoseconds; with a second less it goes on.
    case target(unit: Int64)
    /// Something that no heuristic has.
    case nothing
  }

  /// An option, with its value in the version that was recorded.
  private typealias Known = (name: String, standard: RecordedOption.Value, meaning: Meaning)

  private static let second: Int64 = 1_000_000_000
  private static let millisecond: Int64 = 1_000_000

  /// Returns the player of a recording, with its options; nil if nobody knows the player.
  static func of(_ recording: Recording) -> RecordedPlayer? {
    var player = named(recording.player, isStream: recording.medium.isStream)
    player?.take(recording.options, version: recording.version)
    // Who is given the playlist of one variant has no other one to open.
    if !recording.medium.isMultivariant,
      player?.options.contains(where: { $0 == ("openingOrder", Self.everyVariant) }) == true
    {
      player?.set("openingOrder", #""soundFirst""#)
    }
    return player
  }

  /// What the options of a recording say that no heuristic has, as the ends of sentences.
  package static func notes(on recording: Recording) -> [String] { of(recording)?.notes ?? [] }

  /// Takes options over into the heuristic.
  mutating func take(_ options: [RecordedOption], version: String?) {
    takeRule(options, version: version)
    let known = Self.known(rule)
    for option in options {
      guard let row = known.first(where: { $0.name == option.name }),
        row.standard != option.value
      else { continue }
      guard take(option, as: row.meaning) else {
        notes.append("option '\(option.name)' was \(option.text), which the heuristic cannot have")
        continue
      }
    }
    narrow(options)
  }

  /// Takes one option over; returns false if the heuristic has nothing like it.
  private mutating func take(_ option: RecordedOption, as meaning: Meaning) -> Bool {
    guard case .number(let value) = option.value, value > 0 else { return false }
    func scaled(_ unit: Int64) -> Int64 {
      Int64(clamping: Int128(value) * Int128(unit) / 1_000_000)
    }
    switch meaning {
    case .time(let key, let unit): set(key, Self.time(scaled(unit)))
    case .size(let key): set(key, "\(scaled(1))")
    case .target(let unit): setTarget(scaled(unit))
    case .nothing: return false
    }
    return true
  }

  /// A time as scenarios spell it.
  private static func time(_ nanoseconds: Int64) -> String { #""\#(nanoseconds / 1_000) µs""# }

  private mutating func setTarget(_ limit: Int64) {
    set("forwardBufferLimit", Self.time(limit))
    if limit > Self.second { set("forwardBufferResume", Self.time(limit - Self.second)) }
  }

  /// Takes another rule where an option makes it one.
  ///
  /// Shaka up to 4.12 waits for its goal of 2 s, which recorded segments of 4 s always reach: it
  /// was measured by the rule that knows no goal. Another goal needs the one that does.
  private mutating func takeRule(_ options: [RecordedOption], version: String?) {
    func flag(_ name: String) -> Bool? {
      guard case .flag(let flag)? = options.first(where: { $0.name == name })?.value else {
        return nil
      }
      return flag
    }
    switch rule {
    case "mpv" where flag("cache-pause-initial") == true:
      rule = "mpv-cache-pause-initial"
      constants = Self.startDecoding
    case "mpv-cache-pause-initial" where flag("cache-pause-initial") == false:
      rule = "mpv"
      constants = Self.decoding
    case "shaka":
      let goal = options.first { $0.name == "rebufferingGoal" }?.value
      // From 4.13 on its own goal is 0.
      let parts = version?.drop { $0 == "v" }.split(separator: ".").map { Int($0) ?? 0 } ?? []
      let hasGoal = parts.lexicographicallyPrecedes([4, 13])
      if let goal, goal != .number(0), goal != .number(2_000_000) || !hasGoal {
        rule = "shaka-4.12"
      }
    default: return
    }
  }

  /// Limits of one player that depend on each other.
  private mutating func narrow(_ options: [RecordedOption]) {
    func number(_ name: String, _ standard: Int64) -> Int64 {
      guard case .number(let number)? = options.first(where: { $0.name == name })?.value else {
        return standard
      }
      return Int64(clamping: Int128(number) * 1_000)
    }
    switch rule {
    case "hls.js":
      let (limit, most) = (
        number("maxBufferLength", 30 * Self.second), number("maxMaxBufferLength", 600 * Self.second)
      )
      if most > 0, most < limit { setTarget(most) }
    case "shaka-4.12":
      // It loads at least what it waits for.
      let (target, goal) = (
        number("bufferingGoal", 10 * Self.second), number("rebufferingGoal", 2 * Self.second)
      )
      if goal > target { setTarget(goal) }
    default: return
    }
  }

  /// The options of a heuristic's player that mean something, and those that are known to change
  /// what it does in a way that the heuristic does not have.
  private static func known(_ rule: String) -> [Known] {
    switch rule {
    case "hls.js": hlsOptions
    case "shaka", "shaka-4.12": shakaOptions(rule)
    case "dash.js":
      [
        ("bufferTimeDefault", number(18), .target(unit: second)),
        ("stallThreshold", .number(300_000), .time("stallThreshold", unit: second)),
        ("bufferTimeAtTopQuality", number(30), .nothing),
        ("bufferTimeAtTopQualityLongForm", number(60), .nothing),
      ]
    case "vhs": [("goalBufferLength", number(30), .target(unit: second))]
    case "media3", "exoplayer": playoutOptions(rule)
    case "mpv", "mpv-cache-pause-initial": mpvOptions
    case "vlc":
      [
        ("network-caching_ms", number(1_000), .time("networkCaching", unit: millisecond)),
        ("network-caching", number(1_000), .time("networkCaching", unit: millisecond)),
      ]
    default: []
    }
  }

  private static func number(_ value: Int64) -> RecordedOption.Value { .number(value * 1_000_000) }

  private static let hlsOptions: [Known] = [
    ("maxBufferLength", number(30), .target(unit: second)),
    ("maxMaxBufferLength", number(600), .time("forwardBufferLimitMax", unit: second)),
    ("maxBufferSize", number(60_000_000), .size("forwardBufferSizeMin")),
    ("abrBandWidthFactor", .number(950_000), .nothing),
    ("abrBandWidthUpFactor", .number(700_000), .nothing),
    ("maxStarvationDelay", number(4), .nothing), ("maxLoadingDelay", number(4), .nothing),
    ("testBandwidth", .flag(true), .nothing), ("startFragPrefetch", .flag(false), .nothing),
    ("highBufferWatchdogPeriod", number(2), .nothing),
    ("nudgeOffset", .number(100_000), .nothing), ("maxBufferHole", .number(100_000), .nothing),
  ]

  private static func shakaOptions(_ rule: String) -> [Known] {
    var options: [Known] = [
      ("bufferingGoal", number(10), .target(unit: second)),
      ("bufferBehind", number(30), .nothing), ("stallThreshold", number(1), .nothing),
      ("def", number(1_000_000), .nothing), ("up", .number(850_000), .nothing),
      ("down", .number(950_000), .nothing), ("sw", number(8), .nothing),
    ]
    if rule == "shaka-4.12" {
      options.append(("rebufferingGoal", number(2), .time("rebufferingGoal", unit: second)))
    }
    return options
  }

  private static func playoutOptions(_ rule: String) -> [Known] {
    let isOld = rule == "exoplayer"
    return [
      ("bufferForPlaybackMs", number(isOld ? 2_500 : 1_000), .time("start", unit: millisecond)),
      (
        "bufferForPlaybackAfterRebufferMs", number(isOld ? 5_000 : 2_000),
        .time("resume", unit: millisecond)
      ),
      ("maxBufferMs", number(50_000), .target(unit: millisecond)),
    ]
  }

  private static let mpvOptions: [Known] = [
    ("cache-pause-wait", number(1), .time("resume", unit: second)),
    ("demuxer-max-bytes", number(157_286_400), .size("forwardBufferSizeMax")),
    ("cache", .text("auto"), .nothing), ("cache-pause", .flag(true), .nothing),
    ("cache-secs", number(3_600_000), .nothing),
    ("demuxer-cache-wait", .flag(false), .nothing),
    ("demuxer-readahead-secs", number(1), .nothing), ("audio-buffer", .number(200_000), .nothing),
    ("stream-buffer-size", number(131_072), .nothing), ("hls-bitrate", .text("max"), .nothing),
  ]
}
