/// The paths that the players' requests take: that of the world's own link first, then those of
/// hosts that have another one.
///
/// One ideal link that is all there is lies in ``link`` itself, where the loops of a run follow it
/// from event to event with no box between. With other paths ``link`` has no transfers, and only
/// says what holds: its condition and its rate.
struct Network: Sendable {
  /// What became of a player's transfer.
  struct Notice {
    let kind: TransferNotice
    /// The transfer as it is then, or as it was left.
    let transfer: Transfer
    /// When its steps were over.
    let times: TransferTimes
  }

  /// How a path differs from the others: the link that it begins with, and its chances.
  struct Route {
    let link: Int
    let seed: UInt64
  }

  /// A transfer on its path.
  private struct Carried: Sendable {
    var transfer: Transfer
    let path: Int
    /// Its number there.
    let number: Int
    /// Whether only the whole of it matters to its owner.
    var isWhole: Bool
  }

  /// A transfer that is over, by its own number and that on its path.
  private struct Ended: Sendable {
    let number: Int
    let path: Int
    let numberThere: Int
  }

  /// The link, if it is ideal and all there is; else what tells its condition.
  var link: IdealLink
  /// The paths to all hosts, the link's first; none if the link is ideal and all there is.
  private var paths: [NetworkPath]
  /// The transfers on these paths, by number.
  private var carried: [Carried] = []
  private var numberOfTransfers = 0
  /// The transfers on ideal paths that ended at the instant at which the last one did.
  private var endings: [Ended] = []
  private var endedAt = Instant.start
  private var traffic: TrafficState
  /// When the condition began that holds, on its tracks.
  private var origin = Instant.start
  /// When the condition ends by leading to another one, if it does.
  private var handover: (instant: Instant, link: Int)?
  /// When each link has no network, as its devices know, from where its tracks begin.
  private let offline: [[ClosedRange<TimeSpan>]]
  /// Whether a link ever has none.
  let goesOffline: Bool
  /// When a time without a network began that the players were told of.
  private var offlineTold = Instant(nanoseconds: -1)
  /// Whether they were told, and not yet that the link is back.
  private var isReturnDue = false
  /// The link's last event then: a later one has told what it carries since.
  private var causeOfOffline = 0
  /// Whether something that came of packets was not taken yet.
  private(set) var hasNotices = false

  /// Makes the network of the links of a trial, whose plan is not read, with the traffic of others,
  /// and a path for each route, that of the links themselves first; a tape is for one path alone.
  init(
    _ trial: TransferTrial, traffic others: [CrossTraffic], routes: [Route],
    tape: PacketTape? = nil
  ) {
    assert(!routes.isEmpty, "a network has no path")
    // Each property is given its value once: what is written again in an initializer is copied at
    // its end.
    let isPlain = others.isEmpty && routes.count == 1 && trial.tier == .ideal
    let traffic = TrafficState(others, linkCount: trial.links.count)
    offline = trial.links.map { $0.knownOutages }
    goesOffline = offline.contains { !$0.isEmpty }
    link = IdealLink(
      links: isPlain ? trial.links : trial.links.map { $0.shown }, changes: trial.changes)
    paths = isPlain ? [] : Self.paths(of: trial, traffic, routes, tape)
    self.traffic = traffic
    if isPlain { return }
    handover = nextHandover(from: .start)
    if traffic.takesRate { makeRoom(isNewLink: false, at: .start) }
  }

  private static func paths(
    of trial: TransferTrial, _ traffic: TrafficState, _ routes: [Route], _ tape: PacketTape?
  ) -> [NetworkPath] {
    var own = trial
    own.links = traffic.variants(of: trial.links)
    own.changes = []
    return routes.map { route in
      own.seed = route.seed
      var path = NetworkPath(own, tape: routes.count == 1 ? tape : nil)
      if route.link > 0 { path.use(link: route.link, elapsed: .zero, at: .start) }
      return path
    }
  }

