/// The first response on a new connection, or a later one that is short, packet by packet.
///
/// Its sender's pace follows every acknowledgement, and a few packets decide whether the last of
/// them waits for another round. So it is no flow in rounds: when each of its packets goes is found
/// out as it begins, by the rules of the packet tier's sender, until the last has gone or the path
/// is full, from when on packets follow one another. The flow then goes by that as long as nothing
/// else happens on the link. Where packets would be lost it goes in rounds.
///
/// Times are those of the player's end of the link, of the sender too.
struct FluidOpening {
  /// Packets that follow one another on the link, or are spread over a time.
  struct Volley: Hashable, Sendable {
    /// When the first of them reaches the link, and when the last has left it.
    let start: Instant
    var end: Instant
    var count: Int64
    /// The number of the round in which it begins.
    let round: Int
    var isSpread = false

    /// Adds what follows after a gap.
    mutating func add(_ next: Volley) {
      (count, end, isSpread) = (count + next.count, next.end, true)
    }
  }

  /// What the ends do and know, volley by volley, and when all is acknowledged or the path is full.
  struct Plan: Hashable, Sendable {
    var volleys: [Volley] = []
    /// Whether the path is full from the last volley on, and the packets that were sent before.
    var isFull = false
    var sentBeforeFull: Int64 = 0
    /// How many of the volleys have begun.
    var begun = 0
    var window: FluidWindow
    var client: FluidListener
    var lastSent = Instant.start
    /// When the last packet left, if it waits for another one to be acknowledged.
    var unsaidSentAt: Instant?
    var unsaidBeginsRound = true
    /// The window that the response leaves, and how many acknowledged packets it had grown by.
    var size: Int64 = 0
    var growth: Int64 = 0
  }

  /// An acknowledgement of so many packets, the first and the last of which left at an instant.
  private struct Answer {
    let count: Int64
    let at: Instant
    let firstSentAt: Instant
    let lastSentAt: Instant
    /// How many packets the player lets be sent in all.
    let edge: Int64
  }

  /// The packets that are taken one by one at most, until the path is full or the last has gone.
  static let packetsMax: Int64 = 512
  /// The packets of a later response that is taken so: of a longer one a packet decides less, and
  /// players ask for many.
  static let packetsMaxLater: Int64 = 128
  /// The volleys in which it goes at most: each costs the link two events.
  private static let volleysMax = 6
  /// The samples by which HyStart judges a round, and its least window (RFC 9406).
  private static let hyStartSamples = Int64(SlowStartExit.samplesMin)
  private static let hyStartWindowMin = Int64(SlowStartExit.windowMin)

  private(set) var plan: Plan
  private let policy: TransportPolicy
  private let leaning: FluidLeaning
  private let packet: FluidPacket
  private let up: FluidDirection
  private let down: FluidDirection
  private let isPaced: Bool
  private let spacing: TimeSpan
  private let capacity: Int64
  private let leading: Int64
  private let endsShort: Bool
  /// How long it takes from a packet's arrival at the link until its acknowledgement is back there,
  /// with the one with which it is acknowledged; and whether the way up is fast enough for each.
  private let loop: TimeSpan
  private let isUpNoBottleneck: Bool

  /// The sender's time, when its host has sent what it was given, and when the directions have.
  private var now: Instant
  private var hostFreeAt = Instant.start
  private var upFreeAt: Instant
  private var downFreeAt: Instant

  /// The packets that are still to be sent, that were sent before and since, and acknowledged.
  private var left: Int64
  private let before: Int64
  private var sent: Int64 = 0
  private var acknowledged: Int64 = 0
  private var inFlight: Int64 = 0
  private var roundEnd: Int64 = 0
  private var round = 0
  private var sizeAtRound: Int64

  /// The window, and the acknowledged packets by which it has grown.
  private var size: Int64
  private var growth: Int64 = 0
  /// The packets that may be sent in all as far as the player has said, and that it has heard.
  private var edge: Int64
  private var heard: Int64 = 0
  private var exit = SlowStartExit()
  /// The least round trip of the response, and the last one.
  private var least = Int64.max
  private var last: Int64 = 0
  /// Whether the window is what limits the sender; holds until so many are acknowledged.
  private var isLimited = false
  private var limitedUntil: Int64 = 0
  private var inFlightMax: Int64 = 0

  /// When pacing lets the next burst go, at which rate in bytes per second, and what is left of a
  /// burst.
  private var paceAt: Instant
  private var paceCredit: Int64 = 0
  private var rate = UInt64.max
  private var burstLeft: Int64 = 0

  private var answers: [Answer] = []
  private var taken = 0
  /// When the packet left that waits for another one to be acknowledged, and when it came.
  private var unsaidSentAt = Instant.start
  private var heardAt = Instant.start
  /// When the player's present round trip began.
  private var listeningSince = Instant.start

