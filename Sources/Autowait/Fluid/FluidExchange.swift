/// When one end of a TCP or QUIC connection acknowledges the data that it hears.
///
/// These are the rules of the packet tier's receiver as far as a handshake and a request need them:
/// the first packets at once, then every second one, as soon as the end answers with data.
struct FluidListener: Hashable, Sendable {
  /// The packets that are acknowledged at once at first (measured).
  private static let quickMax = 16
  private var quick = quickMax
  private(set) var unsaid = 0
  private var hasHeard = false
  /// Whether this end answers what it hears with data, which can carry acknowledgements.
  private var isReplying = false

  /// How many packets it hears from now on before it acknowledges: one while that widens its
  /// window.
  @inline(__always)
  func packetsForAnswer(isWidening: Bool) -> Int64 {
    packetsTogether(isWidening: isWidening) > 1 ? Int64(2 - unsaid) : 1
  }

  /// How many packets it acknowledges together: two, or one while that widens its window.
  @inline(__always)
  func packetsTogether(isWidening: Bool) -> Int64 {
    isReplying || (quick == 0 && !isWidening) ? 2 : 1
  }

  /// Whether it acknowledges each packet while its receive window grows.
  @inline(__always)
  var acknowledgesSingly: Bool { !isReplying }

  /// Takes so many packets, of which the first so many widen the window and are acknowledged at
  /// once therefore.
  mutating func hear(_ count: Int64, widening: Int64) {
    assert(widening <= count, "\(widening) of \(count) packets widen the window")
    hasHeard = true
    let single = isReplying ? 0 : min(Int64(quick) + widening, count)
    let all = (single > 0 ? 0 : Int64(unsaid)) + count - single
    quick = Int(max(0, Int64(quick) - max(0, single - widening) - all / 2))
    unsaid = Int(all % 2)
  }

  /// Takes note of a silence: what goes out after a long one is no reply, and after a timeout's
  /// worth the first packets are acknowledged at once again.
  mutating func rest(_ silence: TimeSpan, timeout: TimeSpan, _ policy: TransportPolicy) {
    guard silence >= policy.acknowledgementDelay else { return }
    if unsaid > 0 { hearNothing() }
    hasHeard = false
    if silence > timeout { quick = Self.quickMax }
  }

  /// Takes note that a lone packet was acknowledged late: waiting for data was useless.
  mutating func hearNothing() {
    if unsaid > 0 { _ = say() }
    isReplying = false
  }

  /// Returns when a lone packet is acknowledged that came at an instant.
  static func late(_ policy: TransportPolicy, after now: Instant) -> Instant {
    policy.http == .http3
      ? now + policy.acknowledgementWait : HostClock.instant(policy.acknowledgementWait, after: now)
  }

  /// Takes a packet with data, and returns how many it acknowledges now; zero for later.
  ///
  /// One that widens the window is acknowledged at once, unless this end replies.
  mutating func hear(isWidening: Bool = false) -> Int {
    hasHeard = true
    unsaid += 1
    if isWidening { quick |= 1 }
    guard unsaid >= 2 || (quick > 0 && !isReplying) else { return 0 }
    return say()
  }

  /// Takes note that data goes out, which acknowledges what was heard.
  mutating func send() {
    if hasHeard { isReplying = true }
    // Before anything was heard there is nothing to be acknowledged.
    if quick < Self.quickMax || hasHeard { _ = say() }
  }

  /// Takes note of a response to what was heard, which acknowledges it, unless that was done before
  /// it goes out.
  mutating func reply(after delay: TimeSpan, _ policy: TransportPolicy) {
    if delay >= policy.acknowledgementWait { return hearNothing() }
    send()
  }

  private mutating func say() -> Int {
    defer { unsaid = 0 }
    quick = max(0, quick - 1)
    return unsaid
  }
}

/// The packets of a handshake, of a request and of their acknowledgements, one after the other on
/// the two directions of a link.
///
/// They are few and small, and so are walked one by one: a flow has no packets that wait for each
/// other. A packet that finds the direction busy waits; what others have in the queue passes first.
struct FluidExchange {
  let policy: TransportPolicy
  /// What holds for what goes up.
  private let uploads: TransportPolicy
  private let leaning: FluidLeaning
  private let up: FluidDirection
  private let down: FluidDirection
  /// When a direction has sent what it was given; of the way down by the time of its far end.
  private(set) var upFreeAt: Instant
  private(set) var downFreeAt: Instant
  /// The round trips that the server has measured.
  private(set) var roundTrips: [RoundTrip] = []
  /// The flights that the server has sent.
  private(set) var flights: [SentFlight] = []
  /// How long the way up is busy with what was sent again for want of an answer.
  private(set) var copying = TimeSpan.zero
  /// What others have before the link on the way down, as long as they go on.
  private let others: DataAmount
  /// When what was given up and is before the link has left it, by the time of its far end.
  private let drainedAt: Instant
  /// What fits before the link on the way up.
  private let upQueue: DataAmount

