import Autowait
import AutowaitFidelity
import AutowaitScenario

/// How rules would have done in a session that was recorded under another one.
///
/// Each rule plays on the same links, and so does the recorded one: what is asked is the difference
/// on each link, in which the faults of the model cancel.
package struct WhatIfReport: Sendable {
  /// A rule, and how it did on each link.
  package struct RuleResult: Sendable {
    package let choice: RuleChoice
    package let outcomes: [PlayedOutcome]
    /// The part of its transfers, in millionths, in times of which the log says nothing.
    package let unseen: Int64

    fileprivate init(_ choice: RuleChoice, _ outcomes: [PlayedOutcome], _ seen: TimeSpans) {
      (self.choice, self.outcomes) = (choice, outcomes)
      let transfers = TimeSpans(
        outcomes[0].requests.compactMap { request in
          request.done.map { (min(request.asked, $0), $0) }
        })
      let whole = transfers.length.nanoseconds
      let known = transfers.common(with: seen).nanoseconds
      unseen = whole > 0 ? Int64(Int128(whole - known) * 1_000_000 / Int128(whole)) : 0
    }
  }

  /// A stall of the recorded session, and on how many links each rule avoids it.
  package struct StallAnswer: Sendable {
    package let stall: PlayedOutcome.PlayedStall
    /// Whether the log says it; else it is that of the recorded rule on the best link.
    package let isRecorded: Bool
    package let avoided: [Int]
  }

  package let log: SessionLog
  package let horizon: Instant
  /// The recorded rule, played again.
  package let recorded: RuleResult
  package let refit: Refit
  package private(set) var rules: [RuleResult] = []
  package private(set) var stalls: [StallAnswer] = []
  /// The links that were kept, on which all rules play; the best of them first.
  package let links: [CandidateLink]

  /// Plays the recorded rule on all links, the best of which is the first, and all rules on those
  /// that bring back best what it did.
  package init(
    _ stage: SessionStage, recorded: RuleChoice, rules: [RuleChoice], on drawn: [CandidateLink],
    keeping count: Int = .max
  ) throws(RecordingProblem) {
    (log, horizon) = (stage.log, stage.horizon)
    let seen = TimeSpans(
      stage.log.requests.compactMap { request in request.done.map { (request.sent, $0) } })
    let tried = try Self.nearest(of: drawn, stage, recorded, keeping: count)
    var outcomes: [PlayedOutcome] = []
    for link in tried { outcomes.append(try stage.outcome(recorded, on: link)) }
    let kept = Self.best(outcomes, stage, keeping: count)
    links = kept.map { tried[$0] }
    self.recorded = RuleResult(recorded, kept.map { outcomes[$0] }, seen)
    refit = Refit(stage.log, self.recorded.outcomes, until: horizon)
    if !refit.isReproduced { return }
    for rule in rules { self.rules.append(try Self.play(rule, stage, links, seen)) }
    let logged = stage.log.outcome.map { PlayedOutcome($0, until: stage.horizon) }
    for stall in (logged ?? self.recorded.outcomes[0]).stalls {
      let all = (logged ?? self.recorded.outcomes[0]).stalls
      stalls.append(
        StallAnswer(
          stall: stall, isRecorded: logged != nil,
          avoided: self.rules.map { rule in
            rule.outcomes.filter { !Self.has($0, stall, among: all) }.count
          }))
    }
  }

  /// Of links that are played in packets, three times as many as are kept: those that fit best
  /// without, since packets take ten times as long.
  private static func nearest(
    of drawn: [CandidateLink], _ stage: SessionStage, _ own: RuleChoice, keeping count: Int
  ) throws(RecordingProblem) -> [CandidateLink] {
    if drawn.count / 3 <= count || drawn.allSatisfy({ $0.inferred == nil }) { return drawn }
    var outcomes: [PlayedOutcome] = []
    for link in drawn { outcomes.append(try stage.outcome(own, on: link.withoutPackets)) }
    return best(outcomes, stage, keeping: 3 * count).map { drawn[$0] }
  }

  private static func best(
    _ outcomes: [PlayedOutcome], _ stage: SessionStage, keeping count: Int
  ) -> [Int] {
    Misfit.best(
      outcomes.map { Misfit($0, stage.log, until: stage.horizon) }, keeping: count)
  }

  private static func play(
    _ choice: RuleChoice, _ stage: SessionStage, _ links: [CandidateLink], _ seen: TimeSpans
  ) throws(RecordingProblem) -> RuleResult {
    var outcomes: [PlayedOutcome] = []
    for link in links { outcomes.append(try stage.outcome(choice, on: link)) }
    return RuleResult(choice, outcomes, seen)
  }

  /// Whether a session has a stall that stands for a recorded one: of all recorded ones it is the
  /// nearest in the media.
  private static func has(
    _ outcome: PlayedOutcome, _ stall: PlayedOutcome.PlayedStall,
    among all: [PlayedOutcome.PlayedStall]
  ) -> Bool {
    outcome.stalls.contains { own in
      func distance(_ other: PlayedOutcome.PlayedStall) -> Int64 {
        abs(other.position.nanoseconds - own.position.nanoseconds)
      }
      let nearest = all.min { distance($0) < distance($1) }
      return nearest == stall
    }
  }
}

