import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads servers' logs of requests with Common Media Client Data, version 1 (CTA-5004).
///
/// A request says when it was made, how many bytes were sent, and what the client knew then. What
/// the server took is no measure of the link: its last byte may lie in a queue. The client's next
/// request says how fast the one before came (`mtp`), to 100 kbit/s, and was made after it.
struct CMCDLog {
  private struct Entry {
    var request: LoggedRequest
    let session: String
    /// What the client had measured when it asked, in bits per second.
    let measured: Int64?
  }

  private var entries: [Entry] = []
  private var (withoutTime, withoutData) = (0, 0)
  private let table: LogTable
  private let name: String

  private static let times = [
    "timestamp", "time", "reqtimesec", "requesttimestamp", "starttime", "msec", "timeiso8601",
    "datetime", "ts",
  ]
  private static let sizes = [
    "scbytes", "bytes", "totalbytes", "bytessent", "bodybytessent", "responsebodysize", "size",
    "responsebytes",
  ]
  private static let queries = [
    "csuriquery", "querystr", "querystring", "query", "args", "cmcd", "url", "uri", "csuri",
    "requesturi", "requesturl", "reqpath", "request", "path",
  ]
  private static let paths = [
    "csuristem", "uripath", "reqpath", "path", "url", "uri", "csuri", "requesturi", "requesturl",
    "request",
  ]
  private static let hosts = ["xhostheader", "cshost", "host", "reqhost", "servername"]
  private static let statuses = ["scstatus", "status", "statuscode", "responsestatus"]
  private static let headers = ["cmcdrequest", "cmcdobject", "cmcdstatus", "cmcdsession"]

  init(_ source: SourceText) throws(RecordingProblem) {
    name = source.path
    table = LogTable(source)
    for row in table.rows { take(row) }
    if entries.isEmpty {
      throw RecordingProblem(
        name,
        "has no request with a time and Common Media Client Data among its "
          + "\(table.rows.count) rows")
    }
  }

  /// Whether a row has the client's data somewhere.
  static func hasData(_ row: LogTable.Row) -> Bool { !fields(row).isEmpty }

  private static func fields(_ row: LogTable.Row) -> CMCDFields {
    var fields = CMCDFields()
    // Servers write headers' names with or without the words around them.
    for (name, text) in row.values.sorted(by: { $0.key < $1.key })
    where headers.contains(where: { name.hasSuffix($0) }) {
      fields.add(LogAddress.decoded(text))
    }
    for name in queries {
      guard let text = row[name] else { continue }
      let decoded = LogAddress.decoded(text)
      if let place = decoded.firstRange(of: "CMCD=") {
        // Another parameter may follow; a value has no ampersand but in quotation marks.
        let rest = decoded[place.upperBound...].prefix { $0 != "&" && $0 != " " }
        fields.add(String(rest))
      } else if name == "cmcd" {
        fields.add(decoded)
      }
    }
    return fields
  }

  private mutating func take(_ row: LogTable.Row) {
    let fields = Self.fields(row)
    if fields.isEmpty {
      withoutData += 1
      return
    }
    guard let time = time(of: row) else {
      withoutTime += 1
      return
    }
    let path = row[Self.paths] ?? ""
    let host = row[Self.hosts].map { "https://\($0)" } ?? ""
    let address = LogAddress(path.contains("://") ? path : host + Self.target(path))
    var request = LoggedRequest(
      kind: fields.kind ?? address.kind(mediaType: ""), address: address, sent: time.instant,
      quantum: time.quantum)
    request.size = row[Self.sizes].flatMap { LogNumber.amount($0) }
    request.mediaDuration = fields.amount("d", times: 1_000_000).map { TimeSpan(nanoseconds: $0) }
    request.encodedRate = fields.amount("br", times: 1_000).map { BitRate(bitsPerSecond: $0) }
    request.isSound = fields["ot"] == "a"
    let status = row[Self.statuses].flatMap { LogNumber.amount($0) } ?? 200
    // What failed brought no media, but was asked for.
    if status >= 400 { request.mediaDuration = nil }
    if status == 304 || request.size == 0 { return }
    entries.append(
      Entry(
        request: request, session: fields["sid"] ?? "",
        measured: fields.amount("mtp", times: 1_000)))
  }

