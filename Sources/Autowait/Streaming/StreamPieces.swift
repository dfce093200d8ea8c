/// Which variant the loaded stretches of a stream are of, in the order in which they came.
struct StreamPieces: Hashable, Sendable {
  /// A stretch of media of one variant.
  struct Piece: Hashable, Sendable {
    var start: MediaTime
    var end: MediaTime
    let variant: Int
  }

  private(set) var pieces: [Piece] = []
  /// Whether no piece begins before the end of the one that came before it.
  private(set) var isAscending = true

  /// Whether nothing has come.
  var isEmpty: Bool { pieces.isEmpty }

  /// Takes note of a segment.
  mutating func add(_ start: MediaTime, _ end: MediaTime, of variant: Int) {
    if let last = pieces.last, last.variant == variant, last.end == start {
      pieces[pieces.count - 1].end = end
    } else {
      if let last = pieces.last, start < last.end { isAscending = false }
      pieces.append(Piece(start: start, end: end, variant: variant))
    }
  }

  /// Returns the variant at a time; the latest that was loaded there.
  func variant(at time: MediaTime) -> Int? {
    pieces.last { $0.start <= time && time < $0.end }?.variant
  }
}
