import AutowaitScenario

/// The figures of rows.
extension SessionFigure {
  /// Returns the figure of a row; nil where nothing was measured, or the session could not be run.
  ///
  /// A session that never started has no startup, however long it waited for one.
  package func value(in row: SessionRow, _ metrics: [Metric]) -> Int64? {
    if row.outcome == .error { return nil }
    switch self {
    case .metric(.timeSpentInInitialStartup): return row.isStarted ? row.startup : nil
    case .metric(let metric):
      if let column = RowColumn(rawValue: metric.rawValue) { return column.value(in: row) }
      return metrics.firstIndex(of: metric).flatMap { row.metrics[$0] }
    case .comparison(let number):
      return RowColumn(rawValue: number.rawValue).flatMap { $0.value(in: row) }
    }
  }

  /// How the figure is written in rows.
  package var columnKind: ColumnKind {
    switch unit {
    case .ratio: .ratio
    case .count, .bytes, .bitRate: .count
    case .time: .time
    }
  }
}
