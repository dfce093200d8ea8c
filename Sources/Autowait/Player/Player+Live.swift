/// How a player follows a live stream.
///
/// Media times are those of the programme: zero is its beginning, wherever the playlist begins.
extension Player {
  /// Whether playlists that are due may be loaded again.
  ///
  /// A paused live stream uses no network (`canUseNetworkResourcesForLiveStreamingWhilePaused`),
  /// unless it has not found its start, or has no data and an application that waits by itself, or
  /// a server that refuses what its old playlist lists.
  var mayReload: Bool {
    source.buffer.isLive
      && (phase != .paused || !source.hasStartPosition
        || configuration.canUseNetworkResourcesForLiveStreamingWhilePaused
        || (source.buffer.facts.contains(.empty)
          && (!waitsAutomatically || source.stream.doubtsPlaylists)))
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
    guard let window = source.media.streamMedia?.live, source.hasStartPosition else { return nil }
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
    recordEntry(-16_832, of: playlist, in: &moment)
  }

  /// Takes note that the player went from a phase to the present one.
  mutating func noteLivePhase(from old: PlaybackPhase, at now: Instant) {
    if !source.buffer.isLive { return }
    if phase == .paused {
      let hasBegun = source.item?.hasBegun == true
      source.stream.leaveLive(mayFreeze: hasBegun && old != .paused)
    } else if old == .paused {
      source.stream.expirePlaylists(at: now)
      // What a server did not have may have left the playlists meanwhile.
      source.forgetMissing()
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

  /// Whether a playlist that is due may take back what has come to hold: that all that is listed
  /// has come, or that a stream is not likely to keep up whose next variant, or whose language that
  /// was selected at this instant, lists an end that is not known yet.
  func asksForPlaylists(on new: BufferFacts, after old: BufferFacts, at now: Instant) -> Bool {
    if old.contains(.likely), !new.contains(.likely) {
      // The playlist of a language that was selected before is an old one.
      let isOld = source.stream.tracks.count > 1 && source.stream.nextReload <= now
      if isOld || !source.stream.hasPresentPlaylists { return true }
    }
    // Who waits is let play by a full buffer, and plays on.
    return new.contains(.full) && !old.contains(.full) && !phase.isWaiting
      && source.buffer.remaining.isIdle
  }

  /// Loads the live playlists that are due, or under way, if they come in this very instant;
  /// returns whether any did.
  ///
  /// If it is said whether the buffer is full, they are those that the player would load by itself,
  /// and the ones that it asks for next are among them.
  ///
  /// What they say holds from this instant on. A player that acts on what it knew before would take
  /// it back in the same instant: it would be full, or play, for no time.
  mutating func loadPlaylistsAtOnce(
    ofNew isFull: Bool? = nil, in moment: inout Moment
  ) -> Bool {
    assert(source.buffer.isLive, "player \(index) loads playlists of what is not live again")
    let now = moment.now
    if moment.network.hasPaths || moment.network.isOffline(at: now) { return false }
    if isFull != nil, !mayReload, source.stream.hasPresentPlaylists { return false }
    var hasCome = false
    for request in source.stream.requests where request.resource.isPlaylist {
      // What has come may have given up the others.
      if source.has(request.transfer), takeAnswer(of: request.transfer, in: &moment) {
        hasCome = true
      }
    }
    if !moment.network.link.answersAtOnce(at: now) { return hasCome }
    let mayReload = isFull == nil || mayReload
    while mayReload, let next = source.stream.reload(at: now),
      source.stream.isEmpty(next.resource, at: now)
    {
      request(next, of: nil, in: &moment)
      noteArrival(in: &moment)
      guard let number = source.stream.requests.last?.transfer, takeAnswer(of: number, in: &moment)
      else { break }
      hasCome = true
    }
    while let isFull, !source.stream.hasPresentPlaylists,
      let number = requestNewPlaylist(isFull, in: &moment),
      takeAnswer(of: number, in: &moment)
    {
      hasCome = true
    }
    return hasCome
  }

  /// Whether a request is answered in the very instant in which it is made.
  func areAnswersDueAtOnce(in moment: inout Moment) -> Bool {
    !moment.network.hasPaths && !moment.network.isOffline(at: moment.now)
      && moment.network.link.answersAtOnce(at: moment.now)
  }

  /// Asks for what the player would ask for next, if that is a playlist without data, as of a
  /// language that was selected at this instant; returns the number of its transfer.
  private mutating func requestNewPlaylist(_ isFull: Bool, in moment: inout Moment) -> Int? {
    var context = context(at: moment.now)
    var asking = source
    // What is full no more is read again at once.
    context.isFull = context.isFull && isFull
    guard case .resource(let next)? = asking.nextRequest(in: context),
      next.resource.isPlaylist, asking.stream.isEmpty(next.resource, at: moment.now)
    else { return nil }
    source = asking
    noteRequestedVariant(in: &moment)
    request(next, of: nil, in: &moment)
    // What has come of the others is told apart from here on.
    noteArrival(in: &moment)
    return source.stream.requests.last?.transfer
  }

  /// Takes the answer to a request if it is there by now, and without data; returns whether it is.
  private mutating func takeAnswer(of number: Int, in moment: inout Moment) -> Bool {
    guard let answer = moment.network.link.takeEmptyAnswer(of: number, at: moment.now) else {
      return false
    }
    assert(answer.whole.number == number, "transfer \(number) has the answer of another one")
    if answer.begins { responseBegan(number, in: &moment) }
    transferCompleted(answer.whole, in: &moment)
    return true
  }

  /// Moves the playhead before playback goes on, if the application keeps its distance from the
  /// programme, a stream that stalled or was left is joined again, or too little is listed.
  ///
  /// The player goes on there as soon as it may, and plays nothing in between.
  mutating func skipBeforePlaying(in moment: inout Moment) -> Bool {
    guard let step = stepBeforePlaying(at: moment.now) else { return false }
    move(by: step, in: &moment)
    return true
  }

  /// Does the same where a call would let a player play that waits, or is paused.
  mutating func skipBeforePlaying(
    on input: PlaybackInput, rate: PlaybackRate, in moment: inout Moment
  ) -> Bool {
    guard seek == nil, !phase.isPlaying else { return false }
    let facts = playbackFacts(at: moment.now, rate: rate)
    guard case .playing(let wish) = PlaybackTransition.from(phase, on: input, given: facts).phase
    else { return false }
    let isReturn = phase == .paused
    assert(wish.rate != .zero, "player \(index) is to play at no rate")
    guard let step = isReturn ? stepOnReturn(in: &moment) : step(before: wish, at: moment.now)
    else { return false }
    move(by: step, in: &moment)
    // Who is to play there waits for what is there, as one that has played would.
    if isReturn { source.stream.catchUp.isJumping = source.buffer.facts.contains(.empty) }
    return true
  }

  /// Where a live stream that was paused is to go on instead of where it is; nil if it stays.
  ///
  /// Playlists that come at once are loaded first.
  private mutating func stepOnReturn(in moment: inout Moment) -> LiveStep? {
    source.stream.expirePlaylists(at: moment.now)
    if source.stream.isLost(currentTime(at: moment.now), at: moment.now) {
      _ = loadPlaylistsAtOnce(in: &moment)
    }
    if let target = source.stream.timeToRestart() { return .restart(at: target) }
    var look = liveLook(at: moment.now)
    look.isPaused = false
    return source.stream.takeReturn(look).map { .leap(to: $0) }
  }

  /// How a player that is about to play goes on elsewhere instead; nil if it plays here.
  private mutating func stepBeforePlaying(at now: Instant) -> LiveStep? {
    guard source.buffer.isLive, seek == nil, case .waiting(_, let wish) = phase else { return nil }
    let facts = playbackFacts(at: now, rate: evaluationRate)
    guard PlaybackTransition.decide(wish, given: facts).phase.isPlaying else { return nil }
    return step(before: wish, at: now)
  }

  /// Where a live stream is to go on before a wish is met; nil where it is.
  private mutating func step(before wish: WishedRate, at now: Instant) -> LiveStep? {
    if let target = source.stream.timeToRestart() { return .restart(at: target) }
    let look = liveLook(at: now)
    let rejoins = configuration.streaming.rejoinsAfterStall && wish.rate > .zero
    let skip =
      automaticallyPreservesTimeOffsetFromLive || rejoins ? source.stream.takeSkip(look) : nil
    return (skip ?? source.stream.takeReturn(look)).map { .leap(to: $0) }
  }

  private mutating func move(by step: LiveStep, in moment: inout Moment) {
    switch step {
    case .leap(let target): leap(to: target, in: &moment)
    case .restart(let target): restart(at: target, in: &moment)
    case .giveSeekUp:
      assert(seek != nil, "a seek is given up that is none")
      abandonSeek(in: &moment)
    case .land, .reachEdge:
      preconditionFailure("the step must move the playhead")
    }
  }

  /// Lets a player leave its place before what has come to hold there is told, if it leaves it at
  /// once; returns whether it did.
  ///
  /// It holds there for no time. That the first frame has come, or what was sought, is told: it
  /// stays so.
  mutating func leaveUntold(_ new: BufferFacts, in moment: inout Moment) -> Bool {
    if !source.buffer.isLive { return false }
    guard source.item?.status == .readyToPlay || new.contains(.ready) else {
      return source.item?.status == .unknown && leaveStartUntold(new, in: &moment)
    }
    let (told, catchUp, sought, status) = (
      source.buffer.facts, source.stream.catchUp, seek, source.item?.status
    )
    source.buffer.facts = new
    source.item?.status = .readyToPlay
    let step = stepAtOnce(at: moment.now)
    source.buffer.facts = told
    guard let step else {
      (source.stream.catchUp, seek) = (catchUp, sought)
      if let status { source.item?.status = status }
      return false
    }
    if new.contains(.ready), !told.contains(.ready) {
      source.buffer.facts.formUnion([.opened, .ready])
      recordFacts(from: told, to: source.buffer.facts, in: &moment)
    }
    if let sought, seek == nil {
      moment.record(.timeJumped(sought.target))
      moment.record(.seekDidComplete(number: sought.number, isFinished: true, isInBuffer: false))
    }
    move(by: step, in: &moment)
    return true
  }

  /// The same before the item is ready: its start, or what is sought, has left the playlists.
  private mutating func leaveStartUntold(
    _ new: BufferFacts, in moment: inout Moment
  ) -> Bool {
    guard let seek else { return forgetStart(in: &moment) }
    if !seek.awaitsData { return false }
    let told = source.buffer.facts
    source.buffer.facts = new
    let step = source.stream.nextLiveStep(liveLook(at: moment.now))
    source.buffer.facts = told
    guard case .giveSeekUp = step else { return false }
    abandonSeek(in: &moment)
    return true
  }

  /// Where a player goes at once with what holds of its buffer now; nil if it stays, or stalls
  /// before it goes.
  private mutating func stepAtOnce(at now: Instant) -> LiveStep? {
    let facts = source.buffer.facts
    let hasMedia = !facts.contains(.empty) || facts.contains(.atEnd)
    if phase.isPlaying, !hasMedia || facts.contains(.atEnd) { return nil }
    if let seek {
      guard seek.awaitsData else { return nil }
      if !hasMedia {
        // What is listed has left the target behind: the playhead goes back at once.
        if case .giveSeekUp = source.stream.nextLiveStep(liveLook(at: now)) { return .giveSeekUp }
        return nil
      }
      self.seek = nil
    }
    if source.isJumping {
      if !hasMedia { return nextLeap(at: now) }
      source.stream.catchUp.isJumping = false
    }
    if let step = stepBeforePlaying(at: now) { return step }
    if case .waiting(_, let wish) = phase {
      let facts = playbackFacts(at: now, rate: wish.rate)
      if PlaybackTransition.decide(wish, given: facts).phase.isPlaying { return nil }
    }
    return nextLeap(at: now)
  }

  /// The next step of a player that follows a stream, if that moves the playhead.
  private mutating func nextLeap(at now: Instant) -> LiveStep? {
    switch source.stream.nextLiveStep(liveLook(at: now)) {
    case .leap(let target): return .leap(to: target)
    case .restart(let target): return .restart(at: target)
    case .giveSeekUp, .land, .reachEdge, nil: return nil
    }
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
      soughtTime: seek?.target, leadOfShown: source.buffer.leadOfShown,
      isPaused: phase == .paused, isPlaying: phase.isPlaying,
      gainsOnProgramme: gainsOnProgramme && timebase.isRunning(at: now),
      isEmpty: source.buffer.facts.contains(.empty), isAtEnd: source.buffer.facts.contains(.atEnd),
      waitsAutomatically: waitsAutomatically,
      preservesOffset: automaticallyPreservesTimeOffsetFromLive)
  }

  /// Lets a start be found again that has left the playlist before anything of it came.
  ///
  /// What is under way of it still counts, but not for a player that was paused meanwhile: it would
  /// leave it at once. What has come counts while its first frame is decoded.
  private mutating func forgetStart(in moment: inout Moment) -> Bool {
    _ = source.stream.timeToRestart()
    let start = currentTime(at: moment.now)
    guard source.hasStartPosition, facts(at: moment.now).contains(.empty),
      !source.stream.follows(start, isPaused: phase == .paused),
      source.stream.hasLeft(start, isPaused: phase == .paused)
    else { return false }
    source.stream.hasStartPosition = false
    cancelStream(in: &moment) { $0.resource.isMedia }
    // Observers learn nothing about the old place if the new one is known.
    _ = placeStart(in: &moment)
    return true
  }

  /// Whether the playhead is where a rate above 1 ends, as far as the playlists tell.
  @inline(__always)
  func isAtLiveEdge(at now: Instant) -> Bool {
    guard source.isLive, source.hasStartPosition, hostTime == nil,
      phase == .paused ? source.stream.isFresh(onReturnAt: now) : source.stream.isFresh,
      let position = source.stream.livePosition
    else { return false }
    return position <= currentTime(at: now)
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
    // L7: who waits there does not stall. Who has not begun, and does not wait automatically, waits
    // for the first media of the new place as for that of the old one.
    let isEmpty = source.buffer.facts.contains(.empty)
    let waits = wasPlaying || (phase.isWaiting && !waitsAutomatically)
    source.stream.catchUp.isJumping = waits && isEmpty
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
    guard source.isLive, source.hasStartPosition, let position = source.stream.livePosition else {
      moment.record(
        .exception(source.item?.status == .unknown ? .seekBeforeReady : .seekToInvalidTime))
      return
    }
    seek(to: position, in: &moment)
  }
}
