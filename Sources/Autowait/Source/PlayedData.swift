/// What of a source was played, by media time.
struct PlayedMedia: Hashable, Sendable {
  /// All that was played, and the part of it whose data has been counted.
  var ranges = LoadedRanges<MediaTime>()
  var counted = LoadedRanges<MediaTime>()

  /// What was played of another item of the same asset, which counts it.
  var ofSameAsset: PlayedMedia { PlayedMedia(ranges: ranges, counted: ranges) }

  /// Whether nothing was counted that was not played.
  var isConsistent: Bool { counted.ranges.allSatisfy { ranges.gaps(in: $0).isEmpty } }

  /// What was played and not counted.
  fileprivate var uncounted: [LoadedRanges<MediaTime>.Range] {
    if ranges == counted { return [] }
    return ranges.ranges.flatMap { counted.gaps(in: $0) }
  }
}

/// How much of the data that has come was played: the rest is wasted, so far.
///
/// Media counts once, however often it is played, until it is thrown away: what comes again is paid
/// for again. To book what was played costs next to nothing; its data is counted when somebody
/// asks, and before it is thrown away.
extension ItemSource {
  /// The data of what was played and has not been counted.
  ///
  /// Within a segment, or a file, the part of the data counts that the time is of the whole,
  /// rounded down.
  var uncountedData: DataAmount {
    if media.source == .local { return .zero }
    let played = buffer.isStream ? stream.played : file?.played ?? PlayedMedia()
    var data = played.uncounted.reduce(DataAmount.zero) { sum, part in
      sum + (buffer.isStream ? stream.loadedData(of: part) : fileData(of: part))
    }
    if !buffer.isStream, played.counted.ranges.isEmpty, !played.ranges.ranges.isEmpty {
      data += DataAmount(media.headerSize)
    }
    return data
  }

  private func fileData(of part: LoadedRanges<MediaTime>.Range) -> DataAmount {
    media.map.position(of: part.end) - media.map.position(of: part.start)
  }

  /// Takes note of a stretch that was played.
  mutating func notePlayed(from start: MediaTime, to end: MediaTime) {
    if start >= end { return }
    assert(start >= .zero && end <= Limits.mediaMax, "media that does not exist was played")
    let stretch = LoadedRanges.Range(start: start, end: end)
    if buffer.isStream {
      stream.played.ranges.insert(stretch)
    } else {
      file?.played.ranges.insert(stretch)
    }
  }

  /// Returns the data of what was played, once.
  mutating func countPlayed() -> DataAmount {
    let data = uncountedData
    stream.played.counted = stream.played.ranges
    if let ranges = file?.played.ranges { file?.played.counted = ranges }
    assert(uncountedData == .zero, "data is left to count once it was counted")
    return data
  }
}

extension PlayedMedia {
  /// Takes over what was played of the same data, and counted, elsewhere.
  mutating func merge(_ other: PlayedMedia) {
    for range in other.ranges.ranges { ranges.insert(range) }
    for range in other.counted.ranges { counted.insert(range) }
  }
}

extension LoadedRanges where Position: Comparable {
  /// The parts of a stretch that are not there.
  fileprivate func gaps(in stretch: Range) -> [Range] {
    var place = stretch.start
    var gaps: [Range] = []
    for range in ranges where range.end > place && range.start < stretch.end {
      if range.start > place { gaps.append(Range(start: place, end: range.start)) }
      place = range.end
    }
    if place < stretch.end { gaps.append(Range(start: place, end: stretch.end)) }
    return gaps
  }
}
