/// What a sender does whose host has the queue in front of the link in it, as where a server shapes
/// what it sends.
///
/// TCP knows what waits there. So it puts little into the queue at a time, keeps what finds no
/// room, and sends no copy of what has not left. Source: Linux 6.18, whose senders were observed on
/// a shaped device with the tracepoints of TCP; `tcp_small_queue_check`, `skb_still_in_host_queue`,
/// `tcp_enter_cwr`, `tcp_retransmit_timer`.
extension Sender {
  /// The memory that a packet takes in the queue, and that a burst takes besides its data
  /// (measured: bursts waited for as long as these say).
  private static let packetMemory = 2_304, burstMemory = 1_280

  /// How soon a timeout whose copy found no room is tried again (TCP_RESOURCE_PROBE_INTERVAL).
  private static let roomInterval = TimeSpan.milliseconds(500)

  /// The packets of the burst that the window and pacing let go now.
  func nextBurst(at now: Instant) -> Int {
    assert(settings.isQueueOwn, "a sender minds a queue that is not its own")
    if inFlight >= window.size || (isPaced && paceAt > now) { return 0 }
    if copiesAreNext { return 1 }
    guard let message = messages.first(where: { $0.rest > $0.held }), windowEdge > sentBytes else {
      return 0
    }
    let bytes = Int64(settings.segmentBytes)
    let rest = min((message.rest - message.held + bytes - 1) / bytes, Int64(window.size))
    return min(Int(rest), window.size - inFlight, isPaced ? burstPackets : max(1, window.size / 2))
  }

  /// How many packets of its own may be in the queue when a burst goes into it.
  ///
  /// Twice the memory of the burst, and four times that of a copy. A burst always may go beside
  /// another one, and the first copy after a timeout is not held back.
  func queuedMax(before burst: Int, at now: Instant) -> Int {
    if timedOutAt == now, copies == 0 { return .max }
    if segments.count <= window.size / 2 { return .max }
    assert(burst > 0, "a burst of \(burst) packets")
    let memory = burst * settings.segmentBytes + Self.burstMemory
    return max(1, (copiesAreNext ? 4 : 2) * memory / Self.packetMemory)
  }

  /// The segment that would be copied next, if it was copied before, and when it was sent last.
  ///
  /// Originals go in bursts, which the queue takes apart: only copies are known by it.
  mutating func repeatedCopy() -> LossDetection.Copy? {
    guard copiesAreNext, let number = nextCopy(), segments[number].marks.contains(.repeated) else {
      return nil
    }
    return LossDetection.Copy(segment: number, sentAt: segments[number].sentAt)
  }

  private var copiesAreNext: Bool { waiting > 0 && !prefersNew && !holdsCopies }

  /// Takes note that something found no room in the queue, and stays here.
  ///
  /// The window is reduced once, as after a congestion that lost nothing, and no undo brings it
  /// back; a timeout does not back off, and its copy counts as sent.
  mutating func findQueueFull(at now: Instant) {
    assert(settings.isQueueOwn && roomAt == .never, "there will be room, and the queue is full")
    (windowBefore, thresholdBefore) = (0, 0)
    if phase == .open {
      beginRecovery(at: now)
      undoPoint = -1
    } else if phase == .timedOut, copiesAreNext {
      if firstCopyAt == .never { firstCopyAt = now }
      neededCopies = max(neededCopies, 0) + 1
      if timedOutAt == now {
        backoff = max(0, backoff - 1)
        alarm = .timeout
        alarmAt = HostClock.instant(Self.roomInterval, after: now)
      }
    }
  }
}
