/// The adaptation rule of a player, as far as it depends on buffer and network.
///
/// What a player derives from its screen, its decoder or dropped frames is left out, and so is what
/// it remembers of earlier sessions. Each rule's numbers were read from the player's own source.
package enum PlayerRule: Hashable, Sendable, CaseIterable {
  /// hls.js 1.7 (`abr-controller.ts`).
  ///
  /// 0.95 of the estimate to stay, 0.7 to climb, and a segment must come before the buffer is empty
  /// or in 4 seconds. With ``SegmentRulePolicy/measuresFirst`` it is `startLevel` −1: the first
  /// segment, and the one that was measured, must both come in the time of a segment, or in 4
  /// seconds, and the estimate counts in full.
  case hlsJS
  /// dash.js 5.1 (`AbrController.js`, `BolaRule.js`, `InsufficientBufferRule.js`).
  ///
  /// 0.9 of the estimate; BOLA-E above 18 seconds and down to 9; never more than 0.7 of what the
  /// buffer pays for. With ``SegmentRulePolicy/abandons`` a segment is given up after 500 ms that
  /// would take 1.8 times as long as it plays (`AbandonRequestsRule.js`). Simplified: the six
  /// samples that it needs have come by then.
  case dashJS
  /// Shaka 4 and 5 (`simple_abr_manager.js`).
  ///
  /// The variant whose rate over 0.95 is below the estimate while the next one's over 0.85 is above
  /// it, at most every 8 seconds.
  case shaka
  /// media3 and ExoPlayer 2 (`AdaptiveTrackSelection.java`, `DefaultBandwidthMeter.java`).
  ///
  /// 0.7 of a weighted median; up with 10 seconds buffered, down below 25 only.
  case media3
  /// video.js VHS 3.17 (`playlist-selectors.js`, `playlist-controller.js`).
  ///
  /// The last segment's throughput over 1.2; up only with as much buffered as was played, or 30
  /// seconds.
  case vhs

  /// How the player foretells throughput.
  package var estimator: EstimatorPolicy {
    switch self {
    case .hlsJS: .halfLives([3, 9])
    case .dashJS: .halfLives([3, 8])
    case .shaka: .halfLives([2, 5])
    case .media3: .median(weightMax: 2_000)
    case .vhs: .last
    }
  }

  /// What it takes the network to bring in kbit/s before it has measured anything.
  package func firstThroughput(_ ladder: RuleLadder) -> Double {
    switch self {
    // At least what the first variant needs, and that up to 5 Mbit/s.
    case .hlsJS: max(500, min(ladder.bitRates[0], 5_000))
    case .dashJS, .shaka, .media3: 1_000
    case .vhs: 4_194.304
    }
  }

  /// The bytes that must have come before the estimate is trusted.
  ///
  /// Shaka 128 kB (`minTotalBytes`), media3 512 KiB (`BYTES_TRANSFERRED_FOR_ESTIMATE`).
  var bytesTrusted: Double {
    switch self {
    case .shaka: 128_000
    case .media3: 524_288
    case .hlsJS, .dashJS, .vhs: 0
    }
  }

  /// The milliseconds that transfers must have taken for the estimate to be trusted in any case.
  ///
  /// media3 two seconds (`ELAPSED_MILLIS_FOR_ESTIMATE`).
  var timeTrusted: Double { self == .media3 ? 2_000 : .infinity }

  /// The bytes that a segment must have to tell anything.
  ///
  /// Shaka 16 kB (`minBytes`).
  var bytesMin: Double { self == .shaka ? 16_000 : 0 }
}

/// What a player's rule remembers of a session.
struct PlayerRuleState: Sendable {
  /// How long Shaka keeps a variant, in milliseconds.
  static let shakaInterval = 8_000.0
  /// The levels at which media3 may go up, and above which it does not go down, in milliseconds.
  static let media3Levels = (up: 10_000.0, down: 25_000.0)
  /// The most that VHS asks to be buffered before it goes up, in milliseconds.
  static let vhsLevelMax = 30_000.0
  /// The time that hls.js lets a segment take with an empty buffer, in milliseconds.
  static let hlsStarvation = 4_000.0
  /// The part of what the buffer pays for that dash.js lets a segment need.
  static let dashBufferShare = 0.7

