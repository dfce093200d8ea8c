import Autowait

/// A link by itself, as a command names it: the name of a preset, or what a file holds.
package struct StandaloneLink: Sendable {
  /// What the link is called.
  package let name: String
  /// The link, and behind it those that its handovers and its hosts lead to.
  package let links: [LinkProfile]
  /// How requests are carried over it; nil if it is ideal.
  package let policy: TransportPolicy?
  /// How exactly it asks to be modelled; nil for what suits it.
  package let tier: LinkTier?
  /// What its rates were measured as, if it says so.
  package let traceKind: TraceKind?
  /// The numbers drawn for it.
  package let draws: Int64

  /// Reads the preset of a name, drawn under a seed; random outages are drawn until an instant.
  ///
  /// With lints the findings also tell of what is valid, but hardly meant.
  package static func read(
    preset name: String, seed: UInt64 = 0, until horizon: Instant, lints: Bool = false
  ) -> (link: StandaloneLink?, findings: [Finding]) {
    var quoted = JSONWriter()
    quoted.string(text: name)
    let source = SourceText(path: "", bytes: quoted.bytes)
    let (link, findings) = read(source, loader: .none, seed: seed, until: horizon, lints: lints)
    // What is said of the name has no place in a file.
    let told = findings.map { finding in
      finding.path.isEmpty
        ? Finding(finding.severity, finding.message, path: name, notes: finding.notes) : finding
    }
    return (link, told)
  }

  /// Returns whether a file is a trace or profile of another tool, by the looks of it.
  package static func isTrace(_ source: SourceText) -> Bool {
    traceFormat(source) != nil
  }

  /// Returns the format of another tool that a file seems to have.
  static func traceFormat(_ source: SourceText) -> TraceFormat? {
    let format = try? TraceRecognition.format(of: ByteSource(source), TraceOptions())
    return format == .link ? nil : format
  }

  /// Reads a trace as the link that it becomes when it is converted, up to an instant.
  package static func read(
    trace source: ByteSource, until horizon: Instant
  ) -> (link: StandaloneLink?, findings: [Finding]) {
    var options = TraceOptions()
    options.until = horizon - .start
    options.place = .command
    let reading = TraceReader.read(source, options)
    guard let converted = reading.link else { return (nil, reading.findings) }
    let text = SourceText(path: source.path, bytes: LinkWriter.write(converted))
    let (link, findings) = read(text, loader: .none, until: horizon)
    return (link, reading.findings + findings)
  }

  /// Reads the link that a file holds, drawn under a seed; random outages are drawn until an
  /// instant.
  package static func read(
    _ source: SourceText, loader: FileLoader, seed: UInt64 = 0, until horizon: Instant,
    lints: Bool = false
  ) -> (link: StandaloneLink?, findings: [Finding]) {
    let findings = Findings(source)
    guard let root = findings.parseJSON() else { return (nil, findings.sorted) }
    var reader = LinkReader(findings, loader: loader, seed: seed)
    let number = reader.condition(root, findings)
    let transport = reader.transport(nil, at: root)
    if lints, !findings.hasErrors { reader.lint(transport) }
    let links = findings.hasErrors ? [] : reader.finish(horizon: horizon)
    guard let number, !findings.hasErrors else { return (nil, findings.sorted) }
    let condition = reader.conditions[number]
    let link = StandaloneLink(
      name: condition.name, links: links, policy: transport.policy, tier: transport.tier,
      traceKind: condition.traceKind, draws: reader.draws)
    return (link, findings.sorted)
  }
}

extension LinkPreset {
  /// Returns what a check warns of in a scenario that has a link of this name.
  package static func warnings(of name: String) -> [String] {
    StandaloneLink.read(preset: name, until: .start, lints: true).findings
      .filter { $0.severity == .warning }.map { $0.message }
  }
}
