import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads events of Common Media Client Data, version 2 (CTA-5004-B): an event a line.
///
/// A response event (`e=rr`) is dated by its request, and says when the first and the last byte
/// came. Changes of the state (`e=ps`) say when playback began and stalled.
struct CMCDEvents {
  private let lines: [(line: Int, fields: CMCDFields)]
  private let unread: Int
  private let name: String

  init(_ source: SourceText) throws(RecordingProblem) {
    name = source.path
    var (lines, unread): ([(line: Int, fields: CMCDFields)], Int) = ([], 0)
    for (number, line) in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated() where !line.isEmpty
    {
      let fields = CMCDFields(String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self))
      if fields.amount("ts") == nil || fields["e"] == nil {
        unread += 1
      } else {
        lines.append((number + 1, fields))
      }
    }
    (self.lines, self.unread) = (lines, unread)
    if lines.isEmpty { throw RecordingProblem(name, "has no event with a time") }
  }

  /// Returns the sessions by their identifiers, in the order of their first events.
  func sessions(_ options: SessionLogReader.LogOptions) throws(RecordingProblem) -> [SessionLog] {
    var order: [String] = []
    var members: [String: [CMCDFields]] = [:]
    for (_, fields) in lines {
      let session = fields["sid"] ?? ""
      if members[session] == nil { order.append(session) }
      members[session, default: []].append(fields)
    }
    var logs: [SessionLog] = []
    for (number, session) in order.enumerated() {
      let events = members[session] ?? []
      let requests = events.compactMap(Self.request)
      if !requests.contains(where: { $0.kind == .segment }) { continue }
      var draft = SessionDraft(
        form: .cmcd2, name: order.count == 1 ? name : "\(name)#\(number)", requests: requests)
      draft.notes = notes
      var log = try draft.finished(options, at: RecordingProblem(name, "has no response"))
      if let start = draft.start { Self.addStates(events, from: start, to: &log) }
      if log.medium == nil {
        log.notes.append(
          "The events do not say how long segments last (d), so what was played is not known; "
            + "--media says it.")
      }
      logs.append(log)
    }
    if logs.isEmpty { throw RecordingProblem(name, "has no response with media") }
    return logs
  }

  private var notes: [String] {
    unread == 0 ? [] : ["\(unread) lines are not events with a time and are left out."]
  }

  private static let millisecond = TimeSpan.milliseconds(1)

  private static func request(_ fields: CMCDFields) -> LoggedRequest? {
    guard fields["e"] == "rr", let sent = fields.amount("ts", times: 1_000_000) else { return nil }
    let address = LogAddress(fields["url"] ?? "")
    var request = LoggedRequest(
      kind: fields.kind ?? address.kind(mediaType: ""), address: address, sent: sent,
      quantum: millisecond)
    func instant(_ key: String) -> Int64? {
      fields.amount(key, times: 1_000_000).map {
        LogTime.after(sent, min($0, LogTime.partMax))
      }
    }
    (request.firstByte, request.done) = (instant("ttfb"), instant("ttlb"))
    let status = fields.amount("rc") ?? 200
    request.isAborted = status == 0
    request.mediaDuration = fields.amount("d", times: 1_000_000).map { TimeSpan(nanoseconds: $0) }
    request.encodedRate = fields.amount("br", times: 1_000).map { BitRate(bitsPerSecond: $0) }
    request.isSound = fields["ot"] == "a"
    // No key of the standard counts bytes; players add their own, such as `com.example-bytes`.
    request.size = fields.amount("bytes")
    return request
  }

  /// Takes from the states when playback began and stalled.
  private static func addStates(
    _ events: [CMCDFields], from start: Int64, to log: inout SessionLog
  ) {
    func instant(_ fields: CMCDFields) -> Instant? {
      fields.amount("ts", times: 1_000_000).map {
        Instant(nanoseconds: min(max(0, $0 > start ? $0 - start : 0), SessionDraft.spanMax))
      }
    }
    let states = events.enumerated().filter { $0.element["e"] == "ps" }.compactMap {
      place, fields in instant(fields).map { (instant: $0, place: place, fields: fields) }
    }.sorted { ($0.instant, $0.place) < ($1.instant, $1.place) }
    if states.isEmpty {
      log.notes.append("No event says in what state the player was.")
      return
    }
    var (outcome, stood) = (ViewerOutcome(), Instant?.none)
    for (now, _, fields) in states {
      switch fields["sta"] {
      case "p":
        if outcome.startup == nil { outcome.startup = now }
        if let from = stood { outcome.stalls.append(.init(start: from, end: now)) }
        stood = nil
      case "r": stood = now
      case "e":
        outcome.end = now
        stood = nil
      case "s": log.play = log.play ?? now
      default: stood = nil
      }
    }
    log.outcome = outcome
    log.stallCount = outcome.stalls.count + (stood == nil ? 0 : 1)
    log.end = [log.end, states.last?.instant].compactMap { $0 }.max()
  }
}
