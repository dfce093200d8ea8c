/// A run of segments with consecutive numbers.
struct TCPSegmentRun: Hashable, Sendable {
  /// The first.
  var start: Int
  /// The one behind the last.
  var end: Int
}

/// What is known of the order in which segments arrived, to tell late ones from lost ones
/// (RACK, RFC 8985).
struct LossDetection: Sendable {
  /// When the newest segment that arrived was sent, and which it was.
  var newestSentAt = Instant.start
  var newest = -1
  /// The round trip of what arrived last, whether it is the newest or not (as in Linux: what is
  /// overtaken then waits for the time of its own kind, and not for that of what overtook it).
  var roundTrip: Int64 = 0
  /// Whether something has arrived since segments were last judged.
  var hasAdvanced = false
  /// Segments before this one were judged when they were sent for the first time.
  var judged = 0
  /// The copies under way, in the order in which they were sent.
  var copies = Ring<Copy>(filler: Copy(segment: 0, sentAt: .start), capacity: 1)
  /// Whether a segment came late that had been sent only once.
  var hasSeenReordering = false
  /// How many quarters of the least round trip a segment may be late.
  private(set) var patience = 1
  /// For so many more recoveries the patience stays.
  private var patienceKept = 0
  /// When the patience grew, and whether a duplicate has been reported that may let it grow again.
  private var patienceGrewAt = Instant.start
  private var hasDuplicate = false
  /// By how many packets another was overtaken at most; three, before any was.
  private(set) var distance = LossDetection.distanceMin
  /// The highest segment that was received ahead of others.
  var highest = -1

  /// A segment that was sent again.
  struct Copy: Sendable {
    var segment: Int
    var sentAt: Instant
  }

  /// The distance at which a sender that has seen no reordering takes a packet for lost.
  static let distanceMin = 3
  private static let distanceMax = 300
  private static let patienceMax = 255
  private static let recoveriesKept = 16

  /// Takes note that a segment arrived that had been overtaken: it came late, and was not lost.
  mutating func overtaken(_ number: Int) {
    hasSeenReordering = true
    distance = max(distance, min(highest + 1 - number, LossDetection.distanceMax))
  }

  /// Takes note of an acknowledgement that reports a duplicate: a copy was not needed.
  mutating func sawDuplicate() {
    if hasSeenReordering { hasDuplicate = true }
  }

  /// Lets patience grow by what was reported, once a round trip (RFC 8985, 6.2).
  mutating func adaptPatience(at now: Instant) {
    if newestSentAt < patienceGrewAt { hasDuplicate = false }
    if !hasDuplicate { return }
    hasDuplicate = false
    patience = min(patience + 1, LossDetection.patienceMax)
    patienceGrewAt = now
    patienceKept = LossDetection.recoveriesKept
  }

  /// Takes note of a recovery that was needed: patience wears off after sixteen of them.
  mutating func endRecovery() {
    if patienceKept > 0 { patienceKept -= 1 }
    if patienceKept == 0 { patience = 1 }
  }

  /// Takes note of a recovery that was not needed.
  mutating func undoRecovery() {
    patienceKept = min(patienceKept + 1, LossDetection.recoveriesKept)
  }

  /// Takes note that a segment arrived.
  @inline(__always)
  mutating func arrived(_ segment: TCPSegment, _ number: Int, least: Int64, at now: Instant) {
    let span = (now - segment.sentAt).nanoseconds
    // A copy that is acknowledged sooner than can be was not needed: the first one arrived. It may
    // even do so while the copy waits for those that leave in the same burst before it.
    assert(
      span >= 0 || segment.marks.contains(.repeated),
      "segment \(number) arrived \(-span) ns before it was sent")
    if segment.marks.contains(.repeated), span < least { return }
    hasAdvanced = true
    roundTrip = span
    if segment.sentAt > newestSentAt || (segment.sentAt == newestSentAt && number > newest) {
      newestSentAt = segment.sentAt
      newest = number
    }
  }

