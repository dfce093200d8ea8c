import Autowait

/// What an application prefers, of the player or of its current item.
extension SimulatedPlayer {
  /// The bit rate that no variant of a stream may exceed; zero for none.
  public var preferredPeakBitRate: BitRate {
    get { preferences.limits.preferredPeakBitRate }
    set { perform(.set(.preferredPeakBitRate(newValue))) }
  }

  /// The same on an expensive network, as ``VariantLimits/isExpensive`` says of it.
  public var preferredPeakBitRateForExpensiveNetworks: BitRate {
    get { preferences.limits.preferredPeakBitRateForExpensiveNetworks }
    set { perform(.set(.preferredPeakBitRateForExpensiveNetworks(newValue))) }
  }

  /// The size that no variant of a stream may exceed; nil for none.
  public var preferredMaximumResolution: Resolution? {
    get { preferences.limits.preferredMaximumResolution }
    set { perform(.set(.preferredMaximumResolution(newValue))) }
  }

  /// The same on an expensive network.
  public var preferredMaximumResolutionForExpensiveNetworks: Resolution? {
    get { preferences.limits.preferredMaximumResolutionForExpensiveNetworks }
    set { perform(.set(.preferredMaximumResolutionForExpensiveNetworks(newValue))) }
  }

  /// How far ahead of the playhead a stream is to be loaded; zero lets the player choose.
  public var preferredForwardBufferDuration: MediaTime {
    get { preferences.preferredForwardBufferDuration }
    set { perform(.set(.preferredForwardBufferDuration(newValue))) }
  }

  /// Where playback of the current item ends; nil for the end of the media.
  public var forwardPlaybackEndTime: MediaTime? {
    get { preferences.forwardPlaybackEndTime }
    set { perform(.set(.forwardPlaybackEndTime(newValue))) }
  }

  /// Where playback of the current item ends backwards; nil for the beginning of the media.
  public var reversePlaybackEndTime: MediaTime? {
    get { preferences.reversePlaybackEndTime }
    set { perform(.set(.reversePlaybackEndTime(newValue))) }
  }

  /// Whether a player that waited goes on as far from the live edge as before.
  public var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { preferences.automaticallyPreservesTimeOffsetFromLive }
    set { perform(.set(.automaticallyPreservesTimeOffsetFromLive(newValue))) }
  }

  private var preferences: PlayerPreferences { simulation.preferences(of: 0) }
}
