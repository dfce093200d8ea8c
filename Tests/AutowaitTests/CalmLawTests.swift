import Autowait
import Testing

/// The short way through changes of the rate comes to what the general way comes to.
///
/// Media of a bit rate takes the short way. Media of the same length given by its size needs a
/// division for every position and takes the general one, though it is the same file to the bit.
@Suite struct CalmLawTests {
  @Test(arguments: 0..<60)
  func bothWaysAreOne(_ seed: UInt64) {
    var draw = RandomStream(seed: seed, component: "calm", purpose: "world")
    let seconds = Int64(30 + draw.next(below: 200))
    let bytesPerSecond = Int64(50_000 + 125 * draw.next(below: 3_000))
    let header = ByteCount(bytes: Int64(draw.next(below: 2)) * 40_000)
    let byRate = Media(
      .progressive, duration: .seconds(seconds),
      bitRate: BitRate(bitsPerSecond: 8 * bytesPerSecond), headerSize: header)
    let bySize = Media(
      .progressive, duration: .seconds(seconds),
      contentSize: ByteCount(bytes: seconds * bytesPerSecond), headerSize: header)
    let world = Self.world(byRate, &draw)
    var other = world
    other.players[0].media = [bySize]
    let (short, general) = (Self.run(world), Self.run(other))
    #expect(short.log.records == general.log.records)
    #expect(short.fingerprint == general.fingerprint)
    #expect(short.eventCount == general.eventCount)
    #expect(short.metrics(of: 0) == general.metrics(of: 0))
  }

  /// A link of many rates around that of the media, and a user who does a few things.
  private static func world(_ media: Media, _ draw: inout RandomStream) -> World {
    // Samples of odd lengths make the fill rate's window meet stretches between two changes.
    let step = draw.next(below: 2) == 0 ? 1_000_000_000 : Int64(700_000_001)
    let bitRate =
      UInt64(media.size.wholeBytes.bytes) * 8 / UInt64(media.duration.nanoseconds / 1_000_000_000)
    let samples = (0..<Int64(600)).map { index in
      LinkTrack.Sample(
        start: TimeSpan(nanoseconds: index * step),
        rate: BitRate(
          bitsPerSecond: draw.next(below: 12) == 0 ? 0 : Int64(draw.next(below: 2 * bitRate))),
        delay: .milliseconds(Int64(draw.next(below: 100))))
    }
    let ending = LinkTrack.Ending.loop(after: TimeSpan(nanoseconds: 600 * step))
    var player = PlayerConfiguration(media: [media])
    player.automaticallyWaitsToMinimizeStalling = draw.next(below: 4) > 0
    let enough = Condition([Condition.Test(.loaded, .atLeast, 2_000_000_000)])
    let seek = MediaTime.seconds(
      Int64(draw.next(below: UInt64(media.duration.nanoseconds / 1_000_000_000))))
    return World(
      seed: 1, links: [LinkProfile(LinkTrack(samples, ending: ending))], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(
          .when(enough), .player(0, draw.next(below: 2) == 0 ? .play : .playImmediately(.normal))),
        ScriptStep(.at(Instant(nanoseconds: 20_000_000_000)), .player(0, .pause)),
        ScriptStep(.at(Instant(nanoseconds: 22_500_000_000)), .player(0, .play)),
        ScriptStep(.at(Instant(nanoseconds: 40_000_000_000)), .player(0, .seek(seek))),
      ],
      horizon: Instant(nanoseconds: 3_000_000_000_000))
  }

  private static func run(_ world: World) -> Simulation {
    var simulation = Simulation(world)
    _ = simulation.run()
    return simulation
  }
}
