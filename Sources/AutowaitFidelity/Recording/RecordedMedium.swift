import Autowait
import AutowaitScenario

/// What was played: a file or a stream, with its sizes to the byte.
package struct RecordedMedium: Sendable {
  /// A rendition of a stream.
  package struct Rendition: Sendable {
    package let name: String
    /// What its files are called, those of its segments in their order.
    package let playlistName: String
    package let initName: String?
    package let segmentNames: [String]
    package let playlistSize: ByteCount
    /// Nil if there is none.
    package let initSize: ByteCount?
    package let bandwidth: BitRate
    package let segments: [(duration: MediaTime, size: ByteCount)]
  }

  /// Creates a medium from what it consists of.
  package init(
    duration: MediaTime, content: Content, isMPD: Bool = false, isMultivariant: Bool
  ) {
    (self.duration, self.content) = (duration, content)
    (self.isMPD, self.isMultivariant) = (isMPD, isMultivariant)
  }

  package enum Content: Sendable {
    /// A file, and where its media begins.
    case file(size: ByteCount, header: ByteCount)
    /// A stream: the size of its multivariant playlist, its variants, and its sound, if that is
    /// apart.
    case stream(playlist: ByteCount?, variants: [Rendition], sound: Rendition?)
  }

  package let duration: MediaTime
  package let content: Content
  /// Whether it is a stream, and not a file.
  package var isStream: Bool { if case .stream = content { true } else { false } }

  /// Whether it was played by an MPD, and not by playlists.
  package let isMPD: Bool
  /// Whether its playlist offers more than one variant; recordings call those that do not `only1`
  /// and the like.
  package let isMultivariant: Bool
  /// The variant of each segment, as it was played.
  package var variants: [Int] = []
  /// Whether what belongs to renditions is known by whole paths, not by the last parts alone.
  var hasPaths = false

  /// Returns what a path asks for, by its last part; nil if the medium does not have it.
  ///
  /// Lists are counted as simulations do: the variants, then the sound.
  func resource(at path: String, url: String) -> RequestIndex.Resource? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard case .stream(_, let variants, let sound) = content else { return .file }
    for (list, rendition) in (variants + [sound].compactMap { $0 }).enumerated() {
      if let resource = rendition.resource(named: hasPaths ? path : name, list: list) {
        return resource
      }
    }
    if hasPaths { return path == url ? .multivariantPlaylist : nil }
    return url.hasSuffix(name) ? .multivariantPlaylist : nil
  }
}

extension RecordedMedium {
  /// Notes which variant each segment was played in: that of the last request that was not given
  /// up; where there is none, as for what was in a cache, that of the segment before.
  package mutating func noteVariants(of requests: [RecordedRequest]) {
    guard case .stream(_, let variants, _) = content else { return }
    var played = [Int?](repeating: nil, count: variants[0].segments.count)
    for request in requests where request.aborted == nil {
      guard case .segment(let list, let number) = request.resource, list < variants.count,
        number < played.count
      else { continue }
      played[number] = list
    }
    var last = played.lazy.compactMap { $0 }.first ?? 0
    self.variants = played.map { variant in
      last = variant ?? last
      return last
    }
  }

  /// Reads the map of a medium; the last part of the address that was played names the playlist.
  static func read(
    _ map: JSONValue, url: String, duration: MediaTime
  ) throws(RecordingProblem) -> RecordedMedium {
    guard let renditions = map.member("renditions") else {
      return RecordedMedium(
        duration: duration, content: try file(map), isMPD: false,
        isMultivariant: false)
    }
    let playlist = url.split(separator: "/").last.map(String.init) ?? url
    var (variants, sound): ([Rendition], Rendition?) = ([], nil)
    for member in renditions.members {
      let name = try member.key.text()
      let rendition = try Rendition(name, member.value)
      if name.hasPrefix("v") { variants.append(rendition) } else { sound = rendition }
    }
    if variants.isEmpty { throw renditions.problem("has no variants") }
    let size = try map.member("masters")?.member(playlist)?.whole()
    return RecordedMedium(
      duration: duration,
      content: .stream(
        playlist: size.map { ByteCount(bytes: $0) }, variants: variants, sound: sound),
      isMPD: playlist.hasSuffix(".mpd"),
      isMultivariant: variants.count > 1 && !playlist.hasPrefix("only"))
  }

