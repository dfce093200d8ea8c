import Autowait

/// The line that names the two columns of a table, and what the names mean.
///
/// A table of somebody's own is read by its names or not at all: the same two numbers may be a
/// rate, bytes that arrived, or the weather.
struct TableHeader {
  /// What a column counts, as its name says.
  enum Meaning: Equatable {
    /// Times; nil without a unit, which is seconds then.
    case time(TraceUnit?)
    /// Rates; nil without a unit.
    case rate(TraceUnit?)
    /// Bytes that arrived since the line before.
    case bytes
    /// Bytes that arrived in all so far.
    case totalBytes
    /// Nothing that a link is made of.
    case unknown
  }

  /// The parts of a line with two columns.
  struct Line {
    let separator: UInt8?
    let cells: [Range<Int>]
  }

  /// What separates the columns; nil for spaces.
  let separator: UInt8?
  /// The number of the column with times.
  let time: Int
  /// The unit of the times.
  let timeUnit: TraceUnit
  /// Whether the header names that unit.
  let namesTimeUnit: Bool
  /// The name of the column with times.
  let timeName: String
  /// The unit of the rates; nil if the other column has bytes.
  let rateUnit: TraceUnit?
  /// What the rates were measured as, if the name says it.
  let kind: TraceKind?

  /// Whether the table has bytes that arrived.
  var hasBytes: Bool { rateUnit == nil }

