/// How a player chooses among the variants of a stream.
package struct AdaptationPolicy: Hashable, Sendable {
  /// The rule that chooses while a stream plays.
  package enum AdaptationRule: Hashable, Sendable {
    /// What AVFoundation may do; what it does is not public.
    ///
    /// A variant counts with its mean rate, where that is said (AVERAGE-BANDWIDTH; WWDC18 502), and
    /// else with its peak rate. Assumed: the fill rate's window is the estimate. The best variant
    /// is chosen whose rate is at most ``climb`` of it; the present one is kept as long as its own
    /// rate is below the estimate. After a stall it is two rungs down.
    case avfoundation
    /// The best variant below ``safety`` of the harmonic mean of the last segments' throughput.
    case throughput
    /// The first variant forever.
    case fixed
    /// The variants of a list, segment by segment; the last one from there on.
    case scripted(VariantScript)
    /// A rule of a simulator or of another player.
    case modelled(SegmentRulePolicy)

    /// Whether the rule is one of a simulator or of another player.
    package var isModelled: Bool { if case .modelled = self { true } else { false } }

    /// Whether the rule looks at the fill rate, and not at the segments' throughput.
    @inline(__always)
    var readsFillRate: Bool {
      if case .avfoundation = self { true } else { false }
    }
  }

  /// The rule that chooses while a stream plays.
  package var rule = AdaptationRule.avfoundation
  /// The part of the estimate, in millionths, that a variant may need to be climbed to.
  ///
  /// Assumed: 80 %.
  package var climb: Int64 = 800_000
  /// The same while less than ``startupSpan`` has been observed; nil for no difference.
  package var startupClimb: Int64?
  /// The time of open requests after which ``climb`` holds; ``startupClimb`` before it.
  ///
  /// Assumed: 10 seconds, the window of the fill rate.
  package var startupSpan = TimeSpan.seconds(10)
  /// The most rungs of one climb; nil for any number.
  package var climbRungsMax: Int?
  /// How long after another change of the variant a climb may follow.
  package var climbInterval = TimeSpan.zero
  /// The part of the estimate, in millionths, that the throughput rule lets a variant need.
  ///
  /// 90 % in dash.js and hls.js's relatives; see `heuristics` of the sources.
  package var safety: Int64 = 900_000
  /// The segments of which the throughput rule takes the mean.
  package var segmentsMax = 5
  /// The rungs that a stall or an abandoned segment costs.
  ///
  /// Observed: two ("double downshift", a finding of infinite-streaming).
  package var rungsAfterStall = 2
  /// When a segment that has not arrived is given up, counted from the end of the buffer.
  ///
  /// Nil is for never; it must be negative to prevent a stall. Only `avfoundation` does it.
  ///
  /// Observed: about two seconds after it (the same finding).
  package var abandonedAfter: TimeSpan? = .seconds(2)
  /// Whether the first variant of the playlist is the first to play, as before iOS 13
  /// (`startsOnFirstEligibleVariant`).
  package var startsOnFirstEligibleVariant = false
  /// The bit rate that is taken for the network's before anything was measured: the last access
  /// log's `observedBitrate`; nil to start with the first eligible variant.
  package var expectedBitRate: BitRate?
  /// The smallest picture that such a choice is content with, whatever bit rate that takes; nil for
  /// any.
  package var acceptableResolution: Resolution?
  /// The throughput that the device remembers of this network: the first variant is the one that
  /// it would climb to; nil for a cold start with the first eligible one.
  ///
  /// An Apple engineer: since iOS 13 the first variant depends on history (forum 729338). Observed:
  /// the first of five, and twelve minutes later the last of them (FB22519249).
  package var history: BitRate?

  /// Creates the policy with its defaults.
  package init() {}

  /// The part of what was measured, in millionths, that a variant may need to be climbed to.
  @inline(__always)
  func climb(_ estimate: VariantEstimate) -> Int64 {
    guard let startupClimb, estimate.observed < startupSpan else { return climb }
    return startupClimb
  }

  /// Refuses numbers that mean nothing.
  func check() {
    precondition(
      climb > 0 && safety > 0, "climb and safety must be above 0, are \(climb) and \(safety)")
    precondition(startupClimb ?? 1 > 0, "startupClimb must be above 0, is \(startupClimb ?? 0)")
    precondition(climbRungsMax ?? 1 > 0, "climbRungsMax must be above 0, is \(climbRungsMax ?? 0)")
    precondition(
      climbInterval >= .zero && startupSpan >= .zero,
      "climbInterval and startupSpan must not be negative, are \(climbInterval) and \(startupSpan)")
    precondition(segmentsMax > 0, "segmentsMax must be above 0, is \(segmentsMax)")
    precondition(
      rungsAfterStall >= 0, "rungsAfterStall must not be negative, is \(rungsAfterStall)")
  }
}

