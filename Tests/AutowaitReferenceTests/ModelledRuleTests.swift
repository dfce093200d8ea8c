import Autowait
import AutowaitReference
import Testing

/// Rules of simulators and of other players at work in a player of streams.
@Suite struct ModelledRuleTests {
  /// The film of the sessions of Sabre as a stream of whole bytes.
  static let media: Media = {
    let ladder = SabreSessionTests.ladder
    let count = ladder.bitRates.count
    let lists = (0..<count).map { quality in
      SegmentList(
        (0..<ladder.count).map { segment in
          let bytes = Int64(ladder.sizes[segment * count + quality] / 8)
          return (MediaTime.seconds(3), ByteCount(bytes: bytes))
        })
    }
    let variants = ladder.bitRates.indices.map {
      StreamMedia.Variant(
        bandwidth: BitRate(bitsPerSecond: Int64(ladder.bitRates[$0]) * 1_000), list: $0)
    }
    // A session of Sabre begins with its first segment: no playlist comes before.
    return Media(StreamMedia(variants: variants, lists: lists))
  }()

  static func track(_ rows: [SabreRow]) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    var start = TimeSpan.zero
    for row in rows {
      samples.append(
        LinkTrack.Sample(
          start: start, rate: BitRate(bitsPerSecond: Int64(row.bandwidth) * 1_000),
          delay: .milliseconds(Int64(row.latency))))
      start += .milliseconds(Int64(row.duration))
    }
    return LinkTrack(samples, ending: .loop(after: start))
  }

  /// A player that starts and goes on with one segment, and keeps 25 seconds.
  static func world(_ rule: SegmentRulePolicy, over track: LinkTrack) -> World {
    var player = PlayerConfiguration(media: [media])
    player.keepUp.rule = .buffered(start: .zero, resume: .zero)
    player.keepUp.forwardBufferLimit = MediaTime(nanoseconds: 22_000_000_001)
    player.keepUp.forwardBufferResume = MediaTime(nanoseconds: 22_000_000_000)
    player.streaming.adaptation.rule = .modelled(rule)
    player.streaming.forwardBufferDefault = .seconds(25)
    player.streaming.knowsPlaylists = true
    return World(
      links: [LinkProfile(track)], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: .start + .seconds(1_000))
  }

  /// The variant of each segment that was asked for.
  static func chosen(_ world: World) -> [Int] {
    var simulation = Simulation(world)
    _ = simulation.run()
    return simulation.log.records.compactMap {
      if case .segmentRequest(_, _, let list, _?, _) = $0.event { Int(list) } else { nil }
    }
  }

  /// Where nothing but the rule decides, a player chooses what a session of Sabre does.
  @Test(arguments: ["steps", "outage", "falls"], ["throughput", "bola", "dynamic"])
  func playersChooseAsSabreDoes(_ network: String, _ word: String) {
    let rules: [String: SegmentRulePolicy.Rule] = [
      "throughput": .throughput, "bola": .bola, "dynamic": .dynamic,
    ]
    let policy = SegmentRulePolicy(rules[word] ?? .fixed(0))
    let ladder = SabreSessionTests.ladder
    // Sizes are whole bytes here.
    let whole = RuleLadder(
      segmentDuration: ladder.segmentDuration, bitRates: ladder.bitRates, count: ladder.count,
      sizes: ladder.sizes.map { Double(Int64($0 / 8) * 8) })
    let rows = SabreSessionTests.rows(network)
    var setup = SabreSetup(whole, over: rows, rule: policy)
    setup.abandons = false
    var session = SabreSession(setup)
    let expected = session.run().qualities.map { Int($0) }
    #expect(Self.chosen(Self.world(policy, over: Self.track(rows))) == expected)
  }

  /// Each rule's first and later choices on a steady link of 2.5 Mbit/s.
  @Test func rulesChooseOnASteadyLink() {
    let rows: [(SegmentRulePolicy.Rule, first: Int, mostly: Int)] = [
      (.bolaE, 0, 3), (.dynamicDash, 0, 3), (.bufferBased, 1, 3), (.predictive, 1, 3),
      (.robustPredictive, 1, 3), (.player(.hlsJS), 1, 2), (.player(.dashJS), 2, 3),
      (.player(.shaka), 1, 3), (.player(.media3), 1, 2), (.player(.vhs), 3, 2),
    ]
    for (rule, first, mostly) in rows {
      let track = LinkTrack(rate: BitRate(bitsPerSecond: 2_500_000), delay: .milliseconds(50))
      let chosen = Self.chosen(Self.world(SegmentRulePolicy(rule), over: track))
      let last = chosen.suffix(20)
      #expect(chosen.first == first, "\(rule) \(chosen)")
      #expect(last.count { $0 == mostly } > 10, "\(rule) \(chosen)")
    }
  }

  /// What an application allows holds for every rule.
  @Test func capsHold() {
    var world = Self.world(
      SegmentRulePolicy(.bolaE), over: LinkTrack(rate: BitRate(bitsPerSecond: 9_000_000)))
    world.players[0].limits.preferredPeakBitRate = BitRate(bitsPerSecond: 1_000_000)
    let chosen = Self.chosen(world)
    #expect(chosen.max() == 2)
  }

  /// A run with such a rule forks as any other does.
  @Test func forksAreEqual() {
    let world = Self.world(
      SegmentRulePolicy(.robustPredictive), over: Self.track(SabreSessionTests.rows("steps")))
    var whole = Simulation(world)
    _ = whole.run()
    var part = Simulation(world)
    _ = part.advance(to: .start + .seconds(40))
    var fork = part
    _ = fork.run()
    #expect(fork.fingerprint.value == whole.fingerprint.value)
  }
}
