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

  /// Reads a tag, whose value stands in a range.
  typealias Read = @Sendable (inout PlaylistParser, _ value: Range<Int>) -> Void
  /// Reads a tag by its attributes.
  typealias ReadList = @Sendable (inout PlaylistParser, AttributeList) -> Void

  /// All that is known of a tag.
  private struct Row: Sendable {
    let name: String
    let scope: Scope
    var isUnique = false
    var attributes: [String] = []
    let read: Read

    init(_ name: String, _ scope: Scope, isUnique: Bool = false, _ read: @escaping Read) {
      (self.name, self.scope, self.isUnique, self.read) = (name, scope, isUnique, read)
    }

    /// A tag with attributes.
    init(
      _ name: String, _ scope: Scope, isUnique: Bool = false, _ tag: PlaylistTag,
      _ attributes: [String], _ read: @escaping ReadList
    ) {
      self.init(name, scope, isUnique: isUnique) { parser, value in
        let list = parser.attributes(tag, value)
        read(&parser, list)
      }
      self.attributes = attributes
    }
  }

  private var row: Row {
    switch self {
    case .header: Row("EXTM3U", .any) { parser, _ in parser.readHeaderAgain() }
    case .version: Row("EXT-X-VERSION", .any, isUnique: true) { $0.readVersion($1) }
    case .independentSegments:
      Row("EXT-X-INDEPENDENT-SEGMENTS", .any, isUnique: true) { parser, _ in
        parser.shared.hasIndependentSegments = true
      }
    case .start:
      Row("EXT-X-START", .any, isUnique: true, self, ["TIME-OFFSET", "PRECISE"]) {
        $0.readStart($1)
      }
    case .define:
      Row("EXT-X-DEFINE", .any, self, ["NAME", "VALUE", "IMPORT", "QUERYPARAM"]) { $0.define($1) }
    case .streamInf:
      Row("EXT-X-STREAM-INF", .multivariant, self, Self.variantAttributes) { $0.readVariant($1) }
    case .iFrameStreamInf:
      Row("EXT-X-I-FRAME-STREAM-INF", .multivariant, self, Self.variantAttributes) {
        $0.readIFrameVariant($1)
      }
    case .media:
      Row("EXT-X-MEDIA", .multivariant, self, Self.mediaAttributes) { $0.readRendition($1) }
    case .sessionData:
      Row(
        "EXT-X-SESSION-DATA", .multivariant, self,
        ["DATA-ID", "VALUE", "URI", "FORMAT", "LANGUAGE"]
      ) { $0.readSessionData($1) }
    case .sessionKey:
      Row("EXT-X-SESSION-KEY", .multivariant, self, Self.keyAttributes) { $0.readSessionKey($1) }
    case .contentSteering:
      Row(
        "EXT-X-CONTENT-STEERING", .multivariant, isUnique: true, self,
        ["SERVER-URI", "PATHWAY-ID"]
      ) { $0.readSteering($1) }
    case .targetDuration:
      Row("EXT-X-TARGETDURATION", .media, isUnique: true) { $0.readTargetDuration($1) }
    case .mediaSequence:
      Row("EXT-X-MEDIA-SEQUENCE", .media, isUnique: true) { $0.readSequence($1) }
    case .discontinuitySequence:
      Row("EXT-X-DISCONTINUITY-SEQUENCE", .media, isUnique: true) {
        $0.readDiscontinuitySequence($1)
      }
    case .endList:
      Row("EXT-X-ENDLIST", .media, isUnique: true) { parser, _ in
        parser.media.playlist.hasEndList = true
      }
    case .playlistType: Row("EXT-X-PLAYLIST-TYPE", .media, isUnique: true) { $0.readType($1) }
    case .iFramesOnly:
      Row("EXT-X-I-FRAMES-ONLY", .media, isUnique: true) { parser, _ in
        parser.media.playlist.isIFramesOnly = true
      }
    case .partInf:
      Row("EXT-X-PART-INF", .media, isUnique: true, self, ["PART-TARGET"]) {
        $0.media.playlist.partTarget = $0.time($1, "PART-TARGET", .required)
      }
    case .serverControl:
      Row(
        "EXT-X-SERVER-CONTROL", .media, isUnique: true, self,
        [
          "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "HOLD-BACK",
          "PART-HOLD-BACK",
        ]
      ) { $0.readServerControl($1) }
    case .skip:
      Row(
        "EXT-X-SKIP", .media, isUnique: true, self,
        ["SKIPPED-SEGMENTS", "RECENTLY-REMOVED-DATERANGES"]
      ) { $0.readSkip($1) }
    case .inf: Row("EXTINF", .media) { $0.readDuration($1) }
    case .byteRange: Row("EXT-X-BYTERANGE", .media) { $0.readByteRange($1) }
    case .discontinuity:
      Row("EXT-X-DISCONTINUITY", .media) { parser, _ in parser.readDiscontinuity() }
    case .key: Row("EXT-X-KEY", .media, self, Self.keyAttributes) { $0.setKey($1) }
    case .map: Row("EXT-X-MAP", .media, self, ["URI", "BYTERANGE"]) { $0.setMap($1) }
    case .programDateTime: Row("EXT-X-PROGRAM-DATE-TIME", .media) { $0.readDate($1) }
    case .gap: Row("EXT-X-GAP", .media) { parser, _ in parser.media.pending.open.isGap = true }
    case .bitRate: Row("EXT-X-BITRATE", .media) { $0.readBitRate($1) }
    case .part:
      Row("EXT-X-PART", .media, self, ["URI", "DURATION", "INDEPENDENT", "BYTERANGE", "GAP"]) {
        $0.readPart($1)
      }
    case .dateRange: Row("EXT-X-DATERANGE", .media) { $0.readDateRange($1) }
    case .preloadHint:
      Row(
        "EXT-X-PRELOAD-HINT", .media, self,
        ["TYPE", "URI", "BYTERANGE-START", "BYTERANGE-LENGTH"]
      ) { $0.readPreloadHint($1) }
    case .renditionReport:
      Row("EXT-X-RENDITION-REPORT", .media, self, ["URI", "LAST-MSN", "LAST-PART"]) {
        $0.readRenditionReport($1)
      }
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

  /// Reads the tag, whose value stands in a range.
  var read: Read { known.read }

  /// Returns the tag of a name without its number sign.
  static func named(_ name: String) -> PlaylistTag? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  private static let keyAttributes = ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"]

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
