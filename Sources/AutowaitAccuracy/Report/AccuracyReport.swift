import Autowait

/// The cells of many cases, and what they come to.
package struct AccuracyReport {
  /// What many cells come to for one model.
  package struct ModelRow: Sendable {
    /// How many cells the model covers.
    package var count = 0
    /// The errors in hundredths of the measured median: of half the cells, of nine in ten, of all.
    package var half = 0.0
    package var nineTenths = 0.0
    package var worst = 0.0
    /// The mean error in hundredths.
    package var mean = 0.0
    /// The shares, in hundredths, of cells inside the bar of their kind, inside of the
    /// interval of the median alone, and within 5 and 10 %.
    package var inside = 0.0
    package var inInterval = 0.0
    package var withinFive = 0.0
    package var withinTen = 0.0
    /// The share of cells, of those whose runs differ by chance, whose slow runs are inside of
    /// those that were measured.
    package var tailsInside = 0.0
    /// The cells with a curve, and the share of them whose curve is within 5 %.
    package var curves = 0
    package var curvesInside = 0.0
  }

  /// The names of the models, in the order of the estimates.
  package let models: [String]
  /// All cells.
  package let cells: [AccuracyCell]

  /// Creates the report of cells that were computed.
  package init(models: [String], cells: [AccuracyCell]) {
    self.models = models
    self.cells = cells
  }

  /// Runs the models over cases.
  package init(
    _ cases: [MeasuredCase], by models: [Model], runs: Int = 100,
    losses: MeasuredCase.Losses = .own
  ) {
    self.init(
      models: models.map(\.name),
      cells: cases.flatMap { AccuracyCell.cells(of: $0, by: models, runs: runs, losses: losses) })
  }

  /// Returns what the cells that match come to for a model.
  package func row(_ model: Int, where matches: (AccuracyCell) -> Bool = { _ in true }) -> ModelRow
  {
    Self.row(cells.filter(matches).compactMap { $0.estimates[model] })
  }

  /// Returns what the cells that match come to for half of the runs, by which the others are
  /// predicted.
  package func ceiling(where matches: (AccuracyCell) -> Bool) -> ModelRow {
    Self.row(cells.filter(matches).compactMap(\.ceiling))
  }

  private static func row(_ estimates: [AccuracyCell.Estimate]) -> ModelRow {
    var row = ModelRow(count: estimates.count)
    if estimates.isEmpty { return row }
    let errors = estimates.map { abs($0.error) * 100 }
    row.half = Statistics.percentile(errors, 50)
    row.nineTenths = Statistics.percentile(errors, 90)
    row.worst = errors.max() ?? 0
    row.mean = errors.reduce(0, +) / Double(errors.count)
    row.inside = share(estimates) { $0.isInside }
    row.inInterval = share(estimates) { $0.isInInterval }
    row.withinFive = share(estimates) { abs($0.error) <= 0.05 }
    row.withinTen = share(estimates) { abs($0.error) <= 0.1 }
    row.tailsInside = share(estimates.compactMap(\.tail)) { $0.isInside }
    let curves = estimates.compactMap(\.curveError)
    row.curves = curves.count
    row.curvesInside = share(curves) { $0 <= 0.05 }
    return row
  }

  private static func share<Element>(
    _ elements: [Element], where matches: (Element) -> Bool
  ) -> Double {
    Double(elements.count { matches($0) }) * 100 / Double(max(1, elements.count))
  }
}
