import Autowait
import AutowaitScenario

/// What one session came to, in whole numbers: times in nanoseconds, ratios in millionths.
package struct SessionRow: Hashable, Sendable {
  /// The number of the session.
  package let key: SessionKey
  /// What it ended with.
  package var outcome = SessionOutcome.error
  /// From the wish to play until the timebase first ran; until the end if it never did.
  package var startup: Int64 = 0
  /// The stalls.
  package var stallCount: Int64 = 0
  /// The time spent recovering from stalls.
  package var stalled: Int64 = 0
  /// The wall time in which the timebase ran.
  package var played: Int64 = 0
  /// The media that was played.
  package var mediaPlayed: Int64 = 0
  /// The time watched, as CTA-2066 has it: from the wish to play to the end, pauses left out.
  package var watched: Int64 = 0
  /// The smallest start delay without a stall, for a player that knew the network; nil if it is not
  /// known, or if there is none.
  package var yardstick: Int64?
  /// The waiting, startup and stalls, beyond the yardstick; nil if that is not known.
  package var excessWait: Int64?
  /// The stalls that a start at the right time would have avoided; nil if that is not known.
  package var avoidableStalls: Int64?
  /// The sum of the rates of the segments played, in bit/s; nil for files.
  package var qualitySum: Int64?
  /// The sum of the changes of rate between a segment and the next, in bit/s; nil for files.
  package var qualityChange: Int64?
  /// The mean rate of the variants that were played, in bit/s; nil for files, and where nothing was
  /// played.
  package var bitRate: Int64?
  /// The changes of variant; nil for files.
  package var switchCount: Int64?
  /// How long the media plays.
  package var mediaDuration: Int64 = 0
  /// What the link could carry in that time, in millionths of the media; nil if that is not known.
  package var linkToMedia: Int64?
  /// The digest of the run.
  package var fingerprint: UInt64 = 0
  /// The metrics that the experiment asks for, in its order; nil where nothing was measured.
  package var metrics: [Int64?] = []
  /// The expectations of the base that were not met, by their places among those that can fail.
  package var missed: [Int] = []
  /// Why the session could not be run; nil if it could.
  package var problem: String?

  /// Creates the row of a session of which nothing is known yet.
  package init(_ key: SessionKey) {
    self.key = key
  }

  /// Whether playback began.
  package var isStarted: Bool { outcome != .error && outcome != .neverStarted && played > 0 }

  /// All the waiting that a viewer saw.
  package var waiting: Int64 { startup + stalled }

  /// Whether a viewer could not tell two sessions apart.
  package func isSame(as other: SessionRow) -> Bool {
    outcome == other.outcome && startup == other.startup && stallCount == other.stallCount
      && stalled == other.stalled && mediaPlayed == other.mediaPlayed
      && qualitySum == other.qualitySum && qualityChange == other.qualityChange
  }
}
