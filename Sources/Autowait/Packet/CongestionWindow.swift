/// How many packets a sender may have under way, and how that grows and shrinks.
struct CongestionWindow: Sendable {
  /// What decides.
  let kind: TransportPolicy.CongestionControl
  /// The packets that may be under way.
  var size: Int
  /// Below this window a sender is in slow start.
  var threshold = Int.max
  private var credit = 0
  private var cubic = CubicGrowth()
  private var slowStartExit = SlowStartExit()
  /// The least round trip that CUBIC has seen since it last started afresh.
  private var leastRoundTrip: Int64 = .max

  /// The window of a sender without congestion control.
  ///
  /// It is less than half of what a threshold may be, also where an Int has 32 bits.
  private static let unlimited = 1 << 28

  /// Creates the window of a new connection.
  init(_ kind: TransportPolicy.CongestionControl, initial: Int, at now: Instant) {
    self.kind = kind
    size = kind == .none ? CongestionWindow.unlimited : initial
    slowStartExit.begin(next: 0, at: now)
  }

  /// Whether the window doubles each round trip.
  @inline(__always)
  var isInSlowStart: Bool { size < threshold }

  /// Takes the round trip of what was just acknowledged.
  @inline(__always)
  mutating func sample(_ roundTrip: Int64, _ senderState: SlowStartExit.Input, at now: Instant) {
    if kind != .cubic || roundTrip < 0 || cubic.beganLately(at: now) { return }
    let roundTrip = max(1, roundTrip)
    if roundTrip < leastRoundTrip { leastRoundTrip = roundTrip }
    if isInSlowStart,
      slowStartExit.isOver(roundTrip, least: leastRoundTrip, window: senderState, at: now)
    {
      threshold = size
    }
  }

  /// Grows, when packets were acknowledged to a sender that the window limits.
  @inline(__always)
  mutating func grow(_ acknowledged: Int, at now: Instant) {
    if kind == .none { return }
    assert(acknowledged >= 0, "\(acknowledged) packets were acknowledged")
    var acknowledged = acknowledged
    if isInSlowStart {
      let grown = min(size + acknowledged, threshold)
      acknowledged -= grown - size
      size = grown
      if acknowledged == 0 { return }
    }
    if kind == .cubic {
      cubic.update(
        window: size, acknowledged: acknowledged, leastRoundTrip: leastRoundTrip, at: now)
      grow(acknowledged, step: cubic.step)
    } else {
      grow(acknowledged, step: size)
    }
  }

  /// One packet for each step of packets.
  @inline(__always)
  private mutating func grow(_ acknowledged: Int, step: Int) {
    assert(step > 0, "the window grows by one for \(step) packets")
    if credit >= step {
      credit = 0
      size += 1
    }
    credit += acknowledged
    if credit >= step {
      let grown = credit / step
      credit -= grown * step
      size += grown
    }
  }

  /// Returns the threshold behind a loss, and takes note of it: growth begins again.
  mutating func reduce() -> Int {
    credit = 0
    switch kind {
    case .cubic: return cubic.reduce(size)
    case .reno: return max(size / 2, 2)
    case .bbr, .none: return size
    }
  }

  /// Forgets all but the threshold, as after a timeout.
  mutating func startAfresh(next: Int, at now: Instant) {
    credit = 0
    cubic.reset()
    leastRoundTrip = .max
    slowStartExit.reset(next: next, at: now)
  }

  /// Takes note that nothing was sent for a while.
  mutating func skip(_ idle: TimeSpan, at now: Instant) {
    cubic.skip(idle, at: now)
  }
}
