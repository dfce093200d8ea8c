/// What has arrived of a file, by the data before it, or of a track, by media time: half-open
/// ranges of positions in ascending order.
///
/// Its positions are comparable only where they are compared: if the type asked for it, the runtime
/// would look it up in each process (measured: as long as two sessions take).
struct LoadedRanges<Position: Sendable>: Sendable {
  /// A part between two positions.
  struct Range: Sendable {
    var start: Position
    var end: Position
  }

  /// The parts; none touches another.
  private(set) var ranges: [Range] = []
}

extension LoadedRanges: Equatable where Position: Equatable {}
extension LoadedRanges: Hashable where Position: Hashable {}
extension LoadedRanges.Range: Equatable where Position: Equatable {}
extension LoadedRanges.Range: Hashable where Position: Hashable {}

extension LoadedRanges where Position: Comparable {
  /// Adds a part and joins it with those that it touches.
  mutating func insert(_ added: Range) {
    precondition(added.start <= added.end, "a range that ends before it starts")
    if added.start == added.end { return }
    // Most of what comes goes on from what came before it.
    if let last = ranges.last, added.start >= last.start {
      if added.start > last.end {
        ranges.append(added)
      } else if added.end > last.end {
        extendLast(to: added.end)
      }
      return
    }
    var joined = added
    var kept: [Range] = []
    for range in ranges {
      if range.end < joined.start || range.start > joined.end {
        kept.append(range)
      } else {
        joined.start = min(joined.start, range.start)
        joined.end = max(joined.end, range.end)
      }
    }
    let place = kept.firstIndex { $0.start > joined.end } ?? kept.count
    kept.insert(joined, at: place)
    ranges = kept
    assert(
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.end < $1.start },
      "parts must ascend and not touch")
  }

  /// Makes the last part longer, when what comes next has come.
  mutating func extendLast(to end: Position) {
    assert(end >= ranges[ranges.count - 1].end, "a part that was loaded is lost")
    ranges[ranges.count - 1].end = end
  }

  /// Returns the part that holds a position; the end of a part belongs to it.
  func range(holding position: Position) -> Range? {
    // The later of two candidates wins: at the very start of a part playback can go on.
    ranges.last { $0.start <= position && position <= $0.end }
  }

  /// Returns the first part that starts behind a position.
  func part(behind position: Position) -> Range? {
    ranges.first { $0.start > position }
  }
}
