import Autowait

/// What browsers do with a media element.
extension Heuristic {
  static let chromiumCanPlayThrough = Heuristic(
    "chromium-canplaythrough",
    "Starts when what is missing of a file, divided by the download rate of the last 10 s, is less "
      + "than what is left to play, or when the network is idle; goes on as chromium-play.",
    from: (
      "047c7dc",
      "buffered_data_source_host_impl.cc, web_media_player_impl.cc; media/filters/"
        + "audio_renderer_algorithm.cc and measured runs for what comes after a stall"
    ),
    linearParameters(verdict: 5_000) + chromiumParameters(tail: nil) + target(seconds(10))
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
  /// Source: `multi_buffer_data_source.cc`. The tenth of what was read that it adds is left out.
  private static let chromiumSizes = sizes(
    max: 51 * mebibyte, min: 3 * mebibyte, slack: mebibyte)

  static let chromiumPlay = Heuristic(
    "chromium-play",
    "Starts with 0.2 s of decoded audio ahead; each stall doubles what it goes on with, from 0.4 s "
      + "to 3 s, until a seek. The clock stops 64 ms before the last sample.",
    from: (
      "047c7dc",
      "media/filters/audio_renderer_algorithm.cc, audio_renderer_impl.cc; the tail was measured"
    ),
    elementParameters() + target(seconds(10)) + chromiumSizes
  ) { values, policy in
    fillElement(values, &policy)
    values.fillSizes(&policy, appliesToFiles: true)
  }

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
    "Starts when it can play through: both rates are reliable (83,220 B), what is missing arrives "
      + "in time and more than 1 s is ahead; goes on as firefox-play.",
    from: firefoxOrigin, firefoxParameters
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(
        start: BufferConditions(allOf: .isKeepingUp, .atLeast(.buffered, seconds(1) + 1)),
        resume: firefoxResume(values),
        afterSeek: BufferConditions.none, checkInterval: checkInterval(values)))
    values.fillFillRate(&policy)
  }

  static let firefoxPlay = Heuristic(
    "firefox-play",
    "Starts with the first frame; goes on when it can play through, after 15 s × rate of waiting, "
      + "or with 15 s ahead, looking once a second.",
    from: firefoxOrigin, firefoxParameters
  ) { values, policy in
    policy.rule = .conditions(
      ConditionRule(
        start: .none, resume: firefoxResume(values), afterSeek: BufferConditions.none,
        checkInterval: checkInterval(values)))
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
