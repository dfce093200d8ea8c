extension FluidLink {
  /// Takes the first step of a transfer or a connection that is due; returns false if none is.
  mutating func takeNextStep(at now: Instant) -> Bool {
    for index in transfers.indices where takeStep(ofTransfer: index, at: now) { return true }
    for index in connections.indices where takeStep(ofConnection: index, at: now) { return true }
    return false
  }

  private mutating func takeStep(ofTransfer index: Int, at now: Instant) -> Bool {
    switch transfers[index].phase {
    case .naming(let until) where until <= now: fail(index, .nameNotResolved, at: now)
    case .connecting(let until) where until <= now: connected(index, at: now)
    case .asked(let until) where until <= now: respond(index, at: now)
    case .delayed(let until) where until <= now: begin(index, at: now)
    case .beginning(.zero): arrive(index, at: now)
    case .flowing where transfers[index].delivered == transfers[index].size:
      complete(index, at: now)
    case .discarded(.zero): forget(index, at: now)
    case .queued, .naming, .connecting, .asked, .delayed, .beginning, .flowing, .discarded:
      guard failsAt(index) <= now else { return false }
      timeOut(index, at: now)
    case .suspended, .completed, .failed: return false
    }
    return true
  }

  // MARK: To the server

  /// Finds a connection for a request, or makes one, or lets the request wait.
  mutating func assign(_ index: Int, at now: Instant) {
    let request = transfers[index].request
    if request.answer == .nameNotResolved {
      let known = policy.usesDNSLookup ? query(at: now) : now
      var failsAt = now + policy.nameSpan
      if case .naming(let until) = transfers[index].phase { failsAt = until }
      transfers[index].phase = .naming(until: min(known, failsAt))
      return
    }
    let pool = connections.indices.filter {
      connections[$0].pool == request.pool && !connections[$0].isClosing
    }
    if request.connection == .pooled || transfers[index].times.sent != nil {
      if policy.http != .http1, let only = pool.last {
        if connections[only].phase == .opening {
          takeOver(only, index, at: now)
        } else {
          send(index, on: only, at: now)
        }
        return
      }
      // The one that was used last has the largest window.
      let free = pool.filter { place in
        connections[place].phase == .idle
          && !transfers.contains { $0.connection == connections[place].number && !$0.isOver }
      }
      if let best = free.max(by: {
        connections[$0].window.lastSent < connections[$1].window.lastSent
      }) {
        send(index, on: best, at: now)
        return
      }
      if policy.http == .http1, pool.count >= policy.connectionsPerHost { return }
    }
    connect(index, at: now)
  }

  /// Makes a connection: every step of it is known at once, for nobody else is asked.
  private mutating func connect(_ index: Int, at now: Instant) {
    let request = transfers[index].request
    let name = lookUp(index, at: now)
    if name.knownAt == .never {
      transfers[index].phase = .naming(until: name.failsAt)
      return
    }
    let known = max(now, name.knownAt)
    if name.knownAt > now { transfers[index].times.nameResolved = name.knownAt }
    numberOfConnections += 1
    var exchange = FluidExchange(self)
    var ends = FluidEnds(window: FluidWindow(uploads, segment: packet.segment))
    let (connected, ready) = exchange.open(
      &ends, early: policy.wire(policy.requestSize.bytes + request.upload.bytes), at: known)
    transfers[index].times.connected = connected ?? ready
    if policy.tls != .none || policy.http == .http3 { transfers[index].times.secured = ready }
    connections.append(
      FluidConnection(
        number: numberOfConnections, for: request, ends: ends, exchange: exchange,
        segment: packet.segment))
    connections[connections.count - 1].handshake = FluidHandshake(
      begins: known, connected: connected, ready: ready)
    transfers[index].connection = numberOfConnections
    if policy.http == .http1, ready != .never {
      // Nobody else waits for this connection: when the request will be sent is known as well.
      connections[connections.count - 1].keepUnsent()
      send(index, on: connections.count - 1, at: ready)
      transfers[index].heardAt = lastStep(of: [known, connected ?? ready, ready], from: now)
    } else {
      transfers[index].phase = .connecting(until: ready)
    }
  }

  /// Gives a connection that is being made to a request, if the one that it was made for is gone.
  ///
  /// A client goes on with the handshake: the connection belongs to all requests of its pool.
  private mutating func takeOver(_ place: Int, _ index: Int, at now: Instant) {
    let number = connections[place].number
    let isTaken = transfers.contains {
      if case .connecting = $0.phase { $0.connection == number } else { false }
    }
    let handshake = connections[place].handshake
    // The name is looked up for all who wait for it.
    if handshake.begins > transfers[index].times.opened {
      transfers[index].times.nameResolved = handshake.begins
    }
    if isTaken { return }
    assert(connections[place].phase == .opening, "connection \(number) is made already")
    if handshake.ready <= now {
      // Nobody has waited for it: its last flight has gone up in the meantime.
      connections[place].ends.closing = nil
      connections[place].phase = .idle
      send(index, on: place, at: now)
      return
    }
    let opened = transfers[index].times.opened
    let connected = handshake.connected ?? handshake.ready
    if connected >= opened { transfers[index].times.connected = connected }
    if policy.tls != .none || policy.http == .http3 {
      transfers[index].times.secured = handshake.ready
    }
    transfers[index].connection = number
    transfers[index].phase = .connecting(until: handshake.ready)
  }

  /// Returns when the last of some steps is taken before one that takes too long, if one does.
  private func lastStep(of steps: [Instant], from start: Instant) -> Instant {
    var last = start
    for step in steps {
      if let timeout = policy.requestTimeout, step - last > timeout { break }
      last = max(last, step)
    }
    return last
  }

  /// Resolves the host's name, if it must be, and returns what is known of it.
  ///
  /// A resolver asks three times and gives up, for all who wait, as over packets.
  private mutating func lookUp(_ index: Int, at now: Instant) -> KnownName {
    let (owner, host) = (transfers[index].request.owner, transfers[index].request.host)
    if !policy.usesDNSLookup {
      return KnownName(owner: owner, host: host, knownAt: now, failsAt: .never)
    }
    names.removeAll { $0.knownAt == .never && $0.failsAt <= now }
    if let name = names.first(where: { $0.owner == owner && $0.host == host }) { return name }
    let (known, failsAt) = (query(at: now), now + policy.nameSpan)
    let isLate = known > failsAt
    assert(known >= now, "a name is known before it was asked for")
    let name = KnownName(
      owner: owner, host: host, knownAt: isLate ? .never : known, failsAt: failsAt)
    if isLate || links[condition].names.isCached { names.append(name) }
    return name
  }

  /// Asks again for the names for which a link would have had no answer in time, and returns those
  /// for which there is one now.
  private mutating func askForLateNames(at now: Instant) -> [KnownName] {
    var known: [KnownName] = []
    for place in names.indices where names[place].knownAt == .never {
      let instant = query(at: now)
      if instant > names[place].failsAt { continue }
      assert(instant >= now, "a name is known before it was asked for again")
      names[place].knownAt = instant
      known.append(names[place])
    }
    return known
  }

  /// Asks for a name and returns when the answer is there, whatever it is.
  private mutating func query(at now: Instant) -> Instant {
    var exchange = FluidExchange(self)
    upFreeAt = max(
      upFreeAt, up.passage(of: DataAmount(ByteCount(bytes: WireSize.nameQuery)), from: now))
    return exchange.ask(
      WireSize.nameQuery, WireSize.nameAnswer, delay: links[condition].names.delay, at: now)
  }

  private mutating func connected(_ index: Int, at now: Instant) {
    guard let place = connections.firstIndex(where: { $0.number == transfers[index].connection })
    else { preconditionFailure("a connection vanished before it was made") }
    connections[place].phase = .idle
    send(index, on: place, at: now)
    if policy.http != .http1 { serveQueued(at: now) }
  }

  /// Sends a request on a connection that is there, behind what else is sent up then.
  ///
  /// What is sent at once makes later bytes wait; what is only planned does not.
  ///
  /// That of a transfer that is suspended waits for it to be resumed, with its connection.
  private mutating func send(_ index: Int, on place: Int, at now: Instant) {
    transfers[index].connection = connections[place].number
    if transfers[index].isHeld {
      transfers[index].times.sent = nil
      transfers[index].phase = .suspended
      return
    }
    transfers[index].times.sent = now
    transfers[index].heardAt = now
    var exchange = FluidExchange(
      self, upFreeAt: connections[place].upFreeAt, downFreeAt: connections[place].downFreeAt)
    let isFresh = connections[place].isFresh
    let heardAt = isFresh ? connections[place].handshake.ready : connections[place].heardAt
    exchange.answerLate(&connections[place].ends, heardAt: heardAt, before: now)
    connections[place].ends.client.rest(from: heardAt, to: now, policy)
    if !isFresh { exchange.close(&connections[place].ends, before: now) }
    let data = policy.wire(policy.requestSize.bytes + transfers[index].request.upload.bytes)
    exchange.breakSilence(
      before: data, &connections[place].ends, timeout: connections[place].window.timeout, at: now)
    let there = exchange.request(data, &connections[place].ends, at: now)
    if let roundTrip = connections[place].ends.roundTripOfRequest {
      connections[place].ends.roundTripOfRequest = nil
      connections[place].window.sample(
        roundTrip, beginsRound: connections[place].ends.answerBeginsRound)
      connections[place].ends.answerBeginsRound = true
      connections[place].paceKept = paceKept(by: connections[place].window)
    }
    if now <= anchor { upFreeAt = exchange.upFreeAt }
    if exchange.copying > .zero {
      // Acknowledgements of the response wait behind what was sent again.
      let end = down.passage(of: transfers[index].size, from: there)
      if exchange.copying.times(Self.shareOfUnsure) > end - now {
        connections[place].isUnsure = true
      }
    }
    let serverDelay = policy.serverDelay + transfers[index].request.boundedServerDelay
    exchange.reply(after: serverDelay, &connections[place].ends, heardAt: there)
    transfers[index].phase = .asked(
      until: max(there + serverDelay + down.delay, exchange.downFreeAt))
  }

  /// Gives connections that are free to requests that wait.
  mutating func serveQueued(at now: Instant) {
    for index in transfers.indices where transfers[index].phase == .queued {
      assign(index, at: now)
    }
  }

  // MARK: From the server

  /// The response has reached the link: it waits behind what others have there.
  private mutating func respond(_ index: Int, at now: Instant) {
    if let place = connectionPlace(of: index) {
      if connections[place].phase == .opening { connections[place].phase = .idle }
      connections[place].unsent = nil
    }
    let others = backlog(besides: transfers[index].connection)
    let start = others == .zero ? now : down.passage(of: others, from: now)
    if start > now {
      transfers[index].phase = .delayed(until: start)
    } else {
      begin(index, at: now)
    }
  }

  /// Lets the first packet of a response onto the link.
  ///
  /// The body's bytes in it come all at once. What the last packet, which may be short, has too
  /// much of headers is paid with the first, so that all others are alike.
  private mutating func begin(_ index: Int, at now: Instant) {
    let rest = transfers[index].size - transfers[index].delivered
    let head = policy.headerSize(ofBody: rest.begunBytes)
    let records = policy.wire(head + rest.begunBytes.bytes) - head - rest.begunBytes.bytes
    let data = rest + DataAmount(ByteCount(bytes: head + records))
    let count = (data.begunBytes.bytes + packet.segment - 1) / packet.segment
    let leap = min(rest, DataAmount(ByteCount(bytes: leap(behind: head))))
    let all = data + DataAmount(ByteCount(bytes: count * packet.header))
    let later = packet.carried(for: rest - leap)
    transfers[index].leap = leap
    transfers[index].phase = .beginning(left: all - min(all, later))
    guard let place = connectionPlace(of: index) else { return }
    let first = min(packet.size, outstanding(of: index))
    let arrival = down.passage(of: first, from: now)
    connections[place].ends.hearAnswer(at: arrival)
    transfers[index].begun = FluidTransfer.Beginning(at: now, ahead: discarded(on: place))
    if connections[place].isBusy { return }
    let isFresh = connections[place].isFresh
    let heardAt = isFresh ? connections[place].handshake.ready : connections[place].heardAt
    if arrival != .never, arrival > heardAt {
      connections[place].ends.client.hear(
        after: arrival - heardAt, timeout: connections[place].ends.window.timeout)
    }
    startBusyTime(place, at: now)
  }

  /// What of a body comes with the first byte that can be read: that of the first packet, or of
  /// the packets that the first record takes.
  private func leap(behind head: Int64) -> Int64 {
    let segment = packet.segment
    guard policy.hasRecords else { return segment - head % segment }
    let record = TLSRecord.bytes + TLSRecord.overhead
    let records = head / TLSRecord.bytes + 1
    let packets = (records * record + segment - 1) / segment
    return packets * segment - head - records * TLSRecord.overhead
  }

  /// The first packet of a response has arrived.
  private mutating func arrive(_ index: Int, at now: Instant) {
    if transfers[index].times.firstByte == nil {
      transfers[index].times.firstByte = now
      tell(.responseBegan(transfers[index].number))
    }
    transfers[index].delivered += transfers[index].leap
    transfers[index].leap = .zero
    transfers[index].phase = .flowing
    if transfers[index].isHeld, transfers[index].delivered < transfers[index].size {
      suspend(index, at: now)
      return
    }
  }

  private mutating func complete(_ index: Int, at now: Instant) {
    assert(transfers[index].times.firstByte != nil, "a response ends before it begins")
    transfers[index].times.completed = now
    transfers[index].phase = .completed
    tell(.completed(transfers[index].number))
    let answer = DataAmount(ByteCount(bytes: policy.acknowledgementSize))
    upFreeAt = up.passage(of: answer, from: max(now, upFreeAt))
    endService(of: index, at: now)
  }

  /// Returns the place of a transfer's connection.
  func connectionPlace(of index: Int) -> Int? {
    connections.firstIndex { $0.number == transfers[index].connection }
  }

  /// Lets a connection rest if it has nothing more to send, and gives it to who waits for it.
  private mutating func endService(of index: Int, at now: Instant) {
    if let place = connectionPlace(of: index), connections[place].isBusy,
      outstanding(on: place) == .zero
    {
      endBusyTime(place, at: now)
    }
    serveQueued(at: now)
  }
}

