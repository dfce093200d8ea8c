/// What packets weigh besides the data in them, in bytes of IP.
enum WireSize {
  /// An acknowledgement alone: IP, TCP, and time stamps (RFC 791, 9293, 7323).
  static let acknowledgement: Int64 = 52
  /// A packet that asks for a connection or grants one, with the options of both (measured).
  static let opening: Int64 = 60
  /// The headers of IP and UDP (RFC 791, RFC 768).
  static let udp: Int64 = 28
  /// What QUIC adds to the data of a packet: IP, UDP, short header, frame header and seal
  /// (RFC 9000, 17.3.1 and 19.8; RFC 9001, 5.3).
  static let quicOverhead: Int64 = 60
  /// The largest datagram of QUIC, without the headers of IP and UDP: stacks use 1,200 to 1,350
  /// bytes until they have found that more fits (RFC 9000, 14.2; Chromium sends 1,350).
  static let quicDatagram: Int64 = 1_350
  /// A packet of QUIC that only acknowledges.
  ///
  /// Assumed: a range or two.
  static let quicAcknowledgement: Int64 = 70
  /// A query for a name over UDP.
  ///
  /// Assumed: a host name of 30 letters.
  static let nameQuery: Int64 = 76
  /// The answer to a query.
  ///
  /// Assumed: one alias and two addresses.
  static let nameAnswer: Int64 = 140

  /// The selective acknowledgements of a packet: two bytes, two of padding, eight for each.
  @inline(__always)
  static func runs(_ count: Int) -> Int { count == 0 ? 0 : 4 + 8 * count }
}

/// The records in which TLS carries what a program says over TCP.
enum TLSRecord {
  /// What a record holds, and what it adds (RFC 8446, 5.1 and 5.2).
  static let bytes: Int64 = 16_384, overhead: Int64 = 22
}

extension TransportPolicy {
  /// A resolver is asked so often before a name cannot be resolved.
  static let nameTriesMax = 3

  /// How long a resolver waits for an answer in all, twice as long after each try.
  var nameSpan: TimeSpan { nameTimeout.times(1 << Int64(Self.nameTriesMax) - 1) }

  /// Whether the window of a sender shrinks while nothing is sent.
  ///
  /// QUIC leaves that to implementations (RFC 9002, 7.8). Assumed: none does.
  var restartsAfterIdle: Bool { slowStartsAfterIdle && http != .http3 }

  /// How long an end waits for more before it acknowledges a lone packet; QUIC: RFC 9000, 18.2.
  @inline(__always)
  var acknowledgementWait: TimeSpan {
    http == .http3 ? .milliseconds(25) : acknowledgementDelay
  }

  /// What a packet has besides its data.
  @inline(__always)
  var packetOverhead: Int64 {
    http == .http3 ? WireSize.quicOverhead : WireSize.acknowledgement
  }

  /// What a packet without data weighs.
  @inline(__always)
  var acknowledgementSize: Int64 {
    http == .http3 ? WireSize.quicAcknowledgement : WireSize.acknowledgement
  }

  /// Returns the most data that a packet takes of a direction.
  func segmentBytes(on direction: LinkDirection) -> Int64 {
    var most = direction.mtu.bytes - packetOverhead
    if http == .http3 {
      most = min(most, WireSize.quicDatagram + WireSize.udp - WireSize.quicOverhead)
    }
    return max(1, min(segmentSize.bytes, most))
  }

  /// Whether what is said travels in records, each of which can be read when it is whole; QUIC
  /// seals each packet by itself.
  @inline(__always)
  var hasRecords: Bool { tls != .none && http != .http3 }

  /// Returns what comes before so much of a body: a response is never without any byte.
  func headerSize(ofBody rest: ByteCount) -> Int64 {
    rest == .zero ? max(1, responseHeaderSize.bytes) : responseHeaderSize.bytes
  }

  /// Returns what bytes become when they are put into records, if they are.
  @inline(__always)
  func wire(_ plain: Int64) -> Int64 {
    if !hasRecords { return plain }
    return plain + (plain + TLSRecord.bytes - 1) / TLSRecord.bytes * TLSRecord.overhead
  }
}
