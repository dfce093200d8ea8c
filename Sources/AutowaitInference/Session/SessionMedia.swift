import Autowait
import AutowaitFidelity
import AutowaitScenario

/// A medium, and what its files are called in requests.
package struct SessionMedia: Sendable {
  package let medium: RecordedMedium
  private var resources: [String: RequestIndex.Resource] = [:]

  /// Creates the names of a medium; `start` is what its first playlist is called.
  init(_ medium: RecordedMedium, start: String?) {
    self.medium = medium
    guard case .stream(_, let variants, let sound) = medium.content else { return }
    if let start, medium.isMultivariant || variants[0].playlistName != start {
      resources[LogAddress.decoded(start)] = .multivariantPlaylist
    }
    for (list, rendition) in (variants + [sound].compactMap { $0 }).enumerated() {
      note(rendition.playlistName, .mediaPlaylist(list))
      if let name = rendition.initName { note(name, .initialization(list: list)) }
      for (number, name) in rendition.segmentNames.enumerated() {
        note(name, .segment(list: list, number: number))
      }
    }
  }

  private mutating func note(_ name: String, _ resource: RequestIndex.Resource) {
    let name = LogAddress.decoded(name)
    if resources[name] == nil { resources[name] = resource }
  }

  /// Returns what a path asks for: by the whole of it, or by as much of its end as is known.
  func resource(at path: String) -> RequestIndex.Resource? {
    if !medium.isStream { return .file }
    var rest = LogAddress.decoded(path)[...]
    while true {
      if let resource = resources[String(rest)] { return resource }
      if rest.hasPrefix("/") {
        rest = rest.dropFirst()
      } else if let slash = rest.firstIndex(of: "/") {
        rest = rest[rest.index(after: slash)...]
      } else {
        return nil
      }
    }
  }

  /// How large what a request is for is; nil if nobody says it.
  func size(of resource: RequestIndex.Resource?) -> ByteCount? {
    guard case .stream(let start, let variants, let sound) = medium.content else { return nil }
    let lists = variants + [sound].compactMap { $0 }
    switch resource {
    case .multivariantPlaylist: return start
    case .mediaPlaylist(let list) where lists.indices.contains(list):
      return lists[list].playlistSize
    case .initialization(let list) where lists.indices.contains(list): return lists[list].initSize
    case .segment(let list, let number)
    where lists.indices.contains(list) && lists[list].segments.indices.contains(number):
      return lists[list].segments[number].size
    case .file, .contentKey, .mediaPlaylist, .initialization, .segment, nil: return nil
    }
  }

  /// How long the media of a segment lasts; nil for anything else.
  func duration(of resource: RequestIndex.Resource?) -> TimeSpan? {
    guard case .segment(let list, let number) = resource,
      case .stream(_, let variants, let sound) = medium.content
    else { return nil }
    let segments = list < variants.count ? variants[list].segments : sound?.segments ?? []
    guard segments.indices.contains(number) else { return nil }
    return TimeSpan(nanoseconds: segments[number].duration.nanoseconds)
  }
}

// MARK: - Sizes

extension SessionMedia {
  /// Returns the medium with the sizes that responses had; what was not asked for is as much larger
  /// or smaller than it is said to be as what was, in the same rendition.
  func sized(by requests: [SessionRequest]) -> RecordedMedium {
    guard case .stream(let start, let variants, let sound) = medium.content else { return medium }
    var seen: [RequestIndex.Resource: Int64] = [:]
    for request in requests where !request.isAborted && request.done != nil {
      guard let resource = request.resource, let size = request.size, size > .zero else { continue }
      seen[resource] = max(seen[resource] ?? 0, size.bytes)
    }
    func sized(_ rendition: RecordedMedium.Rendition, _ list: Int) -> RecordedMedium.Rendition {
      var (said, came): (Int128, Int128) = (0, 0)
      for (number, segment) in rendition.segments.enumerated() {
        guard let size = seen[.segment(list: list, number: number)] else { continue }
        said += Int128(segment.size.bytes)
        came += Int128(size)
      }
      let segments = rendition.segments.enumerated().map { number, segment in
        let own = seen[.segment(list: list, number: number)]
        let scaled = said > 0 ? Int128(segment.size.bytes) * came / said : 0
        let guess = said > 0 ? Int64(clamping: scaled) : segment.size.bytes
        return (duration: segment.duration, size: ByteCount(bytes: max(1, own ?? guess)))
      }
      let initialization = seen[.initialization(list: list)].map { ByteCount(bytes: $0) }
      let playlist = seen[.mediaPlaylist(list)].map { ByteCount(bytes: $0) }
      return RecordedMedium.Rendition(
        rendition.name,
        .init(
          playlist: rendition.playlistName, initialization: rendition.initName,
          segments: rendition.segmentNames),
        sizes: (playlist ?? rendition.playlistSize, initialization ?? rendition.initSize),
        bandwidth: rendition.bandwidth, segments: segments)
    }
    let first = seen[.multivariantPlaylist].map { ByteCount(bytes: $0) }
    return RecordedMedium(
      duration: medium.duration,
      content: .stream(
        playlist: first ?? start, variants: variants.enumerated().map { sized($1, $0) },
        sound: sound.map { sized($0, variants.count) }),
      isMPD: medium.isMPD, isMultivariant: medium.isMultivariant)
  }
}

