/// A piece of a stream of bytes that travels in one packet, as its sender remembers it.
struct TCPSegment: Sendable {
  /// What has become of a segment, as far as its sender knows.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    /// A selective acknowledgement covers it.
    static let received = Flags(rawValue: 1)
    /// It was taken for lost.
    static let lost = Flags(rawValue: 2)
    /// A copy of it is under way.
    static let copied = Flags(rawValue: 4)
    /// It was sent more than once, ever.
    static let repeated = Flags(rawValue: 8)
    /// There was nothing else to send when it was sent.
    static let applicationLimited = Flags(rawValue: 16)
    /// It ends its message.
    static let ends = Flags(rawValue: 32)
    /// It has reached the other end, whatever the sender knows.
    static let arrived = Flags(rawValue: 64)
    /// It was found late since it was last sent, and so is not looked at again.
    static let foundLate = Flags(rawValue: 128)
  }

  /// When it was last sent.
  var sentAt = Instant.start
  /// The bytes in it.
  var length: Int32 = 0
  /// What has become of it.
  var marks: Flags = []
  /// What its bytes are for.
  var message = Message.Kind.response
  /// The transfer that it belongs to.
  var transfer: Int32 = -1
  /// The next segment of the same transfer; zero if there is none yet.
  var nextOfTransfer = 0
  /// What had been delivered when it was sent, when that was, and when what was delivered then
  /// had been sent; for the estimate of the rate.
  var delivered = 0
  var deliveredAt = Instant.start
  var firstSentAt = Instant.start

  /// What stands in empty slots.
  static var none: TCPSegment { TCPSegment() }
}

/// Bytes that one end of a connection has to say to the other.
struct Message: Hashable, Sendable {
  /// What they are for.
  enum Kind: UInt8, Sendable {
    /// A flight of the handshake of TLS or QUIC.
    case handshake
    /// A request.
    case request
    /// A response, header and body.
    case response
    /// The end of a stream that the client does not want any more.
    case cancel
    /// How far the client will read a stream.
    case limit
  }

  /// What they are for.
  var kind: Kind
  /// The transfer that they belong to.
  var transfer: Int32
  /// The bytes that are not yet in segments.
  var rest: Int64
  /// The bytes that the other end will not take yet.
  var held: Int64 = 0
  /// A message of a higher class goes first.
  var priority = 0
  /// The last segment that was made of it, or -1.
  var lastSegment = -1
}
