import Autowait

/// The traces that Pensieve's simulator reads: times and rates.
enum PensieveFormat {
  static let row = TraceFormatRow(
    title: "a Pensieve trace", record: "a line: s, Mbit/s since the line before", kind: .goodput,
    read: { (source, options, reading) throws(TraceError) in
      ConvertedLink(name: "", LinkProfile(try read(source, options, &reading.findings)))
    },
    writing: .init(
      parts: [.idealTransport], unlimited: { _ in "1 Tbit/s stands" }, isLoop: true
    ) { link, until in WrittenLink(bytes: write(link.profile.down.track, until)) })

  /// A rate that nobody measured on the networks that such traces are of; assumed.
  private static let unlikely = BitRate(bitsPerSecond: 1_000_000_000)

  /// Reads a trace of Pensieve: a line's rate holds from the time of the line before to its own.
  ///
  /// So the first line's rate is never used, and the trace starts again behind the last line
  /// (Pensieve `fixed_env.py`). The factor 0.95 and the 80 ms a chunk are its simulator's, not
  /// the trace's.
  private static func read(
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

  /// The first line's rate is never used; it repeats the second one's.
  private static func write(_ track: LinkTrack, _ until: TimeSpan?) -> [UInt8] {
    let finite = FiniteTrack(track, until: until)
    var text: [UInt8] = []
    func add(_ time: TimeSpan, _ rate: BitRate) {
      text += time.nanoseconds.fixedPoint(1_000_000_000).utf8
      text.append(0x09)
      text += rate.bitsPerSecond.fixedPoint(1_000_000).utf8
      text.append(0x0A)
    }
    add(.zero, finite.samples[0].rate)
    for index in finite.samples.indices {
      let sample = finite.samples[index]
      add(sample.start + finite.length(index), sample.rate)
    }
    return text
  }
}
