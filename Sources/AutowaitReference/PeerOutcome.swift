/// A download of a session of Sabre or Pensieve.
package struct PeerDownload: Hashable, Sendable {
  /// The segment.
  package var segment: Int
  /// The quality.
  package var quality: Int
  /// When it was asked for in the time of the session, in milliseconds.
  package var requestedAt: Double
  /// How long it took, in milliseconds.
  package var duration: Double
  /// How long its first byte took, in milliseconds.
  package var latency: Double
  /// The bits that came.
  package var downloaded: Double
  /// What was buffered before and after, in milliseconds.
  package var levelBefore: Double
  /// What was buffered after it, in milliseconds.
  package var levelAfter: Double
  /// The quality for which it was given up; −1 if for none, nil if it was not.
  package var abandonedFor: Int?
  /// Whether it replaces a segment that was there.
  package var isReplacement = false
}

/// What a session of Sabre or Pensieve came to; times are milliseconds.
package struct PeerOutcome: Hashable, Sendable {
  /// From the first request to the last byte of the first segment.
  package var startup = 0.0
  /// The sum of the stalls, without the startup.
  package var stalled = 0.0
  /// From the first request to the end of playback; for Pensieve, of the last download.
  package var total = 0.0
  /// The stalls of a microsecond and more.
  package var stalls = 0
  /// The peer's own count of stalls: Sabre counts residues of its sums, and no stall that goes on;
  /// Pensieve counts the startup.
  package var ownStalls = 0
  /// The peer's own sum of stalls: Pensieve's has the startup in it.
  package var ownStalled = 0.0
  /// The peer's own clock at the end: Pensieve's leaves out most of each sleep.
  package var ownTotal = 0.0
  /// The sum of the bit rates of all played segments, and of their changes, in kbit/s.
  package var playedBitRate = 0.0
  /// The sum of the changes of the bit rate, in kbit/s.
  package var changedBitRate = 0.0
  /// The sum of the utilities of all played segments.
  package var playedUtility = 0.0
  /// The changes of quality.
  package var switches = 0
  /// The downloads that were given up.
  package var abandoned = 0
  /// The link's own time at the last byte.
  package var linkClock = 0.0
  /// The qualities in the order in which segments were appended.
  package var qualities: [Int32] = []
  /// Whether the session would never end.
  package var isEndless = false
}
