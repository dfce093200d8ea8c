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
      about: "Plays the best variant whose mean rate, or peak rate if that is all there is, is at "
        + "most 80 % of the fill rate, keeps the present one while its own is below it, and falls "
        + "two rungs after a stall.",
      version: "assumed",
      source: "the mean rate: WWDC18 502; two rungs: observed by infinite-streaming",
      rule: .avfoundation),
    Entry(
      name: "throughput",
      about: "Plays the best variant below 90 % of the harmonic mean of the last 5 segments.",
      version: "1", source: "dash.js and hls.js's relatives", rule: .throughput),
    Entry(
      name: "fixed", about: "Plays the first variant forever.", version: "1", source: "none",
      rule: .fixed),
  ]

  private static let playerRules: [Entry] = [
    Entry(
      name: "hls.js",
      about: "Starts with what 500 kbit/s or the lowest variant allows; then stays below 95 % of "
        + "the lesser of two means with half-lives of 3 and 9 s, climbs below 70 %, asks for "
        + "nothing that would come after the buffer is empty, and gives up after half a segment "
        + "what would.",
      version: "1.7.1", source: "video-dev/hls.js: abr-controller.ts, config.ts",
      rule: .modelled(abandoning(.player(.hlsJS)))),
    Entry(
      name: "hls.js-test-fragment",
      about: "As hls.js, but for the start: loads a segment of the lowest variant only to measure, "
        + "and then plays the best one whose segment comes, with its playlist, in 4 s.",
      version: "1.7.1, startLevel -1",
      source: "video-dev/hls.js: stream-controller.ts, abr-controller.ts",
      rule: .modelled(measuring(.player(.hlsJS)))),
    Entry(
      name: "dash.js",
      about: "Starts with 1 Mbit/s; follows 90 % of the throughput up to 18 s of buffer and BOLA "
        + "from there down to 9 s; never more than 70 % of what the buffer pays for; gives up "
        + "after 500 ms of bytes what would take 1.8 times as long as it plays.",
      version: "5.1.1",
      source: "Dash-Industry-Forum/dash.js: Settings.js, AbrController.js, ThroughputModel.js, "
        + "BolaRule.js, InsufficientBufferRule.js, SwitchHistoryRule.js, AbandonRequestsRule.js",
      rule: .modelled(abandoning(.player(.dashJS)))),
    Entry(
      name: "shaka",
      about: "Starts with 1 Mbit/s until 128 kB have come; measures after each 100 ms of a segment "
        + "with 16 kB or more; plays the best variant below 95 % of the lesser of two means with "
        + "half-lives of 2 and 5 s, and chooses once in 8 s.",
      version: "5.2.7",
      source: "shaka-project/shaka-player: simple_abr_manager.js, http_fetch_plugin.js",
      rule: .modelled(SegmentRulePolicy(.player(.shaka)))),
    Entry(
      name: "shaka-4.7",
      about: "As shaka, but measures after each 100 ms of a segment and leaves out what had less "
        + "than 16 kB.",
      version: "4.7.0",
      source: "shaka-project/shaka-player: simple_abr_manager.js, http_fetch_plugin.js",
      rule: .modelled(SegmentRulePolicy(.player(.shaka4)))),
    Entry(
      name: "media3",
      about:
        "Starts with 1 Mbit/s until 512 KiB have come, or 2 s of transfers are over; plays the "
        + "best variant below 70 % of a median weighted by the roots of bytes up to 2,000; goes up "
        + "with 10 s buffered, and down only below 25 s.",
      version: "1.11.0, and ExoPlayer 2",
      source: "androidx/media: AdaptiveTrackSelection.java, DefaultBandwidthMeter.java",
      rule: .modelled(SegmentRulePolicy(.player(.media3)))),
    Entry(
      name: "vhs",
      about: "Starts with 4,194,304 bit/s; plays the best variant whose rate times 1.2 is below "
        + "the last segment's throughput; goes up with as much buffered as was played, or 30 s; "
        + "gives up after a second what would let the buffer run dry, and after 1.5 times its "
        + "duration in any case.",
      version: "3.17.4",
      source: "videojs/http-streaming: playlist-selectors.js, playlist-controller.js, "
        + "segment-loader.js",
      rule: .modelled(abandoning(.player(.vhs)))),
    Entry(
      name: "chromium-hls",
      about: "Starts with the lowest variant; plays the best one that is not above the lesser of "
        + "two means of the segments' throughputs, of which the last one is 80 and 20 %.",
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
      about: "Plays what 90 % of the lesser of two means with half-lives of 3 and 8 s brings in "
        + "time, and lowers it until 90 to 50 % of the buffer pays for it.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.throughput))),
    Entry(
      name: "bola",
      about: "Plays the variant whose utility for each bit is largest at the buffer's level, with "
        + "a gamma p of 5 s, and climbs to one above the throughput at most.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.bola))),
    Entry(
      name: "bola-e",
      about: "As bola, with media in the buffer that it chose not to have, planned for 10 s and "
        + "2 s for each variant, and lowered until the buffer pays for it.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.bolaE))),
    Entry(
      name: "dynamic",
      about: "Is sabre-throughput up to 10 s of buffer, and bola from there while it is no lower.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.dynamic))),
    Entry(
      name: "dynamic-dash",
      about: "Is sabre-throughput up to 10 s of buffer, and bola-e from there down to 5 s.",
      version: "09b03bb", source: sabre, rule: .modelled(SegmentRulePolicy(.dynamicDash))),
    Entry(
      name: "bba",
      about: "Plays the lowest variant below 5 s of buffer, the best one from 15 s on, and what "
        + "a straight line says between them.",
      version: "SIGCOMM 2014", source: "\(pensieve)/bb.py",
      rule: .modelled(SegmentRulePolicy(.bufferBased))),
    Entry(
      name: "mpc",
      about: "Plays the first of the best 5 next segments at the harmonic mean of the last 5: "
        + "Mbit/s, less 4.3 for a second of stall, less the changes.",
      version: "SIGCOMM 2015", source: "\(pensieve)/mpc.py",
      rule: .modelled(SegmentRulePolicy(.predictive))),
    Entry(
      name: "robust-mpc",
      about: "As mpc, at a throughput that is divided by one plus the worst of its last 5 errors.",
      version: "SIGCOMM 2015", source: "\(pensieve)/mpc.py",
      rule: .modelled(SegmentRulePolicy(.robustPredictive))),
  ]
}
