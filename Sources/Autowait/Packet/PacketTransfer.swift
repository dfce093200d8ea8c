/// A request and its response, as the one who made it knows them.
struct PacketTransfer: Sendable {
  /// How far a transfer has come.
  enum Phase: Hashable, Sendable {
    /// The host's name is looked up, a number of times before.
    case naming(tries: Int)
    /// It waits for a connection.
    case queued
    /// It waits for its connection to be ready, or for the response, or gets it.
    case assigned
    /// It is over: whole, failed or cancelled.
    case over
  }

  let request: TransferRequest
  var times: TransferTimes
  var phase = Phase.queued
  var connection = -1
  /// The body that earlier tries brought.
  var offset: Int64 = 0
  /// What arrived of the response of this try, as it is on the wire.
  var wireBytes: Int64 = 0
  /// What arrived of it and was not read: nobody reads while the transfer is suspended.
  var unread: Int64 = 0
  /// What the server must still hear of the request.
  var requestRest: Int64 = 0
  var tries = 0
  var isSent = false
  var isSuspended = false
  /// The segment that brings the next bytes, when each stream is delivered for itself; zero
  /// before the first segment, and as long as the next was not sent.
  var expectedSegment = -1
  /// When the server begins to answer, when a name's answer leaves, when it is asked again.
  var serverReadyAt = Instant.never
  var answerAt = Instant.never
  var retryAt = Instant.never
  var heardAt: Instant
  /// When the last bytes of its response came.
  var lastByte = Instant.start
  /// When its last bytes came, if it is read, and the time in which it brought any.
  var lastBytesAt: Instant?
  var active = TimeSpan.zero
  /// Arrivals below this count of bytes are not told.
  var watched: Int64 = 0

  /// Creates a transfer that was just asked for.
  init(_ request: TransferRequest, at now: Instant) {
    self.request = request
    times = TransferTimes(opened: now)
    heardAt = now
  }

  /// The body that earlier tries did not bring.
  @inline(__always)
  var restBytes: Int64 { request.size.bytes - offset }

  /// What comes before it.
  @inline(__always)
  func headerBytes(_ policy: TransportPolicy) -> Int64 {
    policy.headerSize(ofBody: ByteCount(bytes: restBytes))
  }
}
