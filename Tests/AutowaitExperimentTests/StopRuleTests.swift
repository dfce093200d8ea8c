import AutowaitExperiment
import Testing

/// A rule to stop does not wait for what more seeds cannot show.
@Suite struct StopRuleTests {
  private static let second: Int64 = 1_000_000_000

  /// Returns whether enough was seen after some seeds, of a baseline and another contestant whose
  /// startup is as much later, in seconds; nil for a session that could not be run.
  private static func isEnough(_ others: [Int64?], baseline: Bool = true) throws -> Bool {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": ["avfoundation", "mpv"], "seed": \#(others.count)"#,
        more: #", "yardstick": false, "stop": {"halfWidth": "100 ms", "every": 2}"#))
    var result = ExperimentResult(plan)
    for (unit, other) in others.enumerated() {
      var rows = (0..<2).map { SessionRow(plan.key(unit: unit, contestant: $0)) }
      for place in rows.indices {
        rows[place].startup = second + (place == 1 ? (other ?? 0) * second : 0)
        rows[place].played = second
        let runs = place == 0 ? baseline : other != nil
        rows[place].outcome = runs ? .ended : .error
      }
      result.add(rows)
    }
    return result.isPreciseEnough
  }

  @Test func whoNeverRunsKeepsNobodyWaiting() throws {
    #expect(try Self.isEnough([nil, nil, nil, nil]))
    #expect(try Self.isEnough([1, 2, 3, 4], baseline: false))
    // Who runs now and then does, until the interval is narrow.
    #expect(try !Self.isEnough([nil, 1, 9, nil]))
    #expect(try !Self.isEnough([1, 9, 1, 9]))
    #expect(try Self.isEnough([3, 3, 3, 3]))
  }
}
