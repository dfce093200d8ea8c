import Autowait

/// Reads a stream whose playlists lie on disk: a real one, or one that `autowait convert` wrote.
///
/// What it says is what the same stream says that is spelled out. Its segments need not be there,
/// if their sizes are known otherwise.
struct HLSFolderReader {
  let findings: Findings
  private var lists: HLSFolderLists
  private let compression: PlaylistCompression
  /// The rate of segments of which nothing else says the size.
  private let bitRate: BitRate?
  private let path: String
  /// The value that names the playlist.
  private let value: JSONValue
  /// The place of each media playlist that was read among the lists, or why it has none.
  private var places: [String: Result<Int, FileLoader.FileProblem>] = [:]
  private var made: [HLSFolderLists.List] = []

  /// Reads a stream and what the scenario says beside its playlist; nil if it is wrong.
  static func read(
    _ fields: inout FieldReader, loader: FileLoader, base: String
  ) -> StreamReading? {
    let findings = fields.findings
    let path = fields.required(HLSFolderKeys.playlist)
    let value = fields.value(HLSFolderKeys.playlist)
    let sizes = sizes(&fields, loader, base)
    let bitRate = fields.optional(HLSFolderKeys.bitrate)
    let compression = PlaylistCompression(&fields)
    var keys = fields.object(HLSFolderKeys.keys)
    let keySize = keys?.optional(HLSFolderKeys.keySize)
    let serverDelay = keys?.value(of: ContentKeyKeys.serverTime) ?? .zero
    let keyHost = keys?.optional(ContentKeyKeys.host)
    keys?.finish()
    let start = fields.optional(HLSKeys.startOffset)
    let live = HLSFolderLive(&fields)
    var reading: StreamReading?
    if let path, let value, !findings.hasErrors {
      let files = HLSFolderFiles(findings, loader, base: base, playlist: path)
      let lists = HLSFolderLists(files, sizes, keySize: keySize, serverDelay: serverDelay)
      var reader = HLSFolderReader(lists, compression, bitRate, path: path, at: value)
      reading = reader.stream(live)
    }
    guard var reading, !findings.hasErrors else {
      // What depends on the stream counts as known.
      for key in ["rewrite", "failures"] { _ = fields.value(key) }
      return nil
    }
    if let start { reading.streamMedia.startOffset = start }
    reading.keyHost = keyHost
    reading.finish(&fields)
    return findings.hasErrors ? nil : reading
  }

  private init(
    _ lists: HLSFolderLists, _ compression: PlaylistCompression, _ bitRate: BitRate?, path: String,
    at value: JSONValue
  ) {
    findings = lists.files.findings
    self.lists = lists
    self.compression = compression
    self.bitRate = bitRate
    self.path = FilePath.normalized(path)
    self.value = value
  }

  /// Reads `sizes`: an object, or the name of a file.
  private static func sizes(
    _ fields: inout FieldReader, _ loader: FileLoader, _ base: String
  ) -> SizeList? {
    guard let value = fields.value(HLSFolderKeys.sizes) else { return nil }
    if value.kind == .object {
      var list = SizeList()
      list.add(value, fields.findings)
      return list
    }
    guard let path = value.string else {
      fields.error("'sizes' must be an object with sizes, or the name of a file", at: "sizes")
      return nil
    }
    switch loader.load(path, base) {
    case .failure(let problem):
      fields.error("the file '\(path.excerpt)' \(problem.reason)", at: "sizes")
      return nil
    case .success(let source):
      let read = SizeList.read(source)
      for finding in read.findings { fields.findings.adopt(finding) }
      return read.isValid ? read.list : nil
    }
  }

