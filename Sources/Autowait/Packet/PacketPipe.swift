/// One direction of a link, packet by packet: chance, queue, rate, delay, in dummynet's order.
///
/// When a packet is offered, the instants at which it leaves the queue and arrives are computed at
/// once, from the track as far as it reaches: the pipe is a delay line and needs no events but
/// arrivals. A change of the link that no track foresaw computes the instants again for what has
/// not left the queue.
struct PacketPipe: Sendable {
  /// What became of the packets that were offered.
  struct PipeCounts: Hashable, Sendable {
    /// The packets offered, with the copies that the link made.
    var offered = 0
    /// The packets lost by chance, or in a blackout.
    var lost = 0
    /// The packets dropped because the queue was full.
    var dropped = 0
    /// The packets that arrived.
    var delivered = 0
    /// The bytes that arrived.
    var deliveredBytes: Int64 = 0
    /// The most that was in the queue.
    var queuedMax = 0
  }

  private struct Waiting: Sendable {
    var departure: Instant
    var wireBytes: Int32
    /// For how many nanoseconds behind its departure it still has its place.
    var lag: Int32
  }

  /// What leaves makes room so much later, but no later than half of the next packet's time.
  ///
  /// Packets that acknowledgements let go come at the very instants at which others leave. The
  /// measured hosts are a little faster in the middle of a train than at its start, so such a
  /// packet finds the other one still there: small queues overflow one acknowledgement earlier.
  private static let lagMax: Int64 = 10_000

  private(set) var counts = PipeCounts()
  private(set) var direction: LinkDirection
  private let isUp: Bool
  private var line = Ring<Packet>(filler: .none)
  private var queue = Ring<Waiting>(filler: Waiting(departure: .start, wireBytes: 0, lag: 0))
  private var queuedBytes: Int64 = 0
  private var queuedPacketsMax = Int.max
  private var queuedBytesMax = Int64.max
  private var overhead: Int32
  private var serialiser: Serialiser
  /// The place on the track of the instant at which packets come in.
  private var present: LinkCursor
  private var lastOffer = Instant.start
  private var lastArrival = Instant.start
  private var measured = SplitMixDraws(state: 0)
  private var isRandom = false
  private var candidates = 0
  private(set) var numbered: Int64 = 0
  private var losesNewUntil = Instant.start
  private var heldUntil = Instant.start

  /// When the next packet arrives.
  private(set) var nextArrival = Instant.never

  /// Creates a direction of a link that begins to hold at an instant.
  init(_ profile: LinkProfile, isUp: Bool, origin: Instant, at now: Instant) {
    self.isUp = isUp
    direction = isUp ? profile.up : profile.down
    present = LinkCursor(direction.track, origin: origin, at: now)
    serialiser = Serialiser(present, at: now)
    overhead = Int32(clamping: direction.overheadPerPacket.bytes)
    settle(profile)
  }

  /// The packets that are in the queue or under way.
  var underWay: Int { line.count }

  /// Whether every packet is under way, or its fate was counted.
  var isConserved: Bool {
    counts.offered == counts.lost + counts.dropped + counts.delivered + line.count
  }

  /// The time in which the link carries so many bytes of packets, at the rate at which the last one
  /// came in.
  func span(of bytes: Int64, packets: Int64) -> TimeSpan {
    if present.rate == .zero { return .zero }
    return FlowShare(rate: present.rate, flows: 1, place: 0)
      .span(for: DataAmount(ByteCount(bytes: bytes + packets * Int64(overhead))))
  }

  /// Whether a flow needs random streams here.
  @inline(__always)
  var drawsRandom: Bool { isRandom }

  /// Whether a packet would find room in the queue.
  mutating func hasRoom(for wireBytes: Int32, at instant: Instant) -> Bool {
    let now = max(instant, lastOffer)
    leave(at: now)
    return queue.count < queuedPacketsMax && !isFull(for: wireBytes &+ overhead)
  }

  /// When no more than so many packets of a flow are left in the queue; nil if that is so now.
  func departure(leaving most: Int, of flow: Int, at now: Instant) -> Instant? {
    var count = 0
    for number in line.first..<line.end where isWaiting(line[number], of: flow, at: now) {
      count += 1
    }
    var surplus = count - most
    if surplus <= 0 { return nil }
    assert(most >= 0, "\(most) packets may be in the queue")
    for number in line.first..<line.end where isWaiting(line[number], of: flow, at: now) {
      surplus -= 1
      if surplus == 0 { return line[number].departure }
    }
    return nil
  }

