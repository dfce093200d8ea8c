/// A change of a link's condition at a given instant: the conditioner is switched on, off or over.
package struct LinkChange: Hashable, Sendable {
  /// When the condition changes.
  package var instant: Instant
  /// Which of the world's links holds from then on.
  package var link: Int
  /// How far into its tracks the link is at that instant.
  package var elapsed: TimeSpan

  /// Creates a change.
  package init(at instant: Instant, link: Int, elapsed: TimeSpan = .zero) {
    self.instant = instant
    self.link = link
    self.elapsed = elapsed
  }
}

/// An ideal link: a rate that changes over time, shared by the transfers that flow: equally, unless
/// some weigh less than others.
///
/// Between two changes every transfer has a constant ``FlowShare``, so what has arrived by any
/// instant is a product and no sum of rounded pieces. Reading the link between changes changes
/// nothing in it: a run that is watched closely is the same run.
struct IdealLink: Sendable {
  private let links: [LinkProfile]
  private let changes: [LinkChange]
  private var changesMade = 0
  private var nextNumber = 0

  /// The number of the condition that holds.
  private(set) var condition: Int
  private var cursor: LinkCursor
  private var upCursor: LinkCursor
  /// The instant that is zero on the tracks of the condition, and since when it holds.
  private(set) var origin = Instant.start
  private var usedSince = Instant.start
  /// The transfers under way, by ascending number; of those that flow, what had arrived as they
  /// began to, or as they were last written.
  private(set) var transfers = TransferTable()
  /// Those whose first byte has not come, and when it will.
  private var requests: [(number: Int, firstByteAt: Instant)] = []
  /// What those that flow miss.
  private(set) var lanes = FlowLanes()
  /// The instant of the last change; shares hold from here.
  private(set) var anchor = Instant.start
  /// What flows did not need of the nanosecond in which they ended, and when that was.
  private var spares = SpareFlow()
  /// A number that moves whenever what a transfer has, or gets, was written again.
  private(set) var version = 0
  /// The same without what is only asked for: for that, nothing changes for the others.
  private(set) var flowVersion = 0
  /// What becomes of the flows, for players that follow theirs later.
  var log = FlowLog()
  /// The number of the last record about the link: the cause of what it does next.
  var cause = 0

  /// Creates a link in the condition that a world starts with.
  init(links: [LinkProfile], changes: [LinkChange]) {
    self.links = links
    self.changes = changes
    condition = 0
    cursor = LinkCursor(links[0].down.track, origin: .start, at: .start)
    upCursor = LinkCursor(links[0].up.track, origin: .start, at: .start)
  }

  /// The link that holds.
  var profile: LinkProfile { links[condition] }

  /// The rate that holds.
  var rate: BitRate { cursor.rate }

  /// When the last byte came of a response that flows, as far as the link alone tells: it does
  /// still, or did until the link that holds began to stand.
  func lastByte(at now: Instant) -> Instant {
    cursor.rate > .zero ? now : max(cursor.stoodSince, usedSince)
  }

  /// What `advance(to:)` met.
  struct Advance {
    var rateChanged = false
    var conditionChanged = false
  }

  /// Moves the link to an instant: what flowed has arrived, and that instant's condition holds.
  ///
  /// The caller then takes finished transfers and begins responses, if `isDue`.
  @inline(__always)
  mutating func advance(to now: Instant) -> Advance {
    deliver(until: now)
    var result = Advance()
    while changesMade < changes.count, changes[changesMade].instant <= now {
      let change = changes[changesMade]
      changesMade += 1
      use(link: change.link, elapsed: change.elapsed, at: change.instant)
      result.conditionChanged = true
    }
    if cursor.changesAt <= now {
      let before = cursor.rate
      cursor.advance(to: now)
      result.rateChanged = cursor.rate != before
    }
    if result.rateChanged || result.conditionChanged { divide() }
    assert(
      changesMade == changes.count || changes[changesMade].instant > now,
      "a change of the link at \(now.nanoseconds) ns is left out")
    return result
  }

  /// Whether a transfer has arrived whole, or the first byte of one has come.
  @inline(__always)
  mutating func isDue(at now: Instant) -> Bool {
    hasComplete || firstDueRequest(at: now) != nil
  }

  /// The place of the first request whose first byte is there.
  @inline(__always)
  private func firstDueRequest(at now: Instant) -> Int? {
    if cursor.rate == .zero { return nil }
    for index in requests.indices where requests[index].firstByteAt <= now { return index }
    return nil
  }

  @inline(__always)
  private var hasComplete: Bool {
    mutating get { lanes.count > 0 && lanes.shortest.missing == .zero }
  }

