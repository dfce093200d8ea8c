import Autowait
import AutowaitScenario

/// What a rule would have done in one session of many: a row of a table.
package struct FleetRow: Hashable, Sendable {
  /// What became of a session.
  package enum Status: String, CaseIterable, Sendable {
    /// It was reproduced, and asked about.
    case ok
    /// The recorded player's rule does not reproduce it.
    case notReproduced = "not-reproduced"
    /// It is no log, or does not say enough.
    case unusable
  }

  /// What the session is, whatever its file is called: a digest of the log, and its number in it.
  package var key: String
  package var status: Status
  /// What outputs call the session, and the rule; no rule for a session that was not asked about.
  package var session: String
  package var rule = ""
  package var form = ""
  /// The numbers, by ``columns``; nil for what is not known.
  package private(set) var values: [Int64?]

  /// The columns of numbers; those that end in `_s` count nanoseconds and are written as seconds.
  package static let columns = [
    "requests", "links", "logged_stalls", "logged_stalled_s", "refit_startup_s", "refit_stalls",
    "refit_stalled_s", "startup_s", "stalls", "stalled_s", "no_stall", "avoided", "of_stalls",
    "later_start_s", "stalled_more_s",
  ]
  /// The first line of a table.
  package static let header =
    "key,status," + columns.joined(separator: ",") + ",form,session,rule"

  package init(unusable session: String, key: String) {
    (self.key, self.session, status) = (key, session, .unusable)
    values = Self.columns.map { _ in nil }
  }

  /// Returns the rows of a session, one for each rule; a single one if it was not reproduced.
  package static func rows(_ report: WhatIfReport, key: String) -> [FleetRow] {
    if !report.refit.isReproduced {
      var row = FleetRow(unusable: report.log.name, key: key)
      row.status = .notReproduced
      row.form = report.log.form.rawValue
      return [row]
    }
    let own = report.recorded
    let logged = report.log.outcome.map { PlayedOutcome($0, until: report.horizon) }
    return report.rules.enumerated().map { place, rule in
      var row = FleetRow(unusable: report.log.name, key: key)
      (row.status, row.form, row.rule) = (.ok, report.log.form.rawValue, rule.choice.label)
      row.values = [
        Int64(report.log.requests.count), Int64(report.links.count),
        logged.map { Int64($0.stalls.count) }, logged.map(\.stalled.nanoseconds),
        own.startup?.median, own.stallCount?.median, own.stalled?.median,
        rule.startup?.median, rule.stallCount?.median, rule.stalled?.median, Int64(rule.smooth),
        report.stalls.reduce(0) { $0 + Int64($1.avoided[place]) }, Int64(report.stalls.count),
        rule.laterStart(than: own)?.median, rule.stalledMore(than: own)?.median,
      ]
      return row
    }
  }

  package func value(_ column: String) -> Int64? {
    Self.columns.firstIndex(of: column).flatMap { values[$0] }
  }

  // MARK: Lines

  package var csv: String {
    var cells = [key, status.rawValue]
    for (column, value) in zip(Self.columns, values) {
      guard let value else {
        cells.append("")
        continue
      }
      cells.append(column.hasSuffix("_s") ? Self.seconds(value) : "\(value)")
    }
    return (cells + [form, Self.quoted(session), Self.quoted(rule)]).joined(separator: ",")
  }

  /// Reads a line that ``csv`` wrote; nil for any other.
  package init?(csv line: String) {
    let cells = LogTable.cells(Array(line.utf8)[...], UInt8(ascii: ","))
    let count = Self.columns.count
    guard cells.count == count + 5, let status = Status(rawValue: cells[1]) else { return nil }
    (key, self.status) = (cells[0], status)
    (form, session, rule) = (cells[count + 2], cells[count + 3], cells[count + 4])
    values = []
    for (column, cell) in zip(Self.columns, cells[2...]) {
      if cell.isEmpty {
        values.append(nil)
        continue
      }
      let unit: Int64 = column.hasSuffix("_s") ? 1_000_000_000 : 1
      guard let decimal = ExactDecimal(cell),
        case .exact(let value) = decimal.integer(scaledBy: unit, allowingNegative: true)
      else { return nil }
      values.append(value)
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    (nanoseconds < 0 ? "-" : "") + Int64(clamping: nanoseconds.magnitude).fixedPoint(1_000_000_000)
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = !text.utf8.contains { ",\"\n\r".utf8.contains($0) }
    if isPlain { return text }
    var result = "\""
    for character in text { result += character == "\"" ? "\"\"" : String(character) }
    return result + "\""
  }
}
