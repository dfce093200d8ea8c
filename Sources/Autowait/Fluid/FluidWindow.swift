/// What a sender knows of its path: the congestion window, and how long a round trip takes.
///
/// It is the window of a TCP sender as far as it can be told without packets: it grows by a packet
/// for each acknowledged one in slow start, by RFC 9438 or RFC 5681 above the threshold, and halves
/// for each timeout in which nothing is sent (RFC 2861).
struct FluidWindow: Hashable, Sendable {
  /// A threshold that was never set.
  static let noThreshold = Int64.max / 4

  /// The window in packets at the start of the present busy time.
  private(set) var packets: Int64
  /// The window above which it grows slowly.
  var threshold = noThreshold
  /// What the sender knows of the time of a round trip.
  private var estimate: RoundTripEstimate
  /// The rounds whose round trips were measured.
  private var rounds = 0
  /// When the last packet was sent, by the clock of the far end.
  private(set) var lastSent = Instant.start
  /// How long the window has grown slowly while it was the limit.
  private var avoided = TimeSpan.zero
  /// When the window was last used up, by the clock of the far end, and the most that was under way
  /// since.
  private var usedAt = Instant.start
  private var used: Int64 = 0
  /// The window of a receiver, if that adapts it.
  private var receiver: FluidReceiver?

  /// Creates the window of a new connection with packets of so much data.
  init(_ policy: TransportPolicy, segment: Int64) {
    assert(segment > 0, "packets of \(segment) bytes")
    estimate = RoundTripEstimate(
      timeoutMin: policy.retransmissionTimeoutMin, initialTimeout: policy.synTimeout,
      isQUIC: policy.http == .http3)
    let adapting = policy.receiveWindow == nil ? FluidReceiver(segment: segment) : nil
    receiver = adapting
    let limit = policy.isLimitedByAdaptingReceiver ? adapting?.window : nil
    packets = limit ?? Int64(policy.initialWindow)
  }

  /// The smoothed round trip; nil before the first sample.
  @inline(__always)
  var roundTrip: TimeSpan? {
    estimate.isKnown ? TimeSpan(nanoseconds: estimate.smoothed) : nil
  }

  /// The least round trip.
  @inline(__always)
  var roundTripMin: TimeSpan { TimeSpan(nanoseconds: estimate.least) }

  /// How long a sender waits before it takes its packets for lost.
  @inline(__always)
  var timeout: TimeSpan { TimeSpan(nanoseconds: estimate.timeout) }

  /// Takes note of a measured round trip, which may be the first of a round.
  mutating func sample(_ span: TimeSpan, beginsRound: Bool) {
    assert(span >= .zero, "a round trip of \(span.nanoseconds) ns")
    if beginsRound { rounds += 1 }
    estimate.add(span.nanoseconds, acknowledged: rounds, next: rounds)
  }

  /// Takes note of round trips of some rounds that became longer by steps, up to one.
  mutating func follow(to span: TimeSpan, step: TimeSpan, rounds: Int64) {
    self.rounds += Int(rounds)
    estimate.follow(to: span.nanoseconds, step: step.nanoseconds, rounds: rounds)
  }

  /// Whether the next packet widens the window of the receiver.
  @inline(__always)
  var isWidening: Bool { receiver?.isWidening ?? false }

  /// Whether each packet of a round does.
  @inline(__always)
  var isWidenedByEach: Bool { receiver?.widensByEach ?? false }

  /// What a receiver that adapts its window lets be under way; nil if it does not adapt it.
  var received: Int64? { receiver?.window }

  /// Takes note that the receiver has heard so many more packets in so many rounds, and returns how
  /// many of the last round have widened its window.
  mutating func hear(_ count: Int64, rounds: Int64, late: Int64) -> Int64 {
    receiver?.hear(count, rounds: rounds, late: late) ?? 0
  }

  /// Takes note that the receiver has heard a packet, with which a round may end, and returns
  /// whether that has widened its window.
  mutating func hear(endsRound: Bool) -> Bool { receiver?.hear(endsRound: endsRound) ?? false }

  /// Grows by what a flight of a handshake has used of the window.
  mutating func begin(after count: Int64, sentAt: Instant, _ policy: TransportPolicy) {
    lastSent = sentAt
    if isUsed(by: count) { usedAt = sentAt }
    receiver?.widen(count)
    if policy.congestionControl == .none {
      if policy.isLimitedByAdaptingReceiver { packets = receiver?.window ?? packets }
      return
    }
    packets = max(packets, min(packets + count, 2 * count))
  }

