extension Event {
  /// The event as the words that the fingerprint mixes: which case, then its fields.
  ///
  /// Inlined it costs next to nothing where the case is known (measured).
  @inline(__always)
  var words: (code: UInt64, a: UInt64, b: UInt64) {
    switch self {
    case .started(let seed, let draws): (1, seed, word(draws))
    case .step(let index): (2, word(index), 0)
    case .finished(let reason): (3, UInt64(reason.rawValue), 0)
    case .linkChanged(let track, let rate): (4, word(track), word(rate.bitsPerSecond))
    case .linkRate(let rate): (5, word(rate.bitsPerSecond), 0)
    case .mediaRequest(let transfer, let from, let size):
      (6 | word(transfer) << 8, word(from.bytes), word(size.bytes))
    case .mediaResponse(let transfer): (7, word(transfer), 0)
    case .mediaRequestCompleted(let transfer, let bytes): (8, word(transfer), word(bytes.bytes))
    case .mediaRequestCancelled(let transfer, let bytes): (9, word(transfer), word(bytes.bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      (33 | word(transfer) << 8, UInt64(failure.rawValue), word(bytes.bytes))
    case .transferPhase(let transfer, let phase, let span):
      (34 | UInt64(phase.rawValue) << 8, word(transfer), word(span.nanoseconds))
    case .readingSuspended(let transfer, let isSuspended): (10, word(transfer), word(isSuspended))
    case .playlistRequest(let transfer, let list, let size):
      (50 | word(transfer) << 8, list.map(word) ?? .max, word(size.bytes))
    case .contentKeyRequest(let transfer, let key, let size):
      (51 | word(transfer) << 8, word(key), word(size.bytes))
    case .segmentRequest(let transfer, let size, let list, let segment):
      (
        52 | word(transfer) << 8, word(list) << 32 | (segment.map(word) ?? 0xFFFF_FFFF),
        word(size.bytes)
      )
    case .valuesLoaded(let item): (53, word(item), 0)
    case .itemCreated(let item): (54, word(item), 0)
    case .variantSwitchStart(let from, let to): (55, from.map(word) ?? .max, word(to))
    case .variantSwitch(let from, let to): (56, from.map(word) ?? .max, word(to))
    case .newErrorLogEntry(let transfer, let code): (57, word(transfer), word(code))
    case .segmentDiscarded(let transfer): (66, word(transfer), 0)
    case .currentItem(let item): (11, item.map(word) ?? .max, 0)
    case .loadedTimeRange(let index, let count, let start, let end):
      (
        12 | word(index) << 8 | word(count) << 31, word(start.nanoseconds),
        word(end.nanoseconds)
      )
    case .isPlaybackBufferEmpty(let value): (13, word(value), 0)
    case .isPlaybackBufferFull(let value): (14, word(value), 0)
    case .isPlaybackLikelyToKeepUp(let value): (15, word(value), 0)
    case .itemStatus(let status): (16, UInt64(status.rawValue), 0)
    case .rate(let rate): (17, word(rate.millionths), 0)
    case .reasonForWaitingToPlay(let reason): (18, reason.map { UInt64($0.rawValue) } ?? .max, 0)
    case .timeControlStatus(let status): (19, UInt64(status.rawValue), 0)
    case .timebaseRate(let rate, let time): (20, word(rate.millionths), word(time.nanoseconds))
    case .setting(let setting): setting.words
    case .exception(let exception): (22, UInt64(exception.rawValue), 0)
    case .pipelineBuilt(let count, let hasVideo): (70, word(count), word(hasVideo))
    case .ruleAnswer(let answer): (23, word(answer), 0)
    case .rateDidChange(let reason): (24, reason.map { UInt64($0.rawValue) } ?? .max, 0)
    case .timeJumped(let time): (25, word(time.nanoseconds), 0)
    case .playbackStalled: (26, 0, 0)
    case .didPlayToEndTime: (27, 0, 0)
    case .failedToPlayToEndTime: (28, 0, 0)
    case .newAccessLogEntry: (29, 0, 0)
    case .seek(let number, let time): (30, word(number), word(time.nanoseconds))
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      (31, word(number), word(isFinished) | word(isInBuffer) << 1)
    case .prerollDidComplete(let isFinished): (32, word(isFinished), 0)
    }
  }
}

extension PlayerSetting {
  /// The setting as words for the fingerprint; each has a code of its own.
  fileprivate var words: (code: UInt64, a: UInt64, b: UInt64) {
    switch self {
    case .automaticallyWaitsToMinimizeStalling(let value): (40, word(value), 0)
    case .defaultRate(let rate): (41, word(rate.millionths), 0)
    case .actionAtItemEnd(let action): (42, UInt64(action.rawValue), 0)
    case .forwardPlaybackEndTime(let time): (43, time.map { word($0.nanoseconds) } ?? .max, 0)
    case .reversePlaybackEndTime(let time): (44, time.map { word($0.nanoseconds) } ?? .max, 0)
    case .interstitial(let value): (45, word(value), 0)
    case .coordination(let value): (46, word(value), 0)
    case .preferredForwardBufferDuration(let time): (58, word(time.nanoseconds), 0)
    case .preferredPeakBitRate(let rate): (59, word(rate.bitsPerSecond), 0)
    case .preferredPeakBitRateForExpensiveNetworks(let rate): (60, word(rate.bitsPerSecond), 0)
    case .preferredMaximumResolution(let size): (61, word(size), 0)
    case .layer(let size): (62, word(size), 0)
    case .isExpensive(let value): (63, word(value), 0)
    case .layerAttached(let value): (71, word(value), 0)
    case .preferredMaximumResolutionForExpensiveNetworks(let size): (64, word(size), 0)
    case .automaticallyPreservesTimeOffsetFromLive(let value): (65, word(value), 0)
    }
  }
}

@inline(__always)
private func word(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value)) }
@inline(__always)
private func word(_ value: Int32) -> UInt64 { UInt64(UInt32(bitPattern: value)) }
@inline(__always)
private func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
private func word(_ value: Resolution?) -> UInt64 {
  value.map { word($0.width) << 32 | word($0.height) } ?? .max
}
@inline(__always)
private func word(_ value: Bool) -> UInt64 { value ? 1 : 0 }
