/// What one end of a connection has received from the other, and when it says so.
struct Receiver: Sendable {
  /// What is fixed for the life of a connection.
  struct ReceiverSettings: Sendable {
    /// How long a lone packet may wait for company before it is acknowledged.
    var delay: TimeSpan
    /// The receive window, if it does not adapt.
    var fixedWindow: Int64?
    var segmentBytes: Int64
    var isQUIC: Bool
  }

  /// What to do about a packet that arrived.
  enum AckTiming: Sendable {
    /// Say so now.
    case now
    /// Say so later, with another packet or when time is up.
    case later
  }

  /// At first, and after a long silence, so many packets are acknowledged at once (measured).
  private static let quickPackets = 16
  private static let gatheredMax = 44
  private static let delayMax: Int64 = 200_000_000

  let settings: ReceiverSettings
  /// The first segment that is missing.
  private(set) var expected = 0
  /// What came ahead of it.
  private(set) var runs: [TCPSegmentRun] = []
  private var recent: (Int, Int, Int) = (-1, -1, -1)
  /// The bytes that came in order.
  private(set) var bytes: Int64 = 0
  /// The stamp that the next acknowledgement gives back.
  private(set) var echo = Instant.never
  private var lastSaid = 0
  /// The last segment if it had arrived before, or -1.
  private(set) var duplicate = -1

  /// When a delayed acknowledgement is due.
  private(set) var answerAt = Instant.never
  private var mustAnswer = false
  /// The gap about which the other end is being told, and how often it was told at once.
  private var gapStart = -1
  private var saidOfGap = 0
  /// The packets whose acknowledgements are put together, and until when.
  private var gathered = 0
  private(set) var gatherUntil = Instant.never
  private var unsaid = 0
  private var quick = 0
  /// Whether this end answers what it hears with data, which can carry acknowledgements.
  private var isReplying = false
  /// How long a lone packet waits: it follows the gaps between packets (measured).
  private var patience: Int64
  private var lastHeardAt = Instant.never

  private var window: Int64
  private var windowLimit: Int64
  /// The bytes that were read; what is not read fills the window.
  private var readBytes: Int64 = 0
  private(set) var isReading = true
  private var roundStart = Instant.start
  private var roundBytes: Int64 = 0
  private var roundMost: Int64
  private var roundTrip: Int64 = 0
  private var sampledEcho = Instant.never

  /// Creates the receiver of a new connection.
  init(_ settings: ReceiverSettings) {
    self.settings = settings
    window = settings.fixedWindow ?? ReceiveWindow.first
    windowLimit = settings.fixedWindow ?? ReceiveWindow.firstMost
    roundMost = 10 * settings.segmentBytes
    patience = settings.delay.nanoseconds
  }

  /// The first byte that this end could not take.
  @inline(__always)
  var windowEdge: Int64 { (isReading ? bytes : readBytes) &+ window }

  // MARK: - Hearing

  /// Takes a segment; the caller tells with `addBytes` what came in order, then asks `answer`.
  @inline(__always)
  mutating func hear(_ packet: Packet, timeout: Int64, at now: Instant) {
    defer { assertInvariants() }
    let segment = packet.segment
    if segment <= lastSaid, echo == .never || packet.stamp >= echo { echo = packet.stamp }
    noteArrival(timeout: timeout, at: now)
    duplicate = -1
    mustAnswer = true
    if segment == expected {
      expected += 1
      unsaid += 1
      if !runs.isEmpty {
        fillGap()
      } else {
        mustAnswer = unsaid >= 2 || isLast(packet)
      }
    } else if segment < expected || isKnown(segment) {
      duplicate = segment
      enterQuick()
    } else {
      keep(segment)
      growAhead()
      mustAnswer = false
    }
  }

  /// Whether a packet ends what the other end had to say, as one that is not full does.
  ///
  /// Once it is read there is nothing to wait for, and only an answer that is about to be sent can
  /// save its acknowledgement (tcp_measure_rcv_mss marks it as pushed, tcp_cleanup_rbuf sends it).
  @inline(__always)
  private func isLast(_ packet: Packet) -> Bool {
    !isReplying && !settings.isQUIC && Int64(packet.length) < settings.segmentBytes
  }

  /// Whether what was put together must be said before a segment is heard: a packet has room for
  /// few runs, so only what lengthens one of the newest two can wait (measured).
  @inline(__always)
  func mustAnswer(before segment: Int) -> Bool {
    if gathered == 0 || segment <= expected { return false }
    return !lengthensNewest(segment)
  }

  private func lengthensNewest(_ segment: Int) -> Bool {
    if recent.1 < expected { return true }
    for run in runs where run.start == recent.0 || run.start == recent.1 {
      if segment == run.end || segment == run.start - 1 { return true }
    }
    return false
  }

