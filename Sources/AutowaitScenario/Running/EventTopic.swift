import Autowait

/// What an event is about: who follows a run asks for the topics that concern it, and looks at
/// every case of these.
///
/// A new event gets its topic here; the compiler then points to all who follow that topic, and to
/// nobody else.
package enum EventTopic {
  /// The run and its link, which no player has to itself.
  case world(WorldNews)
  /// A request, by the number of its transfer.
  case request(transfer: Int, RequestNews)
  /// The variant of a stream.
  case variant(VariantNews)
  /// What is loaded, and whether it is enough.
  case buffer(BufferNews)
  /// What a viewer sees and hears, and what was asked of the playhead.
  case playback(PlaybackNews)
  /// Items that are not, or no longer, the current one.
  case queue(QueueNews)
  /// What was set of a player and its item.
  case setting(SettingNews)
  /// What else is told.
  case notice(NoticeNews)
}

/// What an event tells of the run or its link.
package enum WorldNews {
  case started, step(Int), finished
  case linkChanged(link: Int, rate: BitRate)
  case linkRate(BitRate)
}

/// What an event tells of a request.
package enum RequestNews {
  /// It was made; of a file it may begin somewhere inside.
  case asked(RequestIndex.Resource, from: ByteCount, size: ByteCount, item: Int?)
  case phase(TransferPhase, TimeSpan)
  /// Its first byte came.
  case response
  case reading(isSuspended: Bool)
  case completed(ByteCount)
  case cancelled(ByteCount)
  case failed(TransferFailure, ByteCount)
  case discarded
  case errorLogged(code: Int32)
}

/// What an event tells of a variant; of an enqueued item if it names one.
package enum VariantNews {
  case switchStart(from: Int?, to: Int, item: Int?)
  case switched(from: Int?, to: Int, item: Int?)
}

/// What an event tells of the buffer.
package enum BufferNews {
  case loadedTimeRange(index: Int32, start: MediaTime, end: MediaTime)
  case isEmpty(Bool)
  case isFull(Bool)
  case isLikelyToKeepUp(Bool)
  case ruleAnswer
}

/// What an event tells of playback.
package enum PlaybackNews {
  case currentItem(Int?)
  case itemStatus(ItemStatus)
  case rate(PlaybackRate)
  case reasonForWaitingToPlay(WaitingReason?)
  case timeControlStatus(TimeControlStatus)
  case timebaseRate(PlaybackRate, currentTime: MediaTime)
  case timeJumped(MediaTime)
  case stalled
  case didPlayToEndTime
  case seek(to: MediaTime)
  case seekDidComplete(isFinished: Bool, isInBuffer: Bool)
  case pictureFrozen(Bool)
  case exception(PlaybackException)
}

/// What an event tells of items of a queue, of a looper, or of items that are prepared.
package enum QueueNews {
  case valuesLoaded(item: Int)
  case created, inserted
  case removed(item: Int)
  case notGapless(item: Int, JoinMismatch)
  case looperStatus(LooperStatus)
  case loopCount
}

/// What an event tells that was set.
package enum SettingNews {
  case written(PlayerSetting)
  case mediaSelection, trackEnabled
}

/// What an event tells that nothing else follows from.
package enum NoticeNews {
  case rateDidChange(RateChangeReason?)
  case prerollDidComplete(isFinished: Bool)
  case failedToPlayToEndTime, newAccessLogEntry, pipelineBuilt, videoFrames
}

