import Autowait

/// The link as it was planned, if anybody planned it, and as it was.
package struct RecordedLink: Sendable {
  /// The rate of what arrives of responses, from an instant on.
  package struct Step: Hashable, Sendable {
    package let start: Instant
    package let rate: BitRate

    package init(start: Instant, rate: BitRate) { (self.start, self.rate) = (start, rate) }
  }

  /// How much of a file, or of what a connection carries, had arrived by an instant.
  package struct Arrival: Hashable, Sendable {
    package let instant: Instant
    package let size: ByteCount
  }

  package let roundTrip: TimeSpan
  /// The planned rates; empty if nobody planned them, as on a network that is nobody's own.
  package let schedule: [Step]
  /// What had arrived of the file by when; nothing for streams.
  package internal(set) var arrivals: [Arrival]
  /// What had arrived over each connection.
  package let connections: [[Arrival]]
  /// How much waits in front of the link before packets are dropped; nil if the recording does not
  /// say it.
  package internal(set) var queue: ByteCount?

  /// The same link as somebody would know it who had no part in the experiment: without its plan,
  /// and without what each connection carried by when unless that is kept.
  package func unplanned(keepsConnections: Bool) -> RecordedLink {
    RecordedLink(
      roundTrip: roundTrip, schedule: [], arrivals: [],
      connections: keepsConnections ? connections : [])
  }

  /// When the planned rates end an outage of a second or more; nil if they have none.
  ///
  /// A link that carries less than a packet in a second counts as one that is out.
  var outageEnd: Instant? {
    for (step, next) in zip(schedule, schedule.dropFirst())
    where step.rate.bitsPerSecond < 12_000 && next.rate > step.rate
      && next.start - step.start >= .seconds(1)
    {
      return next.start
    }
    return nil
  }

  /// The planned rate at an instant; nil without a plan.
  func plannedRate(at instant: Instant) -> BitRate? {
    schedule.last { $0.start <= instant }?.rate ?? schedule.first?.rate
  }
}

extension RecordedLink {
  /// Creates a link that was planned.
  package init(schedule: [Step], roundTrip: TimeSpan) {
    (self.schedule, self.roundTrip) = (schedule, roundTrip)
    (arrivals, connections) = ([], [])
  }

  /// The rates at which data really came, to be taken for the link; nil if nothing says them.
  ///
  /// While nothing was asked for nothing came, though something could have: the planned rate
  /// holds, and without a plan that of the last response that was long enough to show one. But
  /// before the first request nothing came at all, and before a later one nothing for ``silence``:
  /// a request that is made early waits as the recorded one did.
  package func delivered(for requests: [RecordedRequest]) -> [Step]? {
    if !arrivals.isEmpty { return Self.rates(of: arrivals) }
    var requests = requests
    var stretches = connections.flatMap { Self.stretches(of: $0, requests) }
    if stretches.isEmpty {
      // Nobody will ask again for what the medium does not have.
      requests.removeAll { $0.resource == nil || $0.closed == nil }
      stretches = requests.compactMap { Self.stretch(of: $0) }
    }
    if stretches.isEmpty { return nil }
    return steps(of: stretches, requests)
  }

  /// The sum of stretches from each instant on at which something begins or ends.
  private func steps(of stretches: [Stretch], _ requests: [RecordedRequest]) -> [Step] {
    var turns: [(instant: Instant, rate: Int128, asked: Int)] = [(.start, 0, 0)]
    turns += schedule.map { ($0.start, 0, 0) }
    for stretch in stretches {
      let rate = Int128(stretch.rate.bitsPerSecond)
      turns += [(stretch.start, rate, 0), (stretch.end, -rate, 0)]
    }
    for request in requests {
      turns.append((request.asked, 0, 1))
      if request.asked - .start > silence {
        turns.append((request.asked + (.zero - silence), 0, 0))
      }
      if let closed = request.closed { turns.append((closed, 0, -1)) }
    }
    turns.sort { $0.instant < $1.instant }
    let shown = stretches.filter(\.showsRate).sorted { $0.end < $1.end }
    var (steps, rate, asked, next, last): ([Step], Int128, Int, Int, Int) = ([], 0, 0, 0, 0)
    for (number, turn) in turns.enumerated() {
      rate += turn.rate
      asked += turn.asked
      if number + 1 < turns.count, turns[number + 1].instant == turn.instant { continue }
      while next < requests.count, requests[next].asked <= turn.instant { next += 1 }
      while last + 1 < shown.count, shown[last + 1].end <= turn.instant { last += 1 }
      let isSilent =
        next < requests.count
        && (next == 0 || requests[next].asked - turn.instant <= silence)
      let held: BitRate =
        if asked > 0 {
          BitRate(bitsPerSecond: Int64(clamping: rate))
        } else if isSilent {
          BitRate(bitsPerSecond: 0)
        } else {
          plannedRate(at: turn.instant) ?? (shown.isEmpty ? stretches[0].rate : shown[last].rate)
        }
      steps.append(Step(start: turn.instant, rate: held))
    }
    return steps
  }

