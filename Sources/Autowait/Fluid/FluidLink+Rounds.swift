/// The samples of a round of whose least HyStart judges (RFC 9406), and its least window.
private let hyStartSamples = Int64(SlowStartExit.samplesMin)
private let hyStartWindowMin = Int64(SlowStartExit.windowMin)

extension FluidLink {
  /// What is less than one in so many of a request's time does not matter.
  static var shareOfUnsure: Int64 { 20 }

  /// Takes the step of a connection that is due; returns false if none is.
  mutating func takeStep(ofConnection index: Int, at now: Instant) -> Bool {
    let (left, roundEnd) = (connections[index].left, connections[index].roundEnd)
    switch connections[index].phase {
    case .opening, .idle, .full: return false
    case .gap:
      guard roundEnd <= now else { return false }
      startRound(index, at: now)
    case .burst:
      if let pace = connections[index].paceNext, connections[index].atOnce == .zero {
        connections[index].pace = pace
        connections[index].paceNext = nil
        return true
      }
      guard outstanding(on: index) > left + slack || isPacedByPast(index) else { return false }
      if roundEnd <= now, rate > .zero || left == .zero {
        startRound(index, at: now)
      } else if left == .zero {
        connections[index].phase = .gap
        connections[index].passedAt = now
      } else {
        return false
      }
    }
    return true
  }

  /// Whether a connection sends at the pace of before its rest: the first acknowledgements set
  /// another one.
  ///
  /// What has all left before they come, and waits before the link, is no longer paced.
  func isPacedByPast(_ index: Int) -> Bool {
    guard connections[index].round == 0, connections[index].paceKept != nil,
      let pace = connections[index].pace, connections[index].left > slack
    else { return false }
    let span = connections[index].roundEnd - connections[index].roundStart
    let sent = FlowShare(rate: pace, flows: 1, place: 0).data(in: span)
    return sent < connections[index].served + outstanding(on: index)
  }

  /// Lets a connection send again after a rest.
  mutating func startBusyTime(_ index: Int, at now: Instant) {
    let before = connections[index].window.packets
    connections[index].window.resume(at: now, behind: down.delay, policy, leaning)
    connections[index].round = 0
    connections[index].busySince = now
    // What the handshake sent ahead leads the first busy time alone.
    (connections[index].ahead, connections[index].lead) = (0, 0)
    connections[index].answeredAt = nil
    connections[index].served = .zero
    connections[index].heard = 0
    connections[index].servedAtRound = .zero
    connections[index].servedAtRoundBefore = .zero
    if connections[index].spacing == .zero { connections[index].spacing = serialisation }
    connections[index].opening = opening(of: index, at: now)
    if !connections[index].isOpening { judgeUse(index, at: now) }
    connections[index].isRested = connections[index].window.packets < before
    if !startVolley(index, at: now) { setRound(index, at: now) }
  }

  /// Takes note of how much of its window a connection uses that begins to send.
  ///
  /// Of a paced sender three bursts count that wait in its host. Until the window is used, time may
  /// run out, which is shorter once a path is heard of whose queue has emptied.
  private mutating func judgeUse(_ index: Int, at now: Instant) {
    guard policy.restartsAfterIdle else { return }
    let all = min(packet.count(in: outstanding(on: index)), packet.count(in: window(of: index)))
    let sinksAt = min(connections[index].window.sinksAt(leaning), sinksWhenHeard(index, from: now))
    // A paced window goes in a round trip, as long as the sender takes that to be.
    guard isPaced, let roundTrip = connections[index].window.roundTrip, sinksAt <= now + roundTrip,
      let pace = keptPace(of: index, at: now)
    else {
      connections[index].window.judge(all, at: now, policy, leaning)
      return
    }
    let count = min(all, 4 * burst(index, at: pace))
    connections[index].window.judge(count, at: now, policy, leaning)
    guard !connections[index].window.isUsed(by: count), sinksAt > now else { return }
    let rate = FlowShare(rate: pace, flows: 1, place: 0)
    let later = count + packet.count(in: rate.data(in: sinksAt - now))
    if later < all {
      connections[index].window.judge(later, at: sinksAt, sinksAt: sinksAt, policy, leaning)
    }
  }

