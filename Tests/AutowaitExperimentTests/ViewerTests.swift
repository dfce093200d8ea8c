import AutowaitExperiment
import Testing

/// Which contestant is chosen for which viewer, against plain arithmetic.
@Suite struct ViewerTests {
  private static let second: Int64 = 1_000_000_000

  /// A session in seconds: its startup, its time in stalls, and its stalls, of a minute of media.
  typealias Case = (startup: Double, stalled: Double, stalls: Int64)

  private static func row(_ key: SessionKey, _ session: Case) -> SessionRow {
    var row = SessionRow(key)
    row.outcome = .ended
    row.startup = Int64(session.startup * 1e9)
    row.stalled = Int64(session.stalled * 1e9)
    row.stallCount = session.stalls
    row.played = 60 * second
    row.mediaPlayed = 60 * second
    row.mediaDuration = 60 * second
    row.watched = row.played + row.waiting
    return row
  }

  /// Returns the result of sessions of some contestants, link by link.
  private static func result(_ units: [[Case]]) throws -> ExperimentResult {
    let names = ["avfoundation", "vlc", "mpv", "media3"].prefix(units[0].count)
    let rules = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let links = units.indices.map { #"{"name": "\#($0)", "rate": "1 Mbit/s"}"# }
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": [\#(rules)], "link": [\#(links.joined(separator: ", "))], "seed": 1"#,
        more: #", "yardstick": false"#))
    var result = ExperimentResult(plan)
    for (unit, cases) in units.enumerated() {
      result.add(
        cases.enumerated().map { row(plan.key(unit: unit, contestant: $0.offset), $0.element) })
    }
    return result
  }

  /// Nobody leaves within 2 s; then 5.8 % do for each second, and the others watch 5 % less for
  /// each per cent of stalls.
  @Test(
    arguments: [
      (0, 0, 0), (1.999_999_999, 0, 0), (2, 0, 0), (2.000_1, 0, 5), (3, 0, 58_000),
      (12, 0, 580_000), (19, 0, 986_000), (20, 0, 1_000_000), (500, 9, 1_000_000),
      (1, 0.6, 50_000), (1, 12, 1_000_000), (1, 13, 1_000_000), (3, 0.6, 105_100),
    ] as [(Double, Double, Int64)])
  func someViewingIsLost(_ startup: Double, _ stalled: Double, _ lost: Int64) {
    let row = Self.row(SessionKey(0), (startup, stalled, 1))
    #expect(ViewerPolicy.standard.lostViewing(in: row) == lost)
  }

  @Test func stallsWithoutMediaLoseAll() {
    var row = Self.row(SessionKey(0), (0, 1, 1))
    row.mediaPlayed = 0
    #expect(ViewerPolicy.standard.lostViewing(in: row) == 1_000_000)
    row.stalled = 0
    #expect(ViewerPolicy.standard.lostViewing(in: row) == 0)
  }

  /// The chosen contestants for who leaves, who hates stalls, and who wants few of them.
  @Test(
    arguments: [
      // A start within 2 s and a short stall, or a start after 4 s and none.
      ([[(4, 0, 0), (1, 0.4, 1)]], [[1], [0], [0]]),
      // A stall of 0.3 s counts as 3 s: one of a hundredth more is too much.
      ([[(4, 0, 0), (1, 0.3, 1), (1.5, 0.3, 1)]], [[1, 2], [0, 1], [0]]),
      ([[(4, 0, 0), (1, 0.31, 1)]], [[1], [0], [0]]),
      ([[(4, 0, 0), (0.9, 0.3, 1)]], [[1], [1], [0]]),
      ([[(4, 0, 0), (4, 0, 0)]], [[0, 1], [0, 1], [0, 1]]),
      // Who stalls hundreds of times is chosen for nobody, however little that takes.
      ([[(9, 0, 0), (0, 0, 300)]], [[0], [0], [0]]),
      ([[(9, 0, 300), (0, 0, 300)]], [[], [], []]),
      // Nobody keeps to the limit.
      ([[(1, 1, 1), (2, 2, 1)]], [[0], [0], []]),
    ] as [([[Case]], [[Int]])])
  func eachViewerHasAnAnswer(_ units: [[Case]], _ chosen: [[Int]]) throws {
    #expect(try Self.result(units).viewerAnswers.map(\.chosen) == chosen)
  }

  /// One in twenty sessions may stall, and not one more.
  @Test(arguments: [0, 1, 2])
  func oneInTwentyMayStall(_ stalls: Int) throws {
    let units = (0..<20).map { unit -> [Case] in
      [(5, 0, 0), unit < stalls ? (1, 1, 1) : (1, 0, 0)]
    }
    let answer = try Self.result(units).viewerAnswers[2]
    #expect(answer.order == (stalls < 2 ? [1, 0] : [0]))
    #expect(answer.chosen == (stalls < 2 ? [1] : [0]))
  }

  /// Whose interval of the difference to the best holds zero will do as well.
  @Test func whatCanBeChanceIsSaid() throws {
    // The second one is sooner by 1 s on three links of four, later by 2 s on the fourth; the third
    // one is later by 5 s on all.
    let units: [[Case]] = (0..<8).map { link in
      let own = 10 + Double(link)
      return [(own, 0, 0), (own + (link % 4 == 3 ? 2 : -1), 0, 0), (own + 5, 0, 0)]
    }
    let answer = try Self.result(units).viewerAnswers[1]
    #expect(answer.order == [1, 0, 2])
    #expect(answer.best == [1] && answer.alike.map(\.contestant) == [0])
    #expect(answer.chosen == [1, 0])
    #expect(answer.alike.first?.difference.mean == Self.second / 4)
    let bounds = try #require(answer.alike.first?.difference.bounds)
    #expect(bounds.lowerBound < 0 && bounds.upperBound > 0)
    let next = try #require(answer.next)
    #expect(next.contestant == 2 && next.difference.mean == Self.second * 21 / 4)
    #expect(try #require(next.difference.bounds).lowerBound > 0)
    // Of one link nothing is said of others.
    let single = try Self.result([[(1, 0, 0), (1.001, 0, 0)]]).viewerAnswers[1]
    #expect(single.chosen == [0] && single.next?.difference.bounds == nil)
  }
}
