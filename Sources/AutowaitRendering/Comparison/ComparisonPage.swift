import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Writes what an experiment came to as a page that needs nothing beside itself.
package enum ComparisonPage {
  /// Returns the page, with the sessions that are worth a closer look.
  package static func html(
    _ comparison: Comparison, sessions: [ReportPage.Session]
  ) -> [UInt8] {
    let plan = comparison.result.plan
    let scope = [ComparisonRendering.scope(comparison), ComparisonRendering.changes(plan)]
    var page = ReportPage(
      title: plan.name, subtitle: scope.compactMap { $0 }.joined(separator: ", "),
      answer: ComparisonAnswer.lines(comparison).map { "\($0.head): \($0.text)" },
      table: table(ComparisonTable.whole(comparison)))
    if !plan.about.isEmpty { page.notes.append(plan.about) }
    page.notes += ComparisonRendering.notes(comparison)
    page.notes.append(
      "The crosses of the scatter are the 95 % intervals of the difference to the baseline.")
    page.choices = ViewerRendering.choices(comparison)
    if page.choices != nil { page.notes.append(ViewerRendering.choicesNote) }
    if let left = ComparisonFigures.leftOut(of: comparison) { page.notes.append(left) }
    let more = [ComparisonTable.metrics(comparison), ComparisonTable.changes(comparison)]
    page.tables =
      [ThresholdRendering.table(comparison.result)].compactMap { $0 }
      + more.compactMap { $0.map(table) }
    page.figures = ComparisonFigures(comparison).all
    page.sessions = sessions
    let made = [
      "experiment \(plan.path)", seeds(plan.seeds),
      "digest \(SessionRowWriter.hexadecimal(plan.digest))",
    ]
    page.footer = (ToolVersion.words + made).joined(separator: ", ")
    return page.html
  }

  /// The most seeds that are named one by one.
  private static let seedsMax = 8

  /// Returns which seeds the worlds were met under.
  private static func seeds(_ seeds: SeedList) -> String {
    let last = seeds.count - 1
    if last == 0 { return "seed \(seeds[0])" }
    if case .listed = seeds {
      let named = (0..<min(seeds.count, seedsMax)).map { "\(seeds[$0])" }
      let rest = seeds.count - named.count
      return "seeds " + named.joined(separator: " ") + (rest > 0 ? " and \(rest) more" : "")
    }
    return "seeds \(seeds[0]) to \(seeds[last])"
  }

  private static func table(_ cells: ComparisonTable) -> Table {
    let columns = cells.head.enumerated().map { Table.Column($1, isNumber: $0 > 0) }
    let rows = cells.rows.map { row in
      Table.TableRow(row.cells.map { Table.Cell($0) }, isReference: row.paint == .green)
    }
    return Table(columns: columns, rows: rows)
  }

  /// Returns a session beside the baseline's, on one axis; nil if it cannot be run here.
  ///
  /// Both are run again, which may take as long as many others: callers have threads for them.
  package static func session(
    _ choice: NotableSessions.NotableSession, _ plan: ExperimentPlan, _ files: ExperimentFiles
  ) -> ReportPage.Session? {
    let names = [choice.baseline, choice.row].map {
      plan.contestantName(plan.contestant(of: $0.key))
    }
    guard let base = chart(choice.baseline.key, plan, files),
      let own = chart(choice.row.key, plan, files)
    else { return nil }
    let unit = plan.unit(of: choice.row.key)
    let world = plan.worldNames(unit.world) + ["seed \(unit.seed)"]
    let title = "\(names[1]) on \(world.joined(separator: ", "))"
    let summary =
      "waits \(words(choice.row)); \(names[0]) waits \(words(choice.baseline)): "
      + "\(ComparisonTable.signed(choice.difference)) s"
    return ReportPage.Session(
      title: title, summary: summary,
      chart: SessionChart.stacked(
        title: title, subtitle: summary, [(names[0], base), (names[1], own)]))
  }

  private static func words(_ row: SessionRow) -> String {
    let stalls = Plural.text(row.stallCount, "stall")
    let startup = ComparisonTable.seconds(row.startup)
    if !row.isStarted, row.stallCount == 0 { return "\(startup) s and never starts" }
    return "\(startup) s to start and \(ComparisonTable.seconds(row.stalled)) s in \(stalls)"
  }

  private static func chart(
    _ key: SessionKey, _ plan: ExperimentPlan, _ files: ExperimentFiles
  ) -> SessionChart? {
    plan.result(of: key, files: files, samplesAt: SessionPicture.instants)
      .map { SessionPicture.chart($0.result, samples: $0.samples) }
  }
}