  /// Returns when a window that is not used sinks after the first acknowledgements, eight of which
  /// take two thirds of what was longer from the mean.
  private func sinksWhenHeard(_ index: Int, from now: Instant) -> Instant {
    let answered = acknowledgement(for: index, from: now)
    let heard = answered + connections[index].spacing.times(16)
    return max(
      heard, connections[index].window.sinksAt(after: 8, of: answered - now, leaning))
  }

  /// Begins the next round: what has passed was acknowledged, or is about to be.
  private mutating func startRound(_ index: Int, at now: Instant) {
    if startVolley(index, at: now) { return }
    hearRound(index, at: now)
    if followLead(index, at: now) { return }
    let span = roundTrip(besides: connections[index].number)
    // Single acknowledgements decide how fast a sender becomes that waits for them.
    // It waits about four times as long in all: the steps shrink by an eighth.
    if let step = slowStep(index), step > span,
      step.times(4 * Self.shareOfUnsure)
        > connections[index].spacing.times(packet.count(in: outstanding(on: index)))
    {
      connections[index].isUnsure = true
    }
    let passed = passedInRound(index)
    connections[index].measure(
      span, of: passed, packet: packet, acknowledgedWithin: policy.acknowledgementWait)
    assert(connections[index].roundStart <= now, "a round begins before the one that it follows")
    connections[index].servedAtRoundBefore = connections[index].servedAtRound
    connections[index].servedAtRound = connections[index].served
    connections[index].round += 1
    noteTrain(index, of: passed)
    if leaning.exitsEarly { noteWaiting(index) }
    setRound(index, at: now)
  }

  private mutating func setRound(_ index: Int, at now: Instant) {
    let isFirst = connections[index].round == 0
    let window = window(of: index)
    connections[index].left = window - packet.size.times(held(index))
    if window == packet.receiveWindow {
      // A short last packet fits into what a receive window has beyond full ones.
      let rest = outstanding(on: index)
      if rest <= window + packet.receiveSpare {
        connections[index].left = max(connections[index].left, rest)
      }
    }
    if !isFirst, window + packet.size.times(connections[index].lead) >= packet.receiveWindow {
      // What leads a round whose receiver sets the bound stays so many packets of it.
      connections[index].lead = 0
    }
    connections[index].roundStart = now
    connections[index].roundEnd = acknowledgement(for: index, from: now)
    let cycle = connections[index].roundEnd - now
    if isFirst, connections[index].isFresh { makeRoomForAhead(index, at: now) }
    waitForLead(index)
    connections[index].paceNext = nil
    connections[index].pace = isFirst ? nil : pace(of: index)
    if isFirst { paceFirstRound(index) }
    connections[index].phase = .burst
    let count = roundsAlike(index, window)
    let each = acknowledged(index, of: window, within: cycle, at: now)
    let rate = each.nanobits / UInt128(UInt64(max(1, cycle.nanoseconds)))
    guard count > 1, rate < UInt128(UInt64(down.rate.bitsPerSecond)) else {
      connections[index].roundsAlike = 1
      return
    }
    // So many bursts of about the same size are one flow.
    connections[index].roundsAlike = count
    connections[index].left = each.times(count)
    connections[index].roundEnd = now + cycle.times(count)
    connections[index].pace = BitRate(bitsPerSecond: max(1, Int64(clamping: rate)))
  }

