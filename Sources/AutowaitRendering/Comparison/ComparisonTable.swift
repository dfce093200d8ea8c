import AutowaitExperiment
import AutowaitScenario

/// The cells of the tables of a comparison.
package struct ComparisonTable {
  /// A row and how it stands out.
  struct ComparisonRow {
    var cells: [String]
    var paint = Paint.plain
  }

  /// The titles of the columns.
  let head: [String]
  /// The rows: what was possible, then the contestants in their order.
  let rows: [ComparisonRow]

  private static let none = "-"
  /// What stands for a ratio to nothing.
  private static let undefined = "—"
  /// What stands behind the name of the contestant that others are held against.
  static let baselineMark = " (baseline)"

  /// What the sessions of each contestant came to.
  static func outcome(_ comparison: Comparison) -> ComparisonTable {
    table(comparison, outcomeHead(comparison)) { outcome($0, comparison) }
  }

  /// How good the picture of each contestant was; nil where there are no variants.
  static func quality(_ comparison: Comparison) -> ComparisonTable? {
    comparison.hasVariants ? table(comparison, qualityHead, quality) : nil
  }

  private static let qualityHead = ["kbit/s", "switches"]

  /// How each contestant differs from the baseline.
  static func differences(_ comparison: Comparison) -> ComparisonTable {
    table(comparison, differenceHead, difference)
  }

  /// The means of the metrics that the experiment asks for; nil if it asks for none.
  static func metrics(_ comparison: Comparison) -> ComparisonTable? {
    let metrics = comparison.result.plan.metrics
    if metrics.isEmpty { return nil }
    let head = metrics.map { metric in
      let unit =
        switch metric.unit {
        case .time: " s"
        case .bitRate: " kbit/s"
        case .count, .bytes, .ratio: ""
        }
      return TerminalText.shortened(metric.rawValue, columns: 26) + unit
    }
    return table(comparison, head) { entry in
      zip(metrics, entry.summary.metrics).map { metric, sketch in
        guard let mean = sketch.mean else { return none }
        switch metric.unit {
        case .time: return seconds(mean)
        case .bitRate: return fixed((Int128(mean) + 50) / 100, digits: 1)
        case .ratio: return percent(mean)
        case .count, .bytes: return hundredths(sketch.sum, of: sketch.count)
        }
      }
    }
  }

  /// The times of the columns of a histogram of startup, in seconds.
  ///
  /// CTA-2066 warns of averages, and leaves the buckets to who measures.
  private static let startups: [Int64] = [1, 2, 4, 8, 16, 32]

  /// How many in a hundred sessions started within each time, and not within the one before.
  static func histogram(_ comparison: Comparison) -> ComparisonTable {
    let head = startups.map { "≤ \($0) s" } + ["later", "never"]
    return table(comparison, head) { entry in
      let summary = entry.summary
      let all = summary.startup.count + summary.neverStarted
      var (cells, seen): ([String], Int64) = ([], 0)
      func add(_ count: Int64) {
        cells.append(all == 0 ? none : tenths(count, of: all))
      }
      for bound in startups {
        let count = summary.startup.count(notAbove: bound * 1_000_000_000)
        add(count - seen)
        seen = count
      }
      add(summary.startup.count - seen)
      add(summary.neverStarted)
      return cells
    }
  }

  /// How the contestants differ from the baseline that was saved; nil without one.
  static func changes(_ comparison: Comparison) -> ComparisonTable? {
    let result = comparison.result
    if result.changes.isEmpty { return nil }
    let rows = comparison.order.map { index in
      let change = result.changes[index]
      let means = BaselineChange.figures.indices.map { figure in
        guard let mean = change.mean(figure) else { return none }
        // Things are counted in millionths, of which seconds show two digits as well.
        return signed(BaselineChange.figures[figure].meanParts > 1 ? mean * 1_000 : mean)
      }
      let changed = "\(change.changed)/\(change.sessions)"
      return ComparisonRow(cells: [result.contestants[index].name] + means + [changed])
    }
    return ComparisonTable(
      head: ["since the baseline", "startup s", "stalled s", "stalls", "changed"], rows: rows)
  }

  /// All of these in one.
  static func whole(_ comparison: Comparison) -> ComparisonTable {
    let hasVariants = comparison.hasVariants
    let head = outcomeHead(comparison) + (hasVariants ? qualityHead : []) + differenceHead
    return table(comparison, head) {
      outcome($0, comparison) + (hasVariants ? quality($0) : []) + difference($0)
    }
  }

  /// Both, and how many times as long as the baseline's the startups took.
  static func relative(_ comparison: Comparison) -> ComparisonTable {
    let table = whole(comparison)
    let common = comparison.result.common
    let number = comparison.result.plan.baseline
    let baseline = common.costs(of: number)
    var ratios = comparison.clairvoyant == nil ? [] : [ratio(common.clairvoyantCosts, to: baseline)]
    for index in comparison.order {
      ratios.append(ratio(common.costs(of: index), to: baseline, isItself: index == number))
    }
    let rows = zip(table.rows, ratios).map { row, ratio in
      ComparisonRow(cells: row.cells + [ratio], paint: row.paint)
    }
    return ComparisonTable(head: table.head + [relativeHead], rows: rows)
  }

  /// The title of the column of ratios.
  static let relativeHead = "× startup"

  /// Returns the sum of startups by that of the baseline's, over the sessions that all started,
  /// with what the interval of the difference leaves open.
  private static func ratio(
    _ costs: CommonSessions.Costs?, to baseline: CommonSessions.Costs?, isItself: Bool = false
  ) -> String {
    guard let costs, let baseline, baseline.totals.startup > 0 else { return undefined }
    let whole = baseline.totals.startup
    let times = hundredths(costs.totals.startup, of: whole)
    guard !isItself, let half = costs.differences(to: baseline).startup?.halfWidth else {
      return times
    }
    return "\(times) ± \(hundredths(Int128(half) * Int128(costs.count), of: whole))"
  }

  private static func outcomeHead(_ comparison: Comparison) -> [String] {
    let errors = comparison.failing.isEmpty ? [] : ["errors"]
    return ["median", "p95 s", "never"] + errors + ["stalled", "stalls", "excess s"]
  }

  private static let differenceHead = ["difference s", "95 % interval", "won/even/lost", "same"]

  private static func table(
    _ comparison: Comparison, _ head: [String], _ cells: (Comparison.Entry) -> [String]
  ) -> ComparisonTable {
    var rows: [ComparisonRow] = []
    if let best = comparison.clairvoyant {
      rows.append(ComparisonRow(cells: [best.summary.name] + cells(best), paint: .green))
    }
    for index in comparison.order {
      let entry = comparison.entries[index]
      let name = entry.summary.name + (entry.isBaseline ? baselineMark : "")
      rows.append(
        ComparisonRow(cells: [name] + cells(entry), paint: entry.isBaseline ? .bold : .plain))
    }
    return ComparisonTable(head: ["contestant"] + head, rows: rows)
  }

  private static func outcome(_ entry: Comparison.Entry, _ comparison: Comparison) -> [String] {
    let summary = entry.summary
    let errors = comparison.failing.isEmpty ? [] : ["\(summary.errors)"]
    func text(_ value: Int64?) -> String { value.map(seconds) ?? none }
    return [
      text(summary.startup.quantile(perMille: 500)), text(summary.startup.quantile(perMille: 950)),
      "\(summary.neverStarted)",
    ] + errors + [
      summary.stalledShare.map(percent) ?? none,
      summary.valid == 0
        ? none : hundredths(summary.totals.stalls, of: summary.valid),
      text(summary.excessWait.mean),
    ]
  }

  private static func quality(_ entry: Comparison.Entry) -> [String] {
    guard let rate = entry.summary.bitRates.mean else { return [none, none] }
    let switches = entry.summary.switchCounts
    return ["\((rate + 500) / 1_000)", hundredths(switches.sum, of: switches.count)]
  }

  private static func difference(_ entry: Comparison.Entry) -> [String] {
    let paired = entry.summary.paired(.waiting)
    guard let difference = entry.difference(.waiting) else { return [none, none, none, none] }
    let bounds = difference.bounds.map { "\(signed($0.lowerBound)) … \(signed($0.upperBound))" }
    let sessions = paired.wins + paired.ties + paired.losses
    let same = ContestantSummary.share(entry.summary.identical, of: sessions)
    return [
      signed(difference.mean), bounds ?? none, "\(paired.wins)/\(paired.ties)/\(paired.losses)",
      same.map(percent) ?? none,
    ]
  }

  // MARK: Numbers

  /// Returns nanoseconds as seconds with two digits behind the point.
  package static func seconds(_ nanoseconds: Int64) -> String {
    let half: Int64 = nanoseconds < 0 ? -5_000_000 : 5_000_000
    let (sum, overflow) = nanoseconds.addingReportingOverflow(half)
    return fixed(Int128(overflow ? nanoseconds : sum) / 10_000_000, digits: 2)
  }

  /// Returns nanoseconds as seconds with their sign.
  static func signed(_ nanoseconds: Int64) -> String {
    let text = seconds(nanoseconds)
    if text == "-0.00" { return "0.00" }
    return nanoseconds > 0 && text != "0.00" ? "+" + text : text
  }

  /// Returns millionths as a percentage.
  static func percent(_ millionths: Int64) -> String {
    if millionths == 0 { return "0 %" }
    return fixed(Int128(millionths + 50) / 100, digits: 2) + " %"
  }

  /// Returns a mean of whole numbers that are not negative, with two digits behind the point.
  private static func hundredths(_ sum: Int128, of count: Int64) -> String {
    hundredths(sum, of: Int128(max(1, count)))
  }

  private static func hundredths(_ part: Int128, of whole: Int128) -> String {
    fixed((part * 200 + whole) / (2 * whole), digits: 2)
  }

  /// Returns a share as a percentage with a digit behind the point; nothing for none.
  private static func tenths(_ part: Int64, of whole: Int64) -> String {
    let (part, whole) = (Int128(part), Int128(whole))
    return part == 0 ? "·" : fixed((part * 2_000 + whole) / (2 * whole), digits: 1)
  }

  /// Returns a whole number of parts with so many digits behind the point.
  private static func fixed(_ value: Int128, digits: Int) -> String {
    var unit: Int128 = 1
    for _ in 0..<digits { unit *= 10 }
    let magnitude = value < 0 ? -value : value
    let fraction = "\(magnitude % unit)"
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return "\(value < 0 ? "-" : "")\(magnitude / unit).\(zeros)\(fraction)"
  }
}
