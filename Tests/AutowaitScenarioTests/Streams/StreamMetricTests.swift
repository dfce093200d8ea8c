import Autowait
import AutowaitScenario
import Testing

/// What a run says of its streams.
@Suite struct StreamMetricTests {
  private func run(_ text: String) throws -> RunResult {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return ScenarioRun.run(try #require(scenario))
  }

  /// A stream over 1 Mbit/s and a round trip of 0.1 s, of which every part takes a known time.
  private func startup(_ script: String, _ player: String = "") throws -> [Int64] {
    let result = try run(
      """
      {"link":{"name":"x","down":{"rate":"1 Mbit/s","delay":"50 ms"},"up":{"delay":"50 ms"}},\
      "media":{"kind":"hls","duration":8,"segmentDuration":4,"multivariantPlaylist":12500,\
      "mediaPlaylist":25000,"variants":[{"bandwidth":800000,"init":37500}],\
      "keys":{"size":1250,"serverTime":"1 s","sessionKey":true}},\
      "heuristic":{"verdictSize":0},"player":{\(player)},"script":[\(script)]}
      """)
    let metrics = result.metrics[0]
    let stages = Metric.allCases.filter { "\($0)".hasPrefix("startup") }
    let times = stages.compactMap { $0.value(in: metrics)?.number }
    #expect(times.reduce(0, +) == metrics.timeSpentInInitialStartup.nanoseconds)
    return times.map { $0 / 1_000_000 }
  }

  @Test func theStartupIsBrokenDown() throws {
    // Multivariant playlist 0.1 + 0.1; media playlist 0.1 + 0.2 beside nothing, since the key is
    // known only from it: 0.1 + 1 + 0.01; section 0.1 + 0.3; segment 0.1 + 3.2.
    let play = #"{"at":0,"do":"load"},{"at":0,"do":"play"}"#
    #expect(try startup(play) == [200, 300, 1_110, 400, 3_300, 0])
  }

  @Test func whatCameBeforeTheWishIsNotPartOfTheStartup() throws {
    let preloads = "\"preloadsEligibleContentKeys\":true"
    let values = #"{"at":0,"do":"loadValues"},{"at":5,"do":"load"},{"at":5,"do":"play"}"#
    #expect(try startup(values) == [0, 300, 1_110, 400, 3_300, 0])
    #expect(try startup(values, preloads) == [0, 300, 0, 400, 3_300, 0])
    let item = #"{"at":0,"do":"createItem"},{"at":5,"do":"load"},{"at":5,"do":"play"}"#
    #expect(try startup(item, preloads) == [0, 0, 0, 400, 3_300, 0])
    let late = #"{"at":0,"do":"load"},{"at":30,"do":"play"}"#
    #expect(try startup(late) == [0, 0, 0, 0, 0, 0])
    let paused = #"""
      {"at":0,"do":"load"},{"at":0,"do":"play"},{"at":0.1,"do":"pause"},{"at":0.4,"do":"play"}
      """#
    #expect(try startup(paused) == [100, 100, 1_110, 400, 3_300, 0])
  }

  @Test func aStageThatIsUnderWayHasTheRest() throws {
    let result = try run(
      """
      {"link":{"rate":1000},"until":10,"media":{"kind":"hls","duration":8,"variants":\
      [{"bandwidth":8000}]},"script":[{"at":0,"do":"load"},{"at":1,"do":"play"}]}
      """)
    let metrics = result.metrics[0]
    let multivariant = Metric.startupMultivariantPlaylist.value(in: metrics)
    #expect(multivariant == .time(TimeSpan(nanoseconds: 1_240_000_000)))
    // The media playlist has 230 bytes, and the segment that is under way at the end more.
    let media = Metric.startupMediaPlaylists.value(in: metrics)
    #expect(media == .time(TimeSpan(nanoseconds: 1_840_000_000)))
    let segments = Metric.startupSegments.value(in: metrics)
    #expect(segments == .time(TimeSpan(nanoseconds: 5_920_000_000)))
    #expect(metrics.timeSpentInInitialStartup == .seconds(9))
  }

  @Test func ratesAreWeightedByWhatWasPlayed() throws {
    // Scripted: 10 s of variant 0, 10 s of 1, 5 s of 0; twice as fast in the end changes nothing.
    let result = try run(
      """
      {"link":"demo/fast","media":{"kind":"hls","duration":25,"segmentDuration":10,"variants":[\
      {"bandwidth":1000000,"averageBandwidth":700000},{"bandwidth":3000000}]},\
      "player":{"streaming":{"rule":{"scripted":[0,1,0]}}},"script":[{"at":0,"do":"load"},\
      {"at":5,"do":"play"},{"at":20,"do":"setRate","rate":2}]}
      """)
    let metrics = result.metrics[0]
    #expect(Metric.timeWeightedPeakBitrate.value(in: metrics) == .count(1_800_000))
    // (15 · 0.7 + 10 · 3) / 25
    #expect(Metric.timeWeightedAverageBitrate.value(in: metrics) == .count(1_620_000))
    #expect(Metric.variantSwitchCount.value(in: metrics) == .count(2))
    #expect(Metric.recoverableErrorCount.value(in: metrics) == .count(0))
  }

  @Test func filesHaveNoneOfIt() throws {
    let result = try run(
      """
      {"link":"demo/fast","media":{"kind":"progressive","duration":5,"bitrate":80000},\
      "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
      """)
    // Those of pipelines, loops and unlike tracks only a scenario has that says something of them.
    let others: Set<Metric> = [
      .pipelineBuildCount, .loopCount, .mediaPlayedWithoutVideo, .mediaPlayedWithoutAudio,
    ]
    for metric in Metric.allCases where !others.contains(metric) {
      #expect((metric.value(in: result.metrics[0]) == nil) == metric.isStreamOnly, "\(metric)")
    }
  }

  @Test func propertiesOfStreamsCanBeExpectedAndAwaited() throws {
    let result = try run(
      """
      {"link":{"rate":"1 Mbit/s"},"media":{"kind":"hls","duration":30,"segmentDuration":10,\
      "multivariantPlaylist":0,"mediaPlaylist":0,"variants":[{"bandwidth":100000},\
      {"bandwidth":200000}],"failures":[{"of":"segment","number":2,"status":404,"count":1}]},\
      "player":{"streaming":{"rule":{"scripted":[0,1]}}},\
      "script":[{"at":0,"do":"load"},{"when":{"variant":1},"do":"play"},\
      {"when":{"errorCount":{">":0}},"do":"pause"},\
      {"when":{"indicatedBitrate":{">=":"200 kbit/s"}},"do":"setRate","rate":0.5}],"expect":[\
      {"at":0.9,"variant":null,"indicatedBitrate":null,"errorCount":0},\
      {"at":1,"variant":0,"indicatedBitrate":"100 kbit/s"},{"at":3,"variant":1,"errorCount":1,\
      "rate":0.5},{"at":2.9,"rate":0,"indicatedBitrate":{"<":"200 kbit/s"}}]}
      """)
    #expect(result.outcomes.map(\.isMet) == [true, true, true, true])
  }

  @Test(arguments: [("ios9", false, true), ("ios9", true, false), ("ios10", true, true)])
  func beforeIOS10StreamsWaitAndFilesDoNot(
    _ contract: String, _ isFile: Bool, _ waits: Bool
  ) throws {
    let media =
      isFile
      ? #""kind":"progressive","bitrate":3730000,"#
      : #""kind":"hls","segmentDuration":1,"variants":[{"bandwidth":3730000}],"#
    let result = try run(
      """
      {"link":"demo/slow-server","media":{\(media)"duration":39},\
      "player":{"contract":"\(contract)"},"script":[{"at":0,"do":"load"},{"at":2,"do":"play"}]}
      """)
    #expect((result.metrics[0].stallCount == 0) == waits)
    let isLate = result.metrics[0].firstPlayed.map { $0 > Instant(nanoseconds: 3_000_000_000) }
    #expect(isLate == waits)
  }
}
