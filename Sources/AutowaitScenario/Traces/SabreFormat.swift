import Autowait

/// The networks of Sabre: durations, bandwidths and latencies.
enum SabreFormat {
  static let row = TraceFormatRow(
    title: "a Sabre network", record: "JSON: duration_ms, bandwidth_kbps, latency_ms",
    kind: .goodput,
    isMet: { start in
      let isEmpty = start.text.dropFirst().drop { $0.isWhitespace }.hasPrefix("]")
      return start.isArray && (isEmpty || start.has("duration_ms", "latency_ms"))
    },
    read: TraceFormatRow.document("a Sabre network") { root, findings, options in
      read(root, findings, options).map { ConvertedLink(name: "", LinkProfile(roundTrips: $0)) }
    },
    writing: .init(
      parts: [.delays, .idealTransport], unlimited: { _ in "1 Tbit/s stands" }, isLoop: true
    ) { link, until in WrittenLink(bytes: write(link.profile, until)) })

  /// Reads a network of Sabre, which starts again behind its last row.
  private static func read(
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

  private static func write(_ profile: LinkProfile, _ until: TimeSpan?) -> [UInt8] {
    let track = FiniteTrack(profile.down.track, until: until).adding(delaysOf: profile.up.track)
    var text = Array("[".utf8)
    var writer = JSONWriter(.compact, capacity: 128)
    for index in track.samples.indices {
      text += (index == 0 ? "\n  " : ",\n  ").utf8
      writer.removeAll()
      writer.beginObject()
      writer.field("duration_ms", track.length(index).nanoseconds, of: 1_000_000)
      writer.field("bandwidth_kbps", track.samples[index].rate.bitsPerSecond, of: 1_000)
      writer.field("latency_ms", track.samples[index].delay.nanoseconds, of: 1_000_000)
      writer.endObject()
      writer.withBytes { text += $0 }
    }
    return text + "\n]\n".utf8
  }
}
