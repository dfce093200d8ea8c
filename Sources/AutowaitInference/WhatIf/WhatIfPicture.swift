import Autowait
import AutowaitFidelity
import AutowaitFigures
import AutowaitRendering
import AutowaitScenario

/// Draws what rules would have done in a recorded session, one below the other on one axis of time.
///
/// The recorded rule and the others play on the link that fits best. Below them the first rule
/// plays on two links between which eight in ten lie: where it stalls least, and most.
package enum WhatIfPicture {
  /// Returns the picture.
  package static func chart(
    _ report: WhatIfReport, _ stage: SessionStage
  ) throws(RecordingProblem) -> SessionChart {
    let links = report.links
    guard let best = links.first else {
      throw RecordingProblem(report.log.name, "has no link to draw")
    }
    var sessions = [
      (
        name: "\(report.recorded.choice.label), played again",
        chart: try stage.chart(report.recorded.choice, on: best)
      )
    ]
    for rule in report.rules {
      sessions.append((rule.choice.label, try stage.chart(rule.choice, on: best)))
    }
    if let rule = report.rules.first, links.count > 2 {
      let order = rule.outcomes.indices.sorted {
        (rule.outcomes[$0].stalled, $0) < (rule.outcomes[$1].stalled, $1)
      }
      for percent in [10, 90] {
        let place = order[((order.count - 1) * percent + 50) / 100]
        sessions.append(
          (
            "\(rule.choice.label), link \(place) of \(links.count)",
            try stage.chart(rule.choice, on: links[place])
          ))
      }
    }
    var chart = SessionChart.stacked(
      title: report.log.name, subtitle: "on links that fit the log", sessions)
    chart.end = min(chart.end, (report.horizon - .start).nanoseconds + 10_000_000_000)
    return chart
  }

  /// Returns a page with the picture and the answer.
  package static func html(_ report: WhatIfReport, _ chart: SessionChart) -> [UInt8] {
    var page = Page(
      title: report.log.name, subtitle: "How other rules would have done in this session.")
    page.blocks = [.answer(WhatIfText.answers(report)), .figures([chart.figure])]
    for rows in WhatIfText.tables(report) {
      let columns = rows[0].enumerated().map { Table.Column($1, isNumber: $0 > 0) }
      page.blocks.append(
        .table(
          Table(
            columns: columns,
            rows: rows.dropFirst().map { Table.TableRow($0.map { Table.Cell($0) }) })))
    }
    page.blocks.append(
      .notes([WhatIfText.head(report)] + report.log.notes + WhatIfText.remarks(report)))
    return page.html
  }
}

extension SessionStage {
  /// Returns the picture of a rule on a link.
  func chart(
    _ choice: RuleChoice, on link: CandidateLink
  ) throws(RecordingProblem) -> SessionChart {
    let scenario = try scenario(choice, on: link)
    let instants = SessionPicture.instants(ScenarioRun.run(scenario))
    let result = ScenarioRun.run(scenario, samplesAt: instants)
    return SessionPicture.chart(result, samples: result.samples)
  }
}