  /// Whether a segment was sent before the newest that arrived.
  @inline(__always)
  func isOlder(_ sentAt: Instant, _ number: Int) -> Bool {
    sentAt < newestSentAt || (sentAt == newestSentAt && number < newest)
  }
}

/// How a window shrinks during a recovery: in proportion to what is delivered (RFC 6937).
struct Reduction: Sendable {
  /// The window before.
  var windowBefore = 0
  /// What was delivered since the recovery began.
  var delivered = 0
  /// What was sent since.
  var sent = 0

  /// Returns the window after an acknowledgement.
  mutating func window(
    delivered: Int, inFlight: Int, threshold: Int, isProgress: Bool
  ) -> Int {
    self.delivered += delivered
    let room = threshold - inFlight
    var allowance: Int
    if room < 0 {
      let before = Int64(windowBefore)
      let share = (Int64(threshold) * Int64(self.delivered) + before - 1) / max(1, before)
      allowance = Int(share) - sent
    } else {
      allowance = max(self.delivered - sent, delivered)
      if isProgress { allowance += 1 }
      allowance = min(room, allowance)
    }
    // The first copy goes out at once.
    allowance = max(allowance, sent == 0 ? 1 : 0)
    return inFlight + allowance
  }
}

/// What is known of the rate at which packets are delivered, for a sender that goes by it
/// (draft-cheng-iccrg-delivery-rate-estimation-00).
struct RateEstimate: Sendable {
  /// The packets delivered in all, and when the last of them were.
  var delivered = 0
  private var deliveredAt = Instant.start
  private var firstSentAt = Instant.start
  /// Until so many are delivered, samples show what was there to send.
  private var limitedUntil = 0
  private var newest: TCPSegment?
  /// The round trip of the last acknowledgement; negative if it told none.
  var roundTrip: Int64 = -1

  /// Takes note that there was nothing to send.
  mutating func markIdle(inFlight: Int) {
    limitedUntil = max(1, delivered + inFlight)
  }

  /// Writes into a segment what holds when it is sent, for the first time or again.
  mutating func stamp(_ segment: inout TCPSegment, isFirst: Bool, at now: Instant) {
    if isFirst {
      firstSentAt = now
      deliveredAt = now
    }
    segment.delivered = delivered
    segment.deliveredAt = deliveredAt
    segment.firstSentAt = firstSentAt
    if limitedUntil > 0 {
      segment.marks.insert(.applicationLimited)
    } else {
      segment.marks.remove(.applicationLimited)
    }
  }

  /// Takes note that a segment was delivered.
  mutating func deliver(_ segment: TCPSegment, at now: Instant) {
    deliveredAt = now
    // The one that was sent last has the say: a copy may be newer than what follows it.
    guard let newest, segment.sentAt < newest.sentAt else {
      newest = segment
      firstSentAt = segment.sentAt
      return
    }
  }

  /// Returns what an acknowledgement said.
  mutating func sample(least: Int64, at now: Instant) -> BBR.RateSample {
    var sample = BBR.RateSample()
    if limitedUntil > 0, delivered > limitedUntil { limitedUntil = 0 }
    guard let newest else { return sample }
    self.newest = nil
    sample.priorDelivered = newest.delivered
    sample.delivered = delivered - newest.delivered
    sample.isApplicationLimited = newest.marks.contains(.applicationLimited)
    let sending = (newest.sentAt - newest.firstSentAt).nanoseconds
    let arriving = (now - newest.deliveredAt).nanoseconds
    sample.interval = max(sending, arriving)
    assert(sample.delivered >= 0, "\(sample.delivered) packets were delivered")
    assert(sample.interval >= 0, "packets were delivered in \(sample.interval) ns")
    // Faster than a round trip is no rate of the path.
    if sample.interval < least { sample.interval = 0 }
    return sample
  }
}
