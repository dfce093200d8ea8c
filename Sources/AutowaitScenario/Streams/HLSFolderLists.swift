import Autowait

/// The segment lists and keys of a stream on disk.
struct HLSFolderLists {
  /// What decides a size that nothing says: a rate, and what to call it.
  struct Fallback {
    let rate: BitRate
    let name: String
  }

  /// A list, and what it was made of.
  struct List {
    var segments: SegmentList
    let playlist: MediaPlaylist
    /// The bytes of the file, and those from its first `EXTINF` to its last address.
    let fileSize: Int
    let entriesSize: Int

    /// What the playlist is made of, for its size to follow what it lists as time goes on.
    ///
    /// Of a file that lists ten segments, one is a tenth of what lies between its head and its end.
    func text(sentPart: Int64) -> PlaylistText {
      var text = PlaylistText(
        head: ByteCount(bytes: Int64(fileSize - entriesSize)),
        entries: ByteCount(bytes: Int64(entriesSize)), of: max(1, playlist.segments.count))
      text.sentPart = sentPart
      return text
    }
  }

  /// Assumed: 1,500 bytes for a content key context, as for streams that are spelled out.
  private static let keyContextSize = ByteCount(bytes: 1_500)
  /// Assumed: the `ftyp` and `moov` of a fragmented movie with one track.
  private static let initializationSize = ByteCount(bytes: 1_000)
  /// How many of a list's files are looked for before the rest counts as missing; assumed.
  private static let missingMax = 100

  var files: HLSFolderFiles
  let sizes: SizeList?
  /// What the scenario says of keys.
  let keySize: ByteCount?
  let serverDelay: TimeSpan
  private(set) var keys: [StreamMedia.ContentKey] = []
  private var keyNumbers: [String: Int] = [:]
  private var segmentCount = 0
  /// The file whose size was asked for last.
  private var lastFile: (uri: String, size: ByteCount?)?

  init(_ files: HLSFolderFiles, _ sizes: SizeList?, keySize: ByteCount?, serverDelay: TimeSpan) {
    self.files = files
    self.sizes = sizes
    self.keySize = keySize
    self.serverDelay = serverDelay
  }

  /// Makes the list of a media playlist; nil if it is too large, which is reported, or empty.
  mutating func list(
    of playlist: MediaPlaylist, _ file: HLSFolderFiles.PlaylistFile, _ fallback: Fallback?
  ) -> List? {
    // Its reader has warned of a playlist without segments.
    guard let first = playlist.segments.first else { return nil }
    if playlist.duration == .zero {
      files.report(
        .warning, "all segments of the playlist last for 0 s", line: first.line, in: file.source)
      return nil
    }
    if let skipped = playlist.skipped {
      files.report(
        .warning,
        "the playlist is an update: \(skipped.segmentCount) segments that it skips are not known",
        line: first.line, in: file.source,
        notes: ["request it without '_HLS_skip' to get all of it (RFC 8216 bis, 6.2.5.1)"])
    }
    segmentCount += playlist.segments.count
    if segmentCount > StreamReader.segmentsMax {
      files.report(
        .error, "the stream has more than \(StreamReader.segmentsMax) segments",
        line: first.line, in: file.source)
      return nil
    }
    if playlist.duration > PlaylistReader.timeMax {
      files.report(.error, "the playlist is longer than 366 d", line: first.line, in: file.source)
      return nil
    }
    var measure = Measure(file: file, fallback: fallback)
    lastFile = nil
    var list = SegmentList([])
    var stretch = SegmentList.SegmentStretch(first: 0)
    var total: Int64 = 0
    list.initializations = playlist.maps.map { size(of: $0, &measure) }
    for (number, segment) in playlist.segments.enumerated() {
      let size = size(of: segment, &measure)
      total += size.bytes
      if total > Limits.bytesMax.bytes {
        files.report(
          .error,
          "the segments are larger than the limit of "
            + Quantity.size.text(Limits.bytesMax.bytes), line: segment.line, in: file.source)
        return nil
      }
      list.append(MediaTime(segment.duration), size)
      if segment.isGap { list.gaps.append(number) }
      let key = key(segment.keyIndexes, playlist.keys, file)
      if number == 0 || stretch.initialization != segment.mapIndex || stretch.key != key {
        stretch = SegmentList.SegmentStretch(
          first: number, initialization: segment.mapIndex, key: key)
        list.need(stretch)
      }
    }
    list.targetDuration = max(MediaTime(playlist.targetDuration), MediaTime(nanoseconds: 1))
    list.playlistSize = ByteCount(bytes: Int64(file.source.bytes.count))
    if !report(measure, of: playlist.segments.count) { return nil }
    return List(
      segments: list, playlist: playlist, fileSize: file.source.bytes.count,
      entriesSize: Self.entriesSize(of: file.source, last: playlist.segments.last?.line ?? 0))
  }
}

