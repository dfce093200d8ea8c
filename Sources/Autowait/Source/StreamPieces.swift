/// Which variant the loaded stretches of a stream are of, in the order in which they came.
struct StreamPieces: Hashable, Sendable {
  /// A stretch of media of one variant.
  struct LoadedPiece: Hashable, Sendable {
    var start: MediaTime
    var end: MediaTime
    let variant: Int
    /// The rate that was measured when the variant was chosen; nil if it was the first.
    var switchBitrate: BitRate?
  }

  /// For so many pieces there is room from the first one on: most streams have some.
  private static let reservedCount = 16

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
  mutating func add(
    _ start: MediaTime, _ end: MediaTime, of variant: Int, chosenAt rate: BitRate? = nil
  ) {
    if let last = pieces.last, last.variant == variant, last.end == start, !isOver(start) {
      pieces[pieces.count - 1].end = end
    } else {
      if let last = pieces.last, start < last.end { isAscending = false }
      if pieces.isEmpty { pieces.reserveCapacity(Self.reservedCount) }
      pieces.append(LoadedPiece(start: start, end: end, variant: variant, switchBitrate: rate))
    }
  }

  /// Whether a piece that begins at a time lies over others: who plays those has to be told of it.
  private func isOver(_ start: MediaTime) -> Bool {
    !isAscending && pieces.dropLast().contains { $0.end > start }
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
  @inline(__always)
  func first(where holds: (Int) -> Bool) -> Int {
    // What has been played is kept, so that who asks about the playhead finds it near the end.
    for place in stride(from: pieces.count, to: max(0, pieces.count - 4), by: -1)
    where !holds(place - 1) { return place }
    return (0..<max(0, pieces.count - 4)).firstPlace(where: holds)
  }

  /// Returns what plays when a playhead goes on from a time: what was loaded last.
  func piece(at time: MediaTime, isForwards: Bool) -> LoadedPiece? {
    func plays(_ piece: LoadedPiece) -> Bool {
      isForwards
        ? piece.start <= time && time < piece.end : piece.start < time && time <= piece.end
    }
    if !isAscending { return pieces.last(where: plays) }
    let place = first { isForwards ? pieces[$0].end > time : pieces[$0].end >= time }
    return place < pieces.count && plays(pieces[place]) ? pieces[place] : nil
  }

  /// Returns where a playhead that goes on from a time in a variant reaches another one; nil if
  /// none is loaded there.
  func end(of variant: Int, from time: MediaTime, isForwards: Bool) -> MediaTime? {
    if isAscending, isForwards {
      // No piece begins within another: the playhead enters one after the other.
      var place = first { pieces[$0].end > time }
      while place < pieces.count {
        let piece = pieces[place]
        if piece.variant != variant, piece.start > time, piece.start < piece.end {
          return piece.start
        }
        place += 1
      }
      return nil
    }
    var time = time
    // Each turn reaches an edge of a piece that the ones before did not.
    while let edge = edge(behind: time, isForwards: isForwards) {
      if let other = piece(at: edge, isForwards: isForwards), other.variant != variant {
        return edge
      }
      time = edge
    }
    return nil
  }

  /// Returns where, on the way of a playhead, the next piece begins or ends.
  private func edge(behind time: MediaTime, isForwards: Bool) -> MediaTime? {
    var next: MediaTime?
    for piece in pieces {
      for edge in [piece.start, piece.end] where isForwards ? edge > time : edge < time {
        next = next.map { isForwards ? min($0, edge) : max($0, edge) } ?? edge
      }
    }
    return next
  }
}
