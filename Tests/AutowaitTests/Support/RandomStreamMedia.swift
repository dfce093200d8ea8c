import Autowait

/// Draws streams into a world of files: small ones with everything that a playlist can say, and
/// applications that do with streams what they can.
struct RandomStreamMedia {
  private var stream: RandomStream
  private let isLive: Bool

  /// Makes streams of most of a world's media.
  static func draw(into world: inout World, isLive: Bool) {
    var draw = RandomStreamMedia(
      stream: RandomStream(seed: world.seed, component: "test", purpose: "ladder"), isLive: isLive)
    for player in world.players.indices { draw.draw(into: &world.players[player]) }
    draw.draw(into: &world.script, of: world.players)
  }

  /// Draws a world in which nothing goes wrong with a live stream, and somebody who watches it.
  static func live(_ seed: UInt64) -> World {
    var draw = RandomStreamMedia(
      stream: RandomStream(seed: seed, component: "test", purpose: "live"), isLive: true)
    // A programme is as long in each of its tracks.
    var streamMedia = draw.streamMedia()
    while streamMedia.lists.contains(where: { $0.end != streamMedia.duration }) {
      streamMedia = draw.streamMedia()
    }
    var window = draw.window()
    window.elapsed = min(window.elapsed, .seconds(15))
    window.publishDelay = min(window.publishDelay, .seconds(3))
    streamMedia.live = window
    streamMedia.faults = []
    streamMedia.startOffset = nil
    for index in streamMedia.keys.indices { streamMedia.keys[index].serverDelay = .zero }
    var player = PlayerConfiguration(media: [Media(streamMedia)])
    player.automaticallyPreservesTimeOffsetFromLive = draw.chance(1, 3)
    player.streaming.adaptation = draw.policy().adaptation
    player.streaming.showsSubtitles = draw.chance(1, 2)
    return World(
      links: [
        LinkProfile(
          LinkTrack(
            rate: BitRate(bitsPerSecond: 20_000_000), delay: .milliseconds(draw.number(0, 200))))
      ],
      players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: .start + .seconds(300))
  }

  private mutating func draw(into player: inout PlayerConfiguration) {
    for item in player.media.indices where !chance(1, 6) {
      var media = Media(streamMedia())
      media.route = player.media[item].route
      media.canPlayReverse = player.media[item].canPlayReverse
      media.canPlayFastForward = player.media[item].canPlayFastForward
      media.isFedByDelegate = chance(1, 10)
      player.media[item] = media
    }
    if chance(1, 4) { player.preferredForwardBufferDuration = time(upTo: 8_000) }
    player.preloadsEligibleContentKeys = chance(1, 3)
    player.automaticallyPreservesTimeOffsetFromLive = isLive && chance(1, 3)
    player.canUseNetworkResourcesForLiveStreamingWhilePaused = isLive && chance(1, 4)
    player.limits = limits()
    player.streaming = policy()
    if chance(1, 4) {
      player.keepUp.rule = .buffered(start: time(upTo: 4_000), resume: time(upTo: 8_000))
    }
  }
}

// MARK: - Streams

