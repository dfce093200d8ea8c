/// How a connection is secured: which end sends how many bytes, and when.
///
/// Each flight leaves when the one before it has arrived whole, the first one as soon as a packet
/// may go at all: after the opening of a TCP connection, at once with QUIC. Both tiers read these
/// sizes, which are those of the bytes above TCP, or in the packets of QUIC. Where nothing else is
/// said they are assumed. With TLS 1.3 and the certificates of the default policy they sum up to
/// what was measured: 3 kB down and 0.7 kB up with all headers.
struct Handshake: Hashable, Sendable {
  /// What one end sends without waiting for the other.
  struct Flight: Hashable, Sendable {
    let isFromServer: Bool
    let bytes: Int64

    fileprivate static func client(_ bytes: Int64) -> Flight {
      Flight(isFromServer: false, bytes: bytes)
    }

    fileprivate static func server(_ bytes: Int64) -> Flight {
      Flight(isFromServer: true, bytes: bytes)
    }
  }

  /// The flights in their order; the ends take turns, and the client begins.
  let flights: [Flight]
  /// The flights that must have left, or arrived, before the first request may go.
  let flightsBeforeRequest: Int

  /// A first message of a client with TLS 1.3, as it is padded to 512 bytes (RFC 7685), with the
  /// header of its record.
  private static let hello: Int64 = 517
  /// What a ticket and its proof add to it (RFC 8446, 4.2.11).
  private static let ticket: Int64 = 103
  /// A change of cipher for the sake of middleboxes and the end of a handshake with a hash of 48
  /// bytes (RFC 8446, D.4 and 4.4.4), each in a record.
  private static let finished: Int64 = 80
  /// The end of early data in its record (RFC 8446, 4.5); QUIC has none (RFC 9001, 8.3).
  private static let endOfEarlyData: Int64 = 26
  /// A datagram that opens a connection is padded to 1,200 bytes at both ends (RFC 9000, 14.1);
  /// its packet's header and seal are in that.
  private static let quicInitial = 1_200 + WireSize.udp - WireSize.quicOverhead

  /// Before a server of QUIC knows that its client is where it says, it sends no more than three
  /// times what it has heard (RFC 9000, 8.1); it has heard one datagram.
  private static let quicUnvalidated = 3 * quicInitial

  /// Returns the handshake of a policy.
  init(_ policy: TransportPolicy) {
    let (hello, finished) = (Self.hello, Self.finished)
    let known = hello + Self.ticket
    let certificates = policy.certificateSize.bytes
    switch (policy.http, policy.tls) {
    case (.http3, .none), (.http3, .tls12), (.http3, .tls13):
      // QUIC is never without TLS 1.3 (RFC 9001, 4.2).
      let answer = 1_000 + certificates
      let rest = answer - Self.quicUnvalidated
      if rest <= 0 {
        flights = [.client(Self.quicInitial), .server(answer), .client(finished)]
      } else {
        // What the client acknowledges shows where it is. It does so in a datagram that is padded
        // as well, since its first keys still hold (14.1).
        flights = [
          .client(Self.quicInitial), .server(Self.quicUnvalidated),
          .client(Self.quicInitial), .server(rest), .client(finished),
        ]
      }
    case (.http3, .resumed), (.http3, .zeroRoundTrip):
      // A client with a ticket has a token as well, by which the server knows it (8.1.3).
      flights = [.client(Self.quicInitial), .server(Self.quicInitial), .client(finished)]
    case (_, .none): flights = []
    case (_, .tls12):
      flights = [.client(300), .server(900 + certificates), .client(130), .server(250)]
    case (_, .tls13):
      flights = [.client(hello), .server(900 + certificates), .client(finished)]
    case (_, .resumed): flights = [.client(known), .server(250), .client(finished)]
    case (_, .zeroRoundTrip):
      flights = [.client(known), .server(250), .client(Self.endOfEarlyData + finished)]
    }
    flightsBeforeRequest = policy.tls == .zeroRoundTrip ? 1 : flights.count
    assert(flights.first?.isFromServer != true, "a server begins a handshake")
    assert(flightsBeforeRequest <= flights.count, "a request waits for what is never sent")
  }
}