// MARK: - Ends before the end

extension FluidLink {
  /// Removes what is left of a transfer that was given up, and its connection if that has ended.
  private mutating func forget(_ index: Int, at now: Instant) {
    let number = transfers[index].connection
    let place = connectionPlace(of: index)
    transfers.remove(at: index)
    guard let place else { return }
    if connections[place].isClosing {
      connections.remove(at: place)
      fail(onConnection: number, at: now)
    } else if connections[place].isBusy, outstanding(on: place) == .zero {
      endBusyTime(place, at: now)
    }
    serveQueued(at: now)
  }

  /// Ends a transfer for which no byte came for too long.
  private mutating func timeOut(_ index: Int, at now: Instant) {
    var failure = TransferFailure.timedOut
    switch transfers[index].phase {
    case .naming: failure = .nameNotResolved
    case .connecting:
      let isNamed = transfers[index].times.nameResolved ?? .start <= now
      failure = isNamed ? .cannotConnect : .nameNotResolved
    case .queued, .asked, .delayed, .beginning, .flowing, .suspended, .discarded, .completed,
      .failed:
      break
    }
    fail(index, failure, at: now)
    if let place = connectionPlace(of: index), endsConnection(place, at: now) {
      connections.remove(at: place)
    }
    serveQueued(at: now)
  }

