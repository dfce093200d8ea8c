import AutowaitScenario

/// Draws playlists as a reader may return them.
struct RandomPlaylist {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func draw() -> Playlist {
    chance(3) ? .multivariant(multivariant()) : .media(media())
  }

  private mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private mutating func chance(_ count: Int) -> Bool { number(count) == 0 }

  private mutating func large(_ max: Int64) -> Int64 {
    // All sizes, not only large ones.
    Int64(random.next() % UInt64(max)) >> Int64(number(40))
  }

  private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
    chance(2) ? value(&self) : nil
  }

  /// A text without what no string may hold.
  private mutating func text() -> String {
    let letters = Array("abcXYZ019-_./?&=%:;@ é漢🎬'<>{}$#+*~").map(String.init)
    var text = ""
    for _ in 0...number(12) { text += letters[number(letters.count)] }
    // A reference in braces would be replaced.
    return text.replacing("{$", with: "{_")
  }

  /// A text that can stand in a line.
  private mutating func address() -> String { "a" + text() + "z" }

  private mutating func texts() -> [String] {
    var texts: [String] = []
    for _ in 0..<number(3) { texts.append(address()) }
    return texts
  }

  private mutating func time() -> PlaylistTime { PlaylistTime(nanoseconds: large(10_000_000_000)) }

  private mutating func range() -> PlaylistByteRange {
    PlaylistByteRange(
      offset: large(1_000_000_000), length: large(1 << 30))
  }

  private mutating func start() -> PlaylistStart {
    let time = time()
    return PlaylistStart(
      timeOffset: chance(2) ? time : PlaylistTime(nanoseconds: -time.nanoseconds),
      isPrecise: chance(2))
  }

  private mutating func variables() -> [PlaylistVariable] {
    var variables: [PlaylistVariable] = []
    for index in 0..<number(3) {
      variables.append(PlaylistVariable(name: "v\(index)", value: text()))
    }
    return variables
  }

  private mutating func key(_ index: Int) -> PlaylistKey {
    let method = PlaylistKey.Method.allCases[number(PlaylistKey.Method.allCases.count)]
    var key = PlaylistKey(method: method, uri: "\(index)" + text())
    if chance(2) { key.keyFormat = "f\(number(3))" }
    key.initializationVector = maybe { _ in "0x00aF" }
    key.keyFormatVersions = maybe { _ in "1/2" }
    return key
  }

  private mutating func part() -> MediaPlaylist.Part {
    var part = MediaPlaylist.Part(uri: address(), duration: time())
    part.byteRange = maybe { $0.range() }
    part.isIndependent = chance(2)
    part.isGap = chance(4)
    return part
  }

  private mutating func parts() -> [MediaPlaylist.Part] {
    var parts: [MediaPlaylist.Part] = []
    if chance(3) { for _ in 0...number(3) { parts.append(part()) } }
    return parts
  }

  /// Some keys of different formats, in any order.
  private mutating func keys(of playlist: MediaPlaylist) -> [Int] {
    var indices: [Int] = []
    if playlist.keys.isEmpty { return [] }
    for _ in 0..<number(3) {
      let index = number(playlist.keys.count)
      let format = playlist.keys[index].keyFormat
      if !indices.contains(where: { playlist.keys[$0].keyFormat == format }) {
        indices.append(index)
      }
    }
    return indices
  }

  private mutating func media() -> MediaPlaylist {
    var playlist = MediaPlaylist(targetDuration: .seconds(Int64(1 + number(20))))
    playlist.version = Int64(1 + number(13))
    playlist.mediaSequence = large(9_000_000_000_000_000_000)
    playlist.discontinuitySequence = large(1_000_000)
    playlist.kind = MediaPlaylist.Kind.allCases[number(3)]
    playlist.hasEndList = chance(2)
    playlist.isIFramesOnly = chance(4)
    playlist.hasIndependentSegments = chance(2)
    playlist.start = maybe { $0.start() }
    playlist.serverControl = maybe { $0.serverControl() }
    playlist.partTarget = maybe { $0.time() }
    playlist.variables = variables()
    playlist.skipped = maybe { draws in
      var skip = MediaPlaylist.Skip(segmentCount: Int64(draws.number(100)))
      skip.removedDateRanges = draws.texts()
      return skip
    }
    for index in 0..<number(5) { playlist.keys.append(key(index)) }
    for index in 0..<number(4) {
      var map = MediaPlaylist.Map(uri: "\(index)" + text(), byteRange: maybe { $0.range() })
      map.keyIndexes = keys(of: playlist)
      playlist.maps.append(map)
    }
    addSegments(to: &playlist)
    for _ in 0..<number(3) { playlist.preloadHints.append(hint()) }
    for _ in 0..<number(3) { playlist.renditionReports.append(report()) }
    for _ in 0..<number(3) {
      playlist.dateRanges.append(PlaylistTagText(text: "ID=\"\(text())\",X-A=\"{$none}\""))
    }
    return playlist
  }

  private mutating func addSegments(to playlist: inout MediaPlaylist) {
    var (map, rate, keys): (Int?, Int64?, [Int]) = (nil, nil, [])
    func change(_ draws: inout Self) {
      if !playlist.maps.isEmpty, draws.chance(3) { map = draws.number(playlist.maps.count) }
      if draws.chance(3) { rate = 1_000 * (1 + draws.large(1_000_000)) }
      if draws.chance(2) { keys = draws.keys(of: playlist) }
    }
    for _ in 0..<number(10) {
      change(&self)
      var segment = MediaPlaylist.Segment(uri: address(), duration: time())
      segment.byteRange = maybe { $0.range() }
      if segment.byteRange == nil { segment.bitRate = rate } else { rate = rateInForce(playlist) }
      segment.mapIndex = map
      segment.keyIndexes = keys
      segment.isDiscontinuity = chance(4)
      segment.isGap = chance(4)
      segment.programDateTime = maybe { _ in "2019-02-14T02:14:00.106Z" }
      segment.parts = parts()
      playlist.segments.append(segment)
    }
    var open = MediaPlaylist.OpenSegment()
    open.parts = parts()
    open.isDiscontinuity = chance(3)
    if open.parts.isEmpty, !open.isDiscontinuity { return }
    // The last map holds at the end, if the reader has met any.
    open.mapIndex = playlist.maps.isEmpty ? nil : number(playlist.maps.count)
    open.keyIndexes = self.keys(of: playlist)
    open.isGap = chance(3)
    open.programDateTime = maybe { _ in "2020" }
    playlist.openSegment = open
  }

  /// The rate that the segments so far leave behind.
  private func rateInForce(_ playlist: MediaPlaylist) -> Int64? {
    playlist.segments.last { $0.byteRange == nil }?.bitRate
  }

  private mutating func serverControl() -> MediaPlaylist.ServerControl {
    var control = MediaPlaylist.ServerControl()
    control.canBlockReload = chance(2)
    control.canSkipDateRanges = chance(2)
    control.canSkipUntil = maybe { $0.time() }
    control.holdBack = maybe { $0.time() }
    control.partHoldBack = maybe { $0.time() }
    return control
  }

  private mutating func hint() -> MediaPlaylist.PreloadHint {
    var hint = MediaPlaylist.PreloadHint(chance(2) ? .part : .map, uri: address())
    if chance(2) { hint.offset = range().offset }
    hint.length = maybe { $0.range().length }
    return hint
  }

  private mutating func report() -> MediaPlaylist.RenditionReport {
    var report = MediaPlaylist.RenditionReport(uri: address())
    report.lastMediaSequence = maybe { $0.large(1_000_000_000) }
    report.lastPart = maybe { Int64($0.number(100)) }
    return report
  }
}

