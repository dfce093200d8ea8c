extension Player {
  /// Takes a seek: an earlier one that has not completed is given up at once.
  mutating func seek(to target: MediaTime?, at now: Instant, trace: inout Trace) {
    guard let target else {
      record(.exception(.seekToInvalidTime), now, &trace)
      return
    }
    if item?.status == .unknown, !configuration.contract.queuesSeeksBeforeReady {
      record(.exception(.seekBeforeReady), now, &trace)
      return
    }
    abandonSeek(at: now, trace: &trace)
    seekCount += 1
    record(.seek(number: seekCount, to: target), now, &trace)
    guard canSeek(to: target) else {
      // Without an item, or outside what can be sought, the seek is over at once.
      record(
        .seekDidComplete(number: seekCount, isFinished: false, isInBuffer: false), now, &trace)
      return
    }
    seek = Seek(number: seekCount, target: target)
  }

  /// Gives up a seek that has not completed.
  mutating func abandonSeek(at now: Instant, trace: inout Trace) {
    guard let seek else { return }
    self.seek = nil
    record(.seekDidComplete(number: seek.number, isFinished: false, isInBuffer: false), now, &trace)
  }

  /// Moves the playhead to the target of a pending seek.
  ///
  /// It happens at the instant of the call but after the calls of that instant, so that of three
  /// seeks in one turn the last one moves and the others are given up.
  mutating func moveToSeek(at now: Instant, network: inout Network, trace: inout Trace) -> Bool {
    guard let seek, !seek.awaitsData, item?.status == .readyToPlay else {
      return false
    }
    if !canSeek(to: seek.target) {
      abandonSeek(at: now, trace: &trace)
      return true
    }
    let (old, wasPlaying) = (buffer.facts, phase.isPlaying)
    cancelPreroll(at: now, trace: &trace)
    jump(to: seek.target, at: now, network: &network, trace: &trace)
    suspendReading(at: now, network: &network, trace: &trace)
    let moved = buffer.facts
    let isThere = !moved.contains(.empty) || moved.contains(.atEnd)
    if isThere {
      self.seek = nil
      record(.timeJumped(seek.target), now, &trace)
      record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: true), now, &trace)
    } else {
      self.seek?.awaitsData = true
    }
    apply(
      .seekBegan, given: playbackFacts(at: now, rate: judgedRate), at: now, trace: &trace)
    if wasPlaying, phase.isPlaying, moved.contains(.atEnd) {
      // L8, L9: playback goes on where the seek led, and there it is at its end.
      apply(
        input(for: old, moved), given: playbackFacts(at: now, rate: judgedRate), at: now,
        trace: &trace)
    }
    return true
  }

  /// Completes a seek whose data has come.
  mutating func completeSeek(at now: Instant, trace: inout Trace) -> Bool {
    guard let seek, seek.awaitsData,
      !buffer.facts.contains(.empty) || buffer.facts.contains(.atEnd)
    else { return false }
    self.seek = nil
    record(.timeJumped(seek.target), now, &trace)
    record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: false), now, &trace)
    apply(
      .bufferChanged, given: playbackFacts(at: now, rate: judgedRate), at: now, trace: &trace)
    return true
  }

  /// Puts the playhead at a time and lets loading follow it.
  mutating func jump(
    to target: MediaTime, at now: Instant, network: inout Network, trace: inout Trace
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
      followSeek(to: target, at: now, network: &network, trace: &trace)
    } else if item?.isLoading(for: target, edge: buffer.edge(at: now)) == false {
      cancelRequest(at: now, network: &network, trace: &trace)
      placeEdge(at: now)
    }
    refreshFacts(at: now, trace: &trace)
  }

  /// Gives up the segments of another place than the one that was sought.
  private mutating func followSeek(
    to target: MediaTime, at now: Instant, network: inout Network, trace: inout Trace
  ) {
    let playhead = currentTime(at: now)
    let wanted = stream?.wanted(from: playhead) ?? []
    cancelStream(at: now, network: &network, trace: &trace) {
      $0.resource.isMedia && !wanted.contains($0.transfer)
    }
    buffer.judgement = nil
    let offset = offsetFromLive(at: now)
    stream?.offsetFromLive = offset
    placeStreamEdge(at: now)
  }

  /// Looks at the buffer of a new place, where the marks of the old one say nothing.
  private mutating func refreshFacts(at now: Instant, trace: inout Trace) {
    buffer.prepareRule(for: judgedRate)
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
    recordLoadedTimeRanges(at: now, trace: &trace)
    let changed = old.symmetricDifference(new)
    if changed.contains(.empty) {
      record(.isPlaybackBufferEmpty(new.contains(.empty)), now, &trace)
    }
    if changed.contains(.full) { record(.isPlaybackBufferFull(new.contains(.full)), now, &trace) }
    if changed.contains(.likely) {
      record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &trace)
    }
  }
}
