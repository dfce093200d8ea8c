/// How a player follows a live stream.
///
/// Media times are those of the programme: zero is its beginning, wherever the playlist begins.
extension Player {
  /// Whether playlists that are due may be loaded again.
  ///
  /// A paused live stream uses no network (`canUseNetworkResourcesForLiveStreamingWhilePaused`),
  /// unless it has not found its start, or an application that waits by itself has no data.
  var mayReload: Bool {
    source.buffer.isLive
      && (phase != .paused || !source.isPlaced
        || configuration.canUseNetworkResourcesForLiveStreamingWhilePaused
        || (!waitsAutomatically && source.buffer.facts.contains(.empty)))
  }

  /// Forgets which variants were loaded of what a live stream has left behind, if they are many:
  /// its window has, and the playhead.
  mutating func forgetPieces(at now: Instant) {
    guard let window = source.media.streamMedia?.live?.window,
      let range = source.seekableRange, timebase.rate >= .zero
    else { return }
    let time = currentTime(at: now)
    meter.dataPlayed += source.countPlayed()
    source.stream.pieces.forget(before: min(time, range.start) - window)
  }

  /// How far the playhead is behind the programme.
  func offsetFromLive(at now: Instant) -> MediaTime? {
    guard let window = source.media.streamMedia?.live, source.isPlaced else { return nil }
    return window.programme(at: now) - currentTime(at: now)
  }

  /// Remembers how far the playhead is behind the programme.
  mutating func keepOffset(at now: Instant) {
    let offset = offsetFromLive(at: now)
    source.stream.catchUp.offset = offset
  }

  /// Puts the playhead where playback starts, once the playlists tell; returns whether it did.
  mutating func placeStart(in moment: inout Moment) -> Bool {
    guard let start = source.takeStart() else { return false }
    timebase = Timebase(time: start.time, at: timebase.start, rate: timebase.rate)
    keepOffset(at: moment.now)
    if start.isTooClose { noteShortWindow(start.playlist, in: &moment) }
    placeEdge(at: moment.now)
    return true
  }

  /// Tells that a playlist lists less than what playback starts behind its end.
  ///
  /// Observed: −16832, "stall danger" (AetherEngine release 5.18.5).
  private mutating func noteShortWindow(_ playlist: Int, in moment: inout Moment) {
    moment.record(.newErrorLogEntry(transfer: playlist, code: -16_832))
    meter.recoverableErrorCount += 1
  }

  /// Takes note that the player went from a phase to the present one.
  mutating func noteLivePhase(from old: PlaybackPhase, at now: Instant) {
    if !source.buffer.isLive { return }
    if phase == .paused {
      let hasBegun = source.item?.hasBegun == true
      source.stream.leaveLive(mayFreeze: hasBegun && old != .paused)
    } else if old == .paused {
      source.stream.expirePlaylists(at: now)
      keepOffset(at: now)
    }
    if case .waiting = old, phase.isPlaying { source.stream.catchUp.resume() }
  }

