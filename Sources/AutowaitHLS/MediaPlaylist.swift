/// The segments of one variant or rendition.
package struct MediaPlaylist: Hashable, Sendable {
  /// How a playlist may change.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Not at all.
    case vod = "VOD"
    /// By new segments at its end.
    case event = "EVENT"
    /// By new segments at its end, and the loss of old ones, unless it has an end.
    case live = "LIVE"
  }

  /// The version of the protocol; 1 if the playlist does not say it.
  package var version: Int64 = 1
  /// The longest duration of a segment, rounded to a second.
  package var targetDuration: PlaylistTime
  /// The number of the first segment; that of a skipped one counts.
  package var mediaSequence: Int64 = 0
  /// The number of discontinuities before the first segment.
  package var discontinuitySequence: Int64 = 0
  /// How the playlist may change.
  package var kind = Kind.live
  /// Whether no more segments will follow.
  package var hasEndList = false
  /// Whether each segment is one picture that can be decoded alone.
  package var isIFramesOnly = false
  /// Whether each segment can be decoded without another one.
  package var hasIndependentSegments = false
  /// Where playback should begin.
  package var start: PlaylistStart?
  /// What the server of a live playlist can do, and how far from its end to stay.
  package var serverControl: ServerControl?
  /// The longest duration of a part.
  package var partTarget: PlaylistTime?
  /// The variables, with their values, in the order of the file.
  package var variables: [PlaylistVariable] = []
  /// What `EXT-X-SKIP` leaves out before the first segment.
  package var skipped: Skip?
  /// The segments in the order of the file.
  package var segments: [Segment] = []
  /// What is known of the segment behind the last one, if anything is.
  package var openSegment: OpenSegment?
  /// The beginnings of files that segments need, each once, in the order of their first tags.
  package var maps: [Map] = []
  /// The keys of segments, each once, in the order of their first tags.
  package var keys: [PlaylistKey] = []
  /// What can be asked for before it is there.
  package var preloadHints: [PreloadHint] = []
  /// How far other renditions are.
  package var renditionReports: [RenditionReport] = []
  /// Spans of time with a meaning, such as advertisements, as they are written.
  package var dateRanges: [PlaylistTagText] = []
  /// The tags that were skipped because nobody knows them, in the order of their first lines.
  package var unknownTags: [PlaylistTagCount] = []

  /// Creates a playlist without segments.
  package init(targetDuration: PlaylistTime) {
    self.targetDuration = targetDuration
  }

  /// The durations of all segments together.
  package var duration: PlaylistTime {
    segments.reduce(.zero) { $0 + $1.duration }
  }

  /// Returns the number of a segment in all versions of the playlist.
  package func mediaSequenceNumber(ofSegmentAt index: Int) -> Int64 {
    mediaSequence + (skipped?.segmentCount ?? 0) + Int64(index)
  }

  /// A piece of media, from `EXTINF` and the address behind it.
  package struct Segment: Hashable, Sendable {
    /// The address of its file.
    package var uri: String
    /// How long it is.
    package var duration: PlaylistTime
    /// The part of the file that it is; without one it is the whole file.
    package var byteRange: PlaylistByteRange?
    /// About its rate in bits per second, from `EXT-X-BITRATE`; one with a byte range has none.
    package var bitRate: Int64?
    /// The index of the map that it needs.
    package var mapIndex: Int?
    /// The indices of the keys that each by itself decrypts it; none if it is not encrypted.
    package var keyIndexes: [Int] = []
    /// Whether it does not continue the one before it.
    package var isDiscontinuity = false
    /// Whether it is missing, and must not be asked for.
    package var isGap = false
    /// The date and time of its first sample, as it is written.
    package var programDateTime: String?
    /// What it is made of; the parts of old segments are left out.
    package var parts: [Part] = []
    /// The line of its address, from 1.
    package var line: Int

    /// Creates a segment.
    package init(uri: String, duration: PlaylistTime, line: Int = 0) {
      self.uri = uri
      self.duration = duration
      self.line = line
    }
  }

  /// The beginning of a segment that is not over, from the tags behind the last segment.
  package struct OpenSegment: Hashable, Sendable {
    /// The parts that are there.
    package var parts: [Part] = []
    /// The index of the map that it needs.
    package var mapIndex: Int?
    /// The indices of the keys that each by itself decrypts it.
    package var keyIndexes: [Int] = []
    /// Whether it does not continue the segment before it.
    package var isDiscontinuity = false
    /// Whether it is missing.
    package var isGap = false
    /// The date and time of its first sample, as it is written.
    package var programDateTime: String?

    /// Creates a segment of which nothing is there.
    package init() {}
  }

  /// A part of a segment, from `EXT-X-PART`.
  package struct Part: Hashable, Sendable {
    /// The address of its file.
    package var uri: String
    /// How long it is.
    package var duration: PlaylistTime
    /// The part of the file that it is; without one it is the whole file.
    package var byteRange: PlaylistByteRange?
    /// Whether it begins with a picture that can be decoded alone.
    package var isIndependent = false
    /// Whether it is missing, and must not be asked for.
    package var isGap = false
    /// The line of its tag, from 1.
    package var line: Int

    /// Creates a part.
    package init(uri: String, duration: PlaylistTime, line: Int = 0) {
      self.uri = uri
      self.duration = duration
      self.line = line
    }
  }

  /// What must be loaded before a segment can be decoded, from `EXT-X-MAP`.
  package struct Map: Hashable, Sendable {
    /// The address of its file.
    package var uri: String
    /// The part of the file that it is; without one it is the whole file.
    package var byteRange: PlaylistByteRange?
    /// The indices of the keys that each by itself decrypts it.
    package var keyIndexes: [Int] = []
    /// The line of the first tag that names it, from 1.
    package var line: Int

    /// Creates a map.
    package init(uri: String, byteRange: PlaylistByteRange? = nil, line: Int = 0) {
      self.uri = uri
      self.byteRange = byteRange
      self.line = line
    }
  }
}

