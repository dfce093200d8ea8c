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

  /// Segments of 4 s, joined 12 s from the end at 100 s of the programme; from 5 s on the network
  /// is away for 40 s.
  ///
  /// By then 104 s are loaded, and there playback stalls. At 45 s the playlist ends at 144 s, and
  /// a start would be at 132 s.
  @Test(arguments: [false, true])
  func whoStalledJoinsAgain(_ isWanted: Bool) throws {
    let run = try Self.stalled(#""streaming":{"rejoinsAfterStall":\#(isWanted)}"#)
    #expect(run.stops.map(\.time) == [104_000])
    let jumps = run.records.compactMap { record -> Int64? in
      guard case .timeJumped(let time) = record.event else { return nil }
      return time.nanoseconds / 1_000_000
    }
    #expect(jumps == (isWanted ? [132_000] : []))
    // It jumps while it waits, not when it plays again.
    let at = run.times { if case .timeJumped = $0 { true } else { false } }
    #expect(at.allSatisfy { $0 > run.stops[0].at && $0 <= run.starts[1] })
    // Who has sought meanwhile has decided otherwise: 104 s are there when the network is.
    let sought = try Self.stalled(
      #""streaming":{"rejoinsAfterStall":\#(isWanted)}"#, steps: #",{"at":44,"do":"seek","to":100}"#
    )
    #expect(sought.starts.count == 2)
    #expect(!sought.records.contains { $0.event == .timeJumped(.seconds(132)) })
    let plain = ScenarioRun.run(run.scenario, pace: .eventByEvent)
    #expect(plain.fingerprint == run.fingerprint)
  }

  /// Who has loaded more than was missed joins again within what is loaded, and plays at once.
  @Test(arguments: [false, true])
  func whoHasLoadedWhereItJoinsGoesOnThere(_ isWanted: Bool) throws {
    let run = try Self.stalled(
      #""streaming":{"rejoinsAfterStall":\#(isWanted)}"#,
      rule: #""heuristic":{"rule":"buffered","start":"2 s","resume":"30 s"},"#)
    #expect(run.stops.map(\.time) == [104_000])
    let places = run.records.compactMap { record -> Int64? in
      guard case .timebaseRate(.normal, let time) = record.event else { return nil }
      return time.nanoseconds / 1_000_000
    }
    #expect(places.dropFirst() == [isWanted ? 132_000 : 104_000])
    let loaded = run.records.compactMap { record -> Int64? in
      guard case .loadedTimeRange(_, _, _, let end) = record.event,
        record.instant.nanoseconds / 1_000_000 <= run.starts[1]
      else { return nil }
      return end.nanoseconds / 1_000_000
    }
    #expect(try #require(loaded.last) > 132_000)
  }

  private static func stalled(
    _ player: String, steps: String = "", rule: String = ""
  ) throws -> RunResult {
    ScenarioRun.run(
      try OutageFixture.scenario(
        link: #"{"rate":"100 Mbit/s","events":[{"type":"offline","at":5,"for":40}]}"#,
        media: #"{"kind":"hls","segmentDuration":4,"duration":2000,"multivariantPlaylist":0,"#
          + #""mediaPlaylist":0,"variants":[{"bandwidth":"600 kbit/s"}],"#
          + #""live":{"elapsed":100}}"#,
        player: player, steps: steps, more: rule + #""until":60,"#))
  }

  /// A stall is posted before or after the status changes, and with or without the word that the
  /// buffer is empty.
  @Test(arguments: [false, true])
  func aStallIsToldBeforeOrAfterTheStatus(_ isFirst: Bool) throws {
    let player = isFirst ? #""preset":"avfoundation-observed-26""# : ""
    let run = try Self.stalled(player)
    let names = run.records.filter { $0.instant.nanoseconds / 1_000_000 == run.stops[0].at }
      .map { "\($0.event.name)" }
    let stall = try #require(names.firstIndex(of: "playbackStalled"))
    let status = try #require(names.firstIndex(of: "timeControlStatus"))
    #expect((stall < status) == isFirst)
    #expect(names.contains("isPlaybackBufferEmpty") != isFirst)
    // Devices stall with 0.4 s ahead.
    #expect(run.stops[0].time == (isFirst ? 103_600 : 104_000))
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
