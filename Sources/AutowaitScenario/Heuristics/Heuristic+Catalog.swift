import Autowait

/// The heuristics that are built in.
///
/// An element under hls.js and its like is taken for Chromium's, in which they were recorded: a
/// segment is more than it asks for, but of a file it asks for a little more than a frame. Targets
/// of buffers with which reading goes on are assumed to be a second below those at which it is
/// suspended where the source restarts at once: what is read in between is then not endless.
extension Heuristic {
  /// All heuristics, those of AVFoundation first.
  package static let all: [Heuristic] =
    [avfoundation, ios9, webkit, chromiumCanPlayThrough, chromiumPlay, chromiumHLS, firefox]
    + [firefoxPlay]
    + [media3, exoplayer, hlsjs, dashjs, shakaOld, shaka, vhs]
    + [mpv, mpvInitial, gstreamer, gstreamerPlaybin, vlc, ffplay, fixed]

  private static let avfoundation = Heuristic(
    "avfoundation",
    "Starts and resumes when the missing data will arrive in time at the fill rate of the last "
      + "10 s, or when the buffer is full; needs 64 KiB for a verdict.",
    from: ("iOS 10 to 26", "WWDC16 session 503; AVPlayer.h; the gate and the window are assumed"),
    linearParameters()
  ) { values, policy in values.fillLinear(&policy) }

  private static let ios9 = Heuristic(
    "ios9",
    "An app on iOS 9 that plays a file when isPlaybackLikelyToKeepUp or isPlaybackBufferFull "
      + "becomes true: it waits as long as avfoundation. For the contract itself, in which a "
      + "stall sets the rate to 0, use the player's 'contract' 'ios9' with a step 'when' for "
      + "each wait.",
    from: ("iOS 9", "WWDC16 session 503; AVPlayerItem.h"), linearParameters()
  ) { values, policy in values.fillLinear(&policy) }

  private static let webkit = Heuristic(
    "webkit",
    "Starts and resumes when AVFoundation says that playback is likely to keep up or that the "
      + "buffer is full: it waits as long as avfoundation.",
    from: ("main", "MediaPlayerPrivateAVFoundation.cpp, updateStates"), linearParameters()
  ) { values, policy in values.fillLinear(&policy) }

  private static let fixed = Heuristic(
    "fixed", "Starts and resumes with 5 s of media ahead.",
    from: ("any", "the simplest rule there is"),
    [
      HeuristicParameter("start", .time, seconds(5), "the media ahead with which playback starts"),
      HeuristicParameter(
        "resume", .optionalTime, nil,
        "the media ahead with which it resumes after a stall; none "
          + "for 'start'"),
    ]
  ) { values, policy in
    let resume = values[optional: "resume"] ?? values["start"]
    policy.rule = .conditions(
      ConditionRule(
        start: .ahead(.buffered, values["start"]), resume: .ahead(.buffered, resume),
        afterSeek: .ahead(.buffered, values["start"])))
  }

  /// The parameters of the default rule; how much must be observed, and how far back it looks.
  static func linearParameters(
    verdict: Int64 = 65_536, window: Int64 = seconds(10)
  ) -> [HeuristicParameter] {
    [
      HeuristicParameter(
        "verdictSize", .size, verdict,
        "the data that must have arrived before there is a "
          + "verdict"),
      HeuristicParameter(
        "verdictTime", .time, seconds(1), "the longest wait for that data"),
      HeuristicParameter(
        "fillRateWindow", .time, window, "the period that the fill rate covers"),
      HeuristicParameter(
        "safetyMargin", .ratio, 0, "how much faster than needed the fill rate must be"),
    ]
  }

  /// How far ahead a player loads, and with how much it loads again.
  static func target(_ limit: Int64, resume: Int64? = nil) -> [HeuristicParameter] {
    [
      HeuristicParameter(
        "forwardBufferLimit", .optionalTime, limit, "the media ahead at which reading is suspended"
      ),
      HeuristicParameter(
        "forwardBufferResume", .optionalTime, resume,
        "the media ahead at which reading resumes; none for three quarters of the limit"),
    ]
  }

