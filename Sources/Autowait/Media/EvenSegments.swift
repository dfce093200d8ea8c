/// Segments of one length and rate, reckoned instead of listed: a programme of ten days takes no
/// more memory than one of a day.
///
/// What lies before a segment is rounded up to a byte, so that sums are exact. Sizes may vary in
/// pairs, of which one has more and the next as much less.
package struct EvenSegments: Hashable, Sendable {
  /// By how much the sizes of pairs of segments vary.
  package struct Variation: Hashable, Sendable {
    /// The most that a segment varies, in billionths of its size.
    package var part: Int64
    /// How much of that the first segment of each pair has more, in billionths.
    package var weights: [Int32]

    /// Creates a variation.
    package init(part: Int64, weights: [Int32]) {
      (self.part, self.weights) = (part, weights)
    }

    /// Returns what the first segment of a pair has more than its share, and the second less.
    package func shift(_ pair: Int, least: Int64) -> Int64 {
      Int64(Int128(least) * Int128(part) * Int128(weights[pair]) / 1_000_000_000_000_000_000)
    }
  }

  /// How long all of them play.
  package let duration: MediaTime
  /// How long each of them plays; the last one has what is left.
  package let segment: MediaTime
  /// Their rate.
  package let bitRate: BitRate
  /// By how much they vary.
  package var variation: Variation?

  /// Cuts media of some duration into segments.
  package init(
    _ duration: MediaTime, by segment: MediaTime, at bitRate: BitRate, variation: Variation? = nil
  ) {
    precondition(
      duration > .zero && segment > .zero,
      "duration and segment must be above 0 s, are \(duration) and \(segment)")
    (self.duration, self.segment, self.bitRate) = (duration, segment, bitRate)
    self.variation = variation
  }

  /// The number of segments.
  package var count: Int {
    Int((duration.nanoseconds - 1) / segment.nanoseconds) + 1
  }

  /// Returns where a segment starts; where the last one ends for the number behind it.
  func start(of number: Int) -> Int64 {
    let (start, overflow) = Int64(number).multipliedReportingOverflow(by: segment.nanoseconds)
    return overflow ? duration.nanoseconds : min(start, duration.nanoseconds)
  }

  /// Returns the bytes before a segment, or of all.
  func bytesBefore(_ number: Int) -> Int64 {
    let bytes = evenBytes(before: number)
    guard let variation, number % 2 == 1, number / 2 < variation.weights.count else { return bytes }
    let (before, behind) = (evenBytes(before: number - 1), evenBytes(before: number + 1))
    assert(before <= bytes && bytes <= behind, "segment \(number) has less than no bytes")
    return bytes + variation.shift(number / 2, least: min(bytes - before, behind - bytes))
  }

  private func evenBytes(before number: Int) -> Int64 {
    let bits = UInt128(UInt64(start(of: number))) * UInt128(UInt64(bitRate.bitsPerSecond))
    return Int64(clamping: (bits + 7_999_999_999) / 8_000_000_000)
  }

  /// Returns the first segment that ends behind a time; the number behind the last one if none.
  func segment(at time: Int64) -> Int {
    if time < 0 { return 0 }
    return time >= duration.nanoseconds ? count : Int(time / segment.nanoseconds)
  }
}
