import AutowaitScenario

/// Why a line is no row of an experiment.
package struct RowError: Error, Hashable, Sendable {
  /// The reason, in lower case and without a full stop.
  package let reason: String

  /// Creates the error.
  package init(_ reason: String) {
    self.reason = reason
  }
}

/// Reads rows back that were written by ``SessionRowWriter``.
package struct SessionRowReader {
  private let plan: ExperimentPlan
  private let contestants: [String]

  /// Creates a reader for the rows of an experiment.
  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    contestants = plan.contestantNames
  }

  /// Reads a line of JSON.
  package func row(json line: [UInt8]) throws(RowError) -> SessionRow {
    guard let root = Findings(SourceText(path: "", bytes: line)).parseJSON(depthMax: 4),
      root.kind == .object
    else { throw RowError("the line is not a JSON object") }
    func text(_ key: String) throws(RowError) -> String? {
      guard let value = root.member(key) else { throw RowError("the key '\(key)' is missing") }
      if value.kind == .null { return nil }
      return value.string ?? String(decoding: value.source.bytes[value.range], as: UTF8.self)
    }
    let problem = root.member("problem")?.string
    return try row(problem: problem, as: { $0 }) { key throws(RowError) in try text(key) }
  }

  /// Reads a line with commas.
  package func row(csv line: [UInt8]) throws(RowError) -> SessionRow {
    let fields = Self.fields(line)
    let columns = SessionRowWriter.columns(plan)
    guard fields.count == columns.count else {
      throw RowError("the line has \(fields.count) fields, not \(columns.count)")
    }
    let problem = fields.last.flatMap { $0.isEmpty ? nil : $0 }
    return try row(problem: problem, as: SessionRowWriter.cell) { key throws(RowError) in
      let text = columns.firstIndex(of: key).map { fields[$0] } ?? ""
      return text.isEmpty ? nil : text
    }
  }

  private func row(
    problem: String?, as spelled: (String) -> String,
    _ text: (String) throws(RowError) -> String?
  ) throws(RowError) -> SessionRow {
    guard let number = try text("key").flatMap({ Int($0) }), 0..<plan.sessionCount ~= number else {
      throw RowError("'key' is not the number of a session")
    }
    var row = SessionRow(SessionKey(number))
    row.problem = problem
    let contestant = contestants[plan.contestant(of: row.key)]
    guard try text("contestant") == spelled(contestant) else {
      throw RowError("session \(number) is one of '\(contestant)'")
    }
    let unit = plan.unit(of: row.key)
    guard try text("seed") == "\(unit.seed)" else {
      throw RowError("session \(number) has the seed \(unit.seed)")
    }
    guard let outcome = try text("outcome").flatMap({ SessionOutcome(rawValue: $0) }) else {
      throw RowError("'outcome' is unknown")
    }
    row.outcome = outcome
    for column in RowColumn.allCases {
      let value = try Self.number(try text(column.rawValue), column.kind, column.rawValue)
      guard column.set(value, in: &row) else {
        throw RowError("'\(column.rawValue)' must be a number")
      }
    }
    for metric in plan.metrics {
      row.metrics.append(
        try Self.number(try text(metric.rawValue), metric.columnKind, metric.rawValue))
    }
    if !plan.expected.isEmpty { row.missed = try missed(try text("missed") ?? "") }
    guard let digits = try text("fingerprint"), digits.utf8.count == 16,
      let fingerprint = UInt64(digits, radix: 16)
    else { throw RowError("'fingerprint' must be sixteen digits") }
    row.fingerprint = fingerprint
    return row
  }

  private func missed(_ text: String) throws(RowError) -> [Int] {
    let numbers = text.split(separator: " ").map { Int($0) ?? 0 }
    let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    guard isAscending, numbers.allSatisfy({ 1...plan.expected.count ~= $0 }) else {
      throw RowError("'missed' must be numbers of expectations")
    }
    return numbers.map { $0 - 1 }
  }

  private static func number(
    _ text: String?, _ kind: ColumnKind, _ name: String
  ) throws(RowError) -> Int64? {
    guard let text else { return nil }
    guard let decimal = ExactDecimal(text),
      case .exact(let value) = decimal.integer(scaledBy: kind.unit, allowingNegative: true)
    else { throw RowError("'\(name)' must be a number") }
    return value
  }

  /// Splits a line at its commas; what is in quotation marks is one field.
  private static func fields(_ line: [UInt8]) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      if isQuoted, byte == 0x22, index + 1 < line.count, line[index + 1] == 0x22 {
        field.append(byte)
        index += 1
      } else if byte == 0x22 {
        isQuoted.toggle()
      } else if byte == 0x2C, !isQuoted {
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
      } else if isQuoted || (byte != 0x0A && byte != 0x0D) {
        field.append(byte)
      }
      index += 1
    }
    return fields + [String(decoding: field, as: UTF8.self)]
  }
}
