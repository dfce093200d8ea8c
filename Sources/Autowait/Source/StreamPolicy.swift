/// How a player loads a stream.
public struct StreamPolicy: Hashable, Sendable {
  /// How it chooses among variants.
  public var adaptation = AdaptationPolicy()
  /// How far ahead of the playhead media is loaded if the application asks for nothing else
  /// (`preferredForwardBufferDuration` 0); nil to count data instead.
  ///
  /// A modelled rule reckons with a buffer of some length: nil is 50 seconds for it (assumed).
  public var forwardBufferDefault: MediaTime?
  /// The data of whole segments ahead at which loading is suspended by default.
  ///
  /// Observed: 42.2 MB in 20 segments on iPadOS 26.5 (Apple bug report FB22519249), 42.6 MB in 13
  /// on iPadOS 17.5 (pillarbox-apple issue 903), 47.3 MB in 5 on tvOS 15.2. In each a segment less
  /// is below 40 MiB. Segments count until they have been played as a whole.
  public var forwardBufferSize = ByteCount(bytes: 41_943_040)
  /// How much less data must be ahead for loading to go on; less than ``forwardBufferSize``.
  ///
  /// Observed: with 64 % ahead it has not gone on (pillarbox-apple issue 903). Assumed: 16 MiB,
  /// with which it goes on at 60 %.
  public var forwardBufferSizeSlack = ByteCount(bytes: 16_777_216)
  /// The target durations that may always be ahead, whatever is preferred and however much data
  /// that is; loading goes on at three quarters of them.
  ///
  /// `preferredForwardBufferDuration` is a preference. A segment of a variant that the link carries
  /// takes no longer to come than it plays: one and a half of them ahead are enough for the next.
  ///
  /// Assumed: two. Rules of other players have none.
  public var forwardBufferSegmentsMin = 2
  /// Whether a seek to where nothing is loaded throws away what is loaded elsewhere.
  ///
  /// Before playback has begun every seek does (WWDC18 502). Observed for later ones too: 3.8 MB
  /// loaded again for a seek into what had been there (FB22519249).
  public var dropsWhenSeeking = false
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

  /// Takes the numbers that single logs of iOS 26 show and Apple does not give.
  ///
  /// Two rungs in about a second, to 25 % of what was observed (FB22519249: 0.916 of 4.06 and 1.924
  /// of 8.50 Mbit/s were taken, 1.030 of 4.06 was not); five segments of 4 s with a preference of
  /// 4 s (AetherEngine); seeks that drop the old buffer (FB22519249).
  public mutating func followLogs26() {
    adaptation.climbRungsMax = 2
    adaptation.climbInterval = .seconds(1)
    adaptation.startupClimb = 250_000
    forwardBufferSegmentsMin = 5
    dropsWhenSeeking = true
  }

  /// The default in time; nil if data is counted.
  package var forwardBufferLimit: MediaTime? {
    forwardBufferDefault ?? (adaptation.rule.isModelled ? .seconds(50) : nil)
  }

  /// The media of a stream that may always be ahead.
  package func forwardBufferMin(of stream: StreamMedia) -> MediaTime {
    if adaptation.rule.isModelled { return .zero }
    let longest = stream.variants.map { stream.lists[$0.list].targetDuration }.max() ?? .zero
    let (least, overflow) = longest.nanoseconds.multipliedReportingOverflow(
      by: Int64(forwardBufferSegmentsMin))
    return overflow ? Limits.mediaMax : min(MediaTime(nanoseconds: least), Limits.mediaMax)
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
