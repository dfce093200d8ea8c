import Autowait

/// HTTP archives: what the requests of a page took, and so what its link must have brought.
enum HARFormat {
  static let row = TraceFormatRow(
    title: "an HTTP archive", record: "JSON: timings and sizes of requests", kind: .goodput,
    limit: "an HTTP archive has only what was asked for: the link may have carried more",
    isMet: { $0.isObject && $0.has("log") && $0.has("entries", "version", "creator") },
    read: TraceFormatRow.document("an HTTP archive") { root, findings, options in
      read(root, findings, options).map { ConvertedLink(name: "", LinkProfile(roundTrips: $0)) }
    })

  /// A response: its bytes arrived evenly from one time to another.
  private struct Response {
    let start: TimeSpan
    let span: TimeSpan
    let size: ByteCount
  }

  /// Reads an archive: at each time the sum of the rates of what was being received.
  ///
  /// While nothing was, the last rate holds: silence says nothing about a link. The delay is the
  /// shortest connect, which is a round trip.
  private static func read(
    _ root: JSONValue, _ findings: Findings, _ options: TraceOptions
  ) -> LinkTrack? {
    var fields = FieldReader(root, "an archive", findings)
    guard var log = fields.requiredObject("log", "the log") else { return nil }
    guard let entries = log.required("entries", .array) else { return nil }
    var responses: [Response] = []
    var roundTrip: TimeSpan?
    for entry in entries.elements {
      var fields = FieldReader(entry, "an entry", findings)
      guard let (response, connect) = response(&fields, findings) else { continue }
      if let response { responses.append(response) }
      if let connect, connect < roundTrip ?? Limits.timeMax { roundTrip = connect }
    }
    if findings.hasErrors { return nil }
    guard let first = responses.map({ $0.start }).min() else {
      findings.error("no entry says how long a response took and how large it was", at: entries)
      return nil
    }
    var track = TrackBuilder(until: options.until, isMerging: true)
    let changes = changes(responses, from: first)
    var (sum, held) = (Int64(0), Int64(0))
    var silence = TimeSpan.zero
    for (change, next) in zip(changes, changes.dropFirst()) {
      sum += change.rate
      if sum > 0 { held = min(sum, Limits.bitRateMax.bitsPerSecond) }
      if sum <= 0 { silence = silence + (next.time - change.time) }
      findings.add(
        next.time - change.time, TraceRate(BitRate(bitsPerSecond: held)), delay: roundTrip ?? .zero,
        to: &track, at: entries)
      if findings.hasErrors || track.isEnough { break }
    }
    if silence > .zero {
      let (part, whole) = (silence.nanoseconds, track.end.nanoseconds)
      let times = "\(Quantity.time.text(part)) of \(Quantity.time.text(whole))"
      findings.warning(
        "\(times) are silent, and have the rate before them", at: entries.opening,
        notes: ["what the link could carry while nothing was asked for, no archive says"])
    }
    return findings.finished(track, options.ending ?? .offline, entries, "no response took time")
  }

  /// Reads an entry: its response if it came over the network, and how long its connect took.
  private static func response(
    _ fields: inout FieldReader, _ findings: Findings
  ) -> (response: Response?, connect: TimeSpan?)? {
    let stamp = fields.required("startedDateTime", .string)
    var timings = fields.requiredObject("timings", "the timings")
    var answer = fields.requiredObject("response", "the response")
    guard let stamp, timings != nil, answer != nil else { return nil }
    guard let begin = TimeSpan(calendar: stamp) else {
      fields.error("'startedDateTime' must be a date and a time of ISO 8601", at: "startedDateTime")
      return nil
    }
    var wait: Int64 = 0
    for name in ["blocked", "dns", "connect", "send", "wait"] {
      wait += timings?.known(name, .milliseconds) ?? 0
    }
    guard let span = timings?.known("receive", .milliseconds) else { return (nil, nil) }
    // The time for TLS is a part of the time to connect.
    let secure = timings?.known("ssl", .milliseconds) ?? 0
    let whole = timings?.known("connect", .milliseconds)
    let connect = whole.map { $0 - secure }.flatMap { $0 > 0 ? $0 : nil }
    let body = answer?.known("_transferSize", .bytes) ?? answer?.known("bodySize", .bytes)
    let roundTrip = connect.map { TimeSpan(nanoseconds: $0) }
    guard let body, body > 0, span > 0 else { return (nil, roundTrip) }
    let start = TimeSpan(nanoseconds: begin.nanoseconds + min(wait, Limits.timeMax.nanoseconds))
    let response = Response(
      start: start, span: TimeSpan(nanoseconds: span), size: ByteCount(bytes: body))
    return (response, roundTrip)
  }

  /// Returns by how much the rate changes, and when, as responses begin and end.
  private static func changes(
    _ responses: [Response], from origin: TimeSpan
  ) -> [(time: TimeSpan, rate: Int64)] {
    var changes: [(time: TimeSpan, rate: Int64)] = []
    for response in responses {
      // What is so fast took no time that the archive could tell.
      guard let rate = TraceRate(response.size, in: response.span)?.nearest else { continue }
      changes.append((response.start - origin, rate.bitsPerSecond))
      changes.append((response.start + response.span - origin, -rate.bitsPerSecond))
    }
    return changes.sorted { ($0.time, $0.rate) < ($1.time, $1.rate) }
  }
}

extension FieldReader {
  /// Reads a number that may be missing, or −1 where it does not apply or is not known.
  fileprivate mutating func known(_ name: String, _ unit: TraceUnit) -> Int64? {
    guard let value = value(name), value.kind != .null, value.decimal?.isNegative != true else {
      return nil
    }
    return optional(name, .nearest(unit))
  }
}
