import Autowait
import AutowaitWorlds
import Testing

/// Shortcuts change nothing: long runs of a player are those that are taken event by event.
///
/// The net holds the same law against many more worlds, none of which lasts for minutes.
@Suite struct PaceLawTests {
  @discardableResult
  private static func check(
    _ seed: UInt64, _ item: WorldShape.Item, _ test: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation, change: (inout World) -> Void = { _ in }
  ) -> EventRecords {
    var world = LawWorlds.world(
      seed, WorldShape(.ideal, item, rule: .builtIn, isAlone: true, isLong: true))
    change(&world)
    return LawWorlds.expectSameRun(world, law(seed, test), sourceLocation)
  }

  @Test(arguments: LawWorlds.numbers(120))
  func segmentsMayBeTakenTogether(_ seed: UInt64) { Self.check(seed, .stream) }

  /// A file over a link that changes every 5 to 400 ms, and stands still in between: AVFoundation's
  /// window holds more changes than the loop over rates keeps at hand.
  @Test(arguments: LawWorlds.numbers(40))
  func denseLinksMayBeTakenTogether(_ seed: UInt64) {
    Self.check(seed, .file) {
      var random = RandomStream(seed: seed, component: "law", purpose: "dense")
      let step = 5 + Int64(random.next(below: 396))
      let standsStill = seed % 3 == 0
      let samples = (0..<120_000 / step).map { place in
        let rate = 800_000 + Int64(random.next(below: 2_500_000))
        return LinkTrack.Sample(
          start: .milliseconds(place * step),
          rate: BitRate(
            bitsPerSecond: standsStill && random.next(below: 6) == 0 ? 0 : rate))
      }
      let end = TimeSpan.milliseconds(120_000 / step * step)
      let media = Media(
        .progressive, duration: .seconds(200), bitRate: BitRate(bitsPerSecond: 2_000_000))
      $0 = World(
        seed: seed, links: [LinkProfile(LinkTrack(samples, ending: .loop(after: end)))],
        players: [PlayerConfiguration(media: [media])],
        script: [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(
            .at(.start),
            .player(0, .setRate(PlaybackRate(millionths: seed % 2 == 0 ? 1_000_000 : 1_250_000)))),
        ], horizon: Instant(nanoseconds: 600_000_000_000))
    }
  }

