import Autowait

/// A link that is read by itself, outside of a scenario.
public struct NamedLink: Sendable {
  /// What it is called.
  public let name: String
  /// The link, and behind it those that it leads to.
  public let links: [LinkProfile]
  /// How requests are carried over it; nil for an ideal link.
  public let transport: TransportPolicy?
  /// How exactly it asks to be modelled; nil for what suits it.
  public let tier: LinkTier?
  /// What its rates were measured as, if it says so.
  public let traceKind: TraceKind?

  /// Reads a link that a name or a path stands for; with an error among the findings there is none.
  ///
  /// Its outages are those before the end of a run that lasts until the horizon. With lints the
  /// findings also tell of what is valid, but hardly meant.
  public static func read(
    _ name: String, loader: FileLoader, seed: UInt64 = 0, horizon: Instant, lints: Bool = false
  ) -> (link: NamedLink?, findings: [Finding]) {
    var writer = JSONWriter()
    writer.string(text: name)
    let source = SourceText(path: "", bytes: writer.bytes)
    let findings = Findings(source)
    var links = LinkReader(findings, loader: loader, seed: seed)
    guard let value = findings.parseJSON() else { return (nil, findings.sorted) }
    _ = links.world(value)
    let transport = links.transport(nil, at: value)
    if lints, !findings.hasErrors { links.lint(transport) }
    let profiles = findings.hasErrors ? [] : links.finish(horizon: horizon)
    // What is said of the name has no place in a file.
    let told = findings.sorted.map { finding in
      finding.path.isEmpty
        ? Finding(finding.severity, finding.message, path: name, notes: finding.notes) : finding
    }
    guard !findings.hasErrors, let first = links.conditions.first else { return (nil, told) }
    let link = NamedLink(
      name: first.name, links: profiles, transport: transport.policy, tier: transport.tier,
      traceKind: first.traceKind)
    return (link, told)
  }
}

extension LinkPreset {
  /// Returns what a check warns of in a scenario that has a link of this name.
  public static func warnings(of name: String) -> [String] {
    NamedLink.read(name, loader: .none, horizon: .start, lints: true).findings
      .filter { $0.severity == .warning }.map(\.message)
  }
}