  private var last: Int?
  private var switchedAt = -Double.infinity
  /// How long a segment took that was loaded only to measure, until the next choice.
  private var measured: Double?

  /// Takes note of a segment that was loaded only to measure.
  mutating func noteMeasured(in time: Double) {
    measured = time
    last = nil
  }

  /// Returns the quality of the first segment.
  static func firstQuality(_ rule: SegmentRulePolicy.Rule, _ ladder: RuleLadder) -> Int {
    guard case .player(let player) = rule else { return 0 }
    var state = PlayerRuleState()
    let view = RuleView(
      segment: 0, level: 0, throughput: player.firstThroughput(ladder), latency: 0)
    return state.quality(rule, view, ladder)
  }

  /// Returns the quality of a segment.
  mutating func quality(
    _ rule: SegmentRulePolicy.Rule, _ view: RuleView, _ ladder: RuleLadder
  ) -> Int {
    guard case .player(let player) = rule else { return 0 }
    let quality =
      switch player {
      case .hlsJS: hls(view, ladder)
      case .dashJS: Self.dash(view, ladder)
      case .shaka: shaka(view, ladder)
      case .media3: media3(view, ladder)
      case .vhs: vhs(view, ladder)
      }
    assert(0...ladder.best ~= quality, "quality \(quality) of \(ladder.best)")
    assert(view.time >= 0, "a choice before the session began, at \(view.time) ms")
    measured = nil
    if quality != last { switchedAt = view.time }
    last = quality
    return quality
  }

  /// The best quality that needs at most a throughput.
  private static func highest(_ throughput: Double, _ ladder: RuleLadder) -> Int {
    ladder.bitRates.lastIndex { $0 <= throughput } ?? 0
  }

  private func hls(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    let patience = max(view.level, min(ladder.segmentDuration, Self.hlsStarvation))
    for quality in ladder.bitRates.indices.reversed() {
      // Before anything is measured the estimate counts in full.
      let part = last.map { quality <= $0 ? 0.95 : 0.7 } ?? 1
      let throughput = part * view.throughput
      let time = view.latency + ladder.nominalSizes[quality] / throughput
      let limit = measured.map { patience - $0 } ?? (last == nil ? Self.hlsStarvation : patience)
      if ladder.bitRates[quality] <= throughput, time < limit { return quality }
    }
    return 0
  }

  static func dash(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    highest(ThroughputRule.safety * view.throughput, ladder)
  }

  /// The best quality that dash.js thinks the buffer pays for; behind two segments only.
  static func dashAffordable(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    if view.segment < 2 { return ladder.best }
    if view.level <= 0 { return 0 }
    return highest(
      dashBufferShare * view.throughput * view.level / ladder.segmentDuration, ladder)
  }

  private func shaka(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    if let last, view.time - switchedAt < Self.shakaInterval { return last }
    var choice = 0
    for quality in ladder.bitRates.indices {
      let isLast = quality == ladder.best
      let most = isLast ? .infinity : ladder.bitRates[quality + 1] / 0.85
      if view.throughput >= ladder.bitRates[quality] / 0.95, view.throughput <= most {
        choice = quality
      }
    }
    return choice
  }

  private func media3(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    let ideal = Self.highest(0.7 * view.throughput, ladder)
    guard let last else { return ideal }
    if ideal > last, view.level < Self.media3Levels.up { return last }
    if ideal < last, view.level >= Self.media3Levels.down { return last }
    return ideal
  }

  private func vhs(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    let ideal = ladder.bitRates.lastIndex { $0 * 1.2 < view.throughput } ?? 0
    guard let last, ideal > last else { return ideal }
    let played = Double(view.segment) * ladder.segmentDuration - view.level
    return view.level >= min(played, Self.vhsLevelMax) ? ideal : last
  }
}
