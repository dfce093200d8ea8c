import Autowait

/// A stream as it was read, before it is known which hosts have links of their own.
struct StreamReading {
  var streamMedia: StreamMedia
  var names: StreamNames
  /// The host of the key server; nil for that of the media.
  var keyHost: String?
  /// What of it is drawn from the seed.
  var sizes: SizeDraws?

  /// Reads what depends on all the rest: which variant goes to the front, and what goes wrong.
  mutating func finish(_ fields: inout FieldReader) {
    let variants = zip(names.variants, streamMedia.variants).map {
      (name: $0, bandwidth: $1.bandwidth)
    }
    if let place = StreamReader.preferredFirst(&fields, variants) {
      streamMedia.variants.insert(streamMedia.variants.remove(at: place), at: 0)
      names.variants.insert(names.variants.remove(at: place), at: 0)
    }
    let own = Set(streamMedia.renditions.compactMap { $0.list })
    streamMedia.faults = FaultReader(
      findings: fields.findings,
      variants: zip(names.variants, streamMedia.variants).map { ($0, $1.list) },
      renditions: names.lists.enumerated().filter { own.contains($0.offset) }
        .map { ($0.element, $0.offset) },
      segmentCount: streamMedia.lists.map { $0.count }.max() ?? 0, keyCount: streamMedia.keys.count
    ).faults(&fields)
  }
}

/// Reads a stream that is spelled out in a scenario: its ladder of variants.
///
/// What the core would refuse is reported here first, and so is what would take too much time or
/// memory.
struct StreamReader {
  /// The most variants and renditions of a stream.
  static let listsMax = 1_000
  /// The most segments of all lists of a stream.
  static let segmentsMax = 1_000_000
  /// The most keys of a stream.
  static let keysMax = 1_000

  let findings: Findings
  let seed: UInt64
  /// The item's number in the order of the file.
  let item: Int
  /// The numbers drawn.
  private(set) var draws: Int64 = 0
  let cut: SegmentCut
  private var scenes: SceneSizes?
  /// The names of the groups of renditions, by number.
  var audioGroups: [String] = []
  var subtitleGroups: [String] = []
  var keys = StreamKeys()

  /// Reads what a stream has beside the keys of all media; nil if nothing can be made of it.
  ///
  /// With mistakes in it, it is what is left of it, so that the rest of the file is judged rightly.
  static func read(
    _ fields: inout FieldReader, seed: UInt64, item: Int
  ) -> (stream: StreamReading, draws: Int64)? {
    let duration = fields.required(MediaKeys.duration)
    let segment = fields.value(of: HLSKeys.segmentDuration)
    // Without a length the rest is read all the same, for what is wrong with it.
    let cut = SegmentCut(duration: duration ?? segment, segment: segment)
    var reader = StreamReader(fields.findings, seed, item, cut)
    let count = ["variants", "audio", "subtitles"].reduce(0) { count, key in
      count + (fields.object?.member(key).map { $0.kind == .array ? $0.count : 0 } ?? 0)
    }
    if !reader.allows(count, &fields) { return nil }
    return reader.stream(&fields).map { ($0, reader.draws) }
  }

  private init(_ findings: Findings, _ seed: UInt64, _ item: Int, _ cut: SegmentCut) {
    self.findings = findings
    self.seed = seed
    self.item = item
    self.cut = cut
  }

  /// Returns whether so many lists are not too many; else the keys count as known, unread.
  private func allows(_ lists: Int, _ fields: inout FieldReader) -> Bool {
    if lists > Self.listsMax {
      fields.error(
        "there are more than \(Self.listsMax) variants and renditions", at: "variants")
    } else if cut.wideCount > Self.segmentsMax / max(lists, 1) {
      fields.error(
        "the stream would have more than \(Self.segmentsMax) segments",
        at: fields.object?.member("segmentDuration") == nil ? "duration" : "segmentDuration",
        notes: ["the lists of segments are \(lists), with \(cut.wideCount) segments each"])
    } else {
      return true
    }
    _ = fields.others()
    return false
  }

