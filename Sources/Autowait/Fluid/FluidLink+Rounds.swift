/// The samples of a round of whose least HyStart judges (RFC 9406), and its least window.
private let hyStartSamples = 8
private let hyStartWindowMin = 16
/// Acknowledgements that come closer than this make a train (Ha and Rhee, 2011).
private let trainSpacingMax = TimeSpan.milliseconds(2)
/// What a receive window grows to: 6 MB, as on Linux.
private let receiveWindowMax: Int64 = 6_291_456

extension FluidLink {
  /// Takes the step of a connection that is due; returns false if none is.
  mutating func takeStep(ofConnection index: Int, at now: Instant) -> Bool {
    let connection = connections[index]
    switch connection.phase {
    case .opening, .idle, .full: return false
    case .gap:
      guard connection.roundEnd <= now else { return false }
      startRound(index, at: now)
    case .burst:
      guard outstanding(on: connection) > connection.left + slack else { return false }
      if connection.roundEnd <= now, rate > .zero || connection.left == .zero {
        startRound(index, at: now)
      } else if connection.left == .zero {
        connections[index].phase = .gap
      } else {
        return false
      }
    }
    return true
  }

  /// Lets a connection send again after a rest.
  mutating func startBusyTime(_ index: Int, at now: Instant) {
    let before = connections[index].window.packets
    connections[index].window.resume(at: now, policy)
    connections[index].isRested = connections[index].window.packets < before
    connections[index].round = 0
    connections[index].served = .zero
    connections[index].servedAtRound = .zero
    connections[index].servedAtRoundBefore = .zero
    if connections[index].spacing == .zero { connections[index].spacing = serialisation }
    setRound(index, at: now)
  }

  /// Lets the packets behind the first one go at their pace.
  mutating func setPace(_ index: Int) {
    if connections[index].phase == .burst, connections[index].round == 0 {
      connections[index].pace = pace(of: connections[index])
    }
  }

  /// Begins the next round: what has passed was acknowledged, or is about to be.
  private mutating func startRound(_ index: Int, at now: Instant) {
    connections[index].measure(roundTrip(besides: connections[index].number), packet: packet)
    assert(connections[index].roundStart <= now, "a round begins before the one that it follows")
    connections[index].servedAtRoundBefore = connections[index].servedAtRound
    connections[index].servedAtRound = connections[index].served
    connections[index].round += 1
    noteTrain(index)
    setRound(index, at: now)
  }

  private mutating func setRound(_ index: Int, at now: Instant) {
    let connection = connections[index]
    let (window, roundTrip) = (window(of: connection), roundTrip(besides: connection.number))
    connections[index].left = window
    connections[index].roundStart = now
    connections[index].roundEnd = acknowledgement(for: connection.number, from: now)
    // The first packet leaves at once, whatever the pace of those behind it.
    connections[index].pace = connection.round == 0 ? nil : pace(of: connections[index])
    connections[index].phase = .burst
    let count = roundsAlike(connections[index], window)
    let rate = window.nanobits / UInt128(UInt64(max(1, roundTrip.nanoseconds)))
    guard count > 1, rate < UInt128(UInt64(down.rate.bitsPerSecond)) else {
      connections[index].roundsAlike = 1
      return
    }
    // So many bursts of about the same size are one flow.
    connections[index].roundsAlike = count
    connections[index].left = DataAmount(nanobits: window.nanobits * UInt128(UInt64(count)))
    connections[index].roundEnd = now + roundTrip.times(Int(count))
    connections[index].pace = BitRate(bitsPerSecond: max(1, Int64(clamping: rate)))
  }

  /// Returns how many rounds from now on have nearly the same window: where it is larger than the
  /// threshold it hardly grows, and so many single bursts would be as many events.
  private func roundsAlike(_ connection: FluidConnection, _ window: DataAmount) -> Int64 {
    let packets = FluidConnection.packets(window, packet)
    guard connection.round > 0, packets > 0,
      packets >= connection.window.threshold || window == receiveWindow
    else { return 1 }
    let rounds = outstanding(on: connection).nanobits / window.nanobits
    var count = min(2 * connection.roundsAlike, Int64(clamping: rounds) - 2)
    while count > 1 {
      var later = connection
      later.served += DataAmount(nanobits: window.nanobits * UInt128(UInt64(count)))
      if self.window(of: later).nanobits * 8 <= window.nanobits * 9 { return count }
      count /= 2
    }
    return 1
  }

