import Autowait

/// Reading links that are traces in the formats of other tools.
extension LinkReader {
  /// A trace as a scenario names it.
  struct TraceFile {
    let path: String
    var format: TraceFormat?
    var profileName: String?
    var columns: TableColumns?

    /// The text that stands for the same trace wherever it is named.
    var text: String {
      if format == nil, profileName == nil, columns == nil { return path }
      let text = "\(path) \(format?.rawValue ?? "") \(profileName ?? "")"
      return columns.map { "\(text) \($0.text)" } ?? text
    }
  }

  /// What the format of another tool is called that a file seems to have.
  static func traceTitle(_ source: SourceText) -> String? {
    StandaloneLink.traceFormat(source)?.title
  }

  /// Returns the trace that a string names: a path with an extension that is no name of a link.
  static func traceFile(_ name: String) -> TraceFile? {
    let file = name.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...]
    guard file.contains(UInt8(ascii: ".")), !name.utf8.contains(UInt8(ascii: "@")) else {
      return nil
    }
    let isPreset = LinkPreset.all.contains { $0.name == name }
    return isPreset ? nil : TraceFile(path: name)
  }

  /// Returns the text that stands for a condition: a name, a path, or the trace of an object.
  static func text(of value: JSONValue) -> String? {
    guard value.kind == .object, let path = value.member("trace")?.string else {
      return value.string
    }
    return TraceFile(
      path: path,
      format: value.member("format")?.string.flatMap { TraceFormat(rawValue: $0) },
      profileName: value.member("profile")?.string,
      columns: value.member("columns")?.string.flatMap { try? TableColumns($0) }
    ).text
  }

  /// Reads an object that names a trace.
  mutating func trace(_ value: JSONValue, _ findings: Findings) -> Int? {
    guard let file = Self.traceFile(value, findings) else { return nil }
    return known(file.text) ?? trace(file, value, findings)
  }

  /// Reads how an object names a trace.
  private static func traceFile(_ value: JSONValue, _ findings: Findings) -> TraceFile? {
    var fields = FieldReader(value, TraceKeys.object, findings)
    let path = fields.required(TraceKeys.trace)
    let format = fields.optional(TraceKeys.format)
    let profileName = fields.optional(TraceKeys.profile)
    let columns = fields.optional(TraceKeys.columns)
    fields.finish()
    guard let path, !findings.hasErrors else { return nil }
    return TraceFile(path: path, format: format, profileName: profileName, columns: columns)
  }

  /// Reads a trace as far as the run may need it.
  ///
  /// It becomes a link as `autowait convert` would write it, which is what logs embed, or name by
  /// its digest.
  mutating func trace(_ file: TraceFile, _ value: JSONValue, _ findings: Findings) -> Int? {
    guard let (layer, isSmall) = traceLayer(file, value, findings) else { return nil }
    let origin = Origin(
      fallbackName: file.path, mention: (text: file.text, value: value, isEmbedded: isSmall))
    let number = profile(layer.object, layer.findings, origin)
    if let number, let track = layer.track { conditions[number].profile.fillIn(track) }
    return number
  }

  /// Returns the link that a trace becomes, and whether logs embed it.
  mutating func traceLayer(
    _ file: TraceFile, _ value: JSONValue, _ findings: Findings
  ) -> (layer: Layer, isSmall: Bool)? {
    if file.path.isEmpty {
      findings.error("'trace' needs the path of a file", at: value)
      return nil
    }
    switch loader.open(file.path, self.findings.source.path) {
    case .failure(let problem):
      findings.error("the trace '\(file.path.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      var options = TraceOptions()
      options.format = file.format
      options.profileName = file.profileName
      options.columns = file.columns
      options.until = loader.readsWholeTraces ? nil : traceUntil
      options.place = .scenario
      let reading = TraceReader.read(source, options)
      for finding in reading.findings { self.findings.adopt(finding) }
      guard let link = reading.link else { return nil }
      if let format = reading.format, format != .link {
        loader.onTrace?(
          TraceSummary(link, format, path: source.path, until: options.until))
      }
      var (digest, count) = (ByteDigest(), 0)
      LinkWriter.write(link) { piece in
        digest.add(piece)
        count += piece.count
      }
      let isSmall = count <= Self.embeddedMax
      if !isSmall {
        inputs.append(InputFile(path: file.path, digest: digest.fingerprint.value))
      }
      let text = LinkWriter.write(link.outline)
      let inner = Findings(SourceText(path: source.path, bytes: text))
      guard let root = inner.parseJSON() else {
        preconditionFailure("a converted link is not JSON")
      }
      return (Layer(object: root, findings: inner, track: link.profile), isSmall)
    }
  }

  /// Finds the trace that another link begins with.
  mutating func startOfTrace(_ value: JSONValue, _ findings: Findings) -> Start? {
    guard let file = Self.traceFile(value, findings) else { return nil }
    return start(file, value, findings)
  }

  /// Finds the trace that another link begins with, by its path.
  mutating func start(
    _ file: TraceFile, _ value: JSONValue, _ findings: Findings
  ) -> Start? {
    if let known = known(file.text) {
      spellings.append(Spelling(value: value, text: .name(conditions[known].name)))
      return (known, [], conditions[known].name)
    }
    guard let (layer, isSmall) = traceLayer(file, value, findings) else { return nil }
    let name = layer.object.member("name")?.string ?? file.path
    if isSmall {
      spellings.append(Spelling(value: value, text: .object(layer.object, name: name)))
    }
    return (nil, [layer], name)
  }
}

extension ConvertedLink {
  /// The link with no more of a long track than what says how it is read: its file would be
  /// hundreds of megabytes.
  fileprivate var outline: ConvertedLink {
    var outline = self
    outline.profile.down.track = profile.down.track.outline
    outline.profile.up.track = profile.up.track.outline
    return outline
  }
}

extension LinkProfile {
  /// Puts long tracks in the place of their outlines.
  mutating func fillIn(_ whole: LinkProfile) {
    if whole.down.track.samples.isPacked { down.track = whole.down.track }
    if whole.up.track.samples.isPacked { up.track = whole.up.track }
  }
}

extension LinkTrack {
  /// The first samples of a long track, with a loss if there is one, a delay that changes if it
  /// does, and the ending; another track as it is.
  fileprivate var outline: LinkTrack {
    guard samples.isPacked else { return self }
    var second = samples[1]
    if let late = samples.first(where: { $0.delay != samples[0].delay }) {
      second.delay = late.delay
    }
    if let lossy = samples.first(where: { $0.loss != nil }) { second.loss = lossy.loss }
    return LinkTrack([samples[0], second], ending: ending)
  }
}
