/// How a reference link charges the latency of a request.
public enum ReferenceLatency: Hashable, Sendable, CaseIterable {
  /// The link's time passes while a request waits for its first byte.
  ///
  /// A request is one unit of work that is done at the pace of the latency that holds: where the
  /// latency changes meanwhile, it waits for a weighted mix of both. This is Sabre's rule.
  case spent
  /// Each request takes so much longer, but the link's own time stands still meanwhile.
  ///
  /// This is Pensieve's rule. What the link brings is then ahead of what its track says, by a
  /// latency for each request.
  case beside
}

/// How much of what a link carries is data.
public struct PayloadShare: Hashable, Sendable {
  /// The parts that are data.
  public let data: UInt32
  /// The parts that are carried.
  public let carried: UInt32

  /// Creates a share of so many parts of so many.
  public init(data: UInt32, of carried: UInt32) {
    precondition(data > 0 && data <= carried, "a link carries at least what it delivers")
    self.data = data
    self.carried = carried
  }

  /// All that is carried is data.
  public static let whole = PayloadShare(data: 1, of: 1)
}

/// What became of a transfer over a reference link.
public struct ReferenceTransfer: Hashable, Sendable {
  /// The time from the request to the first byte, or to the end if none came.
  public var latency: TimeSpan
  /// The time from the request to the last byte or to the cancel; `never` has no number.
  public var duration: TimeSpan
  /// The data that has not arrived; none unless the transfer was cancelled or never ends.
  public var missing: DataAmount
}

/// A link without packets: a transfer waits for a latency, then flows at the link's rate.
///
/// It is the model of the simulators Sabre and Pensieve, to the nanosecond: only the end of a
/// latency and the end of a transfer round, and they round up. One transfer runs at a time.
///
/// The delays of the track are whole latencies, from the request to the first byte. A sample holds
/// after its start and up to the start of the next one, that instant included, as in both
/// simulators: a request that is made when a sample without latency ends is answered at once.
public struct ReferenceLink: Sendable {
  /// How latency is charged.
  public let latency: ReferenceLatency
  /// How much of what is carried is data.
  public let payload: PayloadShare
  /// The link's own time.
  public private(set) var now = Instant.start

  private var cursor: LinkCursor
  /// The one latency of the whole track, if it never changes.
  private let steadyLatency: TimeSpan?
  /// The length of a lap and what it brings, if the track loops.
  private let lap: (period: TimeSpan, amount: UInt128)?

  /// Creates a link at the start of its track.
  public init(
    _ track: LinkTrack, latency: ReferenceLatency = .spent, payload: PayloadShare = .whole
  ) {
    self.latency = latency
    self.payload = payload
    cursor = LinkCursor(track, origin: .start, at: .start)
    let first = track.samples[0].delay
    steadyLatency = track.samples.allSatisfy { $0.delay == first } ? first : nil
    if case .loop(let period) = track.ending {
      let ends = track.samples.dropFirst().map { $0.start } + [period]
      let amount = zip(track.samples, ends).reduce(UInt128(0)) { sum, row in
        sum + DataAmount(row.0.rate, for: row.1 - row.0.start).nanobits
      }
      lap = (period, amount * UInt128(payload.data))
    } else {
      lap = nil
    }
  }

  /// Lets time pass while nothing is transferred.
  public mutating func wait(_ span: TimeSpan) {
    precondition(span >= .zero, "a link cannot wait for the past")
    if span == .zero || now == .never { return }
    now = now + span
    if now != .never { cursor.advance(to: Instant(nanoseconds: now.nanoseconds - 1)) }
  }

  /// Carries an amount of data, until it has arrived or is cancelled.
  public mutating func transfer(
    _ size: DataAmount, cancelledAfter limit: TimeSpan? = nil
  ) -> ReferenceTransfer {
    let start = now
    switch latency {
    case .spent:
      let end = limit.map { start + $0 } ?? .never
      let isFlowing = spendLatency(until: end)
      let firstByte = now
      let missing = isFlowing ? carry(size, until: end) : size
      return ReferenceTransfer(latency: firstByte - start, duration: now - start, missing: missing)
    case .beside:
      let delay = cursor.delay
      if let limit, limit < delay {
        return ReferenceTransfer(latency: limit, duration: limit, missing: size)
      }
      let missing = carry(size, until: limit.map { start + ($0 - delay) } ?? .never)
      let flowed = now - start
      let duration = now == .never ? flowed : delay + flowed
      return ReferenceTransfer(latency: delay, duration: duration, missing: missing)
    }
  }

  /// Does the unit of work that stands for a latency, and returns whether it was done in time.
  private mutating func spendLatency(until end: Instant) -> Bool {
    if let steadyLatency {
      let isDone = end == .never || steadyLatency <= end - now
      wait(isDone ? steadyLatency : end - now)
      return isDone
    }
    var rest = UnitOfWork()
    while true {
      let row = min(cursor.changesAt, end)
      let span = rest.span(at: cursor.delay)
      if row == .never || span <= row - now {
        now = now + span
        return true
      }
      rest.spend(row - now, at: cursor.delay)
      now = row
      if now == end { return false }
      cursor.enterNext()
    }
  }

  /// Moves on until an amount of data has arrived or an instant has come; returns what is missing.
  private mutating func carry(_ size: DataAmount, until end: Instant) -> DataAmount {
    var missing = size.nanobits * UInt128(payload.carried)
    var hasSkipped = false
    while missing > 0, now < end {
      let row = min(cursor.changesAt, end)
      let speed = UInt128(UInt64(cursor.rate.bitsPerSecond)) * UInt128(payload.data)
      if speed > 0 {
        let span = TimeSpan(nanoseconds: Int64(clamping: (missing + speed - 1) / speed))
        if row == .never || span <= row - now {
          now = now + span
          return .zero
        }
        missing -= speed * UInt128(UInt64((row - now).nanoseconds))
      }
      now = row
      if row == .never || row == end { break }
      cursor.enterNext()
      if !hasSkipped { missing -= skipLaps(bringing: missing, until: end) }
      hasSkipped = true
    }
    // A begun nanobit is still missing whole.
    let carried = UInt128(payload.carried)
    return DataAmount(nanobits: (missing + carried - 1) / carried)
  }

  /// Laps that are needed whole are counted, not walked; returns what they bring.
  private mutating func skipLaps(bringing missing: UInt128, until end: Instant) -> UInt128 {
    guard let lap else { return 0 }
    let room = (end - now).nanoseconds - 1
    if lap.amount == 0, end == .never {
      now = .never
      return 0
    }
    let wanted = lap.amount == 0 ? UInt128.max : (missing - 1) / lap.amount
    let laps = min(Int64(clamping: wanted), room / lap.period.nanoseconds)
    if laps == 0 { return 0 }
    now = now + TimeSpan(nanoseconds: laps * lap.period.nanoseconds)
    cursor.advance(to: now)
    return UInt128(UInt64(laps)) * lap.amount
  }
}
