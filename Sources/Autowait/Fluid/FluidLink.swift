/// A link on which requests cost what TCP makes them cost, and data flows like water.
///
/// Between two changes every transfer has a constant ``FlowShare``, as on the ideal ``IdealLink``,
/// so what has arrived by any instant is a product. What a connection may send comes in bursts
/// until its window fills the path (see ``FluidConnection``); connections that have something to
/// send share the link equally, up to their pace. Nothing is ever lost: ``TierChoice`` says when
/// that is near the truth.
///
/// All of it is told by the time of the player's end of the link: what a server sends at an instant
/// reaches the link a delay later, and leaves it when it arrives.
struct FluidLink: Sendable {
  /// What never changes.
  private struct Terms: Sendable {
    let links: [LinkProfile]
    let changes: [LinkChange]
    let policy: TransportPolicy
    let uploads: TransportPolicy
    let leaning: FluidLeaning
    /// A full packet on the way down of each link.
    let packets: [FluidPacket]

    init(
      _ links: [LinkProfile], _ changes: [LinkChange], _ policy: TransportPolicy,
      _ leaning: FluidLeaning
    ) {
      (self.links, self.changes, self.policy, self.leaning) = (links, changes, policy, leaning)
      uploads = policy.ofUploads
      packets = links.map { FluidPacket($0, policy) }
    }
  }

  /// They lie in an array of one: what asks a link, and is not in line, copies the link.
  private let terms: [Terms]
  var changesMade = 0
  private var numberOfTransfers = 0
  var numberOfConnections = 0

  /// The number of the condition that holds.
  private(set) var condition = 0
  /// A full packet on its way down.
  private(set) var packet: FluidPacket
  var down: FluidDirection
  var up: FluidDirection
  /// The gaps of handovers that are to come, by ascending end.
  var handovers: [HandoverEnd] = []
  /// When the way up has sent what it was given.
  var upFreeAt = Instant.start
  /// The requests under way, by ascending number.
  var transfers: [FluidTransfer] = []
  /// The connections, by ascending number.
  var connections: [FluidConnection] = []
  /// The names that need no lookup.
  var names: [KnownName] = []
  /// What was not yet told about the transfers.
  private(set) var notices: [TransferNotice] = []
  /// The instant of the last change; shares hold from here.
  private(set) var anchor = Instant.start
  /// A number that moves whenever what a transfer has, or gets, was written again.
  private(set) var version = 0

  /// A name that a user has looked up.
  struct KnownName: Hashable, Sendable {
    let owner: Int
    let host: Int
    /// When the answer is there; `never` for one that is too late for the resolver.
    var knownAt: Instant
    /// When the resolver gives up.
    let failsAt: Instant
  }

  /// The end of a handover's gap.
  struct HandoverEnd: Hashable, Sendable {
    let start: Instant
    let end: Instant
    let link: Int?
    let endsConnections: Bool
  }

  /// Creates a link in the condition that a world starts with.
  init(
    links: [LinkProfile], changes: [LinkChange] = [], policy: TransportPolicy,
    leaning: FluidLeaning = .none
  ) {
    terms = [Terms(links, changes, policy, leaning)]
    packet = terms[0].packets[0]
    down = FluidDirection(
      links[0].down.track, outages: [], at: FluidDirection.Place(origin: .start, now: .start))
    up = down
    use(link: 0, at: .start)
  }

  @inline(__always)
  var links: [LinkProfile] { terms[0].links }
  @inline(__always)
  var changes: [LinkChange] { terms[0].changes }
  @inline(__always)
  var policy: TransportPolicy { terms[0].policy }
  /// The policy as it holds for what goes up.
  @inline(__always)
  var uploads: TransportPolicy { terms[0].uploads }
  @inline(__always)
  var leaning: FluidLeaning { terms[0].leaning }

  /// The rate that holds.
  var rate: BitRate { down.rate }

  /// What fits before the link on the way up.
  var upQueue: DataAmount { packet.upQueue }