  /// Whether paths carry the requests, and not ``link`` itself.
  ///
  /// Each call looks here first. An ideal path like the others would need no such look, but then
  /// each event would move two links, that of the path and ``link``, which says what holds.
  @inline(__always)
  var hasPaths: Bool { !paths.isEmpty }

  /// Whether packets travel.
  @inline(__always)
  var hasPackets: Bool { hasPaths && paths[0].hasPackets }

  /// What packets brought, if it was to be written.
  var tape: PacketTape? {
    assert(paths.count < 2 || paths[0].tape == nil, "a tape of one path among \(paths.count)")
    return paths.first?.tape
  }

  /// Whether the tape of another run tells what they bring.
  var readsTape: Bool { paths.first?.readsTape ?? false }

  /// A number that moves whenever what a transfer has, or gets, was written again.
  @inline(__always)
  var version: Int {
    mutating get { hasPaths ? carriedVersion() : link.version }
  }

  private mutating func carriedVersion() -> Int {
    // Packets tell nothing; but as soon as something is asked for, the rate is of use again, and
    // when the last transfer is gone it is not.
    assert(numberOfTransfers >= carried.count, "transfers that nobody opened")
    var sum = 2 &* numberOfTransfers &- carried.count
    for index in paths.indices { sum &+= paths[index].version }
    return sum
  }

  /// The instant of the next change that is not brought by packets.
  @inline(__always)
  mutating func nextChange() -> Instant {
    let next = hasPaths ? nextCarriedChange() : link.nextChange()
    return goesOffline ? min(next, nextOffline) : next
  }

  /// When the devices lose their network next, as far as they have not been told.
  private var nextOffline: Instant {
    for outage in offline[link.condition] {
      let start = link.origin + outage.lowerBound
      if start > offlineTold { return start }
    }
    return .never
  }

  /// Returns whether the devices lose their network at an instant, and takes note of it.
  mutating func takeOffline(at now: Instant) -> Bool {
    guard goesOffline, nextOffline <= now else { return false }
    while nextOffline <= now { offlineTold = nextOffline }
    isReturnDue = true
    causeOfOffline = link.cause
    return true
  }

  /// Returns whether an ideal link is back since the devices lost their network, and nothing has
  /// told of it; it comes back while nothing flows, and so with no event of its own.
  ///
  /// A link that still is down, as in a blackout that outlasts the other outage, is not back: what
  /// waits then is told when it is.
  mutating func takeReturn() -> Bool {
    guard isReturnDue, !hasPaths, link.cause == causeOfOffline else {
      isReturnDue = false
      return false
    }
    if link.rate == .zero { return false }
    isReturnDue = false
    return true
  }

  /// Whether the devices know that they have no network.
  @inline(__always)
  func isOffline(at now: Instant) -> Bool {
    goesOffline
      && offline[link.condition].contains {
        link.origin + $0.lowerBound <= now && now < link.origin + $0.upperBound
      }
  }

  private mutating func nextCarriedChange() -> Instant {
    var next = link.nextCondition(isUsed: !carried.isEmpty)
    if !traffic.isEmpty { next = min(next, traffic.nextInstant) }
    if let handover { next = min(next, handover.instant) }
    if hasPackets { return next }
    for index in paths.indices { next = min(next, paths[index].nextChange) }
    return next
  }

  /// The places of the transfers on paths.
  @inline(__always)
  var places: Range<Int> { carried.indices }

  /// Returns the transfer in a place; nil for one of no player.
  @inline(__always)
  func transfer(in place: Int) -> Transfer? {
    traffic.isTraffic(carried[place].transfer.player) ? nil : carried[place].transfer
  }
}

// MARK: - Time

extension Network {
  /// Lets packets travel until something comes of them or an instant is reached.
  ///
  /// On several ways each packet takes its turn, so that none is ahead of what comes of another.
  mutating func travel(notAfter limit: Instant) -> Instant? {
    assert(hasPackets, "packets travel where there are none")
    var instant: Instant?
    if paths.count == 1 {
      instant = paths[0].advance(notAfter: limit)
    } else {
      while instant == nil {
        var (next, turn) = (0, paths[0].nextChange)
        for index in paths.indices.dropFirst() where paths[index].nextChange < turn {
          (next, turn) = (index, paths[index].nextChange)
        }
        if turn > limit { break }
        instant = paths[next].advance(notAfter: turn)
      }
    }
    hasNotices = instant != nil
    assert(instant.map { $0 <= limit } ?? true, "packets went on behind \(limit.nanoseconds) ns")
    return instant
  }

