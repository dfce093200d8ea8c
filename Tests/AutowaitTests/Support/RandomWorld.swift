import Autowait

/// Draws small worlds: links with steps, outages and loops, files of all kinds, one to three
/// players, and users who do everything an application can do.
///
/// A world depends on its number alone, so that a test names a failing world by it. Half of all
/// times lie on round values, because that is where several things happen at one instant.
struct RandomWorld {
  /// What the worlds of a test may hold.
  struct Options: OptionSet {
    let rawValue: Int

    /// Calls that only rarely occur: host times, holds, failures, track changes, layers and their
    /// pipelines, odd end times.
    static let rareCalls = Options(rawValue: 1)
    /// Rates other than the natural one, also negative ones.
    static let rates = Options(rawValue: 2)
    /// Seeks.
    static let seeks = Options(rawValue: 4)
    /// More than one item to a player.
    static let items = Options(rawValue: 8)
    /// A link that changes its condition in the middle.
    static let linkChanges = Options(rawValue: 16)
    /// More than one player.
    static let players = Options(rawValue: 32)
    /// An external rule.
    static let externalRules = Options(rawValue: 64)

    /// Real links, on which requests are carried as TCP and others do.
    static let networks = Options(rawValue: 128)
    /// Streams instead of most files.
    static let streams = Options(rawValue: 256)
    /// Most streams are live.
    static let live = Options(rawValue: 512)

    /// Rules that are data.
    static let dataRules = Options(rawValue: 1_024)

    /// Everything on ideal links that runs without a driver's answers.
    static let all: Options = [rareCalls, rates, seeks, items, linkChanges, players]
  }

  private var stream: RandomStream
  private let options: Options

  /// Draws the world of a number.
  static func world(_ seed: UInt64, _ options: Options = .all) -> World {
    var draw = RandomWorld(
      stream: RandomStream(seed: seed, component: "test", purpose: "world"), options: options)
    return draw.world(seed)
  }

  private init(stream: RandomStream, options: Options) {
    self.stream = stream
    self.options = options
  }

  private mutating func world(_ seed: UInt64) -> World {
    let links = (0..<number(1, 3)).map { _ in LinkProfile(track()) }
    let playerCount = options.contains(.players) && chance(1, 3) ? number(2, 3) : 1
    let players = (0..<playerCount).map { _ in player() }
    let steps = script(for: players, linkCount: links.count)
    var world = World(
      seed: seed, links: links, players: players, script: steps,
      horizon: Instant(nanoseconds: Int64(number(20, 80)) * 1_000_000_000))
    if options.contains(.linkChanges) {
      let count = chance(1, 2) ? 0 : number(1, 3)
      world.linkChanges = (0..<count).map { _ in instant() }.sorted().map {
        LinkChange(
          at: $0, link: number(0, links.count - 1),
          elapsed: TimeSpan(nanoseconds: chance(1, 2) ? 0 : nanoseconds(upTo: 30)))
      }
    }
    world.eventsMax = 20_000
    if options.contains(.streams) {
      RandomStreamMedia.draw(into: &world, isLive: options.contains(.live))
    }
    if options.contains(.networks) { RandomNetwork.draw(into: &world) }
    return world
  }
}

// MARK: - Links and media

extension RandomWorld {
  private mutating func track() -> LinkTrack {
    if chance(1, 4) { return LinkTrack(rate: linkRate(), delay: roundTrip()) }
    var start: Int64 = 0
    let samples = (0..<number(1, 6)).map { _ in
      let sample = LinkTrack.Sample(
        start: TimeSpan(nanoseconds: start), rate: linkRate(), delay: roundTrip())
      start += nanoseconds(upTo: 6) + 20_000_000
      return sample
    }
    switch number(0, 3) {
    case 0: return LinkTrack(samples, ending: .offline(after: TimeSpan(nanoseconds: start)))
    case 1: return LinkTrack(samples)
    default: return LinkTrack(samples, ending: .loop(after: TimeSpan(nanoseconds: start)))
    }
  }

  private mutating func linkRate() -> BitRate {
    let rates: [Int64] = [0, 1_000_000, 2_000_000, 3_200_000, 8_000_000, 100_000_000, 17]
    return BitRate(
      bitsPerSecond: chance(1, 2) ? pick(rates) : Int64(number(50_000, 6_000_000)))
  }

  private mutating func roundTrip() -> TimeSpan {
    chance(1, 2) ? .zero : TimeSpan(nanoseconds: nanoseconds(upTo: 1))
  }

