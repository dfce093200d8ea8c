/// A run of a world: one value that holds all of its state.
///
/// A copy is a fork. It goes on exactly as the original would and leaves the original untouched, so
/// time travel and what-if questions are assignments.
package struct Simulation: Sendable {
  /// What a step came to.
  package enum StepResult: Hashable, Sendable {
    /// Something happened.
    case advanced
    /// An external rule must be asked; `answer(_:)` lets the run go on.
    case needsDecision(RuleQuestion)
    /// The run is over.
    case finished(FinishReason)
  }

  /// How a run gets from one event to the next.
  ///
  /// Both ways give the same run, to the last record.
  package enum Pace: Hashable, Sendable, CaseIterable {
    /// Several events at a time where nothing else can happen between them; after an event, only
    /// what it may have changed is planned again.
    case fast
    /// One event at a time; after each, every player is planned again from what holds then.
    ///
    /// This way judges the other, and so shares none of its shortcuts. It also looks at all players
    /// after each event and halfway to the next, and adds a player that never does anything:
    /// neither may change a run.
    case eventByEvent
  }

  /// The instant up to which everything has happened.
  package var now: Instant { moment.now }
  /// The events that have happened.
  package internal(set) var eventCount = 0
  /// What happened so far.
  package var log: EventLog { moment.log }
  /// Why the run ended; nil while it goes on.
  package private(set) var finishReason: FinishReason?

  var moment: Moment
  var players: [Player]
  var script: ScriptState
  var queue: EventQueue
  /// When each player turns, or is to be looked at again, whatever the link does.
  var certainty: Certainty
  /// Whether there are so many players that those to be looked at are searched, and not found by a
  /// look at each.
  let isCrowd: Bool
  /// Those of a crowd that are being looked at, one after another.
  var looked: [Int] = []
  /// How many flows there are at most, as far as what is certain goes.
  var flowsMax: Int
  /// How much of the link's log of flows each player has heard.
  var heardCounts: [Int]
  /// When all players were last brought to rest.
  var settledAt = Instant.start
  /// The link's version that the players know.
  var followedVersion = -1
  var followedFlows = -1
  /// The number of the record that said last that the run had settled.
  private var settledCount = -1
  var question: RuleQuestion?
  private var questionCount = 0
  /// Whether the only player's next event is planned as if data that came since had not come.
  var keepsPlan = false
  /// The link's next change when it was planned.
  var plannedLinkChange = Instant.never
  /// The instant of the last event, or of the last thing that was done from outside.
  var lastEvent = Instant.start
  let asksExternalRules: Bool
  /// Whether players of different priority share the network.
  let hasPriorities: Bool
  let isEventByEvent: Bool
  let eventsMax: Int
  private let entriesMax: Int
  let horizon: Instant

  /// Begins the run of a world; the records of what happens are kept only on request.
  ///
  /// With an empty tape the run takes note of what packets bring; from the tape of another run on
  /// the same network it reads that, as far as it asks for the same.
  package init(
    _ world: World, keepsRecords: Bool = true, pace: Pace = .fast, tape: PacketTape? = nil
  ) {
    world.check()
    let isEventByEvent = pace == .eventByEvent
    let hasPriorities = world.hasPriorities
    let asksExternalRules = world.players.contains { $0.keepUp.rule.isExternal }
    var moment = Moment(world.network(tape), EventLog(keepsRecords: keepsRecords))
    let script = ScriptState(world.script, of: world.players, &moment.log)
    let cause = moment.log.record(
      .started(seed: world.seed, draws: world.draws), at: .start, cause: 0)
    moment.network.link.cause = cause
    let count = world.players.count + (isEventByEvent ? 1 : 0)
    // What a flow is certain to get is known where all get the same.
    let isEqual = world.players.allSatisfy { $0.keepUp.soundShare == FlowShare.ordinaryWeight }
    let sharesLink = count > 1 && !isEventByEvent && !moment.network.hasPaths && isEqual
    let mayKeepTurns = count == 1 && moment.network.hasPackets && !asksExternalRules
    // What a flow gets at most is known of an ideal link.
    let foresight = isEventByEvent || moment.network.hasPaths ? TimeSpan.zero : .seconds(1)
    let isCrowd = count > 31
    moment.network.link.log.isKept = sharesLink && isCrowd && !hasPriorities && !asksExternalRules
    // Each property is given its value once: what is written again in an initializer is copied at
    // its end.
    horizon = world.horizon
    self.isEventByEvent = isEventByEvent
    self.script = script
    // They are completed where they lie: each is larger than all of the rest.
    var all: [Player] = []
    all.reserveCapacity(count)
    for index in 0..<count {
      let isIdle = index == world.players.count
      all.append(
        Player(
          index: index,
          configuration: isIdle ? PlayerConfiguration(media: []) : world.players[index]))
      all[index].attachLoopAndPipeline()
      all[index].followLink(cause)
      all[index].sharesLink = sharesLink
      all[index].mayKeepTurns = mayKeepTurns
      all[index].foresight = foresight
    }
    players = consume all
    queue = EventQueue(playerCount: count)
    self.isCrowd = isCrowd
    certainty = Certainty(playerCount: count, isCrowd: isCrowd)
    flowsMax = count
    heardCounts = (0..<count).map { _ in 0 }
    self.hasPriorities = hasPriorities
    self.asksExternalRules = asksExternalRules
    eventsMax = world.eventsMax
    entriesMax = world.entriesMax
    self.moment = consume moment
    if players.contains(where: { $0.hasQueue || $0.loop != nil }) { fillQueues() }
    plan()
  }

  /// Puts the items into the queues that players are made with.
  private mutating func fillQueues() {
    for index in players.indices {
      let configuration = players[index].configuration
      if !configuration.hasQueue, configuration.loop == nil { continue }
      players[index].isStirred = true
      let isLoopFirst = configuration.loop?.ordering == .loopingItemsPrecedeExistingItems
      if isLoopFirst { act(index) { $0.beginLoop(in: &$1) } }
      for item in configuration.queue ?? [] {
        act(index) { $0.perform(.insert(item, after: nil), in: &$1) }
      }
      if !isLoopFirst { act(index) { $0.beginLoop(in: &$1) } }
    }
    settleAll()
  }

  /// Lets the next event happen.
  package mutating func step() -> StepResult {
    advance(notAfter: horizon, countMax: 1) ? .advanced : stop
  }

  /// Lets everything happen up to and including an instant.
  ///
  /// The result is `advanced` when the instant is reached with the run still going on. A run that
  /// has settled waits until then for more to be asked of it.
  package mutating func advance(to instant: Instant) -> StepResult {
    let target = min(instant, horizon)
    if finishReason == .settled, target > now { finishReason = nil }
    while finishReason == nil, question == nil {
      lookAhead(notAfter: target)
      if queue.firstInstant() > target {
        // A run that has settled goes on until it is run to its end: more may be asked of it.
        if instant <= horizon {
          moment.now = max(now, target)
          return .advanced
        }
        finish()
      } else {
        _ = advance(notAfter: target, countMax: .max)
      }
    }
    return stop
  }

  /// Runs to the end, or to the first question.
  package mutating func run() -> StepResult {
    while advance(notAfter: horizon, countMax: .max) {}
    return stop
  }

  /// Does the same, and hands the records over as they come: none is kept.
  package mutating func run(_ take: (EventRecord) -> Void) -> StepResult {
    while advance(notAfter: horizon, countMax: .max) {
      if moment.log.records.count >= 1_000 { moment.log.takeRecords().forEach(take) }
    }
    moment.log.takeRecords().forEach(take)
    return stop
  }

  /// What packets brought; nil if it was not to be written, or no packet travels.
  package var tape: PacketTape? { moment.network.tape }

  /// Whether the tape of another run tells what packets bring, and none travels.
  package var readsTape: Bool { moment.network.readsTape }

  /// Removes and returns the records kept so far.
  package mutating func takeRecords() -> EventRecords { moment.log.takeRecords() }

  /// Answers the question that the last step came to.
  package mutating func answer(_ answer: RuleAnswer, to question: RuleQuestion) {
    precondition(
      question == self.question,
      "an answer to question \(question.number), but the open one is "
        + "\(self.question.map { "\($0.number)" } ?? "none")")
    self.question = nil
    let player = question.player
    let next = answer.askAgainAfter ?? players[player].configuration.keepUp.externalRuleInterval
    players[player].source.buffer.answer = answer
    players[player].answered = now
    players[player].askAt = now + max(next, TimeSpan(nanoseconds: 1))
    act(player) { $1.cause = $1.record(.ruleAnswer(isLikelyToKeepUp: answer.isLikelyToKeepUp)) }
    settle(player)
    plan()
  }

  /// Does something at the present instant that the script does not.
  ///
  /// A run that has settled goes on with it.
  package mutating func perform(_ action: ScriptAction) {
    if finishReason == .settled { finishReason = nil }
    precondition(
      finishReason == nil,
      "nothing can be done in a run that is over: \(finishReason.map { "\($0)" } ?? "")")
    precondition(question == nil, "nothing can be done before the open question is answered")
    lastEvent = now
    readNews()
    act(action, cause: moment.log.count)
    settleAll()
    plan()
  }

  /// Returns what an application would read from a player now.
  package func snapshot(of player: Int) -> PlayerSnapshot {
    snapshot(of: player, at: now)
  }

  /// Returns what an application would read from a player at an instant, not before now, up to
  /// which nothing more happens.
  package func snapshot(of player: Int, at instant: Instant) -> PlayerSnapshot {
    precondition(instant >= now, "a snapshot must not be from before \(now), is from \(instant)")
    return PlayerSnapshot(informed(player), at: finishReason == nil ? now : instant)
  }

  /// Returns what an application has set of a player.
  package func preferences(of player: Int) -> PlayerPreferences {
    PlayerPreferences(players[player])
  }

  /// The instant of the next event; `never` if nothing is pending.
  ///
  /// Packets are under way without an event; what comes of them is known by
  /// ``hasEvent(notAfter:)``.
  package var nextInstant: Instant { queue.firstInstant() }

  /// Returns whether something happens up to an instant, not before now; nothing is left out if so.
  ///
  /// Without an event the network has reached the instant, and the run must follow it there.
  package mutating func hasEvent(notAfter instant: Instant) -> Bool {
    // Behind the end of the run nothing happens, and no packet may travel there.
    let last = min(instant, horizon)
    lookAhead(notAfter: last)
    return queue.firstInstant() <= last
  }

  /// Returns what the run has come to for a player so far.
  package func metrics(of player: Int) -> PlayerMetrics {
    PlayerMetrics(informed(player), at: now)
  }

  /// Returns the fill rate that a player's rule goes by now; nil without an item, and before a
  /// request was open.
  package func fillRate(of player: Int) -> BitRate? {
    let source = informed(player).source
    if source.item == nil { return nil }
    // Between two events the window may leave behind what the player has not yet taken note of.
    var (meter, history) = (source.buffer.meter, source.buffer.fillHistory)
    meter.slide(to: now, history: &history)
    let reading = meter.reading(at: now)
    if reading.open <= .zero { return nil }
    // Nanobits over nanoseconds are bits per second.
    let rate = reading.received.nanobits / UInt128(reading.open.nanoseconds)
    return BitRate(bitsPerSecond: Int64(clamping: rate))
  }

  /// Returns the rate of the link's condition at an instant not before now, used or not.
  package func linkRate(at instant: Instant) -> BitRate {
    var copy = moment.network.link
    _ = copy.advance(to: max(instant, now))
    return copy.rate
  }

  /// The digest of everything that has happened.
  package var fingerprint: Fingerprint { moment.log.fingerprint }
}

