import Autowait
import AutowaitScenario

/// One of two runs that are compared: its log, and what else is known of it.
package struct RunSide: Sendable {
  /// What the run was read from.
  package enum Kind: String, Sendable {
    case scenario, log, recording
  }

  /// The path by which it was named.
  package let path: String
  package let kind: Kind
  /// The log: its header, its events and its summary.
  let log: [UInt8]
  /// The scenario as the log has it.
  let scenario: JSONValue
  /// What made the log.
  let version: LogVersion
  /// What the summary of the log says; nil if the log is cut off.
  let summary: JSONValue?
  /// The bytes of the events, without that of the start of the run; nil in logs that are kept
  /// without events.
  let events: Range<Int>?
  /// The line of the log in which these events begin, from 1.
  let firstLine: Int
  /// The run, if this build gives the log.
  package let result: RunResult?

  /// Takes a log apart; nil for what is none.
  package init?(path: String, kind: Kind, log: [UInt8], result: RunResult?) {
    let end = log.firstIndex(of: 0x0A) ?? log.count
    func object(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
      Findings(SourceText(path: path, bytes: Array(bytes))).parseJSON()
    }
    guard let header = object(log[..<end]), let scenario = header.member("scenario") else {
      return nil
    }
    (self.path, self.kind, self.log, self.result) = (path, kind, log, result)
    self.scenario = scenario
    version = LogVersion(header)
    // The last line, if it is whole.
    var summaryStart = log.count
    if log.last == 0x0A, end < log.count - 1 {
      summaryStart = (log.dropLast().lastIndex(of: 0x0A) ?? -1) + 1
    }
    let last = summaryStart < log.count ? object(log[summaryStart...]) : nil
    summary = last?.member("fingerprint") != nil && last?.member("n") == nil ? last : nil
    var start = min(end + 1, log.count)
    let eventsEnd = summary == nil ? log.count : summaryStart
    let isSummaryAlone = summary != nil && start == eventsEnd
    var line = 2
    let startEnd = log[start...].firstIndex(of: 0x0A) ?? log.count
    if startEnd < eventsEnd,
      object(log[start..<startEnd])?.member("event")?.isString("started") == true
    {
      start = startEnd + 1
      line = 3
    }
    firstLine = line
    events = isSummaryAlone ? nil : start..<max(start, eventsEnd)
  }

  /// The name of the scenario; its path if it has none.
  var name: String { scenario.member("name")?.string ?? path }

  /// The fingerprint of the run.
  var fingerprint: String? { summary?.member("fingerprint")?.string }

  /// The metrics of the run, each with the player that it is of; nil where there is only one.
  var metrics: [(player: String?, name: String, value: JSONValue)] {
    guard let metrics = summary?.member("metrics") else { return [] }
    var rows: [(player: String?, name: String, value: JSONValue)] = []
    for member in metrics.members {
      let key = member.key.string ?? ""
      if member.value.kind == .object {
        rows += member.value.members.map { (key, $0.key.string ?? "", $0.value) }
      } else {
        rows.append((nil, key, member.value))
      }
    }
    return rows
  }
}
