/// A rate that is not zero: a wish to play.
package struct WishedRate: Hashable, Sendable {
  /// The rate.
  package let rate: PlaybackRate

  /// Creates a wish; nil for a rate of zero, which is none.
  package init?(_ rate: PlaybackRate) {
    guard rate != .zero else { return nil }
    self.rate = rate
  }

  private init(known rate: PlaybackRate) {
    self.rate = rate
  }

  /// The wish to play at natural speed.
  package static let normal = WishedRate(known: .normal)
}

/// The state of a player.
///
/// Each state owns exactly what is valid in it: only a waiting player has a reason, and a paused
/// one has no rate, so neither a reason without waiting nor a paused player with a rate can be
/// expressed.
package enum PlaybackPhase: Hashable, Sendable {
  /// The player does not wish to play.
  case paused
  /// The player wishes to play and waits.
  ///
  /// The reason is nil while a player that does not wait automatically waits for the first frame:
  /// the headers give ``WaitingReason/evaluatingBufferingRate`` and
  /// ``WaitingReason/toMinimizeStalls`` to players that do, and to no others.
  case waiting(WaitingReason?, WishedRate)
  /// The player plays.
  case playing(WishedRate)

  /// The status that an application reads.
  package var timeControlStatus: TimeControlStatus {
    switch self {
    case .paused: .paused
    case .waiting: .waitingToPlayAtSpecifiedRate
    case .playing: .playing
    }
  }

  /// Whether the player wishes to play and waits.
  package var isWaiting: Bool {
    if case .waiting = self { true } else { false }
  }

  /// The reason that an application reads: nil unless the player waits.
  package var reasonForWaitingToPlay: WaitingReason? {
    switch self {
    case .waiting(let reason, _): reason
    case .paused, .playing: nil
    }
  }

  /// The wish to play, if there is one.
  package var wish: WishedRate? {
    switch self {
    case .paused: nil
    case .waiting(_, let wish), .playing(let wish): wish
    }
  }

  /// The rate that an application reads: what is wished for, whether it is being done or not.
  package var rate: PlaybackRate { wish?.rate ?? .zero }

  /// Whether the player plays.
  package var isPlaying: Bool {
    if case .playing = self { true } else { false }
  }
}
