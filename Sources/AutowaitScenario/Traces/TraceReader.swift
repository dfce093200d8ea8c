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
    var format = asked
    var link: ConvertedLink
    if format == .rates || format == .bytes {
      let table = try TableReader.read(source, options, &reading.findings)
      link = table.link
      format = table.hasBytes ? .bytes : .rates
    } else if options.columns != nil {
      throw TraceError(
        "'\(format.rawValue)' is not a table, whose columns could be named", path: source.path)
    } else {
      link = try self.link(source, format, options, &reading.findings)
    }
    if link.kind == nil { link.kind = format.kind }
    if format == .link {
      link.profile.down.track = link.profile.down.track.changed(options)
      link.profile.up.track = link.profile.up.track.changed(options)
    }
    if link.name.isEmpty { link.name = fileName(source.path) }
    if link.source.isEmpty, format != .link {
      link.source = "\(format.title): \(fileName(source.path))"
    }
    reading.format = format
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

  private static func link(
    _ source: ByteSource, _ format: TraceFormat, _ options: TraceOptions,
    _ warnings: inout [Finding]
  ) throws(TraceError) -> ConvertedLink {
    func plain(_ track: LinkTrack) -> ConvertedLink { ConvertedLink(name: "", LinkProfile(track)) }
    func document<Value>(
      _ body: (JSONValue, Findings) throws(TraceError) -> Value?
    ) throws(TraceError) -> Value {
      let (value, findings) = try DocumentFormats.read(source, format, body)
      warnings += findings
      return value
    }
    switch format {
    case .mahimahi: return plain(try MahimahiFormat.read(source, options))
    case .pensieve: return plain(try TableFormats.pensieve(source, options, &warnings))
    case .hsdpa, .ghent: return plain(try TableFormats.log(source, options))
    case .fcc: return try ColumnFormats.fcc(source, options)
    case .irish4g:
      return plain(try ColumnFormats.irish(source, options, hasPings: false, &warnings))
    case .irish5g:
      let track = try ColumnFormats.irish(source, options, hasPings: true, &warnings)
      return ConvertedLink(name: "", LinkProfile(roundTrips: track))
    case .errant: return try ColumnFormats.errant(source, options)
    case .wpt: return try ConnectivityFormat.read(source, options)
    case .sabre:
      let track = try document { DocumentFormats.sabre($0, $1, options) }
      return ConvertedLink(name: "", LinkProfile(roundTrips: track))
    case .har:
      let track = try document { HARFormat.read($0, $1, options) }
      return ConvertedLink(name: "", LinkProfile(roundTrips: track))
    case .atc: return try document { DocumentFormats.atc($0, $1) }
    case .link: return try document { LinkFormat.read($0, $1) }
    case .accesslog:
      let start = try source.peek(TraceRecognition.peekedMax)
      if TraceRecognition.isJSON(start) {
        return plain(try document { DocumentFormats.accessLog($0, $1, options) })
      }
      return plain(try DocumentFormats.accessLogTable(source, options))
    case .nlc:
      let findings = Findings(try source.all(format.title))
      let link = try ConditionerFormat.read(findings, options)
      guard let link, !findings.hasErrors else { throw TraceError(findings.sorted) }
      warnings += findings.sorted
      return link
    case .bytes, .rates: return try TableReader.read(source, options, &warnings).link
    case .tc, .dnctl:
      throw TraceError(
        "the format '\(format.rawValue)' is written, not read", path: source.path,
        notes: [TraceFormat.listNote])
    }
  }

  /// The last component of a path, which is what a trace is called that has no name.
  private static func fileName(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }
}

extension LinkTrack {
  /// Returns the track as far as it is needed, with the ending that is wanted.
  fileprivate func changed(_ options: TraceOptions) -> LinkTrack {
    if samples.count == 1, ending == .hold { return self }
    if options.until == nil, options.ending == nil { return self }
    let finite = FiniteTrack(self)
    let end = min(finite.end, options.until ?? finite.end)
    return LinkTrack(
      finite.samples(before: end), ending: (options.ending ?? ending.kind).ending(after: end))
  }
}

/// Links as this simulator's own files spell them.
package enum LinkFormat {
  /// Reads a link.
  static func read(_ root: JSONValue, _ findings: Findings) -> ConvertedLink? {
    var reader = LinkReader(findings, loader: .none, seed: 0)
    guard let number = reader.condition(root, findings) else { return nil }
    let condition = reader.conditions[number]
    // A built-in link is a name; its source stands in the object that the name stands for.
    func text(_ key: String) -> String { condition.object?.member(key)?.string ?? "" }
    for direction in ["down", "up"] {
      if let value = condition.object?.member(direction)?.member("random") {
        findings.warning("the random track is taken as it is drawn from the seed 0", at: value)
      }
    }
    var link = ConvertedLink(
      name: condition.name, source: text("source"), kind: condition.traceKind, condition.profile)
    link.about = text("about")
    link.confidence = LinkPreset.Confidence(rawValue: text("confidence"))
    link.own = ownParts(condition)
    return link
  }

  /// Returns what only a link of our own says; it names no files, because none could be read.
  private static func ownParts(_ condition: LinkReader.Condition) -> ConvertedLink.OwnParts {
    func json(_ key: String, of object: JSONValue?) -> [UInt8]? {
      object?.member(key).map { value in
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
      }
    }
    var own = ConvertedLink.OwnParts()
    own.transport = condition.transport
    let up = condition.profile.up.track.samples
    own.spellsUp =
      condition.isReal && condition.transport == nil && up.count == 1 && up[0].rate == .unlimited
    own.outage = condition.outage
    if condition.profile.events.contains(where: { $0.isHandover || $0.isOffline }) {
      own.events = json("events", of: condition.happening?.object)
    }
    own.hosts = json("match", of: condition.object)
    return own
  }

  /// Returns the link that is built in under a name, if there is one.
  package static func builtIn(_ name: String) -> ConvertedLink? {
    var writer = JSONWriter()
    writer.string(text: name)
    let findings = Findings(SourceText(path: name, bytes: writer.bytes))
    guard let root = findings.parseJSON(), let link = read(root, findings), !findings.hasErrors
    else { return nil }
    return link
  }
}
