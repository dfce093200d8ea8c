import Autowait
import Testing

/// The state machine of a player is its table: every row holds, and no other transition exists.
@Suite struct PlaybackMachineTests {
  /// Every phase; those with a rate have one that tells it from the inputs' rates, and one plays at
  /// natural speed, which the live edge leaves as it is.
  static let phases: [PlaybackPhase] =
    [.paused, .waiting(nil, wish(1_500_000))]
    + WaitingReason.allCases.map { .waiting($0, wish(1_500_000)) }
    + [.playing(wish(1_500_000)), .playing(wish(500_000)), .playing(wish(-1_000_000))]
    + [.playing(.normal)]

  static let inputs: [PlaybackInput] = [
    .setRate(.zero), .setRate(.normal), .setRate(PlaybackRate(millionths: 2_000_000)),
    .playImmediately(.normal), .setRateAtHostTime(.normal), .bufferChanged, .bufferEmptied,
    .reachedEnd, .reachedStartOfSeekableRange, .reachedLiveEdge, .seekBegan, .itemChanged,
    .itemFailed, .automaticWaitingChanged, .actionAtItemEndChanged, .endTimeChanged, .holdChanged,
    .interrupted(.audioSessionInterrupted), .interrupted(.appBackgrounded), .tracksChanged,
  ]

  /// The combinations of facts; debug builds take every third, another third for each pair.
  static let factCount = 3 * 4 << 10
  #if DEBUG
  static let factStride = 3
  #else
  static let factStride = 1
  #endif

  @Test(arguments: inputs)
  func everyCaseIsARow(_ input: PlaybackInput) {
    for phase in Self.phases { check(phase, input) }
  }

  @Test(arguments: PlaybackTable.rows.map(\.id))
  func rowIsMet(_ id: String) {
    let isMet = Self.phases.contains { phase in
      Self.inputs.contains { input in
        let rows = Self.rows(phase, input)
        guard rows.contains(where: { $0.id == id }) else { return false }
        return Self.facts(from: 0, by: 1).contains { facts in
          rows.first { $0.holds(facts) }?.id == id
        }
      }
    }
    #expect(isMet, "no case leads to this row")
  }

  @Test(arguments: PlaybackTable.decisions.map(\.id))
  func decisionIsMet(_ id: String) {
    #expect(
      Self.facts(from: 0, by: 1).contains { facts in
        PlaybackTable.decisions.first { $0.holds(facts) }?.id == id
      })
  }

  /// Compares the state machine with the table over the facts, and looks for the invariants.
  private func check(_ phase: PlaybackPhase, _ input: PlaybackInput) {
    let rows = Self.rows(phase, input)
    let offset = (Self.phases.firstIndex(of: phase) ?? 0) % Self.factStride
    for facts in Self.facts(from: offset, by: Self.factStride) {
      let result = PlaybackTransition.from(phase, on: input, given: facts)
      guard let row = rows.first(where: { $0.holds(facts) }) else {
        Issue.record("no row claims \(phase), \(input), \(facts)")
        return
      }
      let expected = Self.expected(row, phase, input, facts)
      if result != expected {
        Issue.record(
          "\(row.id): \(phase), \(input), \(facts) led to \(result) and not to \(expected)")
        return
      }
      if let broken = Self.brokenInvariant(result, from: phase, facts) {
        Issue.record("\(broken): \(phase), \(input), \(facts) led to \(result)")
        return
      }
    }
  }
}

// MARK: - The table's answer

extension PlaybackMachineTests {
  private static func rows(
    _ phase: PlaybackPhase, _ input: PlaybackInput
  ) -> [PlaybackTable.Row] {
    let (from, on) = (PlaybackTable.From(phase), PlaybackTable.On(input))
    return PlaybackTable.rows.filter { $0.from.contains(from) && $0.on.contains(on) }
  }

  private static func decision(
    _ row: PlaybackTable.Row, _ facts: PlaybackFacts
  ) -> PlaybackTable.Row? {
    switch row.to {
    case .decided, .redecided: PlaybackTable.decisions.first { $0.holds(facts) }
    case .immediately: PlaybackTable.immediateDecisions.first { $0.holds(facts) }
    case .paused, .playing, .same, .normalRate, .waiting, .next: nil
    }
  }

  private static func expected(
    _ row: PlaybackTable.Row, _ phase: PlaybackPhase, _ input: PlaybackInput,
    _ facts: PlaybackFacts
  ) -> PlaybackTransition {
    let decision = decision(row, facts)
    var next = PlaybackTransition(
      target(decision ?? row, phase, wish(of: input) ?? phase.wish, facts),
      row.effects + (decision?.effects ?? []))
    if case .redecided = row.to, PlaybackTable.From(phase) == .minimizing,
      PlaybackTable.From(next.phase) == .evaluating, facts.waitsAutomatically
    {
      next = PlaybackTransition(phase)
    }
    let announces = next.effects.contains { if case .rateDidChange = $0 { true } else { false } }
    if next.phase.rate != phase.rate, !announces {
      next.effects.insert(.rateDidChange(reason(row, input)), at: 0)
    }
    return next
  }

  private static func target(
    _ row: PlaybackTable.Row, _ phase: PlaybackPhase, _ wish: WishedRate?,
    _ facts: PlaybackFacts
  ) -> PlaybackPhase {
    switch (row.to, wish) {
    case (.same, _): phase
    case (.next, let wish?):
      switch phase {
      case .playing: .playing(wish)
      case .waiting(_, wish): phase
      case .waiting where !facts.waitsAutomatically, .paused where !facts.waitsAutomatically:
        .waiting(nil, wish)
      case .waiting, .paused:
        .waiting(facts.hasVerdict ? .toMinimizeStalls : .evaluatingBufferingRate, wish)
      }
    case (.waiting(let reason), let wish?): .waiting(reason, wish)
    case (.playing, let wish?): .playing(wish)
    case (.normalRate, let wish?): .playing(wish.rate > .normal ? .normal : wish)
    default: .paused
    }
  }

