import Autowait
import AutowaitScenario
import Testing

/// What the settings of a player and the steps of a script become for streams.
@Suite struct StreamPlayerTests {
  private func configuration(_ player: String) throws -> PlayerConfiguration {
    let (scenario, findings) = StreamFixture.read(player: player)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return try #require(scenario?.world.players[0])
  }

  @Test func limitsAreRead() throws {
    let limits = try configuration(
      """
      "preferredPeakBitRate":"2 Mbit/s","preferredPeakBitRateForExpensiveNetworks":1500000,\
      "preferredMaximumResolution":"1920x1080",\
      "preferredMaximumResolutionForExpensiveNetworks":"640x360","layer":"375x211@2x",\
      "expensiveNetwork":true,"codecs":["avc","heAAC"]
      """
    ).limits
    var expected = VariantLimits()
    expected.preferredPeakBitRate = BitRate(bitsPerSecond: 2_000_000)
    expected.preferredPeakBitRateForExpensiveNetworks = BitRate(bitsPerSecond: 1_500_000)
    expected.preferredMaximumResolution = Resolution(width: 1_920, height: 1_080)
    expected.preferredMaximumResolutionForExpensiveNetworks = Resolution(width: 640, height: 360)
    expected.layer = Resolution(width: 750, height: 422)
    expected.isExpensive = true
    expected.decodable = [.avc, .heAAC]
    #expect(limits == expected)
    #expect(try configuration("").limits == VariantLimits())
  }

