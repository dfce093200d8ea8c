/// Sabre's rule that follows the network: the best quality below nine tenths of its throughput, and
/// less of it while the buffer is low.
///
/// Source: UMass-LIDS/sabre 09b03bb, whose numbers are those of dash.js 2.
struct ThroughputRule: Hashable, Sendable {
  /// The part of the throughput that is counted on.
  static let safety = 0.9
  /// The part of the buffered time that the insufficient-buffer rule counts on: at first, and at
  /// least.
  static let bufferSafety = (first: 0.9, least: 0.5)
  /// How many segments' time a download may take before it is given up.
  static let abandonedAfter = 1.8
  /// How long it is left alone, in milliseconds.
  static let grace = 500.0

  /// The part of the buffered time that is counted on now; each choice makes it smaller.
  private(set) var bufferSafety = ThroughputRule.bufferSafety.first

  /// Returns the quality of the next segment.
  mutating func quality(_ view: RuleView, _ ladder: RuleLadder, checksBuffer: Bool) -> Int {
    let quality = ladder.quality(at: view.throughput * Self.safety, latency: view.latency)
    return checksBuffer ? affordable(quality, view, ladder) : quality
  }

  /// Returns a quality or the first lower one whose next higher one might empty the buffer.
  @inline(__always)
  mutating func affordable(_ quality: Int, _ view: RuleView, _ ladder: RuleLadder) -> Int {
    let safeSize = bufferSafety * (view.level - view.latency) * view.throughput
    bufferSafety = max(bufferSafety * Self.bufferSafety.first, Self.bufferSafety.least)
    assert(bufferSafety >= Self.bufferSafety.least, "less is counted on than is ever")
    for lower in 0..<quality where ladder.nominalSizes[lower + 1] > safeSize { return lower }
    return quality
  }

  /// Returns the quality for which a download is given up; nil to go on.
  @inline(__always)
  static func abandonment(
    _ progress: RuleProgress, _ ladder: RuleLadder, latency: Double
  ) -> Int? {
    let flowed = progress.time - progress.latency
    guard progress.time >= grace, flowed > 0 else { return nil }
    let throughput = progress.downloaded / flowed
    let missing = progress.size - progress.downloaded
    let limit = abandonedAfter * ladder.segmentDuration
    guard progress.time + missing / throughput > limit else { return nil }
    let quality = ladder.quality(at: throughput * safety, latency: latency)
    let size = progress.size * ladder.bitRates[quality] / ladder.bitRates[progress.quality]
    return quality >= progress.quality || size >= missing ? nil : quality
  }

  /// Returns for how many milliseconds a download is not given up, whatever the network does: it is
  /// if nothing came any more.
  static func patience(_ progress: RuleProgress, _ ladder: RuleLadder) -> Double {
    guard progress.downloaded > 0 else { return 0 }
    let pace = (progress.size - progress.downloaded) / progress.downloaded
    let expected = progress.time + pace * (progress.time - progress.latency)
    let spare = abandonedAfter * ladder.segmentDuration - expected
    return max(spare / (1 + pace), grace - progress.time)
  }
}
