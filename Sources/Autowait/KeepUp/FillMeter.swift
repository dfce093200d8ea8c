/// Measures how fast media arrives: data received over time a request was open, in a window.
///
/// The window spans the last seconds *in which a request was open*: time in which nothing was asked
/// for, because the buffer was full, neither counts nor moves the window; an outage while a request
/// is open does both. The window slides continuously: what has left it is read off the recorded
/// shares, exactly, and not from samples.
///
/// The stretches between the window's two ends live apart, in ``FillHistory``: what is read at
/// every change of the link must hold no reference, or each look would count it.
struct FillMeter: Sendable {
  /// One stretch in which the share of the link was constant, placed by what came before it.
  struct FillStretch: Hashable, Sendable {
    /// The data received before the stretch began.
    var received: DataAmount
    /// The time a request was open before the stretch began.
    var open: TimeSpan
    var share: FlowShare
  }

  /// What a window holds.
  struct Reading: Hashable, Sendable {
    var received: DataAmount
    var open: TimeSpan
  }

  /// The stretch that lasts, when it began, and whether a request is open in it.
  private var running: FillStretch
  private var start: Instant
  private var isOpen = false
  /// Whether the window begins in a stretch before the running one.
  private var hasPast = false
  /// The stretch in which the window begins, and where the next one begins: it ends with what was
  /// received by then, which may be a nanosecond's data less than its share would give.
  private var oldest: FillStretch
  private var nextReceived = DataAmount.zero
  private var nextOpen = TimeSpan.zero
  private let window: TimeSpan
  /// Whether anybody asks what the window holds; without, only totals are kept.
  private let isWindowed: Bool

  /// The data received before the samples were last thrown away.
  private(set) var receivedBefore = DataAmount.zero

  /// How long a request had been open when the samples were last thrown away.
  private var openBefore = TimeSpan.zero

  /// The time in which data came, before the running stretch: what AVFoundation calls active
  /// network transfer.
  ///
  /// A stretch without data has a share of zero: a wait for a first byte, an outage, a buffer that
  /// is full. Of several requests at once the time counts once.
  private var activeBefore = TimeSpan.zero

  /// Creates a meter that has seen nothing; without a window it keeps totals.
  init(window: TimeSpan?, at now: Instant) {
    self.window = window ?? .zero
    isWindowed = window != nil
    start = now
    running = FillStretch(received: .zero, open: .zero, share: .none)
    oldest = running
  }

  /// Returns all data received by an instant.
  @inline(__always)
  func received(at instant: Instant) -> DataAmount {
    running.received + running.share.data(in: instant - start)
  }

  /// Whether data comes in the running stretch.
  var isFlowing: Bool { running.share.rate > .zero }

  /// Returns what has flowed in the running stretch by an instant.
  @inline(__always)
  func flowed(at instant: Instant) -> DataAmount {
    running.share.data(in: instant - start)
  }

  /// Returns all data received, for a caller that knows what has flowed in the running stretch.
  @inline(__always)
  func received(flowed: DataAmount) -> DataAmount { running.received + flowed }

  /// Returns all time in which a request was open by an instant.
  @inline(__always)
  func open(at instant: Instant) -> TimeSpan {
    isOpen ? running.open + (instant - start) : running.open
  }

  /// Returns the time in which a request was open since the samples were last thrown away.
  @inline(__always)
  func observed(at instant: Instant) -> TimeSpan { open(at: instant) - openBefore }

  /// Returns the time in which data came by an instant.
  @inline(__always)
  func active(at instant: Instant) -> TimeSpan {
    running.share.rate > .zero ? activeBefore + (instant - start) : activeBefore
  }

  /// Counts time in which data came that no share tells of.
  @inline(__always)
  mutating func addActive(_ span: TimeSpan) { activeBefore += span }

  /// Leaves the counting of active time, from an instant on, to a caller who adds it, until the
  /// next note; only for a meter without a window, of which nobody reads what flows meanwhile.
  mutating func leaveActive(from anchor: Instant) {
    assert(!isWindowed, "a meter with a window takes note of each share itself")
    activeBefore = active(at: anchor)
    running.share = .none
  }

  /// Returns the data received since the samples were last thrown away, for a caller that knows
  /// what has flowed in the running stretch.
  @inline(__always)
  func sampled(flowed: DataAmount) -> DataAmount {
    running.received + flowed - receivedBefore
  }

