/// The growth of a window by CUBIC (RFC 9438), in whole numbers.
///
/// Times are counted in 1024ths of a second, as the cube of a nanosecond fits nowhere. The distance
/// to the plateau is rounded down, and not the window: the other way round a connection with
/// losses is 4 to 8 percent too slow (measured).
struct CubicGrowth: Sendable {
  /// The window before the last reduction, W_max.
  private var plateau = 0
  /// When the present growth began; nil until the first acknowledgement after a reduction.
  private var epoch: Instant?
  private var origin = 0
  private var plateauAfter: Int64 = 0
  /// What a Reno sender would have, W_est, and what it has not used of the acknowledgements.
  private var friendly = 0
  private var friendlyCredit = 0
  private var lastUpdate = Instant.never
  private var lastWindow = 0
  /// How many acknowledged packets let the window grow by one.
  private(set) var step = 1

  /// C is 0.4 packets per second³: 2/5 · 2⁻³⁰ for 1024ths of a second.
  private static func distance(_ ticks: Int64) -> Int {
    // A window is far from its plateau long before 2²⁰ ticks, a quarter of an hour.
    let ticks = UInt64(min(ticks, 1 << 20))
    return Int((ticks &* ticks &* ticks &* 2 / 5) >> 30)
  }

  private static func ticks(_ nanoseconds: Int64) -> Int64 {
    (nanoseconds >> 9) * 1_024 / 1_953_125
  }

  /// Starts afresh, as after a timeout.
  mutating func reset() {
    self = CubicGrowth()
  }

  /// Takes note of a reduction, and returns the window behind it: 0.7 of the one before.
  ///
  /// A window that did not reach its last plateau leaves room for others: fast convergence.
  mutating func reduce(_ window: Int) -> Int {
    assert(window > 0, "a window of \(window) packets")
    epoch = nil
    plateau = window < plateau ? Int(Int64(window) * 1_741 / 2_048) : window
    return max(2, Int(Int64(window) * 717 / 1_024))
  }

  /// Shifts the growth by a time in which the connection had nothing to send.
  mutating func skip(_ idle: TimeSpan, at now: Instant) {
    if let epoch { self.epoch = min(now, epoch + idle) }
  }

  /// Whether the growth began less than a second ago.
  @inline(__always)
  func beganLately(at now: Instant) -> Bool {
    guard let epoch else { return false }
    return (now - epoch).nanoseconds < 1_000_000_000
  }

  /// Finds how fast the window grows, when packets were acknowledged.
  mutating func update(window: Int, acknowledged: Int, leastRoundTrip: Int64, at now: Instant) {
    friendlyCredit += acknowledged
    // A thirty-second of a second is often enough while the window stays.
    if lastUpdate != .never, lastWindow == window,
      (now - lastUpdate).nanoseconds <= 31_250_000
    {
      return
    }
    lastWindow = window
    lastUpdate = now
    if epoch == nil { begin(window: window, acknowledged: acknowledged, at: now) }
    step = cubicStep(window: window, leastRoundTrip: leastRoundTrip, at: now)
    considerFriendliness(window: window)
    step = max(step, 2)
  }

  private mutating func begin(window: Int, acknowledged: Int, at now: Instant) {
    epoch = now
    friendlyCredit = acknowledged
    friendly = window
    if plateau <= window {
      plateauAfter = 0
      origin = window
    } else {
      // K = ∛((W_max − cwnd) / C), in ticks.
      let cube = (UInt64(plateau - window) * 5 / 2) << 30
      plateauAfter = Int64(IntegerRoot.cube(of: cube))
      origin = plateau
    }
    assert(origin >= window, "a plateau of \(origin) packets below the window of \(window)")
  }

  private func cubicStep(window: Int, leastRoundTrip: Int64, at now: Instant) -> Int {
    let epoch = epoch ?? now
    // The window of a round trip later is the aim.
    let ahead = (now - epoch).nanoseconds + (leastRoundTrip == .max ? 0 : leastRoundTrip)
    let offset = CubicGrowth.ticks(ahead) - plateauAfter
    let distance = CubicGrowth.distance(abs(offset))
    let target = offset < 0 ? origin - distance : origin + distance
    let step = target > window ? window / (target - window) : Int(clamping: 100 * Int64(window))
    // Before the first loss nothing is known of the path; Assumed to grow by a twentieth.
    return plateau == 0 ? min(step, 20) : step
  }

  /// α = 3 (1 − β) / (1 + β): a window grows by one for each 1.889 windows acknowledged.
  private mutating func considerFriendliness(window: Int) {
    let round = max(1, Int(clamping: Int64(window) * 15 / 8))
    if friendlyCredit > round {
      let grown = (friendlyCredit - 1) / round
      friendlyCredit -= grown * round
      friendly += grown
    }
    if friendly > window { step = min(step, window / (friendly - window)) }
  }
}
