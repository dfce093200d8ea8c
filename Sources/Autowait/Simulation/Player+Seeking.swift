extension Player {
  /// Takes a seek: an earlier one that has not completed is given up at once.
  mutating func seek(to target: MediaTime?, at now: Instant, log: inout EventLog) {
    guard let target else {
      record(.exception(.seekToInvalidTime), now, &log)
      return
    }
    if item?.status == .unknown, !configuration.contract.queuesSeeksBeforeReady {
      record(.exception(.seekBeforeReady), now, &log)
      return
    }
    abandonSeek(at: now, log: &log)
    seekCount += 1
    record(.seek(number: seekCount, to: target), now, &log)
    guard canSeek(to: target) else {
      // Without an item, or outside what can be sought, the seek is over at once.
      record(
        .seekDidComplete(number: seekCount, isFinished: false, isInBuffer: false), now, &log)
      return
    }
    seek = Seek(number: seekCount, target: target)
  }

  /// Gives up a seek that has not completed.
  mutating func abandonSeek(at now: Instant, log: inout EventLog) {
    guard let seek else { return }
    self.seek = nil
    record(.seekDidComplete(number: seek.number, isFinished: false, isInBuffer: false), now, &log)
  }

  /// Moves the playhead to the target of a pending seek.
  ///
  /// It happens at the instant of the call but after the calls of that instant, so that of three
  /// seeks in one turn the last one moves and the others are given up.
  mutating func moveToSeek(at now: Instant, network: inout Network, log: inout EventLog) -> Bool {
    guard let seek, !seek.awaitsData, item?.status == .readyToPlay else {
      return false
    }
    if !canSeek(to: seek.target) {
      abandonSeek(at: now, log: &log)
      return true
    }
    let (old, wasPlaying) = (buffer.facts, phase.isPlaying)
    cancelPreroll(at: now, log: &log)
    jump(to: seek.target, at: now, network: &network, log: &log)
    suspendReading(at: now, network: &network, log: &log)
    let moved = buffer.facts
    let isThere = !moved.contains(.empty) || moved.contains(.atEnd)
    if isThere {
      self.seek = nil
      record(.timeJumped(seek.target), now, &log)
      record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: true), now, &log)
    } else {
      self.seek?.awaitsData = true
    }
    apply(
      .seekBegan, given: playbackFacts(at: now, rate: evaluationRate), at: now, log: &log)
    if wasPlaying, phase.isPlaying, moved.contains(.atEnd) {
      // L8, L9: playback goes on where the seek led, and there it is at its end.
      apply(
        input(for: old, moved), given: playbackFacts(at: now, rate: evaluationRate), at: now,
        log: &log)
    }
    return true
  }

  /// Completes a seek whose data has come.
  mutating func completeSeek(at now: Instant, log: inout EventLog) -> Bool {
    guard let seek, seek.awaitsData,
      !buffer.facts.contains(.empty) || buffer.facts.contains(.atEnd)
    else { return false }
    self.seek = nil
    record(.timeJumped(seek.target), now, &log)
    record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: false), now, &log)
    apply(
      .bufferChanged, given: playbackFacts(at: now, rate: evaluationRate), at: now, log: &log)
    return true
  }

  /// Puts the playhead at a time and lets loading follow it.
  mutating func jump(
    to target: MediaTime, at now: Instant, network: inout Network, log: inout EventLog
  ) {
    if phase.isPlaying, timebase.rate != .zero {
      bookPlayed(until: currentTime(at: now))
    }
    timebase = Timebase(time: target, at: hostTime ?? now, rate: timebase.rate)
    flowCause = cause
    stream?.isLeaping = false
    buffer.buffering.move(hasBegun: buffer.hasBegun, at: now)
    forgetAnswer(at: now)
    if stream != nil {
      followSeek(to: target, at: now, network: &network, log: &log)
    } else if item?.isLoading(for: target, edge: buffer.edge(at: now)) == false {
      cancelRequest(at: now, network: &network, log: &log)
      placeEdge(at: now)
    }
    refreshFacts(at: now, log: &log)
  }

  /// Gives up the segments of another place than the one that was sought.
  private mutating func followSeek(
    to target: MediaTime, at now: Instant, network: inout Network, log: inout EventLog
  ) {
    let playhead = currentTime(at: now)
    let wanted = stream?.wanted(from: playhead) ?? []
    cancelStream(at: now, network: &network, log: &log) {
      $0.resource.isMedia && !wanted.contains($0.transfer)
    }
    buffer.cachedFacts = nil
    let offset = offsetFromLive(at: now)
    stream?.offsetFromLive = offset
    placeStreamEdge(at: now)
  }

  /// Looks at the buffer of a new place, where the marks of the old one say nothing.
  private mutating func refreshFacts(at now: Instant, log: inout EventLog) {
    buffer.prepareRule(for: evaluationRate)
    let old = buffer.facts
    let playhead = currentTime(at: now)
    // A buffer that is not empty when the playhead arrives needs no frame more to prove it.
    buffer.facts.subtract([.empty, .atEnd])
    var new = buffer.facts(at: now, playhead: playhead)
    if new.contains(.empty), !new.contains(.atEnd) {
      buffer.restartMeter(at: now, history: &fillHistory)
      buffer.facts.insert(.empty)
      new = buffer.facts(at: now, playhead: playhead)
    }
    buffer.facts = new
    buffer.buffering.isMoved = false
    recordLoadedTimeRanges(at: now, log: &log)
    let changed = old.symmetricDifference(new)
    if changed.contains(.empty) {
      record(.isPlaybackBufferEmpty(new.contains(.empty)), now, &log)
    }
    if changed.contains(.full) { record(.isPlaybackBufferFull(new.contains(.full)), now, &log) }
    if changed.contains(.likely) {
      record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &log)
    }
  }
}
