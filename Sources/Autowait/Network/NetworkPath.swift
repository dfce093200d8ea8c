/// The way that requests to some hosts take, modelled as exactly as its tier says.
///
/// Each call is one switch. A payload lies in a box of its own, so that a path is small whichever
/// it is, and is changed in its place: while that is done the path holds an empty box, because a
/// second owner would make the box copy what is in it. What is asked with every event is `mutating`
/// in name only, for the same reason: a large value that is only read is copied (measured).
enum NetworkPath: Sendable {
  /// A request costs a round trip, and its response arrives at the link's rate.
  case ideal(Box<IdealLink>)
  /// Data flows without packets, as fast as windows let it.
  case fluid(Box<FluidLink>)
  /// Every packet travels.
  case packet(Box<PacketPath>)

  /// A place for a large value; a copy of the box shares it until one of them changes it.
  struct Box<Value: Sendable>: Sendable {
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    /// A box without a value, which stands in for one that is being changed.
    init() { storage = [] }

    @inline(__always)
    func read<Result>(_ body: (Value) -> Result) -> Result { body(storage[0]) }

    @inline(__always)
    mutating func change<Result>(_ body: (inout Value) -> Result) -> Result { body(&storage[0]) }
  }

  /// The parts of a body that matter to an owner who needs the whole.
  ///
  /// No verdict reads them: a rule that looks at rates has each packet told. So a body costs about
  /// as many events as one does on a link without packets.
  private static let parts: Int64 = 16

  /// Makes the path that a trial takes; a tape is for packets, to be written or read.
  init(_ trial: TransferTrial, tape: PacketTape? = nil) {
    switch trial.tier {
    case .ideal: self = .ideal(Box(IdealLink(links: trial.links, changes: trial.changes)))
    case .fluid:
      self = .fluid(
        Box(
          FluidLink(
            links: trial.links, changes: trial.changes, policy: trial.policy,
            leaning: trial.leaning)))
    case .packet:
      var network = PacketNetwork(
        links: trial.links, changes: trial.changes, policy: trial.policy, seed: trial.seed)
      network.hasHostNoise = trial.hasHostNoise
      self = .packet(Box(PacketPath(network, tape: tape)))
    }
  }

  @inline(__always)
  private mutating func change<Result>(
    _ ideal: (inout IdealLink) -> Result, _ fluid: (inout FluidLink) -> Result,
    _ packet: (inout PacketPath) -> Result
  ) -> Result {
    switch self {
    case .ideal(var box):
      self = .ideal(Box())
      defer { self = .ideal(box) }
      return box.change(ideal)
    case .fluid(var box):
      self = .fluid(Box())
      defer { self = .fluid(box) }
      return box.change(fluid)
    case .packet(var box):
      self = .packet(Box())
      defer { self = .packet(box) }
      return box.change(packet)
    }
  }
}

// MARK: - Time

extension NetworkPath {
  /// Whether packets travel.
  @inline(__always)
  var hasPackets: Bool { if case .packet = self { true } else { false } }

  /// Whether it is an ideal link.
  var isIdeal: Bool { if case .ideal = self { true } else { false } }

  /// A number that moves whenever what a transfer has, or gets, was written again.
  var version: Int {
    mutating get { change({ $0.version }, { $0.version }, { _ in 0 }) }
  }

  /// The instant of the next change, or of the next thing that a packet does.
  var nextChange: Instant {
    mutating get { change({ $0.nextChange() }, { $0.nextChange() }, { $0.nextInstant }) }
  }

  /// Whether something has come about that only packets can tell, and there are none.
  var isUnsure: Bool {
    mutating get { change({ _ in false }, { $0.isUnsure }, { _ in false }) }
  }

  /// The instant at which what has arrived was last written.
  var anchor: Instant {
    mutating get { change({ $0.anchor }, { $0.anchor }, { _ in .never }) }
  }

  /// Goes on to the next thing that comes of the requests, or the next change, if it is not after
  /// an instant; returns when it happened.
  mutating func advance(notAfter limit: Instant) -> Instant? {
    change(
      { link in
        let next = link.nextChange()
        if next == .never || next > limit { return nil }
        _ = link.advance(to: next)
        return next
      },
      { link in
        let next = link.nextChange()
        if next == .never || next > limit { return nil }
        link.advance(to: next)
        return next
      },
      { $0.advance(notAfter: limit) })
  }

  /// Moves to an instant, no later than the next change, unless packets travel.
  mutating func advance(to now: Instant) {
    change(
      { if $0.nextChange() <= now { _ = $0.advance(to: now) } },
      { if $0.nextChange() <= now { $0.advance(to: now) } }, { _ in })
  }

  /// Lets another link hold, from a time into its tracks on.
  mutating func use(link number: Int, elapsed: TimeSpan, at now: Instant) {
    change(
      { link in
        _ = link.advance(to: now)
        link.use(link: number, elapsed: elapsed, at: now)
        link.divide()
      },
      { $0.change(to: number, elapsed: elapsed, at: now) },
      { $0.use(link: number, elapsed: elapsed, at: now) })
  }

  /// Lets the link that holds have the numbers of another one, a time into its tracks.
  mutating func vary(link number: Int, elapsed: TimeSpan, at now: Instant) {
    if case .packet = self {
      change({ _ in }, { _ in }, { $0.vary(link: number, at: now) })
    } else {
      use(link: number, elapsed: elapsed, at: now)
    }
  }