  /// Takes note of a path that is full: the next burst is due before this one will have passed.
  mutating func fill(_ index: Int, at now: Instant) {
    let connection = connections[index]
    let rest = max(.zero, connection.roundEnd - now)
    guard connection.left > .zero, connection.share != .none, isPaceAboveShare(connection),
      outstanding(on: connection) > connection.left + slack,
      connection.share.span(for: connection.left) > rest
    else { return }
    connections[index].phase = .full
    connections[index].pace = nil
    let reached =
      connection.window.packets
      + FluidConnection.packets(connection.servedAtRound, packet)
    guard policy.congestionControl == .cubic, reached < connection.window.threshold else { return }
    // The first packets of the next round wait for what is left of this one. HyStart hears of it
    // when they are acknowledged, and the window has doubled; and if that wait was too short to
    // tell, a round later.
    let waiting = connection.share.span(for: connection.left) - rest
    let step = roundTrip(besides: connection.number).nanoseconds / 8
    let bound = max(4_000_000, min(step, 16_000_000))
    let exit = (waiting.nanoseconds > bound ? 2 : 4) * reached + hyStartSamples
    connections[index].window.threshold = min(
      connections[index].window.threshold, max(exit, hyStartWindowMin))
  }

  /// Takes note of the rounds of a full path, which nobody needs but who finds it full no longer.
  mutating func countRounds(_ index: Int, from anchor: Instant, to now: Instant) {
    let connection = connections[index]
    let length = roundTrip(besides: connection.number).nanoseconds
    let count = (now - connection.roundStart).nanoseconds / max(1, length)
    guard count > 0 else { return }
    let start = connection.roundStart + TimeSpan(nanoseconds: count * length)
    connections[index].roundStart = start
    connections[index].servedAtRoundBefore = connection.servedAtRound
    connections[index].servedAtRound =
      connection.served + connection.share.data(in: max(.zero, start - anchor))
  }

  /// Lets a connection send in bursts again if the path is larger now than what it may send until
  /// its round ends: the rate has grown, or others have ended; returns whether it does.
  mutating func reopenRound(_ index: Int, at now: Instant) -> Bool {
    var connection = connections[index]
    let end = connection.roundStart + roundTrip(besides: connection.number)
    connection.served = connection.servedAtRound
    let (allowed, used) = (window(of: connection), connections[index].served - connection.served)
    let left = allowed - min(allowed, used)
    guard left < connections[index].share.data(in: max(.zero, end - now)) else { return false }
    connections[index].left = left
    connections[index].roundEnd = end
    connections[index].roundsAlike = 1
    connections[index].phase = .burst
    connections[index].pace = pace(of: connections[index])
    return true
  }

  /// Ends slow start where acknowledgements come close together for half a round trip, for a whole
  /// one if the sender paces: the path is then as full as the burst is long.
  private mutating func noteTrain(_ index: Int) {
    let connection = connections[index]
    guard policy.congestionControl == .cubic, connection.spacing <= trainSpacingMax,
      connection.spacing > .zero
    else { return }
    let before =
      connection.window.packets
      + FluidConnection.packets(connection.servedAtRoundBefore, packet)
    let burst = FluidConnection.packets(
      connection.servedAtRound - connection.servedAtRoundBefore, packet)
    let least = connection.window.roundTripMin.nanoseconds
    let length = policy.isPaced ? least : least / 2
    let count = Int(length / connection.spacing.nanoseconds)
    if count < burst, before + count < connection.window.threshold {
      connections[index].window.threshold = max(before + count, hyStartWindowMin)
    }
  }

  /// Ends a time in which a connection was busy.
  mutating func endBusyTime(_ index: Int, at now: Instant) {
    let connection = connections[index]
    let base = roundTrip(besides: connection.number)
    let count = FluidConnection.packets(connection.served, packet)
    var flying = 0
    if connection.phase == .full {
      // What was in flight when the sender had nothing more to send.
      let before = connection.window.packets
      flying = min(
        FluidConnection.packets(window(of: connection), packet), max(count, (count + before) / 2))
      connections[index].measure(window: flying, base, packet: packet)
    } else {
      connections[index].measure(base, packet: packet)
    }
    connections[index].window.rest(
      after: count, spacing: connection.spacing, capacity: capacity,
      lastSent: lastSent(on: connection, flying: flying, at: now), policy)
    connections[index].phase = .idle
    connections[index].share = .none
    connections[index].isFresh = false
  }

  /// Returns when the last packet of a connection was sent.
  private func lastSent(
    on connection: FluidConnection, flying: Int, at now: Instant
  ) -> Instant {
    let passed = now - connection.roundStart
    switch connection.phase {
    case .full:
      let waiting =
        connection.spacing.times(flying).nanoseconds
        - roundTrip(besides: connection.number).nanoseconds
      return Instant(nanoseconds: now.nanoseconds - max(0, waiting))
    case .burst, .gap, .idle, .opening:
      if connection.pace != nil { return now }
      // The first burst leaves at once, a later one in half the time that it takes on the link.
      return connection.round == 0
        ? connection.roundStart
        : connection.roundStart + TimeSpan(nanoseconds: passed.nanoseconds / 2)
    }
  }
}

// MARK: - What a path holds

