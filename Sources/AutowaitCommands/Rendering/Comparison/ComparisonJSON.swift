import Autowait
import AutowaitExperiment
import AutowaitScenario

/// A comparison as one object: what the tables show, and all that lies behind.
enum ComparisonJSON {
  /// The version of the format.
  private static let formatVersion: Int64 = 1

  static func bytes(_ comparison: Comparison) -> [UInt8] {
    let result = comparison.result
    let plan = result.plan
    var writer = JSONWriter(.pretty, capacity: 8_192)
    writer.beginObject()
    writer.field("version", formatVersion)
    writer.key("experiment")
    writer.beginObject()
    writer.field("path", text: plan.path)
    writer.field("name", text: plan.name)
    writer.field("about", text: plan.about)
    writer.field("digest", text: SessionRowWriter.hexadecimal(plan.digest))
    writer.field("contestants", Int64(plan.contestantCount))
    writer.field("worlds", Int64(plan.worldCount))
    writer.field("seeds", Int64(result.unitCount / max(1, plan.worldCount)))
    writer.field("sessions", Int64(result.sessionCount))
    writer.field("baseline", text: result.contestants[plan.baseline].name)
    writer.field("margin", seconds: plan.margin.nanoseconds)
    writer.endObject()
    writer.key("clairvoyant")
    if let best = comparison.clairvoyant { write(best, plan, &writer) } else { writer.null() }
    writer.key("contestants")
    writer.beginArray()
    for entry in comparison.entries { write(entry, plan, &writer) }
    writer.endArray()
    writer.key("front")
    writer.beginArray()
    for index in result.front { writer.string(text: result.contestants[index].name) }
    writer.endArray()
    writeViewers(result, &writer)
    writer.key("sensitivity")
    write(result, &writer)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// Writes the means over the sessions that started under all contestants, and for whom who is
  /// best: for viewers to whom a second of stall is worth some seconds of startup.
  private static func writeViewers(_ result: ExperimentResult, _ writer: inout JSONWriter) {
    writer.key("common")
    writer.beginObject()
    writer.field("sessions", result.common.count)
    writer.key("contestants")
    writer.beginArray()
    for index in result.contestants.indices {
      guard let costs = result.common.costs(of: index) else { continue }
      writer.beginObject()
      writer.field("name", text: result.contestants[index].name)
      writer.field("startup", seconds: costs.meanStartup)
      writer.field("stalled", seconds: costs.meanStalled)
      writer.field("stallCount", Int64(clamping: costs.stalls))
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.key("bestFor")
    writer.beginArray()
    for choice in result.viewerChoices {
      writer.beginObject()
      writer.key("contestants")
      writer.beginArray()
      for index in choice.contestants { writer.string(text: result.contestants[index].name) }
      writer.endArray()
      writer.key("stallWorthFrom")
      writer.millionths(choice.least)
      writer.key("stallWorthTo")
      if let most = choice.most { writer.millionths(most) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
  }

  private static func write(
    _ entry: Comparison.Entry, _ plan: ExperimentPlan, _ writer: inout JSONWriter
  ) {
    let summary = entry.summary
    writer.beginObject()
    writer.field("name", text: summary.name)
    writer.field("sessions", summary.sessions)
    writer.key("outcomes")
    writer.beginObject()
    for outcome in SessionOutcome.allCases {
      writer.key(text: outcome.rawValue)
      writer.integer(summary.outcomeCount(outcome))
    }
    writer.endObject()
    writer.key("startup")
    write(summary.startup, .time, &writer)
    writer.key("stalled")
    write(summary.stalled, .time, &writer)
    writer.key("yardstick")
    write(summary.yardstick, .time, &writer)
    writer.key("excessWait")
    write(summary.excessWait, .time, &writer)
    writer.field("stallCount", Int64(clamping: summary.totals.stalls))
    writer.field("avoidableStalls", Int64(clamping: summary.totals.avoidableStalls))
    writer.field("sessionsWithStalls", summary.sessionsWithStalls)
    writer.key("rebufferRatio")
    writer.number(summary.rebufferRatio, .ratio)
    writer.key("scores")
    ScoreRendering.write(summary, into: &writer)
    writer.key("metrics")
    writer.beginObject()
    for (metric, sketch) in zip(plan.metrics, summary.metrics) {
      writer.key(text: metric.rawValue)
      write(sketch, metric.columnKind, &writer)
    }
    writer.endObject()
    if !entry.isBaseline { differences(entry, &writer) }
    writer.endObject()
  }

  private static func differences(_ entry: Comparison.Entry, _ writer: inout JSONWriter) {
    writer.key("difference")
    writer.beginObject()
    for quantity in Paired.Quantity.allCases {
      guard let interval = entry.difference(quantity) else { continue }
      let paired = entry.summary.paired(quantity)
      func number(_ value: Int64) {
        if quantity.isTime { writer.seconds(nanoseconds: value) } else { writer.millionths(value) }
      }
      writer.key(text: quantity.rawValue)
      writer.beginObject()
      writer.key("mean")
      number(interval.mean)
      writer.key("interval")
      if let bounds = interval.bounds {
        writer.beginArray()
        number(bounds.lowerBound)
        number(bounds.upperBound)
        writer.endArray()
      } else {
        writer.null()
      }
      writer.field("wins", paired.wins)
      writer.field("ties", paired.ties)
      writer.field("losses", paired.losses)
      writer.endObject()
    }
    writer.field("identical", entry.summary.identical)
    writer.endObject()
  }

  private static func write(
    _ sketch: QuantileSketch, _ kind: ColumnKind, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("sessions", sketch.count)
    writer.key("mean")
    if kind == .count {
      writer.number(sketch.meanInMillionths, .ratio)
    } else {
      writer.number(sketch.mean, kind)
    }
    let ranks: [(StaticString, Int64)] = [("p5", 50), ("median", 500), ("p95", 950)]
    for (name, rank) in ranks {
      writer.key(name)
      writer.number(sketch.quantile(perMille: rank), kind)
    }
    writer.field("exact", sketch.isExact)
    writer.endObject()
  }

  /// Writes the fields of the heat map that have sessions.
  private static func write(_ result: ExperimentResult, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("linkToMediaBounds")
    writer.beginArray()
    for bound in Sensitivity.ratioBounds { writer.millionths(bound) }
    writer.endArray()
    writer.key("durationBounds")
    writer.beginArray()
    for bound in Sensitivity.durationBounds { writer.integer(bound) }
    writer.endArray()
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