  /// Returns what of a window is acknowledged in each of many rounds.
  ///
  /// A receiver that acknowledges every second packet leaves the last of an odd number waiting: for
  /// the next round, or until its patience ends, and then the packet that follows comes alone too.
  private func acknowledged(
    _ index: Int, of window: DataAmount, within cycle: TimeSpan, at now: Instant
  ) -> DataAmount {
    let count = packet.count(in: window)
    let together = connections[index].ends.client.packetsTogether(
      isWidening: connections[index].window.isWidening)
    let late = FluidListener.late(policy, after: now) - now
    guard together > 1, count > 1, count % 2 == 1 else { return packet.size.times(count) }
    let even = packet.size.times(count - 1)
    guard late < cycle else { return even }
    assert(late >= .zero, "a lone packet is acknowledged \(late) late")
    // A round on a link that carries nothing never ends.
    let span = UInt64(cycle.nanoseconds)
    let longer = span + UInt64(late.nanoseconds)
    return even
      + DataAmount(nanobits: packet.size.nanobits * UInt128(span) / UInt128(longer))
  }

  /// Lets the player hear what has passed, in so many rounds.
  private mutating func hear(_ index: Int, rounds: Int64 = 1) {
    let heard = packet.count(in: connections[index].served)
    // A packet of another link may be larger.
    let count = max(0, heard - connections[index].heard)
    let late = leaning.hearsLate ? TimeSpan.milliseconds(1) : .zero
    let widening = connections[index].window.hear(
      count, rounds: rounds, late: late.nanoseconds / max(1, connections[index].spacing.nanoseconds)
    )
    connections[index].ends.client.hear(count, widening: widening)
    connections[index].heard = heard
  }

  /// The packets of a busy time that have passed and wait for another one to be acknowledged.
  private func held(_ index: Int) -> Int64 {
    connections[index].round > 0 ? Int64(connections[index].ends.client.unsaid) : 0
  }

  /// Lets the player hear the round that ends; a lone packet at its end is acknowledged late.
  private mutating func hearRound(_ index: Int, at now: Instant) {
    hear(index, rounds: connections[index].roundsAlike + connections[index].roundsFull)
    connections[index].roundsFull = 0
    guard connections[index].phase == .gap, connections[index].ends.client.unsaid > 0,
      FluidListener.late(policy, after: connections[index].passedAt) < now + serialisation
    else { return }
    connections[index].ends.client.hearNothing()
  }

  /// Leaves the room in the first window that packets of the handshake take that are under way.
  private mutating func makeRoomForAhead(_ index: Int, at now: Instant) {
    let (ahead, until) = (connections[index].ends.ahead, connections[index].ends.aheadUntil)
    guard ahead > 0, until > now else { return }
    let left = connections[index].left
    connections[index].left = left - min(left, packet.size.times(ahead))
    connections[index].lead = ahead
    connections[index].leadEnd = until
  }

  /// Ends a round with the acknowledgement of what leads it.
  private mutating func waitForLead(_ index: Int) {
    guard connections[index].lead > 0 else { return }
    connections[index].answeredAt = connections[index].roundEnd
    connections[index].roundEnd = min(connections[index].roundEnd, connections[index].leadEnd)
  }

  /// Lets packets go for those that led the round and are acknowledged now, if those of the rest of
  /// it are later; returns whether they are.
  private mutating func followLead(_ index: Int, at now: Instant) -> Bool {
    guard let answeredAt = connections[index].answeredAt else { return false }
    connections[index].answeredAt = nil
    if connections[index].round == 0 { connections[index].ahead = connections[index].lead }
    let led = connections[index].lead
    connections[index].lead = 0
    // Each that is acknowledged lets another one go, and one more while the window grows.
    let sent = connections[index].served - connections[index].servedAtRound
    let under = packet.count(in: sent + connections[index].left)
    let room = packet.count(in: window(of: index)) - under
    let count = max(led, min(2 * led, room))
    assert(led > 0, "\(led) packets led a round")
    let data = packet.size.times(count)
    let span = FlowShare(rate: down.rate, flows: 1, place: 0).finiteSpan(for: data)
    guard now + span < answeredAt else { return false }
    connections[index].lead = count
    connections[index].leadEnd = acknowledgement(for: index, from: now)
    connections[index].left += data
    connections[index].roundEnd = answeredAt
    connections[index].phase = .burst
    return true
  }

