/// How a player follows a live stream.
///
/// Media times are those of the programme: zero is its beginning, wherever the playlist begins.
extension Player {
  /// Whether the current item is a live stream whose end is not known.
  var isLive: Bool { stream?.isLive == true }

  /// Whether playlists that are due may be loaded again.
  ///
  /// A paused live stream uses no network (`canUseNetworkResourcesForLiveStreamingWhilePaused`),
  /// unless it has not found its start, or an application that waits by itself has no data.
  var mayReload: Bool {
    guard buffer.isLive, let stream else { return false }
    return phase != .paused || !stream.isPlaced
      || configuration.canUseNetworkResourcesForLiveStreamingWhilePaused
      || (!waitsAutomatically && buffer.facts.contains(.empty))
  }

  /// Forgets which variants were loaded of what a live stream has left behind: its window has, and
  /// the playhead, and it is booked.
  mutating func forgetPieces(at now: Instant) {
    guard let window = stream?.streamMedia.live?.window, let range = stream?.seekableRange,
      timebase.rate >= .zero
    else { return }
    let time = currentTime(at: now)
    if timebase.isRunning(at: now), timebase.start < now, var meter = streamMeter {
      bookStream(until: time, in: &meter)
      meter.mark = StreamMeter.Booking(since: timebase.start, until: playedPart(until: time).to)
      streamMeter = meter
    }
    stream?.pieces.forget(before: min(time, range.start) - window)
  }

  /// What can be sought of the current item.
  var seekableRange: (start: MediaTime, end: MediaTime)? {
    guard let item else { return nil }
    guard let stream, stream.streamMedia.live != nil else { return (.zero, item.media.duration) }
    return stream.seekableRange
  }

  /// How far the playhead is behind the programme.
  func offsetFromLive(at now: Instant) -> MediaTime? {
    guard let stream, let window = stream.streamMedia.live, stream.isPlaced else { return nil }
    return window.programme(at: now) - currentTime(at: now)
  }

  /// Puts the playhead where playback starts, once the playlists tell; returns whether it did.
  mutating func placeStart(in moment: inout Moment) -> Bool {
    guard stream?.isPlaced == false, let start = stream?.startPosition() else {
      return false
    }
    stream?.isPlaced = true
    timebase = Timebase(time: start.time, at: timebase.start, rate: timebase.rate)
    let offset = offsetFromLive(at: moment.now)
    stream?.offsetFromLive = offset
    if start.isTooClose {
      // Observed: −16832, "stall danger" (AetherEngine release 5.18.5).
      moment.record(.newErrorLogEntry(transfer: latestPlaylist, code: -16_832))
      meter.recoverableErrorCount += 1
    }
    placeStreamEdge(at: moment.now)
    return true
  }

  /// The transfer that brought the latest playlist.
  private var latestPlaylist: Int { stream?.latestPlaylist ?? 0 }

  /// Takes note that the player went from a phase to the present one.
  mutating func noteLivePhase(from old: PlaybackPhase, at now: Instant) {
    guard stream?.streamMedia.live != nil else { return }
    if phase == .paused {
      stream?.wasPaused = true
      if configuration.streaming.freezesWhenPaused, item?.hasBegun == true, old != .paused {
        stream?.isFrozen = true
      }
    } else if old == .paused {
      stream?.expirePlaylists(at: now)
      let offset = offsetFromLive(at: now)
      stream?.offsetFromLive = offset
    }
    if case .waiting = old, phase.isPlaying { stream?.isToSkip = true }
  }

