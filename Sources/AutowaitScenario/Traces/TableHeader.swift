import Autowait

/// The line that names the columns of a table, and what the names mean.
///
/// A table of somebody's own is read by its names or not at all: the same two numbers may be a
/// rate, bytes that arrived, or the weather.
struct TableHeader {
  /// What a column counts, as its name says.
  enum Meaning: Equatable {
    /// Times; nil without a unit, which is seconds then.
    case time(TraceUnit?)
    /// How long each row lasts; nil without a unit.
    case length(TraceUnit?)
    /// Rates; nil without a unit.
    case rate(TraceUnit?)
    /// Bytes that arrived since the line before.
    case bytes
    /// Bytes that arrived in all so far.
    case totalBytes
    /// Nothing that a link is made of.
    case unknown

    /// Whether it is a time, or a length of time.
    var isTime: Bool {
      switch self {
      case .time, .length: true
      case .rate, .bytes, .totalBytes, .unknown: false
      }
    }

    /// Whether it is a rate with a unit, or bytes.
    var isValue: Bool {
      switch self {
      case .rate(let unit): unit != nil
      case .bytes, .totalBytes: true
      case .time, .length, .unknown: false
      }
    }

    /// Whether it is bytes, since the line before or in all.
    var isBytes: Bool { self == .bytes || self == .totalBytes }
  }

  /// The parts of a line.
  struct Line {
    let separator: UInt8?
    let cells: [Range<Int>]
  }

  /// Why names do not describe a table.
  struct NamesProblem: Error {
    let message: String
    let notes: [String]
  }

  /// What separates the columns; nil for spaces.
  let separator: UInt8?
  /// The names of all columns.
  let names: [String]
  /// The number of the column with times.
  let time: Int
  /// Whether these are not times, but how long each row lasts.
  let isLength: Bool
  /// The unit of the times.
  let timeUnit: TraceUnit
  /// Whether the header names that unit.
  let namesTimeUnit: Bool
  /// The number of the column with rates or bytes.
  let value: Int
  /// The unit of the rates; nil if the column has bytes.
  let rateUnit: TraceUnit?
  /// Whether the bytes are those that arrived in all so far.
  let isTotal: Bool
  /// What the rates were measured as, if the name says it.
  let kind: TraceKind?

  /// Whether the table has bytes that arrived.
  var hasBytes: Bool { rateUnit == nil }

  /// What is to be said of the columns that are not read; nil if there are none.
  var unread: String? {
    let rest = names.indices.filter { $0 != time && $0 != value }.map { "'\(names[$0].excerpt)'" }
    if rest.isEmpty { return nil }
    return rest.count == 1
      ? "the column \(rest[0]) is not read"
      : "the columns \(rest.joined(separator: ", ")) are not read"
  }

  /// The separators in the order in which they are looked for.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]

  /// Takes a line apart at the first of some separators that it has, or at its spaces.
  static func split(
    _ lines: LineReader, _ order: [UInt8] = separators
  ) throws(TraceError) -> Line {
    let bytes = lines.bytes[lines.line]
    for separator in order where bytes.contains(separator) {
      return Line(separator: separator, cells: try lines.cells(separator))
    }
    let words = lines.words()
    // A sign of comment before the names is none of them.
    let isMarked = words.count > 1 && lines.text(words[0]) == "#"
    return Line(separator: nil, cells: isMarked ? Array(words.dropFirst()) : words)
  }

  /// Whether a line names columns: a cell of it is no number.
  static func isHeader(_ line: Line, _ lines: LineReader) -> Bool {
    line.cells.contains { ExactDecimal(lines.text($0)) == nil }
  }

  /// Reads the names in a line, or says what they would have to be.
  init(_ line: Line, _ lines: LineReader, _ options: TraceOptions) throws(TraceError) {
    do throws(NamesProblem) {
      try self.init(line.cells.map { lines.text($0) }, separator: line.separator, options)
    } catch {
      throw lines.error(error.message, at: lines.line, notes: error.notes)
    }
  }

