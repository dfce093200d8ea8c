/// Likely-to-keep-up of AVFoundation's rule: what it asks, and when its answer turns.
extension ItemBuffer {
  /// Asks what must be there in time: what is missing before the end, and what is missing before
  /// the first gap on the way of the playhead; of sound and picture also what comes before the last
  /// segment of the one that comes last.
  ///
  /// Of a file, the gap ends where a part is loaded already. Parts behind that one do not count:
  /// the rule errs towards waiting. Of a stream, it is the next segment, with what comes beside it
  /// of other tracks. Playback that stops with something ahead needs it so much earlier; a rule of
  /// conditions says itself what is to be ahead. A live stream has no end to play to: what is
  /// published is to arrive as fast as it is played.
  @inline(always)
  private mutating func keepUpLook(
    _ edge: DataAmount, _ playhead: Playhead, _ flowed: DataAmount, at instant: Instant
  ) -> KeepUpLook {
    KeepUpLook(
      instant: instant,
      questions: isStream
        ? questionsOfStream(edge, playhead, flowed, at: instant) : questionsOfFile(edge, playhead),
      reading: meter.reading(at: instant, flowed: flowed, history: &fillHistory),
      received: meter.received(flowed: flowed))
  }

  /// Whether the rule says at an instant that playback keeps up.
  ///
  /// It is apart from where it is asked: behind so many blocks nothing more is put in line there.
  @inline(never)
  mutating func keepsUp(
    _ edge: DataAmount, _ playhead: Playhead, _ flowed: DataAmount, at instant: Instant
  ) -> Bool {
    rule.holds(keepUpLook(edge, playhead, flowed, at: instant))
  }

  /// The time ahead of the playhead at which playback stops.
  @inline(always)
  private var leadOfQuestions: MediaTime { isRuleLinear ? starvesBelow : .zero }

  // A stream and a file are asked apart, or what is read of the one is copied for the other.

  @inline(always)
  private func questionsOfStream(
    _ edge: DataAmount, _ playhead: Playhead, _ flowed: DataAmount, at instant: Instant
  ) -> KeepUpQuestions {
    let lead = leadOfQuestions
    let arriving = meter.received(flowed: flowed) - receivedBefore
    let beside = aside.data(at: instant)
    let next = arriving - min(arriving, beside)
    let all = KeepUpQuestion(
      missing: remaining.missing - min(remaining.missing, arriving),
      before: remaining.deadline - lead, playhead)
    let ofGap = KeepUpQuestion(
      missing: remaining.missing(
        ofNext: remaining.next - min(remaining.next, next), besideCame: beside),
      before: ByteMap.timeInStream(of: edge) - lead, playhead)
    if let before = remaining.beforeLast {
      let last = KeepUpQuestion(
        missing: before.missing - min(before.missing, arriving),
        before: before.deadline - lead, playhead)
      return KeepUpQuestions(all, ofGap, last, count: 3)
    }
    guard let rate = remaining.rate else {
      return KeepUpQuestions(all, ofGap, ofGap, count: 2)
    }
    let live = KeepUpQuestion(missing: DataAmount(rate, for: .seconds(1)), left: .seconds(1))
    return KeepUpQuestions(all, ofGap, live, count: 3)
  }

  @inline(always)
  private func questionsOfFile(_ edge: DataAmount, _ playhead: Playhead) -> KeepUpQuestions {
    let lead = leadOfQuestions
    // A file is loaded beyond an end that was put into it.
    let missing = endPosition - min(edge, endPosition)
    guard let island, island.start < endPosition else {
      return KeepUpQuestions(
        KeepUpQuestion(missing: missing, before: endTime - lead, playhead))
    }
    let loaded = min(island.end, endPosition) - island.start
    let all = KeepUpQuestion(missing: missing - loaded, before: endTime - lead, playhead)
    let ofGap = KeepUpQuestion(
      missing: island.start - edge, before: map.time(of: island.start) - lead, playhead)
    return KeepUpQuestions(all, ofGap, ofGap, count: 2)
  }

  /// Whether the rule is asked, given what else holds.
  @inline(always)
  private var asksToKeepUp: Bool {
    isRuleLinear && !isFedByDelegate && ruleRate > .zero && !awaitsMissingEnd
      && facts.contains(.ready) && facts.isDisjoint(with: [.empty, .atEnd])
      && !facts.isDisjoint(with: [.verdict, .full]) && edgeBase < endPosition
  }

  /// Whether a packet may turn what holds of a stream, in the middle of a segment.
  ///
  /// So it may if the rule looks at how fast media comes, or until enough has come for any verdict.
  var turnsAtPackets: Bool { ruleReadsFillRate || !meter.hasReceived(verdictAmount) }

