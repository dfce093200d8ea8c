import Autowait

extension Event {
  /// The name that logs and scenarios give the event.
  package var name: StaticString {
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
    case .itemInserted: "itemInserted"
    case .itemRemoved: "itemRemoved"
    case .notGapless: "notGapless"
    case .mediaSelection: "mediaSelection"
    case .trackEnabled: "trackEnabled"
    case .videoFrames: "videoFrames"
    case .pictureFrozen: "pictureFrozen"
    case .looperStatus: "looperStatus"
    case .loopCount: "loopCount"
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
    .itemCreated(0), .itemInserted(0), .itemRemoved(0), .notGapless(item: 0, .audioCodec),
    .looperStatus(.unknown), .loopCount(0), .mediaSelection(.audio, rendition: nil),
    .trackEnabled(.video, true), .videoFrames(.output, nil, .preserved), .pictureFrozen(true),
    .variantSwitchStart(from: nil, to: 0),
    .variantSwitch(from: nil, to: 0),
    .segmentDiscarded(transfer: 0), .newErrorLogEntry(transfer: 0, code: 0), .currentItem(nil),
    .loadedTimeRange(index: 0, count: 0, start: .zero, end: .zero), .isPlaybackBufferEmpty(true),
    .isPlaybackBufferFull(true), .isPlaybackLikelyToKeepUp(true), .itemStatus(.unknown),
    .rate(.zero), .reasonForWaitingToPlay(nil), .timeControlStatus(.paused),
    .timebaseRate(.zero, currentTime: .zero), .setting(.defaultRate(.normal)),
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
