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
}
