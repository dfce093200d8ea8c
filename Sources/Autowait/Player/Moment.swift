/// What surrounds a player while it acts: the instant, the network and the log, and what its
/// records follow from.
///
/// A run has one. It is handed to the player that something happens to, which makes requests and
/// records with it.
struct Moment: Sendable {
  /// The instant up to which everything has happened.
  var now = Instant.start
  var network: Network
  var log: EventLog
  /// The player that acts.
  private var player = 0
  /// The enqueued item that it acts on, if that is not its current one: of that it is told what is
  /// loaded, and nothing else.
  var enqueued: UInt16?
  /// What the records of the player that acts follow from.
  var (cause, flowCause) = (0, 0)

  init(_ network: Network, _ log: EventLog) {
    (self.network, self.log) = (network, log)
  }

  /// Records an event of the player that acts, with the present cause.
  @discardableResult
  @inline(always)
  mutating func record(_ event: Event, isInLoop: Bool = false) -> Int {
    if enqueued != nil, !event.isOfLoading { return cause }
    return log.record(event, at: now, cause: cause, player: player, isInLoop: isInLoop)
  }

  /// Records how long the parts of the way to a response took that are not always needed.
  mutating func recordPhases(of transfer: Transfer, _ times: TransferTimes) {
    for phase in [TransferPhase.domainLookup, .connect, .secureConnection] {
      guard let span = times.duration(of: phase) else { continue }
      record(.transferPhase(transfer: transfer.number, phase, span))
    }
  }

  /// Lets what the player records from here on follow from the link's last event.
  @inline(__always)
  mutating func followLink() {
    (cause, flowCause) = (network.link.cause, network.link.cause)
  }

  /// Begins what a player does.
  @inline(__always)
  mutating func enter(_ player: borrowing Player) {
    (self.player, cause, flowCause) = (player.index, player.cause, player.flowCause)
  }
}
