/// How much a receiver of TCP lets be under way when it adapts its window; both tiers read it.
enum ReceiveWindow {
  /// The window of a new connection (measured).
  static let first: Int64 = 65_536
  /// How far it grows before it was filled once: full packets waste less of a buffer of 128 KiB
  /// than was feared, 856 of 2,304 bytes each (measured).
  static let firstMost: Int64 = 81_920
  /// What it grows to: 6 MB, as on Linux.
  static let most: Int64 = 6_291_456
}

extension TransportPolicy {
  /// The most data that the client lets be under way; nil for no bound.
  ///
  /// Without a window of its own a client of QUIC is assumed to raise its limits in time.
  var receiveLimit: Int64? {
    if let receiveWindow { return receiveWindow.bytes }
    return http == .http3 && congestionControl != .none ? nil : ReceiveWindow.most
  }

  /// Whether the window of a receiver that adapts is all that limits a sender.
  var isLimitedByAdaptingReceiver: Bool {
    congestionControl == .none && http != .http3 && receiveWindow == nil
  }

  /// What decides how fast a client sends what it uploads: the policy says it of servers alone.
  var ofUploads: TransportPolicy {
    var policy = self
    policy.congestionControl = .cubic
    return policy
  }
}
