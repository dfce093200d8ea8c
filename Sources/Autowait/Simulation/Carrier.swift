/// The way to some hosts, modelled in one of the ways that there are.
///
/// The models lie in arrays of at most one, so that a carrier is small whichever it has. What
/// is asked with every event is `mutating` in name only, as in ``Network``.
struct Carrier: Sendable {
  private var ideal: [IdealLink] = []
  private var fluid: [FluidLink] = []
  private var packets: [PacketNetwork] = []

  /// The parts of a body that matter to an owner who needs the whole.
  ///
  /// Assumed: a sixteenth is fine enough for the measured rate of a segment, and so a segment costs
  /// no more events than a request does on a link without packets.
  private static let parts: Int64 = 16

  /// Makes the way that a trial takes.
  init(_ trial: TransferTrial) {
    switch trial.tier {
    case .fluid:
      fluid = [FluidLink(links: trial.links, changes: trial.changes, policy: trial.policy)]
    case .packet:
      packets = [
        PacketNetwork(
          links: trial.links, changes: trial.changes, policy: trial.policy, seed: trial.seed)
      ]
    case .ideal:
      ideal = [IdealLink(links: trial.links, changes: trial.changes)]
    }
  }

  /// Makes the way of a world over one of some links.
  init(_ world: World, links: [LinkProfile], first: Int, seed: UInt64) {
    self.init(
      TransferTrial(
        TransferPlan(flows: []), on: links, policy: world.transport ?? TransportPolicy(),
        tier: world.tierChoice.tier, seed: seed))
    if first > 0 { use(link: first, elapsed: .zero, at: .start) }
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

  /// Goes on to the next thing that comes of the requests, or the next change, if it is not after
  /// an instant; returns when it happened.
  mutating func advance(notAfter limit: Instant) -> Instant? {
    if !packets.isEmpty { return packets[0].advance(notAfter: limit) }
    let next = nextChange
    if next == .never || next > limit { return nil }
    advance(to: next)
    return next
  }

  /// Moves to an instant, no later than the next change, unless packets travel.
  mutating func advance(to now: Instant) {
    if !fluid.isEmpty, fluid[0].nextChange() <= now { fluid[0].advance(to: now) }
    if !ideal.isEmpty, ideal[0].nextChange() <= now { _ = ideal[0].advance(to: now) }
  }

  /// Returns the next thing that came of the transfers, if any is left.
  mutating func takeNotice(at now: Instant) -> TransferNotice? {
    if !packets.isEmpty { return packets[0].popNotice() }
    if !fluid.isEmpty { return fluid[0].takeNotice() }
    if let transfer = ideal[0].firstComplete() { return .completed(transfer.number) }
    return ideal[0].beginResponse(at: now).map { .responseBegan($0.number) }
  }

  /// Lets the next packet be told that brings more of a body.
  mutating func watchNext(_ number: Int) {
    if packets.isEmpty { return }
    packets[0].watch(number, for: packets[0].delivered(number) + ByteCount(bytes: 1))
  }

  /// Lets only packets be told that bring another sixteenth of a body.
  mutating func watchNextPart(_ number: Int, of size: ByteCount) {
    if packets.isEmpty || size == .zero { return }
    let parts = packets[0].delivered(number).bytes * Self.parts / size.bytes + 1
    packets[0].watch(
      number, for: ByteCount(bytes: (size.bytes * parts + Self.parts - 1) / Self.parts))
  }

  /// Lets packets be told only when so much of a body has arrived.
  mutating func watch(_ number: Int, for bytes: ByteCount) {
    if !packets.isEmpty { packets[0].watch(number, for: bytes) }
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
      transfer.delivered = min(transfer.size, DataAmount(packets[0].delivered(number)))
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

  /// When the steps of a transfer were over; nil on an ideal link, which has none.
  func times(_ number: Int) -> TransferTimes? {
    if !packets.isEmpty { return packets[0].times(number) }
    return fluid.isEmpty ? nil : fluid[0].transfer(number).times
  }

  /// The instant at which what has arrived was last written.
  var anchor: Instant {
    if !fluid.isEmpty { return fluid[0].anchor }
    return ideal.isEmpty ? .never : ideal[0].anchor
  }

  /// What was done with packets so far; nil if there are none.
  var packetCounts: (down: PacketCounts, up: PacketCounts)? {
    if packets.isEmpty { return nil }
    return (PacketCounts(packets[0].down.counts), PacketCounts(packets[0].up.counts))
  }

  /// Asserts that every packet is somewhere.
  func checkConservation() {
    if !packets.isEmpty { packets[0].checkConservation() }
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

  /// Lets the link that holds have the numbers of another one, a time into its tracks.
  mutating func vary(link number: Int, elapsed: TimeSpan, at now: Instant) {
    if packets.isEmpty {
      use(link: number, elapsed: elapsed, at: now)
    } else {
      packets[0].vary(link: number, at: now)
    }
  }

  /// Makes a request and returns its number here.
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    if !packets.isEmpty { return packets[0].open(request, at: now) }
    if !fluid.isEmpty { return fluid[0].open(request, at: now) }
    return ideal[0].open(request, size: DataAmount(request.size), at: now)
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

extension IdealLink {
  /// Makes a request; nothing fails here, and a name that does not resolve is an empty response.
  mutating func open(_ request: TransferRequest, size: DataAmount, at now: Instant) -> Int {
    switch request.answer {
    case .served: open(size, for: request.owner, serverDelay: request.boundedServerDelay, at: now)
    case .nameNotResolved: open(.zero, for: request.owner, at: now)
    }
  }
}
