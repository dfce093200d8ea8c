/// Making events of the words again that ``Event/words`` makes of them.
extension Event {
  /// Makes the event of its words; the lowest byte of the code says which case it is.
  init(code: UInt64, _ a: UInt64, _ b: UInt64) {
    switch code & 0xFF {
    case 1: self = .started(seed: a, draws: Int64(bitPattern: b))
    case 2: self = .step(index: wholeNumber(a))
    case 3: self = .finished(rawValued(a))
    case 4: self = .linkChanged(link: wholeNumber(a), rate: bitRate(b))
    case 5: self = .linkRate(bitRate(a))
    case 11: self = .currentItem(unlessMax(a).map(wholeNumber))
    case 12:
      self = .loadedTimeRange(
        index: Int32(code >> 8 & 0x7F_FFFF), count: Int32(truncatingIfNeeded: code >> 31),
        start: mediaTime(a), end: mediaTime(b))
    case 13: self = .isPlaybackBufferEmpty(a == 1)
    case 14: self = .isPlaybackBufferFull(a == 1)
    case 15: self = .isPlaybackLikelyToKeepUp(a == 1)
    case 16: self = .itemStatus(rawValued(a))
    case 17: self = .rate(PlaybackRate(millionths: Int64(bitPattern: a)))
    case 18: self = .reasonForWaitingToPlay(unlessMax(a).map { rawValued($0) })
    case 19: self = .timeControlStatus(rawValued(a))
    case 20:
      self = .timebaseRate(
        PlaybackRate(millionths: Int64(bitPattern: a)), currentTime: mediaTime(b))
    case 22: self = .exception(rawValued(a))
    case 23: self = .ruleAnswer(isLikelyToKeepUp: a == 1)
    case 24: self = .rateDidChange(unlessMax(a).map { rawValued($0) })
    case 25: self = .timeJumped(mediaTime(a))
    case 26: self = .playbackStalled
    case 27: self = .didPlayToEndTime
    case 28: self = .failedToPlayToEndTime
    case 29: self = .newAccessLogEntry
    case 30: self = .seek(number: wholeNumber(a), to: mediaTime(b))
    case 31:
      self = .seekDidComplete(
        number: wholeNumber(a), isFinished: b & 1 == 1, isInBuffer: b & 2 == 2)
    case 32: self = .prerollDidComplete(isFinished: a == 1)
    case 72: self = .itemInserted(wholeNumber(a))
    case 73: self = .itemRemoved(wholeNumber(a))
    case 76: self = .notGapless(item: wholeNumber(b), rawValued(a))
    case 74: self = .looperStatus(rawValued(a))
    case 75: self = .loopCount(wholeNumber(a))
    case 77:
      self = .mediaSelection(
        rawValued(a), rendition: unlessMax(b).map { Int32(truncatingIfNeeded: $0) })
    case 78: self = .trackEnabled(rawValued(a), b == 1)
    case 80:
      self = .videoFrames(
        rawValued(a >> 8),
        unlessMax(b).map {
          VideoColor(
            primaries: UInt16(truncatingIfNeeded: $0 >> 32),
            transfer: UInt16(truncatingIfNeeded: $0 >> 16), matrix: UInt16(truncatingIfNeeded: $0))
        }, rawValued(a & 0xFF))
    case 83: self = .pictureFrozen(a == 1)
    case 70: self = .pipelineBuilt(count: wholeNumber(a), hasVideo: b == 1)
    case 6...10, 33, 34, 50...57, 66: self = Event(requestCode: code, a, b)
    default: self = .setting(PlayerSetting(code: code, a))
    }
  }

