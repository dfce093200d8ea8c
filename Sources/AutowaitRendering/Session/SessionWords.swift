import Autowait
import AutowaitFigures
import AutowaitScenario

/// Says what a run came to in a sentence.
enum SessionWords {
  /// Returns a line for all players of a run.
  static func summary(_ result: RunResult) -> String {
    let seed = "seed \(result.scenario.world.seed)"
    if result.metrics.count == 1 {
      return (parts(of: result.metrics[0]) + [seed]).joined(separator: " · ")
    }
    return "\(result.metrics.count) players · \(seed)"
  }

  /// Returns what became of each player, in a sentence.
  static func answers(_ result: RunResult) -> [String] {
    if result.metrics.count == 1 { return [capitalized(sentence(of: result.metrics[0]))] }
    return zip(result.scenario.playerNames, result.metrics).map { name, metrics in
      "\(name): \(sentence(of: metrics))"
    }
  }

  /// Returns a sentence on a run whose time was up before all was over; nil if all was.
  static func ending(_ result: RunResult) -> String? {
    let end = rounded(result.end - .start)
    return switch result.finish {
    case .settled, .eventLimit: nil
    case .horizon: "The time of the run was up at \(end)."
    case .stillWaiting: "The time of the run was up at \(end), and a player was still waiting."
    }
  }

  private static func sentence(of metrics: PlayerMetrics) -> String {
    parts(of: metrics).joined(separator: " and ") + "."
  }

  /// Returns how playback began, and how it went on.
  private static func parts(of metrics: PlayerMetrics) -> [String] {
    var parts: [String] = []
    let startup = rounded(metrics.timeSpentInInitialStartup)
    if metrics.firstPlayed == nil {
      parts.append(
        metrics.timeSpentInInitialStartup > .zero
          ? "never plays, and waits \(startup)" : "never plays")
    } else if metrics.timeSpentInInitialStartup == .zero {
      parts.append("plays at once")
    } else {
      parts.append("plays after \(startup)")
    }
    let stalled = rounded(metrics.timeSpentRecoveringFromStall)
    // A stall that pauses the player takes no time of waiting.
    let pauses = metrics.stallCount > 0 && metrics.timeSpentRecoveringFromStall == .zero
    switch metrics.stallCount {
    case 0: if metrics.firstPlayed != nil { parts.append("never stalls") }
    case 1 where pauses: parts.append("stalls once, and pauses there")
    case _ where pauses:
      parts.append("stalls \(metrics.stallCount) times, and pauses there each time")
    case 1: parts.append("stalls once, for \(stalled)")
    default: parts.append("stalls \(metrics.stallCount) times, for \(stalled) in all")
    }
    return parts
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Returns a time in seconds, rounded to a hundredth, or to a microsecond if it is shorter.
  static func rounded(_ span: TimeSpan) -> String {
    if span < .milliseconds(100) {
      return TerminalText.withoutTies(TimelineNumbers.seconds(span.nanoseconds))
    }
    let hundredths = (span.nanoseconds + 5_000_000) / 10_000_000
    return FigureDecimal.text(hundredths, digits: 2) + " s"
  }
}
