import Autowait

/// What browsers do with a media element.
extension Heuristic {
  static let chromiumCanPlayThrough = Heuristic(
    "chromium-canplaythrough",
    "Starts when the time to load the rest of a file, at the download rate of the last 10 s, is "
      + "less than the time left to play, or when the network is idle; resumes like "
      + "chromium-play.",
    from: (
      "047c7dc",
      "buffered_data_source_host_impl.cc, web_media_player_impl.cc; media/filters/"
        + "audio_renderer_algorithm.cc and measured runs for what comes after a stall"
    ),
    linearParameters(verdict: 5_000) + chromiumParameters(tail: nil) + target(seconds(13))
      + chromiumSizes
  ) { values, policy in
    values.fillFillRate(&policy)
    let through = BufferConditions(anyOf: [[.isKeepingUp], [.isNetworkIdle]])
    policy.rule = .conditions(
      ConditionRule(
        start: through, resume: queue(values), afterSeek: .ahead(.buffered, values["queue"])))
    policy.starvesBelow = MediaTime(nanoseconds: values["tail"])
    values.fillTarget(&policy)
    values.fillSizes(&policy, appliesToFiles: true)
  }

  /// Ten seconds of a file are taken for 2 to 50 MiB, and a MiB more suspends it.
  ///
  /// So says `multi_buffer_data_source.cc`; three seconds more the demuxer has read by then. That
  /// was recorded: 17.2 s of 2 Mbit/s. The tenth of what was read that it adds is left out.
  private static let chromiumSizes = sizes(
    max: 51 * mebibyte, beyond: mebibyte, slack: mebibyte)

  static let chromiumPlay = Heuristic(
    "chromium-play",
    "Starts with 0.2 s of decoded audio ahead, and 128 KiB of a file; each stall doubles the "
      + "audio with which it resumes, from 0.4 s to 3 s, until a seek. The clock stops 64 ms "
      + "before the last sample.",
    from: (
      "047c7dc",
      "media/filters/audio_renderer_algorithm.cc, audio_renderer_impl.cc; the tail, the first data "
        + "and the latency were measured"
    ),
    elementParameters() + target(seconds(13)) + chromiumSizes
      + [
        HeuristicParameter(
          "startSize", .size, 131_072, "the data with which it decodes first: 4 blocks of 32 KiB")
      ]
  ) { values, policy in
    fillElement(values, &policy)
    policy.rule = .conditions(
      ConditionRule(
        start: BufferConditions(
          allOf: .atLeast(.buffered, values["queue"]),
          .atLeast(.receivedBytes, values["startSize"])),
        resume: queue(values), afterSeek: .ahead(.buffered, values["queue"])))
    values.fillSizes(&policy, appliesToFiles: true)
  }.measured(preroll: 150)

  /// The probes and the latencies are medians of 11 recorded sessions of 156.0.
  ///
  /// In seven of them it loaded on with 9.25 to 10.25 s ahead, nine times. With 10.41 to 11.75 s it
  /// did not, seven times, and went on with 5.26 to 5.40 s: perhaps 10 s and 5 s, by a clock that
  /// is a third of a second behind. It waited 11 s for segments over an outage, three times, and
  /// gave none up.
  static let chromiumHLS = Heuristic(
    "chromium-hls",
    "The HLS player in Chromium: makes one request at a time, inspects the first segment of each "
      + "track, and starts with both; resumes like chromium-play; stops loading at 10.3 s "
      + "ahead until 5.35 s.",
    from: ("156.0", "recorded sessions; media/filters/hls_vod_rendition.cc for the 10 s"),
    elementParameters() + target(milliseconds(10_300), resume: milliseconds(5_350))
      + [
        HeuristicParameter(
          "probeSize", .optionalSize, 33_304,
          "what is read of each first segment before any is loaded"),
        HeuristicParameter(
          "probeDropped", .size, 20_500,
          "what more of it crosses the link when that connection is dropped"),
      ]
  ) { values, policy in
    fillElement(values, &policy)
    policy.probe = values[optional: "probeSize"].map {
      SegmentProbe(
        size: ByteCount(bytes: $0), dropped: ByteCount(bytes: values["probeDropped"]))
    }
  }.measured(preroll: 130).loading(.serial).inChromium.waiting(RequestTimeouts())

  /// With the tail, which was measured, a rule that starts just in time stalls at the very end, as
  /// recorded runs did; by itself the rule does not.
  static func chromiumParameters(tail: Int64?) -> [HeuristicParameter] {
    [
      HeuristicParameter(
        "queue", .time, milliseconds(200), "the decoded audio with which playback starts"),
      HeuristicParameter("queueMax", .time, seconds(3), "the most that stalls make of it"),
      HeuristicParameter(
        "tail", .optionalTime, tail, "the audio still to be heard when the clock stops"),
    ]
  }

