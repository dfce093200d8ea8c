import Autowait
import AutowaitRendering

/// Tells how true the rules of players are to decisions of the players' own code.
package enum RuleRendering {
  /// Returns the lines of a report: a table with a row for each player.
  package static func lines(_ report: RuleReport) -> [String] {
    let head = [
      ["player", "cases", "equal", "", "changes", "given up", "alike", "invented", "estimates"]
    ]
    let rows = report.rows.map { row in
      let score = row.score
      return [
        row.player.caseName, "\(row.cases)", text(score.decisions), share(score.decisions),
        text(score.changes), text(score.abandonments), text(score.targets), "\(score.invented)",
        share(score.estimates),
      ]
    }
    return TerminalText.table(head + rows) { $0 == 0 }.map {
      TerminalText.withoutTrailingSpaces($0)
    }
  }

  private static func text(_ score: Score) -> String {
    score.count == 0 ? "–" : "\(score.met)/\(score.count)"
  }

  /// A share in hundredths of a percent, rounded down: all of it is only what is without exception.
  private static func share(_ score: Score) -> String {
    if score.count == 0 { return "–" }
    let hundredths = score.met * 10_000 / score.count
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
  }
}
