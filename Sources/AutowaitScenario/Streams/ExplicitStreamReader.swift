import Autowait

/// Reads a stream whose segment lists are spelled out one by one, each segment with its duration
/// and size: what `autowait convert` makes of a stream on disk.
struct ExplicitStreamReader {
  private let findings: Findings
  private var segmentCount = 0
  private var keyCount = 0
  private var names: [String] = []
  private var lists: [SegmentList] = []

  /// Reads a stream; nil if it is wrong.
  static func read(_ fields: inout FieldReader) -> StreamReading? {
    var reader = ExplicitStreamReader(findings: fields.findings)
    let stream = reader.stream(&fields)
    guard var stream, !fields.findings.hasErrors else {
      for key in ["rewrite", "failures", "live"] { _ = fields.value(key) }
      return nil
    }
    let target = stream.streamMedia.lists.map { $0.targetDuration }.max() ?? .zero
    stream.streamMedia.live = StreamReader.live(
      &fields, duration: stream.streamMedia.lists.map { $0.end }.max() ?? .zero, segment: target,
      &stream.streamMedia)
    stream.finish(&fields)
    return fields.findings.hasErrors ? nil : stream
  }

  private init(findings: Findings) { self.findings = findings }

  private mutating func stream(_ fields: inout FieldReader) -> StreamReading? {
    let playlistSize = fields.optional(HLSKeys.multivariantPlaylist) ?? nil
    let keys = fields.elements(ExplicitStreamKeys.keys).compactMap {
      ExplicitStreamKeys.key.read($0, findings)
    }
    keyCount = keys.count
    if keyCount > StreamReader.keysMax {
      fields.error("there are more than \(StreamReader.keysMax) keys", at: "keys")
    }
    let keyHost = fields.optional(ExplicitStreamKeys.keyHost)
    let sessionKeys = fields.optional("sessionKeys", .list(of: number(below: keyCount))) ?? []
    if keyCount == 0, !sessionKeys.isEmpty {
      fields.error("the stream has no 'keys'", at: "sessionKeys")
    }
    let start = fields.optional(HLSKeys.startOffset)
    readLists(&fields)
    var groups: (audio: [String], subtitles: [String]) = ([], [])
    let renditions =
      fields.elements(ExplicitStreamKeys.audio).compactMap { rendition($0, .audio, &groups.audio) }
      + fields.elements(ExplicitStreamKeys.subtitles).compactMap {
        rendition($0, .subtitles, &groups.subtitles)
      }
    var variantNames: [String] = []
    let array = fields.required(ExplicitStreamKeys.variants)
    if let array, array.count == 0 { findings.error("'variants' has no variants", at: array) }
    if let array, array.count > PlaylistReader.entriesMax {
      findings.error("there are more than \(PlaylistReader.entriesMax) variants", at: array)
      return nil
    }
    var variants: [StreamMedia.Variant] = []
    for element in array?.elements ?? JSONElements() {
      guard let read = variant(element, groups) else { continue }
      variants.append(read.variant)
      variantNames.append(read.name)
    }
    if findings.hasErrors || variants.isEmpty { return nil }
    var streamMedia = StreamMedia(variants: variants, lists: lists)
    streamMedia.playlistSize = playlistSize
    streamMedia.renditions = renditions
    streamMedia.keys = keys
    streamMedia.sessionKeys = sessionKeys
    streamMedia.startOffset = start
    var reading = StreamReading(
      streamMedia: streamMedia,
      names: StreamNames(variants: variantNames, lists: names, keyCount: keyCount))
    reading.keyHost = keyHost
    return reading
  }

  private func number(below count: Int) -> FieldKind<Int> { .count(in: 0...max(count - 1, 0)) }
}

// MARK: - Lists

extension ExplicitStreamReader {
  private mutating func readLists(_ fields: inout FieldReader) {
    guard let array = fields.required(ExplicitStreamKeys.lists) else { return }
    if array.count == 0 { findings.error("'lists' has no lists", at: array) }
    if array.count > StreamReader.listsMax {
      findings.error("there are more than \(StreamReader.listsMax) lists", at: array)
      return
    }
    for element in array.elements {
      var list = FieldReader(element, SegmentListKeys.object, findings)
      let name = list.optional(SegmentListKeys.name) ?? "list \(names.count)"
      let segments = segments(&list)
      list.finish()
      names.append(name)
      lists.append(segments ?? SegmentList([]))
    }
  }

