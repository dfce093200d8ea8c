import Autowait
import AutowaitWorlds
import Testing

/// The order in which observers see what happens at one instant (§1.5 of the playback contract).
@Suite struct ObservableOrderTests {
  static let worlds = LawWorlds.numbers(220, release: 4_000)

  /// The properties of a player and its item, each with the last value that observers saw.
  private struct Observed {
    var values: [Event?] = Array(repeating: nil, count: 8)

    /// The property that an event is about.
    static func property(_ event: Event) -> Int? {
      switch event {
      case .isPlaybackBufferEmpty: 0
      case .isPlaybackBufferFull: 1
      case .isPlaybackLikelyToKeepUp: 2
      case .itemStatus: 3
      case .rate: 4
      case .reasonForWaitingToPlay: 5
      case .timeControlStatus: 6
      case .timebaseRate: 7
      default: nil
      }
    }
  }

  /// The rank of a record within one change of a player's facts.
  private static func factRank(_ event: Event) -> Int? {
    switch event {
    case .loadedTimeRange: 0
    case .isPlaybackBufferEmpty: 1
    case .isPlaybackBufferFull: 2
    case .isPlaybackLikelyToKeepUp: 3
    case .itemStatus: 4
    default: nil
    }
  }

  /// The rank of a record within one transition of a player.
  private static func transitionRank(_ event: Event) -> Int? {
    switch event {
    case .timebaseRate(.zero, _): 0
    case .rate: 1
    case .reasonForWaitingToPlay: 2
    case .timeControlStatus: 3
    case .timebaseRate: 4
    case .rateDidChange: 5
    case .playbackStalled, .didPlayToEndTime: 6
    case .failedToPlayToEndTime: 7
    case .newAccessLogEntry: 8
    default: nil
    }
  }

  @Test(arguments: worlds)
  func recordsComeInOrder(_ seed: UInt64) {
    let world = LawWorlds.world(seed)
    let run = Simulation.run(of: world)
    for player in world.players.indices {
      let records = run.log.records.filter { $0.player == player }
      let isToldTwice = world.players[player].media.contains { media in
        media.streamMedia?.live != nil
          || media.streamMedia?.lists.contains { !$0.gaps.isEmpty } == true
      }
      let configuration = world.players[player]
      if let broken = Self.disorder(records, of: configuration, isToldTwice) {
        Issue.record("\(law(seed)): player \(player): \(broken)")
      }
    }
  }

  /// Causes come before what they cause, and the records are numbered in order of time.
  @Test(arguments: worlds)
  func causesComeFirst(_ seed: UInt64) {
    let records = Simulation.run(of: LawWorlds.world(seed)).log.records
    #expect(records.map(\.number) == Array(1...records.count), law(seed))
    for (record, next) in zip(records, records.dropFirst()) where record.instant > next.instant {
      Issue.record("\(law(seed)): \(record) comes before \(next)")
    }
    for record in records where record.number > 1 {
      if record.cause >= record.number || record.cause < 1 {
        Issue.record("\(law(seed)): \(record) is its own cause, or has none")
      }
    }
  }

  /// Returns the first record that is out of order.
  ///
  /// A stream that passes a gap has more loaded, though nothing more has come: its facts change for
  /// the second time at this instant, and for the same cause, from the loaded range on. So it does
  /// where another variant is chosen, whose live playlist offers something else. Before
  /// iOS 10 nothing tells that a player plays which prerolls, and what it plays keeps up.
  private static func disorder(
    _ records: [EventRecord], of player: PlayerConfiguration, _ isToldTwice: Bool
  ) -> String? {
    var observed = Observed()
    for (index, record) in records.enumerated() {
      if let property = Observed.property(record.event) {
        if observed.values[property] == record.event {
          return "\(record) tells what observers knew"
        }
        observed.values[property] = record.event
      }
      if case .currentItem = record.event {
        // A new item begins with facts and a timebase of its own.
        for property in [0, 1, 2, 3, 7] { observed.values[property] = nil }
      }
      guard index > 0 else { continue }
      let previous = records[index - 1]
      guard previous.instant == record.instant, previous.cause == record.cause else { continue }
      if let rank = factRank(record.event), let last = factRank(previous.event), last > rank,
        rank > 0 || !isToldTwice,
        player.contract.hasAutomaticWaiting || player.latency.preroll == .zero || rank != 3
      {
        return "\(record) comes after \(previous.event)"
      }
    }
    return disorderOfStatus(records, of: player)
  }

  /// When the status is told, the reason and the rate that belong to it have been told.
  ///
  /// A player that does not wait automatically waits for its buffer without a reason, and before
  /// iOS 10 neither a reason nor a status is told.
  private static func disorderOfStatus(
    _ records: [EventRecord], of player: PlayerConfiguration
  ) -> String? {
    let hasStatus = player.contract.hasAutomaticWaiting
    // A player that nobody has told to wait does so for streams, if its app is older than that.
    var waitsByItem = player.waitsByItem && player.contract.iOS >= 10
    var waits = waitsByItem ? false : player.automaticallyWaitsToMinimizeStalling ?? true
    var (reason, rate) = (WaitingReason?.none, PlaybackRate.zero)
    var (status, timebase) = (TimeControlStatus.paused, PlaybackRate.zero)
    for record in records {
      switch record.event {
      case .setting(let written):
        if case .automaticallyWaitsToMinimizeStalling(let value) = written.setting {
          (waits, waitsByItem) = (value, false)
        }
      case .currentItem(let item?) where waitsByItem:
        waits = player.media[item].streamMedia != nil
      case .reasonForWaitingToPlay where !hasStatus, .timeControlStatus where !hasStatus:
        return "\(record) is told before iOS 10"
      case .reasonForWaitingToPlay(let value):
        reason = value
        let isOfBuffer = [.evaluatingBufferingRate, .toMinimizeStalls].contains(value)
        if isOfBuffer, !waits { return "\(record) of a player that does not wait" }
      case .rate(let value): rate = value
      case .timeControlStatus(let value):
        status = value
        let isWaiting = value == .waitingToPlayAtSpecifiedRate
        if isWaiting ? reason == nil && waits : reason != nil {
          return "\(record) while the reason is \(reason.map { "\($0)" } ?? "nil")"
        }
        if (rate == .zero) != (value == .paused) { return "\(record) while the rate is \(rate)" }
        if value != .playing, timebase != .zero { return "\(record) while the timebase runs" }
      case .timebaseRate(let value, _):
        timebase = value
        if hasStatus, value != .zero, status != .playing {
          return "\(record) before the status is playing"
        }
      default: break
      }
    }
    return nil
  }

  @Test func transitionsAreToldInOrder() {
    for seed in Self.worlds {
      let records = Simulation.run(of: LawWorlds.world(seed)).log.records
      for (previous, record) in zip(records, records.dropFirst()) {
        guard previous.instant == record.instant, previous.player == record.player,
          // The playhead may enter another variant where the buffer ends: two transitions.
          previous.player != nil, previous.event != .newAccessLogEntry,
          let last = Self.transitionRank(previous.event),
          let rank = Self.transitionRank(record.event), last > rank
        else { continue }
        // Another transition may follow at the same instant; it begins with a value.
        if rank > 4 {
          Issue.record("\(law(seed)): \(record) comes after \(previous.event)")
        }
      }
    }
  }
}
