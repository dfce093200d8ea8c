/// How a player that was away from a live programme, or fell behind it, comes back to it.
struct LiveCatchUp: Hashable, Sendable {
  /// Whether the player follows the programme.
  enum Attendance: Hashable, Sendable {
    case following
    /// It was paused since the playlists were last loaded.
    case away
    /// It was paused, and never loads the playlists again (``StreamPolicy/freezesWhenPaused``).
    case frozen
  }

  /// Whether what was missed while the player waited is passed over.
  enum Skip: Hashable, Sendable {
    case none
    /// Playback has stalled.
    case stalled
    /// What was missed has been passed over so many times, and the player waits on.
    case made(times: Int)
    /// Playback has just begun or gone on, and it is to be looked at.
    case due(timesMade: Int)
  }

  var attendance = Attendance.following
  private var skip = Skip.none
  /// How far behind the programme playback began, if that is to be kept.
  var offset: MediaTime?
  /// Whether the playhead was moved, though nobody asked for it, to where nothing is loaded yet.
  var isJumping = false
  /// When the load of the playlist began by which it was last judged whether to start over.
  fileprivate var judgedLoad = Instant(nanoseconds: -1)

  /// Takes note that playback has stalled.
  mutating func stall() { skip = .stalled }

  /// Takes note that somebody has decided where playback goes on after a stall.
  mutating func forgetStall() { if skip == .stalled { skip = .none } }

  /// Whether nothing has been passed over since playback stalled.
  fileprivate var hasStalled: Bool { skip == .stalled }

  /// Takes note that playback has begun or gone on after a wait.
  mutating func resume() { skip = .due(timesMade: timesSkipped) }

  /// How often what was missed has been passed over in this wait.
  private var timesSkipped: Int {
    switch skip {
    case .none, .stalled: 0
    case .made(let times), .due(let times): times
    }
  }

  /// Whether a wait may pass over what was missed.
  ///
  /// Assumed: once to wherever that leads, and once more over what it waited there. A third time
  /// would have no end where the link is slower than the media.
  fileprivate func maySkip(toLoaded isLoaded: Bool) -> Bool {
    timesSkipped == 0 || (timesSkipped == 1 && isLoaded)
  }

  /// Whether playback has just gone on.
  fileprivate var isDue: Bool {
    if case .due = skip { true } else { false }
  }

  /// Takes note that what was missed is passed over.
  fileprivate mutating func noteSkip() { skip = .made(times: timesSkipped + 1) }

  /// Takes note that the wait is over, with nothing to pass over any more.
  fileprivate mutating func endWait() { skip = .none }
}

/// What a player is to do next to follow a live programme.
enum LiveStep: Hashable, Sendable {
  /// The seek that waits for data is given up: its target has left the playlists.
  case giveSeekUp
  /// What was leapt to has come.
  case land
  /// Playback starts over: too little is listed.
  case restart(at: MediaTime)
  /// The playhead goes on at another time.
  case leap(to: MediaTime)
  /// Playback faster than the programme has come up to it.
  case reachEdge
}

/// What the next step depends on besides the stream.
struct LiveLook {
  let now: Instant
  var playhead: MediaTime
  /// Up to where what is loaded around the playhead plays: a player may starve before its end.
  let playableEnd: MediaTime
  /// The target of a seek that waits for data.
  let soughtTime: MediaTime?
  /// How much of a track is enough to show it there.
  let leadOfShown: MediaTime
  var isPaused: Bool
  let isPlaying: Bool
  /// Whether the playhead moves faster than the programme.
  let gainsOnProgramme: Bool
  /// Whether nothing is loaded that could be played, and whether that is because the end is here.
  var isEmpty: Bool
  var isAtEnd: Bool
  let waitsAutomatically: Bool
  /// `automaticallyPreservesTimeOffsetFromLive`.
  let preservesOffset: Bool
}

extension StreamSource {
  /// Takes note that the player is paused; it may freeze if playback had begun.
  mutating func leaveLive(mayFreeze: Bool) {
    catchUp.forgetStall()
    if catchUp.attendance == .frozen { return }
    catchUp.attendance = mayFreeze && policy.freezesWhenPaused ? .frozen : .away
  }

  /// Returns what is to be done next to follow the programme; nil if nothing is.
  mutating func nextLiveStep(_ look: LiveLook) -> LiveStep? {
    if let target = look.soughtTime {
      // What has come is there, though its first frame may still be decoded.
      if !look.isEmpty || look.isAtEnd { return nil }
      // What has left the playlist while nobody was loading it does not come any more.
      return hasLostForGood(after: target, isShownUpTo: target + look.leadOfShown)
        ? .giveSeekUp : nil
    }
    if catchUp.isJumping, !look.isEmpty || look.isAtEnd {
      catchUp.isJumping = false
      return .land
    }
    if !look.isPaused, let target = timeToRestart() { return .restart(at: target) }
    if let target = timeToSkip(look) { return .leap(to: target) }
    if let target = takeReturn(look) ?? timeToRejoin(look) { return .leap(to: target) }
    // L15: nobody can watch faster than it happens.
    if look.gainsOnProgramme, isLive, isFresh, let position = livePosition,
      position <= look.playhead
    {
      return .reachEdge
    }
    return nil
  }

