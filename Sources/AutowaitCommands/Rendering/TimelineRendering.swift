import Autowait
import AutowaitScenario

/// How text for people is laid out.
struct TextStyle {
  /// The columns that a line may take.
  var width: Int
  /// Whether colour is used.
  var usesColor: Bool
}

/// Renders a run as a timeline.
enum TimelineRendering {
  /// Returns the instants whose states the strip shows.
  static func stripInstants(_ result: RunResult, width: Int) -> [Instant] {
    (0..<max(width, 1)).map {
      Instant(nanoseconds: result.end.nanoseconds / Int64(max(width, 1)) * Int64($0))
    }
  }

  /// Returns the timeline.
  static func text(
    _ result: RunResult, strip: [RunResult.Sample], table: RunResult.Sample?, style: TextStyle
  ) -> String {
    var text = "\(result.scenario.name)\n"
    for outcome in result.outcomes {
      text += "\(outcome.isMet ? "✓" : "✗") \(outcome.expectation.text)\n"
    }
    return text
  }
}

/// Renders the states of a run.
enum StatesRendering {
  /// Returns a line for each change of state.
  static func text(_ result: RunResult) -> String {
    var text = ""
    for record in result.records {
      if case .timeControlStatus(let status) = record.event {
        text += "\(OutcomeRendering.seconds(record.instant.nanoseconds)) \(status.word)\n"
      }
    }
    return text
  }
}