  /// The target of a request line such as `GET /a HTTP/1.1`.
  private static func target(_ text: String) -> String {
    let words = text.split(separator: " ")
    return words.count == 3 ? String(words[1]) : text
  }

  /// When a request was made, in nanoseconds since 1970, and how exactly that is known.
  private func time(of row: LogTable.Row) -> (instant: Int64, quantum: TimeSpan)? {
    if let date = row["date"], let clock = row["time"],
      let end = TimeSpan(calendar: "\(date)T\(clock)")
    {
      // An extended log has the time at which a transfer was over, and how long it took.
      let taken = row["timetaken"].flatMap { LogNumber.amount($0, times: 1_000_000_000) } ?? 0
      return (
        LogTime.after(end.nanoseconds, -min(taken, LogTime.partMax)),
        LogNumber.resolution(clock, unit: 1_000_000_000)
      )
    }
    guard let text = row[Self.times] else { return nil }
    if let time = TimeSpan(calendar: text) {
      return (time.nanoseconds, LogNumber.resolution(text, unit: 1_000_000_000))
    }
    // Milliseconds since 1970 have 13 digits in this century, seconds 10.
    let isMilliseconds = text.prefix { $0 != "." }.utf8.count >= 12
    let unit: Int64 = isMilliseconds ? 1_000_000 : 1_000_000_000
    return LogNumber.amount(text, times: unit).map {
      ($0, LogNumber.resolution(text, unit: unit))
    }
  }

  /// Returns the sessions by their identifiers, in the order of the first request of each.
  func sessions(_ options: SessionLogReader.LogOptions) throws(RecordingProblem) -> [SessionLog] {
    var order: [String] = []
    var members: [String: [Entry]] = [:]
    for entry in entries.sorted(by: { $0.request.sent < $1.request.sent }) {
      if members[entry.session] == nil { order.append(entry.session) }
      members[entry.session, default: []].append(entry)
    }
    var logs: [SessionLog] = []
    for (number, session) in order.enumerated() {
      let own = Self.ended(members[session] ?? [])
      if !own.contains(where: { $0.kind == .segment }) { continue }
      var draft = SessionDraft(
        form: .cmcd1, name: order.count == 1 ? name : "\(name)#\(number)", requests: own)
      draft.notes = notes
      logs.append(
        try draft.finished(options, at: RecordingProblem(name, "has no request for media")))
    }
    if logs.isEmpty { throw RecordingProblem(name, "has no request for media") }
    return logs
  }

  private var notes: [String] {
    var notes = [
      "A server's log does not say when a first byte arrived, when the player was to play, began "
        + "to, or for how long it stalled. When a response was over follows from the throughput "
        + "that the next request reports."
    ]
    if withoutTime > 0 { notes.append("\(withoutTime) rows have no time and are left out.") }
    if withoutData > 0 {
      notes.append("\(withoutData) rows have no Common Media Client Data and are left out.")
    }
    if table.unread > 0 { notes.append("\(table.unread) lines are not rows and are left out.") }
    return notes
  }

  /// Gives each request an end, as far as later ones of its kind say it.
  private static func ended(_ entries: [Entry]) -> [LoggedRequest] {
    var requests = entries.map(\.request)
    for place in requests.indices {
      guard let size = requests[place].size, size > 0, requests[place].kind == .segment,
        let next = (place + 1..<requests.count).first(where: {
          requests[$0].kind == .segment && requests[$0].isSound == requests[place].isSound
        }), let rate = entries[next].measured, rate > 0
      else { continue }
      let sent = requests[place].sent
      func end(_ rate: Int64) -> Int64 {
        let span = Int128(size) * 8_000_000_000 / Int128(max(1, rate))
        return LogTime.after(sent, min(Int64(clamping: span), LogTime.partMax))
      }
      let bound = requests[next].sent
      if end(rate + halfStep) <= bound, bound <= end(max(1, rate - halfStep)) {
        // It was asked for the next when this one was there.
        requests[place].done = bound
        continue
      }
      let done = min(end(rate), bound)
      requests[place].done = done
      let error = end(max(1, rate - halfStep)) - end(rate)
      requests[place].quantum = max(
        requests[place].quantum, TimeSpan(nanoseconds: min(error, LogTime.partMax)))
    }
    return requests
  }

  /// Throughputs are rounded to 100 kbit/s.
  private static let halfStep: Int64 = 50_000
}
