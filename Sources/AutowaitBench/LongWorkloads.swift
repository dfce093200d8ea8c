import Autowait

/// Sessions of days, which are run for the memory that they take.
enum LongWorkloads {
  /// A live stream of four variants and segments of 6 s, one with sizes that vary, followed for
  /// some days over a link that changes in a lap of 15 s.
  static func live(days: Int64) -> World {
    let day: Int64 = 86_400
    let plan = MediaTime.seconds(days * day + 3_600)
    var stream = RandomStream(seed: 1, component: "bench", purpose: "live")
    let weights = (0..<plan.nanoseconds / 12_000_000_000).map { _ in
      Int32(Int64(stream.next(below: 2_000_000_001)) - 1_000_000_000)
    }
    let rates: [Int64] = [400_000, 1_000_000, 2_500_000, 5_000_000]
    var streamMedia = StreamMedia(
      variants: rates.enumerated().map { number, rate in
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rate), list: number)
      },
      lists: rates.map { rate in
        var even = EvenSegments(
          plan, by: .seconds(6), at: BitRate(bitsPerSecond: rate * 4 / 5))
        if rate == 5_000_000 {
          even.variation = EvenSegments.Variation(part: 200_000_000, weights: weights)
        }
        return SegmentList(even)
      })
    streamMedia.live = LiveWindow(elapsed: .seconds(600), window: .seconds(60))
    let samples = [(0, 6_000_000), (7, 900_000), (12, 3_000_000)].map { second, rate in
      LinkTrack.Sample(
        start: .seconds(second), rate: BitRate(bitsPerSecond: rate), delay: .milliseconds(40))
    }
    return world(
      LinkTrack(samples, ending: .loop(after: .seconds(15))), Media(streamMedia),
      seconds: days * day)
  }

  /// A film of a day over a link that changes every 10 ms, so many times.
  static func trace(samples count: Int) -> World {
    var stream = RandomStream(seed: 1, component: "bench", purpose: "trace")
    var samples = TrackSamples()
    for number in 0..<count {
      samples.append(
        LinkTrack.Sample(
          start: .milliseconds(Int64(number) * 10),
          rate: BitRate(bitsPerSecond: 1_000_000 + Int64(stream.next(below: 4_000_001)))))
    }
    let media = Media(
      .progressive, duration: .seconds(86_400), bitRate: BitRate(bitsPerSecond: 2_000_000))
    return world(LinkTrack(samples), media, seconds: 86_400)
  }

  private static func world(_ track: LinkTrack, _ media: Media, seconds: Int64) -> World {
    var world = World(
      seed: 1, links: [LinkProfile(track)], players: [PlayerConfiguration(media: [media])],
      script: Workloads.loadAndPlay(),
      horizon: Instant(nanoseconds: seconds * 1_000_000_000))
    world.eventsMax = 1_000_000_000
    return world
  }
}
