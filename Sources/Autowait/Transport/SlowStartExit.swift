/// Finds when slow start has filled the path, before the queue overflows (HyStart; RFC 9406).
///
/// Slow start is over when the acknowledgements of a round come in one train that is as long as
/// half the least round trip, or when the round trips of a round have become longer.
struct SlowStartExit: Sendable {
  /// What it needs to know of the sender.
  struct Input {
    var acknowledged: Int
    var next: Int
    var size: Int
    var isPaced: Bool
    /// How long the sender's own host may hold an acknowledged burst back.
    var hostDelay: Int64
  }

  private var roundEnd = 0
  private var roundStart = Instant.start
  private var lastAcknowledgement = Instant.start
  private var roundTrip: Int64 = .max
  private var samples = 0
  private var isFound = false

  /// Below this window slow start goes on whatever is seen.
  static let windowMin = 16
  /// A round is judged by the least of more samples than these.
  static let samplesMin = 8
  /// Acknowledgements that are further apart do not belong to one train.
  static let trainSpacingMax = TimeSpan.milliseconds(2)

  /// How long a host may hold a burst back at most (measured).
  static let hostDelayMost: Int64 = 1_000_000

  /// Starts a round.
  mutating func begin(next: Int, at now: Instant) {
    roundEnd = next
    roundStart = now
    lastAcknowledgement = now
    roundTrip = .max
    samples = 0
  }

  /// Starts afresh, as after a timeout.
  mutating func reset(next: Int, at now: Instant) {
    begin(next: next, at: now)
    isFound = false
  }

  /// How long the acknowledgements of this round must still come in one train for slow start to be
  /// over; nil if there was a gap.
  func trainLeft(least: Int64, window: Input, at now: Instant) -> TimeSpan? {
    if now - lastAcknowledgement > SlowStartExit.trainSpacingMax { return nil }
    let limit = SlowStartExit.trainLength(
      least: least, hostDelay: window.hostDelay, isPaced: window.isPaced)
    return TimeSpan(nanoseconds: max(0, limit - (now - roundStart).nanoseconds))
  }

  /// How long a train must be that ends slow start: half the least round trip, or a whole one of a
  /// sender that paces.
  @inline(__always)
  static func trainLength(
    least: Int64, hostDelay: Int64 = hostDelayMost, isPaced: Bool
  ) -> Int64 {
    let length = least &+ hostDelay
    return isPaced ? length : length >> 1
  }

  /// By how much the round trips of a round must be longer than the least one to end slow start.
  @inline(__always)
  static func clearance(least: Int64) -> Int64 { max(4_000_000, min(16_000_000, least >> 3)) }

  /// Returns whether slow start is over, when packets were acknowledged.
  @inline(__always)
  mutating func isOver(
    _ sample: Int64, least: Int64, window: Input, at now: Instant
  ) -> Bool {
    if isFound { return false }
    if window.acknowledged > roundEnd {
      begin(next: window.next, at: now)
    }
    if window.size < SlowStartExit.windowMin { return false }
    if now - lastAcknowledgement <= SlowStartExit.trainSpacingMax {
      lastAcknowledgement = now
      let limit = SlowStartExit.trainLength(
        least: least, hostDelay: window.hostDelay, isPaced: window.isPaced)
      if (now - roundStart).nanoseconds > limit { isFound = true }
    }
    if sample < roundTrip { roundTrip = sample }
    if samples < SlowStartExit.samplesMin {
      samples += 1
    } else {
      if roundTrip > least &+ SlowStartExit.clearance(least: least) { isFound = true }
    }
    return isFound
  }
}
