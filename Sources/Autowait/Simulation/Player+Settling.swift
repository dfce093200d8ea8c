/// The most rounds in which a player may react to its own reactions at one instant.
private let roundsMax = 32

extension Player {
  /// Brings the player to rest at an instant: facts that changed are recorded and acted upon until
  /// nothing changes any more.
  mutating func settle(at now: Instant, network: inout Network, log: inout EventLog) {
    touched = now
    isStirred = false
    slideMeter(to: now)
    var rounds = 0
    while settleOnce(at: now, network: &network, log: &log) {
      rounds += 1
      precondition(rounds < roundsMax, "player \(index) does not come to rest")
    }
    checkInvariants()
  }

  /// Lets the fill rate's window end at an instant.
  mutating func slideMeter(to now: Instant) {
    buffer.slideMeter(to: now, history: &fillHistory)
  }

  /// Reacts to the first thing that changed; returns false when there is none.
  private mutating func settleOnce(
    at now: Instant, network: inout Network, log: inout EventLog
  ) -> Bool {
    if completePipeline(at: now, log: &log) { return true }
    if let rebuiltAt, rebuiltAt <= now {
      self.rebuiltAt = nil
      resumeTimebase(at: now, log: &log)
      return true
    }
    guard item != nil else {
      if !prepared.isEmpty, giveUpLateRequests(at: now, network: &network, log: &log) {
        return true
      }
      return loadStreams(at: now, network: &network, log: &log)
    }
    if buffer.awaitsIndex, leaveHead(at: now, network: &network, log: &log) { return true }
    if stream != nil || !prepared.isEmpty,
      giveUpLateRequests(at: now, network: &network, log: &log)
    {
      return true
    }
    if moveToSeek(at: now, network: &network, log: &log) { return true }
    if updateFacts(at: now, network: &network, log: &log) { return true }
    if stream != nil, settleLive(at: now, network: &network, log: &log) { return true }
    if stopPlayingNothing(at: now, log: &log) { return true }
    if completeSeek(at: now, log: &log) { return true }
    if item?.isPrerolling == true, !buffer.facts.contains(.empty) {
      item?.isPrerolling = false
      record(.prerollDidComplete(isFinished: true), now, &log)
      return true
    }
    if let hostTime, hostTime <= now {
      self.hostTime = nil
      record(.timebaseRate(timebase.rate, currentTime: currentTime(at: now)), now, &log)
      enterAccount(at: now)
      return true
    }
    if stream != nil || !prepared.isEmpty,
      loadStreams(at: now, network: &network, log: &log)
    {
      return true
    }
    return load(at: now, network: &network, log: &log)
  }

  private mutating func resumeTimebase(at now: Instant, log: inout EventLog) {
    guard case .playing(let wish) = phase else { return }
    timebase = timebase.with(rate: wish.rate, at: now)
    record(.timebaseRate(wish.rate, currentTime: currentTime(at: now)), now, &log)
    enterAccount(at: now)
  }

  /// Looks at the buffer; records what changed and tells the state machine.
  ///
  /// Returns whether more may follow from it.
  private mutating func updateFacts(
    at now: Instant, network: inout Network, log: inout EventLog
  ) -> Bool {
    buffer.prepareRule(for: evaluationRate)
    let old = buffer.facts
    let new = buffer.facts(at: now, playhead: currentTime(at: now))
    if old == new { return false }
    buffer.facts = new
    if new.contains(.ready), item?.status == .unknown {
      item?.status = .readyToPlay
      item?.becameReady = now
    }
    recordFacts(from: old, to: new, at: now, log: &log)
    suspendReading(at: now, network: &network, log: &log)
    let input = input(for: old, new)
    // Rows P15 and L3: a verdict moves nobody but a player that waits.
    let isVerdict = old.symmetricDifference(new).isSubset(of: [.likely, .full, .verdict])
    if isVerdict, phase.reasonForWaitingToPlay == nil { return false }
    apply(
      input, given: playbackFacts(at: now, rate: evaluationRate), at: now, log: &log)
    return true
  }

  /// Ends playback of what was known not to be there before it began.
  ///
  /// Two calls of one turn can turn a player that stands at its end round and back: no fact
  /// changes, and yet the player plays.
  private mutating func stopPlayingNothing(at now: Instant, log: inout EventLog) -> Bool {
    let facts = buffer.facts
    guard phase.isPlaying, facts.contains(.empty),
      !facts.contains(.atEnd) || actionAtItemEnd == .pause
    else { return false }
    apply(
      input(for: facts.subtracting([.empty, .atEnd]), facts),
      given: playbackFacts(at: now, rate: evaluationRate), at: now, log: &log)
    return true
  }

