/// How the throughput and latency of a network are predicted from those of past segments.
package enum EstimatorPolicy: Hashable, Sendable {
  /// Weighted means that forget half of what they know after so many seconds of downloads; the
  /// least throughput and the largest latency of all count (Sabre's `ewma`).
  case halfLives([Double])
  /// Plain means of so many segments at the end, of which the same count (Sabre's `sliding`).
  case windows([Int])
  /// The harmonic mean of so many segments at the end.
  case harmonic(Int)
  /// The last segment alone (video.js VHS 3.17, `bandwidth`).
  case last
  /// The median of the last segments, weighted by the roots of their bytes up to a sum of weights
  /// (media3's `SlidingPercentile`).
  case median(weightMax: Double)

  /// Sabre's own default: half-lives of three and eight seconds.
  package static let sabre = EstimatorPolicy.halfLives([3, 8])
}

/// What is known of a network from the segments that have come.
package struct ThroughputEstimator: Sendable {
  /// A weighted mean of throughput and of latency, and how fast they forget.
  private struct Mean {
    /// Milliseconds of downloads.
    var halfLife: Double
    /// The same in segments, for latencies.
    var latencyHalfLife: Double
    var latencyKept: Double
    var throughput = 0.0
    var latency = 0.0
  }

  /// A segment that has come.
  private struct Sample {
    var throughput: Double
    var latency: Double
    var weight: Double
  }

  /// What is expected in kbit/s; 0 before the first segment.
  package private(set) var throughput = 0.0
  /// What is expected in milliseconds.
  package private(set) var latency = 0.0
  /// The segments that have come.
  package private(set) var count = 0
  private let policy: EstimatorPolicy
  private var means: [Mean] = []
  private var samples: [Sample] = []
  private var weight = 0.0

  /// Creates an estimator that has seen nothing of segments of so many milliseconds.
  package init(_ policy: EstimatorPolicy, segmentDuration: Double) {
    self.policy = policy
    guard case .halfLives(let halfLives) = policy else { return }
    means = halfLives.map {
      let halfLife = $0 * 1_000
      let latencyHalfLife = halfLife / segmentDuration
      return Mean(
        halfLife: halfLife, latencyHalfLife: latencyHalfLife,
        latencyKept: Elementary.half(to: 1 / latencyHalfLife))
    }
  }

  /// Takes note of a segment: how long its bytes took, their throughput, and the latency before.
  package mutating func note(time: Double, throughput: Double, latency: Double) {
    assert(time > 0, "a segment that took \(time) ms shows no throughput")
    assert(latency >= 0, "a latency below zero, \(latency) ms")
    count += 1
    if !means.isEmpty { return noteInMeans(time, throughput, latency) }
    samples.append(
      Sample(
        throughput: throughput, latency: latency,
        weight: Self.wholeRoot((time * throughput / 8 + 0.5).wholePart)))
    switch policy {
    case .halfLives: break
    case .windows(let windows): takeWindows(windows)
    case .harmonic(let most): takeHarmonic(most)
    case .last:
      samples.removeAll()
      (self.throughput, self.latency) = (throughput, latency)
    case .median(let weightMax): takeMedian(weightMax)
    }
  }

  @inline(__always)
  private mutating func noteInMeans(_ time: Double, _ throughput: Double, _ latency: Double) {
    weight += time
    var (least, largest) = (Double.infinity, -Double.infinity)
    for index in means.indices {
      let kept = Elementary.half(to: time / means[index].halfLife)
      means[index].throughput = kept * means[index].throughput + (1 - kept) * throughput
      let keptLatency = means[index].latencyKept
      means[index].latency = keptLatency * means[index].latency + (1 - keptLatency) * latency
      // A mean that began with nothing is short of what it would have known before.
      let seen = Self.seen(weight / means[index].halfLife)
      least = min(least, means[index].throughput / seen)
      let seenLatency = Self.seen(Double(count) / means[index].latencyHalfLife)
      largest = max(largest, means[index].latency / seenLatency)
    }
    (self.throughput, self.latency) = (least, largest)
  }

  /// The part of all weight that a mean has seen after so many half-lives.
  ///
  /// From 54 on it is one, to the last digit.
  @inline(__always)
  private static func seen(_ halfLives: Double) -> Double {
    halfLives >= 54 ? 1 : 1 - Elementary.half(to: halfLives)
  }

  private mutating func takeWindows(_ windows: [Int]) {
    // Sabre keeps twenty samples, whatever its windows.
    if samples.count > 20 { samples.removeFirst() }
    var (least, largest) = (Double.infinity, -Double.infinity)
    for window in windows {
      let part = samples.suffix(window)
      let count = Double(part.count)
      least = min(least, part.reduce(0) { $0 + $1.throughput } / count)
      largest = max(largest, part.reduce(0) { $0 + $1.latency } / count)
    }
    (throughput, latency) = (least, largest)
  }

  private mutating func takeHarmonic(_ most: Int) {
    if samples.count > most { samples.removeFirst() }
    assert(samples.count <= most, "\(samples.count) segments, of \(most) at most")
    let count = Double(samples.count)
    throughput = count / samples.reduce(0) { $0 + 1 / $1.throughput }
    latency = samples.reduce(0) { $0 + $1.latency } / count
  }

  /// The whole part of a root, as media3 weighs.
  private static func wholeRoot(_ bytes: Double) -> Double {
    let root = (Elementary.root(bytes) + 0.5).wholePart
    return root * root > bytes ? root - 1 : root
  }

  private mutating func takeMedian(_ weightMax: Double) {
    var sum = samples.reduce(0) { $0 + $1.weight }
    while sum > weightMax, samples.count > 1 {
      let excess = sum - weightMax
      if samples[0].weight <= excess {
        sum -= samples[0].weight
        samples.removeFirst()
      } else {
        samples[0].weight -= excess
        sum -= excess
      }
    }
    let sorted = samples.sorted { $0.throughput < $1.throughput }
    var seen = 0.0
    for sample in sorted {
      seen += sample.weight
      if seen >= 0.5 * sum {
        throughput = sample.throughput
        break
      }
    }
    latency = samples.reduce(0) { $0 + $1.latency } / Double(samples.count)
  }
}
