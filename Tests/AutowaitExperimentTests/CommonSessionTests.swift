import AutowaitExperiment
import Testing

/// The sessions that started under every contestant, and for whom who is best.
@Suite struct CommonSessionTests {
  private static let second: Int64 = 1_000_000_000

  /// What a session came to: seconds of startup and of stalls, and the stalls; none for a session
  /// that never started, and -1 for one that could not be run.
  typealias Case = (startup: Int64, stalled: Int64, stalls: Int64)

  /// Returns the result of sessions of two contestants, unit by unit.
  private func result(_ units: [[Case?]], best: [Int64?] = []) throws -> ExperimentResult {
    let yardstick = best.isEmpty ? #", "yardstick": false"# : ""
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation", "vlc"], "seed": \#(units.count)"#, more: yardstick)
    let plan = try ExperimentFixture.plan(text)
    let keys = ExperimentFixture.rows(plan).map(\.key)
    var result = ExperimentResult(plan)
    for (unit, cases) in units.enumerated() {
      let rows = cases.enumerated().map { index, session in
        var row = SessionRow(keys[unit * 2 + index])
        row.mediaDuration = 60 * Self.second
        if !best.isEmpty { row.yardstick = best[unit].map { $0 * Self.second } }
        row.outcome = .neverStarted
        row.startup = 600 * Self.second
        guard let session else { return row }
        row.outcome = session.startup < 0 ? .error : .ended
        row.startup = max(0, session.startup) * Self.second
        row.stalled = session.stalled * Self.second
        row.stallCount = session.stalls
        row.played = 60 * Self.second
        row.watched = row.played + row.waiting
        return row
      }
      result.add(rows)
    }
    return result
  }

  @Test(
    arguments: [
      // A later start does not stall: it depends on what a stall is worth.
      ([[(10, 0, 0), (1, 6, 1)]], [("1", 1_000_000, 1_500_000), ("0", 1_500_000, nil)]),
      // More waiting and more stalls are best for nobody.
      ([[(10, 0, 0), (11, 1, 1)]], [("0", 1_000_000, nil)]),
      // Nor is who stalls all the time, however little that is.
      ([[(10, 0, 0), (1, 1, 300)]], [("0", 1_000_000, nil)]),
      ([[(1, 1, 300), (1, 1, 300)]], []),
      // A stall in a short session is not all the time.
      ([[(0, 3, 1), (2, 2, 1)]], [("0", 1_000_000, 2_000_000), ("1", 2_000_000, nil)]),
      ([[(4, 2, 1), (4, 2, 1)]], [("0 1", 1_000_000, nil)]),
      // A session that one of them never started counts for neither.
      (
        [[(10, 0, 0), (1, 6, 1)], [nil, (1, 6_000, 9)]],
        [("1", 1_000_000, 1_500_000), ("0", 1_500_000, nil)]
      ),
      ([[nil, (1, 6, 1)]], []),
    ] as [([[Case?]], [(String, Int64, Int64?)])])
  func viewersChoose(_ units: [[Case?]], _ expected: [(String, Int64, Int64?)]) throws {
    let choices = try result(units).viewerChoices
    #expect(
      choices.map { $0.contestants.map { "\($0)" }.joined(separator: " ") } == expected.map(\.0))
    #expect(choices.map(\.least) == expected.map(\.1))
    #expect(choices.map(\.most) == expected.map(\.2))
  }

  @Test func allAreSeenInTheSameSessions() throws {
    let units: [[Case?]] = [
      [(10, 0, 0), (1, 6, 1)], [nil, (2, 60, 3)], [(30, 0, 0), (3, 8, 1)], [(5, 0, 0), nil],
    ]
    let common = try result(units).common
    #expect(common.count == 2)
    let costs = try (0..<2).map { try #require(common.costs(of: $0)) }
    #expect(costs.map(\.meanStartup) == [20, 2].map { $0 * Self.second })
    #expect(costs.map(\.meanStalled) == [0, 7].map { $0 * Self.second })
    #expect(common.clairvoyant.count == 0)
  }

  /// Sessions without a best start do not count where others have one, in whatever order.
  @Test(arguments: [[nil, 5, 7], [5, nil, 7], [5, 7, nil]] as [[Int64?]])
  func theBestIsOneMoreOfTheSame(_ best: [Int64?]) throws {
    let units = best.map { best -> [Case?] in [(best ?? 90, 0, 0), (1, best ?? 90, 1)] }
    let common = try result(units, best: best).common
    #expect(common.count == 2 && common.clairvoyant.count == 2)
    #expect(common.clairvoyant.meanStartup == 6 * Self.second)
    #expect(try #require(common.costs(of: 0)).meanStartup == 6 * Self.second)
  }

  /// Who could not be run in a session that others were run in is not compared.
  @Test func whoFailsHasNoSay() throws {
    let units: [[Case?]] = [[(10, 0, 0), (-1, 0, 0)], [(20, 0, 0), (1, 6, 1)]]
    let result = try result(units)
    #expect(result.common.count == 2)
    #expect(result.common.costs(of: 1) == nil)
    #expect(result.common.costs(of: 0)?.meanStartup == 15 * Self.second)
    #expect(result.front == [0])
  }
}
