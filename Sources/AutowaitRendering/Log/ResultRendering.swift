import Autowait
import AutowaitScenario

/// Renders what a run came to as one JSON object.
package enum ResultRendering {
  /// The version of the object's format.
  package static let formatVersion: Int64 = 1

  /// Writes the object.
  ///
  /// With tables it has the stalls, variants and requests of each player, for which all records are
  /// needed.
  package static func write(
    _ result: RunResult, hasTables: Bool = false, into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("version", formatVersion)
    ToolVersion.write(into: &writer)
    writer.field("scenario", text: result.scenario.name)
    writer.field("path", text: result.scenario.path)
    if let run = result.scenario.runName { writer.field("run", text: run) }
    writer.field("seed", result.scenario.world.seed)
    let choice = result.scenario.world.tierChoice
    writer.field("tier", choice.tier.word)
    writer.field("reason", choice.reason.word)
    writer.field("finish", result.finish.word)
    writer.field("fingerprint", text: LogRendering.hexadecimal(result.fingerprint))
    writer.key("metrics")
    metrics(result, into: &writer)
    writer.key("accessLog")
    forEachPlayer(result, into: &writer) { player, writer in
      AccessLogRendering.writeAccessLog(result, player, into: &writer)
    }
    writer.key("errorLog")
    let errors = ErrorLogEvent.logs(of: result)
    forEachPlayer(result, into: &writer) { player, writer in
      AccessLogRendering.write(errors[player], result.scenario, player, into: &writer)
    }
    if hasTables { write(SessionTables(result), of: result, into: &writer) }
    writer.objects("expectations", result.outcomes + result.warned) { writer, outcome in
      writer.field("line", Int64(outcome.expectation.line))
      if outcome.expectation.level == .warn { writer.field("level", "warn") }
      writer.field("met", outcome.isMet)
      writer.field("expected", text: outcome.expectation.text)
      writer.field("observed", text: OutcomeRendering.observed(outcome, result.scenario))
    }
    writer.endObject()
  }

  private static func write(
    _ tables: SessionTables, of result: RunResult, into writer: inout JSONWriter
  ) {
    writer.key("stalls")
    forEachPlayer(result, into: &writer) { tables.writeStalls(of: $0, into: &$1) }
    writer.key("variants")
    forEachPlayer(result, into: &writer) { tables.writeVariants(of: $0, into: &$1) }
    writer.key("requests")
    forEachPlayer(result, into: &writer) { tables.writeRequests(of: $0, into: &$1) }
  }

  /// Writes the metrics of the only player, or of each player under its name.
  static func metrics(_ result: RunResult, into writer: inout JSONWriter) {
    forEachPlayer(result, into: &writer) { player, writer in
      let metrics = result.metrics[player]
      writer.beginObject()
      for metric in Metric.allCases where metric.isShown(in: metrics) {
        writer.key(text: metric.rawValue)
        switch metric.value(in: metrics) {
        case .time(let span)?: writer.seconds(nanoseconds: span.nanoseconds)
        case .count(let count)?: writer.integer(count)
        case .ratio?: writer.millionths(metric.value(in: metrics)?.number ?? 0)
        case nil: writer.null()
        }
      }
      writer.endObject()
    }
  }

  private static func forEachPlayer(
    _ result: RunResult, into writer: inout JSONWriter,
    _ write: (Int, inout JSONWriter) -> Void
  ) {
    if result.metrics.count == 1 {
      write(0, &writer)
      return
    }
    writer.beginObject()
    for (player, name) in result.scenario.playerNames.enumerated() {
      writer.key(text: name)
      write(player, &writer)
    }
    writer.endObject()
  }
}
