/// How a player loads a stream.
package struct StreamPolicy: Hashable, Sendable {
  /// How it chooses among variants.
  package var adaptation = AdaptationPolicy()
  /// How far ahead of the playhead media is loaded if the application asks for nothing else
  /// (`preferredForwardBufferDuration` 0); nil to count data instead.
  ///
  /// A modelled rule reckons with a buffer of some length: nil is 50 seconds for it (assumed).
  package var forwardBufferDefault: MediaTime?
  /// The data of whole segments ahead at which loading is suspended by default.
  ///
  /// Observed: 42.2 MB in 20 segments on iPadOS 26.5 (Apple bug report FB22519249), 42.6 MB in 13
  /// on iPadOS 17.5 (pillarbox-apple issue 903), 47.3 MB in 5 on tvOS 15.2. In each a segment less
  /// is below 40 MiB. Segments count until they have been played as a whole.
  package var forwardBufferSize = ByteCount(bytes: 41_943_040)
  /// How much less data must be ahead for loading to go on; less than ``forwardBufferSize``.
  ///
  /// Observed: with 64 % ahead it has not gone on (pillarbox-apple issue 903). Assumed: 16 MiB,
  /// with which it goes on at 60 %.
  package var forwardBufferSizeSlack = ByteCount(bytes: 16_777_216)
  /// The target durations that may always be ahead, whatever is preferred and however much data
  /// that is; loading goes on at three quarters of them.
  ///
  /// `preferredForwardBufferDuration` is a preference. A segment of a variant that the link carries
  /// takes no longer to come than it plays: one and a half of them ahead are enough for the next.
  ///
  /// Assumed: two. Rules of other players have none.
  package var forwardBufferSegmentsMin = 2
  /// Whether a seek to where nothing is loaded throws away what is loaded elsewhere.
  ///
  /// Before playback has begun every seek does (WWDC18 502). Observed for later ones too: 3.8 MB
  /// loaded again for a seek into what had been there (FB22519249).
  package var dropsWhenSeeking = false
  /// Which tracks play unless somebody chooses others.
  package var selection = MediaSelection()
  /// Whether media playlists need not be asked for, as in simulators that have none.
  package var knowsPlaylists = false
  /// How long a request may go without an answer, or without data; nil for the target duration of
  /// its playlist.
  ///
  /// An engineer of Apple and nine public logs agree on 1.0 target durations (−12889, "No response
  /// for media file in N s"; forum thread 830888). Assumed: 10 seconds for what has no target
  /// duration yet, as playlists and keys.
  package var responseTimeout: TimeSpan?
  /// Whether a segment that has not come whole two target durations after its request is given up
  /// even while bytes of it arrive; else only if none has come for a target duration.
  ///
  /// Public logs show the error −16830 at 1.5 to 2.5 target durations, on links that still carried
  /// something, too. The talks' own figures let a segment of 10 seconds come in 55 (WWDC16 503).
  package var cutsSlowSegments = false
  /// How often a request that the server refused is made again when no other variant is left.
  ///
  /// Assumed: once.
  package var retriesMax = 1
  /// How long a request that failed is not made again: twice as long after each further failure.
  ///
  /// Assumed: a second.
  package var retryDelay = TimeSpan.seconds(1)
  /// The longest that a request which failed is not made again.
  ///
  /// Assumed: 5 seconds.
  package var retryDelayMax = TimeSpan.seconds(5)
  /// How long a variant that failed is left alone while there is another one.
  ///
  /// A variant that fails is put into a "penalty box" and comes back after a time (WWDC17 514,
  /// forum thread 830888). Assumed: 30 seconds.
  package var penaltyTime = TimeSpan.seconds(30)
  /// After how many failures in a row nothing more is asked for; nil for never.
  ///
  /// The talk promises that playback resumes (WWDC16 503). Devices were seen to give up after one
  /// failure and after three.
  package var failuresMax: Int?
  /// After how many loads in a row of a live playlist that has stayed the same for one and a half
  /// target durations nothing more is asked for; nil for never.
  package var stalePollsMax: Int?
  /// Whether a live stream starts over with each load of a playlist that lists less than what
  /// playback starts behind its end: what is loaded is thrown away.
  ///
  /// Observed: −16832 "restarting 8.000000s from end of live playlist; target duration 3s" about a
  /// hundred times for one stream, which kept buffering until 18 s were listed (AetherEngine issues
  /// 189 and 194). Assumed: once for each load; the log has no times.
  package var restartsShortWindows = false
  /// Whether a live stream that stalled goes on as near to the end as a start would be, if that
  /// lies ahead.
  ///
  /// Observed: each time a stream goes on after a stall the time jumps first (infinite-streaming
  /// issue 161; 11 times in 17 minutes). Assumed: to where it would start.
  package var rejoinsAfterStall = false
  /// Whether an item for which nothing more is asked fails when what is loaded has been played;
  /// else it keeps waiting.
  ///
  /// Devices were seen to do either.
  package var failsWhenPlayedOut = true
  /// Whether a live stream that was paused never loads its playlists again: a bug of the past, in
  /// which a player waits forever with a buffer that is full and empty at once.
  ///
  /// Observed: openradar 29362808 and 25953728.
  package var freezesWhenPaused = false
  /// Whether a stream goes on when the network has cut a request off for good.
  ///
  /// Observed: on iOS 11 a player that went from Wi-Fi to cellular asked for nothing more, and its
  /// buffer ran dry (openradar 35270862).
  package var reconnects = true
  /// Whether a player waits for media that the playlist has promised and that does not exist: a bug
  /// of the past, in which the buffer is never full and playback never likely to keep up.
  ///
  /// Observed: openradar 39282364.
  package var waitsForMissingEnd = false

  /// Creates the policy with its defaults.
  package init() {}

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

  /// Takes the numbers that single logs of iOS 26 show and Apple does not give.
  ///
  /// Two rungs in about a second, to 25 % of what was observed (FB22519249: 0.916 of 4.06 and 1.924
  /// of 8.50 Mbit/s were taken, 1.030 of 4.06 was not); five segments of 4 s with a preference of
  /// 4 s (AetherEngine); seeks that drop the old buffer (FB22519249); segments cut off after two
  /// target durations (WWDC18 502 and others); about 30 s of asking for what is not there, and
  /// three times of no answer before the item is given up (ctunes, AetherEngine); six loads of a
  /// live playlist that stays the same (AetherEngine issue 446); a start again with each load of
  /// one that is too short (AetherEngine issue 189); a jump after each stall (infinite-streaming
  /// issue 161).
  package mutating func followLogs26() {
    adaptation.climbRungsMax = 2
    adaptation.climbInterval = .seconds(1)
    adaptation.startupClimb = 250_000
    forwardBufferSegmentsMin = 5
    dropsWhenSeeking = true
    cutsSlowSegments = true
    retriesMax = 7
    failuresMax = 3
    stalePollsMax = 6
    restartsShortWindows = true
    rejoinsAfterStall = true
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
