extension Player {
  /// Lives through the events of a stream that plays smoothly: changes of the link's rate, first
  /// bytes, segments that arrive, and the requests for the next ones.
  ///
  /// They are nearly all events of a session, and need neither the queue nor a plan. Everything
  /// here is what the general way comes to, in the same order; a law test holds the two together.
  /// Returns the number of events that were lived through, zero if the first one is for the general
  /// way. The caller settles the player: what comes after the last may have to be asked for.
  mutating func liveThroughSegments(
    now: inout Instant, notAfter limit: Instant, countMax: Int, link: inout IdealLink,
    log: inout EventLog
  ) -> Int {
    guard isSmooth(at: now), let flow = link.singleFlow else { return 0 }
    let end = turnOfPlayhead(after: now)
    let (first, marks) = (smoothBound(limit, end, at: now), buffer.marks)
    guard var run = stream?.hand(flow, marks, bound: first, at: now) else { return 0 }
    var count = 0
    while count < countMax {
      if run.flow.isFlowing {
        count += liveThroughRates(
          &run, now: &now, countMax: countMax - count, link: &link, log: &log)
        if count == countMax { break }
      }
      let next = run.flow.nextInstant(link.rate)
      if next > run.limit { break }
      if !run.flow.isFlowing {
        guard beginResponse(&run, at: next, link: &link, log: &log) else { break }
      } else {
        // The last segment, and one that comes as the rate changes, are for the general way.
        guard next < link.nextTrackChange, run.isFollowed else { break }
        take(&run, at: next, link: &link, log: &log)
        now = next
        count += 1
        let isResumed = buffer.isSuspended
        if isResumed {
          pause(at: now)
          let resume = timebase.instant(of: buffer.streamMarks.resume ?? .zero, from: now)
          if count == countMax || resume <= now || resume > limit || resume >= end {
            return finish(&run, count, at: now, link: &link)
          }
          now = resume
          count += 1
          readAgain(&run, at: now, log: &log)
        }
        guard request(&run, isResumed, at: now, link: &link, log: &log) else {
          return finish(&run, count, at: now, link: &link)
        }
        run.bound = smoothBound(limit, end, &run, at: now)
        continue
      }
      now = next
      count += 1
    }
    link.setSingleFlow(run.flow)
    if !buffer.readsFillRate {
      buffer.followSingle(
        run.flow.delivered, run.flow.isFlowing ? link.rate : .zero, isOpen: true,
        at: run.flow.anchor, history: &fillHistory)
    }
    stream?.putBack(&run, isOpen: true)
    return count
  }

  /// Lives through the changes of the rate that come before the end of the segment.
  @inline(__always)
  private mutating func liveThroughRates(
    _ run: inout SmoothRun, now: inout Instant, countMax: Int, link: inout IdealLink,
    log: inout EventLog
  ) -> Int {
    var (flow, count) = (run.flow, 0)
    while count < countMax {
      // The link's condition holds until after the bound.
      let next = link.nextTrackChange
      if next > run.bound || link.brings(flow) { break }
      changeRate(&flow, at: next, link: &link, log: &log)
      now = next
      count += 1
    }
    run.flow = flow
    return count
  }

  /// Leaves the loop behind a segment, with nothing under way.
  private mutating func finish(
    _ run: inout SmoothRun, _ count: Int, at now: Instant, link: inout IdealLink
  ) -> Int {
    pause(at: now)
    link.closeSingle(at: run.flow.anchor)
    stream?.putBack(&run, isOpen: false)
    return count
  }

  /// Takes note that nothing is asked for any more, if the meter was not told with the segment.
  ///
  /// Without a window it need not know how each segment came: the totals are the same.
  @inline(__always)
  private mutating func pause(at now: Instant) {
    if buffer.readsFillRate { return }
    buffer.followSingle(0, .zero, isOpen: false, at: now, history: &fillHistory)
  }

