import Autowait
import AutowaitExperiment

/// Worlds in which playback never stalls, and what makes it stall in them.
struct PlantedWorlds {
  /// What can be planted.
  static let causes: [Remedy] = [
    .outages(max: .zero), .traffic, .loss, .keys, .slowStretches, .linkChanges, .faults,
  ]

  private var stream: RandomStream
  private let kilobits: Int64
  /// How far the player loads ahead, in seconds.
  private let ahead: Int64
  private let duration: Int64
  private let segment: Int64

  init(_ seed: UInt64) {
    stream = RandomStream(seed: seed, component: "test", purpose: "planted causes")
    kilobits = 800 + Int64(stream.next(below: 1_700))
    ahead = 6 + Int64(stream.next(below: 10))
    duration = 60 + Int64(stream.next(below: 30))
    segment = 2 + Int64(stream.next(below: 4))
    base = World(links: [], players: [], script: [], horizon: .start)
    base = drawn()
  }

  /// A world without a stall.
  private(set) var base: World

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound
      + Int64(stream.next(below: UInt64(range.upperBound - range.lowerBound + 1)))
  }

  private mutating func drawn() -> World {
    var track = LinkTrack(rate: BitRate(bitsPerSecond: kilobits * 1_000 * number(16...24) / 10))
    track = LinkTrack(
      track.samples.map { sample in
        var copy = sample
        copy.delay = .milliseconds(number(5...40))
        return copy
      })
    var sizes: [(duration: MediaTime, size: ByteCount)] = []
    var left = duration
    while left > 0 {
      let length = min(left, segment)
      // Segments of a stream differ in size.
      let bytes = kilobits * 125 * length * number(80...115) / 100
      sizes.append((.seconds(length), ByteCount(bytes: bytes)))
      left -= length
    }
    var list = SegmentList(sizes)
    list.playlistSize = ByteCount(bytes: 2_000)
    list.need(.init(first: 0, key: 0))
    var media = StreamMedia(
      variants: [.init(bandwidth: BitRate(bitsPerSecond: kilobits * 1_000), list: 0)],
      lists: [list])
    media.playlistSize = ByteCount(bytes: 500)
    media.keys = [.init(size: ByteCount(bytes: 16))]
    var player = PlayerConfiguration(media: [Media(media)])
    player.keepUp.rule = .buffered(start: .seconds(number(2...4)), resume: .seconds(2))
    player.preferredForwardBufferDuration = .seconds(ahead)
    player.keepUp.forwardBufferLimit = .seconds(ahead)
    var world = World(
      seed: UInt64(number(0...1_000_000)), links: [LinkProfile(LinkTrack(rate: .unlimited))],
      players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: Instant.start + .seconds(600))
    world.links[0].down.track = track
    var policy = TransportPolicy()
    policy.serverDelay = .milliseconds(number(0...60))
    world.transport = policy
    return world
  }

  /// Plants a cause that begins about a second of the run.
  mutating func plant(_ cause: Remedy, in world: inout World, at second: Int64) {
    let start = TimeSpan.seconds(second)
    let rate = world.links[0].down.track.samples[0].rate
    let length = TimeSpan.seconds(ahead + segment + number(4...12))
    switch cause {
    case .outages:
      world.links[0].events.append(LinkEvent(at: start, .blackout(length, drops: .nothing)))
    case .traffic:
      let taken = BitRate(bitsPerSecond: rate.bitsPerSecond * number(85...97) / 100)
      world.traffic.append(
        CrossTraffic(
          .constant(taken), from: .start + start,
          to: .start + start + length + .seconds(number(10...20))))
    case .loss:
      world.links[0].down.loss = .bernoulli(
        Probability(billionths: number(40...160) * 1_000_000))
    case .slowStretches:
      let slow = BitRate(bitsPerSecond: rate.bitsPerSecond * number(5...15) / 100)
      change(&world, slow, from: start, to: start + length + .seconds(10))
    case .linkChanges:
      let slow = BitRate(bitsPerSecond: rate.bitsPerSecond * number(20...35) / 100)
      let delay = world.links[0].down.track.samples[0].delay
      world.links.append(LinkProfile(LinkTrack(rate: slow, delay: delay)))
      world.linkChanges.append(LinkChange(at: .start + start, link: world.links.count - 1))
    case .keys, .faults: plantInMedia(cause, in: &world, at: second)
    default: preconditionFailure("nothing that is planted")
    }
  }

  private func change(_ world: inout World, _ slow: BitRate, from: TimeSpan, to: TimeSpan) {
    let first = world.links[0].down.track.samples[0]
    world.links[0].down.track = LinkTrack([
      first, .init(start: from, rate: slow, delay: first.delay),
      .init(start: to, rate: first.rate, delay: first.delay),
    ])
  }

  private mutating func plantInMedia(_ cause: Remedy, in world: inout World, at second: Int64) {
    guard var media = world.players[0].media[0].streamMedia else { return }
    let place = Int(min(second / segment, Int64(media.lists[0].count - 2)))
    if cause == .keys {
      let delay = TimeSpan.seconds(ahead + segment + number(4...12))
      media.keys.append(.init(size: ByteCount(bytes: 16), serverDelay: delay))
      media.lists[0].need(.init(first: place, key: media.keys.count - 1))
    } else {
      media.faults.append(
        Fault(.status(503), of: .segment(list: 0, number: place), count: Int(number(2...3))))
      world.players[0].streaming.retriesMax = 7
      world.players[0].streaming.retryDelay = .seconds(ahead + number(1...6))
      world.players[0].streaming.retryDelayMax = .seconds(30)
    }
    world.players[0].media[0] = Media(media)
  }
}