  /// Whether what the rule says is what holds, now and from here on.
  @inline(always)
  private var hasSeenEnough: Bool { facts.contains(.full) || meter.hasReceived(verdictAmount) }

  /// When enough has come for the rule to say yes; in the past if it has.
  ///
  /// Until then the answer is no, even for a player that has waited for `verdictTime`.
  private var enoughAt: Instant {
    @inline(always) get {
      hasSeenEnough ? .start : meter.instant(ofSampled: verdictAmount)
    }
  }

  /// Takes note that the rule says the same up to an instant, unless it has not been asked yet.
  mutating func holdLikely(until instant: Instant) {
    assert(likelyHoldsUntil == .start, "a verdict was held before")
    if asksToKeepUp, hasSeenEnough { likelyHoldsUntil = instant }
  }

  /// Looks at an instant at which nothing changes what the rule says but what has come, and holds
  /// it if it is the same; a loop keeps the look, if one was made.
  @inline(__always)
  mutating func holdVerdict(at now: Instant, _ timebase: Timebase, _ look: inout KeepUpLook) {
    // A request that follows at once may change what the link has to spare.
    guard spare == .zero, asksToKeepUp, hasSeenEnough else { return }
    look = keepUpLook(at: now, timebase)
    if rule.holds(look) == facts.contains(.likely) {
      likelyHoldsUntil = now
    } else {
      look.instant = .never
    }
  }

  private mutating func keepUpLook(at instant: Instant, _ timebase: Timebase) -> KeepUpLook {
    let flowed = flowed(at: instant)
    let edge = isStream ? edgeBase : min(edgeMax, edgeBase + flowed)
    return keepUpLook(edge, timebase.playhead(at: instant), flowed, at: instant)
  }

  /// Whether the rule is sure to say the same from one instant up to another, if nothing happens
  /// until then.
  ///
  /// It is, if it would say so with the least that the window can hold between the two, and the
  /// most that can be missing; or with the most and the least. If not, it is looked at piece by
  /// piece; if that is not enough, the turn is to be searched.
  ///
  /// A loop keeps the last look: the next one begins there, unless a segment has come. It is no
  /// optional, which would be copied each time (measured: a tenth of the loop under this rule).
  mutating func keepsVerdict(
    from now: Instant, to next: Instant, _ timebase: Timebase, _ look: inout KeepUpLook
  ) -> Bool {
    if !asksToKeepUp { return true }
    let enough = enoughAt
    if enough > now { return enough > next }
    let holds = facts.contains(.likely)
    if look.instant != now {
      look = keepUpLook(at: now, timebase)
      // A request that follows a segment may change what the rule says as the segment comes: what
      // the link has to spare in that nanosecond is lost if the next answer takes a round trip,
      // where only some do.
      if rule.holds(look) != holds { return false }
    }
    assert(look == keepUpLook(at: now, timebase), "a look is kept that has changed")
    assert(rule.holds(look) == holds, "a look is kept that says something else than what holds")
    let last = keepUpLook(at: next, timebase)
    let isKept =
      rule.keepsVerdict(holds, from: look, to: last)
      || keepsVerdictByPieces(holds, from: look, to: last, timebase)
    look = last
    if !isKept { look.instant = .never }
    return isKept
  }

  /// The same: between two instants at which the window leaves a stretch behind, each balance is a
  /// parabola.
  private mutating func keepsVerdictByPieces(
    _ holds: Bool, from first: KeepUpLook, to last: KeepUpLook, _ timebase: Timebase
  ) -> Bool {
    var at = first
    while at.instant < last.instant {
      let edge = meter.windowEdge(after: at.instant, history: &fillHistory)
      let end = edge < last.instant ? keepUpLook(at: edge, timebase) : last
      if !keepsVerdict(holds, inPieceFrom: at, to: end, timebase) {
        return false
      }
      at = end
    }
    return true
  }

  /// Whether the rule says the same in a piece, and at its end, for certain.
  ///
  /// What comes in packets is counted in steps, and the last nanosecond of a stretch may bring less
  /// than its rate: at its end a piece may have another balance.
  private mutating func keepsVerdict(
    _ holds: Bool, inPieceFrom first: KeepUpLook, to last: KeepUpLook, _ timebase: Timebase
  ) -> Bool {
    if rule.holds(last) != holds { return false }
    let bound = Instant(nanoseconds: last.instant.nanoseconds - 1)
    if bound <= first.instant { return true }
    return rule.keepsVerdict(holds, inPieceFrom: first, to: keepUpLook(at: bound, timebase))
  }

