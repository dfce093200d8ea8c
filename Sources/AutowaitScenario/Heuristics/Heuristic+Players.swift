import Autowait

/// What players that are libraries and programs do.
extension Heuristic {
  static let media3 = Heuristic(
    "media3",
    "Starts, also after a seek, with 1 s of playout (media ÷ speed), and resumes after a stall "
      + "with 2 s; or in any case with 144,179,200 B; loads up to 50 s or that many bytes ahead.",
    from: ("media3 ≥ 1.6.0, 2bc2078", "DefaultLoadControl.java, ExoPlayerImplInternal.java"),
    thresholds(seconds(1), seconds(2)) + target(seconds(50), resume: seconds(49))
      + sizes(max: 144_179_200, slack: mebibyte)
  ) { values, policy in values.fillPlayout(&policy) }.waiting(exoTimeouts)

  static let exoplayer = Heuristic(
    "exoplayer",
    "Starts, also after a seek, with 2.5 s of playout (media ÷ speed), and resumes after a stall "
      + "with 5 s; or in any case with 144,179,200 B; loads up to 50 s or that many bytes ahead.",
    from: ("ExoPlayer ≤ 2.19, media3 ≤ 1.5, 243e6c2", "DefaultLoadControl.java"),
    thresholds(milliseconds(2_500), seconds(5)) + target(seconds(50), resume: seconds(49))
      + sizes(max: 144_179_200, slack: mebibyte)
  ) { values, policy in values.fillPlayout(&policy) }.waiting(exoTimeouts)

  /// Eight seconds to connect and eight to read (`DefaultHttpDataSource`), three times again
  /// (`DefaultLoadErrorHandlingPolicy`), from where it was left (`nextLoadPosition` of a chunk).
  private static let exoTimeouts = RequestTimeouts(
    answer: .seconds(8), silence: .seconds(8)
  ).asking(3, forTheRest: true)

  /// The defaults of its `streaming.retryParameters`.
  ///
  /// They are `connectionTimeout`, `stallTimeout`, `timeout`, and two attempts a second apart. A
  /// recorded session over an outage gave a segment up after 5.0 s of silence, and asked for it
  /// again 0.8 s later.
  private static let shakaTimeouts = RequestTimeouts(
    answer: .seconds(10), silence: .seconds(5), whole: .seconds(30)
  ).asking(1, after: .seconds(1), forTheRest: true)

  /// Measured with 1.6.12: 0.124 to 0.228 s, median 0.174 s.
  ///
  /// Its timeouts are those of `fragLoadPolicy`; that data is kept is assumed, as it is the
  /// browser's doing.
  static let hlsjs = Heuristic(
    "hls.js",
    "The element starts with the first fragment that is appended, and resumes with the next, "
      + "like chromium-play; loads at least 30 s ahead, up to 60 MB or 600 s.",
    from: ("1.7.1, afe5b8b", "src/config.ts, src/controller/stream-controller.ts"),
    elementParameters() + target(seconds(30), resume: seconds(29))
      + sizes(min: 60_000_000, limitMax: seconds(600), slack: mebibyte)
  ) { values, policy in
    fillElement(values, &policy)
    values.fillSizes(&policy)
  }.measured(preroll: 174).loading(.together).waiting(
    RequestTimeouts(answer: .seconds(10), whole: .seconds(120)).asking(4, forTheRest: true))