  /// Returns how many rounds from now on have nearly the same window: where it is larger than the
  /// threshold it hardly grows, and so many single bursts would be as many events.
  private func roundsAlike(_ index: Int, _ window: DataAmount) -> Int64 {
    let packets = packet.count(in: window)
    guard connections[index].round > 0, packets > 0,
      packets >= connections[index].window.threshold || window == packet.receiveWindow
    else { return 1 }
    let rounds = outstanding(on: index).nanobits / window.nanobits
    var count = min(2 * connections[index].roundsAlike, Int64(clamping: rounds) - 2)
    while count > 1 {
      let later = connections[index].served + window.times(count)
      if self.window(of: index, served: later).nanobits * 8 <= window.nanobits * 9 { return count }
      count /= 2
    }
    return 1
  }

  /// Takes note of a path that is full: the next burst is due before this one will have passed.
  mutating func fill(_ index: Int, at now: Instant) {
    let (left, share) = (connections[index].left, connections[index].share)
    guard left > .zero, share != .none, isPaceAboveShare(index),
      !connections[index].isOpening
    else { return }
    let rest = max(
      .zero, (connections[index].answeredAt ?? connections[index].roundEnd) - now)
    let span = share.span(for: left)
    guard span > rest, outstanding(on: index) > left + slack, slowStep(index) == nil
    else { return }
    connections[index].heardAtFull = packet.count(in: connections[index].served)
    connections[index].phase = .full
    connections[index].pace = nil
    // A path that is full keeps nothing apart that leads a round.
    (connections[index].lead, connections[index].answeredAt) = (0, nil)
    let threshold = connections[index].window.threshold
    let reached =
      connections[index].window.packets + packet.count(in: connections[index].servedAtRound)
    guard policy.congestionControl == .cubic, reached < threshold else { return }
    // The first packets of the next round wait for what is left of this one. HyStart hears of it
    // when they are acknowledged, and the window has doubled; and if that wait was too short to
    // tell, a round later.
    let waiting = span - rest
    let least = roundTrip(besides: connections[index].number).nanoseconds
    let bound = SlowStartExit.clearance(least: least)
    var exit = (waiting.nanoseconds > bound ? 2 : 4) * reached + hyStartSamples
    if let train = trainLength(index) { exit = min(exit, reached + train) }
    connections[index].window.threshold = min(threshold, max(exit, hyStartWindowMin))
  }

  /// Returns how long the first acknowledgement of a busy time makes its sender wait after a burst;
  /// nil if the path is no faster than the sender.
  ///
  /// A window that has shrunk in a rest is paced by the round trip of before the rest, which may
  /// have been that of a full queue.
  private func slowStep(_ index: Int) -> TimeSpan? {
    guard connections[index].round == 0, connections[index].isRested, isPaced,
      let roundTrip = connections[index].window.roundTrip, connections[index].spacing > .zero
    else { return nil }
    let base = self.roundTrip(besides: connections[index].number)
    let smoothed = roundTrip - TimeSpan(nanoseconds: (roundTrip - base).nanoseconds / 8)
    let together = connections[index].ends.client.packetsTogether(
      isWidening: connections[index].window.isWidenedByEach)
    let window = connections[index].window.packets + together
    let percent = Pacing.percent(window: window, threshold: connections[index].window.threshold)
    let pace = pace(packet.size.times(window).nanobits * UInt128(percent) / 100, in: smoothed)
    let spacing = FlowShare(rate: pace, flows: 1, place: 0).span(for: packet.size)
    guard spacing > connections[index].spacing else { return nil }
    return spacing.times(burst(index, at: pace))
  }

