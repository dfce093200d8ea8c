/// How a player loads a stream.
public struct StreamPolicy: Hashable, Sendable {
  /// How it chooses among variants.
  public var adaptation = AdaptationPolicy()
  /// How far ahead of the playhead media is loaded if the application asks for nothing else
  /// (`preferredForwardBufferDuration` 0).
  ///
  /// Assumed: 50 seconds.
  public var forwardBufferDefault = MediaTime.seconds(50)
  /// In which order the tracks are loaded.
  public var requestOrder = RequestOrder.furthestBehind
  /// Whether subtitles are shown, and so loaded.
  public var showsSubtitles = false
  /// Whether media playlists need not be asked for, as in simulators that have none.
  public var knowsPlaylists = false
  /// How long a request may go without an answer.
  ///
  /// Observed: −12889, "No response for media file in 9.98 s" (WWDC18 502).
  public var responseTimeout = TimeSpan.seconds(10)
  /// How often a request that failed is made again before another variant is tried.
  ///
  /// Assumed: once.
  public var retriesMax = 1
  /// How long a request that failed is not made again.
  ///
  /// Assumed: a second.
  public var retryDelay = TimeSpan.seconds(1)
  /// Whether a live stream that was paused never loads its playlists again: a bug of the past, in
  /// which a player waits for ever with a buffer that is full and empty at once.
  ///
  /// Observed: openradar 29362808 and 25953728.
  public var freezesWhenPaused = false
  /// Whether a stream goes on when the network has cut a request off for good.
  ///
  /// Observed: on iOS 11 a player that went from Wi-Fi to cellular asked for nothing more, and its
  /// buffer ran dry (openradar 35270862).
  public var reconnects = true
  /// Whether a player waits for media that the playlist has promised and that does not exist: a bug
  /// of the past, in which the buffer is never full and playback never likely to keep up.
  ///
  /// Observed: openradar 39282364.
  public var waitsForMissingEnd = false

  /// Creates the policy with its defaults.
  public init() {}
}

/// In which order the tracks of a stream are loaded.
public enum RequestOrder: Hashable, Sendable {
  /// The track of which least is loaded, or under way, asks first; each has one request at a time.
  ///
  /// Assumed for AVPlayer, which does not say.
  case furthestBehind
  /// All tracks together have one request at a time; the one of which least is loaded asks first.
  ///
  /// Observed: the HLS player that is built into Chromium.
  case serial
}
