import Autowait
import AutowaitExperiment

/// Shows people what an experiment came to: the answer first, then the numbers behind it.
enum ComparisonRendering {
  /// From so many columns on there is one table instead of two.
  private static let wideColumns = 112
  /// The longest name of a contestant that is shown whole in a narrow table.
  private static let nameColumns = 26

  /// Draws a comparison for a terminal.
  static func text(_ comparison: Comparison, style: TextStyle) -> String {
    var page = TextPage(style)
    let plan = comparison.result.plan
    page.line(TerminalText.safe(plan.name), .bold)
    if !plan.about.isEmpty { page.paragraph([], TerminalText.safe(plan.about), .dim) }
    page.paragraph([], scope(comparison), .dim)
    page.separate()
    for line in answer(comparison) {
      page.paragraph([PaintedText(TerminalText.padded(line.head, columns: 18), .bold)], line.text)
    }
    let tables =
      style.width >= wideColumns
      ? [ComparisonTable.whole(comparison)]
      : [ComparisonTable.outcome(comparison), ComparisonTable.differences(comparison)]
    for table in tables + [ComparisonTable.metrics(comparison)].compactMap({ $0 }) {
      page.separate()
      draw(table, on: &page)
    }
    page.separate()
    for note in notes(comparison) { page.paragraph([], note, .dim) }
    return page.text
  }

  /// Writes a comparison as Markdown.
  static func markdown(_ comparison: Comparison) -> String {
    let plan = comparison.result.plan
    var text = "## \(escaped(plan.name))\n\n"
    if !plan.about.isEmpty { text += escaped(plan.about) + "\n\n" }
    text += scope(comparison) + "\n\n"
    for line in answer(comparison) { text += "- **\(line.head):** \(escaped(line.text))\n" }
    let tables = [ComparisonTable.whole(comparison), ComparisonTable.metrics(comparison)]
    for table in tables.compactMap({ $0 }) {
      text += "\n| " + table.head.joined(separator: " | ") + " |\n|"
      for column in table.head.indices { text += column == 0 ? "---|" : "---:|" }
      text += "\n"
      for row in table.rows {
        text += "| " + row.cells.map(escaped).joined(separator: " | ") + " |\n"
      }
    }
    text += "\n" + notes(comparison).joined(separator: "\n\n") + "\n"
    return TerminalText.withoutTies(text)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.safe(text) {
      if "\\`*_[]<>|#".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  private static func draw(_ table: ComparisonTable, on page: inout TextPage) {
    var widths = table.head.indices.map { column in
      ([table.head] + table.rows.map(\.cells)).map { TerminalText.width($0[column]) }.max() ?? 0
    }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    widths[0] = min(widths[0], max(12, min(nameColumns * 2, page.width - others)))
    func line(_ cells: [String]) -> String {
      var text = TerminalText.padded(
        TerminalText.shortened(TerminalText.safe(cells[0]), columns: widths[0]),
        columns: widths[0])
      for (cell, width) in zip(cells, widths).dropFirst() {
        text += "  " + TerminalText.rightAligned(cell, columns: width)
      }
      return text
    }
    page.line(line(table.head), .dim)
    for row in table.rows { page.line(line(row.cells), row.paint) }
  }

  // MARK: Words

  static func scope(_ comparison: Comparison) -> String {
    let result = comparison.result
    let plan = result.plan
    let seeds = result.unitCount / max(1, plan.worldCount)
    var text =
      Plural.text(plan.contestantCount, "contestant") + " on "
      + Plural.text(plan.worldCount, "world") + " under " + Plural.text(seeds, "seed") + ": "
      + Plural.text(result.sessionCount, "session")
    if plan.stop != nil {
      text +=
        result.isPreciseEnough
        ? "; the intervals were narrow enough then" : "; the intervals are still too wide"
    }
    return text
  }

  /// The answer: who is best at what, and how far that is from what was possible.
  static func answer(_ comparison: Comparison) -> [(head: String, text: String)] {
    var lines: [(head: String, text: String)] = []
    if let (entries, value) = comparison.least({ $0.summary.startup.quantile(perMille: 500) }) {
      let whose = entries.count == 1 ? "its" : "their"
      let text = "half of \(whose) sessions within \(ComparisonTable.seconds(value)) s"
      lines.append(("starts soonest", "\(names(entries)): \(text)"))
    }
    if let (entries, value) = comparison.least({ $0.summary.stalledShare }) {
      let text = "\(ComparisonTable.percent(value)) of the time watched"
      lines.append(("stalls least", "\(names(entries)): \(text)"))
    }
    if let (entries, value) = comparison.least({ $0.summary.excessWait.mean }) {
      let (waits, who) = entries.count == 1 ? ("waits", "it") : ("wait", "they")
      let more = ComparisonTable.seconds(value)
      let text = "\(waits) \(more) s more than \(who) had to, on the mean"
      lines.append(("nearest to best", "\(names(entries)): \(text)"))
    }
    let best = comparison.clairvoyant?.summary.yardstick.quantile(perMille: 500)
    if let best {
      let text = "half of the sessions within \(ComparisonTable.seconds(best)) s"
      lines.append(("best possible", "\(text), and none with a stall"))
    }
    let hopeless = comparison.entries.map(\.summary.neverStarted).min() ?? 0
    if hopeless > 0 {
      lines.append(
        ("never started", "at least \(Plural.text(Int(hopeless), "session")), whatever the rule"))
    }
    let front = comparison.result.front.map { comparison.entries[$0] }
    let isTrade = front.contains {
      $0.summary.totals.startup != front[0].summary.totals.startup
    }
    if isTrade {
      let text = "less startup is more stalls among these, and all others lose at both"
      lines.append(("hard to choose", "\(names(front)): \(text)"))
    }
    return lines
  }

  private static func names(_ entries: [Comparison.Entry]) -> String {
    let names = entries.map { TerminalText.safe($0.summary.name) }
    if names.count > 4 {
      return names.prefix(3).joined(separator: ", ") + " and "
        + "\(names.count - 3) more"
    }
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// What the numbers mean, and what they do not.
  static func notes(_ comparison: Comparison) -> [String] {
    let plan = comparison.result.plan
    let baseline = comparison.entries[plan.baseline].summary.name
    var notes = [
      "Startup is that of sessions that started. Stalled is the time in stalls of the time "
        + "watched, a ratio of sums (CTA-2066). Excess is the mean waiting, startup and stalls, "
        + "beyond the best possible."
    ]
    if comparison.entries.contains(where: { !$0.summary.startup.isExact }) {
      notes.append("Quantiles are within a thousandth: there are too many sessions to keep all.")
    }
    if plan.contestantCount > 1 {
      notes.append(
        "Differences are in all waiting, to \(TerminalText.safe(baseline)) in the same session, "
          + "less is better; won, even, lost count sessions, even within "
          + "\(OutcomeRendering.seconds(plan.margin.nanoseconds)) s.")
      notes.append(intervalNote(comparison))
    }
    return notes
  }

  private static func intervalNote(_ comparison: Comparison) -> String {
    let hasInterval = comparison.entries.contains { $0.difference(.waiting)?.bounds != nil }
    if !hasInterval {
      return "The simulator is deterministic: any difference is real for these inputs. With a "
        + "single network and seed there is nothing to say of others."
    }
    return "The simulator is deterministic: any difference is real for these inputs. The "
      + "95\(TerminalText.tie)% "
      + "interval speaks only of other networks of the same kind, of which these would be a "
      + "sample; it is drawn by network, not by session."
  }
}
