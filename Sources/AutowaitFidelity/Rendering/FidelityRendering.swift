import Autowait
import AutowaitRendering
import AutowaitScenario

/// Tells how true simulations are to recordings.
package enum FidelityRendering {
  /// How much is told.
  package enum Detail: Sendable {
    /// Each player, and all of them.
    case tables
    /// Each recording, too.
    case recordings
    /// Each recording with its requests.
    case requests
  }

  /// Returns the text of a report.
  package static func text(
    _ report: FidelityReport, _ detail: Detail, style: TextStyle
  ) -> String {
    var page = TextPage(style)
    if detail != .tables { recordings(report, detail == .requests, &page) }
    let tables = [scores(report), columns(report), requests(report), variants(report)]
    for table in tables where table.count > 1 {
      page.separate()
      for line in TerminalText.table(table, isText: { $0 == 0 }) { page.line(line) }
    }
    if let freezes = freezes(report) {
      page.separate()
      page.line(freezes)
    }
    let outages = outages(report)
    if outages.count > 1 {
      page.separate()
      for line in TerminalText.table(
        outages, fitting: page.width, byAbridging: 0, isText: { $0 == 0 })
      { page.line(line) }
    }
    return page.text
  }

  /// How many freezes of pictures are found and invented; nil without any.
  static func freezes(_ report: FidelityReport) -> String? {
    let freezes = report.freezes { _ in true }
    if freezes.found.count + freezes.invented == 0 { return nil }
    let found = freezes.found.count == 0 ? "0" : text(freezes.found)
    let line = "freezes of pictures: \(found) found, \(freezes.invented) invented"
    let repeats = report.freezeCeiling { _ in true }
    if repeats.found.count == 0 { return line }
    return "\(line); a repeat: \(text(repeats.found)) and \(repeats.invented)"
  }

  /// When players went on after outages, and when they do in many runs.
  static func outages(_ report: FidelityReport) -> [[String]] {
    var rows = [["on again after an outage", "recorded", "\(OutageRange.runs) runs", "within"]]
    var (score, widest) = (Score(), TimeSpan.zero)
    for row in report.outages {
      guard let outage = row.outage else { continue }
      var range = "–"
      if let first = outage.simulated.first, let last = outage.simulated.last {
        range = "\(seconds(first)) – \(seconds(last)) s"
      }
      score.add(outage.holds)
      widest = max(widest, outage.width)
      rows.append([
        row.recording.name, "\(seconds(outage.recorded)) s", range, outage.holds ? "✓" : "✗",
      ])
    }
    if rows.count > 1 {
      rows.append(["all", "", "at most \(seconds(widest.nanoseconds)) s", text(score)])
    }
    return rows
  }

  /// Tells which numbers were chosen without each shape of link, and how they do on it.
  package static func text(_ trial: LeaveOneOut, style: TextStyle) -> String {
    var page = TextPage(style)
    var rows = [["player", "measured", "in use", "without a shape", "met", "in use"]]
    for group in trial.groups {
      for (place, constant) in group.constants.enumerated() {
        let values = group.choices.map { $0.constants[place].value }
        let (least, most) = (values.min() ?? 0, values.max() ?? 0)
        let isFirst = place == 0
        rows.append([
          isFirst ? "\(group.player), \(group.isStream ? "streams" : "files")" : "",
          constant.key, text(constant.value, constant),
          least == most
            ? text(least, constant)
            : "\(constant.isTime ? seconds(least) : "\(least)") – \(text(most, constant))",
          isFirst ? text(group.leftOut) : "", isFirst ? text(group.inUse) : "",
        ])
      }
    }
    let (leftOut, inUse) = trial.groups.reduce((Score(), Score())) {
      ($0.0 + $1.leftOut, $0.1 + $1.inUse)
    }
    rows.append(["all", "", "", "", text(leftOut), text(inUse)])
    for line in TerminalText.table(rows, isText: { $0 < 4 }) { page.line(line) }
    return page.text
  }

  private static func text(_ value: Int64, _ constant: RecordedPlayer.Constant) -> String {
    constant.isTime ? "\(seconds(value)) s" : "\(value) B"
  }

  // MARK: - Recordings

  private static func recordings(
    _ report: FidelityReport, _ showsRequests: Bool, _ page: inout TextPage
  ) {
    let head = [["", "recording: simulated / recorded", "", "startup", "stalls", "stalled"]]
    let lines = TerminalText.table(
      head + report.rows.map { cells($0) }, fitting: page.width, byAbridging: 1
    ) { $0 < 3 }
    page.line(lines[0])
    for (line, row) in zip(lines.dropFirst(), report.rows) {
      page.line(line, row.judged?.verdict.isTrue == false && !row.recording.isBusy ? .red : .plain)
      if let wrong = wrong(row) { page.paragraph([PaintedText("   ")], wrong, .dim) }
      for note in RecordedPlayer.notes(on: row.recording) {
        page.paragraph([PaintedText("   ")], TerminalText.safe(note), .dim)
      }
      if showsRequests, let requests = row.detailed?.requests {
        for line in table(of: requests, row.recording) { page.line("   " + line, .dim) }
      }
    }
  }

  private static func cells(_ row: FidelityReport.Row) -> [String] {
    let (recording, was, outcome) = (
      row.recording, row.recording.outcome, row.judged?.session.outcome
    )
    let stalled = outcome.map { seconds($0.stalled.nanoseconds) } ?? "–"
    return [
      mark(row), recording.name, recording.standard.kind.rawValue,
      "\(seconds(outcome?.startup)) / \(seconds(was.startup))",
      "\(outcome.map { "\($0.stalls.count)" } ?? "–") / \(was.stalls.count)",
      "\(stalled) / \(seconds(was.stalled.nanoseconds))",
    ]
  }

  /// ✓ and ✗ say whether a recording is met; · that the machine was too busy for it to count.
  static func mark(_ row: FidelityReport.Row) -> String {
    if row.recording.isBusy { return "·" }
    guard let verdict = row.judged?.verdict else { return "?" }
    return verdict.isTrue ? "✓" : "✗"
  }

  /// Says what is wrong with the prediction of a recording; nil if nothing is.
  static func wrong(_ row: FidelityReport.Row) -> String? {
    guard let verdict = row.judged?.verdict else { return "no heuristic plays for this player" }
    if verdict.isTrue { return nil }
    let shown = verdict.misses.prefix(4).map { miss in
      switch miss.unit {
      case .count: "\(signed(miss.difference)) \(miss.what)"
      case .time: "\(miss.what) \(miss.difference < 0 ? "" : "+")\(seconds(miss.difference)) s"
      case .presence: "\(miss.what) \(miss.difference < 0 ? "is missing" : "was not recorded")"
      }
    }
    let more = verdict.misses.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }

  private static func signed(_ count: Int64) -> String { count < 0 ? "−\(-count)" : "+\(count)" }

  private static func table(of requests: RequestComparison, _ recording: Recording) -> [String] {
    let rows = requests.pairs.map { pair in
      [
        words(pair.recorded.resource, recording)
          + (pair.recorded.aborted == nil ? "" : ", dropped"),
        "\(seconds(pair.simulated?.asked)) / \(seconds(pair.recorded.asked))",
        "\(seconds(pair.simulated?.done)) / \(seconds(pair.recorded.ended))",
      ]
    }
    let invented = requests.invented.map { request in
      [
        words(request.resource, recording), "\(seconds(request.asked)) / –",
        "\(seconds(request.done)) / –",
      ]
    }
    return TerminalText.table([["request", "asked", "done"]] + rows + invented) { $0 == 0 }
  }

  /// What was asked for, in words.
  static func words(_ resource: RequestIndex.Resource?, _ recording: Recording) -> String {
    var (names, segments) = ([String](), 0)
    if case .stream(_, let variants, let sound) = recording.medium.content {
      names = (variants + [sound].compactMap { $0 }).map { TerminalText.safe($0.name) }
      segments = variants[0].segments.count
    }
    func list(_ number: Int) -> String { number < names.count ? names[number] : "\(number)" }
    return switch resource {
    case nil: "something else"
    case .file: "the file"
    case .multivariantPlaylist: "the multivariant playlist"
    case .mediaPlaylist(let number): "the playlist of \(list(number))"
    case .contentKey(let number): "key \(number)"
    case .initialization(let number): "the initialization section of \(list(number))"
    case .segment(let number, let segment): "segment \(segment + 1)/\(segments) of \(list(number))"
    }
  }

  // MARK: - Scores

  /// How many recordings are met, a row for each player and one for all.
  static func scores(_ report: FidelityReport) -> [[String]] {
    let kinds = FidelityStandard.Class.allCases
    let head = ["player"] + kinds.map(\.rawValue)
    return [head + ["all", "a repeat"]]
      + players(report).map { player in
        let isOfPlayer = { (recording: Recording) in
          player.isEmpty || recording.player == player
        }
        let byClass = kinds.map { kind in
          text(report.score { isOfPlayer($0) && $0.standard.kind == kind })
        }
        return [name(player)] + byClass + [text(report.score(where: isOfPlayer))]
          + [text(report.ceiling(where: isOfPlayer))]
      }
  }

  /// The same by what predicts them.
  static func columns(_ report: FidelityReport) -> [[String]] {
    let columns = RecordingScenario.Column.allCases
    return [["by prediction"] + columns.map(\.rawValue)]
      + players(report).map { player in
        [name(player)]
          + columns.map { column in
            text(report.score(column) { player.isEmpty || $0.player == player })
          }
      }
  }

  private static func name(_ player: String) -> String {
    player.isEmpty ? "all" : TerminalText.safe(player)
  }

  /// How many requests are in order and in time, a row for each player of streams and one for all.
  static func requests(_ report: FidelityReport) -> [[String]] {
    let rows = players(report).compactMap { player -> [String]? in
      let sum = report.requests { recording in
        recording.standard.kind == .streams && (player.isEmpty || recording.player == player)
      }
      if sum.asked.count == 0 { return nil }
      let repeats = report.requestCeiling { recording in
        recording.standard.kind == .streams && (player.isEmpty || recording.player == player)
      }
      return [name(player)]
        + [sum.order, sum.asked, repeats.asked, sum.done, repeats.done].map { text($0) }
    }
    let head = [
      "requests of class A", "in order", "asked ± 0.15 s", "a repeat", "done ± 0.2 s", "a repeat",
    ]
    let bound = report.requestBound { $0.standard.kind == .streams }
    let isKnown = bound.asked.met < bound.asked.count || bound.done.met < bound.done.count
    let last = ["at most", "", "", text(bound.asked), "", text(bound.done)]
    return [head] + rows + (isKnown ? [last] : [])
  }

  /// How many segments play in the variant that was recorded, a row for each player with a rule.
  static func variants(_ report: FidelityReport) -> [[String]] {
    [["variants that its rule chooses", "segments"]]
      + players(report).compactMap { player in
        let score = report.variants { player.isEmpty || $0.player == player }
        return score.count == 0 ? nil : [name(player), text(score)]
      }
  }

  /// The players by their names, and an empty name for all of them.
  private static func players(_ report: FidelityReport) -> [String] {
    Set(report.rows.map(\.recording.player)).sorted() + [""]
  }

  private static func text(_ score: Score) -> String {
    score.count == 0 ? "–" : "\(score.met)/\(score.count)"
  }

  static func seconds(_ instant: Instant?) -> String {
    instant.map { seconds(($0 - .start).nanoseconds) } ?? "–"
  }

  /// A time to the hundredth, as recordings are no more exact.
  static func seconds(_ nanoseconds: Int64) -> String {
    let hundredths = (abs(nanoseconds) + 5_000_000) / 10_000_000
    let rest = hundredths % 100
    return "\(nanoseconds < 0 ? "−" : "")\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