  /// Changes the condition; its tracks start at the given time into them.
  mutating func use(link: Int, elapsed: TimeSpan = .zero, at now: Instant) {
    leaveOutage(at: now)
    let last = transfers.isEmpty ? nil : down
    for index in connections.indices { connections[index].opening = nil }
    (condition, packet) = (link, terms[0].packets[link])
    let profile = links[link]
    let origin = Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds)
    let delay = profile.down.track.samples[0].delay
    var outages: [FluidDirection.Outage] = []
    handovers = []
    for event in profile.events {
      let start = origin + event.start
      let end = start + event.kind.standstill
      switch event.kind {
      case .handover(let handover) where end > now:
        handovers.append(
          HandoverEnd(
            start: start, end: end + delay, link: handover.link,
            endsConnections: handover.endsConnections))
      case .offline where end > now:
        handovers.append(
          HandoverEnd(start: start, end: end + delay, link: nil, endsConnections: true))
      case .blackout, .handover, .offline: break
      }
      if let last = outages.last, last.end >= start {
        outages[outages.count - 1] = FluidDirection.Outage(
          start: last.start, end: max(last.end, end))
      } else {
        outages.append(FluidDirection.Outage(start: start, end: end))
      }
    }
    var place = FluidDirection.Place(origin: origin, now: now)
    up = FluidDirection(profile.up.track, outages: outages, at: place)
    let late = outages.map { FluidDirection.Outage(start: $0.start + delay, end: $0.end + delay) }
    place.delay = delay
    down = FluidDirection(profile.down.track, outages: late, at: place, after: last)
  }
}

// MARK: - Time

extension FluidLink {
  /// Moves the link to an instant, no later than its next change.
  mutating func advance(to now: Instant) {
    precondition(now >= anchor, "the link went back in time")
    if passesOnlySamples(until: now) { return }
    deliver(until: now)
    var isChanged = false
    while changesMade < changes.count, changes[changesMade].instant <= now {
      let change = changes[changesMade]
      changesMade += 1
      use(link: change.link, elapsed: change.elapsed, at: change.instant)
      isChanged = true
    }
    down.advance(to: now)
    up.advance(to: now)
    if isChanged { retryStuck(at: now) }
    takeHandovers(at: now)
    settle(at: now)
  }

  /// Lets everything that is due happen, and divides the link again.
  mutating func settle(at now: Instant) {
    var (steps, stepsMax) = (0, 64 * (transfers.count + connections.count) + 64)
    while takeNextStep(at: now) {
      steps += 1
      precondition(steps < stepsMax, "the link does not come to rest")
      stepsMax = max(stepsMax, 64 * (transfers.count + connections.count) + 64)
    }
    divide(at: now)
    version &+= 1
    assertInvariants()
  }

  /// Moves on over samples of the track that are like the ones before them; returns false if
  /// anything more happens by an instant.
  private mutating func passesOnlySamples(until now: Instant) -> Bool {
    guard down.changesAt <= now, nextChange(isRateApart: true) > now else { return false }
    var copy = down
    copy.advance(to: now)
    guard copy.rate == down.rate, copy.delay == down.delay else { return false }
    down = copy
    up.advance(to: now)
    return true
  }

  /// Moves what has flowed since the last change into the transfers.
  private mutating func deliver(until now: Instant) {
    if now == anchor { return }
    let span = now - anchor
    var total = DataAmount.zero
    for index in connections.indices where connections[index].phase == .full {
      countRounds(index, from: anchor, to: now)
    }
    for index in connections.indices where connections[index].share != .none {
      let part = connections[index].share.data(in: span)
      total += part
      // What rounding brings beyond the burst is no packet.
      let left = connections[index].left
      connections[index].atOnce = connections[index].atOnce - min(connections[index].atOnce, part)
      connections[index].served += connections[index].phase == .burst ? min(left, part) : part
      connections[index].left = left - min(left, part)
    }
    precondition(
      total <= DataAmount(rate, for: span), "the parts of the link are more than the whole")
    for index in transfers.indices where transfers[index].wire != .none {
      let part = transfers[index].wire.data(in: span)
      switch transfers[index].phase {
      case .beginning(let left):
        if bringsAlone(index) { transfers[index].active += span }
        transfers[index].phase = .beginning(left: left - min(left, part))
      case .discarded(let left): transfers[index].phase = .discarded(left: left - min(left, part))
      case .flowing: transfers[index].delivered = transfers[index].delivered(for: span)
      case .queued, .naming, .connecting, .asked, .delayed, .suspended, .completed, .failed: break
      }
      transfers[index].heardAt = now
    }
    anchor = now
    version &+= 1
  }

