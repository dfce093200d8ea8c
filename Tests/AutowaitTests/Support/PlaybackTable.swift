import Autowait

/// The transition table of the playback contract as ordered rows: the first one whose phase, input
/// and guard fit claims a case.
///
/// It is written from the contract, in another shape than the state machine's `switch`, so that a
/// slip in one is not a slip in the other. Rows beginning with `x` are our own; the contract says
/// nothing about them.
enum PlaybackTable {
  /// What a phase is, for a row.
  enum From: CaseIterable {
    case paused, pending, evaluating, minimizing, noItem, coordinated, interstitial, playing

    static let waiting: [From] = [
      .pending, .evaluating, .minimizing, .noItem, .coordinated, .interstitial,
    ]
    static let active: [From] = waiting + [.playing]

    init(_ phase: PlaybackPhase) {
      self =
        switch phase {
        case .paused: .paused
        case .waiting(nil, _): .pending
        case .waiting(.evaluatingBufferingRate, _): .evaluating
        case .waiting(.toMinimizeStalls, _): .minimizing
        case .waiting(.noItemToPlay, _): .noItem
        case .waiting(.waitingForCoordinatedPlayback, _): .coordinated
        case .waiting(.interstitialEvent, _): .interstitial
        case .playing: .playing
        }
    }
  }

  /// What an input is, for a row.
  enum On: CaseIterable {
    case play, pause, immediate, hostTime, buffer, emptied, end, start, liveEdge, seek, item
    case failed, waits, action, endTime, hold, interrupted, tracks

    init(_ input: PlaybackInput) {
      self =
        switch input {
        case .setRate(let rate): rate == .zero ? .pause : .play
        case .playImmediately: .immediate
        case .setRateAtHostTime: .hostTime
        case .bufferChanged: .buffer
        case .bufferEmptied: .emptied
        case .reachedEnd: .end
        case .reachedStartOfSeekableRange: .start
        case .reachedLiveEdge: .liveEdge
        case .seekBegan: .seek
        case .itemChanged: .item
        case .itemFailed: .failed
        case .automaticWaitingChanged: .waits
        case .actionAtItemEndChanged: .action
        case .endTimeChanged: .endTime
        case .holdChanged: .hold
        case .interrupted: .interrupted
        case .tracksChanged: .tracks
        }
    }
  }

  /// Where a row leads.
  enum To {
    case paused, playing, same, normalRate
    case waiting(WaitingReason?)
    /// Where the first decision leads whose guard holds.
    case decided
    /// As decided, but minimizing stalls does not go back to evaluating.
    case redecided
    /// Where the first decision about playing immediately leads.
    case immediately
    /// Nowhere if it plays, or waits with the same wish; else to a wait for the next item.
    case next
  }

  typealias Guard = @Sendable (PlaybackFacts) -> Bool

  /// A row: from where, on what, under which guard, to where, with which effects.
  struct Row: Sendable {
    let id: String
    let from: [From]
    let on: [On]
    let holds: Guard
    let to: To
    var effects: [PlaybackEffect] = []
    /// The reason that the notification of a changed rate gives.
    var reason: RateChangeReason?

    init(
      _ id: String, _ from: [From], _ on: [On], _ to: To,
      when holds: @escaping Guard = { _ in true }
    ) {
      (self.id, self.from, self.on, self.holds, self.to) = (id, from, on, holds, to)
      let calls: [On] = [.play, .pause, .immediate, .hostTime]
      reason = on.allSatisfy(calls.contains) ? .setRateCalled : nil
    }

    func with(_ effects: PlaybackEffect...) -> Row {
      var row = self
      row.effects = effects
      return row
    }
  }
}

// MARK: - Guards

extension PlaybackTable {
  /// An item that nothing but its buffer keeps from playing.
  private static let plain: Guard = {
    $0.item == .ready && !$0.isInterstitialActive && !$0.isHeldByCoordinator && !$0.isAtEnd
      && !$0.isSeeking && $0.supportsRate
  }
  private static let hasFillOrVerdict: Guard = { $0.isLikelyToKeepUp || $0.isBufferFull }
  private static let mayStart: Guard = { hasFillOrVerdict($0) && !$0.isBufferEmpty }
  private static let isPending: Guard = { $0.item == .unknown || $0.isSeeking }
  private static let isFree: Guard = { !$0.isInterstitialActive && !$0.isHeldByCoordinator }
}

// MARK: - Decisions

