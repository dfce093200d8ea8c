/// The tags that are read; all others are only counted.
enum PlaylistTag: String, CaseIterable {
  case header = "EXTM3U"
  case version = "EXT-X-VERSION"
  case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"

  case streamInf = "EXT-X-STREAM-INF"
  case iFrameStreamInf = "EXT-X-I-FRAME-STREAM-INF"
  case media = "EXT-X-MEDIA"
  case sessionData = "EXT-X-SESSION-DATA"
  case sessionKey = "EXT-X-SESSION-KEY"
  case contentSteering = "EXT-X-CONTENT-STEERING"

  case targetDuration = "EXT-X-TARGETDURATION"
  case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case endList = "EXT-X-ENDLIST"
  case playlistType = "EXT-X-PLAYLIST-TYPE"
  case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
  case partInf = "EXT-X-PART-INF"
  case serverControl = "EXT-X-SERVER-CONTROL"
  case skip = "EXT-X-SKIP"

  case inf = "EXTINF"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
  case gap = "EXT-X-GAP"
  case bitRate = "EXT-X-BITRATE"
  case part = "EXT-X-PART"
  case dateRange = "EXT-X-DATERANGE"
  case preloadHint = "EXT-X-PRELOAD-HINT"
  case renditionReport = "EXT-X-RENDITION-REPORT"

  /// The playlists that a tag may stand in.
  enum Scope {
    case any, multivariant, media
  }

  /// The playlists that it may stand in.
  var scope: Scope {
    switch self {
    case .header, .version, .independentSegments, .start, .define: .any
    case .streamInf, .iFrameStreamInf, .media, .sessionData, .sessionKey, .contentSteering:
      .multivariant
    default: .media
    }
  }

  /// Whether a playlist with two of it must be refused (rfc8216bis-20, 4.4.1 to 4.4.6).
  var isUnique: Bool {
    switch self {
    case .version, .independentSegments, .start, .contentSteering, .targetDuration,
      .mediaSequence, .discontinuitySequence, .endList, .playlistType, .iFramesOnly, .partInf,
      .serverControl, .skip:
      true
    default: false
    }
  }

  /// Returns the tag of a name without its number sign.
  static func named(_ name: String) -> PlaylistTag? { byName[name] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The attributes that mean something here, to find those that are misspelt.
  var attributes: [String] {
    switch self {
    case .start: ["TIME-OFFSET", "PRECISE"]
    case .define: ["NAME", "VALUE", "IMPORT", "QUERYPARAM"]
    case .streamInf, .iFrameStreamInf: Self.variantAttributes
    case .media: Self.mediaAttributes
    case .sessionData: ["DATA-ID", "VALUE", "URI", "FORMAT", "LANGUAGE"]
    case .contentSteering: ["SERVER-URI", "PATHWAY-ID"]
    case .key, .sessionKey: ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"]
    case .map: ["URI", "BYTERANGE"]
    case .partInf: ["PART-TARGET"]
    case .serverControl:
      [
        "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "HOLD-BACK",
        "PART-HOLD-BACK",
      ]
    case .skip: ["SKIPPED-SEGMENTS", "RECENTLY-REMOVED-DATERANGES"]
    case .part: ["URI", "DURATION", "INDEPENDENT", "BYTERANGE", "GAP"]
    case .preloadHint: ["TYPE", "URI", "BYTERANGE-START", "BYTERANGE-LENGTH"]
    case .renditionReport: ["URI", "LAST-MSN", "LAST-PART"]
    default: []
    }
  }

  private static let variantAttributes = [
    "BANDWIDTH", "AVERAGE-BANDWIDTH", "SCORE", "CODECS", "SUPPLEMENTAL-CODECS", "RESOLUTION",
    "FRAME-RATE", "HDCP-LEVEL", "ALLOWED-CPC", "VIDEO-RANGE", "REQ-VIDEO-LAYOUT",
    "STABLE-VARIANT-ID", "AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS", "PATHWAY-ID", "URI",
    "NAME", "PROGRAM-ID",
  ]

  private static let mediaAttributes = [
    "TYPE", "URI", "GROUP-ID", "LANGUAGE", "ASSOC-LANGUAGE", "NAME", "STABLE-RENDITION-ID",
    "DEFAULT", "AUTOSELECT", "FORCED", "INSTREAM-ID", "BIT-DEPTH", "SAMPLE-RATE",
    "CHARACTERISTICS", "CHANNELS",
  ]
}
