import Autowait
import AutowaitScenario

/// Renders how two runs differ as one JSON object.
package enum RunDifferenceJSON {
  private static let formatVersion: Int64 = 1

  /// Returns the object, in one line; with all of it, what is equal in both runs is there, too.
  package static func bytes(_ difference: RunDifference, showsAll: Bool) -> [UInt8] {
    JSONWriter.line(capacity: 4_096) { writer in
      writer.field("version", formatVersion)
      ToolVersion.write(into: &writer)
      writer.field("same", difference.isSame)
      for (key, side) in [("first", difference.first), ("second", difference.second)] {
        writer.object(text: key) { write(side, into: &$0) }
      }
      writer.objects("words", difference.words) { writer, word in
        writer.field("path", text: word.path)
        value("first", word.first, into: &writer)
        value("second", word.second, into: &writer)
      }
      writer.key("difference")
      if let events = difference.events {
        writer.object { write(events, difference.instant, into: &$0) }
      } else {
        writer.null()
      }
      writer.key("state")
      if let state = difference.state {
        writer.object { writer in
          writer.field("t", seconds: state.instant)
          writer.field("from", text: state.isLogged ? "events" : "run")
          writer.objects("properties", state.rows.filter { showsAll || $0.differs }) {
            write($1, isJSON: false, into: &$0)
          }
        }
      } else {
        writer.null()
      }
      writer.strings("why", difference.why.map { TerminalText.withoutTies($0) })
      writer.objects("metrics", difference.metrics.filter { showsAll || $0.differs }) {
        write($1, isJSON: true, into: &$0)
      }
    }
  }

  private static func write(_ side: RunSide, into writer: inout JSONWriter) {
    writer.field("path", text: side.path)
    writer.field("kind", text: side.kind.rawValue)
    writer.field("scenario", text: side.name)
    writer.key("modelVersion")
    if let model = side.version.model { writer.integer(model) } else { writer.null() }
    text("fingerprint", side.fingerprint, into: &writer)
  }

  private static func write(
    _ events: LogDifference, _ instant: Int64?, into writer: inout JSONWriter
  ) {
    writer.field("t", seconds: instant)
    writer.field("line", Int64(events.number))
    line("first", events.recorded, into: &writer)
    line("second", events.actual, into: &writer)
    lines("before", events.before, into: &writer)
    lines("after", events.after, into: &writer)
    lines("causes", events.causes, into: &writer)
  }

  private static func line(
    _ name: StaticString, _ line: LogDifference.NumberedLine?, into writer: inout JSONWriter
  ) {
    text(name, line.map { String(decoding: $0.bytes, as: UTF8.self) }, into: &writer)
  }

  private static func lines(
    _ name: StaticString, _ lines: [LogDifference.NumberedLine], into writer: inout JSONWriter
  ) {
    writer.strings(name, lines.map { String(decoding: $0.bytes, as: UTF8.self) })
  }

  private static func write(
    _ row: RunDifference.Row, isJSON: Bool, into writer: inout JSONWriter
  ) {
    if let player = row.player { writer.field("player", text: player) }
    writer.field("name", text: row.name)
    for (key, text) in [("first", row.first), ("second", row.second)] {
      writer.key(text: key)
      if let text, isJSON, let root = parsed(text) {
        writer.value(root)
      } else if let text {
        writer.string(text: text)
      } else {
        writer.null()
      }
    }
    if let change = row.change, let number = ExactDecimal(unsigned(change)) {
      writer.key("change")
      writer.decimal(number)
    }
  }

  /// Returns a number without the plus that JSON does not know.
  private static func unsigned(_ text: String) -> String {
    text.hasPrefix("+") ? String(text.dropFirst()) : text
  }

  private static func parsed(_ text: String) -> JSONValue? {
    (try? JSONDocument(SourceText(path: "", text: text)))?.root
  }

  /// Writes a value that is JSON already; null for what is not there.
  private static func value(
    _ name: StaticString, _ text: String?, into writer: inout JSONWriter
  ) {
    writer.key(name)
    if let root = text.flatMap({ parsed($0) }) { writer.value(root) } else { writer.null() }
  }

  private static func text(
    _ name: StaticString, _ text: String?, into writer: inout JSONWriter
  ) {
    if let text { writer.field(name, text: text) } else { writer.nullField(name) }
  }
}