  /// The packets of a flight, and when it reached the link.
  struct SentFlight {
    let count: Int64
    let sentAt: Instant
  }

  /// A measured round trip, which may be the first of a flight.
  struct RoundTrip {
    let span: TimeSpan
    let beginsRound: Bool
  }

  private let overhead: (up: Int64, down: Int64)
  private let segment: (up: Int64, down: Int64)

  init(
    _ link: FluidLink, upFreeAt: Instant = .start, downFreeAt: Instant = .start
  ) {
    let profile = link.links[link.condition]
    policy = link.policy
    (uploads, leaning) = (link.uploads, link.leaning)
    (up, down) = (link.up, link.down)
    (self.upFreeAt, self.downFreeAt) = (max(upFreeAt, link.upFreeAt), downFreeAt)
    others = link.backlog(isClosing: false)
    let rest = link.backlog(isClosing: true)
    drainedAt =
      rest == .zero ? .start : link.down.passage(of: rest, from: link.anchor + link.down.delay)
    upQueue = link.upQueue
    overhead = (profile.up.overheadPerPacket.bytes, profile.down.overheadPerPacket.bytes)
    segment = (policy.segmentBytes(on: profile.up), policy.segmentBytes(on: profile.down))
  }

  /// Sends a packet up and returns when the server has it.
  mutating func sendUp(_ bytes: Int64, at now: Instant) -> Instant {
    let size = DataAmount(ByteCount(bytes: bytes + overhead.up))
    upFreeAt = up.passage(of: size, from: max(now, upFreeAt))
    return upFreeAt + up.delay
  }

  /// Sends a packet down and returns when the player has it; an answer waits for what others have.
  mutating func sendDown(_ bytes: Int64, isAnswer: Bool = false, at now: Instant) -> Instant {
    let size = DataAmount(ByteCount(bytes: bytes + overhead.down)) + (isAnswer ? others : .zero)
    downFreeAt = down.passage(of: size, from: max(now + down.delay, downFreeAt, drainedAt))
    return downFreeAt
  }

  /// Asks for something with one packet, and returns when the answer is there.
  mutating func ask(
    _ up: Int64, _ down: Int64, delay: TimeSpan = .zero, at now: Instant
  ) -> Instant {
    sendDown(down, isAnswer: true, at: sendUp(up, at: now) + delay)
  }

  /// Opens a connection, and secures it as far as the first request needs; returns the times of
  /// both.
  mutating func open(
    _ ends: inout FluidEnds, early: Int64 = 0, at now: Instant
  ) -> (connected: Instant?, secured: Instant) {
    var (time, connected) = (now, Instant?.none)
    if policy.http != .http3 {
      let granted = sendUp(WireSize.opening, at: now)
      time = sendDown(WireSize.opening, isAnswer: true, at: granted)
      connected = time
      if time != .never { ends.window.sample(time - now, beginsRound: true) }
      // RFC 6298: the server's first sample is the answer to its grant.
      let confirmed = sendUp(WireSize.acknowledgement, at: time)
      if confirmed != .never {
        roundTrips.append(RoundTrip(span: confirmed - granted, beginsRound: true))
      }
    }
    let handshake = Handshake(policy)
    var heardAt = time
    for (place, flight) in handshake.flights.enumerated() {
      if place < handshake.flightsBeforeRequest {
        if flight.isFromServer {
          time = answer(flight.bytes, &ends, from: heardAt)
          ends.forgetAnswers()
        } else {
          heardAt = say(flight.bytes, &ends, at: time)
        }
      } else if flight.isFromServer {
        // The response to early data follows it, and finds it under way. Its acknowledgement
        // leaves after the request.
        let free = upFreeAt
        reserve(early, at: time)
        let sent = ends.sentByServer
        let arrival = answer(flight.bytes, &ends, from: heardAt)
        upFreeAt = free
        ends.closing = (place + 1..<handshake.flights.count).first.map {
          FluidEnds.Closing(bytes: handshake.flights[$0].bytes, at: arrival)
        }
        ends.client.send()
        ends.unansweredAt = nil
        let answer = DataAmount(ByteCount(bytes: policy.acknowledgementSize + overhead.up))
        ends.aheadUntil = up.passage(of: answer, from: arrival) + up.delay + down.delay
        ends.ahead = Int64(ends.sentByServer - sent)
      }
    }
    return (connected, time)
  }

