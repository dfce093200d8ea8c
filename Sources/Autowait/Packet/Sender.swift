/// What one end of a connection sends to the other: segments under a congestion window, resent
/// until they are acknowledged.
///
/// The sender follows the RFCs named at its parts; where the measured transfers of Linux 6.18 do
/// otherwise, the place says so. It decides what to send when, and its connection puts packets on
/// the link.
struct Sender: Sendable {
  /// What is fixed for the life of a connection.
  struct SenderSettings: Sendable {
    var congestionControl: TransportPolicy.CongestionControl
    var isPaced: Bool
    var initialWindow: Int
    var segmentBytes: Int
    var timeoutMin: TimeSpan
    var initialTimeout: TimeSpan
    var slowStartsAfterIdle: Bool
    /// QUIC delivers each stream for itself, names all that arrived, and probes without marking.
    var isQUIC: Bool
    /// Which part of its cycle a sender of BBR begins with.
    var number: Int
    /// The key of the noise of its host, zero for none.
    var noiseKey: UInt64 = 0
    /// Whether the queue in front of the link is in its own host.
    var isQueueOwn = false
  }

  /// How a sender deals with losses.
  enum Phase: UInt8, Sendable {
    /// All is well, or something is missing that may only be late.
    case open
    /// Segments were found lost by acknowledgements (RFC 6675, RFC 6937).
    case recovering
    /// A timeout has found everything lost.
    case timedOut
  }

  /// What the timer of a sender is for; there is only one (RFC 8985, 7).
  enum Alarm: UInt8, Sendable {
    case none
    /// Everything is lost (RFC 6298).
    case timeout
    /// The last segments may be lost (RFC 8985, 7).
    case tailProbe
    /// Segments that were late are lost now (RFC 8985, 6.2).
    case reordering
    /// The receive window may have opened unheard (RFC 9293, 3.8.6.1).
    case windowProbe
  }

  /// The longest wait between two timeouts.
  static let timeoutMax: Int64 = 120_000_000_000

  /// How long the other end of QUIC may wait before it acknowledges (RFC 9000, 18.2), in ns.
  static let acknowledgementDelay: Int64 = 25_000_000

  /// After so many timeouts in a row the other end is taken for gone (Linux; RFC 1122, 4.2.3.5).
  static let timeoutsMax = 15

  let settings: SenderSettings
  var segments = Ring<TCPSegment>(filler: .none)
  /// What is still to be put into segments.
  var messages: [Message] = []
  /// Whose turn it is among messages of one class.
  private var nextStream = 0

  var window: CongestionWindow
  /// What a sender of BBR goes by.
  var bbr: BBR
  /// Whether it is one.
  let isBBR: Bool
  var estimate: RoundTripEstimate
  var phase = Phase.open

  /// The segments that were received ahead of a missing one.
  var received = 0
  /// The segments taken for lost.
  var lost = 0
  /// How often a segment was taken for lost, ever.
  var lostEver = 0
  /// The copies under way.
  var copies = 0
  /// The segments taken for lost that have no copy under way.
  var waiting = 0
  /// Runs of segments that were received, ascending.
  var runs: [TCPSegmentRun] = []
  /// Recovery is over when this segment is the first that is not acknowledged.
  var recoveryPoint = 0
  /// When the first copy of an episode was sent; copies show by stamps whether they were needed.
  var firstCopyAt = Instant.never
  /// The first segment missing when the last episode began, -1 when it was undone; and how many of
  /// its copies have not shown to be needless, -1 while there were none.
  var undoPoint = -1
  var neededCopies = -1
  /// Whether copies wait for the next acknowledgement, because this one was late and not lost.
  var holdsCopies = false
  var windowBefore = 0
  var thresholdBefore = 0
  var reduction = Reduction()
  var losses = LossDetection()
  /// Whether a timeout is still doubted, and new data goes first to put it to the test
  /// (RFC 5682, 3.1).
  var doubtsTimeout = false
  var prefersNew = false
  /// The first segment that may wait for its copy.
  var copyFrom = 0

  /// What may be sent, as the receiver said: the end of its window in bytes of the stream.
  var windowEdge: Int64
  var sentBytes: Int64 = 0

  var alarm = Alarm.none
  var alarmAt = Instant.never
  /// The timeouts since something was acknowledged.
  var timeouts = 0
  /// How often the timeout has been doubled since a round trip was measured (RFC 6298, 5.5).
  var backoff = 0
  /// When the last timeout was.
  var timedOutAt = Instant.never
  /// When there is room in a queue of its own for what waits for it.
  var roomAt = Instant.never
  /// The segment that was next when a tail probe went out; nil without one.
  var probePoint: Int?
  var isProbeCopy = false

