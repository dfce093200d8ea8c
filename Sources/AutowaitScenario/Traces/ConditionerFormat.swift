import Autowait

/// The profiles of Apple's Network Link Conditioner, in its preferences.
enum ConditionerFormat {
  /// The packets that wait: what dummynet makes of the size of 0 that the conditioner gives it.
  static let queuePackets = 50

  static let row = TraceFormatRow(
    title: "Network Link Conditioner profiles",
    record: "XML property list with a dictionary Profiles", kind: .capacity, hasProfiles: true,
    isMet: { $0.text.hasPrefix("<") || $0.text.hasPrefix("bplist") },
    read: { (source, options, reading) throws(TraceError) in
      let findings = Findings(try source.all("Network Link Conditioner profiles"))
      let link = try read(findings, options)
      guard let link, !findings.hasErrors else { throw TraceError(findings.sorted) }
      reading.findings += findings.sorted
      return link
    },
    writing: .init(
      parts: [.delays, .upwardRate, .losses, .queueOfDummynet, .names],
      grain: (1_000_000, "cut to whole milliseconds"), isCapacity: true
    ) { (link, _) throws(TraceWriter.TraceProblem) in WrittenLink(bytes: try write(link)) })

  /// Reads a profile.
  private static func read(
    _ findings: Findings, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink? {
    guard let root = PropertyListParser.parse(findings) else { return nil }
    guard let profiles = root.member("Profiles"), case .dictionary(let members) = profiles.content
    else {
      let keys = NearestWord.quotedList(root.keys.prefix(10).map { $0.excerpt })
      findings.error(
        "this is a property list of something else: it has no dictionary 'Profiles'",
        at: root.range.lowerBound..<min(root.range.lowerBound + 6, root.range.upperBound),
        notes: (root.keys.isEmpty ? [] : ["its keys are: \(keys)"]) + [
          "the conditioner's list is com.apple.network.prefPaneSimulate.plist"
        ])
      return nil
    }
    var choice = ProfileChoice(options, "profile")
    var chosen: ConvertedLink?
    for (name, value) in members where choice.offers(name) {
      chosen = link(name, value, findings)
    }
    try choice.check(findings.source.path)
    return chosen
  }

  private static func link(
    _ name: String, _ value: PropertyListValue, _ findings: Findings
  ) -> ConvertedLink? {
    guard case .dictionary = value.content else {
      findings.error("the profile must be a dictionary", at: value.range)
      return nil
    }
    warn(ofKeys: value, findings)
    var reader = ProfileReader(value, findings)
    let down = reader.direction("Downlink")
    let up = reader.direction("Uplink")
    var profile = LinkProfile(down: down, up: up)
    profile.names.delay = reader.milliseconds("DNSDelayValue")
    return ConvertedLink(name: name, profile)
  }

  /// The keys that profiles have, with those that do not change what a link does.
  private static let keys =
    ["Downlink", "Uplink"].flatMap { name in
      ["Bandwidth", "BandwidthUnit", "Delay", "PacketLossRatio"].map { name + $0 }
    } + ["DNSDelayValue", "ProtocolFamily", "RunOnInterface", "ExcludeLoopback", "Preset", "name"]

  /// Warns of keys that no profile has: what is meant by them would not be there.
  private static func warn(ofKeys profile: PropertyListValue, _ findings: Findings) {
    guard case .dictionary(let members) = profile.content else { return }
    let free = keys.filter { profile.member($0) == nil }
    for (key, value) in members where !keys.contains(key) {
      findings.warning(
        "the unknown key '\(key.excerpt)' is not read", at: value.range,
        notes: NearestWord.hint(for: key, among: free))
    }
  }

  /// Reads the keys of a profile.
  private struct ProfileReader {
    let profile: PropertyListValue
    let findings: Findings

    init(_ profile: PropertyListValue, _ findings: Findings) {
      self.profile = profile
      self.findings = findings
    }

    /// Reads a direction; what a profile leaves out is not changed by the conditioner.
    mutating func direction(_ name: String) -> LinkDirection {
      let isMega = number("\(name)BandwidthUnit").map { !$0.number.isZero } ?? false
      var rate = BitRate.unlimited
      if let (number, range) = number("\(name)Bandwidth"), !number.isZero {
        rate.bitsPerSecond = read(number, isMega ? .megabits : .kilobits, "\(name)Bandwidth", range)
      }
      let delay = milliseconds("\(name)Delay")
      var direction = LinkDirection(LinkTrack(rate: rate, delay: delay))
      direction.queue = .packets(queuePackets)
      if let (number, range) = number("\(name)PacketLossRatio") {
        if let chance = Probability.percent(number) {
          if chance > .never { direction.loss = .bernoulli(chance) }
        } else {
          findings.error(
            "'\(name)PacketLossRatio' must be a percentage from 0 to 100", at: range)
        }
      }
      return direction
    }

    /// Reads a time, which the conditioner cuts to whole milliseconds.
    mutating func milliseconds(_ key: String) -> TimeSpan {
      guard let (number, range) = number(key) else { return .zero }
      let time = read(number, .milliseconds, key, range)
      let whole = time / 1_000_000 * 1_000_000
      if whole != time {
        findings.warning(
          "'\(key)' is cut to whole milliseconds, as the conditioner does", at: range)
      }
      return TimeSpan(nanoseconds: whole)
    }

    private func read(
      _ number: ExactDecimal, _ unit: TraceUnit, _ key: String, _ range: Range<Int>
    ) -> Int64 {
      switch unit.value(number) {
      case .success(let value): return value
      case .failure(let problem):
        findings.error("'\(key)' \(problem.reason)", at: range)
        return 0
      }
    }

    /// Returns the number of a key; tools that write text into the preferences spell it as one.
    private func number(_ key: String) -> (number: ExactDecimal, range: Range<Int>)? {
      guard let value = profile.member(key) else { return nil }
      switch value.content {
      case .number(let number): return (number, value.range)
      case .bool(let isTrue): return (ExactDecimal(isTrue ? 1 : 0), value.range)
      case .string(let text): if let number = ExactDecimal(text) { return (number, value.range) }
      case .dictionary, .array, .other: break
      }
      findings.error("'\(key)' must be a number", at: value.range)
      return nil
    }
  }
}

/// Writing a profile for the conditioner.
extension ConditionerFormat {
  /// Returns the property list with one profile in it, or why there is none.
  private static func write(_ link: ConvertedLink) throws(TraceWriter.TraceProblem) -> [UInt8] {
    let (down, up) = (link.profile.down, link.profile.up)
    for direction in [down, up] where direction.track.samples.count > 1 {
      throw TraceWriter.TraceProblem(
        message: "the conditioner has no rates that change",
        notes: ["'--to dnctl' and '--to tc' write scripts that change them"])
    }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#, "<dict>", "  <key>Profiles</key>", "  <dict>",
      "    <key>\(escaped(link.name))</key>", "    <dict>",
      row("DNSDelayValue", milliseconds(link.profile.names.delay)),
    ]
    lines += rows("Downlink", down)
    lines += [
      "      <key>ExcludeLoopback</key>", "      <true/>", row("ProtocolFamily", 0),
      "      <key>RunOnInterface</key>", "      <string>All</string>",
    ]
    lines += rows("Uplink", up)
    lines += [
      "    </dict>", "  </dict>", "  <key>SelectedProfile</key>",
      "  <string>\(escaped(link.name))</string>", "</dict>", "</plist>", "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func rows(_ name: String, _ direction: LinkDirection) -> [String] {
    let sample = direction.track.samples[0]
    let bits = sample.rate == .unlimited ? 0 : sample.rate.bitsPerSecond
    var loss = sample.loss?.billionths ?? 0
    if case .bernoulli(let chance) = direction.loss, sample.loss == nil {
      loss = chance.billionths
    }
    // A rate of 0 means none that is set: a link that is down loses everything instead.
    if sample.rate == .zero { loss = 1_000_000_000 }
    return [
      number("\(name)Bandwidth", bits, unit: 1_000), row("\(name)BandwidthUnit", 0),
      row("\(name)Delay", milliseconds(sample.delay)),
      number("\(name)PacketLossRatio", loss, unit: 10_000_000),
    ]
  }

  private static func milliseconds(_ span: TimeSpan) -> Int64 { span.nanoseconds / 1_000_000 }

  private static func row(_ key: String, _ value: Int64) -> String {
    "      <key>\(key)</key>\n      <integer>\(value)</integer>"
  }

  /// A number that is written as a whole one if it is one.
  private static func number(_ key: String, _ value: Int64, unit: Int64) -> String {
    if value % unit == 0 { return row(key, value / unit) }
    return "      <key>\(key)</key>\n      <real>\(value.fixedPoint(unit))</real>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
