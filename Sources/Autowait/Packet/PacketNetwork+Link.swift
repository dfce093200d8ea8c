extension PacketNetwork {
  /// Lets happen to the link what is due.
  mutating func change() {
    while let occurrence = schedule.next(changes, at: now) {
      switch occurrence {
      case .change(let change): changeLink(change.link, elapsed: change.elapsed)
      case .event(.blackout(let span, let drops)): blackOut(until: now + span, drops)
      case .event(.offline(let span)):
        beginHandover(LinkEvent.Handover(gap: span, flushesQueue: true, endsConnections: true))
      case .event(.handover(let handover)): beginHandover(handover)
      case .arrival(let handover): endHandover(handover)
      }
    }
  }

  /// Lets another link hold.
  mutating func changeLink(_ link: Int, elapsed: TimeSpan) {
    // What was under way when the device went offline is lost, for however long it did.
    if schedule.endsConnections { loseConnections() }
    let origin = Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds)
    down.use(links[link], origin: origin, at: now)
    up.use(links[link], origin: origin, at: now)
    schedule.use(link: link, origin: origin)
    schedule.plan(links[link].events, from: elapsed)
    randomEpoch += 1
  }

  /// Lets the link that holds have the numbers of another one, as if it had always had them.
  mutating func varyLink(_ link: Int) {
    down.vary(links[link], origin: schedule.origin, at: now)
    up.vary(links[link], origin: schedule.origin, at: now)
    schedule.vary(link: link, links[link].events)
  }

  private mutating func blackOut(until end: Instant, _ drops: LinkEvent.Dropped) {
    if drops == .inFlight || drops == .both { flush(underWay: true) }
    if drops == .new || drops == .both {
      down.loseNew(until: end)
      up.loseNew(until: end)
    } else {
      down.hold(until: end, at: now)
      up.hold(until: end, at: now)
    }
  }

  private mutating func beginHandover(_ handover: LinkEvent.Handover) {
    if handover.flushesQueue { flush(underWay: false) }
    down.hold(until: now + handover.gap, at: now)
    up.hold(until: now + handover.gap, at: now)
    schedule.beginHandover(handover, until: now + handover.gap)
  }

  private mutating func endHandover(_ handover: LinkEvent.Handover) {
    if let link = handover.link { changeLink(link, elapsed: .zero) }
    if handover.endsConnections { loseConnections() }
  }

  private mutating func loseConnections() {
    for connection in connections.indices where connections[connection].isAlive {
      lose(connection, .connectionLost)
    }
  }

  private mutating func flush(underWay: Bool) {
    for packet in down.flush(underWay: underWay, at: now) { countDropped(packet, isUp: false) }
    for packet in up.flush(underWay: underWay, at: now) { countDropped(packet, isUp: true) }
  }

  private mutating func countDropped(_ packet: Packet, isUp: Bool) {
    if packet.kind == .query || packet.kind == .answer { return }
    let connection = Int(packet.flow)
    if isUp {
      connections[connection].up.dropped += 1
    } else {
      connections[connection].down.dropped += 1
    }
  }

  // MARK: - Putting packets on the link

  /// Puts a packet of a connection on the link.
  @inline(__always)
  mutating func send(_ packet: Packet, from endpoint: Int, at instant: Instant) {
    let connection = endpoint >> 1
    if endpoint & 1 == 0 {
      if up.drawsRandom { prepareRandom(connection) }
      connections[connection].up.sent += 1
      switch up.offer(packet, at: instant, &connections[connection].upRandom) {
      case .carried: break
      case .carriedTwice: connections[connection].up.sent += 1
      case .dropped: connections[connection].up.dropped += 1
      }
    } else {
      if down.drawsRandom { prepareRandom(connection) }
      connections[connection].down.sent += 1
      switch down.offer(packet, at: instant, &connections[connection].downRandom) {
      case .carried: break
      case .carriedTwice: connections[connection].down.sent += 1
      case .dropped: connections[connection].down.dropped += 1
      }
    }
  }

  /// A connection has its own random streams for each state of the link.
  private mutating func prepareRandom(_ connection: Int) {
    if connections[connection].randomEpoch == randomEpoch { return }
    connections[connection].randomEpoch = randomEpoch
    let key = flowKey(
      owner: connections[connection].pool.owner, ordinal: connections[connection].ordinal)
    connections[connection].upRandom = [FlowRandom(key: FlowRandom.key(key, 1))]
    connections[connection].downRandom = [FlowRandom(key: FlowRandom.key(key, 0))]
  }

  /// The key of a flow: the state of the link, its user, and its number among those of the user.
  func flowKey(owner: Int, ordinal: Int) -> UInt64 {
    FlowRandom.key(FlowRandom.key(FlowRandom.key(randomKey, randomEpoch), owner), ordinal)
  }
}