extension RandomStreamMedia {
  private mutating func streamMedia() -> StreamMedia {
    let durations = (0..<number(1, 9)).map { _ in duration() }
    let rates = (0..<number(1, 4)).map { _ in
      chance(1, 3) ? pick([110_000, 400_000, 1_000_000, 2_000_000]) : number(60_000, 5_000_000)
    }
    var lists = rates.map {
      list(chance(1, 6) ? durations.dropLast() + [duration()] : durations, $0)
    }
    var variants = rates.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
    }
    var renditions: [StreamMedia.Rendition] = []
    if chance(1, 2) {
      for group in 0..<Int(number(1, 2)) {
        var rendition = StreamMedia.Rendition(.audio, group: group, list: nil)
        if !chance(1, 4) {
          rendition.list = lists.count
          lists.append(list(chance(1, 3) ? [duration(), duration()] : durations, 96_000))
        }
        rendition.isDefault = chance(1, 2)
        renditions.append(rendition)
      }
      for index in variants.indices { variants[index].audioGroup = chance(1, 3) ? nil : index % 2 }
    }
    if chance(1, 4) {
      renditions.append(StreamMedia.Rendition(.subtitles, group: 0, list: lists.count))
      lists.append(list(durations, 2_000))
      for index in variants.indices { variants[index].subtitleGroup = 0 }
    }
    let keys = (0..<Int(number(0, 2))).map { _ in
      StreamMedia.ContentKey(size: bytes(upTo: 2_000), serverDelay: .milliseconds(number(0, 700)))
    }
    for index in lists.indices { protect(&lists[index], keyCount: keys.count) }
    var streamMedia = StreamMedia(variants: variants, lists: lists)
    streamMedia.renditions = renditions
    streamMedia.keys = keys
    if chance(1, 2) { streamMedia.sessionKeys = Array(keys.indices) }
    if !chance(1, 5) { streamMedia.playlistSize = bytes(upTo: 3_000) }
    if isLive, !chance(1, 6) { streamMedia.live = window() }
    if isLive, chance(1, 5) {
      streamMedia.startOffset = MediaTime(nanoseconds: number(-20_000_000_000, 20_000_000_000))
    }
    if isLive, chance(1, 20) {
      for index in streamMedia.lists.indices { streamMedia.lists[index].targetDuration = .zero }
    }
    if chance(1, 4) { streamMedia.faults = (0..<Int(number(1, 2))).map { _ in fault(streamMedia) } }
    if !isLive, chance(1, 8) { streamMedia.mediaEnd = end(of: streamMedia) }
    return streamMedia
  }

  /// A place in the last segment of every variant, if there is one.
  private mutating func end(of streamMedia: StreamMedia) -> MediaTime? {
    let starts = streamMedia.variants.map { variant in
      let list = streamMedia.lists[variant.list]
      return list.count == 0 ? .zero : list.start(of: list.count - 1)
    }
    guard let last = starts.max(), last < streamMedia.duration else { return nil }
    return MediaTime(nanoseconds: number(last.nanoseconds + 1, streamMedia.duration.nanoseconds))
  }

  /// What makes a stream live, with numbers that no server would choose among them.
  private mutating func window() -> LiveWindow {
    var window = LiveWindow(
      elapsed: chance(1, 3) ? .zero : MediaTime(nanoseconds: number(-4, 30) * 500_000_000),
      window: chance(1, 3) ? nil : time(upTo: 15_000))
    if chance(1, 2) { window.holdBack = time(upTo: 9_000) }
    if chance(1, 2) { window.publishDelay = .milliseconds(number(0, 3_000)) }
    if chance(1, 30) { window.publishDelay = TimeSpan(nanoseconds: .max) }
    if chance(1, 30) { window.elapsed = MediaTime(nanoseconds: .max) }
    if chance(1, 2) {
      window.partDuration = chance(1, 8) ? MediaTime(nanoseconds: 1) : time(upTo: 2_000)
      if chance(1, 2) { window.partHoldBack = time(upTo: 4_000) }
    }
    window.canBlockReload = chance(1, 2)
    return window
  }

  private mutating func duration() -> MediaTime {
    chance(1, 2)
      ? MediaTime(nanoseconds: 500_000_000 * number(1, 8))
      : chance(1, 20) ? .zero : MediaTime(nanoseconds: number(1, 6_000_000_000))
  }

  private mutating func list(_ durations: [MediaTime], _ rate: Int64) -> SegmentList {
    // A list is as long as one frame at least, for a stream of no time is none.
    var list = SegmentList([(MediaTime(nanoseconds: 40_000_000), bytes(upTo: 9_000))])
    let isConstant = chance(1, 2)
    for duration in durations {
      let size = duration.nanoseconds / 1_000 * rate / 8_000_000
      list.append(duration, ByteCount(bytes: isConstant ? size : number(0, 2 * size + 1)))
    }
    list.playlistSize = chance(1, 3) ? .zero : bytes(upTo: 4_000)
    if chance(1, 6) { list.gaps = [Int(number(0, Int64(list.count - 1)))] }
    return list
  }

  /// Lets some of the segments need keys and initialisation sections.
  private mutating func protect(_ list: inout SegmentList, keyCount: Int) {
    if chance(1, 2) { return }
    list.initializations = (0..<Int(number(0, 2))).map { _ in bytes(upTo: 2_000) }
    var first = 0
    for _ in 0..<number(1, 2) {
      var stretch = SegmentList.SegmentStretch(first: first)
      if !list.initializations.isEmpty, !chance(1, 5) {
        stretch.initialization = Int(number(0, Int64(list.initializations.count - 1)))
      }
      if keyCount > 0, chance(1, 2) { stretch.key = Int(number(0, Int64(keyCount - 1))) }
      list.need(stretch)
      first = Int(number(Int64(first), Int64(list.count)))
    }
  }

  private mutating func fault(_ streamMedia: StreamMedia) -> Fault {
    let list = chance(1, 2) ? nil : Int(number(0, Int64(streamMedia.lists.count - 1)))
    let target: Fault.Target =
      switch number(0, 6) {
      case 0: .multivariantPlaylist
      case 1: .mediaPlaylist(list: list)
      case 2: .initialization(list: list)
      case 3: .contentKey(nil)
      default: .segment(list: list, number: chance(1, 3) ? nil : Int(number(0, 5)))
      }
    let outcome = pick([
      Fault.Outcome.status(404), .status(503), .noResponse, .nameNotResolved, .redirect, .wrongKey,
    ])
    return Fault(outcome, of: target, count: chance(1, 4) ? nil : Int(number(1, 3)))
  }
}

