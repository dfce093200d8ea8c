import Autowait

/// An entry of the error log: a request that went wrong, with AVFoundation's names.
public struct ErrorLogEvent: Hashable, Sendable {
  /// When it went wrong.
  public let date: Instant
  /// The item that needed it.
  public let item: Int
  /// What was asked for.
  public let resource: RequestIndex.Resource
  /// The code.
  public let errorStatusCode: Int
  /// The domain that the code belongs to.
  public let errorDomain: String
  /// What the code means, in words.
  public let errorComment: String

  /// Returns the error logs of all players of a run.
  public static func logs(of result: RunResult) -> [[ErrorLogEvent]] {
    var logs = result.scenario.playerNames.map { _ in [ErrorLogEvent]() }
    var requests = RequestIndex()
    for record in result.records {
      requests.take(record)
      guard case .newErrorLogEntry(let transfer, let code) = record.event,
        let player = record.player, let request = requests[transfer]
      else { continue }
      // What an item asks for before it is the current one goes wrong silently until it is.
      let item = requests.item(of: player) ?? request.item ?? 0
      logs[player].append(
        ErrorLogEvent(
          date: record.instant, item: item, resource: request.resource,
          errorStatusCode: Int(code),
          errorDomain: domain(of: code),
          errorComment: comment(code, after: record.instant - request.opened)))
    }
    return logs
  }

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
  /// Observed: "No response for media file in 9.98 s" (WWDC18 502), "HTTP 404: File Not Found".
  /// Assumed: the others, in the same manner.
  public static func comment(_ code: Int32, after span: TimeSpan) -> String {
    switch code {
    case -12_938: return "HTTP 404: File Not Found"
    case -12_660: return "HTTP 403: Forbidden"
    case -12_666: return "Unrecognized HTTP response"
    case -12_937: return "HTTP 401: Unauthorized"
    case -12_661: return "HTTP 503: Service Unavailable"
    case -11_853: return "What came with the key cannot be parsed"
    case -1_003: return "A server with the specified hostname could not be found"
    case -12_889:
      let hundredths = (span.nanoseconds + 5_000_000) / 10_000_000
      let digits = hundredths % 100
      return
        "No response for media file in \(hundredths / 100).\(digits < 10 ? "0" : "")\(digits) s"
    default: return "Error \(code)"
    }
  }
}
