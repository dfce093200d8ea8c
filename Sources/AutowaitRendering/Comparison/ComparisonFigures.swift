import AutowaitExperiment
import AutowaitFigures

/// Draws what an experiment came to.
package struct ComparisonFigures {
  private let comparison: Comparison
  private let palette: Palette
  /// The width of the pictures; nil for that of a page.
  private let width: Int?
  /// The most curves that can be told apart in one picture.
  private static let curvesMax = 8
  /// The most rows of a picture that lists contestants.
  private static let rowsMax = 40

  package init(_ comparison: Comparison, width: Int? = nil) {
    self.comparison = comparison
    self.width = width
    palette = Palette(
      (comparison.entries + (comparison.clairvoyant.map { [$0] } ?? [])).map { $0.summary.name },
      references: comparison.clairvoyant.map { [$0.summary.name] } ?? [],
      first: Self.curveEntries(comparison).map { $0.summary.name })
  }

  /// Whom the figures leave out, in a sentence; nil if they show all contestants.
  static func leftOut(of comparison: Comparison) -> String? {
    guard comparison.entries.count > curvesMax else { return nil }
    return "The curves are those of \(curvesMax) contestants: of the first in the table, and of "
      + "the baseline."
  }

  /// All figures, the one that answers most first.
  package var all: [Figure] {
    var figures = [scatter, startups, waits].compactMap { $0 }
    figures += heatMaps
    if comparison.entries.count > 1 { figures.append(tally) }
    return figures
  }

  // MARK: Startup against stalling

  /// One population for all points: the sessions that started under every contestant.
  private var scatter: Figure? {
    let common = comparison.result.common
    let baseline = comparison.result.plan.baseline
    let shown = comparison.order.filter { common.costs(of: $0) != nil }
    // The baseline is shown in any case.
    let chosen = shown.prefix(Self.rowsMax)
    let all = chosen.contains(baseline) ? chosen[...] : shown.filter { $0 == baseline } + chosen
    var points = all.compactMap { index in
      common.costs(of: index).map { point(comparison.entries[index].summary.name, $0) }
    }
    if points.isEmpty { return nil }
    if let best = comparison.clairvoyant, common.clairvoyant.count == common.count {
      points.append(point(best.summary.name, common.clairvoyant))
    }
    var chart = ScatterChart(
      title: "Startup against stalling",
      x: FigureAxis("mean startup", .time), y: FigureAxis("mean time in stalls", .time),
      points: points, palette: palette)
    let count = Plural.text(Int(common.count), "session")
    chart.caption =
      "Means of the \(count) of each that started under all \(comparison.entries.count) "
      + "contestants."
    chart.baseline = comparison.entries[baseline].summary.name
    chart.references = comparison.clairvoyant.map { [$0.summary.name] } ?? []
    return chart.figure(width: width)
  }

  /// A contestant's means.
  ///
  /// The interval is that of the difference to the baseline, which is what can be told.
  private func point(_ name: String, _ costs: CommonSessions.Costs) -> ScatterChart.Dot {
    let base = comparison.result.common.costs(of: comparison.result.plan.baseline)
    func estimate(_ value: Int64, _ origin: Int64?, _ difference: Interval?) -> Estimate {
      guard let origin, let bounds = difference?.bounds else { return Estimate(value) }
      let (least, most) = (origin + bounds.lowerBound, origin + bounds.upperBound)
      // What is added to the baseline's mean may be more than there is: no time is below zero.
      return Estimate(value, interval: max(0, min(least, value))...max(most, value))
    }
    let differences = costs.differences(to: base)
    let isBaseline = name == comparison.entries[comparison.result.plan.baseline].summary.name
    return ScatterChart.Dot(
      name,
      x: estimate(
        costs.meanStartup, base?.meanStartup, isBaseline ? nil : differences.startup),
      y: estimate(costs.meanStalled, base?.meanStalled, isBaseline ? nil : differences.stalled))
  }

  // MARK: Distributions

  private var startups: Figure {
    curves("How long it takes to start", "startup") { $0.startup }
  }

  private var waits: Figure {
    comparison.clairvoyant == nil
      ? curves("How long playback is stalled", "time in stalls") { $0.stalled }
      : curves("How much longer than it had to", "waiting beyond the best possible") {
        $0.excessWait
      }
  }

  /// The contestants that let people wait least, and the baseline.
  private static func curveEntries(_ comparison: Comparison) -> [Comparison.Entry] {
    var chosen = Array(comparison.order.prefix(Self.curvesMax))
    let baseline = comparison.result.plan.baseline
    if !chosen.contains(baseline) { chosen[chosen.count - 1] = baseline }
    return chosen.map { comparison.entries[$0] }
  }

  private func curves(
    _ title: String, _ axis: String, _ sketch: (ContestantSummary) -> QuantileSketch
  ) -> Figure {
    let curves = Self.curveEntries(comparison).map { entry in
      let summary = entry.summary
      let sketch = sketch(summary)
      // A curve of so many steps is as smooth as the screen.
      let count = min(sketch.count, 400)
      let values = (0..<count).compactMap { step in
        sketch.quantile(perMille: (2 * step + 1) * 1_000 / (2 * max(1, count)))
      }
      let missing = (summary.valid - sketch.count) * count / max(1, sketch.count)
      return CurveChart.Curve(summary.name, values: values, missing: Int(missing))
    }
    return CurveChart(title: title, x: FigureAxis(axis, .time), curves: curves, palette: palette)
      .figure(width: width)
  }

  // MARK: Heat maps

  /// Who waits how long on which links; and for the contestant that waits least, also by duration.
  private var heatMaps: [Figure] {
    let sensitivity = comparison.result.sensitivity
    let (durations, ratios) = (
      0...Sensitivity.durationBounds.count, 0...Sensitivity.ratioBounds.count
    )
    func sum(_ fields: [Sensitivity.Field]) -> Int64? {
      let sessions = fields.reduce(0) { $0 + $1.sessions }
      if sessions == 0 { return nil }
      let waits = fields.reduce(Int128(0)) { $0 + waiting($1) }
      return Int64(clamping: waits / Int128(sessions))
    }
    let used = ratios.filter { ratio in
      durations.contains { duration in
        comparison.entries.indices.contains {
          sensitivity.field(contestant: $0, duration: duration, ratio: ratio).sessions > 0
        }
      }
    }
    if used.isEmpty { return [] }
    var map = HeatMap(
      title: "Who waits where", columnTitle: "mean rate of the link ÷ rate of the media",
      rowTitle: "contestant", axis: FigureAxis(waitingWords, .time))
    map.columns = used.map(Self.ratioName)
    for index in comparison.order.prefix(Self.rowsMax) {
      map.rows.append(comparison.entries[index].summary.name)
      map.cells.append(
        used.map { ratio in
          sum(durations.map { sensitivity.field(contestant: index, duration: $0, ratio: ratio) })
        })
    }
    var figures = [map.figure(width: width)]
    let best = comparison.order.first ?? 0
    let rows = durations.filter { duration in
      used.contains {
        sensitivity.field(contestant: best, duration: duration, ratio: $0).sessions > 0
      }
    }
    if rows.count > 1 {
      var map = HeatMap(
        title: "Where \(comparison.entries[best].summary.name) waits",
        columnTitle: "mean rate of the link ÷ rate of the media", rowTitle: "duration",
        axis: FigureAxis(waitingWords, .time))
      map.columns = used.map(Self.ratioName)
      map.rows = rows.map(Self.durationName)
      map.cells = rows.map { duration in
        used.map { sum([sensitivity.field(contestant: best, duration: duration, ratio: $0)]) }
      }
      figures.append(map.figure(width: width))
    }
    return figures
  }

  private var waitingWords: String {
    comparison.clairvoyant == nil ? "mean waiting" : "mean waiting beyond the best possible"
  }

  private func waiting(_ field: Sensitivity.Field) -> Int128 {
    comparison.clairvoyant == nil ? field.startup + field.stalled : field.excessWait
  }

  private static func ratioName(_ place: Int) -> String {
    let bounds = Sensitivity.ratioBounds
    if place == 0 { return "< " + Measure.ratio.text(bounds[0]) }
    return "≥ " + Measure.ratio.text(bounds[place - 1])
  }

  private static func durationName(_ place: Int) -> String {
    let bounds = Sensitivity.durationBounds
    if place == 0 { return "< \(bounds[0]) s" }
    return "≥ \(bounds[place - 1]) s"
  }

  // MARK: Better and worse

  private var tally: Figure {
    let name = comparison.entries[comparison.result.plan.baseline].summary.name
    let rows = comparison.order.prefix(Self.rowsMax).compactMap {
      index -> WinLossChart.WinLossCount? in
      let entry = comparison.entries[index]
      if entry.isBaseline { return nil }
      let paired = entry.summary.paired(.waiting)
      return WinLossChart.WinLossCount(
        entry.summary.name, wins: Int(paired.wins), ties: Int(paired.ties),
        losses: Int(paired.losses))
    }
    return WinLossChart(title: "Sessions better and worse than with \(name)", rows: rows)
      .figure(width: width)
  }
}
