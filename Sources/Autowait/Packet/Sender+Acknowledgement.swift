extension Sender {
  /// What an acknowledgement brought.
  struct News {
    var delivered = 0
    var newlyLost = 0
    /// When the first and the last segment were sent that it acknowledged and that were sent once.
    var firstSentAt = Instant.never
    var lastSentAt = Instant.never
    /// The same for what was received ahead of a missing segment.
    var firstAheadAt = Instant.never
    var lastAheadAt = Instant.never
    var hasProgress = false
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
    var news = News()
    let lostBefore = lostEver
    if packet.acknowledgement > acknowledged {
      news.hasProgress = true
      timeouts = 0
      takeProgress(min(packet.acknowledgement, next), &news, at: now)
    }
    if packet.runCount > 0 { takeRuns(packet, &news, at: now) }
    if news.delivered > 0 { measure(packet, news, at: now) }
    if received > 0 || lost > 0 || phase != .open || probePoint != nil {
      recover(packet, news, at: now)
    }
    news.newlyLost = lostEver - lostBefore
    adjustWindow(news, at: now)
    setPacingRate()
    if news.hasProgress || isOlderThanHead(news) { setAlarm(at: now) }
  }

  /// What was received ahead moves the timer only if it was sent before the head.
  @inline(__always)
  private func isOlderThanHead(_ news: News) -> Bool {
    guard news.firstAheadAt != .never, !segments.isEmpty else { return false }
    return news.firstAheadAt < segments[acknowledged].sentAt
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
  private mutating func takeProgress(_ end: Int, _ news: inout News, at now: Instant) {
    while segments.first < end {
      let number = segments.first
      let segment = segments[number]
      segments.dropFirst()
      let marks = segment.marks
      if marks.contains(.received) {
        received -= 1
      } else {
        news.delivered += 1
        if number < losses.highest, !marks.contains(.repeated) {
          losses.hasSeenReordering = true
        }
        if !marks.contains(.repeated) {
          if news.firstSentAt == .never { news.firstSentAt = segment.sentAt }
          if number < recoveryPoint { news.hasOriginal = true }
          news.lastSentAt = segment.sentAt
        }
        arrived(segment, number, at: now)
      }
      if !marks.isDisjoint(with: [.lost, .copied]) { settle(marks) }
    }
    if !runs.isEmpty { trimRuns() }
  }

  @inline(__always)
  private mutating func arrived(_ segment: Segment, _ number: Int, at now: Instant) {
    rate.delivered &+= 1
    losses.arrived(segment, number, least: estimate.least, at: now)
    if usesModel { rate.deliver(segment, at: now) }
  }

  /// What was lost, or sent again, has arrived.
  private mutating func settle(_ marks: Segment.Marks) {
    if marks.contains(.lost) {
      lost -= 1
      if !marks.contains(.copied) { waiting -= 1 }
    }
    if marks.contains(.copied) { copies -= 1 }
  }

  private mutating func trimRuns() {
    var gone = 0
    while gone < runs.count, runs[gone].end <= acknowledged { gone += 1 }
    if gone > 0 { runs.removeFirst(gone) }
    if let first = runs.first, first.start < acknowledged { runs[0].start = acknowledged }
  }

  private mutating func takeRuns(_ packet: Packet, _ news: inout News, at now: Instant) {
    for place in 0..<Int(packet.runCount) {
      let run = packet.run(place)
      let start = max(packet.acknowledgement + Int(run.start), acknowledged)
      let end = min(packet.acknowledgement + Int(run.start) + Int(run.count), next)
      if start < end { take(SegmentRun(start: start, end: end), &news, at: now) }
    }
  }

  /// Adds a run to those that were received, and marks what is new in it.
  private mutating func take(_ run: SegmentRun, _ news: inout News, at now: Instant) {
    var low = runs.count
    while low > 0, runs[low - 1].end >= run.start { low -= 1 }
    var merged = run
    var position = run.start
    var high = low
    while high < runs.count, runs[high].start <= run.end {
      if runs[high].start > position {
        mark(position..<runs[high].start, &news, at: now)
      }
      position = max(position, runs[high].end)
      merged.start = min(merged.start, runs[high].start)
      merged.end = max(merged.end, runs[high].end)
      high += 1
    }
    if position < run.end { mark(position..<run.end, &news, at: now) }
    if high == low + 1 {
      runs[low] = merged
    } else {
      runs.replaceSubrange(low..<high, with: CollectionOfOne(merged))
    }
    losses.highest = max(losses.highest, run.end - 1)
  }

  private mutating func mark(_ numbers: Range<Int>, _ news: inout News, at now: Instant) {
    for number in numbers {
      let segment = segments[number]
      if segment.marks.contains(.received) { continue }
      received += 1
      news.delivered += 1
      settle(segment.marks)
      if !segment.marks.contains(.repeated) {
        if number < losses.highest { losses.hasSeenReordering = true }
        if news.firstAheadAt == .never { news.firstAheadAt = segment.sentAt }
        if number < recoveryPoint { news.hasOriginal = true }
        news.lastAheadAt = segment.sentAt
      }
      segments[number].marks.insert(.received)
      segments[number].marks.subtract([.lost, .copied])
      arrived(segment, number, at: now)
    }
  }

  // MARK: - Round trips

  @inline(__always)
  private mutating func measure(_ packet: Packet, _ news: News, at now: Instant) {
    var sample: Int64 = -1
    var latest: Int64 = -1
    if news.firstSentAt != .never {
      sample = (now - news.firstSentAt).nanoseconds
      latest = (now - news.lastSentAt).nanoseconds
    }
    if news.firstAheadAt != .never {
      if sample < 0 { sample = (now - news.firstAheadAt).nanoseconds }
      latest = (now - news.lastAheadAt).nanoseconds
    }
    if sample < 0, news.hasProgress, packet.echo != .never {
      sample = (now - packet.echo).nanoseconds
    }
    if sample >= 0 { estimate.add(sample, acknowledged: acknowledged, next: next) }
    if latest >= 0, window.kind == .cubic {
      window.sample(latest, outlook, at: now)
    }
    rate.roundTrip = latest >= 0 ? latest : sample
  }

  @inline(__always)
  private var outlook: CongestionWindow.Outlook {
    CongestionWindow.Outlook(
      acknowledged: acknowledged, next: next, size: window.size, isPaced: isPaced,
      hostDelay: window.isInSlowStart ? hostDelay : 0)
  }

  /// A host may send 256 kB at once; of the time that takes, up to a millisecond counts.
  @inline(__always)
  private var hostDelay: Int64 {
    Int64(min(1_000_000, 262_144_000_000_000 / windowRate))
  }

  // MARK: - The window

  @inline(__always)
  private mutating func adjustWindow(_ news: News, at now: Instant) {
    if usesModel {
      adjustBottleneck(news, at: now)
    } else if phase == .recovering {
      if news.delivered > 0 {
        window.size = reduction.window(
          delivered: news.delivered, inFlight: inFlight, threshold: window.threshold,
          isProgress: news.hasProgress && news.newlyLost == 0)
      }
    } else if news.hasProgress, mayGrow {
      window.grow(news.delivered, at: now)
    }
  }

  private mutating func adjustBottleneck(_ news: News, at now: Instant) {
    var sample = rate.sample(least: estimate.least, at: now)
    sample.acknowledged = news.delivered
    sample.lost = news.newlyLost
    sample.roundTrip = rate.roundTrip
    let outlook = BottleneckModel.Outlook(
      delivered: rate.delivered, inFlight: inFlight, isRecovering: phase != .open,
      segmentBytes: settings.segmentBytes)
    bottleneck.acknowledge(sample, outlook, at: now)
    window.size = bottleneck.window
  }
}
