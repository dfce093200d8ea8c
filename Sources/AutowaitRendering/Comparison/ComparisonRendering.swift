import Autowait
import AutowaitExperiment

/// Shows people what an experiment came to: the answer first, then the numbers behind it.
package enum ComparisonRendering {
  /// The longest name of a contestant that is shown whole in a narrow table.
  private static let nameColumns = 26
  /// The columns that a name always has.
  private static let nameColumnsMin = 18

  /// Draws a comparison for a terminal.
  package static func text(
    _ comparison: Comparison, hasHistogram: Bool, style: TextStyle
  ) -> String {
    var page = TextPage(style)
    let plan = comparison.result.plan
    page.line(TerminalText.safe(plan.name), .bold)
    if !plan.about.isEmpty { page.paragraph([], TerminalText.safe(plan.about), .dim) }
    page.paragraph([], scope(comparison), .dim)
    if let changes = changes(plan) { page.paragraph([], TerminalText.safe(changes), .dim) }
    page.separate()
    for line in ComparisonAnswer.lines(comparison) {
      page.paragraph([PaintedText(TerminalText.padded(line.head, columns: 18), .bold)], line.text)
    }
    let whole = ComparisonTable.whole(comparison)
    let isWide = widths(of: whole).dropFirst().reduce(nameColumnsMin) { $0 + $1 + 2 } <= page.width
    let tables =
      isWide
      ? [whole]
      : [
        ComparisonTable.outcome(comparison), ComparisonTable.quality(comparison),
        ComparisonTable.differences(comparison),
      ].compactMap { $0 }
    let more = [ComparisonTable.metrics(comparison), ComparisonTable.changes(comparison)]
    for table in tables + more.compactMap({ $0 }) {
      page.separate()
      draw(table, on: &page)
    }
    if hasHistogram {
      page.separate()
      page.line(histogramTitle, .dim)
      draw(.histogram(comparison), on: &page)
    }
    ThresholdRendering.draw(comparison.result, on: &page)
    page.separate()
    for note in notes(comparison) { page.paragraph([], note, .dim) }
    return page.text
  }

  /// The contestants on the front as the members of a scenario, each in a line of whatever length
  /// that is there to be copied.
  package static func found(_ comparison: Comparison) -> String {
    let result = comparison.result
    if result.front.isEmpty { return "" }
    let lines = result.front.map { result.plan.contestantText($0) + "\n" }
    return "\nOn the front, as a scenario has it:\n" + lines.joined()
  }

  /// Writes a comparison as Markdown.
  package static func markdown(_ comparison: Comparison, hasHistogram: Bool) -> String {
    let plan = comparison.result.plan
    var text = "## \(escaped(plan.name))\n\n"
    if !plan.about.isEmpty { text += escaped(plan.about) + "\n\n" }
    text += scope(comparison) + "\n\n"
    if let changes = changes(plan) { text += escaped(changes) + "\n\n" }
    for line in ComparisonAnswer.lines(comparison) {
      text += "- **\(line.head):** \(escaped(line.text))\n"
    }
    text += markdown(.relative(comparison))
    let more = [ComparisonTable.metrics(comparison), ComparisonTable.changes(comparison)]
    for table in more.compactMap({ $0 }) { text += markdown(table) }
    if hasHistogram {
      text += "\n" + histogramTitle + "\n" + markdown(.histogram(comparison))
    }
    text += ThresholdRendering.markdown(comparison.result, escaped)
    let notes = notes(comparison) + [relativeNote(comparison)]
    text += "\n" + notes.map(escaped).joined(separator: "\n\n") + "\n"
    return TerminalText.withoutTies(text)
  }

  private static func markdown(_ table: ComparisonTable) -> String {
    var text = "\n| " + table.head.joined(separator: " | ") + " |\n|"
    for column in table.head.indices { text += column == 0 ? "---|" : "---:|" }
    text += "\n"
    for row in table.rows {
      text += "| " + row.cells.map(escaped).joined(separator: " | ") + " |\n"
    }
    return text
  }

  private static let histogramTitle =
    "Startup: percent of the sessions in each range of times"

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.safe(text) {
      if "\\`*_[]<>|#&~".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// Draws a table; columns that do not fit go into another one below.
  static func draw(_ table: ComparisonTable, on page: inout TextPage) {
    let widths = widths(of: table)
    var columns = widths.indices.dropFirst()
    var isFirst = true
    while isFirst || !columns.isEmpty {
      var others = 0
      let shown = columns.prefix { column in
        others += widths[column] + 2
        return others + nameColumnsMin <= page.width || column == columns.first
      }
      columns = columns.dropFirst(shown.count)
      if !isFirst { page.separate() }
      isFirst = false
      draw(table, Array(shown), widths, on: &page)
    }
  }

  private static func widths(of table: ComparisonTable) -> [Int] {
    table.head.indices.map { column in
      ([table.head] + table.rows.map { $0.cells }).map { TerminalText.width($0[column]) }.max() ?? 0
    }
  }

  private static func draw(
    _ table: ComparisonTable, _ columns: [Int], _ widths: [Int], on page: inout TextPage
  ) {
    let others = columns.reduce(0) { $0 + widths[$1] + 2 }
    // A single column that is very wide leaves less than names else have.
    let room = min(widths[0], max(8, min(nameColumns * 2, page.width - others)))
    func line(_ cells: [String]) -> String {
      var text = TerminalText.padded(
        name(TerminalText.safe(cells[0]), columns: room), columns: room)
      for column in columns {
        text += "  " + TerminalText.rightAligned(cells[column], columns: widths[column])
      }
      return text
    }
    page.line(line(table.head), .dim)
    for row in table.rows { page.line(line(row.cells), row.paint) }
  }

  /// Returns a name that fits; who is the baseline is not cut off if something of the name stays.
  private static func name(_ name: String, columns: Int) -> String {
    let mark = ComparisonTable.baselineMark
    let room = columns - mark.utf8.count
    guard TerminalText.width(name) > columns, room >= 7, name.hasSuffix(mark) else {
      return TerminalText.shortened(name, columns: columns)
    }
    return TerminalText.shortened(String(name.dropLast(mark.count)), columns: room) + mark
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

  /// What a command changed in the base; nil for nothing.
  static func changes(_ plan: ExperimentPlan) -> String? {
    if plan.changes.isEmpty { return nil }
    return "with " + plan.changes.map { "'\($0)'" }.joined(separator: ", ")
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
    if comparison.hasVariants {
      notes.append(
        "Kbit/s is the mean rate of the variants, by how long each played, and switches are "
          + "changes of variant in a session: means over the sessions that played.")
    }
    if plan.contestantCount > 1 { notes += ComparisonAnswer.notes(comparison) }
    if comparison.entries.contains(where: { !$0.summary.startup.isExact }) {
      notes.append("Quantiles are within a thousandth: there are too many sessions to keep all.")
    }
    if plan.contestantCount > 1 {
      notes.append(
        "Differences are in all waiting, to \(TerminalText.safe(baseline)) in the same session, "
          + "less is better; won, even, lost count sessions, even within "
          + "\(OutcomeRendering.seconds(plan.margin.nanoseconds)) s. Same is the share of sessions "
          + "in which nothing differs.")
      notes.append(intervalNote(comparison))
    }
    if let saved = plan.saved {
      notes.append(
        "'Since' compares each session with the same one in \(TerminalText.safe(saved.path)): the "
          + "mean differences, less is better, and in how many sessions one of the three changed.")
    }
    return notes
  }

  private static func relativeNote(_ comparison: Comparison) -> String {
    let baseline = comparison.entries[comparison.result.plan.baseline].summary.name
    let sessions = Plural.text(Int(comparison.result.common.count), "session")
    return "'\(ComparisonTable.relativeHead)' is the mean startup as a multiple of that of "
      + "\(TerminalText.safe(baseline)), over the \(sessions) of each that started under all "
      + "contestants; ± is half the 95 % interval of the difference."
  }

  private static func intervalNote(_ comparison: Comparison) -> String {
    let hasInterval = comparison.entries.contains { $0.difference(.waiting)?.bounds != nil }
    if !hasInterval {
      return "The simulator is deterministic: any difference is real for these inputs. With a "
        + "single network and seed there is nothing to say of others."
    }
    let (kind, drawn) = sample(comparison.result.plan)
    return "The simulator is deterministic: any difference is real for these inputs. The "
      + "95\(TerminalText.tie)% "
      + "interval speaks only of other \(kind), of which these would be a "
      + "sample; it is drawn by \(drawn)."
  }

  /// What intervals speak of, and what is drawn for them.
  private static func sample(_ plan: ExperimentPlan) -> (kind: String, drawn: String) {
    if plan.worldAxes.contains(where: { $0.key == "link" && $0.values.count > 1 }) {
      return ("networks of the same kind", "network, not by session")
    }
    return plan.worldCount > 1
      ? ("worlds of the same kind", "world, not by session") : ("seeds", "seed")
  }
}