  /// What an element of Chromium plays with, whatever fills its buffer.
  static func elementParameters() -> [HeuristicParameter] {
    chromiumParameters(tail: milliseconds(64))
  }

  /// Fills in what an element of Chromium does by itself.
  static func fillElement(_ values: HeuristicValues, _ policy: inout KeepUpPolicy) {
    policy.rule = .conditions(
      ConditionRule(start: .ahead(.buffered, values["queue"]), resume: queue(values)))
    policy.starvesBelow = MediaTime(nanoseconds: values["tail"])
    values.fillTarget(&policy)
  }

  /// The queue with which playback goes on: doubled with each stall, up to the most.
  private static func queue(_ values: HeuristicValues) -> BufferConditions {
    let most = values["queueMax"]
    var alternatives: [[BufferCondition]] = []
    var (queue, stalls) = (values["queue"], Int64(1))
    while queue < most, stalls < 32 {
      queue = min(queue > most / 2 ? most : queue * 2, most)
      stalls += 1
      alternatives.append(
        queue < most
          ? [.below(.stalls, stalls), .atLeast(.buffered, queue)] : [.atLeast(.buffered, queue)])
    }
    return alternatives.isEmpty
      ? .ahead(.buffered, most) : BufferConditions(anyOf: alternatives)
  }

  static let firefox = Heuristic(
    "firefox",
    "Starts when it can play through: both rates are reliable (83,220 B), the missing data "
      + "arrives in time and more than 1 s is ahead; resumes like firefox-play.",
    from: firefoxOrigin, firefoxParameters
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(
        start: BufferConditions(allOf: .isKeepingUp, .atLeast(.buffered, seconds(1) + 1)),
        resume: firefoxResume(values),
        afterSeek: BufferConditions.none, checkInterval: checkInterval(values)))
    policy.starvesBelow = MediaTime(nanoseconds: values["starvesBelow"])
    values.fillFillRate(&policy)
  }

  static let firefoxPlay = Heuristic(
    "firefox-play",
    "Starts with the first frame; resumes when it can play through, after waiting 15 s × rate, "
      + "or with 15 s ahead, checking once a second.",
    from: firefoxOrigin,
    firefoxParameters
      + [
        HeuristicParameter(
          "start", .optionalTime, nil,
          "the media decoded before the clock runs; none for a frame. Five recorded sessions of "
            + "153 had 1.25 to 1.5 s, 1.34 s in the middle")
      ]
  ) { values, policy in
    let start = values[optional: "start"].map { BufferConditions.ahead(.buffered, $0) } ?? .none
    policy.rule = .conditions(
      ConditionRule(
        start: start, resume: firefoxResume(values), afterSeek: start,
        checkInterval: checkInterval(values)))
    policy.starvesBelow = MediaTime(nanoseconds: values["starvesBelow"])
    values.fillFillRate(&policy)
  }

  private static let firefoxOrigin = (
    version: "175fc03",
    source: "MediaDecoderStateMachine.cpp, ChannelMediaDecoder.cpp, MediaChannelStatistics.h"
  )

  /// The fill rate is that of the item's whole life, of which 366 days are the most there are.
  private static let firefoxParameters =
    linearParameters(verdict: 83_220, window: Limits.timeMax.nanoseconds) + [
      HeuristicParameter(
        "patience", .time, seconds(15), "the longest wait after a stall, times the rate"),
      HeuristicParameter(
        "resume", .time, seconds(15), "the media ahead with which playback goes on in any case"),
      HeuristicParameter(
        "checkEvery", .optionalTime, seconds(1), "how often it looks after a stall; none for always"
      ),
      HeuristicParameter(
        "starvesBelow", .optionalTime, nil,
        "the media ahead at which it waits; none for nothing. Recorded sessions of 153 had 0.2 to "
          + "1.9 s, 1.1 s in the middle"),
    ]

  private static func firefoxResume(_ values: HeuristicValues) -> BufferConditions {
    BufferConditions(anyOf: [
      [.isKeepingUp, .atLeast(.buffered, seconds(1) + 1)],
      [.atLeast(.waitedPerSpeed, values["patience"])],
      [.atLeast(.buffered, values["resume"])],
    ])
  }

  private static func checkInterval(_ values: HeuristicValues) -> TimeSpan? {
    values[optional: "checkEvery"].map { TimeSpan(nanoseconds: $0) }
  }
}
