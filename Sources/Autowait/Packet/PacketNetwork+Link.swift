extension PacketNetwork {
  /// Lets happen to the link what is due.
  mutating func change() {
    while let stroke = weather.next(changes, at: now) {
      switch stroke {
      case .change(let change): changeLink(change.link, elapsed: change.elapsed)
      case .event(.blackout(let span, let drops)): blackOut(until: now + span, drops)
      case .event(.handover(let handover)): beginHandover(handover)
      case .arrival(let handover): endHandover(handover)
      }
    }
  }

  /// Lets another link hold.
  mutating func changeLink(_ link: Int, elapsed: TimeSpan) {
    let origin = Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds)
    down.use(links[link], origin: origin, at: now)
    up.use(links[link], origin: origin, at: now)
    weather.use(link: link, origin: origin)
    weather.plan(links[link].events, from: elapsed)
    diceEpoch += 1
  }

  /// Lets the link that holds have the numbers of another one, as if it had always had them.
  mutating func varyLink(_ link: Int) {
    down.vary(links[link], origin: weather.origin, at: now)
    up.vary(links[link], origin: weather.origin, at: now)
    weather.vary(link: link, links[link].events)
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
    weather.beginHandover(handover, until: now + handover.gap)
  }

  private mutating func endHandover(_ handover: LinkEvent.Handover) {
    if let link = handover.link { changeLink(link, elapsed: .zero) }
    guard handover.endsConnections else { return }
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
      if up.throwsDice { prepareDice(connection) }
      connections[connection].up.sent += 1
      switch up.offer(packet, at: instant, &connections[connection].upDice) {
      case .carried: break
      case .carriedTwice: connections[connection].up.sent += 1
      case .dropped: connections[connection].up.dropped += 1
      }
    } else {
      if down.throwsDice { prepareDice(connection) }
      connections[connection].down.sent += 1
      switch down.offer(packet, at: instant, &connections[connection].downDice) {
      case .carried: break
      case .carriedTwice: connections[connection].down.sent += 1
      case .dropped: connections[connection].down.dropped += 1
      }
    }
  }

  /// A connection has its own dice for each state of the link.
  private mutating func prepareDice(_ connection: Int) {
    if connections[connection].diceEpoch == diceEpoch { return }
    connections[connection].diceEpoch = diceEpoch
    let key = flowKey(
      owner: connections[connection].owner, ordinal: connections[connection].ordinal)
    connections[connection].upDice = [FlowDice(key: FlowDice.key(key, 1))]
    connections[connection].downDice = [FlowDice(key: FlowDice.key(key, 0))]
  }

  /// The key of a flow: the state of the link, its user, and its number among those of the user.
  func flowKey(owner: Int, ordinal: Int) -> UInt64 {
    FlowDice.key(FlowDice.key(FlowDice.key(diceKey, diceEpoch), owner), ordinal)
  }
}
