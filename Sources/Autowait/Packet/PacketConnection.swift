/// A connection between a user of the network and a host, as both know it.
struct PacketConnection: Sendable {
  /// What a connection has sent in one direction, and what became of it.
  struct DirectionCounts: Hashable, Sendable {
    /// The packets offered to the link.
    var sent = 0
    /// Those that arrived.
    var delivered = 0
    /// Those that were lost or dropped.
    var dropped = 0

    /// Those that are under way.
    var inFlight: Int { sent - delivered - dropped }
  }

  /// How far a connection is secured.
  enum Security: Hashable, Sendable {
    /// Not yet begun.
    case none
    /// The client waits for a flight of the handshake.
    case waiting(flight: Int)
    /// Requests may go.
    case ready
  }

  /// Whom it serves, and what it may carry.
  let pool: ConnectionPool
  var security = Security.none
  /// The transfers that the connection carries or will carry, in the order of their requests.
  var transfers: [Int] = []
  /// When it last ended a transfer.
  var usedAt: Instant
  /// Whether it has carried a request.
  var hasCarried = false
  /// Whether requests may still be put on it.
  var isAlive = true
  /// Whether nothing more is asked for on it, because nothing on it is acknowledged.
  var isLeft = false
  var up = DirectionCounts()
  var down = DirectionCounts()
  var upRandom: [FlowRandom] = []
  var downRandom: [FlowRandom] = []
  /// The state of the link for which the random streams were made.
  var randomEpoch = -1
  /// The number of the connection among those of its user.
  let ordinal: Int
  var connectedAt: Instant?
  var securedAt: Instant?
  /// When the server's first answer left.
  var grantedAt = Instant.never

  /// Creates a connection that is about to be made.
  init(_ pool: ConnectionPool, ordinal: Int, at now: Instant) {
    self.pool = pool
    self.ordinal = ordinal
    usedAt = now
  }
}
