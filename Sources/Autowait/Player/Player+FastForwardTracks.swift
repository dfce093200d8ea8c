extension Player {
  /// Lives through the events of a stream with sound of its own that plays smoothly, as
  /// ``fastForwardSegments(notAfter:countMax:in:)`` does through those of a stream of one track.
  ///
  /// Both tracks have the link at once. It is moved as the general way moves it; what the player
  /// does about it is done without a look at what cannot have changed.
  mutating func fastForwardTracks(
    notAfter limit: Instant, countMax: Int, in moment: inout Moment
  ) -> Int {
    guard hasTracksToFollow, source.buffer.marks != nil,
      source.stream.requests.count == moment.network.link.transferCount,
      !source.stream.requests.isEmpty, source.stream.mayFastForwardTracks(at: moment.now)
    else { return 0 }
    var run = beginTracks(notAfter: limit, at: moment.now)
    var count = 0
    while count < countMax, !run.isOver {
      moment.network.link.giveSpare()
      let next = moment.network.link.nextChange()
      let turn = run.nextTurn
      // What comes at one instant with something else is for the general way.
      if turn == next || min(turn, next) > run.limit { break }
      if count == 0 { leaveActive(&run, from: moment.network.link.anchor) }
      if turn < next {
        guard self.turn(&run, at: turn, in: &moment) else { break }
      } else {
        advance(&run, to: next, in: &moment)
      }
      replan(&run, notAfter: limit, at: moment.now)
      count += 1
    }
    endTracks(&run, &moment.network.link)
    return count
  }

  /// Whether nobody looks at how fast the media of the buffer comes, or how much data it is.
  @inline(__always)
  var hasTracksToFollow: Bool {
    !source.buffer.readsFillRate && !source.buffer.countsData
      && configuration.keepUp.pictureGrace == .zero
  }

  /// Takes in its hands what a loop that shares the link changes; `endTracks` returns it.
  mutating func beginTracks(notAfter limit: Instant, at now: Instant) -> FastForwardTracks {
    var run = FastForwardTracks(of: &source.stream, at: now)
    run.picture.marks = phase.isPlaying ? source.buffer.marks : nil
    run.picture.resumesAt = source.buffer.resumesAt
    run.picture.endsAt = turnOfPlayhead(after: now)
    run.picture.switchesAt = switchInstant(after: now)
    replan(&run, notAfter: limit, at: now)
    return run
  }

  /// Lets the loop count the time in which data comes: something is to happen in it.
  mutating func leaveActive(_ run: inout FastForwardTracks, from anchor: Instant) {
    source.buffer.leaveActive(from: anchor)
    run.beginCounting(from: anchor)
  }

  /// Takes over what has become of the stream, and how its segments come.
  mutating func endTracks(_ run: inout FastForwardTracks, _ link: inout IdealLink) {
    if run.countsActive { tellMeter(&run, &link) }
    source.stream.restore(&run)
    for place in 0..<link.transferCount where link.player(in: place) == index {
      _ = source.stream.follow(link.transfer(in: place), at: link.anchor)
    }
  }

  /// Finds the next instants at which the playhead's place matters.
  @inline(__always)
  mutating func replan(
    _ run: inout FastForwardTracks, notAfter limit: Instant, at now: Instant
  ) {
    let marks = source.buffer.streamMarks
    let first = min(run.picture.endsAt, timebase.instant(of: marks.edge, from: now))
    run.picture.bound = min(limit, Instant(nanoseconds: first.nanoseconds - 1))
    run.picture.unlikelyAt =
      source.buffer.unlikelyFrom.map { timebase.instant(of: $0, from: now) } ?? .never
    run.resumesAt = .never
    if source.buffer.isSuspended, let resume = marks.resume {
      run.resumesAt = timebase.instant(of: resume, from: now)
      if run.resumesAt <= now { (run.isOver, isStirred) = (true, true) }
    }
  }

  /// Tells the meter how the segments come, of which it has taken no note.
  private mutating func tellMeter(_ run: inout FastForwardTracks, _ link: inout IdealLink) {
    run.countActive(link.rate, until: link.anchor)
    source.buffer.addActive(run.takeActive())
    if run.isIdle { return }
    var (delivered, share) = (DataAmount.zero, FlowShare.none)
    for place in 0..<link.transferCount where link.player(in: place) == index {
      let transfer = link.transfer(in: place)
      delivered += transfer.delivered
      share = share.joined(by: transfer.share)
    }
    source.buffer.followStream(delivered, share, isOpen: true, at: link.anchor)
  }

  /// Lets the playhead come to something, or looks whether data comes; returns false, with nothing
  /// done, if that is for the general way.
  mutating func turn(
    _ run: inout FastForwardTracks, at turn: Instant, in moment: inout Moment
  ) -> Bool {
    assert(turn >= moment.now, "what was due at \(turn.nanoseconds) ns was passed over")
    if run.looksAt == turn {
      if run.turnsAt == turn { return false }
      let isInTime = run.look(at: turn, moment.network.link.rate)
      if isInTime { moment.now = turn }
      return isInTime
    }
    let (switches, unlikely) = (run.picture.switchesAt, run.picture.unlikelyAt)
    if turn == switches {
      if turn == unlikely || turn == run.resumesAt { return false }
      moment.now = turn
      playOther(&run, in: &moment)
      return true
    }
    let isResumed = turn == run.resumesAt
    if isResumed, turn == unlikely { return false }
    moment.now = turn
    readAgain(&run, facts(at: turn), in: &moment)
    if isResumed { requestNext(&run, in: &moment) }
    return true
  }

  /// The playhead has come to where another variant plays.
  @inline(never)
  private mutating func playOther(_ run: inout FastForwardTracks, in moment: inout Moment) {
    source.stream.addPiece(&run.picture)
    tellMeter(&run, &moment.network.link)
    _ = followPlayed(in: &moment)
    source.buffer.leaveActive(from: moment.network.link.anchor)
    run.picture.switchesAt = switchInstant(after: moment.now)
  }

  /// Moves the link to its next change, and takes what comes of it.
  @inline(__always)
  private mutating func advance(
    _ run: inout FastForwardTracks, to next: Instant, in moment: inout Moment
  ) {
    run.countActive(moment.network.link.rate, until: next)
    moment.now = next
    if moment.network.link.advance(to: next).rateChanged {
      moment.network.link.cause = moment.log.record(
        .linkRate(moment.network.link.rate), at: next, cause: moment.network.link.cause)
      if !moment.network.link.isDue(at: next) { return moment.followLink() }
    }
    var hasTaken = false
    while let number = moment.network.link.firstComplete {
      _ = moment.network.link.close(number, at: next)
      take(&run, number, in: &moment)
      hasTaken = true
    }
    while let transfer = moment.network.link.beginResponse(at: next) {
      beginResponse(&run, transfer.number, in: &moment)
    }
    if hasTaken { settleTaken(&run, in: &moment) }
  }

  /// The first byte of a segment has come.
  @inline(__always)
  mutating func beginResponse(
    _ run: inout FastForwardTracks, _ transfer: Int, in moment: inout Moment
  ) {
    let record = moment.record(.mediaResponse(transfer: transfer))
    (moment.cause, moment.flowCause) = (record, record)
    if run.begin(transfer, record: record, at: moment.now) {
      source.stream.noteResponse(&run.picture, at: moment.now)
    }
  }

  /// A segment has come.
  @inline(__always)
  mutating func take(
    _ run: inout FastForwardTracks, _ transfer: Int, in moment: inout Moment
  ) {
    let track = run.isPictureOpen && run.picture.flow.number == transfer ? 0 : 1
    let segment = track == 0 ? run.picture.segment : run.sound.segment
    moment.cause = max(moment.network.link.cause, segment.responseRecord)
    source.buffer.keepStream(DataAmount(segment.size))
    countRequest(isExpensive: segment.isExpensive)
    run.noteBrought(transfer, of: track, segment.size)
    moment.cause = moment.record(.mediaRequestCompleted(transfer: transfer, bytes: segment.size))
    moment.flowCause = moment.cause
    if track == 1 {
      run.sound.take(&source.stream.tally, run.picture.shared, at: moment.now)
    } else {
      if run.picture.variant != source.arrivedVariant {
        noteArrived(run.picture.variant, in: &moment)
        // What is loaded up to here plays in one variant if no switch ahead is known.
        if source.played.until == nil { source.played.until = run.picture.edge }
        run.picture.switchesAt = switchInstant(after: moment.now)
      }
      let playhead = currentTime(at: moment.now)
      source.stream.take(&run.picture, at: moment.now, playhead: playhead)
      run.isPictureOpen = false
    }
    source.buffer.moveStreamEdge(to: run.edge, at: moment.now)
  }

  /// Looks at the buffer behind segments that have come, and asks for the next ones.
  @inline(__always)
  mutating func settleTaken(_ run: inout FastForwardTracks, in moment: inout Moment) {
    let playhead = currentTime(at: moment.now)
    // The marks tell when a buffer becomes full, and not how long it is.
    let marks = source.buffer.isSuspended ? nil : run.picture.marks
    let known = marks?.facts(edge: run.edge, playhead: playhead, fullUntil: .zero)
    let new = known ?? facts(at: moment.now)
    // A player that waits reacts to what has changed.
    if !phase.isPlaying, new != source.buffer.facts { return leaveTaken(&run, at: moment.now) }
    readAgain(&run, new, in: &moment)
    requestNext(&run, in: &moment)
  }

  /// Takes note of what holds of the buffer.
  @inline(__always)
  private mutating func readAgain(
    _ run: inout FastForwardTracks, _ new: BufferFacts, in moment: inout Moment
  ) {
    let old = source.buffer.facts
    if new == old { return }
    source.buffer.facts = new
    noteStartup(new, at: moment.now)
    if !recordMarks(from: old, to: new, start: run.start, edge: run.edge, in: &moment) {
      source.stream.extend(run)
      recordFacts(from: old, to: new, in: &moment)
    }
    source.buffer.isSuspended = new.contains(.full)
  }

  /// Asks for what the tracks need next; what more than a segment is needed for is for the general
  /// way.
  private mutating func requestNext(_ run: inout FastForwardTracks, in moment: inout Moment) {
    if !source.buffer.isSuspended {
      while let track = run.next {
        // A track that has asked for its last segment holds the other one up no more.
        if request(&run, track, in: &moment), !run.isOver { continue }
        (run.isOver, isStirred) = (true, true)
        break
      }
    }
    noteIdle(&run, at: moment.now)
  }

  /// Leaves what segments that have come lead to, to the general way.
  mutating func leaveTaken(_ run: inout FastForwardTracks, at now: Instant) {
    (run.isOver, isStirred) = (true, true)
    noteIdle(&run, at: now)
  }

  /// Tells the meter whether anything is under way.
  @inline(__always)
  private mutating func noteIdle(_ run: inout FastForwardTracks, at now: Instant) {
    let isIdle = !run.isPictureOpen && !run.sound.isOpen
    if isIdle == run.isIdle { return }
    run.isIdle = isIdle
    source.buffer.followStream(.zero, .none, isOpen: !isIdle, at: now)
  }

  /// Asks for the next segment of a track; returns false if that is for the general way.
  @inline(__always)
  private mutating func request(
    _ run: inout FastForwardTracks, _ track: Int, in moment: inout Moment
  ) -> Bool {
    let now = moment.now
    let segment: FastForwardSegment
    if track == 0 {
      let playhead = currentTime(at: now)
      guard source.stream.enterNext(&run.picture, nil, playhead: playhead, at: now) else {
        return false
      }
      if run.picture.variant != source.recordedVariant {
        let estimate = run.picture.readsFillRate ? nil : source.stream.throughput.estimate
        noteRequested(run.picture.variant, estimate, in: &moment)
        run.picture.switchBitrate = source.stream.switchEstimate?.bitRate
      }
      run.picture.segment.isExpensive = limits.isExpensive
      segment = run.picture.segment
    } else {
      guard run.sound.enterNext(run.picture.shared, run.picture.timers, at: now) else {
        return false
      }
      run.sound.segment.isExpensive = limits.isExpensive
      segment = run.sound.segment
    }
    var before = track == 0 ? run.lastOfPicture : run.sound.last
    if let own = before, moment.network.spare(of: own, at: now) == .zero { before = nil }
    run.countActive(moment.network.link.rate, until: now)
    let transfer = moment.network.link.open(
      DataAmount(segment.size), for: index, behind: before ?? run.last, at: now)
    run.begin(transfer, of: track)
    meter.requestCount += 1
    source.startup.noteRequest(at: now)
    moment.cause = moment.record(
      .segmentRequest(
        transfer: transfer, size: segment.size, list: Int32(segment.list),
        segment: Int32(segment.number)))
    return true
  }
}