  /// Keeps to what a receiver lets be under way, in slow start to twice as much: a window that is
  /// not used does not grow beyond that.
  mutating func keep(toReceived count: Int64, above before: Int64, _ policy: TransportPolicy) {
    if policy.congestionControl == .none || count > Self.noThreshold { return }
    packets = min(packets, max(before, count, min(2 * count, threshold)))
  }

  /// Shrinks the window after a pause, as the next response begins; the sender's clock is behind
  /// that of the far end.
  mutating func resume(
    at now: Instant, behind delay: TimeSpan = .zero, _ policy: TransportPolicy,
    _ leaning: FluidLeaning
  ) {
    guard shrinks(policy), packets > 0 else { return }
    let timeout = leaning.timeout(timeout.nanoseconds)
    // A host counts the ticks of its clock (measured).
    let tick = HostClock.tick
    let start = min(lastSent, now).nanoseconds - delay.nanoseconds
    let ticks = (now.nanoseconds - delay.nanoseconds) / tick - start / tick
    var idle = ticks * tick - timeout
    guard idle > 0 else { return }
    remember()
    let least = min(Int64(policy.initialWindow), packets)
    while idle > 0, packets > least {
      packets = max(packets / 2, least)
      idle -= timeout
    }
    packets = leaning.rested(packets)
    (usedAt, used) = (now, 0)
  }

  /// Takes note that so many packets are under way, or about to be, and nothing stops the sender
  /// but a lack of data, or its pace.
  ///
  /// A window that was not used for a timeout sinks half way to what was (RFC 2861; RFC 7661 in
  /// spirit, as in the packet tier).
  mutating func judge(
    _ count: Int64, at now: Instant, sinksAt: Instant? = nil, _ policy: TransportPolicy,
    _ leaning: FluidLeaning
  ) {
    let use = Use(count: count, size: packets, isWhole: isUsed(by: count))
    _ = judge(use, at: now, sinksAt: sinksAt ?? self.sinksAt(leaning), policy)
  }

  /// How many packets are under way of a window, and whether they use it.
  struct Use {
    let count: Int64
    let size: Int64
    let isWhole: Bool
  }

  /// Takes note of the use of the window that has grown so far, and returns whether it sinks.
  mutating func judge(
    _ use: Use, at now: Instant, sinksAt: Instant, _ policy: TransportPolicy
  ) -> Bool {
    assert(use.count >= 0, "\(use.count) packets are under way")
    if use.isWhole {
      (usedAt, used) = (now, 0)
      return false
    }
    used = max(used, use.count)
    guard shrinks(policy), now >= sinksAt else { return false }
    let most = max(used, Int64(policy.initialWindow))
    (usedAt, used) = (now, 0)
    guard most < use.size else { return false }
    packets = use.size
    remember()
    packets = (packets + most) / 2
    return true
  }

  /// When the window sinks if it is not used before, as far as it is known now, or after some more
  /// round trips.
  func sinksAt(
    after samples: Int = 0, of roundTrip: TimeSpan = .zero, _ leaning: FluidLeaning
  ) -> Instant {
    var estimate = estimate
    for _ in 0..<samples { estimate.add(roundTrip.nanoseconds, acknowledged: 0, next: 0) }
    return usedAt + TimeSpan(nanoseconds: leaning.timeout(estimate.timeout))
  }

  /// Whether a window is used up by so many packets: in slow start by more than half of it
  /// (RFC 7661, section 4.1).
  func isUsed(by count: Int64) -> Bool {
    count >= packets || (packets < threshold && packets < 2 * count)
  }

  /// Remembers what the path could carry as a threshold (RFC 7661, section 4.3).
  private mutating func remember() {
    if threshold != Self.noThreshold { threshold = max(threshold, packets * 3 / 4) }
  }

  /// Whether a window sinks that is not used.
  private func shrinks(_ policy: TransportPolicy) -> Bool {
    policy.restartsAfterIdle
      && (policy.congestionControl == .cubic || policy.congestionControl == .reno)
  }

