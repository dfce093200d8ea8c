import Autowait

/// A log or the profiles of ERRANT.
enum ErrantFormat {
  static let row = TraceFormatRow(
    title: "an ERRANT log", record: "CSV: download and upload in kbit/s, rtt in ms",
    kind: .capacity, hasProfiles: true, column: "operator",
    read: { (source, options, _) throws(TraceError) in try read(source, options) })

  /// Reads a log of ERRANT, or its table of profiles.
  ///
  /// ERRANT lays the whole round trip on the way up; here it does so too.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    let table = try ColumnReader(source)
    if table.names.contains("duration") {
      throw table.lines.error(
        "a scenario of ERRANT names profiles, and no rates", at: table.lines.line,
        notes: ["run it with 'errant -l FILE': that log has the rates"])
    }
    if table.names.contains("download_kbps") { return try profile(table, options) }
    return ConvertedLink(name: "", try log(table, options))
  }

  private static func log(
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
      throw TraceError("the log has no lines after its names", path: table.lines.path)
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

  private static func profile(
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
}