  /// Takes note of the rounds of a full path, which nobody needs but who finds it full no longer.
  mutating func countRounds(_ index: Int, from anchor: Instant, to now: Instant) {
    let length = roundTrip(besides: connections[index].number).nanoseconds
    let roundStart = connections[index].roundStart
    let count = (now - roundStart).nanoseconds / max(1, length)
    guard count > 0 else { return }
    let start = roundStart + TimeSpan(nanoseconds: count * length)
    let part = connections[index].share.data(in: max(.zero, start - anchor))
    connections[index].roundStart = start
    connections[index].servedAtRoundBefore = connections[index].servedAtRound
    connections[index].servedAtRound = connections[index].served + part
    connections[index].roundsFull += count
  }

  /// Lets a connection send in bursts again if the path is larger now than what it may send until
  /// its round ends: the rate has grown, or others have ended; returns whether it does.
  mutating func reopenRound(_ index: Int, at now: Instant) -> Bool {
    let end = connections[index].roundStart + roundTrip(besides: connections[index].number)
    let before = connections[index].servedAtRound
    let (allowed, used) = (window(of: index, served: before), connections[index].served - before)
    let left = allowed - min(allowed, used)
    guard left < connections[index].share.data(in: max(.zero, end - now)) else { return false }
    connections[index].left = left
    connections[index].roundEnd = end
    connections[index].roundsAlike = 1
    connections[index].phase = .burst
    connections[index].pace = pace(of: index)
    return true
  }

  /// Ends slow start where acknowledgements come close together for half a round trip, for a whole
  /// one if the sender paces: the path is then as full as the burst is long.
  private mutating func noteTrain(_ index: Int, of passed: Int64) {
    guard policy.congestionControl == .cubic, let count = trainLength(index) else { return }
    let before = packet.count(in: connections[index].servedAtRoundBefore)
    let end = connections[index].window.packets + before + count
    if count < passed, end < connections[index].window.threshold {
      connections[index].window.threshold = max(end, hyStartWindowMin)
    }
  }

  /// Ends slow start where the packets of a round have waited for each other for about as long as
  /// HyStart asks for (RFC 9406).
  private mutating func noteWaiting(_ index: Int) {
    guard policy.congestionControl == .cubic, let roundTrip = connections[index].window.roundTrip
    else { return }
    let least = connections[index].window.roundTripMin.nanoseconds
    let bound = SlowStartExit.clearance(least: least)
    let reached =
      connections[index].window.packets + packet.count(in: connections[index].served)
    guard reached < connections[index].window.threshold,
      2 * connections[index].spacing.nanoseconds > bound,
      roundTrip.nanoseconds - least > bound / 2
    else { return }
    connections[index].window.threshold = max(reached, hyStartWindowMin)
  }

  /// Returns how many packets a train of acknowledgements stands for that ends slow start; nil if
  /// they are too far apart.
  ///
  /// A receiver acknowledges every second packet, or each while it widens its window.
  private func trainLength(_ index: Int) -> Int64? {
    let spacing = connections[index].spacing
    let isSingle =
      policy.receiveWindow == nil && connections[index].ends.client.acknowledgesSingly
      && !leaning.hearsLate
    guard spacing.times(isSingle ? 1 : 2) <= SlowStartExit.trainSpacingMax, spacing > .zero
    else { return nil }
    let least = connections[index].window.roundTripMin.nanoseconds
    return SlowStartExit.trainLength(least: least, isPaced: policy.isPaced) / spacing.nanoseconds
  }

  /// Ends a time in which a connection was busy.
  mutating func endBusyTime(_ index: Int, at now: Instant) {
    if let plan = endOpening(index) {
      connections[index].window.rest(
        at: plan.size, after: plan.growth, spacing: connections[index].spacing,
        lastSent: plan.lastSent)
    } else {
      endRounds(index, at: now)
      connections[index].isExact = false
    }
    connections[index].roundsFull = 0
    connections[index].paceKept = paceKept(by: connections[index].window)
    connections[index].sent += packet.count(in: connections[index].served)
    connections[index].phase = .idle
    connections[index].heardAt = now
    connections[index].share = .none
    connections[index].isFresh = false
  }

