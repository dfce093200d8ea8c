/// An instant at which a rule as data looks at the buffer, and what lies there.
struct BufferLook {
  let instant: Instant
  let playhead: MediaTime
  /// The edge of what is loaded.
  let edge: DataAmount
  /// What has flowed since the fill rate's meter last took note.
  let flowed: DataAmount

  /// Creates a look.
  init(_ instant: Instant, _ playhead: MediaTime, _ edge: DataAmount, _ flowed: DataAmount) {
    self.instant = instant
    self.playhead = playhead
    self.edge = edge
    self.flowed = flowed
  }
}

/// Rules as data: what they ask of the buffer, and when the answer turns.
extension ItemBuffer {
  /// Whether a player that was ready still is, so that no condition is asked.
  var remainsReady: Bool {
    buffering.isPlaying || (facts.contains(.likely) && !buffering.isMoved)
  }

  /// Returns whether the rule lets playback begin, given what else holds.
  ///
  /// A buffer that is empty does not keep up: what held before it starved says nothing.
  @inline(never)
  mutating func meetsConditions(_ look: BufferLook, _ held: BufferFacts) -> Bool {
    if held.contains(.empty) { return false }
    if remainsReady { return true }
    if !hasFooting(look) { return false }
    guard case .conditions(let rule) = policy.rule,
      buffering.looks(at: look.instant, every: rule.checkInterval)
    else { return false }
    return holds(rule.conditions(buffering.situation), look, isFull: held.contains(.full))
  }

  /// Returns the first instant after one, up to another one, at which the conditions let playback
  /// begin; never if there is none.
  ///
  /// The playhead stands, and nothing about the link changes: each condition turns at most once.
  mutating func nextTurn(
    after now: Instant, notAfter bound: Instant, playhead: MediaTime
  ) -> Instant {
    guard case .conditions(let rule) = policy.rule, ruleRate > .zero, facts.contains(.ready),
      facts.isDisjoint(with: [.empty, .likely, .atEnd]), !remainsReady
    else { return .never }
    let conditions = rule.conditions(buffering.situation)
    let soon = Instant(nanoseconds: now.nanoseconds + 1)
    var at = now
    while true {
      var next = Instant.never
      for alternative in conditions.alternatives {
        for condition in alternative {
          next = min(next, turn(of: condition, after: at, notAfter: bound, playhead: playhead))
        }
      }
      if let footing {
        next = min(next, turn(of: footing, after: at, notAfter: bound, playhead: playhead))
      }
      if hasFooting(look(at: at, playhead)),
        holds(conditions, look(at: at, playhead), isFull: facts.contains(.full))
      {
        let check = buffering.nextLook(notBefore: max(at, soon), every: rule.checkInterval)
        if check < next { return check }
      }
      if next == .never { return .never }
      at = next
    }
  }

  /// What holds of every rule that resumes: it has a frame more than it would starve of, or it
  /// would stall again with each byte that comes.
  private var footing: BufferCondition? {
    let lead = starvesBelow
    // Before anything has played nothing has starved.
    if lead == .zero || !hasBegun { return nil }
    return .atLeast(.buffered, (lead + policy.frameDuration).nanoseconds)
  }

  private mutating func hasFooting(_ look: BufferLook) -> Bool {
    footing.map { holds($0, look, isFull: false) } ?? true
  }

  @inline(always)
  private func look(at instant: Instant, _ playhead: MediaTime) -> BufferLook {
    let flowed = meter.flowed(at: instant)
    return BufferLook(instant, playhead, edge(at: instant), flowed)
  }

  private mutating func holds(
    _ conditions: BufferConditions, _ look: BufferLook, isFull: Bool
  ) -> Bool {
    conditions.alternatives.contains { alternative in
      alternative.allSatisfy { self.holds($0, look, isFull: isFull) }
    }
  }

  private mutating func holds(
    _ condition: BufferCondition, _ look: BufferLook, isFull: Bool
  ) -> Bool {
    switch condition {
    case .atLeast(let measure, let value): reaches(measure, value, look)
    case .below(let measure, let value): !reaches(measure, value, look)
    case .isKeepingUp: isKnown(look) && isKeepingUp(look)
    case .isLoaded: look.edge >= endPosition
    case .isNetworkIdle: isFull
    case .isNetworkBusy: !isFull
    }
  }

  /// Whether enough has been observed for a verdict on the fill rate.
  @inline(always)
  private func isKnown(_ look: BufferLook) -> Bool {
    meter.sampled(flowed: look.flowed) >= verdictAmount
  }

  private mutating func isKeepingUp(_ look: BufferLook) -> Bool {
    keepsUp(look.edge, Playhead(time: look.playhead), look.flowed, at: look.instant)
  }