  var lastSentAt = Instant.start
  private var hostFreeAt = Instant.start
  /// A packet of a burst leaves the host so long after the one before.
  private var hostGap = BurstNoise.gap
  private var burstNoise: BurstNoise
  /// When pacing lets the next packet go.
  private(set) var paceAt = Instant.start
  private var burstLeft = 0
  private var paceCredit: Int64 = 0
  private(set) var packetsSent = 0
  private var packetsJudged = 0

  /// Whether the window, and not a lack of data, limits what is sent; holds for a round.
  private var isWindowLimited = false
  private var limitedUntil = 0
  private var inFlightMax = 0
  /// When the window was last used up, and the most under way since (RFC 7661 in spirit).
  private var windowUsedAt = Instant.start
  private var usedSince = 0

  var rate = RateEstimate()

  /// Creates the sender of a new connection whose first round trip is known, if it is.
  init(_ settings: SenderSettings, windowEdge: Int64, at now: Instant) {
    self.settings = settings
    self.windowEdge = windowEdge
    window = CongestionWindow(settings.congestionControl, initial: settings.initialWindow, at: now)
    estimate = RoundTripEstimate(
      timeoutMin: settings.timeoutMin, initialTimeout: settings.initialTimeout,
      isQUIC: settings.isQUIC)
    windowUsedAt = now
    burstNoise = BurstNoise(key: settings.noiseKey)
    isBBR = settings.congestionControl == .bbr
    bbr = BBR(
      initialWindow: settings.initialWindow, roundTrip: 0, segmentBytes: settings.segmentBytes,
      number: settings.number, at: now)
  }

  /// Takes the round trip of the handshake.
  mutating func begin(roundTrip: TimeSpan?, at now: Instant) {
    if let roundTrip {
      estimate.add(roundTrip.nanoseconds, acknowledged: 0, next: 0)
    }
    if isBBR {
      bbr = BBR(
        initialWindow: settings.initialWindow, roundTrip: estimate.smoothed,
        segmentBytes: settings.segmentBytes, number: settings.number, at: now)
      window.size = settings.initialWindow
    }
    setPacingRate()
  }

  // MARK: - What stands

  /// The first segment that is not acknowledged.
  @inline(__always)
  var acknowledged: Int { segments.first }

  /// The next segment.
  @inline(__always)
  var next: Int { segments.end }

  /// The packets that are under way, as far as the sender knows (RFC 6675's pipe).
  @inline(__always)
  var inFlight: Int { segments.count &- received &- lost &+ copies }

  /// Whether everything that was said is acknowledged.
  @inline(__always)
  var isIdle: Bool { segments.isEmpty && messages.isEmpty }

  /// Whether packets are spread over the round trip.
  @inline(__always)
  var isPaced: Bool { settings.isPaced || isBBR }

  // MARK: - Saying something

  /// Takes bytes to send.
  mutating func enqueue(_ message: Message, at now: Instant) {
    assert(message.rest > 0, "a message of \(message.rest) bytes")
    if segments.isEmpty, messages.isEmpty { resumeAfterIdle(at: now) }
    messages.append(message)
  }

  /// A window shrinks by half for each timeout in which nothing was sent (RFC 2861; measured).
  private mutating func resumeAfterIdle(at now: Instant) {
    rate.markIdle(inFlight: inFlight)
    if packetsSent == 0 { return }
    let idle = now - lastSentAt
    if isBBR {
      bbr.restart(segmentBytes: settings.segmentBytes)
      setPacingRate()
      return
    }
    window.skip(idle, at: now)
    guard settings.slowStartsAfterIdle, window.kind != .none else { return }
    var rest = HostClock.ticks(from: lastSentAt, to: now) &* HostClock.tick &- estimate.timeout
    if rest <= 0 { return }
    if window.threshold != .max { window.threshold = currentThreshold }
    let least = min(settings.initialWindow, window.size)
    while rest > 0, window.size > least {
      window.size >>= 1
      rest -= estimate.timeout
    }
    window.size = max(window.size, least)
    windowUsedAt = now
    usedSince = 0
  }

  /// A sender that is past slow start comes back to three quarters of its window by doubling.
  var currentThreshold: Int {
    phase == .recovering ? window.threshold : max(window.threshold, window.size * 3 / 4)
  }

  /// Drops what was to be said about a transfer and has not been said.
  mutating func drop(transfer: Int32) {
    messages.removeAll { $0.transfer == transfer && $0.kind == .response }
    nextStream = 0
  }

