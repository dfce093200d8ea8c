/// What two contestants differ by in sessions in which all else was the same.
package struct Paired: Hashable, Sendable {
  /// What is compared; less is better in all of them.
  package enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// The wait before playback.
    case startup
    /// The time spent in stalls.
    case stalled
    /// Both.
    case waiting
    /// The stalls.
    case stallCount

    /// Returns the number of a row.
    package func value(in row: SessionRow) -> Int64 {
      switch self {
      case .startup: row.startup
      case .stalled: row.stalled
      case .waiting: row.waiting
      case .stallCount: row.stallCount
      }
    }

    /// Whether the number is a time, so that a margin of time applies.
    package var isTime: Bool { self != .stallCount }

    /// The parts of a unit in which means are told: nanoseconds are fine enough, and of stalls
    /// these are millionths, as most sessions have none or one.
    package var parts: Int64 { isTime ? 1 : 1_000_000 }
  }

  /// The differences by trace, or by group of seeds.
  package private(set) var clusters: [Cluster]
  /// The sessions in which less was lost than by the baseline.
  package private(set) var wins: Int64 = 0
  /// The sessions that were practically equal.
  package private(set) var ties: Int64 = 0
  /// The sessions in which more was lost.
  package private(set) var losses: Int64 = 0

  /// Creates the comparison of no sessions.
  init(clusterCount: Int) {
    clusters = Array(repeating: Cluster(), count: clusterCount)
  }

  /// Adds a difference to the baseline; within the margin it is none.
  mutating func add(_ difference: Int64, cluster: Int, margin: Int64) {
    clusters[cluster].add(difference)
    if abs(difference) <= margin {
      ties += 1
    } else if difference < 0 {
      wins += 1
    } else {
      losses += 1
    }
  }
}