  /// Returns up to when, at most, the rule is sure to say yes whatever comes of the requests that
  /// are open, if no less comes than is certain; nil if not even for the shortest time that is
  /// tried.
  ///
  /// It is looked at piece by piece. The least that the window can hold in a piece is what it holds
  /// now without what it has left behind at the end of the piece, and what is certain to have come
  /// by its beginning; and the most that can be missing is what is missing now without that.
  /// Neither depends on what the link does, as long as the window begins before the running
  /// stretch.
  mutating func likelyUntil(
    atMost limit: Instant, from now: Instant, _ timebase: Timebase, _ least: LeastFlow
  ) -> Instant? {
    guard asksToKeepUp, facts.contains(.likely), hasSeenEnough else { return nil }
    let first = keepUpLook(at: now, timebase)
    // To be certain for longer is of no use: something happens to nearly all before (measured).
    let most = min(limit, meter.startsInPast(until: now), now + .seconds(2))
    if most <= now || !rule.holds(first) { return nil }
    var (sure, bound) = (first, keepUpLook(at: most, timebase))
    for _ in 0..<6 {
      // What comes may be of another segment than the next one.
      let inflow = LeastInflow(
        data: meter.isFlowing ? least.data(from: now, to: sure.instant) : .zero,
        isOfNext: !aside.isFlowing)
      if rule.staysLikely(from: first, to: bound, inflow) { return bound.instant }
      // Not quite as far as to where it may turn, which the next look would find too far mostly.
      let way = rule.likelyTurn(from: first, between: sure, bound, inflow) - sure.instant
      let span = TimeSpan(nanoseconds: way.nanoseconds / 16 * 15)
      if span <= .milliseconds(1) { break }
      let look = keepUpLook(at: sure.instant + span, timebase)
      if rule.staysLikely(from: first, to: look, inflow) { sure = look } else { bound = look }
    }
    return sure.instant > now ? sure.instant : nil
  }

  /// Returns how much data may come, at most, with which the rule is still sure to say no; nil if
  /// the least amount that is tried is too much.
  ///
  /// The most that the window can hold is what it holds now and what comes, and the most time that
  /// can be left is what is left now: nothing but data can change its answer.
  mutating func unlikelyUpTo(from now: Instant, _ timebase: Timebase) -> DataAmount? {
    guard asksToKeepUp, !facts.contains(.likely), hasSeenEnough else { return nil }
    let first = keepUpLook(at: now, timebase)
    // Whether the next segment comes in time is not asked again when it has come.
    var more = first.questions[first.questions.count > 1 ? 1 : 0].missing
    for _ in 0..<6 {
      if more == .zero { return nil }
      // With each bit of a segment, as much is settled of what would come beside it.
      let times = 1 + remaining.besideAllTheTime
      if rule.staysUnlikely(first, more, times: times) {
        // Nearly as much as there may be.
        let larger = more.times(2)
        return rule.staysUnlikely(first, larger, times: times) ? larger : more
      }
      more = DataAmount(nanobits: more.nanobits / 4)
    }
    return nil
  }

  /// Whether the rule is asked, and enough has come for it to say yes.
  ///
  /// The more comes then, the longer it is content.
  var asksWithEnough: Bool { asksToKeepUp && hasSeenEnough }

  /// Returns when, before a bound, the rule says otherwise or has to be looked at again; never if
  /// it is sure to say the same up to there.
  ///
  /// Nothing happens until then but that data comes and the playhead moves. Up to the next instant
  /// at which the window leaves a stretch behind, the balance of each question is a parabola, whose
  /// turns are found exactly; there it is looked at again.
  ///
  /// A turn that is kept as packets come is not looked at with every packet that the window leaves
  /// behind. It is none from no to yes: between two packets nothing comes, the window holds no more
  /// of what has come and no less time, and no more time is left.
  mutating func keepUpTurn(
    after now: Instant, before limit: Instant, isKept: Bool, _ timebase: Timebase
  ) -> (turn: Instant, look: Instant) {
    let bound = limit == .never ? meter.isSettled(after: now) : limit
    guard bound > now, asksToKeepUp else { return (.never, .never) }
    if isKept {
      if !facts.contains(.likely) { return (.never, .never) }
      if let sure = likelyUntil(atMost: bound, from: now, timebase, .none) {
        return (.never, sure < bound ? sure : .never)
      }
    }
    let enough = enoughAt
    if enough > now { return (.never, enough) }
    let first = keepUpLook(at: now, timebase)
    let holds = rule.holds(first)
    if hasSeenEnough, holds != facts.contains(.likely) { return (now, .never) }
    let last = keepUpLook(at: bound, timebase)
    if rule.keepsVerdict(holds, from: first, to: last) { return (.never, .never) }
    let edge = meter.windowEdge(after: now, history: &fillHistory)
    assert(edge > now, "the window has left a stretch behind at \(edge.nanoseconds) ns")
    if edge >= bound {
      return (keepUpTurn(from: first, to: last, timebase), .never)
    }
    let next = keepUpLook(at: edge, timebase)
    if rule.keepsVerdict(holds, from: first, to: next) { return (.never, edge) }
    return (keepUpTurn(from: first, to: next, timebase), edge)
  }

