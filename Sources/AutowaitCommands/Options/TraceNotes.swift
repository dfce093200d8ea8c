import AutowaitRendering
import AutowaitScenario

/// Collects what was understood of the traces that a command reads, of each once.
///
/// It is a class because all readers of one command tell the same one; it stays on one thread.
final class TraceNotes {
  private var summaries: [TraceSummary] = []

  /// Takes what was understood of a trace, unless it is known.
  func add(_ summary: TraceSummary) {
    if summaries.contains(summary) { return }
    summaries.append(summary)
  }

  /// Writes a line for each trace, as messages.
  func report(_ console: Console) {
    for line in TraceSummaryText.lines(summaries) { console.note(line) }
    summaries = []
  }
}
