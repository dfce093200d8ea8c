/// Where the instants of a session lie from left to right.
///
/// Time that is left out is a break of a width of its own; before and after it a pixel is as long.
struct TimeAxis: Sendable {
  /// What is left out: the time, and the pixels that stand for it.
  struct Break: Sendable {
    let start: Int64
    let end: Int64
    let from: Length
    let to: Length

    var middle: Length { from + (to - from) / 2 }
  }

  /// The width of a break, and of what is shown after it.
  private static let breakWidth: Length = 110
  private static let tailWidth: Length = 70

  /// The instants at the two ends.
  let start: Int64
  let end: Int64
  /// The place of the two ends.
  let left: Length
  let right: Length
  /// What is left out; nil if nothing is.
  let gap: Break?
  private let scale: Scale

  /// Lays out a time; from a quiet instant on nothing happens until its end.
  init(from start: Int64, to end: Int64, quietSince quiet: Int64?, left: Length, width: Length) {
    let end = max(start + 1, end)
    self.start = start
    self.end = end
    self.left = left
    right = left + width
    let breakStart = right - Self.tailWidth - Self.breakWidth
    if let quiet, quiet > start {
      let shown = Int128(quiet - start)
      let tail = Int64(shown * Int128(Self.tailWidth.tenths) / Int128((breakStart - left).tenths))
      // As many whole seconds as there are can be named in short.
      let second: Int64 = 1_000_000_000
      let rest = end - tail - quiet
      let length = rest > 10 * second ? rest / second * second : rest
      if length > shown / 4 {
        let breakEnd = breakStart + Self.breakWidth
        gap = Break(start: quiet, end: quiet + length, from: breakStart, to: breakEnd)
        scale = Scale(start, quiet, from: left, to: breakStart)
        return
      }
    }
    gap = nil
    scale = Scale(start, end, from: left, to: right)
  }

  /// Returns the place of an instant, rounded to a tenth of a pixel; others are at the ends.
  func place(_ instant: Int64) -> Length {
    guard let gap, instant > gap.start else { return scale.place(instant) }
    let rest =
      instant < gap.end
      ? Scale(gap.start, gap.end, from: gap.from, to: gap.to)
      : Scale(gap.end, end, from: gap.to, to: right)
    return rest.place(instant)
  }

  /// The marks of the axis; with a break those before it, and the end.
  var marks: [(instant: Int64, label: String)] {
    let ticks = Ticks(
      .time, from: start, to: gap?.start ?? end, about: max(4, (right - left).pixels / 86))
    let marks = zip(ticks.values, ticks.labels).map { (instant: $0, label: $1) }
    guard let gap else { return marks }
    // The words of the break need the place of the last marks before it.
    let room = gap.from - 30
    return marks.filter { place($0.instant) <= room }
      + [(end, SessionDrawing.moment(end))]
  }
}
