/// One end of a connection: what it sends, what it receives, and its timers.
struct Endpoint: Sendable {
  var sender: Sender
  var receiver: Receiver
  /// How far the connection has come at this end.
  var phase = Phase.closed

  /// How far a connection has come at one end.
  enum Phase: Hashable, Sendable {
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
    switch phase {
    case .connecting(_, let instant), .accepting(_, let instant): return instant
    case .closed, .ended: return .never
    case .open:
      return min(
        min(sender.alarmAt, min(sender.roomAt, sender.nextPacedInstant(after: now))),
        min(receiver.answerAt, receiver.gatherUntil))
    }
  }

  /// Takes a packet without data.
  @inline(__always)
  mutating func hearAcknowledgement(_ packet: Packet, at now: Instant) {
    sender.acknowledge(packet, at: now)
    receiver.hearStamp(packet)
  }

  /// Takes a packet with data, and returns what has now come in order.
  @inline(__always)
  mutating func hear(_ packet: Packet, at now: Instant) -> Range<Int> {
    sender.acknowledge(packet, at: now)
    let before = receiver.expected
    receiver.hear(packet, timeout: sender.estimate.timeout, at: now)
    let end = receiver.expected
    if end > before {
      receiver.addBytes(
        Int64(packet.length), echo: packet.echo, unread: end - before - 1, at: now)
    }
    return before..<end
  }

  /// Returns the next packet that may leave now, if one may.
  @inline(__always)
  mutating func nextPacket(flow: Int, at now: Instant) -> Packet? {
    guard let departure = sender.nextDeparture(at: now) else { return nil }
    return packet(departure, flow: flow, at: now)
  }

  /// Returns the packet of a segment, with an acknowledgement; its stamp is when it leaves.
  @inline(__always)
  mutating func packet(_ departure: Sender.Departure, flow: Int, at now: Instant) -> Packet {
    let overhead = sender.settings.isQUIC ? WireSize.quicOverhead : WireSize.acknowledgement
    let length = sender.segments[departure.segment].length
    var packet = Packet(.data, flow: flow, wireBytes: Int64(length) &+ overhead)
    packet.length = length
    packet.segment = departure.segment
    packet.stamp = departure.at
    receiver.noteSending(at: now)
    receiver.acknowledge(in: &packet)
    return packet
  }
}
