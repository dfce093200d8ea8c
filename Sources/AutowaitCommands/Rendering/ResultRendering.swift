import Autowait
import AutowaitScenario

/// Renders what a run came to as one JSON object.
public enum ResultRendering {
  /// The version of the object's format.
  public static let formatVersion: Int64 = 1

  /// Writes the object.
  public static func write(_ result: RunResult, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("version", formatVersion)
    writer.field("scenario", text: result.scenario.name)
    writer.field("path", text: result.scenario.path)
    writer.field("seed", result.scenario.world.seed)
    let choice = result.scenario.world.tierChoice
    writer.field("tier", choice.tier.word)
    writer.field("reason", choice.reason.word)
    writer.field("finish", result.finish.word)
    writer.field("fingerprint", text: LogRendering.hexadecimal(result.fingerprint))
    writer.key("metrics")
    metrics(result, into: &writer)
    writer.key("accessLog")
    accessLog(result, into: &writer)
    writer.key("expectations")
    writer.beginArray()
    for outcome in result.outcomes {
      writer.beginObject()
      writer.field("line", Int64(outcome.expectation.line))
      writer.field("met", outcome.isMet)
      writer.field("expected", text: outcome.expectation.text)
      writer.field("observed", text: OutcomeRendering.observed(outcome, result.scenario))
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  /// Writes the metrics of the only player, or of each player under its name.
  static func metrics(_ result: RunResult, into writer: inout JSONWriter) {
    forEachPlayer(result, into: &writer) { metrics, writer in
      writer.beginObject()
      for metric in Metric.allCases where metric.isShown(in: metrics) {
        writer.key(text: metric.rawValue)
        switch metric.value(in: metrics) {
        case .time(let span)?: writer.seconds(nanoseconds: span.nanoseconds)
        case .count(let count)?: writer.integer(count)
        case .ratio?: writer.millionths(metric.value(in: metrics)?.number ?? 0)
        case nil: writer.null()
        }
      }
      writer.endObject()
    }
  }

  /// Writes the access log of the only player, or of each player under its name.
  private static func accessLog(_ result: RunResult, into writer: inout JSONWriter) {
    forEachPlayer(result, into: &writer) { metrics, writer in
      writer.beginArray()
      for event in metrics.accessLog {
        writer.beginObject()
        writer.field("playbackStartDate", seconds: event.playbackStartDate.nanoseconds)
        writer.field("playbackStartOffset", seconds: event.playbackStartOffset.nanoseconds)
        writer.field("startupTime", seconds: event.startupTime.nanoseconds)
        writer.field("durationWatched", seconds: event.durationWatched.nanoseconds)
        writer.field("numberOfStalls", Int64(event.numberOfStalls))
        writer.field("numberOfMediaRequests", Int64(event.numberOfMediaRequests))
        writer.field("numberOfBytesTransferred", event.numberOfBytesTransferred.bytes)
        writer.field("transferDuration", seconds: event.transferDuration.nanoseconds)
        if let rate = event.observedBitrate {
          writer.field("observedBitrate", rate.bitsPerSecond)
        } else {
          // AVFoundation shows what it does not know as a negative number.
          writer.field("observedBitrate", Int64(-1))
        }
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private static func forEachPlayer(
    _ result: RunResult, into writer: inout JSONWriter,
    _ write: (PlayerMetrics, inout JSONWriter) -> Void
  ) {
    if let only = result.metrics.first, result.metrics.count == 1 {
      write(only, &writer)
      return
    }
    writer.beginObject()
    for (name, metrics) in zip(result.scenario.playerNames, result.metrics) {
      writer.key(text: name)
      write(metrics, &writer)
    }
    writer.endObject()
  }
}
