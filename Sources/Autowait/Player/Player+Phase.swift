extension Player {
  /// Gives the state machine an input and carries out what it answers.
  ///
  /// All values are written before the first record, so that an observer of one property reads the
  /// final value of every other.
  @discardableResult
  mutating func apply(
    _ input: PlaybackInput, given facts: PlaybackFacts, in moment: inout Moment
  ) -> PlaybackTransition {
    let old = phase
    let next = PlaybackTransition.from(old, on: input, given: facts)
    phase = next.phase
    tellRate()
    if next.isDecision(on: input) { decidedOn = judged }
    let (oldTimebase, wasPrerolling) = (timebase, isPrerolling)
    moveTimebase(from: old, at: moment.now, cause: moment.cause)
    if phase.isPlaying {
      noteBegun()
      source.stream.stalledAt = nil
    }
    noteBuffering(wasPrerolling ? .bufferChanged : input, at: moment.now)
    if source.buffer.isStream {
      noteLivePhase(from: old, at: moment.now)
    }
    let newTimebase = timebase
    if phase.rate != old.rate { cancelPreroll(in: &moment) }
    let isToldFirst = configuration.postsStallFirst && next.effects.contains(.playbackStalled)
    if isToldFirst { perform([.playbackStalled], from: old, in: &moment) }
    recordChange(from: old, timebaseFrom: oldTimebase, to: newTimebase, in: &moment)
    let effects = isToldFirst ? next.effects.filter { $0 != .playbackStalled } : next.effects
    perform(effects, from: old, in: &moment)
    rememberWait(input, from: old, wasPrerolling)
    enterAccount(at: moment.now)
    recordAccessLog(next.effects, in: &moment)
    return next
  }

  /// Takes note of what the buffer is to be judged by from here on.
  private mutating func noteBuffering(_ input: PlaybackInput, at now: Instant) {
    if source.buffer.buffering.isPlaying != phase.isPlaying {
      source.buffer.buffering.isPlaying = phase.isPlaying
      // What plays without a picture does not begin without one.
      if configuration.keepUp.pictureGrace > .zero, source.buffer.isStream { placeEdge(at: now) }
    }
    if case .waiting = phase {
      if source.buffer.buffering.waitsSince == .never { source.buffer.buffering.waitsSince = now }
    } else {
      source.buffer.buffering.waitsSince = .never
    }
    guard case .bufferEmptied = input else { return }
    source.buffer.buffering.stall(isForPicture: meter.frozenSince != nil)
    source.noteDataAhead(of: currentTime(at: now))
    // What an external rule said of the start says nothing of the stall.
    forgetAnswer(at: now)
  }

  /// Lets an external rule be asked again.
  mutating func forgetAnswer(at now: Instant) {
    source.buffer.answer = nil
    askAt = now
  }

  /// Takes note that playback has begun, unless what is to be shown is still being made ready.
  mutating func noteBegun() {
    if isPrerolling { return }
    source.buffer.hasBegun = true
    source.item?.hasBegun = true
    source.item?.isPrimed = true
  }

  /// Lets the timebase run while the player plays and nothing holds it back.
  private mutating func moveTimebase(from old: PlaybackPhase, at now: Instant, cause: Int) {
    switch phase {
    case .playing(let wish):
      beginPreroll(from: old, at: now, cause: cause)
      let rate = hold == nil ? wish.rate : .zero
      if let hostTime {
        hostTimeRecord = cause
        bookPlayed(until: currentTime(at: now))
        setTimebase(from: hostTime, rate: wish.rate, at: now)
      } else if timebase.rate != rate || timebase.start > now {
        if timebase.rate != .zero { bookPlayed(until: currentTime(at: now)) }
        timebase = timebase.with(rate: rate, at: now)
      }
    case .paused, .waiting:
      (hold, hostTime) = (nil, nil)
      guard timebase.rate != .zero || timebase.start > now else { return }
      let time = playableTime(at: now)
      if old.isPlaying { bookPlayed(until: time) }
      timebase = Timebase(time: time, at: now)
      source.buffer.anchorStall(time, at: now)
    }
  }

  /// Holds the timebase back until what is to be shown is ready: where playback begins or goes on,
  /// and where a player that plays has jumped.
  private mutating func beginPreroll(from old: PlaybackPhase, at now: Instant, cause: Int) {
    let begun = takeEnqueuedPreroll(at: now)
    let isPrimed = source.item?.isPrimed == true
    if old.isPlaying, isPrimed || isPrerolling { return }
    let latency = configuration.latency
    let span = isPrimed ? latency.resume : latency.preroll
    if span == .zero { return }
    let end = begun ?? now + span
    hold = .preroll(until: max(hold?.end ?? end, end), cause: cause)
  }

  /// When the preroll that was begun while the item was enqueued ends; it is playback's own then.
  private mutating func takeEnqueuedPreroll(at now: Instant) -> Instant? {
    guard let item = source.item, !item.isPrerolling, let end = item.primedAt else { return nil }
    source.item?.primedAt = nil
    if end > now { return end }
    source.item?.isPrimed = true
    return nil
  }

  /// Lets the timebase run from a host time on, or from when what holds it back until later has
  /// ended (assumed).
  private mutating func setTimebase(from hostTime: Instant, rate: PlaybackRate, at now: Instant) {
    if let hold, hold.end > hostTime {
      self.hostTime = nil
      timebase = timebase.with(rate: .zero, at: now)
    } else {
      hold = nil
      timebase = Timebase(time: currentTime(at: now), at: hostTime, rate: rate)
    }
  }

  /// The playhead, held back by the edge of what can be played, forwards or backwards.
  ///
  /// A stall or an end is met within the nanosecond after it; that fraction is not played. An end
  /// that was placed behind the playhead does not move it.
  @inline(__always)
  private func playableTime(at now: Instant) -> MediaTime {
    let time = currentTime(at: now)
    guard source.item != nil, timebase.rate != .zero else { return time }
    let before = currentTime(at: max(timebase.start, Instant(nanoseconds: now.nanoseconds - 1)))
    if timebase.rate < .zero {
      let (end, loaded) = (source.buffer.endTime(for: timebase.rate), source.buffer.loadedStart)
      return max(time, end < before ? end : time, loaded <= before ? loaded : time)
    }
    let (end, loaded) = (source.buffer.endTime, source.buffer.loadedEnd(at: now))
    return min(time, end > before ? end : time, loaded >= before ? loaded : time)
  }

  mutating func bookPlayed(until time: MediaTime) {
    let (from, to) = playedPart(until: time)
    assert(min(from, to) >= .zero, "player \(index) has played what is before the start")
    let played = to > from ? to - from : from - to
    meter.mediaPlayed = meter.mediaPlayed + played
    meter.playedWithoutVideo =
      meter.playedWithoutVideo + part(from, to, behind: source.media.videoEnd)
    meter.playedWithoutAudio =
      meter.playedWithoutAudio + part(from, to, behind: source.media.audioEnd)
    source.notePlayed(from: min(from, to), to: max(from, to))
    let variant = playedVariant
    streamMeter?.book(played, of: variant)
    bookedUntil = to
  }

  /// How much of what was played between two times lies behind the end of a track.
  @inline(__always)
  func part(_ from: MediaTime, _ to: MediaTime, behind end: MediaTime?) -> MediaTime {
    guard let end else { return .zero }
    let (first, last) = (max(min(from, to), end), max(from, to))
    return last > first ? last - first : .zero
  }

  /// Books what was played before an end is moved away from a playhead behind it, or to before one.
  mutating func bookPlayedBeforeEndMoves(to end: MediaTime?, at now: Instant) {
    let time = currentTime(at: now)
    if time > min(source.buffer.endTime, end ?? time) { bookPlayed(at: now) }
  }

  /// Does the same for the end of playback that goes backwards.
  mutating func bookPlayedBeforeReverseEndMoves(to end: MediaTime?, at now: Instant) {
    let time = currentTime(at: now)
    if time < max(source.buffer.reverseEndTime ?? .zero, end ?? time) { bookPlayed(at: now) }
  }

  mutating func bookPlayed(at now: Instant) {
    guard timebase.isRunning(at: now) else { return }
    let time = currentTime(at: now)
    bookPlayed(until: time)
    // The clock goes on as it did: to set it again would take a part of a nanosecond from it.
    (bookedUntil, source.played.until) = (time, nil)
  }

  /// The media played and not booked until the timebase shows a time.
  ///
  /// Behind the end there is none, though the time may go on.
  @inline(__always)
  func mediaPlayed(until time: MediaTime) -> MediaTime {
    let (from, to) = playedPart(until: time)
    return to > from ? to - from : from - to
  }

  /// The media that the playhead has gone over and that is not booked.
  @inline(__always)
  func playedPart(until time: MediaTime) -> (from: MediaTime, to: MediaTime) {
    let last = source.item == nil ? .zero : source.media.duration
    let (from, to) = (bookedUntil ?? timebase.time(at: timebase.start), time)
    if timebase.rate > .zero {
      let end = min(last, source.buffer.endTime)
      return (min(from, end), min(to, end))
    }
    let end = min(last, source.buffer.endTime(for: timebase.rate))
    return (max(end, min(from, last)), max(end, min(to, last)))
  }

  /// Records a transition in the order of the contract: when stopping, the timebase first; then
  /// rate, reason, status; when starting, the timebase last.
  @inline(always)
  private func recordChange(
    from old: PlaybackPhase, timebaseFrom oldTimebase: Timebase, to newTimebase: Timebase,
    in moment: inout Moment
  ) {
    let rate = newTimebase.rate
    let timebaseChanged = oldTimebase.rate != rate
    let timebaseEvent = Event.timebaseRate(rate, currentTime: newTimebase.time(at: moment.now))
    if timebaseChanged, rate == .zero { moment.flowCause = moment.record(timebaseEvent) }
    if old.rate != phase.rate { moment.record(.rate(phase.rate)) }
    // Both properties came with iOS 10.
    if configuration.contract.hasAutomaticWaiting {
      if old.reasonForWaitingToPlay != phase.reasonForWaitingToPlay {
        moment.record(.reasonForWaitingToPlay(phase.reasonForWaitingToPlay))
      }
      if old.timeControlStatus != phase.timeControlStatus {
        moment.record(.timeControlStatus(phase.timeControlStatus))
      }
    }
    if timebaseChanged, rate != .zero { moment.flowCause = moment.record(timebaseEvent) }
  }

  /// Carries out the effects of a transition.
  private mutating func perform(
    _ effects: [PlaybackEffect], from old: PlaybackPhase, in moment: inout Moment
  ) {
    for effect in effects {
      switch effect {
      case .raise(let exception): moment.record(.exception(exception))
      case .rateDidChange(let reason):
        if configuration.contract.postsRateChanges { moment.record(.rateDidChange(reason)) }
      case .playbackStalled:
        meter.stallCount += 1
        source.noteStall(at: moment.now)
        moment.record(.playbackStalled)
      case .didPlayToEndTime:
        meter.playedToEndCount += 1
        moment.record(.didPlayToEndTime)
        noteEndInLoop(at: moment.now)
      case .advanceToNextItem: isAdvancing = true
      case .failedToPlayToEndTime: moment.record(.failedToPlayToEndTime)
      case .rebuildPipeline:
        rebuildPipeline(in: &moment)
        let end = moment.now + configuration.pipelineRebuild
        // A host time that is later is waited for all the same.
        if let hostTime, hostTime >= end { continue }
        hostTime = nil
        if case .preroll(let until, let cause) = hold {
          hold = .preroll(until: max(until, end), cause: cause)
        } else {
          hold = .rebuild(until: end)
        }
        bookPlayed(until: currentTime(at: moment.now))
        let isStanding = timebase.rate == .zero
        timebase = timebase.with(rate: .zero, at: moment.now)
        if isStanding { continue }
        moment.record(.timebaseRate(.zero, currentTime: currentTime(at: moment.now)))
        snapToKeyFrame(in: &moment)
      }
    }
  }

  /// Remembers why the player waits, so that its time is booked to the right account.
  private mutating func rememberWait(
    _ input: PlaybackInput, from old: PlaybackPhase, _ wasPrerolling: Bool
  ) {
    guard phase.isWaiting || isPrerolling else { return }
    switch input {
    case .seekBegan: meter.willWait(for: awaitsRewind ? .gap : .seeking)
    // It waits on for what it waited for.
    case _ where wasPrerolling: return
    case .bufferEmptied: meter.willWait(for: .stalled)
    case .setRate, .playImmediately, .setRateAtHostTime, .itemChanged:
      if case .waiting = old { return }
      meter.willWait(for: .resuming)
    case .bufferChanged, .reachedEnd, .reachedStartOfSeekableRange, .reachedLiveEdge,
      .itemFailed, .automaticWaitingChanged, .actionAtItemEndChanged, .endTimeChanged,
      .holdChanged, .interrupted, .tracksChanged:
      if old.isPlaying { meter.willWait(for: .resuming) }
    }
  }

  /// Books the time from now on to the account that the player's state belongs to.
  mutating func enterAccount(at now: Instant) {
    let isAtEnd = source.buffer.facts.contains(.atEnd)
    let account: TimeAccount =
      switch phase {
      case .paused:
        if isAtEnd, source.item?.hasBegun == true {
          awaitsRewind ? .gap : .afterEnd
        } else {
          .paused
        }
      case .playing:
        if isAtEnd {
          awaitsRewind ? .gap : .afterEnd
        } else if isPrerolling {
          meter.waitAccount
        } else if returnsToEnd(at: now) {
          .afterEnd
        } else {
          timebase.isRunning(at: now) ? .playing : .gap
        }
      case .waiting(let reason, _):
        if !meter.hasStarted {
          .startup
        } else {
          switch reason {
          case .noItemToPlay: .noItem
          case .waitingForCoordinatedPlayback: .coordinated
          case .interstitialEvent: .interstitial
          case .evaluatingBufferingRate, .toMinimizeStalls, nil: meter.waitAccount
          }
        }
      }
    assert(
      account != .playing || timebase.rate != .zero, "player \(index) plays, and its time stands")
    if account == .playing { loop?.isRewinding = false }
    meter.enter(account, at: now)
  }

  /// Whether the playhead goes back from behind the end, where there is nothing to play.
  ///
  /// Time goes on behind an end at which nothing is done (row L9), and a rate can be turned there.
  @inline(__always)
  func returnsToEnd(at now: Instant) -> Bool {
    timebase.rate < .zero && source.item != nil && currentTime(at: now) > source.media.duration
  }

  /// Begins an entry of the access log if playback begins, and follows which variant plays.
  ///
  /// A player that does nothing at its end plays on but watches nothing, and one that stands before
  /// a host time has not begun. A stall belongs to an entry even if playback was over before it
  /// began (row P12 by L2).
  mutating func recordAccessLog(_ effects: [PlaybackEffect], in moment: inout Moment) {
    if phase.isPlaying, !isPrerolling, hostTime == nil, !source.buffer.facts.contains(.atEnd) {
      _ = followPlayed(in: &moment)
    } else if effects.contains(.playbackStalled), !accessLog.isRunning {
      beginEntry(.start, nil, at: currentTime(at: moment.now), now: moment.now)
      moment.record(.newAccessLogEntry)
    }
  }

  /// Gives a pending preroll up, as a change of rate or a jump in time does.
  mutating func cancelPreroll(in moment: inout Moment) {
    guard source.item?.isPrerolling == true else { return }
    source.item?.isPrerolling = false
    source.item?.primedAt = nil
    moment.record(.prerollDidComplete(isFinished: false))
  }
}