/// What was measured of the network, for a choice among variants.
struct VariantEstimate: Hashable, Sendable {
  /// The data that was received, and the time that it took; nil if too little was seen.
  var received: DataAmount
  var open: TimeSpan
  /// How long requests have been open since the measurement began, in the window and before it.
  var observed: TimeSpan

  /// Takes what was received in a time; it may have been observed for longer.
  init(received: DataAmount, open: TimeSpan, observed: TimeSpan? = nil) {
    (self.received, self.open, self.observed) = (received, open, observed ?? open)
  }

  /// Returns whether a rate is at most some millionths of what was measured.
  ///
  /// rate ≤ received ÷ open × part, as products: nothing is rounded.
  @inline(__always)
  func allows(_ rate: BitRate, part: Int64) -> Bool {
    ExactProduct.isAtMost(
      UInt128(UInt64(rate.bitsPerSecond)), UInt128(UInt64(open.nanoseconds)) &* 1_000_000,
      received.nanobits, UInt128(UInt64(part)))
  }

  /// The highest rate that is allowed, as products.
  struct Bound {
    fileprivate let open: UInt128
    fileprivate let received: UInt128
    fileprivate let part: UInt128
    /// The product of the last two, if 64-bit numbers hold all factors.
    fileprivate let product: (high: UInt64, low: UInt64)?

    /// Returns whether a rate is allowed.
    @inline(__always)
    func allows(_ rate: BitRate) -> Bool {
      let rate = UInt64(rate.bitsPerSecond)
      guard let product else {
        return ExactProduct.isAtMost(UInt128(rate), open, received, part)
      }
      let need = rate.multipliedFullWidth(by: UInt64(truncatingIfNeeded: open))
      return need.high < product.high || (need.high == product.high && need.low <= product.low)
    }
  }

  /// Returns the bound for many rates, which is what `allows(_:part:)` asks one by one.
  @inline(__always)
  func bound(part: Int64) -> Bound {
    let open = UInt128(UInt64(open.nanoseconds)) &* 1_000_000
    let isNarrow = (open | received.nanobits) >> 64 == 0
    let product =
      isNarrow
      ? UInt64(truncatingIfNeeded: received.nanobits).multipliedFullWidth(by: UInt64(part)) : nil
    return Bound(
      open: open, received: received.nanobits, part: UInt128(UInt64(part)), product: product)
  }

  /// The rate that was measured, in bit/s rounded down; nil if it took no time.
  var bitRate: BitRate? {
    guard open > .zero else { return nil }
    return BitRate(
      bitsPerSecond: Int64(clamping: received.nanobits / UInt128(UInt64(open.nanoseconds))))
  }
}

/// The throughput of the last segments.
struct ThroughputHistory: Hashable, Sendable {
  /// The time that a bit took, in 2⁻³² ns, rounded up; the latest last.
  private var paces: [UInt64] = []
  private var next = 0
  private var sum: UInt128 = 0

  /// Takes note of a segment; one of no bytes says nothing.
  @inline(__always)
  mutating func note(_ size: ByteCount, in span: TimeSpan, segmentsMax: Int) {
    let bits = UInt64(size.bytes) &* 8
    if bits == 0 || span == .zero { return }
    let time = UInt64(span.nanoseconds)
    // Nobody waits for a bit longer than a second: the quotient fits.
    let divisor = max(bits, (time >> 32) &+ 1)
    // Most come within four seconds, and a division of more is a call.
    let (quotient, rest) =
      time >> 32 == 0
      ? (time << 32).quotientAndRemainder(dividingBy: divisor)
      : divisor.dividingFullWidth((time >> 32, time << 32))
    let pace = rest == 0 ? quotient : quotient &+ 1
    assert(pace > 0, "a bit that took no time")
    assert(paces.count <= segmentsMax, "\(paces.count) segments, of \(segmentsMax) at most")
    sum &+= UInt128(pace)
    if paces.count < segmentsMax {
      if paces.isEmpty { paces.reserveCapacity(min(segmentsMax, 8)) }
      paces.append(pace)
    } else {
      sum &-= UInt128(paces[next])
      paces[next] = pace
      next += 1
      if next == segmentsMax { next = 0 }
    }
    assert(
      paces.count > 64 || sum == paces.reduce(0) { $0 + UInt128($1) },
      "the sum of the paces is not that of \(paces.count) segments")
  }

  /// The harmonic mean as so many bits in so much time: that is what the mean of paces is.
  @inline(__always)
  var estimate: VariantEstimate? {
    if paces.isEmpty { return nil }
    // So many bits, one of each segment's pace, in the sum of their times, both a million times.
    let time = (sum &* 1_000_000) >> 32
    return VariantEstimate(
      received: DataAmount(nanobits: UInt128(paces.count) &* 1_000_000 &* 1_000_000_000),
      open: TimeSpan(nanoseconds: Int64(clamping: max(time, 1))))
  }
}