  /// Ends a transfer without its body.
  private mutating func fail(_ index: Int, _ failure: TransferFailure, at now: Instant) {
    transfers[index].phase = .failed(failure)
    transfers[index].times.forget(after: now)
    tell(.failed(transfers[index].number, failure))
  }

  /// Tries the requests again that a connection has carried, from where they were left.
  private mutating func fail(onConnection number: Int, at now: Instant) {
    // What was given up is nobody's request any more.
    transfers.removeAll {
      if case .discarded = $0.phase { $0.connection == number } else { false }
    }
    for index in transfers.indices
    where transfers[index].connection == number && !transfers[index].isOver {
      transfers[index].connection = 0
      transfers[index].leap = .zero
      if transfers[index].triesLeft == 0 {
        fail(index, .connectionLost, at: now)
      } else {
        transfers[index].triesLeft -= 1
        transfers[index].phase = .queued
        transfers[index].times.forget(after: now)
      }
    }
  }

  /// Lets requests try again that the link before would never have carried.
  mutating func retryStuck(at now: Instant) {
    let late = askForLateNames(at: now)
    for index in transfers.indices {
      switch transfers[index].phase {
      case .naming: assign(index, at: now)
      case .connecting(until: .never):
        connections.removeAll { $0.number == transfers[index].connection }
        transfers[index].connection = 0
        assign(index, at: now)
      case .asked(until: .never):
        if let place = connectionPlace(of: index) { send(index, on: place, at: now) }
      case .delayed(until: .never): transfers[index].phase = .delayed(until: now)
      case .queued, .connecting, .asked, .delayed, .beginning, .flowing, .suspended, .discarded,
        .completed, .failed:
        break
      }
    }
    if !links[condition].names.isCached { names.removeAll { late.contains($0) } }
    for index in connections.indices where connections[index].isBusy {
      if connections[index].roundEnd == .never {
        connections[index].roundEnd = acknowledgement(for: index, from: now)
      }
    }
    serveQueued(at: now)
  }