  /// The packets of a response, those that bring its first byte, and whether the last is not full.
  struct Data {
    let count: Int64
    let leading: Int64
    let endsShort: Bool
  }

  /// Begins a response at the instant at which its first packet reaches the link.
  init(
    _ data: Data, on connection: FluidConnection, of link: FluidLink, at now: Instant
  ) {
    let count = data.count
    assert(count > 0, "a response of \(count) packets")
    (leading, endsShort) = (data.leading, data.endsShort)
    plan = Plan(window: connection.window, client: connection.ends.client)
    (policy, leaning, packet) = (link.policy, link.leaning, link.packet)
    (up, down, capacity) = (link.up, link.down, link.capacity)
    (isPaced, spacing) = (link.isPaced, link.serialisation)
    loop = link.roundTrip(besides: connection.number) + link.serialisation.times(2)
    isUpNoBottleneck = link.answerTime <= link.serialisation
    (self.now, downFreeAt) = (now, now)
    upFreeAt = max(connection.upFreeAt, link.upFreeAt)
    (left, before) = (count, connection.sent)
    size = connection.window.packets
    edge = link.policy.http == .http3 ? .max : connection.window.received ?? .max
    sizeAtRound = size
    paceAt = .start + link.down.delay
    exit.begin(next: 0, at: now)
    if connection.ends.ahead > 0, connection.ends.aheadUntil > now {
      inFlight = connection.ends.ahead
      answers.append(
        Answer(
          count: inFlight, at: connection.ends.aheadUntil, firstSentAt: .never, lastSentAt: .never,
          edge: edge))
    }
    if connection.isFresh {
      // Who answers early data over QUIC has measured nothing before that is acknowledged.
      if policy.http != .http3 || inFlight == 0 { setRate() }
    } else {
      least = link.roundTrip(besides: connection.number).nanoseconds
      if isPaced, let pace = connection.paceKept { rate = link.dataRate(of: pace) }
    }
    walk()
  }

  private mutating func walk() {
    while left > 0 {
      sendWindow()
      if left > 0, fillsPath { return fillPath() }
      if left > 0 { goOn() }
    }
    if plan.volleys.isEmpty { return }
    plan.lastSent = now
    joinVolleys()
    while taken < answers.count { hear(answers[taken]) }
    if plan.client.unsaid > 0 {
      plan.unsaidSentAt = unsaidSentAt
      plan.unsaidBeginsRound = acknowledged + 1 > roundEnd
      grow(by: 1)
    }
    (plan.size, plan.growth) = (size, growth)
  }

  /// Whether the rest of the response goes without a gap: more waits before the link than passes
  /// while a packet is acknowledged, and the acknowledgements do not wait for one another.
  ///
  /// No window shrinks meanwhile, as nothing is lost: the queue holds all that is left.
  private var fillsPath: Bool {
    downFreeAt > now + loop && isUpNoBottleneck
      && DataAmount(down.rate, for: downFreeAt - now) + packet.size.times(left) <= packet.queue
  }

  /// Lets all that is left follow; what comes of it is known as of any path that is full.
  private mutating func fillPath() {
    plan.volleys[plan.volleys.count - 1].count += left
    joinVolleys()
    endSlowStart(within: inFlight + left)
    (plan.isFull, plan.sentBeforeFull, left) = (true, sent, 0)
  }

  /// Ends slow start on a path that is full where HyStart hears of it, if no more than so many
  /// packets are acknowledged by then.
  ///
  /// A packet waits for the whole window that it is sent in. That of a round's first packets is
  /// heard as the next round begins, with twice the window. In the present round there is no train
  /// if there was a gap; in later ones nothing comes between acknowledgements.
  private mutating func endSlowStart(within count: Int64) {
    guard policy.congestionControl == .cubic, size < plan.window.threshold else { return }
    let least = min(least, loop.nanoseconds)
    let bound = least + SlowStartExit.clearance(least: least)
    let together = plan.client.packetsTogether(isWidening: plan.window.isWidenedByEach)
    let isTrain = spacing > .zero && spacing.times(together) <= SlowStartExit.trainSpacingMax
    var end = Int64.max
    if isTrain, let left = exit.trainLeft(least: least, window: exitInput, at: now) {
      let packets = left.nanoseconds / spacing.nanoseconds
      if packets <= max(0, roundEnd - acknowledged) { end = size + packets }
    }
    let train = isTrain ? SlowStartExit.trainLength(least: least, isPaced: isPaced) : .max
    var window = sizeAtRound
    while end == .max, window < size + count {
      if spacing.times(window).nanoseconds > bound {
        end = 2 * window + (Self.hyStartSamples + 1) * together
      }
      window *= 2
      if spacing.times(window).nanoseconds > train {
        end = min(end, window + train / spacing.nanoseconds)
      }
    }
    end = max(end, Self.hyStartWindowMin)
    if end <= size + count { plan.window.threshold = max(end, size) }
  }

