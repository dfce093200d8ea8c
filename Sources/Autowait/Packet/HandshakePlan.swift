/// The flights with which a connection is secured, and what each end sends in them.
///
/// The sizes are assumed: a chain of two certificates of about a kilobyte each. Together they are
/// what was measured: 3 kB down and 0.7 kB up, and a round trip for each pair.
enum HandshakePlan {
  /// A flight of a handshake.
  struct Flight: Hashable, Sendable {
    var isFromServer: Bool
    var bytes: Int64
  }

  /// Returns the flights of a handshake, the client's first.
  static func flights(_ policy: TransportPolicy) -> [Flight] {
    if policy.http == .http3 { return quicFlights(policy) }
    switch policy.tls {
    case .none: return []
    case .tls12: return [client(300), server(2_900), client(130), server(250)]
    case .tls13: return [client(517), server(2_900), client(80)]
    case .resumed, .zeroRoundTrip: return [client(620), server(250), client(80)]
    }
  }

  /// QUIC is never without TLS 1.3, and pads its first packet (RFC 9000, 14.1).
  private static func quicFlights(_ policy: TransportPolicy) -> [Flight] {
    switch policy.tls {
    case .resumed, .zeroRoundTrip: [client(1_200), server(300), client(80)]
    case .none, .tls12, .tls13: [client(1_200), server(3_000), client(80)]
    }
  }

  /// The number of flights before the first request may go.
  static func flightsBeforeRequest(_ policy: TransportPolicy) -> Int {
    let count = flights(policy).count
    return policy.tls == .zeroRoundTrip ? min(1, count) : count
  }

  private static func client(_ bytes: Int64) -> Flight { Flight(isFromServer: false, bytes: bytes) }

  private static func server(_ bytes: Int64) -> Flight { Flight(isFromServer: true, bytes: bytes) }
}