  /// Whether so much has been received since the samples were last thrown away, without a look at
  /// what has flowed since the share last changed.
  func hasReceived(_ amount: DataAmount) -> Bool { running.received >= amount + receivedBefore }

  /// When so much has been sampled, if the share stays as it is.
  func instant(ofSampled amount: DataAmount) -> Instant {
    let all = amount + receivedBefore
    let span = running.share.span(for: all - min(all, running.received))
    return span.nanoseconds < Instant.never.nanoseconds - start.nanoseconds ? start + span : .never
  }

  /// Notes that the share changes at an instant, at which an amount has been received in all.
  @inline(__always)
  mutating func note(
    at now: Instant, received: DataAmount, share: FlowShare, isOpen: Bool,
    history: inout FillHistory
  ) {
    add(at: now, received: received, share: share, isOpen: isOpen, history: &history)
    if hasPast { slide(to: now, history: &history) }
  }

  @inline(__always)
  private mutating func add(
    at now: Instant, received: DataAmount, share: FlowShare, isOpen: Bool,
    history: inout FillHistory
  ) {
    assert(now >= start, "the meter goes back by \((start - now).nanoseconds) ns")
    assert(received >= running.received, "data that was received is lost")
    let open = open(at: now)
    activeBefore = active(at: now)
    if !isWindowed {
      running = FillStretch(received: received, open: open, share: share)
      start = now
      self.isOpen = isOpen
      return
    }
    if running.open != open {
      // Without a past, the oldest stretch is the running one, or what a restart left of it.
      if hasPast { history.append(running) }
      hasPast = true
    }
    running = FillStretch(received: received, open: open, share: share)
    start = now
    self.isOpen = isOpen
    if !hasPast {
      if oldest.open == open { oldest = running }
      return
    }
    if history.isEmpty { (nextReceived, nextOpen) = (received, open) }
  }

  /// Notes some steps, at each of which the share of a flow changes, when some data has been
  /// received in all; returns what has been received at the last of them.
  ///
  /// As soon as the window has a past, those between need not be written out. The window does not
  /// slide.
  mutating func note(
    _ flow: inout FlowPlace, _ block: borrowing FlowBlock, _ steps: Range<Int>,
    received: DataAmount, history: inout FillHistory
  ) -> DataAmount {
    let last = steps.upperBound
    var (step, received) = (steps.lowerBound, received)
    while step < last {
      let begin = block[step]
      if hasPast, isWindowed, isOpen, start == begin.instant,
        running.received == received, running.share == flow.shownShare(at: begin)
      {
        let end = block[last]
        history.append(block, step..<last, flow, first: running)
        if flow.isFlowing { activeBefore += end.active - begin.active }
        received += flow.follow(block, from: step, to: last)
        running = FillStretch(
          received: received, open: open(at: end.instant), share: flow.shownShare(at: end))
        start = end.instant
        break
      }
      received += flow.follow(block, from: step, to: step + 1)
      step += 1
      add(
        at: block[step].instant, received: received,
        share: flow.shownShare(at: block[step]), isOpen: true, history: &history)
    }
    return received
  }

  /// Whether the window has left much behind since it was last let slide.
  @inline(__always)
  var isLate: Bool {
    hasPast && running.open.nanoseconds - nextOpen.nanoseconds > window.nanoseconds / 4 * 5
  }

  /// Lets the window that ends where the running stretch began leave behind what it no longer
  /// touches.
  mutating func slide(history: inout FillHistory) { slide(to: start, history: &history) }

  /// Lets the window that ends at an instant leave behind what it no longer touches.
  @inline(__always)
  mutating func slide(to now: Instant, history: inout FillHistory) {
    let edge = open(at: now) - window
    if !hasPast || nextOpen > edge { return }
    history.skip(to: edge)
    while hasPast, nextOpen <= edge {
      if history.isEmpty {
        oldest = running
        hasPast = false
      } else {
        oldest = history.removeFirst()
        let next = history.isEmpty ? running : history.first
        (nextReceived, nextOpen) = (next.received, next.open)
      }
    }
  }

  /// Returns what the window that ends at an instant, not behind `windowEdge`, holds.
  func reading(at instant: Instant) -> Reading {
    reading(at: instant, flowed: running.share.data(in: instant - start))
  }