  /// Does what is next to follow a live stream; returns whether anything changed.
  mutating func followLive(in moment: inout Moment) -> Bool {
    if source.item?.status == .unknown, seek == nil { return forgetStart(in: &moment) }
    guard source.buffer.facts.contains(.opened), source.item?.status != .failed,
      seek == nil || seek?.awaitsData == true
    else { return false }
    let look = liveLook(at: moment.now)
    switch source.stream.nextLiveStep(look) {
    case nil: return false
    case .giveSeekUp: abandonSeek(in: &moment)
    case .leap(let target): leap(to: target, in: &moment)
    case .restart(let target): restart(at: target, in: &moment)
    case .land:
      if skipBeforePlaying(in: &moment) { return true }
      apply(
        .bufferChanged, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    case .reachEdge:
      apply(
        .reachedLiveEdge, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    }
    return true
  }

  /// Moves the playhead before playback goes on, if the application keeps its distance from the
  /// programme, a stream that stalled or was left is joined again, or too little is listed.
  ///
  /// The player goes on there as soon as it may, and plays nothing in between.
  mutating func skipBeforePlaying(in moment: inout Moment) -> Bool {
    guard source.buffer.isLive, seek == nil, case .waiting(_, let wish) = phase else {
      return false
    }
    let facts = playbackFacts(at: moment.now, rate: evaluationRate)
    guard PlaybackTransition.decide(wish, given: facts).phase.isPlaying else { return false }
    if let target = source.stream.timeToRestart() {
      restart(at: target, in: &moment)
      return true
    }
    let look = liveLook(at: moment.now)
    let rejoins = configuration.streaming.rejoinsAfterStall && wish.rate > .zero
    let skip =
      automaticallyPreservesTimeOffsetFromLive || rejoins ? source.stream.takeSkip(look) : nil
    guard let target = skip ?? source.stream.takeReturn(look) else { return false }
    leap(to: target, in: &moment)
    return true
  }

  /// Lets playback start over where too little is listed.
  private mutating func restart(at target: MediaTime, in moment: inout Moment) {
    noteShortWindow(source.stream.latestPlaylist, in: &moment)
    meter.dataPlayed += source.countPlayed()
    source.stream.drop()
    leap(to: target, in: &moment)
  }

  private func liveLook(at now: Instant) -> LiveLook {
    LiveLook(
      now: now, playhead: currentTime(at: now),
      playableEnd: source.buffer.loadedEnd(at: now) - source.buffer.starvesBelow,
      soughtTime: seek?.target, isPaused: phase == .paused, isPlaying: phase.isPlaying,
      gainsOnProgramme: gainsOnProgramme && timebase.isRunning(at: now),
      isEmpty: source.buffer.facts.contains(.empty), isAtEnd: source.buffer.facts.contains(.atEnd),
      waitsAutomatically: waitsAutomatically,
      preservesOffset: automaticallyPreservesTimeOffsetFromLive)
  }

  /// Lets a start be found again that has left the playlist before anything of it came.
  ///
  /// What is under way of it still counts, but not for a player that was paused meanwhile: it would
  /// leave it at once.
  private mutating func forgetStart(in moment: inout Moment) -> Bool {
    _ = source.stream.timeToRestart()
    let start = currentTime(at: moment.now)
    guard source.isPlaced,
      !source.stream.follows(start, isPaused: phase == .paused),
      source.stream.hasLeft(start, isPaused: phase == .paused)
    else { return false }
    source.stream.isPlaced = false
    cancelStream(in: &moment) { $0.resource.isMedia }
    return true
  }

  /// Whether the player plays faster than the programme.
  @inline(__always)
  private var gainsOnProgramme: Bool { phase.isPlaying && timebase.rate > .normal }

  /// Moves the playhead though nobody asked for it.
  private mutating func leap(to target: MediaTime, in moment: inout Moment) {
    let wasPlaying = phase.isPlaying
    cancelPreroll(in: &moment)
    jump(to: target, isSought: false, in: &moment)
    suspendReading(in: &moment)
    moment.record(.timeJumped(target))
    // L7: who waits there does not stall.
    let isEmpty = source.buffer.facts.contains(.empty)
    source.stream.catchUp.isLeaping = wasPlaying && isEmpty
    apply(
      wasPlaying ? .seekBegan : .bufferChanged,
      given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
  }

  /// The next instant at which a live stream must be looked at.
  func nextLiveInstant(after now: Instant) -> Instant {
    if !source.buffer.isLive { return .never }
    var next = mayReload ? source.stream.nextReload : .never
    if gainsOnProgramme, source.isLive, source.stream.isFresh,
      let position = source.stream.livePosition, position > currentTime(at: now)
    {
      next = min(next, timebase.instant(of: position, from: now))
    }
    return next
  }

  /// Seeks to where a start would be now.
  mutating func seekToLive(in moment: inout Moment) {
    guard source.isLive, source.isPlaced, let position = source.stream.livePosition else {
      moment.record(
        .exception(source.item?.status == .unknown ? .seekBeforeReady : .seekToInvalidTime))
      return
    }
    seek(to: position, in: &moment)
  }
}
