/// A link of a few rates: what one state of a chain amounts to.
///
/// The lists keep their room, so that a proposal allocates nothing.
struct LinkPieces: Sendable, Equatable {
  /// How many pieces a link may have.
  static let countMax = 400
  /// The grid of times, in microseconds.
  static let slot: Int64 = 10_000

  /// When each piece begins, in microseconds, ascending, the first at zero.
  private(set) var starts: [Int64] = []
  /// The level of each.
  private(set) var levels: [Int] = []
  private(set) var count = 0

  init(level: Int) {
    starts.reserveCapacity(Self.countMax)
    levels.reserveCapacity(Self.countMax)
    starts.append(0)
    levels.append(level)
    count = 1
  }

  /// The end of a piece; the last has none.
  @inline(__always)
  func end(_ piece: Int) -> Int64 { piece + 1 < count ? starts[piece + 1] : .max }

  /// The piece that holds at an instant.
  @inline(__always)
  func piece(at instant: Int64) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    return low
  }

  /// The last outage that begins with a piece or before it, from its first piece to its last; nil
  /// for none.
  func outage(upTo piece: Int) -> (first: Int, last: Int)? {
    var last = piece
    while last >= 0, levels[last] != RateGrid.outage { last -= 1 }
    if last < 0 { return nil }
    var first = last
    while first > 0, levels[first - 1] == RateGrid.outage { first -= 1 }
    return (first, last)
  }

  /// Until when a change between two instants may matter to senders: after an outage they may be
  /// late for as long again.
  func reach(from start: Int64, until end: Int64) -> Int64 {
    if end == .max { return end }
    var reach = end
    var piece = piece(at: end)
    while true {
      guard let (first, last) = outage(upTo: piece) else { return reach }
      var after = last
      while after + 1 < count, levels[after + 1] == RateGrid.outage { after += 1 }
      let back = self.end(after)
      if back < start { return reach }
      if back == .max { return back }
      reach = max(reach, back + back - starts[first])
      if first == 0 { return reach }
      piece = first - 1
    }
  }

  mutating func setLevel(_ piece: Int, _ level: Int) { levels[piece] = level }

  mutating func setStart(_ piece: Int, _ start: Int64) {
    assert(starts[piece - 1] < start && start < end(piece), "a change has passed another")
    starts[piece] = start
  }

  /// Inserts a piece after another one.
  mutating func insert(after piece: Int, start: Int64, level: Int) {
    assert(starts[piece] < start && start < end(piece), "a piece outside of the one it splits")
    starts.insert(start, at: piece + 1)
    levels.insert(level, at: piece + 1)
    count += 1
  }

  /// Removes the change before a piece; the piece before it goes on.
  mutating func removeChange(before piece: Int) {
    starts.remove(at: piece)
    levels.remove(at: piece)
    count -= 1
  }

  /// Becomes another link without new memory.
  mutating func copy(_ other: LinkPieces) {
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: other.starts)
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: other.levels)
    count = other.count
  }
}