  /// Takes a line apart that may be one of two columns; nil if it has another number of them.
  static func split(_ lines: LineReader) throws(TraceError) -> Line? {
    let bytes = lines.bytes[lines.line]
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] where bytes.contains(separator) {
      let cells = try lines.cells(separator)
      return cells.count == 2 ? Line(separator: separator, cells: cells) : nil
    }
    let words = lines.words()
    return words.count == 2 ? Line(separator: nil, cells: words) : nil
  }

  /// Whether a line names columns: a cell of it is no number.
  static func isHeader(_ line: Line, _ lines: LineReader) -> Bool {
    line.cells.contains { ExactDecimal(lines.text($0)) == nil }
  }

  /// Reads the names, or says what they would have to be.
  init(_ line: Line, _ lines: LineReader) throws(TraceError) {
    let names = line.cells.map { lines.text($0) }
    let meanings = names.map(Self.meaning)
    let times = meanings.indices.filter { if case .time = meanings[$0] { true } else { false } }
    guard times.count == 1, case .time(let unit) = meanings[times[0]] else {
      throw Self.refusal(names, "", lines)
    }
    separator = line.separator
    time = times[0]
    timeUnit = unit ?? .seconds
    namesTimeUnit = unit != nil
    timeName = names[time]
    let other = names[1 - time]
    switch meanings[1 - time] {
    case .rate(let rate?):
      rateUnit = rate
      kind = Self.kind(other)
    case .bytes:
      rateUnit = nil
      kind = .goodput
    case .rate(nil):
      throw Self.refusal(
        names, "'\(other.excerpt)' names no unit, as '\(other.excerpt)_kbps' would", lines)
    case .totalBytes:
      throw Self.refusal(
        names, "'\(other.excerpt)' is a sum, and the bytes since the line before are needed", lines)
    case .time, .unknown: throw Self.refusal(names, "", lines)
    }
  }

  private static func refusal(
    _ names: [String], _ reason: String, _ lines: LineReader
  ) -> TraceError {
    lines.error(
      "the columns '\(names[0].excerpt)' and '\(names[1].excerpt)' are not a time and a rate or "
        + "bytes", at: lines.line,
      notes: (reason.isEmpty ? [] : [reason]) + [
        "a time is named time_s, timestamp_ms, t, seconds and the like",
        "a rate is named with its unit: bandwidth_kbps, throughput_mbps, rate (Mbit/s), MB/s",
        "bytes that arrived since the line before are named bytes",
      ])
  }

  // MARK: - What names mean

  private static let timeNames = [
    "t", "time", "times", "timestamp", "timestamps", "elapsed", "clock", "at", "offset",
  ]
  private static let rateNames = [
    "rate", "bandwidth", "bw", "throughput", "bitrate", "goodput", "capacity", "speed", "download",
    "downlink", "dl", "down", "link",
  ]
  private static let byteNames = ["received", "arrived", "size", "delivered", "downloaded", "data"]
  private static let sums = ["total", "cumulative", "cum", "sum", "accumulated", "acc"]
  /// Words that change nothing.
  private static let fillers = ["in", "per", "of", "since", "start", "the", "unix", "epoch"]

  /// The units of time, by their names in lower case.
  private static let timeUnits: [(names: [String], unit: TraceUnit)] = [
    (["s", "sec", "secs", "second", "seconds"], .seconds),
    (["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], .milliseconds),
    (["us", "µs", "usec", "usecs", "micros", "microsecond", "microseconds"], .microseconds),
    (["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], .nanoseconds),
  ]

  /// The units of rates, by what is left of their names without what separates words.
  private static let rateUnits: [(names: [String], unit: TraceUnit)] = [
    (["bps", "bits", "bitsps", "bitssecond", "bitssec", "bitps", "bitsecond"], .bits),
    (["kbps", "kbits", "kbitps", "kbitss", "kilobitssecond", "kilobits"], .kilobits),
    (["mbps", "mbits", "mbitps", "mbitss", "megabitssecond", "megabits"], .megabits),
    (["gbps", "gbits", "gbitps", "gbitss", "gigabitssecond", "gigabits"], .gigabits),
    (["Bps", "Bs", "bytesps", "bytess", "bytessec", "bytessecond"], .bytesPerSecond),
    (["kBps", "KBps", "kBs", "KBs", "kilobytessecond"], .kilobytesPerSecond),
    (["MBps", "MBs", "megabytessecond"], .megabytesPerSecond),
  ]

  /// Returns what a name says.
  static func meaning(_ name: String) -> Meaning {
    let words = words(name)
    if words.isEmpty { return .unknown }
    if let meaning = rate(words) { return meaning }
    let lower = words.map { $0.lowercased() }.filter { !fillers.contains($0) }
    if lower.contains("bytes") || lower.contains("byte") {
      let rest = lower.filter { $0 != "bytes" && $0 != "byte" }
      if rest.contains(where: sums.contains), rest.allSatisfy((sums + byteNames).contains) {
        return .totalBytes
      }
      return rest.allSatisfy((byteNames + ["dl", "down"]).contains) ? .bytes : .unknown
    }
    let units = lower.compactMap { word in timeUnits.first { $0.names.contains(word) }?.unit }
    let rest = lower.filter { word in
      !timeNames.contains(word) && !timeUnits.contains { $0.names.contains(word) }
    }
    guard rest.isEmpty, units.count <= 1, !lower.isEmpty else { return .unknown }
    return .time(units.first)
  }

  /// Returns the rate that words name; nil if they name none.
  private static func rate(_ words: [String]) -> Meaning? {
    let named = words.prefix { rateNames.contains($0.lowercased()) }
    let rest = words.dropFirst(named.count).filter { $0.lowercased() != "per" && $0 != "in" }
    if rest.isEmpty { return named.isEmpty ? nil : .rate(nil) }
    // `rate_kbps_dl` and the like: what is left may stand before or behind the unit.
    let unit = rest.filter { !rateNames.contains($0.lowercased()) }
    let joined = unit.joined()
    let isShouted = !joined.contains { $0.isLowercase }
    for (names, unit) in rateUnits {
      if names.contains(joined) { return .rate(unit) }
      // Only a capital B before a small letter tells bytes from bits.
      if names.contains(joined.lowercased()), isShouted || !joined.contains("B") {
        return .rate(unit)
      }
    }
    if named.isEmpty { return nil }
    return .unknown
  }

  private static func kind(_ name: String) -> TraceKind? {
    let words = words(name).map { $0.lowercased() }
    if words.contains("throughput") || words.contains("goodput") { return .goodput }
    if words.contains("capacity") || words.contains("bandwidth") || words.contains("bw") {
      return .capacity
    }
    return nil
  }

  /// The words of a name: between signs, and where a capital follows a small letter.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    for character in name {
      let isPart = character.isLetter || character.isNumber
      let begins = character.isUppercase && last.isLowercase && !isUnit(word + "\(character)")
      if !isPart || begins, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if isPart { word.append(character) }
      last = character
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Whether a capital goes on with a unit: `kB` is one word.
  private static func isUnit(_ text: String) -> Bool { text == "kB" }
}