// MARK: - Stepping

extension Simulation {
  /// Why the run does not go on.
  private var stop: StepResult {
    if let finishReason { return .finished(finishReason) }
    guard let question else { preconditionFailure("a run stopped without a reason") }
    return .needsDecision(question)
  }

  /// Lets the next event happen, and more of them where many are as cheap as one; returns false if
  /// the run is over or a question is open.
  @inline(__always)
  private mutating func advance(notAfter limit: Instant, countMax: Int) -> Bool {
    if finishReason != nil || question != nil { return false }
    if isEventByEvent { lookAround(notAfter: limit) }
    lookAhead(notAfter: limit)
    guard let entry = queue.popFirst(notAfter: limit) else {
      finish()
      return false
    }
    precondition(entry.instant >= now, "time went back")
    moment.now = entry.instant
    if asksExternalRules, let asked = ask(before: entry) {
      queue.schedule(entry.eventClass, component: entry.component, at: entry.instant)
      question = asked
      return false
    }
    eventCount += 1
    lastEvent = now
    if eventCount > eventsMax {
      finish(.eventLimit)
      return false
    }
    switch entry.eventClass {
    case .link:
      advanceLink(notAfter: limit, countMax: countMax)
    case .player:
      if fastForwardTurn(of: entry.component, notAfter: limit, countMax: countMax) { return true }
      settle(entry.component)
      plan(after: entry.component)
      endIfTooManyEntries(entry.component)
    case .script:
      readNews()
      var timedCount = 0
      while let step = script.nextDue(at: now, &players) {
        if step.isTimed { timedCount += 1 }
        if timedCount > 1, eventCount + timedCount > eventsMax {
          finish(.eventLimit)
          return false
        }
        let number = moment.log.record(.step(index: step.index), at: now, cause: step.cause)
        act(step.action, cause: number)
        script.noteDone(step.index, at: now, record: number)
      }
      eventCount += max(0, timedCount - 1)
      settleAll()
      plan()
      for index in players.indices { endIfTooManyEntries(index) }
    }
    return finishReason == nil
  }