  /// Whether media whose first packet is on the link is all that comes for its player, or the
  /// first of several that begin.
  private func bringsAlone(_ index: Int) -> Bool {
    guard transfers[index].request.isMedia else { return false }
    return !transfers.indices.contains { other in
      guard other != index, transfers[other].wire != .none, transfers[other].request.isMedia,
        transfers[other].request.owner == transfers[index].request.owner
      else { return false }
      return switch transfers[other].phase {
      case .flowing: true
      case .beginning: other < index
      case .queued, .naming, .connecting, .asked, .delayed, .suspended, .discarded, .completed,
        .failed:
        false
      }
    }
  }

  /// The instant of the next change: of the condition, of the rate, or of what is sent.
  ///
  /// It is `mutating` in name only, as what asks for it is (see ``NetworkPath``).
  mutating func nextChange() -> Instant { nextChange(isRateApart: false) }

  private mutating func nextChange(isRateApart: Bool) -> Instant {
    // What came of a request at once is still to be told.
    if !notices.isEmpty { return anchor }
    var next = changesMade < changes.count ? changes[changesMade].instant : .never
    if let handover = handovers.first { next = min(next, handover.end) }
    if !isRateApart, transfers.contains(where: { $0.isServed }) { next = min(next, down.changesAt) }
    for index in transfers.indices { next = min(next, nextStep(ofTransfer: index)) }
    for index in connections.indices where connections[index].isBusy {
      next = min(next, nextStep(ofConnection: index))
    }
    return max(next, anchor)
  }

  private func nextStep(ofTransfer index: Int) -> Instant {
    var next = Instant.never
    switch transfers[index].phase {
    case .queued: break
    case .naming(let until), .connecting(let until), .asked(let until), .delayed(let until):
      next = until
    case .beginning(let left), .discarded(let left):
      next = anchor + transfers[index].wire.span(for: left)
    case .flowing:
      next = anchor + transfers[index].share.span(for: transfers[index].missing)
    case .suspended, .completed, .failed: return .never
    }
    return min(next, failsAt(index))
  }

  /// When no byte of a transfer has come for too long; time without bytes does not count while
  /// nobody reads, and nobody waits for what was given up.
  func failsAt(_ index: Int) -> Instant {
    guard let timeout = policy.requestTimeout, transfers[index].wire == .none,
      !transfers[index].isHeld, !isDiscarded(index)
    else { return .never }
    return transfers[index].heardAt + timeout
  }

  private func nextStep(ofConnection index: Int) -> Instant {
    let (left, roundEnd) = (connections[index].left, connections[index].roundEnd)
    switch connections[index].phase {
    case .opening, .idle, .full: return .never
    case .gap: return roundEnd
    case .burst:
      if rate == .zero, left > .zero { return .never }
      let (share, atOnce) = (connections[index].share, connections[index].atOnce)
      let paced =
        connections[index].paceNext == nil ? Instant.never : anchor + share.span(for: atOnce)
      guard outstanding(on: index) > left + slack || isPacedByPast(index) else { return paced }
      return min(min(roundEnd, paced), anchor + share.span(for: left))
    }
  }

  /// What may be left of a burst that holds all there is to send, from rounding.
  var slack: DataAmount { DataAmount(ByteCount(bytes: 1)) }

