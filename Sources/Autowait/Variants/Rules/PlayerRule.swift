/// The adaptation rule of a player, as far as it depends on buffer and network.
///
/// What a player derives from its screen, its decoder or dropped frames is left out, and so is what
/// it remembers of earlier sessions. Each rule's numbers were read from the player's own source,
/// and each is held against decisions of that source (`autowait fidelity --rules`).
package enum PlayerRule: Hashable, Sendable, CaseIterable {
  /// hls.js 1.7 (`abr-controller.ts`).
  ///
  /// 0.95 of the estimate to stay, 0.7 to climb, and a segment must come before the buffer is empty
  /// or in 4 seconds. With ``SegmentRulePolicy/measuresFirst`` it is `startLevel` −1: the first
  /// choice knows what that segment has shown.
  case hlsJS
  /// dash.js 5.1 (`AbrController.js` and its rules).
  ///
  /// 0.9 of the estimate; BOLA from 18 seconds and down to 9; never more than 0.7 of what the
  /// buffer pays for.
  case dashJS
  /// Shaka 5.2 (`simple_abr_manager.js`).
  ///
  /// The variant whose rate over 0.95 is below the estimate while the next one's over 0.85 is above
  /// it, at most every 8 seconds. It measures while a segment comes, 16 kB at least.
  case shaka
  /// Shaka 4.7: as 5.2, but samples of less than 16 kB are taken, and left out.
  case shaka4
  /// media3 and ExoPlayer 2 (`AdaptiveTrackSelection.java`, `DefaultBandwidthMeter.java`).
  ///
  /// 0.7 of a weighted median; up with 10 seconds buffered, down below 25 only.
  case media3
  /// video.js VHS 3.17 (`playlist-selectors.js`, `playlist-controller.js`, `segment-loader.js`).
  ///
  /// The last segment's throughput over 1.2; up only with as much buffered as was played, or 30
  /// seconds.
  case vhs
  /// Chromium's built-in HLS (`abr_algorithm.cc`).
  ///
  /// The last variant that is not above the lesser of two means, which begin with nothing.
  case chromiumHLS

  /// What it takes the network to bring in bit/s before it has measured anything.
  func firstThroughput(_ ladder: PlayerLadder) -> Double {
    switch self {
    // At least what the first variant needs, and that up to 5 Mbit/s.
    case .hlsJS: max(500_000, min(ladder.rates[0], 5_000_000))
    case .dashJS, .shaka, .shaka4, .media3: 1_000_000
    case .vhs: 4_194_304
    case .chromiumHLS: 0
    }
  }

  /// Whether the player measures while a request is under way.
  var measuresUnderWay: Bool { self == .shaka || self == .shaka4 }

  /// Whether the player gives requests up.
  var givesUp: Bool {
    switch self {
    case .hlsJS, .dashJS, .vhs: true
    case .shaka, .shaka4, .media3, .chromiumHLS: false
    }
  }
}
