/// media3's and ExoPlayer's rule: a part of a weighted median, with the buffer to spare.
///
/// Source: `AdaptiveTrackSelection.java`, `DefaultBandwidthMeter.java`, `SlidingPercentile.java`.
struct Media3Rule: Sendable {
  /// The levels at which it may go up, and above which it does not go down, in milliseconds.
  static let levels = (up: 10_000.0, down: 25_000.0)
  /// The part of the estimate that a variant may need.
  static let part = 0.7
  /// The bytes, or the milliseconds of transfers, after which the estimate is trusted.
  static let trusted = (bytes: 524_288.0, time: 2_000.0)

  private let ladder: PlayerLadder
  private let first: Double
  private var median: ThroughputEstimator
  private var bytes = 0.0
  private var time = 0.0
  private var last: Int?

  init(_ ladder: PlayerLadder, first: Double) {
    (self.ladder, self.first) = (ladder, first)
    median = ThroughputEstimator(
      .median(weightMax: 2_000), segmentDuration: ladder.segmentDuration)
  }

  /// What is expected of the network, in bit/s.
  var estimate: Double {
    let isTrusted = bytes >= Self.trusted.bytes || time >= Self.trusted.time
    return isTrusted && median.count > 0 ? median.throughput * 1_000 : first
  }

  mutating func choose(_ moment: PlayerMoment, estimate: Double) -> Int {
    let ideal = ladder.highest(Self.part * estimate / moment.speed)
    var choice = ideal
    if let last {
      if ideal > last, moment.level < Self.levels.up { choice = last }
      if ideal < last, moment.level >= Self.levels.down { choice = last }
    }
    last = choice
    return choice
  }

  /// Takes note of what is really loaded, with which the next choice is compared.
  mutating func begin(_ request: PlayerRequest) { last = request.quality }

  /// Takes note of what a segment showed: bytes, from the first one to the last.
  mutating func end(_ size: Double, in span: Double) {
    guard span > 0, size > 0 else { return }
    bytes += size
    time += span
    median.note(time: span, throughput: 8 * size / span, latency: 0)
  }
}
