import Autowait
import AutowaitFigures
import AutowaitRendering
import AutowaitScenario

/// Renders a report on recordings as a page: the tables, and for each recording what was recorded
/// and what was simulated, on one axis of time.
package enum FidelityPage {
  /// Returns the page.
  package static func html(_ report: FidelityReport) -> [UInt8] {
    var page = Page(
      title: "Simulated and recorded players",
      subtitle: "How true simulations are to recordings of real players.")
    let all = report.score { _ in true }
    page.blocks = [
      .answer([
        "\(all.met) of \(all.count) recordings are met within the tolerances of their class."
      ]),
      .table(table(FidelityRendering.scores(report))),
      .table(table(FidelityRendering.columns(report))),
      .notes([
        "planned: the player's heuristic over the rates as they were planned; arrivals: over what "
          + "had arrived by when; naive: a player that begins with the first frame and goes on "
          + "with the next one; a repeat: how often a repeat of a recording is within the "
          + "tolerances of its sibling, which no model can do much better than."
      ]),
    ]
    for rows in [FidelityRendering.requests(report), FidelityRendering.variants(report)]
    where rows.count > 1 {
      page.blocks.append(.table(table(rows)))
    }
    if let freezes = FidelityRendering.freezes(report) {
      page.blocks.append(.notes(["\(freezes)."]))
    }
    let outages = FidelityRendering.outages(report)
    if outages.count > 1 { page.blocks.append(.table(table(outages))) }
    page.blocks.append(.heading("Recordings"))
    for row in report.rows {
      guard let attempt = row.judged else { continue }
      let wrong = FidelityRendering.wrong(row)
      let title = "\(FidelityRendering.mark(row)) \(row.recording.name)"
      page.blocks.append(
        .details(
          title + (wrong.map { ": \($0)" } ?? ""), isOpen: false,
          [.figures([chart(row, attempt).figure])]))
    }
    return page.html
  }

  private static func table(_ rows: [[String]]) -> Table {
    var table = Table(
      columns: rows[0].enumerated().map { Table.Column($1, isNumber: $0 > 0) })
    table.rows = rows.dropFirst().map { row in Table.TableRow(row.map { Table.Cell($0) }) }
    return table
  }

  /// Both sessions on one axis.
  private static func chart(
    _ row: FidelityReport.Row, _ attempt: FidelityReport.Attempt
  ) -> SessionChart {
    let scenario = attempt.session.scenario
    let first = ScenarioRun.run(scenario)
    let result = ScenarioRun.run(scenario, samplesAt: SessionPicture.instants(first))
    var chart = SessionPicture.chart(result, samples: result.samples)
    chart.title = row.recording.name
    chart.subtitle = "\(row.column.rawValue) link"
    for number in chart.players.indices { chart.players[number].name = "simulated" }
    let recorded = player(row.recording)
    chart.players.insert(recorded, at: 0)
    chart.end = max(chart.end, recorded.states.last?.end ?? 0)
    if let quiet = chart.quietSince {
      chart.quietSince = max(quiet, recorded.states.last?.end ?? 0)
    }
    return chart
  }

  /// What was recorded of a player.
  private static func player(_ recording: Recording) -> SessionChart.Player {
    var player = SessionChart.Player(name: "recorded")
    let outcome = recording.outcome
    var now = Int64(0)
    func hold(_ kind: SessionChart.State.Kind, _ text: String, until end: Instant) {
      let end = (end - .start).nanoseconds
      if end > now {
        player.states.append(SessionChart.State(kind, text, from: now, to: end))
        now = end
      }
    }
    if let startup = outcome.startup {
      hold(.waiting, "starts", until: startup)
      for stall in outcome.stalls {
        hold(.playing, "plays", until: stall.start)
        hold(.stalled, "stalls", until: stall.end)
      }
      hold(.playing, "plays", until: outcome.end ?? recording.samples.last?.instant ?? startup)
    }
    player.ahead = recording.samples.map {
      .init(($0.instant - .start).nanoseconds, $0.ahead?.nanoseconds)
    }
    player.requests = recording.requests.map { request(recording, $0) }
    if case .stream(_, let variants, _) = recording.medium.content {
      player.levels = variants.map { $0.name }
    }
    return player
  }

  private static func request(
    _ recording: Recording, _ request: RecordedRequest
  ) -> SessionChart.ChartRequest {
    let lane: SessionChart.ChartRequest.Lane =
      switch request.resource {
      case nil, .file: .file
      case .multivariantPlaylist, .mediaPlaylist: .playlist
      case .contentKey: .key
      case .initialization(let list), .segment(let list, _):
        if case .stream(_, let variants, _) = recording.medium.content, list < variants.count {
          .level(list)
        } else {
          .rendition
        }
      }
    let start = (request.asked - .start).nanoseconds
    var chart = SessionChart.ChartRequest(
      lane, FidelityRendering.words(request.resource, recording), from: start,
      to: request.closed.map { ($0 - .start).nanoseconds } ?? start)
    chart.response = request.began.map { ($0 - .start).nanoseconds }
    if request.aborted != nil { chart.outcome = .givenUp }
    return chart
  }
}
