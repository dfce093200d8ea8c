/// What carries the players' requests: data that flows, or packets that travel.
///
/// Packets have a network of their own, and the link beside it only tells what holds: its condition
/// and its rate.
struct Network: Sendable {
  /// What became of a transfer.
  struct Notice {
    let kind: TransferNotice
    /// The transfer as it is then, or as it was left.
    let transfer: Transfer
  }

  /// The link, if data flows on it.
  var link: Link
  /// The networks in which packets travel; none if data flows.
  private var packets: [PacketNetwork] = []
  /// The transfers whose packets travel.
  private var transfers: [Transfer] = []
  /// The number of records that are not taken yet.
  private(set) var hasNotices = false

  /// Makes the network of a world.
  init(_ world: World) {
    link = Link(links: world.links, changes: world.linkChanges)
    if world.tier == .packet, let policy = world.transport {
      packets.append(
        PacketNetwork(
          links: world.links, changes: world.linkChanges, policy: policy, seed: world.seed))
    }
  }

  /// Whether packets travel.
  @inline(__always)
  var hasPackets: Bool { !packets.isEmpty }

  /// The instant of the next change that is not brought by packets.
  @inline(__always)
  func nextChange() -> Instant {
    hasPackets ? link.nextCondition(isUsed: !transfers.isEmpty) : link.nextChange()
  }

  /// Lets another condition hold.
  mutating func use(link number: Int, at now: Instant) {
    link.use(link: number, at: now)
    link.divide()
    if hasPackets { packets[0].use(link: number, elapsed: .zero, at: now) }
  }

  /// Lets packets travel until something comes of them or an instant is reached.
  mutating func travel(notAfter limit: Instant) -> Instant? {
    let instant = packets[0].advance(notAfter: limit)
    hasNotices = instant != nil
    return instant
  }

  /// Returns the next thing that came of packets, if any is left.
  mutating func takeNotice(at now: Instant) -> Notice? {
    guard let kind = packets[0].takeNotice() else {
      hasNotices = false
      return nil
    }
    guard let index = transfers.firstIndex(where: { $0.number == kind.transfer }) else {
      preconditionFailure("something came of transfer \(kind.transfer), which is not under way")
    }
    update(index)
    let transfer = transfers[index]
    switch kind {
    case .completed, .failed: transfers.remove(at: index)
    case .reached, .responseBegan, .arrived: break
    }
    return Notice(kind: kind, transfer: transfer)
  }

  /// Asks for an amount of data and returns the number of the transfer.
  mutating func open(_ size: Work, for player: Int, at now: Instant) -> Int {
    guard hasPackets else { return link.open(size, for: player, at: now) }
    let number = packets[0].open(
      TransferRequest(owner: player, size: size.begunBytes), at: now)
    transfers.append(
      Transfer(number: number, player: player, size: size, phase: .requested(firstByteAt: .never)))
    return number
  }

  /// Ends a transfer, complete or not, and returns it as it was left.
  mutating func close(_ number: Int, at now: Instant) -> Transfer {
    guard hasPackets else { return link.close(number, at: now) }
    let index = place(of: number)
    update(index)
    packets[0].cancel(number, at: now)
    return transfers.remove(at: index)
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    guard hasPackets else { return link.setSuspended(isSuspended, number, at: now) }
    packets[0].setSuspended(isSuspended, number, at: now)
    transfers[place(of: number)].phase = isSuspended ? .suspended : .flowing
  }

  /// Returns the transfer of a number.
  func transfer(_ number: Int) -> Transfer {
    hasPackets ? transfers[place(of: number)] : link.transfer(number)
  }

  private func place(of number: Int) -> Int {
    guard let place = transfers.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("transfer \(number) is not under way")
    }
    return place
  }

  /// Takes over what has arrived; a begun byte of the request is a whole one on the way.
  private mutating func update(_ index: Int) {
    let arrived = Work(packets[0].delivered(transfers[index].number))
    transfers[index].delivered = min(transfers[index].size, arrived)
    if case .requested = transfers[index].phase, arrived > .zero {
      transfers[index].phase = .flowing
    }
  }
}

extension TransferNotice {
  /// The number of the transfer.
  fileprivate var transfer: Int {
    switch self {
    case .reached(let number, _), .responseBegan(let number), .arrived(let number),
      .completed(let number), .failed(let number, _):
      number
    }
  }
}
