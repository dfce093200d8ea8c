import Autowait
import AutowaitExperiment
import AutowaitFigures

/// Says what an experiment came to in a few lines: who is best at what, and for whom.
enum ComparisonAnswer {
  typealias AnswerLine = (head: String, text: String)

  /// The most viewers that are told apart.
  private static let viewersMax = 4

  /// The answer, and how far it is from what was possible.
  static func lines(_ comparison: Comparison) -> [AnswerLine] {
    var lines = ViewerRendering.lines(comparison)
    if let (entries, value) = comparison.least({ $0.summary.startup.quantile(perMille: 500) }) {
      let text = "half of the sessions that start within \(ComparisonTable.seconds(value)) s"
      lines.append(("starts soonest", "\(names(entries)): \(text)"))
    }
    if let (entries, value) = comparison.least({ $0.stalledShareOfStarted }) {
      let text = "\(ComparisonTable.percent(value)) of the time watched"
      lines.append(("stalls least", "\(names(entries)): \(text)"))
    }
    if let line = quality(comparison) { lines.append(line) }
    if let line = best(comparison) { lines.append(line) }
    if let best = comparison.clairvoyant?.summary {
      if let median = best.yardstick.quantile(perMille: 500) {
        let rest = Int64(comparison.result.unitCount) - best.yardstick.count
        let text = "half of the sessions within \(ComparisonTable.seconds(median)) s"
        let none = rest > 0 ? "; \(rest) \(rest == 1 ? "has" : "have") no such start" : ""
        lines.append(("best possible", "\(text), and none with a stall\(none)"))
      }
    }
    if let line = failures(comparison) { lines.append(("could not be run", line)) }
    let hopeless = comparison.entries.map { $0.summary.neverStarted }.min() ?? 0
    if hopeless > 0 {
      lines.append(
        ("never started", "at least \(Plural.text(Int(hopeless), "session")), whatever the rule"))
    }
    if let line = trade(comparison) { lines.append(line) }
    return lines
  }

  /// Says for which viewers which contestants are best; nil if that is nobody's question, or if
  /// nobody is.
  private static func best(_ comparison: Comparison) -> AnswerLine? {
    // Viewers whom numbers of three digits do not tell apart are none.
    let choices = comparison.result.viewerChoices.filter { choice in
      choice.most.map { Measure.ratio.text($0) != Measure.ratio.text(choice.least) } ?? true
    }
    guard comparison.entries.count > 1, let first = choices.first, let last = choices.last else {
      return nil
    }
    let isCut = choices.count > viewersMax
    let shown = isCut ? Array(choices.prefix(viewersMax - 1)) : Array(choices.dropLast())
    var parts = (shown + [last]).map { choice in
      let names = names(choice.contestants.map { comparison.entries[$0] })
      return "\(worth(choice)) \(names)"
    }
    if isCut { parts.insert("…", at: parts.count - 1) }
    let text =
      choices.count == 1
      ? "\(names(first.contestants.map { comparison.entries[$0] })), if a second of stall is worth "
        + "a second of startup or more"
      : "if a second of stall is worth \(parts.joined(separator: "; "))"
    return ("best for whom", text)
  }

  /// Says what a second of stall is worth to viewers.
  private static func worth(_ choice: ViewerChoice) -> String {
    let least = Measure.ratio.text(choice.least)
    guard let most = choice.most else { return "\(least) s of startup or more:" }
    return "\(least) to \(Measure.ratio.text(most)) s of startup:"
  }

  /// Says who plays the best picture; nil where there are no variants.
  private static func quality(_ comparison: Comparison) -> AnswerLine? {
    guard comparison.hasVariants,
      let (entries, value) = comparison.least({ $0.summary.bitRates.mean.map { -$0 } })
    else { return nil }
    let rate = Measure.bitRate.text(-value)
    return ("sharpest picture", "\(names(entries)): \(rate) on average")
  }

  /// Says who trades startup for stalls; nil if one beats all.
  private static func trade(_ comparison: Comparison) -> AnswerLine? {
    let front = comparison.result.front.map { comparison.entries[$0] }
    let startups = comparison.result.front.map {
      (comparison.result.common.costs(of: $0)?.totals ?? comparison.entries[$0].summary.totals)
        .startup
    }
    guard startups.contains(where: { $0 != startups[0] }) else { return nil }
    let common = comparison.result.common
    let shown = comparison.comparable.filter { common.count == 0 || common.costs(of: $0) != nil }
    let others = front.count < shown.count ? ", and all others lose at both" : ""
    let text = "among these, faster startup means more stalls" + others
    return ("hard to choose", "\(names(front)): \(text)")
  }

  /// Says which contestants have sessions that could not be run; nil if all could.
  private static func failures(_ comparison: Comparison) -> String? {
    let failing = comparison.failing
    if failing.isEmpty { return nil }
    let count = failing.reduce(0) { $0 + $1.summary.errors }
    let sessions = Plural.text(Int(count), "session")
    let isShared = comparison.comparable.contains { comparison.entries[$0].summary.errors > 0 }
    if isShared { return "\(sessions), of \(names(failing)), which are in none of the numbers" }
    return "\(sessions) of \(names(failing)), left out of this answer"
  }

  /// Returns the names of contestants as a list whose last two a word joins.
  static func names(_ entries: [Comparison.Entry], word: String = "and") -> String {
    let names = entries.map { TerminalText.safe($0.summary.name) }
    if names.count > 4 {
      return names.prefix(3).joined(separator: ", ") + " \(word) "
        + "\(names.count - 3) more"
    }
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  /// What the answer goes by.
  static func notes(_ comparison: Comparison) -> [String] {
    let count = comparison.result.common.count
    if count == 0 {
      return [
        "No session started under all contestants, so nothing is said about what to choose. "
          + "Sessions that never started count with all their waiting in 'hard to choose'."
      ]
    }
    let often = comparison.comparable.contains {
      comparison.result.common.costs(of: $0)?.stallsOften ?? false
    }
    let others =
      often
      ? " A contestant that stalls more than once a session and once a minute is never chosen."
      : ""
    return [
      "'Choose', 'best for whom' and 'hard to choose' cover the "
        + "\(Plural.text(Int(count), "session")) of each that started under all contestants."
        + others,
      ViewerRendering.note,
    ]
  }
}
