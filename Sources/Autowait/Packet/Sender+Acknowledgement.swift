extension Sender {
  /// What an acknowledgement brought.
  struct AckDelta {
    var delivered = 0
    var newlyLost = 0
    /// When the first and the last segment were sent that it acknowledged and that were sent once.
    var firstSentAt = Instant.never
    var lastSentAt = Instant.never
    /// The same for what was received ahead of a missing segment.
    var firstAheadAt = Instant.never
    var lastAheadAt = Instant.never
    var hasProgress = false
    /// Whether something that was sent again is behind the acknowledgement now.
    var coversRepeated = false
    /// The segment that was missing first.
    var firstNumber = 0
    /// Whether something arrived that was sent once, before the recovery.
    var hasOriginal = false
  }

  /// Takes an acknowledgement.
  @inline(__always)
  mutating func acknowledge(_ packet: Packet, at now: Instant) {
    if packet.windowEdge > windowEdge { open(windowEdge: packet.windowEdge, at: now) }
    if probePoint != nil, packet.reportsDuplicate { forgetProbe(packet) }
    // What was acknowledged before came late, and what was not yet sent cannot be.
    if packet.acknowledgement < acknowledged || segments.isEmpty { return }
    defer { assertInvariants() }
    var delta = AckDelta()
    let lostBefore = lostEver
    if packet.acknowledgement > acknowledged {
      delta.hasProgress = true
      delta.firstNumber = acknowledged
      timeouts = 0
      if settings.isQUIC { backoff = 0 }
      takeProgress(min(packet.acknowledgement, next), &delta, at: now)
    }
    if packet.runCount > 0 { takeRuns(packet, &delta, at: now) }
    if delta.delivered > 0 { measure(packet, delta, at: now) }
    var isWaiting = false
    if received > 0 || lost > 0 || phase != .open || probePoint != nil || packet.reportsDuplicate {
      isWaiting = recover(packet, delta, at: now)
    }
    delta.newlyLost = lostEver - lostBefore
    adjustWindow(delta, at: now)
    setPacingRate()
    if !isWaiting, delta.hasProgress || isOlderThanHead(delta) { setAlarm(at: now) }
  }

  /// What was received ahead moves the timer only if it was sent before the head.
  @inline(__always)
  private func isOlderThanHead(_ delta: AckDelta) -> Bool {
    guard delta.firstAheadAt != .never, !segments.isEmpty else { return false }
    return delta.firstAheadAt < segments[acknowledged].sentAt
  }

  private mutating func open(windowEdge edge: Int64, at now: Instant) {
    windowEdge = edge
    if alarm == .windowProbe {
      alarm = .none
      alarmAt = .never
    }
  }

  // MARK: - What arrived

  @inline(__always)
  private mutating func takeProgress(_ end: Int, _ delta: inout AckDelta, at now: Instant) {
    while segments.first < end {
      let number = segments.first
      let segment = segments[number]
      segments.dropFirst()
      let marks = segment.marks
      if marks.contains(.repeated) { delta.coversRepeated = true }
      if marks.contains(.received) {
        received -= 1
      } else {
        delta.delivered += 1
        if number < losses.highest, !marks.contains(.repeated) {
          losses.overtaken(number)
        }
        if !marks.contains(.repeated) {
          if delta.firstSentAt == .never { delta.firstSentAt = segment.sentAt }
          if number < recoveryPoint { delta.hasOriginal = true }
          delta.lastSentAt = segment.sentAt
        }
        arrived(segment, number, at: now)
      }
      if !marks.isDisjoint(with: [.lost, .copied]) { settle(marks) }
    }
    if !runs.isEmpty { trimRuns() }
  }

  @inline(__always)
  private mutating func arrived(_ segment: TCPSegment, _ number: Int, at now: Instant) {
    rate.delivered &+= 1
    losses.arrived(segment, number, least: estimate.least, at: now)
    if isBBR { rate.deliver(segment, at: now) }
  }

  /// What was lost, or sent again, has arrived.
  private mutating func settle(_ marks: TCPSegment.Flags) {
    if marks.contains(.lost) {
      lost -= 1
      if !marks.contains(.copied) { waiting -= 1 }
    }
    if marks.contains(.copied) { copies -= 1 }
    assert(lost >= 0 && waiting >= 0 && copies >= 0, "more has arrived than was lost or copied")
  }

  private mutating func trimRuns() {
    var gone = 0
    while gone < runs.count, runs[gone].end <= acknowledged { gone += 1 }
    if gone > 0 { runs.removeFirst(gone) }
    if let first = runs.first, first.start < acknowledged { runs[0].start = acknowledged }
  }

  /// Takes the runs of an acknowledgement, the first one of the stream first.
  ///
  /// A packet names the newest run first. In that order what came just before it, and is told by
  /// the same acknowledgement, would look overtaken (tcp_sacktag_write_queue of Linux sorts too).
  private mutating func takeRuns(_ packet: Packet, _ delta: inout AckDelta, at now: Instant) {
    var taken: Int64 = -1
    for _ in 0..<packet.runCount {
      var run = Packet.Run(start: .max, count: 0)
      for place in 0..<Int(packet.runCount) where Int64(packet.run(place).start) > taken {
        if packet.run(place).start < run.start { run = packet.run(place) }
      }
      taken = Int64(run.start)
      let start = max(packet.acknowledgement + Int(run.start), acknowledged)
      let end = min(packet.acknowledgement + Int(run.start) + Int(run.count), next)
      if start < end { take(TCPSegmentRun(start: start, end: end), &delta, at: now) }
    }
  }

  /// Adds a run to those that were received, and marks what is new in it.
  private mutating func take(_ run: TCPSegmentRun, _ delta: inout AckDelta, at now: Instant) {
    var low = runs.count
    while low > 0, runs[low - 1].end >= run.start { low -= 1 }
    var merged = run
    var position = run.start
    var high = low
    while high < runs.count, runs[high].start <= run.end {
      if runs[high].start > position {
        mark(position..<runs[high].start, &delta, at: now)
      }
      position = max(position, runs[high].end)
      merged.start = min(merged.start, runs[high].start)
      merged.end = max(merged.end, runs[high].end)
      high += 1
    }
    if position < run.end { mark(position..<run.end, &delta, at: now) }
    if high == low + 1 {
      runs[low] = merged
    } else {
      runs.replaceSubrange(low..<high, with: CollectionOfOne(merged))
    }
    losses.highest = max(losses.highest, run.end - 1)
  }

  private mutating func mark(_ numbers: Range<Int>, _ delta: inout AckDelta, at now: Instant) {
    for number in numbers {
      let segment = segments[number]
      if segment.marks.contains(.received) { continue }
      received += 1
      delta.delivered += 1
      settle(segment.marks)
      if !segment.marks.contains(.repeated) {
        if number < losses.highest { losses.overtaken(number) }
        if delta.firstAheadAt == .never { delta.firstAheadAt = segment.sentAt }
        if number < recoveryPoint { delta.hasOriginal = true }
        delta.lastAheadAt = segment.sentAt
      }
      segments[number].marks.insert(.received)
      segments[number].marks.subtract([.lost, .copied])
      arrived(segment, number, at: now)
    }
  }

  // MARK: - Round trips

  @inline(__always)
  private mutating func measure(_ packet: Packet, _ delta: AckDelta, at now: Instant) {
    var sample: Int64 = -1
    var latest: Int64 = -1
    // What waited behind a hole that was filled again says how long that took, and nothing of the
    // round trip (RFC 6298, 3; FLAG_RETRANS_DATA_ACKED in tcp_clean_rtx_queue of Linux).
    if delta.firstSentAt != .never, settings.isQUIC || !delta.coversRepeated {
      sample = (now - delta.firstSentAt).nanoseconds
      latest = (now - delta.lastSentAt).nanoseconds
    }
    if delta.firstAheadAt != .never {
      if sample < 0 { sample = (now - delta.firstAheadAt).nanoseconds }
      latest = (now - delta.lastAheadAt).nanoseconds
    }
    if sample < 0, delta.hasProgress, packet.echo != .never {
      sample = (now - packet.echo).nanoseconds
    }
    if sample >= 0 {
      estimate.add(sample, acknowledged: acknowledged, next: next)
      // A measured round trip ends the back-off, whether the first missing segment has come or not
      // (RFC 6298, 5; tcp_ack_update_rtt of Linux).
      backoff = 0
    }
    if latest >= 0, window.kind == .cubic {
      window.sample(latest, senderState, at: now)
    }
    rate.roundTrip = latest >= 0 ? latest : sample
  }

  @inline(__always)
  private var senderState: SlowStartExit.Input {
    SlowStartExit.Input(
      acknowledged: acknowledged, next: next, size: window.size, isPaced: isPaced,
      hostDelay: window.isInSlowStart ? hostDelay : 0)
  }

  /// A host may send 256 kB at once; of the time that takes, up to a millisecond counts.
  @inline(__always)
  private var hostDelay: Int64 {
    Int64(
      min(UInt64(SlowStartExit.hostDelayMost), 262_144_000_000_000 / windowRate))
  }

  // MARK: - The window

  @inline(__always)
  private mutating func adjustWindow(_ delta: AckDelta, at now: Instant) {
    if isBBR {
      adjustBottleneck(delta, at: now)
    } else if phase == .recovering {
      if delta.delivered > 0 {
        window.size = reduction.window(
          delivered: delta.delivered, inFlight: inFlight, threshold: window.threshold,
          isProgress: delta.hasProgress && delta.newlyLost == 0)
      }
    } else if delta.hasProgress || (losses.distance > LossDetection.distanceMin), mayGrow {
      window.grow(delta.delivered, at: now)
    }
  }

  private mutating func adjustBottleneck(_ delta: AckDelta, at now: Instant) {
    var sample = rate.sample(least: estimate.least, at: now)
    sample.acknowledged = delta.delivered
    sample.lost = delta.newlyLost
    sample.roundTrip = rate.roundTrip
    let senderState = BBR.SenderState(
      delivered: rate.delivered, inFlight: inFlight, isRecovering: phase != .open,
      segmentBytes: settings.segmentBytes)
    bbr.acknowledge(sample, senderState, at: now)
    window.size = bbr.window
  }
}
