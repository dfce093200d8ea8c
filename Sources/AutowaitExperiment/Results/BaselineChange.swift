import AutowaitScenario

/// How the sessions of a contestant differ from what they came to when a baseline was saved.
package struct BaselineChange: Sendable {
  /// The figures that are held against each other.
  package static let figures: [SessionFigure] = [
    .metric(.timeSpentInInitialStartup), .metric(.timeSpentRecoveringFromStall),
    .metric(.stallCount),
  ]

  /// The sessions that the baseline has, too.
  package private(set) var sessions: Int64 = 0
  /// Those of which a figure is another one.
  package private(set) var changed: Int64 = 0
  /// The sums of the differences, by figure, and how many sessions have both.
  package private(set) var sums = figures.map { _ in Cluster() }

  mutating func add(_ row: SessionRow, _ saved: [Int64?], _ places: [Int?], _ metrics: [Metric]) {
    sessions += 1
    var isChanged = false
    for (index, figure) in Self.figures.enumerated() {
      guard let place = places[index] else { continue }
      let (now, before) = (figure.value(in: row, metrics), saved[place])
      if now != before { isChanged = true }
      if let now, let before { sums[index].add(now - before) }
    }
    if isChanged { changed += 1 }
  }

  /// Returns the mean difference of a figure, in its parts; nil if no session has both.
  package func mean(_ index: Int) -> Int64? {
    let sum = sums[index]
    if sum.count == 0 { return nil }
    let parts = Int128(Self.figures[index].meanParts)
    let count = Int128(sum.count)
    let half = sum.sum < 0 ? -count : count
    return Int64(clamping: (sum.sum * parts * 2 + half) / (2 * count))
  }
}

extension ExperimentResult {
  /// Holds the sessions of a unit against those of the saved baseline.
  mutating func compareWithSaved(_ rows: [SessionRow], _ unit: ExperimentUnit) {
    guard let saved = plan.saved else { return }
    let places = BaselineChange.figures.map { saved.figures.firstIndex(of: $0.word) }
    for (index, row) in rows.enumerated() where row.outcome != .error {
      let name = plan.savedName(contestants[index].name, in: unit)
      guard let before = saved.sessions[name] else { continue }
      changes[index].add(row, before, places, plan.metrics)
    }
  }
}