extension PlaybackTable {
  /// The decisions d0 to d10; the second is our own: an item that cannot play at the rate.
  static let decisions: [Row] = [
    Row("d0", [], [], .waiting(.noItemToPlay)) { $0.item == .none },
    Row("d1", [], [], .paused) { $0.item == .failed }.with(.rateDidChange(.setRateFailed)),
    Row("d2", [], [], .waiting(.interstitialEvent)) { $0.isInterstitialActive },
    Row("d3", [], [], .waiting(.waitingForCoordinatedPlayback)) { $0.isHeldByCoordinator },
    Row("d4 pause", [], [], .paused) { $0.isAtEnd && $0.actionAtItemEnd == .pause },
    Row("d4 none rate", [], [], .paused) {
      $0.isAtEnd && $0.actionAtItemEnd == .none && !$0.supportsRate
    }.with(.rateDidChange(.setRateFailed)),
    Row("d4 none", [], [], .playing) { $0.isAtEnd && $0.actionAtItemEnd == .none },
    Row("d4 advance", [], [], .next) { $0.isAtEnd && $0.actionAtItemEnd == .advance }
      .with(.advanceToNextItem),
    Row("d5 off", [], [], .waiting(nil)) { isPending($0) && !$0.waitsAutomatically },
    Row("d5 verdict", [], [], .waiting(.toMinimizeStalls)) { isPending($0) && $0.hasVerdict },
    Row("d5", [], [], .waiting(.evaluatingBufferingRate), when: isPending),
    Row("x rate", [], [], .paused) { !$0.supportsRate }.with(.rateDidChange(.setRateFailed)),
    Row("d6", [], [], .playing) { $0.waitsAutomatically && mayStart($0) },
    Row("d7", [], [], .waiting(.toMinimizeStalls)) { $0.waitsAutomatically && $0.hasVerdict },
    Row("d8", [], [], .waiting(.evaluatingBufferingRate)) { $0.waitsAutomatically },
    Row("d9", [], [], .playing) { !$0.isBufferEmpty },
    Row("d10", [], [], .paused),
  ]

  /// The decisions about playing immediately: neither the coordinator nor K is asked.
  static let immediateDecisions: [Row] =
    decisions.filter { $0.id.hasPrefix("d4") || ["d0", "d1", "d2"].contains($0.id) } + [
      Row("i5 waits", [], [], .waiting(.toMinimizeStalls)) {
        isMissing($0) && $0.waitsAutomatically
      },
      Row("i5 pauses", [], [], .paused, when: isMissing),
      Row("i6 rate", [], [], .paused) { !$0.supportsRate }.with(.rateDidChange(.setRateFailed)),
      Row("i7", [], [], .playing),
    ]

  private static let isMissing: Guard = {
    $0.item == .unknown || $0.isSeeking || $0.isBufferEmpty
  }
}

// MARK: - Rows

extension PlaybackTable {
  /// All rows, those of the contract before the ones that send the rest to the decisions.
  static let rows: [Row] = pausedRows + waitingRows + playingRows + commonRows

  private static let pausedRows: [Row] = [
    Row("P1", [.paused], [.play], .waiting(.noItemToPlay)) { $0.item == .none },
    Row("P2", [.paused], [.play], .waiting(.evaluatingBufferingRate)) {
      $0.item == .unknown && isFree($0) && !$0.isAtEnd && $0.waitsAutomatically && !$0.hasVerdict
    },
    Row("P2 off", [.paused], [.play], .waiting(nil)) {
      $0.item == .unknown && isFree($0) && !$0.isAtEnd && !$0.waitsAutomatically
    },
    Row("P3", [.paused], [.play], .playing) {
      plain($0) && $0.waitsAutomatically && mayStart($0)
    },
    Row("P4", [.paused], [.play], .waiting(.toMinimizeStalls)) {
      plain($0) && $0.waitsAutomatically && !hasFillOrVerdict($0) && $0.hasVerdict
    },
    Row("P5", [.paused], [.play], .waiting(.evaluatingBufferingRate)) {
      plain($0) && $0.waitsAutomatically && !$0.hasVerdict
    },
    Row("P6", [.paused], [.play], .playing) {
      plain($0) && !$0.waitsAutomatically && !$0.isBufferEmpty
    },
    Row("P7", [.paused], [.play], .paused) {
      plain($0) && !$0.waitsAutomatically && $0.isBufferEmpty
    },
    Row("P8", [.paused], [.immediate], .playing) { plain($0) && !$0.isBufferEmpty },
    Row("P9", [.paused], [.immediate], .waiting(.toMinimizeStalls)) {
      plain($0) && $0.isBufferEmpty && $0.waitsAutomatically
    },
    Row("P10", [.paused], [.immediate], .paused) {
      plain($0) && $0.isBufferEmpty && !$0.waitsAutomatically
    },
    Row("P11", [.paused], [.hostTime], .same) {
      $0.waitsAutomatically && $0.contract.hasAutomaticWaiting
    }.with(.raise(.setRateAtHostTimeWhileWaitingAutomatically)),
    Row("P12", [.paused], [.hostTime], .playing) { plain($0) && !$0.isBufferEmpty },
    Row("P13", [.paused], [.pause], .paused),
    Row("P14", [.paused], [.seek], .paused),
    Row("P15", [.paused], [.buffer], .paused),
    Row("P17", [.paused], [.end, .endTime], .paused),
  ]

