/// A link, the connections over it and the transfers on them, packet by packet.
///
/// Whatever happens next is an arrival at an end of the link, a timer of one end of a connection,
/// a timer of a transfer, or a change of the link. Of one instant, what arrives at the player
/// comes first, then what arrives at the servers, then timers by their number, then changes. All
/// state is values: a copy is a fork.
struct PacketNetwork: Sendable {
  let links: [LinkProfile]
  let changes: [LinkChange]
  let policy: TransportPolicy
  let seed: UInt64

  /// The instant that the network has reached.
  var now = Instant.start
  var down: PacketPipe
  var up: PacketPipe
  /// Two for each connection: the client's, then the server's.
  var endpoints: [Endpoint] = []
  var connections: [PacketConnection] = []
  var transfers: [PacketTransfer] = []
  var endpointTimers = TimerTree()
  var transferTimers = TimerTree()
  var notices = NoticeQueue()
  /// Where to take note of what comes, if somebody wants to know.
  var tape: PacketTape?
  /// The names that were looked up, and the transfers that wait for a connection.
  var knownNames: [ResolvedName] = []
  var queued: [Int] = []
  var schedule: LinkSchedule
  /// Counts the states of the link, each with random streams of its own.
  var randomEpoch = 0
  let randomKey: UInt64
  /// The time in which media came, for each user of the network.
  var counted: [CountedTime] = []

  /// How far the time is counted in which media came.
  struct CountedTime: Hashable, Sendable {
    var end = Instant.start
    /// Silences before that were not counted: the link may have carried in them what comes later.
    var silence = TimeSpan.zero
  }

  /// A name that a user of the network knows.
  struct ResolvedName: Hashable, Sendable {
    var owner: Int
    var host: Int
  }
  /// Whether hosts are as noisy as real ones.
  var hasHostNoise = false

  /// Creates a network on the first of some links, at the start of a run.
  init(links: [LinkProfile], changes: [LinkChange], policy: TransportPolicy, seed: UInt64) {
    precondition(!links.isEmpty, "a network must have a link")
    self.links = links
    self.changes = changes
    self.policy = policy
    self.seed = seed
    down = PacketPipe(links[0], isUp: false, origin: .start, at: .start)
    up = PacketPipe(links[0], isUp: true, origin: .start, at: .start)
    schedule = LinkSchedule(link: 0, origin: .start)
    randomKey = FlowRandom.key(seed: seed)
    schedule.plan(links[0].events, from: .zero)
  }

  // MARK: - What the user of the network does

