/// How far a script has come.
struct ScriptState: Sendable {
  /// A step that is due, with the number of the event that made it so.
  struct Due {
    let index: Int
    let action: ScriptAction
    let cause: Int
  }

  private let steps: [ScriptStep]
  /// The first step that is not done, by kind: steps at times do not wait for conditions.
  private var nextAt: Int
  private var nextWhen: Int

  /// Creates the state in which nothing is done.
  init(_ steps: [ScriptStep]) {
    self.steps = steps
    nextAt = 0
    nextWhen = 0
    nextAt = next(from: 0, isCondition: false)
    nextWhen = next(from: 0, isCondition: true)
  }

  /// Whether all steps are done.
  var isDone: Bool { nextAt == steps.count && nextWhen == steps.count }

  /// Whether a step waits for a condition now.
  @inline(__always)
  var isWaiting: Bool { nextWhen < steps.count && nextAt > nextWhen }

  private func next(from start: Int, isCondition: Bool) -> Int {
    var index = start
    while index < steps.count {
      if case .when = steps[index].trigger {
        if isCondition { return index }
      } else if !isCondition {
        return index
      }
      index += 1
    }
    return index
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
    } else {
      nextWhen = next(from: nextWhen + 1, isCondition: true)
    }
    return due
  }

  /// Returns the instant at which the next step is due, if that is before anything else happens.
  @inline(__always)
  func nextInstant(
    from now: Instant, notAfter bound: Instant, _ players: inout [Player]
  ) -> Instant {
    var next = Instant.never
    if nextAt < steps.count, case .at(let instant) = steps[nextAt].trigger { next = instant }
    guard let armed else { return next }
    return min(next, armed.firstInstant(from: now, notAfter: min(bound, next), &players))
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
    case .isPlaybackBufferEmpty: facts.contains(.empty) ? 1 : 0
    case .timeControlStatus: Int64(player.phase.timeControlStatus.rawValue)
    case .reasonForWaitingToPlay:
      player.phase.reasonForWaitingToPlay.map { Int64($0.rawValue) } ?? -1
    case .status: player.source.item.map { Int64($0.status.rawValue) } ?? -1
    case .stallCount: Int64(player.meter.stallCount)
    case .playedToEndCount: Int64(player.meter.playedToEndCount)
    case .variant: player.source.arrivedVariant.map { Int64($0) } ?? -1
    case .indicatedBitrate: player.indicatedBitRate?.bitsPerSecond ?? -1
    case .errorCount: Int64(player.meter.recoverableErrorCount)
    case .offsetFromLive: player.offsetFromLive(at: instant)?.nanoseconds ?? -1
    }
  }
}
