import Autowait
import AutowaitPlayer
import AutowaitScenario
import Testing

@Suite struct MediaKindsTests {
  /// A stream, and the scenario that says the same.
  private static let streams: [(media: Media, json: String)] = [
    (
      .hls(duration: .seconds(60), variants: [HLSVariant(.megabits(1.5))]),
      #""duration": 60, "variants": [{"bandwidth": 1500000}]"#
    ),
    (
      .hls(
        duration: .seconds(61.7), segmentDuration: .seconds(4.1),
        variants: [
          HLSVariant(.megabits(1.5), average: .kilobits(1_100)),
          HLSVariant(.megabits(4), resolution: Resolution(width: 1_280, height: 720)),
        ], audio: .kilobits(129.7)),
      """
      "duration": 61.7, "segmentDuration": 4.1,
      "audio": [{"group": "a", "default": true, "bitrate": 129700}],
      "variants": [{"bandwidth": 1500000, "averageBandwidth": 1100000, "audio": "a"},
                   {"bandwidth": 4000000, "resolution": "1280x720", "audio": "a"}]
      """
    ),
    (
      .hls(
        duration: .seconds(60), variants: [HLSVariant(.megabits(1.5))], audio: .kilobits(96),
        languages: ["en", "pt-BR"]),
      """
      "duration": 60,
      "audio": [{"group": "a", "language": "en", "default": true, "bitrate": 96000},
                {"group": "a", "language": "pt-BR", "autoselect": true, "bitrate": 96000}],
      "variants": [{"bandwidth": 1500000, "audio": "a"}]
      """
    ),
  ]

  @Test(arguments: streams.indices)
  func aStreamIsWhatAScenarioSays(_ index: Int) throws {
    let (media, json) = Self.streams[index]
    let text = """
      {"link": {"rate": "2 Mbit/s"}, "media": {"kind": "hls", \(json)},
       "script": [{"at": 0, "do": "load"}]}
      """
    let loader = FileLoader { _, _ in .failure(FileLoader.FileProblem("is not there")) }
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "x.json", text: text), loader: loader)
    let spelled = try #require(scenario, "\(findings)").world.players[0].media[0]
    #expect(media == spelled)
  }

  @Test func aStreamPlays() {
    let media = Media.hls(
      duration: .seconds(60), variants: [HLSVariant(.megabits(1)), HLSVariant(.megabits(3))],
      audio: .kilobits(96))
    var player = SimulatedPlayer(playing: media, over: LinkProfile(rate: .megabits(5)))
    player.play()
    #expect(player.run() == .settled)
    #expect(player.currentTime() == .seconds(60))
    #expect(player.metrics.stallCount == 0)
  }

  @Test func filesAreWhatTheyAreSaidToBe() {
    let files = [
      Media.progressive(duration: .seconds(8), bitRate: .megabits(1)),
      .progressive(duration: .seconds(8), size: ByteCount(bytes: 1_000_000)),
    ]
    let runs = files.map { media in
      var player = SimulatedPlayer(playing: media, over: LinkProfile(rate: .megabits(1.1)))
      player.play()
      player.run()
      return player.records
    }
    #expect(runs[0] == runs[1])
    var player = SimulatedPlayer(
      playing: .local(duration: .seconds(8)), over: LinkProfile(rate: .kilobits(1)))
    player.play()
    #expect(player.timeControlStatus == .playing)
  }

  @Test func aPlayerHasTheRuleOfAnother() throws {
    var configuration = PlayerConfiguration(
      media: [.progressive(duration: .seconds(39), bitRate: .megabits(3.73))])
    var starts: [Instant] = []
    for name in ["avfoundation", "media3", "vlc"] {
      configuration.keepUp = try #require(KeepUpPolicy.named(name))
      var player = SimulatedPlayer(configuration, over: LinkProfile(rate: .megabits(3.2)))
      player.replaceCurrentItem(with: 0)
      player.play()
      player.advance { $0.timeControlStatus == .playing }
      starts.append(player.now)
    }
    // The article on startup rules has the same.
    #expect(starts.map { "\($0)" } == ["6.459375 s", "1.165625 s", "1.165625 s"])
    #expect(KeepUpPolicy.named("media4") == nil)
    #expect(KeepUpPolicy.names.contains("hls.js"))
  }

  @Test func aTransportCostsTimeBeforeTheFirstByte() {
    let configuration = PlayerConfiguration(
      media: [.progressive(duration: .seconds(9), bitRate: .megabits(1))])
    let link = LinkProfile(rate: .megabits(5), delay: .seconds(0.1))
    let starts = [nil, TransportPolicy()].map { transport in
      var player = SimulatedPlayer(configuration, over: link, transport: transport)
      player.replaceCurrentItem(with: 0)
      player.play()
      player.advance { $0.timeControlStatus == .playing }
      return player.now
    }
    #expect(starts[1] > starts[0] + .seconds(0.1))
  }

  @Test func whatRaisesCanBeThrown() throws {
    let media = Media.progressive(duration: .seconds(30), bitRate: .megabits(1))
    var player = SimulatedPlayer(playing: media, over: LinkProfile(rate: .megabits(5)))
    // It waits by itself.
    #expect(throws: PlaybackException.setRateAtHostTimeWhileWaitingAutomatically) {
      try player.throwing { $0.setRate(.normal, time: nil, atHostTime: nil) }
    }
    #expect(throws: PlaybackException.prerollNotPossible) {
      try player.throwing { $0.preroll() }
    }
    // Recorded, where the caller likes that better; and nothing is thrown for what was before.
    let count = player.records.count { if case .exception = $0.event { true } else { false } }
    #expect(count == 2)
    #expect(try player.throwing { $0.currentTime() } == .zero)
  }
}
