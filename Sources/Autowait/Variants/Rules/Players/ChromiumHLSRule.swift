/// The rule of Chromium's built-in HLS player: the lesser of two means of whole numbers.
///
/// Source: `media/formats/hls/abr_algorithm.cc`, `rendition_manager.cc` (`SelectBestVariant`).
struct ChromiumHLSRule: Sendable {
  /// The parts of the last sample in the two means.
  static let parts = (slow: 0.2, fast: 0.8)

  private let ladder: PlayerLadder
  private var slow: UInt64
  private var fast: UInt64

  init(_ ladder: PlayerLadder, first: Double) {
    self.ladder = ladder
    (slow, fast) = (UInt64(first), UInt64(first))
  }

  /// What is expected of the network, in bit/s.
  var estimate: Double { Double(min(slow, fast)) }

  /// Returns the last variant before the first one that is above the estimate.
  func choose(estimate: Double) -> Int {
    max(0, (ladder.rates.firstIndex { $0 > estimate } ?? ladder.rates.count) - 1)
  }

  /// Takes note of what a segment showed: bytes, from the first one to the last.
  mutating func end(_ size: Double, in span: Double) {
    if span > 0 { note(8_000 * size / span) }
  }

  /// Takes note of a sample in bit/s.
  mutating func note(_ sample: Double) {
    assert(sample >= 0 && sample < 1e18, "a sample of \(sample) bit/s")
    let whole = sample.wholePart
    func mixed(_ old: UInt64, _ part: Double) -> UInt64 {
      UInt64((1 - part) * Double(old) + part * whole)
    }
    (slow, fast) = (mixed(slow, Self.parts.slow), mixed(fast, Self.parts.fast))
  }
}