// MARK: - From playlists and scenarios

extension SessionMedia {
  /// Reads a stream from the texts of its playlists by their paths, and the sizes of what was asked
  /// for; nil if they make none that can be played again.
  ///
  /// The first playlist that names others counts as the one that was played, or else the first.
  static func read(
    playlists: [(path: String, text: String)], sizes: [String: Int64], source: String
  ) -> SessionMedia? {
    func isMultivariant(_ text: String) -> Bool { text.contains("#EXT-X-STREAM-INF") }
    guard let start = playlists.first(where: { isMultivariant($0.text) }) ?? playlists.first
    else { return nil }
    let text = JSONWriter.text { writer in
      writer.object { writer in
        for playlist in playlists {
          writer.key(text: playlist.path)
          writer.string(text: playlist.text)
        }
      }
    }
    guard let root = try? JSONDocument(SourceText(path: source, text: text)).root,
      let medium = try? RecordedMedium.read(playlists: root, url: start.path, sizes: sizes)
    else { return nil }
    return SessionMedia(medium, start: start.path)
  }

  /// Takes the stream of a scenario's first player, whose files have the names that `autowait run`
  /// gives them in its exports; nil if it plays none that ends.
  package init?(_ scenario: Scenario) {
    guard let media = scenario.world.players.first?.media.first?.streamMedia, media.live == nil,
      let names = scenario.streamNames.first?.first ?? nil
    else { return nil }
    func rendition(_ number: Int, _ bandwidth: BitRate?) -> RecordedMedium.Rendition {
      let (list, name) = (media.lists[number], names.list(number) ?? "list\(number)")
      let segments = (0..<list.count).map {
        (duration: list.end(of: $0) - list.start(of: $0), size: list.size(of: $0))
      }
      let bytes = segments.reduce(Int128(0)) { $0 + Int128($1.size.bytes) }
      let mean = bytes * 8_000_000_000 / max(1, Int128(list.end.nanoseconds))
      return RecordedMedium.Rendition(
        name,
        .init(
          playlist: "\(name).m3u8",
          initialization: list.initializations.isEmpty ? nil : "\(name)/init",
          segments: (0..<list.count).map { "\(name)/\($0)" }),
        sizes: (list.playlistSize, list.initializations.first),
        bandwidth: bandwidth ?? BitRate(bitsPerSecond: max(1, Int64(clamping: mean))),
        segments: segments)
    }
    let sound = media.renditions.first { $0.kind == .audio && $0.list != nil }?.list
    let medium = RecordedMedium(
      duration: MediaTime(nanoseconds: media.duration.nanoseconds),
      content: .stream(
        playlist: media.playlistSize,
        variants: media.variants.map { rendition($0.list, $0.bandwidth) },
        sound: sound.map { rendition($0, nil) }),
      isMultivariant: media.variants.count > 1)
    self.init(medium, start: "multivariant.m3u8")
  }

  /// Reads a medium from a playlist on disk and those that it names; `load` reads a file by its
  /// path from the folder of the first.
  package static func read(
    playlist: SourceText, load: (String) -> [UInt8]?
  ) throws(RecordingProblem) -> SessionMedia {
    let name = playlist.path.split(separator: "/").last.map(String.init) ?? playlist.path
    let list = PlaylistReader.read(playlist).playlist
    var texts = [(path: name, text: String(decoding: playlist.bytes, as: UTF8.self))]
    if case .multivariant(let list)? = list {
      let names = list.variants.map(\.uri) + list.renditions.compactMap(\.uri)
      for name in names where !texts.contains(where: { $0.path == name }) {
        guard let bytes = load(LogAddress.decoded(name)) else { continue }
        texts.append((name, String(decoding: bytes, as: UTF8.self)))
      }
    }
    guard let media = read(playlists: texts, sizes: [:], source: playlist.path) else {
      throw RecordingProblem(playlist.path, unplayable)
    }
    return media
  }

  static let unplayable =
    "is not a stream that can be played again: its playlists must be complete, name segments "
    + "without byte ranges, and have an end"
}
