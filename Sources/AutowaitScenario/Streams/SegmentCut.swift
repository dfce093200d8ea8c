import Autowait

/// How a stream is cut into segments: all as long as the first, but for the last.
struct SegmentCut {
  /// How long the stream plays.
  let duration: MediaTime
  /// How long each segment plays.
  let segment: MediaTime

  /// The number of segments.
  var count: Int { Int(wideCount) }
  /// The number of segments before it is known that they fit into memory.
  var wideCount: Int64 { (duration.nanoseconds - 1) / segment.nanoseconds + 1 }

  /// How long a segment plays; the last one has what is left.
  func duration(of number: Int) -> MediaTime {
    let start = Int64(number) * segment.nanoseconds
    return min(segment, MediaTime(nanoseconds: duration.nanoseconds - start))
  }

  /// The most that sizes of a rate can come to in all.
  func size(at rate: BitRate) -> ByteCount {
    let bits = UInt128(UInt64(duration.nanoseconds)) * UInt128(UInt64(rate.bitsPerSecond))
    return ByteCount(bytes: Int64(clamping: (bits + 7_999_999_999) / 8_000_000_000))
  }

  /// The rate of so much data over the whole stream, rounded up.
  func rate(of bytes: Int64) -> BitRate {
    let bits = UInt128(UInt64(bytes)) * 8_000_000_000
    let time = UInt128(UInt64(duration.nanoseconds))
    return BitRate(bitsPerSecond: Int64(clamping: (bits + time - 1) / time))
  }

  /// The rate of a segment of some size, rounded up.
  func rate(of size: ByteCount, in number: Int) -> BitRate {
    let bits = UInt128(UInt64(size.bytes)) * 8_000_000_000
    let time = UInt128(UInt64(duration(of: number).nanoseconds))
    return BitRate(bitsPerSecond: Int64(clamping: (bits + time - 1) / time))
  }
}

/// Scenes of a film that take more or less than their share, drawn from the scenario's seed.
///
/// One drawing serves all variants: what is hard to encode is so at every rate. Segments come in
/// pairs, of which one has more and the next as much less, so that the mean is kept to the byte.
struct SceneSizes {
  /// A number from −10⁹ to 10⁹ for each pair.
  let weights: [Int32]
  /// The numbers that were drawn.
  let draws: Int64

  /// Draws for an item of a scenario; items count from 0 in the order of the file.
  init(seed: UInt64, item: Int, pairs: Int) {
    var stream = RandomStream(seed: seed, component: "media/\(item)", purpose: "sizes")
    weights = (0..<pairs).map { _ in
      Int32(Int64(stream.next(below: 2_000_000_001)) - 1_000_000_000)
    }
    draws = stream.draws
  }
}