  private static func reason(
    _ row: PlaybackTable.Row, _ input: PlaybackInput
  ) -> RateChangeReason? {
    switch input {
    case .interrupted(let reason): reason
    case .reachedLiveEdge: .playheadReachedLiveEdge
    default: row.reason
    }
  }

  private static func wish(of input: PlaybackInput) -> WishedRate? {
    switch input {
    case .setRate(let rate): WishedRate(rate)
    case .playImmediately(let wish), .setRateAtHostTime(let wish): wish
    default: nil
    }
  }
}

// MARK: - The live edge

extension PlaybackMachineTests {
  /// L15: where nothing plays faster than a live programme, each transition is what it is
  /// elsewhere, but that the rate at which it plays is at most 1, or for which it waits after a
  /// stall, and that the reason says so; what raises an exception changes nothing.
  @Test(arguments: inputs)
  func nothingPlaysFasterAtTheLiveEdge(_ input: PlaybackInput) {
    for phase in Self.phases {
      for facts in Self.facts(from: 0, by: 7) {
        var atEdge = facts
        atEdge.isAtLiveEdge = true
        let (there, elsewhere) = (
          PlaybackTransition.from(phase, on: input, given: atEdge),
          PlaybackTransition.from(phase, on: input, given: facts)
        )
        var expected = elsewhere
        let raises = elsewhere.effects.contains { if case .raise = $0 { true } else { false } }
        let stalls = input == .bufferEmptied && phase.isPlaying
        if elsewhere.phase.isPlaying || (stalls && elsewhere.phase.isWaiting),
          elsewhere.phase.rate > .normal, !raises
        {
          expected.phase =
            elsewhere.phase.isPlaying
            ? .playing(.normal) : .waiting(elsewhere.phase.reasonForWaitingToPlay, .normal)
          expected.effects.removeAll { if case .rateDidChange = $0 { true } else { false } }
          expected.effects.insert(.rateDidChange(.playheadReachedLiveEdge), at: 0)
        }
        if there != expected {
          Issue.record("\(phase), \(input), \(facts) led to \(there), not to \(expected)")
          return
        }
      }
    }
  }
}

// MARK: - Invariants and facts

extension PlaybackMachineTests {
  private static func brokenInvariant(
    _ next: PlaybackTransition, from old: PlaybackPhase, _ facts: PlaybackFacts
  ) -> String? {
    let phase = next.phase
    let waits = phase.timeControlStatus == .waitingToPlayAtSpecifiedRate
    if phase.reasonForWaitingToPlay != nil, !waits { return "a reason belongs to a wait" }
    if waits, phase.reasonForWaitingToPlay == nil, facts.waitsAutomatically, phase != old {
      return "a player that waits automatically has a reason"
    }
    if (phase.rate == .zero) != (phase == .paused) { return "a paused player's rate is zero" }
    if facts.isAtEnd || facts.isSeeking, facts.item != .ready { return nil }  // cannot be
    let isOfBuffer = [.toMinimizeStalls, .evaluatingBufferingRate].contains(
      phase.reasonForWaitingToPlay)
    if isOfBuffer, !facts.waitsAutomatically, phase != old {
      return "only a player that waits automatically waits to minimize stalls"
    }
    if phase.isPlaying, !old.isPlaying {
      let isBehindEnd = facts.isAtEnd && facts.actionAtItemEnd != .pause
      if facts.item != .ready || (facts.isBufferEmpty && !isBehindEnd) {
        return "a player plays only what is there"
      }
    }
    if next.effects.contains(.playbackStalled), phase.isPlaying { return "a stall stops" }
    return nil
  }

  private static func facts(from offset: Int, by stride: Int) -> some Sequence<PlaybackFacts> {
    Swift.stride(from: offset, to: factCount, by: stride).lazy.map(facts(number:))
  }

  /// The combination of facts that a number stands for, digit by digit.
  ///
  /// The contract and whether the item has begun matter to few rows, and follow the number.
  private static func facts(number: Int) -> PlaybackFacts {
    var rest = number
    func digit(_ base: Int) -> Int {
      defer { rest /= base }
      return rest % base
    }
    var facts = PlaybackFacts()
    facts.item = ItemCondition.allCases[digit(4)]
    facts.actionAtItemEnd = ActionAtItemEnd.allCases[digit(3)]
    facts.contract = APIContract(iOS: [9, 10, 26][number / 3 % 3]) ?? .newest
    facts.isSeeking = digit(2) == 1
    facts.isLikelyToKeepUp = digit(2) == 1
    facts.isBufferFull = digit(2) == 1
    facts.isBufferEmpty = digit(2) == 1
    facts.hasVerdict = digit(2) == 1
    facts.isAtEnd = digit(2) == 1
    facts.hasBegun = number / 9 % 2 == 1
    facts.hasQueue = facts.actionAtItemEnd == .advance || number / 18 % 2 == 1
    facts.supportsRate = digit(2) == 1
    facts.waitsAutomatically = digit(2) == 1
    facts.isInterstitialActive = digit(2) == 1
    facts.isHeldByCoordinator = digit(2) == 1
    return facts
  }

  private static func wish(_ millionths: Int64) -> WishedRate {
    WishedRate(PlaybackRate(millionths: millionths)) ?? .normal
  }
}