  @inline(__always)
  private func isWaiting(_ packet: Packet, of flow: Int, at now: Instant) -> Bool {
    packet.departure > now && packet.kind == .data && Int(packet.flow) == flow
  }

  /// Whether a segment that was sent at an instant has not left the queue.
  func holds(_ segment: Int, of flow: Int, sentAt: Instant, at now: Instant) -> Bool {
    for number in line.first..<line.end {
      let packet = line[number]
      if isWaiting(packet, of: flow, at: now), packet.segment == segment, packet.stamp == sentAt {
        return true
      }
    }
    return false
  }

  /// Takes a packet in.
  ///
  /// A host sends a burst over some microseconds; a packet of another flow that is offered
  /// meanwhile comes in behind the burst.
  @inline(__always)
  mutating func offer(
    _ packet: Packet, at instant: Instant, _ random: inout [FlowRandom]
  ) -> PipeOutcome {
    let now = max(instant, lastOffer)
    lastOffer = now
    counts.offered += 1
    if present.changesAt <= now { present.advance(to: now) }
    if isRandom || losesNewUntil > now || present.loss != nil {
      return offerByChance(packet, at: now, &random)
    }
    return enqueue(packet, at: now, deviation: .zero) ? .carried : .dropped
  }

  /// What became of a packet that was offered.
  enum PipeOutcome: Sendable {
    /// It will arrive.
    case carried
    /// It and a copy of it will arrive.
    case carriedTwice
    /// It will not.
    case dropped
  }

  private mutating func offerByChance(
    _ packet: Packet, at now: Instant, _ random: inout [FlowRandom]
  ) -> PipeOutcome {
    numbered += 1
    if random.isEmpty { random.append(FlowRandom(key: 0)) }
    if losesNewUntil > now || isLost(&random[0]) {
      if direction.lossPlace == .afterQueue, losesNewUntil <= now { occupy(for: packet, at: now) }
      counts.lost += 1
      return .dropped
    }
    var deviation = direction.jitter.map { random[0].deviation($0) } ?? .zero
    if let reorder = direction.reorder {
      candidates += 1
      if candidates >= reorder.gap, random[0].happens(reorder.chance) {
        candidates = 0
        deviation = TimeSpan(nanoseconds: .min / 2)
      }
    }
    let isCarried = enqueue(packet, at: now, deviation: deviation)
    guard direction.duplicate > .never, random[0].happens(direction.duplicate) else {
      return isCarried ? .carried : .dropped
    }
    counts.offered += 1
    let isCopyCarried = enqueue(packet, at: now, deviation: deviation)
    switch (isCarried, isCopyCarried) {
    case (true, true): return .carriedTwice
    case (false, false): return .dropped
    default: return .carried
    }
  }

  /// Lets a packet that will be lost behind the queue take its place in it, if there is one.
  ///
  /// It is not on the line: after a change of the link what waits goes on without it.
  private mutating func occupy(for packet: Packet, at now: Instant) {
    leave(at: now)
    let wireBytes = packet.wireBytes &+ overhead
    if queue.count >= queuedPacketsMax || isFull(for: wireBytes) { return }
    append(serialiser.departure(of: Int64(wireBytes), at: now), wireBytes, at: now)
  }

  /// Makes room where packets have left the queue.
  @inline(__always)
  private mutating func leave(at now: Instant) {
    while !queue.isEmpty, isGone(queue[queue.first], at: now) {
      queuedBytes &-= Int64(queue[queue.first].wireBytes)
      queue.dropFirst()
    }
  }

  private mutating func isLost(_ random: inout FlowRandom) -> Bool {
    if let chance = present.loss {
      if case .measured = direction.loss { return chance.comesTrue(measured.next()) }
      return random.loses(chance)
    }
    switch direction.loss {
    case .none: return false
    case .bernoulli(let chance): return random.loses(chance)
    case .gilbertElliott(let bursts): return random.loses(bursts)
    case .everyNth(let step): return numbered % Int64(step) == 0
    case .packets(let numbers):
      let place = numbers.indices.firstPlace { numbers[$0] >= numbered }
      return place < numbers.count && numbers[place] == numbered
    case .measured(let chance, _): return chance.comesTrue(measured.next())
    }
  }