extension FluidLink {
  /// Returns what a connection may have in flight.
  func window(of connection: FluidConnection) -> DataAmount {
    let acknowledged = FluidConnection.packets(connection.served, packet)
    let grown = connection.window.grown(
      acknowledged: acknowledged, spacing: connection.spacing, capacity: capacity, policy)
    return min(
      DataAmount(nanobits: packet.nanobits * UInt128(UInt64(max(1, grown)))), receiveWindow)
  }

  /// The most that a receiver lets be in flight, in bits of packets.
  private var receiveWindow: DataAmount {
    let most = (policy.receiveWindow?.bytes ?? receiveWindowMax) / segment
    return DataAmount(nanobits: packet.nanobits * UInt128(UInt64(max(1, most))))
  }

  /// How fast a connection's sender sends in the present round; nil for as fast as it can.
  private func pace(of connection: FluidConnection) -> BitRate? {
    guard policy.isPaced, let roundTrip = connection.window.roundTrip, roundTrip > .zero else {
      return nil
    }
    // Linux does not pace the first ten packets of a connection. After a rest it lets the first
    // packets go at twice the pace, on the credit of the time in which it sent nothing (measured).
    if connection.isFresh, connection.round == 0 { return nil }
    let window = connection.left.nanobits
    let packets = FluidConnection.packets(connection.left, packet)
    let isSlow = packets < connection.window.threshold
    let credit: UInt128 = connection.round == 0 && connection.isRested ? 2 : 1
    let rate = window * credit * (isSlow ? 20 : 12) / 10 / UInt128(UInt64(roundTrip.nanoseconds))
    return BitRate(bitsPerSecond: max(1, Int64(clamping: rate)))
  }

  private func isPaceAboveShare(_ connection: FluidConnection) -> Bool {
    guard let pace = connection.pace else { return true }
    return FlowShare(rate: pace, flows: 1, place: 0) != connection.share
  }

  /// How long a full packet takes on the way down.
  var serialisation: TimeSpan {
    FlowShare(rate: down.rate == .zero ? down.trackRate : down.rate, flows: 1, place: 0)
      .finiteSpan(for: packet)
  }

  /// Returns how long a packet and its acknowledgement take, with what others have in the queue.
  func roundTrip(besides connection: Int) -> TimeSpan {
    let others = FlowShare(rate: down.rate, flows: 1, place: 0)
      .finiteSpan(for: backlog(besides: connection))
    return serialisation + others + wayBack
  }

  /// How long it takes from the arrival of a packet until the next one that it lets go arrives at
  /// the link.
  private var wayBack: TimeSpan {
    let answer = FlowShare(rate: up.rate == .zero ? up.trackRate : up.rate, flows: 1, place: 0)
      .finiteSpan(for: DataAmount(ByteCount(bytes: WireSizes.acknowledgement)))
    return up.delay + answer + down.delay
  }

  /// Returns when the acknowledgement of a packet that reaches the link has let others reach it.
  func acknowledgement(for connection: Int, from now: Instant) -> Instant {
    let passed = down.passage(of: packet + backlog(besides: connection), from: now)
    return passed + wayBack
  }

  /// Returns what waits before the link, of all connections but one.
  func backlog(besides number: Int = 0) -> DataAmount {
    var total = DataAmount.zero
    for connection in connections where connection.number != number && connection.isServed {
      let rest = outstanding(on: connection)
      switch connection.phase {
      case .burst: if connection.pace == nil { total += min(connection.left, rest) }
      case .full:
        let flying = min(window(of: connection), rest)
        let path = connection.share.data(in: down.delay + up.delay)
        if flying > path { total += flying - path }
      case .opening, .idle, .gap: break
      }
    }
    return min(total, queue)
  }

  /// What fits before the link.
  var queue: DataAmount {
    let rate = down.rate == .zero ? down.trackRate : down.rate
    switch links[condition].down.queue {
    case .automatic:
      let product = DataAmount(rate, for: down.delay + up.delay)
      return max(product, DataAmount(nanobits: packet.nanobits * 100))
    case .packets(let count): return DataAmount(nanobits: packet.nanobits * UInt128(UInt64(count)))
    case .bytes(let bytes): return DataAmount(bytes)
    case .time(let span): return DataAmount(rate, for: span)
    case .unlimited: return DataAmount(nanobits: UInt128(1) << 100)
    }
  }

  /// The packets that the path holds, under way and before the link.
  private var capacity: Int {
    let rate = down.rate == .zero ? down.trackRate : down.rate
    let path = DataAmount(rate, for: down.delay + up.delay)
    return FluidConnection.packets(path + queue, packet)
  }
}

extension FlowShare {
  /// Returns the span in which this part delivers an amount; none if it never does.
  fileprivate func finiteSpan(for amount: DataAmount) -> TimeSpan {
    rate == .zero ? .zero : span(for: amount)
  }
}
