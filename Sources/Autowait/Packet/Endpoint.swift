/// One end of a connection: what it sends, what it receives, and its timers.
struct Endpoint: Sendable {
  var sender: Sender
  var receiver: Receiver
  /// How far the connection has come at this end.
  var state = State.closed

  /// How far a connection has come at one end.
  enum State: Hashable, Sendable {
    /// Nothing is known of it here.
    case closed
    /// The client has asked so many times, and asks again at the instant.
    case connecting(tries: Int, nextAt: Instant)
    /// The server has granted so many times, and does so again at the instant.
    case accepting(tries: Int, nextAt: Instant)
    /// Data may flow.
    case open
    /// It is over here.
    case ended
  }

  /// When this end has to do something next that is not an answer to a packet.
  @inline(__always)
  func nextInstant(after now: Instant) -> Instant {
    switch state {
    case .connecting(_, let instant), .accepting(_, let instant): return instant
    case .closed, .ended: return .never
    case .open:
      return min(
        min(sender.alarmAt, sender.nextPacedInstant(after: now)),
        min(receiver.answerAt, receiver.gatherUntil))
    }
  }
}
