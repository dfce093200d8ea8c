/// A request for data, as a player or another user of the network makes it.
public struct TransferRequest: Hashable, Sendable {
  /// Which connection carries the request.
  public enum Connection: Hashable, Sendable {
    /// One that the policy's pool for the host offers, or a new one if it may have more.
    case pooled
    /// A new one, which joins the pool.
    case new
  }

  /// The user of the network: its connections are its own, and so are the losses on them.
  public var owner: Int
  /// The number of the host that is asked.
  public var host: Int
  /// The body of the response, as it is sent.
  public var size: ByteCount
  /// What the request uploads beside its header.
  public var upload = ByteCount.zero
  /// The weight among the streams of one connection; a stream of a higher class goes first.
  public var priority = 0
  /// Which connection carries the request.
  public var connection = Connection.pooled

  /// Creates a request on a connection of the pool, without an upload or a priority.
  public init(owner: Int = 0, host: Int = 0, size: ByteCount) {
    self.owner = owner
    self.host = host
    self.size = size
  }
}

/// When the steps of a request were over; nil for a step that it did not take, or not yet.
public struct TransferTimes: Hashable, Sendable {
  /// When the request was made.
  public var opened: Instant
  /// When the host's name was known, if it had to be looked up.
  public var nameResolved: Instant?
  /// When the connection was there, if it had to be made.
  public var connected: Instant?
  /// When the connection was secured, if it had to be.
  public var secured: Instant?
  /// When the request was given to a connection.
  public var sent: Instant?
  /// When the first byte of the response arrived.
  public var firstByte: Instant?
  /// When the last byte of the body arrived.
  public var completed: Instant?

  /// Creates the times of a request that was just made.
  public init(opened: Instant) {
    self.opened = opened
  }

  /// Forgets the steps that were planned for after an instant.
  mutating func forget(after now: Instant) {
    if let instant = nameResolved, instant > now { nameResolved = nil }
    if let instant = connected, instant > now { connected = nil }
    if let instant = secured, instant > now { secured = nil }
    if let instant = sent, instant > now { sent = nil }
  }
}

/// What became of a request, as the one who made it is told.
public enum TransferNotice: Hashable, Sendable {
  /// The first byte of the response arrived.
  case responseBegan(Int)
  /// More of the body arrived in order.
  case arrived(Int)
  /// The body arrived whole.
  case completed(Int)
  /// The request failed and is over; what arrived stays.
  case failed(Int, TransferFailure)
}

/// Why a request failed.
public enum TransferFailure: Hashable, Sendable, CaseIterable {
  /// The name could not be resolved.
  case nameNotResolved
  /// No connection could be made.
  case cannotConnect
  /// The connection was lost, and no try was left.
  case connectionLost
  /// No byte came for too long.
  case timedOut
}