/// Multivariant playlists.
extension RandomPlaylist {
  private mutating func multivariant() -> MultivariantPlaylist {
    var playlist = MultivariantPlaylist()
    playlist.version = Int64(1 + number(13))
    playlist.hasIndependentSegments = chance(2)
    playlist.start = maybe { $0.start() }
    playlist.variables = variables()
    for _ in 0...number(5) { playlist.variants.append(variant()) }
    for _ in 0..<number(3) { playlist.iFrameVariants.append(variant()) }
    for index in 0..<number(5) { playlist.renditions.append(rendition(index)) }
    for index in 0..<number(3) { playlist.sessionKeys.append(key(index)) }
    for _ in 0..<number(3) {
      playlist.sessionData.append(PlaylistTagText(text: "DATA-ID=\"\(text())\",VALUE=\"x\""))
    }
    playlist.contentSteering = maybe { draws in
      MultivariantPlaylist.ContentSteering(
        serverURI: draws.address(), pathwayID: draws.maybe { $0.text() })
    }
    return playlist
  }

  private mutating func variant() -> MultivariantPlaylist.Variant {
    var variant = MultivariantPlaylist.Variant(
      uri: address(), bandwidth: large(1_000_000_000_000))
    variant.averageBandwidth = maybe { $0.large(1_000_000_000) }
    variant.scoreMillionths = maybe { $0.large(1_000_000_000) }
    variant.codecs = texts()
    variant.supplementalCodecs = texts()
    variant.resolution = maybe {
      MultivariantPlaylist.Resolution(width: $0.large(10_000), height: $0.large(10_000))
    }
    variant.frameRateMillihertz = maybe { $0.large(120_000) }
    variant.videoRange = maybe { MultivariantPlaylist.VideoRange.allCases[$0.number(3)] }
    variant.hdcpLevel = maybe { MultivariantPlaylist.HDCPLevel.allCases[$0.number(3)] }
    variant.allowedCPC = maybe { $0.text() }
    variant.requiredVideoLayout = maybe { $0.text() }
    variant.audioGroup = maybe { $0.text() }
    variant.videoGroup = maybe { $0.text() }
    variant.subtitlesGroup = maybe { $0.text() }
    variant.closedCaptions = maybe { $0.chance(2) ? .absent : .group($0.text()) }
    variant.pathwayID = maybe { $0.text() }
    variant.stableVariantID = maybe { $0.text() }
    return variant
  }

  private mutating func rendition(_ index: Int) -> MultivariantPlaylist.Rendition {
    let kind = MultivariantPlaylist.Rendition.Kind.allCases[number(4)]
    var rendition = MultivariantPlaylist.Rendition(
      kind, groupID: text(), name: "\(index)" + text(), uri: maybe { $0.address() })
    if kind == .subtitles { rendition.uri = address() }
    rendition.language = maybe { $0.text() }
    rendition.associatedLanguage = maybe { $0.text() }
    rendition.stableRenditionID = maybe { $0.text() }
    rendition.isDefault = chance(2)
    rendition.isAutoselect = rendition.isDefault || chance(2)
    rendition.isForced = chance(2)
    rendition.instreamID = kind == .closedCaptions ? "CC1" : maybe { $0.text() }
    rendition.bitDepth = maybe { Int64($0.number(33)) }
    rendition.sampleRate = maybe { $0.large(192_000) }
    rendition.channels = maybe { $0.text() }
    rendition.characteristics = texts()
    return rendition
  }
}