  private mutating func stream(_ fields: inout FieldReader) -> StreamReading? {
    keys = StreamKeys(&fields, segments: cut.count)
    let audio = renditions(HLSKeys.audio, .audio, &fields)
    let subtitles = renditions(HLSKeys.subtitles, .subtitles, &fields)
    var variants = variants(&fields, audio)
    rewrite(&fields, &variants)
    let renditions = audio + subtitles
    let named = variants.map { $0.list } + renditions.compactMap { $0.list }
    var streamMedia = StreamMedia(
      variants: variants.map { $0.variant }, lists: named.map { $0.segments })
    for index in variants.indices { streamMedia.variants[index].list = index }
    var next = variants.count
    streamMedia.renditions = renditions.map { read in
      var rendition = read.rendition
      rendition.list = read.list == nil ? nil : next
      next += read.list == nil ? 0 : 1
      return rendition
    }
    streamMedia.keys = keys.keys
    streamMedia.sessionKeys = keys.isInSession && !keys.keys.isEmpty ? [0] : []
    streamMedia.startOffset = fields.optional(HLSKeys.startOffset)
    let names = StreamNames(
      variants: variants.map { $0.list.name }, lists: named.map { $0.name },
      keyCount: keys.keys.count)
    readPlaylistSizes(&fields, &streamMedia)
    let lists = named.enumerated().map { (name: $0.element.name, list: $0.offset) }
    streamMedia.faults = FaultReader(
      findings: findings, variants: Array(lists.prefix(variants.count)),
      renditions: Array(lists.dropFirst(variants.count)), segmentCount: cut.count,
      keyCount: keys.keys.count
    ).faults(&fields)
    streamMedia.live = Self.live(
      &fields, duration: cut.duration, segment: cut.segment, &streamMedia)
    if streamMedia.live == nil {
      for index in streamMedia.lists.indices { streamMedia.lists[index].playlistText = nil }
    }
    streamMedia.mediaEnd = mediaEnd(&fields, isLive: streamMedia.live != nil)
    if variants.isEmpty { return nil }
    if !findings.hasErrors { lint(streamMedia, fields) }
    return StreamReading(
      streamMedia: streamMedia, names: names, keyHost: keys.host,
      sizes: drawing(named.map { $0.varied }))
  }
}

// MARK: - Segments

extension StreamReader {
  /// A segment list with the name of the variant or rendition that has it.
  struct NamedList {
    var name: String
    var segments: SegmentList
    /// The sizes that vary, before they do.
    var varied: SizeDraws.DrawnList?
  }

  /// What was said about the sizes of segments.
  struct AskedSizes {
    var bitRate: BitRate?
    var sizes: [ByteCount]?
    var variation: Int64?
    var initialization: ByteCount?

    /// Whether nothing was said.
    var isEmpty: Bool {
      bitRate == nil && sizes == nil && variation == nil && initialization == nil
    }
  }

  /// Reads `bitrate`, `sizes`, `variation` and `init`.
  func sizes(_ fields: inout FieldReader) -> AskedSizes {
    let asked = AskedSizes(
      bitRate: fields.optional(SegmentKeys.bitrate),
      sizes: fields.optional(SegmentKeys.sizes),
      variation: fields.optional(SegmentKeys.variation),
      initialization: fields.optional(SegmentKeys.initialization))
    if asked.sizes != nil {
      for (key, isThere) in [
        ("bitrate", asked.bitRate != nil), ("variation", asked.variation != nil),
      ] where isThere {
        fields.error("'\(key)' cannot be combined with 'sizes'", at: key)
      }
    }
    return asked
  }

