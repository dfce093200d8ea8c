import Autowait

/// The report as a text of at most 100 columns.
package struct AccuracyText {
  private let report: AccuracyReport
  /// The lines so far.
  private var lines: [String] = []

  /// Writes the tables of a report.
  package init(_ report: AccuracyReport) {
    self.report = report
  }

  /// The text with a line feed behind each line.
  package var text: String {
    lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  /// Writes the errors by kind of cell.
  package mutating func writeKinds() {
    writeErrorsHeading()
    for kind in AccuracyKind.allCases {
      writeErrors(kind.rawValue) { $0.kind == kind && $0.sender != .bbr }
      writeErrors("\(kind.rawValue), BBR") { $0.kind == kind && $0.sender == .bbr }
    }
    writeErrors("all") { _ in true }
  }

  /// Writes how well half of the runs predict the others, by kind of cell: no model can be asked
  /// for more.
  package mutating func writeCeiling() {
    lines.append("error of half of the runs in % of the others, and % of cells inside their bar")
    lines.append(Self.left("", 24) + "cells |  p50   p90 worst  in")
    for kind in AccuracyKind.allCases {
      writeCeiling(kind.rawValue) { $0.kind == kind && $0.sender != .bbr }
      writeCeiling("\(kind.rawValue), BBR") { $0.kind == kind && $0.sender == .bbr }
    }
    writeCeiling("all") { _ in true }
  }

  private mutating func writeCeiling(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let row = report.ceiling(where: matches)
    if row.count == 0 { return }
    lines.append(Self.left(name, 24) + Self.right("\(row.count)", 5) + Self.columns(row))
  }

  /// Writes what is asked of a model next to what it reaches: of loss-based senders, of BBR, and
  /// of all.
  package mutating func writeBars(_ model: Int) {
    lines.append("what is asked of the model \(report.models[model]), in %")
    lines.append(Self.left("", 43) + " asked  CUBIC, Reno     BBR     all")
    let losses: [AccuracyKind] = [.loss, .parallelLoss]
    writeBar(model, "clean: within 1 % or 1 ms", 97, [.clean], \.inside)
    writeBar(model, "clean: within 5 %", 99, [.clean], \.withinFive)
    writeBar(model, "bimodal: inside of the runs ± 5 %", 100, [.bimodal], \.inside)
    writeBar(model, "loss: median inside its interval", 90, [.loss], \.inInterval)
    writeBar(model, "loss: the same, ± 1 % or 1 ms", 95, [.loss], \.inside)
    writeBar(model, "parallel, loss: the same", 95, [.parallelLoss], \.inside)
    writeBar(model, "losses: p90 inside the measured runs", 90, losses, \.tailsInside)
    writeBar(model, "parallel: within 5 %", 85, [.parallel], \.inside)
    writeBar(model, "jitter, order, bursts: mean error, at most", 3, [.varying], \.mean)
    writeBar(model, "jitter, order, bursts: p90 inside", 90, [.varying], \.tailsInside)
    writeBar(model, "outages, steps: within 5 %", 95, [.changing], \.inside)
    // Of runs that differ, the tenths differ too.
    writeBar(
      model, "clean, outages, steps: tenths within 5 %", 90, [.clean, .changing], \.curvesInside)
  }

  /// Writes what was asked of a model that is used only where it is good enough.
  package mutating func writeLimits(_ model: Int) {
    let count = report.row(model) { $0.size.bytes >= 50_000 }.count
    lines.append(
      "what is asked of the model \(report.models[model]), in %: its \(count) cells from 50 kB on")
    lines.append(Self.left("", 43) + " asked  CUBIC, Reno  with BBR")
    writeLimit(model, "mean error", 2, \.mean)
    writeLimit(model, "worst error", 10, \.worst)
  }

  private mutating func writeLimit(
    _ model: Int, _ name: String, _ asked: Int, _ error: (AccuracyReport.ModelRow) -> Double
  ) {
    let some = report.row(model) { $0.size.bytes >= 50_000 && $0.sender != .bbr }
    let all = report.row(model) { $0.size.bytes >= 50_000 }
    writeAsked(name, asked, error(some), error(all))
  }

  private mutating func writeBar(
    _ model: Int, _ name: String, _ asked: Int, _ kinds: [AccuracyKind],
    _ share: (AccuracyReport.ModelRow) -> Double
  ) {
    let lossBased = report.row(model) { kinds.contains($0.kind) && $0.sender != .bbr }
    let bbr = report.row(model) { kinds.contains($0.kind) && $0.sender == .bbr }
    let all = report.row(model) { kinds.contains($0.kind) }
    func column(_ row: AccuracyReport.ModelRow) -> String {
      Self.right(row.count == 0 ? "–" : Self.fixed(share(row), 1), 8)
    }
    lines.append(
      Self.left(name, 43) + Self.right("\(asked)", 6) + "     " + column(lossBased) + column(bbr)
        + column(all))
  }

  private mutating func writeAsked(_ name: String, _ asked: Int, _ some: Double, _ all: Double) {
    lines.append(
      Self.left(name, 43) + Self.right("\(asked)", 6) + Self.right(Self.fixed(some, 1), 13)
        + Self.right(Self.fixed(all, 1), 10))
  }

  /// Writes the errors of another report by kind of cell; with a model also what is asked of it.
  package mutating func writeKinds(
    of other: AccuracyReport, _ title: String, bars model: Int? = nil
  ) {
    var text = AccuracyText(other)
    text.writeKinds()
    text.writeGap()
    text.writeCeiling()
    if let model {
      text.writeGap()
      text.writeTails(model)
      text.writeGap()
      text.writeBars(model)
    }
    lines.append(title)
    lines += text.lines
  }

  /// Writes the errors by link and kind of cell.
  package mutating func writeProfiles() {
    writeErrorsHeading()
    for profile in Self.distinct(report.cells.map(\.profile)) {
      for kind in AccuracyKind.allCases {
        writeErrors("\(profile) \(kind.rawValue)") { $0.profile == profile && $0.kind == kind }
      }
    }
    writeErrors("all") { _ in true }
  }

  /// Writes the shares within 5 and 10 % by part of the measurements.
  package mutating func writeGroups() {
    lines.append("cells within 5 and 10 % of the measured median, in %")
    lines.append(
      Self.left("", 24) + Self.right("cells", 5)
        + report.models.map { Self.left(" | \($0)", 19) }.joined())
    for group in Self.distinct(report.cells.map(\.group)) {
      writeShares(group) { $0.group == group }
    }
    writeShares("all") { _ in true }
  }

  /// Writes how well the arrival of bytes is predicted.
  package mutating func writeCurves() {
    lines.append("cells whose tenths all arrive within 5 % of the download time, in %")
    for kind in AccuracyKind.allCases where kind != .parallel && kind != .parallelLoss {
      writeCurves(kind.rawValue) { $0.kind == kind && $0.sender != .bbr }
      writeCurves("\(kind.rawValue), BBR") { $0.kind == kind && $0.sender == .bbr }
    }
  }

  /// Writes how the slow runs of a model compare with those measured, where packets are lost.
  ///
  /// A median says nothing of them. A model runs oftener than was measured, and so its slowest run
  /// is rather slower.
  package mutating func writeTails(_ model: Int) {
    lines.append(
      "slow runs of the model \(report.models[model]): the error of the 90th percentile in %, and")
    lines.append("the slowest run as a multiple of the slowest measured")
    lines.append(
      Self.left("", 24) + "cells |  p50   p90 worst |  p50   p90 worst")
    for kind in [AccuracyKind.loss, .parallelLoss, .varying] {
      for isBBR in [false, true] {
        let tails = report.cells.filter { $0.kind == kind && ($0.sender == .bbr) == isBBR }
          .compactMap { $0.estimates[model]?.tail }
        if tails.isEmpty { continue }
        func columns(_ values: [Double], _ text: (Double) -> String) -> String {
          let worst = [
            Statistics.percentile(values, 50), Statistics.percentile(values, 90),
            values.max() ?? 0,
          ]
          return " |" + Self.right(text(worst[0]), 5) + Self.right(text(worst[1]), 6)
            + Self.right(text(worst[2]), 6)
        }
        lines.append(
          Self.left(kind.rawValue + (isBBR ? ", BBR" : ""), 24) + Self.right("\(tails.count)", 5)
            + columns(tails.map { abs($0.error) * 100 }, Self.percent)
            + columns(tails.map(\.slowest)) { Self.fixed($0, 2) })
      }
    }
  }

  /// Writes the cells that a model gets most wrong.
  package mutating func writeWorst(
    _ model: Int, count: Int, of other: AccuracyReport? = nil
  ) {
    let report = other ?? report
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

  private static func distinct(_ names: [String]) -> [String] {
    var found: [String] = []
    for name in names where !found.contains(name) { found.append(name) }
    return found.sorted()
  }

  private mutating func writeErrorsHeading() {
    lines.append("error of the median in % of the measured median, and % of cells inside their bar")
    lines.append(
      Self.left("", 29)
        + report.models.map { Self.left(" | \($0)", 23) }.joined())
    lines.append(
      Self.left("", 24) + Self.right("cells", 5)
        + report.models.map { _ in " |  p50   p90 worst  in" }.joined())
  }

  private mutating func writeErrors(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let count = report.cells.count(where: matches)
    if count == 0 { return }
    let columns = report.models.indices.map { model in
      let row = report.row(model, where: matches)
      if row.count == 0 { return " |" + Self.right("–", 5) + Self.left("", 16) }
      return Self.columns(row)
    }
    lines.append(Self.left(name, 24) + Self.right("\(count)", 5) + columns.joined())
  }

  private static func columns(_ row: AccuracyReport.ModelRow) -> String {
    " |" + right(percent(row.half), 5) + right(percent(row.nineTenths), 6)
      + right(percent(row.worst), 6) + right(fixed(row.inside, 0), 4)
  }

  private mutating func writeShares(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let columns = report.models.indices.map { model in
      let row = report.row(model, where: matches)
      if row.count == 0 { return " |" + Self.right("–", 9) + Self.left("", 8) }
      return " |" + Self.right(Self.fixed(row.withinFive, 0), 9)
        + Self.right(Self.fixed(row.withinTen, 0), 8)
    }
    let count = report.cells.count(where: matches)
    lines.append(Self.left(name, 24) + Self.right("\(count)", 5) + columns.joined())
  }

  private mutating func writeCurves(_ name: String, where matches: (AccuracyCell) -> Bool) {
    let rows = report.models.indices.map { report.row($0, where: matches) }
    guard let count = rows.map(\.curves).max(), count > 0 else { return }
    let columns = rows.map { row in
      " |" + Self.right(row.curves == 0 ? "–" : Self.fixed(row.curvesInside, 0), 9)
        + Self.left("", 8)
    }
    lines.append(Self.left(name, 24) + Self.right("\(count)", 5) + columns.joined())
  }

  // MARK: Numbers

  /// A number with some digits behind the point, rounded half up.
  package static func fixed(_ value: Double, _ digits: Int) -> String {
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

  package static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  package static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
