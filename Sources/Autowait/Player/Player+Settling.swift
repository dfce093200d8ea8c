/// The most rounds in which a player may react to its own reactions at one instant.
private let roundsMax = 32

extension Player {
  /// Brings the player to rest at an instant: facts that changed are recorded and acted upon until
  /// nothing changes any more.
  mutating func settle(in moment: inout Moment) {
    touched = moment.now
    (restedAt, foreseen) = (.never, SeenEdge(.never, .zero))
    isStirred = false
    slideMeter(to: moment.now)
    tellRate()
    if hasQueue { tellRateToStandbys() }
    // Items that leave the queue meanwhile have taken their rounds.
    var (rounds, most) = (0, roundsMax)
    while settleOnce(in: &moment) || (hasQueue && settleQueue(in: &moment)) {
      rounds += 1
      most = max(most, roundsMax + 8 * queue.roundsMax)
      precondition(rounds < most, "player \(index) does not come to rest")
    }
    // What follows at once has been asked for; later, nothing does.
    source.buffer.forgetSpare()
    if hasQueue { noteSharedTime(at: moment.now) }
    if configuration.measuresBufferedData { measureBufferedData(at: moment.now) }
    checkInvariants()
    // Where nothing changed, it holds as before.
    if rounds > 0 { assertInvariants() }
  }

  /// Takes note that there is nothing to react to at an instant at which something has happened.
  mutating func rest(at now: Instant) {
    assert(!isStirred, "player \(index) has something to do, and rests")
    (touched, restedAt) = (now, .never)
    slideMeter(to: now)
    source.buffer.forgetSpare()
  }

  /// Lets the fill rate's window end at an instant.
  mutating func slideMeter(to now: Instant) {
    source.slideMeter(to: now)
  }

