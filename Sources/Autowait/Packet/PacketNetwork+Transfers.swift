extension PacketNetwork {
  /// What the server may send of a stream that the client does not read.
  ///
  /// Assumed: a megabyte.
  private static let streamWindow: Int64 = 1_048_576

  /// The longest silence within a response that belongs to its transfer; a longer one is dead air.
  ///
  /// Assumed: a second, the least retransmission timeout of RFC 6298.
  private static let silenceMax = TimeSpan.seconds(1)

  // MARK: - Bytes

  /// Returns what bytes on the wire tell: a record can be opened when it is whole.
  @inline(__always)
  private func plain(_ wire: Int64, of whole: Int64) -> Int64 {
    if !policy.hasRecords { return wire }
    if wire == policy.wire(whole) { return whole }
    return wire / (TLSRecord.bytes + TLSRecord.overhead) * TLSRecord.bytes
  }

  @inline(__always)
  private func responseBytes(_ number: Int) -> Int64 {
    transfers[number].headerBytes(policy) + transfers[number].restBytes
  }

  /// The bytes of the body that have arrived.
  @inline(__always)
  func body(_ number: Int) -> Int64 {
    let plain = plain(transfers[number].wireBytes, of: responseBytes(number))
    return transfers[number].offset + max(0, plain - transfers[number].headerBytes(policy))
  }

  // MARK: - The client

  /// Sends the request of a transfer whose connection is ready.
  ///
  /// "A task, while suspended, produces no network traffic" (`URLSessionTask.suspend()`): its
  /// connection is made, and the request waits.
  mutating func sendRequest(_ number: Int) {
    let connection = transfers[number].connection
    if transfers[number].isSent || transfers[number].isSuspended { return }
    transfers[number].isSent = true
    transfers[number].heardAt = now
    if transfers[number].times.sent == nil { transfers[number].times.sent = now }
    if !connections[connection].hasCarried {
      connections[connection].hasCarried = true
      // One that was made for a request that was given up may be older than this one.
      let opened = transfers[number].times.opened
      let (linked, safe) = (connections[connection].connectedAt, connections[connection].securedAt)
      transfers[number].times.connected = linked.flatMap { $0 < opened ? nil : $0 }
      transfers[number].times.secured = safe.flatMap { $0 < opened ? nil : $0 }
    }
    let bytes = policy.wire(policy.requestSize.bytes + transfers[number].request.upload.bytes)
    transfers[number].requestRest = bytes
    enqueue(.request, transfer: number, bytes: bytes, from: 2 * connection)
    if policy.http == .http1 { endpoints[2 * connection].receiver.setReading(true) }
    transmit(2 * connection)
  }

  /// Takes bytes of a response.
  @inline(__always)
  mutating func hearResponse(_ number: Int, bytes: Int64) {
    guard transfers[number].phase == .assigned else { return }
    // Who does not read hears of the beginning all the same, as on the fluid tier.
    if transfers[number].isSuspended, transfers[number].times.firstByte != nil {
      transfers[number].unread &+= bytes
      return
    }
    let isFirst = transfers[number].times.firstByte == nil
    let before = isFirst ? 0 : body(number)
    transfers[number].wireBytes &+= bytes
    transfers[number].heardAt = now
    transfers[number].lastByte = now
    countActive(number, bytes: bytes)
    let whole = responseBytes(number)
    let told = plain(transfers[number].wireBytes, of: whole)
    assert(told <= whole, "\(told) bytes of a response of \(whole)")
    if isFirst, told > 0 {
      transfers[number].times.firstByte = now
      notices.append(.responseBegan(number))
    }
    if told == whole {
      complete(number, isFirst: isFirst)
      return
    }
    if tape != nil { note(number, isFirst: isFirst && told > 0) }
    if told > 0 {
      let after =
        transfers[number].offset + max(0, told - transfers[number].headerBytes(policy))
      if after > before, after >= transfers[number].watched { notices.append(.arrived(number)) }
    }
  }

  /// Counts the time since the last bytes, as far as no other response has been counted in it.
  ///
  /// Of the first bytes, and of those after a silence, it is the time in which the link carried
  /// their packets: without it, data would have come in no time. What came behind a lost packet is
  /// heard at once when that one has come again: the link has carried it in the silence before.
  private mutating func countActive(_ number: Int, bytes: Int64) {
    let last = transfers[number].lastBytesAt
    transfers[number].lastBytesAt = now
    if !transfers[number].request.isMedia { return }
    let owner = transfers[number].request.owner
    while counted.count <= owner { counted.append(CountedTime()) }
    let span = now - min(now, max(last ?? .start, counted[owner].end))
    let silence = now - min(now, last ?? transfers[number].times.sent ?? now)
    counted[owner].end = now
    if silence > PacketNetwork.silenceMax {
      let carried = min(span, carrying(bytes))
      transfers[number].active += carried
      counted[owner].silence += min(span, silence) - min(carried, silence)
    } else if last == nil {
      transfers[number].active += min(span, carrying(bytes))
    } else {
      transfers[number].active += span
      if counted[owner].silence != .zero { countSilence(number, bytes: bytes, after: span) }
    }
  }

  /// Counts as much of a silence as the link took for bytes that came in less time than that.
  ///
  /// A piece of a packet is left out: the packet has been counted.
  private mutating func countSilence(_ number: Int, bytes: Int64, after span: TimeSpan) {
    if bytes < policy.segmentBytes(on: down.direction) { return }
    let owner = transfers[number].request.owner
    let late = min(max(carrying(bytes), span) - span, counted[owner].silence)
    transfers[number].active += late
    counted[owner].silence = counted[owner].silence - late
  }

  /// The time in which the link carries some bytes of a response.
  private func carrying(_ bytes: Int64) -> TimeSpan {
    let segment = policy.segmentBytes(on: down.direction)
    let packets = (bytes + segment - 1) / segment
    return down.span(of: bytes + packets * policy.packetOverhead, packets: packets)
  }

  /// Takes note on the tape of what has come.
  private mutating func note(_ number: Int, isFirst: Bool, end: PacketTape.End? = nil) {
    if tape == nil { return }
    let (transfer, body) = (transfers[number], body(number))
    tape?.note(
      PacketTape.Arrival(
        instant: now, body: body, active: transfer.active, transfer: Int32(number),
        isFirst: isFirst, end: end), transfer.times)
  }

  private mutating func complete(_ number: Int, isFirst: Bool) {
    assert(transfers[number].phase == .assigned, "transfer \(number) is over twice")
    transfers[number].phase = .over
    transfers[number].times.completed = now
    notices.append(.completed(number))
    note(number, isFirst: isFirst, end: .completed)
    checkConservation()
    release(number)
  }

  /// Takes a transfer out of everything that waits.
  mutating func end(_ number: Int) {
    transfers[number].phase = .over
    queued.removeAll { $0 == number }
    setTimer(ofTransfer: number)
  }

  /// Ends a transfer that failed.
  mutating func fail(_ number: Int, _ failure: TransferFailure) {
    let connection = transfers[number].connection
    let wasAssigned = transfers[number].phase == .assigned
    let lookup = lookup(of: number)
    end(number)
    notices.append(.failed(number, failure))
    note(number, isFirst: false, end: .failed(failure))
    if let lookup { handOver(lookup, of: number) }
    if wasAssigned, connection >= 0 { withdraw(number, from: connection) }
  }

  // MARK: - The server

  /// Takes bytes of a request; a whole one is answered after the server's delay.
  mutating func hearRequest(_ number: Int, bytes: Int64) {
    transfers[number].requestRest -= bytes
    assert(transfers[number].requestRest >= 0, "the server heard more than request \(number)")
    if transfers[number].requestRest > 0 { return }
    let answersAt = now + policy.serverDelay + transfers[number].request.boundedServerDelay
    if answersAt == now {
      answer(number)
    } else {
      transfers[number].serverReadyAt = answersAt
      setTimer(ofTransfer: number)
    }
  }

  /// Lets the server answer.
  mutating func answer(_ number: Int) {
    let connection = transfers[number].connection
    guard transfers[number].phase != .over || transfers[number].isSent, connection >= 0 else {
      return
    }
    guard endpoints[2 * connection + 1].phase == .open else { return }
    var message = Message(
      kind: .response, transfer: Int32(number), rest: policy.wire(responseBytes(number)))
    message.priority = transfers[number].request.priority
    if transfers[number].isSuspended, policy.http != .http1 {
      message.held = max(0, message.rest - PacketNetwork.streamWindow)
    }
    endpoints[2 * connection + 1].sender.enqueue(message, at: now)
    transmit(2 * connection + 1)
  }

  /// Takes what a client says about a stream.
  mutating func hearControl(_ kind: Message.Kind, _ number: Int, _ connection: Int) {
    let server = 2 * connection + 1
    if kind == .cancel {
      // The rest of the request may still come, behind what was said after it.
      transfers[number].isSent = false
      transfers[number].serverReadyAt = .never
      endpoints[server].sender.drop(transfer: Int32(number))
      return
    }
    let isHeld = transfers[number].isSuspended
    for place in endpoints[server].sender.messages.indices
    where endpoints[server].sender.messages[place].transfer == Int32(number)
      && endpoints[server].sender.messages[place].kind == .response
    {
      let rest = endpoints[server].sender.messages[place].rest
      endpoints[server].sender.messages[place].held =
        isHeld ? max(0, rest - PacketNetwork.streamWindow) : 0
    }
    transmit(server)
  }

  // MARK: - Timers

  /// Sets the timer of a transfer to what comes next.
  mutating func setTimer(ofTransfer number: Int) {
    transferTimers.set(number, at: nextInstant(ofTransfer: number))
  }

  private func nextInstant(ofTransfer number: Int) -> Instant {
    let transfer = transfers[number]
    // A resolver answers though the request that asked is over.
    if transfer.phase == .over { return transfer.answerAt }
    if transfer.unread > 0, !transfer.isSuspended { return now }
    return min(
      min(transfer.serverReadyAt, transfer.answerAt), min(transfer.retryAt, failsAt(number)))
  }

  private func failsAt(_ number: Int) -> Instant {
    guard let timeout = policy.requestTimeout, transfers[number].phase != .queued,
      !transfers[number].isSuspended
    else { return .never }
    return transfers[number].heardAt + timeout
  }

  /// Does what is due for a transfer.
  mutating func timerFired(transfer number: Int) {
    if transfers[number].serverReadyAt <= now {
      transfers[number].serverReadyAt = .never
      answer(number)
    }
    if transfers[number].answerAt <= now { answerName(number) }
    let unread = transfers[number].unread
    if unread > 0, !transfers[number].isSuspended {
      transfers[number].unread = 0
      hearResponse(number, bytes: unread)
    }
    if transfers[number].retryAt <= now {
      transfers[number].retryAt = .never
      retryName(number)
    }
    if transfers[number].phase != .over, failsAt(number) <= now { fail(number, .timedOut) }
    setTimer(ofTransfer: number)
  }
}
