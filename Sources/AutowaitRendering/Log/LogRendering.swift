import Autowait
import AutowaitScenario

/// Renders a run as a log: one JSON object a line, keys in a fixed order, numbers exact.
///
/// The first line is the header with the whole scenario, the last one the summary with the
/// fingerprint. Two runs of one scenario give the same bytes.
package struct LogRendering {
  /// The version of the log's format.
  package static let formatVersion: Int64 = 1
  /// The most lines of a golden log; a longer run is kept as header and summary.
  package static let goldenLinesMax = 200

  private var writer: JSONWriter

  /// What the header says made the log.
  private let version: LogVersion

  private init(capacity: Int, version: LogVersion = .current) {
    writer = JSONWriter(capacity: capacity)
    self.version = version
  }

  /// Returns the whole log of a run; another version in its header is for comparing it with the log
  /// of another build.
  package static func log(
    _ result: RunResult, as version: LogVersion = .current
  ) -> [UInt8] {
    var rendering = LogRendering(capacity: 1024 + 96 * result.records.count, version: version)
    rendering.header(result)
    for record in result.records { rendering.line(record, result.scenario) }
    rendering.summary(result)
    return rendering.writer.bytes
  }

  /// Returns the log of a run as goldens keep it: without its events if there are many.
  package static func golden(
    _ result: RunResult, as version: LogVersion = .current
  ) -> [UInt8] {
    if result.records.count + 2 <= goldenLinesMax { return log(result, as: version) }
    var rendering = LogRendering(capacity: 4096, version: version)
    rendering.header(result)
    rendering.summary(result)
    return rendering.writer.bytes
  }

  /// Returns the lines of some records of a world with one player, for measurements.
  package static func lines(
    _ records: EventRecords, _ scenario: Scenario, into writer: inout JSONWriter
  ) {
    var rendering = LogRendering(capacity: 0)
    swap(&rendering.writer, &writer)
    for record in records { rendering.line(record, scenario) }
    swap(&rendering.writer, &writer)
  }

  private mutating func header(_ result: RunResult) {
    let scenario = result.scenario
    writer.beginObject()
    writer.field("autowaitLog", Self.formatVersion)
    writer.field("digest", text: Self.hexadecimal(scenario.digest))
    version.write(into: &writer)
    if !scenario.inputs.isEmpty {
      writer.key("inputs")
      writer.beginArray()
      for input in scenario.inputs {
        writer.beginObject()
        writer.field("path", text: input.path)
        writer.field("digest", text: Self.hexadecimal(input.digest))
        writer.endObject()
      }
      writer.endArray()
    }
    writer.key("scenario")
    let source = SourceText(path: scenario.path, bytes: scenario.resolved)
    if let root = Findings(source).parseJSON() { writer.value(root) } else { writer.null() }
    writer.endObject()
    writer.endLine()
  }

  private mutating func line(_ record: EventRecord, _ scenario: Scenario) {
    let row = record.event.row
    writer.beginRecord(
      seconds: record.instant.nanoseconds, number: record.number, cause: record.cause,
      event: row.name)
    if case .linkRate(let rate) = record.event {  // most lines of a long log
      writer.endRecord("value", rate.bitsPerSecond)
      return
    }
    if let player = record.player, scenario.playerNames.count > 1 {
      writer.field("player", text: scenario.playerNames[player])
    }
    row.forEachField { field($0, scenario) }
    writer.endRecord()
  }

  private mutating func summary(_ result: RunResult) {
    writer.beginObject()
    writer.field("t", seconds: result.end.nanoseconds)
    writer.field("events", Int64(result.records.count))
    writer.field("finish", result.finish.word)
    writer.key("metrics")
    ResultRendering.metrics(result, into: &writer)
    writer.field("fingerprint", text: Self.hexadecimal(result.fingerprint))
    writer.endObject()
    writer.endLine()
  }

  /// Returns a digest as sixteen digits.
  package static func hexadecimal(_ value: UInt64) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = (0..<16).map { digits[Int(value >> (60 - 4 * UInt64($0)) & 15)] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension LogRendering {
  private mutating func field(_ field: EventField, _ scenario: Scenario) {
    switch field.value {
    case .null: writer.nullField(field.name)
    case .flag(let flag): writer.field(field.name, flag)
    case .word(let word): writer.field(field.name, word)
    case .count(let count): writer.field(field.name, count)
    case .seed(let seed): writer.field(field.name, seed)
    case .nanoseconds(let nanoseconds): writer.field(field.name, seconds: nanoseconds)
    case .rate(let rate): writer.field(field.name, millionths: rate.millionths)
    case .videoColor(let color): writer.field(field.name, text: color.text)
    case .resolution(let size): writer.field(field.name, text: "\(size.width)x\(size.height)")
    case .stepName(let index): writer.field(field.name, text: scenario.stepNames[index])
    case .linkName(let index): writer.field(field.name, text: scenario.linkNames[index])
    case .tier: writer.field(field.name, scenario.world.tierChoice.tier.word)
    case .tierReason: writer.field(field.name, scenario.world.tierChoice.reason.word)
    }
  }
}