  // MARK: - Sending

  /// A packet that leaves the host.
  struct Departure {
    var segment: Int
    var at: Instant
  }

  /// Returns the next packet that may leave now, if one may.
  @inline(__always)
  mutating func nextDeparture(at now: Instant) -> Departure? {
    if segments.isEmpty, messages.isEmpty { return nil }
    if isPaced, burstLeft == 0, paceAt > now { return nil }
    if inFlight >= window.size {
      return nil
    }
    if waiting > 0, !prefersNew, !holdsCopies, let copy = nextCopy() {
      let departure = depart(copy, at: now)
      markCopy(copy, leavingAt: departure.at)
      return departure
    }
    guard !messages.isEmpty, let new = makeSegment(at: now) else { return nil }
    if phase == .recovering { reduction.sent += 1 }
    return depart(new, at: now)
  }

  /// Takes note that a segment leaves, and when: packets of a burst follow one another.
  @inline(__always)
  mutating func depart(_ number: Int, at now: Instant) -> Departure {
    let at = max(now, hostFreeAt)
    if hostFreeAt < now { hostGap = burstNoise.next() }
    hostFreeAt = at + hostGap
    if isPaced { pace(Int64(segments[number].length), at: now) }
    segments[number].sentAt = at
    lastSentAt = at
    packetsSent += 1
    return Departure(segment: number, at: at)
  }

  /// Bursts of a millisecond's worth are paced as one; the first ten packets are not (measured).
  private mutating func pace(_ bytes: Int64, at now: Instant) {
    if burstLeft == 0 {
      if packetsSent < Pacing.unpacedPackets || !estimate.isKnown { return }
      burstLeft = burstPackets
      paceCredit = paceAt < now ? (now - paceAt).nanoseconds : 0
      if paceAt < now { paceAt = now }
    }
    burstLeft -= 1
    var span = Int64(clamping: UInt64(bytes) * 1_000_000_000 / pacingRate)
    // What goes late may take up to half of its time back.
    let regained = min(span / 2, paceCredit)
    paceCredit -= regained
    span -= regained
    paceAt = paceAt + TimeSpan(nanoseconds: span)
  }

  /// The rate of a paced sender, in bytes per second.
  ///
  /// It is set when something is acknowledged and at no other time: the first window after a
  /// silence goes at the rate of before (measured).
  private(set) var pacingRate = UInt64.max

  /// Sets the rate of a paced sender.
  @inline(__always)
  mutating func setPacingRate() {
    if isBBR {
      pacingRate = max(1, bbr.pacingRate)
    } else if settings.isPaced {
      pacingRate = windowRate
    }
  }

  /// The rate of a window a round trip, and somewhat more to let it grow, in bytes per second.
  @inline(__always)
  var windowRate: UInt64 {
    if !estimate.isKnown { return .max }
    let percent = Pacing.percent(window: Int64(window.size), threshold: Int64(window.threshold))
    // A million packets of 1,448 bytes, twice, times 10⁷ is less than 2⁶⁴.
    let packets = UInt64(min(1_000_000, max(window.size, segments.count)))
    let bytes = packets &* UInt64(settings.segmentBytes) &* percent
    return max(1, bytes &* 10_000_000 / UInt64(estimate.smoothed))
  }

  @inline(__always)
  var burstPackets: Int {
    if isBBR { return bbr.burst(segmentBytes: settings.segmentBytes) }
    let burst = Pacing.burst(
      rate: pacingRate, roundTripMin: estimate.least, segmentBytes: settings.segmentBytes)
    // Two bursts are to be under way at least (tcp_cwnd_test of Linux).
    return max(1, min(burst, window.size / 2))
  }

  /// Ends a burst that found no more to send; returns whether copies may go after all.
  @inline(__always)
  mutating func endBurst() -> Bool {
    burstLeft = 0
    if !prefersNew { return false }
    prefersNew = false
    if next > recoveryPoint { return false }
    doubtsTimeout = false
    return true
  }

  /// When pacing lets something go that could go, or `never`.
  @inline(__always)
  func nextPacedInstant(after now: Instant) -> Instant {
    guard isPaced, paceAt > now, inFlight < window.size, hasSomethingToSend else { return .never }
    return paceAt
  }

  @inline(__always)
  private var hasSomethingToSend: Bool {
    if waiting > 0, !holdsCopies { return true }
    return !messages.isEmpty && windowEdge > sentBytes
  }

  // MARK: - New segments

