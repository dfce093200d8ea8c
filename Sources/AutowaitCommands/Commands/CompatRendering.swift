import Autowait
import AutowaitReference
import AutowaitRendering
import AutowaitScenario

/// Renders what another simulator's session came to.
package enum CompatRendering {
  /// The version of the object's format.
  package static let formatVersion: Int64 = 1

  /// Returns the session for people: its times, and a line for each download.
  package static func text(_ session: CompatSession, of scenario: Scenario) -> String {
    let outcome = session.outcome
    let name = TerminalText.safe(scenario.title)
    let rule = AdaptationRules.name(of: session.rule)
    var lines = ["\(name), as \(session.mode.rawValue) plays it by \(rule)", ""]
    func line(_ name: String, _ value: String) {
      lines.append(TerminalText.padded(name, columns: 18) + value)
    }
    line("startup", seconds(outcome.startup))
    line("stalled", seconds(outcome.stalled) + " in \(Plural.text(outcome.stalls, "stall"))")
    line(session.mode.isSabre ? "total" : "last download", seconds(outcome.total))
    line("switches", "\(outcome.switches)")
    line("given up", Plural.text(outcome.abandoned, "download"))
    let mean = outcome.playedBitRate / Double(max(1, outcome.qualities.count))
    line("mean bit rate", "\(nanoseconds(mean) / 1_000_000) kbit/s")
    if session.mode.tellsDefects {
      let count = Plural.text(outcome.ownStalls, "stall")
      line("its own count", "\(count), \(seconds(outcome.ownStalled))")
      line("its own clock", seconds(outcome.ownTotal))
    }
    lines.append("")
    return lines.joined(separator: "\n") + "\n" + table(session, of: scenario)
  }

  private static func table(_ session: CompatSession, of scenario: Scenario) -> String {
    let names = scenario.streamNames.first?.compactMap { $0 }.first?.variants
    var rows = [["segment", "variant", "asked at", "took", "first byte", "before", "after", ""]]
    for download in session.downloads {
      let variant = session.variants[download.quality]
      var remark = download.isReplacement ? "replaced" : ""
      if let abandonedFor = download.abandonedFor {
        remark = abandonedFor < 0 ? "given up" : "given up for \(session.variants[abandonedFor])"
      }
      let times = [
        download.requestedAt, download.duration, download.latency, download.levelBefore,
        download.levelAfter,
      ]
      rows.append(
        ["\(download.segment)", names.map { TerminalText.safe($0[variant]) } ?? "\(variant)"]
          + times.map(seconds)
          + [remark])
    }
    return TerminalText.table(rows) { [1, 7].contains($0) }
      .map { TerminalText.withoutTrailingSpaces($0) + "\n" }.joined()
  }

  /// Writes the session as one JSON object.
  package static func write(
    _ session: CompatSession, of scenario: Scenario, into writer: inout JSONWriter
  ) {
    let outcome = session.outcome
    writer.beginObject()
    writer.field("version", formatVersion)
    writer.field("scenario", text: scenario.name)
    writer.field("path", text: scenario.path)
    if let run = scenario.runName { writer.field("run", text: run) }
    writer.field("compat", text: session.mode.rawValue)
    writer.field("rule", text: AdaptationRules.name(of: session.rule))
    writer.field("startup", seconds: nanoseconds(outcome.startup))
    writer.field("stalled", seconds: nanoseconds(outcome.stalled))
    writer.field("stallCount", Int64(outcome.stalls))
    writer.field("total", seconds: nanoseconds(outcome.total))
    writer.field("variantSwitchCount", Int64(outcome.switches))
    writer.field("abandonedCount", Int64(outcome.abandoned))
    if session.mode.tellsDefects {
      writer.field("ownStallCount", Int64(outcome.ownStalls))
      writer.field("ownStalled", seconds: nanoseconds(outcome.ownStalled))
      writer.field("ownTotal", seconds: nanoseconds(outcome.ownTotal))
    }
    writer.objects("downloads", session.downloads) { writer, download in
      writer.field("segment", Int64(download.segment))
      writer.field("variant", Int64(session.variants[download.quality]))
      writer.field("requestedAt", seconds: nanoseconds(download.requestedAt))
      writer.field("duration", seconds: nanoseconds(download.duration))
      writer.field("latency", seconds: nanoseconds(download.latency))
      writer.field("bufferedBefore", seconds: nanoseconds(download.levelBefore))
      writer.field("bufferedAfter", seconds: nanoseconds(download.levelAfter))
      writer.field("abandoned", download.abandonedFor != nil)
      writer.field("replacement", download.isReplacement)
    }
    writer.endObject()
  }

  /// Milliseconds as seconds, to a microsecond.
  private static func seconds(_ milliseconds: Double) -> String {
    OutcomeRendering.seconds(nanoseconds(milliseconds) / 1_000 * 1_000) + " s"
  }

  /// The one way from the peers' milliseconds to whole nanoseconds: to the nearest one.
  private static func nanoseconds(_ milliseconds: Double) -> Int64 {
    Int64(milliseconds * 1e6 + (milliseconds < 0 ? -0.5 : 0.5))
  }
}
