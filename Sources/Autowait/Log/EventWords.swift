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
    case .mediaRequest(let transfer, let from, let size, let item):
      (6 | word(transfer, item), word(from.bytes), word(size.bytes))
    case .mediaResponse(let transfer): (7, word(transfer), 0)
    case .mediaRequestCompleted(let transfer, let bytes): (8, word(transfer), word(bytes.bytes))
    case .mediaRequestCancelled(let transfer, let bytes): (9, word(transfer), word(bytes.bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      (33 | word(transfer) << 8, UInt64(failure.rawValue), word(bytes.bytes))
    case .transferPhase(let transfer, let phase, let span):
      (34 | UInt64(phase.rawValue) << 8, word(transfer), word(span.nanoseconds))
    case .readingSuspended(let transfer, let isSuspended): (10, word(transfer), word(isSuspended))
    case .playlistRequest(let transfer, let list, let size, let item):
      (50 | word(transfer, item), list.map(word) ?? .max, word(size.bytes))
    case .contentKeyRequest(let transfer, let key, let size, let item):
      (51 | word(transfer, item), word(key), word(size.bytes))
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      (
        52 | word(transfer, item), word(list) << 32 | (segment.map(word) ?? 0xFFFF_FFFF),
        word(size.bytes)
      )
    case .valuesLoaded(let item): (53, word(item), 0)
    case .itemCreated(let item): (54, word(item), 0)
    case .itemInserted(let item): (72, word(item), 0)
    case .itemRemoved(let item): (73, word(item), 0)
    case .notGapless(let item, let trait): (76, UInt64(trait.rawValue), word(item))
    case .looperStatus(let status): (74, UInt64(status.rawValue), 0)
    case .loopCount(let count): (75, word(count), 0)
    case .variantSwitchStart(let from, let to, let item):
      (55 | word(item), from.map(word) ?? .max, word(to))
    case .variantSwitch(let from, let to, let item):
      (56 | word(item), from.map(word) ?? .max, word(to))
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
    case .mediaSelection, .trackEnabled, .videoFrames, .pictureFrozen: wordsOfTracks
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

extension Event {
  /// The words of an event that is about what is heard and seen.
  private var wordsOfTracks: (code: UInt64, a: UInt64, b: UInt64) {
    switch self {
    case .mediaSelection(let track, let rendition):
      return (77, UInt64(track.rawValue), rendition.map { word($0) } ?? .max)
    case .trackEnabled(let track, let isEnabled):
      return (78, UInt64(track.rawValue), word(isEnabled))
    case .pictureFrozen(let isFrozen): return (83, word(isFrozen), 0)
    case .videoFrames(let destination, let color, let treatment):
      let points = color.map { [$0.primaries, $0.transfer, $0.matrix] }
      let code = points?.reduce(UInt64.zero) { $0 << 16 | UInt64($1) }
      return (80, UInt64(destination.rawValue) << 8 | UInt64(treatment.rawValue), code ?? .max)
    default: preconditionFailure("\(self) is about something else")
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
    case .videoOutputAttached(let value): (79, word(value), 0)
    case .networkResourcePriority(let value): (82, UInt64(value.rawValue), 0)
    case .eligibleForHDRPlayback(let value): (81, word(value), 0)
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
/// A request's number and the item that it is for, if that is not the current one, beside a code.
@inline(__always)
private func word(_ transfer: Int, _ item: UInt16?) -> UInt64 {
  word(transfer) << 8 | word(item)
}
@inline(__always)
private func word(_ item: UInt16?) -> UInt64 { (item.map { UInt64($0) + 1 } ?? 0) << 48 }
@inline(__always)
private func word(_ value: Bool) -> UInt64 { value ? 1 : 0 }
