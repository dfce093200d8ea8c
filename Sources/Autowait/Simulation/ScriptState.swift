/// How far a script has come.
struct ScriptState: Sendable {
  /// A step that is due, with the number of the event that made it so.
  struct Due {
    let index: Int
    let action: ScriptAction
    let cause: Int
    /// Whether it follows from something else, and may so lead to itself.
    var isTimed = false
  }

  private let steps: [ScriptStep]
  /// How long after an event each step is due that reacts to it.
  private let delays: [TimeSpan]
  /// How long it takes until the app of each player has heard of an event and acts.
  private let latencies: [TimeSpan]
  /// The first step that is not done, by kind: steps at times do not wait for conditions.
  private var nextAt: Int
  private var nextWhen: Int
  /// The steps that were set going, by when they are due; those of one instant in the order in
  /// which they were set going.
  private var timers: [Timer] = []
  /// How many of its events each step has seen, or how often it was done in intervals.
  private var counts: [Int]
  /// How many steps still react to events.
  private var reactionCount = 0

  /// A step that is due at an instant, whatever else happens.
  private struct Timer: Sendable {
    let instant: Instant
    let index: Int
    let cause: Int
  }

  /// Creates the state in which nothing is done; the log is to look out for what steps react to.
  init(_ steps: [ScriptStep], of players: [PlayerConfiguration], _ log: inout EventLog) {
    self.steps = steps
    let latencies = players.map { $0.latency.notification + $0.latency.reaction }
    self.latencies = latencies
    delays = steps.map { $0.delay(latencies) }
    nextAt = 0
    nextWhen = 0
    counts = steps.map { _ in 0 }
    nextAt = next(from: 0, isCondition: false)
    nextWhen = next(from: 0, isCondition: true)
    for index in steps.indices {
      switch steps[index].trigger {
      case .on(let reaction):
        if reaction.count == 0 { continue }
        log.watch(reaction.events, as: index)
        reactionCount += 1
      case .every(_, let first, let count):
        if count != 0 { add(Timer(instant: first, index: index, cause: 1)) }
      case .at, .when, .after: break
      }
    }
  }

  /// Whether all steps are done.
  var isDone: Bool {
    nextAt == steps.count && nextWhen == steps.count && timers.isEmpty && reactionCount == 0
  }

  /// Whether a step waits for a condition, or for an event, that may come at any time.
  @inline(__always)
  var isWaiting: Bool { reactionCount > 0 || (nextWhen < steps.count && nextAt > nextWhen) }

  /// Whether a step reacts to events.
  @inline(__always)
  var isReacting: Bool { reactionCount > 0 }

  private func next(from start: Int, isCondition: Bool) -> Int {
    var index = start
    while index < steps.count {
      switch steps[index].trigger {
      case .when: if isCondition { return index }
      case .at: if !isCondition { return index }
      case .on, .after, .every: break
      }
      index += 1
    }
    return index
  }

  private mutating func add(_ timer: Timer) {
    let place = timers.firstIndex { $0.instant > timer.instant } ?? timers.count
    timers.insert(timer, at: place)
    assert(
      zip(timers, timers.dropFirst()).allSatisfy { $0.instant <= $1.instant },
      "the steps that were set going must ascend")
  }

  /// Takes note of an event for which a step has waited.
  mutating func note(_ sighting: EventLog.Sighting) {
    guard case .on(let reaction) = steps[sighting.watch].trigger else {
      preconditionFailure("step \(sighting.watch) waits for no event")
    }
    counts[sighting.watch] += 1
    let number = counts[sighting.watch] - reaction.skipped
    if number < 1 || number > reaction.count ?? .max { return }
    if number == reaction.count { reactionCount -= 1 }
    var instant = sighting.instant + delays[sighting.watch]
    // Where the step names no player, the app is that of the player whose event it is.
    if case .suspendTraffic = steps[sighting.watch].action, reaction.events.player == nil,
      let player = sighting.player
    {
      instant = instant + latencies[player]
    }
    add(Timer(instant: instant, index: sighting.watch, cause: sighting.record))
  }

  /// Takes note that a step was done, and lets those that come after it wait for their time.
  mutating func noteDone(_ done: Int, at now: Instant, record: Int) {
    if case .every(let interval, _, let count) = steps[done].trigger {
      counts[done] += 1
      if counts[done] < count ?? .max {
        add(Timer(instant: now + interval, index: done, cause: 1))
      }
    }
    for index in steps.indices {
      if case .after(done, let delay) = steps[index].trigger {
        add(Timer(instant: now + delay, index: index, cause: record))
      }
    }
  }

  /// The condition that is waited for: that of the first such step, once all before it are done.
  private var armed: Condition? {
    guard nextWhen < steps.count, nextAt > nextWhen,
      case .when(let condition) = steps[nextWhen].trigger
    else { return nil }
    return condition
  }

  /// Returns the step that is due at an instant.
  func peek(at now: Instant, _ players: inout [Player]) -> Due? {
    if nextAt < steps.count, case .at(let instant) = steps[nextAt].trigger, instant <= now {
      return Due(index: nextAt, action: steps[nextAt].action, cause: 1)
    }
    if let timer = timers.first, timer.instant <= now {
      return Due(
        index: timer.index, action: steps[timer.index].action, cause: timer.cause, isTimed: true)
    }
    if let armed, armed.holds(at: now, &players) {
      return Due(
        index: nextWhen, action: steps[nextWhen].action, cause: players[armed.player].cause)
    }
    return nil
  }

