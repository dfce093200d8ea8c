import Autowait

/// Logs of 4G and 5G in Ireland (Raca et al., 2018 and 2020), whose first line names the columns.
enum IrishFormat {
  static let row4G = TraceFormatRow(
    title: "an Irish 4G log", record: "CSV: Timestamp, DL_bitrate in kbit/s, State",
    kind: .goodput, limit: limit, column: "dl_bitrate",
    read: { (source, options, reading) throws(TraceError) in
      let track = try read(source, options, hasPings: false, &reading.findings)
      return ConvertedLink(name: "", LinkProfile(track))
    })

  static let row5G = TraceFormatRow(
    title: "an Irish 5G log", record: "as irish4g, and PINGAVG in ms", kind: .goodput,
    limit: limit, column: "pingavg",
    read: { (source, options, reading) throws(TraceError) in
      let track = try read(source, options, hasPings: true, &reading.findings)
      return ConvertedLink(name: "", LinkProfile(roundTrips: track))
    })

  private static let limit =
    "a log of downloads has what the server and the other users left, and outages as silence"

  /// Reads an Irish log: the rates of the seconds in which something was downloaded.
  ///
  /// A second in state I had nothing to carry and says nothing about the link: it is left out,
  /// and those around it are joined. Lines of the same second are averaged. The upward rate is
  /// that of acknowledgements, not of the link, and is not read.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions, hasPings: Bool, _ warnings: inout [Finding]
  ) throws(TraceError) -> LinkTrack {
    var table = try ColumnReader(source)
    let stamp = try table.column("Timestamp")
    let rate = try table.column("DL_bitrate")
    let state = try table.column("State")
    let ping = hasPings ? try table.column("PINGAVG") : nil
    var track = TrackBuilder(until: options.until)
    var second = Second()
    var spelling = ""
    while !track.isEnough, try table.advance() {
      let lines = table.lines
      let cell = table.cells[stamp]
      guard let time = TimeSpan(calendar: lines.text(cell)) else {
        throw lines.error("the time must be spelled as 2019.11.28_07.05.12", at: cell)
      }
      if let start = second.start, time < start {
        throw lines.error(
          "the times go back: the line before is \(spelling.excerpt)", at: cell,
          notes: ["where a clock was set back, cut the log in two"])
      }
      if time != second.start {
        try second.end(at: time, lines, &track)
        second.start = time
        spelling = lines.text(cell)
      }
      if let ping, !table.isMissing(ping) {
        second.roundTrip = try lines.time(table.cells[ping], .milliseconds, "the round trip")
      }
      if table.text(state) == "I" || table.isMissing(rate) { continue }
      second.sum += Int128(try lines.rate(table.cells[rate], .kilobits, "the rate").microbits)
      second.count += 1
    }
    if let start = second.start {
      try second.end(at: start + .seconds(1), table.lines, &track)
    }
    if second.idle > .zero {
      let idle = Quantity.time.text(second.idle.nanoseconds)
      warnings.append(
        Finding(
          .warning, "\(idle) in which nothing was downloaded are left out", path: source.path,
          notes: ["the log does not say whether the link was down then, or nobody used it"]))
    }
    return try track.finished(
      options.ending ?? .offline, or: "the log has no line in whose state data flowed", source.path)
  }

  /// What the lines of one second said.
  private struct Second {
    var start: TimeSpan?
    var sum: Int128 = 0
    var count: Int128 = 0
    /// The last round trip that was measured.
    var roundTrip = TimeSpan.zero
    /// How long nothing was downloaded, in all.
    var idle = TimeSpan.zero

    /// Adds the second to a track; it lasts until the next one that is listed.
    mutating func end(
      at next: TimeSpan, _ lines: LineReader, _ track: inout TrackBuilder
    ) throws(TraceError) {
      if let start, count > 0 {
        let rate = TraceRate(microbits: Int64(sum / count))
        try lines.add(next - start, rate, delay: roundTrip, to: &track)
      } else if let start {
        idle = idle + (next - start)
      }
      sum = 0
      count = 0
    }
  }
}
