import Autowait

extension Event {
  /// The name that logs and scenarios give the event.
  public var name: StaticString {
    switch self {
    case .started: "started"
    case .step: "step"
    case .finished: "finished"
    case .linkChanged: "linkChanged"
    case .linkRate: "linkRate"
    case .mediaRequest: "mediaRequest"
    case .mediaResponse: "mediaResponse"
    case .mediaRequestCompleted: "mediaRequestCompleted"
    case .mediaRequestCancelled: "mediaRequestCancelled"
    case .mediaRequestFailed: "mediaRequestFailed"
    case .transferPhase(_, let phase, _): phase.word
    case .readingSuspended(_, let isSuspended):
      isSuspended ? "readingSuspended" : "readingResumed"
    case .playlistRequest: "playlistRequest"
    case .contentKeyRequest: "contentKeyRequest"
    case .segmentRequest: "segmentRequest"
    case .valuesLoaded: "valuesLoaded"
    case .itemCreated: "itemCreated"
    case .variantSwitchStart: "variantSwitchStart"
    case .variantSwitch: "variantSwitch"
    case .segmentDiscarded: "segmentDiscarded"
    case .newErrorLogEntry: "newErrorLogEntry"
    case .currentItem: "currentItem"
    case .loadedTimeRange: "loadedTimeRanges"
    case .isPlaybackBufferEmpty: "isPlaybackBufferEmpty"
    case .isPlaybackBufferFull: "isPlaybackBufferFull"
    case .isPlaybackLikelyToKeepUp: "isPlaybackLikelyToKeepUp"
    case .itemStatus: "status"
    case .rate: "rate"
    case .reasonForWaitingToPlay: "reasonForWaitingToPlay"
    case .timeControlStatus: "timeControlStatus"
    case .timebaseRate: "timebaseRate"
    case .setting: "setting"
    case .exception: "exception"
    case .pipelineBuilt: "pipelineBuilt"
    case .ruleAnswer: "ruleAnswer"
    case .rateDidChange: "rateDidChange"
    case .timeJumped: "timeJumped"
    case .playbackStalled: "playbackStalled"
    case .didPlayToEndTime: "didPlayToEndTime"
    case .failedToPlayToEndTime: "failedToPlayToEndTime"
    case .newAccessLogEntry: "newAccessLogEntry"
    case .seek: "seek"
    case .seekDidComplete: "seekDidComplete"
    case .prerollDidComplete: "prerollDidComplete"
    }
  }

  /// All names that an event can have.
  public static let names: [String] = [
    "started", "step", "finished", "linkChanged", "linkRate", "mediaRequest", "mediaResponse",
    "mediaRequestCompleted", "mediaRequestCancelled", "mediaRequestFailed", "domainLookup",
    "connect", "secureConnection", "readingSuspended", "readingResumed", "playlistRequest",
    "contentKeyRequest", "segmentRequest", "valuesLoaded", "itemCreated", "variantSwitchStart",
    "variantSwitch", "segmentDiscarded", "newErrorLogEntry",
    "currentItem", "loadedTimeRanges", "isPlaybackBufferEmpty", "isPlaybackBufferFull",
    "isPlaybackLikelyToKeepUp", "status", "rate", "reasonForWaitingToPlay", "timeControlStatus",
    "timebaseRate", "setting", "exception", "pipelineBuilt", "ruleAnswer", "rateDidChange",
    "timeJumped",
    "playbackStalled", "didPlayToEndTime", "failedToPlayToEndTime", "newAccessLogEntry", "seek",
    "seekDidComplete", "prerollDidComplete",
  ]

  /// The names of events that happen to the link or to the run, and so to no player.
  static let namesWithoutPlayer = ["started", "step", "finished", "linkChanged", "linkRate"]

  /// The value that an event announces, for those that announce one.
  var announced: PropertyValue? {
    switch self {
    case .isPlaybackBufferEmpty(let value), .isPlaybackBufferFull(let value),
      .isPlaybackLikelyToKeepUp(let value), .ruleAnswer(let value),
      .prerollDidComplete(let value), .seekDidComplete(_, let value, _):
      .flag(value)
    case .pipelineBuilt(let count, _): .count(Int64(count))
    case .itemStatus(let status): .word("\(status.word)")
    case .rate(let rate), .timebaseRate(let rate, _): .rate(rate)
    case .reasonForWaitingToPlay(let reason): reason.map { .word("\($0.word)") } ?? .null
    case .timeControlStatus(let status): .word("\(status.word)")
    case .exception(let exception): .word("\(exception.word)")
    case .rateDidChange(let reason): reason.map { .word("\($0.word)") } ?? .null
    case .mediaRequestFailed(_, let failure, _): .word("\(failure.word)")
    case .finished(let reason): .word("\(reason.word)")
    case .timeJumped(let time), .seek(_, let time): .time(time)
    case .currentItem(let item): item.map { .count(Int64($0)) } ?? .null
    case .linkRate(let rate): .count(rate.bitsPerSecond)
    case .step(let index): .count(Int64(index))
    case .variantSwitchStart(_, let variant), .variantSwitch(_, let variant):
      .count(Int64(variant))
    case .newErrorLogEntry(_, let code): .count(Int64(code))
    case .valuesLoaded(let item), .itemCreated(let item): .count(Int64(item))
    case .contentKeyRequest(_, let key, _): .count(Int64(key))
    case .segmentRequest(_, _, _, let segment): segment.map { .count(Int64($0)) } ?? .null
    case .playlistRequest(_, let list, _): list.map { .count(Int64($0)) } ?? .null
    case .started, .linkChanged, .mediaRequest, .mediaResponse, .mediaRequestCompleted,
      .mediaRequestCancelled, .transferPhase, .readingSuspended, .segmentDiscarded,
      .loadedTimeRange, .setting, .playbackStalled, .didPlayToEndTime, .failedToPlayToEndTime,
      .newAccessLogEntry:
      nil
    }
  }
}
