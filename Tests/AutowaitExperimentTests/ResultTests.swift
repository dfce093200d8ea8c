import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Summaries count what was added, and do not grow with the number of seeds.
@Suite struct ResultTests {
  private func result(_ plan: ExperimentPlan) -> ExperimentResult {
    var runner = UnitRunner(plan, files: .none)
    var result = ExperimentResult(plan)
    for unit in 0..<plan.unitCount { result.add(runner.rows(of: unit)) }
    return result
  }

  @Test func winsTiesAndLossesAreToTheBaseline() throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "media3", "fixed"], "#
        + #""link": ["demo/fast", "demo/slow-server"]"#,
      more: #", "baseline": "media3", "margin": "100 ms""#)
    let result = result(try ExperimentFixture.plan(text))
    let fixed = result.contestants[2].paired(.waiting)
    // On the fast link 0.19 s and 0.04 s of waiting; on the slow one 10.27 s and 8.16 s.
    #expect((fixed.wins, fixed.ties, fixed.losses) == (0, 0, 2))
    let linear = result.contestants[0].paired(.waiting)
    #expect((linear.wins, linear.ties, linear.losses) == (1, 1, 0))
    #expect(result.contestants[1].identical == 2)
    #expect(result.contestants[0].identical == 0)
    #expect(result.contestants[0].difference(.waiting)?.bounds != nil)
    #expect(result.clairvoyant?.totals.stalls == 0)
  }

  /// Packets travel once for all rules of a network; event by event they do for each.
  @Test func sessionsThatSharePacketsAreTheSameEventByEvent() throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "vlc", "media3", "firefox", "chromium-canplaythrough", "#
        + #""mpv"], "#
        + #""link": ["nlc/very-bad", "nlc1/3g-lossy", "nlc/100-loss"], "seed": 2"#)
    let plan = try ExperimentFixture.plan(text)
    var slow = UnitRunner(plan, files: .none, pace: .eventByEvent)
    #expect(
      ExperimentFixture.rows(plan) == (0..<plan.unitCount).flatMap { slow.rows(of: $0) })
  }

  @Test func intervalsAreDrawnByLinkHoweverManySeedsThereAre() throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "fixed"], "link": ["demo/fast", "demo/slow-server"]"#)
    let result = result(try ExperimentFixture.plan(text, seedCount: 40))
    let rows = ExperimentFixture.rows(try ExperimentFixture.plan(text, seedCount: 1))
    // With two links the means that can be drawn are that of either and the one between.
    let differences = [rows[1].waiting - rows[0].waiting, rows[3].waiting - rows[2].waiting]
    let bounds = result.contestants[1].difference(.waiting)?.bounds
    #expect(bounds == differences.min().map { $0...(differences.max() ?? 0) })
  }

  /// Differences, and the sessions that are won, even and lost.
  static let edges: [(difference: Int64, counts: [Int64])] = [
    (-50_000_001, [1, 0, 0]), (-50_000_000, [0, 1, 0]), (-49_999_999, [0, 1, 0]),
    (49_999_999, [0, 1, 0]), (50_000_000, [0, 1, 0]), (50_000_001, [0, 0, 1]),
  ]

  @Test(arguments: edges)
  func whatIsWithinTheMarginIsEven(_ difference: Int64, _ counts: [Int64]) throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""heuristic": ["vlc", "mpv"]"#, more: #", "margin": "50 ms""#))
    var result = ExperimentResult(plan)
    let rows = (0..<2).map { contestant in
      var row = SessionRow(plan.key(unit: 0, contestant: contestant))
      row.outcome = .ended
      row.played = 1
      row.startup = 60_000_000 + (contestant == 1 ? difference : 0)
      return row
    }
    result.add(rows)
    let paired = result.contestants[1].paired(.startup)
    #expect([paired.wins, paired.ties, paired.losses] == counts)
  }

  @Test func sumsAreOverAllSessionsAndQuantilesOverThoseThatStarted() throws {
    let result = result(
      try ExperimentFixture.plan(
        ExperimentFixture.experiment(#""link": ["demo/slow-server", "demo/offline"]"#)))
    let summary = result.contestants[0]
    #expect(summary.sessions == 2)
    #expect(summary.neverStarted == 1)
    #expect(summary.outcomeCount(.ended) == 1)
    #expect(summary.startup.count == 1)
    #expect(summary.totals.startup > 100_000_000_000)
    #expect(summary.stalledShare == 0)
    #expect(result.clairvoyant?.sessions == 1)
  }

  @Test func whatFailsBeforeItPlaysNeverStarted() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.experiment(#""seed": 3"#))
    var result = ExperimentResult(plan)
    for (unit, outcome) in [SessionOutcome.failed, .failed, .neverStarted].enumerated() {
      var row = SessionRow(plan.key(unit: unit, contestant: 0))
      row.outcome = outcome
      row.played = unit == 0 ? 1 : 0
      result.add([row])
    }
    #expect(result.contestants[0].neverStarted == 2)
    #expect(result.contestants[0].startFailures == 1)
    #expect(result.contestants[0].startup.count == 1)
  }

  @Test func aBadContestantIsAProblemAndNoNumber() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    var result = ExperimentResult(plan)
    var rows = ExperimentFixture.rows(plan).prefix(2).map { $0 }
    rows[1].outcome = .error
    rows[1].problem = "the program died"
    result.add(rows)
    #expect(result.contestants[1].errors == 1)
    #expect(result.contestants[1].valid == 0)
    #expect(result.contestants[1].startup.count == 0)
    #expect(result.problems.map(\.reason) == ["the program died"])
  }

  /// The best that was possible is known although the baseline could not be run, and is held
  /// against nobody then.
  @Test(arguments: [("unlimited", true), ("ownBuffer", false)])
  func theClairvoyantNeedsNoBaseline(_ kind: String, _ isKnown: Bool) throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "vlc"]"#, more: ", \"yardstick\": \"\(kind)\"")
    let plan = try ExperimentFixture.plan(text)
    var rows = ExperimentFixture.rows(plan)
    var whole = ExperimentResult(plan)
    whole.add(rows)
    rows[0] = SessionRow(rows[0].key)
    var result = ExperimentResult(plan)
    result.add(rows)
    #expect(whole.clairvoyant?.valid == 1)
    #expect(result.clairvoyant?.valid == (isKnown ? 1 : 0))
    if isKnown { #expect(result.clairvoyant?.yardstick == whole.clairvoyant?.yardstick) }
    #expect(result.clairvoyant?.difference(.waiting) == nil)
  }

  /// A rule that fails where it is hard would beat all others by the rest; what fails for all of
  /// them alike tells nothing of any.
  @Test func whoFailsIsNotOnTheFront() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    let rows = ExperimentFixture.rows(plan)
    func front(failing: Set<Int>) -> (comparable: [Int], front: [Int]) {
      var result = ExperimentResult(plan)
      for unit in 0..<plan.unitCount {
        var mine = rows[unit * 2..<unit * 2 + 2].map { $0 }
        for index in mine.indices {
          // The second contestant is better wherever it can be run.
          if index == 1 { (mine[1].startup, mine[1].stalled) = (0, 0) }
          if unit == 0, failing.contains(index) { mine[index].outcome = .error }
        }
        result.add(mine)
      }
      return (result.comparable, result.front)
    }
    #expect(front(failing: []) == ([0, 1], [1]))
    #expect(front(failing: [1]) == ([0], [0]))
    #expect(front(failing: [0, 1]) == ([0, 1], [1]))
  }

  @Test func whatIsKeptDoesNotGrowWithSeeds() throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "mpv"], "link": "demo/*""#)
    let few = result(try ExperimentFixture.plan(text, seedCount: 4))
    let plan = try ExperimentFixture.plan(text, seedCount: 4_000)
    var many = ExperimentResult(plan)
    // The same rows for all seeds: only how much is kept of them is of interest.
    var runner = UnitRunner(plan, files: .none)
    for world in 0..<plan.worldCount {
      let rows = runner.rows(of: world * 4_000)
      for _ in 0..<4_000 { many.add(rows) }
    }
    for (left, right) in zip(few.contestants, many.contestants) {
      #expect(left.paired(.waiting).clusters.count == 3)
      #expect(right.paired(.waiting).clusters.count == 3)
      #expect(right.sessions == 12_000)
      #expect(right.startup.keptCount <= 64 * 1_024)
      #expect(right.stalled.keptCount <= 64 * 1_024)
    }
    let wide = (0..<100_000).reduce(into: QuantileSketch()) { sketch, number in
      sketch.add(Int64(number) << 40)
    }
    #expect(wide.keptCount <= 64 * 1_024)
  }

  @Test func theHeatMapHoldsTheSessions() throws {
    let result = result(
      try ExperimentFixture.plan(
        ExperimentFixture.experiment(#""link": ["demo/fast", "demo/slow-server"]"#)))
    // 320 / 373 = 0.858 of the media lies between 0.8 and 0.9, the fast link above 4.
    #expect(result.sensitivity.field(contestant: 0, duration: 2, ratio: 4).sessions == 1)
    #expect(result.sensitivity.field(contestant: 0, duration: 2, ratio: 11).sessions == 1)
  }
}