  /// Makes the list of segments of a rate, or of listed sizes; nil if they are wrong.
  mutating func segments(
    _ name: String, _ asked: AskedSizes, at rate: BitRate, _ fields: FieldReader,
    isEncrypted: Bool = true
  ) -> NamedList? {
    var list: SegmentList
    var varied: SizeDraws.DrawnList?
    if let sizes = asked.sizes {
      guard let listed = listed(sizes, fields) else { return nil }
      list = listed
    } else {
      if cut.size(at: rate) > Limits.bytesMax {
        tooLarge(fields, at: "bitrate")
        return nil
      }
      var even = EvenSegments(cut.duration, by: cut.segment, at: rate)
      if let part = asked.variation {
        varied = SizeDraws.DrawnList(list: 0, even: even, part: part)
        even.variation = EvenSegments.Variation(part: part, weights: scenesOnce().weights)
      }
      list = SegmentList(even)
    }
    let section = asked.initialization == nil ? nil : 0
    list.initializations = asked.initialization.map { [$0] } ?? []
    if isEncrypted {
      for stretch in keys.stretches(segments: cut.count, section) { list.need(stretch) }
    } else {
      list.need(SegmentList.SegmentStretch(first: 0, initialization: section))
    }
    return NamedList(name: name, segments: list, varied: varied)
  }

  /// Makes a list of sizes that are spelled out; nil if they are wrong.
  private func listed(_ sizes: [ByteCount], _ fields: FieldReader) -> SegmentList? {
    // A size that was wrong has been reported and left out.
    if sizes.count != cut.count {
      let count = fields.object?.member("sizes")?.count ?? sizes.count
      if count == cut.count { return nil }
      fields.error(
        "'sizes' has \(count) sizes, but the stream has \(cut.count) segments", at: "sizes")
      return nil
    }
    let total = sizes.reduce(Int128(0)) { $0 + Int128($1.bytes) }
    if total > Int128(Limits.bytesMax.bytes) {
      tooLarge(fields, at: "sizes")
      return nil
    }
    return SegmentList(sizes.enumerated().map { (cut.duration(of: $0.offset), $0.element) })
  }

  private func tooLarge(_ fields: FieldReader, at key: String) {
    fields.error(
      "the segments would be larger than the limit of "
        + Quantity.size.text(Limits.bytesMax.bytes), at: key)
  }

  /// The pairs of segments that are as long as each other.
  private var pairs: Int {
    Int((cut.duration.nanoseconds / cut.segment.nanoseconds) / 2)
  }

  /// The scenes, which are drawn when they are first needed.
  private mutating func scenesOnce() -> SceneSizes {
    let scenes = self.scenes ?? SceneSizes(seed: seed, item: item, pairs: pairs)
    (self.scenes, draws) = (scenes, scenes.draws)
    return scenes
  }

  /// What is to be drawn for lists under another seed; nil for nothing.
  private func drawing(_ lists: [SizeDraws.DrawnList?]) -> SizeDraws? {
    let varied = lists.enumerated().compactMap { number, listed in
      listed.map { SizeDraws.DrawnList(list: number, even: $0.even, part: $0.part) }
    }
    return varied.isEmpty ? nil : SizeDraws(item: item, pairs: pairs, lists: varied)
  }
}

// MARK: - Playlists

extension StreamReader {
  /// Reads the sizes of playlists, or reckons what they may come to.
  ///
  /// That of a live stream has the entries of what it lists.
  private func readPlaylistSizes(_ fields: inout FieldReader, _ streamMedia: inout StreamMedia) {
    let multivariant = fields.optional(HLSKeys.multivariantPlaylist)
    let media = fields.optional(HLSKeys.mediaPlaylist)
    let gzip = PlaylistCompression(&fields)
    for index in streamMedia.lists.indices {
      let text = streamMedia.lists[index].assumedPlaylistBytes
      streamMedia.lists[index].playlistSize = gzip.size(media?.bytes ?? text)
      if media == nil {
        streamMedia.lists[index].playlistText = Self.playlistText(sentPart: gzip.part)
      }
    }
    if case .some(.none) = multivariant {
      if streamMedia.variants.count + streamMedia.renditions.count > 1 {
        fields.error(
          "without a multivariant playlist there is one variant and no rendition",
          at: "multivariantPlaylist")
      }
      if !streamMedia.sessionKeys.isEmpty {
        fields.error(
          "only a multivariant playlist can name session keys", at: "multivariantPlaylist")
      }
      return
    }
    let text = streamMedia.assumedPlaylistBytes
    streamMedia.playlistSize = gzip.size((multivariant ?? nil)?.bytes ?? text)
  }

