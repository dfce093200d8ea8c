import Autowait

/// What the sessions of one trace, or of one group of seeds, say about a difference.
///
/// Sessions on one trace resemble each other, so that the trace is what is drawn again, and not the
/// session (the unit of resampling of the comparisons that the field trusts).
package struct Cluster: Hashable, Sendable {
  /// The sessions.
  package var count: Int64 = 0
  /// The sum of their differences.
  package var sum: Int128 = 0

  /// Creates a cluster without sessions.
  package init() {}

  /// Adds a difference.
  package mutating func add(_ difference: Int64) {
    count += 1
    sum += Int128(difference)
  }
}

/// A mean and the range that it would most likely have with other traces of the same kind.
package struct Interval: Hashable, Sendable {
  /// The mean over all sessions, rounded to the nearest.
  package let mean: Int64
  /// The bounds that leave out 2.5 % on either side; nil with a single cluster, which says nothing
  /// about others.
  package let bounds: ClosedRange<Int64>?

  /// Half the width; nil without bounds.
  package var halfWidth: Int64? { bounds.map { ($0.upperBound - $0.lowerBound + 1) / 2 } }
}

/// Draws clusters again and again to see how far a mean depends on which ones there were.
///
/// It draws from a stream of its own: the seeds of the sessions have no part in it, and every run
/// on every machine gives the same interval.
package enum Bootstrap {
  /// How often all clusters are drawn.
  package static let rounds = 1_000
  /// The most draws: with very many clusters there are fewer rounds, but never below a hundred.
  private static let drawsMax = 20_000_000

  /// Returns the mean difference and its 95 % interval, in parts of a unit; nil without sessions.
  ///
  /// Source: the percentile interval (Efron, 1979).
  package static func interval(
    _ all: [Cluster], purpose: String, parts: Int64 = 1
  ) -> Interval? {
    let clusters = all.filter { $0.count > 0 }
    let total = clusters.reduce(into: Cluster()) {
      $0.count += $1.count
      $0.sum += $1.sum
    }
    guard total.count > 0 else { return nil }
    let mean = Self.mean(total, parts)
    guard clusters.count > 1 else { return Interval(mean: mean, bounds: nil) }
    let rounds = max(100, min(rounds, drawsMax / clusters.count))
    var stream = RandomStream(seed: 1, component: "experiment", purpose: purpose)
    var means: [Int64] = []
    means.reserveCapacity(rounds)
    for _ in 0..<rounds {
      var drawn = Cluster()
      for _ in clusters {
        let cluster = clusters[Int(stream.next(below: UInt64(clusters.count)))]
        drawn.count += cluster.count
        drawn.sum += cluster.sum
      }
      means.append(Self.mean(drawn, parts))
    }
    means.sort()
    let edge = rounds / 40
    return Interval(mean: mean, bounds: means[edge]...means[rounds - 1 - edge])
  }

  /// Rounded to the nearest, half away from zero.
  private static func mean(_ cluster: Cluster, _ parts: Int64) -> Int64 {
    let count = Int128(cluster.count)
    let sum = cluster.sum * Int128(parts)
    let half = sum < 0 ? -count : count
    return Int64((sum * 2 + half) / (2 * count))
  }
}
