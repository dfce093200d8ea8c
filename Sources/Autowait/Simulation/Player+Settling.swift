/// The most rounds in which a player may react to its own reactions at one instant.
private let roundsMax = 32

extension Player {
  /// Brings the player to rest at an instant: facts that changed are recorded and acted upon until
  /// nothing changes any more.
  mutating func settle(at now: Instant, link: inout Link, trace: inout Trace) {
    item?.slideMeter(to: now)
    var rounds = 0
    while settleOnce(at: now, link: &link, trace: &trace) {
      rounds += 1
      precondition(rounds < roundsMax, "player \(index) does not come to rest")
    }
    checkInvariants()
  }

  /// Reacts to the first thing that changed; returns false when there is none.
  private mutating func settleOnce(
    at now: Instant, link: inout Link, trace: inout Trace
  ) -> Bool {
    if let rebuiltAt, rebuiltAt <= now {
      self.rebuiltAt = nil
      resumeTimebase(at: now, trace: &trace)
      return true
    }
    guard item != nil else { return false }
    if moveToSeek(at: now, link: &link, trace: &trace) { return true }
    if updateFacts(at: now, link: &link, trace: &trace) { return true }
    if stopPlayingNothing(at: now, trace: &trace) { return true }
    if completeSeek(at: now, trace: &trace) { return true }
    if item?.isPrerolling == true, item?.facts.contains(.empty) == false {
      item?.isPrerolling = false
      record(.prerollDidComplete(isFinished: true), now, &trace)
      return true
    }
    if timebase.start == now, phase.isPlaying { enterAccount(at: now) }
    return load(at: now, link: &link, trace: &trace)
  }

  private mutating func resumeTimebase(at now: Instant, trace: inout Trace) {
    guard case .playing(let wish) = phase else { return }
    timebase = timebase.with(rate: wish.rate, at: now)
    record(.timebaseRate(wish.rate, currentTime: currentTime(at: now)), now, &trace)
    enterAccount(at: now)
  }

  /// Looks at the buffer; records what changed and tells the state machine.
  private mutating func updateFacts(
    at now: Instant, link: inout Link, trace: inout Trace
  ) -> Bool {
    prepareRule(for: judgedRate)
    guard let current = item else { return false }
    let old = current.facts
    let new = current.facts(at: now, playhead: currentTime(at: now))
    if old == new { return false }
    item?.facts = new
    if new.contains(.ready), current.status == .unknown {
      item?.status = .readyToPlay
      item?.becameReady = now
    }
    recordFacts(from: old, to: new, at: now, trace: &trace)
    suspendReading(at: now, link: &link, trace: &trace)
    let facts = playbackFacts(at: now, rate: judgedRate)
    apply(input(for: old, new), given: facts, at: now, trace: &trace)
    return true
  }

  /// Ends playback of what was known not to be there before it began.
  ///
  /// Two calls of one turn can turn a player that stands at its end round and back: no fact
  /// changes, and yet the player plays.
  private mutating func stopPlayingNothing(at now: Instant, trace: inout Trace) -> Bool {
    guard phase.isPlaying, let facts = item?.facts, facts.contains(.empty),
      !facts.contains(.atEnd) || actionAtItemEnd == .pause
    else { return false }
    apply(
      input(for: facts.subtracting([.empty, .atEnd]), facts),
      given: playbackFacts(at: now, rate: judgedRate), at: now, trace: &trace)
    return true
  }

  /// Chooses what the state machine is told about a change of facts.
  func input(for old: BufferFacts, _ new: BufferFacts) -> PlaybackInput {
    if new.contains(.atEnd), !old.contains(.atEnd) {
      let isStart = judgedRate < .zero && item?.reversePlaybackEndTime == nil
      return isStart ? .reachedStartOfSeekableRange : .reachedEnd
    }
    if new.contains(.empty), !new.contains(.atEnd), phase.isPlaying { return .bufferEmptied }
    return .bufferChanged
  }