  /// How much data ahead a player loads.
  static func sizes(
    max: Int64? = nil, min: Int64? = nil, beyond: Int64? = nil, limitMax: Int64? = nil,
    slack: Int64? = nil
  ) -> [HeuristicParameter] {
    var parameters: [HeuristicParameter] = []
    func add(_ name: String, _ kind: HeuristicParameter.Kind, _ value: Int64?, _ about: String) {
      parameters.append(HeuristicParameter(name, kind, value, about))
    }
    if let max {
      add(
        "forwardBufferSizeMax", .optionalSize, max,
        "the data ahead at which reading is suspended in any case")
    }
    if let min {
      add(
        "forwardBufferSizeMin", .optionalSize, min,
        "the data ahead below which forwardBufferLimit suspends nothing")
    }
    if let beyond {
      add(
        "forwardBufferSizeBeyond", .optionalSize, beyond,
        "the data of a file after forwardBufferLimit that is also loaded")
    }
    if let limitMax {
      add(
        "forwardBufferLimitMax", .optionalTime, limitMax,
        "the media ahead at which reading is suspended with less data too")
    }
    add(
      "forwardBufferSizeSlack", .optionalSize, slack,
      "how much less data lets reading resume; none for a quarter")
    return parameters
  }

  /// A MiB, with which Chromium goes on below what suspended it; of others it is assumed.
  static let mebibyte: Int64 = 1_048_576

  static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
  static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
}

extension HeuristicValues {
  /// Fills in the numbers of the default rule.
  func fillFillRate(_ policy: inout KeepUpPolicy) {
    policy.verdictSize = ByteCount(bytes: self["verdictSize"])
    policy.verdictTime = TimeSpan(nanoseconds: self["verdictTime"])
    policy.fillRateWindow = TimeSpan(nanoseconds: self["fillRateWindow"])
    policy.safetyMargin = self["safetyMargin"]
  }

  /// Fills in the default rule itself.
  func fillLinear(_ policy: inout KeepUpPolicy) {
    policy.rule = .linearToEnd
    fillFillRate(&policy)
  }

  /// Fills in how far ahead the player loads.
  func fillTarget(_ policy: inout KeepUpPolicy) {
    let limit = self[optional: "forwardBufferLimit"]
    policy.forwardBufferLimit = limit.map { MediaTime(nanoseconds: $0) }
    guard let limit, let resume = self[optional: "forwardBufferResume"] else { return }
    // A limit that was lowered takes the mark below it along.
    if resume < limit { policy.forwardBufferResume = MediaTime(nanoseconds: resume) }
  }

  /// Fills in how much data ahead the player loads.
  func fillSizes(_ policy: inout KeepUpPolicy, appliesToFiles: Bool = false) {
    func value(_ name: String) -> Int64? { contains(name) ? self[optional: name] : nil }
    var sizes = ForwardBufferSizes()
    sizes.sizeMax = value("forwardBufferSizeMax").map { ByteCount(bytes: $0) }
    sizes.sizeMin = value("forwardBufferSizeMin").map { ByteCount(bytes: $0) }
    sizes.sizeBeyond = value("forwardBufferSizeBeyond").map { ByteCount(bytes: $0) }
    sizes.limitMax = value("forwardBufferLimitMax").map { MediaTime(nanoseconds: $0) }
    sizes.slack = value("forwardBufferSizeSlack").map { ByteCount(bytes: $0) }
    sizes.appliesToFiles = appliesToFiles
    policy.forwardBufferSizes = sizes.normalized
  }
}

extension ForwardBufferSizes {
  /// The sizes without a slack that a lowered mark leaves no room for; nil if they are nothing.
  var normalized: ForwardBufferSizes? {
    if isEmpty { return nil }
    var sizes = self
    let least = [sizeMax, sizeMin].compactMap { $0 }.min()
    if let slack, let least, slack >= least { sizes.slack = nil }
    return sizes
  }
}

extension BufferConditions {
  /// So much of a measure.
  static func ahead(_ measure: BufferMeasure, _ value: Int64) -> BufferConditions {
    BufferConditions(allOf: .atLeast(measure, value))
  }
}
