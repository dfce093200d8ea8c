import Autowait

/// The stall that a player is in, as its records imply it.
///
/// It ends where the metric `timeSpentRecoveringFromStall` stops counting: playback goes on or is
/// paused, another item follows, or the playhead is sought elsewhere.
package struct RecordedStall {
  /// When the stall began that is going on; nil if there is none.
  package private(set) var start: Instant?
  /// The stall that a seek ends unless it is refused, which is told at once.
  private var left: (start: Instant, at: Instant)?
  private var rate = PlaybackRate.zero

  /// Creates the state of a player that has not stalled.
  package init() {}

  /// Follows a record of the player, and returns whether a stall began, ended, or goes on after
  /// all.
  package mutating func take(_ record: EventRecord) -> Bool {
    guard case .playback(let news) = record.event.topic else { return false }
    let old = start
    switch news {
    case .stalled:
      // A player that does not wait by itself is paused by its stall.
      if rate != .zero { start = record.instant }
    case .rate(let new):
      rate = new
      if new == .zero { end() }
    case .timebaseRate(let new, _): if new != .zero { end() }
    case .currentItem, .itemStatus(.failed): end()
    case .seek:
      left = start.map { ($0, record.instant) }
      start = nil
    case .seekDidComplete(isFinished: false, _):
      if let left, left.at == record.instant { start = left.start }
      left = nil
    case .seekDidComplete: left = nil
    case .itemStatus, .reasonForWaitingToPlay, .timeControlStatus, .timeJumped, .didPlayToEndTime,
      .pictureFrozen, .exception:
      break
    }
    return start != old
  }

  private mutating func end() { (start, left) = (nil, nil) }
}