  /// Whether a player has so many stalls and entries that the run ends.
  func hasTooManyEntries(_ index: Int) -> Bool {
    players[index].accessLog.events.count + players[index].meter.stallCount > entriesMax
  }

  /// Ends a run in which a player has too many stalls and entries.
  mutating func endIfTooManyEntries(_ index: Int) {
    if hasTooManyEntries(index), finishReason == nil { finish(.eventLimit) }
  }

  /// Looks at all players, now and halfway to the next event.
  private mutating func lookAround(notAfter limit: Instant) {
    look()
    let next = min(queue.firstInstant(), limit)
    if next == .never { return }
    let middle = Instant(nanoseconds: now.nanoseconds + (next.nanoseconds - now.nanoseconds) / 2)
    lookAhead(notAfter: middle)
    if queue.firstInstant() <= middle { return }
    moment.now = middle
    look()
  }

  private func look() {
    for index in players.indices {
      let shown = snapshot(of: index)
      precondition(
        shown.timebaseRate == .zero || shown.timeControlStatus == .playing,
        "the timebase of player \(index) runs, though it does not play")
      checkAccounts(of: index)
    }
  }

  /// Whether nothing will ever happen again and nobody waits for it.
  private var isSettled: Bool {
    queue.firstInstant() == .never
      && !players.contains { $0.phase.isWaiting && !$0.hasPlayedQueue }
  }

