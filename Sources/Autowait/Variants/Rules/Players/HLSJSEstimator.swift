/// What hls.js expects of the network: a throughput and a wait for the first byte.
///
/// Source: `utils/ewma-bandwidth-estimator.ts`.
struct HLSJSEstimator: Sendable {
  /// The half-lives of the throughputs in seconds of downloads; the wait has the slower one.
  static let halfLives = (fast: 3.0, slow: 9.0)
  /// The weight without which nothing is known.
  static let weightMin = 0.001
  /// The wait for a first byte that is expected at first, in milliseconds, and the least there is.
  static let latency = (first: 100.0, least: 5.0)

  private let first: Double
  private var fast = HalvingMean(halfLives.fast)
  private var slow = HalvingMean(halfLives.slow)
  private var waits = HalvingMean(halfLives.slow)

  init(first: Double) { self.first = first }

  /// Whether anything was measured.
  var isKnown: Bool { fast.weight >= Self.weightMin }

  /// The throughput in bit/s.
  var throughput: Double {
    guard isKnown, let fast = fast.value, let slow = slow.value else { return first }
    return min(fast, slow)
  }

  /// The wait for the first byte, in milliseconds.
  var latency: Double {
    waits.weight >= Self.weightMin ? waits.value ?? Self.latency.first : Self.latency.first
  }

  /// Takes note of so many bytes in so many milliseconds.
  mutating func note(_ bytes: Double, in span: Double) {
    if bytes <= 0 { return }
    let seconds = max(span, min(50, bytes / 100_000)) / 1_000
    fast.note(8 * bytes / seconds, weight: seconds)
    slow.note(8 * bytes / seconds, weight: seconds)
  }

  /// Takes note of a wait for the first byte; the longer, the less it counts.
  mutating func note(latency: Double) {
    let seconds = latency / 1_000
    let weight = 0x1.6a09e667f3bcdp+0 * Elementary.exp(-(seconds * seconds) / 2)
    waits.note(max(latency, Self.latency.least), weight: weight)
  }
}
