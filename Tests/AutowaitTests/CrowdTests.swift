import Autowait
import Testing

/// Players of streams that share an ideal link: one whose turn is certain does not hear each event
/// of the others, and nobody may notice.
@Suite struct CrowdTests {
  /// Some unlike players, who come, pause and go on at random.
  private static func world(_ seed: UInt64) -> World {
    var stream = RandomStream(seed: seed, component: "test", purpose: "crowd")
    func draw(_ count: Int) -> Int { Int(stream.next(below: UInt64(count))) }
    // Of many players, those to be looked at are found otherwise.
    let count = draw(4) == 0 ? 32 + draw(16) : 3 + draw(5)
    let players = (0..<count).map { _ in player(draw) }
    var steps: [(at: Int, step: ScriptStep)] = []
    func add(_ milliseconds: Int, _ index: Int, _ action: PlayerAction) {
      let instant = Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
      steps.append((milliseconds, ScriptStep(.at(instant), .player(index, action))))
    }
    for index in 0..<count {
      let start = draw(4_000)
      add(start, index, .replaceCurrentItem(0))
      add(start, index, .play)
      if draw(2) == 0 {
        add(start + draw(20_000), index, .pause)
        add(start + 20_000 + draw(9_000), index, .play)
      }
      if draw(3) == 0 {
        add(start + draw(30_000), index, .setRate(PlaybackRate(millionths: 1_500_000)))
      }
    }
    let delay = TimeSpan.milliseconds(Int64(draw(2) * draw(80)))
    let links = (0..<2).map { (_: Int) -> LinkProfile in
      let samples = (0..<8).map { number in
        let rate = draw(8) == 0 ? 0 : 200 + draw(1_200)
        return LinkTrack.Sample(
          start: .seconds(Int64(number * 4)),
          rate: BitRate(bitsPerSecond: Int64(rate * count) * 1_000), delay: delay)
      }
      return LinkProfile(LinkTrack(samples, ending: .loop(after: .seconds(32))))
    }
    for _ in 0..<draw(4) {
      let at = draw(60_000)
      let instant = Instant(nanoseconds: Int64(at) * 1_000_000)
      steps.append((at, ScriptStep(.at(instant), .useLink(track: draw(2)))))
    }
    let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
    var world = World(
      seed: seed, links: links,
      players: players, script: order.map { steps[$0].step },
      horizon: Instant(nanoseconds: 90_000_000_000))
    world.eventsMax = 1_000_000
    return world
  }

  private static func player(_ draw: (Int) -> Int) -> PlayerConfiguration {
    let (seconds, variants, rate) = (1 + draw(6), 1 + draw(4), 150 + draw(800))
    let rates = (1...variants).map { BitRate(bitsPerSecond: Int64($0 * rate) * 1_000) }
    var streamMedia = StreamMedia(
      variants: rates.indices.map { StreamMedia.Variant(bandwidth: rates[$0], list: $0) },
      lists: rates.map {
        SegmentList(EvenSegments(.seconds(40), by: .seconds(Int64(seconds)), at: $0))
      })
    streamMedia.playlistSize = .zero
    // Sound of its own is a second flow.
    if draw(4) == 0 {
      streamMedia.lists.append(
        SegmentList(
          EvenSegments(.seconds(40), by: .seconds(2), at: BitRate(bitsPerSecond: 96_000))))
      streamMedia.renditions = [StreamMedia.Rendition(.audio, group: 0, list: variants)]
      streamMedia.renditions[0].isDefault = true
      for index in rates.indices { streamMedia.variants[index].audioGroup = 0 }
    }
    var player = PlayerConfiguration(media: [media(streamMedia, draw)])
    player.streaming.knowsPlaylists = draw(2) == 0
    if draw(3) == 0 { player.keepUp.rule = .buffered(start: .seconds(2), resume: .seconds(4)) }
    if draw(3) == 0 { player.streaming.adaptation.rule = .throughput }
    if draw(3) == 0 { player.keepUp.forwardBufferLimit = .seconds(Int64(5 + draw(20))) }
    if draw(3) == 0 { player.keepUp.fillRateWindow = .seconds(Int64(1 + draw(8))) }
    return player
  }

  /// The stream; or else a file, at times one of more data than 64 bits count in nanobits.
  private static func media(_ streamMedia: StreamMedia, _ draw: (Int) -> Int) -> Media {
    if draw(8) > 0 { return Media(streamMedia) }
    let (seconds, rate) = draw(2) == 0 ? (40, 500_000) : (3_600, 10_000_000)
    return Media(
      .progressive, duration: .seconds(Int64(seconds)),
      bitRate: BitRate(bitsPerSecond: Int64(rate)))
  }

  /// What an application reads of all players.
  private static func reading(_ run: Simulation, of count: Int) -> [String] {
    (0..<count).map { index in
      let rate = run.fillRate(of: index).map { "\($0.bitsPerSecond)" } ?? "none"
      return "\(run.snapshot(of: index)) \(run.metrics(of: index)) \(rate)"
    }
  }

  #if DEBUG
  static let seeds: Range<UInt64> = 0..<8
  #else
  static let seeds: Range<UInt64> = 0..<80
  #endif

  /// The judge tells every player of every event, and adds one that does nothing.
  @Test(arguments: seeds) func crowdsRunAsIfAllWereToldOfEverything(seed: UInt64) {
    let world = Self.world(seed)
    var (run, judge) = (Simulation(world), Simulation(world, pace: .eventByEvent))
    for second in stride(from: Int64(1), through: 85, by: 7) {
      // Between two events somebody may be left with news.
      let instant = Instant(nanoseconds: second * 1_000_000_000 + 123_456_789)
      _ = run.advance(to: instant)
      _ = judge.advance(to: instant)
      let count = world.players.count
      let (seen, expected) = (Self.reading(run, of: count), Self.reading(judge, of: count))
      #expect(seen == expected, "crowd \(seed) at \(second) s")
    }
    (_, _) = (run.run(), judge.run())
    #expect(run.fingerprint == judge.fingerprint, "crowd \(seed)")
  }

  /// What two runs that were one write about the same link stays apart, though they take turns.
  @Test(arguments: [0, 2, 3, 4, 5] as [UInt64]) func forksOfACrowdWriteApart(seed: UInt64) {
    let world = Self.world(seed)
    func paused(_ isFork: Bool, _ run: (inout Simulation) -> Void) -> UInt64 {
      var simulation = Simulation(world)
      _ = simulation.advance(to: Instant(nanoseconds: 9_000_000_000))
      if isFork { simulation.perform(.player(0, .pause)) }
      run(&simulation)
      return simulation.fingerprint.value
    }
    let (alone, alonePaused) = (paused(false) { _ = $0.run() }, paused(true) { _ = $0.run() })
    var other: UInt64 = 0
    let first = paused(false) { simulation in
      var fork = simulation
      fork.perform(.player(0, .pause))
      for second in 10..<90 {
        let instant = Instant(nanoseconds: Int64(second) * 1_000_000_000)
        _ = simulation.advance(to: instant)
        _ = fork.advance(to: instant)
      }
      (_, _) = (simulation.run(), fork.run())
      other = fork.fingerprint.value
    }
    #expect(alone != alonePaused, "world \(seed): a pause changes nothing")
    #expect(first == alone, "world \(seed)")
    #expect(other == alonePaused, "world \(seed)")
  }
}
