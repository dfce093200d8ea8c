/// Draws by how much a real host differs from one that does everything at once.
///
/// Where microseconds decide which packet of a burst is dropped, a transfer has two outcomes or
/// more, and one run shows only one of them.
struct HostNoise: Sendable {
  /// A program is woken and makes its request so much later at most.
  ///
  /// Assumed: measured runs that differ in nothing else are 50 to 200 µs apart.
  private static let latenessMax: UInt64 = 200_000

  private var stream: RandomStream

  /// Creates the noise of a run.
  init(seed: UInt64) {
    stream = RandomStream(seed: seed, component: "host", purpose: "noise")
  }

  /// Returns how long before the first request the clock of the host has ticked.
  mutating func drawPhase() -> TimeSpan {
    TimeSpan(nanoseconds: Int64(stream.next(below: UInt64(HostClock.tick))))
  }

  /// Returns by how much a request is late.
  mutating func drawLateness() -> TimeSpan {
    TimeSpan(nanoseconds: Int64(stream.next(below: HostNoise.latenessMax + 1)))
  }
}

/// Draws how far the packets of a burst are apart.
struct BurstNoise: Sendable {
  /// The packets of a burst are so far apart without noise (measured in small bursts).
  static let gap = TimeSpan(nanoseconds: 3_000)
  /// With noise from 1.1 to 3.1 µs, as measured in large and small bursts.
  private static let gapMin: Int64 = 1_100
  private static let gapRange: UInt64 = 2_001

  /// The state of the generator; zero without noise.
  private var state: UInt64

  /// Creates the noise under a key; there is none under zero.
  init(key: UInt64) { state = key }

  /// Returns the gap of the next burst.
  @inline(__always)
  mutating func next() -> TimeSpan {
    if state == 0 { return BurstNoise.gap }
    // A step of a linear generator (Knuth); its high bits are the good ones.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return TimeSpan(nanoseconds: BurstNoise.gapMin + Int64((state >> 33) % BurstNoise.gapRange))
  }
}