  /// Takes volleys of a round for one that is spread over it, and then those of two later rounds;
  /// but not those that bring the first byte, and not the last, which ends the response.
  private mutating func joinVolleys() {
    var places = 0
    while plan.volleys.count > Self.volleysMax, places < 8 {
      var (joined, gone): ([Volley], Int64) = ([], 0)
      let last = plan.volleys.count - 1
      for (place, volley) in plan.volleys.enumerated() {
        defer { gone += volley.count }
        if let before = joined.last, place < last, gone - before.count > leading,
          places == 0 ? before.round == volley.round : place % 2 == 1
        {
          joined[joined.count - 1].add(volley)
        } else {
          joined.append(volley)
        }
      }
      assert(
        gone == joined.reduce(0) { $0 + $1.count }, "\(gone) packets are joined to others")
      plan.volleys = joined
      places += 1
    }
    assert(
      zip(plan.volleys, plan.volleys.dropFirst()).allSatisfy { $0.end <= $1.start },
      "a volley begins before the end of the one before it")
  }

  /// Gives the plan up on a link that does not carry it to its end.
  private mutating func giveUp() { (plan.volleys, left) = ([], 0) }

  /// Goes on to the next instant at which something may be sent.
  private mutating func goOn() {
    var next = taken < answers.count ? answers[taken].at : .never
    if isPaced, paceAt > now, inFlight < limit, sent < edge { next = min(next, paceAt) }
    let late = FluidListener.late(policy, after: heardAt)
    if plan.client.unsaid > 0, late < next {
      // A lone packet is acknowledged late, unless another one comes before.
      plan.client.hearNothing()
      answer(1, at: late, lastSentAt: unsaidSentAt)
      return
    }
    if next == .never { return giveUp() }
    now = max(now, next)
    while taken < answers.count, answers[taken].at <= now { hear(answers[taken]) }
  }
}

// MARK: - The server

extension FluidOpening {
  private var limit: Int64 { leaning.window(size) }

  private mutating func sendWindow() {
    if sent >= Self.packetsMax { return giveUp() }
    let before = sent
    while left > 0, inFlight < limit, sent < edge, !isPaced || burstLeft > 0 || paceAt <= now {
      send()
    }
    burstLeft = 0
    if sent > before || inFlight >= size { judgeUse() }
  }

  private mutating func send() {
    let time = max(now, hostFreeAt)
    hostFreeAt = time + BurstNoise.gap
    pace()
    if time > downFreeAt + BurstNoise.gap || plan.volleys.isEmpty {
      plan.volleys.append(Volley(start: time, end: time, count: 1, round: round))
    } else {
      plan.volleys[plan.volleys.count - 1].count += 1
    }
    if downFreeAt > time, isQueueFull(at: time) { return giveUp() }
    downFreeAt = down.passage(of: packet.size, from: max(time, downFreeAt))
    plan.volleys[plan.volleys.count - 1].end = downFreeAt
    (left, sent, inFlight) = (left - 1, sent + 1, inFlight + 1)
    assert(left >= 0 && inFlight <= limit, "\(inFlight) packets are under way of \(limit)")
    if downFreeAt == .never { return giveUp() }
    arrive(at: downFreeAt, sentAt: time)
  }

  /// Whether a packet is lost that reaches the link at an instant.
  private func isQueueFull(at time: Instant) -> Bool {
    DataAmount(down.rate, for: downFreeAt - time) + packet.size > packet.queue
  }

  /// Bursts are paced as one, and the first ten packets of a connection are not.
  private mutating func pace() {
    if !isPaced { return }
    if burstLeft == 0 {
      if before + sent < Int64(Pacing.unpacedPackets) || rate == .max { return }
      burstLeft = burst
      paceCredit = max(0, now.nanoseconds - paceAt.nanoseconds)
      paceAt = max(paceAt, now)
    }
    burstLeft -= 1
    var span = Int64(clamping: UInt64(packet.segment) * 1_000_000_000 / rate)
    // What goes late may take up to half of its time back.
    let regained = min(span / 2, paceCredit)
    paceCredit -= regained
    span -= regained
    paceAt = paceAt + TimeSpan(nanoseconds: span)
  }

  private var burst: Int64 {
    let burst = Pacing.burst(
      rate: rate, roundTripMin: plan.window.roundTripMin.nanoseconds,
      segmentBytes: Int(packet.segment))
    return max(1, min(Int64(burst), size / 2))
  }

  private mutating func setRate() {
    guard isPaced, let roundTrip = plan.window.roundTrip else { return }
    let percent = Pacing.percent(window: size, threshold: plan.window.threshold)
    let bytes = UInt64(max(size, inFlight)) * UInt64(packet.segment) * percent
    rate = max(1, bytes * 10_000_000 / UInt64(max(1, roundTrip.nanoseconds)))
  }