  /// Chooses what the state machine is told about a change of facts.
  func input(for old: BufferFacts, _ new: BufferFacts) -> PlaybackInput {
    if new.contains(.atEnd), !old.contains(.atEnd) {
      let isStart = evaluationRate < .zero && buffer.reverseEndTime == nil
      return isStart ? .reachedStartOfSeekableRange : .reachedEnd
    }
    if new.contains(.empty), !new.contains(.atEnd), phase.isPlaying { return .bufferEmptied }
    return .bufferChanged
  }

  mutating func recordFacts(
    from old: BufferFacts, to new: BufferFacts, at now: Instant, log: inout EventLog
  ) {
    let changed = old.symmetricDifference(new)
    cause = flowCause
    recordLoadedTimeRanges(at: now, log: &log)
    var latest = 0
    if changed.contains(.empty) {
      latest = record(.isPlaybackBufferEmpty(new.contains(.empty)), now, &log)
    }
    if changed.contains(.full) {
      latest = record(.isPlaybackBufferFull(new.contains(.full)), now, &log)
    }
    if changed.contains(.likely) {
      latest = record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &log)
    }
    if changed.contains(.ready) { latest = record(.itemStatus(.readyToPlay), now, &log) }
    if latest > 0 { cause = latest }
  }

  /// Records the loaded ranges if they grew since they were last recorded.
  mutating func recordLoadedTimeRanges(at now: Instant, log: inout EventLog) {
    if item == nil { return }
    let end = buffer.loadedEnd(at: now)
    if end == recordedEnd { return }
    recordedEnd = end
    if let start = item?.startOfOnlyRange {
      if start == end { return }
      record(.loadedTimeRange(index: 0, count: 1, start: start, end: end), now, &log)
      return
    }
    if let range = stream?.onlyRange {
      record(
        .loadedTimeRange(index: 0, count: 1, start: range.start, end: range.end), now, &log)
      return
    }
    let ranges = loadedTimeRanges(at: now)
    for (number, range) in ranges.enumerated() {
      record(
        .loadedTimeRange(
          index: Int32(number), count: Int32(ranges.count), start: range.start, end: range.end),
        now, &log)
    }
  }

  /// What is loaded of the current item at an instant.
  func loadedTimeRanges(at now: Instant) -> [LoadedTimeRange] {
    if let stream {
      let last = stream.streamMedia.mediaEnd ?? Limits.mediaMax
      return stream.loadedTimeRanges.compactMap {
        let start = MediaTime(place: $0.start)
        if start >= last { return nil }
        return LoadedTimeRange(start: start, end: min(MediaTime(place: $0.end), last))
      }
    }
    return item?.loadedTimeRanges(edge: buffer.edge(at: now)) ?? []
  }

  /// Stops reading when the buffer is full before everything is loaded, and goes on when it is not.
  mutating func suspendReading(
    at now: Instant, network: inout Network, log: inout EventLog
  ) {
    if stream != nil {
      buffer.isSuspended = buffer.facts.contains(.full)
      return
    }
    guard let request = item?.request else { return }
    let suspend = buffer.facts.contains(.full) && !buffer.isComplete(at: now)
    if suspend == buffer.isSuspended { return }
    let transfer = network.setSuspended(suspend, request.transfer, at: now)
    buffer.isSuspended = suspend
    follow(transfer, at: now)
    record(
      .readingSuspended(transfer: request.transfer, isSuspended: suspend), now, &log)
  }

  /// Asks for what is missing.
  private mutating func load(at now: Instant, network: inout Network, log: inout EventLog) -> Bool {
    guard let range = item?.nextRequest(from: buffer.edge(at: now)) else { return false }
    let transfer = network.open(
      range.end - range.start, for: index, route: item?.media.route ?? 0, at: now)
    item?.request = PlayerItem.ItemRequest(transfer: transfer, start: range.start)
    buffer.begin(range, at: now, history: &fillHistory)
    meter.mediaRequestCount += 1
    cause = record(
      .mediaRequest(
        transfer: transfer, from: range.start.wholeBytes,
        size: (range.end - range.start).begunBytes), now, &log)
    return true
  }

  /// Takes note of how a transfer goes on from here.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) {
    touched = max(touched, now)
    if stream != nil {
      stream?.follow(transfer)
      noteStream(at: now)
      return
    }
    // What is prepared beside a file says nothing of how the file arrives.
    if !prepared.isEmpty, item?.request?.transfer != transfer.number { return }
    buffer.follow(transfer, at: now, history: &fillHistory)
  }

  /// Takes note of the first byte of a response.
  mutating func responseBegan(_ transfer: Transfer, at now: Instant, log: inout EventLog) {
    isStirred = true
    if isOfStream(transfer.number) {
      streamResponseBegan(transfer, at: now, log: &log)
      return
    }
    cause = record(.mediaResponse(transfer: transfer.number), now, &log)
    item?.responseRecord = cause
    flowCause = cause
    buffer.hasResponded = true
  }

  /// Takes note of a response that arrived whole.
  ///
  /// Its last byte came when it did because of the response's start or the link's last change.
  mutating func transferCompleted(
    _ transfer: Transfer, linkCause: Int, at now: Instant, log: inout EventLog
  ) {
    isStirred = true
    if isOfStream(transfer.number) {
      streamTransferCompleted(transfer, linkCause: linkCause, at: now, log: &log)
      return
    }
    cause = max(linkCause, item?.responseRecord ?? 0)
    endRequest(transfer, at: now)
    cause = record(
      .mediaRequestCompleted(transfer: transfer.number, bytes: transfer.delivered.begunBytes),
      now, &log)
    flowCause = cause
  }

  /// Records how long the parts of the way to a response took that are not always needed.
  mutating func recordPhases(
    of transfer: Transfer, _ times: TransferTimes, at now: Instant, log: inout EventLog
  ) {
    for phase in [TransferPhase.domainLookup, .connect, .secureConnection] {
      guard let span = times.duration(of: phase) else { continue }
      record(.transferPhase(transfer: transfer.number, phase, span), now, &log)
    }
  }

  /// Takes note of a request that failed for good: the item fails with it.
  ///
  /// Assumed: a player that cannot load gives its item up at once, whatever is buffered.
  mutating func transferFailed(
    _ transfer: Transfer, _ failure: TransferFailure, at now: Instant, log: inout EventLog
  ) {
    isStirred = true
    if isOfStream(transfer.number) {
      streamTransferFailed(transfer, failure, at: now, log: &log)
      return
    }
    endRequest(transfer, at: now)
    cause = record(
      .mediaRequestFailed(
        transfer: transfer.number, failure: failure, bytes: transfer.delivered.wholeBytes),
      now, &log)
    fail(at: now, log: &log)
  }

  /// Gives the open request up; what has arrived of it is kept.
  mutating func cancelRequest(at now: Instant, network: inout Network, log: inout EventLog) {
    if stream != nil { cancelStream(at: now, network: &network, log: &log) }
    guard let request = item?.request else { return }
    let transfer = network.close(request.transfer, at: now)
    endRequest(transfer, at: now)
    record(
      .mediaRequestCancelled(transfer: transfer.number, bytes: transfer.delivered.wholeBytes),
      now, &log)
  }

  private mutating func endRequest(_ transfer: Transfer, at now: Instant) {
    // What an index has brought is no place for a playhead to go on from.
    let start = buffer.awaitsIndex ? .zero : item?.request?.start ?? .zero
    item?.keep(transfer)
    buffer.end(transfer, at: now, history: &fillHistory)
    buffer.awaitsIndex = item.map { $0.indexSearch != .found } ?? false
    placeEdge(at: now, notBefore: start)
  }

  /// Finds the edge of what is loaded around the playhead when nothing flows.
  mutating func placeEdge(at now: Instant, notBefore least: DataAmount = .zero) {
    if stream != nil {
      placeStreamEdge(at: now)
      return
    }
    let playhead = currentTime(at: now)
    guard let part = item?.part(around: playhead, notBefore: least) else { return }
    buffer.setEdge(part, before: item?.loaded.part(behind: part.end), at: now)
  }

  /// What must hold whenever the player is at rest; checked in every build.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  private mutating func checkInvariants() {
    switch phase {
    case .paused:
      precondition(timebase.rate == .zero, "a paused player's timebase runs")
    case .waiting(let reason, _):
      precondition(timebase.rate == .zero, "a waiting player's timebase runs")
      precondition(
        reason != .toMinimizeStalls || waitsAutomatically,
        "a player that does not wait automatically minimizes stalls")
    case .playing:
      let isAtEnd = buffer.facts.contains(.atEnd) && actionAtItemEnd == .none
      precondition(
        buffer.facts.contains(.ready) && (!buffer.facts.contains(.empty) || isAtEnd),
        "a player plays what is not there")
    }
    precondition(
      hostTime == nil || phase.isPlaying && timebase.start == hostTime,
      "a host time is awaited by a timebase that does not start then")
  }

  /// Returns the next instant, before the link changes, at which something happens by itself, as
  /// it was to be seen when something last happened to the player.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  mutating func nextInstant(linkChange: Instant) -> Instant {
    let now = touched
    (isTied, tiedAt, ownTurn) = (false, .never, nil)
    var own = Instant.never
    if let rebuiltAt { own = min(own, rebuiltAt) }
    // It stays due though the link's change at the same instant has come first.
    if let hostTime { own = min(own, max(hostTime, now)) }
    if let end = pipeline?.build?.end { own = min(own, end) }
    if buffer.isStream || !prepared.isEmpty {
      own = min(own, max(nextStreamTimer(after: now), now))
    }
    if own == linkChange { tiedAt = own }
    if buffer.isFailed { return before(linkChange, own) }
    if hasSeekToMove { return now }
    own = min(own, max(nextQuestion, now), turnOfPlayhead(after: now))
    if own == linkChange { tiedAt = own }
    if buffer.isStream, phase.isPlaying, timebase.rate > .zero, timebase.start <= now {
      // A stream that plays is judged when segments come, and its facts turn where the playhead is.
      own = min(own, nextStreamTurn(after: now))
      ownTurn = own
      return before(linkChange, own)
    }
    own = min(own, buffer.windowEdge(after: now))
    if buffer.awaitsIndex { own = min(own, max(probed, now)) }
    var bound = min(own, linkChange)
    if buffer.policy.rule.usesConditions {
      bound = min(
        bound, buffer.nextTurn(after: now, notAfter: bound, playhead: currentTime(at: now)))
    }
    // A mark may be touched as the link turns; or another player's event has come first.
    if differs(at: now) { return now }
    if bound == .never { return .never }
    let facts = buffer.facts(at: bound, playhead: currentTime(at: bound))
    if facts != buffer.facts { return firstChange(to: facts, after: now, notAfter: bound) }
    return before(linkChange, bound == linkChange ? own : bound)
  }

  /// What is due when the link changes, or later, is planned when it has changed.
  @inline(__always)
  private mutating func before(_ linkChange: Instant, _ own: Instant) -> Instant {
    isTied = own == linkChange
    return own < linkChange ? own : .never
  }

  /// The instant at which a playhead that moves forwards meets the edge of what is loaded of a
  /// stream, or the mark at which reading goes on.
  private mutating func nextStreamTurn(after now: Instant) -> Instant {
    guard buffer.isStream, timebase.rate > .zero else { return .never }
    let marks = buffer.streamMarks
    let time = currentTime(at: now)
    var next = Instant.never
    if let resume = marks.resume, resume >= .zero { next = timebase.instant(of: resume, from: now) }
    // What an event of this instant has not told yet is due at once.
    if marks.edge >= time, !buffer.facts.contains(.empty) {
      next = min(next, timebase.instant(of: marks.edge, from: now))
    }
    return next
  }

  /// Whether a seek is to be carried out as soon as the calls of this instant are over.
  @inline(__always)
  private var hasSeekToMove: Bool {
    seek?.awaitsData == false && buffer.facts.contains(.ready)
  }

  /// Finds the first instant at which the facts differ; now they do not, at the last they do.
  private mutating func firstChange(
    to others: BufferFacts, after now: Instant, notAfter last: Instant
  ) -> Instant {
    var search = TurnSearch(after: now, notAfter: last)
    if search.isOver { return search.result }
    let changed = others.symmetricDifference(buffer.facts)
    var proposal = search.middle
    if let before = margin(of: changed, at: now), let behind = margin(of: changed, at: last),
      let middle = margin(of: changed, at: search.middle)
    {
      proposal = search.proposal(before, middle, behind)
    }
    search.run(from: proposal) { differs(at: $0) }
    return search.result
  }

  private mutating func margin(of changed: BufferFacts, at instant: Instant) -> Margin? {
    buffer.margin(of: changed, at: instant, playhead: currentTime(at: instant))
  }

  /// Whether the player has nothing to react to at an instant up to which nothing is due.
  ///
  /// What was reckoned to have come by then may be a nanobit less than what has, which may decide;
  /// who looks for an index acts on what has come.
  mutating func isAtRest(at now: Instant) -> Bool {
    !isStirred && !isTied && !buffer.awaitsIndex && (item == nil || !differs(at: now))
  }

  private mutating func differs(at instant: Instant) -> Bool {
    buffer.facts(at: instant, playhead: currentTime(at: instant)) != buffer.facts
  }
}
