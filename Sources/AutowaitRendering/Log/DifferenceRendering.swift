import AutowaitScenario

/// Renders the first difference of two logs as lines for people.
package enum DifferenceRendering {
  /// The longest part of a line that is shown, in characters.
  package static let columnsMax = 160

  /// Returns the lines: `-` is what was recorded, `+` is this run.
  ///
  /// Of a line as many columns are shown as are asked for; `names` are what the two logs are called
  /// where one of them ends.
  package static func lines(
    _ difference: LogDifference, columns: Int = columnsMax,
    names: (recorded: String, actual: String) = ("what was recorded", "this run")
  ) -> [String] {
    let last = difference.after.last?.number ?? difference.number
    let digits = "\(last)".utf8.count
    func row(_ mark: String, _ line: LogDifference.NumberedLine, around offset: Int = 0) -> String {
      let number = "\(line.number)"
      let pad = String(repeating: " ", count: max(digits - number.utf8.count, 0))
      return "\(mark) \(pad)\(number) | \(text(line.bytes, around: offset, columns))"
    }
    func end(_ mark: String, _ which: String) -> String {
      "\(mark) \(String(repeating: " ", count: digits)) | (\(which) ends here)"
    }
    let offset = difference.offset
    var lines = difference.before.map { row(" ", $0) }
    lines.append(
      difference.recorded.map { row("-", $0, around: offset) } ?? end("-", names.recorded))
    lines.append(difference.actual.map { row("+", $0, around: offset) } ?? end("+", names.actual))
    if difference.recorded == difference.actual {
      lines.append("  the recorded line has no line end")
    }
    lines += difference.after.map { row(" ", $0) }
    for cause in difference.causes { lines.append("cause: " + row("", cause).dropFirst()) }
    return lines
  }

  /// Returns the first lines of two logs, as far as their scenarios differ.
  package static func scenarioLines(recorded: [UInt8], actual: [UInt8]) -> [String] {
    let (left, right) = (scenario(in: recorded), scenario(in: actual))
    let offset = zip(left, right).prefix { $0 == $1 }.count
    return ["- 1 | \(text(left, around: offset))", "+ 1 | \(text(right, around: offset))"]
  }

  /// The scenario in the first line of a log, or the line if there is none in it.
  private static func scenario(in header: [UInt8]) -> [UInt8] {
    let root = Findings(SourceText(path: "", bytes: header)).parseJSON()
    return root?.member("scenario").map { Array(header[$0.range]) } ?? header
  }

  /// Returns a line, or the part of a long one that holds a byte.
  private static func text(
    _ bytes: [UInt8], around offset: Int, _ columns: Int = columnsMax
  ) -> String {
    let start = max(0, min(offset, bytes.count) - columns / 2)
    let first = start < columns / 4 || bytes.count <= columns ? 0 : start
    let end = min(bytes.count, first + columns)
    let shown = String(decoding: bytes[first..<end], as: UTF8.self).printable
    return (first > 0 ? "…" : "") + shown + (end < bytes.count ? "…" : "")
  }
}
