import AutowaitScenario

/// Writes rows, one in a line, in the one way that there is: equal rows are equal bytes.
package struct SessionRowWriter {
  private let plan: ExperimentPlan
  private let contestants: [String]
  private var world = -1
  private var worldNames: [String] = []
  private var writer = JSONWriter(capacity: 1_024)

  /// Creates a writer for the rows of an experiment.
  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    contestants = plan.contestantNames
  }

  private mutating func names(of unit: ExperimentUnit) -> [String] {
    if unit.world != world {
      world = unit.world
      worldNames = plan.worldNames(world)
    }
    return worldNames
  }

  /// Returns a row as an object of JSON in a line.
  package mutating func json(_ row: SessionRow) -> [UInt8] {
    let unit = plan.unit(of: row.key)
    let names = names(of: unit)
    writer.removeAll()
    writer.beginObject()
    writer.field("key", Int64(row.key.number))
    writer.field("contestant", text: contestants[plan.contestant(of: row.key)])
    for (axis, name) in zip(plan.worldAxes, names) {
      writer.key(text: axis.key)
      writer.string(text: name)
    }
    writer.field("seed", unit.seed)
    writer.field("outcome", text: row.outcome.rawValue)
    for column in RowColumn.allCases {
      writer.key(text: column.rawValue)
      writer.number(column.value(in: row), column.kind)
    }
    for (metric, value) in zip(plan.metrics, row.metrics) {
      writer.key(text: metric.rawValue)
      writer.number(value, metric.columnKind)
    }
    if !plan.expected.isEmpty { writer.field("missed", text: Self.numbers(row.missed)) }
    writer.field("fingerprint", text: Self.hexadecimal(row.fingerprint))
    if let problem = row.problem { writer.field("problem", text: problem) }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// The line that names the columns of a table with commas.
  package var csvHeader: [UInt8] {
    let columns = Self.columns(plan)
    return Array((columns.map(Self.cell).map(Self.quoted).joined(separator: ",") + "\n").utf8)
  }

  /// Returns a row as a line with commas (RFC 4180, with the line end of the rest of the world).
  package mutating func csv(_ row: SessionRow) -> [UInt8] {
    let unit = plan.unit(of: row.key)
    var fields = ["\(row.key.number)", contestants[plan.contestant(of: row.key)]]
    fields += names(of: unit)
    fields += ["\(unit.seed)", row.outcome.rawValue]
    for column in RowColumn.allCases { fields.append(text(column.value(in: row), column.kind)) }
    for (metric, value) in zip(plan.metrics, row.metrics) {
      fields.append(text(value, metric.columnKind))
    }
    if !plan.expected.isEmpty { fields.append(Self.numbers(row.missed)) }
    fields += [Self.hexadecimal(row.fingerprint), row.problem ?? ""]
    for place in fields.indices { fields[place] = Self.cell(fields[place]) }
    return Array((fields.map(Self.quoted).joined(separator: ",") + "\n").utf8)
  }

  /// The names of the columns of a table with commas.
  static func columns(_ plan: ExperimentPlan) -> [String] {
    ["key", "contestant"] + plan.worldAxes.map { $0.key } + ["seed", "outcome"]
      + RowColumn.allCases.map { $0.rawValue } + plan.metrics.map { $0.rawValue }
      + (plan.expected.isEmpty ? [] : ["missed"]) + ["fingerprint", "problem"]
  }

  /// The numbers of expectations that were not met, from 1.
  private static func numbers(_ missed: [Int]) -> String {
    missed.map { "\($0 + 1)" }.joined(separator: " ")
  }

  private func text(_ value: Int64?, _ kind: ColumnKind) -> String {
    value == nil ? "" : JSONWriter.text { $0.number(value, kind) }
  }

  /// Returns a digest as sixteen digits.
  package static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Returns a text as a cell that is no formula to a spreadsheet and no command to a terminal.
  ///
  /// It is printable, and stands behind an apostrophe if it begins as formulas do. A number stays
  /// one.
  static func cell(_ text: String) -> String {
    let shown = text.printableLine
    let marks = "=+-@\t\r＝＋－＠".unicodeScalars
    guard let first = text.unicodeScalars.first, marks.contains(first),
      ExactDecimal(shown.first == "+" ? String(shown.dropFirst()) : shown) == nil
    else { return shown }
    return "'" + shown
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
    if isPlain { return text }
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
}