  /// Tells the end of a handover's gap, after which another condition holds; the paths know it.
  mutating func takeHandover(at now: Instant) -> Bool {
    guard let handover, handover.instant <= now else { return false }
    assert(handover.instant >= origin, "a handover ends before its link holds")
    link.use(link: handover.link, at: handover.instant)
    origin = handover.instant
    self.handover = nextHandover(from: handover.instant)
    return true
  }

  /// A condition that begins in the middle of its tracks has its earlier events behind it.
  private func nextHandover(from now: Instant) -> (instant: Instant, link: Int)? {
    for event in link.profile.events where origin + event.start >= now {
      guard case .handover(let handover) = event.kind, let next = handover.link else { continue }
      return (origin + event.start + handover.gap, next)
    }
    return nil
  }

  /// Moves the paths to an instant, and lets others make their requests.
  ///
  /// A link that holds from this instant on is new to the paths, unless a handover led there.
  mutating func advance(to now: Instant, isNewLink: Bool) {
    if isNewLink {
      origin = link.origin
      handover = nextHandover(from: now)
    }
    if !hasPackets {
      for index in paths.indices { paths[index].advance(to: now) }
    }
    if traffic.takeRateChange(at: now) || isNewLink { makeRoom(isNewLink: isNewLink, at: now) }
    if traffic.isEmpty { return }
    while let owner = traffic.ownerToEnd(at: now) {
      for other in carried where other.transfer.player == owner {
        _ = close(other.transfer.number, at: now)
      }
      traffic.end(owner)
    }
    while let request = traffic.takeRequest(at: now) {
      // What never ends is never whole.
      let isWhole = request.size < Limits.bytesMax
      _ = open(request, size: DataAmount(request.size), route: 0, isWhole: isWhole, at: now)
    }
  }

  /// Lets the condition hold with what the flows of others leave of it.
  private mutating func makeRoom(isNewLink: Bool, at now: Instant) {
    assert(now >= origin, "a link holds from \(origin.nanoseconds) ns, at \(now.nanoseconds) ns")
    let number = traffic.variant(of: link.condition)
    if isNewLink {
      paths[0].use(link: number, elapsed: now - origin, at: now)
    } else {
      paths[0].vary(link: number, elapsed: now - origin, at: now)
    }
  }

  /// Takes over what has arrived by an instant before the next change, and how it goes on.
  mutating func update(at now: Instant) {
    for index in carried.indices { update(index, at: now) }
  }

  private mutating func update(_ index: Int, at now: Instant) {
    let path = carried[index].path
    let anchor = paths[path].update(&carried[index].transfer, from: carried[index].number)
    let before = carried[index].transfer.delivered
    carried[index].transfer.delivered = carried[index].transfer.delivered(at: now, from: anchor)
    assert(carried[index].transfer.delivered >= before, "what has come of a transfer goes back")
    assert(
      carried[index].transfer.delivered <= carried[index].transfer.size,
      "more has come of a transfer than was asked for")
  }

  /// Returns the next thing that came of the transfers, if any is left.
  mutating func popNews(at now: Instant) -> (kind: TransferNotice, path: Int)? {
    for path in paths.indices {
      if let kind = paths[path].takeNotice(at: now) { return (kind, path) }
    }
    hasNotices = false
    return nil
  }

  /// Takes over what has arrived of a transfer, and returns it, unless it is one of others.
  ///
  /// Of all that comes of packets most is this, and a notice of it would be copied for nobody.
  mutating func takeArrival(
    _ news: (kind: TransferNotice, path: Int), at now: Instant
  ) -> Transfer? {
    let index = place(of: news.kind, on: news.path)
    update(index, at: now)
    watch(index)
    return transfer(in: index)
  }

