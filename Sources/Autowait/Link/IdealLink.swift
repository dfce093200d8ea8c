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

/// An ideal link: a rate that changes over time, shared equally by the transfers that flow.
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
  /// The instant that is zero on the tracks of the condition.
  private(set) var origin = Instant.start
  /// The transfers under way, by ascending number.
  private(set) var transfers: [Transfer] = []
  /// The instant of the last change; shares hold from here.
  private(set) var anchor = Instant.start
  /// A number that moves whenever what a transfer has, or gets, was written again.
  private(set) var version = 0
  /// The same without what is only asked for: for that, nothing changes for the others.
  private(set) var flowVersion = 0
  private var flows: UInt32 = 0
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
  func isDue(at now: Instant) -> Bool {
    for index in transfers.indices {
      switch transfers[index].phase {
      case .requested(let firstByte): if firstByte <= now, rate > .zero { return true }
      case .flowing: if transfers[index].isComplete { return true }
      case .suspended: break
      }
    }
    return false
  }

  /// Whether exactly one transfer is under way, and flows.
  @inline(__always)
  var hasSingleFlow: Bool { transfers.count == 1 && flows == 1 }

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
    if transfers[0].number != flow.number {
      transfers[0] = Transfer(
        number: flow.number, player: transfers[0].player,
        size: DataAmount(nanobits: UInt128(flow.size)),
        phase: .requested(firstByteAt: flow.firstByteAt))
    }
    assert(flow.delivered <= flow.size, "transfer \(flow.number) has more than was asked for")
    assert(flow.anchor >= anchor, "the link went back to \(flow.anchor.nanoseconds) ns")
    transfers[0].delivered = DataAmount(nanobits: UInt128(flow.delivered))
    anchor = flow.anchor
    if flow.isFlowing { transfers[0].phase = .flowing }
    divide()
  }

  /// Asks for the next amount of data in the place of the single flow, which has arrived whole.
  ///
  /// It is what ``open(_:for:serverDelay:at:)`` amounts to; the transfer is told by
  /// ``setSingleFlow(_:)``.
  @inline(__always)
  mutating func reopenSingle(_ size: ByteCount, at now: Instant) -> SingleFlow {
    // Changes that pass while nothing flows are nobody's events.
    cursor.advance(to: now)
    if upCursor.constantDelay == nil { upCursor.advance(to: now) }
    nextNumber += 1
    return SingleFlow(
      number: nextNumber, size: UInt64(size.bytes) * 8_000_000_000,
      firstByteAt: now + upCursor.delay + cursor.delay, at: now)
  }

  /// Ends the single flow, which has arrived whole.
  mutating func closeSingle(at now: Instant) {
    precondition(transfers.count == 1, "\(transfers.count) transfers where one has the link")
    transfers.removeLast()
    anchor = now
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

  /// The rate after the next change.
  @inline(__always)
  var nextRate: BitRate { cursor.nextRate }

  /// Moves on to the next change of the rate; what flows until then is told with the last change.
  @inline(__always)
  mutating func enterNextRate() {
    cursor.enterNext()
  }

  /// Takes note that the single flow has brought an amount by the rate's last change.
  mutating func setSingleFlow(delivered: DataAmount, at now: Instant) {
    assert(transfers.count == 1, "\(transfers.count) transfers where one has the link")
    assert(
      transfers[0].delivered <= delivered && delivered <= transfers[0].size,
      "transfer \(transfers[0].number) loses data, or has more than was asked for")
    transfers[0].delivered = delivered
    transfers[0].share = FlowShare(rate: cursor.rate, flows: 1, place: 0)
    anchor = now
    flowVersion &+= 1
    version &+= 1
  }

  /// Changes the condition; its tracks start at the given time into them.
  mutating func use(link: Int, elapsed: TimeSpan = .zero, at now: Instant) {
    precondition(links.indices.contains(link), "link \(link) of \(links.count)")
    condition = link
    origin = Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds)
    cursor = LinkCursor(links[link].down.track, origin: origin, at: now)
    upCursor = LinkCursor(links[link].up.track, origin: origin, at: now)
  }

  /// Asks for an amount of data and returns the number of the transfer.
  ///
  /// Its first byte comes a round trip after the request, and the server's delay.
  mutating func open(
    _ size: DataAmount, for player: Int, serverDelay: TimeSpan = .zero, at now: Instant
  ) -> Int {
    catchUp(to: now)
    if upCursor.constantDelay == nil { upCursor.advance(to: now) }
    nextNumber += 1
    version &+= 1
    transfers.append(
      Transfer(
        number: nextNumber, player: player, size: size,
        phase: .requested(firstByteAt: now + upCursor.delay + cursor.delay + serverDelay)))
    return nextNumber
  }

  /// Ends a transfer, complete or not, and returns it as it was left.
  mutating func close(_ number: Int, at now: Instant) -> Transfer {
    catchUp(to: now)
    let closed = transfers.remove(at: place(of: number))
    if closed.phase == .flowing { log.add(.left(number)) }
    divide()
    return closed
  }

  /// Stops or resumes the reading of a transfer.
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    catchUp(to: now)
    let place = place(of: number)
    let wasFlowing = transfers[place].phase == .flowing
    transfers[place].setSuspended(isSuspended)
    let isFlowing = transfers[place].phase == .flowing
    if isFlowing != wasFlowing { log.add(isFlowing ? .joined(number) : .left(number)) }
    divide()
  }

  /// Begins the first response whose first byte is due, and returns its transfer.
  mutating func beginResponse(at now: Instant) -> Transfer? {
    for index in transfers.indices {
      if case .requested(let firstByte) = transfers[index].phase, firstByte <= now, rate > .zero {
        transfers[index].begin()
        if transfers[index].phase == .flowing { log.add(.joined(transfers[index].number)) }
        divide()
        return transfers[index]
      }
    }
    return nil
  }

  /// Returns the first transfer that has arrived whole.
  @inline(__always)
  func firstComplete() -> Transfer? {
    for index in transfers.indices
    where transfers[index].phase == .flowing && transfers[index].isComplete {
      return transfers[index]
    }
    return nil
  }

  /// Divides the link again among the transfers that flow.
  @inline(__always)
  mutating func divide() {
    flowVersion &+= 1
    version &+= 1
    flows = 0
    for index in transfers.indices where transfers[index].phase == .flowing { flows += 1 }
    var place: UInt32 = 0
    for index in transfers.indices {
      if transfers[index].phase == .flowing {
        transfers[index].share = FlowShare(rate: cursor.rate, flows: flows, place: place)
        place += 1
      } else {
        transfers[index].share = .none
      }
    }
    assert(
      zip(transfers, transfers.dropFirst()).allSatisfy { $0.number < $1.number },
      "the transfers of the link must ascend")
  }

  /// Returns the data of a transfer that has arrived by an instant before the next change.
  @inline(__always)
  func delivered(_ transfer: Transfer, at instant: Instant) -> DataAmount {
    min(transfer.size, transfer.delivered + transfer.share.data(in: instant - anchor))
  }

  /// Returns the transfer of a number.
  func transfer(_ number: Int) -> Transfer {
    transfers[place(of: number)]
  }

  /// The instant of the next change of the condition, or of the rate if it is of use to anybody.
  func nextCondition(isUsed: Bool) -> Instant {
    let next = changesMade < changes.count ? changes[changesMade].instant : .never
    return isUsed ? min(next, cursor.changesAt) : next
  }

  /// The instant of the next change: of the condition, of the rate, or of the set of flows.
  @inline(__always)
  func nextChange() -> Instant {
    var next = changesMade < changes.count ? changes[changesMade].instant : .never
    if flows > 0 { next = min(next, cursor.changesAt) }
    // What each flow will have got at the next change that is known so far.
    var (reached, parts) = (Instant.start, EqualParts(.zero, flows: 1))
    for index in transfers.indices {
      switch transfers[index].phase {
      case .suspended: break
      // A byte that is due while the link is down arrives when it is up again.
      case .requested(let firstByte):
        let isUp = rate > .zero || firstByte > anchor
        next = min(next, isUp ? max(firstByte, anchor) : cursor.changesAt)
      case .flowing:
        let missing = transfers[index].size - transfers[index].delivered
        let share = transfers[index].share
        if next != reached {
          reached = next
          parts = EqualParts(
            next == .never ? .zero : DataAmount(cursor.rate, for: next - anchor), flows: flows)
        }
        if next == .never || parts.part(of: share.place) >= missing {
          next = min(next, anchor + share.span(for: missing))
        }
      }
    }
    return next
  }

  /// The most that a single flow can have got by the link's next change.
  func most(by next: Instant) -> DataAmount {
    if flows == 0 || next == .never { return log.most }
    return log.most + EqualParts(DataAmount(cursor.rate, for: next - anchor), flows: flows).most
  }

  /// Moves what has flowed since the last change into the transfers.
  @inline(__always)
  private mutating func deliver(until now: Instant) {
    precondition(now >= anchor, "the link went back in time")
    if now == anchor { return }
    if flows > 0 {
      let span = now - anchor
      let whole = DataAmount(cursor.rate, for: span)
      let parts = EqualParts(whole, flows: flows)
      var total = DataAmount.zero
      for index in transfers.indices where transfers[index].phase == .flowing {
        let part = parts.part(of: transfers[index].share.place)
        total += part
        let (size, delivered) = (transfers[index].size, transfers[index].delivered)
        transfers[index].delivered = min(size, delivered + part)
      }
      precondition(total == whole, "the parts of the link are not the whole")
      log.add(parts)
    }
    anchor = now
    flowVersion &+= 1
    version &+= 1
  }

  /// Takes note that players are told how their flows go on.
  @inline(__always)
  mutating func noteTold() { log.add(.told(at: anchor, cursor.rate, flows: flows)) }

  /// Passes the changes of a track that nobody was there to see.
  mutating func followTrack(to now: Instant) {
    catchUp(to: now)
    anchor = max(anchor, now)
  }

  /// Brings the link to an instant at which something other than the link itself changes.
  private mutating func catchUp(to now: Instant) {
    deliver(until: now)
    if flows == 0, cursor.changesAt <= now {
      // Changes that pass while nothing flows are nobody's events.
      cursor.advance(to: now)
    }
  }

  private func place(of number: Int) -> Int {
    guard let place = transfers.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("transfer \(number) is not under way")
    }
    return place
  }
}
