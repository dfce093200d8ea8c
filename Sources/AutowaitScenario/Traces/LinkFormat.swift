import Autowait

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
  static let row = TraceFormatRow(
    title: "a link of autowait", record: "JSON: rate, delay, loss, queue, both directions",
    read: TraceFormatRow.document("a link of autowait") { root, findings, options in
      var link = read(root, findings, options.loader)
      if let own = link?.profile {
        link?.profile.down.track = own.down.track.changed(options)
        link?.profile.up.track = own.up.track.changed(options)
      }
      return link
    },
    writing: .init(parts: Set(LinkPart.all).subtracting([.handovers])) { link, _ in
      WrittenLink(bytes: LinkWriter.write(link))
    })

  /// Reads a link.
  private static func read(
    _ root: JSONValue, _ findings: Findings, _ loader: FileLoader = .none
  ) -> ConvertedLink? {
    var reader = LinkReader(findings, loader: loader, seed: 0)
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
    if link.own.events != nil { warn(of: condition.happening?.object.member("events"), findings) }
    warn(of: condition.object?.member("match"), findings)
    return link
  }

  /// Warns of files that what is written goes on naming: they are found from where they lie now.
  private static func warn(of value: JSONValue?, _ findings: Findings) {
    guard let elements = value?.elements else { return }
    for element in elements {
      for key in ["to", "use"] {
        guard let name = element.member(key), let path = name.string, path.hasSuffix(".json")
        else { continue }
        findings.warning(
          "what is written names the link '\(path.excerpt)' as this file does, and must lie in the "
            + "same folder", at: name)
      }
    }
  }

  /// Returns what only a link of our own says.
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
