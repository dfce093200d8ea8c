extension PacketNetwork {
  /// A client asks so often for a connection: at once, after one to five seconds, then after twice
  /// the time each (measured: Linux 6.18 with its four linear tries).
  private static let connectTriesMax = 10
  private static let linearTries = 5
  /// A server grants so often.
  private static let grantTriesMax = 6

  // MARK: - The pool

  /// Gives a transfer to a connection, or lets it wait for one.
  mutating func assign(_ number: Int) {
    let request = transfers[number].request
    var count = 0
    var best: Int?
    for index in connections.indices.reversed() {
      let connection = connections[index]
      guard connection.isAlive, !connection.isLeft, connection.pool == request.pool else {
        continue
      }
      count += 1
      if request.connection == .new { continue }
      if policy.http != .http1 {
        put(number, on: index)
        return
      }
      guard connection.transfers.isEmpty else { continue }
      // The connection that was used last has the best of windows.
      if best.map({ connections[$0].usedAt < connection.usedAt }) ?? true { best = index }
    }
    if let best {
      put(number, on: best)
    } else if policy.http != .http1 || request.connection == .new
      || count < policy.connectionsPerHost
    {
      connect(number)
    } else {
      transfers[number].phase = .queued
      queued.append(number)
    }
  }

  /// Gives the first transfer that waits for a host to a connection that has become free.
  private mutating func reuse(_ connection: Int) {
    let pool = connections[connection].pool
    guard let place = queued.firstIndex(where: { transfers[$0].request.pool == pool }) else {
      return
    }
    put(queued.remove(at: place), on: connection)
  }

  private mutating func put(_ number: Int, on connection: Int) {
    assert(connections[connection].isAlive, "connection \(connection) carries nothing more")
    assert(!connections[connection].transfers.contains(number), "transfer \(number) has it twice")
    transfers[number].phase = .assigned
    transfers[number].connection = connection
    // The time in which it waited for a connection is none without bytes.
    transfers[number].heardAt = now
    connections[connection].transfers.append(number)
    setTimer(ofTransfer: number)
    if connections[connection].security == .ready { sendRequest(number) }
  }

  /// Gives a transfer that waits for a host the room that a connection has left.
  private mutating func refill(after connection: Int) {
    let pool = connections[connection].pool
    guard let place = queued.firstIndex(where: { transfers[$0].request.pool == pool }) else {
      return
    }
    assign(queued.remove(at: place))
  }

  /// Makes a new connection for a transfer.
  private mutating func connect(_ number: Int) {
    let request = transfers[number].request
    let index = connections.count
    var ordinal = 0
    for connection in connections where connection.pool.owner == request.owner { ordinal += 1 }
    connections.append(PacketConnection(request.pool, ordinal: ordinal, at: now))
    for side in 0...1 { endpoints.append(newEndpoint(side: side, connection: index)) }
    assert(endpoints.count == 2 * connections.count, "\(endpoints.count) ends of connections")
    endpointTimers.reserve(endpoints.count)
    transfers[number].phase = .assigned
    transfers[number].connection = index
    transfers[number].heardAt = now
    connections[index].transfers.append(number)
    setTimer(ofTransfer: number)
    if policy.http == .http3 {
      endpoints[2 * index].phase = .open
      endpoints[2 * index + 1].phase = .open
      endpoints[2 * index].sender.begin(roundTrip: nil, at: now)
      endpoints[2 * index + 1].sender.begin(roundTrip: nil, at: now)
      secure(index, flight: 0)
      transmit(2 * index)
    } else {
      ask(connection: index, tries: 1)
    }
  }

  private func newEndpoint(side: Int, connection: Int) -> Endpoint {
    let isQUIC = policy.http == .http3
    let link = links[schedule.link]
    let bytes = Int(policy.segmentBytes(on: side == 0 ? link.up : link.down))
    // What a receiver takes for a full packet is what comes its way (tcp_measure_rcv_mss).
    let heardBytes = policy.segmentBytes(on: side == 0 ? link.down : link.up)
    let sender = Sender.SenderSettings(
      congestionControl: side == 0 ? .cubic : policy.congestionControl,
      isPaced: policy.isPaced && side == 1, initialWindow: policy.initialWindow,
      segmentBytes: bytes,
      timeoutMin: policy.retransmissionTimeoutMin,
      initialTimeout: policy.synTimeout, slowStartsAfterIdle: policy.restartsAfterIdle,
      isQUIC: isQUIC, number: connection,
      noiseKey: hasHostNoise ? FlowRandom.key(randomKey, -1 - connection) | 1 : 0,
      isQueueOwn: policy.isQueueInServer && side == 1)
    let receiver = Receiver.ReceiverSettings(
      delay: policy.acknowledgementWait,
      fixedWindow: side == 0 ? policy.receiveWindow?.bytes : nil, segmentBytes: heardBytes,
      isQUIC: isQUIC)
    // A server of QUIC stops at a limit that was asked for (RFC 9000, 4.1), and finds others raised
    // in time.
    let first = isQUIC && side == 1 ? .max / 2 : ReceiveWindow.first
    let edge = policy.receiveWindow?.bytes ?? first
    var endpoint = Endpoint(
      sender: Sender(sender, windowEdge: edge, at: now), receiver: Receiver(receiver))
    if isQUIC, sender.congestionControl == .none {
      // Nothing but the receive window: here that is all that may be under way.
      let window = policy.receiveLimit ?? ReceiveWindow.most
      endpoint.sender.window.size = max(1, Int(min(window / Int64(bytes), 1 << 28)))
    }
    return endpoint
  }

  // MARK: - The handshake

  /// Asks for a connection.
  mutating func ask(connection: Int, tries: Int) {
    let linear = min(tries, PacketNetwork.linearTries)
    let doublings = max(0, tries - PacketNetwork.linearTries)
    let wait =
      linear < PacketNetwork.linearTries || doublings == 0
      ? policy.synTimeout.nanoseconds : policy.synTimeout.nanoseconds << Int64(doublings)
    endpoints[2 * connection].phase = .connecting(
      tries: tries, nextAt: HostClock.instant(TimeSpan(nanoseconds: wait), after: now))
    var packet = Packet(.connect, flow: connection, wireBytes: WireSize.opening)
    packet.stamp = now
    send(packet, from: 2 * connection, at: now)
    setTimer(ofEndpoint: 2 * connection)
  }

  /// Grants a connection.
  mutating func grant(_ connection: Int, tries: Int, echo: Instant) {
    let wait = policy.synTimeout.nanoseconds << Int64(min(tries - 1, 6))
    let nextAt =
      tries < PacketNetwork.grantTriesMax
      ? HostClock.instant(TimeSpan(nanoseconds: wait), after: now) : Instant.never
    endpoints[2 * connection + 1].phase = .accepting(tries: tries, nextAt: nextAt)
    if tries == 1 { connections[connection].grantedAt = now }
    var packet = Packet(.accept, flow: connection, wireBytes: WireSize.opening)
    packet.stamp = now
    packet.echo = echo
    send(packet, from: 2 * connection + 1, at: now)
    setTimer(ofEndpoint: 2 * connection + 1)
  }

  /// The server hears that a connection is asked for.
  mutating func hearConnect(_ packet: Packet, _ connection: Int) {
    switch endpoints[2 * connection + 1].phase {
    case .closed: grant(connection, tries: 1, echo: packet.stamp)
    case .accepting(let tries, let nextAt):
      // The client has not heard: say it again, in the same rhythm.
      var again = Packet(.accept, flow: connection, wireBytes: WireSize.opening)
      again.stamp = now
      again.echo = packet.stamp
      send(again, from: 2 * connection + 1, at: now)
      endpoints[2 * connection + 1].phase = .accepting(tries: tries, nextAt: nextAt)
    case .open: acknowledge(2 * connection + 1)
    case .connecting, .ended: break
    }
  }

  /// The client hears that its connection is granted.
  mutating func hearAccept(_ packet: Packet, _ connection: Int) {
    let client = 2 * connection
    guard case .connecting = endpoints[client].phase else {
      if endpoints[client].phase == .open { acknowledge(client) }
      return
    }
    endpoints[client].phase = .open
    endpoints[client].sender.begin(roundTrip: now - packet.echo, at: now)
    connections[connection].connectedAt = now
    acknowledge(client)
    secure(connection, flight: 0)
    transmit(client)
  }

  /// The server hears the first packet on its connection: the handshake is over here too.
  mutating func hearConfirmation(_ packet: Packet, _ connection: Int) {
    let server = 2 * connection + 1
    guard case .accepting(let tries, _) = endpoints[server].phase else { return }
    endpoints[server].phase = .open
    let granted = packet.echo == .never ? connections[connection].grantedAt : packet.echo
    // A handshake that took more than one try of the server's, for a reason, begins with one
    // packet (RFC 5681, 3.1).
    let isSpurious = granted == connections[connection].grantedAt
    endpoints[server].sender.begin(roundTrip: now - granted, at: now)
    if tries > 2, !isSpurious { endpoints[server].sender.window.size = 1 }
  }

  /// Goes on with the handshake of TLS or QUIC from a flight of the client's.
  private mutating func secure(_ connection: Int, flight: Int) {
    let handshake = Handshake(policy)
    let flights = handshake.flights
    var flight = flight
    if flight < flights.count, !flights[flight].isFromServer {
      enqueue(.handshake, transfer: flight, bytes: flights[flight].bytes, from: 2 * connection)
      flight += 1
    }
    if flight >= handshake.flightsBeforeRequest,
      connections[connection].security != .ready
    {
      connections[connection].security = .ready
      connections[connection].connectedAt = connections[connection].connectedAt ?? now
      if !flights.isEmpty { connections[connection].securedAt = now }
      for number in connections[connection].transfers { sendRequest(number) }
    } else if connections[connection].security != .ready {
      connections[connection].security = .waiting(flight: flight)
    }
  }

  /// Takes the last bytes of a flight of a handshake.
  mutating func hearFlight(_ flight: Int, at side: Side, _ connection: Int) {
    switch side {
    case .server:
      let flights = Handshake(policy).flights
      if flight + 1 < flights.count {
        enqueue(
          .handshake, transfer: flight + 1, bytes: flights[flight + 1].bytes,
          from: 2 * connection + 1)
      }
    case .client:
      secure(connection, flight: flight + 1)
    }
  }

  // MARK: - The end of a connection

  /// Closes a connection; the server hears of it when a packet gets there.
  mutating func close(_ connection: Int) {
    guard connections[connection].isAlive else { return }
    connections[connection].isAlive = false
    let wasOpen = endpoints[2 * connection].phase == .open
    endEndpoint(2 * connection)
    if wasOpen {
      send(
        Packet(.reset, flow: connection, wireBytes: WireSize.acknowledgement),
        from: 2 * connection, at: now)
    }
    refill(after: connection)
  }

  /// Ends one end of a connection.
  mutating func endEndpoint(_ endpoint: Int) {
    endpoints[endpoint].phase = .ended
    endpoints[endpoint].sender.messages.removeAll()
    setTimer(ofEndpoint: endpoint)
    if endpoints[endpoint ^ 1].phase == .ended {
      endpoints[endpoint].sender.segments.release()
      endpoints[endpoint ^ 1].sender.segments.release()
    }
  }

  /// Loses a connection: its transfers are tried again on another, from where they were left.
  mutating func lose(_ connection: Int, _ reason: TransferFailure) {
    let numbers = connections[connection].transfers
    connections[connection].transfers = []
    connections[connection].isAlive = false
    endEndpoint(2 * connection)
    endEndpoint(2 * connection + 1)
    for number in numbers { retry(number, reason) }
    refill(after: connection)
  }

  private mutating func retry(_ number: Int, _ reason: TransferFailure) {
    transfers[number].tries += 1
    if transfers[number].tries > policy.retriesMax || reason == .cannotConnect {
      fail(number, reason)
      return
    }
    assert(body(number) >= transfers[number].offset, "a retry loses what has come")
    transfers[number].offset = body(number)
    transfers[number].wireBytes = 0
    transfers[number].unread = 0
    transfers[number].isSent = false
    transfers[number].serverReadyAt = .never
    transfers[number].expectedSegment = -1
    transfers[number].connection = -1
    assign(number)
    setTimer(ofTransfer: number)
  }

  /// Takes note that a transfer of a connection is over, and lets the next one have it.
  mutating func release(_ number: Int) {
    let connection = transfers[number].connection
    guard connection >= 0 else { return }
    connections[connection].transfers.removeAll { $0 == number }
    connections[connection].usedAt = now
    if closesAsUnused(connection) { return }
    if policy.http == .http1, connections[connection].isAlive { reuse(connection) }
  }

  /// How often a client sends something without an acknowledgement before a request that it gives
  /// up leaves the connection; assumed.
  private static let unansweredMax = 3

  /// Takes a transfer that is given up from its connection.
  ///
  /// HTTP/1.1 closes the connection, the others end the stream alone. Assumed: on one on which
  /// nothing is acknowledged, nothing is asked for again; a client would else wait for timers that
  /// have doubled to a minute.
  mutating func withdraw(_ number: Int, from connection: Int) {
    guard connections[connection].isAlive else { return }
    connections[connection].transfers.removeAll { $0 == number }
    if policy.http == .http1 { return close(connection) }
    if seemsDead(connection) { connections[connection].isLeft = true }
    if closesAsUnused(connection) { return }
    if transfers[number].isSent {
      enqueue(.cancel, transfer: number, bytes: 13, from: 2 * connection)
    }
    transmit(2 * connection)
  }

  private func seemsDead(_ connection: Int) -> Bool {
    let client = endpoints[2 * connection]
    if case .connecting(let tries, _) = client.phase { return tries >= Self.unansweredMax }
    return client.sender.backoff >= Self.unansweredMax
  }

  /// Closes a connection that was left, when nothing is under way on it any more.
  private mutating func closesAsUnused(_ connection: Int) -> Bool {
    guard connections[connection].isLeft, connections[connection].transfers.isEmpty else {
      return false
    }
    close(connection)
    return true
  }

  /// A try to connect, or to grant, has had no answer in time.
  mutating func retryHandshake(_ endpoint: Int) {
    switch endpoints[endpoint].phase {
    case .connecting(let tries, let nextAt) where nextAt <= now:
      if tries < PacketNetwork.connectTriesMax {
        ask(connection: endpoint >> 1, tries: tries + 1)
      } else {
        lose(endpoint >> 1, .cannotConnect)
      }
    case .accepting(let tries, let nextAt) where nextAt <= now:
      grant(endpoint >> 1, tries: tries + 1, echo: .never)
    case .closed, .connecting, .accepting, .open, .ended: break
    }
  }
}
