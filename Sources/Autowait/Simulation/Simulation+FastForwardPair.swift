/// Two players whose streams share the link.
///
/// Nearly all events of such a run are segments that come to one or the other. They are lived
/// through in a loop that holds both, as ``Player/fastForwardTracks(notAfter:countMax:in:)`` does
/// with the two tracks of one player: the link is moved as the general way moves it, and each
/// player does what it does without a look at what cannot have changed.
extension Simulation {
  /// Whether two streams play, and nothing else is due at this instant.
  @inline(__always)
  private var mayFastForwardPair: Bool {
    mutating get {
      // What is cheap to ask, and most often fails, comes first.
      !isEventByEvent && !players[0].source.buffer.readsFillRate
        && !players[1].source.buffer.readsFillRate
        && !hasPriorities && !asksExternalRules && !script.isWaiting
        && !moment.network.goesOffline && !moment.network.hasPaths
        && moment.network.link.transferCount > 0 && mayFastForward(0) && mayFastForward(1)
    }
  }

  @inline(__always)
  private mutating func mayFastForward(_ index: Int) -> Bool {
    queue.instant(of: index) > now && players[index].turn.tiedAt != now
      && players[index].mayFastForwardBeside(at: now)
  }

  /// Lets two players live through events of the link, the first of which is due; returns false,
  /// with nothing done, if that may be more than the loop knows.
  @inline(never)
  mutating func fastForwardPair(notAfter limit: Instant, countMax: Int) -> Bool {
    assert(players.count == 2, "\(players.count) players where there are two")
    if !mayFastForwardPair { return false }
    let condition = moment.network.link.nextCondition(isUsed: false)
    let bound = min(queue.scriptInstant, condition)
    let last = min(limit, Instant(nanoseconds: bound.nanoseconds - 1))
    let countMax = min(countMax, eventsMax - eventCount + 1)
    var (count, turned, isOthersTurn): (Int, Int?, Bool) = (0, nil, false)
    while count < countMax {
      let passed = followPair(
        notAfter: last, countMax: countMax - count, &turned, &isOthersTurn)
      if passed == 0 { break }
      count += passed
      assert(now <= last, "the loop went on to \(now.nanoseconds) ns, beyond what is due")
      let isOver = !players[0].isStirred && !players[1].isStirred
      for index in players.indices {
        if players[index].isStirred { settle(index) } else { rest(index) }
      }
      if isOver || turned.map({ hasTooManyEntries($0) }) == true { break }
      moment.network.link.giveSpare()
      followTransfers()
      guard moment.network.link.transferCount > 0, players[0].mayFastForwardBeside(at: now),
        players[1].mayFastForwardBeside(at: now)
      else { break }
    }
    if count == 0 { return false }
    eventCount += count - 1
    lastEvent = now
    // It is in the queue, whatever the first one has asked for meanwhile.
    if let turned, isOthersTurn { queue.schedule(.player, component: 1 - turned, at: now) }
    plan()
    if let turned { endIfTooManyEntries(turned) }
    return true
  }

  /// Lives through events for as long as they are of the kinds that the loop knows; returns their
  /// number, and tells whose turn the last one was, if anybody's, and whether it is the other one's
  /// at the same instant.
  ///
  /// A player is stirred of which the last one left something to do.
  private mutating func followPair(
    notAfter limit: Instant, countMax: Int, _ turned: inout Int?, _ isOthersTurn: inout Bool
  ) -> Int {
    var first = players[0].beginTracks(notAfter: limit, at: now)
    var second = players[1].beginTracks(notAfter: limit, at: now)
    var count = 0
    while count < countMax, !first.isOver, !second.isOver {
      moment.network.link.giveSpare()
      let next = moment.network.link.nextChange()
      let (one, other) = (first.nextTurn, second.nextTurn)
      let turn = min(one, other)
      // What comes at one instant with the link's change is for the general way. Of two players of
      // one instant the first one comes first, and the other one by itself.
      if turn == next || min(turn, next) > min(first.limit, second.limit) { break }
      if count == 0 {
        players[0].leaveActive(&first, from: moment.network.link.anchor)
        players[1].leaveActive(&second, from: moment.network.link.anchor)
      }
      if next < turn {
        advancePair(&first, &second, to: next, notAfter: limit)
        turned = nil
      } else {
        let index = one == turn ? 0 : 1
        let isDone =
          index == 0
          ? self.turn(0, &first, at: turn, notAfter: limit)
          : self.turn(1, &second, at: turn, notAfter: limit)
        if !isDone { break }
        turned = index
        if hasTooManyEntries(index) { first.isOver = true }
      }
      count += 1
    }
    isOthersTurn = turned.map { ($0 == 0 ? second.nextTurn : first.nextTurn) == now } ?? false
    players[0].endTracks(&first, &moment.network.link)
    players[1].endTracks(&second, &moment.network.link)
    return count
  }

  /// Moves the link to its next change, and lets the players take what comes of it.
  @inline(__always)
  private mutating func advancePair(
    _ first: inout FastForwardTracks, _ second: inout FastForwardTracks, to next: Instant,
    notAfter limit: Instant
  ) {
    first.countActive(moment.network.link.rate, until: next)
    second.countActive(moment.network.link.rate, until: next)
    moment.now = next
    if moment.network.link.advance(to: next).rateChanged {
      moment.network.link.cause = moment.log.record(
        .linkRate(moment.network.link.rate), at: next, cause: moment.network.link.cause)
      if !moment.network.link.isDue(at: next) { return tellOfLink(moment.network.link.cause) }
    }
    var (isFirst, isSecond) = (false, false)
    while let number = moment.network.link.firstComplete {
      if moment.network.link.close(number, at: next).player == 0 {
        take(number, 0, &first)
        isFirst = true
      } else {
        take(number, 1, &second)
        isSecond = true
      }
    }
    while let transfer = moment.network.link.beginResponse(at: next) {
      if transfer.player == 0 {
        beginResponse(transfer.number, 0, &first)
      } else {
        beginResponse(transfer.number, 1, &second)
      }
    }
    if isFirst { settleTaken(0, &first, notAfter: limit) }
    if !isSecond { return }
    // What the first one has left to do comes before.
    if players[0].isStirred {
      players[1].leaveTaken(&second, at: next)
    } else {
      settleTaken(1, &second, notAfter: limit)
    }
  }

  @inline(never)
  private mutating func take(_ number: Int, _ index: Int, _ run: inout FastForwardTracks) {
    act(index) { $0.take(&run, number, in: &$1) }
  }

  @inline(never)
  private mutating func beginResponse(_ number: Int, _ index: Int, _ run: inout FastForwardTracks) {
    act(index) { $0.beginResponse(&run, number, in: &$1) }
  }

  @inline(never)
  private mutating func settleTaken(
    _ index: Int, _ run: inout FastForwardTracks, notAfter limit: Instant
  ) {
    act(index) {
      $0.settleTaken(&run, in: &$1)
      $0.replan(&run, notAfter: limit, at: $1.now)
    }
  }

  @inline(never)
  private mutating func turn(
    _ index: Int, _ run: inout FastForwardTracks, at turn: Instant, notAfter limit: Instant
  ) -> Bool {
    act(index) {
      if !$0.turn(&run, at: turn, in: &$1) { return false }
      $0.replan(&run, notAfter: limit, at: $1.now)
      return true
    }
  }
}