// MARK: - Sizes

extension HLSFolderLists {
  /// Returns the bytes from the first `EXTINF` of a playlist to the line of its last address.
  private static func entriesSize(of source: SourceText, last: Int) -> Int {
    let tag = Array("#EXTINF".utf8)
    var (size, line, isInside) = (0, 0, false)
    for text in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      isInside = isInside || text.starts(with: tag)
      if isInside { size += text.count + 1 }
      if line == last { break }
    }
    return min(size, source.bytes.count)
  }

  /// What happened while the sizes of a list were looked for.
  private struct Measure {
    let file: HLSFolderFiles.PlaylistFile
    let fallback: Fallback?
    /// The segments whose size nothing says, and the first of them.
    var unknownCount = 0
    var unknownLine = 0
    /// The initialisation sections whose size nothing says, and the first of them.
    var unknownMapCount = 0
    var unknownMapLine = 0
    var foundCount = 0
    /// The segments whose size nothing but a rate says.
    var ratedCount = 0
    /// Where a byte range ends behind its file.
    var beyond: (line: Int, size: ByteCount)?
  }

  private mutating func size(
    of segment: MediaPlaylist.Segment, _ measure: inout Measure
  ) -> ByteCount {
    if segment.isGap { return .zero }
    if let range = segment.byteRange {
      check(range, segment.uri, line: segment.line, &measure)
      return ByteCount(bytes: range.length)
    }
    // A file is there to be counted, and a rate is only near it (rfc8216bis-20, 4.4.4.8).
    if let size = fileSize(segment.uri, &measure) { return size }
    if let rate = segment.bitRate {
      measure.ratedCount += 1
      return StretchRate.size(
        BitRate(bitsPerSecond: rate), in: MediaTime(segment.duration))
    }
    measure.unknownCount += 1
    if measure.unknownLine == 0 { measure.unknownLine = segment.line }
    return StretchRate.size(
      measure.fallback?.rate ?? .zero, in: MediaTime(segment.duration))
  }

  private mutating func size(of map: MediaPlaylist.Map, _ measure: inout Measure) -> ByteCount {
    if let range = map.byteRange {
      check(range, map.uri, line: map.line, &measure)
      return ByteCount(bytes: range.length)
    }
    if let size = fileSize(map.uri, &measure) { return size }
    measure.unknownMapCount += 1
    if measure.unknownMapLine == 0 { measure.unknownMapLine = map.line }
    return Self.initializationSize
  }

  /// The size of a whole file: from the list of sizes, or on disk.
  private mutating func fileSize(_ uri: String, _ measure: inout Measure) -> ByteCount? {
    if case .data(let size) = PlaylistAddress(uri) { return size }
    if let lastFile, lastFile.uri == uri { return lastFile.size }
    let missingCount = measure.unknownCount + measure.ratedCount
    let isHopeless = measure.foundCount == 0 && missingCount >= Self.missingMax
    let path = isHopeless && sizes == nil ? nil : files.path(of: uri, in: measure.file.path)
    var size = sizes?.size(of: uri, path)
    if size == nil, !isHopeless { size = path.flatMap { files.size(of: $0) } }
    if size != nil { measure.foundCount += 1 }
    lastFile = (uri, size)
    return size
  }

  /// Looks whether a byte range lies in its file, if that is on disk.
  private mutating func check(
    _ range: PlaylistByteRange, _ uri: String, line: Int, _ measure: inout Measure
  ) {
    guard measure.beyond == nil, let size = fileSize(uri, &measure),
      range.offset + range.length > size.bytes
    else { return }
    measure.beyond = (line, size)
  }

  /// Says what was not found; returns whether the list can be used.
  private func report(_ measure: Measure, of count: Int) -> Bool {
    let source = measure.file.source
    if let (line, size) = measure.beyond {
      files.report(
        .warning, "a byte range ends beyond the file, which has \(size.bytes) bytes", line: line,
        in: source)
    }
    if measure.unknownMapCount > 0 {
      files.report(
        .warning,
        "the size of an initialization section is unknown: \(Self.initializationSize.bytes) "
          + "bytes are assumed", line: measure.unknownMapLine, in: source,
        notes: Self.more(measure.unknownMapCount, "sections"))
    }
    if measure.unknownCount == 0 { return true }
    let notes = Self.more(measure.unknownCount, "segments, of \(count),")
    guard let fallback = measure.fallback else {
      files.report(
        .error, "the size of a segment is unknown", line: measure.unknownLine, in: source,
        notes: notes + ["'sizes' can name a file with the sizes, and 'bitrate' say their rate"])
      return false
    }
    files.report(
      .warning,
      "the size of a segment is unknown: \(fallback.name), "
        + "\(Quantity.bitRate.text(fallback.rate.bitsPerSecond)), is taken",
      line: measure.unknownLine, in: source, notes: notes)
    return true
  }

  private static func more(_ count: Int, _ what: String) -> [String] {
    count > 1 ? ["this applies to \(count) \(what) of the playlist"] : []
  }
}