  /// Makes an event about a request, or about the stream that made it.
  private init(requestCode code: UInt64, _ a: UInt64, _ b: UInt64) {
    let transfer = wholeNumber(code >> 8 & 0xFF_FFFF_FFFF)
    let item = code >> 48 == 0 ? nil : UInt16(code >> 48 - 1)
    switch code & 0xFF {
    case 6:
      self = .mediaRequest(
        transfer: transfer, from: byteCount(a), size: byteCount(b), item: item)
    case 7: self = .mediaResponse(transfer: wholeNumber(a))
    case 8: self = .mediaRequestCompleted(transfer: wholeNumber(a), bytes: byteCount(b))
    case 9: self = .mediaRequestCancelled(transfer: wholeNumber(a), bytes: byteCount(b))
    case 10: self = .readingSuspended(transfer: wholeNumber(a), isSuspended: b == 1)
    case 33:
      self = .mediaRequestFailed(transfer: transfer, failure: rawValued(a), bytes: byteCount(b))
    case 34:
      self = .transferPhase(
        transfer: wholeNumber(a), rawValued(code >> 8), TimeSpan(nanoseconds: Int64(bitPattern: b)))
    case 50:
      self = .playlistRequest(
        transfer: transfer, list: unlessMax(a).map { Int32(truncatingIfNeeded: $0) },
        size: byteCount(b), item: item)
    case 51:
      self = .contentKeyRequest(
        transfer: transfer, key: wholeNumber(a), size: byteCount(b), item: item)
    case 52:
      let segment = UInt32(truncatingIfNeeded: a)
      self = .segmentRequest(
        transfer: transfer, size: byteCount(b), list: Int32(truncatingIfNeeded: a >> 32),
        segment: segment == .max ? nil : Int32(bitPattern: segment), item: item)
    case 53: self = .valuesLoaded(item: wholeNumber(a))
    case 54: self = .itemCreated(wholeNumber(a))
    case 55:
      self = .variantSwitchStart(
        from: unlessMax(a).map(wholeNumber), to: wholeNumber(b), item: item)
    case 56:
      self = .variantSwitch(from: unlessMax(a).map(wholeNumber), to: wholeNumber(b), item: item)
    case 57: self = .newErrorLogEntry(transfer: wholeNumber(a), code: Int32(truncatingIfNeeded: b))
    case 66: self = .segmentDiscarded(transfer: wholeNumber(a))
    default: preconditionFailure("no event about a request has the code \(code & 0xFF)")
    }
  }
}

extension PlayerSetting {
  /// Makes the setting of its words.
  fileprivate init(code: UInt64, _ a: UInt64) {
    switch code {
    case 40: self = .automaticallyWaitsToMinimizeStalling(a == 1)
    case 41: self = .defaultRate(PlaybackRate(millionths: Int64(bitPattern: a)))
    case 42: self = .actionAtItemEnd(rawValued(a))
    case 43: self = .forwardPlaybackEndTime(unlessMax(a).map(mediaTime))
    case 44: self = .reversePlaybackEndTime(unlessMax(a).map(mediaTime))
    case 45: self = .interstitial(a == 1)
    case 46: self = .coordination(a == 1)
    case 58: self = .preferredForwardBufferDuration(mediaTime(a))
    case 59: self = .preferredPeakBitRate(bitRate(a))
    case 60: self = .preferredPeakBitRateForExpensiveNetworks(bitRate(a))
    case 61: self = .preferredMaximumResolution(resolution(a))
    case 62: self = .layer(resolution(a))
    case 63: self = .isExpensive(a == 1)
    case 64: self = .preferredMaximumResolutionForExpensiveNetworks(resolution(a))
    case 65: self = .automaticallyPreservesTimeOffsetFromLive(a == 1)
    case 71: self = .layerAttached(a == 1)
    case 79: self = .videoOutputAttached(a == 1)
    case 82: self = .networkResourcePriority(rawValued(a))
    case 81: self = .eligibleForHDRPlayback(a == 1)
    default: preconditionFailure("no event has the code \(code & 0xFF)")
    }
  }
}

private func wholeNumber(_ word: UInt64) -> Int { Int(Int64(bitPattern: word)) }
private func mediaTime(_ word: UInt64) -> MediaTime {
  MediaTime(nanoseconds: Int64(bitPattern: word))
}
private func bitRate(_ word: UInt64) -> BitRate { BitRate(bitsPerSecond: Int64(bitPattern: word)) }
private func byteCount(_ word: UInt64) -> ByteCount { ByteCount(bytes: Int64(bitPattern: word)) }
private func unlessMax(_ word: UInt64) -> UInt64? { word == .max ? nil : word }
private func resolution(_ word: UInt64) -> Resolution? {
  unlessMax(word).map {
    Resolution(
      width: Int32(truncatingIfNeeded: $0 >> 32), height: Int32(truncatingIfNeeded: $0))
  }
}
private func rawValued<Value: RawRepresentable<UInt8>>(_ word: UInt64) -> Value {
  guard let value = Value(rawValue: UInt8(truncatingIfNeeded: word)) else {
    preconditionFailure("no \(Value.self) has the number \(word)")
  }
  return value
}
