/// Responses that are short, as their packets go.
extension FluidLink {
  /// Returns how a busy time goes whose packets are known: that of a short response that has the
  /// link for itself; a later one follows others of that kind, and finds room for all its packets.
  func opening(of index: Int, at now: Instant) -> FluidOpening.Plan? {
    let control = policy.congestionControl
    guard control == .cubic || control == .reno,
      policy.receiveWindow == nil, rate > .zero, isAlone(index)
    else { return nil }
    let count = packet.count(in: outstanding(on: index))
    let isShort =
      connections[index].isFresh
      ? count <= FluidOpening.packetsMax || fillsSoon(index, count)
      : count <= FluidOpening.packetsMaxLater && connections[index].isExact
        && packet.size.times(count) <= packet.queue
    // What waits to be acknowledged of another response is not counted.
    guard count > 0, isShort, connections[index].ends.client.unsaid == 0 else { return nil }
    guard
      let transfer = transfers.first(where: {
        $0.connection == connections[index].number && !$0.isOver
      })
    else { return nil }
    var leading: Int64 = 0
    if case .beginning(let left) = transfer.phase { leading = packet.count(in: left) }
    let data = FluidOpening.Data(
      count: count, leading: leading, endsShort: endsShort(transfer))
    let plan = FluidOpening(data, on: connections[index], of: self, at: now).plan
    return plan.volleys.isEmpty ? nil : plan
  }

  /// Whether the last packet of a response over TCP is not full.
  private func endsShort(_ transfer: FluidTransfer) -> Bool {
    let rest = transfer.missing.begunBytes
    let data = policy.wire(policy.headerSize(ofBody: rest) + rest.bytes)
    return policy.http != .http3 && data % packet.segment != 0
  }

  /// Whether a path is full soon, and holds so many packets before the link: a window in slow start
  /// has sent four times what a round trip holds by then.
  private func fillsSoon(_ index: Int, _ count: Int64) -> Bool {
    packet.size.times(count) <= packet.queue
      && roundTrip(besides: connections[index].number).times(4) <= serialisation.times(128)
  }

  /// Whether a connection carries one transfer, and no other connection carries any.
  private func isAlone(_ index: Int) -> Bool {
    let number = connections[index].number
    return transfers.count { $0.connection == number && !$0.isOver } == 1
      && connections.allSatisfy { $0.number == number || !$0.isBusy }
  }

  /// Lets the next packets of a connection go that follow one another on the link, if it is known
  /// which; what else happens on the link makes that void.
  mutating func startVolley(_ index: Int, at now: Instant) -> Bool {
    guard var plan = connections[index].opening else { return false }
    guard isAlone(index), plan.begun < plan.volleys.count else {
      connections[index].opening = nil
      return false
    }
    assert(plan.volleys[plan.begun].start <= now, "a volley begins before its first packet")
    let volley = plan.volleys[plan.begun]
    plan.begun += 1
    connections[index].opening = plan
    connections[index].servedAtRoundBefore = connections[index].servedAtRound
    connections[index].servedAtRound = connections[index].served
    connections[index].roundStart = now
    connections[index].phase = .burst
    connections[index].pace = volley.isSpread ? pace(of: volley) : nil
    if plan.isFull, plan.begun == plan.volleys.count {
      enterFullPath(index, by: plan, at: now)
    } else if plan.begun < plan.volleys.count {
      connections[index].left += packet.size.times(volley.count)
      if plan.begun == 1 { connections[index].left += excess(on: index) }
      connections[index].roundEnd = plan.volleys[plan.begun].start
    } else {
      connections[index].left = outstanding(on: index)
      connections[index].roundEnd = acknowledgement(for: index, from: now)
    }
    return true
  }

  /// The rate at which a volley goes that is spread over a time.
  private func pace(of volley: FluidOpening.Volley) -> BitRate {
    assert(volley.end > volley.start && volley.end != .never, "a volley that takes no time")
    let span = UInt128(UInt64(max(1, (volley.end - volley.start).nanoseconds)))
    let rate = packet.size.times(volley.count).nanobits / span
    return BitRate(bitsPerSecond: max(1, Int64(clamping: rate)))
  }

  /// Takes over what both ends know when the path has become full: it is one flow from here on.
  private mutating func enterFullPath(
    _ index: Int, by plan: FluidOpening.Plan, at now: Instant
  ) {
    connections[index].opening = nil
    connections[index].window = plan.window
    connections[index].ends.client = plan.client
    connections[index].heard = plan.sentBeforeFull
    connections[index].heardAtFull = packet.count(in: connections[index].served)
    connections[index].left = outstanding(on: index)
    connections[index].roundEnd = acknowledgement(for: index, from: now)
    (connections[index].phase, connections[index].pace) = (.full, nil)
  }

  /// Returns what the first packets of a response carry beyond full ones, which the last one has
  /// less: they are to be there with the volley that they are in.
  private func excess(on index: Int) -> DataAmount {
    for transfer in transfers where transfer.connection == connections[index].number {
      guard case .beginning(let left) = transfer.phase, transfer.leap < transfer.missing else {
        continue
      }
      let size = packet.size.nanobits
      let rest = left.nanobits % size
      return DataAmount(nanobits: rest < size / 2 ? rest : 0)
    }
    return .zero
  }

  /// Takes over what both ends know at the end of a busy time that has gone as planned, and returns
  /// the plan; nil if it has not.
  mutating func endOpening(_ index: Int) -> FluidOpening.Plan? {
    guard let plan = connections[index].opening else { return nil }
    connections[index].opening = nil
    guard plan.begun == plan.volleys.count else { return nil }
    connections[index].window = plan.window
    connections[index].ends.client = plan.client
    connections[index].heard = packet.count(in: connections[index].served)
    connections[index].ends.unansweredAt = plan.unsaidSentAt.map {
      Instant(nanoseconds: $0.nanoseconds - down.delay.nanoseconds)
    }
    connections[index].ends.answerBeginsRound = plan.unsaidBeginsRound
    return plan
  }
}
