/// Which variant the loaded stretches of a stream are of, in the order in which they came.
struct StreamPieces: Hashable, Sendable {
  /// A stretch of media of one variant.
  struct LoadedPiece: Hashable, Sendable {
    var start: MediaTime
    var end: MediaTime
    let variant: Int
  }

  /// Of more pieces those are forgotten that nobody can ask for any more.
  private static let keptMax = 8_192

  private(set) var pieces: [LoadedPiece] = []
  /// Whether no piece begins before the end of the one that came before it.
  private(set) var isAscending = true

  /// The data of all pieces before each, as far as it has been counted: for who asks where a mark
  /// of data lies with every segment.
  private(set) var dataBefore: [DataAmount] = []

  /// Whether nothing has come.
  var isEmpty: Bool { pieces.isEmpty }

  /// Takes note of a segment.
  mutating func add(_ start: MediaTime, _ end: MediaTime, of variant: Int) {
    if let last = pieces.last, last.variant == variant, last.end == start {
      pieces[pieces.count - 1].end = end
    } else {
      if let last = pieces.last, start < last.end { isAscending = false }
      pieces.append(LoadedPiece(start: start, end: end, variant: variant))
    }
  }

  /// Whether there are so many that some should be forgotten.
  @inline(__always)
  var areMany: Bool { pieces.count >= Self.keptMax }

  /// Forgets the first half of the pieces, or as many of them as end before a time.
  mutating func forget(before time: MediaTime) {
    let old = pieces.prefix(Self.keptMax / 2).prefix { $0.end <= time }
    pieces.removeFirst(old.count)
    dataBefore.removeFirst(min(old.count, dataBefore.count))
  }

  /// Counts the data before each piece; only the last one can still grow.
  mutating func countData(_ data: (LoadedPiece) -> DataAmount) {
    while dataBefore.count < pieces.count {
      guard let before = dataBefore.last else {
        dataBefore.append(.zero)
        continue
      }
      dataBefore.append(before + data(pieces[dataBefore.count - 1]))
    }
  }

  /// Returns the first piece of which something holds that holds of all behind it; their number if
  /// there is none.
  func first(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the variant at a time; the latest that was loaded there.
  func variant(at time: MediaTime) -> Int? {
    pieces.last { $0.start <= time && time < $0.end }?.variant
  }
}
