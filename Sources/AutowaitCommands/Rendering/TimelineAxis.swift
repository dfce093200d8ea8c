import Autowait
import AutowaitFigures

/// How the time of a run is laid out over the columns of its strips.
struct TimelineAxis {
  /// The time that one column stands for, in nanoseconds.
  let span: Int64
  /// The number of columns.
  let columns: Int
  /// Whether no time passes.
  let isEmpty: Bool

  /// Lays out the time until an instant over at most so many columns.
  ///
  /// The column's time is a round one, so that the marks of the ruler fall where they belong, and
  /// one column is left behind the instant.
  init(until end: Instant, columnsMax: Int) {
    isEmpty = end == .start
    let length = end.nanoseconds > 0 ? end.nanoseconds : 1_000_000_000
    let room = Int64(max(2, columnsMax) - 1)
    span = Self.columnSpans.first { length / $0 < room } ?? Int64.max / room
    columns = Int(length / span) + 2
  }

  /// Returns the column that an instant falls into; instants behind the last column are in it.
  func column(of instant: Instant) -> Int {
    Int(min(instant.nanoseconds / span, Int64(columns)))
  }

  /// Returns the instants within a column at which it is looked at.
  func instants(in column: Int) -> [Instant] {
    let start = Instant(nanoseconds: Int64(column) * span)
    let eighths: [Int64] = [1, 3, 5, 7]
    return eighths.map { start + TimeSpan(nanoseconds: span / 8 * $0) }
  }

  /// The time from one mark of the ruler to the next.
  private var markSpan: Int64 {
    Self.markSpans.first { $0 / span >= 9 } ?? span * Int64(columns)
  }

  /// The ruler: a line of labels and below it a line of marks.
  func ruler() -> (labels: String, marks: String) {
    var labels = ""
    var marks = ""
    let step = markSpan
    var time: Int64 = 0
    for column in 0..<columns {
      guard time / span == Int64(column) else {
        marks += "─"
        continue
      }
      marks += column == 0 ? "├" : "┬"
      let label = Self.label(time, step: step)
      if column + label.count <= columns {
        labels += TerminalText.spaces(column - labels.count) + label
      }
      time += step
    }
    return (labels, marks)
  }

  /// Returns a time as the label of a mark, in the unit that suits the ruler.
  private static func label(_ time: Int64, step: Int64) -> String {
    let second: Int64 = 1_000_000_000
    switch step {
    case ..<100: return "\(time) ns"
    case ..<100_000: return "\(DecimalText.text(time, digits: 3)) µs"
    case ..<100_000_000: return "\(DecimalText.text(time, digits: 6)) ms"
    default:
      if step % (86_400 * second) == 0 { return "\(time / (86_400 * second)) d" }
      if step % (3_600 * second) == 0 { return "\(time / (3_600 * second)) h" }
      if step % (60 * second) == 0 { return "\(time / (60 * second)) min" }
      return "\(DecimalText.text(time, digits: 9)) s"
    }
  }

  /// The time of one column in words.
  var spanText: String {
    let second: Int64 = 1_000_000_000
    if span % (3_600 * second) == 0 { return "\(span / (3_600 * second)) h" }
    if span % (60 * second) == 0 { return "\(span / (60 * second)) min" }
    return Self.label(span, step: span)
  }

  /// The times that a column may stand for, ascending, fine enough to waste little of a line.
  private static let columnSpans = spans(
    decimals: [10, 12, 15, 20, 25, 30, 40, 50, 60, 80],
    sexagesimals: [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40])

  /// The times that may lie between two marks, ascending.
  private static let markSpans = spans(
    decimals: [10, 20, 50], sexagesimals: [1, 2, 5, 10, 15, 30])

  /// Returns decimal times below a minute, then so many minutes and hours, then days.
  private static func spans(decimals: [Int64], sexagesimals: [Int64]) -> [Int64] {
    let minute: Int64 = 60_000_000_000
    var spans: [Int64] = []
    var unit: Int64 = 1
    while unit < minute {
      spans += decimals.map { $0 * unit }.filter { $0 % 10 == 0 && $0 / 10 < minute }
        .map { $0 / 10 }
      unit *= 10
    }
    spans += sexagesimals.map { $0 * minute }
    spans += [1, 2, 3, 4, 6, 8, 12].map { $0 * 60 * minute }
    unit = 1_440 * minute
    while unit < Int64.max / 50 {
      spans += [1, 2, 5].map { $0 * unit }
      unit *= 10
    }
    return spans
  }
}
