import Autowait

/// Reads traces and profiles of any format.
package enum TraceReader {
  /// Reads a file; with an error among the findings there is no link.
  ///
  /// Formats whose lines stand for themselves are read as a stream, in memory that depends on the
  /// changes of the rate that are needed and not on the length of the file.
  package static func read(_ source: ByteSource, _ options: TraceOptions = .init()) -> TraceReading
  {
    var reading = TraceReading(format: options.format, link: nil, findings: [])
    do throws(TraceError) {
      let format: TraceFormat
      if let asked = options.format {
        format = asked
      } else {
        format = try TraceRecognition.format(of: source, options)
      }
      reading.format = format
      try read(source, format, options, &reading)
    } catch {
      reading.findings += error.findings
    }
    return reading
  }

  /// Reads a file of a format; of a table the reading says whether it has rates or bytes.
  private static func read(
    _ source: ByteSource, _ asked: TraceFormat, _ options: TraceOptions,
    _ reading: inout TraceReading
  ) throws(TraceError) {
    if options.columns != nil, !asked.isTable {
      throw TraceError(
        "'\(asked.rawValue)' is not a table, whose columns could be named", path: source.path)
    }
    guard let read = asked.row.read else {
      throw TraceError(
        "the format '\(asked.rawValue)' is written, not read", path: source.path,
        notes: [TraceFormat.listNote])
    }
    var link = try read(source, options, &reading)
    let format = reading.format ?? asked
    if link.kind == nil { link.kind = format.kind }
    if link.name.isEmpty { link.name = fileName(source.path) }
    if link.source.isEmpty, format != .link {
      link.source = "\(format.title): \(fileName(source.path))"
    }
    reading.link = link
  }

  /// Reads a trace of mahimahi for each direction.
  package static func readPair(
    down: ByteSource, up: ByteSource, _ options: TraceOptions = .init()
  ) -> TraceReading {
    var own = options
    own.format = .mahimahi
    let (first, second) = (read(down, own), read(up, own))
    var reading = first
    reading.findings += second.findings
    reading.link?.profile.up = second.link?.profile.down ?? LinkDirection()
    if second.link == nil { reading.link = nil }
    if let name = reading.link?.name, name.hasSuffix(".down") {
      reading.link?.name = String(name.dropLast(5))
    }
    reading.link?.source =
      "\(TraceFormat.mahimahi.title): \(fileName(down.path)), \(fileName(up.path))"
    return reading
  }

  /// The last component of a path, which is what a trace is called that has no name.
  private static func fileName(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }
}
