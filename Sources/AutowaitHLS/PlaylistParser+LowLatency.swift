import AutowaitJSON

/// What low latency needs (rfc8216bis-20, 4.4.3.8, 4.4.4.9 and 4.4.5).
extension PlaylistParser {
  mutating func readPart(_ list: AttributeList) {
    media.partCount += 1
    if isTooMany(media.partCount, PlaylistReader.segmentsMax, "parts") { return }
    if media.firstPart == nil { media.firstPart = line }
    let uri = address(list, "URI", .required)
    let duration = time(list, "DURATION", .required)
    guard let uri, let duration else { return }
    var part = MediaPlaylist.Part(uri: uri, duration: duration, line: lineNumber)
    if let asked = byteRange(list, "BYTERANGE") { part.byteRange = resolvedPart(asked, uri) }
    part.isIndependent = flag(list, "INDEPENDENT")
    part.isGap = flag(list, "GAP")
    if let target = media.playlist.partTarget, duration > target {
      findings.warning("the duration is above that of the longest part", at: line)
    }
    media.pending.open.parts.append(part)
  }

  /// Returns the byte range of a part; without an offset it continues the one before it.
  private func resolvedPart(_ asked: AskedRange, _ uri: String) -> PlaylistByteRange? {
    if asked.offset != nil { return asked.resolved(at: 0) }
    let last = media.pending.open.parts.last ?? media.playlist.segments.last?.parts.last
    if let last, last.uri == uri, let range = last.byteRange {
      return continued(range, by: asked)
    }
    // As hls.js does; the draft does not say.
    findings.warning(
      "the byte range has no offset, and no part of the same file is before it; it is 0",
      at: asked.place)
    return asked.resolved(at: 0)
  }

  mutating func readPartTarget(_ list: AttributeList) {
    media.playlist.partTarget = time(list, "PART-TARGET", .required)
  }

  mutating func readServerControl(_ list: AttributeList) {
    var control = MediaPlaylist.ServerControl()
    control.canBlockReload = flag(list, "CAN-BLOCK-RELOAD")
    control.canSkipUntil = time(list, "CAN-SKIP-UNTIL")
    control.canSkipDateRanges = flag(list, "CAN-SKIP-DATERANGES")
    control.holdBack = time(list, "HOLD-BACK")
    control.partHoldBack = time(list, "PART-HOLD-BACK")
    media.playlist.serverControl = control
    media.serverControl = line
  }

  mutating func readSkip(_ list: AttributeList) {
    let count = number(
      list, "SKIPPED-SEGMENTS", .required, places: 0, max: Int64(PlaylistReader.segmentsMax))
    guard let count else { return }
    if !media.playlist.segments.isEmpty {
      findings.warning("the tag must come before the first segment", at: line)
    }
    var skip = MediaPlaylist.Skip(segmentCount: count)
    let removed = string(list, "RECENTLY-REMOVED-DATERANGES") ?? ""
    skip.removedDateRanges = removed.utf8.split(separator: 0x09).map { String(Substring($0)) }
    media.playlist.skipped = skip
  }

  mutating func readPreloadHint(_ list: AttributeList) {
    // Clients must skip the hints whose type they do not know (4.4.5.3).
    guard let kind = attribute(list, "TYPE", .required) else { return }
    let known = MediaPlaylist.PreloadHint.Kind.allCases.first { isText(kind.value, $0.rawValue) }
    guard let known else {
      findings.warning("a hint of an unknown type; it is left out", at: valuePlace(kind.value))
      return
    }
    guard let uri = address(list, "URI", .required) else { return }
    var hint = MediaPlaylist.PreloadHint(known, uri: uri, line: lineNumber)
    let bytesMax = PlaylistReader.bytesMax
    hint.offset =
      number(list, "BYTERANGE-START", .optional, places: 0, max: bytesMax) ?? 0
    hint.length = number(
      list, "BYTERANGE-LENGTH", .optional, places: 0, max: bytesMax - hint.offset
    )
    let count = media.playlist.preloadHints.count + 1
    if !isTooMany(count, PlaylistReader.entriesMax, "hints") {
      media.playlist.preloadHints.append(hint)
    }
  }

  mutating func readRenditionReport(_ list: AttributeList) {
    guard let uri = address(list, "URI", .required) else { return }
    var report = MediaPlaylist.RenditionReport(uri: uri, line: lineNumber)
    report.lastMediaSequence = number(
      list, "LAST-MSN", .optional, places: 0, max: 9_000_000_000_000_000_000)
    report.lastPart = number(
      list, "LAST-PART", .optional, places: 0, max: Int64(PlaylistReader.segmentsMax))
    let count = media.playlist.renditionReports.count + 1
    if !isTooMany(count, PlaylistReader.entriesMax, "reports") {
      media.playlist.renditionReports.append(report)
    }
  }

  /// Looks at what only the whole playlist shows.
  func checkLowLatency(_ header: Range<Int>) {
    let playlist = media.playlist
    if let first = media.firstPart, playlist.partTarget == nil {
      findings.warning("parts without the tag 'EXT-X-PART-INF'", at: first)
    }
    let target = playlist.targetDuration.nanoseconds
    let place = media.serverControl ?? header
    if let hold = playlist.serverControl?.holdBack, hold.nanoseconds < 3 * target {
      findings.warning("'HOLD-BACK' is below three target durations", at: place)
    }
    if let until = playlist.serverControl?.canSkipUntil, until.nanoseconds < 6 * target {
      findings.warning("'CAN-SKIP-UNTIL' is below six target durations", at: place)
    }
    guard let part = playlist.partTarget else { return }
    guard let hold = playlist.serverControl?.partHoldBack else {
      findings.warning("'EXT-X-PART-INF' without 'PART-HOLD-BACK'", at: place)
      return
    }
    if hold.nanoseconds < 2 * part.nanoseconds {
      findings.warning("'PART-HOLD-BACK' is below two durations of the longest part", at: place)
    }
  }
}