  /// Takes over anything else that came of a transfer; returns nil if it is one of others.
  mutating func take(_ news: (kind: TransferNotice, path: Int), at now: Instant) -> Notice? {
    let (kind, path) = news
    let index = place(of: kind, on: path)
    update(index, at: now)
    let times = paths[path].times(carried[index].number) ?? TransferTimes(opened: now)
    if case .responseBegan = kind, case .requested = carried[index].transfer.phase {
      carried[index].transfer.begin()
    }
    let transfer = carried[index].transfer
    assert(times.opened <= now, "transfer \(transfer.number) is opened after its notice")
    switch kind {
    case .completed, .failed:
      noteEnd(of: carried[index], at: now)
      paths[path].forget(carried[index].number, at: now)
      carried.remove(at: index)
      if traffic.isTraffic(transfer.player) { traffic.end(transfer.player) }
    case .responseBegan, .arrived: watch(index)
    }
    if traffic.isTraffic(transfer.player) { return nil }
    return Notice(kind: kind, transfer: transfer, times: times)
  }

  private func place(of kind: TransferNotice, on path: Int) -> Int {
    for index in carried.indices
    where carried[index].number == kind.transfer && carried[index].path == path { return index }
    preconditionFailure(
      "a notice of transfer \(kind.transfer) of path \(path), which is not under way")
  }
}

// MARK: - What players do

extension Network {
  /// Lets another condition hold, from its beginning.
  mutating func use(link number: Int, at now: Instant) {
    link.use(link: number, at: now)
    link.divide()
    // An ideal link that is all there is has no handovers.
    if !hasPaths { return }
    origin = now
    handover = nextHandover(from: now)
    makeRoom(isNewLink: true, at: now)
  }

  /// Asks for an amount of data of a file, which may follow another one at once, and returns the
  /// number of the transfer.
  mutating func open(
    _ size: DataAmount, for player: Int, route: Int, behind last: Int?, at now: Instant
  ) -> Int {
    var request = TransferRequest(owner: player, size: size.begunBytes)
    (request.host, request.follows) = (route, last)
    return open(request, size: size, route: route, isWhole: false, at: now)
  }

  /// Makes a request for an amount of data and returns the number of the transfer.
  ///
  /// If only the whole matters to the owner, what packets bring is an event for each sixteenth of
  /// it and not for each packet.
  mutating func open(
    _ request: TransferRequest, size: DataAmount, route: Int, isWhole: Bool, at now: Instant
  ) -> Int {
    if !hasPaths { return link.open(request, size: size, at: now) }
    assert(paths.indices.contains(route), "there is no path \(route)")
    assert(request.owner >= 0, "a request of nobody")
    link.followTrack(to: now)
    numberOfTransfers += 1
    let transfer = Transfer(
      number: numberOfTransfers, player: request.owner, size: size,
      phase: .requested(firstByteAt: .never))
    var carriedRequest = request
    carriedRequest.size = size.begunBytes
    carriedRequest.follows = request.follows.flatMap { number in
      ended(number, at: now).flatMap { $0.path == route ? $0.numberThere : nil }
    }
    carried.append(
      Carried(
        transfer: transfer, path: route, number: paths[route].open(carriedRequest, at: now),
        isWhole: isWhole))
    watch(carried.count - 1)
    return numberOfTransfers
  }

  /// Lets the next packet be told that brings something of use.
  private mutating func watch(_ index: Int) {
    paths[carried[index].path].watchNext(
      carried[index].number, of: carried[index].transfer.size.begunBytes,
      isWhole: carried[index].isWhole)
  }

  /// Lets each packet be told that brings more of a transfer, from here on.
  mutating func watchEachPacket(of number: Int) {
    if !hasPaths { return }
    let index = place(of: number)
    carried[index].isWhole = false
    watch(index)
  }

