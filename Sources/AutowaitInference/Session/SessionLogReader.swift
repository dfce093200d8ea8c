import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads the logs of real sessions, in the formats of ``SessionLog/Form``.
package enum SessionLogReader {
  /// What a reader must be told that is not in the log.
  package struct LogOptions {
    /// The format; nil to go by the content.
    package var form: SessionLog.Form?
    /// What was played; nil to go by the log.
    package var media: SessionMedia?
    /// Whether addresses are kept, in a table of their own.
    package var keepsAddresses = false
    /// Reads a file that a log names; nil if there is none.
    package var load: (String) -> [UInt8]? = { _ in nil }

    package init() {}
  }

  /// Reads the sessions of a log, at least one.
  package static func read(
    _ source: SourceText, _ options: LogOptions = LogOptions()
  ) throws(RecordingProblem) -> [SessionLog] {
    guard let form = options.form ?? form(of: source) else {
      throw RecordingProblem(
        source.path,
        "unknown log format; --from names it, one of "
          + SessionLog.Form.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let name = source.path
    switch form {
    case .har:
      let root = try JSONValue.read(source, isSecret: true)
      return try HARLog(root, name: name).sessions(options)
    case .timeline: return [try TimelineLog.session(source, options)]
    case .cmcd1: return try CMCDLog(source).sessions(options)
    case .cmcd2: return try CMCDEvents(source).sessions(options)
    case .avmetrics: return try AVMetricsLog(source).sessions(options)
    case .accesslog: return try AccessLogFile(source).sessions(options)
    }
  }

  /// The format of a log by what is in it; nil if it is none that is known.
  package static func form(of source: SourceText) -> SessionLog.Form? {
    if let root = try? JSONDocument(source).root, root.kind == .object {
      if root.member("schema")?.isString(RecordingReader.schema) == true { return .timeline }
      if root.member("log")?.member("entries") != nil { return .har }
    }
    let first = String(decoding: source.bytes.prefix(4_096), as: UTF8.self)
    if first.hasPrefix("#") {
      if first.contains("c-observed-bitrate") { return .accesslog }
      return table(source) ? .cmcd1 : nil
    }
    for value in AVMetricsLog.values(source).lazy.prefix(20) {
      guard let value else { continue }
      if value.text("event")?.hasPrefix("AVMetric") == true { return .avmetrics }
      if value.member("accessLog") != nil || AccessLogFile.isEntry(value) { return .accesslog }
      if value.member("at") != nil, value.member("events") != nil { return .accesslog }
    }
    let line = first.split(separator: "\n").first { !$0.isEmpty } ?? ""
    if !line.hasPrefix("{") {
      let fields = CMCDFields(String(line))
      if fields["e"] != nil, fields.amount("ts") != nil { return .cmcd2 }
    }
    return table(source) ? .cmcd1 : nil
  }

  /// Whether rows of a table have data of the client.
  private static func table(_ source: SourceText) -> Bool {
    LogTable(source).rows.prefix(100).contains { CMCDLog.hasData($0) }
  }
}