  /// Returns when to say what was heard.
  @inline(__always)
  mutating func answer(at now: Instant) -> AckTiming {
    if mustAnswer || (quick > 0 && !isReplying) { return .now }
    if !runs.isEmpty { return answerGap(at: now) }
    if answerAt == .never { answerAt = delayed(from: now) }
    return .later
  }

  @inline(__always)
  private func delayed(from now: Instant) -> Instant {
    if settings.isQUIC { return now + settings.delay }
    var wait = min(patience, Receiver.delayMax)
    if roundTrip > 0 { wait = min(wait, max(settings.delay.nanoseconds, roundTrip)) }
    return HostClock.instant(TimeSpan(nanoseconds: wait), after: now)
  }

  /// Takes the stamp of a packet without data.
  @inline(__always)
  mutating func hearStamp(_ packet: Packet) {
    if lastSaid == expected, echo == .never || packet.stamp >= echo { echo = packet.stamp }
  }

  /// What comes in order behind a gap is said at once, until no gap is left (RFC 5681, 4.2).
  private mutating func fillGap() {
    if let first = runs.first, first.start == expected {
      unsaid += first.end - expected
      expected = first.end
      runs.removeFirst()
    }
    mustAnswer = runs.isEmpty || unsaid >= 2
  }

  /// Of what comes ahead of a gap, the first three are said at once; the rest are put together
  /// for a millisecond, or a twentieth of a round trip (measured).
  private mutating func answerGap(at now: Instant) -> AckTiming {
    if gapStart != expected {
      gapStart = expected
      saidOfGap = 0
    }
    if saidOfGap < 3 || gathered >= Receiver.gatheredMax {
      saidOfGap += 1
      return .now
    }
    gathered += 1
    if gatherUntil == .never {
      let wait = roundTrip == 0 ? 1_000_000 : min(1_000_000, roundTrip / 20)
      gatherUntil = now + TimeSpan(nanoseconds: wait)
    }
    return .later
  }

  /// Takes bytes that came in order, and lets the window grow with them.
  ///
  /// The window follows what arrives in a round trip, twice over, faster while that grows, and
  /// makes room for what waits behind a gap; each packet that widens it is acknowledged at once
  /// (measured: the acknowledgements of a transfer are counted right within a few).
  @inline(__always)
  mutating func addBytes(_ count: Int64, echo: Instant, unread: Int = 0, at now: Instant) {
    bytes &+= count
    if settings.fixedWindow != nil { return }
    if window < windowLimit {
      window = min(windowLimit, window &+ 2 &* settings.segmentBytes)
      quick |= 1
    }
    // Only the first packet that gives a stamp back tells of the path; those behind it waited.
    if count == settings.segmentBytes, echo != .never, echo != sampledEcho {
      sampledEcho = echo
      let sample = max(1, now.nanoseconds / 1_000_000 - echo.nanoseconds / 1_000_000) * 1_000_000
      // A shorter time counts at once, a longer one by an eighth (as in Linux since 6.16).
      let isLeast = roundTrip == 0 || sample < roundTrip
      roundTrip = isLeast ? sample : roundTrip &+ (sample &- roundTrip) >> 3
    }
    if roundTrip > 0, (now - roundStart).nanoseconds >= roundTrip { endRound(unread, at: now) }
  }

  /// Lets the window grow with what came ahead of a gap, and makes room for it (as in Linux since
  /// 6.16).
  private mutating func growAhead() {
    if settings.fixedWindow != nil { return }
    if let last = runs.last, windowLimit > ReceiveWindow.firstMost {
      let wanted = 2 * roundMost + Int64(last.end - expected) * settings.segmentBytes
      windowLimit = max(windowLimit, min(ReceiveWindow.most, wanted))
    }
    if window < windowLimit { window = min(windowLimit, window &+ 2 &* settings.segmentBytes) }
  }

  private mutating func endRound(_ unread: Int, at now: Instant) {
    // What still waits to be read does not count, and is counted in the next round.
    let copied = bytes - roundBytes - Int64(unread) * settings.segmentBytes
    if copied > roundMost {
      var wanted = 2 * copied
      wanted += 2 * (wanted * (copied - roundMost) / roundMost)
      if let last = runs.last { wanted += Int64(last.end - expected) * settings.segmentBytes }
      windowLimit = min(ReceiveWindow.most, max(windowLimit, wanted))
      roundMost = copied
    }
    roundStart = now
    roundBytes = bytes
  }

  @inline(__always)
  private mutating func noteArrival(timeout: Int64, at now: Instant) {
    if lastHeardAt == .never {
      enterQuick()
    } else {
      let gap = (now - lastHeardAt).nanoseconds
      let least = settings.delay.nanoseconds
      if gap <= least / 2 {
        patience = patience / 2 + least / 2
      } else if gap < patience {
        patience = min(patience / 2 + gap, timeout)
      } else if gap > timeout {
        // A silence that long is more than a timeout: the other end starts again.
        quick = Receiver.quickPackets
      }
    }
    lastHeardAt = now
  }

