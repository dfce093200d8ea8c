import Autowait
import AutowaitFigures
import AutowaitScenario

/// Renders two runs as one page: their lanes over one axis of time, and what happened and what it
/// came to side by side.
package enum SessionPairPage {
  /// The most lines of the story that a page tells.
  private static let linesMax = 600

  /// Returns the page of two runs.
  package static func html(_ first: SessionSide, _ second: SessionSide) -> [UInt8] {
    let sides = aligned([first, second])
    let names = names(sides)
    var page = Page(title: "\(names[0]) and \(names[1])")
    let verdicts = sides.map { SessionVerdict.of($0.result) }
    if verdicts.contains(where: { $0.kind == .failed }) { page.status = "Failed" }
    let stories = sides.map { TimelineEvents($0.result).lines }
    page.blocks.append(.answer(answer(sides, names, stories)))
    for (index, side) in sides.enumerated() {
      page.blocks += [.heading(names[index]), .verdict(verdicts[index])]
      page.blocks.append(
        .run(
          [.figures([side.chart.figure])] + SessionRequests.blocks(side.result, side.chart),
          SessionReadings.data(side.result, side.samples)))
    }
    page.blocks += [.heading("What happened"), .table(story(stories, names))]
    let rest = stories.map { $0.count }.reduce(0, +) - linesMax
    if rest > 0 {
      page.blocks.append(
        .paragraph("Some lines are left out; autowait run --format jsonl has every event."))
    }
    page.blocks += [.heading("Metrics"), .table(metrics(sides, names))]
    page.blocks.append(.paragraph("Rows in gray are equal in both runs."))
    for (index, side) in sides.enumerated()
    where !side.result.outcomes.isEmpty || !side.result.warned.isEmpty {
      page.blocks += [
        .heading("Expectations of \(names[index])"), .checks(SessionVerdict.checks(side.result)),
      ]
    }
    page.footer = sides.map { SessionPage.footer($0.result) }.joined(separator: " · ")
    return page.html
  }

  /// Returns the runs with one axis of time, that of the longer one.
  private static func aligned(_ sides: [SessionSide]) -> [SessionSide] {
    let end = sides.map { $0.chart.end }.max() ?? 0
    // Time can be left out only where nothing happens in either.
    let quiet = sides.map { $0.chart.quietSince ?? $0.chart.end }.max() ?? end
    return sides.map { side in
      var side = side
      side.chart.title = "What happened over time"
      side.chart.end = end
      side.chart.quietSince = quiet < end ? quiet : nil
      return side
    }
  }

  /// What the runs are called: by their titles, or by their files and runs if these are equal.
  private static func names(_ sides: [SessionSide]) -> [String] {
    let scenarios = sides.map { $0.result.scenario }
    let titles = scenarios.map { $0.title }
    if titles[0] != titles[1] { return titles }
    let paths = scenarios.map { scenario in
      scenario.path + (scenario.runName.map { " (\($0))" } ?? "")
    }
    return paths[0] != paths[1] ? paths : ["\(paths[0]), first", "\(paths[1]), second"]
  }

  // MARK: - The difference

  /// Says what became of both, and where they part.
  private static func answer(
    _ sides: [SessionSide], _ names: [String], _ stories: [[TimelineEvents.StoryLine]]
  ) -> [String] {
    let outcomes = zip(names, sides).map { name, side in
      "\(name): " + SessionWords.answers(side.result).joined(separator: " ")
    }
    return outcomes + [parting(names, stories)]
  }

  private static func parting(_ names: [String], _ stories: [[TimelineEvents.StoryLine]]) -> String
  {
    let (one, two) = (stories[0], stories[1])
    let place = zip(one, two).prefix { $0.instant == $1.instant && $0.what == $1.what }.count
    if place == one.count, place == two.count { return "The same happens in both." }
    let next = zip(names, stories).map { name, story -> (instant: Instant?, text: String) in
      if place >= story.count { return (nil, "nothing more happens in \(name)") }
      let line = story[place]
      let moment = TimelineNumbers.text(line.instant)
      return (line.instant, "\(name) at \(moment): \(line.what)")
    }
    let shown = next.map { TerminalText.withoutTies($0.text) }.joined(separator: "; ")
    return place == 0
      ? "They differ from the start: \(shown)."
      : "The same happens at first. Then they part: \(shown)."
  }

  // MARK: - Tables

  /// The lines of both stories by time; what happens in both at one time stands in one row.
  private static func story(_ stories: [[TimelineEvents.StoryLine]], _ names: [String]) -> Table {
    var table = Table(
      columns: [Table.Column("time", isNumber: true, about: "Since the start of the run.")]
        + names.map { Table.Column($0) })
    var places = [0, 0]
    while table.rows.count < linesMax {
      let next = zip(stories, places).map { $1 < $0.count ? $0[$1] : nil }
      guard let instant = next.compactMap({ $0?.instant }).min() else { break }
      let isSame = next[0]?.instant == next[1]?.instant && next[0]?.what == next[1]?.what
      var cells = [
        Table.Cell(
          TerminalText.withoutTies(TimelineNumbers.text(instant)), order: instant.nanoseconds)
      ]
      for (side, line) in next.enumerated() {
        guard let line, line.instant == instant else {
          cells.append(Table.Cell(""))
          continue
        }
        places[side] += 1
        let text = line.why.isEmpty ? line.what : "\(line.what): \(line.why)"
        var cell = Table.Cell(TerminalText.withoutTies(text))
        cell.isAlarm = line.paint == .red
        cells.append(cell)
      }
      table.rows.append(Table.TableRow(cells, isReference: isSame))
    }
    return table
  }

  /// The metrics of both runs, of each player; rows that are equal stand back.
  private static func metrics(_ sides: [SessionSide], _ names: [String]) -> Table {
    let results = sides.map { $0.result }
    var table = Table(columns: [Table.Column("metric")])
    for (name, result) in zip(names, results) {
      let players = result.scenario.playerNames
      table.columns += players.map {
        Table.Column(players.count > 1 ? "\(name): \($0)" : name, isNumber: true)
      }
    }
    table.columns.append(Table.Column("what it counts"))
    let shown = Metric.allCases.filter { metric in
      results.contains { result in
        TimelineTables.isShown(metric, result)
          && result.metrics.contains { metric.isShown(in: $0) }
      }
    }
    table.rows = shown.map { metric in
      let cells = results.map { result in
        result.metrics.map { metrics in
          Table.Cell(
            metric.value(in: metrics).map { TimelineTables.text($0, of: metric) } ?? "–",
            order: metric.value(in: metrics)?.number)
        }
      }
      return Table.TableRow(
        [Table.Cell(metric.rawValue)] + cells[0] + cells[1] + [Table.Cell(metric.definition)],
        isReference: cells[0] == cells[1])
    }
    return table
  }
}

/// A run with its picture, and what was read while it lasted.
package struct SessionSide {
  let result: RunResult
  var chart: SessionChart
  let samples: [RunResult.Sample]

  /// Takes a run that was sampled at the instants of its picture.
  package init(_ result: RunResult, samples: [RunResult.Sample]) {
    (self.result, self.samples) = (result, samples)
    chart = SessionPicture.chart(result, samples: samples)
  }

  /// Returns the picture by itself, as an SVG.
  package func svg(_ style: FigureStyle) -> [UInt8] {
    chart.figure(width: style.layoutWidth).svg(style)
  }
}
