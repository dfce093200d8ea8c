/// The way to some hosts, modelled in one of the ways that there are.
///
/// The models lie in arrays of at most one, so that a carrier is small whichever it has. What
/// is asked with every event is `mutating` in name only, as in ``Network``.
struct Carrier: Sendable {
  private var ideal: [Link] = []
  private var fluid: [FluidLink] = []
  private var packets: [PacketNetwork] = []

  /// Makes the way over one of some links.
  init(_ world: World, links: [LinkProfile], first: Int, seed: UInt64) {
    switch (world.tierChoice.tier, world.transport) {
    case (.fluid, let policy?):
      var model = FluidLink(links: links, policy: policy)
      model.use(link: first, at: .start)
      fluid = [model]
    case (.packet, let policy?):
      var model = PacketNetwork(links: links, changes: [], policy: policy, seed: seed)
      if first > 0 { model.use(link: first, elapsed: .zero, at: .start) }
      packets = [model]
    case (.ideal, _), (_, nil):
      var model = Link(links: links, changes: [])
      model.use(link: first, at: .start)
      ideal = [model]
    }
  }

  /// Whether packets travel.
  var hasPackets: Bool { !packets.isEmpty }

  /// A number that moves whenever what a transfer has, or gets, was written anew.
  var version: Int {
    mutating get {
      if !fluid.isEmpty { return fluid[0].version }
      return ideal.isEmpty ? 0 : ideal[0].version
    }
  }

  /// The instant of the next change, or of the next thing that a packet does.
  var nextChange: Instant {
    mutating get {
      if !packets.isEmpty { return packets[0].nextInstant }
      return fluid.isEmpty ? ideal[0].nextChange() : fluid[0].nextChange()
    }
  }
}

// MARK: - Time

extension Carrier {
  /// Lets packets travel until something comes of them or an instant is reached.
  mutating func travel(notAfter limit: Instant) -> Instant? {
    packets[0].advance(notAfter: limit)
  }

  /// Moves to an instant, no later than the next change, unless packets travel.
  mutating func advance(to now: Instant) {
    if !fluid.isEmpty, fluid[0].nextChange() <= now { fluid[0].advance(to: now) }
    if !ideal.isEmpty, ideal[0].nextChange() <= now { _ = ideal[0].advance(to: now) }
  }

  /// Returns the next thing that came of the transfers, if any is left.
  mutating func takeNotice(at now: Instant) -> TransferNotice? {
    if !packets.isEmpty { return takePacketNotice() }
    if !fluid.isEmpty { return fluid[0].takeNotice() }
    if let transfer = ideal[0].firstComplete() { return .completed(transfer.number) }
    return ideal[0].beginResponse(at: now).map { .responseBegan($0.number) }
  }

  /// Every packet that brings more of a body is told.
  private mutating func takePacketNotice() -> TransferNotice? {
    guard let notice = packets[0].popNotice() else { return nil }
    switch notice {
    case .responseBegan(let number), .arrived(let number): watchNext(number)
    case .completed, .failed: break
    }
    return notice
  }

  private mutating func watchNext(_ number: Int) {
    let delivered = packets[0].delivered(number)
    packets[0].watch(number, for: delivered + ByteCount(bytes: 1))
  }

  /// Gives up what is known of a transfer that is over.
  mutating func forget(_ number: Int, at now: Instant) {
    if !fluid.isEmpty { _ = fluid[0].close(number, at: now) }
    if !ideal.isEmpty { _ = ideal[0].close(number, at: now) }
  }

  /// Takes over what has arrived of a transfer, and how it goes on.
  mutating func update(_ transfer: inout Transfer, from number: Int) {
    if !packets.isEmpty {
      // A begun byte was asked for as a whole one.
      transfer.delivered = min(transfer.size, Work(packets[0].delivered(number)))
    } else if !fluid.isEmpty {
      let other = fluid[0].transfer(number)
      transfer.delivered = min(transfer.size, other.delivered)
      transfer.share = other.share
    } else {
      let other = ideal[0].transfer(number)
      transfer.delivered = min(transfer.size, other.delivered)
      transfer.share = other.share
    }
  }

  /// When the steps of a transfer were over, as far as it is known.
  mutating func times(_ number: Int, at now: Instant) -> TransferTimes {
    if !packets.isEmpty { return packets[0].times(number) }
    return fluid.isEmpty ? TransferTimes(opened: now) : fluid[0].transfer(number).times
  }
}

// MARK: - What players do

extension Carrier {
  /// Lets another link hold, from a time into its tracks on.
  mutating func use(link number: Int, elapsed: TimeSpan, at now: Instant) {
    if !packets.isEmpty { packets[0].use(link: number, elapsed: elapsed, at: now) }
    if !fluid.isEmpty { fluid[0].change(to: number, elapsed: elapsed, at: now) }
    if !ideal.isEmpty {
      _ = ideal[0].advance(to: now)
      ideal[0].use(link: number, elapsed: elapsed, at: now)
      ideal[0].divide()
    }
  }

  /// Makes a request and returns its number here.
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    if !packets.isEmpty {
      let number = packets[0].open(request, at: now)
      watchNext(number)
      return number
    }
    if !fluid.isEmpty { return fluid[0].open(request, at: now) }
    return ideal[0].open(Work(request.size), for: request.owner, at: now)
  }

  /// Gives a request up, and takes over what had arrived.
  mutating func cancel(_ transfer: inout Transfer, _ number: Int, at now: Instant) {
    if !packets.isEmpty {
      update(&transfer, from: number)
      packets[0].cancel(number, at: now)
    } else {
      let delivered =
        fluid.isEmpty
        ? ideal[0].close(number, at: now).delivered : fluid[0].close(number, at: now).delivered
      transfer.delivered = min(transfer.size, delivered)
    }
    transfer.share = .none
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    if !packets.isEmpty {
      packets[0].setSuspended(isSuspended, number, at: now)
    } else if !fluid.isEmpty {
      fluid[0].setSuspended(isSuspended, number, at: now)
    } else {
      ideal[0].setSuspended(isSuspended, number, at: now)
    }
  }
}
