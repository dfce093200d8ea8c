import Autowait

/// What is known of rows that are not kept: how many there were, which, and the digest of their
/// bytes.
package struct RowDigest: Hashable, Sendable {
  /// The rows so far.
  package private(set) var count = 0
  /// The key of the first row; nil without rows.
  package private(set) var first: SessionKey?
  /// The key of the last row; nil without rows.
  package private(set) var last: SessionKey?
  private var fingerprint = Fingerprint()

  /// Creates the digest of no rows.
  package init() {}

  /// The digest of the bytes of all rows, line by line.
  ///
  /// It detects accidents, not attacks.
  package var value: UInt64 { fingerprint.value }

  /// Adds a row as it is written, with the end of its line.
  package mutating func add(_ line: [UInt8], key: SessionKey) {
    count += 1
    first = first ?? key
    last = key
    fingerprint.mix(bytes: line)
  }
}

extension SessionRow {
  /// The longest time that a row may tell of: more than any session takes, so little that sums
  /// cannot overflow.
  private static let timeMax: Int64 = 1 << 56
  private static let countMax: Int64 = 1 << 60

  /// Whether the row can come from a session.
  ///
  /// What was read from a file may say anything, and sums take only what they have room for.
  package var isPlausible: Bool {
    let times = [
      startup, stalled, played, mediaPlayed, watched, mediaDuration, yardstick ?? 0,
      excessWait ?? 0,
    ]
    let counts = [
      stallCount, avoidableStalls ?? 0, qualitySum ?? 0, qualityChange ?? 0,
    ]
    return times.allSatisfy { 0...Self.timeMax ~= $0 }
      && counts.allSatisfy { 0...Self.countMax ~= $0 } && (linkToMedia ?? 0) >= 0
      && (outcome == .error || problem == nil)
  }
}
