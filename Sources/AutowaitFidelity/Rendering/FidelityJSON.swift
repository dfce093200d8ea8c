import Autowait
import AutowaitRendering
import AutowaitScenario

/// A report on recordings as objects, one in a line: what each prediction came to, and what not.
package enum FidelityJSON {
  /// The version of the format.
  private static let formatVersion: Int64 = 1

  /// Returns the object of a recording.
  package static func line(_ row: FidelityReport.Row) -> [UInt8] {
    let recording = row.recording
    return JSONWriter.line(capacity: 8_192) { writer in
      writer.field("version", formatVersion)
      writer.field("recording", text: recording.name)
      writer.field("player", text: recording.player)
      writer.field("class", text: recording.standard.kind.rawValue)
      writer.field("counts", !recording.isBusy)
      writer.field("judged", text: row.column.rawValue)
      let notes = RecordedPlayer.notes(on: recording)
      if !notes.isEmpty {
        writer.array("notes") { writer in
          for note in notes { writer.string(text: note) }
        }
      }
      writer.key("recorded")
      write(recording.outcome, into: &writer)
      writer.object("predictions") { writer in
        for column in RecordingScenario.Column.allCases {
          guard let attempt = row.attempts[column] else { continue }
          writer.key(text: column.rawValue)
          write(attempt, recording, into: &writer)
        }
      }
      if let outage = row.outage {
        writer.object("onAfterOutage") { writer in
          time("recorded", outage.recorded, into: &writer)
          time("first", outage.simulated.first, into: &writer)
          time("last", outage.simulated.last, into: &writer)
          writer.field("within", outage.holds)
        }
      }
    }
  }

  /// Returns the object with what all recordings come to that count, as the tables show it.
  package static func totals(_ report: FidelityReport) -> [UInt8] {
    JSONWriter.line(capacity: 2_048) { writer in
      writer.field("version", formatVersion)
      writer.object("totals") { writer in
        write("recordings", report.score { _ in true }, into: &writer)
        writer.object("classes") { writer in
          for kind in FidelityStandard.Class.allCases {
            write(text: kind.rawValue, report.score { $0.standard.kind == kind }, into: &writer)
          }
        }
        writer.object("players") { writer in
          for player in Set(report.rows.map(\.recording.player)).sorted() {
            write(text: player, report.score { $0.player == player }, into: &writer)
          }
        }
        writer.object("predictions") { writer in
          for column in RecordingScenario.Column.allCases {
            write(text: column.rawValue, report.score(column) { _ in true }, into: &writer)
          }
        }
        write("repeats", report.ceiling { _ in true }, into: &writer)
        let requests = report.requests { $0.standard.kind == .streams }
        writer.object("requestsOfClassA") { writer in
          write("inOrder", requests.order, into: &writer)
          write("asked", requests.asked, into: &writer)
          write("done", requests.done, into: &writer)
        }
        let bound = report.requestBound { $0.standard.kind == .streams }
        writer.object("requestsOfClassAAtMost") { writer in
          write("asked", bound.asked, into: &writer)
          write("done", bound.done, into: &writer)
        }
        write("variants", report.variants { _ in true }, into: &writer)
        let freezes = report.freezes { _ in true }
        write("pictureFreezes", freezes.found, into: &writer)
        writer.field("inventedPictureFreezes", Int64(freezes.invented))
        let repeats = report.freezeCeiling { _ in true }
        write("pictureFreezesOfRepeats", repeats.found, into: &writer)
        writer.field("inventedPictureFreezesOfRepeats", Int64(repeats.invented))
        var outages = Score()
        for row in report.outages { outages.add(row.outage?.holds == true) }
        write("onAfterOutage", outages, into: &writer)
      }
    }
  }

  private static func write(_ name: StaticString, _ score: Score, into writer: inout JSONWriter) {
    writer.key(name)
    write(score, into: &writer)
  }

  private static func write(text name: String, _ score: Score, into writer: inout JSONWriter) {
    writer.key(text: name)
    write(score, into: &writer)
  }

  private static func write(_ score: Score, into writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("met", Int64(score.met))
      writer.field("of", Int64(score.count))
    }
  }

  private static func write(
    _ attempt: FidelityReport.Attempt, _ recording: Recording, into writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.field("met", attempt.verdict.isTrue)
      writer.objects("misses", attempt.verdict.misses) { writer, miss in
        writer.field("what", text: miss.what)
        switch miss.unit {
        case .count: writer.field("more", miss.difference)
        case .time: writer.field("later", seconds: miss.difference)
        case .presence: writer.field("isMissing", miss.difference < 0)
        }
      }
      writer.key("simulated")
      write(attempt.session.outcome, into: &writer)
      guard let requests = attempt.requests else { return }
      writer.objects("requests", requests.pairs) { writer, pair in
        let words = FidelityRendering.words(pair.recorded.resource, recording)
        writer.field("what", text: words)
        time("asked", pair.recorded.asked, into: &writer)
        time("done", pair.recorded.ended, into: &writer)
        time("dropped", pair.recorded.aborted, into: &writer)
        time("simulatedAsked", pair.simulated?.asked, into: &writer)
        time("simulatedDone", pair.simulated?.done, into: &writer)
      }
      writer.objects("invented", requests.invented) { writer, request in
        writer.field("what", text: FidelityRendering.words(request.resource, recording))
        time("asked", request.asked, into: &writer)
        time("done", request.done, into: &writer)
      }
    }
  }

  private static func write(_ outcome: ViewerOutcome, into writer: inout JSONWriter) {
    writer.object { writer in
      time("startup", outcome.startup, into: &writer)
      time("end", outcome.end, into: &writer)
      stretches("stalls", outcome.stalls, into: &writer)
      if let freezes = outcome.freezes { stretches("pictureFreezes", freezes, into: &writer) }
    }
  }

  private static func stretches(
    _ name: StaticString, _ stretches: [ViewerOutcome.Stall], into writer: inout JSONWriter
  ) {
    writer.objects(name, stretches) { writer, stretch in
      time("start", stretch.start, into: &writer)
      time("end", stretch.end, into: &writer)
    }
  }

  private static func time(
    _ name: StaticString, _ instant: Instant?, into writer: inout JSONWriter
  ) {
    writer.field(name, seconds: instant.map { ($0 - .start).nanoseconds })
  }
}