  /// How long before a request nothing comes.
  ///
  /// A player hears of an answer no sooner than a round trip after it asked, and the server heard
  /// of the request somewhere in between. Where nobody planned the link its round trip is hardly
  /// known, and a rate that is made up must not answer what was asked a little early.
  private var silence: TimeSpan {
    schedule.isEmpty ? max(Self.waitMax, roundTrip) : roundTrip
  }

  private struct Stretch {
    let start: Instant
    let end: Instant
    let rate: BitRate
    /// Whether it took more than the first window of a connection, which comes at once.
    let showsRate: Bool

    init(from start: Instant, to end: Instant, rate: Int128, showsRate: Bool = true) {
      (self.start, self.end, self.showsRate) = (start, end, showsRate)
      self.rate = BitRate(bitsPerSecond: Int64(clamping: rate))
    }
  }

  /// How early a request may be made and still be the recorded one: ``RequestComparison`` counts
  /// it as made in time.
  private static let waitMax = TimeSpan.milliseconds(150)

  /// The initial window of TCP, ten packets of 1,460 bytes (RFC 6928): what is not longer comes
  /// whole at the rate of the first hop.
  private static let firstWindow: Int64 = 14_600

  /// The stretch in which a response came: from its first byte to its last, evenly.
  private static func stretch(of request: RecordedRequest) -> Stretch? {
    guard let end = request.closed, request.size > .zero else { return nil }
    var start = request.began ?? request.asked
    // A clock as coarse as a browser's may read the same at both ends.
    if start >= end { start = request.asked }
    if start >= end { return nil }
    // Rounded up: the last bit must not wait for the next response to begin.
    let bits = Int128(request.size.bytes) * 8_000_000_000
    return Stretch(
      from: start, to: end, rate: bits / Int128((end - start).nanoseconds) + 1,
      showsRate: request.size.bytes > firstWindow)
  }

  /// The stretches in which a connection carried something, each as evenly as nobody knows better.
  ///
  /// The first bytes of a response came no earlier than the request for it.
  private static func stretches(
    of arrivals: [Arrival], _ requests: [RecordedRequest]
  ) -> [Stretch] {
    var stretches: [Stretch] = []
    var last = Arrival(instant: .start, size: .zero)
    for arrival in arrivals where arrival.instant > last.instant {
      let asked = requests.last { $0.asked < arrival.instant }?.asked ?? .start
      let start =
        stretches.isEmpty || asked > last.instant ? max(asked, last.instant) : last.instant
      let bits = Int128(max(0, arrival.size.bytes - last.size.bytes)) * 8_000_000_000
      let rate = bits / Int128((arrival.instant - start).nanoseconds)
      stretches.append(Stretch(from: start, to: arrival.instant, rate: rate))
      last = arrival
    }
    return stretches
  }

  /// The rates between arrivals; nothing says what came after the last.
  private static func rates(of arrivals: [Arrival]) -> [Step] {
    var (steps, size, start): ([Step], Int64, Instant) = ([], 0, .start)
    for arrival in arrivals where arrival.instant > start {
      let bits = Int128(max(0, arrival.size.bytes - size)) * 8_000_000_000
      let rate = bits / Int128((arrival.instant - start).nanoseconds)
      steps.append(Step(start: start, rate: BitRate(bitsPerSecond: Int64(clamping: rate))))
      (size, start) = (max(size, arrival.size.bytes), arrival.instant)
    }
    steps.append(Step(start: start, rate: BitRate(bitsPerSecond: 1_000_000_000)))
    return steps
  }
}

extension BitRate {
  /// The rate at which as much data comes besides the headers of packets: of 1,500 bytes, 1,448 are
  /// data.
  package var withHeaders: BitRate {
    BitRate(bitsPerSecond: Int64(clamping: Int128(bitsPerSecond) * 1_500 / 1_448))
  }
}
