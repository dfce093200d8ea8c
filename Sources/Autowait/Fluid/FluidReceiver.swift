/// The window of a receiver that adapts it, in packets: how much it lets be under way.
///
/// Each packet widens it by two, up to a limit that follows what arrives in a round trip: the rules
/// of the packet tier's receiver (``Receiver``), for rounds of packets.
struct FluidReceiver: Hashable, Sendable {
  /// What may be under way.
  private(set) var window: Int64
  /// How far it grows.
  private var limit: Int64
  /// What it grows to at most.
  private let most: Int64
  /// The most packets that came in a round trip, and those of the last one.
  private var roundMost: Int64 = 10
  private var round: Int64 = 0
  /// The packets that still come before the end of the last round is seen.
  private var unwidening: Int64 = 0
  /// The packets of the busy time that were heard in rounds before.
  private var before: Int64 = 0

  /// Creates the window of a new connection with packets of so much data.
  init(segment: Int64) {
    assert(segment > 0, "packets of \(segment) bytes")
    window = max(1, ReceiveWindow.first / segment)
    limit = max(1, ReceiveWindow.firstMost / segment)
    most = max(1, ReceiveWindow.most / segment)
  }

  /// Widens the window by packets that are no round of their own, and returns how many of them did.
  @discardableResult
  mutating func widen(_ count: Int64) -> Int64 {
    assert(count >= 0, "\(count) packets widen a window")
    let widening = min(count, max(0, limit - window + 1) / 2)
    window = max(window, min(limit, window + 2 * count))
    return widening
  }

  /// Whether the next packet widens the window, as the first one of a round or any other.
  @inline(__always)
  var isWidening: Bool { widensByEach || round > roundMost }

  /// Whether each packet of a round widens it, and not only the first.
  @inline(__always)
  var widensByEach: Bool { window < limit }

  /// Hears so many more packets of a busy time, in so many rounds, each of which ends so many
  /// packets late, and returns how many of the last one have widened the window.
  mutating func hear(_ count: Int64, rounds: Int64, late: Int64 = 0) -> Int64 {
    assert(count >= 0, "\(count) packets are heard")
    assert(late >= 0 && unwidening >= 0, "a round that ends \(late) packets late")
    let rounds = max(1, min(rounds, 16))
    var (left, widening) = (count, Int64(0))
    for place in 0..<rounds {
      let isAtLimit = !widensByEach
      endRound()
      round = left / (rounds - place)
      if isAtLimit { unwidening = late }
      let waiting = min(unwidening, round)
      unwidening -= waiting
      widening = widen(round - waiting)
      before += round
      left -= round
    }
    return widening
  }

  /// Hears one more packet, with which a round may end, and returns whether it widens the window.
  mutating func hear(endsRound: Bool) -> Bool {
    (round, before) = (round + 1, before + 1)
    let isWidening = widen(1) > 0
    if endsRound {
      endRound()
      round = 0
    }
    return isWidening
  }

  /// Returns the window when so many packets of the busy time were heard.
  func widened(by count: Int64) -> Int64 {
    if count <= before { return window }
    var next = self
    next.endRound()
    next.widen(count - before)
    return next.window
  }

  /// Ends a busy time.
  mutating func rest() { before = 0 }

  /// Takes note that a round is over: its first packet behind it says so.
  private mutating func endRound() {
    let round = min(round, most)
    guard round > roundMost else { return }
    let wanted = 2 * round
    limit = min(most, max(limit, wanted + 2 * (wanted * (round - roundMost) / roundMost)))
    roundMost = round
  }
}