  private mutating func stream(_ live: HLSFolderLive) -> StreamReading? {
    switch lists.files.file(path, PlaylistContext()) {
    case .failure(let problem):
      findings.error("the playlist '\(path.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let file):
      switch file.playlist {
      case .multivariant(let playlist)?: return stream(playlist, file, live)
      case .media(let playlist)?: return stream(playlist, file, live)
      case nil: return nil
      }
    }
  }

  /// Makes a stream of a media playlist that was named directly.
  private mutating func stream(
    _ playlist: MediaPlaylist, _ file: HLSFolderFiles.PlaylistFile, _ live: HLSFolderLive
  ) -> StreamReading? {
    let fallback = bitRate.map { HLSFolderLists.Fallback(rate: $0, name: "'bitrate'") }
    guard let list = lists.list(of: playlist, file, fallback) else {
      if !findings.hasErrors { findings.error("the playlist has no segments", at: value) }
      return nil
    }
    var variant = StreamMedia.Variant(bandwidth: list.segments.peakRate, list: 0)
    variant.averageBandwidth = list.segments.meanRate
    var streamMedia = StreamMedia(variants: [variant], lists: [list.segments])
    streamMedia.startOffset = (playlist.start?.timeOffset).map { MediaTime($0) }
    made = [list]
    return finished(&streamMedia, [variant.defaultName], [variant.defaultName], live)
  }

  /// Compresses the playlists, adds the keys, and lets a stream without an end go on.
  private func finished(
    _ streamMedia: inout StreamMedia, _ variants: [String], _ names: [String], _ live: HLSFolderLive
  ) -> StreamReading? {
    streamMedia.keys = lists.keys
    streamMedia.sortKeys()
    live.apply(to: &streamMedia, made.map { $0.playlist }, at: value, findings)
    for index in streamMedia.lists.indices {
      let bytes = streamMedia.lists[index].playlistSize.bytes
      streamMedia.lists[index].playlistSize = compression.size(bytes)
      if streamMedia.live != nil, !made[index].playlist.hasEndList {
        streamMedia.lists[index].playlistText = made[index].text(sentPart: compression.part)
      }
    }
    streamMedia.playlistSize = streamMedia.playlistSize.map { compression.size($0.bytes) }
    return StreamReading(
      streamMedia: streamMedia,
      names: StreamNames(variants: variants, lists: names, keyCount: streamMedia.keys.count))
  }
}

// MARK: - Multivariant playlists

extension HLSFolderReader {
  private typealias Multivariant = MultivariantPlaylist

  /// A variant whose media playlist was read.
  private struct ReadVariant {
    var variant: StreamMedia.Variant
    let source: Multivariant.Variant
  }

  /// Makes a stream of a multivariant playlist and the media playlists that it names.
  private mutating func stream(
    _ playlist: MultivariantPlaylist, _ file: HLSFolderFiles.PlaylistFile, _ live: HLSFolderLive
  ) -> StreamReading? {
    let renditions = renditions(of: playlist, file)
    var variants: [ReadVariant] = []
    for variant in self.variants(of: playlist, file) {
      let heard = renditions.filter {
        $0.kind == .audio && $0.groupID == variant.audioGroup && $0.list != nil
      }
      let audio = heard.compactMap { $0.list }.map { made[$0].segments.meanRate }.max() ?? .zero
      let mention = Mention(uri: variant.uri, line: variant.line, what: "the variant")
      let place = media(mention, in: playlist, file) { Self.fallback(variant, beside: audio) }
      guard let place else { continue }
      var read = StreamMedia.Variant(
        bandwidth: BitRate(bitsPerSecond: variant.bandwidth), list: place)
      read.take(variant)
      variants.append(ReadVariant(variant: read, source: variant))
    }
    if variants.isEmpty {
      if !findings.hasErrors {
        findings.error("no variant of the playlist '\(path.excerpt)' can be read", at: value)
      }
      return nil
    }
    return assembled(playlist, file, (variants, renditions), live)
  }

