import Autowait
import Testing

/// Two players whose streams share a link go on as event by event, to the last record.
///
/// Half of all times are whole and a third of all pairs are alike: much happens at one instant.
@Suite struct PairLawTests {
  @Test(arguments: LawWorlds.numbers(600, release: 4_000))
  func streamsOfTwoPlayersMayBeTakenTogether(_ seed: UInt64) {
    var draw = PairDraw(seed)
    Self.check(seed, draw.world())
  }

  /// Sound that ends before the picture, or after it.
  @Test(arguments: LawWorlds.numbers(240, release: 1_000))
  func tracksMayEndApart(_ seed: UInt64) {
    var draw = PairDraw(seed)
    var world = draw.world(soundOfAll: true)
    world.players.removeLast()
    world.script.removeAll { if case .player(1, _) = $0.action { true } else { false } }
    Self.check(seed, world)
  }

  private static func check(
    _ seed: UInt64, _ world: World, _ test: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    _ = LawWorlds.expectSameRun(world, law(seed, test), sourceLocation)
  }
}

/// Draws small worlds of two players of streams.
private struct PairDraw {
  private var random: RandomStream

  init(_ seed: UInt64) {
    random = RandomStream(seed: seed, component: "law", purpose: "pair")
  }

  private mutating func number(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(random.next(below: UInt64(most - least + 1)))
  }

  private mutating func chance(_ part: Int64, of all: Int64) -> Bool { number(1, all) <= part }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int(number(0, Int64(values.count) - 1))]
  }

  /// Some milliseconds, in nanoseconds; half of them are multiples of half a second.
  private mutating func time(_ least: Int64, _ most: Int64) -> Int64 {
    let isEven = chance(1, of: 2)
    return (isEven ? number(least / 500, most / 500) * 500 : number(least, most)) * 1_000_000
  }

  mutating func world(soundOfAll: Bool = false) -> World {
    let first = player(hasSound: soundOfAll || chance(1, of: 5))
    var second = chance(1, of: 3) ? first : player(hasSound: chance(1, of: 5))
    if chance(1, of: 3) { second.media = first.media }
    var script = Self.loadAndPlay(0, at: .start)
    let isLater = chance(1, of: 2)
    script += Self.loadAndPlay(1, at: Instant(nanoseconds: isLater ? time(0, 20_000) : 0))
    if chance(1, of: 2) { script += (0..<number(1, 4)).map { _ in step() } }
    return World(
      links: [LinkProfile(track())], players: [first, second], script: script,
      horizon: Instant(nanoseconds: time(1_000, 200_000)))
  }

  private static func loadAndPlay(_ player: Int, at start: Instant) -> [ScriptStep] {
    [
      ScriptStep(.at(start), .player(player, .replaceCurrentItem(0))),
      ScriptStep(.at(start), .player(player, .play)),
    ]
  }

  private mutating func step() -> ScriptStep {
    let at = Instant(nanoseconds: time(0, 60_000))
    let player = Int(number(0, 1))
    let action: PlayerAction
    switch number(0, 7) {
    case 0: action = .pause
    case 1: action = .play
    case 2: action = .seek(MediaTime(nanoseconds: time(0, 60_000)))
    case let place:
      let rates: [Int64] = [500_000, 1_000_000, 1_100_000, 1_500_000, 2_000_000]
      action = .setRate(PlaybackRate(millionths: rates[Int(place) % rates.count]))
    }
    return ScriptStep(.at(at), .player(player, action))
  }

  private mutating func track() -> LinkTrack {
    let delays: [Int64] = [0, 0, 25, 100, 250]
    let (delay, best, standsStill) = (one(of: delays), number(2, 16), chance(1, of: 2))
    var (samples, at): ([LinkTrack.Sample], Int64) = ([], 0)
    for _ in 0..<number(1, 40) {
      let isDown = standsStill && chance(1, of: 6)
      let rate = chance(1, of: 2) ? number(1, best) * 500_000 : number(1, best * 500_000)
      samples.append(
        LinkTrack.Sample(
          start: .milliseconds(at), rate: BitRate(bitsPerSecond: isDown ? 0 : rate),
          delay: .milliseconds(delay)))
      at += chance(1, of: 2) ? 1_000 : number(1, 4_000)
    }
    let loops = chance(1, of: 2)
    return LinkTrack(samples, ending: loops ? .loop(after: .milliseconds(at)) : .hold)
  }

  private mutating func player(hasSound: Bool) -> PlayerConfiguration {
    var player = PlayerConfiguration(media: [media(hasSound: hasSound)])
    if chance(5, of: 6) {
      player.keepUp.rule = .buffered(
        start: MediaTime(nanoseconds: time(0, 5_000)),
        resume: MediaTime(nanoseconds: time(0, 7_000)))
    }
    if chance(4, of: 5) {
      let limit = time(2_000, 40_000)
      player.keepUp.forwardBufferLimit = MediaTime(nanoseconds: limit)
      if chance(1, of: 2) {
        player.keepUp.forwardBufferResume = MediaTime(nanoseconds: number(0, limit - 1))
      }
    }
    let rules: [AdaptationPolicy.AdaptationRule] = [
      .throughput, .throughput, .fixed, .fixed, .avfoundation,
      .modelled(SegmentRulePolicy(one(of: [.throughput, .bola, .dynamic, .bufferBased]))),
    ]
    player.streaming.adaptation.rule = one(of: rules)
    player.streaming.knowsPlaylists = chance(3, of: 4)
    return player
  }

  private mutating func media(hasSound: Bool) -> Media {
    let base: Int64 = one(of: [200_000, 500_000, 1_000_000, 237_001])
    let isEven = chance(3, of: 4)
    let length: Int64 = one(of: [1_000, 2_000, 2_500, 4_000, 4_000, 6_000])
    let lengths = (0..<number(2, 40)).map { _ in isEven ? length : number(300, 7_000) }
    let rates = (1...number(1, 4)).map { $0 * base }
    let haveOwnEnds = chance(1, of: 6)
    let lists = rates.map { rate in
      let own = haveOwnEnds ? lengths.map { _ in number(300, 7_000) } : lengths
      return SegmentList(
        own.map { length in
          let part = isEven ? 100 : number(30, 170)
          return (
            MediaTime(nanoseconds: length * 1_000_000),
            ByteCount(bytes: rate * length / 8_000 * part / 100)
          )
        })
    }
    var parts = StreamMedia(
      variants: rates.indices.map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
      }, lists: lists)
    if chance(3, of: 4) { parts.playlistSize = .zero }
    if hasSound { addSound(to: &parts, like: lengths) }
    return Media(parts)
  }

  private mutating func addSound(to parts: inout StreamMedia, like lengths: [Int64]) {
    let own: Int64? = chance(1, of: 2) ? 2_000 : nil
    parts.lists.append(
      SegmentList(
        lengths.map {
          (MediaTime(nanoseconds: (own ?? $0) * 1_000_000), ByteCount(bytes: 12 * $0))
        }))
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: parts.lists.count - 1)]
    parts.renditions[0].isDefault = true
    for index in parts.variants.indices { parts.variants[index].audioGroup = 0 }
  }
}
