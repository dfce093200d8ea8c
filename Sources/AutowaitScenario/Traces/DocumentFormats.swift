import Autowait

/// Formats that are JSON: other tools' keys may stand beside those that are read.
enum DocumentFormats {
  /// Reads a document and what it holds; throws all findings if one is an error.
  static func read<Value>(
    _ source: ByteSource, _ format: TraceFormat,
    _ body: (JSONValue, Findings) throws(TraceError) -> Value?
  ) throws(TraceError) -> (value: Value, findings: [Finding]) {
    let findings = Findings(try source.all(format.title))
    guard let root = findings.parseJSON() else { throw TraceError(findings.sorted) }
    let value = try body(root, findings)
    guard !findings.hasErrors, let value else { throw TraceError(findings.sorted) }
    return (value, findings.sorted)
  }

  /// Reads a network of Sabre, which starts again behind its last row.
  static func sabre(
    _ root: JSONValue, _ findings: Findings, _ options: TraceOptions
  ) -> LinkTrack? {
    guard root.kind == .array else {
      findings.errorWrongType(root, FieldLabel(subject: "a Sabre network"), "an array")
      return nil
    }
    var track = TrackBuilder(until: options.until)
    var unknown: [String] = []
    for element in root.elements {
      if track.isEnough { break }
      warn(ofKeys: element, &unknown, findings)
      var fields = FieldReader(element, "a row of the network", findings)
      let length = fields.required("duration_ms", .nearest(.milliseconds))
      let rate = fields.required("bandwidth_kbps", .rate(.kilobits))
      let latency = fields.required("latency_ms", .nearest(.milliseconds))
      guard let length, let rate, let latency else { continue }
      if length == 0 {
        fields.warning("a row of no duration is left out", at: "duration_ms")
      }
      findings.add(
        TimeSpan(nanoseconds: length), rate,
        delay: TimeSpan(nanoseconds: latency), to: &track, at: element)
    }
    return findings.finished(track, options.ending ?? .loop, root, "the network has no rows")
  }

  /// Warns of the keys of a row that Sabre does not read, of each once.
  private static func warn(
    ofKeys row: JSONValue, _ unknown: inout [String], _ findings: Findings
  ) {
    let known = ["duration_ms", "bandwidth_kbps", "latency_ms"]
    guard row.kind == .object, unknown.count < 10 else { return }
    for member in row.members where !known.contains(where: { member.key.isString($0) }) {
      let key = member.key
      guard let name = key.string, !unknown.contains(name) else { continue }
      unknown.append(name)
      findings.warning(
        "the unknown key '\(name.excerpt)' is not read", at: key,
        notes: NearestWord.hint(for: name, among: known))
    }
  }

  /// Reads a profile of Augmented Traffic Control (`atc_thrift.thrift`).
  static func atc(_ root: JSONValue, _ findings: Findings) -> ConvertedLink? {
    var fields = FieldReader(root, "an ATC profile", findings)
    let name = fields.optional("name", .string) ?? ""
    // Its files hold the directions below a key; its interface takes them as they are.
    let key = ["shaping", "content"].first { root.member($0) != nil }
    var inner = key.flatMap { fields.object($0, "the shaping") } ?? fields
    guard let down = atcDirection(&inner, "down", findings),
      let up = atcDirection(&inner, "up", findings)
    else { return nil }
    return ConvertedLink(name: name, LinkProfile(down: down, up: up))
  }

  /// Reads a direction; ATC's own files spell some of their numbers as strings.
  private static func atcDirection(
    _ fields: inout FieldReader, _ name: String, _ findings: Findings
  ) -> LinkDirection? {
    guard var direction = fields.requiredObject(name, "an ATC profile") else { return nil }
    let bits = direction.required("rate", .nearest(.kilobits, orText: true))
    var result = LinkDirection()
    if var delay = direction.object("delay", "the delay") {
      let length = delay.optional("delay", .nearest(.milliseconds, orText: true)) ?? 0
      let jitter = delay.optional("jitter", .nearest(.milliseconds, orText: true)) ?? 0
      result.track = LinkTrack(rate: .unlimited, delay: TimeSpan(nanoseconds: length))
      // Without a table netem deviates evenly.
      if jitter > 0 { result.jitter = Jitter(deviation: TimeSpan(nanoseconds: jitter)) }
      delay.warnOfCorrelation()
    }
    if var loss = direction.object("loss", "the loss") {
      if let chance = loss.optional("percentage", .percent), chance > .never {
        result.loss = .bernoulli(chance)
      }
      loss.warnOfCorrelation()
    }
    if var reorder = direction.object("reorder", "the reordering") {
      let chance = reorder.optional("percentage", .percent) ?? .never
      let gap = reorder.optional("gap", .packets) ?? 0
      if chance > .never {
        result.reorder = Reordering(chance: chance, gap: max(1, Int(gap)))
      }
      reorder.warnOfCorrelation()
    }
    if var corruption = direction.object("corruption", "the corruption"),
      let chance = corruption.optional("percentage", .percent), chance > .never
    {
      corruption.warning("packets are never corrupted here", at: "percentage")
    }
    guard let bits else { return nil }
    // ATC leaves a direction alone whose rate is 0.
    let rate = bits == 0 ? BitRate.unlimited : BitRate(bitsPerSecond: bits)
    result.track = LinkTrack(rate: rate, delay: result.track.samples[0].delay)
    return result
  }

