import Autowait
import AutowaitScenario
import Testing

/// A live stream that is paused, sought or started over comes back to the programme before it
/// plays, not at the instant at which it has begun to.
@Suite struct LiveReturnTests {
  /// Some link, stream, player and steps after `load` and `play`.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let link: String
    let media: String
    let player: String
    let steps: String

    private static let high = #"{"name":"high","bandwidth":"600 kbit/s"}"#
    private static let both = high + #",{"name":"low","bandwidth":"300 kbit/s"}"#

    private static func media(_ segment: Int, _ variants: String, _ live: String) -> String {
      #"{"kind":"hls","segmentDuration":\#(segment),"duration":2000,"variants":[\#(variants)],"#
        + #""live":{\#(live)}}"#
    }

    static let all = [
      Case(
        testDescription: "a pause, with the offset preserved",
        link: #"{"down":{"rate":"310 kbit/s","delay":"20 ms"},"#
          + #""events":[{"type":"offline","at":23,"for":1}]}"#,
        media: media(4, high, #""elapsed":200,"window":30"#),
        player: #""automaticallyPreservesTimeOffsetFromLive":true,"#
          + #""automaticallyWaitsToMinimizeStalling":false"#,
        steps: #",{"at":49,"do":"pause"},{"at":54,"do":"play"},{"at":68,"do":"pause"},"#
          + #"{"at":158,"do":"play"}"#),
      Case(
        testDescription: "a seek, with the offset preserved",
        link: #"{"down":{"rate":"650 kbit/s","delay":"300 ms"}}"#,
        media: media(4, both, #""elapsed":200,"window":60"#),
        player: #""automaticallyPreservesTimeOffsetFromLive":true"#,
        steps: #",{"at":5,"do":"seekToLive"}"#),
      Case(
        testDescription: "a pause before the first segment has come",
        link: #"{"down":{"rate":"310 kbit/s","delay":"300 ms"},"#
          + #""events":[{"type":"offline","at":1,"for":30}]}"#,
        media: media(6, high, #""elapsed":60,"window":30,"partDuration":1"#),
        player: #""automaticallyWaitsToMinimizeStalling":false"#,
        steps: #",{"at":21,"do":"pause"},{"at":26,"do":"play"}"#),
      Case(
        testDescription: "a window that is too short, in two variants",
        link: #"{"down":{"rate":"5 Mbit/s","delay":"20 ms"},"#
          + #""events":[{"type":"offline","at":40,"for":100},"#
          + #"{"type":"blackout","at":168,"for":12},{"type":"offline","at":196,"for":5}]}"#,
        media: media(6, both, #""elapsed":12,"window":12,"canBlockReload":true"#),
        player: #""streaming":{"restartsShortWindows":true}"#,
        steps: #",{"at":4,"do":"pause"},{"at":34,"do":"play"},{"at":49,"do":"pause"},"#
          + #"{"at":50,"do":"play"}"#),
    ]
  }

  /// A film that begins at an offset has no window.
  @Test func whatIsNotLiveIsNotStartedOver() throws {
    let run = ScenarioRun.run(
      try OutageFixture.scenario(
        link: #"{"rate":"5 Mbit/s"}"#,
        media: #"{"kind":"hls","segmentDuration":6,"duration":60,"startOffset":10,"#
          + #""variants":[{"bandwidth":"600 kbit/s"}]}"#,
        player: #""preset":"avfoundation-observed-26""#))
    #expect(run.starts.count == 1 && run.metrics[0].mediaPlayed == .seconds(50))
  }

  @Test(arguments: Case.all)
  func nothingPlaysForNoTime(_ sample: Case) throws {
    let run = ScenarioRun.run(
      try OutageFixture.scenario(
        link: sample.link, media: sample.media, player: sample.player, steps: sample.steps,
        more: #""until":400,"#))
    #expect(!run.starts.isEmpty)
    let stops = run.stops.map(\.at)
    #expect(!run.starts.contains { stops.contains($0) }, "\(run.starts) \(stops)")
    let plain = ScenarioRun.run(run.scenario, pace: .eventByEvent)
    #expect(plain.fingerprint == run.fingerprint)
  }
}
