import Autowait
import AutowaitScenario

/// Whether the sessions of a contestant are within a threshold.
package struct ThresholdVerdict: Sendable {
  /// The answer.
  package enum State: String, Hashable, Sendable {
    /// They are within it.
    case held
    /// They are not.
    case crossed
    /// The mean difference is not, but the interval around it may be.
    case doubtful
    /// There is nothing to say, for a reason.
    case unjudged
  }

  /// How an observed number is written.
  package enum Scale: Hashable, Sendable {
    case nanoseconds, things, millionths, billionths
  }

  /// What the sessions amount to.
  package struct Observation: Hashable, Sendable {
    /// The number.
    package let value: Int64
    /// How it is written.
    package let scale: Scale
    /// The interval of a difference, on the same scale; nil if there is none.
    package var interval: ClosedRange<Int64>?
    /// A difference in millionths of the mean that it is to; nil of no difference, or to nothing.
    package var relative: Int64?
  }

  /// The threshold.
  package let threshold: Threshold
  /// The number of the contestant.
  package let contestant: Int
  /// The answer.
  package fileprivate(set) var state = State.unjudged
  /// Why there is nothing to say; nil if there is.
  package fileprivate(set) var reason: String?
  /// Whether there is nothing to say because nobody gave a saved baseline.
  package fileprivate(set) var lacksBaseline = false
  /// What the sessions amount to; nil if there is nothing to say.
  package fileprivate(set) var observed: Observation?
  /// The sessions that it is about: measured, held against others, or run.
  package fileprivate(set) var count: Int64 = 0
  /// The sessions that were selected and could be run.
  package fileprivate(set) var valid: Int64 = 0
  /// The session that is worth a look; nil if none is.
  package fileprivate(set) var session: SessionKey?

  /// Whether the threshold is crossed, or nothing can be said.
  package var isMissed: Bool { state == .crossed || state == .unjudged }
}

extension ExperimentResult {
  /// The verdicts on all thresholds, in the order of the file, and of each by contestant.
  package var verdicts: [ThresholdVerdict] {
    zip(plan.thresholds, tallies).flatMap { threshold, tallies -> [ThresholdVerdict] in
      if tallies.isEmpty {
        var verdict = ThresholdVerdict(threshold: threshold, contestant: plan.baseline)
        verdict.reason = "there is no contestant but the baseline itself"
        return [verdict]
      }
      return tallies.map { contestant, tally in
        ThresholdJudge(threshold: threshold, tally: tally, plan: plan, contestant: contestant)
          .verdict
      }
    }
  }
}

/// Judges what was counted.
private struct ThresholdJudge {
  let threshold: Threshold
  let tally: ThresholdTally
  let plan: ExperimentPlan
  let contestant: Int

  var verdict: ThresholdVerdict {
    var verdict = ThresholdVerdict(threshold: threshold, contestant: contestant)
    verdict.valid = tally.valid
    if let reason = reasonAgainst {
      verdict.reason = reason
      if case .difference(let difference) = threshold.statistic {
        verdict.lacksBaseline = difference.reference == .saved && plan.saved == nil
      }
      return verdict
    }
    verdict.count = tally.measured
    verdict.session = tally.most?.key
    switch threshold.statistic {
    case .mean: judgeMean(&verdict)
    case .quantile(let rank): judge(tally.sketch.quantile(perMille: rank) ?? 0, &verdict)
    case .least: judge(tally.least ?? 0, &verdict)
    case .most: judge(tally.most?.value ?? 0, &verdict)
    case .share: judgeShare(&verdict)
    case .difference(let difference): judge(difference, &verdict)
    }
    return verdict
  }

  /// Why nothing can be said; nil if something can.
  private var reasonAgainst: String? {
    if tally.selected == 0 { return "it selects no session that was run" }
    if tally.valid == 0 { return "none of its sessions could be run" }
    let sessions = tally.valid == 1 ? "its only session" : "any of its \(tally.valid) sessions"
    guard let figure = threshold.figure else { return nil }
    if figure.needsPlayback, tally.started == 0 { return "nothing played in \(sessions)" }
    if case .difference(let difference) = threshold.statistic, difference.reference == .saved {
      guard let saved = plan.saved else {
        return "no saved baseline is given: --baseline FILE"
      }
      if !saved.figures.contains(figure.word) {
        return "the saved baseline has no '\(figure.word)'"
      }
    }
    if tally.measured == 0 { return "'\(figure.word)' was not measured in \(sessions)" }
    guard case .difference(let difference) = threshold.statistic, tally.pairs == 0 else {
      return nil
    }
    return difference.reference == .saved
      ? "the saved baseline has none of its sessions"
      : "'\(figure.word)' was not measured in any of the baseline's sessions"
  }

