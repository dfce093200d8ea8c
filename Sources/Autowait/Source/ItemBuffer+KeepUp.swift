/// What AVFoundation's rule asks of a buffer: at most three things that must be there in time.
struct KeepUpQuestions {
  var first: KeepUpQuestion
  var second: KeepUpQuestion?
  var third: KeepUpQuestion?

  /// Whether the rule holds for all of them.
  @inline(__always)
  func allHold(_ rule: LinearRule, _ reading: FillMeter.Reading) -> Bool {
    if !rule.holds(first, reading) { return false }
    if let second, !rule.holds(second, reading) { return false }
    return third.map { rule.holds($0, reading) } ?? true
  }

  /// One of them.
  subscript(place: Int) -> KeepUpQuestion? { place == 0 ? first : place == 1 ? second : third }
}

/// Likely-to-keep-up of AVFoundation's rule: what it asks, and when its answer turns.
extension ItemBuffer {
  /// An instant at which the rule is asked.
  private struct KeepUpLook {
    let instant: Instant
    let questions: KeepUpQuestions
    let reading: FillMeter.Reading
    /// All data received by then.
    let received: DataAmount
  }

  /// Returns what must be there in time: what is missing before the end, and what is missing
  /// before the first gap that the playhead comes to.
  ///
  /// Of a file, the gap ends where a part is loaded already. Parts behind that one do not count:
  /// the rule errs towards waiting. Of a stream, it is the next segment. A live stream has no end
  /// to play to: what is published is to arrive as fast as it is played.
  @inline(__always)
  func keepUpQuestions(
    _ edge: DataAmount, _ playhead: Playhead, flowed: DataAmount
  ) -> KeepUpQuestions {
    if isStream {
      let arriving = meter.received(flowed: flowed) - receivedBefore
      func missing(_ all: DataAmount) -> DataAmount { all - min(all, arriving) }
      var questions = KeepUpQuestions(
        first: KeepUpQuestion(
          missing: missing(remaining.missing), before: remaining.deadline, playhead),
        second: KeepUpQuestion(
          missing: missing(remaining.next), before: map.time(of: edge), playhead))
      if let rate = remaining.rate {
        questions.third = KeepUpQuestion(
          missing: DataAmount(rate, for: .seconds(1)), left: .seconds(1))
      }
      return questions
    }
    // A file is loaded beyond an end that was put into it.
    let missing = endPosition - min(edge, endPosition)
    guard let island, island.start < endPosition else {
      return KeepUpQuestions(first: KeepUpQuestion(missing: missing, before: endTime, playhead))
    }
    let loaded = min(island.end, endPosition) - island.start
    return KeepUpQuestions(
      first: KeepUpQuestion(missing: missing - loaded, before: endTime, playhead),
      second: KeepUpQuestion(
        missing: island.start - edge, before: map.time(of: island.start), playhead))
  }

  /// Whether the rule is asked, given what else holds.
  private var asksToKeepUp: Bool {
    policy.rule.isLinear && !isFedByDelegate && ruleRate > .zero && !awaitsMissingEnd
      && facts.contains(.ready) && facts.isDisjoint(with: [.empty, .atEnd])
      && !facts.isDisjoint(with: [.verdict, .full])
  }

  private mutating func keepUpLook(
    at instant: Instant, _ timebase: Timebase, history: inout FillHistory
  ) -> KeepUpLook {
    let flowed = isStream ? meter.flowed(at: instant) : edgeShare.data(in: instant - edgeAnchor)
    let edge = isStream ? edgeBase : min(edgeMax, edgeBase + flowed)
    return KeepUpLook(
      instant: instant,
      questions: keepUpQuestions(edge, timebase.playhead(at: instant), flowed: flowed),
      reading: meter.reading(at: instant, flowed: flowed, history: &history),
      received: meter.received(flowed: flowed))
  }

  /// Whether the rule is sure to say the same from one instant up to another, if nothing happens
  /// until then.
  ///
  /// It is, if it would say so with the least that the window can hold between the two, and the
  /// most that can be missing; or with the most and the least. If not, the turn is to be searched.
  mutating func keepsVerdict(
    from first: Instant, to last: Instant, _ timebase: Timebase, history: inout FillHistory
  ) -> Bool {
    if !asksToKeepUp { return true }
    let first = keepUpLook(at: first, timebase, history: &history)
    let last = keepUpLook(at: last, timebase, history: &history)
    return keepsVerdict(from: first, to: last)
  }

  @inline(__always)
  private func keepsVerdict(from first: KeepUpLook, to last: KeepUpLook) -> Bool {
    let flowed = last.received - first.received
    if first.questions.allHold(rule, first.reading) {
      let least = FillMeter.Reading(
        received: last.reading.received - min(flowed, last.reading.received),
        open: last.reading.open)
      return Self.isKept(first.questions, last.questions) { first, last in
        rule.holds(KeepUpQuestion(missing: first.missing, leftOf: last), least)
      }
    }
    let most = FillMeter.Reading(
      received: first.reading.received + flowed, open: first.reading.open)
    return !Self.isKept(first.questions, last.questions) { first, last in
      rule.holds(KeepUpQuestion(missing: last.missing, leftOf: first), most)
    }
  }

