/// How requests are carried over a link: name lookups, TCP or QUIC, TLS and HTTP.
///
/// Every number here can be set in a scenario. Without a policy a link is ideal: a request costs a
/// round trip, and its response arrives at the rate of the link.
public struct TransportPolicy: Hashable, Sendable {
  /// The version of HTTP.
  public enum HTTP: Hashable, Sendable, CaseIterable {
    /// One request at a time on each of several connections that are kept.
    case http1
    /// Streams on one connection, and so in one congestion window.
    case http2
    /// Streams on one QUIC connection; a loss holds up only the streams that it hits.
    case http3
  }

  /// How a connection is secured.
  public enum TLS: Hashable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// TLS 1.2: two round trips.
    case tls12
    /// TLS 1.3: one round trip (RFC 8446).
    case tls13
    /// TLS 1.3 with a ticket: one round trip, and a short flight from the server.
    case resumed
    /// TLS 1.3 with a ticket and early data: the request rides with the first flight.
    case zeroRoundTrip
  }

  /// What decides how fast a sender sends.
  public enum CongestionControl: Hashable, Sendable, CaseIterable {
    /// RFC 9438.
    case cubic
    /// RFC 5681 with RFC 6582 in spirit, and selective acknowledgements.
    case reno
    /// A model of BBR, version 1.
    case bbr
    /// Nothing but the receive window.
    case none
  }

  /// The version of HTTP.
  public var http = HTTP.http1
  /// How connections are secured.
  public var tls = TLS.none
  /// The certificates that a server sends to a client that does not know it.
  ///
  /// Assumed: two of about a kilobyte each. QUIC needs one round trip more from 2.5 kB on, because
  /// its server may not send more than three times what it has heard (RFC 9000, 8.1).
  package var certificateSize = ByteCount(bytes: 2_000)
  /// What decides how fast the server sends.
  public var congestionControl = CongestionControl.cubic
  /// Whether a sender spreads its packets over the round trip.
  ///
  /// In slow start at twice, then at 1.2 times the window per round trip, its first ten packets
  /// apart (as Linux does behind fq). Bursts make results depend on microseconds (measured).
  public var isPaced = true
  /// Whether the queue in front of the link is in the server's own host, as where a router serves,
  /// or a server shapes what it sends.
  ///
  /// TCP hears at once that such a queue is full, and keeps what has found no room.
  package var isQueueInServer = false
  /// The packets that a new connection may send at first (RFC 6928).
  public var initialWindow = 10
  /// The data in a full packet.
  package var segmentSize = ByteCount(bytes: 1_448)
  /// The most that a receiver lets be under way; nil for a window that grows as needed to 6 MB.
  public var receiveWindow: ByteCount?
  /// Whether a window shrinks while nothing is sent (RFC 2861, RFC 7661); the default of Linux.
  public var slowStartsAfterIdle = true
  /// How many connections to a host HTTP/1.1 keeps.
  public var connectionsPerHost = 6
  /// How long a server delays the first byte of a response.
  public var serverDelay = TimeSpan.zero
  /// How long the first try of a connection waits for its answer (RFC 6298).
  package var synTimeout = TimeSpan.seconds(1)
  /// How long a resolver waits before it asks again; the second time twice as long.
  package var nameTimeout = TimeSpan.seconds(1)
  /// Whether the first request to a host must look its name up.
  public var usesDNSLookup = true
  /// The size of a request with its header.
  package var requestSize = ByteCount(bytes: 400)
  /// The size of a response's header.
  package var responseHeaderSize = ByteCount(bytes: 300)
  /// How long a receiver may wait before it acknowledges a lone packet.
  package var acknowledgementDelay = TimeSpan.milliseconds(40)
  /// The least time before a sender takes its packets for lost; 200 ms on Linux.
  package var retransmissionTimeoutMin = TimeSpan.milliseconds(200)
  /// How long a request may go without a byte before it fails; nil for no limit.
  public var requestTimeout: TimeSpan? = .seconds(60)
  /// How often a request that lost its connection is tried again, from where it was left.
  public var retriesMax = 3

  /// Creates the policy of a plain HTTP/1.1 server on Linux with pacing.
  public init() {}
}

/// How exactly a run models its link.
package enum LinkTier: Hashable, Sendable, CaseIterable {
  /// A request costs a round trip, then its response flows at the link's rate.
  case ideal
  /// Data flows like water, as fast as windows and the link let it.
  case fluid
  /// Every packet is sent, queued, lost, acknowledged.
  case packet
}
