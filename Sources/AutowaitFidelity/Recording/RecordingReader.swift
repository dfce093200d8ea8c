import Autowait
import AutowaitScenario

/// Reads recordings in the format `player-timeline/1`, and what a case of the same name says of
/// them.
package struct RecordingReader {
  /// The one version that is read.
  package static let schema = "player-timeline/1"

  private let load: (String) throws(RecordingProblem) -> [UInt8]

  /// Creates a reader from what reads a file of the folder, named by its path from there.
  package init(load: @escaping (String) throws(RecordingProblem) -> [UInt8]) { self.load = load }

  /// Reads a recording, and the case of the same name, if there is one.
  package func recording(
    _ path: String, casePath: String?
  ) throws(RecordingProblem) -> Recording {
    let file = try json(path)
    let schema = try file.required("schema")
    guard schema.isString(Self.schema) else {
      throw schema.problem("is another version of the format; this tool reads '\(Self.schema)'")
    }
    var about: JSONValue?
    if let casePath { about = try json(casePath) }
    let player = try file.required("player")
    let samples = try samples(file, hasCase: about != nil)
    var link = try link(file, about)
    var medium = try medium(try file.required("media"), file, about)
    let requests = try requests(file, of: medium)
    if medium.variants.isEmpty { medium.noteVariants(of: requests) }
    if link.arrivals.isEmpty, link.connections.isEmpty {
      link.arrivals = medium.arrivals(by: samples)
    }
    if link.schedule.isEmpty, link.delivered(for: requests) == nil {
      throw file.problem("says neither how the link was planned nor what arrived over it")
    }
    let standard =
      if let about {
        try FidelityStandard.read(about)
      } else {
        FidelityStandard(of: medium, on: link)
      }
    var seen: SeenSession?
    if about == nil, file.member("summary") == nil { seen = try SeenSession(file, samples) }
    var outcome = if let seen { seen.outcome } else { try outcome(file, about) }
    if try ViewerOutcome.playersThatReportEarly.contains(player.required("name").text()) {
      outcome.beginStallsWithClock(over: medium.duration)
    }
    try checkEnds(of: requests, in: file, isOver: outcome.end != nil)
    var cut = seen?.cut
    if seen == nil, outcome.end == nil { cut = try last(file, samples) }
    return Recording(
      name: try file.required("id").text(), player: try player.required("name").text(),
      version: player.member("version")?.string,
      options: RecordedOption.read(player.member("options")), medium: medium, link: link,
      requests: requests, headerSize: ByteCount(bytes: try headerSize(file)), samples: samples,
      outcome: outcome, play: seen?.play ?? .start,
      cut: cut, standard: standard,
      machineLoad: try file.member("host")?.member("loadavg_after")?.part(0).whole(times: 100) ?? 0)
  }

  private func json(_ path: String) throws(RecordingProblem) -> JSONValue {
    try JSONValue.read(path, try load(path))
  }

  private func link(
    _ file: JSONValue, _ about: JSONValue?
  ) throws(RecordingProblem) -> RecordedLink {
    let link = file.member("link")
    var schedule: [RecordedLink.Step] = []
    for row in try link?.member("schedule")?.rows(least: 2) ?? [] {
      let start = Instant(nanoseconds: try row[0].nanoseconds())
      if let last = schedule.last, start <= last.start {
        throw row[0].problem("is a time before that of the row above")
      }
      schedule.append(
        RecordedLink.Step(start: start, rate: BitRate(bitsPerSecond: try row[1].whole())))
    }
    if let link, let first = schedule.first, first.start != .start {
      throw link.problem("has no rate at 0")
    }
    var connections: [[RecordedLink.Arrival]] = []
    for connection in file.member("connections")?.elements ?? JSONElements() {
      connections.append(try arrivals(connection.member("acked_curve")))
    }
    var recorded = RecordedLink(
      roundTrip: TimeSpan(
        nanoseconds: try link?.member("rtt_ms_unloaded")?.whole(times: 1_000_000) ?? 0),
      schedule: schedule, arrivals: try arrivals(about?.member("delivery_curve")),
      connections: connections)
    if let queue = link?.member("queue_bytes") {
      recorded.queue = ByteCount(bytes: try queue.whole())
    }
    return recorded
  }

  private func arrivals(_ rows: JSONValue?) throws(RecordingProblem) -> [RecordedLink.Arrival] {
    var arrivals: [RecordedLink.Arrival] = []
    for row in try rows?.rows(least: 2) ?? [] {
      let arrival = RecordedLink.Arrival(
        instant: Instant(nanoseconds: try row[0].nanoseconds()),
        size: ByteCount(bytes: try row[1].whole()))
      if let last = arrivals.last, arrival.instant < last.instant {
        throw row[0].problem("is a time before that of the row above")
      }
      if let last = arrivals.last, arrival.size < last.size {
        throw row[1].problem("is less than what had arrived in the row above")
      }
      arrivals.append(arrival)
    }
    return arrivals
  }

  private func medium(
    _ media: JSONValue, _ file: JSONValue, _ about: JSONValue?
  ) throws(RecordingProblem) -> RecordedMedium {
    let url = try media.required("url").text()
    var duration = media.member("duration_s")
    if duration?.kind == .null { duration = nil }
    var medium: RecordedMedium
    if let map = media.member("map") {
      let map = map.kind == .string ? try json(try map.text()) : map
      medium = try RecordedMedium.read(
        map, url: url,
        duration: MediaTime(nanoseconds: try media.required("duration_s").nanoseconds()))
    } else if let playlists = media.member("playlists"), playlists.count > 0 {
      medium = try RecordedMedium.read(playlists: playlists, url: url, sizes: try sizes(file))
    } else {
      if url.contains("://") || url.hasSuffix(".m3u8") || url.hasSuffix(".mpd") {
        throw media.problem("is a stream, but has no 'playlists' and no 'map' of its segments")
      }
      let length = MediaTime(nanoseconds: try media.required("duration_s").nanoseconds())
      medium = .file(of: length, loaded: try sizes(file, whole: false)[url])
    }
    for number in about?.member("media")?.member("variants")?.elements ?? JSONElements() {
      medium.variants.append(Int(try number.whole()))
    }
    return medium
  }

  /// The bytes that came without a header of what was asked for, by its path: all of them, or the
  /// most that came at once.
  private func sizes(
    _ file: JSONValue, whole: Bool = true
  ) throws(RecordingProblem) -> [String: Int64] {
    var sizes: [String: Int64] = [:]
    for entry in try file.required("requests").elements {
      guard let size = entry.member("bytes"), size.kind == .number else { continue }
      let (path, bytes) = (try entry.required("path").text(), try size.whole())
      if bytes == 0 { continue }
      let before = sizes[path] ?? 0
      sizes[path] = whole ? max(before, bytes) : Int64(clamping: Int128(before) + Int128(bytes))
    }
    return sizes
  }

  /// The most requests that a recording may have: more of them are no session of a player.
  static let requestsMax = 100_000

  private func requests(
    _ file: JSONValue, of medium: RecordedMedium
  ) throws(RecordingProblem) -> [RecordedRequest] {
    let (list, media) = (try file.required("requests"), try file.required("media"))
    let url = try media.required("url").text()
    var requests: [RecordedRequest] = []
    // The places of the last requests on connections.
    var last: [Int64: Int] = [:]
    for entry in list.elements {
      if requests.count == Self.requestsMax {
        throw list.problem("has more than \(Self.requestsMax) requests")
      }
      let asked = Instant(nanoseconds: try entry.required("t_req").nanoseconds())
      if let before = requests.last, asked < before.asked {
        throw entry.problem("was asked for before the request above")
      }
      // A client counts what it was given, without the header; a server what was acknowledged.
      var size = entry.member("acked")
      if size == nil { size = entry.member("bytes") }
      guard let size else { throw entry.problem("has neither 'acked' nor 'bytes'") }
      let isAborted = entry.member("aborted")?.bool ?? false
      let request = RecordedRequest(
        resource: medium.resource(at: try entry.required("path").text(), url: url), asked: asked,
        began: try instant(entry.member("t_first")), done: try instant(entry.member("t_done")),
        size: ByteCount(bytes: try size.whole()),
        aborted: isAborted ? try instant(entry.member("t_abort")) ?? asked : nil)
      if let closed = request.closed, closed < asked {
        throw entry.problem("is over before it was asked for")
      }
      try checkBegin(of: request, entry)
      if entry.member("acked") != nil, let connection = connection(entry) {
        if let place = last[connection], asked >= requests[place].began ?? requests[place].asked {
          requests[place].followed = asked
        }
        last[connection] = requests.count
      }
      requests.append(request)
    }
    return requests
  }

  /// What the player had; rows without a position are left out.
  private func samples(
    _ file: JSONValue, hasCase: Bool
  ) throws(RecordingProblem) -> [RecordedSample] {
    guard let columns = file.member("sample_columns"), let rows = file.member("samples") else {
      return []
    }
    func place(_ name: String) -> Int? {
      columns.elements.enumerated().first { $0.element.isString(name) }?.offset
    }
    // Some players do not say where they are, or how much they have.
    guard let time = place("t"), let position = place("pos"), let end = place("buf_end") else {
      return []
    }
    let seeks = try seeks(file)
    var samples: [RecordedSample] = []
    for row in try rows.rows(least: max(time, position, end) + 1) {
      guard row[position].kind == .number else { continue }
      let instant = Instant(nanoseconds: try row[time].nanoseconds(allowingNegative: true))
      if let last = samples.last, instant < last.instant {
        throw row[time].problem("is a time before that of the row above")
      }
      // mpv's clock begins a frame before the media.
      let place = MediaTime(nanoseconds: try row[position].nanoseconds(allowingNegative: true))
      let ahead =
        row[end].kind == .number
        ? max(0, try row[end].nanoseconds(allowingNegative: true) - place.nanoseconds) : nil
      let sample = RecordedSample(
        instant: instant, position: place, ahead: ahead.map { TimeSpan(nanoseconds: $0) })
      // What a case says has been worked out in spite of how a player's clock goes.
      if !hasCase, let last = samples.last, isBack(last, sample, seeks) {
        throw row[position].problem("is a position before that of the row above, without a seek")
      }
      samples.append(sample)
    }
    return samples
  }

  /// The header of the first response that tells it; all are alike.
  private func headerSize(_ file: JSONValue) throws(RecordingProblem) -> Int64 {
    for entry in try file.required("requests").elements {
      if let size = entry.member("hdr"), size.kind == .number { return try size.whole() }
    }
    return 0
  }

  private func instant(_ value: JSONValue?) throws(RecordingProblem) -> Instant? {
    guard let value, value.kind == .number else { return nil }
    return Instant(nanoseconds: try value.nanoseconds())
  }

  /// What was seen; a case says it without what its player only seemed to do.
  private func outcome(
    _ file: JSONValue, _ about: JSONValue?
  ) throws(RecordingProblem) -> ViewerOutcome {
    let seen = if let about { try about.required("observed") } else { try file.required("summary") }
    var outcome = ViewerOutcome()
    outcome.startup = try instant(seen.member("startup_s"))
    outcome.end = try instant(seen.member("finished_s"))
    if let startup = outcome.startup, let end = outcome.end, end < startup {
      throw try seen.required("finished_s").problem("is a time before that of the startup")
    }
    let list = try seen.required("stalls")
    outcome.stalls = try stalls(list)
    if let startup = outcome.startup, let first = outcome.stalls.first, first.start < startup {
      throw list.problem("begin before the startup")
    }
    // A case says which there were; of a recording alone nobody knows unless it says so.
    if let freezes = seen.member("picture_freezes") {
      outcome.freezes = try stalls(freezes)
    } else if about != nil {
      outcome.freezes = []
    }
    return outcome
  }

  private func stalls(_ list: JSONValue) throws(RecordingProblem) -> [ViewerOutcome.Stall] {
    var stalls: [ViewerOutcome.Stall] = []
    for stall in list.elements {
      let isNamed = stall.kind == .object
      let start = isNamed ? try stall.required("start") : try stall.part(0)
      let end = isNamed ? try stall.required("end") : try stall.part(1)
      let (from, to) = (try start.nanoseconds(), try end.nanoseconds())
      if to < from { throw end.problem("is a time before that of the start") }
      if let last = stalls.last, Instant(nanoseconds: from) < last.end {
        throw start.problem("is a time before the end of the row above")
      }
      stalls.append(
        ViewerOutcome.Stall(start: Instant(nanoseconds: from), end: Instant(nanoseconds: to)))
    }
    return stalls
  }
}