  mutating func makeSegment(at now: Instant) -> Int? {
    let place = messages.count == 1 && messages[0].held == 0 ? 0 : choose()
    guard place >= 0 else { return nil }
    let available = messages[place].rest &- messages[place].held
    let length = min(Int64(settings.segmentBytes), available)
    if sentBytes &+ length > windowEdge { return nil }
    assert(length > 0, "a segment of \(length) bytes")
    sentBytes &+= length
    let number = segments.end
    var segment = TCPSegment()
    segment.length = Int32(truncatingIfNeeded: length)
    segment.message = messages[place].kind
    segment.transfer = messages[place].transfer
    if isBBR { rate.stamp(&segment, isFirst: segments.isEmpty, at: now) }
    if settings.isQUIC, messages[place].lastSegment >= segments.first {
      segments[messages[place].lastSegment].nextOfTransfer = number
    }
    messages[place].lastSegment = number
    messages[place].rest &-= length
    if messages[place].rest == 0 {
      segment.marks.insert(.ends)
      messages.remove(at: place)
      if place < nextStream { nextStream -= 1 }
    } else if messages.count > 1 {
      nextStream = place + 1
    }
    segments.append(segment)
    return number
  }

  /// The highest class first; within it each in its turn.
  private func choose() -> Int {
    var best = -1
    var bestPriority = Int.min
    for offset in 0..<messages.count {
      let place = (nextStream + offset) % messages.count
      if messages[place].rest <= messages[place].held { continue }
      // What ends or limits a stream, and handshakes, do not wait behind data.
      let isData = messages[place].kind == .response || messages[place].kind == .request
      let priority = isData ? messages[place].priority : Int.max
      if priority > bestPriority { (best, bestPriority) = (place, priority) }
    }
    return best
  }

  // MARK: - Use of the window

  /// Takes note that no more can be sent now.
  @inline(__always)
  mutating func endSending(before: Int, wasIdle: Bool, at now: Instant) {
    defer { assertInvariants() }
    // Only what was sent, or could not be, says something of the use (as in Linux).
    if packetsSent != packetsJudged || inFlight >= window.size { judgeUse(at: now) }
    packetsJudged = packetsSent
    if next > before {
      setAlarmAfterSending(wasIdle: wasIdle, at: now)
    } else if wasIdle {
      setWindowProbe(at: now)
    }
  }

  /// Judges, when no more can be sent now, whether the window was what stopped it.
  ///
  /// The verdict holds until what is under way now is acknowledged: the window goes on growing
  /// while the last of it drains (measured).
  @inline(__always)
  mutating func judgeUse(at now: Instant) {
    let ahead = packetsAhead
    let isLimited = inFlight &+ ahead >= window.size
    let packets = segments.count &+ ahead
    if acknowledged >= limitedUntil || isLimited || (!isWindowLimited && packets > inFlightMax) {
      isWindowLimited = isLimited
      inFlightMax = packets
      limitedUntil = next
    }
    if mayGrow {
      usedSince = 0
      windowUsedAt = now
      return
    }
    if packets > usedSince { usedSince = packets }
    if settings.slowStartsAfterIdle, !isBBR, window.kind != .none,
      (now - windowUsedAt).nanoseconds >= estimate.timeout
    {
      shrinkToUse(at: now)
    }
  }

  /// The packets of a paced sender that wait in its host for their time, and count as sent: a
  /// queue for pacing takes two bursts, and one more before it is found full (as in Linux).
  @inline(__always)
  private var packetsAhead: Int {
    if !settings.isPaced || isBBR || messages.isEmpty { return 0 }
    let segmentBytes = Int64(settings.segmentBytes)
    let rest = min(messages[0].rest &- messages[0].held, windowEdge &- sentBytes)
    let packets = Int((max(0, rest) &+ segmentBytes &- 1) / segmentBytes)
    return max(0, min(packets, min(3 &* burstPackets, window.size &- inFlight)))
  }

  /// A window that was not used for a timeout sinks half way to what was (RFC 2861).
  private mutating func shrinkToUse(at now: Instant) {
    if phase == .open {
      let used = max(usedSince, settings.initialWindow)
      if used < window.size {
        if window.threshold != .max { window.threshold = currentThreshold }
        window.size = (window.size + used) / 2
      }
      usedSince = 0
    }
    windowUsedAt = now
  }

  /// Whether a window that is acknowledged may grow.
  @inline(__always)
  var mayGrow: Bool {
    if isWindowLimited { return true }
    return window.isInSlowStart && window.size < 2 * inFlightMax
  }
}
