import Autowait
import AutowaitScenario

/// Renders a run as a log: one JSON object a line, keys in a fixed order, numbers exact.
///
/// The first line is the header with the whole scenario, the last one the summary with the
/// fingerprint. Two runs of one scenario give the same bytes.
package struct LogRendering {
  /// The version of the log's format.
  package static let formatVersion: Int64 = 1
  /// The most lines of a golden log; a longer run is kept as header and summary.
  package static let goldenLinesMax = 200

  private var writer: JSONWriter

  private init(capacity: Int) {
    writer = JSONWriter(capacity: capacity)
  }

  /// Returns the whole log of a run.
  package static func log(_ result: RunResult) -> [UInt8] {
    var rendering = LogRendering(capacity: 1024 + 96 * result.records.count)
    rendering.header(result)
    for record in result.records { rendering.line(record, result.scenario) }
    rendering.summary(result)
    return rendering.writer.bytes
  }

  /// Returns the log of a run as goldens keep it: without its events if there are many.
  package static func golden(_ result: RunResult) -> [UInt8] {
    if result.records.count + 2 <= goldenLinesMax { return log(result) }
    var rendering = LogRendering(capacity: 4096)
    rendering.header(result)
    rendering.summary(result)
    return rendering.writer.bytes
  }

  /// Returns the lines of some records of a world with one player, for measurements.
  package static func lines(
    _ records: EventRecords, _ scenario: Scenario, into writer: inout JSONWriter
  ) {
    var rendering = LogRendering(capacity: 0)
    swap(&rendering.writer, &writer)
    for record in records { rendering.line(record, scenario) }
    swap(&rendering.writer, &writer)
  }

  private mutating func header(_ result: RunResult) {
    let scenario = result.scenario
    writer.beginObject()
    writer.field("autowaitLog", Self.formatVersion)
    writer.field("digest", text: Self.hexadecimal(scenario.digest))
    if !scenario.inputs.isEmpty {
      writer.key("inputs")
      writer.beginArray()
      for input in scenario.inputs {
        writer.beginObject()
        writer.field("path", text: input.path)
        writer.field("digest", text: Self.hexadecimal(input.digest))
        writer.endObject()
      }
      writer.endArray()
    }
    writer.key("scenario")
    let source = SourceText(path: scenario.path, bytes: scenario.resolved)
    if let root = Findings(source).parseJSON() { writer.value(root) } else { writer.null() }
    writer.endObject()
    writer.endLine()
  }

  private mutating func line(_ record: EventRecord, _ scenario: Scenario) {
    writer.beginRecord(
      seconds: record.instant.nanoseconds, number: record.number, cause: record.cause,
      event: record.event.name)
    if case .linkRate(let rate) = record.event {  // most lines of a long log
      writer.endRecord("value", rate.bitsPerSecond)
      return
    }
    if let player = record.player, scenario.playerNames.count > 1 {
      writer.field("player", text: scenario.playerNames[player])
    }
    fields(of: record.event, scenario)
    writer.endRecord()
  }

  private mutating func summary(_ result: RunResult) {
    writer.beginObject()
    writer.field("t", seconds: result.end.nanoseconds)
    writer.field("events", Int64(result.records.count))
    writer.field("finish", result.finish.word)
    writer.key("metrics")
    ResultRendering.metrics(result, into: &writer)
    writer.field("fingerprint", text: Self.hexadecimal(result.fingerprint))
    writer.endObject()
    writer.endLine()
  }

  /// Returns a digest as sixteen digits.
  package static func hexadecimal(_ value: UInt64) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = (0..<16).map { digits[Int(value >> (60 - 4 * UInt64($0)) & 15)] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension LogRendering {
  /// Writes the fields that an event has beside its name.
  private mutating func fields(of event: Event, _ scenario: Scenario) {
    switch event {
    case .started(let seed, let draws):
      writer.field("seed", seed)
      if draws > 0 { writer.field("draws", draws) }
      let choice = scenario.world.tierChoice
      writer.field("tier", choice.tier.word)
      writer.field("reason", choice.reason.word)
    case .step(let index):
      writer.field("step", Int64(index))
      writer.field("do", text: scenario.stepNames[index])
    case .finished(let reason): writer.field("value", reason.word)
    case .linkChanged(let track, let rate):
      writer.field("link", text: scenario.linkNames[track])
      writer.field("rate", rate.bitsPerSecond)
    case .mediaRequest(let transfer, let from, let size):
      writer.field("transfer", Int64(transfer))
      writer.field("from", from.bytes)
      writer.field("bytes", size.bytes)
    case .mediaResponse(let transfer): writer.field("transfer", Int64(transfer))
    case .transferPhase(let transfer, _, let span):
      writer.field("transfer", Int64(transfer))
      writer.field("seconds", seconds: span.nanoseconds)
    case .mediaRequestCompleted(let transfer, let bytes),
      .mediaRequestCancelled(let transfer, let bytes):
      writer.field("transfer", Int64(transfer))
      writer.field("bytes", bytes.bytes)
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      writer.field("transfer", Int64(transfer))
      writer.field("value", failure.word)
      writer.field("bytes", bytes.bytes)
    case .readingSuspended(let transfer, _): writer.field("transfer", Int64(transfer))
    case .currentItem(let item):
      if let item { writer.field("value", Int64(item)) } else { writer.nullField("value") }
    case .loadedTimeRange(let index, let count, let start, let end):
      writer.field("range", Int64(index))
      writer.field("of", Int64(count))
      writer.field("start", seconds: start.nanoseconds)
      writer.field("end", seconds: end.nanoseconds)
    case .playlistRequest, .contentKeyRequest, .segmentRequest, .valuesLoaded, .itemCreated,
      .variantSwitchStart, .variantSwitch, .segmentDiscarded, .newErrorLogEntry:
      streamFields(of: event)
    case .seek(let number, let time):
      writer.field("seek", Int64(number))
      writer.field("to", seconds: time.nanoseconds)
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      writer.field("seek", Int64(number))
      writer.field("finished", isFinished)
      writer.field("didSeekInBuffer", isInBuffer)
    default: playerFields(of: event)
    }
  }

  private mutating func streamFields(of event: Event) {
    switch event {
    case .playlistRequest(let transfer, let list, let size):
      writer.field("transfer", Int64(transfer))
      if let list { writer.field("list", Int64(list)) } else { writer.nullField("list") }
      writer.field("bytes", size.bytes)
    case .contentKeyRequest(let transfer, let key, let size):
      writer.field("transfer", Int64(transfer))
      writer.field("key", Int64(key))
      writer.field("bytes", size.bytes)
    case .segmentRequest(let transfer, let size, let list, let segment):
      writer.field("transfer", Int64(transfer))
      writer.field("list", Int64(list))
      if let segment {
        writer.field("segment", Int64(segment))
      } else {
        writer.nullField("segment")
      }
      writer.field("bytes", size.bytes)
    case .valuesLoaded(let item), .itemCreated(let item): writer.field("value", Int64(item))
    case .variantSwitchStart(let from, let to), .variantSwitch(let from, let to):
      if let from { writer.field("from", Int64(from)) } else { writer.nullField("from") }
      writer.field("value", Int64(to))
    case .segmentDiscarded(let transfer): writer.field("transfer", Int64(transfer))
    case .newErrorLogEntry(let transfer, let code):
      writer.field("transfer", Int64(transfer))
      writer.field("value", Int64(code))
    default: break
    }
  }

  private mutating func playerFields(of event: Event) {
    switch event {
    case .isPlaybackBufferEmpty(let value), .isPlaybackBufferFull(let value),
      .isPlaybackLikelyToKeepUp(let value), .ruleAnswer(let value),
      .prerollDidComplete(let value):
      writer.field("value", value)
    case .itemStatus(let status): writer.field("value", status.word)
    case .rate(let rate): writer.field("value", millionths: rate.millionths)
    case .reasonForWaitingToPlay(let reason):
      if let reason { writer.field("value", reason.word) } else { writer.nullField("value") }
    case .timeControlStatus(let status): writer.field("value", status.word)
    case .timebaseRate(let rate, let time):
      writer.field("value", millionths: rate.millionths)
      writer.field("currentTime", seconds: time.nanoseconds)
    case .setting(let setting): field(of: setting)
    case .pipelineBuilt(let count, let hasVideo):
      writer.field("value", Int64(count))
      writer.field("hasVideo", hasVideo)
    case .exception(let exception):
      writer.field("value", exception.word)
    case .rateDidChange(let reason):
      if let reason { writer.field("reason", reason.word) } else { writer.nullField("reason") }
    case .timeJumped(let time): writer.field("currentTime", seconds: time.nanoseconds)
    default: break
    }
  }

  private mutating func field(of setting: PlayerSetting) {
    switch setting {
    case .automaticallyWaitsToMinimizeStalling(let value):
      writer.field("automaticallyWaitsToMinimizeStalling", value)
    case .defaultRate(let rate): writer.field("defaultRate", millionths: rate.millionths)
    case .actionAtItemEnd(let action): writer.field("actionAtItemEnd", action.word)
    case .forwardPlaybackEndTime(let time): field("forwardPlaybackEndTime", time)
    case .reversePlaybackEndTime(let time): field("reversePlaybackEndTime", time)
    case .interstitial(let isActive): writer.field("interstitial", isActive)
    case .coordination(let isHeld): writer.field("coordination", isHeld)
    case .preferredForwardBufferDuration(let time): field("preferredForwardBufferDuration", time)
    case .preferredPeakBitRate(let rate):
      writer.field("preferredPeakBitRate", rate.bitsPerSecond)
    case .preferredPeakBitRateForExpensiveNetworks(let rate):
      writer.field("preferredPeakBitRateForExpensiveNetworks", rate.bitsPerSecond)
    case .preferredMaximumResolution(let size): field("preferredMaximumResolution", size)
    case .preferredMaximumResolutionForExpensiveNetworks(let size):
      field("preferredMaximumResolutionForExpensiveNetworks", size)
    case .layer(let size): field("layer", size)
    case .isExpensive(let value): writer.field("isExpensive", value)
    case .layerAttached(let value): writer.field("layerAttached", value)
    case .automaticallyPreservesTimeOffsetFromLive(let value):
      writer.field("automaticallyPreservesTimeOffsetFromLive", value)
    }
  }

  private mutating func field(_ name: StaticString, _ size: Resolution?) {
    if let size {
      writer.field(name, text: "\(size.width)x\(size.height)")
    } else {
      writer.nullField(name)
    }
  }

  private mutating func field(_ name: StaticString, _ time: MediaTime?) {
    if let time { writer.field(name, seconds: time.nanoseconds) } else { writer.nullField(name) }
  }
}