  /// Returns whether a measure is a value or more.
  private mutating func reaches(
    _ measure: BufferMeasure, _ value: Int64, _ look: BufferLook
  ) -> Bool {
    switch measure {
    case .buffered:
      return look.edge >= position(of: mark(value, ahead: look.playhead), from: look.playhead)
    case .playout:
      let ahead = BufferingState.scaled(value, by: ruleRate)
      return look.edge >= position(of: mark(ahead, ahead: look.playhead), from: look.playhead)
    case .bufferedBytes:
      return ahead(look) >= DataAmount(ByteCount(bytes: value))
    case .missingBytes:
      return missing(look) >= DataAmount(ByteCount(bytes: value))
    case .receivedBytes:
      return meter.received(flowed: look.flowed) >= DataAmount(ByteCount(bytes: value))
    case .fillRate:
      let reading = meter.reading(at: look.instant, flowed: look.flowed, history: &fillHistory)
      let rate = BitRate(bitsPerSecond: value)
      return reading.open == .zero
        ? value <= 0 : reading.received >= DataAmount(rate, for: reading.open)
    case .waited:
      return buffering.waited(at: look.instant).nanoseconds >= value
    case .waitedPerSpeed:
      let waited = buffering.waited(at: look.instant).nanoseconds
      return waited >= BufferingState.scaled(value, by: ruleRate)
    case .speed: return ruleRate.millionths >= value
    case .stalls: return Int64(buffering.stalls) >= value
    }
  }

  /// The time so far ahead of the playhead, but not behind what a number can name.
  private func mark(_ value: Int64, ahead playhead: MediaTime) -> MediaTime {
    let (sum, overflow) = playhead.nanoseconds.addingReportingOverflow(value)
    return MediaTime(nanoseconds: overflow ? Limits.mediaMax.nanoseconds : sum)
  }

  /// The data loaded ahead of the playhead.
  @inline(always)
  private func ahead(_ look: BufferLook) -> DataAmount {
    if isStream { return streamAhead }
    let playhead = position(of: look.playhead, from: look.playhead)
    return look.edge > playhead ? look.edge - playhead : .zero
  }

  /// The data still to arrive before the end.
  @inline(always)
  private func missing(_ look: BufferLook) -> DataAmount {
    if !isStream { return look.edge >= endPosition ? .zero : endPosition - look.edge }
    let arriving = meter.received(flowed: look.flowed) - receivedBefore
    return remaining.missing - min(remaining.missing, arriving)
  }
}

// MARK: - Turns

extension ItemBuffer {
  /// Returns the first instant after one, up to another one, at which a condition is not what it
  /// was; never if it stays.
  private mutating func turn(
    of condition: BufferCondition, after now: Instant, notAfter bound: Instant, playhead: MediaTime
  ) -> Instant {
    switch condition {
    case .isLoaded, .isNetworkIdle, .isNetworkBusy:
      return .never  // a change of what holds, which is found as such
    case .isKeepingUp:
      let known = Self.search(after: now, notAfter: bound) { isKnown(look(at: $0, playhead)) }
      let keeps = Self.search(after: now, notAfter: bound) { isKeepingUp(look(at: $0, playhead)) }
      return min(known, keeps)
    case .atLeast(let measure, let value), .below(let measure, let value):
      switch measure {
      case .speed, .stalls: return .never
      case .waited: return patience(value, after: now, notAfter: bound)
      case .waitedPerSpeed:
        let wait = BufferingState.scaled(value, by: ruleRate)
        return patience(wait, after: now, notAfter: bound)
      case .buffered, .playout, .bufferedBytes, .missingBytes, .receivedBytes:
        // The playhead stands: where nothing flows either, these stay.
        if edgeShare.rate == .zero, !meter.isFlowing { return .never }
        return Self.search(after: now, notAfter: bound) {
          reaches(measure, value, look(at: $0, playhead))
        }
      case .fillRate:
        return Self.search(after: now, notAfter: bound) {
          reaches(measure, value, look(at: $0, playhead))
        }
      }
    }
  }

  /// The instant at which the player has waited for so long.
  private func patience(_ wait: Int64, after now: Instant, notAfter bound: Instant) -> Instant {
    if buffering.waitsSince == .never { return .never }
    let end = buffering.waitsSince + TimeSpan(nanoseconds: wait)
    return end > now && end <= bound ? end : .never
  }

  /// Returns when something that turns at most once turns.
  ///
  /// Without a bound nothing is on its way, and what is measured of data stays.
  private static func search(
    after now: Instant, notAfter bound: Instant, _ holds: (Instant) -> Bool
  ) -> Instant {
    if bound == .never || bound <= now { return .never }
    let before = holds(now)
    if holds(bound) == before { return .never }
    var search = TurnSearch(after: now, notAfter: bound)
    if !search.isOver { search.run(from: search.middle) { holds($0) != before } }
    return search.result
  }
}

extension BufferingState {
  /// Returns a time multiplied by a rate, rounded up, or the longest there is.
  static func scaled(_ time: Int64, by rate: PlaybackRate) -> Int64 {
    if rate == .normal { return time }
    let product = Int128(time) * Int128(rate.millionths.magnitude)
    return Int64(clamping: (product + 999_999) / 1_000_000)
  }
}
