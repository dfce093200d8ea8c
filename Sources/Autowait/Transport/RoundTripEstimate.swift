/// What a sender knows of the time of a round trip, and how long it waits before it takes what it
/// sent for lost (RFC 6298).
///
/// Two things are as the measured sender of TCP has them. The variance is the greatest of a round
/// trip and sinks slowly, so that a burst of like samples does not make the sender impatient; and
/// the least timeout is added to the smoothed time instead of being compared with the sum.
///
/// QUIC has no such floor: a sender waits for the smoothed time and four times its variation, or a
/// millisecond if that is more (RFC 9002, 5.3 and 6.2.1), and counts no ticks.
struct RoundTripEstimate: Hashable, Sendable {
  /// The smoothed time; zero before the first sample.
  private(set) var smoothed: Int64 = 0
  /// The least sample.
  private(set) var least: Int64 = .max
  /// How long to wait, without back-off.
  private(set) var timeout: Int64
  private var deviation: Int64 = 0
  private var deviationMax: Int64 = 0
  private var variance: Int64 = 0
  private var roundEnd = 0
  private let varianceMin: Int64
  private let isQUIC: Bool

  /// The granularity of a timer of QUIC (RFC 9002, 6.1.2).
  private static let granularity: Int64 = 1_000_000

  /// Creates an estimate before the first sample; QUIC has a least timeout of its own.
  init(timeoutMin: TimeSpan, initialTimeout: TimeSpan, isQUIC: Bool) {
    varianceMin = isQUIC ? Self.granularity : timeoutMin.nanoseconds
    self.isQUIC = isQUIC
    timeout = initialTimeout.nanoseconds
  }

  /// Whether there was a sample.
  @inline(__always)
  var isKnown: Bool { smoothed > 0 }

  /// Takes a sample; a round is over when the segment is acknowledged that was next at its start.
  @inline(__always)
  mutating func add(_ sample: Int64, acknowledged: Int, next: Int) {
    let sample = max(1, sample)
    if sample < least { least = sample }
    if isQUIC { return addToQUIC(sample) }
    if smoothed == 0 {
      smoothed = sample
      deviation = sample / 2
      variance = max(2 * sample, varianceMin)
      deviationMax = variance
      roundEnd = next
    } else {
      update(sample, acknowledged: acknowledged, next: next)
    }
    let exact = smoothed &+ variance
    assert(least <= smoothed &+ 8, "a mean of \(smoothed) ns, and \(least) ns at least")
    assert(deviation >= 0 && variance >= deviationMax / 2, "a deviation of \(deviation) ns")
    timeout = (exact &+ HostClock.tick &- 1) / HostClock.tick &* HostClock.tick
  }

  /// Takes a sample as RFC 9002, 5.3, has it: a time that falls counts as much as one that rises.
  @inline(__always)
  private mutating func addToQUIC(_ sample: Int64) {
    if smoothed == 0 {
      (smoothed, deviation) = (sample, sample / 2)
    } else {
      let error = sample &- smoothed
      deviation &+= (abs(error) &- deviation) >> 2
      smoothed &+= error >> 3
    }
    setTimeoutOfQUIC()
  }

  /// Reckons the probe time-out as RFC 9002, 6.2.1, has it, without the other end's delay.
  @inline(__always)
  private mutating func setTimeoutOfQUIC() {
    assert(deviation >= 0 && smoothed > 0, "\(smoothed) ns, \(deviation) ns of variation")
    variance = max(4 &* deviation, varianceMin)
    timeout = smoothed &+ variance
  }

  /// Takes note of samples of some rounds, each of which was a step longer than the one before, up
  /// to one.
  ///
  /// A mean in which a sample counts an eighth follows seven steps behind.
  mutating func follow(to sample: Int64, step: Int64, rounds: Int64) {
    assert(step >= 0 && rounds >= 0, "\(rounds) rounds of steps of \(step) ns")
    smoothed = max(1, sample - 7 * step)
    least = min(least, smoothed)
    deviation = 8 * step
    if isQUIC { return setTimeoutOfQUIC() }
    deviationMax = max(varianceMin, 4 * deviation)
    variance = max(variance, deviationMax)
    // A variance has sunk to a hundredth after 16 rounds.
    for _ in 0..<min(rounds, 16) { variance -= (variance - deviationMax) >> 2 }
    timeout = (smoothed + variance + HostClock.tick - 1) / HostClock.tick * HostClock.tick
  }

  @inline(__always)
  private mutating func update(_ sample: Int64, acknowledged: Int, next: Int) {
    let error = sample &- smoothed
    smoothed &+= error >> 3
    // A time that falls says little about how far it may rise: it counts an eighth.
    if error < 0 {
      let excess = (0 &- error) &- deviation
      deviation &+= excess > 0 ? excess >> 5 : excess >> 2
    } else {
      deviation &+= (error &- deviation) >> 2
    }
    let spread = 4 &* deviation
    if spread > deviationMax {
      deviationMax = spread
      if deviationMax > variance { variance = deviationMax }
    }
    if acknowledged > roundEnd {
      if deviationMax < variance { variance &-= (variance &- deviationMax) >> 2 }
      roundEnd = next
      deviationMax = varianceMin
    }
  }
}