  /// Returns the window after so many packets of the busy time were acknowledged, each a spacing
  /// after the one before, on a path that holds so many.
  func grown(
    acknowledged count: Int64, spacing: TimeSpan, capacity: Int64, _ policy: TransportPolicy
  ) -> Int64 {
    if policy.congestionControl == .none {
      guard policy.isLimitedByAdaptingReceiver else { return Self.noThreshold }
      return receiver?.widened(by: count) ?? Self.noThreshold
    }
    let slow = min(packets + count, max(threshold, packets))
    if policy.congestionControl == .bbr { return slow }
    if slow > capacity, slow > packets {
      // Slow start has run over: the window falls, a round trip passes, and it grows slowly.
      let low = fallen(from: capacity, policy)
      let more = max(0, count - 2 * capacity + packets)
      return min(capacity, low + growth(over: more, from: low, spacing: spacing, policy))
    }
    let more = count - (slow - packets)
    if more == 0 { return slow }
    let grown = slow + growth(over: more, from: slow, spacing: spacing, policy)
    // It meets the capacity again and again, and is mostly between what it falls and rises to.
    return grown <= capacity ? grown : max(slow, (capacity + fallen(from: capacity, policy)) / 2)
  }

  /// Returns the window after a loss.
  private func fallen(from window: Int64, _ policy: TransportPolicy) -> Int64 {
    let left = policy.congestionControl == .reno ? window / 2 : window * 7 / 10
    return max(Int64(policy.initialWindow), left)
  }

  /// Ends a busy time in which so many packets were sent and acknowledged, and the use of which was
  /// judged.
  mutating func rest(
    after count: Int64, spacing: TimeSpan, capacity: Int64, lastSent: Instant,
    _ policy: TransportPolicy
  ) {
    receiver?.rest()
    self.lastSent = lastSent
    if policy.congestionControl == .none {
      packets =
        policy.isLimitedByAdaptingReceiver
        ? receiver?.window ?? packets : max(packets, ReceiveWindow.most)
      return
    }
    // A window that was not the limit does not grow; in slow start it is one as long as it is less
    // than twice what was in flight (RFC 7661, section 4.1; measured: 26 → 32 by 16 packets).
    if count <= packets {
      packets = max(packets, min(packets + count, 2 * count, threshold))
      return
    }
    let slow = min(packets + count, max(threshold, packets))
    let grown = grown(acknowledged: count, spacing: spacing, capacity: capacity, policy)
    let more = max(0, count - (slow - packets) - slow)
    avoided = later(by: spacing.times(more))
    if grown < slow || slow > capacity { threshold = fallen(from: capacity, policy) }
    packets = grown
    assert(packets > 0 && threshold > 0, "a window of \(packets) packets")
  }

  /// Ends a busy time whose packets are known: so many acknowledged ones have let the window grow.
  mutating func rest(
    at size: Int64, after count: Int64, spacing: TimeSpan, lastSent: Instant
  ) {
    assert(size > 0 && count >= 0, "a window of \(size) packets behind \(count)")
    receiver?.rest()
    self.lastSent = lastSent
    let slow = min(packets + count, max(threshold, packets))
    avoided = later(by: spacing.times(max(0, count - (slow - packets) - slow)))
    packets = size
  }

  /// How much the window grows above the threshold.
  private func growth(
    over count: Int64, from window: Int64, spacing: TimeSpan, _ policy: TransportPolicy
  ) -> Int64 {
    if policy.congestionControl == .reno {
      // A packet a window: w² grows by 2 for each acknowledged packet.
      let square = UInt64(window) * UInt64(window) + 2 * UInt64(count)
      return Int64(IntegerRoot.square(of: UInt128(square))) - window
    }
    // RFC 9438 without a loss: 0.4 packets per second cubed. Measured: before its first loss a
    // window grows by at least a packet for twenty, and by at most one for two.
    let before = cube(avoided)
    let behind = cube(later(by: spacing.times(count)))
    return max(count / 20, min(behind - before, count / 2))
  }

  /// How long the window will have grown slowly; more than a quarter of an hour makes it no larger.
  private func later(by span: TimeSpan) -> TimeSpan {
    min(avoided + min(span, .seconds(1_000)), .seconds(1_000))
  }

  /// 0.4 packets per second cubed, over a time.
  private func cube(_ span: TimeSpan) -> Int64 {
    let milliseconds = UInt64(span.nanoseconds / 1_000_000)
    return Int64(milliseconds * milliseconds * milliseconds * 2 / 5_000_000_000)
  }
}
