import Autowait
import AutowaitScenario
import Testing

/// A startup that is known late belongs to the entry of the access log in which it began.
@Suite struct StartupTimeTests {
  /// A full buffer lets playback begin at 93 s, another variant plays from 99 s on, and K comes at
  /// 197 s: both entries have its time.
  @Test func aStartupKnownBehindAVariantIsInBothEntries() throws {
    let text = """
      {"link":{"rate":"300 kbit/s"},
       "media":{"kind":"hls","duration":72,"segmentDuration":8,"multivariantPlaylist":0,
        "mediaPlaylist":0,"variants":[{"bandwidth":3000000,"name":"a"},
         {"bandwidth":2000000,"name":"b"},{"bandwidth":500000,"name":"c"}]},
       "player":{"preferredForwardBufferDuration":10},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"setRate","rate":1.5}],"until":500}
      """
    let scenario = try #require(
      ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none).scenario)
    let log = ScenarioRun.run(scenario).metrics[0].accessLog
    #expect(log.map(\.reason) == [.start, .variantSwitch])
    #expect(log.map(\.startupTime?.nanoseconds) == [197_333_333_337, 197_333_333_337])
  }

  /// A seek into what is loaded, where the better variant is chosen at once: its segment of 20 Mbit
  /// takes 5 s, and 4 s are ahead.
  ///
  /// So the item is not likely to keep up before it has come, 5 s after it was asked for behind its
  /// playlist.
  @Test func aSeekThatClimbsAtOnceTakesUntilTheSegmentIsThere() throws {
    let text = """
      {"link":{"rate":"4 Mbit/s"},
       "media":{"kind":"hls","duration":80,"segmentDuration":10,"variants":[
        {"bandwidth":"300 kbit/s","name":"low"},{"bandwidth":"2 Mbit/s","name":"high"}]},
       "player":{"streaming":{"forwardBufferDefault":"8 s"}},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"play"},{"at":2,"do":"seek","to":6}]}
      """
    let scenario = try #require(
      ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none).scenario)
    let log = ScenarioRun.run(scenario).metrics[0].accessLog
    #expect(log.map(\.reason).prefix(3) == [.start, .seek, .variantSwitch])
    #expect(log.map(\.startupTime).prefix(3) == [.milliseconds(750), .seconds(5), .seconds(5)])
  }
}
