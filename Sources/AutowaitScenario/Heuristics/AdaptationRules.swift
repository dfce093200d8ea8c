import Autowait

/// The rules that choose among variants, with what is to be known about each.
package enum AdaptationRules {
  /// A rule.
  package struct Entry: Hashable, Sendable {
    /// The word for it in scenarios.
    package let name: String
    /// What it does, in a sentence with its numbers.
    package let about: String
    /// The version of whose behaviour it has.
    package let version: String
    /// Where its numbers come from.
    package let source: String
    /// The rule with its defaults.
    package let rule: AdaptationPolicy.AdaptationRule
  }

  /// All rules: those of players first, then those of simulators.
  package static let all: [Entry] = ownRules + playerRules + simulatorRules

  /// Returns the word for a rule of simulators; those that only follow a list have no entry.
  package static func name(of policy: SegmentRulePolicy) -> String {
    if case .fixed = policy.rule { return "fixed" }
    let entry = all.first {
      if case .modelled(let other) = $0.rule { other.rule == policy.rule } else { false }
    }
    return entry?.name ?? "scripted"
  }

  private static let ownRules: [Entry] = [
    Entry(
      name: "avfoundation",
      about: "Plays the best variant whose mean rate (or peak rate, if there is no other) is at "
        + "most 80 % of the fill rate, keeps the current one while its rate is below the fill "
        + "rate, and goes down two rungs after a stall.",
      version: "assumed",
      source: "the mean rate: WWDC18 502; two rungs: observed by infinite-streaming",
      rule: .avfoundation),
    Entry(
      name: "throughput",
      about: "Plays the best variant below 90 % of the harmonic mean of the last 5 segments.",
      version: "1", source: "dash.js and hls.js's relatives", rule: .throughput),
    Entry(
      name: "fixed", about: "Always plays the first variant.", version: "1", source: "none",
      rule: .fixed),
  ]

  private static let playerRules: [Entry] = [
    Entry(
      name: "hls.js",
      about: "Starts as if the network had 500 kbit/s, or with the lowest variant; then uses up "
        + "to 95 % of the lesser of two means with half-lives of 3 and 9 s, or 70 % to go up; "
        + "requests nothing that would arrive after the buffer is empty, and abandons such "
        + "segments after half of their duration.",
      version: "1.7.1", source: "video-dev/hls.js: abr-controller.ts, config.ts",
      rule: .modelled(abandoning(.player(.hlsJS)))),
    Entry(
      name: "hls.js-test-fragment",
      about: "Like hls.js, except at the start: loads a segment of the lowest variant only to "
        + "measure, and then plays the best variant whose segment and playlist would arrive "
        + "within 4 s.",
      version: "1.7.1, startLevel -1",
      source: "video-dev/hls.js: stream-controller.ts, abr-controller.ts",
      rule: .modelled(measuring(.player(.hlsJS)))),
    Entry(
      name: "dash.js",
      about: "Starts as if the network had 1 Mbit/s; uses 90 % of the throughput until the "
        + "buffer holds 18 s, and then BOLA until it falls to 9 s; never more than 70 % of what "
        + "the buffer allows; after 500 ms, abandons a segment that would take 1.8 times its "
        + "duration.",
      version: "5.1.1",
      source: "Dash-Industry-Forum/dash.js: Settings.js, AbrController.js, ThroughputModel.js, "
        + "BolaRule.js, InsufficientBufferRule.js, SwitchHistoryRule.js, AbandonRequestsRule.js",
      rule: .modelled(abandoning(.player(.dashJS)))),
    Entry(
      name: "shaka",
      about: "Assumes 1 Mbit/s until 128 kB have arrived; takes a sample of a segment after 100 "
        + "ms with at least 16 kB; plays the best variant below 95 % of the lesser of two means "
        + "with half-lives of 2 and 5 s, and chooses every 8 s.",
      version: "5.2.7",
      source: "shaka-project/shaka-player: simple_abr_manager.js, http_fetch_plugin.js",
      rule: .modelled(SegmentRulePolicy(.player(.shaka)))),
    Entry(
      name: "shaka-4.7",
      about: "Like shaka, but takes a sample after every 100 ms of a segment and discards those "
        + "with less than 16 kB.",
      version: "4.7.0",
      source: "shaka-project/shaka-player: simple_abr_manager.js, http_fetch_plugin.js",
      rule: .modelled(SegmentRulePolicy(.player(.shaka4)))),
    Entry(
      name: "media3",
      about:
        "Assumes 1 Mbit/s until 512 KiB have arrived or transfers took 2 s; plays the best "
        + "variant below 70 % of the median throughput, weighted by the square roots of bytes, "
        + "up to a weight of 2,000; goes up only with 10 s buffered, and down only below 25 s.",
      version: "1.11.0, and ExoPlayer 2",
      source: "androidx/media: AdaptiveTrackSelection.java, DefaultBandwidthMeter.java",
      rule: .modelled(SegmentRulePolicy(.player(.media3)))),
    Entry(
      name: "vhs",
      about: "Starts as if the network had 4,194,304 bit/s; plays the best variant whose rate "
        + "times 1.2 is below the last segment's throughput; goes up with 30 s buffered, or as "
        + "much as was played; after a second, abandons a segment for which the buffer would run "
        + "dry, and any segment after 1.5 times its duration.",
      version: "3.17.4",
      source: "videojs/http-streaming: playlist-selectors.js, playlist-controller.js, "
        + "segment-loader.js",
      rule: .modelled(abandoning(.player(.vhs)))),
    Entry(
      name: "chromium-hls",
      about: "Starts with the lowest variant; plays the best one that does not exceed the lesser "
        + "of two means of the segments' throughputs, in which the last segment has a weight of "
        + "80 and of 20 %.",
      version: "main, 2025", source: "chromium: abr_algorithm.cc, rendition_manager.cc",
      rule: .modelled(SegmentRulePolicy(.player(.chromiumHLS)))),
  ]

  private static func measuring(_ rule: SegmentRulePolicy.Rule) -> SegmentRulePolicy {
    var policy = abandoning(rule)
    policy.measuresFirst = true
    return policy
  }

  private static func abandoning(_ rule: SegmentRulePolicy.Rule) -> SegmentRulePolicy {
    var policy = SegmentRulePolicy(rule)
    policy.abandons = true
    return policy
  }

  private static let sabre = "UMass-LIDS/sabre: sabre.py"
  private static let pensieve = "hongzimao/pensieve: test"

  private static let simulatorRules: [Entry] = [
    Entry(
      name: "sabre-throughput",
      about: "Plays the best variant that arrives in time at 90 % of the lesser of two means "
        + "with half-lives of 3 and 8 s, and goes lower until it arrives within 90 to 50 % of "
        + "the buffer.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.throughput))),
    Entry(
      name: "bola",
      about: "Plays the variant with the largest utility per bit at the buffer's level, with a "
        + "gamma p of 5 s, and goes up at most one variant above the throughput.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.bola))),
    Entry(
      name: "bola-e",
      about: "Like bola, with placeholder media in the buffer, planned for 10 s and 2 s per "
        + "variant, and goes lower until the segment arrives in time.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.bolaE))),
    Entry(
      name: "dynamic",
      about: "Works as sabre-throughput until the buffer holds 10 s, and then as bola while that "
        + "is not lower.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.dynamic))),
    Entry(
      name: "dynamic-dash",
      about: "Works as sabre-throughput until the buffer holds 10 s, and then as bola-e until it "
        + "falls to 5 s.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.dynamicDash))),
    Entry(
      name: "bba",
      about: "Plays the lowest variant below 5 s of buffer, the best one above 15 s, and in "
        + "between goes up linearly with the buffer.",
      version: "SIGCOMM 2014", source: "\(pensieve)/bb.py",
      rule: .modelled(SegmentRulePolicy(.bufferBased))),
    Entry(
      name: "mpc",
      about: "Plans the next 5 segments at the harmonic mean of the last 5, and plays the first "
        + "of the best plan: Mbit/s, minus 4.3 for each second of stall, minus the changes.",
      version: "SIGCOMM 2015", source: "\(pensieve)/mpc.py",
      rule: .modelled(SegmentRulePolicy(.predictive))),
    Entry(
      name: "robust-mpc",
      about: "Like mpc, with the throughput divided by one plus the largest of the last 5 "
        + "errors.",
      version: "SIGCOMM 2015", source: "\(pensieve)/mpc.py",
      rule: .modelled(SegmentRulePolicy(.robustPredictive))),
  ]
}
