import Autowait

/// Measurements of broadband in America by the FCC.
enum FCCFormat {
  static let row = TraceFormatRow(
    title: "an FCC measurement", record: "CSV: bytes_sec per unit_id and target", kind: .goodput,
    hasProfiles: true, column: "unit_id",
    read: { (source, options, _) throws(TraceError) in try read(source, options) })

  /// What a line of the FCC's measurements holds, in Pensieve's use of them; assumed.
  private static let step = TimeSpan.seconds(5)

  /// Reads the FCC's measurements of one unit against one target, the first or the one named.
  ///
  /// They are minutes apart. As in the traces that Pensieve made of them, each holds for five
  /// seconds and the next follows at once.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> ConvertedLink {
    var table = try ColumnReader(source)
    let keys = (try table.column("unit_id"), try table.column("target"))
    let rate = try table.column("bytes_sec")
    var track = TrackBuilder(until: options.until)
    var chosen = options.profileName
    while !track.isEnough, try table.advance() {
      let name = "\(table.text(keys.0))/\(table.text(keys.1))"
      guard name == chosen ?? name else { continue }
      chosen = name
      let lines = table.lines
      let value = try lines.rate(table.cells[rate], .bytesPerSecond, "the rate")
      try lines.add(step, value, to: &track)
    }
    guard let chosen, let result = track.track(options.ending ?? .offline) else {
      throw TraceError(
        chosen.map { "the file has no measurements of '\($0.excerpt)'" }
          ?? "the file has no measurements", path: source.path,
        notes: chosen == nil ? [] : ["a series is named UNIT_ID/TARGET"])
    }
    return ConvertedLink(name: chosen, LinkProfile(result))
  }
}