  /// Lets what goes up wait for a request that has left before, as far as its first window lets it.
  private mutating func reserve(_ bytes: Int64, at now: Instant) {
    let packets = min((bytes + segment.up - 1) / segment.up, Int64(policy.initialWindow))
    let data = min(bytes, packets * segment.up)
    let size = DataAmount(
      ByteCount(bytes: data + packets * (policy.packetOverhead + overhead.up)))
    upFreeAt = up.passage(of: size, from: max(now, upFreeAt))
  }

  /// Sends a flight of a handshake up, and returns when the server has the whole of it.
  private mutating func say(
    _ bytes: Int64, _ ends: inout FluidEnds, at now: Instant
  ) -> Instant {
    var (left, arrival) = (bytes, now)
    ends.saidAt = now
    while left > 0, arrival != .never {
      let piece = min(left, segment.up)
      left -= piece
      ends.say()
      arrival = sendUp(piece + policy.packetOverhead, at: now)
      if let roundTrip = ends.takeRoundTrip(until: arrival) {
        roundTrips.append(RoundTrip(span: roundTrip, beginsRound: true))
      }
      let heard = ends.server.hear()
      if heard > 0 {
        ends.note(heard, sendDown(policy.acknowledgementSize, at: arrival), sentAt: now)
      }
    }
    return arrival
  }

  /// Sends a flight of a handshake down, and returns when the player has the whole of it.
  private mutating func answer(
    _ bytes: Int64, _ ends: inout FluidEnds, from now: Instant
  ) -> Instant {
    var (left, arrival, isFirst) = (bytes, now, true)
    flights.append(
      SentFlight(count: (bytes + segment.down - 1) / segment.down, sentAt: now + down.delay))
    while left > 0, arrival != .never {
      let piece = min(left, segment.down)
      ends.server.send()
      ends.sentByServer += 1
      arrival = sendDown(piece + policy.packetOverhead, isAnswer: left == bytes, at: now)
      ends.hearAnswer(at: arrival)
      left -= piece
      if ends.client.hear() == 0 {
        ends.unansweredAt = now
      } else {
        ends.unansweredAt = nil
        let heardAt = sendUp(policy.acknowledgementSize, at: arrival)
        if heardAt != .never {
          roundTrips.append(RoundTrip(span: heardAt - now, beginsRound: isFirst))
          isFirst = false
        }
      }
    }
    return arrival
  }

  /// Acknowledges late what ended a handshake and was heard at an instant, if no request has done
  /// it before.
  mutating func answerLate(_ ends: inout FluidEnds, heardAt: Instant, before now: Instant) {
    guard heardAt < now, ends.client.unsaid > 0, let sentAt = ends.unansweredAt else { return }
    let late = FluidListener.late(policy, after: heardAt)
    guard late < now else { return }
    ends.client.hearNothing()
    ends.unansweredAt = nil
    let arrival = sendUp(policy.acknowledgementSize, at: late)
    if arrival != .never { ends.roundTripOfRequest = arrival - sentAt }
  }

  /// Sends a request up as fast as its sender's window lets it, and returns when the server has
  /// the whole of it.
  ///
  /// The window grows by what is acknowledged until the way up is full: when a whole window's
  /// acknowledgements have found it busy, the rest is one passage.
  mutating func request(
    _ bytes: Int64, _ ends: inout FluidEnds, at now: Instant
  ) -> Instant {
    ends.window.resume(at: now, uploads, leaning)
    var upload = FluidUpload(bytes, after: ends.saidToServer, window: window(ends, 0), at: now)
    repeat {
      sendWindow(of: &upload, &ends)
      if upload.arrival == .never { return .never }
      if upload.left == 0 { break }
      // Over a link that carries nothing no acknowledgement comes, and the rest waits for one.
      guard let answer = nextAnswer(to: upload, &ends) else { return .never }
      hear(answer, &upload, &ends)
      if upload.busy >= upload.window { sendRest(of: &upload) }
    } while upload.left > 0
    let time = upload.time
    ends.window.judge(min(upload.all, ends.window.packets), at: time, uploads, leaning)
    ends.window.rest(
      after: upload.all, spacing: spacing, capacity: upCapacity, lastSent: time, uploads)
    ends.takeAnswers(after: upload.taken)
    if isCopied(upload, ends) { copyLast(of: bytes, upload.arrival) }
    return upload.arrival
  }

