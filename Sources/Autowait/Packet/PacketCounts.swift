/// What a link did with packets in one direction.
package struct PacketCounts: Hashable, Sendable {
  /// The packets offered.
  package var offered: Int
  /// Those lost by chance or in a blackout.
  package var lost: Int
  /// Those dropped because the queue was full.
  package var dropped: Int
  /// Those that arrived.
  package var delivered: Int
  /// The most that was in the queue.
  package var queuedMax: Int

  init(_ counts: PacketPipe.PipeCounts) {
    offered = counts.offered
    lost = counts.lost
    dropped = counts.dropped
    delivered = counts.delivered
    queuedMax = counts.queuedMax
  }
}
