import Autowait

/// How requests cross the hidden link: what links are inferred with, and predictions are made
/// with, must be the same, or what one of them leaves out is counted twice or not at all.
package struct LinkModel: Hashable, Sendable {
  /// Which kind of link it is.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A request costs a round trip, and what is sent comes at the rate of the link.
    case ideal
    /// Senders begin with a small window and double it, as TCP does.
    case transport
  }

  package var kind: Kind
  /// The first window of a connection: ten segments (RFC 6928).
  package var windowMin: Int64 = 14_600
  /// The window that a connection keeps after a response, at most (assumed).
  package var windowKept: Int64 = 60_000
  /// Whether a sender that heard nothing for its timeout resumes at the next doubled one.
  package var recoversByTimer: Bool
  /// The least silence after which a sender counts its data as lost: the round trip and 200 ms
  /// (Linux; RFC 6298 asks for a second).
  package var timeoutMin = TimeSpan.milliseconds(200)

  /// Whether each request waits for its first byte as long as it did; if not, a round trip.
  package var keepsWaits = true
  /// What has come with a first byte: the packet that it is in.
  package var firstPacket: Int64 = 1_460

  package init(_ kind: Kind, recoversByTimer: Bool = false) {
    (self.kind, self.recoversByTimer) = (kind, recoversByTimer)
    if kind == .ideal { firstPacket = 0 }
  }
}

/// A request as the model sends it; times are in microseconds, sizes in millionths of a bit.
struct ModelledRequest: Sendable {
  /// The number of the request in the log.
  let number: Int
  /// When its first window is let go.
  let release: Int64
  let size: Int64
  /// The first window.
  let window: Int64
  /// When it was over in the log.
  let recorded: Int64
  /// Whether the player gave it up then: it takes its share of the link until it does, and what had
  /// come says what the link carried.
  let isTimedOut: Bool
  /// Whether it is known only that less than its size had come by then.
  let isBounded: Bool
  /// Whether the player had stopped reading it: its bytes crossed the link, but when the last of
  /// them did says nothing.
  let isUnread: Bool
  /// How far from that it may be for reasons of its own: in time or, if it timed out, in bytes.
  let sigma: Int64
  /// Whether others were under way meanwhile.
  let isShared: Bool

  /// A byte, in millionths of a bit.
  static let byte: Int64 = 8_000_000

  /// What it brings if nobody gives it up.
  var wholeSize: Int64 { isTimedOut ? ModelledLog.sizeMax * Self.byte : size }
}