  private mutating func recordFacts(
    from old: BufferFacts, to new: BufferFacts, at now: Instant, trace: inout Trace
  ) {
    let changed = old.symmetricDifference(new)
    recordLoadedTimeRanges(at: now, trace: &trace)
    var latest = 0
    if changed.contains(.empty) {
      latest = record(.isPlaybackBufferEmpty(new.contains(.empty)), now, &trace)
    }
    if changed.contains(.full) {
      latest = record(.isPlaybackBufferFull(new.contains(.full)), now, &trace)
    }
    if changed.contains(.likely) {
      latest = record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &trace)
    }
    if changed.contains(.ready) { latest = record(.itemStatus(.readyToPlay), now, &trace) }
    if latest > 0 { cause = latest }
  }

  /// Records the loaded ranges if they grew since they were last recorded.
  mutating func recordLoadedTimeRanges(at now: Instant, trace: inout Trace) {
    guard let item else { return }
    let edge = item.loadedEnd(at: now)
    if edge == recordedEdge { return }
    recordedEdge = edge
    let ranges = item.loadedTimeRanges(at: now)
    for (number, range) in ranges.enumerated() {
      record(
        .loadedTimeRange(
          index: number, count: ranges.count, start: range.start, end: range.end), now, &trace)
    }
  }

  /// Stops reading when the buffer is full before everything is loaded, and goes on when it is not.
  private mutating func suspendReading(
    at now: Instant, link: inout Link, trace: inout Trace
  ) {
    guard let item, let request = item.request else { return }
    let suspend = item.facts.contains(.full) && !item.isComplete(at: now)
    if suspend == request.isSuspended { return }
    link.setSuspended(suspend, request.transfer, at: now)
    self.item?.setSuspended(suspend)
    self.item?.follow(link.transfer(request.transfer), at: now)
    record(
      .readingSuspended(transfer: request.transfer, isSuspended: suspend), now, &trace)
  }

  /// Asks for what is missing.
  private mutating func load(at now: Instant, link: inout Link, trace: inout Trace) -> Bool {
    guard let range = item?.nextRequest(at: now) else { return false }
    let transfer = link.open(range.end - range.start, for: index, at: now)
    item?.begin(transfer, range, at: now)
    meter.mediaRequestCount += 1
    cause = record(
      .mediaRequest(
        transfer: transfer, from: range.start.wholeBytes,
        size: (range.end - range.start).begunBytes), now, &trace)
    return true
  }

  /// Takes note of the first byte of a response.
  mutating func responseBegan(_ transfer: Transfer, at now: Instant, trace: inout Trace) {
    cause = record(.mediaResponse(transfer: transfer.number), now, &trace)
    item?.beginResponse(cause)
  }

  /// Takes note of a response that arrived whole.
  ///
  /// Its last byte came when it did because of the response's start or the link's last change.
  mutating func transferCompleted(
    _ transfer: Transfer, linkCause: Int, at now: Instant, trace: inout Trace
  ) {
    cause = max(linkCause, item?.responseRecord ?? 0)
    let playhead = currentTime(at: now)
    item?.end(transfer, playhead: playhead, at: now)
    cause = record(
      .mediaRequestCompleted(transfer: transfer.number, bytes: transfer.delivered.begunBytes),
      now, &trace)
  }

  /// Gives the open request up; what has arrived of it is kept.
  mutating func cancelRequest(at now: Instant, link: inout Link, trace: inout Trace) {
    guard let request = item?.request else { return }
    let transfer = link.close(request.transfer, at: now)
    let playhead = currentTime(at: now)
    item?.end(transfer, playhead: playhead, at: now)
    record(
      .mediaRequestCancelled(transfer: transfer.number, bytes: transfer.delivered.wholeBytes),
      now, &trace)
  }

  /// What must hold whenever the player is at rest; checked in every build.
  private func checkInvariants() {
    switch phase {
    case .paused:
      precondition(timebase.rate == .zero, "a paused player's timebase runs")
    case .waiting(let reason, _):
      precondition(timebase.rate == .zero, "a waiting player's timebase runs")
      precondition(
        reason != .toMinimizeStalls || waitsAutomatically,
        "a player that does not wait automatically minimizes stalls")
    case .playing:
      let isAtEnd = item?.facts.contains(.atEnd) == true && actionAtItemEnd == .none
      precondition(
        item?.facts.contains(.ready) == true && (item?.facts.contains(.empty) == false || isAtEnd),
        "a player plays what is not there")
    }
  }

  /// Returns the next instant, before the link changes, at which something happens by itself.
  @inline(__always)
  func nextInstant(after now: Instant, linkChange: Instant) -> Instant {
    var bound = linkChange
    if let rebuiltAt { bound = min(bound, rebuiltAt) }
    guard let item, item.status != .failed else { return bound == linkChange ? .never : bound }
    if let seek = item.seek, !seek.awaitsData, item.status == .readyToPlay { return now }
    bound = min(bound, item.windowEdge(after: now), item.askAt)
    if timebase.rate != .zero {
      if timebase.start > now { bound = min(bound, timebase.start) }
      let (end, time) = (item.endTime(for: timebase.rate), currentTime(at: now))
      if timebase.rate > .zero ? time < end : time > end {
        bound = min(bound, timebase.instant(of: end, from: now))
      }
    }
    if bound == .never { return .never }
    if item.facts(at: bound, playhead: currentTime(at: bound)) != item.facts {
      return firstChange(of: item, after: now, notAfter: bound)
    }
    return bound == linkChange ? .never : bound
  }

  /// Finds the first instant at which the facts differ, by halving: they differ at the last.
  private func firstChange(
    of item: PlayerItem, after now: Instant, notAfter last: Instant
  ) -> Instant {
    // Another player's event at this instant may have come first.
    if item.facts(at: now, playhead: currentTime(at: now)) != item.facts { return now }
    var same = now.nanoseconds
    var different = last.nanoseconds
    while different - same > 1 {
      let middle = same + (different - same) / 2
      let instant = Instant(nanoseconds: middle)
      if item.facts(at: instant, playhead: currentTime(at: instant)) == item.facts {
        same = middle
      } else {
        different = middle
      }
    }
    return Instant(nanoseconds: different)
  }
}
