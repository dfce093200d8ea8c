import Autowait
import AutowaitFidelity
import AutowaitInference
import Testing

/// What another player would have seen, told from the log of one, and held against what it does see
/// on the link that was drawn.
@Suite struct SyntheticJudgeTests {
  /// Networks of sessions, and what is asked for.
  ///
  /// It is a little less than what was measured, so that a change for the worse is seen; what was
  /// measured stands in <doc:inferring-a-hidden-link>.
  struct Bar: Sendable {
    let kind: SyntheticSession.Kind
    var page = SyntheticSession.Page()
    var rule = SyntheticSession.patient
    /// By how much stalled time may be wrong, in percent of all.
    let error: Int64
    /// The mean square of what the chance of no stall is wrong by, in thousandths.
    let brier: Int64
    /// In how many sessions the recorded player's own stalls must come back, in percent.
    let refits: Int64
  }

  /// How sessions of a kind came out.
  private struct Score {
    var (error, all): (Int64, Int64) = (0, 0)
    var (squares, count): (Int64, Int64) = (0, 0)
    var (refits, refused): (Int64, Int64) = (0, 0)
  }

  private static let sessions = 24

  /// A rule that starts late, and stalls for longer and less often than that of a browser.
  private static let cautious = "fixed:start=12s,resume=8s"

  /// Of these, the higher one is given up for the lower one when an outage begins.
  private static let ladder = [600, 1_200]

  /// A debug build takes tens of times as long, and fewer sessions say nothing.
  #if DEBUG
  private static let isFast = false
  #else
  private static let isFast = true
  #endif

  @Test(
    .enabled(if: isFast),
    arguments: [
      Bar(kind: .levels, error: 4, brier: 5, refits: 95),
      Bar(kind: .walk, error: 4, brier: 10, refits: 90),
      // 22 of 24 do.
      Bar(kind: .markov, error: 4, brier: 10, refits: 90),
      Bar(kind: .levels, page: .init(form: .cmcd2), error: 6, brier: 5, refits: 95),
      Bar(kind: .walk, page: .init(form: .cmcd2), error: 4, brier: 5, refits: 95),
      Bar(kind: .markov, page: .init(form: .cmcd2), error: 4, brier: 5, refits: 95),
      Bar(
        kind: .levels, page: .init(player: cautious), rule: "hls.js", error: 4, brier: 5,
        refits: 95),
      Bar(kind: .walk, rule: cautious, error: 12, brier: 10, refits: 90),
      Bar(kind: .levels, page: .init(kilobits: ladder), error: 8, brier: 5, refits: 95),
      Bar(kind: .markov, page: .init(kilobits: ladder), error: 8, brier: 10, refits: 95),
      Bar(
        kind: .levels, page: .init(form: .cmcd2, kilobits: ladder), error: 8, brier: 5,
        refits: 95),
    ])
  func chancesAreThoseOfTheTruth(_ bar: Bar) throws {
    var score = Score()
    for seed in 0..<UInt64(Self.sessions) { try Self.judge(bar, seed: 300 + seed, &score) }
    #expect(score.error * 100 <= score.all * bar.error)
    #expect(score.squares <= (score.count - score.refused) * 1_000 * bar.brier)
    #expect(score.refits * 100 >= score.count * bar.refits)
    #expect(score.refused * 10 <= score.count)
  }

  private static func judge(_ bar: Bar, seed: UInt64, _ score: inout Score) throws {
    let session = try SyntheticSession(
      bar.kind, seed: seed, tier: .packet, page: bar.page)
    let report = try session.report(rule: bar.rule)
    score.count += 1
    let own = PlayedOutcome(
      try session.truth(rule: bar.page.player), until: report.horizon)
    let counts = report.recorded.outcomes.map(\.stalls.count).sorted()
    if counts[counts.count / 2] == own.stalls.count { score.refits += 1 }
    guard let played = report.rules.first?.outcomes else {
      score.refused += 1
      return
    }
    let truth = PlayedOutcome(try session.truth(rule: bar.rule), until: report.horizon)
    let stalled = played.map { $0.stalled.nanoseconds }.sorted()
    score.error += abs(stalled[stalled.count / 2] - truth.stalled.nanoseconds)
    score.all += truth.stalled.nanoseconds
    let without = Int64(played.count { $0.stalls.isEmpty })
    let off = without - (truth.stalls.isEmpty ? Int64(played.count) : 0)
    score.squares += off * off * 1_000_000 / Int64(played.count * played.count)
  }
}