  private mutating func segments(_ fields: inout FieldReader) -> SegmentList? {
    let playlistSize = fields.value(of: SegmentListKeys.playlistSize)
    let text = playlistText(&fields)
    let target = fields.optional(SegmentListKeys.targetDuration)
    let initializations = fields.optional(SegmentListKeys.inits) ?? []
    let durations = fields.required(SegmentListKeys.durations)
    let sizes = fields.required(SegmentListKeys.sizes)
    let sizeAfterEnd = fields.optional(SegmentKeys.sizeAfterEnd)
    let count = durations?.count ?? 0
    let gaps = fields.optional("gaps", .list(of: number(below: count))) ?? []
    if zip(gaps, gaps.dropFirst()).contains(where: { $0 >= $1 }) {
      fields.error("the 'gaps' must be in ascending order", at: "gaps")
    }
    let needs = fields.elements(SegmentListKeys.needs)
    guard let durations, let sizes, !findings.hasErrors else { return nil }
    if sizes.count != count {
      fields.error(
        "'sizes' has \(sizes.count) sizes, but there are \(count) durations", at: "sizes")
      return nil
    }
    segmentCount += count
    if segmentCount > StreamReader.segmentsMax {
      fields.error(
        "the stream has more than \(StreamReader.segmentsMax) segments", at: "durations")
      return nil
    }
    let length = durations.reduce(Int128(0)) { $0 + Int128($1.nanoseconds) }
    if length == 0 || length > Int128(Limits.mediaMax.nanoseconds) {
      fields.error(
        "the segments must last for more than 0 s and for 366 d at most", at: "durations")
      return nil
    }
    if sizes.reduce(Int128(0), { $0 + Int128($1.bytes) }) > Int128(Limits.bytesMax.bytes) {
      fields.error(
        "the segments are larger than the limit of "
          + Quantity.size.text(Limits.bytesMax.bytes), at: "sizes")
      return nil
    }
    var list = SegmentList(zip(durations, sizes).map { ($0, $1) })
    list.playlistSize = playlistSize
    list.playlistText = text
    list.initializations = initializations
    list.gaps = gaps
    list.sizeAfterEnd = sizeAfterEnd ?? .zero
    if let target { list.targetDuration = target }
    read(needs, into: &list)
    return list
  }

  /// Reads what the playlist of a live stream is made of, if its size follows what it lists.
  private func playlistText(_ fields: inout FieldReader) -> PlaylistText? {
    guard var read = fields.object(SegmentListKeys.livePlaylist) else {
      return nil
    }
    var text = SegmentListKeys.playlistText.plain
    let isWhole = SegmentListKeys.playlistText.members.read(&read, into: &text)
    text.sentPart = PlaylistCompression(&read).part
    read.finish()
    return isWhole ? text : nil
  }

  private func read(_ needs: JSONElements, into list: inout SegmentList) {
    var last = -1
    for element in needs {
      var fields = FieldReader(element, SegmentListKeys.need, findings)
      let first = fields.required("first", number(below: list.count))
      let section = fields.optional("init", number(below: list.initializations.count))
      let key = fields.optional("key", number(below: keyCount))
      fields.finish()
      if section != nil, list.initializations.isEmpty {
        fields.error("the list has no 'inits'", at: "init")
      } else if key != nil, keyCount == 0 {
        fields.error("the stream has no 'keys'", at: "key")
      } else if let first, first <= last {
        fields.error("the 'needs' must be in ascending order", at: "first")
      } else if let first {
        list.need(SegmentList.SegmentStretch(first: first, initialization: section, key: key))
        last = first
      }
    }
  }

  private func rendition(
    _ element: JSONValue, _ kind: StreamMedia.Rendition.Kind, _ groups: inout [String]
  ) -> StreamMedia.Rendition? {
    let object =
      kind == .audio ? RenditionKeys.audioOfList : RenditionKeys.subtitlesOfList
    var fields = FieldReader(element, object, findings)
    var rendition = fields.rendition(kind, &groups)?.0
    let list = fields.optional("list", number(below: lists.count))
    fields.finish()
    rendition?.list = lists.isEmpty ? nil : list
    return rendition
  }

  private func variant(
    _ element: JSONValue, _ groups: (audio: [String], subtitles: [String])
  ) -> (variant: StreamMedia.Variant, name: String)? {
    var fields = FieldReader(element, ExplicitStreamKeys.variant, findings)
    let name = fields.optional(VariantKeys.name)
    let bandwidth = fields.required(VariantKeys.bandwidth)
    let list = fields.required("list", number(below: lists.count))
    var variant = StreamMedia.Variant(bandwidth: bandwidth ?? .zero, list: list ?? 0)
    fields.read(into: &variant, audio: groups.audio, subtitles: groups.subtitles)
    fields.finish()
    guard bandwidth != nil, list != nil, !lists.isEmpty else { return nil }
    return (variant, name ?? variant.defaultName)
  }
}
