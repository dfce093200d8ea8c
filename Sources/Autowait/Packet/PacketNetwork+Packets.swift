extension PacketNetwork {
  /// Takes a packet that has arrived at a side.
  @inline(__always)
  mutating func receive(_ packet: Packet, at side: Side) {
    if packet.kind == .data {
      hearData(packet, at: 2 * Int(packet.flow) + side.rawValue, side)
    } else {
      hearOther(packet, at: side)
    }
  }

  private mutating func hearOther(_ packet: Packet, at side: Side) {
    let flow = Int(packet.flow)
    switch packet.kind {
    case .connect: hearConnect(packet, flow)
    case .accept: hearAccept(packet, flow)
    case .query: hearQuery(packet)
    case .answer: hearAnswer(packet)
    case .reset: if side == .server { endEndpoint(2 * flow + 1) } else { hearReset(flow) }
    case .probe:
      if endpoints[2 * flow + side.rawValue].phase == .open {
        acknowledge(2 * flow + side.rawValue)
      }
    case .data: break
    }
  }

  private mutating func hearReset(_ connection: Int) {
    if connections[connection].isAlive { lose(connection, .connectionLost) }
  }

  /// Takes an acknowledgement, then data, then sends what may go, then acknowledges.
  @inline(__always)
  private mutating func hearData(_ packet: Packet, at endpoint: Int, _ side: Side) {
    if endpoints[endpoint].phase != .open, !becomesOpen(packet, endpoint, side) { return }
    if packet.segment >= 0 {
      if endpoints[endpoint].receiver.mustAnswer(before: packet.segment) { acknowledge(endpoint) }
      let numbers = endpoints[endpoint].hear(packet, at: now)
      if numbers.count > 1 { addBytes(packet, numbers.dropFirst(), at: endpoint) }
      // The host acknowledges before a program gets to see what came.
      if endpoints[endpoint].receiver.answer(at: now) == .now { acknowledge(endpoint) }
      take(packet, numbers, at: endpoint, side)
    } else {
      endpoints[endpoint].hearAcknowledgement(packet, at: now)
    }
    transmitData(endpoint)
    setTimer(ofEndpoint: endpoint)
  }

  /// Counts what came in order behind a gap that a packet has filled.
  private mutating func addBytes(_ packet: Packet, _ numbers: Range<Int>, at endpoint: Int) {
    for number in numbers {
      let length = endpoints[endpoint ^ 1].sender.segments[number].length
      endpoints[endpoint].receiver.addBytes(
        Int64(length), echo: packet.echo, unread: numbers.upperBound - number - 1, at: now)
    }
  }

  /// What arrives at a closed end is answered with a reset; the first data opens a server's.
  private mutating func becomesOpen(_ packet: Packet, _ endpoint: Int, _ side: Side) -> Bool {
    if side == .server, case .accepting = endpoints[endpoint].phase {
      hearConfirmation(packet, endpoint >> 1)
      return true
    }
    if side == .client, endpoints[endpoint].phase == .ended, packet.segment >= 0 {
      send(
        Packet(.reset, flow: endpoint >> 1, wireBytes: WireSize.acknowledgement), from: endpoint,
        at: now)
    }
    return false
  }

  /// Hands over what has come in order, or at all where each stream is for itself.
  @inline(__always)
  private mutating func take(
    _ packet: Packet, _ numbers: Range<Int>, at endpoint: Int, _ side: Side
  ) {
    if policy.http == .http3 {
      takeStream(packet.segment, from: endpoint ^ 1, at: endpoint, side)
      return
    }
    for number in numbers {
      hear(endpoints[endpoint ^ 1].sender.segments[number], endpoint >> 1, side)
    }
  }

  private mutating func takeStream(_ number: Int, from peer: Int, at endpoint: Int, _ side: Side) {
    guard number >= endpoints[peer].sender.acknowledged else { return }
    var segment = endpoints[peer].sender.segments[number]
    if segment.marks.contains(.arrived) { return }
    endpoints[peer].sender.segments[number].marks.insert(.arrived)
    guard segment.message == .response else {
      hear(segment, endpoint >> 1, side)
      return
    }
    let transfer = Int(segment.transfer)
    var next = number
    while next > 0, transfers[transfer].expectedSegment == next {
      segment = endpoints[peer].sender.segments[next]
      guard segment.marks.contains(.arrived) else { break }
      let following = segment.nextOfTransfer
      transfers[transfer].expectedSegment = following == 0 ? -1 : following
      hear(segment, endpoint >> 1, side)
      next = following
    }
  }

  @inline(__always)
  private mutating func hear(_ segment: TCPSegment, _ connection: Int, _ side: Side) {
    switch segment.message {
    case .response: hearResponse(Int(segment.transfer), bytes: Int64(segment.length))
    case .request: hearRequest(Int(segment.transfer), bytes: Int64(segment.length))
    case .handshake:
      if segment.marks.contains(.ends) { hearFlight(Int(segment.transfer), at: side, connection) }
    case .cancel, .limit: hearControl(segment.message, Int(segment.transfer), connection)
    }
  }

  // MARK: - Sending

  /// Lets an end say something.
  mutating func enqueue(_ kind: Message.Kind, transfer: Int, bytes: Int64, from endpoint: Int) {
    endpoints[endpoint].sender.enqueue(
      Message(kind: kind, transfer: Int32(transfer), rest: bytes), at: now)
  }

  /// Sends what an end may send now, and sets its timers.
  mutating func transmit(_ endpoint: Int) {
    guard endpoints[endpoint].phase == .open else { return }
    transmitData(endpoint)
    setTimer(ofEndpoint: endpoint)
  }

  @inline(__always)
  private mutating func transmitData(_ endpoint: Int) {
    if endpoints[endpoint].sender.isIdle {
      // What waited for room may have been given up: nobody is to be woken for it.
      endpoints[endpoint].sender.roomAt = .never
      return
    }
    let before = endpoints[endpoint].sender.next
    let wasIdle = endpoints[endpoint].sender.segments.isEmpty
    repeat {
      var room = roomInQueue(for: endpoint)
      while room > 0, let packet = endpoints[endpoint].nextPacket(flow: endpoint >> 1, at: now) {
        put(packet, from: endpoint)
        room -= 1
        if room == 0 { room = roomInQueue(for: endpoint) }
      }
    } while endpoints[endpoint].sender.endBurst()
    endpoints[endpoint].sender.endSending(before: before, wasIdle: wasIdle, at: now)
  }

  /// How many packets of an end may go now as far as the queue in its own host is concerned.
  @inline(__always)
  private mutating func roomInQueue(for endpoint: Int) -> Int {
    endpoints[endpoint].sender.settings.isQueueOwn ? roomInOwnQueue(for: endpoint) : .max
  }

  private mutating func roomInOwnQueue(for endpoint: Int) -> Int {
    let flow = endpoint >> 1
    endpoints[endpoint].sender.roomAt = .never
    let burst = endpoints[endpoint].sender.nextBurst(at: now)
    if burst == 0 { return 0 }
    if let copy = endpoints[endpoint].sender.repeatedCopy(),
      down.holds(copy.segment, of: flow, sentAt: copy.sentAt, at: now)
    {
      return 0
    }
    let most = endpoints[endpoint].sender.queuedMax(before: burst, at: now)
    if let room = down.departure(leaving: most, of: flow, at: now) {
      endpoints[endpoint].sender.roomAt = room
      return 0
    }
    let size = Int32(clamping: endpoints[endpoint].sender.settings.segmentBytes)
    if down.hasRoom(for: size &+ Int32(WireSize.acknowledgement), at: now) { return burst }
    endpoints[endpoint].sender.findQueueFull(at: now)
    return 0
  }

  /// Puts a segment on the link.
  @inline(__always)
  private mutating func put(_ packet: Packet, from endpoint: Int) {
    if policy.http == .http3 { expect(packet.segment, from: endpoint) }
    send(packet, from: endpoint, at: packet.stamp)
  }

  /// A stream that waits for data will get it with this segment.
  private mutating func expect(_ number: Int, from endpoint: Int) {
    let segment = endpoints[endpoint].sender.segments[number]
    guard segment.message == .response, !segment.marks.contains(.arrived) else { return }
    let transfer = Int(segment.transfer)
    if transfers[transfer].expectedSegment == -1 { transfers[transfer].expectedSegment = number }
  }

  /// Acknowledges what has come.
  @inline(__always)
  mutating func acknowledge(_ endpoint: Int) {
    var packet = Packet(.data, flow: endpoint >> 1, wireBytes: policy.acknowledgementSize)
    packet.stamp = now
    endpoints[endpoint].receiver.acknowledge(in: &packet)
    send(packet, from: endpoint, at: now)
  }

  // MARK: - Timers

  /// Sets the timer of an end to what comes next; one that only moves back stays till it rings.
  @inline(__always)
  mutating func setTimer(ofEndpoint endpoint: Int) {
    let next = endpoints[endpoint].nextInstant(after: now)
    if next < endpointTimers[endpoint] { endpointTimers.set(endpoint, at: next) }
  }

  /// Does what is due at an end.
  mutating func timerFired(endpoint: Int) {
    if endpoints[endpoint].phase != .open {
      retryHandshake(endpoint)
    } else {
      openTimerFired(endpoint)
    }
    endpointTimers.set(endpoint, at: endpoints[endpoint].nextInstant(after: now))
  }

  private mutating func openTimerFired(_ endpoint: Int) {
    if endpoints[endpoint].receiver.answerAt <= now {
      endpoints[endpoint].receiver.endDelay(
        timeout: endpoints[endpoint].sender.estimate.timeout)
      acknowledge(endpoint)
    }
    if endpoints[endpoint].receiver.gatherUntil <= now { acknowledge(endpoint) }
    if endpoints[endpoint].sender.alarmAt <= now {
      if endpoints[endpoint].sender.timeouts > Sender.timeoutsMax {
        lose(endpoint >> 1, .connectionLost)
        return
      }
      switch endpoints[endpoint].sender.alarmRang(at: now) {
      case .nothing: break
      case .packet(let departure):
        put(endpoints[endpoint].packet(departure, flow: endpoint >> 1, at: now), from: endpoint)
      case .windowProbe:
        send(
          Packet(.probe, flow: endpoint >> 1, wireBytes: WireSize.acknowledgement),
          from: endpoint, at: now)
      }
    }
    transmitData(endpoint)
  }
}
