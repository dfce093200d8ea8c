/// The one entry to what goes faster than an event at a time.
///
/// Nearly all events of a session are changes of the link's rate and segments that come one after
/// another. They are lived through in loops of their own, which give the same run to the last
/// record: a run that goes event by event judges them. The conditions stand here, and for what is
/// played in `Player.mayFastForward(at:)`.
extension Simulation {
  /// Whether one player loads alone, one segment or two, and nothing else is due at this instant.
  ///
  /// A player that expects the link's next change to come first has nothing in the queue: with
  /// others about, a jump over changes of the link could pass over what they are to do. What the
  /// only player is to do at this instant comes first, too.
  @inline(__always)
  private var mayFastForward: Bool {
    players.count == 1 && !isEventByEvent && !moment.network.goesOffline
      && 1...2 ~= moment.network.link.transferCount && !script.isWaiting
      && queue.instant(of: 0) > now && players[0].turn.tiedAt != now
  }

  /// Lets the only player live through events of the link, the first of which is due; returns false
  /// if that may be more than the loops know.
  @inline(__always)
  mutating func fastForward(notAfter limit: Instant, countMax: Int) -> Bool {
    guard mayFastForward, players[0].mayFastForward(at: now) else { return false }
    let condition = moment.network.link.nextCondition(isUsed: false)
    let countMax = min(countMax, eventsMax - eventCount + 1)
    let count =
      players[0].source.buffer.isStream
      ? fastForwardStream(notAfter: limit, condition, countMax: countMax)
      : fastForwardFile(notAfter: limit, condition, countMax: countMax)
    if count == 0 { return false }
    eventCount += count - 1
    lastEvent = now
    plan()
    endIfTooManyEntries(0)
    return true
  }

  @inline(__always)
  private mutating func fastForwardFile(
    notAfter limit: Instant, _ condition: Instant, countMax: Int
  ) -> Int {
    guard moment.network.link.hasSingleFlow, moment.network.link.nextRateChange == now else {
      return 0
    }
    let bound = min(
      limit, queue.firstInstant(), Instant(nanoseconds: condition.nanoseconds - 1))
    let count = act(0) { $0.fastForward(notAfter: bound, countMax: countMax, in: &$1) }
    if count > 0 {
      (followedVersion, followedFlows) = (
        moment.network.link.version, moment.network.link.flowVersion
      )
    }
    return count
  }

  /// Lets the player of a stream live through events, and react to the last one, for as long as
  /// what it does then leads to more that the loops know: nothing else is due up to the bound.
  private mutating func fastForwardStream(
    notAfter limit: Instant, _ condition: Instant, countMax: Int
  ) -> Int {
    // What others do at an instant may come before or after: it is for the general way.
    var bound = min(queue.firstInstant(without: 0), condition)
    bound = min(limit, Instant(nanoseconds: bound.nanoseconds - 1))
    var count = 0
    while count < countMax, players[0].mayFastForward(at: now) {
      let passed = act(0) { $0.fastForward(notAfter: bound, countMax: countMax - count, in: &$1) }
      if passed == 0 { break }
      count += passed
      assert(now <= bound, "the loop went on to \(now.nanoseconds) ns, beyond what is due")
      guard players[0].isStirred else {
        rest(0)
        break
      }
      settle(0)
      followTransfers()
      if hasTooManyEntries(0) || !(1...2 ~= moment.network.link.transferCount) { break }
    }
    return count
  }

  /// Does the same where a player's own turn is due, if the loops know it; a stall is followed by
  /// one a nanosecond later.
  @inline(__always)
  mutating func fastForwardTurn(of player: Int, notAfter limit: Instant, countMax: Int) -> Bool {
    guard queue.linkInstant > now, players[player].isTurningUnlikely(at: now) else { return false }
    return fastForward(notAfter: limit, countMax: countMax)
  }

  /// Takes note that a player is at rest, of which the loops have left nothing to do.
  mutating func rest(_ index: Int) {
    certainty.forget(index)
    players[index].turn.tiedAt = .never
    players[index].rest(at: now)
  }

  /// Lets the changes of the link's rate pass that come next, if they do nothing but move the
  /// instants at which transfers end.
  ///
  /// That is so while nobody's turn depends on how transfers go on, and no stream's fill rate is
  /// read. Players of files are told, as the window of their fill rate takes note of each change;
  /// the others of the last change alone.
  mutating func passRateChanges(notAfter limit: Instant, countMax: Int) {
    if isEventByEvent || script.isWaiting || moment.network.goesOffline { return }
    var (bound, most) = (min(limit, queue.scriptInstant), DataAmount(nanobits: .max))
    var areFollowed = false
    for index in players.indices {
      if players[index].source.buffer.readsFillRate {
        if players[index].source.buffer.isStream { return }
        areFollowed = true
      }
      guard let rest = certainty.rest(of: index) else { return }
      (bound, most) = (min(bound, rest.until), min(most, rest.amount))
    }
    let countMax = min(countMax - 1, eventsMax - eventCount)
    var count = 0
    defer {
      eventCount += count
      lastEvent = now
    }
    // Whether data comes at all counts in the time of active transfer.
    while moment.network.link.rate > .zero, count < countMax {
      let next = moment.network.link.nextChange()
      if next > bound || next != moment.network.link.nextRateChange { break }
      if moment.network.link.most(by: next) > most { break }
      assert(next >= now, "the link's change at \(next.nanoseconds) ns has passed")
      moment.now = next
      count += 1
      let before = moment.network.link.cause
      if moment.network.link.advance(to: next).rateChanged {
        moment.network.link.cause = moment.log.record(
          .linkRate(moment.network.link.rate), at: next, cause: before)
      }
      if areFollowed { followTransfers() }
      if moment.network.link.isDue(at: next) {
        // Players that wait for this transfer follow the change before this one.
        tellOfLink(before)
        return takeDueTransfers()
      }
    }
    if count > 0 { tellOfLink(moment.network.link.cause) }
  }
}
