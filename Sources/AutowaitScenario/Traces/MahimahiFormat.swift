import Autowait

/// Traces of mahimahi: a line for each packet of 1500 bytes that may pass, with its millisecond.
///
/// The period of the trace is the last line's time; a chance that nobody uses is lost, which a
/// rate that nobody uses is too (mahimahi `link_queue.cc`). The 1504 bytes in its code are a
/// packet of 1500 with what the tunnel adds.
enum MahimahiFormat {
  static let row = TraceFormatRow(
    title: "a mahimahi trace", record: "a line: ms at which 1500 bytes may pass", kind: .capacity,
    hasBins: true,
    read: { (source, options, _) throws(TraceError) in
      ConvertedLink(name: "", LinkProfile(try read(source, options)))
    },
    writing: .init(
      parts: [.upwardRate],
      unlimited: { $0.samples.count == 1 ? "12 Gbit/s stand" : "1 Tbit/s stands" }, isLoop: true,
      isCapacity: true, hasTwoFiles: true, write: write))

  /// The bits of a chance.
  static let packetBits: Int64 = 12_000
  /// What a mahimahi trace is read in: its own grain.
  static let binUsual = TimeSpan.milliseconds(1)

  /// The most chances in a millisecond: 1 Tbit/s.
  private static let chancesMax: Int64 = 83_333

  private static let expected = "a line must be a whole number of milliseconds"

  /// Reads a trace: the chances of each millisecond are spread over it.
  ///
  /// The millisecond of a chance is the one that ends then, so that an ideal link has brought by
  /// each millisecond what mahimahi has. A chance at 0 counts into the first millisecond.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> LinkTrack {
    let lines = LineReader(source)
    var bins = Bins(options)
    var last: Int64 = 0
    var count: Int64 = 0
    while try lines.advance() {
      let time = try time(lines)
      if time < last {
        throw lines.error("the times go back: the line before is \(last)", at: lines.line)
      }
      count = time == last ? count + 1 : 1
      // A millisecond without an end is refused before it is over.
      if count > chancesMax {
        throw lines.error(
          "the rate is above the limit of 1 Tbit/s: more than \(chancesMax) chances in 1 ms",
          at: lines.line)
      }
      do throws(TraceWriter.TraceProblem) {
        try bins.add(time)
      } catch {
        throw lines.error(error.message, at: lines.line, notes: error.notes)
      }
      last = time
      if bins.track.isEnough { break }
    }
    if lines.number == 0 { throw TraceError("the file is empty", path: source.path) }
    if last == 0 {
      throw lines.error("the last time, which is the period, must not be 0", at: lines.line)
    }
    do throws(TraceWriter.TraceProblem) {
      try bins.finish(last)
    } catch {
      throw lines.error(error.message, at: lines.line, notes: error.notes)
    }
    guard let track = bins.track.track(options.ending ?? .loop) else {
      throw lines.error("nothing of the trace was read", at: lines.line)
    }
    return track
  }

  /// Reads a line; nothing but digits may stand in it.
  @inline(__always)
  private static func time(_ lines: LineReader) throws(TraceError) -> Int64 {
    let line = lines.line
    var value: Int64 = 0
    for index in line {
      let digit = lines.bytes[index] &- 0x30
      guard digit < 10 else {
        throw lines.error(expected, at: line)
      }
      guard value < 100_000_000_000_000 else {
        throw lines.error("the time is above the limit of 366 d", at: line)
      }
      value = value * 10 + Int64(digit)
    }
    if line.isEmpty {
      throw lines.error(expected, at: line, notes: ["mahimahi does not accept empty lines"])
    }
    return value
  }

  /// The chances of the bin that is being read, and the track of those before it.
  private struct Bins {
    var track: TrackBuilder
    /// The length of a bin in milliseconds.
    private let length: Int64
    /// The number of the bin.
    private var index: Int64 = 0
    /// Its chances.
    private var count: Int64 = 0

    init(_ options: TraceOptions) {
      track = TrackBuilder(until: options.until, isMerging: true)
      length = max(1, (options.bin ?? binUsual).nanoseconds / 1_000_000)
    }

    /// Adds a chance, at or behind the one before it.
    @inline(__always)
    mutating func add(_ time: Int64) throws(TraceWriter.TraceProblem) {
      let own = time == 0 ? 0 : (time - 1) / length
      if own != index { try close(before: own) }
      count += 1
    }

    /// Ends the bin, and goes through those without chances up to another one.
    private mutating func close(before other: Int64) throws(TraceWriter.TraceProblem) {
      try add(index, length)
      let gap = other - index - 1
      if gap > 0 {
        let milliseconds = min(gap * length, Limits.timeMax.nanoseconds / 1_000_000 + 1)
        try track.add(.milliseconds(milliseconds), .zero)
      }
      index = other
      count = 0
    }

    /// Ends the last bin, which ends with the trace.
    mutating func finish(_ period: Int64) throws(TraceWriter.TraceProblem) {
      try add(index, period - index * length)
    }

    private mutating func add(
      _ index: Int64, _ milliseconds: Int64
    ) throws(TraceWriter.TraceProblem) {
      let size = ByteCount(bytes: count * MahimahiFormat.packetBits / 8)
      let span = TimeSpan.milliseconds(milliseconds)
      guard let rate = TraceRate(size, in: span) else {
        throw TraceWriter.TraceProblem(
          message: "the rate is above the limit of 1 Tbit/s: \(count) chances in "
            + Quantity.time.text(span.nanoseconds))
      }
      try track.add(span, rate)
    }
  }
}