  private static let waitingRows: [Row] = [
    Row("W1", [.evaluating], [.buffer], .playing) {
      plain($0) && $0.waitsAutomatically && mayStart($0)
    },
    Row("W2", [.evaluating], [.buffer], .waiting(.toMinimizeStalls)) {
      plain($0) && $0.waitsAutomatically && $0.hasVerdict && !hasFillOrVerdict($0)
    },
    Row("W15", [.minimizing], [.buffer], .playing) {
      plain($0) && $0.waitsAutomatically && $0.isLikelyToKeepUp && $0.isBufferFull
        && !$0.isBufferEmpty
    },
    Row("W3", [.minimizing], [.buffer], .playing) {
      plain($0) && $0.waitsAutomatically && $0.isLikelyToKeepUp && !$0.isBufferEmpty
    },
    Row("W4", [.minimizing], [.buffer], .playing) {
      plain($0) && $0.waitsAutomatically && $0.isBufferFull && !$0.isBufferEmpty
    },
    Row("W5", From.waiting, [.pause], .paused),
    Row("W6", From.waiting, [.play], .decided),
    Row("W7", From.waiting, [.immediate], .playing) { plain($0) && !$0.isBufferEmpty },
    Row("W8 waits", From.waiting, [.immediate], .waiting(.toMinimizeStalls)) {
      plain($0) && $0.isBufferEmpty && $0.waitsAutomatically
    },
    Row("W8 pauses", From.waiting, [.immediate], .paused) {
      plain($0) && $0.isBufferEmpty && !$0.waitsAutomatically
    },
    Row("W9", [.minimizing], [.waits], .playing) {
      plain($0) && !$0.waitsAutomatically && !$0.isBufferEmpty
    },
    Row("W10", [.minimizing], [.waits], .paused) {
      plain($0) && !$0.waitsAutomatically && $0.isBufferEmpty
    },
    Row("W11", [.noItem], [.item], .decided) { $0.item != .none },
    Row("W12", From.waiting, [.item], .waiting(.noItemToPlay)) { $0.item == .none },
    Row("W13", From.waiting, [.seek], .playing) {
      plain($0) && !$0.isBufferEmpty && $0.isLikelyToKeepUp
    },
    Row("W14", From.waiting, [.seek], .waiting(.evaluatingBufferingRate)) {
      $0.item == .ready && $0.isSeeking && isFree($0) && !$0.isAtEnd && $0.waitsAutomatically
        && !$0.hasVerdict
    },
    Row("W16 pause", From.waiting, [.end, .start], .paused) {
      $0.item == .ready && $0.isAtEnd && isFree($0) && $0.actionAtItemEnd == .pause
    },
    Row("W16 none", From.waiting, [.end, .start], .playing) {
      $0.item == .ready && $0.isAtEnd && isFree($0) && $0.actionAtItemEnd == .none
        && $0.supportsRate
    },
    Row("W16 advance", From.waiting, [.end, .start], .same) {
      $0.item == .ready && $0.isAtEnd && isFree($0) && $0.actionAtItemEnd == .advance
    }.with(.advanceToNextItem),
    Row("W17 queue begun", From.waiting, [.failed], .same) { $0.hasQueue && $0.hasBegun }
      .with(.failedToPlayToEndTime, .advanceToNextItem),
    Row("W17 queue", From.waiting, [.failed], .same) { $0.hasQueue }.with(.advanceToNextItem),
    Row("W17 begun", From.waiting, [.failed], .paused) { $0.hasBegun }
      .with(.rateDidChange(.setRateFailed), .failedToPlayToEndTime),
    Row("W17", From.waiting, [.failed], .paused).with(.rateDidChange(.setRateFailed)),
    Row("W18", [.coordinated, .interstitial], [.hold], .decided) { isFree($0) },
    Row("W20", [.noItem], [.immediate], .waiting(.noItemToPlay)) { $0.item == .none },
    Row("x item", From.waiting, [.item, .seek], .decided),
    Row("x again", From.waiting, [.buffer, .end, .start, .waits, .endTime, .hold], .redecided),
    Row("x deaf", From.waiting, [.emptied, .liveEdge, .action, .tracks], .same),
  ]

