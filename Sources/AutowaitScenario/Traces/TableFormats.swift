import Autowait

/// Formats whose lines are a few numbers with spaces between.
enum TableFormats {
  /// Reads a trace of Pensieve: a line's rate holds from the time of the line before to its own.
  ///
  /// So the first line's rate is never used, and the trace starts again behind the last line
  /// (Pensieve `fixed_env.py`). The factor 0.95 and the 80 ms a chunk are its simulator's, not
  /// the trace's.
  static func pensieve(
    _ source: ByteSource, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> LinkTrack {
    let lines = LineReader(source)
    var track = TrackBuilder(until: options.until)
    var hasOrigin = false
    var last = TimeSpan.zero
    while !track.isEnough, try lines.advanceToText() {
      let words = lines.words()
      guard words.count == 2 else {
        throw lines.error("a line must be two numbers, seconds and Mbit/s", at: lines.line)
      }
      // The times may count from anywhere, and as far: only what lies between them matters.
      let time = try lines.time(words[0], TraceUnit.seconds.unlimited, "the time")
      let rate = try lines.rate(words[1], .megabits, "the rate")
      guard hasOrigin else {
        hasOrigin = true
        last = time
        if time > .zero {
          warnings.append(
            lines.finding(
              .warning, "the trace does not begin at 0: its times are counted from here",
              at: words[0], notes: ["Pensieve itself would count them from 0 in later rounds"]))
        }
        continue
      }
      if time < last { throw lines.error("the times go back", at: words[0]) }
      try lines.count(isLater: time > last)
      try lines.add(time - last, rate, to: &track)
      last = time
    }
    guard hasOrigin else { throw TraceError("the file is empty", path: source.path) }
    return try track.finished(
      options.ending ?? .loop,
      or: "the trace has no length: it needs two lines, and the first one's rate is not used",
      source.path)
  }

  /// Reads a log whose lines end in a number of bytes and the milliseconds that they took.
  ///
  /// In front stand two times, the second one in milliseconds from any origin, and two
  /// coordinates that are not looked at. Neither log says what came behind its end.
  static func log(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> LinkTrack {
    let lines = LineReader(source)
    var track = TrackBuilder(until: options.until)
    var last: Int64 = 0
    var waiting = ByteCount.zero
    while !track.isEnough, try lines.advanceToText() {
      let words = lines.words()
      guard words.count == 6 else {
        throw lines.error(
          "a line must be six numbers: two times, two coordinates, bytes, milliseconds",
          at: lines.line)
      }
      let clock = try lines.value(words[1], TraceUnit.milliseconds.unlimited, "the time")
      if clock < last { throw lines.error("the times go back", at: words[1]) }
      last = clock
      let bytes = try lines.value(words[4], .bytes, "the number of bytes")
      let span = try lines.time(words[5], .milliseconds, "the time that they took")
      try lines.count(isLater: span > .zero)
      waiting = try lines.sum(waiting, ByteCount(bytes: bytes), words[4])
      // Bytes that took no time at all belong to the next line.
      if span == .zero { continue }
      guard let rate = BitRate.nearest(waiting, in: span) else {
        throw lines.error("the rate is above the limit of 1 Tbit/s", at: words[4])
      }
      waiting = .zero
      try lines.add(span, rate, to: &track)
    }
    return try track.finished(
      options.ending ?? .offline,
      or: lines.number == 0 ? "the file is empty" : "the log has no line that took time",
      source.path)
  }

  /// What arrivals are taken together in, if nobody says; assumed.
  ///
  /// A packet takes the time of the link's full rate and is followed by nothing: finer grains
  /// than some round trips show bursts, not the link.
  static let binUsual = TimeSpan.milliseconds(100)

  /// The most packets at one time, which may be given in whole seconds: 120 Gbit/s; assumed.
  private static let packetsMax = 10_000_000

  /// Reads a table of times and the bytes that arrived since the line before.
  ///
  /// Without names the times are in seconds; that is warned of, unless the format was asked for.
  static func arrivals(
    _ source: ByteSource, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> LinkTrack {
    let lines = LineReader(source)
    var table = Columns()
    var track = TrackBuilder(until: options.until, isMerging: true)
    let bin = max(options.bin ?? binUsual, TimeSpan(nanoseconds: 1))
    var last = TimeSpan.zero
    var waiting = ByteCount.zero
    var isFirst = true
    while !track.isEnough, try lines.advanceToText() {
      if isFirst {
        isFirst = false
        if let header = try TableHeader(of: lines) {
          guard header.hasBytes else {
            throw lines.error(
              "the columns name rates, not bytes that arrived", at: lines.line,
              notes: ["such a table is read as the format 'rates'"])
          }
          table = Columns(header)
          continue
        }
        if options.format == nil { warnings.append(nameless(lines)) }
      }
      let cells = try table.cells(of: lines) {
        "a line must be a time in seconds, a comma and bytes"
      }
      let time = try lines.time(cells.time, table.unit, "the time")
      if time < last { throw lines.error("the times go back", at: cells.time) }
      try lines.count(isLater: time > last, max: packetsMax)
      last = time
      let bytes = ByteCount(bytes: try lines.value(cells.value, .bytes, "the number of bytes"))
      // A bin holds what arrived behind its start and up to its end.
      while time > track.end + bin, !track.isEnough {
        try lines.add(bin, try lines.rate(waiting, bin), to: &track)
        waiting = .zero
        let idle = (time - track.end).nanoseconds / bin.nanoseconds - 1
        try lines.add(TimeSpan(nanoseconds: idle * bin.nanoseconds), .zero, to: &track)
      }
      waiting = try lines.sum(waiting, bytes, cells.value)
    }
    if waiting > .zero, !track.isEnough {
      try lines.add(bin, try lines.rate(waiting, bin), to: &track)
    }
    return try track.finished(
      options.ending ?? .offline,
      or: lines.number == 0 ? "the file is empty" : "no bytes arrived", source.path)
  }

  private static func nameless(_ lines: LineReader) -> Finding {
    lines.finding(
      .warning,
      "two columns without names are taken for seconds and the bytes that arrived since the line "
        + "before", at: lines.line,
      notes: ["a first line with names, such as time_s,bandwidth_kbps, says what they are"])
  }

  /// Which columns of a table are what.
  private struct Columns {
    var separator: UInt8? = UInt8(ascii: ",")
    var time = 0
    var unit = TraceUnit.seconds

    init() {}

    init(_ header: TableHeader) {
      separator = header.separator
      time = header.time
      unit = header.timeUnit
    }

    /// Returns the two cells of a line.
    func cells(
      of lines: LineReader, _ expected: () -> String
    ) throws(TraceError) -> (time: Range<Int>, value: Range<Int>) {
      let cells: [Range<Int>]
      if let separator { cells = try lines.cells(separator) } else { cells = lines.words() }
      guard cells.count == 2 else { throw lines.error(expected(), at: lines.line) }
      return (cells[time], cells[1 - time])
    }
  }

  /// Seconds since 1970 have ten digits until the year 2286: what has more counts something else.
  private static let secondsDigitsMax = 10

  /// Reads a table of times and rates: a line's rate holds until the time of the next line.
  ///
  /// The last one holds as long as the one before it. The times may count from anywhere. As the
  /// traces of other simulators, it starts again behind its end.
  static func rates(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    let lines = LineReader(source)
    guard try lines.advanceToText(), let header = try TableHeader(of: lines),
      let unit = header.rateUnit
    else {
      throw lines.number == 0
        ? TraceError("the file is empty", path: source.path)
        : lines.error("the first line must name a time and a rate with its unit", at: lines.line)
    }
    let columns = Columns(header)
    var track = TrackBuilder(until: options.until)
    var last: (time: TimeSpan, rate: BitRate)?
    var length = TimeSpan.zero
    while !track.isEnough, try lines.advanceToText() {
      let cells = try columns.cells(of: lines) { "a line must be two numbers, as the first names" }
      let digits = lines.bytes[cells.time].prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      if !header.namesTimeUnit, digits > secondsDigitsMax {
        throw lines.error(
          "the time is no number of seconds, which '\(header.timeName.excerpt)' is taken for",
          at: cells.time, notes: ["name the unit, as in timestamp_ms"])
      }
      let time = try lines.time(cells.time, columns.unit.unlimited, "the time")
      let rate = try lines.rate(cells.value, unit, "the rate")
      if let last {
        if time < last.time { throw lines.error("the times go back", at: cells.time) }
        if time > last.time { length = time - last.time }
        try lines.count(isLater: time > last.time)
        try lines.add(time - last.time, last.rate, to: &track)
      }
      last = (time, rate)
    }
    if let last, length > .zero { try lines.add(length, last.rate, to: &track) }
    let result = try track.finished(
      options.ending ?? .loop,
      or: "the table has no length: it needs two lines of different times", source.path)
    return ConvertedLink(name: "", kind: header.kind, LinkProfile(result))
  }
}

extension TableHeader {
  /// Reads the header of a table of two columns; nil if its first line has numbers.
  init?(of lines: LineReader) throws(TraceError) {
    guard let line = try Self.split(lines), Self.isHeader(line, lines) else { return nil }
    try self.init(line, lines)
  }
}

extension LineReader {
  /// Adds a piece to a track, or says that the line is one too many.
  func add(
    _ length: TimeSpan, _ rate: BitRate, delay: TimeSpan = .zero, to track: inout TrackBuilder
  ) throws(TraceError) {
    do throws(TraceWriter.TraceProblem) {
      try track.add(length, rate, delay: delay)
    } catch {
      throw self.error(error.message, at: line, notes: error.notes)
    }
  }

  /// Returns two amounts as one, or says that it is too large.
  func sum(
    _ left: ByteCount, _ right: ByteCount, _ range: Range<Int>
  ) throws(TraceError) -> ByteCount {
    let sum = left + right
    if sum <= Limits.bytesMax { return sum }
    throw error("the bytes of one moment are above the limit of 1 TB", at: range)
  }

  /// Returns the rate of an amount in a time.
  func rate(_ size: ByteCount, _ span: TimeSpan) throws(TraceError) -> BitRate {
    if let rate = BitRate.nearest(size, in: span) { return rate }
    throw error("the rate is above the limit of 1 Tbit/s", at: line)
  }
}