/// Stretches of time, in order and apart.
private struct TimeSpans {
  private var spans: [(start: Instant, end: Instant)] = []

  init(_ all: [(Instant, Instant)]) {
    for (start, end) in all.sorted(by: { $0.0 < $1.0 }) {
      if let last = spans.last, start <= last.end {
        spans[spans.count - 1].end = max(last.end, end)
      } else {
        spans.append((start, end))
      }
    }
  }

  var length: TimeSpan { spans.reduce(.zero) { $0 + ($1.end - $1.start) } }

  func common(with other: TimeSpans) -> TimeSpan {
    var (sum, place) = (TimeSpan.zero, 0)
    for span in spans {
      while place < other.spans.count, other.spans[place].end <= span.start { place += 1 }
      var next = place
      while next < other.spans.count, other.spans[next].start < span.end {
        let start = max(span.start, other.spans[next].start)
        sum = sum + (min(span.end, other.spans[next].end) - start)
        next += 1
      }
    }
    return sum
  }
}

/// The middle of some values, and the range of eight in ten.
package struct ValueRange: Hashable, Sendable {
  package let low: Int64
  package let median: Int64
  package let high: Int64

  /// Takes the nearest ranks; nil without values.
  package init?(_ values: [Int64]) {
    if values.isEmpty { return nil }
    let sorted = values.sorted()
    func rank(_ percent: Int) -> Int64 { sorted[((sorted.count - 1) * percent + 50) / 100] }
    (low, median, high) = (rank(10), rank(50), rank(90))
  }
}

extension WhatIfReport.RuleResult {
  /// When playback began, of the links on which it did.
  package var startup: ValueRange? { ValueRange(outcomes.compactMap { $0.startup?.nanoseconds }) }
  package var stalled: ValueRange? { ValueRange(outcomes.map(\.stalled.nanoseconds)) }
  package var stallCount: ValueRange? { ValueRange(outcomes.map { Int64($0.stalls.count) }) }
  /// On how many links it plays without a stall.
  package var smooth: Int { outcomes.filter { $0.startup != nil && $0.stalls.isEmpty }.count }

  /// How much longer it stalls than another rule on the same link.
  package func stalledMore(than other: Self) -> ValueRange? {
    ValueRange(
      zip(outcomes, other.outcomes).map { $0.stalled.nanoseconds - $1.stalled.nanoseconds })
  }

  /// How much later it begins than another rule on the same link.
  package func laterStart(than other: Self) -> ValueRange? {
    ValueRange(
      zip(outcomes, other.outcomes).compactMap { own, other in
        guard let start = own.startup, let before = other.startup else { return nil }
        return start.nanoseconds - before.nanoseconds
      })
  }
}
