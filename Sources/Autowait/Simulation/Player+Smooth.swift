extension Player {
  /// Lives through the events of a stream that plays smoothly: changes of the link's rate, first
  /// bytes, segments that arrive, and the requests for the next ones.
  ///
  /// They are nearly all events of a session, and need neither the queue nor a plan. Everything
  /// here is what the general way comes to, in the same order; a law test holds the two together.
  /// Returns the number of events that were lived through, zero if the first one is for the general
  /// way. The caller settles the player: what comes after the last may have to be asked for.
  mutating func liveThroughSegments(
    now: inout Instant, notAfter limit: Instant, countMax: Int, link: inout Link,
    trace: inout Trace
  ) -> Int {
    guard isSmooth(at: now), var flow = link.singleFlow, var segment = stream?.smoothSegment else {
      return 0
    }
    let end = turnOfPlayhead(after: now)
    var bound = smoothBound(limit, end, at: now)
    var count = 0
    while count < countMax {
      let isRate = flow.isFlowing && !link.brings(flow)
      let next = isRate ? link.nextRateChange : flow.nextInstant(link.rate)
      if next > bound { break }
      if isRate {
        changeRate(&flow, at: next, link: &link, trace: &trace)
      } else if !flow.isFlowing {
        // What the link came to while nothing flowed is for the general way.
        if link.rate == .zero || link.nextTrackChange <= next { break }
        beginResponse(&flow, &segment, at: next, link: &link, trace: &trace)
      } else {
        // The last segment, and one that comes as the rate changes, are for the general way.
        guard next < link.nextRateChange, stream?.isFollowed(segment) == true else { break }
        link.setSingleFlow(flow)
        take(segment, flow, at: next, link: &link, trace: &trace)
        now = next
        count += 1
        if buffer.isSuspended {
          let resume = timebase.instant(of: buffer.streamMarks.resume ?? .zero, from: now)
          if count == countMax || resume <= now || resume > limit || resume >= end { return count }
          now = resume
          count += 1
          readAgain(at: now, trace: &trace)
        }
        guard let request = request(at: now, link: &link, trace: &trace),
          let opened = link.singleFlow
        else { return count }
        (segment, flow) = (request, opened)
        bound = smoothBound(limit, end, at: now)
        continue
      }
      now = next
      count += 1
    }
    link.setSingleFlow(flow)
    return count
  }

  /// Whether nothing is going on but that a stream plays and its next segment comes.
  private func isSmooth(at now: Instant) -> Bool {
    buffer.isStream && prepared.isEmpty && seek == nil && rebuiltAt == nil && pipeline?.build == nil
      && hostTime == nil
      && phase.isPlaying && timebase.rate == .normal && timebase.start <= now
      && buffer.judgement != nil && item?.isPrerolling == false
      && buffer.facts.contains(.ready) && buffer.facts.isDisjoint(with: [.empty, .full, .atEnd])
      && !buffer.isSuspended
  }

  /// The last instant before the playhead, or a timer, would be the next thing to look at.
  private mutating func smoothBound(_ limit: Instant, _ end: Instant, at now: Instant) -> Instant {
    let edge = timebase.instant(of: buffer.streamMarks.edge, from: now)
    let first = min(end, edge, nextStreamTimer(after: now))
    return min(limit, Instant(nanoseconds: first.nanoseconds - 1))
  }

  @inline(__always)
  private mutating func changeRate(
    _ flow: inout SingleFlow, at now: Instant, link: inout Link, trace: inout Trace
  ) {
    flow.deliver(link.rate, until: now)
    let before = link.rate
    link.enterNextRate()
    if link.rate != before {
      link.cause = trace.record(.linkRate(link.rate), at: now, cause: link.cause)
      followLink(link.cause)
    }
    buffer.followSingle(flow.delivered, link.rate, isOpen: true, at: now, history: &fillHistory)
  }

  private mutating func beginResponse(
    _ flow: inout SingleFlow, _ segment: inout SmoothSegment, at now: Instant, link: inout Link,
    trace: inout Trace
  ) {
    flow.begin(at: now)
    let number = record(.mediaResponse(transfer: flow.number), now, &trace)
    (cause, flowCause) = (number, number)
    segment.responseRecord = number
    stream?.noteResponse(flow.number, record: number, at: now)
    buffer.followSingle(0, link.rate, isOpen: true, at: now, history: &fillHistory)
  }

  private mutating func take(
    _ segment: SmoothSegment, _ flow: SingleFlow, at now: Instant, link: inout Link,
    trace: inout Trace
  ) {
    link.closeSingle(at: now)
    cause = max(link.cause, segment.responseRecord)
    buffer.keepStream(Work(nanobits: UInt128(flow.size)))
    buffer.followSingle(0, .zero, isOpen: false, at: now, history: &fillHistory)
    let size = Work(nanobits: UInt128(flow.size)).begunBytes
    cause = record(.mediaRequestCompleted(transfer: flow.number, bytes: size), now, &trace)
    flowCause = cause
    guard let edge = stream?.takeSmooth(segment, at: now) else { return }
    noteArrivedVariant(at: now, trace: &trace)
    buffer.moveStreamEdge(to: edge, at: now)
    let playhead = currentTime(at: now)
    if buffer.needsOutlook, let outlook = stream?.outlook(from: playhead, edge: edge) {
      buffer.setOutlook(outlook)
    }
    let old = buffer.facts
    buffer.judgement = nil
    let new = buffer.facts(at: now, playhead: playhead)
    buffer.judgement = new.intersection([.likely, .verdict])
    if new == old { return }
    buffer.facts = new
    recordFacts(from: old, to: new, at: now, trace: &trace)
    buffer.isSuspended = new.contains(.full)
  }

  /// The playhead has come to the mark at which a full buffer is read into again.
  private mutating func readAgain(at now: Instant, trace: inout Trace) {
    let old = buffer.facts
    let new = buffer.facts(at: now, playhead: currentTime(at: now))
    buffer.facts = new
    recordFacts(from: old, to: new, at: now, trace: &trace)
    buffer.isSuspended = new.contains(.full)
  }

  /// Asks for the next segment; nil if that is for the general way.
  private mutating func request(
    at now: Instant, link: inout Link, trace: inout Trace
  ) -> SmoothSegment? {
    if buffer.isSuspended { return nil }
    let estimate = stream?.needsFillRate == true ? fillEstimate(at: now) : nil
    guard var next = stream?.nextSmooth(estimate, at: now) else { return nil }
    noteRequestedVariant(at: now, trace: &trace)
    meter.mediaRequestCount += 1
    let transfer = link.open(Work(next.size), for: index, at: now)
    next.opened = now
    stream?.beginSmooth(next, transfer: transfer)
    cause = record(
      .segmentRequest(
        transfer: transfer, size: next.size, list: Int32(next.list), segment: Int32(next.number)),
      now, &trace)
    buffer.followSingle(0, .zero, isOpen: true, at: now, history: &fillHistory)
    return next
  }
}