  /// Returns what is still to be sent on a connection, in bits of packets.
  func outstanding(on connection: Int) -> DataAmount {
    var total = DataAmount.zero
    for index in transfers.indices
    where transfers[index].connection == connections[connection].number {
      total += outstanding(of: index)
    }
    return total
  }

  func outstanding(of index: Int) -> DataAmount {
    switch transfers[index].phase {
    case .discarded(let left): left
    case .beginning(let left):
      left + packet.carried(for: transfers[index].missing - transfers[index].leap)
    case .flowing: packet.carried(for: transfers[index].missing)
    case .queued, .naming, .connecting, .asked, .delayed, .suspended, .completed, .failed: .zero
    }
  }
}

// MARK: - What others do

extension FluidLink {
  /// Goes over to another condition, from a time into its tracks on.
  mutating func change(to link: Int, elapsed: TimeSpan = .zero, at now: Instant) {
    catchUp(to: now)
    use(link: link, elapsed: elapsed, at: now)
    retryStuck(at: now)
    settle(at: now)
  }

  /// Makes a request, and returns its number.
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    catchUp(to: now)
    numberOfTransfers += 1
    transfers.append(
      FluidTransfer(number: numberOfTransfers, request, triesMax: policy.retriesMax, at: now))
    assign(transfers.count - 1, at: now)
    settle(at: now)
    return numberOfTransfers
  }

  /// Takes a transfer that is over, or gives it up, and returns it as it was left.
  ///
  /// What is in flight of a transfer that is given up still takes the link; under HTTP/1.1 the
  /// connection ends with it.
  mutating func close(_ number: Int, at now: Instant) -> FluidTransfer {
    catchUp(to: now)
    let index = place(of: number)
    var closed = transfers[index]
    closed.times.forget(after: now)
    if closed.isOver { transfers.remove(at: index) } else { discard(index, at: now) }
    settle(at: now)
    // Who gives a request up at the instant at which something came of it is not told any more.
    notices.removeAll { $0.transfer == number }
    return closed
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    catchUp(to: now)
    let index = place(of: number)
    if isSuspended {
      suspend(index, at: now)
    } else {
      resume(index, at: now)
    }
    settle(at: now)
  }

  /// Whether something has come about that only packets can tell: a sender has sent a flight again
  /// that was only late, or single acknowledgements have set its pace.
  var isUnsure: Bool { connections.contains { $0.isUnsure } }

  /// Returns the transfer of a number.
  func transfer(_ number: Int) -> FluidTransfer { transfers[place(of: number)] }

  /// Returns what has arrived of a transfer at the link's last change, and how it goes on.
  func progress(of number: Int) -> (delivered: DataAmount, share: FlowShare) {
    let place = place(of: number)
    return (transfers[place].delivered, transfers[place].share)
  }

  /// When the last bytes of a response that has begun came.
  func lastByte(of number: Int, at now: Instant) -> Instant {
    let place = place(of: number)
    return transfers[place].wire == .none ? transfers[place].heardAt : now
  }

  /// Returns the next thing to be told about the transfers, if any is left.
  mutating func takeNotice() -> TransferNotice? {
    notices.isEmpty ? nil : notices.removeFirst()
  }

  /// Keeps something to be told.
  mutating func tell(_ notice: TransferNotice) { notices.append(notice) }

  /// Brings the link to an instant at which something other than the link itself changes.
  private mutating func catchUp(to now: Instant) {
    precondition(nextChange() >= now, "a change of the link was passed over")
    deliver(until: now)
    down.advance(to: now)
    up.advance(to: now)
  }

  private func place(of number: Int) -> Int {
    for place in transfers.indices where transfers[place].number == number && !isDiscarded(place) {
      return place
    }
    preconditionFailure("transfer \(number) is not under way")
  }

  private func isDiscarded(_ index: Int) -> Bool {
    if case .discarded = transfers[index].phase { true } else { false }
  }
}
