import Autowait
import AutowaitScenario

/// What a recording showed, as expectations of a scenario, within the tolerances of its class.
extension RecordingScenario {
  /// Writes the startup, the number of stalls and their sum, and where the class says how far each
  /// stall may be away, when each begins and is over.
  static func write(expectationsOf recording: Recording, into writer: inout JSONWriter) {
    let (outcome, standard) = (recording.outcome, recording.standard)
    writer.array("expect") { writer in
      func expect(_ metric: StaticString, _ least: Int64, _ most: Int64, isTime: Bool) {
        writer.object { writer in
          writer.field("metric", metric)
          if isTime {
            writer.field(">=", seconds: max(0, least))
            writer.field("<=", seconds: most)
          } else {
            writer.field(">=", max(0, least))
            writer.field("<=", most)
          }
        }
      }
      if let startup = outcome.startup {
        let (seen, span) = ((startup - .start).nanoseconds, standard.startup.nanoseconds)
        expect("firstPlayed", seen - span, seen + span, isTime: true)
      }
      let count = Int64(outcome.stalls.count)
      expect(
        "stallCount", count - standard.stallCount, count + standard.stallCount, isTime: false)
      let stalled = outcome.stalled.nanoseconds
      if let part = standard.stalledPart {
        let span = Int64(Int128(stalled) * Int128(part) / 1_000_000)
        expect("timeSpentRecoveringFromStall", stalled - span, stalled + span, isTime: true)
      } else if let span = standard.stallDuration {
        let most = count * span.nanoseconds
        expect("timeSpentRecoveringFromStall", stalled - most, stalled + most, isTime: true)
      }
      for moment in moments(of: recording) { write(moment, into: &writer) }
    }
  }

  /// What a player is like at an instant.
  private struct Moment {
    enum State {
      case stallsMax(Int64)
      case stallsMin(Int64)
      case stands
      case runs
    }

    let at: Int64
    let state: State
  }

  /// A stall begins between two instants if it is not counted at the first and is at the second; it
  /// is over between two if the clock stands at the first and runs at the second.
  ///
  /// Instants that belong to another stall, or to the start of this one, say nothing.
  private static func moments(of recording: Recording) -> [Moment] {
    let (standard, stalls) = (recording.standard, recording.outcome.stalls)
    guard let span = (standard.stallStart ?? standard.firstStallStart)?.nanoseconds else {
      return []
    }
    // Shortly before the end a session that is a little earlier is over.
    let last = (recording.outcome.end ?? recording.cut).map {
      ($0 - .start).nanoseconds - 1_000_000_000
    }
    var moments: [Moment] = []
    for (place, stall) in stalls.enumerated() {
      if place > 0, standard.stallStart == nil { break }
      let (start, end) = ((stall.start - .start).nanoseconds, (stall.end - .start).nanoseconds)
      // What is as far away as it may be is still within.
      if start > span {
        moments.append(Moment(at: start - span - 1, state: .stallsMax(Int64(place))))
      }
      moments.append(Moment(at: start + span, state: .stallsMin(Int64(place + 1))))
      guard let (early, late) = endSpans(standard) else { continue }
      if end - early - 1 > start + span {
        moments.append(Moment(at: end - early - 1, state: .stands))
      }
      let next = place + 1 < stalls.count ? (stalls[place + 1].start - .start).nanoseconds : nil
      let isFree = [next.map { $0 - span }, last].compactMap { $0 }.allSatisfy { $0 > end + late }
      if isFree {
        moments.append(Moment(at: end + late, state: .runs))
      }
    }
    return moments
  }

  /// How much earlier and later than recorded a stall may be over.
  private static func endSpans(_ standard: FidelityStandard) -> (early: Int64, late: Int64)? {
    if let resume = standard.resume { return (resume.early.nanoseconds, resume.late.nanoseconds) }
    guard let start = standard.stallStart, let duration = standard.stallDuration else { return nil }
    return (start.nanoseconds + duration.nanoseconds, start.nanoseconds + duration.nanoseconds)
  }

  private static func write(_ moment: Moment, into writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("at", seconds: moment.at)
      switch moment.state {
      case .stallsMax(let count): writer.object("stallCount") { $0.field("<=", count) }
      case .stallsMin(let count): writer.object("stallCount") { $0.field(">=", count) }
      case .stands: writer.field("timebaseRate", Int64(0))
      case .runs: writer.field("timebaseRate", Int64(1))
      }
    }
  }
}
