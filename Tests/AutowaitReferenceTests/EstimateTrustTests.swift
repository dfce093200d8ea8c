import Autowait
import Testing

/// When players trust what they have measured.
@Suite struct EstimateTrustTests {
  private static func variants(
    _ rule: PlayerRule, _ kilobits: [Int64], sizes: [Int64], seconds: Int64, link: Int64
  ) -> [Int] {
    let lists = sizes.map { size in
      SegmentList((0..<20).map { _ in (MediaTime.seconds(seconds), ByteCount(bytes: size)) })
    }
    let variants = kilobits.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: kilobits[$0] * 1_000), list: $0)
    }
    let media = Media(StreamMedia(variants: variants, lists: lists))
    let track = LinkTrack(rate: BitRate(bitsPerSecond: link * 1_000))
    var world = ModelledRuleTests.world(SegmentRulePolicy(.player(rule)), over: track)
    world.players[0].media = [media]
    return ModelledRuleTests.chosen(world)
  }

  /// Segments of less than 16 kB tell Shaka nothing; eight of 16 kB make its 128 kB.
  @Test(arguments: [(Int64(15_999), nil), (16_000, 8), (16_001, 8)])
  func shakaLeavesSmallSegmentsOut(_ row: (size: Int64, first: Int?)) {
    let chosen = Self.variants(
      .shaka, [32, 3_000], sizes: [row.size, 1_500_000], seconds: 4, link: 10_000)
    #expect(chosen.firstIndex(of: 1) == row.first)
  }

  /// media3 goes by its own guess of 1 Mbit/s until transfers have taken two seconds.
  ///
  /// A segment of 1,400 kbit takes them at 700 kbit/s, of which 70 % are 490.
  @Test(arguments: [(Int64(699), 0), (700, 0), (701, 1)])
  func media3TrustsAfterTwoSeconds(_ row: (link: Int64, second: Int)) {
    let chosen = Self.variants(
      .media3, [400, 700], sizes: [100_000, 175_000], seconds: 2, link: row.link)
    #expect(Array(chosen.prefix(2)) == [1, row.second])
  }
}