  /// The number of transfers under way.
  @inline(__always)
  var transferCount: Int { transfers.count }

  /// Whether exactly one transfer is under way, and flows.
  @inline(__always)
  var hasSingleFlow: Bool { transfers.count == 1 && lanes.count == 1 }

  /// The number of flows.
  @inline(__always)
  private var flows: UInt32 { UInt32(truncatingIfNeeded: lanes.count) }

  /// The transfer in a place, with what has arrived.
  @inline(always)
  func transfer(in place: Int) -> Transfer {
    let lane = isFlowing(in: place) ? lanes.place(of: transfers[place].number) : 0
    return transfer(in: place, lane: lane)
  }

  /// The same, given its place among the flows if it is one.
  @inline(always)
  func transfer(in place: Int, lane: Int) -> Transfer {
    var transfer = transfers[place]
    if transfer.phase != .flowing { return transfer }
    assert(lanes.numbers[lane] == transfer.number, "flow \(lane) is of another transfer")
    transfer.delivered = transfer.size - lanes[lane]
    transfer.share = lanes.share(of: lane, at: cursor.rate)
    return transfer
  }

  /// Whether the transfer in a place flows.
  @inline(__always)
  func isFlowing(in place: Int) -> Bool { transfers[place].phase == .flowing }

  /// Whether nobody waits any more for the transfer in a place.
  @inline(__always)
  func isDropped(in place: Int) -> Bool { transfers[place].isDropped }

  /// The player of the transfer in a place.
  @inline(__always)
  func player(in place: Int) -> Int { transfers[place].player }

  /// The next change of the rate, if nothing comes before it but what transfers do.
  @inline(__always)
  var nextRateChange: Instant {
    if changesMade < changes.count, changes[changesMade].instant <= cursor.changesAt {
      return .never
    }
    return cursor.changesAt
  }

  /// The next change of the rate, whatever comes before it.
  @inline(__always)
  var nextTrackChange: Instant { cursor.changesAt }

  /// Takes note of what a single flow has become, or the one that followed it.
  mutating func setSingleFlow(_ flow: SingleFlow) {
    assert(flow.delivered <= flow.size, "transfer \(flow.number) has more than was asked for")
    assert(flow.anchor >= anchor, "the link went back to \(flow.anchor.nanoseconds) ns")
    let isOther = transfers[0].number != flow.number
    if isOther || flow.isFlowing != (transfers[0].phase == .flowing) {
      if lanes.count > 0 { _ = lanes.remove(transfers[0].number) }
      _ = requests.popLast()
      if isOther {
        transfers.replaceLast(
          with: Transfer(
            number: flow.number, player: transfers[0].player,
            size: DataAmount(nanobits: UInt128(flow.size)),
            phase: .requested(firstByteAt: flow.firstByteAt)))
      }
      if flow.isFlowing {
        transfers[0].phase = .flowing
        lanes.insert(flow.number, missing: .zero)
      } else {
        requests.append((flow.number, flow.firstByteAt))
      }
    }
    transfers[0].delivered = DataAmount(nanobits: UInt128(flow.delivered))
    if flow.isFlowing { lanes.setOnly(transfers[0].size - transfers[0].delivered) }
    anchor = flow.anchor
    spares.set(flow.leftOver, of: flow.number, at: anchor)
    divide()
  }

  /// Asks for the next amount of data in the place of the single flow, which has arrived whole.
  ///
  /// It is what ``open(_:for:serverDelay:at:)`` amounts to; the transfer is told by
  /// ``setSingleFlow(_:)``.
  @inline(always)
  mutating func reopenSingle(_ flow: inout SingleFlow, _ size: ByteCount, at now: Instant) {
    // Changes that pass while nothing flows are nobody's events.
    cursor.advance(to: now)
    if upCursor.constantDelay == nil { upCursor.advance(to: now) }
    nextNumber += 1
    let firstByte = now + upCursor.delay + cursor.delay
    flow = SingleFlow(
      number: nextNumber, size: UInt64(size.bytes) * 8_000_000_000,
      headStart: firstByte == now && flow.anchor == now && flow.size > 0 ? flow.spare : 0,
      firstByteAt: firstByte, at: now)
  }

  /// Ends the single flow, which has arrived whole.
  mutating func closeSingle(_ flow: SingleFlow) {
    precondition(transfers.count == 1, "\(transfers.count) transfers where one has the link")
    let last = transfers.remove(at: 0)
    if lanes.count > 0 { _ = lanes.remove(last.number) }
    _ = requests.popLast()
    anchor = flow.anchor
    spares.set(flow.spare, of: flow.number, at: anchor)
    divide()
  }