  /// The rate that a variant's own segments are said to have.
  ///
  /// What a playlist says of a variant includes its renditions (RFC 8216, 4.3.4.2).
  private static func fallback(
    _ variant: Multivariant.Variant, beside audio: BitRate
  ) -> HLSFolderLists.Fallback {
    let said = variant.averageBandwidth ?? variant.bandwidth
    let own = said - audio.bitsPerSecond
    let what = variant.averageBandwidth == nil ? "BANDWIDTH" : "AVERAGE-BANDWIDTH"
    if own <= 0 || audio == .zero {
      return HLSFolderLists.Fallback(
        rate: BitRate(bitsPerSecond: max(said, 1)), name: "the variant's \(what)")
    }
    return HLSFolderLists.Fallback(
      rate: BitRate(bitsPerSecond: own), name: "the variant's \(what) without its audio")
  }

  /// The variants of the pathway to begin with; a player turns to others only if that one fails.
  private func variants(
    of playlist: MultivariantPlaylist, _ file: HLSFolderFiles.PlaylistFile
  ) -> [Multivariant.Variant] {
    guard playlist.contentSteering != nil, let first = playlist.variants.first else {
      return playlist.variants
    }
    let wanted = playlist.contentSteering?.pathwayID ?? first.pathwayID
    // Without a pathway a variant belongs to the one that is called "." (bis-20, 4.4.6.2).
    let isWanted = { (variant: Multivariant.Variant) in
      (variant.pathwayID ?? ".") == (wanted ?? ".")
    }
    let kept = playlist.variants.filter(isWanted)
    if kept.isEmpty { return playlist.variants }
    if let other = playlist.variants.first(where: { !isWanted($0) }) {
      lists.files.report(
        .warning, "content steering is not modelled: only the variants of the first pathway count",
        line: other.line, in: file.source)
    }
    return kept
  }

  /// Where a media playlist is named.
  private struct Mention {
    let uri: String
    let line: Int
    /// What is left out without it.
    let what: String
  }

  /// Returns the place of a media playlist among the lists, which is made when it is first named.
  private mutating func media(
    _ mention: Mention, in playlist: MultivariantPlaylist, _ file: HLSFolderFiles.PlaylistFile,
    _ fallback: () -> HLSFolderLists.Fallback
  ) -> Int? {
    let path = lists.files.path(of: mention.uri, in: file.path)
    let place: Result<Int, FileLoader.FileProblem>
    if let path, let known = places[path] {
      place = known
    } else if let path, path == file.path {
      place = .failure(FileLoader.FileProblem("is this one itself"))
    } else if let path {
      let query = PlaylistAddress.query(of: mention.uri) ?? ""
      place = made(
        path, PlaylistContext(query: query, variables: playlist.variables), fallback)
      places[path] = place
    } else {
      place = .failure(FileLoader.FileProblem("is not on disk"))
    }
    switch place {
    case .success(let place): return place
    case .failure(let problem):
      // With an error nothing plays, whatever is left out.
      if findings.hasErrors { return nil }
      lists.files.report(
        .warning,
        "the playlist '\(mention.uri.excerpt)' \(problem.reason); \(mention.what) is left out",
        line: mention.line, in: file.source)
      return nil
    }
  }

  /// Makes the list of a media playlist.
  private mutating func made(
    _ path: String, _ context: PlaylistContext, _ fallback: () -> HLSFolderLists.Fallback
  ) -> Result<Int, FileLoader.FileProblem> {
    lists.files.file(path, context).flatMap { file in
      switch file.playlist {
      case nil: return .failure(FileLoader.FileProblem("has errors"))
      case .multivariant?: return .failure(FileLoader.FileProblem("is a multivariant playlist"))
      case .media(let media)?:
        guard let list = lists.list(of: media, file, fallback()) else {
          return .failure(FileLoader.FileProblem("cannot be used"))
        }
        made.append(list)
        return .success(made.count - 1)
      }
    }
  }

  /// A rendition that a variant can have.
  private struct ReadRendition {
    let kind: StreamMedia.Rendition.Kind
    let groupID: String
    let source: Multivariant.Rendition
    let list: Int?
  }