// MARK: - Applications

extension RandomStreamMedia {
  private mutating func limits() -> VariantLimits {
    var limits = VariantLimits()
    if chance(1, 6) { limits.preferredPeakBitRate = BitRate(bitsPerSecond: number(2_000, 900_000)) }
    limits.isExpensive = chance(1, 8)
    return limits
  }

  private mutating func policy() -> StreamPolicy {
    var policy = StreamPolicy()
    policy.adaptation.rule =
      switch number(0, 5) {
      case 0: .fixed
      case 1: .throughput
      case 2: .scripted([0])
      default: .avfoundation
      }
    policy.adaptation.rungsAfterStall = Int(number(0, 2))
    policy.adaptation.abandonedAfter = pick([nil, .seconds(2), .seconds(-1), .zero, .seconds(-30)])
    policy.adaptation.startsOnFirstEligibleVariant = chance(1, 3)
    if chance(1, 4) { policy.adaptation.expectedBitRate = BitRate(bitsPerSecond: 1_500_000) }
    if chance(1, 2) { policy.forwardBufferDefault = .seconds(number(1, 12)) }
    policy.showsSubtitles = chance(1, 2)
    policy.freezesWhenPaused = isLive && chance(1, 12)
    policy.responseTimeout = chance(1, 2) ? .seconds(10) : .milliseconds(number(300, 6_000))
    policy.retriesMax = Int(number(0, 2))
    policy.retryDelay = pick([.zero, .seconds(1), .milliseconds(number(0, 3_000))])
    policy.reconnects = !chance(1, 8)
    policy.waitsForMissingEnd = chance(1, 3)
    return policy
  }

  /// Lets applications do what they only do with streams, at instants of the script.
  private mutating func draw(into script: inout [ScriptStep], of players: [PlayerConfiguration]) {
    for _ in 0..<number(0, 5) {
      let place = Int(number(0, Int64(script.count)))
      let number = Int(number(0, Int64(players.count - 1)))
      let step = ScriptStep(
        place == 0 ? .at(.start) : script[place - 1].trigger,
        .player(number, action(for: players[number])))
      script.insert(step, at: place)
    }
  }

  private mutating func action(for player: PlayerConfiguration) -> PlayerAction {
    switch number(0, isLive ? 8 : 6) {
    case 7: .seekToLive
    case 8: .set(.automaticallyPreservesTimeOffsetFromLive(chance(1, 2)))
    case 0: .loadValues(Int(number(0, Int64(player.media.count - 1))))
    case 1: .createItem(Int(number(0, Int64(player.media.count - 1))))
    case 2: .set(.preferredForwardBufferDuration(time(upTo: 9_000)))
    case 3: .set(.preferredPeakBitRate(BitRate(bitsPerSecond: number(0, 3_000_000))))
    case 4: .set(.isExpensive(chance(1, 2)))
    case 5: .set(.layer(chance(1, 3) ? nil : Resolution(width: 640, height: 360)))
    default: .seek(time(upTo: 20_000))
    }
  }
}

// MARK: - Numbers

extension RandomStreamMedia {
  private mutating func number(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(stream.next(below: UInt64(most - least + 1)))
  }

  private mutating func chance(_ wins: UInt64, _ of: UInt64) -> Bool {
    stream.next(below: of) < wins
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(number(0, Int64(elements.count - 1)))]
  }

  private mutating func bytes(upTo most: Int64) -> ByteCount {
    ByteCount(bytes: chance(1, 4) ? 0 : number(1, most))
  }

  /// Half of the times are multiples of half a second.
  private mutating func time(upTo milliseconds: Int64) -> MediaTime {
    MediaTime(
      nanoseconds: chance(1, 2)
        ? 500_000_000 * number(0, milliseconds / 500) : number(0, milliseconds * 1_000_000))
  }
}
