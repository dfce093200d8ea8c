/// When the steps of a new connection are over; `never` for a step that its link does not carry.
struct FluidHandshake: Hashable, Sendable {
  /// When the name is known and the handshake begins.
  var begins = Instant.start
  /// When the connection is there; nil if nothing tells of that before it is secured.
  var connected: Instant?
  /// When requests may go.
  var ready = Instant.never

  /// Returns whether a client that gives a request up leaves such a connection as dead, as one of
  /// packets does that has had no answer to three tries (see ``PacketNetwork``).
  func seemsDead(at now: Instant, _ policy: TransportPolicy) -> Bool {
    if ready == .never { return true }
    if (connected ?? ready) <= now { return false }
    // TCP asks again after each second; QUIC waits for twice as long each time.
    let silence = policy.synTimeout.times(policy.http == .http3 ? 7 : 2)
    return now - begins >= silence
  }
}

/// The last samples of a round that are taken into the smoothed round trip: what is older weighs
/// less than two thousandths (⅞⁴⁸).
private let samplesMax: Int64 = 48

/// A connection in the fluid tier: its window, and how far its present round has come.
///
/// As long as the path is not full, data comes in bursts: a window's worth, then nothing until the
/// first acknowledgement has gone round and a window twice as large follows. When the next burst
/// is due before the last has passed, the pipe is full, and the rest is one flow.
struct FluidConnection: Hashable, Sendable {
  /// What a connection is doing.
  enum Phase: Hashable, Sendable {
    /// It is being made.
    case opening
    /// It carries no data.
    case idle
    /// A burst is on the link or waits there.
    case burst
    /// The burst has passed; the next one is due at the round's end.
    case gap
    /// There is always something of it before the link.
    case full
  }

  /// What is known before a request.
  struct Unsent: Hashable, Sendable {
    let ends: FluidEnds
    let window: FluidWindow
  }

  /// The number of the connection, counted over the run.
  let number: Int
  /// The user and the host that it joins, and what it may carry.
  let pool: ConnectionPool
  var phase = Phase.opening
  var window: FluidWindow
  /// The number of the round in the present busy time.
  var round = 0
  var roundStart = Instant.start
  /// When the busy time began.
  var busySince = Instant.start
  /// When the first acknowledgement of the round's burst lets the next burst go.
  var roundEnd = Instant.start
  /// When the burst of the round had passed.
  var passedAt = Instant.start
  /// When the player last heard of it.
  var heardAt = Instant.start
  /// How many round trips the round stands for.
  var roundsAlike: Int64 = 1
  /// How many rounds a full path has seen since the player last heard.
  var roundsFull: Int64 = 0
  /// What is left of the burst, in bits of packets.
  var left = DataAmount.zero
  /// What has passed in the busy time, and had before the present round and the one before.
  var served = DataAmount.zero
  var servedAtRound = DataAmount.zero
  var servedAtRoundBefore = DataAmount.zero
  /// The packets of the busy time that the player had heard before the present round.
  var heard: Int64 = 0
  /// The packets of the busy time that had passed when the path was last found full.
  var heardAtFull: Int64 = 0
  /// The fastest that its sender sends; nil for no bound.
  var pace: BitRate?
  /// The pace of what follows the packets that leave together as a busy time begins, and what is
  /// left of those; nil if nothing does.
  var paceNext: BitRate?
  var atOnce = DataAmount.zero
  /// The pace as the last acknowledgement before the present busy time has set it: a sender that
  /// was silent goes on with it (measured).
  var paceKept: BitRate?
  /// The packets that its server had sent before the present busy time.
  var sent: Int64
  /// Its part of the link since the link's last change.
  var share = FlowShare.none
  /// How long one of its packets took on the link when it last had a part of it.
  var spacing = TimeSpan.zero
  /// Whether nothing was sent on it before the present busy time.
  var isFresh = true
  /// Whether the packets of all busy times before were known.
  var isExact = true
  /// Whether its window shrank in the rest before the present busy time.
  var isRested = false
  /// Whether something came about on it that this tier models only roughly.
  var isUnsure = false
  /// Whether it ends when what is in flight has passed.
  var isClosing = false
  /// When it is asked for, made and secured, as far as its handshake foresees that.
  var handshake = FluidHandshake()

  /// How its first response goes, if that is taken packet by packet.
  var opening: FluidOpening.Plan?
  /// The packets of the handshake that the first response has found under way.
  var ahead: Int64 = 0
  /// The packets that go before the rest of a round because of them, and when they let others go.
  var lead: Int64 = 0
  var leadEnd = Instant.start
  /// When the rest of the round lets others go, if those that lead it are acknowledged before.
  var answeredAt: Instant?
  /// What its ends have said to each other, and until when that holds the link.
  var ends: FluidEnds
  /// What they and the sender know before a request that is planned, and may not be sent after all.
  var unsent: Unsent?
  private(set) var upFreeAt: Instant
  private(set) var downFreeAt: Instant

