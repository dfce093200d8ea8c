import Autowait

/// Judges what an application would read of a player at one instant.
package enum SnapshotJudge {
  /// Returns what cannot be true at the same time; nil if all can.
  package static func contradiction(in shown: PlayerSnapshot) -> String? {
    stateContradiction(in: shown) ?? rangeContradiction(in: shown)
  }

  private static func stateContradiction(in shown: PlayerSnapshot) -> String? {
    let waits = shown.timeControlStatus == .waitingToPlayAtSpecifiedRate
    if shown.reasonForWaitingToPlay != nil, !waits { return "a reason belongs to a wait" }
    if waits, shown.reasonForWaitingToPlay == nil, shown.automaticallyWaitsToMinimizeStalling {
      return "a player that waits automatically has a reason"
    }
    if (shown.timeControlStatus == .paused) != (shown.rate == .zero) {
      return "a player is paused exactly when its rate is zero"
    }
    if shown.timeControlStatus != .playing, shown.timebaseRate != .zero {
      return "only a playing player's timebase runs"
    }
    let isOfBuffer = [.toMinimizeStalls, .evaluatingBufferingRate].contains(
      shown.reasonForWaitingToPlay)
    if isOfBuffer, !shown.automaticallyWaitsToMinimizeStalling {
      return "only a player that waits automatically waits to minimize stalls"
    }
    let isForwards = shown.rate >= .zero && shown.defaultRate >= .zero
    if isForwards, shown.isPlaybackBufferEmpty, shown.isPlaybackLikelyToKeepUp,
      !shown.isPlaybackBufferFull
    {
      return "an empty buffer is likely to keep up before the end"
    }
    if (shown.reasonForWaitingToPlay == .noItemToPlay) != (waits && shown.currentItem == nil) {
      return "a player waits for an item exactly when it has none"
    }
    if shown.timeControlStatus == .playing, shown.status != .readyToPlay {
      return "a player plays an item that is not ready"
    }
    return nil
  }

  private static func rangeContradiction(in shown: PlayerSnapshot) -> String? {
    if shown.currentTime < .zero { return "the playhead is before the beginning" }
    let ranges = shown.loadedTimeRanges
    for (range, next) in zip(ranges, ranges.dropFirst()) where range.end > next.start {
      return "the loaded ranges overlap"
    }
    if ranges.contains(where: { $0.start >= $0.end || $0.start < .zero }) {
      return "a loaded range is empty"
    }
    return nil
  }

  /// Returns what is played and not loaded; nil if nothing is.
  ///
  /// It holds when all events of an instant have happened, and not always between them.
  package static func unloaded(in shown: PlayerSnapshot) -> String? {
    let ranges = shown.loadedTimeRanges
    // Without an action at the end, time goes on behind it.
    if shown.actionAtItemEnd == .none { return nil }
    // The sound alone may play.
    if shown.isPictureFrozen { return nil }
    guard shown.timebaseRate > .zero, let duration = shown.duration,
      shown.currentTime < duration
    else { return nil }
    let isLoaded = ranges.contains { $0.start <= shown.currentTime && shown.currentTime <= $0.end }
    return isLoaded ? nil : "plays \(shown.currentTime), which is in none of \(ranges)"
  }

  /// Returns what a failed item could still play; nil if there is nothing.
  package static func unplayed(in shown: PlayerSnapshot) -> String? {
    guard shown.status == .failed else { return nil }
    let range = shown.loadedTimeRanges.first {
      $0.start <= shown.currentTime && shown.currentTime < $0.end
    }
    return range.map { "has failed at \(shown.currentTime) with \($0) loaded" }
  }
}
