/// When one end of a TCP or QUIC connection acknowledges the data that it hears.
///
/// These are the rules of the packet tier's receiver as far as a handshake and a request need them:
/// the first packets at once, then every second one, as soon as the end answers with data.
struct FluidListener: Hashable, Sendable {
  /// The packets that are acknowledged at once at first (measured).
  private static let quickMax = 16
  private var quick = quickMax
  private(set) var unsaid = 0
  /// Whether it has heard something, ever and lately.
  private var isNew = true
  private var hasHeard = false
  /// Whether this end answers what it hears with data, which can carry acknowledgements.
  private var isReplying = false

  /// How many packets it hears from now on before it acknowledges: one while that widens its
  /// window.
  @inline(__always)
  func packetsForAnswer(isWidening: Bool) -> Int64 {
    packetsTogether(isWidening: isWidening) > 1 ? Int64(2 - unsaid) : 1
  }

  /// How many packets it acknowledges together: two, or one while that widens its window.
  @inline(__always)
  func packetsTogether(isWidening: Bool) -> Int64 {
    isReplying || (quick == 0 && !isWidening) ? 2 : 1
  }

  /// Whether it acknowledges each packet while its receive window grows.
  @inline(__always)
  var acknowledgesSingly: Bool { !isReplying }

  /// Takes so many packets, of which the first so many widen the window and are acknowledged at
  /// once therefore.
  mutating func hear(_ count: Int64, widening: Int64) {
    assert(widening <= count, "\(widening) of \(count) packets widen the window")
    (isNew, hasHeard) = (false, true)
    let single = isReplying ? 0 : min(Int64(quick) + widening, count)
    let all = (single > 0 ? 0 : Int64(unsaid)) + count - single
    quick = Int(max(0, Int64(quick) - max(0, single - widening) - all / 2))
    unsaid = Int(all % 2)
  }

  /// Takes note of a silence before something goes out: after a long one that is no reply.
  mutating func rest(from heardAt: Instant, to now: Instant, _ policy: TransportPolicy) {
    guard now - min(heardAt, now) >= policy.acknowledgementWait else { return }
    if unsaid > 0, Self.late(policy, after: heardAt) < now { hearNothing() }
    hasHeard = false
  }

  /// Takes note that something comes after so long a silence: after a timeout's worth the first
  /// packets are acknowledged at once again.
  mutating func hear(after silence: TimeSpan, timeout: TimeSpan) {
    if silence > timeout { quick = Self.quickMax }
  }

  /// Takes note that a lone packet was acknowledged late: waiting for data was useless.
  mutating func hearNothing() {
    if unsaid > 0 { _ = say() }
    isReplying = false
  }

  /// Returns when a lone packet is acknowledged that came at an instant.
  static func late(_ policy: TransportPolicy, after now: Instant) -> Instant {
    policy.http == .http3
      ? now + policy.acknowledgementWait : HostClock.instant(policy.acknowledgementWait, after: now)
  }

  /// Takes a packet with data, and returns how many it acknowledges now; zero for later.
  ///
  /// Unless this end replies, one is acknowledged at once that widens the window or is not full,
  /// and so ends what the other end had to say.
  mutating func hear(isWidening: Bool = false, isShort: Bool = false) -> Int {
    (isNew, hasHeard) = (false, true)
    unsaid += 1
    if isWidening { quick |= 1 }
    guard unsaid >= 2 || ((quick > 0 || isShort) && !isReplying) else { return 0 }
    return say()
  }

  /// Takes note that data goes out, which acknowledges what was heard.
  mutating func send() {
    if hasHeard { isReplying = true }
    // Before anything was heard there is nothing to be acknowledged.
    if !isNew { _ = say() }
  }

  /// Takes note that so many packets go out, one after another.
  mutating func send(_ count: Int64) {
    send()
    if !isNew { quick = max(0, quick - Int(clamping: count - 1)) }
  }

  /// Takes note of a response to what was heard, which acknowledges it; one that goes out too late
  /// is no reply.
  mutating func reply(isLate: Bool) {
    if isLate { hasHeard = false }
    send()
  }

  private mutating func say() -> Int {
    defer { unsaid = 0 }
    quick = max(0, quick - 1)
    return unsaid
  }
}
