import Autowait

/// The access log of an AVPlayerItem, by AVFoundation's names.
enum AccessLogFormat {
  static let row = TraceFormatRow(
    title: "an access log", record: "JSON or CSV by the names of AVFoundation", kind: .goodput,
    limit: "an access log has only the time in which data came: outages and pauses are not in it",
    column: "numberofbytestransferred",
    isMet: {
      ($0.isObject || $0.isArray) && $0.has("transferDuration", "numberOfBytesTransferred")
    },
    read: { (source, options, reading) throws(TraceError) in
      let start = try source.peek(TraceRecognition.peekedMax)
      if !TraceRecognition.isJSON(start) {
        return ConvertedLink(name: "", LinkProfile(try table(source, options)))
      }
      let document = TraceFormatRow.document("an access log") { root, findings, options in
        events(root, findings, options).map { ConvertedLink(name: "", LinkProfile($0)) }
      }
      return try document(source, options, &reading)
    })

  /// Reads the access log of an AVPlayerItem: a list of events by AVFoundation's names.
  ///
  /// An event says how many bytes came while requests were open; the events are joined, because
  /// what lay between them is not told.
  private static func events(
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
  private static func table(
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
