import Autowait
import AutowaitScenario
import Testing

/// An item that starts behind its end begins with what a playlist lists by then.
@Suite struct LiveBehindItsEndTests {
  /// Segment 6, where it would start, cannot be had until it is not listed any more; 8 is.
  @Test func itsFirstFrameIsOfWhatIsListed() throws {
    let text = """
      {"link":{"rate":"1 Mbit/s"},
       "media":{"kind":"hls","duration":"8730 ms","segmentDuration":"1 s",
        "variants":[{"bandwidth":"1 Mbit/s","audio":"stereo"}],
        "audio":[{"group":"stereo",
         "sizes":[1000,10000,0,1000,1000,0,10000,1000,1000]}],
        "failures":[{"of":"segment","number":6,"status":503}],
        "live":{"elapsed":"8730 ms","window":"1 s","publishDelay":"1 s"}},
       "heuristic":{"requestInterval":"1 s"},
       "player":{"actionAtItemEnd":"none","forwardPlaybackEndTime":"1 s"},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}],"until":"5 s"}
      """
    let scenario = try #require(
      ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none).scenario)
    let run = ScenarioRun.run(scenario)
    let began = try #require(
      run.records.first { $0.event == .timebaseRate(.normal, currentTime: .seconds(8)) })
    let ready = run.records.first { $0.event == .itemStatus(.readyToPlay) }
    #expect(ready?.instant == began.instant)
    let asked = run.records.first {
      if case .segmentRequest(_, _, 0, 8, _) = $0.event { true } else { false }
    }
    #expect(try #require(asked).instant < began.instant)
    #expect(ScenarioRun.run(scenario, pace: .eventByEvent).fingerprint == run.fingerprint)
  }
}