  /// Makes a request and returns the number of its transfer.
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    moveClock(to: now)
    let number = transfers.count
    transfers.append(PacketTransfer(request, at: now))
    transferTimers.reserve(transfers.count)
    if policy.usesDNSLookup, request.answer == .nameNotResolved || !isNameKnown(request) {
      lookUp(number)
    } else if request.answer == .nameNotResolved {
      failWithoutLookup(number)
    } else {
      assign(number)
    }
    setTimer(ofTransfer: number)
    return number
  }

  /// Gives a transfer up.
  mutating func cancel(_ number: Int, at now: Instant) {
    moveClock(to: now)
    let connection = transfers[number].connection
    let wasAssigned = transfers[number].phase == .assigned
    let lookup = lookup(of: number)
    end(number)
    notices.forget(number)
    if let lookup { handOver(lookup, of: number) }
    if wasAssigned, connection >= 0 { withdraw(number, from: connection) }
  }

  /// Stops or resumes to read a response.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    moveClock(to: now)
    if transfers[number].isSuspended == isSuspended { return }
    transfers[number].isSuspended = isSuspended
    // Time without bytes does not count while nobody reads.
    transfers[number].heardAt = now
    transfers[number].lastBytesAt = nil
    setTimer(ofTransfer: number)
    let connection = transfers[number].connection
    guard transfers[number].phase == .assigned, connection >= 0 else { return }
    if !transfers[number].isSent {
      if !isSuspended, connections[connection].security == .ready { sendRequest(number) }
      return
    }
    if policy.http == .http1 {
      endpoints[2 * connection].receiver.setReading(!isSuspended)
      if !isSuspended, endpoints[2 * connection].phase == .open { acknowledge(2 * connection) }
    } else {
      enqueue(.limit, transfer: number, bytes: 13, from: 2 * connection)
      transmit(2 * connection)
    }
    // What has arrived meanwhile is heard at once, as the network's own event.
    if transfers[number].unread > 0 { setTimer(ofTransfer: number) }
  }

  /// Lets another link hold; packets that wait or are under way stay.
  mutating func use(link: Int, elapsed: TimeSpan, at now: Instant) {
    moveClock(to: now)
    changeLink(link, elapsed: elapsed)
  }

  /// Lets the link that holds have the numbers of another one, as if it had always had them.
  mutating func vary(link: Int, at now: Instant) {
    moveClock(to: now)
    varyLink(link)
  }

  /// Asks for a notice only when so many bytes of a transfer have arrived.
  mutating func watch(_ number: Int, for bytes: ByteCount) {
    transfers[number].watched = bytes.bytes
  }

  // MARK: - What the user sees

  /// The bytes of the body that have arrived in order.
  @inline(__always)
  func delivered(_ number: Int) -> ByteCount {
    ByteCount(bytes: body(number))
  }

  /// When the steps of a transfer were over.
  func times(_ number: Int) -> TransferTimes { transfers[number].times }

  // MARK: - Time

  /// When something happens next.
  @inline(__always)
  var nextInstant: Instant {
    min(
      min(down.nextArrival, up.nextArrival),
      min(min(endpointTimers.first, transferTimers.first), nextChange))
  }

  @inline(__always)
  private var nextChange: Instant {
    schedule.nextInstant(changes)
  }

  /// Lets happen what happens up to a limit, but no more than the first instant with a notice.
  ///
  /// Returns that instant; nil if there was no notice up to the limit.
  mutating func advance(notAfter limit: Instant) -> Instant? {
    while true {
      let next = nextInstant
      if notices.hasNext, next > now { return now }
      if next > limit || next == .never { return nil }
      precondition(next >= now, "time goes back")
      now = next
      if next == down.nextArrival {
        let packet = down.take()
        assert(packet.arrival == now, "a packet arrives at \(packet.arrival.nanoseconds) ns")
        connectionCount(packet, isUp: false)
        receive(packet, at: .client)
      } else if next == up.nextArrival {
        let packet = up.take()
        assert(packet.arrival == now, "a packet arrives at \(packet.arrival.nanoseconds) ns")
        connectionCount(packet, isUp: true)
        receive(packet, at: .server)
      } else if next == endpointTimers.first {
        timerFired(endpoint: endpointTimers.firstTimer)
      } else if next == transferTimers.first {
        timerFired(transfer: transferTimers.firstTimer)
      } else {
        change()
      }
    }
  }

  private mutating func moveClock(to instant: Instant) {
    precondition(instant >= now && nextInstant >= instant, "the network is not at that instant")
    now = instant
  }

  @inline(__always)
  private mutating func connectionCount(_ packet: Packet, isUp: Bool) {
    if packet.kind == .query || packet.kind == .answer { return }
    let connection = Int(packet.flow)
    assert(connections.indices.contains(connection), "a packet of connection \(connection)")
    if isUp {
      connections[connection].up.delivered += 1
    } else {
      connections[connection].down.delivered += 1
    }
  }

  /// The two sides of the link.
  enum Side: Int, Sendable {
    case client = 0
    case server = 1
  }

  // MARK: - Conservation

  /// Asserts that no packet has vanished and none came from nowhere.
  func checkConservation() {
    precondition(down.isConserved && up.isConserved, "a link has lost count of its packets")
    var sums = (up: 0, down: 0)
    for connection in connections {
      precondition(
        connection.up.inFlight >= 0 && connection.down.inFlight >= 0,
        "a connection has received more packets than were sent, \(connection.up.inFlight) up and "
          + "\(connection.down.inFlight) down are left")
      sums.up += connection.up.inFlight
      sums.down += connection.down.inFlight
    }
    precondition(
      sums.up <= up.underWay && sums.down <= down.underWay,
      "the connections have \(sums.up) packets up and \(sums.down) down, the link only "
        + "\(up.underWay) and \(down.underWay)")
  }
}
