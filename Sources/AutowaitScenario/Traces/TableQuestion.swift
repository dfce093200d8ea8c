import Autowait

/// What is asked about a table that does not say what its columns are, and how to answer.
enum TableQuestion {
  /// What is wrong with a table without names.
  static func message(isArray: Bool) -> String {
    isArray
      ? "the rows have no names: what they count, and in what, cannot be told"
      : "the columns have no names: what they count, and in what, cannot be told"
  }

  /// Returns the error that the columns of a line are not to be told apart.
  static func error(_ lines: LineReader, _ options: TraceOptions) throws(TraceError) -> TraceError {
    let line = try TableHeader.split(lines)
    if line.cells.count == 1 { return single(lines, options) }
    return lines.error(
      message(isArray: false), at: lines.line,
      notes: notes(example(line, lines), options) + [
        "or begin the file with a line of names, such as time_s,bandwidth_kbps"
      ])
  }

  /// Returns the error that single numbers are not to be told apart.
  static func single(_ lines: LineReader, _ options: TraceOptions) -> TraceError {
    lines.error(
      "one number a line: what it counts, and how long a line lasts, cannot be told",
      at: lines.line,
      notes: notes("every:1s,rate:kbit/s", options, "rates") + [
        "'mahimahi', a format for \(options.place.formatMeans), has whole milliseconds that rise"
      ])
  }

  /// Returns what answers the question about an array.
  static func notes(of row: JSONValue, _ options: TraceOptions) -> [String] {
    let count = max(1, row.kind == .array ? row.count : 1)
    let first = row.elements.first { _ in true }
    let text = first.map { String(decoding: $0.source.bytes[$0.range], as: UTF8.self) }
    let guess = count == 1 ? "rates" : "a time and a rate"
    return notes(example(count, text ?? ""), options, guess) + [
      #"or name them: {"time_s": 0, "bandwidth_kbps": 1500} for each row"#
    ]
  }

  /// Returns the columns that a line may have, as somebody would describe them.
  static func example(_ line: TableHeader.Line, _ lines: LineReader) -> String {
    example(line.cells.count, line.cells.first.map { lines.text($0) } ?? "")
  }

  private static func example(_ count: Int, _ first: String) -> String {
    if count <= 1 { return "every:1s,rate:kbit/s" }
    // Seconds since 1970 have ten digits, milliseconds thirteen.
    let unit = first.prefix { $0.isNumber }.count >= 13 ? "ms" : "s"
    return "time:\(unit),rate:kbit/s" + String(repeating: ",-", count: min(count, 100) - 2)
  }

  private static func notes(
    _ example: String, _ options: TraceOptions, _ guess: String = "a time and a rate"
  ) -> [String] {
    [
      "if they are \(guess): \(options.place.columnsMeans(example))",
      "other columns are 'time:ms', 'rate:Mbit/s', 'bytes' since the line before, 'total', '-'",
      "instead of 'time', 'for:ms' is how long a line lasts",
    ]
  }
}
