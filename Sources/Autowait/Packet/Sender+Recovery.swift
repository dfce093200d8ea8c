extension Sender {
  /// Deals with what may be missing, when an acknowledgement came.
  mutating func recover(_ packet: Packet, _ delta: AckDelta, at now: Instant) {
    if probePoint != nil { judgeProbe(packet, delta, at: now) }
    if phase != .open {
      if delta.hasProgress, packet.echo != .never, packet.echo < firstCopyAt { undo() }
      if phase == .timedOut, doubtsTimeout { testTimeout(delta) }
      if phase != .open, acknowledged >= recoveryPoint { endEpisode() }
    }
    if packet.reportsDuplicate, losses.patience < 16 { losses.patience += 1 }
    if received > 0 || phase != .open { detectLosses(at: now) }
  }

  /// Marks what must be lost as lost, and enters a recovery if anything is.
  private mutating func detectLosses(at now: Instant) {
    var deadline = markLate(at: now)
    if deadline != .never {
      // Half a tick more, so that it is not rung for nothing.
      let span = deadline - now + TimeSpan(nanoseconds: HostClock.tick / 2)
      deadline = HostClock.instant(span, after: now)
    }
    if lost > 0, phase == .open { beginRecovery(at: now) }
    if deadline != .never, alarm != .timeout || deadline < alarmAt {
      alarm = .reordering
      alarmAt = deadline
    } else if alarm == .reordering, deadline == .never {
      setTimeout(at: now)
    }
  }

  // MARK: - Finding losses

  /// How much later than another a segment may arrive (RFC 8985, 6.2).
  private var lateness: Int64 {
    if !losses.hasSeenReordering {
      // Three that came ahead, or a recovery, leave no doubt where nothing was ever late.
      if phase != .open || received >= 3 { return 0 }
    }
    if estimate.least == .max { return 0 }
    return min(estimate.least / 4 * Int64(losses.patience), estimate.smoothed)
  }

  /// Marks what was sent before the newest that arrived and is late; returns when more will be.
  private mutating func markLate(at now: Instant) -> Instant {
    let limit = TimeSpan(nanoseconds: losses.roundTrip + lateness)
    var deadline = Instant.never
    if losses.judged < acknowledged { losses.judged = acknowledged }
    while losses.judged < next {
      let segment = segments[losses.judged]
      if segment.marks.isDisjoint(with: [.received, .lost, .repeated]) {
        guard losses.isOlder(segment.sentAt, losses.judged) else { break }
        let dueAt = segment.sentAt + limit
        if dueAt > now {
          deadline = dueAt
          break
        }
        markLost(losses.judged)
      }
      losses.judged += 1
    }
    while !losses.copies.isEmpty {
      let copy = losses.copies[losses.copies.first]
      if isUnderWay(copy) {
        guard losses.isOlder(copy.sentAt, copy.segment) else { break }
        let dueAt = copy.sentAt + limit
        if dueAt > now {
          deadline = min(deadline, dueAt)
          break
        }
        segments[copy.segment].marks.remove(.copied)
        copies -= 1
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

  private func isUnderWay(_ copy: LossDetection.Copy) -> Bool {
    if copy.segment < acknowledged { return false }
    let segment = segments[copy.segment]
    return segment.marks.contains(.copied) && segment.sentAt == copy.sentAt
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
    // The rate of a copy is measured from when the copy was sent, as in Linux: with the stamp of
    // the lost original no round would begin while copies are all that arrives.
    if isBBR { rate.stamp(&segments[number], isFirst: false, at: instant) }
    losses.copies.append(LossDetection.Copy(segment: number, sentAt: instant))
    if firstCopyAt == .never { firstCopyAt = instant }
    reduction.sent += 1
    if number == acknowledged, phase == .recovering { setTimeout(at: instant) }
  }

  // MARK: - Episodes

  private mutating func beginRecovery(at now: Instant) {
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
    thresholdBefore = window.threshold
  }

  private mutating func endEpisode() {
    if phase == .recovering, !isBBR, window.kind != .none {
      window.size = min(window.size, window.threshold)
      if window.size < window.threshold { window.size = window.threshold }
    }
    phase = .open
    if copies == 0 { firstCopyAt = .never }
  }

  /// Originals that arrive show that a timeout was needless; new data that arrives while they are
  /// missing shows that it was not (RFC 5682, 3.1).
  private mutating func testTimeout(_ delta: AckDelta) {
    if delta.hasOriginal {
      undo()
    } else if next > recoveryPoint {
      if delta.firstAheadAt != .never { doubtsTimeout = false }
    } else if delta.hasProgress, acknowledged < recoveryPoint {
      recoveryPoint = next
      if messages.isEmpty { doubtsTimeout = false } else { prefersNew = true }
    }
  }

  /// The stamps show that nothing was lost: the window is as before (RFC 3522, RFC 4015).
  private mutating func undo() {
    window.size = max(window.size, windowBefore)
    window.threshold = max(window.threshold, thresholdBefore)
    for number in acknowledged..<next where segments[number].marks.contains(.lost) {
      segments[number].marks.remove(.lost)
    }
    lost = 0
    waiting = 0
    losses.judged = acknowledged
    phase = .open
    firstCopyAt = .never
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
    } else if alarm != .reordering {
      alarm = .timeout
      alarmAt = HostClock.instant(timeoutSpan, after: now)
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
    let wanted = estimate.timeout << Int64(min(timeouts, 16))
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
      // RFC 9002, 6.2.1, with 25 ms for the other end to answer.
      alarmAt = now + TimeSpan(nanoseconds: timeoutSpan.nanoseconds + 25_000_000)
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
      detectLosses(at: now)
      if before == .open, phase == .recovering, !isBBR {
        window.size = reduction.window(
          delivered: 1, inFlight: inFlight, threshold: window.threshold, isProgress: false)
      }
      if alarm == .none { setTimeout(at: now) }
      return .nothing
    case .windowProbe:
      timeouts += 1
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
    if settings.isQUIC { timeouts += 1 }
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
