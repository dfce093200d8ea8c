/// How far a request has come that goes up by the packets its sender's window lets go.
struct FluidUpload {
  /// The bytes that have not left.
  var left: Int64
  /// The sender's time, and when what it sent last arrives.
  var time: Instant
  var arrival: Instant
  /// The packets that the player had sent before, that were sent, and that are under way.
  let before: Int
  var sent = 0
  var inFlight: Int
  /// The packets that were acknowledged, and by how many answers.
  var acknowledged = 0
  var taken = 0
  /// How many answers in a row have found the way up busy.
  var busy = 0
  /// What may be under way.
  var window: Int
  private var roundEnd = 0
  private var exit = SlowStartExit()

  /// Begins a request of so many bytes.
  init(_ bytes: Int64, after before: Int, window: Int, at now: Instant) {
    assert(bytes > 0 && before >= 0, "\(bytes) bytes after \(before) packets")
    (left, time, arrival) = (bytes, now, now)
    (self.before, inFlight, self.window) = (before, before, window)
    exit.begin(next: 0, at: now)
  }

  /// The packets of the handshake and of the request that are sent together.
  var all: Int64 { Int64(before + sent) }

  /// Takes an answer, and returns whether it begins a round.
  mutating func hear(_ answer: FluidEnds.Acknowledgement) -> Bool {
    time = max(time, answer.at)
    inFlight -= answer.count
    acknowledged += answer.count
    taken += 1
    assert(inFlight >= 0, "\(inFlight) packets of a request are under way")
    let beginsRound = acknowledged > roundEnd
    if beginsRound { beginRound() }
    return beginsRound
  }

  /// Whether the next packet that is acknowledged begins a round.
  var nextBeginsRound: Bool { acknowledged + 1 > roundEnd }

  /// Begins a round with what has been sent.
  mutating func beginRound() { roundEnd = Int(all) }

  /// Whether slow start is over with the answer that was just taken.
  mutating func endsSlowStart(
    _ roundTrip: TimeSpan, least: TimeSpan, _ policy: TransportPolicy
  ) -> Bool {
    let input = SlowStartExit.Input(
      acknowledged: acknowledged, next: sent, size: window, isPaced: policy.isPaced,
      hostDelay: SlowStartExit.hostDelayMost)
    return exit.isOver(
      roundTrip.nanoseconds, least: least.nanoseconds, window: input, at: time)
  }
}
