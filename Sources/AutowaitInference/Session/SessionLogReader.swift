import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads the logs of real sessions, in the formats of ``SessionLog/Form``.
package enum SessionLogReader {
  /// What a reader must be told that is not in the log.
  package struct Options {
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
    _ source: SourceText, _ options: Options = Options()
  ) throws(RecordingProblem) -> [SessionLog] {
    guard let form = options.form ?? form(of: source) else {
      throw RecordingProblem(
        source.path,
        "is no log that is known; --from names its format, one of "
          + SessionLog.Form.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let name = source.path
    switch form {
    case .har: return try HARLog(try JSONValue.read(source), name: name).sessions(options)
    case .timeline: return [try TimelineLog.session(source, options)]
    case .cmcd1, .cmcd2, .avmetrics, .accesslog:
      throw RecordingProblem(name, "is of a format that is not read yet")
    }
  }

  /// The format of a log by what is in it; nil if it is none that is known.
  package static func form(of source: SourceText) -> SessionLog.Form? {
    guard let root = try? JSONDocument(source).root else { return nil }
    if root.member("schema")?.isString(RecordingReader.schema) == true { return .timeline }
    if root.member("log")?.member("entries") != nil { return .har }
    return nil
  }
}
