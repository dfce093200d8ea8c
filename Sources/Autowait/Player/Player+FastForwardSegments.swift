extension Player {
  /// Lives through the events of a stream that plays smoothly: changes of the link's rate, first
  /// bytes, segments that arrive, and the requests for the next ones.
  ///
  /// They are nearly all events of a session, and need neither the queue nor a plan. Everything
  /// here is what the general way does, in the same order; a law test holds the two together.
  /// Returns the number of events that were lived through, zero if the first one is for the general
  /// way. A player is stirred of which the last one left something to do.
  mutating func fastForwardSegments(
    notAfter limit: Instant, countMax: Int, in moment: inout Moment
  ) -> Int {
    guard let flow = moment.network.link.singleFlow, source.stream.mayFastForward(at: moment.now)
    else { return 0 }
    let (now, end) = (moment.now, turnOfPlayhead(after: moment.now))
    let first = fastForwardBound(limit, end, at: now)
    var run = FastForward(
      of: &source.stream, flow, request: 0, bound: first,
      asksToKeepUp: source.buffer.isRuleLinear)
    run.marks = phase.isPlaying ? source.buffer.marks : nil
    (run.resumesAt, run.endTime, run.endsAt) = (source.buffer.resumesAt, source.buffer.endTime, end)
    if !source.buffer.readsFillRate { source.buffer.leaveActive(from: run.flow.anchor) }
    (run.switchesAt, run.unlikelyAt) = (switchInstant(after: now), unlikelyInstant(after: now))
    var count = 0
    while count < countMax {
      if run.flow.isFlowing {
        count += passRateChanges(&run, countMax: countMax - count, in: &moment)
        if count == countMax || run.isTurning { break }
      }
      let next = run.flow.nextInstant(moment.network.link.rate)
      if run.asksToKeepUp, !keepsVerdict(&run, before: next, at: moment.now) { break }
      let isNext = run.isNext(next)
      if !isNext, turnsUnlikely(&run, before: next, in: &moment) {
        count += 1
        continue
      }
      if !isNext, run.nextLook <= min(next, run.asksAt) {
        guard look(&run, before: min(next, run.asksAt), in: &moment) else { break }
        count += 1
        continue
      }
      if !isNext, run.asksAt < next, run.asksAt <= run.limit {
        assert(run.asksAt >= moment.now, "a rule is asked for \(run.asksAt.nanoseconds) too late")
        (moment.now, count) = (run.asksAt, count + 1)
        guard let other = ask(&run, in: moment) else { continue }
        leave(&run, in: &moment)
        source.stream.load(other, insteadOf: run.segment.number, at: moment.now)
        abandon(run.flow.number, in: &moment)
        isStirred = true
        return count
      }
      if next > run.limit {
        return leave(&run, atEdgeBefore: next, notAfter: limit, in: &moment) ? count + 1 : count
      }
      if !run.flow.isFlowing {
        guard beginResponse(&run, at: next, in: &moment) else { break }
      } else {
        // The last segment, and one that comes as the rate changes, are for the general way.
        guard next < moment.network.link.nextTrackChange, run.isFollowed else { break }
        moment.now = next
        count += 1
        guard take(&run, in: &moment) else { return finish(&run, count, in: &moment) }
        let isResumed = source.buffer.isSuspended
        if isResumed, !waitForRoom(&run, notAfter: limit, &count, countMax, in: &moment) {
          return finish(&run, count, in: &moment)
        }
        guard request(&run, isResumed, in: &moment) else {
          return finish(&run, count, in: &moment)
        }
        run.bound = fastForwardBound(limit, &run, at: moment.now)
        run.unlikelyAt = unlikelyInstant(after: moment.now)
        continue
      }
      moment.now = next
      count += 1
    }
    leave(&run, in: &moment)
    return count
  }

  /// Leaves the loop with a segment under way.
  private mutating func leave(_ run: inout FastForward, in moment: inout Moment) {
    moment.network.link.setSingleFlow(run.flow)
    if !source.buffer.readsFillRate { tellMeter(&run, moment.network.link.rate) }
    source.stream.restore(&run, isOpen: true)
  }

  /// Leaves the loop with a segment under way, where the playhead runs into the edge if that is
  /// what comes next, with the player stirred; returns whether it is.
  private mutating func leave(
    _ run: inout FastForward, atEdgeBefore next: Instant, notAfter limit: Instant,
    in moment: inout Moment
  ) -> Bool {
    let edge = timebase.instant(of: source.buffer.streamMarks.edge, from: moment.now)
    let isNext =
      Instant(nanoseconds: edge.nanoseconds - 1) == run.limit && edge > moment.now && edge <= limit
      && edge < min(next, run.nextLook, moment.network.link.nextTrackChange)
    if isNext { moment.now = edge }
    leave(&run, in: &moment)
    if isNext { isStirred = true }
    return isNext
  }

  /// Lets the playhead reach another variant, or looks whether data comes; returns false, with
  /// nothing done, if that is for the general way, as is what comes at the same instant.
  private mutating func look(
    _ run: inout FastForward, before next: Instant, in moment: inout Moment
  ) -> Bool {
    let look = run.nextLook
    guard look < next, look <= run.limit, look < moment.network.link.nextTrackChange else {
      return false
    }
    assert(look >= moment.now, "what was due at \(look.nanoseconds) ns was passed over")
    if look != run.switchesAt {
      guard run.lookAtSegment(moment.network.link.rate) else { return false }
      moment.now = look
    } else {
      if look == run.segment.looksAt { return false }
      moment.now = look
      playOther(&run, isReading: true, in: &moment)
    }
    return true
  }

  /// Lets a rule that asks for media ahead alone say otherwise; returns false, with nothing done,
  /// if it says the same before anything else comes, or if something comes at the same instant.
  @inline(__always)
  private mutating func turnsUnlikely(
    _ run: inout FastForward, before next: Instant, in moment: inout Moment
  ) -> Bool {
    let turn = run.unlikelyAt
    guard turn < min(next, run.asksAt, run.nextLook), turn <= run.timerLimit,
      turn < moment.network.link.nextTrackChange
    else { return false }
    assert(turn >= moment.now, "the rule turned at \(turn.nanoseconds) ns, which has passed")
    moment.now = turn
    readAgain(&run, in: &moment)
    run.unlikelyAt = unlikelyInstant(after: turn)
    return true
  }

  /// Goes on to when a full buffer is read into again; returns false if something else may come
  /// first.
  @inline(__always)
  private mutating func waitForRoom(
    _ run: inout FastForward, notAfter limit: Instant, _ count: inout Int, _ countMax: Int,
    in moment: inout Moment
  ) -> Bool {
    pause(at: moment.now)
    // Without a mark it is never read into again.
    let mark = source.buffer.streamMarks.resume ?? .zero
    let resume = timebase.instant(of: mark, from: moment.now)
    let unlikely = unlikelyInstant(after: moment.now)
    count += playOthers(
      &run, before: min(resume, unlikely), notAfter: limit, countMax: countMax - count,
      in: &moment)
    guard count < countMax, resume > moment.now, resume <= limit,
      resume < min(run.endsAt, run.switchesAt, unlikely),
      !run.asksToKeepUp || keepsVerdict(&run, from: moment.now, to: resume)
    else { return false }
    moment.now = resume
    count += 1
    if source.buffer.needsRemaining {
      countRemaining(&run, playhead: currentTime(at: resume), at: resume)
    }
    readAgain(&run, in: &moment)
    return true
  }

  /// Lets the playhead reach other variants while nothing is loaded, as far as it does before
  /// anything else; returns how often it did.
  @inline(__always)
  private mutating func playOthers(
    _ run: inout FastForward, before first: Instant, notAfter limit: Instant, countMax: Int,
    in moment: inout Moment
  ) -> Int {
    var count = 0
    while run.switchesAt > moment.now, run.switchesAt < first, run.switchesAt <= limit,
      count < countMax
    {
      if run.asksToKeepUp, !keepsVerdict(&run, from: moment.now, to: run.switchesAt) { break }
      moment.now = run.switchesAt
      playOther(&run, isReading: false, in: &moment)
      count += 1
    }
    return count
  }

  /// The playhead has come to where another variant plays.
  @inline(never)
  private mutating func playOther(
    _ run: inout FastForward, isReading: Bool, in moment: inout Moment
  ) {
    source.stream.addPiece(&run)
    if source.buffer.readsFillRate || !isReading {
      _ = followPlayed(in: &moment)
    } else {
      tellMeter(&run, moment.network.link.rate)
      _ = followPlayed(in: &moment)
      source.buffer.leaveActive(from: run.flow.anchor)
    }
    run.switchesAt = switchInstant(after: moment.now)
  }

  /// Tells the meter how the segment comes, of whose time in transfer it has taken no note.
  private mutating func tellMeter(_ run: inout FastForward, _ rate: BitRate) {
    source.buffer.addActive(run.flow.takeActive())
    source.buffer.followSingle(
      run.flow.delivered, run.flow.isFlowing ? rate : .zero, isOpen: true, at: run.flow.anchor)
  }

  /// Asks the rule whether to give the segment up; returns the variant that it wants instead.
  @inline(always)
  private mutating func ask(_ run: inout FastForward, in moment: borrowing Moment) -> Int? {
    source.stream.abandonment(
      &run, moment.network.link.rate, playhead: currentTime(at: moment.now), at: moment.now)
  }

  /// Lives through the changes of the rate that come before the end of the segment.
  @inline(__always)
  private mutating func passRateChanges(
    _ run: inout FastForward, countMax: Int, in moment: inout Moment
  ) -> Int {
    var count = 0
    // Nothing else is due up to there, but the end of the segment.
    let last = min(run.limit, run.asksAt, Instant(nanoseconds: run.nextLook.nanoseconds - 1))
    while count < countMax {
      // The link's condition holds until after the bound.
      let next = moment.network.link.nextTrackChange
      if next > last || run.flow.isBrought(by: moment.network.link.rate, until: next) { break }
      if run.asksToKeepUp, !keepsVerdict(&run, from: moment.now, to: next) {
        run.isTurning = true
        break
      }
      moment.now = next
      changeRate(&run.flow, in: &moment)
      count += 1
    }
    return count
  }

  /// Leaves the loop behind a segment, with nothing under way.
  private mutating func finish(
    _ run: inout FastForward, _ count: Int, in moment: inout Moment
  ) -> Int {
    pause(at: moment.now)
    noteSpare(of: run.flow, isDelayed: moment.network.link.isDelayed)
    moment.network.link.closeSingle(run.flow)
    source.stream.restore(&run, isOpen: false)
    isStirred = true
    return count
  }

  /// Takes note of what the link has to spare behind a segment; nothing that has come is no
  /// evidence.
  @inline(__always)
  private mutating func noteSpare(of flow: SingleFlow, isDelayed: Bool) {
    if flow.size == 0 { return }
    let spare = isDelayed ? 0 : flow.spare
    source.buffer.noteSpare(DataAmount(nanobits: UInt128(spare)), at: flow.anchor)
    source.stream.noteBrought(flow.number, of: 0)
  }

  /// Takes note that nothing is asked for any more, if the meter was not told with the segment.
  ///
  /// Without a window it need not know how each segment came: the totals are the same.
  @inline(__always)
  private mutating func pause(at now: Instant) {
    if source.buffer.readsFillRate { return }
    source.buffer.followSingle(0, .zero, isOpen: false, at: now)
  }

  /// When a rule that asks for media ahead alone says otherwise, if nothing comes until then.
  @inline(always)
  private func unlikelyInstant(after now: Instant) -> Instant {
    source.buffer.unlikelyFrom.map { timebase.instant(of: $0, from: now) } ?? .never
  }

  /// Whether AVFoundation's rule says the same until the next event of the loop for certain.
  private mutating func keepsVerdict(
    _ run: inout FastForward, before next: Instant, at now: Instant
  ) -> Bool {
    let first = min(next, run.asksAt, run.nextLook)
    // A response may be due that an outage holds up.
    return first <= run.limit && (first <= now || keepsVerdict(&run, from: now, to: first))
  }

  /// Whether AVFoundation's rule says the same up to an instant for certain.
  private mutating func keepsVerdict(
    _ run: inout FastForward, from now: Instant, to next: Instant
  ) -> Bool {
    source.buffer.keepsVerdict(from: now, to: next, timebase, &run.keepUpLook)
  }

  /// The last instant before the playhead, or a timer, would be the next thing to look at.
  @inline(always)
  private func fastForwardBound(_ limit: Instant, _ end: Instant, at now: Instant) -> Instant {
    let edge = timebase.instant(of: source.buffer.streamMarks.edge, from: now)
    var first = min(end, edge)
    // A rule that is asked is asked in the loop.
    if !source.stream.asksToAbandon {
      first = min(first, source.stream.abandonment(bufferEnd: edge))
    }
    return min(limit, Instant(nanoseconds: first.nanoseconds - 1))
  }

  /// The same, for a segment that was asked for just now; its timeout is the run's.
  @inline(__always)
  private mutating func fastForwardBound(
    _ limit: Instant, _ run: inout FastForward, at now: Instant
  ) -> Instant {
    let edge = timebase.instant(of: source.buffer.streamMarks.edge, from: now)
    var first = min(run.endsAt, edge)
    if run.readsFillRate {
      first = min(first, source.stream.abandonment(&run, bufferEnd: edge, at: now))
    }
    return min(limit, Instant(nanoseconds: first.nanoseconds - 1))
  }

  @inline(__always)
  private mutating func changeRate(_ flow: inout SingleFlow, in moment: inout Moment) {
    flow.deliver(moment.network.link.rate, until: moment.now)
    let before = moment.network.link.rate
    moment.network.link.enterNextRate()
    if moment.network.link.rate != before {
      moment.network.link.cause = moment.log.record(
        .linkRate(moment.network.link.rate), at: moment.now, cause: moment.network.link.cause)
      moment.followLink()
    }
    if source.buffer.readsFillRate {
      source.buffer.followSingle(
        flow.delivered, moment.network.link.rate, isOpen: true, at: moment.now
      )
    }
  }

  /// Lets the response begin; returns false, with nothing done, if that is for the general way.
  private mutating func beginResponse(
    _ run: inout FastForward, at now: Instant, in moment: inout Moment
  ) -> Bool {
    let before = moment.network.link.rate
    if moment.network.link.nextTrackChange <= now {
      guard moment.network.link.passChanges(to: now) else { return false }
      if moment.network.link.rate != before {
        moment.network.link.cause = moment.log.record(
          .linkRate(moment.network.link.rate), at: now, cause: moment.network.link.cause)
      }
    } else if before == .zero {
      return false
    }
    moment.now = now
    run.flow.begin(at: now)
    let number = moment.record(.mediaResponse(transfer: run.flow.number), isInLoop: true)
    (moment.cause, moment.flowCause) = (number, number)
    (run.segment.responseRecord, run.segment.responded) = (number, now)
    source.stream.noteResponse(&run, at: now)
    if source.buffer.readsFillRate {
      source.buffer.followSingle(
        run.flow.delivered, moment.network.link.rate, isOpen: true, at: now)
    }
    return true
  }

  /// The segment has come; returns false if a player that waits is to react to it.
  ///
  /// The link is not changed, and `inout` so that it is not copied. It is apart from the loop,
  /// which needs a seventh more instructions with it (measured).
  @inline(never)
  private mutating func take(_ run: inout FastForward, in moment: inout Moment) -> Bool {
    run.flow.deliver(moment.network.link.rate, until: moment.now)
    moment.cause = max(moment.network.link.cause, run.segment.responseRecord)
    let amount = DataAmount(nanobits: UInt128(run.flow.size))
    source.buffer.keepStream(amount)
    countRequest(isExpensive: run.segment.isExpensive)
    if !source.buffer.readsFillRate { source.buffer.addActive(run.flow.takeActive()) }
    if source.buffer.readsFillRate {
      source.buffer.followSingle(0, .zero, isOpen: false, at: moment.now)
      noteSpare(of: run.flow, isDelayed: moment.network.link.isDelayed)
    }
    moment.cause = moment.record(
      .mediaRequestCompleted(transfer: run.flow.number, bytes: run.segment.size), isInLoop: true)
    moment.flowCause = moment.cause
    if run.variant != source.arrivedVariant {
      noteArrived(run.variant, in: &moment)
      // What is loaded up to here plays in one variant if no switch ahead is known.
      if source.played.until == nil { source.played.until = run.edge }
      run.switchesAt = switchInstant(after: moment.now)
    }
    let playhead = currentTime(at: moment.now)
    source.stream.take(&run, at: moment.now, playhead: playhead)
    run.keepUpLook.instant = .never
    source.buffer.moveStreamEdge(to: run.edge, at: moment.now)
    if source.buffer.countsData {
      source.buffer.sizeMarks = source.stream.sizeMarks(
        &run, source.buffer.policy, playhead: playhead)
    }
    if source.buffer.needsRemaining { countRemaining(&run, playhead: playhead, at: moment.now) }
    if run.asksToKeepUp {
      source.buffer.holdVerdict(at: moment.now, timebase, &run.keepUpLook)
    }
    let old = source.buffer.facts
    let new =
      run.marks?.facts(
        edge: run.edge, playhead: playhead, fullUntil: source.buffer.sizeMarks.fullUntil)
      ?? facts(at: moment.now)
    source.buffer.likelyHoldsUntil = .start
    if new == old { return true }
    if !phase.isPlaying { return false }
    source.buffer.facts = new
    recordFacts(&run, from: old, to: new, in: &moment)
    source.buffer.isSuspended = new.contains(.full)
    return true
  }

  /// Counts what is still to come, in the variant that is about to be asked for.
  private mutating func countRemaining(
    _ run: inout FastForward, playhead: MediaTime, at now: Instant
  ) {
    let edge = ByteMap.positionInStream(of: run.edge)
    if edge < source.buffer.endPosition, !source.buffer.isFull(edge, Playhead(time: playhead)) {
      let estimate = run.readsFillRate ? source.fillEstimate(at: now) : nil
      source.stream.chooseNext(&run, estimate, playhead: playhead, at: now)
    }
    source.setRemaining(
      run.shared.remaining(
        of: run.variant, from: run.edge, near: run.segment.number + 1, to: run.endTime,
        after: source.stream.tracks[0].initialization),
      of: run.variant)
    run.keepUpLook.instant = .never
  }

  /// The playhead has reached a mark of the buffer.
  private mutating func readAgain(_ run: inout FastForward, in moment: inout Moment) {
    let (old, playhead) = (source.buffer.facts, currentTime(at: moment.now))
    // A suspended buffer is read into from here on. Of data, that is told by another mark than that
    // of the full one; and a mark of media may lie where playback stalls.
    let isOfData = source.buffer.isSuspended && source.buffer.countsData
    let marks = isOfData || playhead >= source.buffer.streamMarks.edge ? nil : run.marks
    let new =
      marks?.facts(
        edge: run.edge, playhead: playhead, fullUntil: source.buffer.sizeMarks.fullUntil)
      ?? facts(at: moment.now)
    source.buffer.facts = new
    recordFacts(&run, from: old, to: new, in: &moment)
    source.buffer.isSuspended = new.contains(.full)
  }

  /// Records what `recordFacts` does of a stream of which one stretch is loaded.
  @inline(__always)
  private mutating func recordFacts(
    _ run: inout FastForward, from old: BufferFacts, to new: BufferFacts, in moment: inout Moment
  ) {
    noteStartup(new, at: moment.now)
    if recordMarks(from: old, to: new, start: run.start, edge: run.edge, in: &moment) { return }
    source.stream.extend(run)
    recordFacts(from: old, to: new, in: &moment)
  }

  /// Records what changes at marks of a buffer of which one stretch is loaded; returns false, with
  /// nothing done, if more changes.
  @inline(__always)
  mutating func recordMarks(
    from old: BufferFacts, to new: BufferFacts, start: MediaTime, edge: MediaTime,
    in moment: inout Moment
  ) -> Bool {
    let changed = old.symmetricDifference(new)
    if !changed.isSubset(of: [.full, .likely, .verdict]) { return false }
    moment.cause = moment.flowCause
    let end = min(edge, source.buffer.duration)
    if end != source.recordedEnd {
      source.recordedEnd = end
      moment.record(.loadedTimeRange(index: 0, count: 1, start: start, end: end))
    }
    var latest = moment.cause
    if changed.contains(.full) {
      latest = moment.record(.isPlaybackBufferFull(new.contains(.full)))
    }
    if changed.contains(.likely) {
      latest = moment.record(.isPlaybackLikelyToKeepUp(new.contains(.likely)))
    }
    moment.cause = latest
    return true
  }

  /// Asks for the next segment; returns false if that is for the general way.
  @inline(__always)
  private mutating func request(
    _ run: inout FastForward, _ isResumed: Bool, in moment: inout Moment
  ) -> Bool {
    if source.buffer.isSuspended { return false }
    let estimate = run.readsFillRate ? source.fillEstimate(at: moment.now) : nil
    let now = moment.now
    // Only a modelled rule asks where the playhead is.
    let playhead = source.stream.drivers.isEmpty ? .zero : currentTime(at: now)
    guard source.stream.enterNext(&run, estimate, playhead: playhead, at: now) else {
      return false
    }
    moment.network.link.reopenSingle(&run.flow, run.segment.size, at: moment.now)
    if run.variant != source.recordedVariant {
      let measured = run.readsFillRate ? estimate : source.stream.throughput.estimate
      noteRequested(run.variant, measured, in: &moment)
      run.switchBitrate = source.stream.switchEstimate?.bitRate
    }
    run.segment.isExpensive = limits.isExpensive
    meter.requestCount += 1
    moment.cause = moment.record(
      .segmentRequest(
        transfer: run.flow.number, size: run.segment.size, list: Int32(run.segment.list),
        segment: Int32(run.segment.number)), isInLoop: true)
    if isResumed || source.buffer.readsFillRate {
      source.buffer.followSingle(run.flow.delivered, .zero, isOpen: true, at: moment.now)
    }
    return true
  }
}
