import Autowait
import AutowaitFidelity
import Testing

/// Stalls of players whose samples stand still before their clock does.
@Suite struct ViewerOutcomeTests {
  private typealias Stall = ViewerOutcome.Stall

  private static func outcome(
    _ startup: Int64?, _ stalls: [(Int64, Int64)], _ end: Int64?
  ) -> ViewerOutcome {
    var outcome = ViewerOutcome()
    outcome.startup = startup.map { .start + .milliseconds($0) }
    outcome.end = end.map { .start + .milliseconds($0) }
    outcome.stalls = stalls.map {
      Stall(start: .start + .milliseconds($0.0), end: .start + .milliseconds($0.1))
    }
    return outcome
  }

  /// Ten seconds of media that took 15 s from the start stood for 5 s: what the stalls say beyond
  /// that is taken from their beginnings, from each the same.
  @Test(
    arguments: [
      ([(3_000, 6_000), (9_000, 13_000)], 16_000, [(4_000, 6_000), (10_000, 13_000)]),
      // As long as they say, or longer: nothing is known to be wrong.
      ([(3_000, 6_000)], 14_000, [(3_000, 6_000)]),
      ([(3_000, 6_000)], 20_000, [(3_000, 6_000)]),
      // No stall gets shorter than nothing.
      ([(3_000, 3_500), (9_000, 13_000)], 12_500, [(3_500, 3_500), (10_500, 13_000)]),
      ([], 16_000, []),
    ] as [([(Int64, Int64)], Int64, [(Int64, Int64)])])
  func stallsBeginWithTheClock(
    _ stalls: [(Int64, Int64)], _ end: Int64, _ expected: [(Int64, Int64)]
  ) {
    var outcome = Self.outcome(1_000, stalls, end)
    outcome.beginStallsWithClock(over: .seconds(10))
    #expect(outcome == Self.outcome(1_000, expected, end))
  }

  @Test func withoutAnEndNothingIsKnown() {
    for (startup, end) in [(nil, 16_000), (1_000, nil)] as [(Int64?, Int64?)] {
      var outcome = Self.outcome(startup, [(3_000, 9_000)], end)
      outcome.beginStallsWithClock(over: .seconds(10))
      #expect(outcome.stalls == Self.outcome(startup, [(3_000, 9_000)], end).stalls)
    }
  }
}
