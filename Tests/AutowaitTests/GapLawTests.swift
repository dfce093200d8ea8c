import Autowait
import AutowaitWorlds
import Testing

/// Segments that are missing on purpose have no data, whatever their lists say.
@Suite struct GapLawTests {
  /// A stream of two variants with gaps, over a link that carries about what is played.
  private static func world(_ seed: UInt64, gapSize: ByteCount) -> World {
    var random = RandomStream(seed: seed, component: "law", purpose: "gaps")
    let count = 8 + Int(random.next(below: 20))
    let isTold = random.next(below: 2) == 0
    let lists = (0..<2).map { variant in
      var gaps: [Int] = []
      var segments: [(duration: MediaTime, size: ByteCount)] = []
      for number in 0..<count {
        // The first segment is there: playback begins with it.
        if number > 0, random.next(below: 5) == 0 { gaps.append(number) }
        let length = MediaTime(
          nanoseconds: 1_000_000_000 + Int64(random.next(below: 5_000_000_000)))
        let size = ByteCount(
          bytes: Int64(variant + 1) * (100_000 + Int64(random.next(below: 400_000))))
        segments.append((length, gaps.last == number ? gapSize : size))
      }
      var list = SegmentList(segments)
      list.gaps = gaps
      return list
    }
    var parts = StreamMedia(
      variants: [1_000_000, 2_000_000].enumerated().map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: $1), list: $0)
      }, lists: lists)
    parts.playlistSize = .zero
    var player = PlayerConfiguration(media: [Media(parts)])
    player.streaming.knowsPlaylists = true
    if isTold { player.keepUp.forwardBufferLimit = .seconds(12) }
    let link = SteppedLink(&random, stretches: 3...30, least: 500_000)
    return World(
      seed: seed, links: [link.profile], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: Instant(nanoseconds: 1_000_000_000_000))
  }

  @Test(arguments: LawWorlds.numbers(120))
  func sizesOfMissingSegmentsChangeNothing(_ seed: UInt64) {
    let logs = [Int64(0), 1_000_000].map { bytes in
      var run = Simulation(Self.world(seed, gapSize: ByteCount(bytes: bytes)))
      _ = run.run()
      return run.log.records
    }
    let difference = zip(logs[0], logs[1]).first { $0 != $1 }
    #expect(difference == nil, law(seed))
    #expect(logs[0].count == logs[1].count, law(seed))
  }

  /// Nothing is ever asked for that is missing, and what is loaded ends before it only where
  /// another variant has it.
  @Test(arguments: LawWorlds.numbers(60))
  func nothingEndsBeforeWhatIsMissing(_ seed: UInt64) throws {
    let world = Self.world(seed, gapSize: ByteCount(bytes: 1_000))
    let lists = try #require(world.players[0].media[0].streamMedia).lists
    var run = Simulation(world)
    _ = run.run()
    var list = 0
    for record in run.log.records {
      switch record.event {
      case .segmentRequest(_, _, let asked, let number, _):
        list = Int(asked)
        #expect(!lists[list].gaps.contains(Int(number ?? -1)), law(seed))
      case .loadedTimeRange(_, _, _, let end):
        let isBefore = lists[list].gaps.contains { lists[list].start(of: $0) == end }
        let other = lists[1 - list]
        let isThere = (0..<other.count).contains {
          other.start(of: $0) <= end && end < other.end(of: $0) && !other.gaps.contains($0)
        }
        #expect(!isBefore || isThere, law(seed))
      default: break
      }
    }
  }
}
