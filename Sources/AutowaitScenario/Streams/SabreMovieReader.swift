import Autowait

/// Reads a film of Sabre: a length for all segments, the bit rates, and the bits of each segment in
/// each of them.
///
/// Bits that are no whole byte count as one: the stream is asked for in bytes.
enum SabreMovieReader {
  /// Reads a stream from the file that `movie` names; nil if it is wrong.
  static func read(_ fields: inout FieldReader, loader: FileLoader) -> StreamReading? {
    let findings = fields.findings
    let path = fields.required(MovieKeys.movie)
    var reading: StreamReading?
    if let path {
      switch loader.load(path, findings.source.path) {
      case .success(let source): reading = movie(source, findings)
      case .failure(let problem):
        fields.error("the file '\(path.excerpt)' \(problem.reason)", at: "movie")
      }
    }
    guard var reading, !findings.hasErrors else {
      for key in ["rewrite", "failures"] { _ = fields.value(key) }
      return nil
    }
    reading.finish(&fields)
    return findings.hasErrors ? nil : reading
  }

  /// Reads the file; what is wrong with it is reported with it.
  private static func movie(_ source: SourceText, _ outer: Findings) -> StreamReading? {
    let findings = Findings(source)
    let reading = findings.parseJSON().flatMap { root -> StreamReading? in
      var movie = FieldReader(root, "a film", findings)
      let duration = movie.required("segment_duration_ms", number(times: 1_000_000))
      let rates = movie.required("bitrates_kbps", .list(of: rate))
      let row = FieldKind<[Int64]>.list(of: number(times: 1))
      let sizes = movie.required("segment_sizes_bits", .list(of: row))
      _ = movie.others()
      guard let duration, let rates, let sizes, !findings.hasErrors,
        let place = root.member("segment_sizes_bits")
      else { return nil }
      return stream((duration, rates, sizes), at: place, findings)
    }
    for finding in findings.sorted { outer.adopt(finding) }
    return findings.hasErrors ? nil : reading
  }

  private static func stream(
    _ film: (duration: Int64, rates: [Int64], sizes: [[Int64]]), at place: JSONValue,
    _ findings: Findings
  ) -> StreamReading? {
    let (duration, rates, sizes) = film
    if rates.isEmpty || sizes.isEmpty || rates.count > StreamReader.listsMax {
      findings.error(
        "a film needs a segment, and 1 to \(StreamReader.listsMax) bit rates", at: place)
      return nil
    }
    if sizes.count > StreamReader.segmentsMax / rates.count
      || duration > Limits.mediaMax.nanoseconds / Int64(sizes.count)
    {
      findings.error("the film is too long", at: place)
      return nil
    }
    if let short = sizes.firstIndex(where: { $0.count != rates.count }) {
      findings.error(
        "segment \(short) needs a size for each of \(rates.count) bit rates", at: place)
      return nil
    }
    let lists = rates.indices.map { quality in
      SegmentList(
        sizes.map { row in
          let bytes = row[quality] / 8 + (row[quality] % 8 > 0 ? 1 : 0)
          return (MediaTime(nanoseconds: duration), ByteCount(bytes: bytes))
        })
    }
    let names = rates.map { Quantity.bitRate.text($0) }
    let variants = rates.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
    }
    return StreamReading(
      streamMedia: StreamMedia(variants: variants, lists: lists),
      names: StreamNames(variants: names, lists: names, keyCount: 0))
  }

  /// A rate in kbit/s, to the nearest bit per second: that of a film is often a mean.
  private static var rate: FieldKind<Int64> {
    FieldKind(.any) { value, label, findings in
      guard let rate = FieldKind<TraceRate>.rate(.kilobits).read(value, label, findings) else {
        return nil
      }
      if rate.nearest > .zero { return rate.nearest.bitsPerSecond }
      findings.error("\(label) must be more than 0", at: value)
      return nil
    }
  }

  /// A number above zero that is whole when it is multiplied, up to what any of them can be.
  private static func number(times factor: Int64) -> FieldKind<Int64> {
    FieldKind(.any) { value, label, findings in
      guard let decimal = FieldKind<ExactDecimal>.decimal.read(value, label, findings) else {
        return nil
      }
      if case .exact(let whole) = decimal.integer(scaledBy: factor), whole > 0,
        whole <= Limits.bitRateMax.bitsPerSecond
      {
        return whole
      }
      findings.error(
        "\(label) must be more than 0, and a whole number of 1/\(factor) within the limits",
        at: value)
      return nil
    }
  }
}
