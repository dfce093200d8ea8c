import Autowait

/// What is wrong with a session that is held against a recorded one; nothing, and it is true to it.
package struct FidelityVerdict: Equatable, Sendable {
  /// A figure that is too far away.
  package struct Miss: Equatable, Sendable {
    /// What its difference is.
    package enum Unit: Sendable {
      /// A number of something.
      case count
      /// A time in nanoseconds.
      case time
      /// That there is one, or none.
      case presence
    }

    package let what: String
    /// How much later, or more, than recorded.
    package let difference: Int64
    package let unit: Unit
  }

  package private(set) var misses: [Miss] = []

  package var isTrue: Bool { misses.isEmpty }

  /// Holds a session against a recorded one.
  package init(
    _ session: ViewerOutcome, against recorded: ViewerOutcome, by standard: FidelityStandard
  ) {
    if standard.kind == .finish {
      expect("the end", session.end, recorded.end, within: .seconds(1))
      return
    }
    expect("the startup", session.startup, recorded.startup, within: standard.startup)
    let count = Int64(session.stalls.count - recorded.stalls.count)
    if abs(count) > standard.stallCount { miss("stalls", count, .count) }
    if let tolerance = standard.firstStallStart {
      let (first, other) = (session.stalls.first?.start, recorded.stalls.first?.start)
      if first != nil || other != nil { expect("the first stall", first, other, within: tolerance) }
    }
    if let part = standard.stalledPart {
      let difference = session.stalled.nanoseconds - recorded.stalled.nanoseconds
      let most = Int128(recorded.stalled.nanoseconds) * Int128(part) / 1_000_000
      if Int128(abs(difference)) > most { miss("time of stalls", difference) }
    }
    if standard.stallStart == nil { return }
    for (number, (stall, other)) in zip(session.stalls, recorded.stalls).enumerated() {
      if let tolerance = standard.stallStart {
        expect("stall \(number + 1)", stall.start, other.start, within: tolerance)
      }
      if let tolerance = standard.stallDuration {
        let difference = stall.duration.nanoseconds - other.duration.nanoseconds
        if abs(difference) > tolerance.nanoseconds {
          miss("length of stall \(number + 1)", difference)
        }
      }
      if let tolerance = standard.resume {
        let difference = (stall.end - .start).nanoseconds - (other.end - .start).nanoseconds
        if difference < -tolerance.early.nanoseconds || difference > tolerance.late.nanoseconds {
          miss("end of stall \(number + 1)", difference)
        }
      }
    }
  }

  private mutating func expect(
    _ what: String, _ instant: Instant?, _ other: Instant?, within tolerance: TimeSpan
  ) {
    guard let instant, let other else {
      if (instant == nil) != (other == nil) { miss(what, instant == nil ? -1 : 1, .presence) }
      return
    }
    let difference = (instant - .start).nanoseconds - (other - .start).nanoseconds
    if abs(difference) > tolerance.nanoseconds { miss(what, difference) }
  }

  private mutating func miss(_ what: String, _ difference: Int64, _ unit: Miss.Unit = .time) {
    misses.append(Miss(what: what, difference: difference, unit: unit))
  }
}
