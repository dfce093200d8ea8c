/// A download of a session of Sabre or Pensieve.
public struct PeerDownload: Hashable, Sendable {
  /// The segment.
  public var segment: Int
  /// The quality.
  public var quality: Int
  /// When it was asked for in the time of the session, in milliseconds.
  public var requestedAt: Double
  /// How long it took, in milliseconds.
  public var duration: Double
  /// How long its first byte took, in milliseconds.
  public var latency: Double
  /// The bits that came.
  public var downloaded: Double
  /// What was buffered before and after, in milliseconds.
  public var levelBefore: Double
  /// What was buffered after it, in milliseconds.
  public var levelAfter: Double
  /// The quality for which it was given up; −1 if for none, nil if it was not.
  public var abandonedFor: Int?
  /// Whether it replaces a segment that was there.
  public var isReplacement = false
}

/// What a session of Sabre or Pensieve came to; times are milliseconds.
public struct PeerOutcome: Hashable, Sendable {
  /// From the first request to the last byte of the first segment.
  public var startup = 0.0
  /// The sum of the stalls, without the startup.
  public var stalled = 0.0
  /// From the first request to the end of playback; for Pensieve, of the last download.
  public var total = 0.0
  /// The stalls of a microsecond and more.
  public var stalls = 0
  /// The peer's own count of stalls: Sabre counts residues of its sums, and no stall that goes on;
  /// Pensieve counts the startup.
  public var ownStalls = 0
  /// The peer's own sum of stalls: Pensieve's has the startup in it.
  public var ownStalled = 0.0
  /// The peer's own clock at the end: Pensieve's leaves out most of each sleep.
  public var ownTotal = 0.0
  /// The sum of the bit rates of all played segments, and of their changes, in kbit/s.
  public var playedBitRate = 0.0
  /// The sum of the changes of the bit rate, in kbit/s.
  public var changedBitRate = 0.0
  /// The sum of the utilities of all played segments.
  public var playedUtility = 0.0
  /// The changes of quality.
  public var switches = 0
  /// The downloads that were given up.
  public var abandoned = 0
  /// The link's own time at the last byte.
  public var linkClock = 0.0
  /// The qualities in the order in which segments were appended.
  public var qualities: [Int32] = []
  /// Whether the session would never end.
  public var isEndless = false
}