  /// Puts a packet into the queue, if it fits.
  @inline(__always)
  private mutating func enqueue(_ packet: Packet, at now: Instant, deviation: TimeSpan) -> Bool {
    leave(at: now)
    let wireBytes = packet.wireBytes &+ overhead
    if queue.count >= queuedPacketsMax || isFull(for: wireBytes) {
      counts.dropped += 1
      return false
    }
    var packet = packet
    packet.departure = serialiser.departure(of: Int64(wireBytes), at: now)
    append(packet.departure, wireBytes, at: now)
    if queue.count > counts.queuedMax { counts.queuedMax = queue.count }
    send(packet, deviation: deviation)
    return true
  }

  @inline(__always)
  private mutating func append(_ departure: Instant, _ wireBytes: Int32, at now: Instant) {
    let begun = queue.isEmpty ? now : max(now, queue[queue.end - 1].departure)
    assert(departure >= begun, "a packet leaves at \(departure.nanoseconds) ns, before others")
    let lag = min(PacketPipe.lagMax, (departure.nanoseconds &- begun.nanoseconds) / 2)
    queue.append(
      Waiting(departure: departure, wireBytes: wireBytes, lag: Int32(truncatingIfNeeded: lag)))
    queuedBytes &+= Int64(wireBytes)
    assert(queuedBytes >= Int64(wireBytes), "\(queuedBytes) bytes are in the queue")
  }

  @inline(__always)
  private func isGone(_ waiting: Waiting, at now: Instant) -> Bool {
    waiting.departure.nanoseconds <= now.nanoseconds &- Int64(waiting.lag)
  }

  @inline(__always)
  private func isFull(for wireBytes: Int32) -> Bool {
    queuedBytes &+ Int64(wireBytes) > queuedBytesMax
  }

  /// Puts a packet that has its departure on the delay line.
  @inline(__always)
  private mutating func send(_ packet: Packet, deviation: TimeSpan) {
    var packet = packet
    if packet.departure == .never {
      packet.arrival = .never
    } else if deviation == .zero {
      packet.arrival = packet.departure + serialiser.delay
    } else {
      let delay = max(0, serialiser.delay.nanoseconds &+ deviation.nanoseconds)
      packet.arrival = packet.departure + TimeSpan(nanoseconds: delay)
    }
    if packet.arrival >= lastArrival || line.isEmpty {
      lastArrival = packet.arrival
      line.append(packet)
    } else if keepsOrder(deviation) {
      packet.arrival = lastArrival
      line.append(packet)
    } else {
      var place = line.end
      while place > line.first, line[place - 1].arrival > packet.arrival { place -= 1 }
      line.insert(packet, at: place)
    }
    nextArrival = line[line.first].arrival
    assert(packet.arrival >= packet.departure, "a packet arrives before it leaves")
  }

  /// Only jitter that may, and packets that skip the delay, overtake; a change of delay does not.
  private func keepsOrder(_ deviation: TimeSpan) -> Bool {
    if deviation == .zero { return direction.jitter?.keepsOrder ?? true }
    if deviation.nanoseconds == .min / 2 { return false }
    return direction.jitter?.keepsOrder ?? true
  }

  /// Takes the packet that arrives next off the line.
  @inline(__always)
  mutating func take() -> Packet {
    let packet = line.removeFirst()
    assert(line.isEmpty || line[line.first].arrival >= packet.arrival, "packets out of order")
    nextArrival = line.isEmpty ? .never : line[line.first].arrival
    counts.delivered += 1
    counts.deliveredBytes += Int64(packet.wireBytes)
    assert(isConserved, "\(counts.offered) packets were offered, and others are there")
    return packet
  }

  // MARK: - Changes of the link

  /// Lets another profile hold: what waits goes on at its rate, what is under way just arrives.
  mutating func use(_ profile: LinkProfile, origin: Instant, at now: Instant) {
    (heldUntil, losesNewUntil) = (now, now)
    numbered = 0
    vary(profile, origin: origin, at: now)
  }

