import Autowait
import Testing

/// A long list of even segments is reckoned, and is the list that spells them out.
@Suite struct EvenSegmentsTests {
  /// Lists of which the one is reckoned and the other spelled out.
  private static func lists(_ seconds: Int64, part: Int64?) -> (SegmentList, SegmentList) {
    var stream = RandomStream(seed: 3, component: "segments", purpose: "sizes")
    let duration = MediaTime(nanoseconds: seconds * 1_000_000_000 + 123_456_789)
    let segment = MediaTime(nanoseconds: 2_002_000_000)
    var even = EvenSegments(duration, by: segment, at: BitRate(bitsPerSecond: 1_234_567))
    if let part {
      even.variation = EvenSegments.Variation(
        part: part,
        weights: (0..<Int(duration.nanoseconds / segment.nanoseconds) / 2).map { _ in
          Int32(Int64(stream.next(below: 2_000_000_001)) - 1_000_000_000)
        })
    }
    // As the text of the format has it: what lies before is rounded up, and pairs give and take.
    func before(_ number: Int) -> Int64 {
      let time = min(Int64(number) * segment.nanoseconds, duration.nanoseconds)
      return Int64((Int128(time) * 1_234_567 + 7_999_999_999) / 8_000_000_000)
    }
    var sizes = (0..<even.count).map { before($0 + 1) - before($0) }
    if let variation = even.variation {
      for (pair, weight) in variation.weights.enumerated() {
        let least = min(sizes[2 * pair], sizes[2 * pair + 1])
        let shift = Int64(
          Int128(least) * Int128(variation.part) * Int128(weight) / 1_000_000_000_000_000_000)
        sizes[2 * pair] += shift
        sizes[2 * pair + 1] -= shift
      }
    }
    let listed = SegmentList(
      sizes.enumerated().map { number, size in
        let end = min(Int64(number + 1) * segment.nanoseconds, duration.nanoseconds)
        return (
          MediaTime(nanoseconds: end - Int64(number) * segment.nanoseconds),
          ByteCount(bytes: size)
        )
      })
    return (SegmentList(even), listed)
  }

  @Test(arguments: [1, 2, 3, 511, 513, 515, 20_000], [nil, 0, 400_000_000, 1_000_000_000])
  func reckonedIsListed(_ seconds: Int64, _ part: Int64?) {
    let (even, listed) = Self.lists(seconds, part: part)
    #expect(even.isReckoned == (listed.count > 256))
    #expect(!listed.isReckoned)
    #expect(even.count == listed.count)
    #expect(even.end == listed.end)
    #expect(even.targetDuration == listed.targetDuration)
    for number in 0..<listed.count {
      #expect(even.start(of: number) == listed.start(of: number))
      #expect(even.end(of: number) == listed.end(of: number))
      #expect(even.size(of: number) == listed.size(of: number))
    }
  }

  @Test func whatIsReckonedCanBeAddedTo() {
    var (even, listed) = Self.lists(20_000, part: 300_000_000)
    even.append(.seconds(4), ByteCount(bytes: 77))
    listed.append(.seconds(4), ByteCount(bytes: 77))
    #expect(!even.isReckoned)
    #expect(even == listed)
  }

  /// A live stream whose lists are reckoned, and one whose lists are spelled out.
  @Test(arguments: [nil, 400_000_000])
  func aReckonedStreamRunsAsAListedOne(_ part: Int64?) {
    let (even, listed) = Self.lists(20_000, part: part)
    func run(_ list: SegmentList) -> Simulation {
      var low = list
      low.targetDuration = .seconds(3)
      var streamMedia = StreamMedia(
        variants: [
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 2_000_000), list: 0),
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 3_000_000), list: 1),
        ], lists: [list, low])
      streamMedia.live = LiveWindow(elapsed: .seconds(120), window: .seconds(40))
      let rates: [Int64] = [6_000_000, 900_000, 2_600_000]
      let track = LinkTrack(
        rates.enumerated().map { number, rate in
          LinkTrack.Sample(start: .seconds(Int64(7 * number)), rate: BitRate(bitsPerSecond: rate))
        }, ending: .loop(after: .seconds(21)))
      var simulation = Simulation(
        Demo.world(Demo.at(seconds: 1, .play), on: track, of: Media(streamMedia), horizon: 3_000))
      _ = simulation.run()
      return simulation
    }
    let (one, other) = (run(even), run(listed))
    #expect(one.log.count > 1_000)
    #expect(one.log.records == other.log.records)
    #expect(one.fingerprint == other.fingerprint)
  }
}
