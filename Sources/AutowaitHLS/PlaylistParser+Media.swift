import AutowaitJSON

/// What is known of a media playlist while it is read.
struct MediaBuilder {
  /// What the tags before an address say about its segment alone.
  struct Pending {
    var duration: PlaylistTime?
    /// Where the duration stands.
    var durationPlace = 0..<0
    var byteRange: PlaylistParser.AskedRange?
    /// What is kept even if no address follows.
    var open = MediaPlaylist.OpenSegment()
  }

  var playlist = MediaPlaylist(targetDuration: .zero)
  var pending = Pending()
  /// What the tags before an address say about all segments from there on.
  var bitRate: Int64?
  var mapIndex: Int?
  var keyIndexes: [Int] = []
  /// The maps and keys, without their lines, and where they are in the playlist.
  var mapIndices: [MediaPlaylist.Map: Int] = [:]
  var keyIndices: [PlaylistKey: Int] = [:]

  var hasTargetDuration = false
  var hasDiscontinuity = false
  /// Where the durations of the segments stand.
  var durationStarts: [Int] = []
  /// The durations of all segments so far.
  var total: Int64 = 0
  var partCount = 0
  /// The line of the first part.
  var firstPart: Range<Int>?
  /// The line of the control of the server.
  var serverControl: Range<Int>?
}

/// Reading media playlists (rfc8216bis-20, 4.4.3 to 4.4.5).
extension PlaylistParser {
  mutating func readEnd(_: Range<Int>) { media.playlist.hasEndList = true }
  mutating func readIFrames(_: Range<Int>) { media.playlist.isIFramesOnly = true }
  mutating func readGap(_: Range<Int>) { media.pending.open.isGap = true }

  mutating func readByteRange(_ value: Range<Int>) {
    if media.pending.byteRange != nil {
      findings.warning("a second byte range of a segment; it replaces the first", at: line)
    }
    media.pending.byteRange = byteRange(value)
  }

  mutating func readDiscontinuity(_: Range<Int>) {
    checkOrder()
    media.pending.open.isDiscontinuity = true
    media.hasDiscontinuity = true
  }

  mutating func readDate(_ value: Range<Int>) {
    checkOrder()
    media.pending.open.programDateTime = String(decoding: bytes[value], as: UTF8.self)
  }

  // A step of one segment must not overflow.
  private static let sequences: ClosedRange<Int64> = 0...9_000_000_000_000_000_000

  mutating func readSequence(_ value: Range<Int>) {
    if !media.playlist.segments.isEmpty {
      findings.error("the tag must come before the first segment", at: line)
    }
    media.playlist.mediaSequence = wholeNumber(value, Self.sequences) ?? 0
  }

  mutating func readDiscontinuities(_ value: Range<Int>) {
    if !media.playlist.segments.isEmpty || media.hasDiscontinuity {
      findings.error(
        "the tag must come before the first segment and the first discontinuity", at: line)
    }
    media.playlist.discontinuitySequence = wholeNumber(value, Self.sequences) ?? 0
  }

  /// Reads a rate in kilobits per second, which is only a hint: a wrong one is left out.
  mutating func readBitRate(_ value: Range<Int>) {
    if case .value(let rate) = decimal(value, places: 0), rate > 0,
      rate <= PlaylistReader.bitRateMax / 1_000, !bytes[value].contains(UInt8(ascii: "."))
    {
      media.bitRate = rate * 1_000
    } else {
      findings.warning(
        "the rate must be a whole number of kilobits per second; it is left out",
        at: valuePlace(value))
    }
  }

  mutating func readTargetDuration(_ value: Range<Int>) {
    media.hasTargetDuration = true
    let secondsMax = PlaylistReader.timeMax.nanoseconds / 1_000_000_000
    let point = value.first { bytes[$0] == UInt8(ascii: ".") } ?? value.upperBound
    if point < value.upperBound, case .value = decimal(value, places: 0) {
      // hls.js and media3 read the digits before the point.
      findings.warning("the target duration must be a whole number of seconds", at: value)
    } else if point < value.upperBound {
      findings.error("the value must be a whole number", at: value)
      return
    }
    guard let seconds = wholeNumber(value.lowerBound..<point, 0...secondsMax) else { return }
    if seconds == 0 { findings.warning("the target duration is 0", at: value) }
    media.playlist.targetDuration = .seconds(seconds)
  }

  mutating func readType(_ value: Range<Int>) {
    let word = String(decoding: bytes[value].prefix(10), as: UTF8.self)
    switch word.uppercased() {
    case "VOD": media.playlist.kind = .vod
    case "EVENT": media.playlist.kind = .event
    default:
      findings.warning(
        "the type must be VOD or EVENT; it is left out", at: valuePlace(value))
      return
    }
    if word != word.uppercased() {
      findings.warning("the type must be in capitals", at: value)
    }
  }

