import Autowait
import AutowaitScenario

/// What the start of a player waited for, one thing after another: the chain of causes from the
/// first playback back to the wish to play.
struct CriticalPath {
  /// A part of the time.
  struct PathPart: Equatable {
    /// What was waited for.
    let words: String
    let start: Instant
    var end: Instant

    /// How long it took.
    var span: TimeSpan { end - start }
  }

  /// The parts, which add up to the startup.
  let parts: [PathPart]

  /// Follows the causes of a player's first playback; nil if it never played.
  init?(_ result: RunResult, player: Int, wished: Instant, stories: [RequestStory]) {
    let records = Array(result.records)
    let first = records.firstIndex { record in
      guard record.player == player, case .timebaseRate(let rate, _) = record.event else {
        return false
      }
      return rate != .zero
    }
    guard let first else { return nil }
    var chain: [EventRecord] = []
    var place = first
    while true {
      chain.append(records[place])
      let cause = records[place].cause
      if cause < 1 || cause > place { break }
      place = cause - 1
    }
    chain.reverse()
    var parts: [PathPart] = []
    var reached = wished
    for record in chain where record.instant > reached {
      let words = Self.words(record, after: reached, result.scenario, stories)
      if parts.last?.words == words {
        parts[parts.count - 1].end = record.instant
      } else {
        parts.append(PathPart(words: words, start: reached, end: record.instant))
      }
      reached = record.instant
    }
    self.parts = parts
  }

  private static func words(
    _ record: EventRecord, after start: Instant, _ scenario: Scenario, _ stories: [RequestStory]
  ) -> String {
    func name(_ transfer: Int) -> String {
      guard let story = stories.first(where: { $0.transfer == transfer }) else { return "data" }
      return scenario.words(for: story.request)
    }
    switch record.event {
    case .mediaResponse(let transfer): return "the first byte of \(name(transfer))"
    case .transferPhase(let transfer, _, _): return "the way to \(name(transfer))"
    case .mediaRequestCompleted(let transfer, _): return "the rest of \(name(transfer))"
    case .mediaRequestFailed(let transfer, _, _), .newErrorLogEntry(let transfer, _):
      return "the failure of \(name(transfer))"
    case .step: return "the app"
    default:
      // What plays next comes meanwhile.
      let open = stories.first { $0.request.opened <= start && record.instant <= $0.end }
      return open.map { "more of \(scenario.words(for: $0.request))" } ?? "the player"
    }
  }
}
