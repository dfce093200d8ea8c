import Autowait
import AutowaitFigures
import AutowaitScenario

/// Says in one line what was understood of a trace.
package enum TraceSummaryText {
  /// How many traces are listed one by one; of the rest there is one line.
  package static let listedMax = 10

  /// Returns a line for each trace, and one for those that are too many to be listed.
  package static func lines(_ summaries: [TraceSummary]) -> [String] {
    var lines = summaries.prefix(listedMax).map { line($0) }
    let rest = summaries.dropFirst(listedMax)
    if let least = rest.map({ $0.mean }).min(), let most = rest.map({ $0.mean }).max() {
      lines.append("\(Plural.text(rest.count, "more trace")): mean \(range(least, most))")
    }
    return lines
  }

  /// Returns the line of a trace.
  package static func line(_ summary: TraceSummary) -> String {
    let head = "\(summary.path) (\(summary.format)): "
    guard let length = summary.length else {
      return head + rate(summary.most) + " throughout"
    }
    let time = FigureDecimal.text(TimelineNumbers.rounded(length.nanoseconds), digits: 9) + " s"
    if summary.least == summary.most { return head + "\(time), \(rate(summary.most)) throughout" }
    let parts = [
      summary.isCut ? "the first \(time)" : time, "mean \(rate(summary.mean))",
      range(summary.least, summary.most),
    ]
    let text = head + parts.joined(separator: ", ")
    if summary.pieces.isEmpty { return text }
    return text + " |\(bars(summary.pieces))|"
  }

  /// Draws rates as bars, the highest in full; nothing but a rate of 0 is empty.
  private static func bars(_ pieces: [BitRate]) -> String {
    let values = pieces.map { Int128($0.bitsPerSecond) }
    let most = values.max() ?? 0
    let levels = Array("▁▂▃▄▅▆▇█")
    return String(
      values.map { value in
        if value <= 0 || most <= 0 { return " " }
        let level = (value * Int128(levels.count) + most - 1) / most
        return levels[Int(min(level, Int128(levels.count))) - 1]
      })
  }

  private static func rate(_ rate: BitRate) -> String {
    if rate >= .unlimited { return "unlimited" }
    let (number, unit) = parts(rate, like: rate)
    return "\(number) \(unit)"
  }

  /// Returns two rates in the unit of the higher one.
  private static func range(_ least: BitRate, _ most: BitRate) -> String {
    if most >= .unlimited { return "\(rate(least)) to unlimited" }
    let (number, unit) = parts(most, like: most)
    return "\(parts(least, like: most).number) to \(number) \(unit)"
  }

  /// Returns a rate, with three digits that count, in the unit that suits another one.
  private static func parts(_ rate: BitRate, like other: BitRate) -> (number: String, unit: String)
  {
    let value = TimelineNumbers.rounded(rate.bitsPerSecond)
    return switch TimelineNumbers.rounded(other.bitsPerSecond) {
    case ..<1_000: ("\(value)", "bit/s")
    case ..<1_000_000: (FigureDecimal.text(value, digits: 3), "kbit/s")
    case ..<1_000_000_000: (FigureDecimal.text(value, digits: 6), "Mbit/s")
    default: (FigureDecimal.text(value, digits: 9), "Gbit/s")
    }
  }
}
