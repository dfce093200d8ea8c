import Autowait

/// What the columns of a table are, told by somebody who knows: `time:s,rate:kbit/s`.
///
/// A table without names holds nothing but numbers. The same two of them may be a rate, bytes that
/// arrived, or the weather, so that only the person who made the table can tell.
package struct TableColumns: Hashable, Sendable {
  /// Why a text does not say what columns are.
  package struct ColumnsProblem: Error, Hashable, Sendable {
    /// What is wrong, as the end of a sentence that begins with the name of the option.
    package let message: String
    /// What helps.
    package let notes: [String]
  }

  /// The text as it was written.
  package let text: String
  /// The number of columns.
  let count: Int
  /// The column with times; nil if each line lasts equally long.
  let time: Int?
  /// Whether these are not times, but how long each row lasts.
  let isLength: Bool
  /// How long each line lasts, if that is the same for all.
  let every: TimeSpan?
  /// The column with rates or bytes.
  let value: Int
  /// The word of the unit of the times.
  let timeWord: String
  /// The word of the unit of the rates; nil for bytes.
  let rateWord: String?
  /// Whether the bytes are those that arrived in all so far.
  let isTotal: Bool

  /// The most columns.
  private static let countMax = 1_000

  /// Whether the table has bytes that arrived.
  var hasBytes: Bool { rateWord == nil }

  /// The unit of the times.
  var timeUnit: TraceUnit { Self.timeUnit(timeWord) ?? .seconds }

  /// The unit of the rates; nil for bytes.
  var rateUnit: TraceUnit? { rateWord.flatMap { Self.rateUnit($0) } }

  /// What a message shows of how columns are told.
  package static let notes = [
    "a column is 'time:s', 'rate:kbit/s', 'bytes' since the line before, 'total' bytes, or '-'",
    "instead of 'time', 'for:ms' is how long a line lasts",
    "without a time 'every:1s' says how long a line lasts: every:1s,rate:kbit/s",
  ]

  /// Reads a text such as `time:s,rate:kbit/s` or `every:1s,rate:kbit/s`.
  package init(_ text: String) throws(ColumnsProblem) {
    var (count, times, values) = (
      0, [(index: Int, word: String)](), [(index: Int, word: String?)]()
    )
    var every: TimeSpan?
    var (isTotal, isLength) = (false, false)
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let (name, unit) = Self.parts(part)
      switch (name, unit) {
      case ("every", let unit?):
        if every != nil { throw Self.problem("has 'every' twice") }
        every = try Self.span(unit)
        continue
      case ("time", let unit?), ("for", let unit?):
        guard Self.timeUnit(unit) != nil else { throw Self.problem(unknown: unit, name) }
        times.append((count, unit))
        isLength = name == "for"
      case ("rate", let unit?):
        guard Self.rateUnit(unit) != nil else { throw Self.problem(unknown: unit, "rate") }
        values.append((count, unit))
      case ("bytes", nil): values.append((count, nil))
      case ("total", nil):
        values.append((count, nil))
        isTotal = true
      case ("-", nil): break
      case ("for", nil): throw Self.problem("has no unit for 'for', as 'for:s' or 'for:ms'")
      case ("time", nil): throw Self.problem("has no unit for 'time', as 'time:s' or 'time:ms'")
      case ("rate", nil): throw Self.problem("has no unit for 'rate', as 'rate:kbit/s'")
      default: throw Self.problem("has the unknown column '\(String(part).excerpt)'")
      }
      count += 1
      if count > Self.countMax { throw Self.problem("has more than \(Self.countMax) columns") }
    }
    guard values.count == 1 else {
      throw Self.problem("must have one column 'rate', 'bytes' or 'total', and has \(values.count)")
    }
    switch (times.count, every) {
    case (1, nil), (0, _?): break
    case (0, nil): throw Self.problem("has no times: it needs 'time:s', 'for:s' or 'every:1s'")
    case (1, _?): throw Self.problem("has both '\(isLength ? "for" : "time")' and 'every'")
    default: throw Self.problem("has \(times.count) columns of times")
    }
    self.text = text
    self.count = count
    self.every = every
    self.isTotal = isTotal
    self.isLength = isLength
    time = times.first?.index
    timeWord = times.first?.word ?? "s"
    value = values[0].index
    rateWord = values[0].word
  }

  /// Returns what stands before and after the colon of a part, without spaces.
  private static func parts(_ part: Substring) -> (name: String, unit: String?) {
    let colon = part.firstIndex(of: ":") ?? part.endIndex
    let name = trimmed(part[..<colon])
    return (name, colon == part.endIndex ? nil : trimmed(part[part.index(after: colon)...]))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private static func span(_ text: String) throws(ColumnsProblem) -> TimeSpan {
    do throws(Quantity.QuantityProblem) {
      let limits = 1...Limits.timeMax.nanoseconds
      return TimeSpan(nanoseconds: try Quantity.time.parse(text, in: limits))
    } catch {
      throw problem("has a wrong 'every': it \(Quantity.time.explain(error).message)")
    }
  }

  private static func timeUnit(_ word: String) -> TraceUnit? {
    if case .time(let unit) = TableHeader.meaning(word) { unit } else { nil }
  }

  private static func rateUnit(_ word: String) -> TraceUnit? {
    // In front of it stands that it is a rate.
    if case .rate(let unit) = TableHeader.meaning("rate " + word) { unit } else { nil }
  }

  private static func problem(_ message: String) -> ColumnsProblem {
    ColumnsProblem(message: message, notes: notes)
  }

  private static func problem(unknown unit: String, _ name: String) -> ColumnsProblem {
    let units =
      name != "rate" ? "s, ms, us, ns" : "bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s"
    return ColumnsProblem(
      message: "has the unknown unit '\(unit.excerpt)' of '\(name)'",
      notes: ["the units are: \(units)"])
  }
}

extension FieldKind where Value == TableColumns {
  /// What the columns of a table are, as a text.
  static var columns: FieldKind { FieldKind(.string, readColumns) }

  /// Reads a text of columns.
  ///
  /// It is not inlined: the optimizer of Swift 6.3.1 crashes when it is into a constant of a key.
  @inline(never)
  private static func readColumns(
    _ value: JSONValue, _ label: FieldLabel, _ findings: Findings
  ) -> TableColumns? {
    guard let text = value.string else {
      findings.errorWrongType(value, label, "a text such as \"time:s,rate:kbit/s\"")
      return nil
    }
    do throws(TableColumns.ColumnsProblem) {
      return try TableColumns(text)
    } catch {
      findings.error("\(label) \(error.message)", at: value, notes: error.notes)
      return nil
    }
  }
}