  /// Creates a connection that is being made.
  init(
    number: Int, for request: TransferRequest, ends: FluidEnds, exchange: FluidExchange,
    segment: Int64
  ) {
    self.number = number
    pool = request.pool
    self.ends = ends
    (upFreeAt, downFreeAt) = (exchange.upFreeAt, exchange.downFreeAt)
    sent = Int64(ends.sentByServer)
    window = FluidWindow(exchange.policy, segment: segment)
    for sample in exchange.roundTrips {
      if window.roundTrip != nil, sample.span > window.timeout { isUnsure = true }
      window.sample(sample.span, beginsRound: sample.beginsRound)
    }
    for flight in exchange.flights {
      window.begin(after: flight.count, sentAt: flight.sentAt, exchange.policy)
    }
  }

  /// Keeps what is known before a request is planned.
  mutating func keepUnsent() { unsent = Unsent(ends: ends, window: window) }

  /// Takes back a request that was planned.
  mutating func forgetSent() {
    if let unsent { (ends, window) = (unsent.ends, unsent.window) }
    unsent = nil
  }

  /// Takes the two directions as free from an instant on, at the latest.
  mutating func free(at now: Instant) {
    (upFreeAt, downFreeAt) = (min(upFreeAt, now), min(downFreeAt, now))
  }

  /// Whether its first response goes, packet by packet.
  @inline(__always)
  var isOpening: Bool { if case .some = opening { true } else { false } }

  /// Whether it wants a part of the link while it has data.
  @inline(__always)
  var isServed: Bool { phase == .burst || phase == .full }

  /// Whether the response has found packets of the handshake under way.
  @inline(__always)
  var isAfterHandshake: Bool { isFresh && ends.ahead > 0 }

  /// Whether data is being sent on it.
  @inline(__always)
  var isBusy: Bool { isServed || phase == .gap }

  /// Takes the round trips of so many packets of the present round into the mean.
  ///
  /// The packets of a busy time's first burst leave at once, later ones as the acknowledgements of
  /// the round before come, paced ones at their pace; each waits for those before it.
  mutating func measure(
    _ roundTrip: TimeSpan, of count: Int64, packet: FluidPacket,
    acknowledgedWithin late: TimeSpan
  ) {
    guard count > 0 else { return }
    var leaving: Int64 = 0
    if round > 0 {
      // By twos in slow start, and one by one where the receiver lets no more be under way.
      let before = packet.count(in: servedAtRound - min(servedAtRound, servedAtRoundBefore))
      let part = min(before, count)
      leaving = max(spacing.nanoseconds / 2, spacing.nanoseconds / count * part)
    }
    if let pace {
      leaving = max(
        leaving, FlowShare(rate: pace, flows: 1, place: 0).span(for: packet.size).nanoseconds)
    }
    let waiting = TimeSpan(nanoseconds: max(0, spacing.nanoseconds - leaving))
    // Of two packets that are acknowledged together the first tells how long that took. If the
    // second is later than the receiver waits, each is acknowledged by itself, and late.
    let both = ends.client.packetsTogether(isWidening: window.isWidenedByEach)
    let together = spacing >= late ? 1 : both
    let later = roundTrip + (both > 1 && count > 1 ? min(spacing, late) : .zero)
    let first = max(0, count - together * samplesMax)
    for place in stride(from: first, to: count, by: Int(together)) {
      // A response to early data is acknowledged in the round of what ends the handshake.
      let beginsRound = place == first && !(round == 0 && isAfterHandshake)
      window.sample(later + waiting.times(place), beginsRound: beginsRound)
    }
  }

  /// Takes the round trips of packets that wait for the others before the link into the mean, of
  /// which so many were under way at the end.
  ///
  /// Each packet waits for those that are under way with it: in slow start for one more with each
  /// two that are acknowledged, above the threshold for as many as the one before.
  mutating func measure(flying: Int64, _ roundTrip: TimeSpan, packet: FluidPacket) {
    assert(flying >= 0, "\(flying) packets are under way")
    // A receiver that is no longer cautious acknowledges every second packet.
    let all = max(0, packet.count(in: served) - heardAtFull) / 2 + 1
    let samples = min(samplesMax, all)
    let samplesOfRound = max(1, flying / 2)
    let isSteep = flying <= window.threshold
    func sample(_ left: Int64) -> TimeSpan {
      max(roundTrip, spacing.times(max(0, isSteep ? flying - left : flying)))
    }
    if samples < all {
      window.follow(
        to: sample(samples), step: isSteep ? spacing : .zero,
        rounds: (all - samples) / samplesOfRound)
    }
    for left in (0..<samples).reversed() {
      window.sample(sample(left), beginsRound: (left + 1) % samplesOfRound == 0)
    }
  }
}
