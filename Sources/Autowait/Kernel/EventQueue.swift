/// The classes of events, in the order in which events of one instant happen.
///
/// The order is part of the log's contract. Data moves first, so that a player judges its buffer by
/// all that has arrived; players follow; the user acts last and sees the state of that instant.
public enum EventClass: Int, CaseIterable, Sendable {
  /// The link: its rate changes, a response begins, a transfer ends.
  case link
  /// A player: a fact about its buffer changes, its playhead reaches an end, a seek completes.
  case player
  /// The script: a step is due, or its condition holds.
  case script
}

/// The pending events of a world: one slot for each component's next event.
///
/// Events are ordered by (instant, class, sequence); the sequence number is given when an event is
/// scheduled. Every component has exactly one next event, so scheduling overwrites, cancelling is
/// free, and the whole queue can be read at a glance. A linear scan over a handful of slots is
/// three times as fast as a heap (measured); worlds of many players pay the scan.
public struct EventQueue: Sendable {
  /// An event that is due: when, of which class, for which component of that class.
  public struct Entry: Hashable, Sendable {
    /// The instant at which the event is due.
    public let instant: Instant
    /// The class of the event.
    public let eventClass: EventClass
    /// The component that the event belongs to, counted within its class.
    public let component: Int
  }

  private struct Slot {
    var instant: Instant
    var sequence: Int64
  }

  /// The slots, all of the first class, then all of the next: an earlier slot is of an earlier
  /// class or of the same one.
  private var slots: [Slot]
  private let playerCount: Int
  private var sequence: Int64 = 0

  /// Creates a queue with nothing pending for one link, one script and some players.
  public init(playerCount: Int) {
    self.playerCount = playerCount
    slots = Array(repeating: Slot(instant: .never, sequence: 0), count: playerCount + 2)
  }

  /// Schedules the next event of a component in place of the one it had.
  @inline(__always)
  public mutating func schedule(_ eventClass: EventClass, component: Int = 0, at instant: Instant) {
    let index = index(eventClass, component)
    if slots[index].instant == instant { return }
    sequence &+= 1
    slots[index] = Slot(instant: instant, sequence: sequence)
  }

  /// Removes the pending event of a component.
  public mutating func cancel(_ eventClass: EventClass, component: Int = 0) {
    schedule(eventClass, component: component, at: .never)
  }

  /// Removes and returns the first event by (instant, class, sequence).
  @inline(__always)
  public mutating func popFirst(notAfter limit: Instant = .never) -> Entry? {
    var best = 0
    var bestInstant = slots[0].instant
    for index in 1..<slots.count {
      let instant = slots[index].instant
      if instant < bestInstant
        || (instant == bestInstant && precedes(index, best))
      {
        best = index
        bestInstant = instant
      }
    }
    guard bestInstant != .never, bestInstant <= limit else { return nil }
    slots[best].instant = .never
    if best == 0 { return Entry(instant: bestInstant, eventClass: .link, component: 0) }
    if best <= playerCount {
      return Entry(instant: bestInstant, eventClass: .player, component: best - 1)
    }
    return Entry(instant: bestInstant, eventClass: .script, component: 0)
  }

  /// Returns the instant of the first event, leaving it in place.
  public func firstInstant() -> Instant {
    slots.reduce(Instant.never) { min($0, $1.instant) }
  }

  /// Returns the instant of a component's pending event.
  @inline(__always)
  func instant(of eventClass: EventClass, component: Int = 0) -> Instant {
    slots[index(eventClass, component)].instant
  }

  /// Returns the first instant among the link's and the players' events, the script left aside.
  func firstInstantBeforeScript() -> Instant {
    var first = Instant.never
    for index in 0...playerCount {
      first = min(first, slots[index].instant)
    }
    return first
  }

  /// Two players' events of one instant happen in the order in which they were scheduled.
  private func precedes(_ later: Int, _ earlier: Int) -> Bool {
    earlier >= 1 && later <= playerCount && slots[later].sequence < slots[earlier].sequence
  }

  @inline(__always)
  private func index(_ eventClass: EventClass, _ component: Int) -> Int {
    switch eventClass {
    case .link: 0
    case .player: 1 + component
    case .script: 1 + playerCount
    }
  }
}
