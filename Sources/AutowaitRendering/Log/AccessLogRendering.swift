import Autowait
import AutowaitScenario

/// Renders access logs and error logs: as JSON, and in the W3C Extended Log File Format, which is
/// what AVFoundation's `extendedLogData()` returns.
package enum AccessLogRendering {
  /// A field of an entry, under its name in AVFoundation and in the extended log.
  private struct Field {
    /// Its property; nil for one that only the extended log has.
    let name: StaticString?
    /// Its column; nil for one that only has a property.
    let column: StaticString?
    let value: Value

    init(_ name: StaticString?, _ column: StaticString?, _ value: Value) {
      (self.name, self.column, self.value) = (name, column, value)
    }
  }

  private enum Value {
    case text(String?)
    /// An instant of the run, which the extended log has as a date and a time of day.
    case date(Instant)
    case seconds(Int64?)
    case count(Int64?)
    /// A rate that was measured, which the extended log has with three digits behind the point.
    case measured(BitRate?)

    static func rate(_ rate: BitRate?) -> Value { .count(rate?.bitsPerSecond) }
  }

  /// Returns the access log of a player, each entry with all its fields, in the order in which the
  /// extended logs of iPadOS 17.5 and 26.5 and tvOS 15.2 have them.
  private static func accessLog(_ result: RunResult, _ player: Int) -> [[Field]] {
    let addresses = LogAddresses(result.scenario)
    return result.metrics[player].accessLog.map { event in
      let segments = event.segments
      // Nothing is decoded, so no frame is dropped; and all media of an item has one host.
      return [
        Field("playbackStartDate", "date", .date(event.playbackStartDate)),
        Field("URI", "uri", .text(addresses.uri(player, event))),
        Field(
          "playbackSessionID", "cs-guid",
          .text(addresses.playbackSessionID(player, event.item))),
        Field(
          "serverAddress", "s-ip", .text(addresses.serverAddress(player, event.item, nil))),
        Field("numberOfServerAddressChanges", "s-ip-changes", .count(0)),
        Field("numberOfMediaRequests", "sc-count", .count(Int64(event.numberOfMediaRequests))),
        Field(
          "segmentsDownloadedDuration", "c-duration-downloaded",
          .seconds(segments?.segmentsDownloadedDuration.nanoseconds)),
        Field(
          "playbackStartOffset", "c-start-time", .seconds(event.playbackStartOffset.nanoseconds)),
        Field("durationWatched", "c-duration-watched", .seconds(event.durationWatched.nanoseconds)),
        Field("numberOfBytesTransferred", "bytes", .count(event.numberOfBytesTransferred.bytes)),
        Field("observedBitrate", "c-observed-bitrate", .measured(event.observedBitrate)),
        Field("indicatedBitrate", "sc-indicated-bitrate", .rate(segments?.indicatedBitrate)),
        Field("numberOfStalls", "c-stalls", .count(Int64(event.numberOfStalls))),
        Field("numberOfDroppedVideoFrames", "c-frames-dropped", .count(0)),
        Field("startupTime", "c-startup-time", .seconds(event.startupTime?.nanoseconds)),
        Field("downloadOverdue", "c-overdue", .count(segments.map { Int64($0.downloadOverdue) })),
        Field(nil, "c-reason", .count(event.reason.code)),
        Field("observedMinBitrate", "c-observed-min-bitrate", .rate(segments?.observedMinBitrate)),
        Field("observedMaxBitrate", "c-observed-max-bitrate", .rate(segments?.observedMaxBitrate)),
        Field(
          "observedBitrateStandardDeviation", "c-observed-bitrate-sd",
          .measured(segments?.observedBitrateStandardDeviation)),
        Field("playbackType", "s-playback-type", .text("\(event.playbackType.word)")),
        Field("mediaRequestsWWAN", "sc-wwan-count", .count(Int64(event.mediaRequestsWWAN))),
        Field("switchBitrate", "c-switch-bitrate", .rate(segments?.switchBitrate)),
        Field("transferDuration", nil, .seconds(event.transferDuration.nanoseconds)),
        Field("indicatedAverageBitrate", nil, .rate(segments?.indicatedAverageBitrate)),
        Field("averageVideoBitrate", nil, .rate(segments?.averageVideoBitrate)),
        Field("averageAudioBitrate", nil, .rate(segments?.averageAudioBitrate)),
      ]
    }
  }

  /// Returns the entries of an error log with all their fields.
  private static func errorLog(
    _ log: [ErrorLogEvent], _ scenario: Scenario, _ player: Int
  ) -> [[Field]] {
    let addresses = LogAddresses(scenario)
    return log.map { event in
      [
        Field("date", "date", .date(event.date)),
        Field("URI", "uri", .text(addresses.uri(player, event.item, event.resource))),
        Field(
          "playbackSessionID", "cs-guid",
          .text(addresses.playbackSessionID(player, event.item))),
        Field(
          "serverAddress", "s-ip",
          .text(addresses.serverAddress(player, event.item, event.resource))),
        Field("errorStatusCode", "status", .count(Int64(event.errorStatusCode))),
        Field("errorDomain", "domain", .text(event.errorDomain)),
        Field("errorComment", "comment", .text(event.errorComment)),
      ]
    }
  }
}

// MARK: - JSON

