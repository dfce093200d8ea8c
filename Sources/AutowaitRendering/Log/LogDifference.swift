import AutowaitScenario

/// The first place in which a log is not what it was.
package struct LogDifference: Hashable, Sendable {
  /// A line with its number.
  struct NumberedLine: Hashable, Sendable {
    let number: Int
    let bytes: [UInt8]
  }

  /// How many lines are shown before and after.
  static let neighborsCount = 2

  /// The number of the line, from 1.
  package let number: Int
  /// The byte in the line from which on the two differ.
  let offset: Int
  /// The line as it was recorded; nil if the recorded log ends before it.
  let recorded: NumberedLine?
  /// The line of this run; nil if this run's log ends before it.
  let actual: NumberedLine?
  /// The equal lines before.
  let before: [NumberedLine]
  /// The lines that follow in this run.
  let after: [NumberedLine]
  /// The lines that led to the two lines: that of this run, and another one if it was another.
  let causes: [NumberedLine]
  /// Whether the recorded log ends inside a line or before the last, and is equal up to there.
  package let isCut: Bool

  /// Compares two logs; nil if they are equal.
  package init?(recorded: [UInt8], actual: [UInt8]) {
    if recorded == actual { return nil }
    let place = Self.firstDifference(recorded, actual)
    isCut = place == recorded.count
    let start = (actual[..<place].lastIndex(of: 0x0A) ?? -1) + 1
    number = 1 + actual[..<start].count { $0 == 0x0A }
    offset = place - start
    self.recorded = Self.lines(of: recorded, from: start, number, count: 1).first
    let following = Self.lines(of: actual, from: start, number, count: 1 + Self.neighborsCount)
    self.actual = following.first
    after = Array(following.dropFirst())
    before = Self.lines(of: actual, before: start, number)
    var causes: [NumberedLine] = []
    for (line, log) in [(self.actual, actual), (self.recorded, recorded)] {
      let cause = line.flatMap { Self.cause(of: $0, in: log) }
      if let cause, !causes.contains(cause) { causes.append(cause) }
    }
    self.causes = causes
  }

  private static func firstDifference(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let end = min(left.count, right.count)
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        var place = 0
        while place < end, left[place] == right[place] { place += 1 }
        return place
      }
    }
  }

  private static func lines(
    of log: [UInt8], from start: Int, _ number: Int, count: Int
  ) -> [NumberedLine] {
    var lines: [NumberedLine] = []
    var start = start
    while start < log.count, lines.count < count {
      let end = log[start...].firstIndex(of: 0x0A) ?? log.count
      lines.append(NumberedLine(number: number + lines.count, bytes: Array(log[start..<end])))
      start = end + 1
    }
    return lines
  }

  private static func lines(of log: [UInt8], before start: Int, _ number: Int) -> [NumberedLine] {
    var lines: [NumberedLine] = []
    var end = start - 1
    while end >= 0, lines.count < neighborsCount {
      let begin = (log[..<end].lastIndex(of: 0x0A) ?? -1) + 1
      lines.append(NumberedLine(number: number - lines.count - 1, bytes: Array(log[begin..<end])))
      end = begin - 1
    }
    return lines.reversed()
  }

  /// Returns the line whose number of the event is the cause of another line.
  private static func cause(of line: NumberedLine, in log: [UInt8]) -> NumberedLine? {
    guard let wanted = numbers(line.bytes)?.cause else { return nil }
    var start = 0
    var number = 1
    while let next = lines(of: log, from: start, number, count: 1).first, number < line.number {
      if numbers(next.bytes)?.own == wanted { return next }
      start += next.bytes.count + 1
      number += 1
    }
    return nil
  }

  /// The numbers of an event and of its cause, in a line of a log.
  private static func numbers(_ line: [UInt8]) -> (own: ExactDecimal, cause: ExactDecimal)? {
    let root = Findings(SourceText(path: "", bytes: line)).parseJSON()
    guard let own = root?.member("n")?.decimal, let cause = root?.member("cause")?.decimal else {
      return nil
    }
    return (own, cause)
  }
}