  /// Measured with 5.1.1: 0.069 s.
  ///
  /// Its timeout is `fragmentRequestTimeout`; that data is kept is assumed here, too.
  static let dashjs = Heuristic(
    "dash.js", "Starts and resumes with more than 0.3 s ahead; loads up to 18 s ahead.",
    from: ("5.1.1, ccf3b95", "src/core/Settings.js, BufferController.js"),
    [
      HeuristicParameter(
        "stallThreshold", .time, milliseconds(300), "the media ahead that is not enough")
    ] + target(seconds(18), resume: seconds(17))
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(start: .ahead(.buffered, values["stallThreshold"] + 1)))
    values.fillTarget(&policy)
  }.measured(preroll: 69).loading(.soundFollows, every: .milliseconds(500)).inChromium.waiting(
    RequestTimeouts(whole: .seconds(20)).asking(3, after: .seconds(1), forTheRest: true))

  /// Measured with 4.7.0: 0.074 s.
  static let shakaOld = Heuristic(
    "shaka-4.12",
    "Starts and resumes with 2 s ahead; starves below 0.5 s, or half of that goal; loads up to "
      + "10 s ahead.",
    from: ("Shaka ≤ 4.12", "player_configuration.js, buffering_observer.js"),
    [
      HeuristicParameter(
        "rebufferingGoal", .time, seconds(2), "the media ahead with which playback starts")
    ] + target(seconds(10), resume: seconds(9))
  ) { values, policy in
    let goal = values["rebufferingGoal"]
    policy.rule = .conditions(ConditionRule(start: .ahead(.buffered, goal)))
    policy.starvesBelow = MediaTime(nanoseconds: min(milliseconds(500), goal / 2))
    values.fillTarget(&policy)
  }.measured(preroll: 74).loading(.segmentAhead, every: .milliseconds(500)).inChromium.waiting(
    shakaTimeouts)

  /// Assumed of it: the 0.074 s of 4.7.0, as what comes behind the rule is the same element.
  static let shaka = Heuristic(
    "shaka",
    "The goal is 0: the element starts with the first segment, and resumes with the next, like "
      + "chromium-play; loads up to 10 s ahead.",
    from: ("Shaka ≥ 4.13, 35b290e", "player_configuration.js"),
    elementParameters() + target(seconds(10), resume: seconds(9))
  ) { values, policy in
    fillElement(values, &policy)
  }.measured(preroll: 74).loading(.segmentAhead, every: .milliseconds(500)).inChromium.waiting(
    shakaTimeouts)

  static let vhs = Heuristic(
    "vhs",
    "The element starts with the first segment, and resumes with the next, like chromium-play; "
      + "loads up to 30 s ahead.",
    from: ("video.js VHS 3.17.4, 6da45b0", "src/config.js, src/playlist-controller.js"),
    elementParameters() + target(seconds(30), resume: seconds(29))
  ) { values, policy in fillElement(values, &policy) }.inChromium

  static let mpv = Heuristic(
    "mpv",
    "Starts with the first frame; resumes after a stall with 1 s ahead; loads up to 150 MiB "
      + "ahead.",
    from: ("b955aa2", "player/playloop.c, handle_update_cache; demux/demux.c"),
    mpvParameters + [
      HeuristicParameter(
        "analyzed", .optionalTime, nil,
        "the media with which it starts instead, of a stream whose frame rate it has to find out; "
          + "none for one whose rate is known. libavformat wants 20 frames (demux.c), 0.8 s of the "
          + "recorded streams")
    ]
  ) { values, policy in
    let decoded = values[optional: "decoded"].map { BufferConditions.ahead(.buffered, $0) } ?? .none
    let analyzed = values[optional: "analyzed"].map { BufferConditions.ahead(.buffered, $0) }
    policy.rule = .conditions(
      ConditionRule(
        start: analyzed ?? decoded, resume: mpvResume(values), afterSeek: decoded,
        checkInterval: mpvInterval(values)))
    values.fillSizes(&policy)
  }.waiting(mpvTimeouts)

  static let mpvInitial = Heuristic(
    "mpv-cache-pause-initial",
    "Starts and resumes with 1 s ahead; loads up to 150 MiB ahead.",
    from: ("b955aa2", "player/playloop.c, handle_update_cache; options/options.c"), mpvParameters
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(start: mpvResume(values), checkInterval: mpvInterval(values)))
    values.fillSizes(&policy)
  }.waiting(mpvTimeouts)

  /// `--network-timeout` of the manual.
  private static let mpvTimeouts = RequestTimeouts(answer: .seconds(60), silence: .seconds(60))

  private static let mpvParameters =
    [
      HeuristicParameter(
        "resume", .time, seconds(1), "cache-pause-wait: the media ahead with which it resumes"),
      HeuristicParameter(
        "decoded", .optionalTime, nil,
        "the media that the decoders take in addition to it; none for nothing. Nine recorded "
          + "sessions of 0.35.1 had 0.33 s"),
      HeuristicParameter(
        "checkEvery", .optionalTime, nil,
        "how often it looks after a stall; none for always. The same sessions had 0.2 s"),
    ] + sizes(max: 150 * mebibyte, slack: mebibyte)

  private static func mpvInterval(_ values: HeuristicValues) -> TimeSpan? {
    values[optional: "checkEvery"].map { TimeSpan(nanoseconds: $0) }
  }

  /// With a full demuxer mpv goes on whatever it waits for.
  private static func mpvResume(_ values: HeuristicValues) -> BufferConditions {
    var alternatives: [[BufferCondition]] = [
      [.atLeast(.buffered, values["resume"] + (values[optional: "decoded"] ?? 0))]
    ]
    if let size = values[optional: "forwardBufferSizeMax"] {
      alternatives.append([.atLeast(.bufferedBytes, size)])
    }
    return BufferConditions(anyOf: alternatives)
  }

  /// `timeout` and `retries` of its element `souphttpsrc`.
  private static let soupTimeouts = RequestTimeouts(
    answer: .seconds(15), silence: .seconds(15)
  ).asking(3)

  static let gstreamer = Heuristic(
    "gstreamer",
    "Starts and resumes at 60 % of 5 s or 10 MiB, which is 3 s; an app pauses it below 1 %, "
      + "which is 0.05 s.",
    from: ("1.22.0", "gsturisourcebin.c, gstqueue2.c, tools/gst-play.c"),
    [
      HeuristicParameter("start", .time, seconds(3), "the media ahead with which playback starts"),
      HeuristicParameter(
        "startSize", .size, 6_291_456, "the data ahead with which it starts in any case"),
      HeuristicParameter(
        "starvesBelow", .time, milliseconds(50), "the media ahead at which it is paused"),
    ] + target(seconds(5)) + sizes(max: 10 * mebibyte)
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(
        start: BufferConditions(anyOf: [
          [.atLeast(.buffered, values["start"])],
          [.atLeast(.bufferedBytes, values["startSize"])],
        ])))
    policy.starvesBelow = MediaTime(nanoseconds: values["starvesBelow"])
    values.fillTarget(&policy)
    values.fillSizes(&policy)
  }.waiting(soupTimeouts)

  /// The playbin of GStreamer 1.22 with a queue of two seconds, under an application that pauses it
  /// while messages say that it buffers; six recorded sessions.
  static let gstreamerPlaybin = Heuristic(
    "gstreamer-playbin",
    "Starts with 3 s, of which 2 s fill its queue; an app pauses it when the queue is empty, "
      + "with 1.3 s after it, and resumes it when the queue is full; keeps reading.",
    from: ("1.22.0", "gstplaybin2.c, gstqueue2.c; the numbers were measured"),
    [
      HeuristicParameter("start", .time, seconds(3), "the media ahead with which playback starts"),
      HeuristicParameter(
        "resume", .time, milliseconds(3_200), "the media ahead with which it resumes"),
      HeuristicParameter(
        "starvesBelow", .time, milliseconds(1_300), "the media ahead at which it is paused"),
    ]
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(
        start: .ahead(.buffered, values["start"]), resume: .ahead(.buffered, values["resume"])))
    policy.starvesBelow = MediaTime(nanoseconds: values["starvesBelow"])
  }.waiting(soupTimeouts)

  /// Of an outage of 8 s it took no notice: the recorded request went on when the link was back.
  static let vlc = Heuristic(
    "vlc",
    "Starts and resumes with network-caching of 1 s ahead; loads up to 30 s ahead, as documented "
      + "for streams and assumed for files.",
    from: ("3.0", "src/libvlc-module.c, modules/demux/adaptive/logic/BufferingLogic.cpp"),
    [
      HeuristicParameter(
        "networkCaching", .time, seconds(1), "the media ahead with which playback starts"),
      HeuristicParameter(
        "step", .optionalTime, nil,
        "in which steps it is demuxed: it starts with one more, goes on with two, and after three "
          + "stalls with three, as its delay grows with each; none for always networkCaching. "
          + "Eight recorded sessions of 3.0.24 had 0.25 s"),
      HeuristicParameter(
        "tail", .optionalTime, nil,
        "the media ahead at which the clock stops; none for nothing. Three recorded stalls of "
          + "streams began with 0.32 to 0.39 s"),
    ] + target(seconds(30), resume: seconds(29))
  ) { values, policy in
    let caching = values["networkCaching"]
    if let step = values[optional: "step"] {
      policy.rule = .conditions(
        ConditionRule(
          start: .ahead(.buffered, caching + step),
          resume: BufferConditions(anyOf: [
            [.below(.stalls, 4), .atLeast(.buffered, caching + 2 * step)],
            [.atLeast(.buffered, caching + 3 * step)],
          ]), afterSeek: .ahead(.buffered, caching + step)))
    } else {
      policy.rule = .conditions(ConditionRule(start: .ahead(.buffered, caching)))
    }
    policy.starvesBelow = MediaTime(nanoseconds: values["tail"])
    values.fillTarget(&policy)
  }.waiting(RequestTimeouts())

  static let ffplay = Heuristic(
    "ffplay",
    "Starts with the first frame and never pauses: a frozen picture counts as a stall that ends "
      + "with the next frame; reads up to 1 s or 15 MiB ahead.",
    from: ("5.1.9", "fftools/ffplay.c"),
    target(seconds(1)) + sizes(max: 15 * mebibyte, slack: mebibyte)
  ) { values, policy in
    policy.rule = .conditions(ConditionRule(start: .none))
    values.fillTarget(&policy)
    values.fillSizes(&policy)
  }.waiting(RequestTimeouts())

  private static func thresholds(_ start: Int64, _ resume: Int64) -> [HeuristicParameter] {
    [
      HeuristicParameter("start", .time, start, "the playout with which playback starts"),
      HeuristicParameter(
        "resume", .time, resume,
        "the playout with which it resumes after a "
          + "stall"),
      HeuristicParameter(
        "startSize", .size, 144_179_200, "the data ahead with which it does in any case"),
    ]
  }
}

extension HeuristicValues {
  /// Fills in the thresholds of ExoPlayer and its successor.
  fileprivate func fillPlayout(_ policy: inout KeepUpPolicy) {
    func enough(_ playout: Int64) -> BufferConditions {
      BufferConditions(anyOf: [
        [.atLeast(.playout, playout)], [.atLeast(.bufferedBytes, self["startSize"])],
      ])
    }
    policy.rule = .conditions(
      ConditionRule(
        start: enough(self["start"]), resume: enough(self["resume"]),
        afterSeek: enough(self["start"])))
    fillTarget(&policy)
    fillSizes(&policy)
  }
}
