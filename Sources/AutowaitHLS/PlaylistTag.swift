/// The tags that are read; all others are only counted.
enum PlaylistTag: UInt8, CaseIterable {
  case header
  case version
  case independentSegments
  case start
  case define

  case streamInf
  case iFrameStreamInf
  case media
  case sessionData
  case sessionKey
  case contentSteering

  case targetDuration
  case mediaSequence
  case discontinuitySequence
  case endList
  case playlistType
  case iFramesOnly
  case partInf
  case serverControl
  case skip

  case inf
  case byteRange
  case discontinuity
  case key
  case map
  case programDateTime
  case gap
  case bitRate
  case part
  case dateRange
  case preloadHint
  case renditionReport

  /// The playlists that a tag may stand in.
  enum Scope {
    case any, multivariant, media
  }

  /// All that is known of a tag.
  private struct Row {
    let name: String
    let scope: Scope
    var isUnique = false
    var attributes: [String] = []

    init(
      _ name: String, _ scope: Scope, isUnique: Bool = false, attributes: [String] = []
    ) {
      (self.name, self.scope) = (name, scope)
      (self.isUnique, self.attributes) = (isUnique, attributes)
    }
  }

  private var row: Row {
    switch self {
    case .header: Row("EXTM3U", .any)
    case .version: Row("EXT-X-VERSION", .any, isUnique: true)
    case .independentSegments: Row("EXT-X-INDEPENDENT-SEGMENTS", .any, isUnique: true)
    case .start: Row("EXT-X-START", .any, isUnique: true, attributes: ["TIME-OFFSET", "PRECISE"])
    case .define: Row("EXT-X-DEFINE", .any, attributes: ["NAME", "VALUE", "IMPORT", "QUERYPARAM"])
    case .streamInf: Row("EXT-X-STREAM-INF", .multivariant, attributes: Self.variantAttributes)
    case .iFrameStreamInf:
      Row("EXT-X-I-FRAME-STREAM-INF", .multivariant, attributes: Self.variantAttributes)
    case .media: Row("EXT-X-MEDIA", .multivariant, attributes: Self.mediaAttributes)
    case .sessionData:
      Row(
        "EXT-X-SESSION-DATA", .multivariant,
        attributes: ["DATA-ID", "VALUE", "URI", "FORMAT", "LANGUAGE"])
    case .sessionKey:
      Row(
        "EXT-X-SESSION-KEY", .multivariant,
        attributes: ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"])
    case .contentSteering:
      Row(
        "EXT-X-CONTENT-STEERING", .multivariant, isUnique: true,
        attributes: ["SERVER-URI", "PATHWAY-ID"])
    case .targetDuration: Row("EXT-X-TARGETDURATION", .media, isUnique: true)
    case .mediaSequence: Row("EXT-X-MEDIA-SEQUENCE", .media, isUnique: true)
    case .discontinuitySequence: Row("EXT-X-DISCONTINUITY-SEQUENCE", .media, isUnique: true)
    case .endList: Row("EXT-X-ENDLIST", .media, isUnique: true)
    case .playlistType: Row("EXT-X-PLAYLIST-TYPE", .media, isUnique: true)
    case .iFramesOnly: Row("EXT-X-I-FRAMES-ONLY", .media, isUnique: true)
    case .partInf: Row("EXT-X-PART-INF", .media, isUnique: true, attributes: ["PART-TARGET"])
    case .serverControl:
      Row(
        "EXT-X-SERVER-CONTROL", .media, isUnique: true,
        attributes: [
          "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "HOLD-BACK",
          "PART-HOLD-BACK",
        ])
    case .skip:
      Row(
        "EXT-X-SKIP", .media, isUnique: true,
        attributes: ["SKIPPED-SEGMENTS", "RECENTLY-REMOVED-DATERANGES"])
    case .inf: Row("EXTINF", .media)
    case .byteRange: Row("EXT-X-BYTERANGE", .media)
    case .discontinuity: Row("EXT-X-DISCONTINUITY", .media)
    case .key:
      Row(
        "EXT-X-KEY", .media,
        attributes: ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"])
    case .map: Row("EXT-X-MAP", .media, attributes: ["URI", "BYTERANGE"])
    case .programDateTime: Row("EXT-X-PROGRAM-DATE-TIME", .media)
    case .gap: Row("EXT-X-GAP", .media)
    case .bitRate: Row("EXT-X-BITRATE", .media)
    case .part:
      Row("EXT-X-PART", .media, attributes: ["URI", "DURATION", "INDEPENDENT", "BYTERANGE", "GAP"])
    case .dateRange: Row("EXT-X-DATERANGE", .media)
    case .preloadHint:
      Row(
        "EXT-X-PRELOAD-HINT", .media,
        attributes: ["TYPE", "URI", "BYTERANGE-START", "BYTERANGE-LENGTH"])
    case .renditionReport:
      Row("EXT-X-RENDITION-REPORT", .media, attributes: ["URI", "LAST-MSN", "LAST-PART"])
    }
  }

  private static let rows = allCases.map { $0.row }
  private var known: Row { Self.rows[Int(rawValue)] }

  /// The name without its number sign.
  var name: String { known.name }

  /// The playlists that it may stand in.
  var scope: Scope { known.scope }

  /// Whether a playlist with two of it must be refused (rfc8216bis-20, 4.4.1 to 4.4.6).
  var isUnique: Bool { known.isUnique }

  /// The attributes that mean something here, to find those that are misspelt.
  var attributes: [String] { known.attributes }

  /// Returns the tag of a name without its number sign.
  static func named(_ name: String) -> PlaylistTag? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

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