  /// A file under rules that look at the buffer alone, over links that bring much more all of a
  /// sudden, or much less: what is foreseen is so for some time, and with some data.
  @Test(arguments: LawWorlds.numbers(120))
  func whatHoldsOfAFileMayBeForeseen(_ seed: UInt64) {
    Self.check(seed, .file) {
      var random = RandomStream(seed: seed, component: "law", purpose: "foreseen")
      let samples = (0..<120).map { place in
        let isSudden = random.next(below: 8) == 0
        let rate = (isSudden ? 20_000_000 : 500_000) + Int64(random.next(below: 2_500_000))
        return LinkTrack.Sample(
          start: .milliseconds(Int64(place) * 500), rate: BitRate(bitsPerSecond: rate))
      }
      var player = PlayerConfiguration(media: [
        Media(.progressive, duration: .seconds(300), bitRate: BitRate(bitsPerSecond: 2_000_000))
      ])
      let ahead = BufferConditions(anyOf: [[.atLeast(.buffered, 5_000_000_000)]])
      player.keepUp.rule =
        seed % 2 == 0
        ? .buffered(start: .seconds(2), resume: .seconds(6))
        : .conditions(ConditionRule(start: ahead, resume: ahead, afterSeek: ahead))
      player.keepUp.forwardBufferLimit = .seconds(8 + Int64(random.next(below: 30)))
      let rate = PlaybackRate(millionths: seed % 3 == 0 ? 1_500_000 : 1_000_000)
      $0 = World(
        seed: seed,
        links: [LinkProfile(LinkTrack(samples, ending: .loop(after: .seconds(60))))],
        players: [player],
        script: [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player(0, .setRate(rate))),
        ], horizon: Instant(nanoseconds: 900_000_000_000))
    }
  }

  /// A last segment that is shorter than the others, which AVFoundation's rule asks about: the link
  /// carries about what is played, more and less, so that the one before it may come too late.
  @Test(arguments: LawWorlds.numbers(120))
  func lastSegmentsMayBeShorter(_ seed: UInt64) {
    Self.check(seed, .stream) {
      var random = RandomStream(seed: seed, component: "law", purpose: "last")
      let byteCount = 400_000 + Int64(random.next(below: 600_000))
      let whole = 3 + Int(random.next(below: 40))
      let lengths = Array(repeating: MediaTime.seconds(4), count: whole)
      let last = MediaTime(nanoseconds: 1 + Int64(random.next(below: 3_999_999_999)))
      var parts = StreamMedia(
        variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: byteCount * 2), list: 0)],
        lists: [
          SegmentList(
            lengths.map { ($0, ByteCount(bytes: byteCount)) } + [(last, ByteCount(bytes: 20_000))])
        ])
      parts.playlistSize = .zero
      var player = PlayerConfiguration(media: [Media(parts)])
      player.streaming.knowsPlaylists = true
      let link = SteppedLink(&random, stretches: 3...30, least: 500_000)
      $0 = World(
        seed: seed, links: [link.profile], players: [player],
        script: [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player(0, .play)),
        ], horizon: Instant(nanoseconds: 2_000_000_000_000))
    }
  }

  /// Rules that are asked each 50 ms whether to give a segment up, and do, over links that fall to
  /// a tenth of what is played: a law of rules that never do would say nothing.
  @Test func rulesMayBeAskedOnTheWay() {
    var givenUpCount = 0
    for seed in LawWorlds.numbers(60) { givenUpCount += Self.checkRules(seed) }
    #expect(givenUpCount > 0)
  }

  /// Returns how many segments were given up.
  private static func checkRules(_ seed: UInt64) -> Int {
    let rules: [SegmentRulePolicy.Rule] = [
      .throughput, .bola, .bolaE, .dynamic, .dynamicDash, .player(.dashJS), .player(.hlsJS),
      .player(.vhs), .player(.shaka), .player(.shaka4), .player(.media3), .player(.chromiumHLS),
    ]
    let records = Self.check(seed, .stream, "rulesMayBeAskedOnTheWay") {
      var policy = SegmentRulePolicy(rules[Int(seed) / 2 % rules.count])
      // A third of them looks at nothing that it would give up.
      policy.abandons = seed / 12 % 3 != 0
      if seed % 2 == 1 { $0 = Self.ladderOverSteps(seed) }
      $0.players[0].streaming.adaptation.rule = .modelled(policy)
    }
    return records.count { if case .mediaRequestCancelled = $0.event { true } else { false } }
  }

  /// A plain player of four variants over a link that falls and rises: nearly all of it is taken
  /// together, so that what is given up is given up there.
  private static func ladderOverSteps(_ seed: UInt64) -> World {
    var random = RandomStream(seed: seed, component: "law", purpose: "rules")
    let rates: [Int64] = [200_000, 600_000, 1_200_000, 2_400_000]
    var parts = StreamMedia(
      variants: rates.indices.map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
      },
      lists: rates.map { rate in
        SegmentList((0..<60).map { _ in (.seconds(4), ByteCount(bytes: rate / 2)) })
      })
    parts.playlistSize = .zero
    var player = PlayerConfiguration(media: [Media(parts)])
    player.keepUp.rule = .buffered(start: .seconds(4), resume: .seconds(4))
    player.keepUp.forwardBufferLimit = .seconds(30)
    player.streaming.knowsPlaylists = true
    return World(
      seed: seed, links: [SteppedLink(&random, stretches: 20...60, least: 60_000).profile],
      players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: Instant(nanoseconds: 2_000_000_000_000))
  }

  /// A stream with sound of its own, in segments of other lengths than the picture's or of the
  /// same, which both cross the link at once.
  @Test(arguments: LawWorlds.numbers(240, release: 1_000))
  func tracksMayBeTakenTogether(_ seed: UInt64) {
    Self.check(seed, .stream) { world in
      var random = RandomStream(seed: seed, component: "law", purpose: "sound")
      world.players[0].media = world.players[0].media.map { media in
        guard let parts = media.streamMedia else { return media }
        return Media(Self.withSound(parts, &random))
      }
      let start = MediaTime.seconds(1 + Int64(random.next(below: 6)))
      let resume = MediaTime.seconds(1 + Int64(random.next(below: 6)))
      var keepUp = KeepUpPolicy()
      keepUp.rule = .buffered(start: start, resume: resume)
      keepUp.forwardBufferLimit =
        seed % 4 == 0 ? nil : .seconds(8 + Int64(random.next(below: 30)))
      keepUp.requestOrder = seed % 5 == 0 ? .independent : .furthestBehind
      if seed % 3 == 0 { keepUp.starvesBelow = MediaTime(nanoseconds: 300_000_001) }
      world.players[0].keepUp = keepUp
      world.players[0].streaming.adaptation.rule = seed % 2 == 0 ? .throughput : .fixed
      // In half of the worlds nothing but the link's rate changes.
      if seed / 2 % 2 == 0 {
        world.keepTracks()
        world.keepCalls { if case .setRate = $0 { true } else { false } }
        world.script += [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player(0, .play)),
        ]
      }
    }
  }

  /// Gives the variants of a stream sound of their own, all the same.
  private static func withSound(
    _ parts: StreamMedia, _ random: inout RandomStream
  ) -> StreamMedia {
    var parts = parts
    let first = parts.lists[parts.variants[0].list]
    let isEven = random.next(below: 2) == 0
    var (segments, end) = ([(MediaTime, ByteCount)](), MediaTime.zero)
    while end < first.end {
      let number = segments.count
      let length =
        isEven && number < first.count
        ? first.end(of: number) - first.start(of: number)
        : MediaTime(nanoseconds: 500_000_000 + Int64(random.next(below: 9_000_000_000)))
      segments.append((length, ByteCount(bytes: 1 + Int64(random.next(below: 200_000)))))
      end = end + length
    }
    parts.lists.append(SegmentList(segments))
    parts.renditions = [
      StreamMedia.Rendition(.audio, group: 0, list: parts.lists.count - 1)
    ]
    parts.renditions[0].isDefault = true
    for index in parts.variants.indices { parts.variants[index].audioGroup = 0 }
    return parts
  }

  @Test(arguments: LawWorlds.numbers(60))
  func changesOfTheRateMayBeTakenTogether(_ seed: UInt64) { Self.check(seed, .file) }
}