  /// Whether something holds of each question at two instants.
  @inline(__always)
  private static func isKept(
    _ first: KeepUpQuestions, _ last: KeepUpQuestions,
    _ holds: (KeepUpQuestion, KeepUpQuestion) -> Bool
  ) -> Bool {
    if !holds(first.first, last.first) { return false }
    if let one = first.second, let other = last.second, !holds(one, other) { return false }
    if let one = first.third, let other = last.third, !holds(one, other) { return false }
    return true
  }

  /// Returns when, before a bound, the rule says otherwise or has to be looked at again; never if
  /// it is sure to say the same up to there.
  ///
  /// Nothing happens until then but that data comes and the playhead moves. Up to the next instant
  /// at which the window leaves a stretch behind, the balance of each question is a parabola, whose
  /// turns are found exactly; there it is looked at again.
  mutating func keepUpTurn(
    after now: Instant, before limit: Instant, _ timebase: Timebase, history: inout FillHistory
  ) -> (turn: Instant, look: Instant) {
    let bound = limit == .never ? meter.isSettled(after: now) : limit
    guard bound > now, asksToKeepUp else { return (.never, .never) }
    let first = keepUpLook(at: now, timebase, history: &history)
    let last = keepUpLook(at: bound, timebase, history: &history)
    if keepsVerdict(from: first, to: last) { return (.never, .never) }
    let edge = meter.windowEdge(after: now, history: &history)
    if edge >= bound {
      return (keepUpTurn(from: first, to: last, timebase, history: &history), .never)
    }
    let next = keepUpLook(at: edge, timebase, history: &history)
    if keepsVerdict(from: first, to: next) { return (.never, edge) }
    return (keepUpTurn(from: first, to: next, timebase, history: &history), edge)
  }

  /// Returns the first instant after a look, up to another one, at which the rule says otherwise;
  /// the window leaves no stretch behind before that.
  private mutating func keepUpTurn(
    from first: KeepUpLook, to last: KeepUpLook, _ timebase: Timebase, history: inout FillHistory
  ) -> Instant {
    let held = first.questions.allHold(rule, first.reading)
    // What comes in packets is counted in steps: at its end a piece may have another balance.
    let bound = Instant(nanoseconds: last.instant.nanoseconds - 1)
    var at = first.instant
    while at < bound {
      var end = bound
      for place in 0..<3 where first.questions[place] != nil {
        end = min(end, kink(of: place, after: at, notAfter: end, timebase, history: &history))
      }
      while at < end {
        var next = Instant.never
        for place in 0..<3 where first.questions[place] != nil {
          let turn = turn(of: place, after: at, notAfter: end, timebase, history: &history)
          next = min(next, turn)
        }
        if next == .never { break }
        let look = keepUpLook(at: next, timebase, history: &history)
        if look.questions.allHold(rule, look.reading) != held { return next }
        at = next
      }
      at = end
    }
    return last.questions.allHold(rule, last.reading) == held ? .never : last.instant
  }

  /// The first instant at which nothing is missing for a question, or no time is left.
  private mutating func kink(
    of place: Int, after now: Instant, notAfter bound: Instant, _ timebase: Timebase,
    history: inout FillHistory
  ) -> Instant {
    func isOver(_ look: KeepUpLook) -> Bool {
      look.questions[place].map { $0.missing == .zero || $0.left == .zero } ?? true
    }
    if isOver(keepUpLook(at: now, timebase, history: &history)) { return bound }
    if !isOver(keepUpLook(at: bound, timebase, history: &history)) { return bound }
    var search = TurnSearch(after: now, notAfter: bound)
    if !search.isOver {
      search.run(from: search.middle) { isOver(keepUpLook(at: $0, timebase, history: &history)) }
    }
    return search.result
  }

  /// The first instant at which a question is answered otherwise; its balance is a parabola.
  private mutating func turn(
    of place: Int, after now: Instant, notAfter bound: Instant, _ timebase: Timebase,
    history: inout FillHistory
  ) -> Instant {
    func holds(_ look: KeepUpLook) -> Bool {
      look.questions[place].map { rule.holds($0, look.reading) } ?? true
    }
    let held = holds(keepUpLook(at: now, timebase, history: &history))
    var last = bound
    if holds(keepUpLook(at: bound, timebase, history: &history)) == held {
      // It may turn to and fro: then the vertex lies between, on the other side.
      let behind = Instant(nanoseconds: bound.nanoseconds - 1)
      guard behind > now,
        rises(place, at: now, timebase, history: &history) != held,
        rises(place, at: behind, timebase, history: &history) == held
      else { return .never }
      var search = TurnSearch(after: now, notAfter: behind)
      if !search.isOver {
        search.run(from: search.middle) {
          rises(place, at: $0, timebase, history: &history) == held
        }
      }
      last = search.result
      if holds(keepUpLook(at: last, timebase, history: &history)) == held { return .never }
    }
    var search = TurnSearch(after: now, notAfter: last)
    if !search.isOver {
      search.run(from: search.middle) {
        holds(keepUpLook(at: $0, timebase, history: &history)) != held
      }
    }
    return search.result
  }

  /// Whether the balance of a question is higher a nanosecond later.
  private mutating func rises(
    _ place: Int, at instant: Instant, _ timebase: Timebase, history: inout FillHistory
  ) -> Bool {
    let first = keepUpLook(at: instant, timebase, history: &history)
    let next = Instant(nanoseconds: instant.nanoseconds + 1)
    let second = keepUpLook(at: next, timebase, history: &history)
    guard let one = first.questions[place], let other = second.questions[place] else {
      return false
    }
    return rule.rises(from: (one, first.reading), to: (other, second.reading))
  }
}
