import Autowait

/// Bytes that arrived, row by row, from the first time on that a table knows of.
///
/// Rows are packets, or a counter that was read from time to time. Packets are taken together in
/// bins; between two readings of a counter its bytes came evenly, as far as anybody knows.
struct TableArrivals {
  /// What arrivals are taken together in, if nobody says; assumed.
  ///
  /// A packet takes the time of the link's full rate and is followed by nothing: finer grains
  /// than some round trips show bursts, not the link.
  static let binUsual = TimeSpan.milliseconds(100)

  /// The most packets at one time, which may be given in whole seconds: 120 Gbit/s; assumed.
  private static let packetsMax = 10_000_000

  /// A row's time, from the start of the table, and its bytes.
  private typealias Row = (time: TimeSpan, bytes: ByteCount)

  private let rows: TableRows
  private let bin: TimeSpan
  /// Whether somebody said what to take arrivals together in.
  private let namesBin: Bool
  /// The sum of the row before, if the table has sums.
  private var lastSum: ByteCount?
  /// The usual time between two readings of a counter; nil for packets, whose times count from 0.
  private var usualDistance: TimeSpan?
  /// The time at which the table begins.
  private var origin: TimeSpan?
  private var last = TimeSpan.zero

  init(_ rows: TableRows, _ options: TraceOptions) {
    self.rows = rows
    bin = max(options.bin ?? Self.binUsual, TimeSpan(nanoseconds: 1))
    namesBin = options.bin != nil
  }

  /// Reads the rows, of which the first ones are known.
  mutating func read(
    _ survey: TableSurvey, _ options: TraceOptions
  ) throws(TraceError) -> LinkTrack {
    var track = TrackBuilder(until: options.until, isMerging: true)
    if rows.layout.every != nil || rows.layout.isLength {
      try readLengths(to: &track)
    } else if survey.isAnInstant, !namesBin {
      throw try instant(survey)
    } else if survey.usualDistance < bin {
      try readPackets(to: &track)
    } else {
      usualDistance = survey.usualDistance
      try readCounter(to: &track)
    }
    return try track.finished(
      options.ending ?? .offline,
      or: survey.rowCount == 0 ? "the file is empty" : "no bytes arrived",
      rows.path)
  }

  /// Returns the error that all rows have one time: bytes without a length have no rate.
  private func instant(_ survey: TableSurvey) throws(TraceError) -> TraceError {
    guard try rows.advance() else { return TraceError("the file is empty", path: rows.path) }
    _ = (try rows.readTime(), try rows.readBytes())
    let subject = survey.rowCount == 1 ? "one row does" : "rows of one time do"
    return rows.error(
      "\(subject) not say how long the bytes took", at: .row,
      notes: ["add a row with a later time, or a rate: time_s,rate_kbps"])
  }

  /// Spreads the bytes of a row over the time that it lasts; those of rows that last no time come
  /// in that of the next one.
  private mutating func readLengths(to track: inout TrackBuilder) throws(TraceError) {
    var waiting = ByteCount.zero
    while !track.isEnough, let bytes = try nextBytes() {
      waiting = try rows.sum(waiting, bytes)
      let length = try rows.readLength() ?? .zero
      try rows.count(isLater: length > .zero)
      if length == .zero { continue }
      try rows.add(length, waiting, to: &track)
      waiting = .zero
    }
  }

  /// Takes together what arrived in a bin, behind its start and up to its end.
  private mutating func readPackets(to track: inout TrackBuilder) throws(TraceError) {
    var waiting = ByteCount.zero
    while !track.isEnough, let row = try next() {
      while row.time > track.end + bin, !track.isEnough {
        try rows.add(bin, waiting, to: &track)
        waiting = .zero
        let idle = (row.time - track.end).nanoseconds / bin.nanoseconds - 1
        try rows.add(TimeSpan(nanoseconds: idle * bin.nanoseconds), TraceRate.zero, to: &track)
      }
      waiting = try rows.sum(waiting, row.bytes)
    }
    if waiting > .zero, !track.isEnough { try rows.add(bin, waiting, to: &track) }
  }

