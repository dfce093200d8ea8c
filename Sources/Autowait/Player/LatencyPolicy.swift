/// The times that pass in an application and its player where nothing is waited for.
///
/// All of them are zero by default: what a run says is then the least that can be. The numbers of a
/// real player stand with its rule, in what fills a policy in by its name; those of an application
/// and of a device are the user's to give.
public struct LatencyPolicy: Hashable, Sendable {
  /// From an event until the application hears of it, by a notification or an observer.
  ///
  /// It passes before the steps of a script that react to an event and act on this player.
  ///
  /// Assumed: nothing. WWDC16 503 names it as a part of the gap of a loop that rewinds at its end,
  /// and gives no number.
  public var notification = TimeSpan.zero
  /// From when the application hears of an event until it calls its player.
  ///
  /// It passes before the same steps; a step after another step is the application's own doing, and
  /// its delay says all.
  ///
  /// Assumed: nothing. WWDC16 503 names it too, as the time of the request.
  public var reaction = TimeSpan.zero
  /// From when playback may begin until the timebase moves: at the start, and behind each jump of
  /// the playhead, whose pictures must be decoded again.
  ///
  /// Measured, from the arrival of what a player waits for until its clock: 0.174 s for hls.js
  /// 1.6.12, 0.13 s for the HLS of Chromium itself, 0.074 s for Shaka 4.7.0 and 0.069 s for dash.js
  /// 5.1.1. AVFoundation needs milliseconds from likely-to-keep-up on (WWDC18 502); assumed: none.
  public var preroll = TimeSpan.zero
  /// The same where what is shown next has been made ready: after a stall, a pause, or a preroll
  /// that the application has asked for.
  ///
  /// Measured after stalls of players in Chromium: 0.018 to 0.037 s. After a preroll the rate can
  /// be set "with minimal latency" (header of `AVPlayer.preroll(atRate:)`). Assumed: none.
  public var resume = TimeSpan.zero
  /// From when the data of the first frame is there until the item is ready to play: it is decoded.
  ///
  /// What is not ready is not likely to keep up.
  ///
  /// Assumed: nothing; no source says how much.
  public var firstFrame = TimeSpan.zero
  /// From when a segment of a stream has come until the buffer has it, and its track asks for the
  /// next one: players of Media Source Extensions append segments.
  ///
  /// Measured: 3 to 6 ms for hls.js 1.6.12; it is a part of what was measured of ``preroll`` and
  /// ``resume``. Assumed: nothing.
  public var appending = TimeSpan.zero
  /// What appending takes in addition before there is a picture: the element makes its buffers, and
  /// its decoders are chosen.
  ///
  /// Measured, from the arrival of the first segments until the next request: 0.07 s for hls.js
  /// 1.6.12 (14 recordings, −0.003 to 0.133 s; 3 ms for later segments); it is a part of what was
  /// measured of ``preroll``. Assumed: nothing.
  public var opening = TimeSpan.zero

  /// Creates the policy with its defaults.
  public init() {}

  /// Refuses times that pass backwards.
  func check() {
    precondition(
      [notification, reaction, preroll, resume, firstFrame, appending, opening]
        .allSatisfy { $0 >= .zero },
      "latencies must not be negative: notification \(notification), reaction \(reaction), "
        + "preroll \(preroll), resume \(resume), firstFrame \(firstFrame), appending "
        + "\(appending), opening \(opening)")
  }
}

/// What holds the timebase of a player back that plays.
enum TimebaseHold: Hashable, Sendable {
  /// Its pipeline is being rebuilt, until an instant.
  case rebuild(until: Instant)
  /// What is to be shown is being made ready, until an instant; with the record that led to it.
  case preroll(until: Instant, cause: Int)

  /// When the timebase goes on.
  var end: Instant {
    switch self {
    case .rebuild(let end), .preroll(let end, _): end
    }
  }
}