  /// Judges, when no more can be sent now, whether the window was what stopped the sender, of whom
  /// three bursts wait in its host.
  private mutating func judgeUse() {
    let ahead = isPaced ? max(0, min(min(left, edge - sent), min(3 * burst, size - inFlight))) : 0
    let isLimited = inFlight + ahead >= size
    let packets = inFlight + ahead
    if acknowledged >= limitedUntil || isLimited || (!self.isLimited && packets > inFlightMax) {
      (self.isLimited, inFlightMax, limitedUntil) = (isLimited, packets, sent)
    }
    let use = FluidWindow.Use(count: packets, size: size, isWhole: mayGrow)
    if plan.window.judge(use, at: now, sinksAt: plan.window.sinksAt(leaning), policy) {
      (size, growth) = (plan.window.packets, 0)
    }
  }

  private mutating func hear(_ answer: Answer) {
    taken += 1
    edge = max(edge, answer.edge)
    let time = max(now, answer.at)
    inFlight -= answer.count
    assert(inFlight >= 0, "\(inFlight) packets of a response are under way")
    if answer.firstSentAt != .never { acknowledged += answer.count }
    assert(acknowledged <= sent, "\(acknowledged) packets of \(sent) are acknowledged")
    if answer.firstSentAt != .never {
      let beginsRound = acknowledged > roundEnd
      if beginsRound { (roundEnd, round, sizeAtRound) = (sent, round + 1, size) }
      plan.window.sample(time - answer.firstSentAt, beginsRound: beginsRound)
      if size < plan.window.threshold {
        endSlowStart((time - answer.lastSentAt).nanoseconds, at: time)
      }
    }
    grow(by: answer.count)
    setRate()
  }

  /// Whether the window grows by what is acknowledged.
  private var mayGrow: Bool {
    isLimited || (size < plan.window.threshold && size < 2 * inFlightMax)
  }

  private mutating func grow(by count: Int64) {
    guard mayGrow else { return }
    growth += count
    size = plan.window.grown(acknowledged: growth, spacing: spacing, capacity: capacity, policy)
  }

  private mutating func endSlowStart(_ roundTrip: Int64, at time: Instant) {
    guard policy.congestionControl == .cubic, plan.window.threshold == FluidWindow.noThreshold
    else { return }
    (least, last) = (min(least, max(1, roundTrip)), roundTrip)
    if exit.isOver(roundTrip, least: least, window: exitInput, at: time) || waitsForItself {
      plan.window.threshold = size
    }
  }

  /// What HyStart needs to know.
  private var exitInput: SlowStartExit.Input {
    SlowStartExit.Input(
      acknowledged: Int(acknowledged), next: Int(sent), size: Int(size), isPaced: isPaced,
      hostDelay: SlowStartExit.hostDelayMost)
  }

  /// Whether packets have waited for each other, where that is taken for the end of slow start.
  private var waitsForItself: Bool {
    if !leaning.exitsEarly { return false }
    let bound = SlowStartExit.clearance(least: least)
    return 2 * spacing.nanoseconds > bound && last - least > bound / 2
      && size >= Self.hyStartWindowMin
  }
}

// MARK: - The player

extension FluidOpening {
  private mutating func arrive(at time: Instant, sentAt: Instant) {
    let late = FluidListener.late(policy, after: heardAt)
    if plan.client.unsaid > 0, late < time {
      plan.client.hearNothing()
      answer(1, at: late, lastSentAt: unsaidSentAt)
    }
    if plan.client.unsaid == 0 { unsaidSentAt = sentAt }
    heardAt = time
    let roundTrip = plan.window.roundTripMin + (leaning.hearsLate ? .milliseconds(1) : .zero)
    let endsRound = time - listeningSince >= roundTrip
    if endsRound { listeningSince = time }
    let isWidening = plan.window.hear(endsRound: endsRound)
    heard += 1
    let count = plan.client.hear(
      isWidening: isWidening, isShort: left == 0 && endsShort)
    if count > 0 { answer(Int64(count), at: time, lastSentAt: sentAt) }
  }

  private mutating func answer(_ count: Int64, at time: Instant, lastSentAt: Instant) {
    let size = DataAmount(ByteCount(bytes: policy.acknowledgementSize))
    upFreeAt = up.passage(of: size, from: max(time, upFreeAt))
    if upFreeAt == .never { return giveUp() }
    answers.append(
      Answer(
        count: count, at: upFreeAt + up.delay + down.delay, firstSentAt: unsaidSentAt,
        lastSentAt: lastSentAt,
        edge: policy.http == .http3 ? .max : heard + (plan.window.received ?? .max / 2)))
  }
}