  /// Leaves a link on which nothing gets through for another one: what was to wait until the
  /// outage is over goes on at once, and what a device loses that is offline is lost.
  ///
  /// Assumed: what waits before the old link passes in no time; it is a few small packets.
  mutating func leaveOutage(at now: Instant) {
    up.advance(to: now)
    down.advance(to: now)
    if handovers.contains(where: { $0.start <= now && $0.endsConnections }) {
      endConnections(at: now)
    }
    guard let end = up.outageEnd ?? down.outageEnd else { return }
    assert(end > now, "an outage is left that was over at \(end)")
    upFreeAt = min(upFreeAt, now)
    for index in transfers.indices {
      switch transfers[index].phase {
      case .connecting(let until) where until >= end:
        transfers[index].phase = .connecting(until: .never)
      case .asked(let until) where until >= end: transfers[index].phase = .asked(until: .never)
      case .queued, .naming, .connecting, .asked, .delayed, .beginning, .flowing, .suspended,
        .discarded, .completed, .failed:
        break
      }
    }
    for index in connections.indices {
      connections[index].free(at: now)
      if connections[index].roundEnd >= end { connections[index].roundEnd = .never }
    }
    names.removeAll { $0.knownAt >= end && $0.knownAt != .never }
    // Who still waits for such a connection asks for another one on the link that follows.
    let waiting = transfers.compactMap {
      if case .connecting = $0.phase { $0.connection } else { nil }
    }
    connections.removeAll {
      $0.phase == .opening && $0.handshake.ready >= end && !waiting.contains($0.number)
    }
  }

