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
    let tier: LinkTier
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
    var refits: Int64 = 0
  }

  private static let (sessions, steps) = (40, 60_000)

  /// A debug build takes tens of times as long, and fewer sessions say nothing.
  #if DEBUG
  private static let isFast = false
  #else
  private static let isFast = true
  #endif

  @Test(
    .enabled(if: isFast),
    arguments: [
      Bar(kind: .levels, tier: .ideal, error: 8, brier: 10, refits: 90),
      Bar(kind: .levels, tier: .packet, error: 18, brier: 10, refits: 90),
      Bar(kind: .walk, tier: .packet, error: 10, brier: 30, refits: 80),
      Bar(kind: .markov, tier: .packet, error: 5, brier: 30, refits: 85),
    ])
  func chancesAreThoseOfTheTruth(_ bar: Bar) throws {
    var score = Score()
    for seed in 0..<UInt64(Self.sessions) { try Self.judge(bar, seed: 300 + seed, &score) }
    #expect(score.error * 100 <= score.all * bar.error)
    #expect(score.squares * 1_000 <= score.count * 1_024 * bar.brier)
    #expect(score.refits * 100 >= score.count * bar.refits)
  }

  private static func judge(_ bar: Bar, seed: UInt64, _ score: inout Score) throws {
    let session = try SyntheticSession(bar.kind, seed: seed, tier: bar.tier)
    let horizon = try #require(session.log.end)
    var options = LinkInference.Options(
      bar.tier == .ideal ? LinkModel(.ideal) : CandidateLink.model)
    (options.seed, options.samples, options.steps) = (1, 32, steps)
    let links = try #require(LinkInference(session.log, options).run())
    func seen(_ outcome: ViewerOutcome) -> PlayedOutcome { PlayedOutcome(outcome, until: horizon) }
    let truth = seen(try session.truth(rule: "media3"))
    let played = try links.samples.map { seen(try session.predicted(rule: "media3", $0)) }
    let stalled = played.map { $0.stalled.nanoseconds }.sorted()
    score.error += abs(stalled[stalled.count / 2] - truth.stalled.nanoseconds)
    score.all += truth.stalled.nanoseconds
    let without = Int64(played.count { $0.stalls.isEmpty })
    let off = without - (truth.stalls.isEmpty ? Int64(played.count) : 0)
    score.squares += off * off
    score.count += 1
    let own = seen(try session.truth(rule: SyntheticSession.rule)).stalls.count
    let counts = try links.samples.map {
      seen(try session.predicted(rule: SyntheticSession.rule, $0)).stalls.count
    }.sorted()
    if counts[counts.count / 2] == own { score.refits += 1 }
  }
}