  /// Reacts to what only happens to live streams; returns whether anything changed.
  mutating func settleLive(in moment: inout Moment) -> Bool {
    guard buffer.isLive, let stream, item?.status == .readyToPlay else { return false }
    if let seek {
      // What has left the playlist while nobody was loading it does not come any more.
      guard seek.awaitsData, stream.hasLostForGood(after: seek.target) else { return false }
      abandonSeek(in: &moment)
      return true
    }
    let time = currentTime(at: moment.now)
    if stream.isLeaping, !buffer.facts.contains(.empty) || buffer.facts.contains(.atEnd) {
      self.stream?.isLeaping = false
      apply(
        .bufferChanged, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
      return true
    }
    if stream.isToSkip {
      self.stream?.isToSkip = false
      if keepOffset(in: &moment) { return true }
    }
    if let target = timeToRejoin(from: time, at: moment.now) {
      self.stream?.wasPaused = false
      leap(to: target, in: &moment)
      return true
    }
    if phase.isPlaying, timebase.rate > .normal, timebase.isRunning(at: moment.now), stream.isLive,
      stream.isFresh, let position = stream.livePosition, position <= time
    {
      // L15: nobody can watch faster than it happens.
      apply(
        .reachedLiveEdge, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
      return true
    }
    return false
  }

  /// Where a playhead goes on whose next segment has left the playlist; nil if it can stay.
  ///
  /// Assumed: one that fell behind goes on at the beginning of what is offered, as soon as it has
  /// played what it had and what was under way; one that was paused goes on as near to the end as a
  /// start would be, as soon as it has loaded a playlist.
  private mutating func timeToRejoin(from time: MediaTime, at now: Instant) -> MediaTime? {
    guard let stream, phase != .paused || !waitsAutomatically else { return nil }
    guard stream.hasLost(after: time) else {
      if stream.isFresh, phase != .paused { self.stream?.wasPaused = false }
      return nil
    }
    if stream.wasPaused, phase != .paused, !stream.isFrozen {
      return stream.isFresh ? stream.livePosition : nil
    }
    // Time that goes on behind an end plays nothing, and misses nothing.
    let isStuck = buffer.facts.contains(.empty) && !buffer.facts.contains(.atEnd)
    guard stream.hasLostForGood(after: time), isStuck || !phase.isPlaying,
      let start = stream.seekableRange?.start, start != time
    else { return nil }
    return start
  }

  /// Skips what was missed while the player waited, if the application wants that
  /// (`automaticallyPreservesTimeOffsetFromLive`).
  ///
  /// Assumed: it happens when playback goes on, and at most once for each wait to where nothing is
  /// loaded yet.
  private mutating func keepOffset(
    in moment: inout Moment
  ) -> Bool {
    guard automaticallyPreservesTimeOffsetFromLive, let stream, stream.isLive,
      let offset = stream.offsetFromLive, let window = stream.streamMedia.live,
      let range = stream.seekableRange
    else { return false }
    let target = window.programme(at: moment.now) - offset
    let isLoaded = target < buffer.loadedEnd(at: moment.now)
    guard target > currentTime(at: moment.now), target < range.end, isLoaded || !stream.hasSkipped
    else {
      self.stream?.hasSkipped = false
      return false
    }
    self.stream?.hasSkipped = !isLoaded
    leap(to: target, in: &moment)
    return true
  }

  /// Moves the playhead though nobody asked for it.
  private mutating func leap(
    to target: MediaTime, in moment: inout Moment
  ) {
    let wasPlaying = phase.isPlaying
    cancelPreroll(in: &moment)
    jump(to: target, in: &moment)
    suspendReading(in: &moment)
    moment.record(.timeJumped(target))
    // L7: who waits there does not stall.
    stream?.isLeaping = wasPlaying && buffer.facts.contains(.empty)
    apply(
      wasPlaying ? .seekBegan : .bufferChanged,
      given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
  }

  /// The next instant at which a live stream must be looked at.
  mutating func nextLiveInstant(after now: Instant) -> Instant {
    buffer.isLive ? nextInstantOfLive(after: now) : .never
  }

  private func nextInstantOfLive(after now: Instant) -> Instant {
    guard let stream else { return .never }
    var next = mayReload ? stream.nextReload : .never
    if phase.isPlaying, timebase.rate > .normal, stream.isLive, stream.isFresh,
      let position = stream.livePosition, position > currentTime(at: now)
    {
      next = min(next, timebase.instant(of: position, from: now))
    }
    return next
  }

  /// Seeks to where a start would be now.
  mutating func seekToLive(in moment: inout Moment) {
    guard isLive, stream?.isPlaced == true, let position = stream?.livePosition else {
      moment.record(
        .exception(item?.status == .unknown ? .seekBeforeReady : .seekToInvalidTime))
      return
    }
    seek(to: position, in: &moment)
  }

  /// Whether a time can be sought; where that is not known yet, it may be.
  func canSeek(to target: MediaTime) -> Bool {
    guard let item, item.status != .failed, target >= .zero else { return false }
    guard stream?.streamMedia.live != nil, let range = seekableRange else {
      return target <= item.media.duration
    }
    return range.start <= target && target <= range.end
  }
}
