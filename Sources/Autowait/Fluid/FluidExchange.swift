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
      let heard = ends.server.hear(isShort: endsMessage(piece, segment.up))
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
      if ends.client.hear(isShort: endsMessage(piece, segment.down)) == 0 {
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

  /// Lets the server take note of how long it has heard nothing before a request.
  func breakSilence(
    before bytes: Int64, _ ends: inout FluidEnds, timeout: TimeSpan, at now: Instant
  ) {
    guard let heardAt = ends.heardByServerAt else { return }
    let size = min(bytes, segment.up) + policy.packetOverhead + overhead.up
    let arrival = up.passage(
      of: DataAmount(ByteCount(bytes: size)), from: max(now, upFreeAt))
    if arrival == .never || arrival + up.delay < heardAt { return }
    ends.server.hear(after: arrival + up.delay - heardAt, timeout: timeout)
  }

  /// Sends the last flight of a handshake with early data that has not gone up with its request.
  mutating func close(_ ends: inout FluidEnds, before now: Instant) {
    guard let closing = ends.closing, closing.at <= now else { return }
    ends.closing = nil
    ends.say()
    let size = closing.bytes + policy.packetOverhead + overhead.up
    let sent = up.passage(of: DataAmount(ByteCount(bytes: size)), from: closing.at)
    if sent == .never { return }
    let arrival = sent + up.delay
    let isAnswered = ends.server.hear(isShort: endsMessage(closing.bytes, segment.up)) > 0
    let late = FluidListener.late(policy, after: arrival)
    // The request acknowledges it that comes before.
    if !isAnswered, late >= now + up.delay { return }
    if !isAnswered { ends.server.hearNothing() }
    let heardAt = sendDown(policy.acknowledgementSize, at: isAnswered ? arrival : late)
    if heardAt > now { return ends.note(1, heardAt, sentAt: closing.at) }
    ends.window.sample(heardAt - closing.at, beginsRound: true)
    ends.forgetAnswers()
  }

  /// Lets the server answer a request so much later; what it has not acknowledged by then is
  /// acknowledged by the response.
  mutating func reply(after delay: TimeSpan, _ ends: inout FluidEnds, heardAt: Instant) {
    if heardAt == .never { return }
    let late = FluidListener.late(policy, after: heardAt)
    if ends.server.unsaid > 0, late <= heardAt + delay {
      ends.server.hearNothing()
      ends.hearAnswer(at: sendDown(policy.acknowledgementSize, at: late))
    }
    ends.server.reply(isLate: delay >= policy.acknowledgementWait)
    ends.heardByServerAt = heardAt
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
    // What goes up as early data is sent in the round of the flight before it.
    let isEarly = ends.closing != nil
    repeat {
      sendWindow(of: &upload, &ends)
      if isEarly, upload.taken == 0 { upload.beginRound() }
      if upload.arrival == .never { return .never }
      if upload.left == 0 { break }
      // Over a link that carries nothing no acknowledgement comes, and the rest waits for one.
      guard let answer = nextAnswer(to: upload, &ends) else { return .never }
      hear(answer, &upload, &ends)
      if upload.busy >= upload.window { sendRest(of: &upload, &ends) }
    } while upload.left > 0
    let time = upload.time
    ends.window.judge(min(upload.all, ends.window.packets), at: time, uploads, leaning)
    ends.window.rest(
      after: upload.all, spacing: spacing, capacity: upCapacity, lastSent: time, uploads)
    let gone = upload
    while upload.taken < ends.answers.count {
      let answer = ends.answers[upload.taken]
      ends.window.sample(answer.roundTrip, beginsRound: upload.hear(answer))
    }
    ends.forgetAnswers()
    ends.saidBeginsRound = upload.nextBeginsRound
    if isCopied(gone, ends) { copyLast(of: bytes, upload.arrival) }
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
      let heard = ends.server.hear(isShort: endsMessage(piece, segment.up))
      ends.saidAt = heard > 0 ? nil : upload.time
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
      ends.saidAt = nil
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
  private mutating func sendRest(of upload: inout FluidUpload, _ ends: inout FluidEnds) {
    let packets = (upload.left + segment.up - 1) / segment.up
    upload.arrival = sendUp(
      upload.left + packets * (policy.packetOverhead + overhead.up) - overhead.up,
      at: upload.time)
    upload.left = 0
    upload.sent += Int(packets)
    ends.client.send(packets)
    ends.server.hear(packets, widening: 0)
    // What is under way at the end was sent as the window let it, and waited.
    let waiting = spacing.times(Int64(min(upload.window, upload.sent)))
    upload.time = Instant(
      nanoseconds: max(
        upload.time.nanoseconds, upFreeAt.nanoseconds - waiting.nanoseconds))
    ends.saidAt = ends.server.unsaid > 0 ? upload.time : nil
  }

  /// Takes note of how long the last packet of a request holds the way up once more.
  private mutating func copyLast(of bytes: Int64, _ now: Instant) {
    let last = (bytes - 1) % segment.up + 1 + policy.packetOverhead + overhead.up
    copying = up.passage(of: DataAmount(ByteCount(bytes: last)), from: now) - now
  }

  /// Whether so much data in a packet tells a receiver of TCP that nothing follows.
  private func endsMessage(_ bytes: Int64, _ segment: Int64) -> Bool {
    bytes < segment && policy.http != .http3
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
  /// When the server heard the last packet of a request.
  var heardByServerAt: Instant?
  /// When the player sent a flight of a handshake, or a packet, that nothing has answered yet.
  var saidAt: Instant?
  /// Whether its round trip is the first of a round, and that of what the player acknowledges next.
  var saidBeginsRound = true
  var answerBeginsRound = true
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
    window.sample(arrival - said, beginsRound: saidBeginsRound)
    saidBeginsRound = true
  }

  /// Takes the round trip of a flight that was acknowledged by what has arrived at the server.
  mutating func takeRoundTrip(until arrival: Instant) -> TimeSpan? {
    guard let sentAt = unansweredAt, arrival != .never else { return nil }
    unansweredAt = nil
    return arrival - sentAt
  }

  /// Forgets what goes up and is acknowledged by what comes down.
  mutating func forgetAnswers() {
    answers.removeAll()
    saidToServer = 0
  }
}
