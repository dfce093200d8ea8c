import Autowait

/// A link by itself, as a command names it: the name of a preset, or the path of a file.
public struct NamedLink: Sendable {
  /// What the link is called.
  public let name: String
  /// The link, and behind it those that its handovers and its hosts lead to.
  public let links: [LinkProfile]
  /// How requests are carried over it; nil if it is ideal.
  public let policy: TransportPolicy?
  /// How exactly it is to be modelled; nil for what suits it.
  public let tier: LinkTier?
  /// The numbers drawn for it.
  public let draws: Int64

  /// The name of the place in which a name stands that no file holds.
  private static let place = "LINK"

  /// Reads the preset of a name, drawn under a seed; random outages are drawn until an instant.
  public static func read(
    preset name: String, seed: UInt64, until horizon: Instant
  ) -> (link: NamedLink?, findings: [Finding]) {
    var quoted = JSONWriter()
    quoted.string(text: name)
    let source = SourceText(path: place, bytes: quoted.bytes)
    return read(source, loader: .none, seed: seed, until: horizon)
  }

  /// Reads the link that a file holds, drawn under a seed; random outages are drawn until an
  /// instant.
  public static func read(
    _ source: SourceText, loader: FileLoader, seed: UInt64, until horizon: Instant
  ) -> (link: NamedLink?, findings: [Finding]) {
    let findings = Findings(source)
    guard let root = findings.parseJSON() else { return (nil, findings.sorted) }
    var reader = LinkReader(findings, loader: loader, seed: seed)
    guard let number = reader.condition(root, findings), !findings.hasErrors else {
      return (nil, findings.sorted)
    }
    let transport = reader.transport(nil, at: root)
    let links = reader.finish(horizon: horizon)
    if findings.hasErrors { return (nil, findings.sorted) }
    let link = NamedLink(
      name: reader.conditions[number].name, links: links, policy: transport.policy,
      tier: transport.tier, draws: reader.draws)
    return (link, findings.sorted)
  }
}
