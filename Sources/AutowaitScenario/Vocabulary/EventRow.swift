import Autowait

/// What logs and files call an event, and what it tells.
package struct EventRow {
  /// The name.
  package let name: StaticString
  private let first: EventField?
  private let second: EventField?
  private let third: EventField?
  private let fourth: EventField?
  private let fifth: EventField?

  fileprivate init(
    _ name: StaticString, _ first: EventField? = nil, _ second: EventField? = nil,
    _ third: EventField? = nil, _ fourth: EventField? = nil, _ fifth: EventField? = nil
  ) {
    (self.name, self.first, self.second) = (name, first, second)
    (self.third, self.fourth, self.fifth) = (third, fourth, fifth)
  }

  /// Calls a function with each thing that the event tells, in the order of logs.
  package func forEachField(_ body: (EventField) -> Void) {
    if let first { body(first) }
    if let second { body(second) }
    if let third { body(third) }
    if let fourth { body(fourth) }
    if let fifth { body(fifth) }
  }

  /// The field whose value the event announces; nil if it announces none.
  fileprivate var announced: EventField? {
    var announced: EventField?
    forEachField { if $0.announced != nil { announced = $0 } }
    return announced
  }
}

extension Event {
  /// The event as logs and files have it.
  package var row: EventRow {
    switch self {
    case .started(let seed, let draws):
      EventRow(
        "started", EventField("seed", value: .seed(seed)),
        draws > 0 ? EventField("draws", value: .count(draws)) : nil,
        EventField("tier", value: .tier), EventField("reason", value: .tierReason))
    case .step(let index):
      EventRow("step", .announced(step: index), EventField("do", value: .stepName(index)))
    case .finished(let reason): EventRow("finished", .announced(reason))
    case .linkChanged(let link, let rate):
      EventRow("linkChanged", EventField("link", value: .linkName(link)), EventField("rate", rate))
    case .linkRate(let rate): EventRow("linkRate", .announced(rate))
    case .mediaRequest(let transfer, let from, let size, let item):
      EventRow(
        "mediaRequest", .transfer(transfer), .item(item), EventField("from", from), .bytes(size))
    case .mediaResponse(let transfer): EventRow("mediaResponse", .transfer(transfer))
    case .mediaRequestCompleted(let transfer, let bytes):
      EventRow("mediaRequestCompleted", .transfer(transfer), .bytes(bytes))
    case .mediaRequestCancelled(let transfer, let bytes):
      EventRow("mediaRequestCancelled", .transfer(transfer), .bytes(bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      EventRow("mediaRequestFailed", .transfer(transfer), .announced(failure), .bytes(bytes))
    case .transferPhase(let transfer, let phase, let span):
      EventRow(phase.word, .transfer(transfer), EventField("seconds", span))
    case .readingSuspended(let transfer, let isSuspended):
      EventRow(isSuspended ? "readingSuspended" : "readingResumed", .transfer(transfer))
    case .playlistRequest(let transfer, let list, let size, let item):
      EventRow(
        "playlistRequest", .transfer(transfer), .item(item), .announced(list, as: "list"),
        .bytes(size))
    case .contentKeyRequest(let transfer, let key, let size, let item):
      EventRow(
        "contentKeyRequest", .transfer(transfer), .item(item), .announced(key, as: "key"),
        .bytes(size))
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      EventRow(
        "segmentRequest", .transfer(transfer), .item(item), EventField("list", list),
        .announced(segment, as: "segment"), .bytes(size))
    case .valuesLoaded(let item): EventRow("valuesLoaded", .announced(item: item))
    case .itemCreated(let item): EventRow("itemCreated", .announced(item: item))
    case .itemInserted(let item): EventRow("itemInserted", .announced(item: item))
    case .itemRemoved(let item): EventRow("itemRemoved", .announced(item: item))
    case .notGapless(let item, let mismatch):
      EventRow("notGapless", EventField("item", item), .announced(mismatch.trait))
    case .looperStatus(let status): EventRow("looperStatus", .announced(status))
    case .loopCount(let count): EventRow("loopCount", .announced(count))
    case .mediaSelection(let track, let rendition):
      EventRow("mediaSelection", EventField("track", track), .announced(rendition))
    case .trackEnabled(let track, let isEnabled):
      EventRow("trackEnabled", EventField("track", track), .announced(isEnabled))
    case .videoFrames(let frames):
      EventRow(
        "videoFrames", EventField("to", frames.destination), EventField("color", frames.color),
        .announced(frames.treatment))
    case .pictureFrozen(let isFrozen): EventRow("pictureFrozen", .announced(isFrozen))
    case .variantSwitchStart(let from, let to, let item):
      EventRow("variantSwitchStart", .item(item), EventField("from", from), .announced(to))
    case .variantSwitch(let from, let to, let item):
      EventRow("variantSwitch", .item(item), EventField("from", from), .announced(to))
    case .segmentDiscarded(let transfer): EventRow("segmentDiscarded", .transfer(transfer))
    case .newErrorLogEntry(let transfer, let code):
      EventRow("newErrorLogEntry", .transfer(transfer), .announced(code))
    case .currentItem(let item): EventRow("currentItem", .announced(item: item))
    case .loadedTimeRange(let index, let count, let start, let end):
      EventRow(
        "loadedTimeRanges", EventField("range", index), EventField("of", count),
        EventField("start", start), EventField("end", end))
    case .isPlaybackBufferEmpty(let value): EventRow("isPlaybackBufferEmpty", .announced(value))
    case .isPlaybackBufferFull(let value): EventRow("isPlaybackBufferFull", .announced(value))
    case .isPlaybackLikelyToKeepUp(let value):
      EventRow("isPlaybackLikelyToKeepUp", .announced(value))
    case .itemStatus(let status): EventRow("status", .announced(Optional(status)))
    case .rate(let rate): EventRow("rate", .announced(rate))
    case .reasonForWaitingToPlay(let reason):
      EventRow("reasonForWaitingToPlay", .announced(reason))
    case .timeControlStatus(let status): EventRow("timeControlStatus", .announced(status))
    case .timebaseRate(let rate, let time):
      EventRow("timebaseRate", .announced(rate), EventField("currentTime", time))
    case .setting(let written): EventRow("setting", written.setting.field)
    case .exception(let exception): EventRow("exception", .announced(exception))
    case .pipelineBuilt(let count, let hasVideo):
      EventRow("pipelineBuilt", .announced(count), EventField("hasVideo", hasVideo))
    case .ruleAnswer(let isLikely): EventRow("ruleAnswer", .announced(isLikely))
    case .rateDidChange(let reason): EventRow("rateDidChange", .announced(reason, as: "reason"))
    case .timeJumped(let time): EventRow("timeJumped", .announced(time, as: "currentTime"))
    case .playbackStalled: EventRow("playbackStalled")
    case .didPlayToEndTime: EventRow("didPlayToEndTime")
    case .failedToPlayToEndTime: EventRow("failedToPlayToEndTime")
    case .newAccessLogEntry: EventRow("newAccessLogEntry")
    case .seek(let number, let time):
      EventRow("seek", EventField("seek", number), .announced(time, as: "to"))
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      EventRow(
        "seekDidComplete", EventField("seek", number), .announced(isFinished, as: "finished"),
        EventField("didSeekInBuffer", isInBuffer))
    case .prerollDidComplete(let isFinished):
      EventRow("prerollDidComplete", .announced(isFinished))
    }
  }

  /// The name that logs and scenarios give the event.
  package var name: StaticString { row.name }

  /// The value that the event announces; nil if it announces none.
  var announced: PropertyValue? {
    guard let field = row.announced else { return nil }
    return switch field.value {
    case .null: .null
    case .flag(let flag): .flag(flag)
    case .word(let word): .word("\(word)")
    case .count(let count): .count(count)
    case .nanoseconds(let nanoseconds): .time(MediaTime(nanoseconds: nanoseconds))
    case .rate(let rate): .rate(rate)
    case .seed, .resolution, .videoColor, .stepName, .linkName, .tier, .tierReason:
      preconditionFailure("'\(field.name)' is not a value that can be asked for")
    }
  }

  /// An event of a name; nil if none has it.
  static func example(_ name: String) -> Event? { examples.first { "\($0.name)" == name } }

  /// The values that the event of a name announces; nil if it announces none.
  package static func announcedKind(_ name: String) -> AnnouncedKind? {
    example(name)?.row.announced?.announced?()
  }

  /// All names that an event can have.
  package static let names: [String] = examples.map { "\($0.name)" }

  /// An event of each name; what else it tells means nothing.
  static let examples: [Event] = [
    .started(seed: 0, draws: 0), .step(index: 0), .finished(.settled),
    .linkChanged(link: 0, rate: .zero), .linkRate(.zero),
    .mediaRequest(transfer: 0, from: .zero, size: .zero), .mediaResponse(transfer: 0),
    .mediaRequestCompleted(transfer: 0, bytes: .zero),
    .mediaRequestCancelled(transfer: 0, bytes: .zero),
    .mediaRequestFailed(transfer: 0, failure: .timedOut, bytes: .zero),
    .transferPhase(transfer: 0, .domainLookup, .zero), .transferPhase(transfer: 0, .connect, .zero),
    .transferPhase(transfer: 0, .secureConnection, .zero),
    .readingSuspended(transfer: 0, isSuspended: true),
    .readingSuspended(transfer: 0, isSuspended: false),
    .playlistRequest(transfer: 0, list: nil, size: .zero),
    .contentKeyRequest(transfer: 0, key: 0, size: .zero),
    .segmentRequest(transfer: 0, size: .zero, list: 0, segment: nil), .valuesLoaded(item: 0),
    .itemCreated(0), .itemInserted(0), .itemRemoved(0),
    .notGapless(item: 0, JoinMismatch(.audioCodec)),
    .looperStatus(.unknown), .loopCount(0), .mediaSelection(.audio, rendition: nil),
    .trackEnabled(.video, true),
    .videoFrames(VideoFrames(to: .output, nil, .preserved)), .pictureFrozen(true),
    .variantSwitchStart(from: nil, to: 0),
    .variantSwitch(from: nil, to: 0),
    .segmentDiscarded(transfer: 0), .newErrorLogEntry(transfer: 0, code: 0), .currentItem(nil),
    .loadedTimeRange(index: 0, count: 0, start: .zero, end: .zero), .isPlaybackBufferEmpty(true),
    .isPlaybackBufferFull(true), .isPlaybackLikelyToKeepUp(true), .itemStatus(.unknown),
    .rate(.zero), .reasonForWaitingToPlay(nil), .timeControlStatus(.paused),
    .timebaseRate(.zero, currentTime: .zero),
    .setting(WrittenSetting(.defaultRate(.normal))),
    .exception(.seekToInvalidTime), .pipelineBuilt(count: 0, hasVideo: false),
    .ruleAnswer(isLikelyToKeepUp: false), .rateDidChange(nil), .timeJumped(.zero),
    .playbackStalled, .didPlayToEndTime, .failedToPlayToEndTime, .newAccessLogEntry,
    .seek(number: 0, to: .zero),
    .seekDidComplete(number: 0, isFinished: false, isInBuffer: false),
    .prerollDidComplete(isFinished: false),
  ]

  /// The names of events that happen to the link or to the run, and so to no player.
  static let namesWithoutPlayer = ["started", "step", "finished", "linkChanged", "linkRate"]
}

extension PlayerSetting {
  /// The setting under its name, with its new value.
  fileprivate var field: EventField {
    switch self {
    case .automaticallyWaitsToMinimizeStalling(let value):
      EventField("automaticallyWaitsToMinimizeStalling", value)
    case .defaultRate(let rate): EventField("defaultRate", rate)
    case .actionAtItemEnd(let action): EventField("actionAtItemEnd", action)
    case .forwardPlaybackEndTime(let time): EventField("forwardPlaybackEndTime", time)
    case .reversePlaybackEndTime(let time): EventField("reversePlaybackEndTime", time)
    case .interstitial(let isActive): EventField("interstitial", isActive)
    case .coordination(let isHeld): EventField("coordination", isHeld)
    case .preferredForwardBufferDuration(let time):
      EventField("preferredForwardBufferDuration", time)
    case .preferredPeakBitRate(let rate): EventField("preferredPeakBitRate", rate)
    case .preferredPeakBitRateForExpensiveNetworks(let rate):
      EventField("preferredPeakBitRateForExpensiveNetworks", rate)
    case .preferredMaximumResolution(let size):
      EventField("preferredMaximumResolution", size)
    case .preferredMaximumResolutionForExpensiveNetworks(let size):
      EventField("preferredMaximumResolutionForExpensiveNetworks", size)
    case .layer(let size): EventField("layer", size)
    case .isExpensive(let value): EventField("isExpensive", value)
    case .layerAttached(let value): EventField("layerAttached", value)
    case .videoOutputAttached(let value): EventField("videoOutputAttached", value)
    case .networkResourcePriority(let value):
      EventField("networkResourcePriority", value)
    case .eligibleForHDRPlayback(let value): EventField("eligibleForHDRPlayback", value)
    case .automaticallyPreservesTimeOffsetFromLive(let value):
      EventField("automaticallyPreservesTimeOffsetFromLive", value)
    }
  }
}