  private mutating func finish() {
    let isWaiting = players.contains { $0.phase.isWaiting && !$0.hasPlayedQueue }
    if isSettled {
      // However far it was watched, such a run ended with its last event.
      moment.now = lastEvent
      finish(.settled)
    } else {
      moment.now = horizon
      finish(isWaiting ? .stillWaiting : .horizon)
    }
  }

  private mutating func finish(_ reason: FinishReason) {
    finishReason = reason
    // A run that had settled, and was watched since, has been told of already.
    if moment.log.count == settledCount { return }
    moment.log.record(.finished(reason), at: now, cause: moment.log.count)
    if reason == .settled { settledCount = moment.log.count }
    for index in players.indices { checkAccounts(of: index) }
  }

  private func checkAccounts(of index: Int) {
    var total = TimeSpan.zero
    for account in TimeAccount.allCases { total += players[index].meter.time(account, at: now) }
    precondition(
      total == now - .start,
      "player \(index) has booked \(total.nanoseconds) ns of \((now - .start).nanoseconds)")
  }

  /// Moves the link; most of its events are changes of rate, which touch no player's state.
  @inline(__always)
  private mutating func advanceLink(notAfter limit: Instant, countMax: Int) {
    if fastForward(notAfter: limit, countMax: countMax) { return }
    if players.count == 2, fastForwardPair(notAfter: limit, countMax: countMax) { return }
    let wasDown = moment.network.link.rate == .zero
    let advance = moment.network.link.advance(to: now)
    if advance.conditionChanged { recordLinkChange(cause: moment.network.link.cause) }
    if advance.rateChanged {
      moment.network.link.cause = moment.log.record(
        .linkRate(moment.network.link.rate), at: now, cause: moment.network.link.cause)
    }
    var isChanged = advance.rateChanged || advance.conditionChanged
    if moment.network.takeHandover(at: now) {
      recordLinkChange(cause: moment.network.link.cause)
      isChanged = true
    }
    if moment.network.takeOffline(at: now) {
      // What arrives whole at that very instant is there.
      if moment.network.hasPaths {
        _ = takeNotices(isNewLink: advance.conditionChanged)
      } else if moment.network.link.isDue(at: now) {
        takeDueTransfers()
      }
      for index in players.indices {
        certainty.forget(index)
        act(index) { $0.loseNetwork(in: &$1) }
      }
      settleAll()
    }
    if moment.network.hasPaths {
      if isChanged { tellOfLink(moment.network.link.cause) }
      if takeNotices(isNewLink: advance.conditionChanged), !isChanged, keepPlan() { return }
    } else if moment.network.link.isDue(at: now) {
      takeDueTransfers()
    } else if isChanged {
      tellOfLink(moment.network.link.cause)
      if !wasDown { passRateChanges(notAfter: limit, countMax: countMax) }
    }
    plan()
  }

