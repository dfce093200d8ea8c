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
  struct Arrival: Sendable {
    let instant: Instant
    let body: Int64
    let active: TimeSpan
    let transfer: Int32
    /// Whether it was the first of its response.
    let isFirst: Bool
    let end: End?

    /// Whether its times are told.
    var hasTimes: Bool { isFirst || end != nil }
  }

  /// The network that was asked; nil for a tape that is to be written.
  var origin: Origin?
  private(set) var entries: [Asked] = []
  private(set) var arrivals: [Arrival] = []
  /// The times of the arrivals that tell them, one after another.
  private(set) var times: [TransferTimes] = []
  /// Up to where it is known what comes.
  private(set) var reached = Instant.start

  /// Creates a tape that the next run writes.
  package init() {}

  /// Takes note of something that is asked.
  mutating func note(_ request: Request, at now: Instant) {
    assert(now >= (entries.last?.instant ?? .start), "\(request) is asked before what was asked")
    entries.append(
      Asked(
        request: request, instant: now, reached: reached, arrivalCount: arrivals.count,
        toldCount: arrivals.count))
    reached = now
  }

  /// Takes note that all came that was to come on the spot.
  mutating func noteTold() { entries[entries.count - 1].toldCount = arrivals.count }

  /// Takes note of what came, with the times of its transfer.
  @inline(__always)
  mutating func note(_ arrival: Arrival, _ times: TransferTimes) {
    arrivals.append(arrival)
    if arrival.hasTimes { self.times.append(times) }
  }

  /// Takes note that all is known up to an instant.
  mutating func noteReached(_ instant: Instant) { reached = max(reached, instant) }
}

/// A reader of a tape, in the place of a network.
struct PacketPlayback: Sendable {
  /// What advancing came to.
  enum Foresight {
    /// Something came at an instant.
    case news(Instant)
    /// Nothing came.
    case nothing
    /// The tape does not say.
    case unknown
  }

  /// A transfer as far as it was read.
  private struct Transfer: Sendable {
    var times: TransferTimes
    var body: Int64 = 0
    var active = TimeSpan.zero
    var watched: Int64 = 0
  }

  private let tape: PacketTape
  private var entryCount = 0
  private var arrivalCount = 0
  private var timesCount = 0
  private var transfers: [Transfer] = []
  /// What came and was not told yet.
  var notices = NoticeQueue()
  /// Up to where it has been read.
  private(set) var reached = Instant.start

  init(_ tape: PacketTape) { self.tape = tape }

  /// What was asked so far.
  var past: ArraySlice<PacketTape.Asked> { tape.entries[..<entryCount] }

  /// What each transfer is watched for.
  var watches: [Int64] { transfers.map { $0.watched } }

  /// Goes on if the same was asked at the same instant; returns whether it was.
  mutating func take(_ request: PacketTape.Request, at now: Instant) -> Bool {
    guard entryCount < tape.entries.count else { return false }
    let entry = tape.entries[entryCount]
    guard entry.instant == now, entry.arrivalCount == arrivalCount, entry.request == request else {
      return false
    }
    entryCount += 1
    reached = now
    if case .open = request { transfers.append(Transfer(times: TransferTimes(opened: now))) }
    if case .cancel(let number) = request { notices.forget(number) }
    while arrivalCount < entry.toldCount { takeArrival() }
    return true
  }

  /// Reads on, up to a limit or the first instant at which there is news.
  mutating func advance(notAfter limit: Instant) -> Foresight {
    var news = notices.hasNext ? reached : nil
    let hasNext = entryCount < tape.entries.count
    let end = hasNext ? tape.entries[entryCount].arrivalCount : tape.arrivals.count
    while arrivalCount < end, tape.arrivals[arrivalCount].instant <= news ?? limit {
      reached = tape.arrivals[arrivalCount].instant
      takeArrival()
      if notices.hasNext { news = reached }
    }
    if let news { return .news(news) }
    if limit > (hasNext ? tape.entries[entryCount].reached : tape.reached) { return .unknown }
    reached = max(reached, limit)
    return .nothing
  }

  /// Takes over the next thing that came, and tells of it as the network would.
  private mutating func takeArrival() {
    let arrival = tape.arrivals[arrivalCount]
    let number = Int(arrival.transfer)
    arrivalCount += 1
    let before = transfers[number].body
    assert(arrival.body >= before, "what has come of transfer \(number) goes back")
    transfers[number].body = arrival.body
    transfers[number].active = arrival.active
    if arrival.hasTimes {
      transfers[number].times = tape.times[timesCount]
      timesCount += 1
    }
    if arrival.isFirst { notices.append(.responseBegan(number)) }
    switch arrival.end {
    case .completed: notices.append(.completed(number))
    case .failed(let failure): notices.append(.failed(number, failure))
    case nil:
      if arrival.body > before, arrival.body >= transfers[number].watched {
        notices.append(.arrived(number))
      }
    }
  }

  // MARK: - What the user sees

  @inline(__always)
  mutating func watch(_ number: Int, for bytes: ByteCount) {
    transfers[number].watched = bytes.bytes
  }

  @inline(__always)
  func delivered(_ number: Int) -> ByteCount { ByteCount(bytes: transfers[number].body) }

  @inline(__always)
  func active(_ number: Int) -> TimeSpan { transfers[number].active }

  @inline(__always)
  func times(_ number: Int) -> TransferTimes { transfers[number].times }

  /// The number of the transfer that was opened last.
  var lastTransfer: Int { transfers.count - 1 }
}