  /// Returns the same for a caller that knows what has flowed in the running stretch.
  @inline(__always)
  func reading(at instant: Instant, flowed: DataAmount) -> Reading {
    let open = open(at: instant)
    let edge = max(oldest.open, open - window)
    let received = running.received + flowed
    var left = oldest.received + oldest.share.data(in: edge - oldest.open)
    if hasPast { left = min(left, nextReceived) }
    assert(edge <= open, "a window of \((open - edge).nanoseconds) ns")
    return Reading(received: received - min(left, received), open: open - edge)
  }

  /// Returns the same of any instant up to the next note.
  @inline(__always)
  func reading(at instant: Instant, flowed: DataAmount, history: inout FillHistory) -> Reading {
    let edge = open(at: instant) - window
    if !hasPast || edge < nextOpen { return reading(at: instant, flowed: flowed) }
    let all = running.received + flowed
    // Of the meter itself a copy would be made (measured: a twentieth of a loop under this rule).
    let left = Self.received(before: edge, running, history: &history)
    return Reading(received: all - min(left, all), open: window)
  }

  /// What had been received when a request had been open for a time that lies behind the stretch
  /// in which the window begins.
  @inline(never)
  private static func received(
    before open: TimeSpan, _ running: FillStretch, history: inout FillHistory
  ) -> DataAmount {
    if running.open <= open {
      return running.received + running.share.data(in: open - running.open)
    }
    let (stretch, next) = history.stretch(at: open)
    return min(
      stretch.received + stretch.share.data(in: open - stretch.open), (next ?? running).received)
  }

  /// The instant after one at which the window leaves a stretch behind, or begins to slide.
  func windowEdge(after now: Instant, history: inout FillHistory) -> Instant {
    let edge = open(at: now) - window
    if !isOpen || running.open <= edge { return .never }
    var next = running.open
    if oldest.open > edge {
      next = oldest.open
    } else if hasPast {
      next = nextOpen > edge ? nextOpen : (history.stretch(at: edge).next ?? running).open
    }
    return start + (next + window - running.open)
  }

  /// The instant after one from which on the window holds nothing but what comes from now on.
  func isSettled(after now: Instant) -> Instant {
    isOpen ? max(now, start + window) : now
  }

  /// The instant after one up to which the window begins before the running stretch; never if it
  /// does not move.
  func startsInPast(until now: Instant) -> Instant { isOpen ? max(now, start + window) : .never }

  /// Returns the next instant at which the window leaves a stretch behind, or begins to slide.
  @inline(__always)
  func windowEdge(after now: Instant) -> Instant {
    guard isOpen, isWindowed else { return .never }
    let next = hasPast ? nextOpen : running.open
    let edge = start + (next + window - running.open)
    return edge > now ? edge : .never
  }

  /// Throws the samples away: what was measured says nothing about what comes.
  mutating func restart(at now: Instant, history: inout FillHistory) {
    assert(now >= start, "the meter goes back by \((start - now).nanoseconds) ns")
    oldest = FillStretch(received: received(at: now), open: open(at: now), share: running.share)
    (receivedBefore, openBefore) = (oldest.received, oldest.open)
    history.removeAll()
    hasPast = false
  }
}

extension FillMeter {
  /// The meter of a single flow in 64-bit numbers, for the stretch in which only rates change.
  struct Packed {
    /// The running stretch: its beginning, what came before it, and its rate.
    var start: Instant
    var received: UInt64
    var rate: UInt64
    /// How long a request was open by an instant, less that instant: one is open all the time.
    let lead: Int64
    /// The stretch in which the window begins, and where the next one begins.
    var oldestReceived: UInt64
    var oldestOpen: Int64
    var oldestRate: UInt64
    var nextReceived: UInt64
    var nextOpen: Int64
    let window: Int64
    /// The time in which data came, before all this; and that in which none has come since.
    let active: Int64
    var idle: Int64 = 0

    /// How long a request was open before the running stretch.
    var open: Int64 { start.nanoseconds &+ lead }
  }

  /// The meter in 64-bit numbers; nil if they do not hold it, or if it has seen too little.
  var packed: Packed? {
    guard hasPast, isOpen, running.share.flows == 1, oldest.share.flows == 1,
      running.received.nanobits < 1 << 62
    else { return nil }
    return Packed(
      start: start, received: UInt64(truncatingIfNeeded: running.received.nanobits),
      rate: UInt64(running.share.rate.bitsPerSecond),
      lead: running.open.nanoseconds &- start.nanoseconds,
      oldestReceived: UInt64(truncatingIfNeeded: oldest.received.nanobits),
      oldestOpen: oldest.open.nanoseconds,
      oldestRate: UInt64(oldest.share.rate.bitsPerSecond),
      nextReceived: UInt64(truncatingIfNeeded: nextReceived.nanobits),
      nextOpen: nextOpen.nanoseconds, window: window.nanoseconds,
      active: activeBefore.nanoseconds)
  }