  /// Ends a transfer, complete or not, and returns it as it was left.
  mutating func close(_ number: Int, at now: Instant) -> Transfer {
    if !hasPaths { return link.close(number, at: now) }
    let index = place(of: number)
    assert(number <= numberOfTransfers, "transfer \(number) was never opened")
    paths[carried[index].path]
      .cancel(&carried[index].transfer, carried[index].number, at: now)
    return carried.remove(at: index).transfer
  }

  /// Ends a transfer that its player gives up.
  ///
  /// Of one on an ideal link some data still crosses that; other links have queues of their own.
  mutating func drop(_ number: Int, leaving rest: ByteCount, at now: Instant) -> Transfer {
    hasPaths ? close(number, at: now) : link.drop(number, leaving: DataAmount(rest), at: now)
  }

  /// Stops or resumes the reading of a transfer, and returns it as it goes on.
  mutating func setSuspended(
    _ isSuspended: Bool, _ number: Int, at now: Instant
  ) -> Transfer {
    if !hasPaths {
      link.setSuspended(isSuspended, number, at: now)
      return link.transfer(number)
    }
    let index = place(of: number)
    paths[carried[index].path].setSuspended(isSuspended, carried[index].number, at: now)
    carried[index].transfer.setSuspended(isSuspended)
    update(index, at: now)
    return carried[index].transfer
  }

  /// Lets what others ask of the network stand still, or go on from where it was left.
  mutating func setTrafficSuspended(_ isSuspended: Bool, at now: Instant) {
    if !hasPaths || !traffic.setSuspended(isSuspended, at: now) { return }
    if !hasPackets { for index in paths.indices { paths[index].advance(to: now) } }
    makeRoom(isNewLink: false, at: now)
    for index in carried.indices where traffic.isTraffic(carried[index].transfer.player) {
      paths[carried[index].path].setSuspended(isSuspended, carried[index].number, at: now)
      carried[index].transfer.setSuspended(isSuspended)
      update(index, at: now)
    }
  }

  /// Returns what has come of a transfer by an instant; a player is told at changes only.
  mutating func delivered(of number: Int, at now: Instant) -> DataAmount {
    if !hasPaths { return link.transfer(number).delivered(at: now, from: link.anchor) }
    let index = place(of: number)
    update(index, at: now)
    return carried[index].transfer.delivered
  }

  /// Returns when the last bytes of a response came that has begun, and is being read.
  mutating func lastByte(of number: Int, at now: Instant) -> Instant {
    if !hasPaths { return link.lastByte(at: now) }
    let index = place(of: number)
    return paths[carried[index].path].lastByte(of: carried[index].number, at: now)
  }

  /// What a response on an ideal link begins with that follows another one at once.
  @inline(__always)
  mutating func headStart(of number: Int, at now: Instant) -> DataAmount {
    if !hasPaths { return link.headStart(of: number) }
    return paths[carried[place(of: number)].path].isIdeal ? delivered(of: number, at: now) : .zero
  }

  /// What an ideal link could have brought to a transfer that is over of the nanosecond that ends
  /// now, and the transfer did not need.
  @inline(__always)
  func spare(of number: Int, at now: Instant) -> DataAmount {
    if !hasPaths { return link.spare(of: number, at: now) }
    // A closure would hold a copy of the network.
    guard let ended = ended(number, at: now) else { return .zero }
    return paths[ended.path].spare(of: ended.numberThere, at: now)
  }

  @inline(__always)
  private func ended(_ number: Int, at now: Instant) -> Ended? {
    endedAt == now ? endings.first { $0.number == number } : nil
  }

  /// Takes note of what ends now on an ideal path.
  private mutating func noteEnd(of carried: Carried, at now: Instant) {
    if !paths[carried.path].isIdeal { return }
    if endedAt < now { endings.removeAll(keepingCapacity: true) }
    endedAt = now
    endings.append(
      Ended(
        number: carried.transfer.number, path: carried.path, numberThere: carried.number))
  }

  private func place(of number: Int) -> Int {
    assert(hasPaths, "transfer \(number) is on the link itself")
    guard let place = carried.firstIndex(where: { $0.transfer.number == number }) else {
      preconditionFailure("transfer \(number) is not under way")
    }
    return place
  }
}
