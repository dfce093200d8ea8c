/// What happens to a link and when: planned changes, blackouts, handovers.
struct LinkSchedule: Sendable {
  /// Something that begins at an instant.
  enum Occurrence: Sendable {
    case change(LinkChange)
    case event(LinkEvent.Kind)
    case arrival(LinkEvent.Handover)
  }

  /// The link that holds, and the instant that is zero on its tracks.
  private(set) var link: Int
  private(set) var origin: Instant
  private var changesMade = 0
  private var events: [LinkEvent] = []
  private var eventsMade = 0
  private var handover: LinkEvent.Handover?

  /// Whether a handover, or a time without a network, has begun that ends all connections.
  var endsConnections: Bool { handover?.endsConnections == true }
  private var arrivesAt = Instant.never

  /// Creates the schedule of a link.
  init(link: Int, origin: Instant) {
    self.link = link
    self.origin = origin
  }

  /// Takes the events of the link that holds, as far as they lie ahead.
  mutating func plan(_ events: [LinkEvent], from elapsed: TimeSpan) {
    self.events = events
    eventsMade = 0
    while eventsMade < events.count, events[eventsMade].start < elapsed { eventsMade += 1 }
  }

  /// Takes the same events as they are told of a variant of the link.
  mutating func vary(link: Int, _ events: [LinkEvent]) {
    assert(eventsMade <= events.count, "\(eventsMade) events happened, of \(events.count)")
    self.link = link
    self.events = events
  }

  /// Lets another link hold; what the one before had begun leads nowhere any more.
  mutating func use(link: Int, origin: Instant) {
    self.link = link
    self.origin = origin
    handover = nil
    arrivesAt = .never
  }

  /// Arrives at the other end of a gap at an instant.
  mutating func beginHandover(_ handover: LinkEvent.Handover, until end: Instant) {
    self.handover = handover
    arrivesAt = end
  }

  /// When something happens next.
  @inline(__always)
  func nextInstant(_ changes: [LinkChange]) -> Instant {
    var next = arrivesAt
    if changesMade < changes.count { next = min(next, changes[changesMade].instant) }
    if eventsMade < events.count { next = min(next, origin + events[eventsMade].start) }
    return next
  }

  /// Takes what happens at an instant.
  mutating func next(_ changes: [LinkChange], at now: Instant) -> Occurrence? {
    if changesMade < changes.count, changes[changesMade].instant <= now {
      changesMade += 1
      return .change(changes[changesMade - 1])
    }
    if arrivesAt <= now, let handover {
      self.handover = nil
      arrivesAt = .never
      return .arrival(handover)
    }
    if eventsMade < events.count, origin + events[eventsMade].start <= now {
      eventsMade += 1
      return .event(events[eventsMade - 1].kind)
    }
    return nil
  }
}
