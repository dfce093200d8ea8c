import Autowait
import AutowaitScenario

/// A request with all that formats of others say of one: what it brought, and how long each part of
/// its way took.
struct ExportedRequest {
  let story: RequestStory
  /// Where what was asked for is.
  let url: String
  /// What was asked for, in words.
  let words: String
  /// The bytes that arrived.
  fileprivate(set) var bytes: Int64 = 0
  /// The code with which it went wrong, as the error log has it; nil if it did not.
  ///
  /// That is its first entry but for warnings, which come with a whole response. A later one says
  /// what became of the variant.
  fileprivate(set) var errorCode: Int32?
  /// Why no whole response came; nil if one did, or may yet.
  fileprivate(set) var failure: TransferFailure?
  /// Whether what was asked for begins behind the beginning of a file.
  fileprivate(set) var isPart = false

  /// A part of the way of a request.
  struct RequestPhase {
    let phase: TransferPhase
    let start: Instant
    let span: TimeSpan
  }

  /// How long each part of the way took that is known, in the order of the way.
  var phases: [RequestPhase] {
    var start = story.request.opened
    return story.phases.map { part in
      defer { start = start + part.span }
      return RequestPhase(phase: part.phase, start: start, span: part.span)
    }
  }

  /// Whether it asked for media, which is what the metrics count the bytes of.
  var isMedia: Bool { story.request.resource.isMedia }

  /// Whether it asked for media and got a part of it.
  private var isCut: Bool {
    story.outcome != .whole && story.outcome != .open && story.response != nil && isMedia
      && bytes < story.request.size.bytes
  }

  /// The status with which its code comes; nil if the item has failures of several such statuses,
  /// or if the code belongs to none.
  fileprivate(set) var errorStatus: Int?

  /// The status of the response; 0 if none came, or if nobody knows which it was.
  var status: Int64 {
    if let errorStatus { return Int64(errorStatus) }
    switch errorCode {
    // What came with the key cannot be read, or a playlist has nothing new: the response is whole.
    case -11_853, -12_888, nil: break
    // The response, if one came, was cut on its way.
    case -1_009, -12_889, -16_830: break
    default: return 0
    }
    if story.response == nil { return 0 }
    if story.isRedirected { return 302 }
    return isPart ? 206 : 200
  }

  /// Why it went wrong, in words; nil if it did not.
  var reason: String? {
    if let errorCode {
      return ErrorLogEvent.comment(
        errorCode, of: story.request.resource, after: story.end - story.request.opened)
    }
    switch story.outcome {
    case .givenUp: return "cancelled"
    case .failed: return failure.map { "\($0.word)" } ?? "failed"
    case .open: return "still coming at the end of the run"
    case .whole: return nil
    }
  }

  /// Returns the requests of all players of a run, each in the order in which they were made.
  static func all(_ result: RunResult) -> [[ExportedRequest]] {
    let addresses = LogAddresses(result.scenario)
    var requests = RequestStory.all(result).map { stories in
      stories.map { story in
        let asked = story.request
        let place = addresses.uri(asked.player, asked.item ?? 0, asked.resource)
        // A reference without a host needs one that nobody has (RFC 2606).
        let url = place.hasPrefix("//") ? "https:\(place)" : "https://media.invalid/\(place)"
        return ExportedRequest(
          story: story, url: url,
          words: TerminalText.withoutTies(result.scenario.words(for: asked)))
      }
    }
    var places: [Int: (player: Int, index: Int)] = [:]
    for player in requests.indices {
      for (index, request) in requests[player].enumerated() {
        places[request.story.transfer] = (player, index)
      }
    }
    for record in result.records {
      guard case .request(let transfer, let news) = record.event.topic,
        let place = places[transfer]
      else { continue }
      requests[place.player][place.index].take(news)
    }
    for player in requests.indices {
      share(result.metrics[player], among: &requests[player])
      let media = result.scenario.world.players[player].media
      for index in requests[player].indices { requests[player][index].nameStatus(media) }
    }
    return requests
  }

  private mutating func take(_ news: RequestNews) {
    switch news {
    case .asked(_, let from, _, _): isPart = from > .zero
    case .completed(let bytes), .cancelled(let bytes): self.bytes = bytes.bytes
    case .failed(let failure, let bytes):
      self.bytes = bytes.bytes
      self.failure = failure
    case .errorLogged(let code):
      if !ErrorLogEvent.isWarning(code) { errorCode = errorCode ?? code }
    case .phase, .response, .reading, .discarded: break
    }
  }

  /// Finds the status behind the code: several statuses may share one.
  private mutating func nameStatus(_ media: [Media]) {
    guard let errorCode, let item = story.request.item else { return }
    var statuses: Set<Int> = []
    for fault in media[item].streamMedia?.faults ?? [] where fault.outcome.errorCode == errorCode {
      if case .status(let status) = fault.outcome { statuses.insert(status) }
    }
    errorStatus = statuses.count == 1 ? statuses.first : nil
  }

  /// Gives requests for media that were still coming at the end what the others have not brought.
  ///
  /// If none was, that is the bytes that parts of bytes add up to: they count for the sum, and not
  /// for the requests that were cut. The last of these get them.
  private static func share(_ metrics: PlayerMetrics, among requests: inout [ExportedRequest]) {
    let brought = requests.reduce(Int64(0)) { $0 + ($1.isMedia ? $1.bytes : 0) }
    var rest = max(0, metrics.numberOfBytesTransferred.bytes - brought)
    for index in requests.indices
    where requests[index].isMedia && requests[index].story.outcome == .open {
      let own =
        requests[index].story.response == nil
        ? 0 : min(rest, requests[index].story.request.size.bytes)
      requests[index].bytes = own
      rest -= own
    }
    for index in requests.indices.reversed() where rest > 0 && requests[index].isCut {
      requests[index].bytes += 1
      rest -= 1
    }
  }
}

/// The date that formats of others need, though a run has none: it begins with the year 1970, as
/// extended logs do.
enum ExportDate {
  /// Returns a date with milliseconds, as ISO 8601 has it.
  static func text(_ instant: Instant) -> String {
    let milliseconds = instant.nanoseconds / 1_000_000
    let days = Int(milliseconds / 86_400_000)
    let (year, month, day) = civil(days)
    let time = Int(milliseconds % 86_400_000)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let rest = time % 1_000
    return "\(year)-\(two(month))-\(two(day))T\(two(time / 3_600_000)):"
      + "\(two(time / 60_000 % 60)):\(two(time / 1_000 % 60))"
      + ".\(rest < 100 ? "0" : "")\(two(rest))Z"
  }

  /// Returns the date of a day, counted from the beginning of 1970.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    var (year, rest) = (1_970, days)
    func length(_ year: Int) -> Int {
      year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
    }
    while rest >= length(year) {
      rest -= length(year)
      year += 1
    }
    let february = length(year) - 337
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while rest >= months[month] {
      rest -= months[month]
      month += 1
    }
    return (year, month + 1, rest + 1)
  }
}
