/// Measures how fast media arrives: data received over time a request was open, in a window.
///
/// The window spans the last seconds *in which a request was open*: time in which nothing was asked
/// for, because the buffer was full, neither counts nor moves the window; an outage while a request
/// is open does both. The window slides continuously: what has left it is read off the recorded
/// shares, exactly, and not from samples.
struct FillMeter: Hashable, Sendable {
  /// One stretch in which the share of the link was constant.
  private struct Stretch: Hashable, Sendable {
    var start: Instant
    /// The data received and the time a request was open before the stretch began.
    var received: Work
    var open: TimeSpan
    var share: FlowShare
    var isOpen: Bool
  }

  /// What a window holds.
  struct Reading: Hashable, Sendable {
    var received: Work
    var open: TimeSpan
  }

  /// The stretches that the window may still touch, from `first` on; the last one is running.
  private var stretches: [Stretch] = []
  private var first = 0
  private let window: TimeSpan

  /// The data received before the samples were last thrown away.
  private(set) var receivedBefore = Work.zero

  /// Creates a meter that has seen nothing.
  init(window: TimeSpan, at now: Instant) {
    self.window = window
    stretches.reserveCapacity(16)
    stretches.append(
      Stretch(start: now, received: .zero, open: .zero, share: .none, isOpen: false))
  }

  /// Returns all data received by an instant.
  @inline(__always)
  func received(at instant: Instant) -> Work {
    let running = stretches[stretches.count - 1]
    return running.received + running.share.work(in: instant - running.start)
  }

  /// Returns all time in which a request was open by an instant.
  func open(at instant: Instant) -> TimeSpan {
    open(stretches[stretches.count - 1], at: instant)
  }

  /// Returns the data received by an instant since the samples were last thrown away.
  @inline(__always)
  func sampled(at instant: Instant) -> Work {
    received(at: instant) - receivedBefore
  }

  /// Notes that the share changes at an instant, at which an amount has been received in all.
  @inline(__always)
  mutating func note(at now: Instant, received: Work, share: FlowShare, isOpen: Bool) {
    let running = stretches[stretches.count - 1]
    let next = Stretch(
      start: now, received: received, open: open(running, at: now), share: share, isOpen: isOpen)
    if running.start == now || running.open == next.open {
      stretches[stretches.count - 1] = next
    } else {
      stretches.append(next)
    }
    slide(to: now)
    // What the window has left is removed in bulk, so that the price per note stays constant.
    if first >= 32, first * 2 > stretches.count {
      stretches.removeFirst(first)
      first = 0
    }
  }

  /// Lets the window that ends at an instant leave behind what it no longer touches.
  @inline(__always)
  mutating func slide(to now: Instant) {
    let edge = open(at: now) - window
    while first + 1 < stretches.count, stretches[first + 1].open <= edge {
      first += 1
    }
  }

  /// Returns what the window that ends at an instant, not behind `windowEdge`, holds.
  @inline(__always)
  func reading(at instant: Instant) -> Reading {
    let running = stretches[stretches.count - 1]
    let oldest = stretches[first]
    let open = open(running, at: instant)
    let edge = max(oldest.open, open - window)
    let received = running.received + running.share.work(in: instant - running.start)
    // A response ends within a nanosecond's data of its last share; what it did not have is not
    // left behind.
    let next = first + 1 < stretches.count ? stretches[first + 1].received : received
    let left = min(next, oldest.received + oldest.share.work(in: edge - oldest.open))
    return Reading(received: received - left, open: open - edge)
  }

  /// Returns the next instant at which the window leaves a stretch behind, or begins to slide.
  @inline(__always)
  func windowEdge(after now: Instant) -> Instant {
    let running = stretches[stretches.count - 1]
    guard running.isOpen else { return .never }
    let next = first + 1 < stretches.count ? stretches[first + 1].open : running.open
    let edge = running.start + (next + window - running.open)
    return edge > now ? edge : .never
  }

  /// Throws the samples away: what was measured says nothing about what comes.
  mutating func restart(at now: Instant) {
    let running = stretches[stretches.count - 1]
    let fresh = Stretch(
      start: now, received: received(at: now), open: open(running, at: now),
      share: running.share, isOpen: running.isOpen)
    receivedBefore = fresh.received
    stretches.removeAll(keepingCapacity: true)
    stretches.append(fresh)
    first = 0
  }

  @inline(__always)
  private func open(_ stretch: Stretch, at instant: Instant) -> TimeSpan {
    stretch.isOpen ? stretch.open + (instant - stretch.start) : stretch.open
  }
}
