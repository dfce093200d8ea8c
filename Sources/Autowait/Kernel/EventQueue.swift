/// The classes of events, in the order in which events of one instant happen.
///
/// The order is part of the log's contract. Data moves first, so that a player judges its buffer by
/// all that has arrived; players follow; the user acts last and sees the state of that instant.
package enum EventClass: Int, CaseIterable, Sendable {
  /// The link: its rate changes, a response begins, a transfer ends.
  case link
  /// A player: a fact about its buffer changes, its playhead reaches an end, a seek completes.
  case player
  /// The script: a step is due, or its condition holds.
  case script
}

/// The pending events of a world: one slot for each component's next event.
///
/// Events are ordered by (instant, class, component). Which of two players of one instant was
/// planned first depends on how often players are planned, and so on how a run is carried out;
/// their order in the world does not. Every component has exactly one next event, so scheduling
/// overwrites, cancelling is free, and the whole queue can be read at a glance. A linear scan over
/// a handful of slots is three times as fast as a heap (measured); worlds of many players pay a
/// scan of blocks of slots.
package struct EventQueue: Sendable {
  /// An event that is due: when, of which class, for which component of that class.
  package struct Entry: Hashable, Sendable {
    /// The instant at which the event is due.
    package let instant: Instant
    /// The class of the event.
    package let eventClass: EventClass
    /// The component that the event belongs to, counted within its class.
    package let component: Int
  }

  private var link = Instant.never
  private var players: Minima<Instant>
  private var script = Instant.never

  /// Creates a queue with nothing pending for one link, one script and some players.
  package init(playerCount: Int) {
    // A world without players has nobody with an event.
    players = Minima(repeating: .never, count: max(1, playerCount))
  }

  /// Schedules the next event of a component in place of the one it had.
  @inline(__always)
  package mutating func schedule(_ eventClass: EventClass, component: Int = 0, at instant: Instant)
  {
    switch eventClass {
    case .link: link = instant
    case .script: script = instant
    case .player: players[component] = instant
    }
  }

  /// Removes the pending event of a component.
  package mutating func cancel(_ eventClass: EventClass, component: Int = 0) {
    schedule(eventClass, component: component, at: .never)
  }

  /// Removes and returns the first event by (instant, class, component).
  @inline(always)
  package mutating func popFirst(notAfter limit: Instant = .never) -> Entry? {
    let instant = players.least
    let first = min(link, instant, script)
    if first == .never || first > limit { return nil }
    if first == link {
      link = .never
      return Entry(instant: first, eventClass: .link, component: 0)
    }
    if first == instant {
      let player = players.firstPlace(ofLeast: instant)
      players[player] = .never
      return Entry(instant: first, eventClass: .player, component: player)
    }
    script = .never
    return Entry(instant: first, eventClass: .script, component: 0)
  }

  /// The instant of the link's event.
  @inline(__always)
  var linkInstant: Instant { link }

  /// The instant of the script's event.
  @inline(__always)
  var scriptInstant: Instant { script }

  /// Returns the instant of the first event, leaving it in place.
  @inline(__always)
  package func firstInstant() -> Instant {
    min(firstInstantBeforeScript(), script)
  }

  /// Returns the instant of a player's event.
  @inline(__always)
  func instant(of player: Int) -> Instant { players[player] }

  /// Returns the first instant among the events of all but the link and a player.
  func firstInstant(without player: Int) -> Instant {
    var first = script
    for index in players.indices where index != player { first = min(first, players[index]) }
    return first
  }

  /// Returns the first instant among the link's and the players' events, the script left aside.
  @inline(__always)
  func firstInstantBeforeScript() -> Instant {
    min(link, players.least)
  }

  /// Adds the players whose events are behind an instant.
  mutating func collectPlayers(behind instant: Instant, into found: inout [Int]) {
    let count = found.count
    players.collect(upTo: Instant(nanoseconds: Instant.never.nanoseconds - 1), into: &found)
    if found.count > count { found.removeAll { players[$0] <= instant } }
  }
}