  /// Reacts to the first thing that changed; returns false when there is none.
  private mutating func settleOnce(in moment: inout Moment) -> Bool {
    if isAdvancing {
      // The last of an item may have come as it ended: the next one is made ready first.
      if hasQueue, phase.isPlaying { _ = settleQueue(in: &moment) }
      advanceToNextItem(in: &moment)
      return true
    }
    if loop != nil, actOnLoop(in: &moment) { return true }
    if pipeline != nil, completePipeline(in: &moment) { return true }
    if let hold, hold.end <= moment.now {
      if phase.rate > .normal, isAtLiveEdge(at: moment.now) {
        // The edge was farther away when it began; nothing has moved since.
        apply(
          .reachedLiveEdge, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
      }
      release(self.hold ?? hold, in: &moment)
      return true
    }
    guard source.item != nil else {
      if meter.frozenSince != nil, followPicture(in: &moment) { return true }
      return giveUpLateRequests(in: &moment) || load(in: &moment)
    }
    if source.buffer.isStream, phase.isPlaying, !isPrerolling, hostTime == nil,
      mayPlayOther(at: moment.now), followPlayed(in: &moment)
    {
      return true
    }
    if source.buffer.awaitsIndex, leaveHead(in: &moment) { return true }
    if giveUpLateRequests(in: &moment) { return true }
    if seek != nil, moveToSeek(in: &moment) { return true }
    if !source.stream.appending.isEmpty, append(in: &moment) { return true }
    if source.readsSegments, readSegments(in: &moment) { return true }
    if source.stream.missingFrom < .unbounded, giveUpMissing(in: &moment) { return true }
    if source.buffer.isGivenUp, failPlayedOut(in: &moment) { return true }
    if configuration.keepUp.pictureGrace > .zero, followPicture(in: &moment) { return true }
    if updateFacts(in: &moment) { return true }
    if source.buffer.decodedAt == .never, decodeFirstFrame(at: moment.now) { return true }
    if source.buffer.isLive, followLive(in: &moment) { return true }
    if stopPlayingNothing(in: &moment) { return true }
    if seek != nil, completeSeek(in: &moment) { return true }
    if source.item?.isPrerolling == true, prime(in: &moment) { return true }
    if let hostTime, hostTime <= moment.now {
      self.hostTime = nil
      enterAccount(at: moment.now)
      let cause = moment.cause
      moment.cause = hostTimeRecord
      recordAccessLog([], in: &moment)
      moment.cause = cause
      return true
    }
    if timebase.rate < .zero, meter.account == .afterEnd, !returnsToEnd(at: moment.now) {
      enterAccount(at: moment.now)
      if meter.account != .afterEnd { return true }
    }
    return load(in: &moment)
  }

  /// Lets the timebase of a player that plays go on.
  private mutating func release(_ hold: TimebaseHold, in moment: inout Moment) {
    self.hold = nil
    guard case .playing(let wish) = phase else { return }
    timebase = timebase.with(rate: wish.rate, at: moment.now)
    if case .preroll(_, let cause) = hold { moment.cause = cause }
    let number = moment.record(.timebaseRate(wish.rate, currentTime: currentTime(at: moment.now)))
    enterAccount(at: moment.now)
    findSwitch(from: currentTime(at: moment.now))
    guard case .preroll = hold else { return }
    (moment.cause, moment.flowCause) = (number, number)
    noteBegun()
    recordAccessLog([], in: &moment)
  }

  /// Completes a preroll that the application has asked for; returns whether anything changed.
  private mutating func prime(in moment: inout Moment) -> Bool {
    guard let item = source.item, item.isPrerolling, !source.buffer.facts.contains(.empty) else {
      return false
    }
    let span =
      item.isPrimed
      ? TimeSpan.zero : configuration.latency.preroll
    let end = item.primedAt ?? moment.now + span
    if end > moment.now {
      source.item?.primedAt = end
      return item.primedAt == nil
    }
    source.item?.isPrerolling = false
    source.item?.isPrimed = true
    source.item?.primedAt = nil
    moment.record(.prerollDidComplete(isFinished: true))
    return true
  }

  /// Begins to decode the first frame once its data is there; returns whether it did.
  private mutating func decodeFirstFrame(at now: Instant) -> Bool {
    guard source.buffer.decodedAt == .never, source.buffer.facts.contains(.opened) else {
      return false
    }
    let facts = source.buffer.factsOfDecoded(at: now, timebase.playhead(at: now))
    // The frame at the playhead is there although nothing can be played backwards from it.
    let isThere = source.buffer.ruleRate < .zero && facts.contains(.ready)
    if !isThere, facts.contains(.empty), !facts.contains(.atEnd) { return false }
    source.buffer.decodedAt = now + configuration.latency.firstFrame
    return true
  }

  /// Looks at the buffer; records what changed and tells the state machine.
  ///
  /// Returns whether more may follow from it.
  private mutating func updateFacts(in moment: inout Moment) -> Bool {
    source.buffer.prepareRule(for: evaluationRate)
    let old = source.buffer.facts
    var new = facts(at: moment.now)
    if source.buffer.needsRemaining, source.stream.choosesAhead,
      choosesAnotherVariant(isFull: new.contains(.full), at: moment.now)
    {
      new = facts(at: moment.now)
    }
    if old == new { return decideAgain(on: new, in: &moment) }
    if source.buffer.isLive, asksForPlaylists(on: new, after: old, at: moment.now),
      loadPlaylistsAtOnce(ofNew: new.contains(.full), in: &moment)
    {
      return true
    }
    // A seek that waits for the item moves the playhead before anything else is recorded: nothing
    // plays at the old place.
    if seek?.awaitsData == false, new.contains(.opened), !old.contains(.opened) {
      source.buffer.facts.insert(.opened)
      return true
    }
    if leaveUntold(new, in: &moment) { return true }
    if new.contains(.ready), source.item?.status == .unknown {
      source.item?.status = .readyToPlay
    }
    let input = input(for: old, new)
    let told = toldBeforeTurning(from: old, to: new, input, at: moment.now)
    source.buffer.facts = told
    recordFacts(from: old, to: told, in: &moment)
    suspendReading(in: &moment)
    // Rows P15 and L3: a verdict moves nobody but a player that waits.
    let isVerdict = old.symmetricDifference(new).isSubset(of: [.likely, .full, .verdict])
    if isVerdict, !phase.isWaiting { return false }
    if mapAwaited(in: &moment) || skipBeforePlaying(in: &moment) { return true }
    // What is decided when the seek completes is decided once.
    if phase.isWaiting, completesSeek(at: moment.now) { return true }
    apply(input, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    return true
  }

  /// Lets a player decide again that waits for what held only while it decided; returns whether it
  /// did.
  private mutating func decideAgain(on facts: BufferFacts, in moment: inout Moment) -> Bool {
    if !phase.isWaiting || decidedOn == facts || completesSeek(at: moment.now) { return false }
    apply(
      .bufferChanged, given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    assert(decidedOn == facts, "player \(index) decides on what does not hold")
    return true
  }

  /// What observers learn of a change of facts: nothing that holds for no time.
  ///
  /// Who is paused at the end of what can be played stands there for the rate of `play()`. If that
  /// is in the other direction, nothing is empty or likely any more that was so for the old rate.
  mutating func toldBeforeTurning(
    from old: BufferFacts, to new: BufferFacts, _ input: PlaybackInput, at now: Instant
  ) -> BufferFacts {
    let rate = evaluationRate
    guard new.contains(.empty), !old.contains(.atEnd), phase != .paused,
      rate < .zero || playRate < .zero
    else { return new }
    let facts = playbackFacts(at: now, rate: rate)
    let next = PlaybackTransition.from(phase, on: input, given: facts).phase
    let isTurned = next == .paused && (rate < .zero) != (playRate < .zero)
    if !isTurned { return new }
    let brief: BufferFacts = [.empty, .starved, .full, .likely]
    return new.subtracting(brief).union(old.intersection(brief))
  }

  /// Ends playback of what was known not to be there before it began.
  ///
  /// Two calls of one turn can turn a player that stands at its end round and back: no fact
  /// changes, and yet the player plays.
  private mutating func stopPlayingNothing(in moment: inout Moment) -> Bool {
    let facts = source.buffer.facts
    guard phase.isPlaying, facts.contains(.empty),
      !facts.contains(.atEnd) || actionAtItemEnd != .none
    else { return false }
    apply(
      input(for: facts.subtracting([.empty, .atEnd]), facts),
      given: playbackFacts(at: moment.now, rate: evaluationRate), in: &moment)
    return true
  }

  /// Chooses what the state machine is told about a change of facts.
  @inline(__always)
  func input(for old: BufferFacts, _ new: BufferFacts) -> PlaybackInput {
    if new.contains(.atEnd), !old.contains(.atEnd) {
      // A rate that is turned round behind the end has played nothing up to it again (row L9).
      if isTurnedBehindEnd { return .bufferChanged }
      return endsAtStart(at: evaluationRate) ? .reachedStartOfSeekableRange : .reachedEnd
    }
    if new.contains(.empty), !new.contains(.atEnd), phase.isPlaying { return .bufferEmptied }
    return .bufferChanged
  }

  /// Whether the clock, as it was last set, began behind the end, where nothing is done.
  private var isTurnedBehindEnd: Bool {
    phase.isPlaying && actionAtItemEnd == .none && timebase.rate > .zero
      && timebase.start == touched && timebase.time(at: touched) > source.buffer.endTime
  }

  /// Whether the end, at a rate, is the start of what can be played.
  @inline(__always)
  func endsAtStart(at rate: PlaybackRate) -> Bool {
    if rate >= .zero { return false }
    guard let end = source.buffer.reverseEndTime else { return true }
    return end < source.buffer.seekableStart
  }

  mutating func recordFacts(from old: BufferFacts, to new: BufferFacts, in moment: inout Moment) {
    let changed = old.symmetricDifference(new)
    noteStartup(new, at: moment.now)
    if old.contains(.likely), !new.contains(.likely) { resumeStartup(at: moment.now) }
    moment.cause = moment.flowCause
    recordLoadedTimeRanges(in: &moment)
    var latest = 0
    if old.isToldEmpty != new.isToldEmpty {
      latest = moment.record(.isPlaybackBufferEmpty(new.isToldEmpty))
    }
    if changed.contains(.full) {
      latest = moment.record(.isPlaybackBufferFull(new.contains(.full)))
    }
    if changed.contains(.likely) {
      latest = moment.record(.isPlaybackLikelyToKeepUp(new.contains(.likely)))
    }
    if changed.contains(.ready) { latest = moment.record(.itemStatus(.readyToPlay)) }
    if latest > 0 { moment.cause = latest }
    if changed.contains(.ready) { noteVideoFrames(in: &moment) }
  }

  /// Returns the next instant, before the link changes, at which something happens by itself, as
  /// it was to be seen when something last happened to the player.
  ///
  /// What its flow is certain to get is told by the link.
  mutating func nextInstant(linkChange: Instant, _ least: LeastFlow) -> Instant {
    if sharesLink { leastFlow = least }
    let own = nextInstantOfItem(linkChange: linkChange)
    return !hasQueue ? own : min(own, nextInstantOfStandbys(linkChange: linkChange))
  }

  /// The next instant at which something is due whatever is loaded, but for time-outs.
  @inline(__always)
  private mutating func nextTimer(after now: Instant) -> Instant {
    var own = Instant.never
    if let hold { own = min(own, hold.end) }
    if timebase.rate < .zero, returnsToEnd(at: now) {
      own = min(own, timebase.instant(of: source.media.duration, from: now))
    }
    if loop != nil { own = min(own, max(nextTurnOfLoop, now)) }
    if let item = source.item, item.isPrerolling, let primedAt = item.primedAt {
      own = min(own, primedAt)
    }
    if source.buffer.decodedAt > now { own = min(own, source.buffer.decodedAt) }
    // It stays due though the link's change at the same instant has come first.
    if let hostTime { own = min(own, max(hostTime, now)) }
    if let end = pipeline?.build?.end { own = min(own, end) }
    if !prepared.isEmpty { own = min(own, max(nextTimerOfPrepared(after: now), now)) }
    if source.buffer.isStream, !source.buffer.isFailed {
      own = min(own, max(nextStreamTimer(after: now), now))
      if source.buffer.isLive { own = min(own, max(nextLiveInstant(after: now), now)) }
      if source.readsSegments { own = min(own, max(source.stream.nextRead, now)) }
    }
    if let retriesAt = source.file?.retriesAt, retriesAt > now { own = min(own, retriesAt) }
    return own
  }

  private mutating func nextInstantOfItem(linkChange: Instant) -> Instant {
    let now = touched
    turn = Turn()
    turn.isKept = mayKeepTurns && keepsTurn
    var own = nextTimer(after: now)
    let timeout = nextTimeout(after: now)
    if min(own, timeout) == linkChange { turn.tiedAt = linkChange }
    if source.buffer.isFailed {
      // Of what has failed, as of no item, nothing holds whatever comes.
      if hasOneSource { turn.own = own }
      return before(linkChange, own)
    }
    if hasSeekToMove { return now }
    own = min(own, max(nextQuestion, now))
    if seek != nil { own = min(own, max(nextArrivalOfSought, now)) }
    own = min(own, min(turnOfPlayhead(after: now), switchInstant(after: now)))
    if phase.isWaiting, !source.buffer.facts.contains(.verdict) {
      own = min(own, max(source.buffer.verdictDue, now))
    }
    if min(own, timeout) == linkChange { turn.tiedAt = linkChange }
    if source.buffer.isStream, isMoving(at: now) || (!phase.isPlaying && timebase.rate == .zero) {
      // The facts of a stream turn where the playhead is, if the rule reads no rates.
      own = min(own, nextStreamTurn(after: now))
      turn.besideTimeout = own
      own = min(own, timeout)
      if source.buffer.facts.contains(.verdict), isSettled(before: own, linkChange, at: now) {
        turn.own = own
        return before(linkChange, own)
      }
    }
    own = min(own, timeout)
    if !source.buffer.isRuleLinear { own = min(own, source.buffer.windowEdge(after: now)) }
    if source.buffer.awaitsIndex { own = min(own, max(probed, now)) }
    let turnsByPlaces = foresight > .zero && source.buffer.turnsByPlaces
    if turnsByPlaces, foresees(own, linkChange, at: now) {
      turn.own = own
      return before(linkChange, own)
    }
    var bound = min(own, linkChange)
    if source.buffer.usesConditions {
      bound = min(
        bound, source.buffer.nextTurn(after: now, notAfter: bound, playhead: currentTime(at: now)))
    }
    // A mark may be touched as the link turns; or another player's event has come first.
    defer { source.buffer.likelyHoldsUntil = .start }
    if source.buffer.isRuleLinear {
      let (turn, look) = source.keepUpTurn(
        after: now, before: bound, isKept: self.turn.isKept, timebase)
      own = min(own, look)
      if turn > now {
        bound = min(bound, min(own, turn))
        source.buffer.holdLikely(until: bound < turn ? bound : now)
      }
    }
    assert(restedAt != now || !differs(at: now), "player \(index) does not rest")
    let isKnown = turnsByPlaces && foreseen == SeenEdge(now, source.buffer.edge(at: now))
    assert(!isKnown || !differs(at: now), "player \(index) foresaw something else")
    if restedAt != now, !isKnown, differs(at: now) { return now }
    if bound == .never { return .never }
    let facts = facts(at: bound)
    if facts != source.buffer.facts { return firstChange(to: facts, after: now, notAfter: bound) }
    if turnsByPlaces { foreseen = SeenEdge(bound, source.buffer.edge(at: bound)) }
    return before(linkChange, bound == linkChange ? own : bound)
  }

  /// Whether data that comes, and changes nothing, lets nothing else come sooner than planned.
  ///
  /// So it is of a file while time moves nothing but the playhead: the more is loaded, the later is
  /// the playhead at the edge. A rule that looks at rates, or at how long it has waited, may be
  /// content sooner when there is more; what holds once the buffer is played is held. Of a stream
  /// only AVFoundation's rule hears of data before a segment is whole.
  private var keepsTurn: Bool {
    if hasQueue || loop != nil || source.item == nil || hasSeekToMove { return false }
    if !prepared.isEmpty || configuration.keepUp.pictureGrace > .zero { return false }
    let isStill = timebase.rate == .zero
    if timebase.rate < .zero || timebase.start > touched, !isStill { return false }
    if source.buffer.isRuleLinear {
      return !source.readsSegments && seek == nil && source.buffer.asksWithEnough
    }
    if source.buffer.isStream { return false }
    if isStill { return source.buffer.turnsByDataAlone }
    return source.buffer.usesConditions
      ? source.buffer.buffering.isPlaying : source.buffer.ruleResume != nil
  }

  /// The least time, and the most, for which anything is foreseen.
  private static let (foresightMin, foresightMax) = (TimeSpan.milliseconds(1), TimeSpan.seconds(60))

  /// The last instant that is one.
  private static let lastInstant = Instant(nanoseconds: Instant.never.nanoseconds - 1)

  /// Whether the playhead moves forwards.
  private func isMoving(at now: Instant) -> Bool {
    phase.isPlaying && timebase.rate > .zero && timebase.start <= now
  }

  /// Whether nothing but the playhead can change what holds before its own turn or the link's
  /// change, whichever comes first.
  ///
  /// What AVFoundation's rule says depends on what comes. Next to others on the link, a player that
  /// is likely to keep up with the data that it has may be so for a while whatever they do, and one
  /// that is not likely to stays so until enough has come.
  private mutating func isSettled(
    before own: Instant, _ linkChange: Instant, at now: Instant
  ) -> Bool {
    if source.readsSegments { return false }
    if !source.buffer.isRuleLinear { return phase.isPlaying || source.buffer.ruleResume != nil }
    guard sharesLink, hasOneSource else { return false }
    let next = min(own, linkChange)
    let isStarved = source.buffer.facts.contains(.empty) && !phase.isPlaying
    if isStarved || source.buffer.isComplete(at: now) {
      // The rule is asked no more, or not before a segment has come.
      turn.certainUntil = min(own, Self.lastInstant)
      return true
    }
    if source.buffer.facts.contains(.likely) {
      let least = hasOneFlow ? leastFlow : .none
      guard let instant = source.likelyUntil(atMost: own, from: now, timebase, least),
        instant >= next
      else { return false }
      turn.certainUntil = instant
      return true
    }
    guard hasOneFlow, let more = source.unlikelyUpTo(from: now, timebase),
      source.buffer.meter.flowed(at: next) - source.buffer.meter.flowed(at: now) < more
    else { return false }
    (turn.certainUntil, turn.dataMax) = (min(own, Self.lastInstant), more)
    return true
  }

  /// Whether nothing but its own turn changes what holds of a file, whatever the link does, for
  /// some time and with some data; tells the turn for how long, and with how much.
  ///
  /// It is tried with twice the time for which it was so the last time, or half of that for which
  /// it was not.
  private mutating func foresees(
    _ own: Instant, _ linkChange: Instant, at now: Instant
  ) -> Bool {
    guard hasOneSource, source.buffer.decodedAt <= now, timebase.rate >= .zero,
      timebase.start <= now
    else { return false }
    let span = foresight
    let next = min(own, linkChange)
    if next != .never, (next - now).nanoseconds > span.nanoseconds / 2 {
      // One change of the link is as soon looked at as foreseen.
      foresight += TimeSpan(nanoseconds: span.nanoseconds / 4)
      return false
    }
    let data = source.buffer.edgeShare.data(in: span)
    let last = timebase.playhead(at: now + span)
    guard
      source.buffer.keepsFacts(with: data, from: timebase.playhead(at: now), to: last, at: now)
    else {
      foresight = max(Self.foresightMin, TimeSpan(nanoseconds: span.nanoseconds / 2))
      return false
    }
    foresight = min(Self.foresightMax, span + span)
    (turn.certainUntil, turn.dataMax) = (now + span, data)
    return true
  }

  /// What is due when the link changes, or later, is planned when it has changed.
  @inline(__always)
  private mutating func before(_ linkChange: Instant, _ own: Instant) -> Instant {
    turn.isTied = own == linkChange
    return own < linkChange ? own : .never
  }

  /// The instant at which a playhead that moves forwards meets the edge of what is loaded of a
  /// stream, or the mark at which reading goes on.
  @inline(always)
  private func nextStreamTurn(after now: Instant) -> Instant {
    guard source.buffer.isStream, timebase.rate > .zero else { return .never }
    let marks = source.buffer.streamMarks
    let time = currentTime(at: now)
    var next = Instant.never
    if let resume = marks.resume, resume >= .zero { next = timebase.instant(of: resume, from: now) }
    // What an event of this instant has not told yet is due at once.
    if marks.edge >= time, !source.buffer.facts.contains(.empty) {
      next = min(next, timebase.instant(of: marks.edge, from: now))
    }
    if let time = source.buffer.unlikelyFrom {
      next = min(next, timebase.instant(of: time, from: now))
    }
    // A playhead runs on without what it plays where its picture stands, behind its end, or while a
    // track has still to join.
    if meter.frozenSince != nil || time >= min(marks.edge, source.buffer.endTime)
      || (source.buffer.isLive && source.stream.awaitsTrack)
    {
      if let turn = source.stream.tracks.turn(after: time, source.stream.shared) {
        next = min(next, timebase.instant(of: turn, from: now))
      }
      if let start = source.stream.nextAhead(behind: time) {
        next = min(next, timebase.instant(of: start, from: now))
      }
    }
    return next
  }

  /// The instant at which the playhead will be at its end, or begins to move.
  @inline(__always)
  func turnOfPlayhead(after now: Instant) -> Instant {
    if timebase.rate == .zero { return .never }
    if timebase.start > now { return timebase.start }
    let (end, time) = (source.buffer.endTime(for: timebase.rate), currentTime(at: now))
    guard timebase.rate > .zero ? time < end : time > end else { return .never }
    return timebase.instant(of: end, from: now)
  }

  /// Whether a seek is to be carried out as soon as the calls of this instant are over.
  @inline(__always)
  var hasSeekToMove: Bool {
    seek?.awaitsData == false && source.buffer.facts.contains(.opened)
  }

  /// Finds the first instant at which the facts differ; now they do not, at the last they do.
  private mutating func firstChange(
    to others: BufferFacts, after now: Instant, notAfter last: Instant
  ) -> Instant {
    var search = TurnSearch(after: now, notAfter: last)
    if search.isOver { return search.result }
    let before = Instant(nanoseconds: last.nanoseconds - 1)
    if !differs(at: before) { return last }
    let changed = others.symmetricDifference(source.buffer.facts)
    // What comes first of all that changes; what a rule says, only if nothing else does.
    var proposal = Instant.never
    for fact in [BufferFacts.opened, .empty, .verdict, .likely]
    where changed.contains(fact) && (fact != .likely || changed == .likely) {
      if let before = margin(of: fact, at: now), let behind = margin(of: fact, at: last),
        before.turns(by: behind), let middle = margin(of: fact, at: search.middle)
      {
        proposal = min(proposal, search.proposal(before, middle, behind))
      }
    }
    if proposal == .never { proposal = search.middle }
    search.run(from: proposal) { differs(at: $0) }
    return search.result
  }

  private mutating func margin(of fact: BufferFacts, at instant: Instant) -> Margin? {
    source.buffer.margin(of: fact, at: instant, playhead: currentTime(at: instant))
  }

  /// Whether the player has nothing to react to at an instant up to which nothing is due.
  ///
  /// What was reckoned to have come by then may be a nanobit less than what has, which may decide;
  /// who looks for an index acts on what has come.
  mutating func isAtRest(at now: Instant) -> Bool {
    if isStirred || turn.isTied || source.buffer.awaitsIndex { return false }
    if source.readsSegments, source.stream.nextRead <= now { return false }
    if hasQueue, !areStandbysAtRest(at: now) { return false }
    if !turn.isBehind(now), source.item != nil, differs(at: now) { return false }
    restedAt = now
    return true
  }

  private mutating func differs(at instant: Instant) -> Bool {
    facts(at: instant) != source.buffer.facts
  }
}
