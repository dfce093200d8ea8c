/// Something that happened in a run.
///
/// Every case is a handful of numbers: recording one allocates nothing.
public enum Event: Hashable, Sendable {
  // The world.
  /// The run began; the fingerprint starts with the seed and the numbers drawn to build the world.
  case started(seed: UInt64, draws: Int64)
  /// A step of the script was done.
  case step(index: Int)
  /// The run ended.
  case finished(FinishReason)

  // The link.
  /// Another of the world's links holds, with the rate that it has at that instant.
  case linkChanged(link: Int, rate: BitRate)
  /// The rate of the link changed while something flowed.
  case linkRate(BitRate)

  // Requests. What is about an item that is enqueued, and not the current one yet, names it.
  /// A player asked for a part of a file.
  case mediaRequest(transfer: Int, from: ByteCount, size: ByteCount, item: UInt16? = nil)
  /// The first byte of a response arrived.
  case mediaResponse(transfer: Int)
  /// A response arrived whole.
  case mediaRequestCompleted(transfer: Int, bytes: ByteCount)
  /// A player gave a response up.
  case mediaRequestCancelled(transfer: Int, bytes: ByteCount)
  /// A request failed; what had arrived stays.
  case mediaRequestFailed(transfer: Int, failure: TransferFailure, bytes: ByteCount)
  /// How long a part of the way to the first byte of a response took.
  case transferPhase(transfer: Int, TransferPhase, TimeSpan)
  /// A player with a full buffer stopped reading, or reads again.
  case readingSuspended(transfer: Int, isSuspended: Bool)

  // Streams.
  /// A player asked for a playlist: that of a segment list, or the multivariant playlist.
  case playlistRequest(transfer: Int, list: Int32?, size: ByteCount, item: UInt16? = nil)
  /// A player asked for a key.
  case contentKeyRequest(transfer: Int, key: Int, size: ByteCount, item: UInt16? = nil)
  /// A player asked for a segment of a list, or for an initialisation section of it.
  case segmentRequest(
    transfer: Int, size: ByteCount, list: Int32, segment: Int32?, item: UInt16? = nil)
  /// The values of an asset are loaded.
  case valuesLoaded(item: Int)
  /// An item was created and is not yet the current one.
  case itemCreated(Int)
  /// An item was put into the queue.
  case itemInserted(Int)
  /// An item was taken out of the queue, or dropped because it failed.
  case itemRemoved(Int)
  /// An item of the queue will not follow the one before without a gap: the sound differs.
  case notGapless(item: Int, JoinTrait)
  /// `status` of a looper.
  case looperStatus(LooperStatus)
  /// `loopCount` of a looper: how often playback has started again.
  case loopCount(Int)
  /// Another variant is chosen for what is loaded from now on; the first time there was none.
  case variantSwitchStart(from: Int?, to: Int, item: UInt16? = nil)
  /// The first segment of another variant has come.
  case variantSwitch(from: Int?, to: Int, item: UInt16? = nil)
  /// A segment that was loaded only to measure the network has come, and is thrown away.
  case segmentDiscarded(transfer: Int)
  /// A request went wrong; the error log has an entry more.
  case newErrorLogEntry(transfer: Int, code: Int32)

  // The item.
  /// An item, counted from zero, or none became the current one.
  case currentItem(Int?)
  /// One of the ranges that are loaded, of so many, at an instant at which a fact changes.
  case loadedTimeRange(index: Int32, count: Int32, start: MediaTime, end: MediaTime)
  /// All buffered media has been consumed, or some is there again.
  case isPlaybackBufferEmpty(Bool)
  /// The buffer is as full as it will get, or no longer.
  case isPlaybackBufferFull(Bool)
  /// Playback would run to the end without a stall, or no longer.
  case isPlaybackLikelyToKeepUp(Bool)
  /// What is known about the item changed.
  case itemStatus(ItemStatus)

  // The player.
  /// The wished rate changed.
  case rate(PlaybackRate)
  /// The reason for waiting changed; nil when the player does not wait.
  case reasonForWaitingToPlay(WaitingReason?)
  /// The status changed.
  case timeControlStatus(TimeControlStatus)
  /// The speed of actual playback changed, at a time of the media.
  case timebaseRate(PlaybackRate, currentTime: MediaTime)
  /// A setting of the player or its item was written.
  case setting(PlayerSetting)
  /// A call raised an exception and did nothing.
  case exception(PlaybackException)
  /// A pipeline was built, counted from 1 in the run, with video if a layer was attached.
  case pipelineBuilt(count: Int, hasVideo: Bool)
  /// Another rendition of the sound or of the subtitles was selected; nil for none.
  case mediaSelection(MediaTrack, rendition: Int32?)
  /// The tracks of a kind were enabled or disabled.
  case trackEnabled(MediaTrack, Bool)
  /// The picture stands while the clock runs, since its data has not come; or it goes on.
  case pictureFrozen(Bool)
  /// What receives the pictures gets them in another color than before, if they are tagged at all.
  case videoFrames(VideoDestination, VideoColor?, ColorTreatment)
  /// A driver answered for an external rule.
  case ruleAnswer(isLikelyToKeepUp: Bool)