// MARK: - Keys

extension HLSFolderLists {
  /// Returns the number of the key that a player takes of those that each decrypt a segment.
  ///
  /// AVFoundation takes FairPlay's, or else bare ones; others count as the first one.
  private mutating func key(
    _ indexes: [Int], _ keys: [PlaylistKey], _ file: HLSFolderFiles.PlaylistFile
  ) -> Int? {
    if indexes.isEmpty { return nil }
    let fitting = indexes.first { keys[$0].keyFormat == "com.apple.streamingkeydelivery" }
    let bare = indexes.first { keys[$0].keyFormat == "identity" }
    return number(of: keys[fitting ?? bare ?? indexes[0]], in: file)
  }

  /// Returns the number of a key: one for each address and format.
  mutating func number(of key: PlaylistKey, in file: HLSFolderFiles.PlaylistFile) -> Int? {
    let place: String
    switch PlaylistAddress(key.uri) {
    case .relative(let path):
      place = FilePath.normalized(FilePath.folder(of: file.path) + path)
    case .host, .other: place = key.uri
    // It is there with the playlist.
    case .data: return nil
    }
    // No address has a space.
    let name = "\(key.keyFormat) \(place)"
    if let known = keyNumbers[name] { return known }
    if keys.count >= StreamReader.keysMax {
      files.report(
        .error, "the stream has more than \(StreamReader.keysMax) keys", line: key.line,
        in: file.source)
      return nil
    }
    let bare: ByteCount =
      switch key.method {
      case .aes128: ByteCount(bytes: 16)
      case .aes256GCM, .aes256, .aes256CTR: ByteCount(bytes: 32)
      case .sampleAES, .sampleAESCTR: Self.keyContextSize
      }
    let usual = key.keyFormat == "identity" ? bare : Self.keyContextSize
    keyNumbers[name] = keys.count
    keys.append(StreamMedia.ContentKey(size: keySize ?? usual, serverDelay: serverDelay))
    return keys.count - 1
  }
}