  /// What was done with packets so far; nil if there are none.
  var packetCounts: (down: PacketCounts, up: PacketCounts)? {
    guard case .packet(let box) = self else { return nil }
    return box.read { path in
      (PacketCounts(path.network.down.counts), PacketCounts(path.network.up.counts))
    }
  }

  /// What packets brought, if it was to be written.
  var tape: PacketTape? {
    guard case .packet(let box) = self else { return nil }
    return box.read { $0.tape }
  }

  /// Whether the tape of another run tells what packets bring.
  var readsTape: Bool {
    guard case .packet(let box) = self else { return false }
    return box.read { $0.isPlaying }
  }

  /// Asserts that every packet is somewhere.
  func checkConservation() {
    if case .packet(let box) = self { box.read { $0.network.checkConservation() } }
  }
}

// MARK: - Transfers

extension NetworkPath {
  /// Makes a request and returns its number here.
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    change(
      { $0.open(request, size: DataAmount(request.size), at: now) }, { $0.open(request, at: now) },
      { $0.open(request, at: now) })
  }

  /// Gives a request up, and takes over what had arrived.
  mutating func cancel(_ transfer: inout Transfer, _ number: Int, at now: Instant) {
    let before = transfer.delivered
    let delivered = change(
      { $0.close(number, at: now).delivered },
      { link in
        let closed = link.close(number, at: now)
        transfer.active = closed.active
        return closed.delivered
      },
      { path in
        defer { path.cancel(number, at: now) }
        transfer.active = path.active(number)
        return DataAmount(path.delivered(number))
      })
    transfer.delivered = min(transfer.size, delivered)
    assert(transfer.delivered >= before, "what has come of transfer \(number) goes back")
    transfer.share = .none
  }

  /// Gives up what is known of a transfer that is over.
  mutating func forget(_ number: Int, at now: Instant) {
    change({ _ = $0.close(number, at: now) }, { _ = $0.close(number, at: now) }, { _ in })
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    change(
      { $0.setSuspended(isSuspended, number, at: now) },
      { $0.setSuspended(isSuspended, number, at: now) },
      { $0.setSuspended(isSuspended, number, at: now) })
  }

  /// Returns the next thing that came of the transfers, if any is left.
  mutating func takeNotice(at now: Instant) -> TransferNotice? {
    change(
      { link in
        if let number = link.firstComplete { return .completed(number) }
        return link.beginResponse(at: now).map { .responseBegan($0.number) }
      },
      { $0.takeNotice() }, { $0.popNotice() })
  }

  /// Lets the next packet be told that brings more of a body, or another sixteenth of one that
  /// matters only as a whole.
  mutating func watchNext(_ number: Int, of size: ByteCount, isWhole: Bool) {
    if isWhole, size == .zero { return }
    change(
      { _ in }, { _ in },
      { path in
        var next = path.delivered(number).bytes + 1
        if isWhole {
          let parts = (next - 1) * Self.parts / size.bytes + 1
          next = (size.bytes * parts + Self.parts - 1) / Self.parts
        }
        path.watch(number, for: ByteCount(bytes: next))
      })
  }

  /// Lets packets be told only when so much of a body has arrived.
  mutating func watch(_ number: Int, for bytes: ByteCount) {
    change({ _ in }, { _ in }, { $0.watch(number, for: bytes) })
  }

  /// When the last bytes of a response that has begun came.
  mutating func lastByte(of number: Int, at now: Instant) -> Instant {
    change(
      { $0.lastByte(at: now) },
      { $0.lastByte(of: number, at: now) }, { $0.lastByte(of: number) })
  }

  /// What an ideal link could have brought of the nanosecond that ends now to a transfer that is
  /// over, and that did not need it.
  func spare(of number: Int, at now: Instant) -> DataAmount {
    guard case .ideal(let box) = self else { return .zero }
    return box.read { $0.spare(of: number, at: now) }
  }

  /// Takes over what had arrived of a transfer at the path's anchor, and how it goes on; returns
  /// the anchor.
  @discardableResult
  mutating func update(_ transfer: inout Transfer, from number: Int) -> Instant {
    let kept = transfer.share
    let (delivered, share, anchor) = change(
      { ($0.transfer(number).delivered, $0.transfer(number).share, $0.anchor) },
      { link in
        let progress = link.progress(of: number)
        transfer.active = link.transfer(number).active
        return (progress.delivered, progress.share, link.anchor)
      },
      { path in
        transfer.active = path.active(number)
        // A begun byte was asked for as a whole one.
        return (DataAmount(path.delivered(number)), kept, .never)
      })
    transfer.delivered = min(transfer.size, delivered)
    transfer.share = share
    return anchor
  }

  /// When the steps of a transfer were over; nil on an ideal link, which has none.
  mutating func times(_ number: Int) -> TransferTimes? {
    change({ _ in nil }, { $0.transfer(number).times }, { $0.times(number) })
  }
}

extension IdealLink {
  /// Makes a request; nothing fails here, and a name that does not resolve is an empty response.
  mutating func open(_ request: TransferRequest, size: DataAmount, at now: Instant) -> Int {
    switch request.answer {
    case .served:
      let number = open(
        size, for: request.owner, serverDelay: request.boundedServerDelay,
        behind: request.follows, at: now)
      if request.weight != FlowShare.ordinaryWeight { setWeight(request.weight) }
      return number
    case .nameNotResolved: return open(.zero, for: request.owner, at: now)
    }
  }
}
