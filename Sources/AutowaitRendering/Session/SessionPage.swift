import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Renders a run as a page of HTML: what it came to, its picture, what happened and why, its
/// numbers, and what was expected.
package enum SessionPage {
  /// The most lines of the story that a page tells, and how many of the first if there are more.
  private static let linesMax = (all: 600, first: 450)
  /// So many lines are shown without being asked for.
  private static let openLinesMax = 60

  /// Returns the page of a run, around the picture of it, with what explains it.
  package static func html(_ side: SessionSide, why: RunExplanation?) -> [UInt8] {
    let result = side.result
    let scenario = result.scenario
    var page = Page(title: scenario.title, subtitle: scenario.about)
    let verdict = SessionVerdict.of(result)
    if verdict.kind == .failed { page.status = "Failed" }
    page.blocks.append(.verdict(verdict))
    // The page has the title already.
    var chart = side.chart
    chart.title = "What happened over time"
    page.blocks.append(
      .run(
        [.figures([chart.figure])] + SessionRequests.blocks(result, chart),
        SessionReadings.data(result, side.samples)))
    if let startup = SessionPicture.startupEnd(result) {
      let title = "The first \(SessionWords.rounded(startup - .start))"
      let excerpt = chart.excerpt(title: title, from: 0, to: startup.nanoseconds)
      page.blocks.append(.figures([excerpt.figure]))
    }
    if let why { page.blocks += reasons(why) }
    page.blocks += story(result)
    if let startup = startup(result) {
      page.blocks += [.heading("The startup"), .figures([startup])]
    }
    page.blocks += [.heading("Metrics")] + metrics(result) + accessLogs(result)
    if !result.outcomes.isEmpty || !result.warned.isEmpty {
      page.blocks += [.heading("Expectations"), .checks(SessionVerdict.checks(result))]
    }
    page.footer = footer(result)
    return page.html
  }

  static func footer(_ result: RunResult) -> String {
    let scenario = result.scenario
    let tier = LinkText.sentence(for: scenario.world.tierChoice)
    let made =
      ToolVersion.words + [
        scenario.path, "seed \(scenario.world.seed)",
        "link \(scenario.linkNames[0]), \(tier)",
        "digest \(LogRendering.hexadecimal(scenario.digest))",
        "fingerprint \(LogRendering.hexadecimal(result.fingerprint))",
      ]
    return made.map { TerminalText.withoutTies($0) }.joined(separator: " · ")
  }

  // MARK: - Why it waited

  /// Returns a table for each wait of a run; nothing for a run that waits for nothing.
  private static func reasons(_ run: RunExplanation) -> [Page.Block] {
    var blocks: [Page.Block] = []
    for explanation in run.explanations {
      let sections = ExplanationSection.all(run, explanation).filter { $0.isWait }
      let name = run.result.scenario.playerNames[explanation.player]
      for section in sections {
        let title = run.explanations.count > 1 ? "\(name): \(section.title)" : section.title
        var table = Table(columns: [Table.Column(title), Table.Column("")])
        for line in section.lines {
          for (number, text) in line.texts.enumerated() {
            table.rows.append(
              Table.TableRow([
                Table.Cell(number == 0 ? line.head : ""),
                Table.Cell(TerminalText.withoutTies(text)),
              ]))
          }
        }
        blocks.append(.table(table))
      }
    }
    if blocks.isEmpty { return [] }
    return [.heading("Why it waited, and what would have helped")] + blocks
  }

  // MARK: - The story

  private static func story(_ result: RunResult) -> [Page.Block] {
    let all = TimelineEvents(result).lines
    if all.isEmpty { return [] }
    let main = all.count > linesMax.all ? all.filter { !$0.isAside } : all
    let isCut = main.count > linesMax.all
    let shown =
      isCut ? main.prefix(linesMax.first) + main.suffix(linesMax.all - linesMax.first) : main[...]
    let hasSeveral = result.scenario.playerNames.count > 1
    var table = Table(
      columns: [Table.Column("time", isNumber: true, about: "Since the start of the run.")])
    if hasSeveral { table.columns.append(Table.Column("player")) }
    table.columns += [
      Table.Column("what", about: "What the app did, or what changed."),
      Table.Column("why", about: "What brought it about, with the numbers that decided it."),
    ]
    table.rows = shown.map { line in
      var cells = [
        Table.Cell(TimelineNumbers.text(line.instant), order: line.instant.nanoseconds)
      ]
      if hasSeveral {
        cells.append(Table.Cell(line.player.map { result.scenario.playerNames[$0] } ?? ""))
      }
      var what = Table.Cell(line.what)
      what.isAlarm = line.paint == .red
      return Table.TableRow(cells + [what, Table.Cell(line.why)])
    }
    var blocks = [Page.Block.table(table)]
    let leftOut = all.count - shown.count
    if leftOut > 0 {
      blocks.append(
        .paragraph("\(leftOut) lines are left out; autowait run --format jsonl has every event."))
    }
    return [
      .details(
        "What happened, and why: \(Plural.text(shown.count, "line"))",
        isOpen: shown.count <= openLinesMax, blocks)
    ]
  }

  // MARK: - The numbers

  /// Returns where the time of the startups went; nil if there was none, or no stream.
  private static func startup(_ result: RunResult) -> Figure? {
    let stages = StreamMetrics.Stage.allCases
    let isAlone = result.scenario.playerNames.count == 1
    let rows = zip(result.scenario.playerNames, result.metrics).compactMap { name, metrics in
      metrics.streaming.flatMap { streaming in
        let spans = stages.compactMap { streaming.startup($0)?.nanoseconds }
        return metrics.timeSpentInInitialStartup == .zero || spans.isEmpty
          ? nil : BarChart.BarRow(isAlone ? "startup" : name, values: spans)
      }
    }
    if rows.isEmpty { return nil }
    return BarChart(
      title: "From the wish to play to the first picture", parts: stages.map { $0.title },
      rows: rows,
      axis: FigureAxis("time", .time)
    ).figure
  }

  private static func metrics(_ result: RunResult) -> [Page.Block] {
    let names = result.scenario.playerNames
    var table = Table(columns: [Table.Column("metric")])
    table.columns += names.map { Table.Column(names.count > 1 ? $0 : "value", isNumber: true) }
    table.columns.append(Table.Column("what it counts"))
    let known = Metric.allCases.filter { metric in
      result.metrics.contains { metric.isShown(in: $0) }
    }
    let shown = known.filter { TimelineTables.isShown($0, result) }
    table.rows = shown.map { metric in
      let values = result.metrics.map { metrics in
        metric.value(in: metrics).map { TimelineTables.text($0, of: metric) } ?? "–"
      }
      let orders = result.metrics.map { metric.value(in: $0)?.number }
      return Table.TableRow(
        [Table.Cell(metric.rawValue)] + zip(values, orders).map { Table.Cell($0, order: $1) }
          + [Table.Cell(metric.definition)])
    }
    let rest = known.filter { !shown.contains($0) }.map { $0.rawValue }
    let note = Page.Block.paragraph("0, or not measured: \(rest.joined(separator: ", ")).")
    return [.table(table)] + (rest.isEmpty ? [] : [note])
  }

  /// Returns the entries of the access logs of players of streams.
  private static func accessLogs(_ result: RunResult) -> [Page.Block] {
    let isAlone = result.scenario.playerNames.count == 1
    return result.metrics.enumerated().flatMap { player, metrics -> [Page.Block] in
      let events = Array(metrics.accessLog.prefix(linesMax.all))
      if metrics.streaming == nil || events.isEmpty { return [] }
      let name = isAlone ? "" : " of \(result.scenario.playerNames[player])"
      let table = TimelineStreams.accessLogTable(events, player, result.scenario)
      let leftOut = metrics.accessLog.count - events.count
      let note = Page.Block.paragraph(
        "\(leftOut) more are left out; autowait run --format access-log has all.")
      return [.heading("Access log\(name)"), .table(table)] + (leftOut > 0 ? [note] : [])
    }
  }
}