  /// Reads the access log of an AVPlayerItem: a list of events by AVFoundation's names.
  ///
  /// An event says how many bytes came while requests were open; the events are joined, because
  /// what lay between them is not told.
  static func accessLog(
    _ root: JSONValue, _ findings: Findings, _ options: TraceOptions
  ) -> LinkTrack? {
    let list = root.kind == .object ? root.member("events") ?? root.member("accessLog") : root
    guard let list, list.kind == .array else {
      findings.error("an access log must be a list of events, or an object with one", at: root)
      return nil
    }
    var track = TrackBuilder(until: options.until)
    for element in list.elements {
      if track.isEnough { break }
      var fields = FieldReader(element, "an event of the access log", findings)
      let isUnknown = ["transferDuration", "numberOfBytesTransferred"].contains {
        // AVFoundation shows what it does not know as a negative number.
        element.member($0)?.decimal?.isNegative == true
      }
      if isUnknown { continue }
      let span = fields.required("transferDuration", .nearest(.seconds))
      let size = fields.required("numberOfBytesTransferred", .nearest(.bytes))
      guard let span, let size, span > 0 else { continue }
      let length = TimeSpan(nanoseconds: span)
      guard let rate = TraceRate(ByteCount(bytes: size), in: length) else {
        findings.error("the rate is above the limit of 1 Tbit/s", at: element)
        continue
      }
      findings.add(length, rate, to: &track, at: element)
    }
    return findings.finished(
      track, options.ending ?? .offline, list, "no event in the log describes a transfer")
  }

  /// Reads the same as a table with the same names.
  static func accessLogTable(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> LinkTrack {
    var table = try ColumnReader(source)
    let columns = (
      try table.column("transferDuration"), try table.column("numberOfBytesTransferred")
    )
    var track = TrackBuilder(until: options.until)
    while !track.isEnough, try table.advance() {
      let isUnknown = [columns.0, columns.1].contains {
        table.isMissing($0) || table.text($0).hasPrefix("-")
      }
      if isUnknown { continue }
      let lines = table.lines
      let span = try lines.time(table.cells[columns.0], .seconds, "the duration")
      let size = try lines.value(table.cells[columns.1], .bytes, "the number of bytes")
      if span == .zero { continue }
      try lines.add(span, try lines.rate(ByteCount(bytes: size), span), to: &track)
    }
    return try track.finished(
      options.ending ?? .offline, or: "no event in the log describes a transfer", source.path)
  }
}

extension FieldReader {
  /// Reports a warning about the value of a key.
  func warning(_ message: String, at name: String) {
    if let value = object?.member(name) { findings.warning(message, at: value) }
  }

  /// Reports that a correlation other than 0 is not read.
  fileprivate mutating func warnOfCorrelation() {
    if let number = optional("correlation", .decimalOrText), !number.isZero {
      warning("a correlation is not read: packets are treated independently", at: "correlation")
    }
  }
}

extension FieldKind where Value == Int64 {
  /// A number of packets, which a string may spell.
  fileprivate static var packets: FieldKind {
    spelled("a whole number of packets") { number in
      guard case .exact(let count) = number.integer(scaledBy: 1), 0...Int64(Int32.max) ~= count
      else { return nil }
      return count
    }
  }
}

extension FieldKind where Value == Probability {
  /// A chance in percent, to the nearest billionth; a string may spell it.
  static var percent: FieldKind {
    spelled("a percentage from 0 to 100") { Probability.percent($0) }
  }
}

extension Findings {
  /// Adds a piece to a track, or reports that it cannot be added.
  func add(
    _ length: TimeSpan, _ rate: TraceRate, delay: TimeSpan = .zero, to track: inout TrackBuilder,
    at value: JSONValue
  ) {
    do throws(TraceWriter.TraceProblem) {
      try track.add(length, rate, delay: delay)
    } catch {
      self.error(error.message, at: value, notes: error.notes)
    }
  }

  /// Returns a track, or reports that there is none.
  func finished(
    _ track: TrackBuilder, _ ending: TraceEnding, _ value: JSONValue, _ message: String
  ) -> LinkTrack? {
    if let result = track.track(ending) { return result }
    if !hasErrors { error(message, at: value) }
    return nil
  }
}