  /// Sends what the window lets go.
  private mutating func sendWindow(of upload: inout FluidUpload, _ ends: inout FluidEnds) {
    while upload.left > 0, upload.inFlight < upload.window {
      var piece = min(upload.left, segment.up)
      if let closing = ends.closing, closing.at <= upload.time {
        piece = closing.bytes
        ends.closing = nil
      } else {
        upload.left -= piece
      }
      upload.inFlight += 1
      upload.sent += 1
      ends.client.send()
      upload.arrival = sendUp(piece + policy.packetOverhead, at: upload.time)
      if upload.arrival == .never { return }
      if let roundTrip = ends.takeRoundTrip(until: upload.arrival) {
        ends.roundTripOfRequest = roundTrip
      }
      let heard = ends.server.hear()
      if heard > 0 {
        ends.note(
          heard, sendDown(policy.acknowledgementSize, at: upload.arrival), sentAt: upload.time)
      }
    }
  }

  /// Returns what is heard next of the packets under way; nil for nothing.
  private mutating func nextAnswer(
    to upload: FluidUpload, _ ends: inout FluidEnds
  ) -> FluidEnds.Acknowledgement? {
    // A lone packet is acknowledged late, unless another one comes before.
    let late = FluidListener.late(policy, after: upload.arrival)
    if ends.server.unsaid > 0,
      upload.taken == ends.answers.count || late < ends.answers[upload.taken].at + up.delay
    {
      ends.server.hearNothing()
      ends.note(1, sendDown(policy.acknowledgementSize, at: late), sentAt: upload.time)
    }
    return upload.taken < ends.answers.count ? ends.answers[upload.taken] : nil
  }

  /// Takes an answer, with which the window grows, or slow start ends.
  private func hear(
    _ answer: FluidEnds.Acknowledgement, _ upload: inout FluidUpload, _ ends: inout FluidEnds
  ) {
    let beginsRound = upload.hear(answer)
    ends.window.sample(answer.roundTrip, beginsRound: beginsRound)
    upload.window = window(ends, upload.acknowledged)
    let mayEnd =
      uploads.congestionControl == .cubic && ends.window.threshold == FluidWindow.noThreshold
    if mayEnd,
      upload.endsSlowStart(answer.roundTrip, least: ends.window.roundTripMin, uploads)
    {
      ends.window.threshold = Int64(upload.window)
    }
    upload.busy = upload.time < upFreeAt ? upload.busy + 1 : 0
  }

  /// Sends the rest of a request over a way up that is full.
  private mutating func sendRest(of upload: inout FluidUpload) {
    let packets = (upload.left + segment.up - 1) / segment.up
    upload.arrival = sendUp(
      upload.left + packets * (policy.packetOverhead + overhead.up) - overhead.up,
      at: upload.time)
    upload.left = 0
    upload.sent += Int(packets)
    // What is under way at the end was sent as the window let it, and waited.
    let waiting = spacing.times(Int64(min(upload.window, upload.sent)))
    upload.time = Instant(
      nanoseconds: max(
        upload.time.nanoseconds, upFreeAt.nanoseconds - waiting.nanoseconds))
  }

  /// Takes note of how long the last packet of a request holds the way up once more.
  private mutating func copyLast(of bytes: Int64, _ now: Instant) {
    let last = (bytes - 1) % segment.up + 1 + policy.packetOverhead + overhead.up
    copying = up.passage(of: DataAmount(ByteCount(bytes: last)), from: now) - now
  }

  /// Whether the last packet of a request is sent again, because its sender does not hear of it for
  /// two round trips (RFC 8985, 7.2; RFC 9002, 6.2.1): those were of small packets.
  ///
  /// That of a real sender may have become a little longer, so this one waits for less.
  private func isCopied(_ upload: FluidUpload, _ ends: FluidEnds) -> Bool {
    guard upload.arrival != .never, let roundTrip = ends.window.roundTrip else { return false }
    let more = upload.inFlight < 2 ? uploads.retransmissionTimeoutMin : .zero
    var wait = ends.window.timeout
    wait =
      uploads.http == .http3
      ? wait + policy.acknowledgementWait : min(wait, roundTrip.times(2) + more)
    let answered = upload.arrival + down.delay - upload.time
    return answered.nanoseconds > wait.nanoseconds / 8 * 7
  }

