import Autowait

/// Formats whose lines are a few numbers with spaces between.
enum TableFormats {
  /// A rate that nobody measured on the networks that such traces are of; assumed.
  private static let unlikely = BitRate(bitsPerSecond: 1_000_000_000)

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
    // A table in kbit/s does not mean a link of 1,000 Gbit/s.
    if options.format == nil, track.samples.contains(where: { $0.rate > unlikely }) {
      warnings.append(
        Finding(
          .warning, "the rates are taken for Mbit/s, and some are above 1 Gbit/s",
          path: source.path,
          notes: ["if they are others: " + options.place.columnsMeans("time:s,rate:kbit/s")]))
    }
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
      guard let rate = TraceRate(waiting, in: span) else {
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
}

extension LineReader {
  /// Adds a piece to a track, or says that the line is one too many.
  func add(
    _ length: TimeSpan, _ rate: TraceRate, delay: TimeSpan = .zero, to track: inout TrackBuilder
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
  func rate(_ size: ByteCount, _ span: TimeSpan) throws(TraceError) -> TraceRate {
    if let rate = TraceRate(size, in: span) { return rate }
    throw error("the rate is above the limit of 1 Tbit/s", at: line)
  }
}