  /// Reads a duration; what stands behind its comma is a title, and not kept.
  mutating func readDuration(_ value: Range<Int>) {
    if media.pending.duration != nil {
      findings.warning("a second duration of a segment; it replaces the first", at: line)
    }
    var end = value.lowerBound
    while end < value.upperBound, bytes[end] != UInt8(ascii: ","), !Self.isSpace(bytes[end]) {
      end += 1
    }
    let number = value.lowerBound..<end
    media.pending.durationPlace = valuePlace(number)
    // So that the address behind a wrong duration is not said to have none.
    media.pending.duration = .zero
    switch decimal(number, places: 9, isSigned: true) {
    case .value(let nanoseconds) where nanoseconds > PlaylistReader.timeMax.nanoseconds:
      findings.error("the duration is above the limit of 366 d", at: number)
    case .value(let nanoseconds) where nanoseconds < 0 || bytes[number].first == 0x2D:
      // Lists of radio stations write -1 for what has no end.
      findings.warning("the duration is negative and counts as 0", at: number)
    case .value(let nanoseconds):
      if nanoseconds == 0 { findings.warning("the duration is 0", at: number) }
      media.pending.duration = PlaylistTime(nanoseconds: nanoseconds)
    case .tooLarge: findings.error("the duration is above the limit of 366 d", at: number)
    case .malformed:
      findings.error("the duration must be a number of seconds", at: valuePlace(number))
    }
    if end == value.upperBound || bytes[end] != UInt8(ascii: ",") {
      findings.warning("no comma follows the duration", at: valuePlace(number))
    }
  }

  /// Adds the segment whose address is the line.
  mutating func addSegment() {
    guard let duration = media.pending.duration else {
      // As hls.js does; video.js takes the duration of the segment before it.
      findings.warning("the address has no 'EXTINF' before it and is skipped", at: line)
      media.pending.byteRange = nil
      return
    }
    let count = media.playlist.segments.count + 1
    if isTooMany(count, PlaylistReader.segmentsMax, "segments") { return }
    media.total += duration.nanoseconds
    if media.total > PlaylistReader.timeMax.nanoseconds {
      findings.error("the segments are longer than the limit of 366 d", at: line)
      isStopped = true
      return
    }
    var segment = MediaPlaylist.Segment(uri: text(line), duration: duration, line: lineNumber)
    if let asked = media.pending.byteRange {
      segment.byteRange = resolved(asked, segment.uri)
    } else {
      segment.bitRate = media.bitRate
    }
    segment.mapIndex = media.mapIndex
    segment.keyIndexes = media.keyIndexes
    segment.isDiscontinuity = media.pending.open.isDiscontinuity
    segment.isGap = media.pending.open.isGap
    segment.programDateTime = media.pending.open.programDateTime
    segment.parts = media.pending.open.parts
    media.durationStarts.append(media.pending.durationPlace.lowerBound)
    media.playlist.segments.append(segment)
    media.pending = MediaBuilder.Pending()
  }

  /// Returns the byte range of a segment; without an offset it continues the one before it.
  private func resolved(_ asked: AskedRange, _ uri: String) -> PlaylistByteRange? {
    if asked.offset != nil { return asked.resolved(at: 0) }
    guard let last = media.playlist.segments.last, last.uri == uri, let range = last.byteRange
    else {
      var notes: [String] = []
      if media.playlist.segments.isEmpty, media.playlist.skipped != nil {
        notes = ["the segment before it is one of those that are skipped"]
      }
      findings.error(
        "the byte range has no offset, and the segment before it is no part of the same file",
        at: asked.place, notes: notes)
      return nil
    }
    return continued(range, by: asked)
  }

  /// Returns a byte range behind another one.
  func continued(_ range: PlaylistByteRange, by asked: AskedRange) -> PlaylistByteRange? {
    let offset = range.offset + range.length
    if offset + asked.length > PlaylistReader.bytesMax {
      findings.error("the byte range ends above the limit of 1 TB", at: asked.place)
      return nil
    }
    return asked.resolved(at: offset)
  }

  /// Warns of a tag behind parts that it should stand before.
  func checkOrder() {
    if media.pending.open.parts.isEmpty { return }
    findings.warning("the tag must come before the parts of its segment", at: line)
  }

  mutating func readDateRange(_ value: Range<Int>) {
    // Clients should skip what is wrong (4.4.5.1).
    let list = attributes(.dateRange, value, .warning)
    if list.isBroken { return }
    if attribute(list, "ID", .optional) == nil {
      findings.warning("a date range without the attribute 'ID'; it is left out", at: line)
      return
    }
    media.playlist.dateRanges.append(tagText(value))
  }

  /// Looks at what only the whole playlist shows.
  mutating func finishMedia(_ header: Range<Int>) {
    if !media.hasTargetDuration {
      findings.error("the tag 'EXT-X-TARGETDURATION' is missing", at: header)
    }
    finishOpenSegment()
    let target = media.playlist.targetDuration.nanoseconds
    // Rounded to the nearest second, it must not be above (4.4.3.1).
    let limit = target + 500_000_000
    for index in media.playlist.segments.indices
    where media.playlist.segments[index].duration.nanoseconds >= limit && media.hasTargetDuration {
      let start = media.durationStarts[index]
      var end = start
      while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: ",") { end += 1 }
      findings.warning(
        "the duration is above the target duration of \(target / 1_000_000_000) s",
        at: start..<end)
    }
    if media.playlist.segments.isEmpty, media.playlist.openSegment == nil, !findings.hasErrors {
      findings.warning("the playlist has no segments", at: header)
    }
    if media.playlist.kind == .vod, !media.playlist.hasEndList {
      findings.warning("a playlist of the type VOD without 'EXT-X-ENDLIST'", at: header)
    }
    checkLowLatency(header)
  }

  /// Keeps what stands behind the last segment.
  private mutating func finishOpenSegment() {
    if media.pending.duration != nil {
      findings.warning("no address follows the duration", at: media.pending.durationPlace)
    }
    if media.pending.open.parts.isEmpty, !media.pending.open.isDiscontinuity { return }
    media.pending.open.mapIndex = media.mapIndex
    media.pending.open.keyIndexes = media.keyIndexes
    media.playlist.openSegment = media.pending.open
  }
}
