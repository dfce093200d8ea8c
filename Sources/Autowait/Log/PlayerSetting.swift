/// A setting that an application wrote, with its new value.
package enum PlayerSetting: Hashable, Sendable {
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
  /// The setting as numbers; each has a code of its own among those of events.
  var words: EventWords {
    switch self {
    case .automaticallyWaitsToMinimizeStalling(let value): EventWords(40, value)
    case .defaultRate(let rate): EventWords(41, rate)
    case .actionAtItemEnd(let action): EventWords(42, action)
    case .forwardPlaybackEndTime(let time): EventWords(43, time)
    case .reversePlaybackEndTime(let time): EventWords(44, time)
    case .interstitial(let value): EventWords(45, value)
    case .coordination(let value): EventWords(46, value)
    case .preferredForwardBufferDuration(let time): EventWords(58, time)
    case .preferredPeakBitRate(let rate): EventWords(59, rate)
    case .preferredPeakBitRateForExpensiveNetworks(let rate): EventWords(60, rate)
    case .preferredMaximumResolution(let size): EventWords(61, size)
    case .layer(let size): EventWords(62, size)
    case .isExpensive(let value): EventWords(63, value)
    case .preferredMaximumResolutionForExpensiveNetworks(let size): EventWords(64, size)
    case .automaticallyPreservesTimeOffsetFromLive(let value): EventWords(65, value)
    case .layerAttached(let value): EventWords(71, value)
    case .videoOutputAttached(let value): EventWords(79, value)
    case .eligibleForHDRPlayback(let value): EventWords(81, value)
    case .networkResourcePriority(let value): EventWords(82, value)
    }
  }

  /// Makes the setting of its numbers.
  init(code: UInt64, _ a: UInt64) {
    switch code {
    case 40: self = .automaticallyWaitsToMinimizeStalling(Bool(of: a))
    case 41: self = .defaultRate(PlaybackRate(of: a))
    case 42: self = .actionAtItemEnd(ActionAtItemEnd(of: a))
    case 43: self = .forwardPlaybackEndTime(MediaTime?(of: a))
    case 44: self = .reversePlaybackEndTime(MediaTime?(of: a))
    case 45: self = .interstitial(Bool(of: a))
    case 46: self = .coordination(Bool(of: a))
    case 58: self = .preferredForwardBufferDuration(MediaTime(of: a))
    case 59: self = .preferredPeakBitRate(BitRate(of: a))
    case 60: self = .preferredPeakBitRateForExpensiveNetworks(BitRate(of: a))
    case 61: self = .preferredMaximumResolution(Resolution?(of: a))
    case 62: self = .layer(Resolution?(of: a))
    case 63: self = .isExpensive(Bool(of: a))
    case 64: self = .preferredMaximumResolutionForExpensiveNetworks(Resolution?(of: a))
    case 65: self = .automaticallyPreservesTimeOffsetFromLive(Bool(of: a))
    case 71: self = .layerAttached(Bool(of: a))
    case 79: self = .videoOutputAttached(Bool(of: a))
    case 81: self = .eligibleForHDRPlayback(Bool(of: a))
    case 82: self = .networkResourcePriority(NetworkResourcePriority(of: a))
    default: preconditionFailure("no event has the code \(code & 0xFF)")
    }
  }
}

extension PlayerSetting {
  /// Whether the setting is one of the players of enqueued items, too.
  var isOfEnqueuedItems: Bool {
    switch self {
    case .actionAtItemEnd, .forwardPlaybackEndTime, .reversePlaybackEndTime, .interstitial,
      .coordination, .layerAttached, .videoOutputAttached, .networkResourcePriority:
      false
    case .automaticallyWaitsToMinimizeStalling, .defaultRate, .preferredForwardBufferDuration,
      .automaticallyPreservesTimeOffsetFromLive, .preferredPeakBitRate,
      .preferredPeakBitRateForExpensiveNetworks, .preferredMaximumResolution,
      .preferredMaximumResolutionForExpensiveNetworks, .layer, .isExpensive,
      .eligibleForHDRPlayback:
      true
    }
  }

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
