import Autowait
import AutowaitFigures
import AutowaitScenario

/// A run as JSON, for a page that draws it again each time somebody changes the scenario.
///
/// Times are nanoseconds, rates bit/s. A row of samples is one list, in which each instant is
/// followed by its value. A list that is cut off is followed by how many entries are left out.
package enum RunView {
  /// How finely a run is looked at: enough for the width of a screen, and quick enough to be done
  /// again with each move of a finger.
  private static let columns = 300
  private static let recordsMax = 500
  /// The most entries of a list.
  private static let entriesMax = 1_000
  /// The most players that are drawn.
  private static let playersMax = 8

  /// Returns the instants at which a view looks at a run, ascending.
  package static func instants(_ result: RunResult) -> [Instant] {
    SessionPicture.instants(result, columns: columns, recordsMax: recordsMax)
  }

  /// Writes the members of the view of a run that was sampled at `instants(_:)`.
  package static func write(
    _ result: RunResult, _ samples: [RunResult.Sample], into writer: inout JSONWriter
  ) {
    let chart = SessionPicture.chart(result, samples: samples)
    let scenario = result.scenario
    writer.field("title", text: scenario.title)
    writer.field("about", text: scenario.about)
    writer.field("fingerprint", text: LogRendering.hexadecimal(result.fingerprint))
    writer.field("end", chart.end)
    writer.field("quietSince", chart.quietSince)
    writer.field("model", text: LinkText.sentence(for: scenario.world.tierChoice))
    writer.strings("answers", SessionWords.answers(result))
    writer.array("checks", SessionVerdict.checks(result)) { writer, check in
      writer.object {
        $0.field("isMet", check.isMet)
        $0.field("text", text: check.text)
      }
    }
    link(chart, scenario, into: &writer)
    writer.array("players", chart.players.prefix(playersMax).enumerated()) { writer, entry in
      let name = scenario.playerNames[entry.offset]
      writer.object { player(entry.element, name, result.metrics[entry.offset], into: &$0) }
    }
    story(result, into: &writer)
    metrics(result, into: &writer)
  }

  // MARK: - The link

  private static func link(
    _ chart: SessionChart, _ scenario: Scenario, into writer: inout JSONWriter
  ) {
    let shown = scenario.world.links[0].shown
    writer.object("link") { writer in
      writer.field("name", text: scenario.linkNames[0])
      writer.array("rates") { numbers(chart.linkRates, into: &$0) }
      writer.array("outages") { writer in
        for outage in chart.outages {
          writer.integer(outage.start)
          writer.integer(outage.end)
        }
      }
      marks("changes", chart.changes, into: &writer)
      let track = shown.down.track
      writer.array("track") { writer in
        for sample in track.samples.prefix(entriesMax) {
          writer.integer(sample.start.nanoseconds)
          writer.integer(sample.rate.bitsPerSecond)
        }
      }
      writer.field("isDrawable", track.ending == .hold && track.samples.count <= entriesMax)
      writer.field("changeCount", Int64(scenario.world.linkChanges.count))
      let delays = [shown.down, shown.up].compactMap { $0.track.samples.first?.delay.nanoseconds }
      writer.field("roundTrip", delays.reduce(0, +))
    }
  }

  private static func numbers(_ samples: [SessionChart.Sample], into writer: inout JSONWriter) {
    // Where nothing changes nothing is to be said, but for the ends of a line that slopes.
    for (place, sample) in samples.enumerated() {
      let isFirst = place == 0 || samples[place - 1].value != sample.value
      let isLast = place + 1 == samples.count || samples[place + 1].value != sample.value
      if !isFirst, !isLast { continue }
      writer.integer(sample.instant)
      if let value = sample.value { writer.integer(value) } else { writer.null() }
    }
  }

  private static func marks(
    _ name: StaticString, _ marks: [SessionChart.Mark], into writer: inout JSONWriter
  ) {
    writer.objects(name, marks.prefix(entriesMax)) { writer, mark in
      writer.field("at", mark.instant)
      switch mark.kind {
      case .tap: writer.field("kind", "tap")
      case .change: writer.field("kind", "change")
      case .failure: writer.field("kind", "failure")
      case .note: writer.field("kind", "note")
      }
      writer.field("label", text: mark.label)
    }
  }

  // MARK: - A player

  private static func player(
    _ player: SessionChart.Player, _ name: String, _ metrics: PlayerMetrics,
    into writer: inout JSONWriter
  ) {
    writer.field("name", text: name)
    writer.field("startup", metrics.timeSpentInInitialStartup.nanoseconds)
    writer.field("stalls", Int64(metrics.stallCount))
    writer.field("stalled", metrics.timeSpentRecoveringFromStall.nanoseconds)
    writer.objects("states", player.states.prefix(entriesMax)) { writer, state in
      writer.key("kind")
      word(of: state.kind, into: &writer)
      writer.field("text", text: state.text)
      writer.field("from", state.start)
      writer.field("to", state.end)
    }
    marks("marks", player.marks, into: &writer)
    writer.array("ahead") { numbers(player.ahead, into: &$0) }
    writer.array("limits") { numbers(player.aheadLimits, into: &$0) }
    writer.array("fill") { numbers(player.fillRates, into: &$0) }
    writer.array("need") { numbers(player.mediaRates, into: &$0) }
    writer.strings("levels", player.levels)
    writer.array("plays") { writer in
      for stretch in player.plays {
        writer.integer(stretch.start)
        writer.integer(stretch.end)
        writer.integer(Int64(stretch.number))
      }
    }
    writer.objects("requests", player.requests.prefix(entriesMax)) { request($1, into: &$0) }
    writer.field("requestsLeftOut", Int64(max(0, player.requests.count - entriesMax)))
  }

  private static func word(of kind: SessionChart.State.Kind, into writer: inout JSONWriter) {
    switch kind {
    case .paused: writer.string("paused")
    case .evaluating: writer.string("evaluating")
    case .waiting: writer.string("waiting")
    case .held: writer.string("held")
    case .playing: writer.string("playing")
    case .stalled: writer.string("stalled")
    }
  }

  private static func request(
    _ request: SessionChart.ChartRequest, into writer: inout JSONWriter
  ) {
    writer.field("text", text: request.text)
    if case .level(let rung) = request.lane { writer.field("level", Int64(rung)) }
    writer.field("from", request.start)
    writer.field("response", request.response)
    writer.field("to", request.end)
    switch request.outcome {
    case .whole: writer.field("outcome", "whole")
    case .open: writer.field("outcome", "open")
    case .givenUp: writer.field("outcome", "given up")
    case .failed: writer.field("outcome", "failed")
    }
  }

  // MARK: - Words and numbers

  private static func story(_ result: RunResult, into writer: inout JSONWriter) {
    let lines = TimelineEvents(result).lines
    writer.objects("lines", lines.prefix(entriesMax)) { writer, line in
      writer.field("at", line.instant.nanoseconds)
      writer.field("player", line.player.map { Int64($0) })
      writer.field("what", text: TerminalText.withoutTies(line.what))
      writer.field("why", text: TerminalText.withoutTies(line.why))
      writer.field("isAlarm", line.paint == .red)
    }
    writer.field("linesLeftOut", Int64(max(0, lines.count - entriesMax)))
  }

  private static func metrics(_ result: RunResult, into writer: inout JSONWriter) {
    let shown = Metric.allCases.filter { TimelineTables.isShown($0, result) }
    writer.objects("metrics", shown) { writer, metric in
      writer.field("name", text: metric.rawValue)
      writer.field("about", text: metric.definition)
      writer.strings(
        "values",
        result.metrics.map { metrics in
          let value = metric.value(in: metrics)
          let text = value.map { TimelineTables.text($0, of: metric) } ?? "–"
          return TerminalText.withoutTies(text)
        })
    }
  }
}