  private mutating func media() -> Media {
    let source: Media.Source = chance(1, 6) ? .local : .progressive
    let duration = MediaTime(nanoseconds: nanoseconds(upTo: 30) + pick([1, 1_000_000_000]))
    let header = ByteCount(bytes: chance(1, 2) ? 0 : Int64(number(0, 100_000)))
    let index: Media.IndexPlacement = header > .zero && chance(1, 3) ? .back : .front
    let rates: [Int64] = [800_000, 1_000_000, 2_000_000, 3_730_000, 700, 999_983]
    var media =
      chance(1, 2)
      ? Media(
        source, duration: duration, bitRate: BitRate(bitsPerSecond: pick(rates)),
        headerSize: header, indexPlacement: index)
      : Media(
        source, duration: duration,
        contentSize: ByteCount(bytes: pick([1, 999_983, 5_000_000, Int64(number(1, 9_000_000))])),
        headerSize: header, indexPlacement: index)
    media.canPlayReverse = !chance(1, 8)
    media.canPlayFastForward = !chance(1, 8)
    return media
  }
}

// MARK: - Players

extension RandomWorld {
  private mutating func player() -> PlayerConfiguration {
    let count = options.contains(.items) ? number(1, 3) : 1
    var player = PlayerConfiguration(media: (0..<count).map { _ in media() })
    if chance(1, 3) { player.contract = APIContract(iOS: pick([9, 10, 11, 15, 26])) ?? .newest }
    if chance(1, 2) { player.automaticallyWaitsToMinimizeStalling = chance(1, 2) }
    if chance(1, 3) { player.actionAtItemEnd = .none }
    if options.contains(.rareCalls), chance(1, 4) { player.forwardPlaybackEndTime = mediaTime() }
    if options.contains(.rates), chance(1, 4) { player.defaultRate = rate() }
    player.keepUp = policy()
    if options.contains(.rareCalls), chance(1, 3) { player.pipeline = pipeline() }
    return player
  }

  private mutating func pipeline() -> PipelinePolicy {
    var pipeline = PipelinePolicy()
    pipeline.build = TimeSpan(nanoseconds: chance(1, 4) ? 0 : nanoseconds(upTo: 2))
    pipeline.hasLayer = chance(1, 2)
    return pipeline
  }

  private mutating func policy() -> KeepUpPolicy {
    var policy = KeepUpPolicy()
    policy.verdictSize = ByteCount(bytes: pick([0, 1, 65_536, Int64(number(0, 200_000))]))
    if chance(1, 2) {
      policy.fillRateWindow = TimeSpan(nanoseconds: nanoseconds(upTo: 3) + 1_000_000)
    }
    if chance(1, 4) { policy.safetyMargin = Int64(number(0, 500_000)) }
    if chance(1, 3) {
      let limit = nanoseconds(upTo: 10) + 100_000_000
      policy.forwardBufferLimit = MediaTime(nanoseconds: limit)
      if chance(1, 2) {
        policy.forwardBufferResume = MediaTime(
          nanoseconds: Int64(number(0, 80)) * (limit / 100))
      }
    }
    if chance(1, 6) {
      policy.frameDuration = MediaTime(nanoseconds: nanoseconds(upTo: 1) + 5_000_000)
    }
    if options.contains(.externalRules), chance(3, 4) { policy.rule = .external }
    if options.contains(.dataRules), chance(7, 8) {
      policy.rule = .conditions(conditionRule())
      if chance(1, 3) { policy.starvesBelow = MediaTime(nanoseconds: nanoseconds(upTo: 2)) }
    }
    return policy
  }

  private mutating func conditionRule() -> ConditionRule {
    func some(_ random: inout RandomWorld) -> BufferConditions {
      let alternatives = (0..<random.number(0, 3)).map { _ in
        (0..<random.number(0, 3)).map { _ in random.condition() }
      }
      return BufferConditions(anyOf: alternatives)
    }
    return ConditionRule(
      start: some(&self), resume: some(&self), afterSeek: some(&self),
      checkInterval: chance(1, 3) ? TimeSpan(nanoseconds: nanoseconds(upTo: 2) + 1) : nil)
  }

  private mutating func condition() -> BufferCondition {
    let words: [BufferCondition] = [.isKeepingUp, .isLoaded, .isNetworkIdle, .isNetworkBusy]
    if chance(1, 4) { return pick(words) }
    let measure = pick(BufferMeasure.allCases)
    let value: Int64 =
      switch measure {
      case .buffered, .playout, .waited, .waitedPerSpeed: nanoseconds(upTo: 6)
      case .bufferedBytes, .missingBytes, .receivedBytes: Int64(number(0, 3_000_000))
      case .fillRate: Int64(number(0, 8_000_000))
      case .speed: Int64(number(0, 2_000_000))
      case .stalls: Int64(number(0, 3))
      }
    return chance(3, 4) ? .atLeast(measure, value) : .below(measure, value)
  }