  private var scale: ThresholdVerdict.Scale {
    switch threshold.figure?.unit {
    case .time: .nanoseconds
    case .count, .bytes, .bitRate: .things
    case .ratio, nil: .millionths
    }
  }

  /// The scale of means: things have parts then.
  private var meanScale: ThresholdVerdict.Scale { meanParts > 1 ? .millionths : scale }

  private var meanParts: Int64 { threshold.figure?.meanParts ?? 1 }

  private func judge(_ value: Int64, _ verdict: inout ThresholdVerdict) {
    verdict.observed = ThresholdVerdict.Observation(value: value, scale: scale)
    let isHeld = threshold.bounds.allSatisfy { $0.comparison.holds(value, $0.limit) }
    verdict.state = isHeld ? .held : .crossed
  }

  /// The sum is compared with so many times the limit: a mean that is rounded may be on the other
  /// side.
  private func judgeMean(_ verdict: inout ThresholdVerdict) {
    let parts = Int128(meanParts), count = Int128(tally.measured)
    let isHeld = threshold.bounds.allSatisfy {
      $0.comparison.holds(tally.sum * parts, Int128($0.limit) * count)
    }
    verdict.observed = ThresholdVerdict.Observation(
      value: Self.rounded(tally.sum * parts, by: count), scale: meanScale)
    verdict.state = isHeld ? .held : .crossed
  }

  private func judgeShare(_ verdict: inout ThresholdVerdict) {
    let whole = threshold.figure == nil ? tally.valid : tally.measured
    let part = Int128(tally.holding.count) * 1_000_000_000
    let isHeld = threshold.bounds.allSatisfy {
      $0.comparison.holds(part, Int128($0.limit) * Int128(whole))
    }
    verdict.count = whole
    verdict.session = tally.holding.first
    verdict.observed = ThresholdVerdict.Observation(
      value: Self.rounded(part, by: Int128(whole)), scale: .billionths)
    verdict.state = isHeld ? .held : .crossed
  }

  /// A mean difference that is beyond a bound crosses it only if the whole interval is.
  private func judge(_ difference: Threshold.Difference, _ verdict: inout ThresholdVerdict) {
    let count = Int128(tally.pairs), parts = Int128(meanParts)
    let sum = tally.differenceSum
    let interval = Bootstrap.interval(tally.clusters, purpose: "bootstrap", parts: meanParts)
    var observation = ThresholdVerdict.Observation(
      value: Self.rounded(sum * parts, by: count), scale: meanScale)
    observation.interval = interval?.bounds
    observation.relative = Ratio.signedMillionths(sum, of: tally.referenceSum)
    verdict.observed = observation
    verdict.count = tally.pairs
    verdict.session = nil
    // Both sides as parts of a unit, times the number of sessions, times a million.
    func limit(_ bound: Bound) -> Int128 {
      difference.isRelative
        ? Int128(bound.limit) * tally.referenceSum * parts
        : Int128(bound.limit) * count * 1_000_000
    }
    let isHeld = threshold.bounds.allSatisfy {
      $0.comparison.holds(sum * parts * 1_000_000, limit($0))
    }
    if isHeld {
      verdict.state = .held
    } else if difference.decides == .interval, let ends = interval?.bounds {
      func isBeyond(_ bound: Bound) -> Bool {
        let ends = (Int128(ends.lowerBound), Int128(ends.upperBound))
        let (least, most) = (ends.0 * count * 1_000_000, ends.1 * count * 1_000_000)
        switch bound.comparison {
        case .less, .atMost: return !bound.comparison.holds(least, limit(bound))
        case .greater, .atLeast: return !bound.comparison.holds(most, limit(bound))
        case .equal: return least > limit(bound) || most < limit(bound)
        case .notEqual: return least == most && least == limit(bound)
        }
      }
      verdict.state = threshold.bounds.contains(where: isBeyond) ? .crossed : .doubtful
    } else {
      verdict.state = .crossed
    }
  }

  /// Rounded to the nearest, half away from zero.
  private static func rounded(_ sum: Int128, by count: Int128) -> Int64 {
    Int64(clamping: (sum * 2 + (sum < 0 ? -count : count)) / (2 * count))
  }
}
