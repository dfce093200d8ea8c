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
    var lastByte = Instant.start
    var watched: Int64 = 0
  }

  private let tape: PacketTape
  private var askedCount = 0
  private var arrivalCount = 0
  private var timesCount = 0
  private var transfers: [Transfer] = []
  /// What came and was not told yet.
  var notices = NoticeQueue()
  /// Up to where it has been read.
  private(set) var reached = Instant.start

  init(_ tape: PacketTape) { self.tape = tape }

  /// What was asked so far.
  var past: ArraySlice<PacketTape.Asked> { tape.asked[..<askedCount] }

  /// What each transfer is watched for.
  var watches: [Int64] { transfers.map { $0.watched } }

  /// Goes on if the same was asked at the same instant; returns whether it was.
  mutating func take(_ request: PacketTape.Request, at now: Instant) -> Bool {
    guard askedCount < tape.asked.count else { return false }
    let entry = tape.asked[askedCount]
    guard entry.instant == now, entry.arrivalCount == arrivalCount, entry.request == request else {
      return false
    }
    askedCount += 1
    reached = now
    if case .open = request { transfers.append(Transfer(times: TransferTimes(opened: now))) }
    if case .cancel(let number) = request { notices.forget(number) }
    while arrivalCount < entry.toldCount { takeArrival() }
    return true
  }

  /// Reads on, up to a limit or the first instant at which there is news.
  mutating func advance(notAfter limit: Instant) -> Foresight {
    var news = notices.hasNext ? reached : nil
    let hasNext = askedCount < tape.asked.count
    let end = hasNext ? tape.asked[askedCount].arrivalCount : tape.arrivals.count
    while arrivalCount < end, tape.arrivals[arrivalCount].instant <= news ?? limit {
      reached = tape.arrivals[arrivalCount].instant
      takeArrival()
      if notices.hasNext { news = reached }
    }
    if let news { return .news(news) }
    if limit > (hasNext ? tape.asked[askedCount].reached : tape.reached) { return .unknown }
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
    transfers[number].lastByte = arrival.instant
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

  func lastByte(of number: Int) -> Instant { transfers[number].lastByte }

  @inline(__always)
  func times(_ number: Int) -> TransferTimes { transfers[number].times }

  /// The number of the transfer that was opened last.
  var lastTransfer: Int { transfers.count - 1 }
}