  /// Where playback starts over after a load of a playlist that lists too little
  /// (``StreamPolicy/restartsShortWindows``).
  mutating func timeToRestart() -> MediaTime? {
    guard policy.restartsShortWindows, !live.isEmpty, let list = tracks.first?.list,
      let load = live[list].loadBegan, load > catchUp.judgedLoad, let start = startPosition()
    else { return nil }
    catchUp.judgedLoad = load
    return start.isTooClose ? start.time : nil
  }

  /// Where a playhead goes on that passes over what was missed while the player waited, if the
  /// application wants that (`automaticallyPreservesTimeOffsetFromLive`) and had it play at once.
  private mutating func timeToSkip(_ look: LiveLook) -> MediaTime? {
    if !catchUp.isDue { return nil }
    guard let target = nextOffsetTarget(look) else {
      catchUp.endWait()
      return nil
    }
    if target < look.playableEnd { catchUp.endWait() } else { catchUp.noteSkip() }
    return settled(target, look)
  }

  /// Returns where a player that is about to play goes on instead: it plays nothing of the place
  /// that it leaves.
  mutating func takeSkip(_ look: LiveLook) -> MediaTime? {
    guard let target = rejoiningTarget(look) ?? nextOffsetTarget(look) else { return nil }
    catchUp.noteSkip()
    return settled(target, look)
  }

  /// Returns where a playhead stays that jumps to a time: elsewhere, if what is there has
  /// left the playlist too.
  private mutating func settled(_ target: MediaTime, _ look: LiveLook) -> MediaTime {
    var there = look
    (there.playhead, there.isEmpty, there.isAtEnd) = (target, !isLoaded(at: target), false)
    return takeReturn(there) ?? timeToRejoin(there) ?? target
  }

  /// Returns where a player goes on that was away, if what it had has left the playlist.
  mutating func takeReturn(_ look: LiveLook) -> MediaTime? {
    guard catchUp.attendance == .away, let target = timeToRejoin(look) else { return nil }
    catchUp.attendance = .following
    return target
  }

  private func nextOffsetTarget(_ look: LiveLook) -> MediaTime? {
    guard let target = offsetTarget(look),
      catchUp.maySkip(toLoaded: target < look.playableEnd)
    else { return nil }
    return target
  }

  /// Where a player that stalled goes on, loaded or not (``StreamPolicy/rejoinsAfterStall``).
  private func rejoiningTarget(_ look: LiveLook) -> MediaTime? {
    guard policy.rejoinsAfterStall, catchUp.hasStalled, !look.preservesOffset, isLive,
      let target = livePosition, target > look.playhead
    else { return nil }
    return target
  }

  /// Where the playhead is as far behind the programme as it was, if that lies ahead.
  private func offsetTarget(_ look: LiveLook) -> MediaTime? {
    guard look.preservesOffset, isLive, let offset = catchUp.offset,
      let window = streamMedia.live, let range = seekableRange
    else { return nil }
    let target = window.programme(at: look.now) - offset
    return target > look.playhead && target < range.end ? target : nil
  }

  /// Whether the next segment of a playhead is listed; a player that is not paused follows then.
  mutating func follows(_ playhead: MediaTime, isPaused: Bool) -> Bool {
    if hasLost(after: playhead) { return false }
    if catchUp.attendance == .away, isFresh, !isPaused { catchUp.attendance = .following }
    return true
  }

  /// Whether a start that is listed no more is not to be played.
  func hasLeft(_ start: MediaTime, isPaused: Bool) -> Bool {
    hasLostForGood(after: start) || (catchUp.attendance == .away && isFresh && !isPaused)
  }

  /// Where a playhead goes on whose next segment has left the playlist; nil if it can stay.
  ///
  /// Assumed: one that fell behind goes on at the beginning of what is offered, as soon as it has
  /// played what it had and what was under way; one that was paused goes on as near to the end as a
  /// start would be, as soon as it has loaded a playlist.
  private mutating func timeToRejoin(_ look: LiveLook) -> MediaTime? {
    if look.isPaused, look.waitsAutomatically { return nil }
    if follows(look.playhead, isPaused: look.isPaused) { return nil }
    if catchUp.attendance == .away, !look.isPaused { return isFresh ? livePosition : nil }
    // Time that goes on behind an end plays nothing, and misses nothing.
    let isStuck = look.isEmpty && !look.isAtEnd
    // What is loaded here may never be enough for who waits; who is paused keeps it until a play.
    guard hasLostForGood(after: look.playhead),
      isStuck || !(look.isPlaying || look.isPaused),
      let start = seekableRange?.start, start != look.playhead
    else { return nil }
    return start
  }
}