  /// Returns the first instant after a look, up to another one, at which the rule says otherwise;
  /// the window leaves no stretch behind before that.
  private mutating func keepUpTurn(
    from first: KeepUpLook, to last: KeepUpLook, _ timebase: Timebase
  ) -> Instant {
    let held = rule.holds(first)
    var at = first
    // What comes in packets is counted in steps: at its end a piece may have another balance.
    let bound = Instant(nanoseconds: last.instant.nanoseconds - 1)
    while at.instant < bound {
      var end = keepUpLook(at: bound, timebase)
      cutAtKink(from: at, &end, timebase)
      assert(end.instant > at.instant, "a piece ends before it begins")
      while at.instant < end.instant {
        var next = Instant.never
        for place in 0..<at.questions.count {
          next = min(next, turn(of: place, from: at, to: end, timebase))
        }
        if next == .never { break }
        at = keepUpLook(at: next, timebase)
        if rule.holds(at) != held { return next }
      }
      at = end
    }
    return rule.holds(last) == held ? .never : last.instant
  }

  /// Moves the end of a piece to the first instant at which nothing is missing for a question, or
  /// no time is left for it: a balance has a kink there.
  private mutating func cutAtKink(
    from first: KeepUpLook, _ end: inout KeepUpLook, _ timebase: Timebase
  ) {
    func isOver(_ look: KeepUpLook, _ place: Int) -> Bool { look.questions[place].isOver }
    for place in 0..<first.questions.count where !isOver(first, place) && isOver(end, place) {
      var search = TurnSearch(after: first.instant, notAfter: end.instant)
      if !search.isOver {
        search.run(from: search.middle) {
          isOver(keepUpLook(at: $0, timebase), place)
        }
      }
      end = keepUpLook(at: search.result, timebase)
    }
  }

  /// The first instant of a piece at which a question is answered otherwise than where it begins.
  private mutating func turn(
    of place: Int, from first: KeepUpLook, to end: KeepUpLook, _ timebase: Timebase
  ) -> Instant {
    let held = rule.holds(place, first)
    if rule.holds(place, end) != held {
      return turn(of: place, after: first, notAfter: end, timebase)
    }
    // It may turn to and fro, if the vertex of the parabola lies between, far enough away.
    let (one, other) = (first.questions[place], end.questions[place])
    if rule.isSafe(held, from: (one, first.reading), to: (other, end.reading)) { return .never }
    let behind = Instant(nanoseconds: end.instant.nanoseconds - 1)
    guard behind > first.instant,
      rises(place, at: first.instant, timebase) != held,
      rises(place, at: behind, timebase) == held
    else { return .never }
    var search = TurnSearch(after: first.instant, notAfter: behind)
    if !search.isOver {
      search.run(from: search.middle) {
        rises(place, at: $0, timebase) == held
      }
    }
    let vertex = keepUpLook(at: search.result, timebase)
    if rule.holds(place, vertex) == held { return .never }
    return turn(of: place, after: first, notAfter: vertex, timebase)
  }

  /// The instant between two looks at which a question is answered otherwise than at the first.
  private mutating func turn(
    of place: Int, after first: KeepUpLook, notAfter last: KeepUpLook, _ timebase: Timebase
  ) -> Instant {
    assert(first.instant < last.instant, "a turn is searched between an instant and itself")
    var search = TurnSearch(after: first.instant, notAfter: last.instant)
    if search.isOver { return search.result }
    let rule = rule
    func margin(_ look: KeepUpLook) -> Margin {
      let question = look.questions[place]
      return rule.margin(missing: question.missing, left: question.left, reading: look.reading)
    }
    let held = rule.holds(place, first)
    let middle = keepUpLook(at: search.middle, timebase)
    search.run(from: search.proposal(margin(first), margin(middle), margin(last))) {
      rule.holds(place, keepUpLook(at: $0, timebase)) != held
    }
    return search.result
  }

  /// Whether the balance of a question is higher a nanosecond later.
  private mutating func rises(_ place: Int, at instant: Instant, _ timebase: Timebase) -> Bool {
    let next = Instant(nanoseconds: instant.nanoseconds + 1)
    let first = keepUpLook(at: instant, timebase)
    let second = keepUpLook(at: next, timebase)
    let (one, other) = (first.questions[place], second.questions[place])
    return rule.rises(from: (one, first.reading), to: (other, second.reading))
  }
}
