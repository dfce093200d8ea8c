/// A packet on its way through a direction of a link.
struct Packet: Sendable {
  /// What a packet is for.
  enum Kind: UInt8, Sendable {
    /// Asks for a connection.
    case connect
    /// Grants a connection.
    case accept
    /// Carries data, an acknowledgement, or both.
    case data
    /// Asks whether the receive window is still closed (RFC 9293, 3.8.6.1).
    case probe
    /// Ends a connection at once.
    case reset
    /// Asks for the address of a name.
    case query
    /// Tells the address of a name.
    case answer
  }

  /// A run of segments that arrived ahead of a missing one.
  struct Run: Hashable, Sendable {
    /// The first segment of the run, counted from the cumulative acknowledgement.
    var start: UInt32
    /// The segments in the run.
    var count: UInt32
  }

  /// What the packet is for.
  var kind: Kind
  /// How many of the selective acknowledgements hold.
  var runCount: UInt8 = 0
  /// Its connection, or the transfer whose name is looked up.
  var flow: Int32
  /// What the link carries for it.
  var wireBytes: Int32
  /// The bytes of data in it.
  var length: Int32 = 0
  /// The data segment that it carries, or -1.
  var segment: Int = -1
  /// The first segment that its sender has not received.
  var acknowledgement: Int = 0
  /// The first byte that its sender could not take.
  var windowEdge: Int64 = 0
  /// The segment that it reports as having arrived twice (RFC 2883), or -1.
  var duplicate: Int = -1
  /// When it was sent, by the sender's clock (RFC 7323).
  var stamp = Instant.start
  /// The stamp that it gives back; `never` for none.
  var echo = Instant.never
  /// When its last bit has left the queue.
  var departure = Instant.start
  /// When it arrives.
  var arrival = Instant.start
  /// The selective acknowledgements, the newest first.
  var runs: (Run, Run, Run) = (Run.none, Run.none, Run.none)

  /// Creates a packet of a flow.
  @inline(__always)
  init(_ kind: Kind, flow: Int, wireBytes: Int64) {
    self.kind = kind
    self.flow = Int32(truncatingIfNeeded: flow)
    self.wireBytes = Int32(truncatingIfNeeded: wireBytes)
  }

  /// Whether it reports a segment that arrived twice.
  @inline(__always)
  var reportsDuplicate: Bool { duplicate >= 0 }

  /// What stands in empty slots.
  static var none: Packet { Packet(.data, flow: -1, wireBytes: 0) }

  /// The selective acknowledgement of a place.
  @inline(__always)
  func run(_ place: Int) -> Run {
    switch place {
    case 0: runs.0
    case 1: runs.1
    default: runs.2
    }
  }
}

extension Packet.Run {
  /// No segments.
  static let none = Packet.Run(start: 0, count: 0)
}
