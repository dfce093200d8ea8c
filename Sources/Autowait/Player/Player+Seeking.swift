extension Player {
  /// Takes a seek: an earlier one that has not completed is given up at once.
  mutating func seek(to target: MediaTime?, in moment: inout Moment) {
    guard let target else {
      moment.record(.exception(.seekToInvalidTime))
      return
    }
    if source.item?.status == .unknown, !configuration.contract.queuesSeeksBeforeReady {
      moment.record(.exception(.seekBeforeReady))
      return
    }
    abandonSeek(in: &moment)
    awaitedMapping = nil
    seekCount += 1
    moment.record(.seek(number: seekCount, to: target))
    guard source.canSeek(to: target) else {
      // Without an item, or outside what can be sought, the seek is over at once.
      moment.record(
        .seekDidComplete(number: seekCount, isFinished: false, isInBuffer: false))
      return
    }
    seek = Seek(number: seekCount, called: moment.now, target: target)
    source.stream.catchUp.forgetStall()
  }

  /// Gives up a seek that has not completed.
  mutating func abandonSeek(in moment: inout Moment) {
    guard let seek else { return }
    self.seek = nil
    moment.record(.seekDidComplete(number: seek.number, isFinished: false, isInBuffer: false))
  }

  /// Where the playhead goes by a seek: to its target or, if it may stand elsewhere, to the nearest
  /// key frame, which is the cheapest to decode.
  ///
  /// Assumed: the header says that the time "will be within the range", and not where.
  private func target(of seek: Seek) -> MediaTime {
    let time = seek.target
    if seek.toleranceBefore == .zero, seek.toleranceAfter == .zero { return time }
    if let frame = source.keyFrame(notAfter: time), time - frame <= seek.toleranceBefore {
      return frame
    }
    if let frame = source.keyFrame(behind: time), frame - time <= seek.toleranceAfter {
      return frame
    }
    return time
  }

  /// Where a seek has led.
  struct Landing {
    /// What held of the buffer before, and what holds there.
    let (old, facts): (BufferFacts, BufferFacts)
    /// Whether the entry of the access log that ended with the seek is followed by another one, of
    /// which the application is told when the player has decided.
    let isNewEntry: Bool
  }

  /// Moves the playhead to the target of a pending seek.
  ///
  /// It happens at the instant of the call but after the calls of that instant, so that of three
  /// seeks in one turn the last one moves and the others are given up.
  mutating func moveToSeek(in moment: inout Moment) -> Bool {
    guard let seek, hasSeekToMove else { return false }
    guard let landing = land(by: seek, in: &moment) else { return true }
    decide(on: landing, of: seek, in: &moment)
    return true
  }

  /// Moves the playhead by a seek and decides nothing; nil if the seek is given up.
  mutating func land(by seek: Seek, in moment: inout Moment) -> Landing? {
    if !source.canSeek(to: seek.target) {
      abandonSeek(in: &moment)
      return nil
    }
    assert(source.item != nil, "player \(index) seeks without an item")
    let target = target(of: seek)
    self.seek?.target = target
    let old = source.buffer.facts
    cancelPreroll(in: &moment)
    // What holds where the seek leads is no startup of the entry that ends here.
    if accessLog.isRunning { source.startup = .none }
    jump(to: target, isSought: !seek.keepsLoaded, in: &moment)
    let isNewEntry = beginEntryOfSeek(at: moment.now)
    suspendReading(in: &moment)
    let landing = Landing(old: old, facts: source.buffer.facts, isNewEntry: isNewEntry)
    let isThere =
      source.item?.status != .unknown && source.buffer.showsWhatWasSought(target, at: moment.now)
    if isThere {
      self.seek = nil
      moment.record(.timeJumped(target))
      let isLoaded = source.buffer.isLoaded(at: target, at: moment.now)
      moment.record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: isLoaded))
    } else {
      self.seek?.awaitsData = true
    }
    return landing
  }

  /// Lets the state machine decide at the place to which a seek has led.
  mutating func decide(on landing: Landing, of seek: Seek, in moment: inout Moment) {
    let wasPlaying = phase.isPlaying
    // A wait does not go back to evaluating when a seek from before the item was known moves.
    let isLate = seek.called < moment.now && phase.isWaiting
    if isLate { meter.willWait(for: awaitsRewind ? .gap : .seeking) }
    // What makes the item ready is told before anything is decided on it.
    if source.item?.status == .unknown, facts(at: moment.now).contains(.ready) { return }
    apply(
      isLate ? .bufferChanged : .seekBegan,
      given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    if landing.isNewEntry { moment.record(.newAccessLogEntry) }
    if wasPlaying, phase.isPlaying, landing.facts.contains(.atEnd) {
      // L8, L9: playback goes on where the seek led, and there it is at its end.
      apply(
        input(for: landing.old, landing.facts),
        given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    }
  }

  /// When what was sought comes, of a file that is to be played backwards: no fact tells of it.
  var nextArrivalOfSought: Instant {
    guard let seek, seek.awaitsData, evaluationRate < .zero, !source.buffer.isStream else {
      return .never
    }
    return source.buffer.arrivalOfFrame(at: seek.target)
  }

  /// Whether the data of a seek has come, and nothing else becomes of it: a live stream may leave
  /// its place behind.
  @inline(__always)
  func completesSeek(at now: Instant) -> Bool {
    guard let seek, seek.awaitsData, !source.buffer.isLive, source.buffer.decodedAt <= now else {
      return false
    }
    return source.buffer.showsWhatWasSought(seek.target, at: now)
  }

  /// Completes a seek whose data has come.
  mutating func completeSeek(in moment: inout Moment) -> Bool {
    guard let seek, seek.awaitsData,
      source.buffer.showsWhatWasSought(seek.target, at: moment.now)
    else { return false }
    assert(seek.number == seekCount, "seek \(seek.number) completes behind a later one")
    self.seek = nil
    moment.record(.timeJumped(seek.target))
    moment.record(.seekDidComplete(number: seek.number, isFinished: true, isInBuffer: false))
    if mapAwaited(in: &moment) || skipBeforePlaying(in: &moment) { return true }
    apply(
      .bufferChanged, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    return true
  }

  /// Puts the playhead at a time, sought or not, and lets loading follow it.
  mutating func jump(
    to target: MediaTime, isSought: Bool, in moment: inout Moment
  ) {
    if phase.isPlaying, timebase.rate != .zero {
      bookPlayed(until: currentTime(at: moment.now))
    }
    assert(target >= .zero, "player \(index) jumps to before the start")
    timebase = Timebase(time: target, at: hostTime ?? moment.now, rate: timebase.rate)
    flush()
    moment.flowCause = moment.cause
    source.stream.catchUp.isJumping = false
    source.buffer.buffering.move(hasBegun: source.buffer.hasBegun, at: moment.now)
    forgetAnswer(at: moment.now)
    let goesOn = !source.buffer.isStream && source.buffer.reaches(target, at: moment.now)
    if source.buffer.isStream {
      followSeek(to: target, isSought: isSought, in: &moment)
    } else if source.file?.isLoading(
      for: source.buffer.placeNeeded(at: target), edge: source.buffer.edge(at: moment.now)) == false
    {
      cancelRequests(in: &moment)
      source.buffer.isSuspended = false
      placeEdge(at: moment.now)
    }
    refreshFacts(keepsSamples: goesOn, in: &moment)
  }

  /// Throws away what was made ready to be shown elsewhere.
  private mutating func flush() {
    source.item?.isPrimed = false
    source.item?.primedAt = nil
    if isPrerolling { hold = nil }
    // Another frame is the first one that is decoded.
    if source.item?.status == .unknown, source.buffer.decodedAt != .start {
      source.buffer.decodedAt = .never
    }
  }

  /// Gives up the segments of another place than the one that was sought.
  ///
  /// Before playback has begun all that was loaded goes with a seek (WWDC18 502), and by
  /// ``StreamPolicy/dropsWhenSeeking`` wherever nothing is loaded at the target.
  private mutating func followSeek(
    to target: MediaTime, isSought: Bool, in moment: inout Moment
  ) {
    source.forgetMissing()
    let isAtStart = isSought && source.item?.hasBegun == false
    let playhead = source.buffer.placeNeeded(at: currentTime(at: moment.now))
    let drops =
      isAtStart
      || configuration.streaming.dropsWhenSeeking && !source.stream.isLoaded(at: playhead)
    if drops {
      meter.dataPlayed += source.countPlayed()
      source.stream.drop()
    }
    source.stream.joinTracks(at: target, hasJumped: true)
    let wanted = isAtStart ? [] : source.stream.wanted(from: playhead)
    cancelStream(in: &moment) {
      $0.resource.isMedia && !wanted.contains($0.transfer)
    }
    keepOffset(at: moment.now)
    placeEdge(at: moment.now)
  }

  /// Throws the fill rate's samples away; what is under way tells when enough has come again.
  private mutating func restartMeter(in moment: inout Moment) {
    source.restartMeter(at: moment.now)
    for request in source.stream.requests where request.resource.isMedia {
      moment.network.watchEachPacket(of: request.transfer)
    }
  }

  /// Looks at the buffer of a new place, where the marks of the old one say nothing.
  ///
  /// Before the item is ready, the samples of the fill rate may be those of the new place, too.
  private mutating func refreshFacts(keepsSamples: Bool, in moment: inout Moment) {
    source.buffer.prepareRule(for: evaluationRate)
    let old = source.buffer.facts
    // Where playback starts the item becomes ready, as it would have where it was to start.
    if !old.contains(.ready), old.contains(.empty) {
      if !keepsSamples { restartMeter(in: &moment) }
      return
    }
    // Where less than a frame is there the playhead waits, as behind an empty buffer: it would run
    // empty at once.
    source.buffer.facts.subtract(.atEnd)
    source.buffer.facts.insert(.empty)
    var new = facts(at: moment.now)
    if new.contains(.empty), !new.contains(.atEnd) {
      restartMeter(in: &moment)
      source.buffer.facts.insert(.empty)
      new = facts(at: moment.now)
    }
    new = toldBeforeTurning(from: old, to: new, input(for: old, new), at: moment.now)
    source.buffer.facts = new
    source.buffer.buffering.isMoved = false
    noteStartup(new, at: moment.now)
    recordLoadedTimeRanges(in: &moment)
    let changed = old.symmetricDifference(new)
    if old.isToldEmpty != new.isToldEmpty {
      moment.record(.isPlaybackBufferEmpty(new.isToldEmpty))
    }
    if changed.contains(.full) { moment.record(.isPlaybackBufferFull(new.contains(.full))) }
    if changed.contains(.likely) {
      moment.record(.isPlaybackLikelyToKeepUp(new.contains(.likely)))
    }
  }
}
