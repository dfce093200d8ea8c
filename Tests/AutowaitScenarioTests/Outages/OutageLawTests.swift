import Autowait
import AutowaitScenario
import Testing

/// What holds whenever the network goes away and comes back: each kind of outage, however long, at
/// each moment, for each kind of item, on each tier.
@Suite struct OutageLawTests {
  /// One outage.
  struct Case: Sendable, CustomStringConvertible {
    let kind: OutageFixture.Kind
    let content: OutageFixture.Content
    let tier: String
    let moment: (name: String, start: Int64)
    let span: Int64

    var description: String { "\(kind), \(content), \(tier), \(moment.name), \(span) s" }

    /// All in a release build; in a debug build some of each kind, moment and length.
    static let all: [Case] = every.enumerated().filter { number, _ in
      #if DEBUG
      return number % 20 == 0
      #else
      return true
      #endif
    }.map(\.element)

    /// On a link of 2 Mbit/s, 30 s of the best variant are ahead after 9 s of loading.
    private static let every: [Case] = ["ideal", "fluid", "packet"].flatMap { tier in
      OutageFixture.Kind.allCases.flatMap { kind in
        OutageFixture.Content.allCases.flatMap { content in
          [("start", Int64(1)), ("play", 6), ("full", 40)].flatMap { moment in
            [Int64(30), 120, 600].map {
              Case(kind: kind, content: content, tier: tier, moment: moment, span: $0)
            }
          }
        }
      }
    }

    /// When the network is back, in seconds.
    var end: Int64 { moment.start + span }

    func scenario() throws -> Scenario {
      let drop = kind == .blackout && tier != "ideal" ? #","drop":"both""# : ""
      let link =
        #"{"down":{"rate":"2 Mbit/s","delay":"20 ms"},"up":{"delay":"20 ms"},"#
        + #""events":[{"type":"\#(kind)","at":\#(moment.start),"for":\#(span)\#(drop)}],"#
        + #""transport":\#(tier == "ideal" ? #""ideal""# : #"{"tier":"\#(tier)"}"#)}"#
      return try OutageFixture.scenario(
        link: link, media: content.media,
        player: content == .file ? "" : #""preferredForwardBufferDuration":"30 s""#,
        more: content == .file
          ? #""heuristic":{"forwardBufferLimit":"30 s"},"#
          : content == .live ? #""until":900,"# : "")
    }
  }

  @Test(arguments: Case.all)
  func nothingFailsAndAllIsPlayed(_ outage: Case) throws {
    let run = ScenarioRun.run(try outage.scenario())
    #expect(!run.hasFailed)
    // What is buffered plays to its end: nothing stops but there, or where all has been played.
    var loaded: Int64 = 0
    for record in run.records {
      if case .loadedTimeRange(_, _, _, let end) = record.event { loaded = end.nanoseconds }
      guard case .timebaseRate(.zero, let time) = record.event else { continue }
      #expect(time.nanoseconds >= loaded, "stopped at \(time) with \(loaded) ns loaded")
    }
    if outage.content == .live {
      let last = run.records.last {
        if case .timebaseRate = $0.event { true } else { false }
      }
      guard case .timebaseRate(let rate, _)? = last?.event else {
        Issue.record("never played")
        return
      }
      #expect(rate == .normal, "stands still at the end")
    } else {
      #expect(run.finish == .settled)
      #expect(run.metrics[0].playedToEndCount == 1)
      #expect(run.metrics[0].mediaPlayed == .seconds(300))
    }
    let end = outage.end * 1_000
    let waited = run.stops.last { $0.at < end }
    let isWaiting =
      (run.starts.last { $0 < end } ?? -1) < (waited?.at ?? 0)
    if !isWaiting { return }
    // One that waits asks within the cap of the back-off, and plays soon after.
    if outage.kind == .offline {
      let request = try #require(run.times { $0.isRequest }.first { $0 >= end })
      #expect(request <= end + 5_000)
    }
    let start = try #require(run.starts.first { $0 >= end })
    #expect(start <= end + (outage.kind == .offline ? 12_000 : 75_000), "\(start) ms")
  }

  /// Shortcuts change nothing.
  @Test(arguments: Case.all.filter { $0.tier == "ideal" })
  func outagesMayBeTakenTogether(_ outage: Case) throws {
    let scenario = try outage.scenario()
    let (fast, plain) = (
      ScenarioRun.run(scenario), ScenarioRun.run(scenario, pace: .eventByEvent)
    )
    #expect(fast.fingerprint == plain.fingerprint)
    #expect(fast.metrics == plain.metrics)
  }
}