  @Test(arguments: [
    (#""375x211@2x""#, 750, 422), (#""375x211""#, 375, 211), (#""3x3@1.5x""#, 5, 5),
    (#"{"width":10,"height":20}"#, 10, 20), (#"{"width":10,"height":20,"scale":3}"#, 30, 60),
    (#"{"width":10,"height":20,"scale":"2x"}"#, 20, 40),
  ])
  func layersAreInPixels(_ layer: String, _ width: Int32, _ height: Int32) throws {
    let limits = try configuration("\"layer\":\(layer)").limits
    #expect(limits.layer == Resolution(width: width, height: height))
  }

  @Test func theWayOfLoadingIsRead() throws {
    let read = try configuration(
      """
      "streaming":{"rule":"throughput","climb":"70 %","safety":0.5,"segments":3,\
      "rungsAfterStall":1,"abandonedAfter":"-1 s","forwardBufferDefault":20,\
      "responseTimeout":4,"retries":2,"retryDelay":0,"reconnects":false,\
      "waitsForMissingEnd":true},"showsSubtitles":true,\
      "preferredForwardBufferDuration":5,"observedBitrate":"3 Mbit/s"
      """)
    var policy = StreamPolicy()
    policy.adaptation.rule = .throughput
    policy.adaptation.climb = 700_000
    policy.adaptation.safety = 500_000
    policy.adaptation.segmentsMax = 3
    policy.adaptation.rungsAfterStall = 1
    policy.adaptation.abandonedAfter = .seconds(-1)
    policy.adaptation.expectedBitRate = BitRate(bitsPerSecond: 3_000_000)
    policy.forwardBufferDefault = .seconds(20)
    policy.responseTimeout = .seconds(4)
    policy.retriesMax = 2
    policy.retryDelay = .zero
    policy.reconnects = false
    policy.waitsForMissingEnd = true
    policy.selection.showsSubtitles = true
    #expect(read.streaming == policy)
    #expect(read.preferredForwardBufferDuration == .seconds(5))
    #expect(!read.preloadsEligibleContentKeys)
    #expect(try configuration("").streaming == StreamPolicy())
  }

  @Test func theForwardBufferAndTheClimbAreRead() throws {
    let read = try configuration(
      """
      "streaming":{"forwardBufferSize":"3 MB","forwardBufferSizeSlack":"1 MB",\
      "forwardBufferSegments":4,"forwardBufferDefault":null,"dropsWhenSeeking":true,\
      "startupClimb":"30 %","startupSpan":"4 s","climbRungs":3,"climbInterval":"2 s"},\
      "history":"3 Mbit/s","rangeProbe":"2 B"
      """)
    var policy = StreamPolicy()
    policy.forwardBufferSize = ByteCount(bytes: 3_000_000)
    policy.forwardBufferSizeSlack = ByteCount(bytes: 1_000_000)
    policy.forwardBufferSegmentsMin = 4
    policy.dropsWhenSeeking = true
    policy.adaptation.startupClimb = 300_000
    policy.adaptation.startupSpan = .seconds(4)
    policy.adaptation.climbRungsMax = 3
    policy.adaptation.climbInterval = .seconds(2)
    policy.adaptation.history = BitRate(bitsPerSecond: 3_000_000)
    #expect(read.streaming == policy)
    #expect(read.rangeProbe == ByteCount(bytes: 2))
    // A smaller size has a smaller slack: two fifths of 1,000,004 bytes, rounded down by fifths.
    let small = try configuration(#""streaming":{"forwardBufferSize":1000004}"#).streaming
    #expect(small.forwardBufferSizeSlack == ByteCount(bytes: 400_000))
  }

  /// A preset has the numbers of a log; keys beside it replace them.
  @Test func presetsAreRead() throws {
    let read = try configuration(
      #""preset":"avfoundation-observed-26","streaming":{"climbRungs":null}"#)
    var policy = StreamPolicy()
    policy.followLogs26()
    policy.adaptation.climbRungsMax = nil
    #expect(read.streaming == policy)
    #expect(read.rangeProbe == ByteCount(bytes: 2))
    #expect(read.keepUp.verdictSize == .zero)
    #expect(try configuration(#""preset":"avfoundation""#) == configuration(""))
  }

  @Test(arguments: [
    (
      #""preset":"avfoundation-observed-9""#,
      "'preset' has the unknown value 'avfoundation-observed-9'"
    ),
    (#""history":0"#, "'history' must be more than 0"),
    (#""streaming":{"climbRung":1}"#, "unknown key 'climbRung'"),
    (#""streaming":{"forwardBufferSizes":1}"#, "unknown key 'forwardBufferSizes'"),
    (
      #""streaming":{"forwardBufferSize":5,"forwardBufferSizeSlack":5}"#,
      "'forwardBufferSizeSlack' must be less than 'forwardBufferSize'"
    ),
    (#""streaming":{"climbRungs":0}"#, "'climbRungs' must be more than 0"),
  ])
  func wrongNumbersAreErrors(_ player: String, _ message: String) {
    let (_, findings) = StreamFixture.read(StreamFixture.streamMedia, player: player, script: "")
    #expect(findings.map(\.message).contains(message), "\(findings.map(\.message))")
  }

  @Test func whatPlayersDoWithLiveStreamsIsRead() throws {
    let (scenario, findings) = StreamFixture.read(
      StreamFixture.streamMedia + #","live":{"targetDuration":"7 s"}"#,
      player: """
        "automaticallyPreservesTimeOffsetFromLive":true,\
        "canUseNetworkResourcesForLiveStreamingWhilePaused":true,\
        "streaming":{"freezesWhenPaused":true}
        """,
      script: #",{"when":{"offsetFromLive":{">=":"20 s"}},"do":"play"}"#)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    let world = try #require(scenario?.world)
    #expect(world.players[0].automaticallyPreservesTimeOffsetFromLive)
    #expect(world.players[0].canUseNetworkResourcesForLiveStreamingWhilePaused)
    #expect(world.players[0].streaming.freezesWhenPaused)
    let targets = world.players[0].media[0].streamMedia?.lists.map(\.targetDuration)
    #expect(targets == [.seconds(7), .seconds(7)])
    let test = Condition.Test(.offsetFromLive, .atLeast, 20_000_000_000)
    #expect(world.script.last?.trigger == .when(Condition([test])))
    let plain = try configuration("")
    #expect(!plain.automaticallyPreservesTimeOffsetFromLive)
    #expect(!plain.canUseNetworkResourcesForLiveStreamingWhilePaused)
  }

  private static let bolaWithOptions =
    #"{"name":"bola","gammaP":2.5,"basic":true,"avoidsOscillation":true,"checksBuffer":false,"#
    + #""halfLives":["1500 ms",4]}"#

  private static let bolaPolicy: SegmentRulePolicy = {
    var policy = SegmentRulePolicy(.bola)
    policy.gammaP = 2.5
    (policy.isBasic, policy.avoidsOscillation, policy.checksBuffer) = (true, true, false)
    policy.estimator = .halfLives([1.5, 4])
    return policy
  }()

  private static let testFragment: SegmentRulePolicy = {
    var policy = SegmentRulePolicy(.player(.hlsJS))
    (policy.measuresFirst, policy.abandons) = (true, true)
    return policy
  }()

  private static let hls: SegmentRulePolicy = {
    var policy = SegmentRulePolicy(.player(.hlsJS))
    policy.abandons = true
    return policy
  }()

  @Test(arguments: [
    (#""avfoundation""#, AdaptationPolicy.AdaptationRule.avfoundation), (#""fixed""#, .fixed),
    (#"{"scripted":[0,1,1]}"#, .scripted([0, 1, 1])),
    (#""bola-e""#, .modelled(SegmentRulePolicy(.bolaE))),
    (#""hls.js-test-fragment""#, .modelled(testFragment)),
    (#"{"name":"hls.js","measuresFirst":true}"#, .modelled(testFragment)),
    (
      #"{"name":"hls.js-test-fragment","measuresFirst":false}"#,
      .modelled(hls)
    ),
    (#"{"name":"shaka"}"#, .modelled(SegmentRulePolicy(.player(.shaka)))),
    (#"{"name":"shaka-4.7"}"#, .modelled(SegmentRulePolicy(.player(.shaka4)))),
    (#""chromium-hls""#, .modelled(SegmentRulePolicy(.player(.chromiumHLS)))),
    (#"{"name":"throughput"}"#, .throughput), (bolaWithOptions, .modelled(bolaPolicy)),
  ])
  func rulesAreRead(_ text: String, _ rule: AdaptationPolicy.AdaptationRule) throws {
    let read = try configuration("\"streaming\":{\"rule\":\(text),\"abandonedAfter\":null}")
    #expect(read.streaming.adaptation.rule == rule)
    #expect(read.streaming.adaptation.abandonedAfter == nil)
  }

  @Test(arguments: [
    ("\"contract\":12", true), ("\"contract\":13", false), ("\"contract\":14", false),
    ("\"startsOnFirstEligibleVariant\":true", true),
    ("\"startsOnFirstEligibleVariant\":false", false),
  ])
  func theFirstVariantDependsOnTheVersion(_ player: String, _ isFirst: Bool) throws {
    let read = try configuration(player)
    #expect(read.streaming.adaptation.startsOnFirstEligibleVariant == isFirst)
  }

  /// A rule and the one that it is read as.
  static let heuristics: [(text: String, rule: StartupRule)] = [
    (
      #"{"rule":"buffered","start":2,"resume":5}"#,
      .buffered(start: .seconds(2), resume: .seconds(5))
    ),
    (#"{"rule":"buffered","start":2}"#, .buffered(start: .seconds(2), resume: .seconds(2))),
    (#"{"rule":"avfoundation"}"#, .linearToEnd),
  ]

  @Test(arguments: heuristics.indices)
  func theBufferedRuleIsRead(_ index: Int) {
    let row = Self.heuristics[index]
    let text = """
      {"link":{"rate":1},"media":{"kind":"hls",\(StreamFixture.streamMedia)},\
      "heuristic":\(row.text),"script":[{"at":0,"do":"load"}]}
      """
    let read = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(read.findings.isEmpty)
    #expect(read.scenario?.world.players[0].keepUp.rule == row.rule)
  }

  /// Steps, and what they do.
  static let steps: [(text: String, action: PlayerAction)] = [
    (#""do":"loadValues""#, .loadValues(0)), (#""do":"createItem","item":0"#, .createItem(0)),
    (
      #""do":"set","preferredForwardBufferDuration":5"#,
      .set(.preferredForwardBufferDuration(.seconds(5)))
    ),
    (
      #""do":"set","preferredPeakBitRate":"2 Mbit/s""#,
      .set(.preferredPeakBitRate(BitRate(bitsPerSecond: 2_000_000)))
    ),
    (#""do":"set","preferredPeakBitRate":null"#, .set(.preferredPeakBitRate(.zero))),
    (
      #""do":"set","preferredPeakBitRateForExpensiveNetworks":null"#,
      .set(.preferredPeakBitRateForExpensiveNetworks(.zero))
    ),
    (
      #""do":"set","preferredMaximumResolution":"5x6""#,
      .set(.preferredMaximumResolution(Resolution(width: 5, height: 6)))
    ),
    (
      #""do":"set","preferredMaximumResolutionForExpensiveNetworks":null"#,
      .set(.preferredMaximumResolutionForExpensiveNetworks(nil))
    ),
    (#""do":"set","layer":"5x6@2x""#, .set(.layer(Resolution(width: 10, height: 12)))),
    (#""do":"set","layer":null"#, .set(.layer(nil))),
    (#""do":"seekToLive""#, .seekToLive),
    (
      #""do":"set","automaticallyPreservesTimeOffsetFromLive":true"#,
      .set(.automaticallyPreservesTimeOffsetFromLive(true))
    ),
    (#""do":"set","expensiveNetwork":true"#, .set(.isExpensive(true))),
  ]

  @Test(arguments: steps.indices)
  func stepsAreRead(_ index: Int) throws {
    let row = Self.steps[index]
    let (scenario, findings) = StreamFixture.read(script: ",{\"at\":1,\(row.text)}")
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    #expect(scenario?.world.script.last?.action == .player(0, row.action))
  }

  @Test(arguments: [
    ("avc1.4d401f,mp4a.40.2", CodecFamilies([.avc, .aac])), ("avc3.640028", .avc),
    ("hvc1.2.4.L123.B0", .hevc), ("hev1.1.6.L93", .hevc), ("dvh1.05.01", .dolbyVision),
    ("av01.0.05M.08", .av1), ("vp09.00.10.08", .vp9), ("mp4a.40.5", .heAAC),
    ("mp4a.40.29", .heAAC), ("mp4a.40.34", .mp3), ("mp4a.69", .mp3), ("ac-3", .ac3),
    ("ec-3", .ec3), ("fLaC", .flac), ("alac", .alac), ("Opus", .opus), ("stpp.ttml.im1t", .other),
    ("", CodecFamilies([])),
  ])
  func codecsAreOfKinds(_ text: String, _ families: CodecFamilies) throws {
    let streamMedia = try StreamFixture.streamMedia(
      "\"duration\":6,\"variants\":[{\"bandwidth\":8000,\"codecs\":\"\(text)\"}]")
    #expect(streamMedia.variants[0].codecs == families)
  }

  @Test func filesDoNotHonourTheBufferThatAStepSets() {
    let text = """
      {"link":"demo/fast","media":{"kind":"progressive","duration":9,"bitrate":"1 Mbit/s"},\
      "script":[{"at":0,"do":"load"},\
      {"at":1,"do":"set","preferredForwardBufferDuration":5}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(
      findings.map(\.message)
        == ["'preferredForwardBufferDuration' changes nothing: files do not honor it"])
    #expect(scenario != nil)
    let stream = text.replacing(
      #""kind":"progressive""#, with: #""kind":"hls","segmentDuration":3,"mediaPlaylist":0"#
    ).replacing(#""bitrate":"1 Mbit/s""#, with: #""variants":[{"bandwidth":"1 Mbit/s"}]"#)
    let ofStream = ScenarioReader.read(
      SourceText(path: "a.json", text: stream), loader: .none)
    #expect(ofStream.1.map(\.message) == [])
  }

  @Test func filesStillDoNotHonourTheBuffer() {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},"script":[{"at":0,"do":"load"}],\
      "player":{"preferredForwardBufferDuration":5}}
      """
    let (_, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(
      findings.map(\.message)
        == ["'preferredForwardBufferDuration' changes nothing: files do not honor it"])
    #expect(StreamFixture.messages(player: "\"preferredForwardBufferDuration\":5") == [])
  }
}