extension AccessLogRendering {
  /// Writes the access log of a player as an array; what is not known is −1, as in AVFoundation.
  static func writeAccessLog(_ result: RunResult, _ player: Int, into writer: inout JSONWriter) {
    write(accessLog(result, player), into: &writer)
  }

  /// Writes the error log of a player as an array.
  static func write(
    _ log: [ErrorLogEvent], _ scenario: Scenario, _ player: Int, into writer: inout JSONWriter
  ) {
    write(errorLog(log, scenario, player), into: &writer)
  }

  private static func write(_ entries: [[Field]], into writer: inout JSONWriter) {
    writer.beginArray()
    for entry in entries {
      writer.beginObject()
      for field in entry {
        guard let name = field.name else { continue }
        switch field.value {
        case .text(let text?): writer.field(name, text: text)
        case .text(nil): writer.nullField(name)
        case .date(let instant): writer.field(name, seconds: instant.nanoseconds)
        case .seconds(let seconds?): writer.field(name, seconds: seconds)
        case .count(let count): writer.field(name, count ?? -1)
        case .measured(let rate): writer.field(name, rate?.bitsPerSecond ?? -1)
        case .seconds(nil): writer.field(name, Int64(-1))
        }
      }
      writer.endObject()
    }
    writer.endArray()
  }
}

// MARK: - The extended log

extension AccessLogRendering {
  /// Returns the access logs of all players of a run in the W3C Extended Log File Format.
  package static func accessLogs(_ result: RunResult) -> String {
    text(
      result, result.scenario.playerNames.indices.map { accessLog(result, $0) },
      columns: accessColumns)
  }

  /// Returns the error logs of all players of a run in the W3C Extended Log File Format.
  package static func errorLogs(_ result: RunResult) -> String {
    let logs = ErrorLogEvent.logs(of: result)
    return text(
      result, logs.indices.map { errorLog(logs[$0], result.scenario, $0) },
      columns: errorColumns)
  }

  /// The names of the fields.
  private static let accessColumns = """
    date time uri cs-guid s-ip s-ip-changes sc-count c-duration-downloaded c-start-time \
    c-duration-watched bytes c-observed-bitrate sc-indicated-bitrate c-stalls c-frames-dropped \
    c-startup-time c-overdue c-reason c-observed-min-bitrate c-observed-max-bitrate \
    c-observed-bitrate-sd s-playback-type sc-wwan-count c-switch-bitrate
    """
  private static let errorColumns = "date time uri cs-guid s-ip status domain comment"

  private static func text(_ result: RunResult, _ logs: [[[Field]]], columns: String) -> String {
    // The draft of the format wants the version; logs of iPadOS 17.5 and tvOS 15.2 have it.
    var text = "#Version: 1.0\n#Software: Autowait\n"
    text += "#Date: \(date(result.end)) \(time(result.end))\n"
    for (player, log) in logs.enumerated() {
      if logs.count > 1 {
        text += "#Remark: player \(TerminalText.safe(result.scenario.playerNames[player]))\n"
      }
      text += "#Fields: \(columns)\n"
      if log.isEmpty { text += "#Remark: no entries\n" }
      for entry in log {
        let words = entry.filter { $0.column != nil }.map { word($0.value) }
        text += words.joined(separator: " ") + "\n"
      }
    }
    return text
  }

  /// Returns a value without a space in it, or between quotes; what is not known is a hyphen.
  private static func word(_ value: Value) -> String {
    switch value {
    case .text(let text?):
      let safe = TerminalText.safe(text)
      if !safe.contains(" "), !safe.contains("\"") { return safe.isEmpty ? "-" : safe }
      return "\""
        + safe.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    case .date(let instant): return "\(date(instant)) \(time(instant))"
    case .seconds(let seconds?): return thousandths(seconds)
    case .count(let count?): return "\(count)"
    case .measured(let rate?): return "\(rate.bitsPerSecond).000"
    case .text(nil), .seconds(nil), .count(nil), .measured(nil): return "-"
    }
  }

  /// Returns the day of an instant; a run starts with the year 1970, having no calendar of its own.
  private static func date(_ instant: Instant) -> String {
    let months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let days = instant.nanoseconds / 86_400_000_000_000
    var (rest, month) = (Int(days % 365), 0)
    while rest >= months[month] {
      rest -= months[month]
      month += 1
    }
    return "\(1_970 + days / 365)/\(digits(month + 1))/\(digits(rest + 1))"
  }

  private static func time(_ instant: Instant) -> String {
    let milliseconds = instant.nanoseconds % 86_400_000_000_000 / 1_000_000
    let seconds = Int(milliseconds / 1_000)
    let fraction = Int(milliseconds % 1_000)
    return "\(digits(seconds / 3_600)):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
      + ".\(fraction < 100 ? "0" : "")\(digits(fraction))"
  }

  /// Returns seconds with three digits behind the point, as the logs of devices have them, rounded
  /// to the nearest.
  private static func thousandths(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    let fraction = Int(milliseconds % 1_000)
    return "\(milliseconds / 1_000).\(fraction < 100 ? "0" : "")\(digits(fraction))"
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension AccessLogEvent.EntryReason {
  /// The number in the extended log.
  ///
  /// Assumed: the logs of devices have 1, 2, 7, 8 and 9 there, and nothing says what they mean.
  fileprivate var code: Int64 {
    switch self {
    case .start: 1
    case .variantSwitch: 2
    case .seek: 8
    }
  }
}
