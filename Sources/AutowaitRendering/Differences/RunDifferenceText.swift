import Autowait
import AutowaitScenario

/// Renders how two runs differ for people: `-` stands for the first run, `+` for the second.
package enum RunDifferenceText {
  /// Nothing narrower can be read.
  private static let widthMin = 40
  /// So many words that differ are shown, unless all are asked for; assumed.
  private static let wordsMax = 20

  /// Returns the text; with all of it, what is equal in both runs is shown, too.
  package static func text(
    _ difference: RunDifference, showsAll: Bool, style: TextStyle
  ) -> String {
    let width = max(style.width, widthMin)
    var page = TextPage(TextStyle(width: width, usesColor: style.usesColor))
    title(difference, on: &page)
    words(difference, showsAll, on: &page)
    events(difference, on: &page)
    if let state = difference.state {
      let what = state.isLogged ? "last said by the events up to" : "state at"
      let rows = state.rows.filter { showsAll || $0.differs }
      let title = "\(what) \(OutcomeRendering.seconds(state.instant)) s"
      if rows.isEmpty {
        page.separate()
        page.line("\(title): equal in both", .bold)
      }
      table(title, rows, hasChanges: false, on: &page)
    }
    if !difference.why.isEmpty {
      page.separate()
      page.line("why", .bold)
      for text in difference.why { page.paragraph([PaintedText("  ")], text, indent: 4) }
    }
    let rows = difference.metrics.filter { showsAll || $0.differs }
    table("metrics", rows, hasChanges: true, on: &page)
    for side in [difference.first, difference.second] where side.summary == nil {
      page.separate()
      page.paragraph([], "\(side.path) is cut off: it has no summary with metrics", .yellow)
    }
    return page.text
  }

  private static func title(_ difference: RunDifference, on page: inout TextPage) {
    for (mark, side, paint) in sides(difference) {
      let model = side.version == .current ? "" : " (\(side.version.words))"
      page.line([
        PaintedText("\(mark) ", paint),
        PaintedText("\(side.path): \(side.name)\(model)", .bold),
      ])
    }
  }

  private static func sides(
    _ difference: RunDifference
  ) -> [(mark: String, side: RunSide, paint: Paint)] {
    [("-", difference.first, .red), ("+", difference.second, .green)]
  }

  private static func words(
    _ difference: RunDifference, _ showsAll: Bool, on page: inout TextPage
  ) {
    page.separate()
    let words = difference.words
    if words.isEmpty { return page.line("the scenarios say the same") }
    page.line("\(Plural.text(words.count, "difference")) in the scenarios", .bold)
    let shown = showsAll ? words : Array(words.prefix(wordsMax))
    for word in shown {
      page.line("  \(word.path.isEmpty ? "(all of it)" : word.path)")
      for (mark, text, paint) in [("-", word.first, Paint.red), ("+", word.second, .green)] {
        guard let text else { continue }
        let room = page.width - 6
        page.line([
          PaintedText("    \(mark) ", paint),
          PaintedText(TerminalText.shortened(TerminalText.safe(text), columns: room)),
        ])
      }
    }
    if shown.count < words.count {
      page.line("  and \(words.count - shown.count) more, which '--all' shows", .dim)
    }
  }

  private static func events(_ difference: RunDifference, on page: inout TextPage) {
    page.separate()
    guard difference.hasEvents else {
      let isSame = difference.isSame
      page.paragraph(
        [],
        isSame
          ? "the same happens: the fingerprints are equal"
          : "the first difference is unknown: a long golden log has no events, and this build "
            + "does not give it")
      return
    }
    guard let events = difference.events else {
      return page.line("the same happens, event by event", .green)
    }
    let time = difference.instant.map { " at \(OutcomeRendering.seconds($0)) s" } ?? ""
    page.line("first difference\(time), in line \(events.number)", .bold)
    let names = (recorded: "the first run", actual: "the second run")
    // Besides the line there are a mark, its number, and ellipses; or the word 'cause'.
    let columns = max(page.width - 14 - "\(events.number)".utf8.count, 20)
    for line in DifferenceRendering.lines(events, columns: columns, names: names) {
      let paint: Paint = line.hasPrefix("-") ? .red : line.hasPrefix("+") ? .green : .plain
      page.line("  \(line)", paint)
    }
  }

  /// Draws values side by side.
  private static func table(
    _ title: String, _ rows: [RunDifference.Row], hasChanges: Bool, on page: inout TextPage
  ) {
    if rows.isEmpty { return }
    page.separate()
    page.line(title, .bold)
    var cells = [["", "-", "+", hasChanges ? "change" : ""]]
    cells += rows.map { row in
      let player = row.player.map { TerminalText.safe($0) + "." } ?? ""
      return [
        "  \(player)\(row.name)", row.first.map(TerminalText.safe) ?? "none",
        row.second.map(TerminalText.safe) ?? "none", row.change ?? "",
      ]
    }
    let lines = TerminalText.table(cells) { $0 == 0 }
    if lines.allSatisfy({ TerminalText.width($0) <= page.width }) {
      for line in lines { page.line(line) }
      return
    }
    // What does not fit side by side stands one below the other.
    for row in cells.dropFirst() {
      page.line(row[0])
      for (mark, text, paint) in [("-", row[1], Paint.red), ("+", row[2], .green)] {
        page.paragraph([PaintedText("    \(mark) ", paint)], text)
      }
    }
  }
}

extension LogVersion {
  /// What made a log, in words.
  fileprivate var words: String {
    let tool = tool.map { "autowait \($0)" } ?? "an older autowait"
    return model.map { "\(tool), model version \($0)" } ?? tool
  }
}
