import Autowait

/// Writing a scenario with all that it includes.
extension ScenarioReader {
  /// Returns the scenario as one line of JSON in which every link is spelled out.
  ///
  /// A link that is named again stands there by its name, so that it is one link in a replay too.
  /// Files too large to be embedded stay names; `inputs` has their digests.
  func resolved(_ root: JSONValue, seed: UInt64?) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    if root.member("autowait") == nil { writer.field("autowait", Scenario.formatVersion) }
    if let seed, root.member("seed") == nil { writer.field("seed", seed) }
    for member in root.members {
      guard let name = member.key.string, name != "$schema", name != "inputs" else { continue }
      writer.key(text: name)
      switch name {
      case "seed":
        if let seed { writer.integer(seed) } else { writer.value(member.value) }
      case "link": writeLink(member.value, &writer)
      case "script": writeArray(member.value, conditionsAt: ["link"], &writer)
      default: writeWithStreams(member.value, &writer)
      }
    }
    writer.endObject()
    return writer.bytes
  }

  /// Writes a value in which streams and movies on disk and named heuristics are spelled out.
  private func writeWithStreams(_ value: JSONValue, _ writer: inout JSONWriter) {
    let isOutside = { (place: Int) in !value.range.contains(place) }
    if hlsFolders.allSatisfy({ isOutside($0.place) }),
      movieFiles.allSatisfy({ isOutside($0.place) }),
      resolvedHeuristics.allSatisfy({ isOutside($0.place) })
    {
      writer.value(value)
    } else if let resolved = resolvedHeuristics.first(where: { $0.place == value.range.lowerBound })
    {
      HeuristicWriter.write(
        resolved.policy, resolved.name, resolved.latency, over: resolved.inherited, into: &writer)
    } else if let hlsFolder = hlsFolders.first(where: { $0.place == value.range.lowerBound }),
      value.kind == .object
    {
      writer.beginObject()
      StreamMediaWriter.write(
        hlsFolder.stream.streamMedia, hlsFolder.stream.names, keyHost: hlsFolder.stream.keyHost,
        into: &writer)
      writeMembers(of: value, MediaKeys.common.map { $0.name } + ["failures"], &writer)
      writer.endObject()
    } else if let file = movieFiles.first(where: { $0.place == value.range.lowerBound }),
      value.kind == .object
    {
      writer.object { writer in
        write(file.media, &writer)
        writeMembers(of: value, MediaKeys.common.map { $0.name }, &writer)
      }
    } else if value.kind == .array {
      writer.array(value.elements) { writeWithStreams($1, &$0) }
    } else {
      writeObject(value, &writer) { _, value, writer in writeWithStreams(value, &writer) }
    }
  }

  /// Writes what an item of a file is, as the keys say it that stand for one without the file.
  private func write(_ media: Media, _ writer: inout JSONWriter) {
    let isLocal = media.source == .local
    MediaKeys.kind.write(isLocal ? .local : .progressive, into: &writer)
    MediaKeys.duration.write(media.duration, into: &writer, .bare)
    MediaKeys.size.write(media.size.wholeBytes, into: &writer)
    MediaKeys.header.write(media.headerSize, into: &writer)
    if !isLocal { MediaKeys.index.write(media.indexPlacement, into: &writer) }
    if let interval = media.keyFrameInterval {
      MediaKeys.keyFrameInterval.write(interval, into: &writer, .bare)
    }
    if let color = media.color { MediaKeys.color.write(color, into: &writer) }
    if let end = media.videoEnd { MediaKeys.videoDuration.write(end, into: &writer, .bare) }
    if let end = media.audioEnd { MediaKeys.audioDuration.write(end, into: &writer, .bare) }
  }

  /// Writes those members of an object that have one of some names.
  private func writeMembers(
    of object: JSONValue, _ names: [String], _ writer: inout JSONWriter
  ) {
    for member in object.members {
      guard let name = member.key.string, names.contains(name) else { continue }
      writer.key(text: name)
      writer.value(member.value)
    }
  }

  private func writeLink(_ value: JSONValue, _ writer: inout JSONWriter) {
    if value.kind == .array {
      writeArray(value, conditionsAt: ["use"], &writer)
    } else {
      writeCondition(value, &writer)
    }
  }

  /// Writes a condition; a string that stands first for its link is replaced by the link.
  ///
  /// Where an object is a change of another link, the key `whole` says that it is none.
  private func writeCondition(
    _ value: JSONValue, _ writer: inout JSONWriter, isChange: Bool = false
  ) {
    guard let text = LinkReader.text(of: value), let condition = links.known(text) else {
      writeLinkObject(value, &writer)
      return
    }
    // A file that others begin with, too, is read twice, and what it names stands there once.
    guard let mention = links.mention(at: value), spelled.take(condition) else {
      writer.string(text: links.conditions[condition].name)
      return
    }
    guard let link = mention.object else {
      writer.value(value)
      return
    }
    writeLinkObject(link, &writer, name: links.conditions[condition].name, isWhole: isChange)
  }

  /// Writes a link that is spelled out, with the links that it names.
  private func writeLinkObject(
    _ link: JSONValue, _ writer: inout JSONWriter, name: String? = nil, isWhole: Bool = false
  ) {
    if link.kind != .object {
      writer.value(link)
      return
    }
    writer.beginObject()
    if let name, link.member("name") == nil { writer.field("name", text: name) }
    if isWhole { writer.field("whole", true) }
    for member in link.members {
      guard let key = member.key.string, !isWhole || key != "whole" else { continue }
      writer.key(text: key)
      if key == "use" {
        writeStart(member.value, &writer)
      } else if ["events", "match"].contains(key), member.value.kind == .array {
        writeArray(member.value, conditionsAt: ["profile"], changesAt: ["to", "use"], &writer)
      } else {
        writer.value(member.value)
      }
    }
    writer.endObject()
  }

  /// Writes the link that another one begins with.
  private func writeStart(_ value: JSONValue, _ writer: inout JSONWriter) {
    switch links.spelling(at: value) {
    case .object(let link, let name)?: writeLinkObject(link, &writer, name: name)
    case .name(let name)?: writer.string(text: name)
    case nil: writeLinkObject(value, &writer)
    }
  }

  /// Writes an array of objects in which links stand at some keys, and changes of links at others.
  private func writeArray(
    _ array: JSONValue, conditionsAt conditions: [String], changesAt changes: [String] = [],
    _ writer: inout JSONWriter
  ) {
    writer.array(array.elements) { writer, element in
      writeObject(element, &writer) { key, value, writer in
        if conditions.contains(key) || changes.contains(key) {
          writeCondition(value, &writer, isChange: changes.contains(key))
        } else {
          writer.value(value)
        }
      }
    }
  }

  private func writeObject(
    _ object: JSONValue, _ writer: inout JSONWriter,
    _ write: (String, JSONValue, inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    for member in object.members {
      guard let name = member.key.string else { continue }
      writer.key(text: name)
      write(name, member.value, &writer)
    }
    writer.endObject()
  }
}

/// The links that stand in a log already.
final class SpelledLinks {
  private var numbers: [Int] = []

  /// Takes note of a link; returns whether it was not there.
  func take(_ number: Int) -> Bool {
    if numbers.contains(number) { return false }
    numbers.append(number)
    return true
  }
}
