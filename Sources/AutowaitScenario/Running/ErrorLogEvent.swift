import Autowait

/// An entry of the error log: a request that went wrong, or a warning, with AVFoundation's names.
public struct ErrorLogEvent: Hashable, Sendable {
  /// When it went wrong.
  public let date: Instant
  /// The item that needed it.
  public let item: Int
  /// What was asked for.
  package let resource: RequestIndex.Resource
  /// The code.
  public let errorStatusCode: Int
  /// The domain that the code belongs to.
  public let errorDomain: String
  /// What the code means, in words.
  public let errorComment: String

  /// Returns the error logs of all players of a run.
  package static func logs(of result: RunResult) -> [[ErrorLogEvent]] {
    logs(of: result.records, playerCount: result.scenario.playerNames.count)
  }

  /// Returns the error logs of so many players, by all records of their run.
  package static func logs(
    of records: some Sequence<EventRecord>, playerCount: Int
  ) -> [[ErrorLogEvent]] {
    var logs = Array(repeating: [ErrorLogEvent](), count: playerCount)
    var requests = RequestIndex()
    for record in records {
      requests.take(record)
      guard case .newErrorLogEntry(let transfer, let code) = record.event,
        let player = record.player, let request = requests[transfer]
      else { continue }
      logs[player].append(
        ErrorLogEvent(
          date: record.instant, item: requests.itemFailing(with: request) ?? 0,
          resource: request.resource,
          errorStatusCode: Int(code),
          errorDomain: domain(of: code),
          errorComment: comment(
            code, of: request.resource, after: record.instant - request.opened)))
    }
    return logs
  }

  /// Whether a code tells of what may lead to a stall, and nothing has gone wrong yet.
  package static func isWarning(_ code: Int32) -> Bool { code == -12_318 || code == -16_832 }

  /// Returns the domain of a code.
  private static func domain(of code: Int32) -> String {
    switch code {
    case -10_000...0: "NSURLErrorDomain"
    case (-11_999)...(-11_800): "AVFoundationErrorDomain"
    default: "CoreMediaErrorDomain"
    }
  }

  /// Returns a code in words.
  ///
  /// Observed: "No response for media file in 9.98 s" and "Media file not received in 15 s" (WWDC18
  /// 502), "Playlist File unchanged for longer than 1.5 * target duration" (forum thread 830888),
  /// "Can not proceed after removing variants", "HTTP 404: File Not Found". −1005 and −1009 are in
  /// the words of NSURLError. Two applications that sort their error logs by the comment look for
  /// "Playlist File not received" as well, and one for "crypt key received slowly" (philo, Arcus);
  /// assumed: that these are the words of −16830 for a playlist and for a key. Assumed: the others,
  /// in the same manner.
  package static func comment(
    _ code: Int32, of resource: RequestIndex.Resource, after span: TimeSpan
  ) -> String {
    switch code {
    case -12_938: "HTTP 404: File Not Found"
    case -12_660: "HTTP 403: Forbidden"
    case -12_666: "Unrecognized HTTP response"
    case -12_937: "HTTP 401: Unauthorized"
    case -12_661: "HTTP 503: Service Unavailable"
    case -11_853: "What came with the key cannot be parsed"
    case -1_003: "A server with the specified hostname could not be found"
    case -1_005: "The network connection was lost"
    case -1_009: "The Internet connection appears to be offline"
    case -12_318: "Segment exceeds specified bandwidth for variant"
    case -12_880: "Can not proceed after removing variants"
    case -12_888: "Playlist File unchanged for longer than 1.5 * target duration"
    case -12_889: "No response for media file in \(seconds(span)) s"
    case -16_830: lateComment(of: resource, after: span)
    default: "Error \(code)"
    }
  }

  private static func lateComment(
    of resource: RequestIndex.Resource, after span: TimeSpan
  ) -> String {
    switch resource {
    case .file, .initialization, .segment: "Media file not received in \(seconds(span)) s"
    case .multivariantPlaylist, .mediaPlaylist: "Playlist File not received in \(seconds(span)) s"
    case .contentKey: "crypt key received slowly"
    }
  }

  /// Seconds with two digits behind the point, or with none if they are whole.
  private static func seconds(_ span: TimeSpan) -> String {
    let hundredths = (span.nanoseconds + 5_000_000) / 10_000_000
    let (whole, digits) = (hundredths / 100, hundredths % 100)
    return digits == 0 ? "\(whole)" : "\(whole).\(digits < 10 ? "0" : "")\(digits)"
  }
}

extension ErrorLogEvent: CustomStringConvertible {
  /// When it went wrong, and what, as in `12 s CoreMediaErrorDomain -12938: HTTP 404: File Not
  /// Found`.
  public var description: String {
    "\(date) \(errorDomain) \(errorStatusCode): \(errorComment)"
  }
}
