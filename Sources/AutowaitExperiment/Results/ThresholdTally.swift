import Autowait
import AutowaitScenario

/// What is counted of the sessions of a contestant for one threshold.
///
/// Sums are whole and wide, and what is kept does not grow with the number of sessions.
struct ThresholdTally: Sendable {
  /// The sessions that the threshold selects.
  private(set) var selected: Int64 = 0
  /// Those that could be run.
  private(set) var valid: Int64 = 0
  /// Those in which playback began.
  private(set) var started: Int64 = 0
  /// Those in which the figure was measured.
  private(set) var measured: Int64 = 0
  /// The sum of the figures.
  private(set) var sum: Int128 = 0
  /// The least figure.
  private(set) var least: Int64?
  /// The greatest figure, and the first session that has it.
  private(set) var most: (value: Int64, key: SessionKey)?
  /// The sessions that count for a share, and the first of them.
  private(set) var holding: (count: Int64, first: SessionKey?) = (0, nil)
  /// The figures, for quantiles.
  private(set) var sketch = QuantileSketch()
  /// The differences, by what is drawn for intervals.
  private(set) var clusters: [Cluster]
  /// The sum of the figures that differences are to.
  private(set) var referenceSum: Int128 = 0

  init(_ threshold: Threshold, clusterCount: Int) {
    let isDifference = if case .difference = threshold.statistic { true } else { false }
    clusters = Array(repeating: Cluster(), count: isDifference ? clusterCount : 0)
  }

  /// The sessions that were held against others.
  var pairs: Int64 { clusters.reduce(0) { $0 + $1.count } }

  /// The sum of the differences.
  var differenceSum: Int128 { clusters.reduce(0) { $0 + $1.sum } }

  /// Adds a session, with the figure that its own is held against, if there is one.
  mutating func add(
    _ row: SessionRow, _ value: Int64?, _ threshold: Threshold, reference: Int64?, cluster: Int
  ) {
    selected += 1
    if row.outcome == .error { return }
    valid += 1
    if row.isStarted { started += 1 }
    if case .outcomes(let outcomes) = threshold.subject {
      if outcomes.contains(row.outcome) { hold(row.key) }
      return
    }
    guard let value else { return }
    measured += 1
    sum += Int128(value)
    least = min(least ?? value, value)
    if most.map({ $0.value < value }) ?? true { most = (value, row.key) }
    switch threshold.statistic {
    case .share(let bounds):
      if bounds.allSatisfy({ $0.comparison.holds(value, $0.limit) }) { hold(row.key) }
    case .quantile: sketch.add(value)
    case .difference:
      guard let reference else { return }
      clusters[cluster].add(value - reference)
      referenceSum += Int128(reference)
    case .mean, .least, .most: break
    }
  }

  private mutating func hold(_ key: SessionKey) {
    holding = (holding.count + 1, holding.first ?? key)
  }
}

extension ExperimentResult {
  /// Counts the sessions of a unit for the thresholds that select it.
  mutating func tally(_ rows: [SessionRow], _ unit: ExperimentUnit, cluster: Int) {
    for (number, threshold) in plan.thresholds.enumerated() {
      guard threshold.selection.selects(unit, in: plan) else { continue }
      let figure = threshold.figure
      for place in tallies[number].indices {
        let contestant = tallies[number][place].contestant
        let row = rows[contestant]
        tallies[number][place].tally.add(
          row, figure?.value(in: row, plan.metrics), threshold,
          reference: reference(of: threshold, contestant, rows, unit), cluster: cluster)
      }
    }
  }

  /// Returns the figure that a session's own is held against; nil if there is none.
  private func reference(
    of threshold: Threshold, _ contestant: Int, _ rows: [SessionRow], _ unit: ExperimentUnit
  ) -> Int64? {
    guard case .difference(let difference) = threshold.statistic, let figure = threshold.figure
    else { return nil }
    switch difference.reference {
    case .baseline: return figure.value(in: rows[plan.baseline], plan.metrics)
    case .saved:
      guard let saved = plan.saved, let place = saved.figures.firstIndex(of: figure.word)
      else { return nil }
      return saved.sessions[plan.savedName(contestants[contestant].name, in: unit)]?[place]
    }
  }
}
