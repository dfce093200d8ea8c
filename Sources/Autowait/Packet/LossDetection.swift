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
  /// The round trip of it.
  var roundTrip: Int64 = 0
  /// Segments before this one were judged when they were sent for the first time.
  var judged = 0
  /// The copies under way, in the order in which they were sent.
  var copies = Ring<Copy>(filler: Copy(segment: 0, sentAt: .start), capacity: 1)
  /// Whether a segment came late that had been sent only once.
  var hasSeenReordering = false
  /// How many quarters of the least round trip a segment may be late.
  var patience = 1
  /// The highest segment that was received ahead of others.
  var highest = -1

  /// A segment that was sent again.
  struct Copy: Sendable {
    var segment: Int
    var sentAt: Instant
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
    if segment.sentAt > newestSentAt || (segment.sentAt == newestSentAt && number > newest) {
      newestSentAt = segment.sentAt
      newest = number
      roundTrip = span
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