/// What low latency needs.
extension MediaPlaylist {
  /// What the server of a live playlist can do, from `EXT-X-SERVER-CONTROL`.
  package struct ServerControl: Hashable, Sendable {
    /// Whether it can answer when a segment or part is there that was not yet.
    package var canBlockReload = false
    /// How far from the end segments may be left out of an answer.
    package var canSkipUntil: PlaylistTime?
    /// Whether old date ranges may be left out of an answer, too.
    package var canSkipDateRanges = false
    /// How far from the end to play; three target durations if it is not said.
    package var holdBack: PlaylistTime?
    /// How far from the end to play in parts.
    package var partHoldBack: PlaylistTime?

    /// Creates what a server without abilities says.
    package init() {}
  }

  /// What `EXT-X-SKIP` leaves out.
  package struct Skip: Hashable, Sendable {
    /// How many segments are left out.
    package var segmentCount: Int64
    /// The names of the date ranges that were removed lately.
    package var removedDateRanges: [String] = []

    /// Creates a number of segments that are left out.
    package init(segmentCount: Int64) {
      self.segmentCount = segmentCount
    }
  }

  /// What can be asked for before it is there, from `EXT-X-PRELOAD-HINT`.
  package struct PreloadHint: Hashable, Sendable {
    /// What a hint is for.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
      /// The next part.
      case part = "PART"
      /// The next map.
      case map = "MAP"
    }

    /// What it is for.
    package var kind: Kind
    /// The address of the file.
    package var uri: String
    /// The byte of the file at which it begins.
    package var offset = Int64(0)
    /// How many bytes it has; it goes to the end of the file if it is not said.
    package var length: Int64?
    /// The line of the tag, from 1.
    package var line: Int

    /// Creates a hint.
    package init(_ kind: Kind, uri: String, line: Int = 0) {
      self.kind = kind
      self.uri = uri
      self.line = line
    }
  }

  /// How far another rendition is, from `EXT-X-RENDITION-REPORT`.
  package struct RenditionReport: Hashable, Sendable {
    /// The address of its playlist.
    package var uri: String
    /// The number of its last segment.
    package var lastMediaSequence: Int64?
    /// The number of the last part in its last segment.
    package var lastPart: Int64?
    /// The line of the tag, from 1.
    package var line: Int

    /// Creates a report.
    package init(uri: String, line: Int = 0) {
      self.uri = uri
      self.line = line
    }
  }
}