  /// Takes over what both ends know of a busy time that went in rounds.
  private mutating func endRounds(_ index: Int, at now: Instant) {
    let base = roundTrip(besides: connections[index].number)
    let count = packet.count(in: connections[index].served)
    var flying: Int64 = 0
    // Who sends all at once does so by what was known before.
    let isHeardLater = connections[index].round == 0 && connections[index].phase != .full
    let sinksAt = isHeardLater ? connections[index].window.sinksAt(leaning) : nil
    if connections[index].phase == .full {
      // What was in flight when the sender had nothing more to send.
      flying = flyingAtEnd(index, count)
      connections[index].measure(flying: flying, base, packet: packet)
    } else {
      connections[index].measure(
        base, of: passedInRound(index), packet: packet,
        acknowledgedWithin: policy.acknowledgementWait)
    }
    let lastSent = lastSent(on: index, flying: flying, roundTrip: base, at: now)
    hear(index, rounds: connections[index].roundsFull + 1)
    let before = connections[index].window.packets
    connections[index].window.judge(
      min(count, before), at: lastSent, sinksAt: sinksAt, policy, leaning)
    connections[index].window.rest(
      after: count, spacing: connections[index].spacing, capacity: capacity, lastSent: lastSent,
      policy)
    connections[index].window.keep(
      toReceived: packet.count(in: packet.receiveWindow), above: before, policy)
  }

  /// Returns how many packets have passed in the present round, in one of them if it stands for
  /// many.
  private func passedInRound(_ index: Int) -> Int64 {
    let count = packet.count(in: connections[index].served - connections[index].servedAtRound)
    if connections[index].roundsAlike == 1 { return count }
    return min(count, packet.count(in: window(of: index)))
  }

  /// Returns how many packets of a busy time were under way when the last of them was sent.
  ///
  /// That is the window when so many were acknowledged that the rest just fits into it: in slow
  /// start half of what the first window has left. Above the threshold it hardly grows meanwhile.
  private func flyingAtEnd(_ index: Int, _ count: Int64) -> Int64 {
    func allowed(_ acknowledged: Int64) -> Int64 {
      packet.count(in: window(of: index, served: packet.size.times(acknowledged)))
    }
    let first = connections[index].window.packets
    if count <= first { return min(count, allowed(0)) }
    let half = (count - first + 1) / 2
    if half + allowed(half) >= count, first + half <= connections[index].window.threshold {
      return count - half
    }
    return min(count, allowed(count - min(count, allowed(count))))
  }

  /// Returns when the last packet of a connection was sent.
  private func lastSent(
    on index: Int, flying: Int64, roundTrip: TimeSpan, at now: Instant
  ) -> Instant {
    let start = connections[index].roundStart
    if connections[index].phase == .full {
      let waiting = connections[index].spacing.times(flying).nanoseconds - roundTrip.nanoseconds
      return Instant(nanoseconds: now.nanoseconds - max(0, waiting))
    }
    if let pace = connections[index].pace {
      // The first burst of a busy time leaves at once.
      let isFirst = connections[index].round == 0
      let ahead = isFirst ? packet.size.times(burst(index, at: pace)) : .zero
      let later = connections[index].served - connections[index].servedAtRound
      let span = FlowShare(rate: pace, flows: 1, place: 0).span(for: later - min(later, ahead))
      return min(now, start + span)
    }
    // The first burst leaves at once, a later one in half the time that it takes on the link.
    if connections[index].round == 0 { return start }
    return start + TimeSpan(nanoseconds: (now - start).nanoseconds / 2)
  }
}

// MARK: - What a path holds

