import Autowait

/// Formats whose first line names the columns.
enum ColumnFormats {
  /// Reads an Irish log: the rates of the seconds in which something was downloaded.
  ///
  /// A second in state I had nothing to carry and says nothing about the link: it is left out,
  /// and those around it are joined. Lines of the same second are averaged. The upward rate is
  /// that of acknowledgements, not of the link, and is not read.
  static func irish(
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
      guard let time = CalendarTime.parse(lines.text(cell)) else {
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

  /// Reads a log of ERRANT, or its table of profiles.
  ///
  /// ERRANT lays the whole round trip on the way up; here it does so too.
  static func errant(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    let table = try ColumnReader(source)
    if table.names.contains("duration") {
      throw table.lines.error(
        "a scenario of ERRANT names profiles, and no rates", at: table.lines.line,
        notes: ["run it with 'errant -l FILE': that log has the rates"])
    }
    if table.names.contains("download_kbps") { return try errantProfile(table, options) }
    return ConvertedLink(name: "", try errantLog(table, options))
  }

  private static func errantLog(
    _ given: ColumnReader, _ options: TraceOptions
  ) throws(TraceError) -> LinkProfile {
    var table = given
    let stamp = try table.column("time")
    let columns = (
      try table.column("download"), try table.column("upload"), try table.column("rtt")
    )
    var down = TrackBuilder(until: options.until)
    var up = TrackBuilder(until: options.until)
    var last: (time: TimeSpan, down: TraceRate, up: TraceRate, roundTrip: TimeSpan)?
    var length = TimeSpan.zero
    while !down.isEnough, try table.advance() {
      let lines = table.lines
      let time = try lines.time(
        table.cells[stamp], TraceUnit.seconds.unlimited, "the time")
      if let last {
        if time < last.time { throw lines.error("the times go back", at: table.cells[stamp]) }
        if time > last.time { length = time - last.time }
        try lines.add(time - last.time, last.down, to: &down)
        try lines.add(time - last.time, last.up, delay: last.roundTrip, to: &up)
      }
      last = (
        time, try lines.rate(table.cells[columns.0], .kilobits, "the download"),
        try lines.rate(table.cells[columns.1], .kilobits, "the upload"),
        try lines.time(table.cells[columns.2], .milliseconds, "the rtt")
      )
    }
    guard let last else {
      throw TraceError("the log has no lines behind its names", path: table.lines.path)
    }
    // The last line holds as long as the one before it, or forever if it is the only one.
    let isAlone = down.samples.isEmpty
    let span = isAlone ? TimeSpan.seconds(1) : length
    try table.lines.add(span, last.down, to: &down)
    try table.lines.add(span, last.up, delay: last.roundTrip, to: &up)
    let ending = options.ending ?? (isAlone ? .hold : .offline)
    guard let downTrack = down.track(ending), let upTrack = up.track(ending) else {
      throw TraceError("nothing of the log was read", path: table.lines.path)
    }
    return LinkProfile(down: LinkDirection(downTrack), up: LinkDirection(upTrack))
  }

  private static func errantProfile(
    _ given: ColumnReader, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    var table = given
    let rates = (try table.column("download_kbps"), try table.column("upload_kbps"))
    let roundTrip = try table.column("latency_ms_avg")
    var choice = ProfileChoice(options, "profile")
    var chosen: ConvertedLink?
    let words = [
      try table.column("operator"), try table.column("country"), try table.column("rat"),
      try table.column("signal_quality", "quality"),
    ]
    while try table.advance() {
      let name = words.map { table.text($0) }.joined(separator: "/")
      guard choice.offers(name) else { continue }
      let lines = table.lines
      let down = try lines.rate(table.cells[rates.0], .kilobits, "the download")
      let up = try lines.rate(table.cells[rates.1], .kilobits, "the upload")
      let delay = try lines.time(table.cells[roundTrip], .milliseconds, "the latency")
      chosen = ConvertedLink(
        name: name,
        LinkProfile(
          down: LinkDirection(LinkTrack(rate: down.nearest)),
          up: LinkDirection(LinkTrack(rate: up.nearest, delay: delay))))
    }
    try choice.check(table.lines.path)
    guard let chosen else {
      throw TraceError("the table has no profiles", path: table.lines.path)
    }
    return chosen
  }

  /// What a line of the FCC's measurements holds, in Pensieve's use of them; assumed.
  static let fccStep = TimeSpan.seconds(5)

  /// Reads the FCC's measurements of one unit against one target, the first or the one named.
  ///
  /// They are minutes apart. As in the traces that Pensieve made of them, each holds for five
  /// seconds and the next follows at once.
  static func fcc(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    var table = try ColumnReader(source)
    let keys = (try table.column("unit_id"), try table.column("target"))
    let rate = try table.column("bytes_sec")
    var track = TrackBuilder(until: options.until)
    var chosen = options.profileName
    while !track.isEnough, try table.advance() {
      let name = "\(table.text(keys.0))/\(table.text(keys.1))"
      guard name == chosen ?? name else { continue }
      chosen = name
      let lines = table.lines
      let value = try lines.rate(table.cells[rate], .bytesPerSecond, "the rate")
      try lines.add(fccStep, value, to: &track)
    }
    guard let chosen, let result = track.track(options.ending ?? .offline) else {
      throw TraceError(
        chosen.map { "the file has no measurements of '\($0.excerpt)'" }
          ?? "the file has no measurements", path: source.path,
        notes: chosen == nil ? [] : ["a series is named UNIT_ID/TARGET"])
    }
    return ConvertedLink(name: chosen, LinkProfile(result))
  }
}