  /// Assumed, where nothing says the sizes of segments: stereo sound in AAC, and text.
  private static let renditionRates: [(kind: StreamMedia.Rendition.Kind, rate: Int64)] = [
    (.audio, 128_000), (.subtitles, 1_000),
  ]

  /// Reads the audio, and then the subtitles.
  private mutating func renditions(
    of playlist: MultivariantPlaylist, _ file: HLSFolderFiles.PlaylistFile
  ) -> [ReadRendition] {
    if let video = playlist.renditions.first(where: { $0.kind == .video && $0.uri != nil }) {
      lists.files.report(
        .warning, "renditions of video are not modelled: the variant's own plays",
        line: video.line, in: file.source)
    }
    var result: [ReadRendition] = []
    for (kind, rate) in Self.renditionRates {
      let wanted: Multivariant.Rendition.Kind = kind == .audio ? .audio : .subtitles
      for rendition in playlist.renditions where rendition.kind == wanted {
        var place: Int?
        if let uri = rendition.uri {
          let mention = Mention(uri: uri, line: rendition.line, what: "the rendition")
          place = media(mention, in: playlist, file) {
            HLSFolderLists.Fallback(rate: BitRate(bitsPerSecond: rate), name: "an assumed rate")
          }
          if place == nil { continue }
        }
        result.append(
          ReadRendition(kind: kind, groupID: rendition.groupID, source: rendition, list: place))
      }
    }
    return result
  }

