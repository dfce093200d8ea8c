import Autowait
import AutowaitScenario

extension RecordedMedium {
  /// Reads a stream from the texts of its playlists, by their paths, and from the sizes of what was
  /// asked for, by path as well.
  ///
  /// What nobody asked for has the size that its variant's bandwidth makes it.
  package static func read(
    playlists: JSONValue, url: String, sizes: [String: Int64]
  ) throws(RecordingProblem) -> RecordedMedium {
    var files: [String: JSONValue] = [:]
    for member in playlists.members { files[try member.key.text()] = member.value }
    let texts = PlaylistTexts(files: files, sizes: sizes)
    guard let start = files[url] else {
      throw playlists.problem("do not have that of '\(url)', which was played")
    }
    let (variants, sound): ([Rendition], Rendition?)
    var size: ByteCount?
    switch try texts.playlist(url) {
    case .media: (variants, sound) = ([try texts.rendition("v0", url, bandwidth: nil)], nil)
    case .multivariant(let list):
      // Nothing says what is in a variant whose playlist was never asked for.
      let known = list.variants.filter { files[Self.path($0.uri, from: url)] != nil }
      if known.isEmpty { throw start.problem("names no playlist that is here, too") }
      var read: [Rendition] = []
      for (number, variant) in known.enumerated() {
        let path = Self.path(variant.uri, from: url)
        read.append(try texts.rendition("v\(number)", path, bandwidth: variant.bandwidth))
      }
      variants = read
      let audio = list.renditions.lazy.filter { $0.kind == .audio }.compactMap(\.uri)
        .map { Self.path($0, from: url) }.first { files[$0] != nil }
      sound = if let audio { try texts.rendition("sound", audio, bandwidth: nil) } else { nil }
      size = try texts.size(url)
    }
    let duration = variants[0].segments.reduce(MediaTime.zero) { $0 + $1.duration }
    var medium = RecordedMedium(
      duration: duration, content: .stream(playlist: size, variants: variants, sound: sound),
      isMPD: false, isMultivariant: variants.count > 1)
    medium.hasPaths = true
    return medium
  }

  /// The path of an address that stands in a playlist, without its host and its query.
  package static func path(_ address: String, from playlist: String) -> String {
    var path = address.prefix { $0 != "?" && $0 != "#" }
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...].drop { $0 != "/" }
    } else if path.hasPrefix("//") {
      path = path.dropFirst(2).drop { $0 != "/" }
    }
    let folder = playlist.lastIndex(of: "/").map { String(playlist[...$0]) } ?? ""
    let whole = path.hasPrefix("/") ? String(path) : folder + path
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return (whole.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

/// The playlists of a recording, and the sizes of what was asked for.
private struct PlaylistTexts {
  let files: [String: JSONValue]
  let sizes: [String: Int64]

  func playlist(_ path: String) throws(RecordingProblem) -> Playlist {
    guard let file = files[path] else { throw RecordingProblem(path, "is not in the recording") }
    let (playlist, findings) = PlaylistReader.read(
      SourceText(path: path, text: try file.text()))
    guard let playlist else {
      let first = findings.first { $0.severity == .error }
      throw file.problem("is not a playlist: \(first?.message ?? "it is empty")")
    }
    return playlist
  }

  func size(_ path: String) throws(RecordingProblem) -> ByteCount {
    if let size = sizes[path] { return ByteCount(bytes: size) }
    guard let file = files[path] else { return .zero }
    return ByteCount(bytes: Int64(try file.text().utf8.count))
  }

  func rendition(
    _ name: String, _ path: String, bandwidth: Int64?
  ) throws(RecordingProblem) -> RecordedMedium.Rendition {
    guard case .media(let list) = try playlist(path), let file = files[path] else {
      throw RecordingProblem(path, "is not a media playlist")
    }
    if !list.hasEndList { throw file.problem("is live; only streams with an end can be played") }
    if list.segments.isEmpty { throw file.problem("has no segments") }
    if list.segments.contains(where: { $0.byteRange != nil }) {
      throw file.problem("has byte ranges: nothing says which of them a request was for")
    }
    let names = list.segments.map { RecordedMedium.path($0.uri, from: path) }
    let seen = zip(names, list.segments).compactMap { name, segment in
      sizes[name].map { (size: $0, duration: segment.duration) }
    }
    let bytes = seen.reduce(Int128(0)) { $0 + Int128($1.size) }
    let span = seen.reduce(Int128(0)) { $0 + Int128($1.duration.nanoseconds) }
    // One bit a second, where nothing of it came.
    let mean = max(1, bytes * 8_000_000_000 / max(1, span))
    let rate = BitRate(bitsPerSecond: bandwidth ?? Int64(clamping: mean))
    let segments = zip(names, list.segments).map { name, segment in
      let guess = DataAmount(rate, for: TimeSpan(nanoseconds: segment.duration.nanoseconds))
      return (
        duration: MediaTime(segment.duration),
        size: ByteCount(bytes: max(1, sizes[name] ?? guess.wholeBytes.bytes))
      )
    }
    let section = list.maps.first.map { RecordedMedium.path($0.uri, from: path) }
    return RecordedMedium.Rendition(
      name: name, playlistName: path, initName: section, segmentNames: names,
      playlistSize: try size(path),
      initSize: section.map { ByteCount(bytes: max(1, sizes[$0] ?? 1_000)) },
      bandwidth: rate, segments: segments)
  }
}
