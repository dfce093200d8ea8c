/// Where a playhead ran into the edge of what was loaded.
///
/// It stands at a whole nanosecond before the edge. Marks ahead of it are counted from the edge:
/// else each stall would be over a little early, and many stalls would add up to one more.
struct StallAnchor: Sendable {
  /// The time that the playhead shows, and what it had played behind it.
  private var time = MediaTime(nanoseconds: -1)
  private var played = DataAmount.zero

  /// It ran into nothing.
  init() {}

  /// It shows a time, and what was loaded then ended at an edge.
  init(_ time: MediaTime, _ edge: DataAmount, _ map: ByteMap) {
    self.time = time
    played = edge - min(edge, map.position(of: time))
  }

  /// Returns what was played behind the time that a playhead shows.
  @inline(__always)
  func playedBehind(_ playhead: MediaTime) -> DataAmount {
    playhead == time ? played : .zero
  }
}
