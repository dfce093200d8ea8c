/// One response on its way through the link.
struct Transfer: Hashable, Sendable {
  /// How far the response has come.
  enum Phase: Hashable, Sendable {
    /// The request is under way; the first byte will arrive at the instant.
    case requested(firstByteAt: Instant)
    /// Data arrives.
    case flowing
    /// The player has stopped reading, because its buffer is full.
    case suspended
  }

  /// The number of the transfer, counted over the run.
  let number: Int
  /// The player that asked for it.
  let player: Int
  /// The data that was asked for.
  let size: DataAmount
  /// The data that had arrived when the link last changed.
  var delivered = DataAmount.zero
  /// The time in which packets brought it; of two that came at once, the time counts for one.
  var active = TimeSpan.zero
  /// How far the response has come.
  var phase: Phase
  /// Its part of the link since the link last changed.
  var share = FlowShare.none
  /// Whether the player does not read; a response that has not begun stops with its first byte.
  private(set) var isHeld = false
  /// What its flow weighs when the link is shared.
  var weight = FlowShare.ordinaryWeight
  /// Whether its player has given it up, and nobody waits for what still crosses the link.
  var isDropped = false

  /// The data that has arrived by an instant, from the instant on at which it was last written.
  @inline(__always)
  func delivered(at instant: Instant, from anchor: Instant) -> DataAmount {
    instant <= anchor ? delivered : min(size, delivered + share.data(in: instant - anchor))
  }

  /// Whether all data has arrived.
  var isComplete: Bool { delivered == size }

  /// Takes note of the first byte.
  ///
  /// A response without data is over with it, read or not.
  mutating func begin() {
    phase = isHeld && !isComplete ? .suspended : .flowing
  }

  /// Stops or resumes the reading.
  mutating func setSuspended(_ isSuspended: Bool) {
    isHeld = isSuspended
    switch phase {
    case .requested: break
    case .flowing, .suspended: begin()
    }
  }
}
