import Autowait

/// The segments of one variant or rendition.
public struct MediaPlaylist: Hashable, Sendable {
  /// How a playlist may change.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Not at all.
    case vod = "VOD"
    /// By new segments at its end.
    case event = "EVENT"
    /// By new segments at its end, and the loss of old ones, unless it has an end.
    case live = "LIVE"
  }

  /// The version of the protocol; 1 if the playlist does not say it.
  public var version: Int64 = 1
  /// The longest duration of a segment, rounded to a second.
  public var targetDuration: MediaTime
  /// The number of the first segment; that of a skipped one counts.
  public var mediaSequence: Int64 = 0
  /// The number of discontinuities before the first segment.
  public var discontinuitySequence: Int64 = 0
  /// How the playlist may change.
  public var kind = Kind.live
  /// Whether no more segments will follow.
  public var hasEndList = false
  /// Whether each segment is one picture that can be decoded alone.
  public var isIFramesOnly = false
  /// Whether each segment can be decoded without another one.
  public var hasIndependentSegments = false
  /// Where playback should begin.
  public var start: PlaylistStart?
  /// What the server of a live playlist can do, and how far from its end to stay.
  public var serverControl: ServerControl?
  /// The longest duration of a part.
  public var partTarget: MediaTime?
  /// The variables, with their values, in the order of the file.
  public var variables: [PlaylistVariable] = []
  /// What `EXT-X-SKIP` leaves out before the first segment.
  public var skipped: Skip?
  /// The segments in the order of the file.
  public var segments: [Segment] = []
  /// What is known of the segment behind the last one, if anything is.
  public var openSegment: OpenSegment?
  /// The beginnings of files that segments need, each once, in the order of their first tags.
  public var maps: [Map] = []
  /// The keys of segments, each once, in the order of their first tags.
  public var keys: [PlaylistKey] = []
  /// What can be asked for before it is there.
  public var preloadHints: [PreloadHint] = []
  /// How far other renditions are.
  public var renditionReports: [RenditionReport] = []
  /// Spans of time with a meaning, such as advertisements, as they are written.
  public var dateRanges: [PlaylistTagText] = []
  /// The tags that were skipped because nobody knows them, in the order of their first lines.
  public var unknownTags: [PlaylistTagCount] = []

  /// Creates a playlist without segments.
  public init(targetDuration: MediaTime) {
    self.targetDuration = targetDuration
  }

  /// The durations of all segments together.
  public var duration: MediaTime {
    segments.reduce(.zero) { $0 + $1.duration }
  }

  /// Returns the number of a segment in all versions of the playlist.
  public func mediaSequenceNumber(ofSegmentAt index: Int) -> Int64 {
    mediaSequence + (skipped?.segmentCount ?? 0) + Int64(index)
  }

  /// A piece of media, from `EXTINF` and the address behind it.
  public struct Segment: Hashable, Sendable {
    /// The address of its file.
    public var uri: String
    /// How long it is.
    public var duration: MediaTime
    /// The part of the file that it is; without one it is the whole file.
    public var byteRange: PlaylistByteRange?
    /// About its rate, from `EXT-X-BITRATE`; one with a byte range has none.
    public var bitRate: BitRate?
    /// The index of the map that it needs.
    public var mapIndex: Int?
    /// The indices of the keys that each by itself decrypts it; none if it is not encrypted.
    public var keyIndexes: [Int] = []
    /// Whether it does not continue the one before it.
    public var isDiscontinuity = false
    /// Whether it is missing, and must not be asked for.
    public var isGap = false
    /// The date and time of its first sample, as it is written.
    public var programDateTime: String?
    /// What it is made of; the parts of old segments are left out.
    public var parts: [Part] = []
    /// The line of its address, from 1.
    public var line: Int

    /// Creates a segment.
    public init(uri: String, duration: MediaTime, line: Int = 0) {
      self.uri = uri
      self.duration = duration
      self.line = line
    }
  }

  /// The beginning of a segment that is not over, from the tags behind the last segment.
  public struct OpenSegment: Hashable, Sendable {
    /// The parts that are there.
    public var parts: [Part] = []
    /// The index of the map that it needs.
    public var mapIndex: Int?
    /// The indices of the keys that each by itself decrypts it.
    public var keyIndexes: [Int] = []
    /// Whether it does not continue the segment before it.
    public var isDiscontinuity = false
    /// Whether it is missing.
    public var isGap = false
    /// The date and time of its first sample, as it is written.
    public var programDateTime: String?

    /// Creates a segment of which nothing is there.
    public init() {}
  }

  /// A part of a segment, from `EXT-X-PART`.
  public struct Part: Hashable, Sendable {
    /// The address of its file.
    public var uri: String
    /// How long it is.
    public var duration: MediaTime
    /// The part of the file that it is; without one it is the whole file.
    public var byteRange: PlaylistByteRange?
    /// Whether it begins with a picture that can be decoded alone.
    public var isIndependent = false
    /// Whether it is missing, and must not be asked for.
    public var isGap = false
    /// The line of its tag, from 1.
    public var line: Int

    /// Creates a part.
    public init(uri: String, duration: MediaTime, line: Int = 0) {
      self.uri = uri
      self.duration = duration
      self.line = line
    }
  }

  /// What must be loaded before a segment can be decoded, from `EXT-X-MAP`.
  public struct Map: Hashable, Sendable {
    /// The address of its file.
    public var uri: String
    /// The part of the file that it is; without one it is the whole file.
    public var byteRange: PlaylistByteRange?
    /// The indices of the keys that each by itself decrypts it.
    public var keyIndexes: [Int] = []
    /// The line of the first tag that names it, from 1.
    public var line: Int

    /// Creates a map.
    public init(uri: String, byteRange: PlaylistByteRange? = nil, line: Int = 0) {
      self.uri = uri
      self.byteRange = byteRange
      self.line = line
    }
  }
}

