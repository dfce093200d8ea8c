/// Events of one kind, of a player or of any, with a value or with any.
package struct EventFilter: Hashable, Sendable {
  /// An event of the kind; what else it tells does not matter.
  package var kind: Event
  /// The player that it happens to; nil for any, and for what happens to none.
  package var player: Int?
  /// The value that it announces, as ``Event/announcement`` tells it; nil for any.
  package var announcement: UInt64?

  /// Creates a filter.
  package init(_ kind: Event, player: Int? = nil, announcement: UInt64? = nil) {
    self.kind = kind
    self.player = player
    self.announcement = announcement
    assert(announcement == nil || kind.announcement != nil, "a value of what announces none")
  }

  /// Returns whether an event passes.
  func includes(_ event: Event, of player: Int?) -> Bool {
    kind.kindNumber == event.kindNumber && (self.player == nil || self.player == player)
      && (announcement == nil || announcement == event.announcement)
  }
}

extension Event {
  /// The kind of the event: what a name in a log stands for.
  fileprivate var kindNumber: UInt64 {
    switch self {
    case .transferPhase(_, let phase, _): 34 | UInt64(phase.rawValue) << 8
    case .readingSuspended(_, let isSuspended): isSuspended ? 10 : 10 | 1 << 8
    case .setting: 21
    default: words.code & 0xFF
    }
  }

  /// The value that the event announces, as a number; `max` for nil.
  ///
  /// A flag is 0 or 1, a word its place, a time its nanoseconds, a playback rate its millionths.
  package var announcement: UInt64? {
    let words = self.words
    switch self {
    case .started, .linkChanged, .mediaRequest, .mediaResponse, .mediaRequestCompleted,
      .mediaRequestCancelled, .transferPhase, .readingSuspended, .segmentDiscarded,
      .loadedTimeRange, .setting, .playbackStalled, .didPlayToEndTime, .failedToPlayToEndTime,
      .newAccessLogEntry:
      return nil
    case .seekDidComplete(_, let isFinished, _): return isFinished ? 1 : 0
    case .videoFrames(_, _, let treatment): return UInt64(treatment.rawValue)
    case .segmentRequest(_, _, _, let segment, _):
      return segment.map { UInt64(UInt32(bitPattern: $0)) } ?? .max
    case .newErrorLogEntry(_, let code): return UInt64(bitPattern: Int64(code))
    case .variantSwitchStart, .variantSwitch, .seek, .mediaSelection, .trackEnabled:
      return words.b
    case .step, .finished, .linkRate, .mediaRequestFailed, .playlistRequest, .contentKeyRequest,
      .valuesLoaded, .itemCreated, .itemInserted, .itemRemoved, .notGapless, .looperStatus,
      .loopCount,
      .currentItem,
      .isPlaybackBufferEmpty, .isPlaybackBufferFull,
      .isPlaybackLikelyToKeepUp, .itemStatus, .rate, .reasonForWaitingToPlay,
      .timeControlStatus, .timebaseRate, .exception, .pipelineBuilt, .ruleAnswer,
      .rateDidChange, .timeJumped, .prerollDidComplete, .pictureFrozen:
      return words.a
    }
  }
}
