import Autowait

/// The report as a text of at most 100 columns.
package struct AccuracyText {
  private let report: AccuracyReport
  /// The lines so far.
  package private(set) var lines: [String] = []

  /// Writes the tables of a report.
  package init(_ report: AccuracyReport) {
    self.report = report
  }

  /// The text with a line feed behind each line.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Writes the errors by kind of cell.
  package mutating func writeKinds() {
    lines.append("error of the median in % of the measured median, and % of cells inside their bar")
    lines.append(
      Self.left("", 20) + Self.right("", 6)
        + report.models.map { Self.left("  | \($0)", 26) }.joined())
    lines.append(
      Self.left("", 20) + Self.right("cells", 6)
        + report.models.map { _ in "  |  p50   p90  worst   in" }.joined())
    for kind in AccuracyKind.allCases {
      writeErrors(kind.rawValue) { $0.kind == kind && $0.sender != .bbr }
      writeErrors("\(kind.rawValue), BBR") { $0.kind == kind && $0.sender == .bbr }
    }
    writeErrors("all") { _ in true }
  }

  /// Writes the shares within 5 and 10 % by part of the measurements.
  package mutating func writeGroups() {
    lines.append("cells within 5 and 10 % of the measured median, in %")
    lines.append(
      Self.left("", 20) + Self.right("cells", 6)
        + report.models.map { Self.left("  | \($0)", 20) }.joined())
    var groups: [String] = []
    for cell in report.cells where !groups.contains(cell.group) { groups.append(cell.group) }
    for group in groups.sorted() { writeShares(group) { $0.group == group } }
    writeShares("all") { _ in true }
  }

  /// Writes how well the arrival of bytes is foretold.
  package mutating func writeCurves() {
    lines.append("cells whose tenths all arrive within 5 % of the download time, in %")
    for kind in AccuracyKind.allCases where kind != .parallel && kind != .parallelLoss {
      writeCurves(kind.rawValue) { $0.kind == kind && $0.sender != .bbr }
      writeCurves("\(kind.rawValue), BBR") { $0.kind == kind && $0.sender == .bbr }
    }
  }

  /// Writes the cells that a model gets most wrong.
  package mutating func writeWorst(_ model: Int, count: Int) {
    lines.append("worst of \(report.models[model]): error, model and measured ms, cell")
    let cells = report.cells.filter { $0.estimates[model] != nil }
    let sorted = cells.sorted { Self.severity($0, model) > Self.severity($1, model) }
    for cell in sorted.prefix(count) {
      guard let estimate = cell.estimates[model] else { continue }
      let range = cell.interval ?? cell.request.range
      lines.append(
        Self.right(Self.percent(estimate.error * 100) + " %", 10)
          + Self.right(Self.fixed(estimate.median, 1), 11)
          + Self.right(Self.fixed(cell.request.median, 1), 11)
          + " [\(Self.fixed(range.lowerBound, 1))…\(Self.fixed(range.upperBound, 1))]"
          + (estimate.isInside ? "   " : " ! ") + "\(cell.kind.rawValue): \(cell.name)")
    }
  }

  /// Cells outside their bar come first, the largest errors before others.
  private static func severity(_ cell: AccuracyCell, _ model: Int) -> Double {
    guard let estimate = cell.estimates[model] else { return 0 }
    return abs(estimate.error) + (estimate.isInside ? 0 : 1_000)
  }

  /// Writes an empty line.
  package mutating func writeGap() { lines.append("") }

  private mutating func writeErrors(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let count = report.cells.count(where: matches)
    if count == 0 { return }
    let columns = report.models.indices.map { model in
      let row = report.row(model, where: matches)
      if row.count == 0 { return "  |" + Self.right("–", 12) + Self.left("", 11) }
      return "  |" + Self.right(Self.percent(row.half), 5)
        + Self.right(Self.percent(row.nineTenths), 6)
        + Self.right(Self.percent(row.worst), 7) + Self.right(Self.fixed(row.inside, 0), 5)
    }
    lines.append(Self.left(name, 20) + Self.right("\(count)", 6) + columns.joined())
  }

  private mutating func writeShares(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let columns = report.models.indices.map { model in
      let row = report.row(model, where: matches)
      if row.count == 0 { return "  |" + Self.right("–", 9) + Self.left("", 8) }
      return "  |" + Self.right(Self.fixed(row.withinFive, 0), 9)
        + Self.right(Self.fixed(row.withinTen, 0), 8)
    }
    let count = report.cells.count(where: matches)
    lines.append(Self.left(name, 20) + Self.right("\(count)", 6) + columns.joined())
  }

  private mutating func writeCurves(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let rows = report.models.indices.map { report.row($0, where: matches) }
    guard let count = rows.map(\.curves).max(), count > 0 else { return }
    let columns = rows.map { row in
      "  |" + Self.right(row.curves == 0 ? "–" : Self.fixed(row.curvesInside, 0), 9)
        + Self.left("", 8)
    }
    lines.append(Self.left(name, 20) + Self.right("\(count)", 6) + columns.joined())
  }

  // MARK: Numbers

  /// A number with some digits behind the point, rounded half up.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    if !value.isFinite { return "failed" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let count = Int64((abs(value) * scale + 0.5).rounded(.down))
    let sign = value < 0 && count > 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(count)" }
    let whole = count / Int64(scale)
    let rest = String(count % Int64(scale))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.utf8.count))\(rest)"
  }

  /// A share in hundredths: a digit behind the point where it says something.
  static func percent(_ value: Double) -> String {
    fixed(value, abs(value) < 99.95 ? 1 : 0)
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
