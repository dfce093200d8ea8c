import Autowait
import AutowaitFigures

/// How the time of a run is laid out over the columns of its strips.
///
/// Of a run in which nothing happens for long before its end, the time in between is left out: one
/// column stands for it, and the columns after it reach to the end.
struct TimelineAxis {
  /// The column that stands for time that is left out.
  struct Break {
    /// The number of the column.
    let column: Int
    /// The time that is left out.
    let start: Instant
    let end: Instant
  }

  /// The time that one column stands for, in nanoseconds.
  let span: Int64
  /// The number of columns.
  let columns: Int
  /// Whether no time passes.
  let isEmpty: Bool
  /// What is left out; nil if nothing is.
  private(set) var gap: Break?
  private let end: Instant

  /// Lays out the time until an instant over at most so many columns.
  ///
  /// The column's time is a round one, so that the marks of the ruler fall where they belong, and
  /// one column is left after the instant. What happens from a quiet instant on may be left out.
  init(until end: Instant, quietSince quiet: Instant? = nil, columnsMax: Int) {
    isEmpty = end == .start
    self.end = end
    if let quiet {
      // The columns after the break have room for the time of the end.
      let tail = max(6, columnsMax / 10)
      let span = Self.span(of: quiet.nanoseconds, room: columnsMax - tail - 1)
      let head = (quiet.nanoseconds + span - 1) / span
      let last = (end.nanoseconds - 1) / span
      let next = last - Int64(tail) + 1
      if next > head {
        self.span = span
        columns = Int(head) + 1 + tail
        gap = Break(
          column: Int(head), start: Instant(nanoseconds: head * span),
          end: Instant(nanoseconds: next * span))
        return
      }
    }
    let length = end.nanoseconds > 0 ? end.nanoseconds : 1_000_000_000
    span = Self.span(of: length, room: max(2, columnsMax) - 1)
    columns = Int(length / span) + 2
  }

  /// Returns the least round time of a column with which a length of time fits.
  private static func span(of length: Int64, room: Int) -> Int64 {
    let room = Int64(max(1, room))
    return columnSpans.first { length / $0 < room } ?? Int64.max / room
  }

  /// Returns the column that an instant falls into; instants after the last column are in it.
  func column(of instant: Instant) -> Int {
    if let gap, instant >= gap.start {
      if instant < gap.end { return gap.column }
      let columns = (instant - gap.end).nanoseconds / span + 1
      return min(gap.column + Int(columns), self.columns)
    }
    return Int(min(instant.nanoseconds / span, Int64(columns)))
  }

  /// Returns the instants within a column at which it is looked at; none of what is left out.
  func instants(in column: Int) -> [Instant] {
    var start = Instant(nanoseconds: Int64(column) * span)
    if let gap, column >= gap.column {
      if column == gap.column { return [] }
      start = gap.end + TimeSpan(nanoseconds: Int64(column - gap.column - 1) * span)
    }
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
    let room = gap.map { $0.column - 1 } ?? columns
    for column in 0..<(gap?.column ?? columns) {
      guard time / span == Int64(column) else {
        marks += "─"
        continue
      }
      marks += column == 0 ? "├" : "┬"
      let label = Self.label(time, step: step)
      if column + label.count <= room {
        labels += TerminalText.spaces(column - labels.count) + label
      }
      time += step
    }
    guard let gap else { return (labels, marks) }
    marks += String(Self.breakSign) + String(repeating: "─", count: columns - gap.column - 2) + "┤"
    let label = TimelineNumbers.bareSeconds(rounded(end).nanoseconds) + " s"
    if labels.count + 1 + label.count <= columns {
      labels += TerminalText.spaces(columns - labels.count - label.count) + label
    }
    return (labels, marks)
  }

  /// The sign of the column that stands for what is left out.
  static let breakSign: Character = "≈"

  /// Returns an instant as exactly as it can be seen: to a second, or to a thousandth of a column.
  private func rounded(_ instant: Instant) -> Instant {
    let second: Int64 = 1_000_000_000
    let unit = span >= second / 10 ? second / 100 : max(1, span / 100)
    return Instant(nanoseconds: (instant.nanoseconds + unit / 2) / unit * unit)
  }

  /// Returns a time as the label of a mark, in the unit that suits the ruler.
  private static func label(_ time: Int64, step: Int64) -> String {
    let second: Int64 = 1_000_000_000
    switch step {
    case ..<100: return "\(time) ns"
    case ..<100_000: return "\(FigureDecimal.text(time, digits: 3)) µs"
    case ..<100_000_000: return "\(FigureDecimal.text(time, digits: 6)) ms"
    default:
      if step % (86_400 * second) == 0 { return "\(time / (86_400 * second)) d" }
      if step % (3_600 * second) == 0 { return "\(time / (3_600 * second)) h" }
      if step % (60 * second) == 0 { return "\(time / (60 * second)) min" }
      return "\(FigureDecimal.text(time, digits: 9)) s"
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