  /// Passes the changes of the rate up to the first byte of the single flow; returns false, with
  /// nothing passed, if no byte can come then.
  mutating func passChanges(to now: Instant) -> Bool {
    var next = cursor
    next.advance(to: now)
    if next.rate == .zero { return false }
    cursor = next
    return true
  }

  /// Moves on to the next change of the rate; what flows until then is told with the last change.
  @inline(__always)
  mutating func enterNextRate() {
    cursor.enterNext()
  }

  /// Takes note that the single flow has brought an amount by the rate's last change.
  mutating func setSingleFlow(delivered: DataAmount, at now: Instant) {
    assert(transfers.count == 1, "\(transfers.count) transfers where one has the link")
    assert(
      transfers[0].size - lanes[0] <= delivered && delivered <= transfers[0].size,
      "transfer \(transfers[0].number) loses data, or has more than was asked for")
    transfers[0].delivered = delivered
    lanes.setOnly(transfers[0].size - delivered)
    anchor = now
    flowVersion &+= 1
    version &+= 1
  }

  /// Changes the condition; its tracks start at the given time into them.
  mutating func use(link: Int, elapsed: TimeSpan = .zero, at now: Instant) {
    precondition(links.indices.contains(link), "link \(link) of \(links.count)")
    condition = link
    origin = Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds)
    usedSince = now
    cursor = LinkCursor(links[link].down.track, origin: origin, at: now)
    upCursor = LinkCursor(links[link].up.track, origin: origin, at: now)
  }

  /// Asks for an amount of data and returns the number of the transfer.
  ///
  /// Its first byte comes a round trip after the request, and the server's delay.
  mutating func open(
    _ size: DataAmount, for player: Int, serverDelay: TimeSpan = .zero, behind last: Int? = nil,
    at now: Instant
  ) -> Int {
    catchUp(to: now)
    if upCursor.constantDelay == nil { upCursor.advance(to: now) }
    nextNumber += 1
    version &+= 1
    let firstByte = now + upCursor.delay + cursor.delay + serverDelay
    var delivered = DataAmount.zero
    if let last, firstByte == now {
      delivered = spares.take(of: last, for: nextNumber, atMost: size, at: now)
    }
    transfers.append(
      Transfer(
        number: nextNumber, player: player, size: size, delivered: delivered,
        phase: .requested(firstByteAt: firstByte)))
    requests.append((nextNumber, firstByte))
    return nextNumber
  }

  /// Says what the response weighs that was asked for last.
  mutating func setWeight(_ weight: UInt32) {
    let last = transfers.count - 1
    assert(transfers[last].number == nextNumber, "a transfer that flows gets another weight")
    transfers[last].weight = weight
  }

  /// What the link could still have brought of the nanosecond that ends now to a flow that ended in
  /// it, and needed only a part.
  ///
  /// A response that follows at once begins with it: what comes one after the other without a pause
  /// ends where the sum of it does, rounded up once. On a link with delay none does, and it is lost
  /// if nothing else flows.
  @inline(__always)
  func spare(of number: Int, at now: Instant) -> DataAmount {
    if isDelayed, lanes.count == 0, firstDueRequest(at: now) == nil { return .zero }
    return spares.amount(of: number, at: now)
  }

  /// Whether any answer takes a round trip, as far as the delay is always the same.
  @inline(__always)
  var isDelayed: Bool {
    upCursor.constantDelay ?? .zero > .zero || cursor.constantDelay ?? .zero > .zero
  }

  /// Gives to those that still flow what flows did not need of the nanosecond in which they ended,
  /// and what no response that follows one of them at once has begun with.
  ///
  /// The link rests for no part of a nanosecond while something flows. The caller closes what has
  /// arrived whole by that, too. Responses that are about to begin are waited for: those that
  /// follow one that ended share what others left.
  @inline(__always)
  mutating func giveSpare() {
    if spares.isEmpty || lanes.count == 0 || firstDueRequest(at: anchor) != nil { return }
    share()
  }

  private mutating func share() {
    let amount = spares.removeAll(at: anchor)
    if amount == .zero { return }
    bring(amount, at: anchor)
    flowVersion &+= 1
    version &+= 1
  }

  /// Brings to the flows what is theirs of some data, by an instant.
  @inline(__always)
  private mutating func bring(_ whole: DataAmount, at now: Instant) {
    // Where some get more than others, the log says what none gets more than.
    let parts = EqualParts(whole, flows: lanes.isUnequal ? 1 : flows)
    spares.note(whole, parts, of: &lanes, at: now)
    if lanes.isUnequal {
      lanes.deliverUnequally(whole)
    } else {
      precondition(
        lanes.count == 1 || parts.all(flows) == whole, "the parts of the link are not the whole")
      lanes.deliver(parts)
    }
    log.add(parts, since: anchor, cursor.rate, flows: flows)
  }

  /// Ends a transfer, complete or not, and returns it as it was left.
  mutating func close(_ number: Int, at now: Instant) -> Transfer {
    catchUp(to: now)
    let place = transfers.place(of: number)
    var closed = transfers.remove(at: place)
    switch closed.phase {
    case .requested: endRequest(number)
    case .flowing: stopFlow(of: &closed)
    case .suspended: break
    }
    divide()
    if closed.phase == .flowing { noteFlow(number, isFlowing: false) }
    return closed
  }

  /// Ends a transfer but for some data of it, if it flows, and returns it as it was left.
  ///
  /// Nobody waits for that data. What lies in the queue of a real link when a connection is dropped
  /// still crosses it.
  mutating func drop(_ number: Int, leaving rest: DataAmount, at now: Instant) -> Transfer {
    catchUp(to: now)
    let place = transfers.place(of: number)
    guard transfers[place].phase == .flowing, rest > .zero else { return close(number, at: now) }
    var dropped = transfers[place]
    let missing = lanes.remove(number)
    dropped.delivered = dropped.size - missing
    transfers[place] = Transfer(
      number: number, player: dropped.player, size: min(rest, missing), phase: .flowing,
      weight: dropped.weight)
    transfers[place].isDropped = true
    startFlow(of: transfers[place])
    divide()
    dropped.share = .none
    return dropped
  }

  private mutating func endRequest(_ number: Int) {
    guard let index = requests.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("the first byte of transfer \(number) has come")
    }
    requests.remove(at: index)
  }

  /// Lets a transfer have a flow no more, and writes what has come of it.
  private mutating func stopFlow(of transfer: inout Transfer) {
    transfer.delivered = transfer.size - lanes.remove(transfer.number)
    transfer.share = .none
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    catchUp(to: now)
    let place = transfers.place(of: number)
    let wasFlowing = transfers[place].phase == .flowing
    var changed = transfers[place]
    if wasFlowing { stopFlow(of: &changed) }
    changed.setSuspended(isSuspended)
    let isFlowing = changed.phase == .flowing
    if isFlowing { startFlow(of: changed) }
    transfers[place] = changed
    divide()
    if isFlowing != wasFlowing { noteFlow(number, isFlowing: isFlowing) }
  }

  private mutating func startFlow(of transfer: Transfer) {
    if !spares.isEmpty {
      // Of the nanosecond in which it begins, it gets what it has begun with alone, unless it
      // follows another response. A response without data takes nothing from anybody.
      if lanes.count > 0 {
        if transfer.delivered == .zero { share() }
      } else if transfer.size > .zero, transfer.delivered == .zero {
        // One that follows another response at once gets what the others left beside it, too.
        spares.keep(only: transfer.number)
      }
    }
    lanes.insert(
      transfer.number, missing: transfer.size - transfer.delivered, weight: transfer.weight)
  }

  /// Begins the first response whose first byte is due, and returns its number and its player.
  @inline(__always)
  mutating func beginResponse(at now: Instant) -> (number: Int, player: Int)? {
    firstDueRequest(at: now).map { begin($0) }
  }

  private mutating func begin(_ due: Int) -> (number: Int, player: Int) {
    let number = requests[due].number
    if due == requests.count - 1 { requests.removeLast() } else { requests.remove(at: due) }
    let place = transfers.place(of: number)
    transfers[place].begin()
    let isFlowing = isFlowing(in: place)
    if isFlowing { startFlow(of: transfers[place]) }
    divide()
    if isFlowing { noteFlow(number, isFlowing: true) }
    return (number, player(in: place))
  }

  /// Whether a request has its answer in the instant in which it is made, if a server has it.
  mutating func answersAtOnce(at now: Instant) -> Bool {
    catchUp(to: now)
    if upCursor.constantDelay == nil { upCursor.advance(to: now) }
    return rate > .zero && upCursor.delay + cursor.delay == .zero
  }

  /// Returns a transfer without data as it ends, if its answer is there by now, and whether it has
  /// begun only now.
  mutating func takeEmptyAnswer(
    of number: Int, at now: Instant
  ) -> (begins: Bool, whole: Transfer)? {
    catchUp(to: now)
    let place = transfers.place(of: number)
    guard rate > .zero, transfers[place].size == .zero else { return nil }
    if isFlowing(in: place) { return (false, close(number, at: now)) }
    guard let due = requests.firstIndex(where: { $0.number == number && $0.firstByteAt <= now })
    else { return nil }
    _ = begin(due)
    return (true, close(number, at: now))
  }

  /// The number of the first transfer that has arrived whole.
  @inline(__always)
  var firstComplete: Int? {
    mutating get { hasComplete ? lanes.numbers[lanes.shortest.place] : nil }
  }

  /// Divides the link again among the transfers that flow.
  @inline(__always)
  mutating func divide() {
    flowVersion &+= 1
    version &+= 1
    assert(
      (0..<transfers.count).filter { isFlowing(in: $0) }.map { transfers[$0].number }
        == lanes.numbers,
      "the flows are those of other transfers")
  }

  /// Returns the transfer of a number.
  @inline(always)
  func transfer(_ number: Int) -> Transfer {
    transfer(in: transfers.place(of: number))
  }

  /// What a response begins with that has not begun.
  @inline(__always)
  func headStart(of number: Int) -> DataAmount {
    transfers[transfers.place(of: number)].delivered
  }

  /// The instant of the next change of the condition, or of the rate if it is of use to anybody.
  func nextCondition(isUsed: Bool) -> Instant {
    let next = changesMade < changes.count ? changes[changesMade].instant : .never
    return isUsed ? min(next, cursor.changesAt) : next
  }

  /// The instant of the next change: of the condition, of the rate, or of the set of flows.
  @inline(__always)
  mutating func nextChange() -> Instant {
    var next = changesMade < changes.count ? changes[changesMade].instant : .never
    if lanes.count > 0 { next = min(next, cursor.changesAt) }
    for request in requests {
      // A byte that is due while the link is down arrives when it is up again.
      let isUp = rate > .zero || request.firstByteAt > anchor
      next = min(next, isUp ? max(request.firstByteAt, anchor) : cursor.changesAt)
    }
    if lanes.count == 0 { return next }
    // Of two that miss the same, the first one is done first, and none that misses more before it.
    let (place, missing) = lanes.shortest
    let share = lanes.share(of: place, at: cursor.rate)
    if next != .never, share.data(in: next - anchor) < missing { return next }
    return min(next, anchor + share.span(for: missing))
  }

  /// What has arrived of a transfer under way, if the log tells all of it.
  func told(of number: Int) -> DataAmount? {
    let lane = lanes.place(of: number)
    guard log.isTold, lane < lanes.count, lanes.numbers[lane] == number else { return nil }
    return transfers[transfers.place(of: number)].size - lanes[lane]
  }

  /// The number of flows.
  @inline(__always)
  var flowCount: Int { lanes.count }

  /// What a flow is certain to get from now on while there are no more than some flows.
  @inline(__always)
  func leastFlow(among flows: Int) -> LeastFlow {
    let end = changesMade < changes.count ? changes[changesMade].instant : .never
    return LeastFlow(
      rate: cursor.rate, until: min(end, cursor.changesAt),
      flows: UInt32(truncatingIfNeeded: flows))
  }

  /// The most that a single flow can have got by the link's next change.
  @inline(always)
  func most(by next: Instant) -> DataAmount {
    if lanes.count == 0 || next == .never { return log.most }
    let whole = DataAmount(cursor.rate, for: next - anchor)
    return log.most + EqualParts(whole, flows: lanes.isUnequal ? 1 : flows).most
  }

  /// Moves what has flowed since the last change into the transfers.
  @inline(__always)
  private mutating func deliver(until now: Instant) {
    precondition(now >= anchor, "the link went back in time")
    if now == anchor { return }
    if lanes.count > 0 { bring(DataAmount(cursor.rate, for: now - anchor), at: now) }
    anchor = now
    flowVersion &+= 1
    version &+= 1
  }

  /// Takes note that players are told how their flows go on.
  @inline(__always)
  mutating func noteTold() { log.noteTold(at: anchor, cursor.rate, flows: flows) }

  /// Takes note that a transfer begins to flow, or flows no more.
  private mutating func noteFlow(_ number: Int, isFlowing: Bool) {
    log.add(number, isFlowing: isFlowing, at: anchor, cursor.rate, flows: flows)
  }

  /// Passes the changes of a track that nobody was there to see.
  mutating func followTrack(to now: Instant) {
    catchUp(to: now)
    anchor = max(anchor, now)
  }

  /// Brings the link to an instant at which something other than the link itself changes.
  private mutating func catchUp(to now: Instant) {
    deliver(until: now)
    if lanes.count == 0, cursor.changesAt <= now {
      // Changes that pass while nothing flows are nobody's events.
      cursor.advance(to: now)
    }
  }
}
