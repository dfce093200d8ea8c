extension Sender {
  /// Deals with what may be missing, when an acknowledgement came; returns whether the timer was
  /// set for segments that are late.
  mutating func recover(_ packet: Packet, _ delta: AckDelta, at now: Instant) -> Bool {
    if probePoint != nil { judgeProbe(packet, delta, at: now) }
    if packet.reportsDuplicate { takeDuplicate(of: packet.duplicate) }
    if delta.delivered > 0 { losses.adaptPatience(at: now) }
    holdsCopies = false
    let wasDelayed = delta.hasProgress && packet.echo != .never && wasSentBeforeCopies(packet.echo)
    if phase == .recovering, acknowledged < recoveryPoint, wasDelayed, undoPoint >= 0 {
      losses.overtaken(delta.firstNumber)
      if copies > 0 {
        // What was late is no loss, and so may be the rest: new data goes instead of copies.
        holdsCopies = true
        return false
      }
      undo(unmarks: true)
    }
    if phase != .open {
      if wasDelayed, undoPoint >= 0 { undo(unmarks: true) }
      if phase == .timedOut, doubtsTimeout { testTimeout(delta) }
      if phase != .open, acknowledged >= recoveryPoint { endEpisode() }
    }
    if undoPoint >= 0, neededCopies == 0, phase != .timedOut || delta.hasProgress {
      losses.undoRecovery()
      undo(unmarks: phase == .timedOut)
    }
    // A probe of QUIC that arrives shows as much as data that does: what was sent before it is lost
    // (RFC 9002, 6.1). TCP's is the last segment, and so arrives ahead of what is missing.
    let hasHole = received > 0 || phase != .open || lost > 0
    guard losses.hasAdvanced, hasHole || (settings.isQUIC && probePoint != nil) else {
      return false
    }
    return detectLosses(at: now)
  }

  /// A duplicate that arrived shows that a copy was not needed; when none was, all is undone
  /// (RFC 2883; RFC 3708).
  ///
  /// A duplicate from before the episode says nothing of it: it is of a copy that an earlier one
  /// sent, as after an outage, when everything comes at last (tcp_check_dsack of Linux).
  private mutating func takeDuplicate(of number: Int) {
    losses.sawDuplicate()
    if undoPoint >= 0, number >= undoPoint, neededCopies > 0 { neededCopies -= 1 }
  }

  /// Stamps count milliseconds (RFC 7323, as in Linux).
  private func wasSentBeforeCopies(_ echo: Instant) -> Bool {
    echo.nanoseconds / 1_000_000 < firstCopyAt.nanoseconds / 1_000_000
  }

  /// Marks what must be lost as lost, and enters a recovery if anything is; returns whether the
  /// timer was set for what is late.
  private mutating func detectLosses(at now: Instant) -> Bool {
    losses.hasAdvanced = false
    let deadline = markLate(at: now)
    if lost > 0, phase == .open { beginRecovery(at: now) }
    if deadline == .never { return false }
    // Half a tick more, so that it is not rung for nothing.
    let span = deadline - now + TimeSpan(nanoseconds: HostClock.tick / 2)
    alarm = .reordering
    alarmAt = HostClock.instant(min(span, TimeSpan(nanoseconds: estimate.timeout)), after: now)
    return true
  }

  // MARK: - Finding losses

  /// How much later than another a segment may arrive (RFC 8985, 6.2).
  private var lateness: Int64 {
    if !losses.hasSeenReordering {
      // Three that came ahead, or a recovery, leave no doubt where nothing was ever late.
      if phase != .open || received >= 3 { return 0 }
    }
    if estimate.least == .max { return 0 }
    return min(estimate.least / 4 &* Int64(losses.patience), estimate.smoothed)
  }

  /// Marks what was sent before the newest that arrived and is late; returns when all the rest of
  /// it will be.
  private mutating func markLate(at now: Instant) -> Instant {
    let limit = TimeSpan(nanoseconds: losses.roundTrip + lateness)
    var deadline = Instant.never
    if losses.judged < acknowledged { losses.judged = acknowledged }
    while losses.judged < next {
      let segment = segments[losses.judged]
      if segment.marks.isDisjoint(with: [.received, .lost, .repeated, .foundLate]) {
        guard losses.isOlder(segment.sentAt, losses.judged) else { break }
        let dueAt = segment.sentAt + limit
        if dueAt > now {
          deadline = (segments[lastOlder].sentAt + limit)
          break
        }
        markLost(losses.judged)
        segments[losses.judged].marks.insert(.foundLate)
      }
      losses.judged += 1
    }
    while !losses.copies.isEmpty {
      let copy = losses.copies[losses.copies.first]
      if isUnderWay(copy) {
        guard losses.isOlder(copy.sentAt, copy.segment) else { break }
        let dueAt = copy.sentAt + limit
        if dueAt > now {
          let last = lastOlderCopy.sentAt + limit
          deadline = deadline == .never ? last : max(deadline, last)
          break
        }
        let wasCopied = segments[copy.segment].marks.contains(.copied)
        segments[copy.segment].marks.remove(.copied)
        segments[copy.segment].marks.insert(.foundLate)
        if wasCopied { copies -= 1 }
        if segments[copy.segment].marks.contains(.lost) {
          lostEver += 1
          waiting += 1
          copyFrom = min(copyFrom, copy.segment)
        } else {
          markLost(copy.segment)
        }
      }
      losses.copies.dropFirst()
    }
    return deadline
  }

  /// The last segment that was sent once, before the newest that arrived, and has not arrived.
  private var lastOlder: Int {
    var number = next - 1
    while number > losses.judged {
      let segment = segments[number]
      if segment.marks.isDisjoint(with: [.received, .lost, .repeated, .foundLate]),
        losses.isOlder(segment.sentAt, number)
      {
        return number
      }
      number -= 1
    }
    return losses.judged
  }

  /// The last copy under way that was sent before the newest that arrived.
  private var lastOlderCopy: LossDetection.Copy {
    var number = losses.copies.end - 1
    while number > losses.copies.first {
      let copy = losses.copies[number]
      if isUnderWay(copy), losses.isOlder(copy.sentAt, copy.segment) { return copy }
      number -= 1
    }
    return losses.copies[losses.copies.first]
  }

  private func isUnderWay(_ copy: LossDetection.Copy) -> Bool {
    if copy.segment < acknowledged { return false }
    let segment = segments[copy.segment]
    if segment.sentAt != copy.sentAt || segment.marks.contains(.received) { return false }
    return segment.marks.contains(.copied) || segment.marks.isDisjoint(with: [.lost, .foundLate])
  }

  private mutating func markLost(_ number: Int) {
    assert(!segments[number].marks.contains(.received), "segment \(number) came, and is lost")
    segments[number].marks.insert(.lost)
    lost += 1
    lostEver += 1
    if !segments[number].marks.contains(.copied) { waiting += 1 }
    copyFrom = min(copyFrom, number)
  }

  // MARK: - Copies

  /// The first segment that is lost and has no copy under way.
  mutating func nextCopy() -> Int? {
    var number = max(copyFrom, acknowledged)
    while number < next {
      let marks = segments[number].marks
      if marks.contains(.lost), !marks.contains(.copied) {
        copyFrom = number
        return number
      }
      number += 1
    }
    return nil
  }

  /// Takes note that a copy of a segment goes out.
  mutating func markCopy(_ number: Int, leavingAt instant: Instant) {
    let marks = segments[number].marks
    if marks.contains(.lost), !marks.contains(.copied) { waiting -= 1 }
    if !marks.contains(.copied) { copies += 1 }
    segments[number].marks.formUnion([.copied, .repeated])
    segments[number].marks.remove(.foundLate)
    // The rate of a copy is measured from when the copy was sent, as in Linux: with the stamp of
    // the lost original no round would begin while copies are all that arrives.
    if isBBR { rate.stamp(&segments[number], isFirst: false, at: instant) }
    losses.copies.append(LossDetection.Copy(segment: number, sentAt: instant))
    if firstCopyAt == .never { firstCopyAt = instant }
    reduction.sent += 1
    neededCopies = max(neededCopies, 0) + 1
    if number == acknowledged, phase == .recovering, alarm != .reordering {
      setTimeout(at: instant)
    }
  }

  // MARK: - Episodes

  mutating func beginRecovery(at now: Instant) {
    remember()
    if settings.isQUIC { firstCopyAt = .never }
    window.threshold = window.reduce()
    if isBBR { bbr.saveWindow() }
    reduction = Reduction(windowBefore: max(1, window.size))
    recoveryPoint = next
    phase = .recovering
    probePoint = nil
  }

  /// Keeps what an undo would restore.
  private mutating func remember() {
    windowBefore = window.size
    thresholdBefore = window.threshold == .max ? .max : currentThreshold
    undoPoint = acknowledged
    neededCopies = copies > 0 ? copies : -1
  }

  private mutating func endEpisode() {
    if phase == .recovering, !isBBR, window.kind != .none { window.size = window.threshold }
    losses.endRecovery()
    phase = .open
    if copies == 0 { firstCopyAt = .never }
  }

  /// Originals that arrive show that a timeout was needless; new data that arrives while they are
  /// missing shows that it was not (RFC 5682, 3.1).
  private mutating func testTimeout(_ delta: AckDelta) {
    if delta.hasOriginal {
      undo(unmarks: true)
    } else if next > recoveryPoint {
      if delta.firstAheadAt != .never { doubtsTimeout = false }
    } else if delta.hasProgress, acknowledged < recoveryPoint {
      recoveryPoint = next
      if messages.isEmpty { doubtsTimeout = false } else { prefersNew = true }
    }
  }

  /// Stamps or duplicates show that nothing was lost: the window is as before (RFC 3522, RFC 4015).
  private mutating func undo(unmarks: Bool) {
    window.size = max(window.size, windowBefore)
    window.threshold = max(window.threshold, thresholdBefore)
    // Each packet of QUIC has a number of its own: that one was late says nothing of the others
    // that were found lost (RFC 9002, 6.1), and those are sent again.
    if unmarks, !settings.isQUIC {
      for number in acknowledged..<next where segments[number].marks.contains(.lost) {
        segments[number].marks.remove(.lost)
      }
      lost = 0
      waiting = 0
    }
    if phase == .timedOut { judgeAgain() }
    losses.hasAdvanced = true
    undoPoint = -1
    phase = .open
    forgetFirstCopy()
  }

  /// Forgets when copies began to go, unless one is under way or the first missing segment was
  /// copied: without that instant, the copies of the next episode would pass for originals that
  /// were late (tcp_any_retrans_done, tcp_retrans_stamp_cleanup of Linux).
  private mutating func forgetFirstCopy() {
    if copies > 0 { return }
    if !segments.isEmpty, segments[acknowledged].marks.contains(.repeated) { return }
    firstCopyAt = .never
  }

  /// Judges all that is under way by when it was sent last, after a timeout that was needless.
  ///
  /// What was found late before the timeout is not judged again, and only another timeout can find
  /// it lost; what just the timeout took for lost, copies too, still can be late (Linux: the first
  /// has left tcp_rack_detect_loss's list of what was sent, and tcp_enter_loss leaves the list
  /// alone).
  private mutating func judgeAgain() {
    losses.judged = acknowledged
    losses.copies.removeAll()
    var sent: [LossDetection.Copy] = []
    for number in acknowledged..<next {
      let segment = segments[number]
      guard segment.marks.contains(.repeated),
        segment.marks.isDisjoint(with: [.received, .foundLate])
      else { continue }
      sent.append(LossDetection.Copy(segment: number, sentAt: segment.sentAt))
    }
    sent.sort { ($0.sentAt, $0.segment) < ($1.sentAt, $1.segment) }
    for copy in sent { losses.copies.append(copy) }
  }

  // MARK: - The timer

  /// Sets the timer again, when something was acknowledged.
  @inline(__always)
  mutating func setAlarm(at now: Instant) {
    if segments.isEmpty {
      alarm = .none
      alarmAt = .never
    } else if mayProbe {
      setProbe(at: now, limit: TimeSpan(nanoseconds: estimate.timeout))
    } else {
      var span = timeoutSpan
      if alarm == .reordering || alarm == .tailProbe {
        // What a shorter timer has waited counts: from when the head was sent.
        span = max(span - (now - segments[acknowledged].sentAt), TimeSpan(nanoseconds: 1))
      }
      alarm = .timeout
      alarmAt = HostClock.instant(span, after: now)
    }
  }

  /// Sets the timer again, when new data was sent.
  @inline(__always)
  mutating func setAlarmAfterSending(wasIdle: Bool, at now: Instant) {
    if mayProbe {
      let age = now - segments[acknowledged].sentAt
      let rest = TimeSpan(nanoseconds: estimate.timeout) - age
      setProbe(at: now, limit: rest > .zero ? rest : TimeSpan(nanoseconds: .max))
    } else if wasIdle || alarm == .none {
      alarm = .timeout
      alarmAt = HostClock.instant(timeoutSpan, after: now)
    }
  }

  @inline(__always)
  private var timeoutSpan: TimeSpan {
    let wanted = estimate.timeout << Int64(min(backoff, 16))
    return TimeSpan(nanoseconds: min(wanted, Sender.timeoutMax))
  }

  @inline(__always)
  private var mayProbe: Bool {
    if settings.isQUIC { return true }
    return phase == .open && received == 0 && probePoint == nil && estimate.isKnown
  }

  /// Two round trips without a word call for a probe; a lone packet may wait for a delayed
  /// acknowledgement (RFC 8985, 7.2).
  @inline(__always)
  private mutating func setProbe(at now: Instant, limit: TimeSpan) {
    alarm = .tailProbe
    if settings.isQUIC {
      // RFC 9002, 6.2.1 and A.8: from when the last packet was sent, whenever the others were
      // acknowledged, with 25 ms for the other end to answer, twice as long after each probe. A
      // handshake is answered at once: before the first sample there is no such time.
      let answer = estimate.isKnown ? Sender.acknowledgementDelay << Int64(min(backoff, 16)) : 0
      let span = TimeSpan(
        nanoseconds: min(timeoutSpan.nanoseconds + answer, Sender.timeoutMax))
      assert(lastSentAt <= now + span, "a probe after a packet that is not sent yet")
      alarmAt = max(now, lastSentAt + span)
      return
    }
    var span = 2 &* estimate.smoothed
    span &+= segments.count == 1 ? settings.timeoutMin.nanoseconds : 2 &* HostClock.tick
    alarmAt = HostClock.instant(min(TimeSpan(nanoseconds: span), limit), after: now)
  }

  private mutating func setTimeout(at now: Instant) {
    alarm = segments.isEmpty ? .none : .timeout
    alarmAt = segments.isEmpty ? .never : HostClock.instant(timeoutSpan, after: now)
  }

  /// Asks now and then whether a closed window is open again.
  mutating func setWindowProbe(at now: Instant) {
    guard alarm == .none, segments.isEmpty, messages.contains(where: { $0.rest > $0.held }) else {
      return
    }
    alarm = .windowProbe
    alarmAt = now + timeoutSpan
  }

  /// What a sender wants when its timer has gone off.
  enum Wish: Sendable { case nothing, packet(Departure), windowProbe }

  /// Takes note that the timer has gone off.
  mutating func alarmRang(at now: Instant) -> Wish {
    defer { assertInvariants() }
    assert(alarmAt <= now, "a timer for \(alarmAt.nanoseconds) ns goes off before")
    let rung = alarm
    alarm = .none
    alarmAt = .never
    switch rung {
    case .none: return .nothing
    case .timeout:
      timeOut(at: now)
      return .nothing
    case .tailProbe: return probe(at: now)
    case .reordering:
      let before = phase
      _ = detectLosses(at: now)
      if before == .open, phase == .recovering, !isBBR {
        window.size = reduction.window(
          delivered: 1, inFlight: inFlight, threshold: window.threshold, isProgress: false)
      }
      if alarm == .none { setTimeout(at: now) }
      return .nothing
    case .windowProbe:
      timeouts += 1
      backoff += 1
      alarm = .windowProbe
      alarmAt = now + timeoutSpan
      return .windowProbe
    }
  }

  /// Takes everything for lost that was not just sent (RFC 6298, 5.4 to 5.7).
  private mutating func timeOut(at now: Instant) {
    if segments.isEmpty { return }
    // One episode of losses reduces the threshold once.
    if phase == .open || acknowledged >= recoveryPoint || (phase == .timedOut && timeouts == 0) {
      if phase == .open { remember() }
      window.threshold = window.reduce()
    }
    window.startAfresh(next: next, at: now)
    doubtsTimeout = phase == .open || timeouts > 0
    timeouts += 1
    backoff += 1
    timedOutAt = now
    probePoint = nil
    copies = 0
    lost = 0
    waiting = 0
    let recent = TimeSpan(nanoseconds: losses.roundTrip)
    for number in acknowledged..<next where !segments[number].marks.contains(.received) {
      let isRecent = segments[number].sentAt + recent > now && number > acknowledged
      if isRecent, !segments[number].marks.contains(.lost) {
        if segments[number].marks.contains(.copied) { copies += 1 }
        continue
      }
      segments[number].marks.insert(.lost)
      segments[number].marks.remove(.copied)
      lost += 1
      lostEver += 1
      waiting += 1
    }
    losses.copies.removeAll()
    copyFrom = acknowledged
    losses.judged = acknowledged
    window.size = window.kind == .none ? window.size : inFlight + 1
    if isBBR { bbr.timeOut(inFlight: inFlight) }
    recoveryPoint = next
    phase = .timedOut
    setTimeout(at: now)
  }

  /// Sends a new segment, or the last one again, to learn whether the last ones are lost.
  private mutating func probe(at now: Instant) -> Wish {
    if segments.isEmpty { return .nothing }
    if settings.isQUIC {
      timeouts += 1
      backoff += 1
    }
    let number: Int
    if waiting == 0, let new = makeSegment(at: now) {
      number = new
      isProbeCopy = false
    } else {
      number = settings.isQUIC ? firstMissing : next - 1
      isProbeCopy = true
    }
    probePoint = next
    let departure = depart(number, at: now)
    if isProbeCopy { markCopy(number, leavingAt: departure.at) }
    if settings.isQUIC { setProbe(at: now, limit: .zero) } else { setTimeout(at: now) }
    return .packet(departure)
  }

  private var firstMissing: Int {
    var number = acknowledged
    while number < next - 1, segments[number].marks.contains(.received) { number += 1 }
    return number
  }

  /// A probe that arrived twice shows no loss.
  mutating func forgetProbe(_ packet: Packet) {
    if let point = probePoint, packet.acknowledgement >= point { probePoint = nil }
  }

  /// A probe that repaired the tail shows a loss, once something behind it is acknowledged.
  private mutating func judgeProbe(_ packet: Packet, _ delta: AckDelta, at now: Instant) {
    guard let point = probePoint, packet.acknowledgement >= point else { return }
    if isProbeCopy {
      if packet.acknowledgement == point, delta.hasProgress { return }
      if packet.acknowledgement > point, phase == .open, !isBBR, window.kind != .none {
        window.threshold = window.reduce()
        window.size = min(window.size, window.threshold)
      }
    }
    probePoint = nil
  }
}