  /// Returns how many packets may be under way up when so many of the request were acknowledged.
  private func window(_ ends: FluidEnds, _ acknowledged: Int) -> Int {
    assert(acknowledged >= 0, "\(acknowledged) packets of a request are acknowledged")
    let grown = ends.window.grown(
      acknowledged: Int64(acknowledged), spacing: spacing, capacity: upCapacity, uploads)
    return Int(clamping: max(1, leaning.window(grown)))
  }

  /// A full packet on the way up.
  private var fullUp: DataAmount {
    DataAmount(ByteCount(bytes: segment.up + policy.packetOverhead + overhead.up))
  }

  /// How long a full packet takes on the way up.
  private var spacing: TimeSpan {
    let rate = up.rate == .zero ? up.trackRate : up.rate
    return rate == .zero ? .zero : FlowShare(rate: rate, flows: 1, place: 0).span(for: fullUp)
  }

  /// The packets that the way up and the queue before it hold.
  private var upCapacity: Int64 {
    let rate = up.rate == .zero ? up.trackRate : up.rate
    let path = DataAmount(rate, for: up.delay + down.delay)
    return Int64(clamping: (path + upQueue).nanobits / max(1, fullUp.nanobits))
  }
}

/// What both ends of a connection have said to each other before the first response.
struct FluidEnds: Hashable, Sendable {
  var client = FluidListener()
  var server = FluidListener()
  /// What limits the packets that the player has under way.
  var window: FluidWindow
  /// The packets that the player had sent when it took note of the last answer.
  private(set) var saidToServer = 0
  /// What the server has acknowledged since, and when the player knows.
  private(set) var answers: [Acknowledgement] = []
  /// The packets of a handshake that the server sent.
  var sentByServer = 0
  /// The packets of the handshake that the response to early data finds under way, and until when,
  /// by the time of the player's end.
  var ahead: Int64 = 0
  var aheadUntil = Instant.start
  /// When the player sent a flight of a handshake that nothing has answered yet.
  var saidAt: Instant?
  /// When the last packet of a flight of the server left that is acknowledged by what goes up next.
  var unansweredAt: Instant?
  /// The round trip of that packet, if a request has acknowledged it.
  var roundTripOfRequest: TimeSpan?
  /// The last flight of a handshake with early data, which goes up among the request.
  var closing: Closing?

  /// A flight that the player sends as soon as it may.
  struct Closing: Hashable, Sendable {
    let bytes: Int64
    let at: Instant
  }

  /// An acknowledgement of so many packets.
  struct Acknowledgement: Hashable, Sendable {
    let count: Int
    let at: Instant
    let roundTrip: TimeSpan
  }

  init(window: FluidWindow) {
    self.window = window
  }

  /// Takes note that the server acknowledges packets, the last of which left at an instant.
  mutating func note(_ count: Int, _ at: Instant, sentAt: Instant) {
    if at == .never { return }
    let place = answers.lastIndex { $0.at <= at } ?? -1
    answers.insert(Acknowledgement(count: count, at: at, roundTrip: at - sentAt), at: place + 1)
  }

  /// Takes note that a packet goes up.
  mutating func say() {
    client.send()
    saidToServer += 1
  }

  /// Takes the round trip of a flight of a handshake that the first packet of its answer ends.
  mutating func hearAnswer(at arrival: Instant) {
    guard let said = saidAt, arrival != .never else { return }
    saidAt = nil
    window.sample(arrival - said, beginsRound: true)
  }

  /// Takes the round trip of a flight that was acknowledged by what has arrived at the server.
  mutating func takeRoundTrip(until arrival: Instant) -> TimeSpan? {
    guard let sentAt = unansweredAt, arrival != .never else { return nil }
    unansweredAt = nil
    return arrival - sentAt
  }

  /// Takes the answers that come while the player waits for a response.
  mutating func takeAnswers(after taken: Int) {
    for (place, answer) in answers.enumerated() where place >= taken {
      window.sample(answer.roundTrip, beginsRound: place == taken)
    }
    forgetAnswers()
  }

  /// Forgets what goes up and is acknowledged by what comes down.
  mutating func forgetAnswers() {
    answers.removeAll()
    saidToServer = 0
  }
}
