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
  /// How long a request may go without an answer; nil for the target duration of its playlist.
  ///
  /// An engineer of Apple and nine public logs agree on 1.0 target durations (−12889, "No response
  /// for media file in N s"; forum thread 830888). Assumed: 10 seconds for what has no target
  /// duration yet, as playlists and keys.
  public var responseTimeout: TimeSpan?
  /// Whether a segment that has not come whole two target durations after its request is given up
  /// even while bytes of it arrive; else only if none has come for a target duration.
  ///
  /// Public logs show the error −16830 at 1.5 to 2.5 target durations, on links that still carried
  /// something, too. The talks' own figures let a segment of 10 seconds come in 55 (WWDC16 503).
  public var cutsSlowSegments = false
  /// How often a request that the server refused is made again when no other variant is left.
  ///
  /// Assumed: once.
  public var retriesMax = 1
  /// How long a request that failed is not made again: twice as long after each further failure.
  ///
  /// Assumed: a second.
  public var retryDelay = TimeSpan.seconds(1)
  /// The longest that a request which failed is not made again.
  ///
  /// Assumed: 5 seconds.
  public var retryDelayMax = TimeSpan.seconds(5)
  /// How long a variant that failed is left alone while there is another one.
  ///
  /// A variant that fails is put into a "penalty box" and comes back after a time (WWDC17 514,
  /// forum thread 830888). Assumed: 30 seconds.
  public var penaltyTime = TimeSpan.seconds(30)
  /// After how many failures in a row nothing more is asked for; nil for never.
  ///
  /// The talk promises that playback resumes (WWDC16 503). Devices were seen to give up after one
  /// failure and after three.
  public var failuresMax: Int?
  /// Whether an item for which nothing more is asked fails when what is loaded has been played;
  /// else it waits for ever. Devices were seen to do either.
  public var failsWhenPlayedOut = true
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

  /// How long a request is not made again that failed so many times in a row.
  func retryDelay(after failures: Int) -> TimeSpan {
    var delay = min(retryDelay, retryDelayMax)
    for _ in 1..<max(1, failures) where delay < retryDelayMax {
      // Who asks again at once does so only once.
      delay = max(delay, .milliseconds(1))
      delay = min(delay + delay, retryDelayMax)
    }
    return delay
  }
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