  /// A file of which nobody knows more than what came of it; a megabit per second if not even that.
  ///
  /// Its rate decides nothing where its link is what was loaded by when.
  static func file(of duration: MediaTime, loaded: Int64?) -> RecordedMedium {
    let span = TimeSpan(nanoseconds: duration.nanoseconds)
    let guess = DataAmount(BitRate(bitsPerSecond: 1_000_000), for: span)
    let size = ByteCount(bytes: max(1, loaded ?? guess.wholeBytes.bytes))
    return RecordedMedium(
      duration: duration, content: .file(size: size, header: .zero), isMPD: false,
      isMultivariant: false)
  }

  /// What had arrived of a file by when, as far as its loaded range shows it, at an even rate of
  /// bytes; nothing for streams.
  func arrivals(by samples: [RecordedSample]) -> [RecordedLink.Arrival] {
    guard case .file(let size, let header) = content, duration > .zero else { return [] }
    var arrivals: [RecordedLink.Arrival] = []
    var last = Int64(0)
    for sample in samples {
      guard let ahead = sample.ahead, ahead > .zero else { continue }
      let end = min(sample.position.nanoseconds + ahead.nanoseconds, duration.nanoseconds)
      let body = Int128(size.bytes - header.bytes) * Int128(end) / Int128(duration.nanoseconds)
      let bytes = Int64(clamping: Int128(header.bytes) + body)
      if bytes <= last { continue }
      last = bytes
      arrivals.append(
        RecordedLink.Arrival(instant: sample.instant, size: ByteCount(bytes: bytes)))
    }
    return arrivals
  }

  private static func file(_ map: JSONValue) throws(RecordingProblem) -> Content {
    var header = Int64(0)
    for row in try map.member("atoms")?.rows(least: 3) ?? [] where row[0].string == "mdat" {
      header = try row[1].whole()
    }
    return .file(
      size: ByteCount(bytes: try map.required("size").whole()), header: ByteCount(bytes: header))
  }
}

extension RecordedMedium.Rendition {
  /// The files of a rendition, by the names that requests for them have.
  package struct FileNames: Sendable {
    package var playlist: String
    package var initialization: String?
    package var segments: [String]

    package init(playlist: String, initialization: String? = nil, segments: [String]) {
      (self.playlist, self.initialization) = (playlist, initialization)
      self.segments = segments
    }
  }

  /// Creates a rendition whose playlist and initialisation section have sizes.
  package init(
    _ name: String, _ names: FileNames, sizes: (playlist: ByteCount, initialization: ByteCount?),
    bandwidth: BitRate, segments: [(duration: MediaTime, size: ByteCount)]
  ) {
    (self.name, self.bandwidth, self.segments) = (name, bandwidth, segments)
    (playlistName, initName, segmentNames) = (names.playlist, names.initialization, names.segments)
    (playlistSize, initSize) = (sizes.playlist, sizes.initialization)
  }

  /// Returns what a name stands for; nil if nothing of the rendition has it.
  fileprivate func resource(named name: String, list: Int) -> RequestIndex.Resource? {
    if name == playlistName { return .mediaPlaylist(list) }
    if name == initName { return .initialization(list: list) }
    return segmentNames.firstIndex(of: name).map { .segment(list: list, number: $0) }
  }

  fileprivate init(_ name: String, _ value: JSONValue) throws(RecordingProblem) {
    self.name = name
    playlistName = try value.required("playlist").text()
    initName = if let section = value.member("init") { try section.part(0).text() } else { nil }
    playlistSize = ByteCount(bytes: try value.required("playlist_bytes").whole())
    initSize =
      if let section = value.member("init") {
        ByteCount(bytes: try section.part(1).whole())
      } else {
        nil
      }
    bandwidth = BitRate(bitsPerSecond: try value.required("peak_bps").whole())
    var (segments, names): ([(duration: MediaTime, size: ByteCount)], [String]) = ([], [])
    for row in try value.required("segments").rows(least: 3) {
      names.append(try row[0].text())
      segments.append(
        (MediaTime(nanoseconds: try row[1].nanoseconds()), ByteCount(bytes: try row[2].whole())))
    }
    if segments.isEmpty { throw value.problem("has no segments") }
    (self.segments, segmentNames) = (segments, names)
  }
}
