/// What an external rule is asked, with everything it may look at.
package struct RuleQuestion: Hashable, Sendable {
  /// The number of the question; the answer must name it.
  package let number: Int
  /// The player that asks.
  package let player: Int
  /// The instant of the question.
  package let instant: Instant
  /// The rate at which playback would run.
  package let rate: PlaybackRate
  /// Whether the player wishes to play and waits.
  package let isWaiting: Bool
  /// Whether playback has begun before: the player resumes and does not start.
  package let hasPlayed: Bool
  /// Why the player buffers: it has not begun, it has stalled, or the playhead was moved.
  package let situation: BufferingSituation
  /// The time that the player has waited.
  package let waited: TimeSpan
  /// Whether the buffer is as full as it will get, so that nothing more is read.
  package let isBufferFull: Bool
  /// The playhead.
  package let currentTime: MediaTime
  /// The end of what is loaded without a gap from the playhead on.
  package let loadedEnd: MediaTime
  /// Where playback will end.
  package let endTime: MediaTime
  /// The data still to arrive before that end.
  package let missing: ByteCount
  /// The data received in the window of the fill rate.
  package let received: ByteCount
  /// The time a request was open in that window.
  package let open: TimeSpan
}

extension RuleQuestion {
  /// The fill rate: what was received in the window by the time that a request was open in it,
  /// rounded down; zero if nothing is known.
  package var fillRate: BitRate {
    if open == .zero { return .zero }
    let rate = DataAmount(received).nanobits / UInt128(UInt64(open.nanoseconds))
    return BitRate(bitsPerSecond: Int64(clamping: rate))
  }
}

/// The answer of an external rule.
package struct RuleAnswer: Hashable, Sendable {
  /// Whether playback is likely to keep up.
  package var isLikelyToKeepUp: Bool
  /// When to ask again at the latest; the policy's interval if nil.
  package var askAgainAfter: TimeSpan?

  /// Creates an answer.
  package init(isLikelyToKeepUp: Bool, askAgainAfter: TimeSpan? = nil) {
    self.isLikelyToKeepUp = isLikelyToKeepUp
    self.askAgainAfter = askAgainAfter
  }
}