  /// Takes over what has become of the meter.
  mutating func unpack(_ packed: Packed) {
    assert(packed.start >= start, "rates were followed backwards in time")
    assert(packed.received >= running.received.nanobits, "data that was received is lost")
    assert(packed.nextOpen >= packed.oldestOpen, "the stretches of the window are out of order")
    let span = packed.start - start
    activeBefore = TimeSpan(nanoseconds: packed.active &+ span.nanoseconds &- packed.idle)
    start = packed.start
    running = .single(packed.rate, received: packed.received, open: packed.open)
    oldest = .single(packed.oldestRate, received: packed.oldestReceived, open: packed.oldestOpen)
    nextReceived = DataAmount(nanobits: UInt128(packed.nextReceived))
    nextOpen = TimeSpan(nanoseconds: packed.nextOpen)
  }
}

extension FillMeter.Packed {
  /// Whether narrow numbers hold what the window leaves behind at an instant.
  @inline(__always)
  func mayNote(
    at now: Instant, _ ended: borrowing EndedStretches, _ history: inout FillHistory
  ) -> Bool {
    if nextOpen > now.nanoseconds &+ lead &- window { return true }
    return history.isEmpty ? !ended.isEmpty : history.first.share.flows == 1
  }

  /// Notes that the rate becomes another, as ``FillMeter/note(at:received:share:isOpen:history:)``
  /// does, where it may.
  @inline(__always)
  mutating func note(
    at now: Instant, received: UInt64, rate: UInt64, _ ended: inout EndedStretches,
    _ history: inout FillHistory
  ) {
    if ended.isFull { ended.move(into: &history) }
    ended.append(EndedStretches.Stretch(received: self.received, open: self.open, rate: self.rate))
    if self.rate == 0 { idle &+= now.nanoseconds &- start.nanoseconds }
    (start, self.received, self.rate) = (now, received, rate)
    let edge = open &- window
    while nextOpen <= edge {
      let first =
        history.isEmpty ? ended.removeFirst() : EndedStretches.Stretch(history.removeFirst())
      (oldestReceived, oldestOpen, oldestRate) = (first.received, first.open, first.rate)
      if !history.isEmpty {
        let next = history.first
        nextReceived = UInt64(truncatingIfNeeded: next.received.nanobits)
        nextOpen = next.open.nanoseconds
        if nextOpen <= edge, next.share.flows != 1 { break }
      } else if !ended.isEmpty {
        (nextReceived, nextOpen) = (ended.first.received, ended.first.open)
      } else {
        (nextReceived, nextOpen) = (received, open)
        break
      }
    }
  }

  /// Returns what the window holds at an instant by which an amount more has flowed.
  @inline(__always)
  func reading(at instant: Int64, flowed: UInt64) -> (received: UInt64, open: UInt64) {
    let open = instant &+ lead
    let edge = max(oldestOpen, open &- window)
    let left = min(
      oldestReceived &+ oldestRate &* UInt64(bitPattern: edge &- oldestOpen), nextReceived)
    return (received &+ flowed &- left, UInt64(bitPattern: open &- edge))
  }

  /// Whether the window is still growing, and begins to slide by an instant.
  @inline(__always)
  func beginsToSlide(by instant: Int64) -> Bool {
    open &- window < oldestOpen && instant &+ lead &- window > oldestOpen
  }

  /// The instant at which the window leaves its oldest stretch behind.
  @inline(__always)
  var windowEdge: Int64 { nextOpen &+ window &- lead }
}

extension FillMeter.FillStretch {
  /// A stretch in which a single flow had the link to itself.
  @inline(__always)
  static func single(_ rate: UInt64, received: UInt64, open: Int64) -> Self {
    FillMeter.FillStretch(
      received: DataAmount(nanobits: UInt128(received)), open: TimeSpan(nanoseconds: open),
      share: FlowShare(rate: BitRate(bitsPerSecond: Int64(bitPattern: rate)), flows: 1, place: 0))
  }
}
