import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Writes how rules would have done in a recorded session, as an object in one line.
package enum WhatIfJSON {
  package static func line(_ report: WhatIfReport) -> [UInt8] {
    JSONWriter.line { writer in
      writer.field("log", text: report.log.name)
      writer.field("form", text: report.log.form.rawValue)
      writer.field("requests", Int64(report.log.requests.count))
      writer.field("until", seconds: (report.horizon - .start).nanoseconds)
      writer.field("roundTrip", seconds: report.log.roundTrip?.nanoseconds)
      writer.field("links", Int64(report.links.count))
      writer.strings("notes", report.log.notes)
      // Only where somebody asked for them.
      if !report.log.addresses.isEmpty { writer.strings("addresses", report.log.addresses) }
      writer.object("refit") { write(report.refit, into: &$0) }
      if let seen = report.log.outcome {
        writer.object("logged") { writer in
          let own = PlayedOutcome(seen, until: report.horizon)
          writer.field("startup", seconds: own.startup.map { ($0 - .start).nanoseconds })
          writer.field("stalls", Int64(own.stalls.count))
          writer.field("stalled", seconds: own.stalled.nanoseconds)
        }
      }
      writer.object("recorded") { write(report.recorded, than: nil, into: &$0) }
      writer.objects("rules", report.rules) { write($1, than: report.recorded, into: &$0) }
      writer.objects("stalls", report.stalls) { writer, answer in
        writer.field("start", seconds: (answer.stall.start - .start).nanoseconds)
        writer.field("end", seconds: (answer.stall.end - .start).nanoseconds)
        writer.field("isRecorded", answer.isRecorded)
        writer.array("avoided", answer.avoided) { $0.integer(Int64($1)) }
      }
    }
  }

  private static func write(_ refit: Refit, into writer: inout JSONWriter) {
    writer.field("isReproduced", refit.isReproduced)
    if let reason = refit.reason { writer.field("reason", text: reason) }
    writer.field("segments", Int64(refit.wanted))
    writer.field("compared", Int64(refit.pairs.count))
    guard let worst = refit.worst else { return }
    writer.object("worst") { writer in
      writer.field("request", Int64(worst.number))
      writer.field("what", text: WhatIfText.words(worst.resource))
      writer.field("recorded", seconds: (worst.recorded - .start).nanoseconds)
      writer.field("played", seconds: (worst.played - .start).nanoseconds)
    }
  }

  private static func write(
    _ rule: WhatIfReport.RuleResult, than other: WhatIfReport.RuleResult?,
    into writer: inout JSONWriter
  ) {
    writer.field("rule", text: rule.choice.label)
    write(rule.startup, "startup", into: &writer)
    writer.field("noStall", Int64(rule.smooth))
    if let count = rule.stallCount {
      writer.array("stalls", [count.low, count.median, count.high]) { $0.integer($1) }
    }
    write(rule.stalled, "stalled", into: &writer)
    writer.key("unseen")
    writer.millionths(rule.unseen)
    guard let other else { return }
    write(rule.laterStart(than: other), "laterStart", into: &writer)
    write(rule.stalledMore(than: other), "stalledMore", into: &writer)
  }

  /// The tenth, the fifth and the ninth of ten.
  private static func write(
    _ range: ValueRange?, _ name: StaticString, into writer: inout JSONWriter
  ) {
    guard let range else { return writer.nullField(name) }
    writer.array(name, [range.low, range.median, range.high]) { $0.seconds(nanoseconds: $1) }
  }
}