/// Writing mahimahi traces.
extension MahimahiFormat {
  private static func write(
    _ link: ConvertedLink, _ until: TimeSpan?
  ) throws(TraceWriter.TraceProblem) -> WrittenLink {
    let (down, up) = (link.profile.down.track, link.profile.up.track)
    return WrittenLink(
      bytes: try lines(down, until), up: try lines(up, until), warnings: drifts(link.profile, until)
    )
  }

  private static func lines(
    _ track: LinkTrack, _ until: TimeSpan?
  ) throws(TraceWriter.TraceProblem) -> [UInt8] {
    let isConstant = track.samples.count == 1
    if isConstant, track.samples[0].rate == .unlimited { return try fast() }
    let tail = isConstant ? evenPeriod(track.samples[0].rate) : FiniteTrack.tail
    return try write(FiniteTrack(track, until: until, tail: tail))
  }

  /// A direction without a limit: mahimahi has none, and 12 Gbit/s stand for it; assumed.
  private static func fast() throws(TraceWriter.TraceProblem) -> [UInt8] {
    let track = LinkTrack(rate: BitRate(bitsPerSecond: 12_000_000_000))
    return try write(FiniteTrack(track, tail: .milliseconds(1)))
  }

  /// Returns how a track that starts again in milliseconds and packets leaves its time.
  private static func drifts(_ profile: LinkProfile, _ until: TimeSpan?) -> [String] {
    var warnings: [String] = []
    for (name, direction) in [("down", profile.down), ("up", profile.up)] {
      guard case .loop = direction.track.ending else { continue }
      let track = FiniteTrack(direction.track, until: until)
      let rest = track.end.nanoseconds % 1_000_000
      if rest != 0 {
        let late = Quantity.time.decimalText(1_000_000 - rest)
        warnings.append(
          "the way \(name) starts again after whole milliseconds: \(late) later each time")
      }
      if track.samples.count > 1, track.samples[track.samples.count - 1].rate == .zero {
        warnings.append(
          "the way \(name) is down at its end, where its last line is a packet")
      }
    }
    return warnings
  }

  /// The most lines that are written.
  static let linesMax: Int64 = 50_000_000
  /// A track that never changes is written so long, if a period without a remainder is too long.
  private static let constantPeriod: Int64 = 60_000
  /// A constant rate may take so many lines to come out even.
  private static let evenLinesMax: Int64 = 100_000

  /// Returns the lines of a direction; by any millisecond within a packet of what the track has.
  private static func write(_ track: FiniteTrack) throws(TraceWriter.TraceProblem) -> [UInt8] {
    let packet = UInt128(UInt64(packetBits)) * 1_000_000_000
    let total = track.amount
    guard total.nanobits / packet <= UInt128(UInt64(linesMax)) else {
      let isUnlimited = track.samples.contains { $0.rate == .unlimited }
      throw TraceWriter.TraceProblem(
        message: isUnlimited
          ? "mahimahi has no word for unlimited, and no track with it"
          : "mahimahi would need more than \(linesMax) lines",
        notes: isUnlimited ? [] : ["'--until' writes less of the trace"])
    }
    let period = (track.end.nanoseconds + 999_999) / 1_000_000
    var times: [Int64] = []
    var carried: UInt128 = 0
    for index in track.samples.indices {
      let (sample, span) = (track.samples[index], track.length(index))
      let rate = UInt128(UInt64(sample.rate.bitsPerSecond))
      let after = carried + DataAmount(sample.rate, for: span).nanobits
      var next = (carried / packet + 1) * packet
      while next <= after {
        let wait = Int64((next - carried + rate - 1) / rate)
        times.append((sample.start.nanoseconds + wait + 999_999) / 1_000_000)
        next += packet
      }
      carried = after
    }
    // The last line is the period: the rest of a packet makes one, or the last one waits.
    if times.last != period {
      if carried % packet == 0, !times.isEmpty { times.removeLast() }
      times.append(period)
    }
    var text: [UInt8] = []
    text.reserveCapacity(times.count * 7)
    for time in times {
      text += String(time).utf8
      text.append(0x0A)
    }
    return text
  }

  /// The period after which a constant rate has carried whole packets at a whole millisecond.
  private static func evenPeriod(_ rate: BitRate) -> TimeSpan {
    let second = packetBits * 1_000
    if rate == .zero { return .milliseconds(constantPeriod) }
    var (a, b) = (second, rate.bitsPerSecond)
    while b != 0 { (a, b) = (b, a % b) }
    let (milliseconds, lines) = (second / a, rate.bitsPerSecond / a)
    return .milliseconds(lines <= evenLinesMax ? milliseconds : constantPeriod)
  }
}
