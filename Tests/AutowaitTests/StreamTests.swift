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
      StreamRunFixture.world(
        StreamRunFixture.streamMedia([bandwidth], segments: 6), rate: 2_000_000))
    _ = simulation.run()
    let first = simulation.log.records.first { $0.event.isSegmentCompleted }
    #expect(first?.instant == .start + .milliseconds(milliseconds))
  }

  @Test(arguments: 1...6)
  func linearRuleWaitsForTheLastSegment(count: Int) {
    // 10 + 12.5 N seconds: decision 22.
    var simulation = Simulation(
      StreamRunFixture.world(
        StreamRunFixture.streamMedia([4_500_000], segments: count), rate: 2_000_000))
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    #expect(metrics.firstPlayed == .start + .milliseconds(10_000 + 12_500 * Int64(count)))
    #expect(metrics.stallCount == 0)
  }

  /// At a steady rate the mean of the throughput is the rate, and nine tenths of it are allowed.
  @Test(arguments: [(999_000, 0), (2_223_000, 1), (2_221_000, 0), (5_001_000, 2), (4_998_000, 1)])
  func throughputRuleTakesNineTenths(rate: Int64, variant: Int) {
    var world = StreamRunFixture.world(
      StreamRunFixture.streamMedia([500_000, 2_000_000, 4_500_000], segments: 8), rate: rate)
    world.players[0].streaming.adaptation.rule = .throughput
    var simulation = Simulation(world)
    _ = simulation.run()
    let lists = simulation.log.records.compactMap { $0.event.segmentList }
    #expect(lists.dropFirst() == ArraySlice(repeating: Int32(variant), count: 7))
  }

  /// AVFoundation's rule climbs to what needs eighty per cent, and stays until more is needed.
  @Test func climbingNeedsRoom() {
    func lists(_ rate: Int64) -> [Int32] {
      var simulation = Simulation(
        StreamRunFixture.world(
          StreamRunFixture.streamMedia([500_000, 2_000_000, 4_500_000], segments: 6), rate: rate))
      _ = simulation.run()
      return simulation.log.records.compactMap { $0.event.segmentList }
    }
    #expect(lists(2_499_999) == [0, 0, 0, 0, 0, 0])
    #expect(lists(2_500_000) == [0, 1, 1, 1, 1, 1])
    #expect(lists(5_625_001) == [0, 2, 2, 2, 2, 2])
  }

  /// The playlists of picture and sound are both missing, and the item fails once.
  @Test func twoFailuresAtOneInstantFailTheItemOnce() {
    var stream = StreamRunFixture.streamMedia([500_000], segments: 6)
    stream.lists.append(stream.lists[0])
    stream.variants[0].audioGroup = 0
    stream.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    stream.renditions[0].isDefault = true
    stream.faults = [Fault(.status(404), of: .mediaPlaylist(list: nil))]
    var world = StreamRunFixture.world(stream, rate: 8_000_000)
    world.players[0].streaming.retriesMax = 0
    let run = Simulation.run(of: world)
    #expect(run.times(of: .newErrorLogEntry(transfer: 2, code: -12_938)) == [0])
    #expect(run.times(of: .newErrorLogEntry(transfer: 3, code: -12_938)) == [0])
    #expect(run.times(of: .itemStatus(.failed)) == [0])
  }

  /// A variant is lost while nothing is asked for: which one comes next is recorded at once.
  ///
  /// Two playlists and the first segment take 3.625 s, the other variant's playlist 1 s. Its
  /// segment is asked for at 4.625 s, the buffer is full from 5 s on, and the response says 404 at
  /// 5.625 s.
  @Test func theNextVariantIsRecordedWhileTheBufferIsFull() {
    var stream = StreamRunFixture.streamMedia([500_000, 2_000_000], segments: 6)
    stream.faults = [Fault(.status(404), of: .segment(list: 1, number: nil))]
    var world = StreamRunFixture.world(stream, rate: 8_000_000)
    world.links = [
      LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000), delay: .seconds(1)))
    ]
    world.players[0].streaming.retriesMax = 0
    world.players[0].streaming.forwardBufferSegmentsMin = 0
    world.script.append(Demo.at(seconds: 5, .set(.preferredForwardBufferDuration(.seconds(1)))))
    let run = Simulation.run(of: world)
    #expect(run.times(of: .isPlaybackBufferFull(true)).first == 5_000_000_000)
    #expect(run.times(of: .newErrorLogEntry(transfer: 5, code: -12_938)) == [5_625_000_000])
    #expect(run.times(of: .variantSwitchStart(from: 1, to: 0)) == [5_625_000_000])
  }
}

enum StreamRunFixture {
  static func streamMedia(_ bandwidths: [Int64], segments: Int) -> StreamMedia {
    let lists = bandwidths.map { bandwidth in
      SegmentList(
        Array(
          repeating: (MediaTime.seconds(10), ByteCount(bytes: bandwidth * 10 / 8)), count: segments)
      )
    }
    let variants = bandwidths.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: bandwidths[$0]), list: $0)
    }
    var streamMedia = StreamMedia(variants: variants, lists: lists)
    streamMedia.playlistSize = .zero
    return streamMedia
  }

  static func world(_ streamMedia: StreamMedia, rate: Int64) -> World {
    World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: rate)))],
      players: [PlayerConfiguration(media: [Media(streamMedia)])],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ],
      horizon: Instant(nanoseconds: 4_000_000_000_000))
  }
}

extension Event {
  /// The list of the segment that is asked for, if one is.
  var segmentList: Int32? {
    if case .segmentRequest(_, _, let list, _?, _) = self { list } else { nil }
  }

  var isSegmentCompleted: Bool {
    if case .mediaRequestCompleted(_, let bytes) = self { bytes > .zero } else { false }
  }
}