  /// Reads names, or says what they would have to be.
  init(
    _ names: [String], separator: UInt8?, _ options: TraceOptions
  ) throws(NamesProblem) {
    let meanings = names.map(Self.meaning)
    let times = meanings.indices.filter { meanings[$0].isTime }
    var values = meanings.indices.filter { meanings[$0].isValue }
    // Of two columns the other one is meant, and what it lacks can be said.
    if names.count == 2, times.count == 1 { values = [1 - times[0]] }
    guard times.count == 1, values.count == 1 else {
      throw Self.refusal(names, Self.doubt(names, times, values), options)
    }
    let unit: TraceUnit?
    switch meanings[times[0]] {
    case .length(let named):
      let name = names[times[0]].excerpt
      guard let named else {
        throw Self.refusal(names, "'\(name)' names no unit, as '\(name)_ms' would", options)
      }
      (unit, isLength) = (named, true)
    case .time(let named): (unit, isLength) = (named, false)
    case .rate, .bytes, .totalBytes, .unknown: preconditionFailure("a time is none")
    }
    self.names = names
    self.separator = separator
    time = times[0]
    timeUnit = unit ?? .seconds
    namesTimeUnit = unit != nil
    value = values[0]
    let other = names[value]
    isTotal = meanings[value] == .totalBytes
    switch meanings[value] {
    case .rate(let rate?):
      rateUnit = rate
      kind = Self.kind(other)
    case .bytes, .totalBytes:
      rateUnit = nil
      kind = .goodput
    case .rate(nil):
      let reason = "'\(other.excerpt)' names no unit, as '\(other.excerpt)_kbps' would"
      throw Self.refusal(names, reason, options)
    case .time, .length, .unknown:
      let reason =
        Self.almostBytes([other])
        ?? "'\(other.excerpt)' names neither a rate with its unit nor bytes"
      throw Self.refusal(names, reason, options)
    }
  }

  /// Returns what keeps names apart from a table, if it is that there are too many of them.
  private static func doubt(_ names: [String], _ times: [Int], _ values: [Int]) -> String? {
    if values.count > 1 {
      return
        "'\(names[values[0]].excerpt)' and '\(names[values[1]].excerpt)' are both rates or bytes"
    }
    if times.count > 1 {
      return "'\(names[times[0]].excerpt)' and '\(names[times[1]].excerpt)' are both times"
    }
    if times.isEmpty, names.count == 1 { return "no column says how long a line lasts" }
    return values.isEmpty ? almostBytes(names) : times.isEmpty ? "no column names a time" : nil
  }

  /// Returns why names that speak of bytes do not say which, or how many.
  private static func almostBytes(_ names: [String]) -> String? {
    for name in names {
      let words = words(name)
      if let unit = words.first(where: largeUnits.contains) {
        return "'\(name.excerpt)' counts in \(unit), and amounts are read in bytes only"
      }
      if words.count == 1, amountsOfBits.contains(where: { $0.name == words[0].lowercased() }) {
        return "'\(name.excerpt)' does not say whether it is per second or since the line before"
      }
      if words.contains(where: { ["bytes", "byte"].contains($0.lowercased()) }) {
        return "'\(name.excerpt)' does not say whether its bytes are 'bytes' or a 'total'"
      }
    }
    return nil
  }

  private static func refusal(
    _ names: [String], _ reason: String?, _ options: TraceOptions
  ) -> NamesProblem {
    let quoted = names.prefix(8).map { "'\($0.excerpt)'" }
    let list =
      quoted.count == 2 ? quoted.joined(separator: " and ") : quoted.joined(separator: ", ")
    let subject = quoted.count == 1 ? "the column \(list) is" : "the columns \(list) are"
    // No words about columns make bytes of what counts something larger.
    let answers =
      names.contains { words($0).contains(where: largeUnits.contains) }
      ? [] : ["or whatever the names: " + options.place.columnsMeans(example(names))]
    return NamesProblem(
      message: subject + " not a time and a rate or bytes",
      notes: (reason.map { [$0] } ?? []) + [
        "a time is named time_s, timestamp_ms, t, seconds and the like, a length duration_ms",
        "a rate is named with its unit: bandwidth_kbps, throughput_mbps, rate (Mbit/s), MB/s",
        "bytes are named bytes if they arrived since the line before, and total_bytes if in all",
      ] + answers)
  }

  /// Returns the columns as somebody could describe them, where the names let them be guessed.
  private static func example(_ names: [String]) -> String {
    let meanings = names.map(meaning)
    if names.count == 1 {
      if meanings[0] == .totalBytes { return "every:1s,total" }
      return "every:1s," + (meanings[0] == .bytes ? "bytes" : exampleOfRate(names[0]))
    }
    let time = meanings.firstIndex { $0.isTime } ?? 0
    let bytes = names.firstIndex { words($0).contains { $0.lowercased() == "bytes" } }
    let value = meanings.firstIndex { $0.isValue } ?? bytes ?? (time == 0 ? 1 : 0)
    let columns = names.indices.prefix(100).map { index in
      if index == time { return example(meanings[index]) }
      if index != value { return "-" }
      return bytes == value ? "bytes" : exampleOfRate(names[index])
    }
    return columns.joined(separator: ",")
  }

  /// Returns how somebody could describe a column of rates.
  private static func exampleOfRate(_ name: String) -> String {
    let word = words(name).first?.lowercased()
    return "rate:" + (amountsOfBits.first { $0.name == word }?.unit ?? "kbit/s")
  }

  /// Returns how somebody could describe a column of times.
  private static func example(_ meaning: Meaning) -> String {
    switch meaning {
    case .time(let unit): "time:\(unit.map(word) ?? "s")"
    case .length(let unit): "for:\(unit.map(word) ?? "ms")"
    case .rate, .bytes, .totalBytes, .unknown: "time:s"
    }
  }
}
