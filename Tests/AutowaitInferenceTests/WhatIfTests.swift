import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitRendering
import AutowaitScenario
import Testing

/// Other rules on the link of a recorded session.
@Suite struct WhatIfTests {
  private func report(
    _ form: SessionLog.Form, by recorded: String = "hls.js", asking rules: [RuleChoice]
  ) throws -> (WhatIfReport, ExportedSession) {
    let session = try ExportedSession()
    let log = try #require(try session.logs(form).first)
    let stage = try #require(SessionStage(log))
    let own = try #require(RuleChoice(named: recorded, isStream: true))
    return (try WhatIfReport(stage, recorded: own, rules: rules, on: [session.link]), session)
  }

  private static func fixed(_ seconds: Int) -> RuleChoice {
    RuleChoice(
      label: "fixed \(seconds) s", heuristic: #"{"rule": "fixed", "start": "\#(seconds) s"}"#)
  }

  private static let lateStart = #"{"rule": "hls.js", "latency": {"preroll": "4 s"}}"#
  private static let lateResume = #"{"rule": "fixed", "start": "0.1 s", "resume": "9 s"}"#
  private static let smallBuffer =
    #"{"rule": "fixed", "start": "0.1 s", "resume": "0.1 s", "forwardBufferLimit": "1 s"}"#

  /// On the link as it was, the recorded player does what it did, and so does another one.
  @Test(arguments: [SessionLog.Form.har, .cmcd2, .avmetrics])
  func theTruthComesBack(_ form: SessionLog.Form) throws {
    let rule = try #require(RuleChoice(named: "exoplayer", isStream: true))
    let (report, session) = try report(form, asking: [rule])
    #expect(report.refit.isReproduced, "\(report.refit)")
    let metrics = session.result.metrics[0]
    let own = report.recorded.outcomes[0]
    #expect(own.stalls.count == metrics.stallCount)
    #expect(
      abs(own.stalled.nanoseconds - metrics.timeSpentRecoveringFromStall.nanoseconds) < 200_000_000)
    // The other one, simulated on the same link without any log.
    let other = try ExportedSession(rule: "exoplayer").result.metrics[0]
    let asked = report.rules[0].outcomes[0]
    #expect(asked.stalls.count == other.stallCount)
    #expect(
      abs(asked.stalled.nanoseconds - other.timeSpentRecoveringFromStall.nanoseconds)
        < 300_000_000)
    let startup = try #require(other.firstPlayed)
    #expect(abs(try #require(asked.startup).nanoseconds - startup.nanoseconds) < 300_000_000)
  }

  /// A rule that waits long enough avoids the stalls, and pays with its start.
  @Test func waitingAvoidsStalls() throws {
    let (report, _) = try report(.cmcd2, asking: [Self.fixed(16), Self.fixed(1)])
    #expect(report.stalls.count == report.recorded.outcomes[0].stalls.count)
    #expect(report.stalls.allSatisfy { $0.isRecorded && $0.avoided == [1, 0] })
    #expect(report.rules[0].smooth == 1 && report.rules[1].smooth == 0)
    let later = try #require(report.rules[0].laterStart(than: report.recorded))
    #expect(later.median > 5_000_000_000)
    let less = try #require(report.rules[0].stalledMore(than: report.recorded))
    #expect(less.median == -report.recorded.outcomes[0].stalled.nanoseconds)
  }

  /// Of drawn links those stay on which the recorded player does what it did: not the faster one,
  /// nor the slower one, wherever they stand.
  @Test(arguments: [SessionLog.Form.har, .cmcd2])
  func linksThatBringBackTheSessionAreKept(_ form: SessionLog.Form) throws {
    let session = try ExportedSession()
    let log = try #require(try session.logs(form).first)
    let stage = try #require(SessionStage(log))
    let own = try #require(RuleChoice(named: "hls.js", isStream: true))
    func scaled(_ percent: Int64) -> CandidateLink {
      var link = session.link
      link.steps = link.steps.map { step in
        RecordedLink.Step(
          start: step.start,
          rate: BitRate(bitsPerSecond: step.rate.bitsPerSecond * percent / 100))
      }
      return link
    }
    let drawn = [scaled(150), scaled(70), scaled(100), scaled(60)]
    let report = try WhatIfReport(stage, recorded: own, rules: [], on: drawn, keeping: 1)
    #expect(report.links.map(\.steps) == [session.link.steps])
    #expect(report.recorded.outcomes.count == 1)
  }

  /// A link that stands is played in packets, with room for their headers.
  @Test func linksWithOutagesArePlayedInPackets() {
    func track(_ rates: [Int64]) -> LinkTrack {
      LinkTrack(
        rates.enumerated().map { place, rate in
          LinkTrack.Sample(start: .seconds(Int64(place)), rate: BitRate(bitsPerSecond: rate))
        })
    }
    let steady = PredictionLink(track([1_448_000, 724_000]))
    #expect(steady.tier == .ideal && steady.track == track([1_448_000, 724_000]))
    let broken = PredictionLink(track([1_448_000, 0, 724_000]))
    #expect(broken.tier == .packet && broken.track == track([1_500_000, 0, 750_000]))
    #expect(PredictionLink(track([1, 0]), inferredWith: .transport).tier == .fluid)
  }

  /// A rule that is not the player's is refused, with the request that differs most.
  @Test func anotherRuleIsRefused() throws {
    let session = try ExportedSession()
    let wrong: [(SessionLog.Form, RuleChoice, String)] = [
      // Fewer stalls, of two rules; longer ones; and, where the log has none, later requests.
      (.cmcd2, Self.fixed(16), "stall"),
      (.avmetrics, RuleChoice(label: "x", heuristic: Self.lateStart), "stall"),
      (.cmcd2, RuleChoice(label: "x", heuristic: Self.lateResume), "stall"),
      (.har, RuleChoice(label: "x", heuristic: Self.smallBuffer), "segments end"),
    ]
    for (form, rule, reason) in wrong {
      let log = try #require(try session.logs(form).first)
      let stage = try #require(SessionStage(log))
      let refused = try WhatIfReport(
        stage, recorded: rule, rules: [Self.fixed(16)], on: [session.link])
      #expect(refused.refit.reason?.contains(reason) == true, "\(refused.refit)")
      #expect(!refused.refit.isReproduced && refused.rules.isEmpty && refused.stalls.isEmpty)
      let lines = WhatIfText.refusal(refused, refused.refit.reason ?? "")
      #expect(lines.contains { $0.hasPrefix("worst: request ") })
    }
  }

  /// A later wish to play, a smaller buffer and another variant change what they should.
  @Test func choicesCount() throws {
    var later = Self.fixed(1)
    later.play = .start + .seconds(9)
    var small = Self.fixed(1)
    small.buffer = .seconds(5)
    let (report, _) = try report(.har, asking: [Self.fixed(1), later, small])
    let (first, second, third) = (report.rules[0], report.rules[1], report.rules[2])
    #expect(try #require(second.outcomes[0].startup) >= .start + .seconds(9))
    #expect(try #require(first.outcomes[0].startup) < .start + .seconds(4))
    // With less ahead the last segment is asked for later.
    let last = { (rule: WhatIfReport.RuleResult) in rule.outcomes[0].requests.last?.asked }
    #expect(try #require(last(third)) > #require(last(first)))
  }

  /// A row of a table comes back as it was written.
  @Test func rowsComeBack() throws {
    let (report, _) = try report(.cmcd2, asking: [Self.fixed(16), Self.fixed(1)])
    var rows = FleetRow.rows(report, key: "a")
    rows[1].session = "a, \"b\""
    rows.append(FleetRow(unusable: "x", key: "b"))
    #expect(rows.count == 3 && rows[0].value("avoided") == Int64(report.stalls.count))
    for row in rows { #expect(FleetRow(csv: row.csv) == row) }
    #expect(FleetRow(csv: String(rows[0].csv.dropLast(30))) == nil)
    var answer = FleetAnswer()
    for row in rows { answer.add(row) }
    #expect(answer.answered == 1 && answer.unusable == 1 && answer.notReproduced == 0)
    let text = answer.text(style: .init(width: 100, usesColor: false))
    #expect(text.contains("100 %") && text.contains("1 session; 1 not usable"))
  }

  /// The middle and the range are values that there are.
  @Test func ranges() throws {
    #expect(ValueRange([]) == nil)
    let range = try #require(ValueRange((0...10).map { Int64($0) }.reversed()))
    #expect((range.low, range.median, range.high) == (1, 5, 9))
  }
}