  /// What a live playlist is made of whose size the scenario does not say.
  private static func playlistText(sentPart: Int64) -> PlaylistText {
    var text = PlaylistText(head: ByteCount(bytes: 150), entries: ByteCount(bytes: 40), of: 1)
    text.key = ByteCount(bytes: 120)
    text.initialization = ByteCount(bytes: 40)
    text.sentPart = sentPart
    return text
  }

  /// Reads where the media really ends.
  private func mediaEnd(_ fields: inout FieldReader, isLive: Bool) -> MediaTime? {
    guard let end = fields.optional(HLSKeys.realDuration) else { return nil }
    let last = MediaTime(nanoseconds: Int64(cut.count - 1) * cut.segment.nanoseconds)
    if isLive {
      fields.error("'realDuration' cannot be combined with 'live'", at: "realDuration")
    } else if end <= last || end > cut.duration {
      fields.error("'realDuration' must lie in the last segment", at: "realDuration")
    } else {
      return end
    }
    return nil
  }

  /// Reads what makes the stream live.
  static func live(
    _ fields: inout FieldReader, duration: MediaTime, segment: MediaTime,
    _ streamMedia: inout StreamMedia
  ) -> LiveWindow? {
    guard var live = fields.object(HLSKeys.live) else { return nil }
    var window = LiveKeys.record.plain
    _ = LiveKeys.record.members.read(&live, into: &window)
    if let target = live.optional(LiveKeys.targetDuration) {
      if target < segment {
        live.error(
          "'targetDuration' must not be shorter than 'segmentDuration'", at: "targetDuration")
      }
      for index in streamMedia.lists.indices { streamMedia.lists[index].targetDuration = target }
    }
    live.finish()
    if window.elapsed > duration {
      live.error("'elapsed' must not be longer than the 'duration' of the stream", at: "elapsed")
    }
    if let part = window.partDuration, part > segment {
      live.error("'partDuration' must not be longer than 'segmentDuration'", at: "partDuration")
    }
    if window.partHoldBack != nil, window.partDuration == nil {
      live.error("'partHoldBack' needs 'partDuration'", at: "partHoldBack")
    }
    return window
  }
}

/// What is left of playlists when they are compressed.
struct PlaylistCompression {
  /// The part that is left, in billionths.
  private(set) var part: Int64 = 1_000_000_000

  /// Reads `gzip`: true or false, or the part that is left.
  ///
  /// Assumed: a fifth.
  init(_ fields: inout FieldReader) {
    guard let value = fields.value(HLSKeys.gzip) else { return }
    if let isOn = value.bool {
      if isOn { part = 200_000_000 }
      return
    }
    if value.kind == .null || value.kind == .array || value.kind == .object {
      fields.error("'gzip' must be true, false, or the part that is left", at: "gzip")
      return
    }
    let kind = FieldKind<Int64>.part(in: 1...1_000_000_000)
    part = kind.read(value, FieldLabel(key: "gzip"), fields.findings) ?? part
  }

  /// Returns the bytes that are sent of a playlist.
  func size(_ bytes: Int64) -> ByteCount {
    ByteCount(bytes: Int64((Int128(bytes) * Int128(part) + 999_999_999) / 1_000_000_000))
  }
}
