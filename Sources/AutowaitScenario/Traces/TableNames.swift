/// What the names of columns mean.
extension TableHeader {
  static let timeNames = [
    "t", "ts", "time", "times", "timestamp", "timestamps", "elapsed", "clock", "at", "offset",
  ]
  static let lengthNames = ["duration", "durations", "dur"]
  static let rateNames = [
    "rate", "bandwidth", "bw", "throughput", "bitrate", "goodput", "capacity", "speed", "download",
    "downlink", "dl", "down", "link",
  ]
  static let byteNames = ["received", "arrived", "size", "delivered", "downloaded", "data"]
  static let sums = ["total", "cumulative", "cum", "sum", "accumulated", "acc"]
  /// Units of amounts that are not read: a table of them has lost what is below a unit.
  static let largeUnits = ["kB", "KB", "kb", "MB", "mb", "KiB", "MiB", "GB"]
  /// Names that may be a rate, or an amount, and what a rate of that would be.
  static let amountsOfBits = [
    (name: "bits", unit: "bit/s"), (name: "kbits", unit: "kbit/s"), (name: "mbits", unit: "Mbit/s"),
    (name: "gbits", unit: "Gbit/s"), (name: "kilobits", unit: "kbit/s"),
    (name: "megabits", unit: "Mbit/s"), (name: "gigabits", unit: "Gbit/s"),
  ]
  /// Words that change nothing.
  static let fillers = ["in", "per", "of", "since", "start", "the", "unix", "epoch"]

  /// The units of time, by their names in lower case.
  static let timeUnits: [(names: [String], unit: TraceUnit)] = [
    (["s", "sec", "secs", "second", "seconds"], .seconds),
    (["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], .milliseconds),
    (["us", "µs", "usec", "usecs", "micros", "microsecond", "microseconds"], .microseconds),
    (["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], .nanoseconds),
  ]

  /// Returns the word for a unit of time in a description of columns.
  static func word(of unit: TraceUnit) -> String {
    timeUnits.first { $0.unit == unit }?.names[0] ?? "s"
  }

  /// The units of rates, by what is left of their names without what separates words.
  static let rateUnits: [(names: [String], unit: TraceUnit)] = [
    (["bps", "bits", "bitss", "bitsps", "bitssecond", "bitssec", "bitps", "bitsecond"], .bits),
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
    guard units.count <= 1, !lower.isEmpty else { return .unknown }
    if rest.count == 1, lengthNames.contains(rest[0]) { return .length(units.first) }
    return rest.isEmpty ? .time(units.first) : .unknown
  }

  /// Returns the rate that words name; nil if they name none.
  static func rate(_ words: [String]) -> Meaning? {
    let named = words.prefix { rateNames.contains($0.lowercased()) }
    let rest = words.dropFirst(named.count).filter { $0.lowercased() != "per" && $0 != "in" }
    if rest.isEmpty { return named.isEmpty ? nil : .rate(nil) }
    // `rate_kbps_dl` and the like: what is left may stand before or behind the unit.
    let unit = rest.filter { !rateNames.contains($0.lowercased()) }
    let joined = unit.joined()
    if words.count == 1, amountsOfBits.contains(where: { $0.name == joined.lowercased() }) {
      return .unknown
    }
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

  static func kind(_ name: String) -> TraceKind? {
    let words = words(name).map { $0.lowercased() }
    if words.contains("throughput") || words.contains("goodput") { return .goodput }
    if words.contains("capacity") || words.contains("bandwidth") || words.contains("bw") {
      return .capacity
    }
    return nil
  }

  /// The words of a name: between signs, and where a capital follows a small letter.
  static func words(_ name: String) -> [String] {
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
  static func isUnit(_ text: String) -> Bool { text == "kB" }
}