/// What low latency needs.
extension MediaPlaylist {
  /// What the server of a live playlist can do, from `EXT-X-SERVER-CONTROL`.
  public struct ServerControl: Hashable, Sendable {
    /// Whether it can answer when a segment or part is there that was not yet.
    public var canBlockReload = false
    /// How far from the end segments may be left out of an answer.
    public var canSkipUntil: MediaTime?
    /// Whether old date ranges may be left out of an answer, too.
    public var canSkipDateRanges = false
    /// How far from the end to play; three target durations if it is not said.
    public var holdBack: MediaTime?
    /// How far from the end to play in parts.
    public var partHoldBack: MediaTime?

    /// Creates what a server without abilities says.
    public init() {}
  }

  /// What `EXT-X-SKIP` leaves out.
  public struct Skip: Hashable, Sendable {
    /// How many segments are left out.
    public var segmentCount: Int64
    /// The names of the date ranges that were removed lately.
    public var removedDateRanges: [String] = []

    /// Creates a number of segments that are left out.
    public init(segmentCount: Int64) {
      self.segmentCount = segmentCount
    }
  }

  /// What can be asked for before it is there, from `EXT-X-PRELOAD-HINT`.
  public struct PreloadHint: Hashable, Sendable {
    /// What a hint is for.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// The next part.
      case part = "PART"
      /// The next map.
      case map = "MAP"
    }

    /// What it is for.
    public var kind: Kind
    /// The address of the file.
    public var uri: String
    /// Where in the file it begins.
    public var offset = ByteCount.zero
    /// How long it is; it goes to the end of the file if it is not said.
    public var length: ByteCount?
    /// The line of the tag, from 1.
    public var line: Int

    /// Creates a hint.
    public init(_ kind: Kind, uri: String, line: Int = 0) {
      self.kind = kind
      self.uri = uri
      self.line = line
    }
  }

  /// How far another rendition is, from `EXT-X-RENDITION-REPORT`.
  public struct RenditionReport: Hashable, Sendable {
    /// The address of its playlist.
    public var uri: String
    /// The number of its last segment.
    public var lastMediaSequence: Int64?
    /// The number of the last part in its last segment.
    public var lastPart: Int64?
    /// The line of the tag, from 1.
    public var line: Int

    /// Creates a report.
    public init(uri: String, line: Int = 0) {
      self.uri = uri
      self.line = line
    }
  }
}
