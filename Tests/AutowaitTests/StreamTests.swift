import Autowait
import Testing

/// Streams on an ideal link, in numbers that anybody can reckon.
struct StreamTests {
  @Test(arguments: [
    (110_000, 550), (400_000, 2_000), (600_000, 3_000), (1_800_000, 9_000),
    (4_500_000, 22_500), (11_000_000, 55_000),
  ])
  func bufferingTimes(bandwidth: Int64, milliseconds: Int64) {
    var simulation = Simulation(
      StreamBench.world(StreamBench.ladder([bandwidth], segments: 6), rate: 2_000_000))
    _ = simulation.run()
    let first = simulation.trace.records.first { $0.event.isSegmentCompleted }
    #expect(first?.instant == .start + .milliseconds(milliseconds))
  }

  @Test(arguments: 1...6)
  func linearRuleWaitsForTheLastSegment(count: Int) {
    // 10 + 12.5 N seconds: decision 22.
    var simulation = Simulation(
      StreamBench.world(StreamBench.ladder([4_500_000], segments: count), rate: 2_000_000))
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    #expect(metrics.firstPlayed == .start + .milliseconds(10_000 + 12_500 * Int64(count)))
    #expect(metrics.stallCount == 0)
  }
}

enum StreamBench {
  static func ladder(_ bandwidths: [Int64], segments: Int) -> Ladder {
    let lists = bandwidths.map { bandwidth in
      SegmentList(
        Array(
          repeating: (MediaTime.seconds(10), ByteCount(bytes: bandwidth * 10 / 8)), count: segments)
      )
    }
    let variants = bandwidths.indices.map {
      Ladder.Variant(bandwidth: BitRate(bitsPerSecond: bandwidths[$0]), list: $0)
    }
    var ladder = Ladder(variants: variants, lists: lists)
    ladder.playlistSize = .zero
    return ladder
  }

  static func world(_ ladder: Ladder, rate: Int64) -> World {
    World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: rate)))],
      players: [PlayerConfiguration(media: [Media(ladder)])],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ],
      horizon: Instant(nanoseconds: 4_000_000_000_000))
  }
}

extension TraceEvent {
  var isSegmentCompleted: Bool {
    if case .mediaRequestCompleted(_, let bytes) = self { bytes > .zero } else { false }
  }
}
