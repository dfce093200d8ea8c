import AutowaitJSON

/// The text of a media playlist.
struct MediaPlaylistWriter {
  private let playlist: MediaPlaylist
  private var lines = PlaylistLines()

  // What a reader knows at the end of the lines.
  private var keysWritten = 0
  private var mapsWritten = 0
  private var keyIndexes: [Int] = []
  private var mapIndex: Int?
  private var bitRate: Int64?

  var bytes: [UInt8] { lines.bytes }

  init(_ playlist: MediaPlaylist) {
    self.playlist = playlist
    writeHead()
    for segment in playlist.segments { write(segment) }
    // Those that no segment needs, so that the others keep their places.
    writeMaps(before: playlist.maps.count)
    writeKeys(before: playlist.keys.count)
    if let open = playlist.openSegment { write(open) }
    for hint in playlist.preloadHints { write(hint) }
    for report in playlist.renditionReports { write(report) }
    for range in playlist.dateRanges { lines.tag(.dateRange, range.text) }
    if playlist.hasEndList { lines.tag(.endList) }
  }

  private mutating func writeHead() {
    lines.head(
      version: playlist.version, isIndependent: playlist.hasIndependentSegments,
      playlist.variables, playlist.start)
    let target = playlist.targetDuration.nanoseconds.fixedPoint(1_000_000_000)
    lines.tag(.targetDuration, target)
    if playlist.mediaSequence != 0 { lines.tag(.mediaSequence, String(playlist.mediaSequence)) }
    if playlist.discontinuitySequence != 0 {
      lines.tag(.discontinuitySequence, String(playlist.discontinuitySequence))
    }
    if playlist.kind != .live { lines.tag(.playlistType, playlist.kind.rawValue) }
    if playlist.isIFramesOnly { lines.tag(.iFramesOnly) }
    if let control = playlist.serverControl {
      lines.tag(.serverControl) {
        $0.flag("CAN-BLOCK-RELOAD", control.canBlockReload)
        $0.time("CAN-SKIP-UNTIL", control.canSkipUntil)
        $0.flag("CAN-SKIP-DATERANGES", control.canSkipDateRanges)
        $0.time("HOLD-BACK", control.holdBack)
        $0.time("PART-HOLD-BACK", control.partHoldBack)
      }
    }
    if let target = playlist.partTarget {
      lines.tag(.partInf) { $0.time("PART-TARGET", target) }
    }
    if let skipped = playlist.skipped {
      lines.tag(.skip) {
        $0.number("SKIPPED-SEGMENTS", skipped.segmentCount)
        if !skipped.removedDateRanges.isEmpty {
          let names = skipped.removedDateRanges.joined(separator: "\t")
          $0.string("RECENTLY-REMOVED-DATERANGES", names)
        }
      }
    }
  }

  private mutating func write(_ segment: MediaPlaylist.Segment) {
    write(map: segment.mapIndex, keys: segment.keyIndexes)
    if segment.isDiscontinuity { lines.tag(.discontinuity) }
    if let date = segment.programDateTime { lines.tag(.programDateTime, date) }
    if segment.byteRange == nil, segment.bitRate != bitRate, let rate = segment.bitRate {
      bitRate = rate
      lines.tag(.bitRate, rate.fixedPoint(1_000))
    }
    for part in segment.parts { write(part) }
    if segment.isGap { lines.tag(.gap) }
    lines.tag(.inf, segment.duration.nanoseconds.fixedPoint(1_000_000_000) + ",")
    if let range = segment.byteRange {
      lines.tag(.byteRange, "\(range.length)@\(range.offset)")
    }
    lines.address(segment.uri)
  }

  private mutating func write(_ open: MediaPlaylist.OpenSegment) {
    write(map: open.mapIndex, keys: open.keyIndexes)
    if open.isDiscontinuity { lines.tag(.discontinuity) }
    if let date = open.programDateTime { lines.tag(.programDateTime, date) }
    if open.isGap { lines.tag(.gap) }
    for part in open.parts { write(part) }
  }

  private mutating func write(_ part: MediaPlaylist.Part) {
    lines.tag(.part) {
      $0.time("DURATION", part.duration)
      $0.string("URI", part.uri)
      $0.flag("INDEPENDENT", part.isIndependent)
      $0.byteRange("BYTERANGE", part.byteRange)
      $0.flag("GAP", part.isGap)
    }
  }

  private mutating func write(_ hint: MediaPlaylist.PreloadHint) {
    lines.tag(.preloadHint) {
      $0.word("TYPE", hint.kind.rawValue)
      $0.string("URI", hint.uri)
      if hint.offset != 0 { $0.number("BYTERANGE-START", hint.offset) }
      $0.number("BYTERANGE-LENGTH", hint.length)
    }
  }

  private mutating func write(_ report: MediaPlaylist.RenditionReport) {
    lines.tag(.renditionReport) {
      $0.string("URI", report.uri)
      $0.number("LAST-MSN", report.lastMediaSequence)
      $0.number("LAST-PART", report.lastPart)
    }
  }
}

/// Maps and keys: what a tag says holds until another one says else.
extension MediaPlaylistWriter {
  /// Makes a map and keys hold.
  private mutating func write(map: Int?, keys: [Int]) {
    if let map, map != mapIndex, playlist.maps.indices.contains(map) {
      writeMaps(before: map)
      // One that was not written before is the last one now.
      writeMap(map)
    }
    write(keys: keys)
  }

  /// Writes the maps before an index that are not written yet, in their order.
  private mutating func writeMaps(before end: Int) {
    while mapsWritten < end { writeMap(mapsWritten) }
  }

  private mutating func writeMap(_ index: Int) {
    let map = playlist.maps[index]
    write(keys: map.keyIndexes)
    lines.tag(.map) {
      $0.string("URI", map.uri)
      $0.byteRange("BYTERANGE", map.byteRange)
    }
    mapIndex = index
    mapsWritten = max(mapsWritten, index + 1)
  }

  /// Makes keys hold, and no other ones.
  private mutating func write(keys: [Int]) {
    let wanted = keys.filter { playlist.keys.indices.contains($0) }
    writeKeys(before: (wanted.max() ?? -1) + 1)
    if keyIndexes == wanted { return }
    for index in wanted where !keyIndexes.contains(index) { writeKey(index) }
    if keyIndexes == wanted { return }
    lines.tag(.key) { $0.word("METHOD", "NONE") }
    keyIndexes = []
    for index in wanted { writeKey(index) }
  }

  /// Writes the keys before an index that are not written yet, in their order.
  private mutating func writeKeys(before end: Int) {
    while keysWritten < end { writeKey(keysWritten) }
  }

  private mutating func writeKey(_ index: Int) {
    let key = playlist.keys[index]
    lines.key(.key, key)
    let keys = playlist.keys
    keyIndexes.removeAll { keys[$0].keyFormat == key.keyFormat }
    keyIndexes.append(index)
    keysWritten = max(keysWritten, index + 1)
  }
}