  // Notifications and completions.
  /// The rate changed, for a reason if AVFoundation names one.
  case rateDidChange(RateChangeReason?)
  /// The time of the item changed other than by playing.
  case timeJumped(MediaTime)
  /// Media did not arrive in time.
  case playbackStalled
  /// The item played to its end.
  case didPlayToEndTime
  /// The item failed after it had begun to play.
  case failedToPlayToEndTime
  /// The access log has an entry more.
  case newAccessLogEntry
  /// A seek, counted over the run, was asked for.
  case seek(number: Int, to: MediaTime)
  /// A seek was done or given up.
  case seekDidComplete(number: Int, isFinished: Bool, isInBuffer: Bool)
  /// A preroll was done or given up.
  case prerollDidComplete(isFinished: Bool)
}

/// A setting that an application wrote, with its new value.
public enum PlayerSetting: Hashable, Sendable {
  /// `automaticallyWaitsToMinimizeStalling`.
  case automaticallyWaitsToMinimizeStalling(Bool)
  /// `defaultRate`.
  case defaultRate(PlaybackRate)
  /// `actionAtItemEnd`.
  case actionAtItemEnd(ActionAtItemEnd)
  /// `forwardPlaybackEndTime`; nil for the end of the media.
  case forwardPlaybackEndTime(MediaTime?)
  /// `reversePlaybackEndTime`; nil for the beginning of the media.
  case reversePlaybackEndTime(MediaTime?)
  /// An interstitial began or ended in another player.
  case interstitial(Bool)
  /// The coordinator began or ceased to hold the player.
  case coordination(Bool)
  /// `preferredForwardBufferDuration`; zero lets the player choose.
  case preferredForwardBufferDuration(MediaTime)
  /// `automaticallyPreservesTimeOffsetFromLive`.
  case automaticallyPreservesTimeOffsetFromLive(Bool)
  /// `preferredPeakBitRate`; zero for none.
  case preferredPeakBitRate(BitRate)
  /// `preferredPeakBitRateForExpensiveNetworks`; zero for none.
  case preferredPeakBitRateForExpensiveNetworks(BitRate)
  /// `preferredMaximumResolution`; nil for none.
  case preferredMaximumResolution(Resolution?)
  /// `preferredMaximumResolutionForExpensiveNetworks`; nil for none.
  case preferredMaximumResolutionForExpensiveNetworks(Resolution?)
  /// The size in pixels of the layer that shows the player; nil for none.
  case layer(Resolution?)
  /// Whether a layer shows the player, whatever its size.
  case layerAttached(Bool)
  /// Whether a video output takes the pictures of the player.
  case videoOutputAttached(Bool)
  /// Whether the network is expensive, as cellular ones are.
  case isExpensive(Bool)
  /// `networkResourcePriority`.
  case networkResourcePriority(NetworkResourcePriority)
  /// `eligibleForHDRPlayback`: whether the display shows a high dynamic range.
  case eligibleForHDRPlayback(Bool)
}

extension PlayerSetting {
  /// Whether the setting limits what may be chosen of the variants of a stream.
  var limitsVariants: Bool {
    switch self {
    case .preferredPeakBitRate, .preferredPeakBitRateForExpensiveNetworks,
      .preferredMaximumResolution, .preferredMaximumResolutionForExpensiveNetworks, .layer,
      .isExpensive, .eligibleForHDRPlayback:
      true
    case .automaticallyWaitsToMinimizeStalling, .defaultRate, .actionAtItemEnd,
      .forwardPlaybackEndTime, .reversePlaybackEndTime, .interstitial, .coordination,
      .preferredForwardBufferDuration, .layerAttached, .videoOutputAttached,
      .automaticallyPreservesTimeOffsetFromLive, .networkResourcePriority:
      false
    }
  }
}

/// Why a run ended.
public enum FinishReason: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing more would ever have happened.
  case settled
  /// The time of the run was up, and things were still going on.
  case horizon
  /// The time of the run was up, and a player still waited.
  case stillWaiting
  /// The bound on events was reached: the run was running away.
  case eventLimit
}
