import Autowait

/// The connectivity profiles of WebPageTest (`connectivity.ini`).
enum ConnectivityFormat {
  /// The packets that wait: what netem, which carries out the profiles on Linux, has by default.
  static let queuePackets = 1_000

  /// A section: its name, and its values with their places.
  private struct Section {
    let name: String
    var rates: [String: Int64] = [:]
    var label: String?
    var loss = Probability.never
  }

  static let row = TraceFormatRow(
    title: "WebPageTest profiles", record: "ini: bwIn, bwOut in bit/s, latency in ms",
    kind: .capacity, hasProfiles: true, isMet: { $0.hasSections },
    read: { (source, options, _) throws(TraceError) in try read(source, options) })

  /// Reads a file: `bwIn` and `bwOut` in bit/s, `latency` as a round trip in ms, `plr` in percent.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    let lines = LineReader(source)
    var choice = ProfileChoice(options, "profile")
    var section: Section?
    var chosen: ConvertedLink?
    while try lines.advance() {
      let text = trimmed(lines)
      guard let first = text.first.map({ lines.bytes[$0] }) else { continue }
      switch first {
      case UInt8(ascii: ";"), UInt8(ascii: "#"): continue
      case UInt8(ascii: "["):
        if let section, choice.offers(section.name) { chosen = try link(section, lines) }
        guard text.count > 2, lines.bytes[text.upperBound - 1] == UInt8(ascii: "]") else {
          throw lines.error("a section must be a name in brackets", at: text)
        }
        section = Section(name: lines.text(text.lowerBound + 1..<text.upperBound - 1))
      default:
        try read(text, lines, into: &section)
      }
    }
    if let section, choice.offers(section.name) { chosen = try link(section, lines) }
    try choice.check(source.path)
    guard let chosen else { throw TraceError("the file has no profiles", path: source.path) }
    return chosen
  }

  /// Reads a key and its value.
  private static func read(
    _ text: Range<Int>, _ lines: LineReader, into section: inout Section?
  ) throws(TraceError) {
    guard let equals = lines.bytes[text].firstIndex(of: UInt8(ascii: "=")) else {
      throw lines.error("a line must be a section, or a key, an equals sign and a value", at: text)
    }
    guard section != nil else {
      throw lines.error("a key must stand in a section", at: text)
    }
    let key = trimmed(lines, text.lowerBound..<equals)
    let value = trimmed(lines, equals + 1..<text.upperBound)
    switch lines.text(key) {
    case "bwIn": section?.rates["bwIn"] = try lines.value(value, .bits, "'bwIn'")
    case "bwOut": section?.rates["bwOut"] = try lines.value(value, .bits, "'bwOut'")
    case "latency":
      section?.rates["latency"] = try lines.value(value, .milliseconds, "'latency'")
    case "plr":
      guard let number = ExactDecimal(lines.text(value)), let loss = Probability.percent(number)
      else { throw lines.error("'plr' must be a percentage from 0 to 100", at: value) }
      section?.loss = loss
    case "label": section?.label = lines.text(value)
    // Time limits and the like are of no concern to the link.
    default: break
    }
  }

  private static func link(
    _ section: Section, _ lines: LineReader
  ) throws(TraceError) -> ConvertedLink {
    func value(_ key: String) throws(TraceError) -> Int64 {
      if let value = section.rates[key] { return value }
      throw TraceError(
        "the profile '\(section.name.excerpt)' needs the key '\(key)'", path: lines.path)
    }
    let roundTrip = try value("latency")
    let (down, up) = (try value("bwIn"), try value("bwOut"))
    // WebPageTest takes a rate of 0 for no limit.
    func direction(_ bits: Int64, _ delay: Int64) -> LinkDirection {
      let rate = bits == 0 ? BitRate.unlimited : BitRate(bitsPerSecond: bits)
      var direction = LinkDirection(
        LinkTrack(rate: rate, delay: TimeSpan(nanoseconds: delay)))
      direction.queue = .packets(queuePackets)
      if section.loss > .never { direction.loss = .bernoulli(section.loss) }
      return direction
    }
    let half = roundTrip / 2
    return ConvertedLink(
      name: section.name, source: section.label ?? "",
      LinkProfile(down: direction(down, roundTrip - half), up: direction(up, half)))
  }

  private static func trimmed(_ lines: LineReader) -> Range<Int> { trimmed(lines, lines.line) }

  /// Returns a part of a line without the spaces and quotation marks around it.
  private static func trimmed(_ lines: LineReader, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, lines.bytes[start] <= 0x20 { start += 1 }
    while start < end, lines.bytes[end - 1] <= 0x20 { end -= 1 }
    let quote = UInt8(ascii: "\"")
    if end - start >= 2, lines.bytes[start] == quote, lines.bytes[end - 1] == quote {
      return start + 1..<end - 1
    }
    return start..<end
  }
}
