import Autowait
import AutowaitScenario

/// Renders access logs and error logs: as JSON, and in the W3C Extended Log File Format, which is
/// what AVFoundation's `extendedLogData()` returns.
public enum AccessLogRendering {
  /// A field of an entry, under its name in AVFoundation and in the extended log.
  private struct Field {
    let name: StaticString
    let column: StaticString
    let value: Value

    init(_ name: StaticString, _ column: StaticString, _ value: Value) {
      (self.name, self.column, self.value) = (name, column, value)
    }
  }

  private enum Value {
    case text(String?)
    /// An instant of the run, which the extended log has as a date and a time of day.
    case date(Instant)
    case seconds(Int64?)
    case count(Int64?)

    static func rate(_ rate: BitRate?) -> Value { .count(rate?.bitsPerSecond) }
  }

  /// Returns the access log of a player, each entry with all its fields.
  private static func accessLog(_ result: RunResult, _ player: Int) -> [[Field]] {
    let addresses = LogAddresses(result.scenario)
    return result.metrics[player].accessLog.map { event in
      // Nothing is decoded, so no frame is dropped; and all media of an item has one host.
      [
        Field("playbackStartDate", "date", .date(event.playbackStartDate)),
        Field("URI", "uri", .text(addresses.uri(player, event))),
        Field(
          "playbackSessionID", "cs-guid",
          .text(addresses.playbackSessionID(player, event.item))),
        Field(
          "serverAddress", "s-ip", .text(addresses.serverAddress(player, event.item, nil))),
        Field("numberOfServerAddressChanges", "s-ip-changes", .count(0)),
        Field("playbackType", "s-playback-type", .text("\(event.playbackType.word)")),
        Field(
          "playbackStartOffset", "c-start-time", .seconds(event.playbackStartOffset.nanoseconds)),
        Field("startupTime", "c-startup-time", .seconds(event.startupTime.nanoseconds)),
        Field("durationWatched", "c-duration-watched", .seconds(event.durationWatched.nanoseconds)),
        Field("numberOfStalls", "c-stalls", .count(Int64(event.numberOfStalls))),
        Field("numberOfDroppedVideoFrames", "c-frames-dropped", .count(0)),
        Field("numberOfMediaRequests", "sc-count", .count(Int64(event.numberOfMediaRequests))),
        Field("mediaRequestsWWAN", "sc-wwan-count", .count(Int64(event.mediaRequestsWWAN))),
        Field("numberOfBytesTransferred", "bytes", .count(event.numberOfBytesTransferred.bytes)),
        Field(
          "transferDuration", "c-transfer-duration", .seconds(event.transferDuration.nanoseconds)),
        Field("observedBitrate", "c-observed-bitrate", .rate(event.observedBitrate)),
      ] + segments(event.segments)
    }
  }

  private static func segments(_ segments: AccessLogEvent.Segments?) -> [Field] {
    [
      Field(
        "segmentsDownloadedDuration", "c-duration-downloaded",
        .seconds(segments?.segmentsDownloadedDuration.nanoseconds)),
      Field("downloadOverdue", "c-overdue", .count(segments.map { Int64($0.downloadOverdue) })),
      Field("observedMinBitrate", "c-observed-min-bitrate", .rate(segments?.observedMinBitrate)),
      Field("observedMaxBitrate", "c-observed-max-bitrate", .rate(segments?.observedMaxBitrate)),
      Field(
        "observedBitrateStandardDeviation", "c-observed-bitrate-sd",
        .rate(segments?.observedBitrateStandardDeviation)),
      Field("indicatedBitrate", "sc-indicated-bitrate", .rate(segments?.indicatedBitrate)),
      Field(
        "indicatedAverageBitrate", "sc-indicated-avg-bitrate",
        .rate(segments?.indicatedAverageBitrate)),
      Field("averageVideoBitrate", "c-avg-video-bitrate", .rate(segments?.averageVideoBitrate)),
      Field("averageAudioBitrate", "c-avg-audio-bitrate", .rate(segments?.averageAudioBitrate)),
      Field("switchBitrate", "c-switch-bitrate", .rate(segments?.switchBitrate)),
    ]
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
        switch field.value {
        case .text(let text?): writer.field(field.name, text: text)
        case .text(nil): writer.nullField(field.name)
        case .date(let instant): writer.field(field.name, seconds: instant.nanoseconds)
        case .seconds(let seconds?): writer.field(field.name, seconds: seconds)
        case .count(let count): writer.field(field.name, count ?? -1)
        case .seconds(nil): writer.field(field.name, Int64(-1))
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
  public static func accessLogs(_ result: RunResult) -> String {
    text(
      result, result.scenario.playerNames.indices.map { accessLog(result, $0) },
      columns: accessColumns)
  }

  /// Returns the error logs of all players of a run in the W3C Extended Log File Format.
  public static func errorLogs(_ result: RunResult) -> String {
    let logs = ErrorLogEvent.logs(of: result)
    return text(
      result, logs.indices.map { errorLog(logs[$0], result.scenario, $0) },
      columns: errorColumns)
  }

  /// The names of the fields, for logs without an entry: a log must name them (W3C, "Directives").
  private static let accessColumns = """
    date time uri cs-guid s-ip s-ip-changes s-playback-type c-start-time c-startup-time \
    c-duration-watched c-stalls c-frames-dropped sc-count sc-wwan-count bytes \
    c-transfer-duration c-observed-bitrate c-duration-downloaded c-overdue \
    c-observed-min-bitrate c-observed-max-bitrate c-observed-bitrate-sd sc-indicated-bitrate \
    sc-indicated-avg-bitrate c-avg-video-bitrate c-avg-audio-bitrate c-switch-bitrate
    """
  private static let errorColumns = "date time uri cs-guid s-ip status domain comment"

  private static func text(_ result: RunResult, _ logs: [[[Field]]], columns: String) -> String {
    let scenario = result.scenario
    var text = "#Version: 1.0\n#Software: Autowait\n#Start-Date: \(date(.start)) \(time(.start))\n"
    text += "#End-Date: \(date(result.end)) \(time(result.end))\n"
    text += "#Remark: scenario \(TerminalText.safe(scenario.name))\n"
    for (player, log) in logs.enumerated() {
      if logs.count > 1 {
        text += "#Remark: player \(TerminalText.safe(scenario.playerNames[player]))\n"
      }
      guard let first = log.first else {
        text += "#Fields: \(columns)\n#Remark: no entries\n"
        continue
      }
      let columns = first.map { "\($0.column)" == "date" ? "date time" : "\($0.column)" }
      text += "#Fields: " + columns.joined(separator: " ") + "\n"
      for entry in log {
        text += entry.map { word($0.value) }.joined(separator: " ") + "\n"
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
    case .seconds(let seconds?): return OutcomeRendering.seconds(seconds)
    case .count(let count?): return "\(count)"
    case .text(nil), .seconds(nil), .count(nil): return "-"
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
    return "\(1_970 + days / 365)-\(digits(month + 1))-\(digits(rest + 1))"
  }

  private static func time(_ instant: Instant) -> String {
    let milliseconds = instant.nanoseconds % 86_400_000_000_000 / 1_000_000
    let seconds = Int(milliseconds / 1_000)
    let fraction = Int(milliseconds % 1_000)
    return "\(digits(seconds / 3_600)):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
      + ".\(fraction < 100 ? "0" : "")\(digits(fraction))"
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