  /// Whether nothing is going on but that a stream plays and its next segment comes.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  private mutating func isSmooth(at now: Instant) -> Bool {
    buffer.isStream && prepared.isEmpty && seek == nil && rebuiltAt == nil && pipeline?.build == nil
      && hostTime == nil
      && phase.isPlaying && timebase.rate == .normal && timebase.start <= now
      && buffer.policy.forwardBufferSizes == nil && buffer.cachedFacts != nil
      && item?.isPrerolling == false
      && buffer.facts.contains(.ready) && buffer.facts.isDisjoint(with: [.empty, .full, .atEnd])
      && !buffer.isSuspended
  }

  /// The last instant before the playhead, or a timer, would be the next thing to look at.
  private mutating func smoothBound(_ limit: Instant, _ end: Instant, at now: Instant) -> Instant {
    let edge = timebase.instant(of: buffer.streamMarks.edge, from: now)
    let first = min(end, edge, nextStreamTimer(after: now))
    return min(limit, Instant(nanoseconds: first.nanoseconds - 1))
  }

  /// The same, for a segment that was asked for just now; its timeout is the run's.
  @inline(__always)
  private mutating func smoothBound(
    _ limit: Instant, _ end: Instant, _ run: inout SmoothRun, at now: Instant
  ) -> Instant {
    let edge = timebase.instant(of: buffer.streamMarks.edge, from: now)
    var first = min(end, edge)
    if run.readsFillRate { first = min(first, run.abandonment(bufferEnd: edge, at: now)) }
    return min(limit, Instant(nanoseconds: first.nanoseconds - 1))
  }

  @inline(__always)
  private mutating func changeRate(
    _ flow: inout SingleFlow, at now: Instant, link: inout IdealLink, log: inout EventLog
  ) {
    flow.deliver(link.rate, until: now)
    let before = link.rate
    link.enterNextRate()
    if link.rate != before {
      link.cause = log.record(.linkRate(link.rate), at: now, cause: link.cause)
      followLink(link.cause)
    }
    if buffer.readsFillRate {
      buffer.followSingle(
        flow.delivered, link.rate, isOpen: true, at: now, history: &fillHistory)
    }
  }

  /// Lets the response begin; returns false, with nothing done, if that is for the general way.
  private mutating func beginResponse(
    _ run: inout SmoothRun, at now: Instant, link: inout IdealLink, log: inout EventLog
  ) -> Bool {
    let before = link.rate
    if link.nextTrackChange <= now {
      guard link.passChanges(to: now) else { return false }
      if link.rate != before {
        link.cause = log.record(.linkRate(link.rate), at: now, cause: link.cause)
      }
    } else if before == .zero {
      return false
    }
    run.flow.begin(at: now)
    let number = tell(.mediaResponse(transfer: run.flow.number), now, &log)
    (cause, flowCause) = (number, number)
    (run.segment.responseRecord, run.segment.responded) = (number, now)
    if buffer.readsFillRate {
      buffer.followSingle(0, link.rate, isOpen: true, at: now, history: &fillHistory)
    }
    return true
  }

  /// The segment has come; the link is not changed, and `inout` so that it is not copied.
  @inline(__always)
  private mutating func take(
    _ run: inout SmoothRun, at now: Instant, link: inout IdealLink, log: inout EventLog
  ) {
    run.flow.deliver(link.rate, until: now)
    cause = max(link.cause, run.segment.responseRecord)
    let amount = DataAmount(nanobits: UInt128(run.flow.size))
    buffer.keepStream(amount)
    if buffer.readsFillRate {
      buffer.followSingle(0, .zero, isOpen: false, at: now, history: &fillHistory)
    }
    cause = log.record(
      .mediaRequestCompleted(transfer: run.flow.number, bytes: run.segment.size), at: now,
      cause: cause, player: index)
    flowCause = cause
    run.take(at: now)
    if run.variant != arrivedVariant { noteArrived(run.variant, at: now, log: &log) }
    buffer.moveStreamEdge(to: run.edge, at: now)
    let playhead = currentTime(at: now)
    if buffer.needsRemaining { buffer.setRemaining(run.remaining) }
    let old = buffer.facts
    buffer.cachedFacts = nil
    let new =
      run.marks?.facts(edge: run.edge, playhead: playhead)
      ?? buffer.facts(at: now, playhead: playhead)
    buffer.cachedFacts = new.intersection([.likely, .verdict])
    if new == old { return }
    buffer.facts = new
    recordSmoothFacts(&run, from: old, to: new, at: now, log: &log)
    buffer.isSuspended = new.contains(.full)
  }

  /// The playhead has come to the mark at which a full buffer is read into again.
  private mutating func readAgain(_ run: inout SmoothRun, at now: Instant, log: inout EventLog) {
    let old = buffer.facts
    let new = buffer.facts(at: now, playhead: currentTime(at: now))
    buffer.facts = new
    recordSmoothFacts(&run, from: old, to: new, at: now, log: &log)
    buffer.isSuspended = new.contains(.full)
  }

  /// Records what `recordFacts` does of a stream of which one stretch is loaded.
  @inline(__always)
  private mutating func recordSmoothFacts(
    _ run: inout SmoothRun, from old: BufferFacts, to new: BufferFacts, at now: Instant,
    log: inout EventLog
  ) {
    let changed = old.symmetricDifference(new)
    guard changed.isSubset(of: [.full, .likely, .verdict]) else {
      stream?.extend(run)
      recordFacts(from: old, to: new, at: now, log: &log)
      return
    }
    cause = flowCause
    let end = min(run.edge, buffer.duration)
    if end != recordedEnd {
      recordedEnd = end
      tell(.loadedTimeRange(index: 0, count: 1, start: run.start, end: end), now, &log)
    }
    var latest = cause
    if changed.contains(.full) {
      latest = tell(.isPlaybackBufferFull(new.contains(.full)), now, &log)
    }
    if changed.contains(.likely) {
      latest = tell(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &log)
    }
    cause = latest
  }

  /// Asks for the next segment; returns false if that is for the general way.
  @inline(__always)
  private mutating func request(
    _ run: inout SmoothRun, _ isResumed: Bool, at now: Instant, link: inout IdealLink,
    log: inout EventLog
  ) -> Bool {
    if buffer.isSuspended { return false }
    let estimate = run.readsFillRate ? fillEstimate(at: now) : nil
    guard run.enterNext(estimate, playhead: currentTime(at: now), at: now) else { return false }
    run.flow = link.reopenSingle(run.segment.size, at: now)
    if run.variant != recordedVariant {
      noteRequested(run.variant, run.estimate(estimate), at: now, log: &log)
    }
    meter.mediaRequestCount += 1
    cause = log.record(
      .segmentRequest(
        transfer: run.flow.number, size: run.segment.size, list: Int32(run.segment.list),
        segment: Int32(run.segment.number)), at: now,
      cause: cause, player: index)
    if isResumed || buffer.readsFillRate {
      buffer.followSingle(0, .zero, isOpen: true, at: now, history: &fillHistory)
    }
    return true
  }

  /// Records an event, of a case that is known where it is written, with the present cause.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  @inline(__always)
  @discardableResult
  private mutating func tell(_ event: Event, _ now: Instant, _ log: inout EventLog) -> Int {
    log.record(event, at: now, cause: cause, player: index)
  }
}
