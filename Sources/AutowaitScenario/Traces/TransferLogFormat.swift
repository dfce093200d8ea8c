import Autowait

/// Logs of downloads over HTTP, whose lines are six numbers with spaces between.
enum TransferLogFormat {
  /// HSDPA (Riiser et al., 2013).
  static let hsdpa = TraceFormatRow(
    title: "an HSDPA log", record: "a line: s, ms, place, bytes, ms of these bytes", kind: .goodput,
    read: read)
  /// 4G in Ghent (van der Hooft et al., 2016).
  static let ghent = TraceFormatRow(
    title: "a Ghent 4G log", record: "a line: ms, ms, place, bytes, ms of these bytes",
    kind: .goodput, read: read)

  private static let read: TraceFormatRow.Read = { (source, options, _) throws(TraceError) in
    ConvertedLink(name: "", LinkProfile(try track(source, options)))
  }

  /// Reads a log whose lines end in a number of bytes and the milliseconds that they took.
  ///
  /// In front stand two times, the second one in milliseconds from any origin, and two
  /// coordinates that are not looked at. Neither log says what came behind its end.
  private static func track(
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
