/// What can happen to a player.
package enum PlaybackInput: Hashable, Sendable {
  /// The application sets the rate: `play()`, `pause()` or `rate`.
  case setRate(PlaybackRate)
  /// The application wants to play with whatever is there.
  case playImmediately(WishedRate)
  /// The application maps the item's time to a host time: `setRate(_:time:atHostTime:)`.
  case setRateAtHostTime(WishedRate)
  /// A fact about the buffer changed, an item became ready, a seek reached its data.
  case bufferChanged
  /// The playhead has consumed all that was loaded.
  case bufferEmptied
  /// The playhead has come to the end, in the direction in which it moves.
  case reachedEnd
  /// The playhead, going backwards, has come to the start of what can be played.
  case reachedStartOfSeekableRange
  /// The playhead has caught up with a live stream.
  case reachedLiveEdge
  /// The application moved the playhead.
  case seekBegan
  /// Another item, or none, became the current one.
  case itemChanged
  /// The current item failed.
  case itemFailed
  /// The application set `automaticallyWaitsToMinimizeStalling`.
  case automaticWaitingChanged
  /// The application set `actionAtItemEnd`.
  case actionAtItemEndChanged
  /// The application moved the end of the item.
  case endTimeChanged
  /// An interstitial began or ended, or the coordinator holds or lets go.
  case holdChanged
  /// The system takes the rate away.
  case interrupted(RateChangeReason)
  /// Audio or subtitles were switched, or a layer was added or removed.
  case tracksChanged
}

/// What a player's item is, as far as a decision to play needs it.
package enum ItemCondition: UInt8, CaseIterable, Hashable, Sendable {
  /// There is no current item.
  case none
  /// The item is not ready yet.
  case unknown
  /// The item is ready to play.
  case ready
  /// The item has failed.
  case failed
}

/// The facts on which a transition depends, evaluated at the wished rate and the playhead.
package struct PlaybackFacts: Hashable, Sendable {
  /// What the current item is.
  package var item = ItemCondition.none
  /// Whether a seek waits for its data.
  package var isSeeking = false
  /// Whether playback would run to the end without a stall: K.
  package var isLikelyToKeepUp = false
  /// Whether the buffer is as full as it will get: F.
  package var isBufferFull = false
  /// Whether nothing is loaded ahead of the playhead: E.
  package var isBufferEmpty = true
  /// Whether enough has been observed for a verdict: V.
  package var hasVerdict = false
  /// Whether the playhead is at the end, in the direction of the rate.
  package var isAtEnd = false
  /// Whether that is the start of what can be played, and no end that the item sets.
  package var isAtStart = false
  /// Whether the playhead is as near to a live programme as it is meant to be, or nearer, so that
  /// nothing plays faster than it.
  package var isAtLiveEdge = false
  /// Whether playback of the item has begun before.
  package var hasBegun = false
  /// Whether a player that plays makes ready what it is to show, and has shown nothing since.
  package var isPrerolling = false
  /// Whether the item can play at the wished rate.
  package var supportsRate = true
  /// Whether the player waits to minimize stalls: W.
  package var waitsAutomatically = true
  /// What happens at the end.
  package var actionAtItemEnd = ActionAtItemEnd.pause
  /// Whether the player has a queue, from which an item that fails is dropped.
  package var hasQueue = false
  /// Whether an interstitial plays in another player.
  package var isInterstitialActive = false
  /// Whether the coordinator holds the player.
  package var isHeldByCoordinator = false
  /// The behaviour that the application was built for.
  package var contract = APIContract.newest
  /// The release that the application was linked against; nil for the contract's.
  package var linkedContract: APIContract?

  /// Creates the facts of a player without an item.
  package init() {}
}

/// Why an application's call was refused with an exception.
public enum PlaybackException: UInt8, CaseIterable, Hashable, Sendable {
  /// `setRate(_:time:atHostTime:)` while the player waits automatically.
  case setRateAtHostTimeWhileWaitingAutomatically
  /// A seek to an invalid or indefinite time.
  case seekToInvalidTime
  /// A seek before the item is ready, before iOS 11.
  case seekBeforeReady
  /// A preroll while the rate is not zero or the item not ready.
  case prerollNotPossible
  /// To advance at the end of an item, on a player without a queue.
  case advanceWithoutQueue
  /// An item that is in the queue already, or another player's.
  case itemAlreadyInQueue
  /// An item after one that is not in the queue.
  case insertAfterItemNotInQueue
}

/// What a transition asks its driver to do beside entering the new state.
package enum PlaybackEffect: Hashable, Sendable {
  /// The call raises an exception and changes nothing.
  case raise(PlaybackException)
  /// The rate changed; the reason is nil where AVFoundation names none.
  case rateDidChange(RateChangeReason?)
  /// Media did not arrive in time: one stall more, and the period of the access log closes.
  case playbackStalled
  /// The item has played to its end.
  case didPlayToEndTime
  /// The next item of the queue becomes the current one.
  case advanceToNextItem
  /// The item failed after it had begun to play.
  case failedToPlayToEndTime
  /// The pipeline is taken down and built again; the picture stands meanwhile.
  case rebuildPipeline
}
