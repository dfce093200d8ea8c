/// What a link did with packets in one direction.
public struct PacketCounts: Hashable, Sendable {
  /// The packets offered.
  public var offered: Int
  /// Those lost by chance or in a blackout.
  public var lost: Int
  /// Those dropped because the queue was full.
  public var dropped: Int
  /// Those that arrived.
  public var delivered: Int
  /// The most that was in the queue.
  public var queuedMax: Int

  init(_ counts: PacketPipe.PipeCounts) {
    offered = counts.offered
    lost = counts.lost
    dropped = counts.dropped
    delivered = counts.delivered
    queuedMax = counts.queuedMax
  }
}
