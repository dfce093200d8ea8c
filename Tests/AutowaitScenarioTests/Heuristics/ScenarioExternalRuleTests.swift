import Autowait
import AutowaitScenario
import Testing

/// Two seconds of media ahead are enough.
struct TwoSeconds: ExternalRule {
  func answer(_ question: RuleQuestion) -> RuleAnswer {
    let ahead = question.loadedEnd - question.currentTime
    return RuleAnswer(
      isLikelyToKeepUp: ahead >= .seconds(2), askAgainAfter: .milliseconds(50))
  }
}

/// A rule that answers a few questions, and then no more.
private struct FewAnswers: ExternalRule {
  var left: Int
  var situations: [BufferingSituation] = []

  mutating func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    if left == 0 { throw RuleFailure("has had enough", player: question.player) }
    left -= 1
    situations.append(question.situation)
    let isEnough = question.waited >= .seconds(1)
    return RuleAnswer(isLikelyToKeepUp: isEnough, askAgainAfter: .seconds(1))
  }
}

/// Rules in Swift: the example of the article, and what a driver owes to a rule.
@Suite struct ScenarioExternalRuleTests {
  private static let text = """
    {"link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
                {"at": "20 s", "do": "seek", "to": "30 s"}],
     "expect": [{"always": {"rate": 1}, "about": "a look at every event"}]}
    """

  private static func scenario(seeks: Bool = false) throws -> Scenario {
    let source = SourceText(path: "a.json", text: text)
    var scenario = try #require(ScenarioReader.read(source, loader: .none).scenario)
    if !seeks { scenario.world.script.removeLast() }
    scenario.expectations = []
    return scenario
  }

  @Test func ruleOfTheArticle() throws {
    var scenario = try Self.scenario()
    scenario.world.players[0].keepUp.rule = .external
    var rule = TwoSeconds()
    let result = try ScenarioRun.run(scenario, asking: &rule)
    #expect(result.metrics[0].firstPlayed == Instant(nanoseconds: 2_350_000_000))
    #expect(result.metrics[0].stallCount == 2)
    // Each look finds the same run.
    let instants = (0..<90).map { Instant(nanoseconds: $0 * 500_000_000) }
    let looked = try ScenarioRun.run(
      scenario, asking: &rule, samplesAt: instants, keepsRecords: false)
    #expect(looked.fingerprint == result.fingerprint)
    #expect(looked.samples.count == 90)
    #expect(looked.records.isEmpty)
  }

  /// It is asked again after a stall and after a seek, with the time that the player has waited.
  @Test func everyWaitIsAsked() throws {
    var scenario = try Self.scenario(seeks: true)
    scenario.world.players[0].keepUp.rule = .external
    var rule = FewAnswers(left: 1_000)
    let result = try ScenarioRun.run(scenario, asking: &rule)
    #expect(Set(rule.situations) == [.start, .resume, .afterSeek])
    let starts = result.records.compactMap { record -> Int64? in
      guard case .timebaseRate(let rate, _) = record.event, rate != .zero else { return nil }
      return record.instant.nanoseconds
    }
    #expect(starts.first == 1_000_000_000)
    let stall = try #require(result.records.first { $0.event == .playbackStalled })
    let resumed = try #require(starts.first { $0 > stall.instant.nanoseconds })
    #expect(resumed - stall.instant.nanoseconds >= 1_000_000_000)
  }

  @Test func failureEndsTheRun() throws {
    var scenario = try Self.scenario()
    scenario.world.players[0].keepUp.rule = .external
    var rule = FewAnswers(left: 1)
    #expect(throws: RuleFailure("has had enough", player: 0)) {
      try ScenarioRun.run(scenario, asking: &rule)
    }
  }

  /// A rule that is built in asks nobody.
  @Test func nobodyIsAskedInVain() throws {
    let scenario = try Self.scenario()
    var rule = FewAnswers(left: 0)
    let result = try ScenarioRun.run(scenario, asking: &rule)
    #expect(result.fingerprint == ScenarioRun.run(scenario).fingerprint)
  }
}