  private mutating func rate() -> PlaybackRate {
    let rates: [Int64] = [
      1_000_000, 2_000_000, 500_000, 1_500_000, 3_000_000, 999_983, 64_000_000, 1, -1_000_000,
      -2_000_000, -300_001, -7_000_000,
    ]
    return PlaybackRate(millionths: options.contains(.rates) ? pick(rates) : 1_000_000)
  }
}

// MARK: - Scripts

extension RandomWorld {
  private mutating func script(
    for players: [PlayerConfiguration], linkCount: Int
  ) -> [ScriptStep] {
    var steps: [ScriptStep] = []
    for index in players.indices where !chance(1, 12) {
      steps.append(ScriptStep(.at(.start), .player(index, .replaceCurrentItem(0))))
    }
    var now: Int64 = 0
    for _ in 0..<number(1, 14) {
      let player = number(0, players.count - 1)
      let action: ScriptAction =
        options.contains(.linkChanges) && chance(1, 12)
        ? .useLink(track: number(0, linkCount - 1))
        : .player(player, action(for: players[player]))
      if chance(1, 4) {
        steps.append(ScriptStep(.when(condition(on: number(0, players.count - 1))), action))
      } else {
        if !chance(1, 4) { now += nanoseconds(upTo: 8) }
        steps.append(ScriptStep(.at(Instant(nanoseconds: now)), action))
      }
    }
    return steps
  }

  private mutating func condition(on player: Int) -> Condition {
    let tests = (0..<number(1, 2)).map { _ in
      let property = pick(Condition.Property.allCases)
      let isTime = [.loaded, .bufferedAhead, .currentTime].contains(property)
      let value = isTime ? nanoseconds(upTo: 12) : Int64(number(0, 3)) - (chance(1, 4) ? 1 : 0)
      return Condition.Test(property, pick(Condition.Comparison.allCases), value)
    }
    return Condition(player: player, tests)
  }

  private mutating func action(for player: PlayerConfiguration) -> PlayerAction {
    switch number(0, 15) {
    case 0...3: return .play
    case 4: return .pause
    case 5: return .playImmediately(rate())
    case 6: return .setRate(chance(1, 6) ? .zero : rate())
    case 7, 8:
      guard options.contains(.seeks) else { return .play }
      return .seek(
        chance(1, 12)
          ? nil : chance(1, 6) ? player.media[0].duration : chance(1, 6) ? .zero : mediaTime())
    case 9:
      guard options.contains(.items) else { return .pause }
      return .replaceCurrentItem(chance(1, 4) ? nil : number(0, player.media.count - 1))
    case 10: return .set(.automaticallyWaitsToMinimizeStalling(chance(1, 2)))
    case 11: return .set(.actionAtItemEnd(chance(1, 2) ? .pause : .none))
    default: return options.contains(.rareCalls) ? rareAction() : .play
    }
  }

  private mutating func rareAction() -> PlayerAction {
    switch number(0, 13) {
    case 0, 1:
      return .setRateAtHostTime(
        rate(), time: chance(1, 2) ? nil : mediaTime(), hostTime: chance(1, 3) ? nil : instant())
    case 2: return .preroll
    case 3: return .set(.forwardPlaybackEndTime(chance(1, 3) ? nil : mediaTime()))
    case 4: return .set(.reversePlaybackEndTime(chance(1, 3) ? nil : mediaTime()))
    case 5: return .set(.interstitial(chance(1, 2)))
    case 6: return .set(.coordination(chance(1, 2)))
    case 7: return .interrupt
    case 8: return .enterBackground
    case 9: return .changeTracks
    case 10, 11: return .set(.layerAttached(chance(1, 2)))
    case 12: return .set(.defaultRate(chance(1, 6) ? .zero : rate()))
    default: return chance(1, 3) ? .failItem : .changeTracks
    }
  }
}

// MARK: - Numbers

extension RandomWorld {
  private mutating func number(_ least: Int, _ most: Int) -> Int {
    least + Int(stream.next(below: UInt64(most - least + 1)))
  }

  private mutating func chance(_ wins: UInt64, _ of: UInt64) -> Bool {
    stream.next(below: of) < wins
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0, elements.count - 1)]
  }

  /// Half of the times are multiples of half a second.
  private mutating func nanoseconds(upTo seconds: Int64) -> Int64 {
    chance(1, 2)
      ? Int64(number(0, Int(2 * seconds))) * 500_000_000
      : Int64(stream.next(below: UInt64(seconds) * 1_000_000_000))
  }

  private mutating func instant() -> Instant { Instant(nanoseconds: nanoseconds(upTo: 30)) }

  private mutating func mediaTime() -> MediaTime {
    chance(1, 6)
      ? MediaTime(nanoseconds: Int64(number(0, 10))) : MediaTime(nanoseconds: nanoseconds(upTo: 25))
  }
}
