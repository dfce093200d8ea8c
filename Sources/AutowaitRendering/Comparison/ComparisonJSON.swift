import Autowait
import AutowaitExperiment
import AutowaitScenario

/// A comparison as one object: what the tables show, and all that lies behind.
package enum ComparisonJSON {
  /// The version of the format.
  private static let formatVersion: Int64 = 1

  package static func bytes(_ comparison: Comparison) -> [UInt8] {
    let result = comparison.result
    let plan = result.plan
    return JSONWriter.line(.pretty, capacity: 8_192) { writer in
      writer.field("version", formatVersion)
      ToolVersion.write(into: &writer)
      writer.object("experiment") { writer in
        writer.field("path", text: plan.path)
        writer.field("name", text: plan.name)
        writer.field("about", text: plan.about)
        if !plan.changes.isEmpty { writer.strings("set", plan.changes) }
        writer.field("digest", text: SessionRowWriter.hexadecimal(plan.digest))
        writer.field("contestants", Int64(plan.contestantCount))
        writer.field("worlds", Int64(plan.worldCount))
        writer.field("seeds", Int64(result.unitCount / max(1, plan.worldCount)))
        writer.field("sessions", Int64(result.sessionCount))
        writer.field("baseline", text: result.contestants[plan.baseline].name)
        writer.field("margin", seconds: plan.margin.nanoseconds)
      }
      writer.key("clairvoyant")
      if let best = comparison.clairvoyant { write(best, plan, &writer) } else { writer.null() }
      writer.array("contestants", comparison.entries) { write($1, plan, &$0) }
      ThresholdRendering.write(result, into: &writer)
      writeChanges(result, &writer)
      writer.strings("front", result.front.map { result.contestants[$0].name })
      writeViewers(result, &writer)
      ViewerRendering.write(result, into: &writer)
      writer.key("sensitivity")
      write(result, &writer)
    }
  }

  /// Writes how the contestants differ from the saved baseline; nothing without one.
  private static func writeChanges(_ result: ExperimentResult, _ writer: inout JSONWriter) {
    guard let saved = result.plan.saved else { return }
    writer.object("since") { writer in
      writer.field("path", text: saved.path)
      writer.field("modelVersion", saved.modelVersion)
      let changes = Array(zip(result.contestants, result.changes))
      writer.objects("contestants", changes) { writer, pair in
        writer.field("name", text: pair.0.name)
        writer.field("sessions", pair.1.sessions)
        writer.field("changed", pair.1.changed)
        for (index, figure) in BaselineChange.figures.enumerated() {
          writer.key(text: figure.word)
          writer.number(pair.1.mean(index), figure.meanParts > 1 ? .ratio : figure.columnKind)
        }
      }
    }
  }

  /// Writes the means over the sessions that started under all contestants, and for whom who is
  /// best: for viewers to whom a second of stall is worth some seconds of startup.
  private static func writeViewers(_ result: ExperimentResult, _ writer: inout JSONWriter) {
    writer.object("common") { writer in
      writer.field("sessions", result.common.count)
      let known = result.contestants.indices.compactMap { index in
        result.common.costs(of: index).map { (result.contestants[index].name, $0) }
      }
      writer.objects("contestants", known) { writer, known in
        let (name, costs) = known
        writer.field("name", text: name)
        writer.field("startup", seconds: costs.meanStartup)
        writer.field("stalled", seconds: costs.meanStalled)
        writer.field("stallCount", Int64(clamping: costs.totals.stalls))
        writer.field("stalledSessions", costs.sessionsWithStalls)
      }
    }
    writer.objects("bestFor", result.viewerChoices) { writer, choice in
      writer.strings("contestants", choice.contestants.map { result.contestants[$0].name })
      writer.number("stallWorthFrom", choice.least, .ratio)
      writer.number("stallWorthTo", choice.most, .ratio)
    }
  }

  private static func write(
    _ entry: Comparison.Entry, _ plan: ExperimentPlan, _ writer: inout JSONWriter
  ) {
    let summary = entry.summary
    writer.beginObject()
    writer.field("name", text: summary.name)
    writer.field("sessions", summary.sessions)
    writer.object("outcomes") { writer in
      for outcome in SessionOutcome.allCases {
        writer.key(text: outcome.rawValue)
        writer.integer(summary.outcomeCount(outcome))
      }
    }
    let times: [(StaticString, QuantileSketch)] = [
      ("startup", summary.startup), ("stalled", summary.stalled),
      ("yardstick", summary.yardstick), ("excessWait", summary.excessWait),
    ]
    for (name, sketch) in times {
      writer.key(name)
      write(sketch, .time, &writer)
    }
    writer.field("stallCount", Int64(clamping: summary.totals.stalls))
    if summary.bitRates.count > 0 {
      writer.key("bitrate")
      write(summary.bitRates, .count, &writer)
      writer.key("switches")
      write(summary.switchCounts, .count, &writer)
    }
    writer.field("avoidableStalls", Int64(clamping: summary.totals.avoidableStalls))
    writer.field("sessionsWithStalls", summary.sessionsWithStalls)
    writer.number("rebufferRatio", summary.rebufferRatio, .ratio)
    writer.key("scores")
    ScoreRendering.write(summary, into: &writer)
    writer.object("metrics") { writer in
      for (metric, sketch) in zip(plan.metrics, summary.metrics) {
        writer.key(text: metric.rawValue)
        write(sketch, metric.columnKind, &writer)
      }
    }
    if !entry.isBaseline { differences(entry, &writer) }
    writer.endObject()
  }

  private static func differences(_ entry: Comparison.Entry, _ writer: inout JSONWriter) {
    writer.object("difference") { writer in
      for quantity in Paired.Quantity.allCases {
        guard let interval = entry.difference(quantity) else { continue }
        let paired = entry.summary.paired(quantity)
        let kind: ColumnKind = quantity.isTime ? .time : .ratio
        writer.object(text: quantity.rawValue) { writer in
          writer.number("mean", interval.mean, kind)
          if let bounds = interval.bounds {
            let ends = [bounds.lowerBound, bounds.upperBound]
            writer.array("interval", ends) { $0.number($1, kind) }
          } else {
            writer.nullField("interval")
          }
          writer.field("wins", paired.wins)
          writer.field("ties", paired.ties)
          writer.field("losses", paired.losses)
        }
      }
      writer.field("identical", entry.summary.identical)
    }
  }

  private static func write(
    _ sketch: QuantileSketch, _ kind: ColumnKind, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("sessions", sketch.count)
    if kind == .count {
      writer.number("mean", sketch.meanInMillionths, .ratio)
    } else {
      writer.number("mean", sketch.mean, kind)
    }
    let ranks: [(StaticString, Int64)] = [("p5", 50), ("median", 500), ("p95", 950)]
    for (name, rank) in ranks { writer.number(name, sketch.quantile(perMille: rank), kind) }
    writer.field("exact", sketch.isExact)
    writer.endObject()
  }

  /// Writes the fields of the heat map that have sessions.
  private static func write(_ result: ExperimentResult, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.array("linkToMediaBounds", Sensitivity.ratioBounds) { $0.millionths($1) }
    writer.array("durationBounds", Sensitivity.durationBounds) { $0.integer($1) }
    writer.key("fields")
    writer.beginArray()
    for contestant in result.contestants.indices {
      for duration in 0...Sensitivity.durationBounds.count {
        for ratio in 0...Sensitivity.ratioBounds.count {
          let field = result.sensitivity.field(
            contestant: contestant, duration: duration, ratio: ratio)
          if field.sessions == 0 { continue }
          writer.beginObject()
          writer.field("contestant", text: result.contestants[contestant].name)
          writer.field("duration", Int64(duration))
          writer.field("linkToMedia", Int64(ratio))
          writer.field("sessions", field.sessions)
          let sessions = Int128(field.sessions)
          writer.field("startup", seconds: Int64(field.startup / sessions))
          writer.field("stalled", seconds: Int64(field.stalled / sessions))
          writer.field("excessWait", seconds: Int64(field.excessWait / sessions))
          writer.endObject()
        }
      }
    }
    writer.endArray()
    writer.endObject()
  }
}