  private static let playingRows: [Row] = [
    Row("L1", [.playing], [.emptied], .waiting(.toMinimizeStalls)) {
      $0.waitsAutomatically && $0.hasVerdict
    }.with(.playbackStalled),
    Row("L1 evaluating", [.playing], [.emptied], .waiting(.evaluatingBufferingRate)) {
      $0.waitsAutomatically
    }.with(.playbackStalled),
    Row("L2", [.playing], [.emptied], .paused).with(.rateDidChange(nil), .playbackStalled),
    Row("L3", [.playing], [.buffer], .same),
    Row("L4", [.playing], [.play], .playing) { $0.supportsRate },
    Row("x L4 rate", [.playing], [.play], .paused).with(.rateDidChange(.setRateFailed)),
    Row("L5", [.playing], [.pause], .paused),
    Row("L6", [.playing], [.seek], .same) { !$0.isSeeking },
    Row("L7", [.playing], [.seek], .waiting(.evaluatingBufferingRate)) {
      $0.item == .ready && isFree($0) && !$0.isAtEnd && $0.waitsAutomatically && !$0.hasVerdict
    },
    Row("L7 off", [.playing], [.seek], .waiting(nil)) {
      $0.item == .ready && isFree($0) && !$0.isAtEnd && !$0.waitsAutomatically
    },
    Row("x L7", [.playing], [.seek], .decided),
    Row("L8", [.playing], [.end], .paused) { $0.actionAtItemEnd == .pause }
      .with(.rateDidChange(nil), .didPlayToEndTime),
    Row("L10", [.playing], [.end], .same) { $0.actionAtItemEnd == .advance }
      .with(.didPlayToEndTime, .advanceToNextItem),
    Row("L9", [.playing], [.end], .same).with(.didPlayToEndTime),
    Row("L14", [.playing], [.item], .decided),
    Row("L15 edge", [.playing], [.liveEdge], .normalRate),
    Row("L15 start", [.playing], [.start], .paused)
      .with(.rateDidChange(.reversePlaybackReachedStartOfSeekableRange)),
    Row("L16 queue begun", [.playing], [.failed], .same) { $0.hasQueue && $0.hasBegun }
      .with(.failedToPlayToEndTime, .advanceToNextItem),
    Row("L16 queue", [.playing], [.failed], .same) { $0.hasQueue }.with(.advanceToNextItem),
    Row("L16 begun", [.playing], [.failed], .paused) { $0.hasBegun }
      .with(.rateDidChange(.setRateFailed), .failedToPlayToEndTime),
    Row("L16", [.playing], [.failed], .paused).with(.rateDidChange(.setRateFailed)),
    Row("L17", [.playing], [.tracks], .same) { $0.contract.hasAutomaticWaiting },
    Row("L17 iOS 9", [.playing], [.tracks], .same).with(.rebuildPipeline),
    Row("x L held", [.playing], [.hold], .decided) { !isFree($0) },
    Row("x L action", [.playing], [.action], .paused) {
      $0.isAtEnd && $0.actionAtItemEnd == .pause
    }.with(.rateDidChange(nil)),
    Row("x L action advance", [.playing], [.action], .same) {
      $0.isAtEnd && $0.actionAtItemEnd == .advance
    }.with(.advanceToNextItem),
    Row("x L deaf", [.playing], [.hold, .action, .waits, .endTime], .same),
  ]

  private static let commonRows: [Row] = [
    Row("x P11", From.active, [.hostTime], .same) {
      $0.waitsAutomatically && $0.contract.hasAutomaticWaiting
    }.with(.raise(.setRateAtHostTimeWhileWaitingAutomatically)),
    Row("x P12", From.active, [.hostTime], .playing) { plain($0) && !$0.isBufferEmpty },
    Row("x P12 stalls", From.allCases, [.hostTime], .paused) {
      $0.item == .ready && isFree($0) && !$0.isAtEnd && $0.supportsRate
    }.with(.playbackStalled),
    Row("W19", From.active, [.interrupted], .paused),
    Row("x P failed queue begun", [.paused], [.failed], .paused) { $0.hasQueue && $0.hasBegun }
      .with(.failedToPlayToEndTime, .advanceToNextItem),
    Row("x P failed queue", [.paused], [.failed], .paused) { $0.hasQueue }
      .with(.advanceToNextItem),
    Row("x P failed", [.paused], [.failed], .paused) { $0.hasBegun }.with(.failedToPlayToEndTime),
    Row("x play", From.allCases, [.play, .hostTime], .decided),
    Row("x immediate", From.allCases, [.immediate], .immediately),
    Row(
      "x P deaf", [.paused],
      [.emptied, .start, .liveEdge, .item, .failed, .waits, .action, .hold, .interrupted, .tracks],
      .paused),
  ]
}
