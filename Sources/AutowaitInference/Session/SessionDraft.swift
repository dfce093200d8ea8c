import Autowait
import AutowaitFidelity
import AutowaitScenario

/// A request as a log has it, before its times are counted from the first one.
struct LoggedRequest {
  var kind: SessionRequest.Kind
  var address: LogAddress
  /// The connection by the log's own name for it.
  var connection: String?
  /// When it was sent, when its first byte came and its last, in nanoseconds of the log's clock.
  var sent: Int64
  var firstByte: Int64?
  var done: Int64?
  var size: Int64?
  var isAborted = false
  var resource: RequestIndex.Resource?
  var mediaDuration: TimeSpan?
  var encodedRate: BitRate?
  var quantum: TimeSpan
  /// Whether its media is sound alone.
  var isSound = false
}

/// What was read of a session so far, with the addresses that tell what was asked for.
struct SessionDraft {
  let form: SessionLog.Form
  let name: String
  var requests: [LoggedRequest]
  /// What was played, if the log says it.
  var media: SessionMedia?
  var notes: [String] = []

  /// Requests so much later than the first one belong to another session.
  static let spanMax: Int64 = 1_000_000_000_000_000
  /// The most requests; more are no session of a player.
  static let requestsMax = 100_000

  /// When the session begins, on the log's clock: with the first request for a playlist or media.
  var start: Int64? {
    requests.lazy.filter { $0.kind != .other }.map(\.sent).min()
  }

  /// Puts the requests in order, and counts their times from the first for a playlist or media.
  func finished(
    _ options: SessionLogReader.LogOptions, at place: @autoclosure () -> RecordingProblem
  ) throws(RecordingProblem) -> SessionLog {
    guard let start else { throw place() }
    let media = options.media ?? media ?? observedMedia
    var log = SessionLog(form, name: name, requests: [])
    let wanted = requests.enumerated().filter {
      $0.element.sent >= start && $0.element.sent - start < Self.spanMax
    }.sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }.map(\.element)
    if wanted.count > Self.requestsMax {
      throw RecordingProblem(name, "has more than \(Self.requestsMax) requests in a session")
    }
    log.notes = notes
    let left = requests.count - wanted.count
    if left > 0 {
      log.notes.append(
        "\(left) requests before the first for a playlist or media, or days later, are left out.")
    }
    var (hosts, connections) = (FirstUse(), FirstUse())
    for request in wanted {
      log.requests.append(request.counted(from: start, media, &hosts, &connections))
      if options.keepsAddresses { log.addresses.append(request.address.text) }
    }
    if let media, log.requests.contains(where: { $0.size == nil && !$0.isAborted }) {
      for place in log.requests.indices
      where log.requests[place].size == nil && !log.requests[place].isAborted {
        log.requests[place].size = media.size(of: log.requests[place].resource)
      }
      log.notes.append(
        options.media == nil
          ? "The log does not say how large responses were; their sizes follow from bit rates."
          : "The log does not say how large responses were; their sizes are those of --media.")
    }
    log.noteGivenUp(media)
    log.medium = media?.sized(by: log.requests)
    log.medium?.noteVariants(of: log.requests.compactMap(\.recorded))
    log.end = log.requests.lazy.map { $0.done ?? $0.firstByte ?? $0.sent }.max()
    log.roundTrip = Self.roundTrip(log.requests)
    return log
  }

  /// The tenth part of the first bytes that came soonest: what is above it waited for the server.
  static func roundTrip(_ requests: [SessionRequest]) -> TimeSpan? {
    let waits = requests.compactMap { request -> TimeSpan? in
      request.firstByte.map { $0 - request.sent }
    }.filter { $0 > .zero }.sorted()
    return waits.isEmpty ? nil : waits[waits.count / 10]
  }

  /// The medium as far as sizes and durations in the log show it.
  private var observedMedia: SessionMedia? { SessionMedia(observed: requests, form) }
}

extension SessionLog {
  /// Says what is known of requests that were given up, where the log does not: less than all had
  /// come, by the time at which the same media was asked for again.
  fileprivate mutating func noteGivenUp(_ media: SessionMedia?) {
    var next: [RequestIndex.Resource: Instant] = [:]
    var count = 0
    for place in requests.indices.reversed() {
      let request = requests[place]
      guard let resource = request.resource else { continue }
      // Of another variant, a segment of the same number is the same media.
      var same = resource
      if case .segment(_, let number) = resource { same = .segment(list: 0, number: number) }
      defer { next[same] = request.sent }
      guard request.isAborted else { continue }
      if request.done == nil, let again = next[same] {
        requests[place].done = max(again, request.firstByte ?? again)
        count += 1
      }
      if request.size == nil { requests[place].wholeSize = media?.size(of: resource) }
    }
    if count == 0 { return }
    notes.append(
      count == 1
        ? "One request was given up, the log does not say when: it is taken to end where the same "
          + "media was asked for again."
        : "\(count) requests were given up, the log does not say when: they are taken to end where "
          + "the same media was asked for again.")
  }
}

/// Numbers names in the order of their first use.
private struct FirstUse {
  private var numbers: [String: Int] = [:]

  mutating func number(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    defer { numbers[name] = numbers.count }
    return numbers.count
  }
}

extension LoggedRequest {
  /// Returns the request without its address, with times counted from a start.
  fileprivate func counted(
    from start: Int64, _ media: SessionMedia?, _ hosts: inout FirstUse,
    _ connections: inout FirstUse
  ) -> SessionRequest {
    func instant(_ time: Int64) -> Instant {
      Instant(nanoseconds: min(max(time, sent) - start, SessionDraft.spanMax * 2))
    }
    var request = SessionRequest(kind, sent: instant(sent), quantum: quantum)
    request.host = hosts.number(address.host)
    request.connection = connection.map { connections.number($0) }
    request.firstByte = firstByte.map(instant)
    request.done = done.map { instant(max($0, firstByte ?? $0)) }
    request.size = size.map { ByteCount(bytes: min($0, LogTime.partMax)) }
    request.isAborted = isAborted
    request.resource = resource ?? media?.resource(at: address.path)
    switch request.resource {
    case .multivariantPlaylist, .mediaPlaylist: request.kind = .playlist
    case .initialization: request.kind = .initialization
    case .segment, .file: request.kind = .segment
    case .contentKey: request.kind = .key
    case nil: break
    }
    request.mediaDuration = mediaDuration ?? media?.duration(of: request.resource)
    request.encodedRate = encodedRate
    return request
  }
}

extension SessionRequest {
  /// The request as recordings have it; nil if the log does not say how it ended.
  package var recorded: RecordedRequest? {
    guard let done else { return nil }
    return RecordedRequest(
      for: resource, asked: sent, began: firstByte, over: (done, isAborted),
      size: size ?? .zero)
  }
}
