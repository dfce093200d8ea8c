import Autowait

/// A stream in a file of its own: a playlist, a scenario that has one, or a scenario's medium.
package struct StreamFile: Sendable {
  /// The stream.
  package let streamMedia: StreamMedia
  /// What its parts are called.
  package let names: StreamNames
  /// The host of the keys, if it has another name than that of the media.
  package let keyHost: String?

  /// Reads a stream; with an error among the findings there is none.
  package static func read(
    _ source: SourceText, loader: FileLoader
  ) -> (stream: StreamFile?, findings: [Finding]) {
    if PlaylistReader.isPlaylist(source) { return readPlaylist(source, loader) }
    if ScenarioReader.isScenario(source) { return readScenario(source, loader) }
    let findings = Findings(source)
    guard let root = findings.parseJSON() else { return (nil, findings.sorted) }
    let stream = medium(root, findings, loader)
    return (findings.hasErrors ? nil : stream, findings.sorted)
  }

  private static func medium(
    _ root: JSONValue, _ findings: Findings, _ loader: FileLoader
  ) -> StreamFile? {
    var fields = FieldReader(root, "a stream", findings)
    _ = fields.optional("kind", .word([("hls", true)]))
    _ = ScenarioReader.Common(&fields)
    let read = StreamReading.read(&fields, loader: loader, seed: 0, item: 0)
    fields.finish()
    return read.stream.map {
      StreamFile(streamMedia: $0.streamMedia, names: $0.names, keyHost: $0.keyHost)
    }
  }

  /// Reads a playlist as a scenario would that names it.
  private static func readPlaylist(
    _ source: SourceText, _ loader: FileLoader
  ) -> (stream: StreamFile?, findings: [Finding]) {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.field("playlist", text: FilePath.split(source.path).name)
    writer.endObject()
    let findings = Findings(SourceText(path: source.path, bytes: writer.bytes))
    let stream = findings.parseJSON().flatMap { medium($0, findings, loader) }
    // What is said of the text above is meant for the whole file.
    let whole = Findings(source)
    for finding in findings.sorted {
      let isAbove = finding.path == source.path && finding.sourceLine.hasPrefix("{\"playlist\":")
      whole.adopt(
        isAbove
          ? Finding(finding.severity, finding.message, path: source.path, notes: finding.notes)
          : finding)
    }
    return (findings.hasErrors ? nil : stream, whole.sorted)
  }

  private static func readScenario(
    _ source: SourceText, _ loader: FileLoader
  ) -> (stream: StreamFile?, findings: [Finding]) {
    let (scenario, findings) = ScenarioReader.read(source, loader: loader)
    guard let scenario else { return (nil, findings) }
    let streams = zip(scenario.world.players, scenario.streamNames).flatMap { player, names in
      zip(player.media, names).compactMap { media, names in
        media.streamMedia.flatMap { streamMedia in names.map { (streamMedia, $0) } }
      }
    }
    guard let (streamMedia, names) = streams.first else {
      return (nil, findings + [Finding(.error, "the scenario has no stream", path: source.path)])
    }
    let stream = StreamFile(streamMedia: streamMedia, names: names, keyHost: nil)
    if streams.count == 1 { return (stream, findings) }
    let warning = "the scenario has \(streams.count) streams; the first one is taken"
    return (stream, findings + [Finding(.warning, warning, path: source.path)])
  }
}
