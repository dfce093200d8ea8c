import AutowaitScenario

/// A number of a session that thresholds can be about.
package enum SessionFigure: Hashable, Sendable {
  /// A metric of the player.
  case metric(Metric)
  /// What a session is held against, and what follows from that.
  case comparison(Comparison)

  /// The numbers of rows that are no metrics.
  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case watchedTime, yardstick, excessWait, avoidableStalls
  }

  /// All figures, metrics first.
  static let all: [SessionFigure] =
    Metric.allCases.map { .metric($0) } + Comparison.allCases.map { .comparison($0) }

  /// The word by which files and rows call it.
  package var word: String {
    switch self {
    case .metric(let metric): metric.rawValue
    case .comparison(let number): number.rawValue
    }
  }

  /// What its number counts.
  package var unit: Metric.NumberUnit {
    switch self {
    case .metric(let metric): metric.unit
    case .comparison(.avoidableStalls): .count
    case .comparison: .time
    }
  }

  /// The parts of a unit in which its mean is told: of things these are millionths, as most
  /// sessions have few or none.
  package var meanParts: Int64 { unit == .count ? 1_000_000 : 1 }

  /// Whether it is zero of any session in which nothing plays.
  var needsPlayback: Bool {
    switch self {
    case .metric(let metric): metric.traits.contains(.needsPlayback)
    case .comparison: false
    }
  }
}