extension Event {
  /// What the event is about.
  package var topic: EventTopic {
    switch self {
    case .started: .world(.started)
    case .step(let index): .world(.step(index))
    case .finished: .world(.finished)
    case .linkChanged(let link, let rate): .world(.linkChanged(link: link, rate: rate))
    case .linkRate(let rate): .world(.linkRate(rate))
    case .mediaRequest(let transfer, let from, let size, let item):
      .asked(transfer, .file, from: from, size, item)
    case .playlistRequest(let transfer, let list, let size, let item):
      .asked(transfer, list.map { .mediaPlaylist(Int($0)) } ?? .multivariantPlaylist, size, item)
    case .contentKeyRequest(let transfer, let key, let size, let item):
      .asked(transfer, .contentKey(key), size, item)
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      .asked(transfer, RequestIndex.Resource(list: list, segment: segment), size, item)
    case .transferPhase(let transfer, let phase, let span):
      .request(transfer: transfer, .phase(phase, span))
    case .mediaResponse(let transfer): .request(transfer: transfer, .response)
    case .readingSuspended(let transfer, let isSuspended):
      .request(transfer: transfer, .reading(isSuspended: isSuspended))
    case .mediaRequestCompleted(let transfer, let bytes):
      .request(transfer: transfer, .completed(bytes))
    case .mediaRequestCancelled(let transfer, let bytes):
      .request(transfer: transfer, .cancelled(bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      .request(transfer: transfer, .failed(failure, bytes))
    case .segmentDiscarded(let transfer): .request(transfer: transfer, .discarded)
    case .newErrorLogEntry(let transfer, let code):
      .request(transfer: transfer, .errorLogged(code: code))
    case .variantSwitchStart(let from, let to, let item):
      .variant(.switchStart(from: from, to: to, item: item.map { Int($0) }))
    case .variantSwitch(let from, let to, let item):
      .variant(.switched(from: from, to: to, item: item.map { Int($0) }))
    case .loadedTimeRange(let index, _, let start, let end):
      .buffer(.loadedTimeRange(index: index, start: start, end: end))
    case .isPlaybackBufferEmpty(let value): .buffer(.isEmpty(value))
    case .isPlaybackBufferFull(let value): .buffer(.isFull(value))
    case .isPlaybackLikelyToKeepUp(let value): .buffer(.isLikelyToKeepUp(value))
    case .ruleAnswer: .buffer(.ruleAnswer)
    case .currentItem(let item): .playback(.currentItem(item))
    case .itemStatus(let status): .playback(.itemStatus(status))
    case .rate(let rate): .playback(.rate(rate))
    case .reasonForWaitingToPlay(let reason): .playback(.reasonForWaitingToPlay(reason))
    case .timeControlStatus(let status): .playback(.timeControlStatus(status))
    case .timebaseRate(let rate, let time): .playback(.timebaseRate(rate, currentTime: time))
    case .timeJumped(let time): .playback(.timeJumped(time))
    case .playbackStalled: .playback(.stalled)
    case .didPlayToEndTime: .playback(.didPlayToEndTime)
    case .seek(_, let time): .playback(.seek(to: time))
    case .seekDidComplete(_, let isFinished, let isInBuffer):
      .playback(.seekDidComplete(isFinished: isFinished, isInBuffer: isInBuffer))
    case .pictureFrozen(let isFrozen): .playback(.pictureFrozen(isFrozen))
    case .exception(let exception): .playback(.exception(exception))
    case .valuesLoaded(let item): .queue(.valuesLoaded(item: item))
    case .itemCreated: .queue(.created)
    case .itemInserted: .queue(.inserted)
    case .itemRemoved(let item): .queue(.removed(item: item))
    case .notGapless(let item, let mismatch): .queue(.notGapless(item: item, mismatch))
    case .looperStatus(let status): .queue(.looperStatus(status))
    case .loopCount: .queue(.loopCount)
    case .setting(let written): .setting(.written(written.setting))
    case .mediaSelection: .setting(.mediaSelection)
    case .trackEnabled: .setting(.trackEnabled)
    case .rateDidChange(let reason): .notice(.rateDidChange(reason))
    case .prerollDidComplete(let isFinished): .notice(.prerollDidComplete(isFinished: isFinished))
    case .failedToPlayToEndTime: .notice(.failedToPlayToEndTime)
    case .newAccessLogEntry: .notice(.newAccessLogEntry)
    case .pipelineBuilt: .notice(.pipelineBuilt)
    case .videoFrames: .notice(.videoFrames)
    }
  }
}

extension EventTopic {
  /// A request that was made.
  fileprivate static func asked(
    _ transfer: Int, _ resource: RequestIndex.Resource, from: ByteCount = .zero, _ size: ByteCount,
    _ item: UInt16?
  ) -> EventTopic {
    .request(
      transfer: transfer, .asked(resource, from: from, size: size, item: item.map { Int($0) }))
  }
}

extension RequestIndex.Resource {
  /// A segment of a list, or its initialisation section.
  fileprivate init(list: Int32, segment: Int32?) {
    self =
      segment.map { .segment(list: Int(list), number: Int($0)) } ?? .initialization(list: Int(list))
  }
}
