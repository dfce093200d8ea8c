import Autowait

/// Writes a stream as a folder of playlists, whose byte ranges say the sizes of all segments.
///
/// There are no media files; to read the folder gives the same stream again, but for what
/// ``Tree/warnings`` names.
package enum HLSFolderWriter {
  /// The playlists of a stream.
  package struct Folder: Hashable, Sendable {
    /// The files, that to name first.
    package var files: [WrittenFile]
    /// What playlists have no place for.
    package var warnings: [String]
  }

  /// A playlist.
  package struct WrittenFile: Hashable, Sendable {
    /// Its name in the folder.
    package let name: String
    /// Its text.
    package let bytes: [UInt8]
  }

  /// The name of the playlist to open.
  package static let mainName = "master.m3u8"

  /// Returns the playlists of a stream.
  package static func write(
    _ streamMedia: StreamMedia, _ names: StreamNames
  ) throws(PlaylistWriter.PlaylistProblem) -> Folder {
    var hlsFolder = Folder(files: [], warnings: warnings(streamMedia))
    var isLonger = false
    for number in streamMedia.lists.indices {
      let playlist = media(streamMedia.lists[number], number, streamMedia)
      var bytes = withoutOffsets(try PlaylistWriter.write(.media(playlist)))
      isLonger = !pad(&bytes, to: streamMedia.lists[number].playlistSize) || isLonger
      hlsFolder.files.append(
        WrittenFile(name: streamMedia.playlistSize == nil ? mainName : name(number), bytes: bytes))
    }
    if let size = streamMedia.playlistSize {
      let playlist = multivariant(streamMedia, names)
      var bytes = try PlaylistWriter.write(.multivariant(playlist))
      isLonger = !pad(&bytes, to: size) || isLonger
      hlsFolder.files.insert(WrittenFile(name: mainName, bytes: bytes), at: 0)
    }
    if isLonger { hlsFolder.warnings.append("some playlists are longer than the stream says") }
    return hlsFolder
  }

  private static func name(_ list: Int) -> String { "list-\(list).m3u8" }

  /// Leaves out the offsets of all segments but the first: each follows the one before it.
  private static func withoutOffsets(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isFirst = true
    for line in bytes.split(separator: 0x0A) {
      var line = line
      if line.starts(with: "#EXT-X-BYTERANGE:".utf8) {
        if !isFirst { line = line.prefix { $0 != UInt8(ascii: "@") } }
        isFirst = false
      }
      result += line
      result.append(0x0A)
    }
    return result
  }

  /// Makes a playlist as long as it shall be, by a comment; returns whether it is not too long.
  private static func pad(_ bytes: inout [UInt8], to size: ByteCount) -> Bool {
    var missing = size.bytes - Int64(bytes.count)
    // A line must not be too long for readers.
    while missing >= 2 {
      let line = missing <= 10_000 ? missing : 9_000
      bytes.append(UInt8(ascii: "#"))
      bytes += Array(repeating: UInt8(ascii: "-"), count: Int(line) - 2)
      bytes.append(0x0A)
      missing -= line
    }
    // An empty line is one byte.
    if missing == 1 { bytes.append(0x0A) }
    return missing >= 0
  }

  private static func warnings(_ streamMedia: StreamMedia) -> [String] {
    var result: [String] = []
    if streamMedia.live != nil {
      result.append("the stream is live; its whole programme is written as one on demand")
    }
    if !streamMedia.faults.isEmpty { result.append("'failures' are left out") }
    if streamMedia.keys.contains(where: { $0.serverDelay > .zero }) {
      result.append("the time of the key server is left out: set it with 'keys' next to 'playlist'")
    }
    if streamMedia.keys.contains(where: { ![16, 32, 1_500].contains($0.size.bytes) }) {
      result.append("the sizes of keys are left out: set one with 'keys' next to 'playlist'")
    }
    let isWhole = streamMedia.lists.allSatisfy {
      $0.targetDuration.nanoseconds % 1_000_000_000 == 0
    }
    if !isWhole { result.append("target durations are rounded up to seconds") }
    return result
  }

  private static func key(_ key: StreamMedia.ContentKey, _ number: Int) -> PlaylistKey {
    switch key.size.bytes {
    case 16: PlaylistKey(method: .aes128, uri: "key-\(number)")
    case 32: PlaylistKey(method: .aes256GCM, uri: "key-\(number)")
    default:
      PlaylistKey(
        method: .sampleAES, uri: "skd://key-\(number)", keyFormat: "com.apple.streamingkeydelivery")
    }
  }
}