  /// Tells the players that load that the link has changed.
  mutating func tellOfLink(_ cause: Int) {
    for place in 0..<moment.network.link.transferCount {
      players[moment.network.link.player(in: place)].followLink(cause)
    }
    for place in moment.network.places {
      guard let transfer = moment.network.transfer(in: place) else { continue }
      players[transfer.player].followLink(cause)
    }
  }

  mutating func takeDueTransfers() {
    while let number = moment.network.link.firstComplete {
      let transfer = moment.network.link.close(number, at: now)
      certainty.forget(transfer.player)
      if transfer.isDropped { continue }
      act(transfer.player) { $0.transferCompleted(transfer, in: &$1) }
    }
    while let (transfer, player) = moment.network.link.beginResponse(at: now) {
      act(player) { $0.responseBegan(transfer, in: &$1) }
      // Who reads a log of the link is told at once of its own flow.
      if !isCrowd, let turn = players[player].moveTimeout(at: now) {
        certainty.move(player, to: turn)
      } else {
        certainty.forget(player)
      }
    }
    followTransfers()
    settleAll()
  }

  private mutating func recordLinkChange(cause: Int) {
    moment.network.link.cause = moment.log.record(
      .linkChanged(link: moment.network.link.condition, rate: moment.network.link.rate), at: now,
      cause: cause)
  }

  private mutating func act(_ action: ScriptAction, cause: Int) {
    switch action {
    case .useLink(let number):
      // What flowed until now flowed under the old condition.
      _ = moment.network.link.advance(to: now)
      moment.network.use(link: number, at: now)
      forgetCertainty()
      recordLinkChange(cause: cause)
      for index in players.indices { players[index].followLink(moment.network.link.cause) }
      followTransfers()
    case .suspendTraffic(let isSuspended):
      moment.network.setTrafficSuspended(isSuspended, at: now)
      followTransfers()
    case .player(let index, let action):
      certainty.forget(index)
      players[index].cause = cause
      players[index].isStirred = true
      readNews(of: index)
      // A wish is judged by the fill rate of this instant, whenever it was last looked at.
      players[index].slideMeter(to: now)
      act(index) { $0.perform(action, in: &$1) }
    }
  }
}

// MARK: - External rules

extension Simulation {
  /// Returns the question that must be answered before an event can happen, if any.
  private mutating func ask(before entry: EventQueue.Entry) -> RuleQuestion? {
    switch entry.eventClass {
    case .link: return nil
    case .player:
      guard players[entry.component].nextQuestion <= now else { return nil }
      return question(for: entry.component, rate: players[entry.component].evaluationRate)
    case .script:
      guard case .player(let index, let action)? = script.peek(at: now, &players)?.action,
        players[index].source.buffer.facts.contains(.opened), players[index].answered < now,
        players[index].configuration.keepUp.rule.isExternal
      else { return nil }
      switch action {
      case .play: return question(for: index, rate: players[index].playRate)
      case .setRate(let rate): return rate == .zero ? nil : question(for: index, rate: rate)
      case .replaceCurrentItem, .insert, .remove, .removeAllItems, .advanceToNextItem,
        .disableLooping, .loadValues, .createItem, .pause, .playImmediately, .setRateAtHostTime,
        .seek, .seekNear, .seekToLive, .preroll, .set, .interrupt, .enterBackground, .changeTracks,
        .select,
        .enable, .transcode, .failItem:
        return nil
      }
    }
  }

  private mutating func question(for index: Int, rate: PlaybackRate) -> RuleQuestion? {
    let player = players[index]
    guard let item = player.source.item, player.source.buffer.facts.contains(.opened) else {
      return nil
    }
    questionCount += 1
    let buffer = player.source.buffer
    let reading = buffer.meter.reading(at: now)
    return RuleQuestion(
      number: questionCount, player: index, instant: now, rate: rate,
      isWaiting: player.phase.timeControlStatus == .waitingToPlayAtSpecifiedRate,
      hasPlayed: item.hasBegun, situation: buffer.buffering.situation,
      waited: buffer.buffering.waited(at: now), isBufferFull: buffer.facts.contains(.full),
      currentTime: player.currentTime(at: now),
      loadedEnd: buffer.loadedEnd(at: now), endTime: buffer.endTime(for: rate),
      missing: buffer.missing(at: now).begunBytes, received: reading.received.wholeBytes,
      open: reading.open)
  }
}