  /// Lets the profile that holds have other numbers: what happens to it, and which packets it
  /// loses, goes on.
  mutating func vary(_ profile: LinkProfile, origin: Instant, at now: Instant) {
    let rest = restOfService(at: now)
    direction = isUp ? profile.up : profile.down
    present = LinkCursor(direction.track, origin: origin, at: now)
    overhead = Int32(clamping: direction.overheadPerPacket.bytes)
    serialiser = Serialiser(present, at: now)
    if heldUntil > now { serialiser.hold(until: heldUntil) }
    settle(profile)
    serveAnew(rest: rest, at: now)
  }

  /// Stands still until an instant; all goes on behind it.
  mutating func hold(until end: Instant, at now: Instant) {
    let rest = restOfService(at: now)
    present.advance(to: now)
    heldUntil = end
    serialiser = Serialiser(present, at: now)
    serialiser.hold(until: end)
    serveAnew(rest: rest, at: now)
  }

  /// Loses what is offered before an instant.
  mutating func loseNew(until end: Instant) {
    losesNewUntil = max(losesNewUntil, end)
  }

  /// Loses what waits, and what is under way too if it should, and returns it.
  mutating func flush(underWay: Bool, at now: Instant) -> [Packet] {
    var kept: [Packet] = []
    var lost: [Packet] = []
    while !line.isEmpty {
      let packet = line.removeFirst()
      if !underWay, packet.departure <= now { kept.append(packet) } else { lost.append(packet) }
    }
    for packet in kept { line.append(packet) }
    nextArrival = kept.first?.arrival ?? .never
    lastArrival = kept.last?.arrival ?? now
    queue.removeAll()
    queuedBytes = 0
    counts.lost += lost.count
    present.advance(to: now)
    serialiser = Serialiser(present, at: now)
    assert(isConserved, "\(counts.offered) packets were offered, and others are there")
    return lost
  }

  /// Returns what is missing of the packet in service, in nanobits.
  private mutating func restOfService(at now: Instant) -> UInt64? {
    if present.changesAt <= now { present.advance(to: now) }
    var first: Packet?
    for number in line.first..<line.end where line[number].departure > now {
      if first.map({ line[number].departure < $0.departure }) ?? true { first = line[number] }
    }
    guard let first else { return nil }
    let whole = Serialiser.nanobits(Int64(first.wireBytes &+ overhead))
    return serialiser.rest(from: present, at: now, until: first.departure, atMost: whole)
  }

  /// Computes departures and arrivals again for all that has not left the queue.
  private mutating func serveAnew(rest: UInt64?, at now: Instant) {
    var waiting: [Packet] = []
    var kept: [Packet] = []
    while !line.isEmpty {
      let packet = line.removeFirst()
      if packet.departure > now { waiting.append(packet) } else { kept.append(packet) }
    }
    for packet in kept { line.append(packet) }
    lastArrival = kept.last?.arrival ?? now
    nextArrival = kept.first?.arrival ?? .never
    waiting.sort { $0.departure < $1.departure }
    queue.removeAll()
    queuedBytes = 0
    var rest = rest
    for var packet in waiting {
      let wireBytes = packet.wireBytes &+ overhead
      let nanobits = rest ?? Serialiser.nanobits(Int64(wireBytes))
      rest = nil
      packet.departure = serialiser.departure(ofNanobits: nanobits, at: now)
      append(packet.departure, wireBytes, at: now)
      send(packet, deviation: .zero)
    }
    assert(isConserved, "\(counts.offered) packets were offered, and others are there")
  }

  private mutating func settle(_ profile: LinkProfile) {
    setQueue(profile)
    if case .measured(_, let seed) = direction.loss {
      measured = SplitMixDraws(state: (2 &* seed &+ (isUp ? 1 : 0)) &* 1_000_003 &+ 17)
    }
    isRandom =
      direction.loss != .none || direction.jitter != nil || direction.reorder != nil
      || direction.duplicate > .never
  }

  private mutating func setQueue(_ profile: LinkProfile) {
    queuedPacketsMax = .max
    queuedBytesMax = .max
    switch QueueLimit.limit(of: direction, back: isUp ? profile.down : profile.up) {
    case .packets(let count): queuedPacketsMax = Int(clamping: count)
    case .bytes(let size): queuedBytesMax = size.bytes
    case .none: break
    }
  }
}

/// The generator with which the reference measurements were made (Steele, Lea and Flood, 2014).
struct SplitMixDraws: Sendable {
  /// The counter that is mixed.
  var state: UInt64

  /// Returns the next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
