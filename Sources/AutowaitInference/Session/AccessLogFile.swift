import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Reads access logs of AVFoundation: snapshots `{"at": seconds, "events": […]}`, in a list or a
/// line each, or the final one, as JSON or as the extended log that AVFoundation writes.
///
/// An entry collates a stretch of playback; an item has a new one after a seek, a change of the
/// variant and whenever AVFoundation sees fit, so an entry is no stall. What is −1 is not known.
struct AccessLogFile {
  private var polls: [AccessLogPoll] = []
  private var isFinal = false
  private let name: String

  init(_ source: SourceText) throws(RecordingProblem) {
    name = source.path
    if source.bytes.first == UInt8(ascii: "#") {
      let table = LogTable(source)
      polls = [AccessLogPoll(at: .start, table.rows.map(AccessLogPoll.Entry.init))]
      isFinal = true
    } else {
      for value in AVMetricsLog.values(source) { if let value { take(value) } }
    }
    polls.sort { $0.instant < $1.instant }
    if polls.allSatisfy({ $0.entries.isEmpty }) {
      throw RecordingProblem(name, "has no entry of an access log")
    }
  }

  private mutating func take(_ value: JSONValue) {
    if let events = value.member("events"), let at = value.known("at", times: 1_000_000_000) {
      polls.append(
        AccessLogPoll(
          at: Instant(nanoseconds: min(at, SessionDraft.spanMax)),
          events.elements.map(AccessLogPoll.Entry.init)))
      return
    }
    // Entries by themselves are those of one log.
    let entries = (value.member("accessLog") ?? value.member("events")).map { Array($0.elements) }
    isFinal = true
    let own = (entries ?? [value]).filter(Self.isEntry).map(AccessLogPoll.Entry.init)
    if polls.isEmpty { polls.append(AccessLogPoll(at: .start, [])) }
    polls[0].entries += own
  }

  static func isEntry(_ value: JSONValue) -> Bool {
    value.member("numberOfBytesTransferred") != nil || value.member("durationWatched") != nil
  }

  func sessions(_ options: SessionLogReader.LogOptions) -> [SessionLog] {
    var log = SessionLog(.accesslog, name: name, requests: [])
    log.player = "avfoundation"
    log.medium = options.media?.medium
    if !isFinal {
      log.polls = polls
      log.end = polls.last?.instant
    } else {
      log.polls = polls
    }
    let last = polls.last?.entries ?? []
    let stalls = last.compactMap(\.numberOfStalls)
    log.stallCount =
      stalls.isEmpty ? nil : Int(clamping: stalls.reduce(0) { $0 &+ min($1, 1_000_000) })
    log.notes = [
      "An access log has sums, not requests: neither when one was made nor how long it took, and "
        + "not when playback stalled, or for how long."
    ]
    if isFinal {
      log.notes.append(
        "It was read once, at the end, so nothing says when anything in it happened; polled every "
          + "10 s it says far more.")
    }
    return [log]
  }
}

extension AccessLogPoll.Entry {
  /// Reads an entry in JSON, under AVFoundation's names.
  fileprivate init(_ value: JSONValue) {
    self.init { name, factor in value.known(name.property, times: factor) }
  }

  /// Reads an entry of an extended log.
  fileprivate init(_ row: LogTable.Row) {
    self.init { name, factor in row[name.column].flatMap { LogNumber.amount($0, times: factor) } }
  }

  private typealias FieldName = (property: String, column: String)

  private init(_ read: (FieldName, Int64) -> Int64?) {
    func count(_ property: String, _ column: String) -> Int64? {
      read((property, column), 1).map { min($0, LogTime.partMax) }
    }
    func span(_ property: String, _ column: String) -> TimeSpan? {
      read((property, column), 1_000_000_000).map {
        TimeSpan(nanoseconds: min($0, LogTime.partMax))
      }
    }
    func rate(_ property: String, _ column: String) -> BitRate? {
      count(property, column).map { BitRate(bitsPerSecond: $0) }
    }
    self.init()
    playbackStart = read(("playbackStartDate", ""), 1_000_000_000).map {
      Instant(nanoseconds: min($0, LogTime.partMax))
    }
    numberOfMediaRequests = count("numberOfMediaRequests", "sccount")
    numberOfBytesTransferred = count("numberOfBytesTransferred", "bytes").map {
      ByteCount(bytes: $0)
    }
    transferDuration = span("transferDuration", "")
    segmentsDownloadedDuration = span("segmentsDownloadedDuration", "cdurationdownloaded")
    durationWatched = span("durationWatched", "cdurationwatched")
    numberOfStalls = count("numberOfStalls", "cstalls")
    startupTime = span("startupTime", "cstartuptime")
    downloadOverdue = count("downloadOverdue", "coverdue")
    observedBitrate = rate("observedBitrate", "cobservedbitrate")
    observedMinBitrate = rate("observedMinBitrate", "cobservedminbitrate")
    observedMaxBitrate = rate("observedMaxBitrate", "cobservedmaxbitrate")
    indicatedBitrate = rate("indicatedBitrate", "scindicatedbitrate")
  }
}
