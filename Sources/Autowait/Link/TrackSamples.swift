/// The samples of a track, by ascending start; where they are many they are packed.
///
/// A sample takes 32 bytes, and one of a long track 0 to 10: starts at even distances and delays
/// that never change take nothing, rates as many bytes as their spread needs. The storage is shared
/// by all copies and never written again.
package struct TrackSamples: RandomAccessCollection, Hashable, Sendable {
  /// As many samples are packed together, and so many stay as they are.
  static let blockCount = 4_096

  /// The first samples, in blocks that are full.
  private var blocks: [SampleBlock]?
  /// The samples that are not packed; all of a short track.
  private var rest: [LinkTrack.Sample] = []

  /// Creates samples of nothing.
  package init() {}

  /// Creates some samples.
  package init(_ samples: some Sequence<LinkTrack.Sample>) {
    for sample in samples { append(sample) }
  }

  /// Creates samples that are at hand.
  package init(_ samples: [LinkTrack.Sample]) {
    if samples.count <= Self.blockCount {
      rest = samples
    } else {
      for sample in samples { append(sample) }
    }
  }

  /// Adds a sample.
  package mutating func append(_ sample: LinkTrack.Sample) {
    if rest.count == Self.blockCount {
      blocks = blocks ?? []
      blocks?.append(SampleBlock(rest))
      rest.removeAll(keepingCapacity: true)
    }
    rest.append(sample)
  }

  /// The number of samples.
  package var count: Int { (blocks?.count ?? 0) * Self.blockCount + rest.count }
  /// The number of the first sample.
  package var startIndex: Int { 0 }
  /// The number behind that of the last sample.
  package var endIndex: Int { count }

  /// A sample by its number.
  package subscript(index: Int) -> LinkTrack.Sample {
    guard let blocks else { return rest[index] }
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockCount)
    return block < blocks.count ? blocks[block][place] : rest[place]
  }

  /// Whether the samples are packed, because they are many.
  package var isPacked: Bool { blocks != nil }

  /// The number of stretches in which the samples can be had at hand.
  var stretchCount: Int { (blocks?.count ?? 0) + 1 }

  /// The samples of a stretch, at hand.
  func stretch(_ number: Int) -> [LinkTrack.Sample] {
    guard let blocks, number < blocks.count else { return rest }
    return blocks[number].samples
  }

  /// Returns an iterator, which unpacks the samples as they are asked for.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// Unpacks samples one after another.
  package struct Iterator: IteratorProtocol {
    private let all: TrackSamples
    private var current: [LinkTrack.Sample]
    private var place = 0
    private var nextStretch = 1

    fileprivate init(_ all: TrackSamples) {
      self.all = all
      current = all.stretch(0)
    }

    /// Returns the next sample.
    package mutating func next() -> LinkTrack.Sample? {
      if place == current.count {
        if nextStretch >= all.stretchCount { return nil }
        current = all.stretch(nextStretch)
        nextStretch += 1
        place = 0
        if current.isEmpty { return nil }
      }
      place += 1
      return current[place - 1]
    }
  }
}

extension TrackSamples: ExpressibleByArrayLiteral {
  /// Creates some samples.
  package init(arrayLiteral samples: LinkTrack.Sample...) { self.init(samples) }
}

/// Some samples as columns of numbers.
private struct SampleBlock: Hashable, Sendable {
  private let starts: PackedColumn
  private let rates: PackedColumn
  private let delays: PackedColumn
  private let losses: PackedColumn
  private let count: Int

  init(_ samples: [LinkTrack.Sample]) {
    count = samples.count
    starts = PackedColumn(samples.map { $0.start.nanoseconds })
    rates = PackedColumn(samples.map { $0.rate.bitsPerSecond })
    delays = PackedColumn(samples.map { $0.delay.nanoseconds })
    losses = PackedColumn(samples.map { $0.loss.map { Int64($0.parts) } ?? -1 })
  }

  subscript(place: Int) -> LinkTrack.Sample {
    let loss = losses[place]
    return LinkTrack.Sample(
      start: TimeSpan(nanoseconds: starts[place]), rate: BitRate(bitsPerSecond: rates[place]),
      delay: TimeSpan(nanoseconds: delays[place]),
      loss: loss < 0 ? nil : Probability(parts: UInt64(loss)))
  }

  var samples: [LinkTrack.Sample] {
    (0..<count).map { self[$0] }
  }
}

/// Numbers as differences from an even line, in bytes of the width that they need.
///
/// A number is `base + slope · place + unit · code`. What is even to the last number has no codes.
private struct PackedColumn: Hashable, Sendable {
  private let base: Int64
  private let slope: Int64
  private let unit: Int64
  private let width: Int
  private let bytes: [UInt8]

  init(_ numbers: [Int64]) {
    let first = numbers.first ?? 0
    let (least, most) = (numbers.min() ?? 0, numbers.max() ?? 0)
    // Where numbers are too far apart to be reckoned with, they are kept whole.
    guard least > -(1 << 60), most < 1 << 60 else {
      (base, slope, unit, width) = (0, 0, 1, 8)
      bytes = Self.bytes(numbers.map { UInt64(bitPattern: $0) }, width: 8)
      return
    }
    let grain = max(1, numbers.reduce(0) { Self.divisor($0, $1 - first) })
    let trend =
      numbers.count < 2
      ? 0
      : (numbers[numbers.count - 1] - first)
        / Int64(numbers.count - 1)
    let step = trend / grain * grain
    let rests = numbers.indices.map { numbers[$0] - step * Int64($0) }
    let floor = rests.min() ?? 0
    let codes = rests.map { UInt64(($0 - floor) / grain) }
    (base, slope, unit) = (floor, step, grain)
    let bits = UInt64.bitWidth - (codes.max() ?? 0).leadingZeroBitCount
    width = (bits + 7) / 8
    bytes = Self.bytes(codes, width: width)
    let middle = numbers.count / 2
    assert(
      self[middle] == numbers[middle] && self[numbers.count - 1] == numbers.last,
      "packed numbers are not those that were packed")
  }

  subscript(place: Int) -> Int64 {
    var code: UInt64 = 0
    let start = place * width
    for offset in 0..<width { code |= UInt64(bytes[start + offset]) << (8 * UInt64(offset)) }
    return base &+ slope &* Int64(place) &+ unit &* Int64(bitPattern: code)
  }

  private static func bytes(_ codes: [UInt64], width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codes.count * width)
    for code in codes {
      for offset in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: code >> (8 * UInt64(offset))))
      }
    }
    return bytes
  }

  /// The greatest number that divides two numbers.
  private static func divisor(_ left: Int64, _ right: Int64) -> Int64 {
    var (large, small) = (abs(left), abs(right))
    while small > 0 { (large, small) = (small, large % small) }
    return large
  }
}
