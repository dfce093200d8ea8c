import Autowait
import AutowaitFidelity
import AutowaitRendering
import AutowaitScenario

/// Says how rules would have done in a recorded session.
package enum WhatIfText {
  /// The folders of a log would leave no room on its line.
  private static func fileName(_ path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// Returns the text.
  package static func text(_ report: WhatIfReport, style: TextStyle) -> String {
    var page = TextPage(style)
    page.paragraph([], head(report))
    for note in report.log.notes { page.paragraph([], note, .dim) }
    if let reason = report.refit.reason {
      page.separate()
      for line in refusal(report, reason) { page.paragraph([], line) }
      return page.text
    }
    for rows in tables(report) {
      page.separate()
      let lines = TerminalText.table(
        rows, fitting: page.width, byAbridging: 0, isText: { $0 == 0 })
      for line in lines { page.line(line) }
    }
    page.separate()
    for remark in remarks(report) { page.paragraph([], remark, .dim) }
    return page.text
  }

  /// Says what the log is.
  static func head(_ report: WhatIfReport) -> String {
    let log = report.log
    let trip = log.roundTrip.map { ", round trip \(seconds($0.nanoseconds)) s" } ?? ""
    let requests = count(log.requests.count, "request")
    return "\(fileName(log.name)): \(log.form.rawValue), \(requests) in "
      + "\(seconds((report.horizon - .start).nanoseconds)) s\(trip)"
  }

  /// Returns the tables of an answer, row by row; the first row has the titles.
  static func tables(_ report: WhatIfReport) -> [[[String]]] {
    var tables = [rows(report)]
    let rest = differences(report)
    if rest.count > 1 { tables.append(rest) }
    if !report.stalls.isEmpty, !report.rules.isEmpty { tables.append(stalls(report)) }
    return tables
  }

  /// Says how the tables are to be read.
  static func remarks(_ report: WhatIfReport) -> [String] {
    var remarks = report.rules.filter { $0.unseen >= 50_000 }.map { rule in
      "\(rule.choice.label): \(rule.unseen / 10_000) % of its transfers are at times about which "
        + "the log says nothing"
    }
    remarks.append(
      "medians, and in brackets what 8 of 10 links have; differences are those on the same link; "
        + "\(report.links.count) links fit the log")
    return remarks
  }

  /// Says that the recorded session does not come back, and where it differs most.
  package static func refusal(_ report: WhatIfReport, _ reason: String) -> [String] {
    var lines = [
      "'\(report.recorded.choice.label)' does not reproduce the recorded session: \(reason)"
    ]
    if let worst = report.refit.worst {
      lines.append(
        "worst: request \(worst.number), \(words(worst.resource)), was over at "
          + "\(seconds((worst.recorded - .start).nanoseconds)) s, and is at "
          + "\(seconds((worst.played - .start).nanoseconds)) s")
    }
    lines.append(
      "either the player follows another rule (--player), or this log cannot carry the question")
    return lines
  }

  /// Says of each rule on how many links it plays without a stall.
  package static func answers(_ report: WhatIfReport) -> [String] {
    report.rules.map {
      "\($0.choice.label) plays without a stall on \($0.smooth) of \(report.links.count) links."
    }
  }

  private static func rows(_ report: WhatIfReport) -> [[String]] {
    var rows = [["seconds", "startup", "stalls", "stalled", "no stall"]]
    if let seen = report.log.outcome {
      let own = PlayedOutcome(seen, until: report.horizon)
      rows.append([
        "as recorded", own.startup.map { seconds(($0 - .start).nanoseconds) } ?? "never",
        "\(own.stalls.count)", seconds(own.stalled.nanoseconds), "",
      ])
    }
    for (place, rule) in ([report.recorded] + report.rules).enumerated() {
      rows.append([
        rule.choice.label + (place == 0 ? " again" : ""),
        range(rule.startup) ?? "never", counts(rule.stallCount),
        range(rule.stalled) ?? "", "\(rule.smooth) of \(report.links.count)",
      ])
    }
    return rows
  }

  private static func differences(_ report: WhatIfReport) -> [[String]] {
    let own = report.recorded
    var rows = [["against '\(own.choice.label)'", "later start", "stalled more"]]
    for rule in report.rules {
      rows.append([
        rule.choice.label, range(rule.laterStart(than: own), isSigned: true) ?? "–",
        range(rule.stalledMore(than: own), isSigned: true) ?? "–",
      ])
    }
    return rows
  }

  private static func stalls(_ report: WhatIfReport) -> [[String]] {
    let isLogged = report.stalls.allSatisfy(\.isRecorded)
    var rows = [
      [
        (isLogged ? "stalls" : "stalls of '\(report.recorded.choice.label)'")
          + ", avoided on how many of \(report.links.count) links"
      ] + report.rules.map(\.choice.label)
    ]
    for answer in report.stalls {
      rows.append(
        [
          "\(seconds((answer.stall.start - .start).nanoseconds)) to "
            + "\(seconds((answer.stall.end - .start).nanoseconds)) s"
        ] + answer.avoided.map { "\($0)" })
    }
    return rows
  }

  // MARK: Words and numbers

  static func words(_ resource: RequestIndex.Resource) -> String {
    switch resource {
    case .file: "the file"
    case .multivariantPlaylist: "the multivariant playlist"
    case .mediaPlaylist(let list): "the playlist of list \(list)"
    case .contentKey(let number): "key \(number)"
    case .initialization(let list): "the initialization section of list \(list)"
    case .segment(let list, let number): "segment \(number) of list \(list)"
    }
  }

  static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  /// Nanoseconds as seconds with two decimals.
  static func seconds(_ nanoseconds: Int64, isSigned: Bool = false) -> String {
    let hundredths = (nanoseconds.magnitude + 5_000_000) / 10_000_000
    let sign = nanoseconds < 0 && hundredths > 0 ? "−" : isSigned && hundredths > 0 ? "+" : ""
    let rest = hundredths % 100
    return "\(sign)\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func range(_ range: ValueRange?, isSigned: Bool = false) -> String? {
    guard let range else { return nil }
    func text(_ value: Int64) -> String { seconds(value, isSigned: isSigned) }
    let middle = isSigned ? " to " : "–"
    return "\(text(range.median)) [\(text(range.low))\(middle)\(text(range.high))]"
  }

  private static func counts(_ range: ValueRange?) -> String {
    guard let range else { return "" }
    return "\(range.median) [\(range.low)–\(range.high)]"
  }
}
