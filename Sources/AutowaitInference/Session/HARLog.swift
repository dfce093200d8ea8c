import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads HTTP archives, version 1.2 (http://www.softwareishard.com/blog/har-12-spec).
///
/// A request was sent once its connection was there: when it began plus `blocked`, `dns`, `connect`
/// (of which TLS is a part) and `send`. Its first byte came after `wait`, its last after `receive`.
/// What came from a cache crossed no link and is left out.
struct HARLog {
  private var entries: [(page: String, request: LoggedRequest)] = []
  private var playlists: [(page: String, path: String, text: String)] = []
  private var (withoutTime, cached) = (0, 0)
  private let root: JSONValue
  private let name: String

  /// Chrome writes microseconds, others milliseconds; what follows the point in milliseconds is
  /// more than the clocks of browsers say.
  private static let quantum = TimeSpan.milliseconds(1)

  init(_ root: JSONValue, name: String) throws(RecordingProblem) {
    (self.root, self.name) = (root, name)
    guard let log = root.member("log"), let list = log.member("entries"), list.kind == .array else {
      throw root.flaw("is not an HTTP archive: it has no list of entries")
    }
    for entry in list.elements { take(entry) }
    if entries.isEmpty { throw list.flaw("have no request with a time") }
  }

  /// Returns the sessions: a page that asked for playlists or media is one.
  func sessions(_ options: SessionLogReader.LogOptions) throws(RecordingProblem) -> [SessionLog] {
    var pages: [String] = []
    for (page, request) in entries where request.kind != .other && !pages.contains(page) {
      pages.append(page)
    }
    if pages.isEmpty {
      throw root.flaw("has no request for a playlist or media; nothing was played")
    }
    var logs: [SessionLog] = []
    for (number, page) in pages.enumerated() {
      var draft = SessionDraft(
        form: .har, name: pages.count == 1 ? name : "\(name)#\(number)",
        requests: entries.filter { $0.page == page }.map(\.request))
      draft.media = media(of: page, draft.requests)
      draft.notes = notes
      var log = try draft.finished(options, at: root.flaw("has no request for media"))
      if log.medium == nil {
        log.notes.append(
          "The archive has no text of a playlist that can be played again, so it does not say what "
            + "was played; --media does.")
      }
      logs.append(log)
    }
    return logs
  }

  private var notes: [String] {
    var notes = ["An archive does not say when the player was to play, began to, or stalled."]
    if cached > 0 { notes.append("\(cached) responses came from a cache and are left out.") }
    if withoutTime > 0 {
      notes.append("\(withoutTime) entries do not say when they began and are left out.")
    }
    return notes
  }

  private mutating func take(_ entry: JSONValue) {
    guard let begin = entry.text("startedDateTime").flatMap({ TimeSpan(calendar: $0) }) else {
      withoutTime += 1
      return
    }
    let (timings, response) = (entry.member("timings"), entry.member("response"))
    func span(_ name: String) -> Int64? { timings?.known(name, times: 1_000_000) }
    let status = response?.known("status") ?? 0
    let transfer = response?.known("_transferSize")
    let isCached =
      entry.member("_fromCache") != nil && entry.member("_fromCache")?.kind != .null
      || status == 304 || (transfer == 0 && status == 200)
    if isCached {
      cached += 1
      return
    }
    let ready = LogTime.sum(span("blocked"), span("dns"), span("connect"), span("send"))
    let address = LogAddress(entry.member("request")?.text("url") ?? "")
    let content = response?.member("content")
    let kind = address.kind(mediaType: content?.text("mimeType") ?? "")
    let sent = LogTime.after(begin.nanoseconds, ready)
    var request = LoggedRequest(
      kind: kind, address: address, connection: entry.text("connection"), sent: sent,
      quantum: Self.quantum)
    // The body of a response that was cut short has what came until then.
    let body = response?.known("bodySize")
    request.size = transfer ?? body.map { $0 + min(response?.known("headersSize") ?? 0, 1 << 20) }
    if let wait = span("wait"), status > 0 {
      request.firstByte = LogTime.after(sent, LogTime.sum(wait))
      request.done = span("receive").map { LogTime.after(sent, LogTime.sum(wait, $0)) }
    }
    if status == 0 || isGivenUp(entry) {
      request.isAborted = true
      let whole = entry.known("time", times: 1_000_000)
      request.done =
        request.done ?? whole.map { max(sent, LogTime.after(begin.nanoseconds, LogTime.sum($0))) }
    }
    let page = entry.text("pageref") ?? ""
    if kind == .playlist, let text = content.flatMap(text), status < 400 {
      playlists.append((page, address.path, text))
    }
    entries.append((page, request))
  }

  /// Whether the browser says that nobody waited for the end of a response.
  private func isGivenUp(_ entry: JSONValue) -> Bool {
    let reason = entry.text("_error") ?? entry.member("response")?.text("_error") ?? ""
    return reason.contains("ABORT") || reason == "cancelled"
  }

  /// The text of a response, which may be in the base 64.
  private func text(_ content: JSONValue) -> String? {
    guard let text = content.text("text"), !text.isEmpty else { return nil }
    if content.text("encoding") != "base64" { return text }
    return Base64.bytes(text).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What a page played, by the playlists that it was given.
  private func media(of page: String, _ requests: [LoggedRequest]) -> SessionMedia? {
    var sizes: [String: Int64] = [:]
    for request in requests where !request.isAborted {
      guard let size = request.size, size > 0 else { continue }
      sizes[request.address.path] = max(sizes[request.address.path] ?? 0, size)
    }
    var own: [(path: String, text: String)] = []
    for playlist in playlists where playlist.page == page {
      if !own.contains(where: { $0.path == playlist.path }) {
        own.append((playlist.path, playlist.text))
      }
    }
    return SessionMedia.read(playlists: own, sizes: sizes, source: name)
  }
}