extension HLSFolderWriter {
  private static func media(
    _ list: SegmentList, _ number: Int, _ streamMedia: StreamMedia
  ) -> MediaPlaylist {
    var target = (list.targetDuration.nanoseconds + 999_999_999) / 1_000_000_000
    for segment in 0..<list.count {
      // A segment, rounded to seconds, must not be longer (bis-20, 4.4.3.1).
      let duration = list.end(of: segment) - list.start(of: segment)
      target = max(target, (duration.nanoseconds + 500_000_000) / 1_000_000_000)
    }
    var playlist = MediaPlaylist(targetDuration: .seconds(target))
    playlist.version = 7
    playlist.kind = .vod
    playlist.hasEndList = true
    if streamMedia.playlistSize == nil {
      playlist.start = streamMedia.startOffset.map { PlaylistStart(timeOffset: PlaylistTime($0)) }
    }
    let uri = "\(number).mp4"
    var offset: Int64 = 0
    func range(_ size: ByteCount) -> PlaylistByteRange {
      defer { offset += size.bytes }
      return PlaylistByteRange(offset: offset, length: size.bytes)
    }
    playlist.maps = list.initializations.map { .init(uri: uri, byteRange: range($0)) }
    var keys: [Int: Int] = [:]
    var next = 0
    var stretch = SegmentList.SegmentStretch(first: 0)
    var gaps = list.gaps[...]
    for segment in 0..<list.count {
      while next < list.stretches.count, list.stretches[next].first <= segment {
        stretch = list.stretches[next]
        next += 1
      }
      let duration = list.end(of: segment) - list.start(of: segment)
      var written = MediaPlaylist.Segment(uri: uri, duration: PlaylistTime(duration))
      written.byteRange = range(list.size(of: segment))
      if gaps.first == segment {
        gaps.removeFirst()
        written.isGap = true
      }
      written.mapIndex = stretch.initialization
      if let key = stretch.key {
        let place = keys[key] ?? playlist.keys.count
        if keys.updateValue(place, forKey: key) == nil {
          playlist.keys.append(self.key(streamMedia.keys[key], key))
        }
        written.keyIndexes = [place]
      }
      playlist.segments.append(written)
    }
    return playlist
  }

  private static func multivariant(
    _ streamMedia: StreamMedia, _ names: StreamNames
  ) -> MultivariantPlaylist {
    var playlist = MultivariantPlaylist()
    playlist.version = 7
    playlist.start = streamMedia.startOffset.map { PlaylistStart(timeOffset: PlaylistTime($0)) }
    playlist.sessionKeys = streamMedia.sessionKeys.map { key(streamMedia.keys[$0], $0) }
    for (number, rendition) in streamMedia.renditions.enumerated() {
      let groupID = StreamMediaWriter.group(rendition.kind, rendition.group)
      let name = rendition.list.map { names.lists[$0] } ?? "rendition \(number)"
      var written = MultivariantPlaylist.Rendition(
        rendition.kind == .audio ? .audio : .subtitles, groupID: groupID, name: plain(name),
        uri: rendition.list.map { self.name($0) })
      written.language = rendition.language?.text
      written.isDefault = rendition.isDefault
      written.isAutoselect = rendition.isAutoselected || rendition.isDefault
      written.channels = rendition.channels.map(String.init)
      written.sampleRate = rendition.sampleRate.map { Int64($0) }
      written.bitDepth = rendition.bitDepth.map { Int64($0) }
      playlist.renditions.append(written)
    }
    for variant in streamMedia.variants {
      var written = MultivariantPlaylist.Variant(
        uri: name(variant.list), bandwidth: variant.bandwidth.bitsPerSecond)
      written.averageBandwidth = variant.averageBandwidth?.bitsPerSecond
      written.resolution = variant.resolution.map {
        .init(width: Int64($0.width), height: Int64($0.height))
      }
      written.frameRateMillihertz = variant.frameRate.map { Int64($0) }
      written.videoRange =
        variant.videoRange == .sdr ? nil : variant.videoRange == .hlg ? .hlg : .pq
      written.codecs = variant.codecs.names
      written.audioGroup = variant.audioGroup.map { StreamMediaWriter.group(.audio, $0) }
      written.subtitlesGroup = variant.subtitleGroup.map { StreamMediaWriter.group(.subtitles, $0) }
      playlist.variants.append(written)
    }
    return playlist
  }

  /// A name without what cannot stand between quotation marks.
  private static func plain(_ name: String) -> String {
    let kept = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\"" }
    return kept.isEmpty ? "unnamed" : String(String.UnicodeScalarView(kept))
  }
}
