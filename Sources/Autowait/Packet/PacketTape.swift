/// What a network of packets was asked for, and what came of it.
///
/// What packets do depends on what is asked, and when, and on nothing else that players do.
/// Sessions that share a network mostly ask it for the same: the packets of the first one travel,
/// and what they brought is read by the others (measured: packets took 40 % of the time of 22 rules
/// on 98 networks). Nothing but the time that it takes tells such a run from others.
package struct PacketTape: Sendable {
  /// Something that was asked of the network.
  enum Request: Hashable, Sendable {
    case open(TransferRequest)
    case cancel(Int)
    case setSuspended(Bool, Int)
    case use(link: Int, elapsed: TimeSpan)
    case vary(link: Int)
  }

  /// All that packets depend on beside what is asked of their network.
  struct Origin: Hashable, Sendable {
    let links: [LinkProfile]
    let changes: [LinkChange]
    let policy: TransportPolicy
    let seed: UInt64
    let hasHostNoise: Bool

    init(_ network: PacketNetwork) {
      links = network.links
      changes = network.changes
      policy = network.policy
      seed = network.seed
      hasHostNoise = network.hasHostNoise
    }
  }

  /// What was asked at an instant.
  struct Asked: Sendable {
    let request: Request
    let instant: Instant
    /// Up to where the network had gone before.
    let reached: Instant
    /// How much had come before.
    let arrivalCount: Int
    /// How much had come when it was asked: a request can fail on the spot.
    var toldCount: Int
  }

  /// How a transfer ended.
  enum End: Hashable, Sendable {
    case completed
    case failed(TransferFailure)
  }

  /// A transfer when more of it had come, or when it ended.
  package struct Arrival: Sendable {
    package let instant: Instant
    package let body: Int64
    let active: TimeSpan
    package let transfer: Int32
    /// Whether it was the first of its response.
    let isFirst: Bool
    let end: End?

    /// Whether its times are told.
    var hasTimes: Bool { isFirst || end != nil }
  }

  /// The network that was asked; nil for a tape that is to be written.
  var origin: Origin?
  private(set) var asked: [Asked] = []
  package private(set) var arrivals: [Arrival] = []
  /// The times of the arrivals that tell them, one after another.
  private(set) var times: [TransferTimes] = []
  /// Up to where it is known what comes.
  private(set) var reached = Instant.start

  /// Creates a tape that the next run writes.
  package init() {}

  /// Takes note of something that is asked.
  mutating func note(_ request: Request, at now: Instant) {
    assert(now >= (asked.last?.instant ?? .start), "\(request) is asked before what was asked")
    asked.append(
      Asked(
        request: request, instant: now, reached: reached, arrivalCount: arrivals.count,
        toldCount: arrivals.count))
    reached = now
  }

  /// Takes note that all came that was to come on the spot, and when the network does something
  /// next: what it does at this instant has not come.
  mutating func noteTold(before next: Instant) {
    asked[asked.count - 1].toldCount = arrivals.count
    if next <= reached { reached = Instant(nanoseconds: next.nanoseconds - 1) }
  }

  /// Takes note of what came, with the times of its transfer.
  @inline(__always)
  mutating func note(_ arrival: Arrival, _ times: TransferTimes) {
    arrivals.append(arrival)
    if arrival.hasTimes { self.times.append(times) }
  }

  /// Takes note that all is known up to an instant.
  mutating func noteReached(_ instant: Instant) { reached = max(reached, instant) }
}