  /// Returns the step that is due at an instant and counts it as done.
  mutating func nextDue(at now: Instant, _ players: inout [Player]) -> Due? {
    guard let due = peek(at: now, &players) else { return nil }
    if due.index == nextAt {
      nextAt = next(from: nextAt + 1, isCondition: false)
    } else if due.index == nextWhen {
      nextWhen = next(from: nextWhen + 1, isCondition: true)
    } else {
      timers.removeFirst()
    }
    return due
  }

  /// Returns the instant at which the next step is due, if that is before anything else happens.
  @inline(__always)
  func nextInstant(
    from now: Instant, notAfter bound: Instant, _ players: inout [Player]
  ) -> Instant {
    var next = timers.first?.instant ?? .never
    if nextAt < steps.count, case .at(let instant) = steps[nextAt].trigger {
      next = min(next, instant)
    }
    guard let armed else { return next }
    return min(next, armed.firstInstant(from: now, notAfter: min(bound, next), &players))
  }
}

extension ScriptStep {
  /// How long after an event the step is due, if it reacts to one: the application must hear of it
  /// and act before its own delay begins.
  fileprivate func delay(_ latencies: [TimeSpan]) -> TimeSpan {
    guard case .on(let reaction) = trigger else { return .zero }
    let player: Int? =
      switch action {
      case .player(let index, _): index
      // It is the app that suspends its other traffic.
      case .suspendTraffic: reaction.events.player
      case .useLink: nil
      }
    return reaction.delay + (player.map { latencies[$0] } ?? .zero)
  }
}

/// Conditions look at players and change nothing; players are `inout` so that none is copied.
extension Condition {
  /// Returns whether all tests hold at an instant before the next event.
  func holds(at instant: Instant, _ players: inout [Player]) -> Bool {
    tests.allSatisfy { $0.holds(&players[player], at: instant) }
  }

  /// Returns the first instant, if it is at most a bound, at which all tests hold.
  ///
  /// Until the next event flags stand still and times move one way, so every test changes at most
  /// once.
  func firstInstant(
    from now: Instant, notAfter bound: Instant, _ players: inout [Player]
  ) -> Instant {
    var candidate = now
    for test in tests where !test.holds(&players[player], at: now) {
      guard test.property.isContinuous, bound > now, test.holds(&players[player], at: bound) else {
        return .never
      }
      candidate = max(candidate, test.firstInstant(&players[player], after: now, notAfter: bound))
    }
    return holds(at: candidate, &players) ? candidate : .never
  }
}

extension Condition.Test {
  /// Returns whether the test holds for a player at an instant before the next event.
  func holds(_ player: inout Player, at instant: Instant) -> Bool {
    if property == .offsetFromLive, player.offsetFromLive(at: instant) == nil { return false }
    return comparison.holds(reading(&player, at: instant), value)
  }

  /// Finds the first instant at which the test holds, by halving: it holds at the last.
  fileprivate func firstInstant(
    _ player: inout Player, after now: Instant, notAfter last: Instant
  ) -> Instant {
    var fails = now.nanoseconds
    var holds = last.nanoseconds
    while holds - fails > 1 {
      let middle = fails + (holds - fails) / 2
      if self.holds(&player, at: Instant(nanoseconds: middle)) {
        holds = middle
      } else {
        fails = middle
      }
    }
    return Instant(nanoseconds: holds)
  }

  private func reading(_ player: inout Player, at instant: Instant) -> Int64 {
    let facts = player.source.buffer.facts
    return switch property {
    case .loaded: player.source.buffer.loadedEnd(at: instant).nanoseconds
    case .bufferedAhead:
      max(
        0,
        (player.source.buffer.loadedEnd(at: instant) - player.currentTime(at: instant)).nanoseconds)
    case .currentTime: player.currentTime(at: instant).nanoseconds
    case .isPlaybackLikelyToKeepUp: facts.contains(.likely) ? 1 : 0
    case .isPlaybackBufferFull: facts.contains(.full) ? 1 : 0
    case .isPlaybackBufferEmpty: facts.isToldEmpty ? 1 : 0
    case .timeControlStatus:
      player.configuration.contract.hasAutomaticWaiting
        ? Int64(player.phase.timeControlStatus.rawValue) : -1
    case .reasonForWaitingToPlay:
      player.configuration.contract.hasAutomaticWaiting
        ? player.phase.reasonForWaitingToPlay.map { Int64($0.rawValue) } ?? -1 : -1
    case .status: player.source.item.map { Int64($0.status.rawValue) } ?? -1
    case .stallCount: Int64(player.meter.stallCount)
    case .playedToEndCount: Int64(player.meter.playedToEndCount)
    case .variant: player.source.arrivedVariant.map { Int64($0) } ?? -1
    case .indicatedBitrate: player.indicatedBitRate?.bitsPerSecond ?? -1
    case .errorCount: Int64(player.errorCount)
    case .offsetFromLive: player.offsetFromLive(at: instant)?.nanoseconds ?? -1
    }
  }
}