  /// Puts a stream together; the lists of variants come first, as in one that is spelled out.
  private mutating func assembled(
    _ playlist: MultivariantPlaylist, _ file: HLSFolderFiles.PlaylistFile,
    _ read: (variants: [ReadVariant], renditions: [ReadRendition]), _ live: HLSFolderLive
  ) -> StreamReading? {
    var numbers: [Int?] = Array(repeating: nil, count: made.count)
    var order: [Int] = []
    var names: [String] = []
    let named =
      read.variants.map { ($0.variant.list, $0.variant.defaultName) }
      + read.renditions.compactMap { one in one.list.map { ($0, one.source.name) } }
    for (place, name) in named where numbers[place] == nil {
      numbers[place] = order.count
      order.append(place)
      names.append(name)
    }
    made = order.map { made[$0] }
    var streamMedia = StreamMedia(
      variants: read.variants.map { $0.variant }, lists: made.map { $0.segments })
    var groups: [StreamMedia.Rendition.Kind: [String]] = [:]
    for one in read.renditions {
      var known = groups[one.kind] ?? []
      if !known.contains(one.groupID) { known.append(one.groupID) }
      groups[one.kind] = known
      streamMedia.renditions.append(
        StreamMedia.Rendition(
          one.kind, group: known.firstIndex(of: one.groupID) ?? 0,
          list: one.list.flatMap { numbers[$0] }, one.source))
    }
    for (index, one) in read.variants.enumerated() {
      streamMedia.variants[index].list = numbers[one.variant.list] ?? 0
      streamMedia.variants[index].audioGroup = one.source.audioGroup.flatMap {
        groups[.audio]?.firstIndex(of: $0)
      }
      streamMedia.variants[index].subtitleGroup = one.source.subtitlesGroup.flatMap {
        groups[.subtitles]?.firstIndex(of: $0)
      }
    }
    for key in playlist.sessionKeys {
      if let number = lists.number(of: key, in: file), !streamMedia.sessionKeys.contains(number) {
        streamMedia.sessionKeys.append(number)
      }
    }
    let start = playlist.start ?? made[streamMedia.variants[0].list].playlist.start
    streamMedia.startOffset = (start?.timeOffset).map { MediaTime($0) }
    streamMedia.playlistSize = ByteCount(bytes: Int64(file.source.bytes.count))
    warnOfShortVariants(read.variants.map { $0.source }, streamMedia, file)
    return finished(&streamMedia, read.variants.map { $0.variant.defaultName }, names, live)
  }
}

extension HLSFolderReader {
  /// Warns of variants that end long before the stream does.
  ///
  /// Tracks differ by less than a segment where they were cut well, and what is behind the end of
  /// one counts as loaded (RFC 8216, 6.2.4: variants present the same content).
  private func warnOfShortVariants(
    _ variants: [Multivariant.Variant], _ streamMedia: StreamMedia,
    _ file: HLSFolderFiles.PlaylistFile
  ) {
    for (number, variant) in variants.enumerated() {
      let list = streamMedia.variants[number].list
      let (end, target) = (streamMedia.lists[list].end, streamMedia.lists[list].targetDuration)
      guard made[list].playlist.hasEndList, streamMedia.duration - end > target else { continue }
      lists.files.report(
        .warning,
        "the variant ends at \(Quantity.time.text(end.nanoseconds)), and the stream at "
          + Quantity.time.text(streamMedia.duration.nanoseconds), line: variant.line,
        in: file.source,
        notes: ["nothing is shown after the end of a variant"])
    }
  }
}

extension StreamMedia {
  /// Numbers the keys in the order in which segments need them, and then session keys name them.
  fileprivate mutating func sortKeys() {
    var numbers: [Int?] = Array(repeating: nil, count: keys.count)
    var sorted: [ContentKey] = []
    func number(_ key: Int) -> Int {
      if let known = numbers[key] { return known }
      numbers[key] = sorted.count
      sorted.append(keys[key])
      return sorted.count - 1
    }
    for index in lists.indices where lists[index].stretches.contains(where: { $0.key != nil }) {
      lists[index].renumberKeys(number)
    }
    sessionKeys = sessionKeys.map(number)
    keys = sorted
  }
}

extension StreamMedia.Variant {
  /// Takes what a playlist says of a variant.
  fileprivate mutating func take(_ source: MultivariantPlaylist.Variant) {
    averageBandwidth = source.averageBandwidth.map { BitRate(bitsPerSecond: $0) }
    if let size = source.resolution, let width = Int32(exactly: size.width),
      let height = Int32(exactly: size.height), width <= Resolution.sideMax,
      height <= Resolution.sideMax
    {
      resolution = Resolution(width: width, height: height)
    }
    frameRate = source.frameRateMillihertz.map { Int($0) }
    videoRange =
      switch source.videoRange {
      case .hlg: .hlg
      case .pq: .pq
      case .sdr, nil: .sdr
      }
    codecs = CodecFamilies(codecs: source.codecs.joined(separator: ","))
  }
}

extension StreamMedia.Rendition {
  /// Creates a rendition of what a playlist says of it.
  fileprivate init(
    _ kind: Kind, group: Int, list: Int?, _ source: MultivariantPlaylist.Rendition
  ) {
    self.init(kind, group: group, list: list)
    isDefault = source.isDefault
    isAutoselected = source.isAutoselect || source.isDefault
    language = source.language.flatMap { LanguageTag($0) }
    if kind == .audio {
      let digits = source.channels?.utf8.prefix { 48...57 ~= $0 } ?? ""[...].utf8
      channels = Int(String(decoding: digits, as: UTF8.self)).flatMap { 1...64 ~= $0 ? $0 : nil }
      sampleRate = source.sampleRate.flatMap { 1...1_000_000 ~= $0 ? Int($0) : nil }
      bitDepth = source.bitDepth.flatMap { 1...64 ~= $0 ? Int($0) : nil }
    }
  }
}

extension SegmentList {
  /// The highest rate of a segment.
  var peakRate: BitRate {
    var peak = BitRate(bitsPerSecond: 1)
    for number in 0..<count where end(of: number) > start(of: number) {
      let time = end(of: number) - start(of: number)
      peak = max(peak, StretchRate.rate(size(of: number).bytes, in: time))
    }
    return peak
  }

  /// The rate of all segments together.
  var meanRate: BitRate {
    let rate = StretchRate.rate(byteCount, in: end)
    return max(rate, BitRate(bitsPerSecond: 1))
  }
}
