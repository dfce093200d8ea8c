import Autowait

/// Reading links that are traces in the formats of other tools.
extension LinkReader {
  /// A trace as a scenario names it.
  struct TraceFile {
    let path: String
    var format: TraceFormat?
    var profileName: String?

    /// The text that stands for the same trace wherever it is named.
    var text: String {
      if format == nil, profileName == nil { return path }
      return "\(path) \(format?.rawValue ?? "") \(profileName ?? "")"
    }
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
      profileName: value.member("profile")?.string
    ).text
  }

  /// Reads an object that names a trace.
  mutating func trace(_ value: JSONValue, _ findings: Findings) -> Int? {
    var fields = FieldReader(value, "a trace", findings)
    let path = fields.required("trace", .string)
    let formats = TraceFormat.allCases.filter(\.isRead).map { ($0.rawValue, $0) }
    let format = fields.optional("format", .word(formats))
    let profileName = fields.optional("profile", .string)
    fields.finish()
    guard let path, !findings.hasErrors else { return nil }
    let file = TraceFile(path: path, format: format, profileName: profileName)
    return known(file.text) ?? trace(file, value, findings)
  }

  /// Reads a trace as far as the run may need it.
  ///
  /// It becomes a link as `autowait convert` would write it, which is what logs embed, or name by
  /// its digest.
  mutating func trace(_ file: TraceFile, _ value: JSONValue, _ findings: Findings) -> Int? {
    switch loader.open(file.path, self.findings.source.path) {
    case .failure(let problem):
      findings.error("the trace '\(file.path.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      var options = TraceOptions()
      options.format = file.format
      options.profileName = file.profileName
      options.until = loader.readsWholeTraces ? nil : traceUntil
      options.place = .scenario
      let reading = TraceReader.read(source, options)
      for finding in reading.findings { self.findings.adopt(finding) }
      guard let link = reading.link else { return nil }
      let text = LinkWriter.write(link)
      let isSmall = text.count <= Self.embeddedMax
      if !isSmall {
        var fingerprint = Fingerprint()
        fingerprint.mix(bytes: text)
        inputs.append(InputFile(path: file.path, digest: fingerprint.value))
      }
      let inner = Findings(SourceText(path: source.path, bytes: text))
      guard let root = inner.parseJSON() else {
        preconditionFailure("a converted link is no JSON")
      }
      let origin = Origin(
        fallbackName: file.path, mention: (text: file.text, value: value, isEmbedded: isSmall))
      return profile(root, inner, origin)
    }
  }
}