  private mutating func enterQuick() {
    quick = Receiver.quickPackets
    isReplying = false
    patience = settings.delay.nanoseconds
  }

  private func isKnown(_ segment: Int) -> Bool {
    for run in runs where run.start <= segment && segment < run.end { return true }
    return false
  }

  private mutating func keep(_ segment: Int) {
    var place = runs.count
    while place > 0, runs[place - 1].start > segment { place -= 1 }
    let joinsLeft = place > 0 && runs[place - 1].end == segment
    let joinsRight = place < runs.count && runs[place].start == segment + 1
    if joinsLeft, joinsRight {
      runs[place - 1].end = runs[place].end
      runs.remove(at: place)
      remember(runs[place - 1].start)
    } else if joinsLeft {
      runs[place - 1].end = segment + 1
      remember(runs[place - 1].start)
    } else if joinsRight {
      runs[place].start = segment
      remember(segment)
    } else {
      runs.insert(TCPSegmentRun(start: segment, end: segment + 1), at: place)
      remember(segment)
    }
  }

  /// The newest run comes first (RFC 2018, 4).
  private mutating func remember(_ start: Int) {
    if recent.0 == start { return }
    if recent.1 == start {
      recent = (start, recent.0, recent.2)
    } else {
      recent = (start, recent.0, recent.1)
    }
  }

  // MARK: - Saying

  /// Writes into a packet what was received; an acknowledgement that waited need wait no more.
  @inline(__always)
  mutating func acknowledge(in packet: inout Packet) {
    packet.acknowledgement = expected
    packet.windowEdge = windowEdge
    packet.echo = echo
    packet.duplicate = duplicate
    lastSaid = expected
    unsaid = 0
    answerAt = .never
    gathered = 0
    gatherUntil = .never
    if quick > 0 { quick -= 1 }
    if !runs.isEmpty { sayRuns(in: &packet) }
    assertInvariants()
  }

  /// Asserts what holds of a receiver between two calls.
  @inline(__always)
  private func assertInvariants() {
    assert((runs.first?.start ?? .max) > expected, "segment \(expected) is missing and is there")
    assert(
      zip(runs, runs.dropFirst()).allSatisfy { $0.end < $1.start }
        && runs.allSatisfy { $0.start < $0.end },
      "the runs ahead of a gap must ascend and not touch")
    assert(lastSaid <= expected, "segment \(lastSaid) was acknowledged before it came")
    assert(unsaid >= 0 && quick >= 0, "\(unsaid) segments are unsaid, \(quick) said at once")
    assert((gathered == 0) == (gatherUntil == .never), "\(gathered) packets are put together")
    assert(readBytes <= bytes, "\(readBytes) bytes were read, and \(bytes) came")
    assert(window <= windowLimit, "a window of \(window) bytes, of \(windowLimit) at most")
  }

  private func sayRuns(in packet: inout Packet) {
    var said: (TCPSegmentRun, TCPSegmentRun, TCPSegmentRun) = (.none, .none, .none)
    var count: UInt8 = 0
    func add(_ start: Int) {
      guard start >= expected, count < 3 else { return }
      for run in runs where run.start <= start && start < run.end {
        if run == said.0 || run == said.1 || run == said.2 { return }
        switch count {
        case 0: said.0 = run
        case 1: said.1 = run
        default: said.2 = run
        }
        count += 1
        return
      }
    }
    add(recent.0)
    add(recent.1)
    add(recent.2)
    for run in runs.suffix(3).reversed() { add(run.start) }
    packet.runCount = count
    packet.runs = (relative(said.0), relative(said.1), relative(said.2))
    packet.wireBytes += Int32(WireSize.runs(Int(count)))
  }

  private func relative(_ run: TCPSegmentRun) -> Packet.Run {
    if run.end <= expected { return .none }
    return Packet.Run(
      start: UInt32(clamping: run.start - expected), count: UInt32(clamping: run.end - run.start))
  }

  /// Takes note that data goes out: what answers at once can carry acknowledgements.
  ///
  /// The first packet behind a request waits no longer than the least delay, however far apart
  /// packets were before (measured: EDGE, where they are 50 ms apart).
  mutating func noteSending(at now: Instant) {
    if lastHeardAt == .never || (now - lastHeardAt).nanoseconds >= patience { return }
    isReplying = true
    patience = settings.delay.nanoseconds
  }

  /// Takes note that the time of a delayed acknowledgement is over.
  mutating func endDelay(timeout: Int64) {
    answerAt = .never
    // Waiting was useless: longer next time, or not at all if no answer carries it.
    patience = isReplying ? settings.delay.nanoseconds : min(2 * patience, timeout)
    isReplying = false
  }

  /// Stops or resumes to take out what arrives.
  mutating func setReading(_ isReading: Bool) {
    if self.isReading, !isReading { readBytes = bytes }
    self.isReading = isReading
  }
}

extension TCPSegmentRun {
  /// No segments.
  static let none = TCPSegmentRun(start: -1, end: -1)
}
