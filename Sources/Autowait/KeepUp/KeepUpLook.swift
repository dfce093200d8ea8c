/// What AVFoundation's rule asks of a buffer: at most three things that must be there in time.
struct KeepUpQuestions: Equatable {
  let count: Int
  private let first: KeepUpQuestion
  private let second: KeepUpQuestion
  private let third: KeepUpQuestion

  /// The questions, up to the count; what is behind that is not asked.
  @inline(always)
  init(
    _ first: KeepUpQuestion, _ second: KeepUpQuestion, _ third: KeepUpQuestion, count: Int
  ) {
    assert(1...3 ~= count, "\(count) questions are asked")
    (self.first, self.second, self.third, self.count) = (first, second, third, count)
  }

  /// One question.
  @inline(always)
  init(_ question: KeepUpQuestion) { self.init(question, question, question, count: 1) }

  /// One of them.
  subscript(place: Int) -> KeepUpQuestion {
    @inline(__always) get { place == 0 ? first : place == 1 ? second : third }
  }

  /// Whether something holds of each question and of that in its place at another look.
  @inline(always)
  func allHold(
    with other: KeepUpQuestions, _ holds: (KeepUpQuestion, KeepUpQuestion) -> Bool
  ) -> Bool {
    assert(count == other.count, "a question is asked at one of two looks")
    return holds(first, other.first) && (count < 2 || holds(second, other.second))
      && (count < 3 || holds(third, other.third))
  }

  /// Whether the rule holds for all of them.
  @inline(__always)
  func allHold(_ rule: LinearRule, _ reading: FillMeter.Reading) -> Bool {
    rule.holds(first, reading) && (count < 2 || rule.holds(second, reading))
      && (count < 3 || rule.holds(third, reading))
  }
}

/// An instant at which the rule is asked.
struct KeepUpLook: Equatable {
  var instant: Instant
  let questions: KeepUpQuestions
  let reading: FillMeter.Reading
  /// All data received by then.
  let received: DataAmount

  /// No look: nothing is asked at the last of all instants.
  static var none: KeepUpLook {
    KeepUpLook(
      instant: .never,
      questions: KeepUpQuestions(KeepUpQuestion(missing: .zero, left: .zero)),
      reading: FillMeter.Reading(received: .zero, open: .zero), received: .zero)
  }
}

extension LinearRule {
  /// Whether it says yes at a look: all questions must be answered with yes.
  @inline(__always)
  func holds(_ look: KeepUpLook) -> Bool { look.questions.allHold(self, look.reading) }

  /// Whether it answers a question with yes.
  @inline(__always)
  func holds(_ place: Int, _ look: KeepUpLook) -> Bool {
    holds(look.questions[place], look.reading)
  }

  /// Whether it is sure to say what it says at a look up to another one: with the least that the
  /// window can hold between the two, and the most that can be missing, or with the most and the
  /// least.
  @inline(always)
  func keepsVerdict(_ held: Bool, from first: KeepUpLook, to last: KeepUpLook) -> Bool {
    assert(holds(first) == held, "the rule says something else where it is looked at first")
    assert(last.instant >= first.instant, "a verdict is kept from an instant back to another")
    assert(last.received >= first.received, "data that was received is lost")
    let flowed = last.received - first.received
    if held {
      let least = FillMeter.Reading(
        received: last.reading.received - min(flowed, last.reading.received),
        open: last.reading.open)
      return first.questions.allHold(with: last.questions) { first, last in
        holds(KeepUpQuestion(missing: first.missing, leftOf: last), least)
      }
    }
    let most = FillMeter.Reading(
      received: first.reading.received + flowed, open: first.reading.open)
    return !first.questions.allHold(with: last.questions) { first, last in
      holds(KeepUpQuestion(missing: last.missing, leftOf: first), most)
    }
  }

  /// Whether it says the same in a piece for certain: between two instants at which the window
  /// leaves a stretch behind.
  func keepsVerdict(_ held: Bool, inPieceFrom first: KeepUpLook, to last: KeepUpLook) -> Bool {
    for place in 0..<first.questions.count {
      let (one, other) = (first.questions[place], last.questions[place])
      let isThere = one.missing == .zero && other.missing == .zero
      let isKept =
        isThere
        ? held
        : one.isOver == other.isOver && holds(one, first.reading) == held
          && holds(other, last.reading) == held
          && isSafe(held, from: (one, first.reading), to: (other, last.reading))
      // All questions must be answered with yes; one no is enough.
      if isKept != held { return isKept }
    }
    return held
  }

  /// Whether it still says no if some data more has come, of which each bit may settle several.
  @inline(__always)
  func staysUnlikely(_ first: KeepUpLook, _ more: DataAmount, times: Int64) -> Bool {
    let most = FillMeter.Reading(
      received: first.reading.received + more, open: first.reading.open)
    return !first.questions.allHold(with: first.questions) { question, _ in
      let missing = question.missing - min(more.times(times), question.missing)
      return holds(KeepUpQuestion(missing: missing, leftOf: question), most)
    }
  }
}

/// Data that is certain to come by an instant, and whether it is of what playback waits for next.
struct LeastInflow {
  let data: DataAmount
  let isOfNext: Bool
}

// These take the rule and the looks alone: a method of the buffer would copy it for each look.

extension LinearRule {
  /// Whether it still says yes up to a later look if some data has come by then.
  func staysLikely(
    from first: KeepUpLook, to last: KeepUpLook, _ inflow: LeastInflow
  ) -> Bool {
    for place in 0..<first.questions.count {
      let (question, least) = atWorst(place, from: first, to: last, inflow)
      if !holds(question, least) { return false }
    }
    return true
  }

  /// A question at a look, and the least that the window can hold from an earlier look up to there
  /// if some data has come by then.
  @inline(__always)
  private func atWorst(
    _ place: Int, from first: KeepUpLook, to last: KeepUpLook, _ inflow: LeastInflow
  ) -> (KeepUpQuestion, FillMeter.Reading) {
    let flowed = last.received - first.received
    let left = last.reading.received - min(flowed, last.reading.received)
    var missing = first.questions[place].missing
    // The third question is how fast a live stream comes.
    if place == 0 || (place == 1 && inflow.isOfNext) {
      missing = missing - min(inflow.data, missing)
    }
    return (
      KeepUpQuestion(missing: missing, leftOf: last.questions[place]),
      FillMeter.Reading(received: left + inflow.data, open: last.reading.open)
    )
  }

  /// About where it may turn between two looks, at the first of which it is sure to say yes; what
  /// is found there is judged exactly.
  func likelyTurn(
    from first: KeepUpLook, between sure: KeepUpLook, _ bound: KeepUpLook, _ inflow: LeastInflow
  ) -> Instant {
    var turn = bound.instant
    for place in 0..<first.questions.count {
      let before = margin(place, from: first, at: sure, inflow)
      let behind = margin(place, from: first, at: bound, inflow)
      if before.turns(by: behind) {
        turn = min(turn, before.turn(from: sure.instant, to: behind, at: bound.instant))
      }
    }
    assert(turn >= sure.instant, "the rule turns at \(turn.nanoseconds) ns, which is certain")
    return turn
  }

  @inline(__always)
  private func margin(
    _ place: Int, from first: KeepUpLook, at look: KeepUpLook, _ inflow: LeastInflow
  ) -> Margin {
    let (question, least) = atWorst(place, from: first, to: look, inflow)
    return margin(missing: question.missing, left: question.left, reading: least)
  }
}
