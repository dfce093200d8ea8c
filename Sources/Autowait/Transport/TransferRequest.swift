/// A request for data, as a player or another user of the network makes it.
package struct TransferRequest: Hashable, Sendable {
  /// Which connection carries the request.
  package enum Connection: Hashable, Sendable {
    /// One that the policy's pool for the host offers, or a new one if it may have more.
    case pooled
    /// A new one, which joins the pool.
    case new
  }

  /// What becomes of the request where it is answered.
  package enum Answer: UInt8, Hashable, Sendable, CaseIterable {
    /// The host sends a response.
    case served
    /// The host has no name that resolves: the request fails with what the lookup took.
    ///
    /// A query and its answer are under way, and are repeated if they are lost; such an answer is
    /// not kept for later requests. Where no names are looked up the request fails at once, and
    /// an ideal link, on which nothing fails, brings a response of no bytes after one round trip.
    case nameNotResolved
  }

  /// The user of the network: its connections are its own, and so are the losses on them.
  package var owner: Int
  /// The number of the host that is asked.
  package var host: Int
  /// The body of the response, as it is sent.
  package var size: ByteCount
  /// What the request uploads beside its header.
  package var upload = ByteCount.zero
  /// The weight among the streams of one connection; a stream of a higher class goes first.
  package var priority = 0
  /// Which connection carries the request.
  package var connection = Connection.pooled
  /// Which connections of its owner to the host it may use: those of requests with the same number.
  var lane = 0
  /// How long the server takes for this request alone, beyond ``TransportPolicy/serverDelay``.
  ///
  /// It begins again if the request is sent again on another connection. What is longer than
  /// ``Limits/timeMax`` is as long as that, and so a server that does not answer in any run.
  package var serverDelay = TimeSpan.zero
  /// What becomes of the request where it is answered.
  package var answer = Answer.served
  /// Whether it brings media, the time of whose transfer is counted.
  var isMedia = true
  /// The transfer that it follows, in whose last nanosecond it begins if it does so at once.
  var follows: Int?

  /// What its flow weighs when an ideal link is shared.
  var weight = FlowShare.ordinaryWeight

  /// Creates a request on a connection of the pool, without an upload or a priority, that is served
  /// as soon as the policy lets it.
  package init(owner: Int = 0, host: Int = 0, size: ByteCount) {
    self.owner = owner
    self.host = host
    self.size = size
  }

  /// The connections that it may use.
  var pool: ConnectionPool { ConnectionPool(owner: owner, host: host, lane: lane) }

  /// How long the server takes for this request alone, in a number that any instant can hold.
  var boundedServerDelay: TimeSpan { min(max(.zero, serverDelay), Limits.timeMax) }
}

/// Connections that may carry the same requests.
struct ConnectionPool: Hashable, Sendable {
  let owner: Int
  let host: Int
  let lane: Int
}

/// When the steps of a request were over; nil for a step that it did not take, or not yet.
package struct TransferTimes: Hashable, Sendable {
  /// When the request was made.
  package var opened: Instant
  /// When the host's name was known, if it had to be looked up.
  package var nameResolved: Instant?
  /// When the connection was there, if it had to be made.
  package var connected: Instant?
  /// When the connection was secured, if it had to be.
  package var secured: Instant?
  /// When the request was given to a connection.
  package var sent: Instant?
  /// When the first byte of the response arrived.
  package var firstByte: Instant?
  /// When the last byte of the body arrived.
  package var completed: Instant?

  /// Creates the times of a request that was just made.
  package init(opened: Instant) {
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

/// A part of the way from a request to its last byte.
public enum TransferPhase: UInt8, Hashable, Sendable, CaseIterable {
  /// The name of the host is looked up.
  case domainLookup
  /// The connection is made.
  case connect
  /// The connection is secured.
  case secureConnection
  /// The request goes up, and the first byte of its response comes down.
  case firstByte
  /// The rest of the response comes down.
  case body
}

extension TransferTimes {
  /// Returns how long a part of the way took; nil if it was not needed or not passed.
  ///
  /// What a retry needed after the first byte had come is part of the body's time.
  package func duration(of phase: TransferPhase) -> TimeSpan? {
    assertInvariants()
    let (named, linked) = (early(nameResolved), early(connected))
    let safe = early(secured)
    return switch phase {
    case .domainLookup: named.map { $0 - opened }
    case .connect: linked.map { max(.zero, $0 - (named ?? opened)) }
    case .secureConnection: safe.map { max(.zero, $0 - (linked ?? named ?? opened)) }
    case .firstByte: firstByte.map { max(.zero, $0 - (safe ?? linked ?? named ?? opened)) }
    case .body: firstByte.flatMap { first in completed.map { $0 - first } }
    }
  }

  /// Asserts that no step was over before the request was made, nor its body before its beginning.
  func assertInvariants() {
    assert((nameResolved ?? opened) >= opened, "a name is known before it is asked for")
    assert((connected ?? opened) >= opened, "a connection is there before it is asked for")
    assert((secured ?? opened) >= opened, "a connection is secured before it is asked for")
    assert((sent ?? opened) >= opened, "a request is sent before it is made")
    assert((firstByte ?? opened) >= opened, "a response begins before its request")
    assert((completed ?? .never) >= firstByte ?? opened, "a response ends before it begins")
  }

  /// A step, unless a retry took it when the first byte had come.
  private func early(_ step: Instant?) -> Instant? {
    if let step, let firstByte, step > firstByte { nil } else { step }
  }
}

/// What became of a request, as the one who made it is told.
package enum TransferNotice: Hashable, Sendable {
  /// The first byte of the response arrived.
  case responseBegan(Int)
  /// More of the body arrived in order.
  case arrived(Int)
  /// The body arrived whole.
  case completed(Int)
  /// The request failed and is over; what arrived stays.
  case failed(Int, TransferFailure)
}

extension TransferNotice {
  /// The number of the transfer.
  var transfer: Int {
    switch self {
    case .responseBegan(let number), .arrived(let number), .completed(let number),
      .failed(let number, _):
      number
    }
  }
}

/// Why a request failed.
public enum TransferFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// The name could not be resolved.
  case nameNotResolved
  /// No connection could be made.
  case cannotConnect
  /// The connection was lost, and no try was left.
  case connectionLost
  /// No byte came for too long.
  case timedOut
}
