/// What an application would read from a player and its item at an instant.
package struct PlayerSnapshot: Hashable, Sendable {
  /// The instant.
  package let instant: Instant
  /// The version of iOS whose properties an application has; some of these are not among them.
  package let contract: APIContract
  /// `timeControlStatus`; what the player does, where there is no such property.
  package let timeControlStatus: TimeControlStatus
  /// `reasonForWaitingToPlay`; nil unless the player waits.
  package let reasonForWaitingToPlay: WaitingReason?
  /// `rate`: the wish.
  package let rate: PlaybackRate
  /// `defaultRate`.
  package let defaultRate: PlaybackRate
  /// The rate of the item's timebase: what is being done.
  package let timebaseRate: PlaybackRate
  /// `automaticallyWaitsToMinimizeStalling`.
  package let automaticallyWaitsToMinimizeStalling: Bool
  /// `actionAtItemEnd`.
  package let actionAtItemEnd: ActionAtItemEnd
  /// The number of the current item in its player's configuration; nil without an item.
  package let currentItem: Int?
  /// `items()` of a queue player, by number, the current one first; at most that one of others.
  package let items: [Int]
  /// How often playback of a loop has started again.
  package let loopCount: Int
  /// Whether the picture stands since its data has not come, though the clock ran on.
  package let isPictureFrozen: Bool
  /// `status` of a looper; nil without one.
  package let looperStatus: LooperStatus?
  /// The item's `status`; nil without an item.
  package let status: ItemStatus?
  /// The item's `duration`; nil until it is known, and while a stream is live.
  package let duration: MediaTime?
  /// `currentTime()`, a function of the timebase alone.
  package let currentTime: MediaTime
  /// `seekableTimeRanges`; none before they are known.
  package let seekableTimeRanges: [LoadedTimeRange]
  /// How far the playhead is behind a live programme; nil for other items.
  package let offsetFromLive: MediaTime?
  /// `loadedTimeRanges`, by ascending start.
  package let loadedTimeRanges: [LoadedTimeRange]
  /// `isPlaybackLikelyToKeepUp`.
  package let isPlaybackLikelyToKeepUp: Bool
  /// `isPlaybackBufferFull`.
  package let isPlaybackBufferFull: Bool
  /// `isPlaybackBufferEmpty`.
  package let isPlaybackBufferEmpty: Bool
  /// The end of what is loaded without a gap from the playhead on.
  package let loadedEnd: MediaTime
  /// The stalls so far.
  package let stallCount: Int
  /// How many times an item played to its end so far.
  package let playedToEndCount: Int
  /// The number of the variant whose segment came last; nil before the first one, and for files.
  package let variant: Int?
  /// `indicatedBitrate`: what the playlist says of that variant, its peak rate; nil without one.
  package let indicatedBitrate: BitRate?
  /// The entries of the error log so far.
  package let errorCount: Int

  init(_ player: Player, at now: Instant) {
    instant = now
    contract = player.configuration.contract
    timeControlStatus = player.phase.timeControlStatus
    reasonForWaitingToPlay = player.phase.reasonForWaitingToPlay
    rate = player.phase.rate
    defaultRate = player.defaultRate
    timebaseRate = player.timebase.rate
    automaticallyWaitsToMinimizeStalling = player.waitsAutomatically
    actionAtItemEnd = player.actionAtItemEnd
    currentTime = player.currentTime(at: now)
    currentItem = player.source.item == nil ? nil : player.source.number
    items = (player.source.item == nil ? [] : [player.source.number]) + player.queue.upcoming
    loopCount = player.loop?.count ?? 0
    looperStatus = player.loop.flatMap { $0.plan.technique == .looper ? $0.status : nil }
    status = player.source.item?.status
    let isReady = player.source.item?.status == .readyToPlay
    duration = isReady && !player.source.isLive ? player.source.media.duration : nil
    seekableTimeRanges =
      isReady
      ? player.source.seekableRange.map { [LoadedTimeRange(start: $0.start, end: $0.end)] } ?? []
      : []
    offsetFromLive = player.offsetFromLive(at: now)
    loadedTimeRanges = player.source.loadedTimeRanges(at: now)
    let facts = player.source.buffer.facts
    isPlaybackLikelyToKeepUp = facts.contains(.likely)
    isPlaybackBufferFull = facts.contains(.full)
    isPlaybackBufferEmpty = facts.isToldEmpty
    loadedEnd = player.source.item == nil ? .zero : player.source.loadedEnd(currentTime, at: now)
    isPictureFrozen = player.meter.frozenSince != nil
    stallCount = player.meter.stallCount
    playedToEndCount = player.meter.playedToEndCount
    variant = player.source.arrivedVariant
    indicatedBitrate = player.indicatedBitRate
    errorCount = player.errorCount
  }
}
