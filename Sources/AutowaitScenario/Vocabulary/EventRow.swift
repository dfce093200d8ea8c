import Autowait

/// What logs and files call an event, and what it tells.
package struct EventRow {
  /// The name.
  package let name: StaticString
  /// What happened, in a few words.
  package let meaning: StaticString
  private let first: EventField?
  private let second: EventField?
  private let third: EventField?
  private let fourth: EventField?
  private let fifth: EventField?

  fileprivate init(
    _ name: StaticString, _ meaning: StaticString, _ first: EventField? = nil,
    _ second: EventField? = nil, _ third: EventField? = nil, _ fourth: EventField? = nil,
    _ fifth: EventField? = nil
  ) {
    (self.name, self.meaning, self.first, self.second) = (name, meaning, first, second)
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
        "started", "the run began",
        EventField("seed", value: .seed(seed)),
        draws > 0 ? EventField("draws", value: .count(draws)) : nil,
        EventField("tier", value: .tier), EventField("reason", value: .tierReason))
    case .step(let index):
      EventRow(
        "step", "a step of the script was done",
        .announced(step: index), EventField("do", value: .stepName(index)))
    case .finished(let reason):
      EventRow("finished", "the run ended", .announced(reason))
    case .linkChanged(let link, let rate):
      EventRow(
        "linkChanged", "another link applies, from the beginning of its track",
        EventField("link", value: .linkName(link)), EventField("rate", rate))
    case .linkRate(let rate):
      EventRow("linkRate", "the rate of the track changed while something flowed", .announced(rate))
    case .mediaRequest(let transfer, let from, let size, let item):
      EventRow(
        "mediaRequest", "a part of a file was requested",
        .transfer(transfer), .item(item), EventField("from", from), .bytes(size))
    case .mediaResponse(let transfer):
      EventRow(
        "mediaResponse", "the first byte of a response came; none comes while the link is down",
        .transfer(transfer))
    case .mediaRequestCompleted(let transfer, let bytes):
      EventRow(
        "mediaRequestCompleted", "the last byte of a response came",
        .transfer(transfer), .bytes(bytes))
    case .mediaRequestCancelled(let transfer, let bytes):
      EventRow(
        "mediaRequestCancelled", "a request was abandoned", .transfer(transfer), .bytes(bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      EventRow(
        "mediaRequestFailed", "a request failed for good",
        .transfer(transfer), .announced(failure), .bytes(bytes))
    case .transferPhase(let transfer, let phase, let span):
      EventRow(phase.word, phase.meaning, .transfer(transfer), EventField("seconds", span))
    case .readingSuspended(let transfer, let isSuspended):
      isSuspended
        ? EventRow(
          "readingSuspended",
          "a response is not read on: the buffer is full before everything is loaded",
          .transfer(transfer))
        : EventRow(
          "readingResumed", "a response is read on: there is room again", .transfer(transfer))
    case .playlistRequest(let transfer, let list, let size, let item):
      EventRow(
        "playlistRequest", "a playlist was requested",
        .transfer(transfer), .item(item), .announced(list, as: "list"), .bytes(size))
    case .contentKeyRequest(let transfer, let key, let size, let item):
      EventRow(
        "contentKeyRequest", "a key was requested",
        .transfer(transfer), .item(item), .announced(key, as: "key"), .bytes(size))
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      EventRow(
        "segmentRequest", "a segment or an initialization section was requested",
        .transfer(transfer), .item(item), EventField("list", list),
        .announced(segment, as: "segment"), .bytes(size))
    case .valuesLoaded(let item):
      EventRow(
        "valuesLoaded", "the requested values of an asset are available", .announced(item: item))
    case .itemCreated(let item):
      EventRow(
        "itemCreated", "an item was created that is not the current one", .announced(item: item))
    case .itemInserted(let item):
      EventRow("itemInserted", "an item was inserted into the queue", .announced(item: item))
    case .itemRemoved(let item):
      EventRow(
        "itemRemoved", "an item was removed from the queue, or dropped because it failed",
        .announced(item: item))
    case .notGapless(let item, let mismatch):
      EventRow(
        "notGapless", "an item of the queue cannot follow the previous one without a gap",
        EventField("item", item), .announced(mismatch.trait))
    case .looperStatus(let status):
      EventRow("looperStatus", "the status of a looper changed", .announced(status))
    case .loopCount(let count):
      EventRow("loopCount", "the count of a looper changed", .announced(count))
    case .mediaSelection(let track, let rendition):
      EventRow(
        "mediaSelection", "a language was selected, or no subtitles",
        EventField("track", track), .announced(rendition))
    case .trackEnabled(let track, let isEnabled):
      EventRow(
        "trackEnabled", "tracks were enabled or disabled",
        EventField("track", track), .announced(isEnabled))
    case .videoFrames(let frames):
      EventRow(
        "videoFrames", "a consumer of pictures now gets them in another color",
        EventField("to", frames.destination), EventField("color", frames.color),
        .announced(frames.treatment))
    case .pictureFrozen(let isFrozen):
      EventRow(
        "pictureFrozen",
        "the picture freezes because of missing data while the clock runs, or continues",
        .announced(isFrozen))
    case .variantSwitchStart(let from, let to, let item):
      EventRow(
        "variantSwitchStart", "another variant is requested from now on",
        .item(item), EventField("from", from), .announced(to))
    case .variantSwitch(let from, let to, let item):
      EventRow(
        "variantSwitch", "a segment of another variant has arrived",
        .item(item), EventField("from", from), .announced(to))
    case .segmentDiscarded(let transfer):
      EventRow(
        "segmentDiscarded",
        "a segment loaded only to measure the network has arrived, and is discarded",
        .transfer(transfer))
    case .newErrorLogEntry(let transfer, let code):
      EventRow(
        "newErrorLogEntry", "a request failed, or is a risk of stalls", .transfer(transfer),
        .announced(code))
    case .currentItem(let item):
      EventRow("currentItem", "another item is the current one, or none", .announced(item: item))
    case .loadedTimeRange(let index, let count, let start, let end):
      EventRow(
        "loadedTimeRanges", "one of the loaded ranges, at an instant at which another fact changes",
        EventField("range", index), EventField("of", count), EventField("start", start),
        EventField("end", end))
    case .isPlaybackBufferEmpty(let value):
      EventRow(
        "isPlaybackBufferEmpty", "whether the buffer is empty changed (E)", .announced(value))
    case .isPlaybackBufferFull(let value):
      EventRow("isPlaybackBufferFull", "whether the buffer is full changed (F)", .announced(value))
    case .isPlaybackLikelyToKeepUp(let value):
      EventRow(
        "isPlaybackLikelyToKeepUp", "whether playback will probably keep up changed (K)",
        .announced(value))
    case .itemStatus(let status):
      EventRow("status", "the status of the item changed", .announced(Optional(status)))
    case .rate(let rate):
      EventRow("rate", "the requested rate changed", .announced(rate))
    case .reasonForWaitingToPlay(let reason):
      EventRow(
        "reasonForWaitingToPlay", "the reason for which the player waits changed",
        .announced(reason))
    case .timeControlStatus(let status):
      EventRow("timeControlStatus", "the status of the player changed", .announced(status))
    case .timebaseRate(let rate, let time):
      EventRow(
        "timebaseRate", "the speed of playback changed",
        .announced(rate), EventField("currentTime", time))
    case .setting(let written):
      EventRow("setting", "a property was written", written.setting.field)
    case .exception(let exception):
      EventRow("exception", "a call raised an exception and did nothing", .announced(exception))
    case .pipelineBuilt(let count, let hasVideo):
      EventRow(
        "pipelineBuilt", "a pipeline was built; only if the scenario mentions pipelines or layers",
        .announced(count), EventField("hasVideo", hasVideo))
    case .ruleAnswer(let isLikely):
      EventRow("ruleAnswer", "an external rule has answered", .announced(isLikely))
    case .rateDidChange(let reason):
      EventRow(
        "rateDidChange", "the notification that the requested rate changed",
        .announced(reason, as: "reason"))
    case .timeJumped(let time):
      EventRow(
        "timeJumped", "the notification that the playhead jumped",
        .announced(time, as: "currentTime"))
    case .playbackStalled:
      EventRow("playbackStalled", "the notification that playback stalled")
    case .didPlayToEndTime:
      EventRow("didPlayToEndTime", "the notification that an item played to its end")
    case .failedToPlayToEndTime:
      EventRow("failedToPlayToEndTime", "the notification that an item failed before its end")
    case .newAccessLogEntry:
      EventRow("newAccessLogEntry", "an entry of the access log began")
    case .seek(let number, let time):
      EventRow(
        "seek", "a seek was requested", EventField("seek", number), .announced(time, as: "to"))
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      EventRow(
        "seekDidComplete", "a seek finished or was abandoned",
        EventField("seek", number), .announced(isFinished, as: "finished"),
        EventField("didSeekInBuffer", isInBuffer))
    case .prerollDidComplete(let isFinished):
      EventRow("prerollDidComplete", "a preroll finished or was abandoned", .announced(isFinished))
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

  /// What happened when an event of a name is logged; nil if none has it.
  package static func meaning(of name: String) -> StaticString? { example(name)?.row.meaning }

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

extension TransferPhase {
  /// What happened when a phase took some time.
  fileprivate var meaning: StaticString {
    switch self {
    case .domainLookup:
      "a request, whose response now begins or which now fails, needed a lookup of the host's name"
    case .connect: "a request, likewise, needed a new connection"
    case .secureConnection: "a request, likewise, needed its connection to be secured"
    case .firstByte: "a request waited for the first byte of its response"
    case .body: "a response came"
    }
  }
}

extension PlayerSetting {
  /// The setting under its name, with its new value.
  package var field: EventField {
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