extension FluidLink {
  /// Returns what a connection may have in flight, now or when so much of its busy time has passed.
  func window(of index: Int, served: DataAmount? = nil) -> DataAmount {
    let lead = connections[index].round > 0 ? connections[index].lead : 0
    let all = packet.count(in: served ?? connections[index].served)
    let acknowledged = served == nil ? max(0, all - held(index)) : all
    let grown = connections[index].window.grown(
      acknowledged: acknowledged + connections[index].ahead - lead,
      spacing: connections[index].spacing, capacity: capacity, policy)
    let allowed = min(leaning.window(grown), packet.count(in: packet.receiveWindow))
    return packet.size.times(max(1, allowed - lead))
  }

  @inline(__always)
  private func isPaceAboveShare(_ index: Int) -> Bool {
    if let next = connections[index].paceNext, next < down.rate { return false }
    guard let pace = connections[index].pace else { return true }
    return FlowShare(rate: pace, flows: 1, place: 0) != connections[index].share
  }

  /// How long a full packet takes on the way down.
  @inline(__always)
  var serialisation: TimeSpan {
    FlowShare(rate: down.rate == .zero ? down.trackRate : down.rate, flows: 1, place: 0)
      .finiteSpan(for: packet.size)
  }

  /// Returns how long a packet and its acknowledgement take, with what others have in the queue.
  @inline(__always)
  func roundTrip(besides connection: Int) -> TimeSpan {
    let others = FlowShare(rate: down.rate, flows: 1, place: 0)
      .finiteSpan(for: backlog(besides: connection))
    return serialisation + others + wayBack
  }

  /// How long it takes from the arrival of a packet until the next one that it lets go arrives at
  /// the link.
  @inline(__always)
  private var wayBack: TimeSpan {
    up.delay + answerTime + down.delay
  }

  /// How long an acknowledgement takes on the way up.
  @inline(__always)
  var answerTime: TimeSpan {
    FlowShare(rate: up.rate == .zero ? up.trackRate : up.rate, flows: 1, place: 0)
      .finiteSpan(for: DataAmount(ByteCount(bytes: policy.acknowledgementSize)))
  }

  /// Returns when the acknowledgement of a packet that reaches the link has let others reach it.
  func acknowledgement(for index: Int, from now: Instant) -> Instant {
    let count = connections[index].ends.client.packetsForAnswer(
      isWidening: connections[index].window.isWidening)
    return down.passage(
      of: packet.size.times(count) + backlog(besides: connections[index].number), from: now)
      + wayBack
  }

  /// Returns what waits before the link, of all connections but one, or only of those that are
  /// being closed, or of those that are not.
  func backlog(besides number: Int = 0, isClosing: Bool? = nil) -> DataAmount {
    var total = DataAmount.zero
    for index in connections.indices
    where connections[index].number != number && connections[index].isServed
      && isClosing ?? connections[index].isClosing == connections[index].isClosing
    {
      let rest = outstanding(on: index)
      switch connections[index].phase {
      case .burst:
        if connections[index].pace == nil { total += min(connections[index].left, rest) }
      case .full:
        let flying = min(window(of: index), rest)
        // The server goes on until it hears that it was given up.
        let wayBack = connections[index].isClosing ? TimeSpan.zero : up.delay
        let path = connections[index].share.data(in: down.delay + wayBack)
        if flying > path { total += flying - path }
      case .opening, .idle, .gap: break
      }
    }
    return min(total, packet.queue)
  }

  /// The packets that the path holds, under way and before the link; more than there can be if the
  /// receiver keeps the sender from filling both.
  @inline(__always)
  var capacity: Int64 {
    let rate = down.rate == .zero ? down.trackRate : down.rate
    let path = DataAmount(rate, for: down.delay + up.delay)
    if packet.receiveWindow <= path + packet.queue { return FluidWindow.noThreshold }
    return packet.count(in: path + packet.queue)
  }
}

extension FlowShare {
  /// Returns the span in which this part delivers an amount; none if it never does.
  fileprivate func finiteSpan(for amount: DataAmount) -> TimeSpan {
    rate == .zero ? .zero : span(for: amount)
  }
}
