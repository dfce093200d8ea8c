/// How much of a link the messages of a connection take, beside the data.
enum WireSizes {
  /// The IP header, the TCP header, and the option with timestamps (RFC 7323).
  ///
  /// Assumed: a QUIC packet has as much: IP and UDP headers, a short header, and its seal.
  static let header: Int64 = 52
  /// A packet that opens a TCP connection, or its answer, with all usual options (measured).
  static let opening: Int64 = 60
  /// An acknowledgement without data.
  static let acknowledgement: Int64 = header
  /// Assumed: a query for a name, and its answer.
  static let nameQuery: Int64 = 70, nameAnswer: Int64 = 130

  /// One exchange of a handshake: what goes up, and what comes back.
  struct Exchange: Hashable, Sendable {
    let up: Int64
    let down: Int64
  }

  /// The exchanges by which a connection comes to be, before a request can be sent on it.
  ///
  /// TLS takes 3 kB down and 0.7 kB up in all (measured with TLS 1.3). Assumed: how they are
  /// parted, that a ticket saves the certificates, and that TLS 1.2 sends 0.5 kB more.
  static func handshake(_ policy: TransportPolicy) -> [Exchange] {
    if policy.http == .http3 {
      // RFC 9000: the first packet is padded to 1,200 bytes, and the way is TLS 1.3's.
      switch policy.tls {
      case .zeroRoundTrip: return []
      case .resumed: return [Exchange(up: 1_252, down: 1_252)]
      case .none, .tls12, .tls13: return [Exchange(up: 1_252, down: 3_150)]
      }
    }
    let opening = Exchange(up: opening, down: opening)
    switch policy.tls {
    case .none, .zeroRoundTrip: return [opening]
    case .resumed: return [opening, Exchange(up: 752, down: 352)]
    case .tls13: return [opening, Exchange(up: 602, down: 3_156)]
    case .tls12: return [opening, Exchange(up: 352, down: 3_656), Exchange(up: 202, down: 103)]
    }
  }

  /// What goes up with the first request of a connection, beside the request.
  static func early(_ policy: TransportPolicy) -> Int64 {
    switch policy.tls {
    case .none, .tls12: 0
    case .resumed, .tls13: 100
    case .zeroRoundTrip: 700
    }
  }
}

extension TransportPolicy {
  /// Returns what comes before so much of a body: a response is never without any byte.
  func headerSize(ofBody rest: ByteCount) -> Int64 {
    assert(rest >= .zero, "a body of \(rest.bytes) bytes")
    return rest == .zero ? max(1, responseHeaderSize.bytes) : responseHeaderSize.bytes
  }
}