  /// Spreads the bytes of a row over the time since the row before.
  ///
  /// Nothing can have come before a first row at 0: if it has bytes, each row's are those until the
  /// next one, and the last row lasts as long as the one before it.
  private mutating func readCounter(to track: inout TrackBuilder) throws(TraceError) {
    guard let first = try next() else { return }
    let isForwards = first.time == .zero && first.bytes > .zero
    var start = TimeSpan.zero
    var (end, waiting, length) = (first.time, first.bytes, TimeSpan.zero)
    while !track.isEnough, let row = try next() {
      if row.time == end {
        waiting = try rows.sum(waiting, row.bytes)
      } else if isForwards {
        length = row.time - end
        try rows.add(length, waiting, to: &track)
        (end, waiting) = (row.time, row.bytes)
      } else {
        // What a total rose by at the first time has no time of its own, and crosses with the next.
        if end > start {
          try rows.add(end - start, waiting, to: &track)
          waiting = row.bytes
        } else {
          waiting = try rows.sum(waiting, row.bytes)
        }
        (start, end) = (end, row.time)
      }
    }
    let rest = isForwards ? length : end - start
    if rest > .zero, !track.isEnough { try rows.add(rest, waiting, to: &track) }
  }

  /// Returns the next row; nil behind the last one.
  private mutating func next() throws(TraceError) -> Row? {
    guard let bytes = try nextBytes() else { return nil }
    let isAnywhere = rows.layout.isTotal || usualDistance != nil
    let time = try isAnywhere ? rows.readTime() : rows.readTimeFromStart()
    let fromStart = time - (origin ?? begin(at: time))
    if fromStart < last { throw rows.error("the times go back", at: .time) }
    try rows.count(isLater: fromStart > last, max: Self.packetsMax)
    last = fromStart
    return (fromStart, bytes)
  }

  /// Returns when the table begins, of which the first row has a time.
  ///
  /// What a first sum counts came before the table. A counter's first row lasted no longer than
  /// its rows usually do.
  private mutating func begin(at time: TimeSpan) -> TimeSpan {
    let start =
      rows.layout.isTotal ? time : usualDistance.map { max(.zero, time - $0) } ?? .zero
    origin = start
    return start
  }

  /// Returns what the next row adds; nil behind the last one.
  private mutating func nextBytes() throws(TraceError) -> ByteCount? {
    guard try rows.advance() else { return nil }
    let bytes = try rows.readBytes()
    if !rows.layout.isTotal { return bytes }
    let before = lastSum ?? bytes
    if bytes < before {
      throw rows.error(
        "the total goes back", at: .value,
        notes: [
          "it was \(before.bytes) in the row before; where a counter was reset, cut the table"
        ])
    }
    lastSum = bytes
    return ByteCount(bytes: bytes.bytes - before.bytes)
  }
}

/// What the first rows of a table show, before it is read.
struct TableSurvey {
  /// The fewest rows that tell a running total; assumed.
  private static let totalRowsMin = 5

  /// The rows that were looked at.
  private(set) var rowCount = 0
  /// The middle one of the times from row to row, without those that are 0.
  let usualDistance: TimeSpan
  /// Whether all rows were read, and have one time.
  let isAnInstant: Bool
  /// Whether the values hardly ever fall and often rise, as a running total does.
  let looksLikeTotal: Bool

  /// Looks at rows up to the first one that cannot be read.
  init(_ rows: TableRows) {
    var distances: [TimeSpan] = []
    var (rises, falls) = (0, 0)
    var last: (time: TimeSpan, value: ByteCount)?
    var isWhole = false
    do throws(TraceError) {
      while let row = try rows.nextForSurvey() {
        rowCount += 1
        if let last {
          if row.time > last.time { distances.append(row.time - last.time) }
          if row.bytes > last.value { rises += 1 }
          if row.bytes < last.value { falls += 1 }
        }
        last = (row.time, row.bytes)
      }
      isWhole = true
    } catch {
      // What is wrong with the row is said when it is read.
    }
    isAnInstant = isWhole && rowCount > 0 && distances.isEmpty
    distances.sort()
    usualDistance = distances.isEmpty ? .zero : distances[(distances.count - 1) / 2]
    let steps = rowCount - 1
    looksLikeTotal =
      rowCount >= Self.totalRowsMin && falls * 20 <= steps && rises * 3 >= steps
  }
}

extension TableRows {
  /// Returns the time and the bytes of the next row; nil behind the last one.
  fileprivate func nextForSurvey() throws(TraceError) -> (time: TimeSpan, bytes: ByteCount)? {
    guard try advance() else { return nil }
    return (layout.time == nil || layout.isLength ? .zero : try readTime(), try readBytes())
  }
}
