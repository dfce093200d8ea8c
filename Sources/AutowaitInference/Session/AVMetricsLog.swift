import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads metric events of AVFoundation (`AVMetrics.h` of iOS 18): objects of JSON, in lines or a
/// list.
///
/// An event has the name of its class under `event`, and its properties under their names; dates
/// are seconds, or calendar times of ISO 8601.
struct AVMetricsLog {
  private struct Event {
    let name: String
    let date: Int64
    let value: JSONValue
  }

  private var sessions: [(key: String, events: [Event])] = []
  private var unread = 0
  private let name: String

  private static let prefix = "AVMetric"

  init(_ source: SourceText) throws(RecordingProblem) {
    name = source.path
    for value in Self.values(source) {
      guard let value, let word = value.text("event"), word.hasPrefix(Self.prefix),
        let date = value.member("date").flatMap(Self.time)
      else {
        unread += 1
        continue
      }
      let key = (value.text("player") ?? "") + "\n" + (value.text("sessionID") ?? "")
      let place = sessions.firstIndex { $0.key == key } ?? sessions.count
      if place == sessions.count { sessions.append((key, [])) }
      sessions[place].events.append(Event(name: word, date: date, value: value))
    }
    if sessions.isEmpty { throw RecordingProblem(name, "has no metric event with a date") }
  }

  /// The objects of a list, or of lines; nil for a line that is none.
  static func values(_ source: SourceText) -> [JSONValue?] {
    if let root = try? JSONDocument(source).root {
      if root.kind == .array { return Array(root.elements) }
      return root.member("events").map { Array($0.elements) } ?? [root]
    }
    return source.bytes.split(separator: 0x0A).map { line in
      try? JSONDocument(SourceText(path: source.path, bytes: Array(line))).root
    }
  }

  /// Seconds from any beginning, or a calendar time, in nanoseconds.
  private static func time(_ value: JSONValue) -> Int64? {
    if let text = value.string { return CalendarTime.nanoseconds(text) }
    return value.amount(times: 1_000_000_000)
  }

  func sessions(_ options: SessionLogReader.LogOptions) throws(RecordingProblem) -> [SessionLog] {
    var logs: [SessionLog] = []
    let all = sessions.filter { session in
      session.events.contains { Self.request($0.value, $0.name)?.kind == .segment }
    }
    for (number, session) in all.enumerated() {
      var draft = SessionDraft(
        form: .avmetrics, name: all.count == 1 ? name : "\(name)#\(number)",
        requests: session.events.compactMap { Self.request($0.value, $0.name) })
      draft.notes = notes
      var log = try draft.finished(options, at: RecordingProblem(name, "has no request"))
      if let start = draft.start { Self.addOutcome(session.events, from: start, to: &log) }
      log.player = "avfoundation"
      if log.medium == nil {
        log.notes.append("The events do not say how long segments last; --media says it.")
      }
      logs.append(log)
    }
    if logs.isEmpty { throw RecordingProblem(name, "has no request for media") }
    return logs
  }

  private var notes: [String] {
    var notes = ["Metric events do not say when the player was to play."]
    if unread > 0 { notes.append("\(unread) values are not events with a date and are left out.") }
    return notes
  }

  private static func request(_ value: JSONValue, _ name: String) -> LoggedRequest? {
    let kind: SessionRequest.Kind
    switch name {
    case "AVMetricHLSPlaylistRequestEvent": kind = .playlist
    case "AVMetricContentKeyRequestEvent": kind = .key
    case "AVMetricHLSMediaSegmentRequestEvent":
      kind = value.member("isMapSegment")?.bool == true ? .initialization : .segment
    case "AVMetricMediaResourceRequestEvent": kind = .segment
    default: return nil
    }
    if value.member("wasReadFromCache")?.bool == true { return nil }
    let inner = value.member("mediaResourceRequestEvent") ?? value
    guard let sent = inner.member("requestStartTime").flatMap(time) else { return nil }
    var request = LoggedRequest(
      kind: kind, address: LogAddress(inner.text("url") ?? ""), sent: sent,
      quantum: .milliseconds(1))
    request.firstByte = inner.member("responseStartTime").flatMap(time)
    request.done = inner.member("responseEndTime").flatMap(time)
    request.size =
      inner.known("countOfResponseBodyBytesReceived") ?? inner.known("bytes")
    request.isAborted = inner.member("errorEvent").map { $0.kind != .null } ?? false
    return request
  }

  /// Takes from changes of the rate and stalls what the viewer saw.
  private static func addOutcome(_ events: [Event], from start: Int64, to log: inout SessionLog) {
    var (outcome, stood) = (ViewerOutcome(), Instant?.none)
    var hasRates = false
    for event in events.enumerated().sorted(by: {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }).map(\.element) {
      let now = Instant(
        nanoseconds: min(max(0, event.date > start ? event.date - start : 0), SessionDraft.spanMax))
      switch event.name {
      case "AVMetricPlayerItemStallEvent": stood = stood ?? now
      case "AVMetricPlayerItemRateChangeEvent":
        hasRates = true
        guard let rate = event.value.member("rate")?.decimal, !rate.isNegative,
          rate.integer(scaledBy: 1) != .exact(0)
        else { continue }
        if outcome.startup == nil { outcome.startup = now }
        if let from = stood { outcome.stalls.append(.init(start: from, end: now)) }
        stood = nil
      case "AVMetricPlayerItemPlaybackSummaryEvent":
        log.stallCount = event.value.known("stallCount").map { Int(clamping: $0) }
      default: continue
      }
    }
    if hasRates {
      log.outcome = outcome
      log.stallCount = log.stallCount ?? outcome.stalls.count
    }
  }
}
