/// What carries the players' requests: an ideal link, or what stands for a real one.
///
/// A real link has a model of its own, and the link beside it only tells what holds: its condition
/// and its rate. The models lie in arrays so that a run without them does not carry their size.
struct Network: Sendable {
  /// What became of a transfer.
  struct Notice {
    let kind: TransferNotice
    /// The transfer as it is then, or as it was left.
    let transfer: Transfer
    /// When its steps were over.
    let times: TransferTimes
  }

  /// The link, if it is ideal; else what tells its condition.
  var link: Link
  /// The link on which data flows as TCP lets it, if it is modelled so.
  private var fluid: [FluidLink] = []
  /// The network in which packets travel, if they do.
  private var packets: [PacketNetwork] = []
  /// The transfers that a model carries.
  private(set) var transfers: [Transfer] = []
  /// Whether something that came of packets was not taken yet.
  private(set) var hasNotices = false

  /// Makes the network of a world.
  init(_ world: World) {
    link = Link(links: world.links, changes: world.linkChanges)
    guard let policy = world.transport else { return }
    switch world.tierChoice.tier {
    case .ideal: break
    case .fluid:
      fluid.append(FluidLink(links: world.links, changes: world.linkChanges, policy: policy))
    case .packet:
      packets.append(
        PacketNetwork(
          links: world.links, changes: world.linkChanges, policy: policy, seed: world.seed))
    }
  }

  /// Whether the link is ideal.
  @inline(__always)
  var isIdeal: Bool { packets.isEmpty && fluid.isEmpty }

  /// Whether packets travel.
  @inline(__always)
  var hasPackets: Bool { !packets.isEmpty }

  /// A number that moves whenever what a transfer has, or gets, was written anew.
  @inline(__always)
  var version: Int { isIdeal ? link.version : modelVersion }

  private var modelVersion: Int { fluid.isEmpty ? 0 : fluid[0].version }

  /// The instant of the next change that is not brought by packets.
  @inline(__always)
  func nextChange() -> Instant { isIdeal ? link.nextChange() : nextModelChange() }

  private func nextModelChange() -> Instant {
    let condition = link.nextCondition(isUsed: !transfers.isEmpty)
    return fluid.isEmpty ? condition : min(condition, fluid[0].nextChange())
  }
}

// MARK: - Time

extension Network {
  /// Lets packets travel until something comes of them or an instant is reached.
  mutating func travel(notAfter limit: Instant) -> Instant? {
    let instant = packets[0].advance(notAfter: limit)
    hasNotices = instant != nil
    return instant
  }

  /// Moves a model to an instant, no later than its next change.
  mutating func advance(to now: Instant) {
    if !fluid.isEmpty, fluid[0].nextChange() <= now { fluid[0].advance(to: now) }
  }

  /// Takes over what has arrived, and how it goes on.
  mutating func update() {
    for index in transfers.indices { update(index) }
  }

  /// Returns the next thing that came of the transfers, if any is left.
  mutating func takeNotice(at now: Instant) -> Notice? {
    guard let kind = fluid.isEmpty ? packets[0].takeNotice() : fluid[0].takeNotice() else {
      hasNotices = false
      return nil
    }
    let index = place(of: kind.transfer)
    update(index)
    let transfer = transfers[index]
    let times =
      fluid.isEmpty ? packets[0].times(transfer.number) : fluid[0].transfer(transfer.number).times
    switch kind {
    case .completed, .failed:
      if !fluid.isEmpty { _ = fluid[0].close(transfer.number, at: now) }
      transfers.remove(at: index)
    case .responseBegan:
      if case .requested = transfers[index].phase { transfers[index].phase = .flowing }
    case .arrived: break
    }
    return Notice(kind: kind, transfer: transfer, times: times)
  }

  /// Takes over what has arrived of a transfer, and how it goes on.
  private mutating func update(_ index: Int) {
    let number = transfers[index].number
    if fluid.isEmpty {
      // A begun byte was asked for as a whole one.
      transfers[index].delivered = min(
        transfers[index].size, Work(packets[0].delivered(number)))
    } else {
      let transfer = fluid[0].transfer(number)
      transfers[index].delivered = min(transfers[index].size, transfer.delivered)
      transfers[index].share = transfer.share
    }
  }
}

// MARK: - What players do

extension Network {
  /// Lets another condition hold.
  mutating func use(link number: Int, at now: Instant) {
    link.use(link: number, at: now)
    link.divide()
    if !fluid.isEmpty { fluid[0].change(to: number, at: now) }
    if !packets.isEmpty { packets[0].use(link: number, elapsed: .zero, at: now) }
  }

  /// Asks for an amount of data and returns the number of the transfer.
  mutating func open(_ size: Work, for player: Int, at now: Instant) -> Int {
    if isIdeal { return link.open(size, for: player, at: now) }
    link.followTrack(to: now)
    let request = TransferRequest(owner: player, size: size.begunBytes)
    let number =
      fluid.isEmpty ? packets[0].open(request, at: now) : fluid[0].open(request, at: now)
    transfers.append(
      Transfer(number: number, player: player, size: size, phase: .requested(firstByteAt: .never)))
    return number
  }

  /// Ends a transfer, complete or not, and returns it as it was left.
  mutating func close(_ number: Int, at now: Instant) -> Transfer {
    if isIdeal { return link.close(number, at: now) }
    let index = place(of: number)
    if fluid.isEmpty {
      update(index)
      packets[0].cancel(number, at: now)
    } else {
      let closed = fluid[0].close(number, at: now)
      transfers[index].delivered = min(transfers[index].size, closed.delivered)
    }
    return transfers.remove(at: index)
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    if isIdeal { return link.setSuspended(isSuspended, number, at: now) }
    if fluid.isEmpty {
      packets[0].setSuspended(isSuspended, number, at: now)
    } else {
      fluid[0].setSuspended(isSuspended, number, at: now)
    }
    let index = place(of: number)
    transfers[index].phase = isSuspended ? .suspended : .flowing
    update(index)
  }

  /// Returns the transfer of a number.
  func transfer(_ number: Int) -> Transfer {
    isIdeal ? link.transfer(number) : transfers[place(of: number)]
  }

  private func place(of number: Int) -> Int {
    guard let place = transfers.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("transfer \(number) is not under way")
    }
    return place
  }
}

extension TransferNotice {
  /// The number of the transfer.
  fileprivate var transfer: Int {
    switch self {
    case .responseBegan(let number), .arrived(let number),
      .completed(let number), .failed(let number, _):
      number
    }
  }
}
