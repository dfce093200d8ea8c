import AutowaitFidelity
import AutowaitRendering

/// Prints how well one player's session says what another player would have met.
package enum WhatIfFidelityText {
  /// How far the inferred links may be from the planned schedule, which no inference can beat.
  private static let bars: [(name: String, value: String)] = [
    ("download time, median", "oracle + 0.015"), ("download time, 90 %", "oracle + 0.040"),
    ("stall count exact", "oracle − 0.04"), ("stalls or not, by probability", "0.950"),
    ("stalled time, median", "oracle + 0.200 s"), ("80 % intervals cover", "0.750 to 0.900"),
  ]

  /// Returns the lines of a report.
  package static func lines(_ report: WhatIfFidelity) -> [String] {
    var lines = table(report)
    let first =
      "\(Plural.text(report.pairs, "pair")) of sessions, links inferred from "
      + "\(Plural.text(report.inferences, "session"))"
    let rest =
      report.disagreements == 0 ? "" : "; in \(report.disagreements) of them the chains disagree"
    lines = [first + rest, ""] + lines
    guard let oracle = report.columns[.oracle], let inferred = report.columns[.inferred] else {
      return lines
    }
    return lines + [""] + verdicts(oracle, inferred)
  }

  private static func table(_ report: WhatIfFidelity) -> [String] {
    let head = [
      [
        "link from", "download", "90 %", "startup s", "90 %", "count", "stalls?", "stalled s",
        "90 %", "covered",
      ]
    ]
    let rows = LinkGuess.allCases.compactMap { guess -> [String]? in
      guard let column = report.columns[guess] else { return nil }
      return [
        guess.title, quantile(column.downloads, 50), quantile(column.downloads, 90),
        quantile(column.startups, 50), quantile(column.startups, 90), share(column.counts),
        share(column.decisions), quantile(column.totals, 50), quantile(column.totals, 90),
        guess == .inferred ? share(column.covered) : "",
      ]
    }
    return TerminalText.table(head + rows) { $0 == 0 }.map {
      TerminalText.withoutTrailingSpaces($0)
    }
  }

  private static func verdicts(
    _ oracle: WhatIfFidelity.Column, _ inferred: WhatIfFidelity.Column
  ) -> [String] {
    func more(_ values: KeyPath<WhatIfFidelity.Column, [Double]>, _ part: Double) -> Double {
      WhatIfFidelity.Column.quantile(inferred[keyPath: values], part)
        - WhatIfFidelity.Column.quantile(oracle[keyPath: values], part)
    }
    func part(_ score: Score) -> Double {
      score.count == 0 ? 1 : Double(score.met) / Double(score.count)
    }
    let covered = part(inferred.covered)
    let areMet = [
      more(\.downloads, 0.5) <= 0.015, more(\.downloads, 0.9) <= 0.04,
      part(inferred.counts) >= part(oracle.counts) - 0.04, part(inferred.decisions) >= 0.95,
      more(\.totals, 0.5) <= 0.2, covered >= 0.75 && covered <= 0.9,
    ]
    let found = [
      quantile(inferred.downloads, 50), quantile(inferred.downloads, 90), share(inferred.counts),
      share(inferred.decisions), quantile(inferred.totals, 50), share(inferred.covered),
    ]
    let rows = bars.indices.map { place in
      [bars[place].name, found[place], bars[place].value, areMet[place] ? "met" : "missed"]
    }
    return TerminalText.table([["bar", "inferred", "asked", ""]] + rows) { $0 == 0 || $0 == 3 }
      .map { TerminalText.withoutTrailingSpaces($0) }
  }

  private static func quantile(_ values: [Double], _ part: Int) -> String {
    values.isEmpty
      ? "–" : thousandths(WhatIfFidelity.Column.quantile(values, Double(part) / 100))
  }

  private static func share(_ score: Score) -> String {
    score.count == 0 ? "–" : thousandths(Double(score.met) / Double(score.count))
  }

  /// A number with three digits behind the point.
  private static func thousandths(_ value: Double) -> String {
    let whole = Int((value * 1_000).rounded())
    let rest = String(whole % 1_000)
    return "\(whole / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
