import Autowait
import Testing

/// Segments that are held back until more has come behind them, against exact sums of what a link
/// of one rate carries.
@Suite struct FollowingBlockTests {
  /// A stream of one track, on a link that carries a byte in eight microseconds, played with enough
  /// segments of two seconds.
  private static func run(_ sizes: [Int64], block: Int64?, enough: Int = 1) -> Simulation {
    let list = SegmentList(
      sizes.map { (MediaTime.seconds(2), ByteCount(bytes: $0)) })
    let variant = StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)
    return Simulation.onePlayer(
      Media(StreamMedia(variants: [variant], lists: [list])), bitsPerSecond: 1_000_000,
      [.at(0, .play)]
    ) {
      let media = BufferConditions(allOf: .atLeast(.buffered, Int64(enough) * 2_000_000_000))
      $0.keepUp.rule = .conditions(ConditionRule(start: media))
      $0.keepUp.followingBlock = block.map { ByteCount(bytes: $0) }
      $0.streaming.adaptation.rule = .fixed
      $0.streaming.knowsPlaylists = true
      $0.streaming.responseTimeout = .seconds(1_000)
    }
  }

  /// When each segment can be played.
  private static func playable(_ sizes: [Int64], block: Int64?) -> [Int64?] {
    sizes.indices.map { number in
      TrackLog(run(sizes, block: block, enough: number + 1)).clock.first { $0.rate > 0 }?.since
    }
  }

  /// The first segment waits for a block of the second, and each other one for the next and a block
  /// of the one behind that; the last two come together.
  @Test(arguments: [1, 20_000, 1_000_000] as [Int64])
  func segmentsWaitForWhatFollows(_ block: Int64) {
    var random = RandomStream(seed: 7, component: "stream", purpose: "blocks")
    for _ in 0..<20 {
      let sizes = (0..<6).map { _ in 1 + Int64(random.next(below: 200_000)) }
      func came(_ count: Int, _ more: Int64 = 0) -> Int64 {
        8_000 * (sizes.prefix(count).reduce(0, +) + more)
      }
      let expected =
        [came(1, min(block, sizes[1]))]
        + (1...3).map { came($0 + 2, min(block, sizes[$0 + 2])) } + [came(6), came(6)]
      #expect(Self.playable(sizes, block: block) == expected)
    }
  }

  /// Without a block every segment is there when it has come.
  @Test func withoutABlockNothingWaits() {
    let playable = Self.playable([50_000, 50_000, 50_000], block: nil)
    #expect(playable == [400_000_000, 800_000_000, 1_200_000_000])
  }

  /// A stream of a single segment has nothing to wait for.
  @Test func oneSegmentWaitsForNothing() {
    #expect(Self.playable([50_000], block: 32_768) == [400_000_000])
  }

  /// What is held back has come: nothing is asked for twice.
  @Test func whatIsHeldBackIsAskedForOnce() {
    let log = TrackLog(Self.run([100_000, 100_000, 100_000, 100_000], block: 32_768))
    #expect(log.asked[0].map { $0.segment } == [0, 1, 2, 3])
  }
}
