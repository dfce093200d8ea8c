import Autowait
import Testing

/// The short way through the segments of a stream comes to what the general way comes to.
///
/// A stream with which something can go wrong takes the general way, though nothing ever does.
@Suite struct SmoothLawTests {
  @Test(arguments: 0..<120)
  func bothWaysAreOne(_ seed: UInt64) {
    var draw = RandomStream(seed: seed, component: "smooth", purpose: "world")
    let streamMedia = Self.streamMedia(&draw)
    let world = Self.world(streamMedia, &draw)
    var watched = streamMedia
    watched.faults = [Fault(.noResponse, of: .segment(list: 99, number: 0))]
    var other = world
    other.players[0].media = [Media(watched)]
    let (short, general) = (Self.run(world), Self.run(other))
    let difference = zip(short.log.records, general.log.records).first { $0 != $1 }
    #expect(difference == nil)
    #expect(short.fingerprint == general.fingerprint)
    #expect(short.eventCount == general.eventCount)
    #expect(short.metrics(of: 0) == general.metrics(of: 0))
  }

  /// A stream of up to four variants, of segments whose sizes differ, some in need of a header.
  private static func streamMedia(_ draw: inout RandomStream) -> StreamMedia {
    let count = Int(1 + draw.next(below: 4))
    let segments = Int(3 + draw.next(below: 40))
    let length = Int64(1 + draw.next(below: 8)) * 1_000_000_000
    let lists = (0..<count).map { variant in
      var list = SegmentList(
        (0..<segments).map { _ in
          let rate = 200_000 * Int64(1 + 2 * variant)
          let size = rate * length / 8_000_000_000
          return (
            MediaTime(nanoseconds: length),
            ByteCount(bytes: size / 2 + Int64(draw.next(below: UInt64(size))))
          )
        })
      list.playlistSize = ByteCount(bytes: Int64(draw.next(below: 3)) * 2_000)
      if draw.next(below: 4) == 0 {
        list.initializations = [ByteCount(bytes: 900)]
        list.need(SegmentList.SegmentStretch(first: 0, initialization: 0))
      }
      return list
    }
    let variants = (0..<count).map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 400_000 * Int64(1 + 2 * $0)), list: $0)
    }
    var streamMedia = StreamMedia(variants: variants, lists: lists)
    streamMedia.playlistSize = draw.next(below: 2) == 0 ? nil : ByteCount(bytes: 800)
    return streamMedia
  }

  private static func world(_ streamMedia: StreamMedia, _ draw: inout RandomStream) -> World {
    let step = draw.next(below: 2) == 0 ? 1_000_000_000 : Int64(700_000_001)
    let samples = (0..<Int64(200)).map { index in
      LinkTrack.Sample(
        start: TimeSpan(nanoseconds: index * step),
        rate: BitRate(
          bitsPerSecond: draw.next(below: 12) == 0 ? 0 : Int64(draw.next(below: 3_000_000))),
        delay: .milliseconds(Int64(draw.next(below: 100))))
    }
    var player = PlayerConfiguration(media: [Media(streamMedia)])
    switch draw.next(below: 5) {
    case 0: player.keepUp.rule = .buffered(start: .seconds(4), resume: .seconds(2))
    case 1:
      player.keepUp.rule = .conditions(
        ConditionRule(
          start: BufferConditions(allOf: .atLeast(.buffered, 3_000_000_000)),
          resume: BufferConditions(anyOf: [[.isKeepingUp], [.atLeast(.waited, 2_000_000_000)]])))
      player.keepUp.starvesBelow = .seconds(Int64(draw.next(below: 2)))
    case 2:
      player.keepUp.rule = .conditions(
        ConditionRule(
          start: BufferConditions(allOf: .atLeast(.bufferedBytes, 100_000)),
          resume: BufferConditions(anyOf: [
            [.isKeepingUp], [.atLeast(.buffered, 2_000_000_000)],
          ]), checkInterval: .milliseconds(300)))
      player.keepUp.starvesBelow = MediaTime(nanoseconds: 300_000_000)
    default: break
    }
    player.keepUp.forwardBufferLimit = .seconds(Int64(8 + draw.next(below: 40)))
    switch draw.next(below: 7) {
    case 0: player.streaming.adaptation.rule = .throughput
    case 1: player.streaming.adaptation.rule = .scripted([0, streamMedia.variants.count - 1, 0])
    case 2: player.streaming.adaptation.rule = .fixed
    case 3: player.streaming.adaptation.rule = .modelled(SegmentRulePolicy(.bola))
    case 4: player.streaming.adaptation.rule = .modelled(SegmentRulePolicy(.player(.hlsJS)))
    default: break
    }
    if draw.next(below: 3) == 0 { player.streaming.adaptation.abandonedAfter = .seconds(-2) }
    let half = MediaTime(nanoseconds: streamMedia.duration.nanoseconds / 2)
    return World(
      seed: 1,
      links: [
        LinkProfile(LinkTrack(samples, ending: .loop(after: TimeSpan(nanoseconds: 200 * step))))
      ], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
        ScriptStep(.at(Instant(nanoseconds: 20_000_000_000)), .player(0, .pause)),
        ScriptStep(.at(Instant(nanoseconds: 22_500_000_000)), .player(0, .play)),
        ScriptStep(.at(Instant(nanoseconds: 40_000_000_000)), .player(0, .seek(half))),
        ScriptStep(.at(Instant(nanoseconds: 50_000_000_000)), .player(0, .setRate(.normal))),
      ],
      horizon: Instant(nanoseconds: 2_000_000_000_000))
  }

  private static func run(_ world: World) -> Simulation {
    var simulation = Simulation(world)
    _ = simulation.run()
    return simulation
  }
}
