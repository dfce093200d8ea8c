import Autowait
import AutowaitFigures
import AutowaitScenario

/// Says at first glance whether a run came as it should.
enum SessionVerdict {
  /// Returns the verdict on a run, with what became of its players.
  static func of(_ result: RunResult) -> Page.Verdict {
    let missed = checks(result).filter { !$0.isMet && !$0.isWarning }
    let sentences = SessionWords.answers(result) + [SessionWords.ending(result)].compactMap { $0 }
    func verdict(_ kind: Page.Verdict.Kind, _ text: String) -> Page.Verdict {
      Page.Verdict(kind, text, missed: missed, sentences: sentences)
    }
    let count = result.outcomes.count
    if let reason = breakdown(result) {
      let text = missed.isEmpty ? "" : expected(missed.count, of: count) + " "
      return verdict(.failed, text + reason)
    }
    if !missed.isEmpty { return verdict(.failed, expected(missed.count, of: count)) }
    let warned = result.warned.count { !$0.isMet }
    let warnings = warned > 0 ? " \(Plural.text(warned, "warning"))." : ""
    let isDoubtful = warned > 0 || result.finish == .stillWaiting && !result.isFinishExpected
    if count == 0 { return verdict(isDoubtful ? .doubtful : .none, "No expectations.\(warnings)") }
    let met = count == 1 ? "The expectation is met." : "All \(count) expectations are met."
    return verdict(isDoubtful ? .doubtful : .met, met + warnings)
  }

  private static func expected(_ missed: Int, of count: Int) -> String {
    if count == 1 { return "Failed: the expectation is not met." }
    return "Failed: \(missed) of \(count) expectations \(missed == 1 ? "is" : "are") not met."
  }

  /// Returns what broke a run, if it is not what was expected; nil if nothing did.
  private static func breakdown(_ result: RunResult) -> String? {
    if result.isCutOff {
      let end = SessionWords.rounded(result.end - .start)
      return "Cut off at \(end): the run reached its bound of \(result.bound)."
    }
    // Who expects something of a run in which an item fails may expect just that.
    if !result.outcomes.isEmpty { return nil }
    for record in result.records {
      if record.event == .itemStatus(.failed) {
        return "Failed: an item failed at \(moment(record))."
      }
      if case .exception = record.event {
        return "Failed: an exception was thrown at \(moment(record))."
      }
    }
    return nil
  }

  private static func moment(_ record: EventRecord) -> String {
    SessionWords.rounded(record.instant - .start)
  }

  /// Returns each expectation with what became of it, in the order of the file.
  static func checks(_ result: RunResult) -> [Page.Check] {
    let all = (result.outcomes + result.warned).enumerated().sorted {
      ($0.element.expectation.line, $0.offset) < ($1.element.expectation.line, $1.offset)
    }
    return all.map { _, outcome in
      var check = Page.Check(
        isMet: outcome.isMet, OutcomeRendering.people(outcome.expectation.text),
        differences: outcome.isMet ? [] : TimelineTables.differences(outcome, result.scenario))
      check.isWarning = outcome.expectation.level == .warn
      return check
    }
  }
}