  /// Ends all connections, and what goes on over them.
  private mutating func endConnections(at now: Instant) {
    let numbers = connections.map { $0.number }
    connections.removeAll()
    transfers.removeAll { if case .discarded = $0.phase { true } else { false } }
    // A device that is offline has given all up, and what it has asked of a resolver is lost.
    names.removeAll { name in
      name.knownAt > now
        && !transfers.contains { $0.request.owner == name.owner && $0.request.host == name.host }
    }
    for number in numbers { fail(onConnection: number, at: now) }
  }

  /// Goes over to another way when the gap of a handover ends.
  mutating func takeHandovers(at now: Instant) {
    while let handover = handovers.first, handover.end <= now {
      handovers.removeFirst()
      if handover.endsConnections { endConnections(at: now) }
      if let link = handover.link {
        use(link: link, at: now)
        retryStuck(at: now)
      } else {
        serveQueued(at: now)
      }
    }
  }

  /// Stops the reading of a transfer: the receive window closes.
  mutating func suspend(_ index: Int, at now: Instant) {
    transfers[index].isHeld = true
    if let sent = transfers[index].times.sent, sent > now {
      // What was planned to be sent is not: a task that is suspended produces no traffic.
      transfers[index].times.sent = nil
      transfers[index].phase = .suspended
      if let place = connectionPlace(of: index) { connections[place].forgetSent() }
      return
    }
    guard transfers[index].phase == .flowing else { return }
    transfers[index].phase = .suspended
    if let place = connectionPlace(of: index), connections[place].isBusy,
      outstanding(on: place) == .zero
    {
      endBusyTime(place, at: now)
    }
  }

  /// Sends the request of a transfer that was suspended before that, as soon as its connection is
  /// there.
  private mutating func sendLate(_ index: Int, at now: Instant) {
    guard let place = connectionPlace(of: index), connections[place].handshake.ready != .never
    else {
      // It never will be, or is lost.
      connections.removeAll { $0.number == transfers[index].connection }
      transfers[index].connection = 0
      transfers[index].phase = .queued
      return assign(index, at: now)
    }
    let ready = connections[place].handshake.ready
    assert(!transfers[index].isHeld, "transfer \(transfers[index].number) is suspended, and sent")
    if connections[place].phase == .opening, ready <= now { connections[place].phase = .idle }
    send(index, on: place, at: max(now, ready))
    transfers[index].heardAt = now
  }

  /// Resumes the reading of a transfer; the sender hears of it half a round trip later.
  mutating func resume(_ index: Int, at now: Instant) {
    guard transfers[index].isHeld else { return }
    transfers[index].isHeld = false
    transfers[index].heardAt = max(transfers[index].heardAt, now)
    guard transfers[index].phase == .suspended else { return }
    if transfers[index].times.sent == nil { return sendLate(index, at: now) }
    transfers[index].phase = .flowing
    guard let place = connectionPlace(of: index), !connections[place].isBusy else { return }
    startBusyTime(place, at: now)
    connections[place].phase = .gap
    connections[place].left = .zero
    connections[place].roundEnd = now + up.delay + down.delay
  }
}
