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
  typealias Read = @Sendable (inout PlaylistParser, PlaylistTag, _ value: Range<Int>) -> Void

  /// All that is known of a tag.
  private struct Row: Sendable {
    let name: String
    let scope: Scope
    let isUnique: Bool
    private(set) var attributes: [String] = []
    private(set) var read: Read

    init(
      _ name: String, _ scope: Scope, isUnique: Bool = false,
      _ read: @escaping @Sendable (inout PlaylistParser, Range<Int>) -> Void
    ) {
      (self.name, self.scope, self.isUnique) = (name, scope, isUnique)
      self.read = { parser, _, value in read(&parser, value) }
    }

    /// A tag that is known by its attributes.
    static func list(
      _ name: String, _ scope: Scope, _ attributes: [String], isUnique: Bool = false,
      _ read: @escaping @Sendable (inout PlaylistParser, AttributeList) -> Void
    ) -> Row {
      var row = Row(name, scope, isUnique: isUnique) { _, _ in }
      row.attributes = attributes
      row.read = { parser, tag, value in
        let list = parser.attributes(tag, value)
        read(&parser, list)
      }
      return row
    }
  }

  private var row: Row {
    switch self {
    case .header: Row("EXTM3U", .any) { parser, _ in parser.readHeaderAgain() }
    case .version: Row("EXT-X-VERSION", .any, isUnique: true) { $0.readVersion($1) }
    case .independentSegments:
      Row("EXT-X-INDEPENDENT-SEGMENTS", .any, isUnique: true) { $0.readIndependence($1) }
    case .start:
      .list("EXT-X-START", .any, Self.startAttributes, isUnique: true) { $0.readStart($1) }
    case .define: .list("EXT-X-DEFINE", .any, Self.variableAttributes) { $0.define($1) }
    case .streamInf:
      .list("EXT-X-STREAM-INF", .multivariant, Self.variantAttributes) { $0.readVariant($1) }
    case .iFrameStreamInf:
      .list("EXT-X-I-FRAME-STREAM-INF", .multivariant, Self.variantAttributes) {
        $0.readIFrameVariant($1)
      }
    case .media: .list("EXT-X-MEDIA", .multivariant, Self.mediaAttributes) { $0.readRendition($1) }
    case .sessionData:
      .list("EXT-X-SESSION-DATA", .multivariant, Self.dataAttributes) { $0.readSessionData($1) }
    case .sessionKey:
      .list("EXT-X-SESSION-KEY", .multivariant, Self.keyAttributes) { $0.readSessionKey($1) }
    case .contentSteering:
      .list("EXT-X-CONTENT-STEERING", .multivariant, ["SERVER-URI", "PATHWAY-ID"], isUnique: true) {
        $0.readSteering($1)
      }
    case .targetDuration:
      Row("EXT-X-TARGETDURATION", .media, isUnique: true) { $0.readTargetDuration($1) }
    case .mediaSequence:
      Row("EXT-X-MEDIA-SEQUENCE", .media, isUnique: true) { $0.readSequence($1) }
    case .discontinuitySequence:
      Row("EXT-X-DISCONTINUITY-SEQUENCE", .media, isUnique: true) { $0.readDiscontinuities($1) }
    case .endList: Row("EXT-X-ENDLIST", .media, isUnique: true) { $0.readEnd($1) }
    case .playlistType: Row("EXT-X-PLAYLIST-TYPE", .media, isUnique: true) { $0.readType($1) }
    case .iFramesOnly: Row("EXT-X-I-FRAMES-ONLY", .media, isUnique: true) { $0.readIFrames($1) }
    case .partInf:
      .list("EXT-X-PART-INF", .media, ["PART-TARGET"], isUnique: true) { $0.readPartTarget($1) }
    case .serverControl:
      .list("EXT-X-SERVER-CONTROL", .media, Self.controlAttributes, isUnique: true) {
        $0.readServerControl($1)
      }
    case .skip: .list("EXT-X-SKIP", .media, Self.skipAttributes, isUnique: true) { $0.readSkip($1) }
    case .inf: Row("EXTINF", .media) { $0.readDuration($1) }
    case .byteRange: Row("EXT-X-BYTERANGE", .media) { $0.readByteRange($1) }
    case .discontinuity: Row("EXT-X-DISCONTINUITY", .media) { $0.readDiscontinuity($1) }
    case .key: .list("EXT-X-KEY", .media, Self.keyAttributes) { $0.setKey($1) }
    case .map: .list("EXT-X-MAP", .media, ["URI", "BYTERANGE"]) { $0.setMap($1) }
    case .programDateTime: Row("EXT-X-PROGRAM-DATE-TIME", .media) { $0.readDate($1) }
    case .gap: Row("EXT-X-GAP", .media) { $0.readGap($1) }
    case .bitRate: Row("EXT-X-BITRATE", .media) { $0.readBitRate($1) }
    case .part: .list("EXT-X-PART", .media, Self.partAttributes) { $0.readPart($1) }
    case .dateRange: Row("EXT-X-DATERANGE", .media) { $0.readDateRange($1) }
    case .preloadHint:
      .list("EXT-X-PRELOAD-HINT", .media, Self.hintAttributes) { $0.readPreloadHint($1) }
    case .renditionReport:
      .list("EXT-X-RENDITION-REPORT", .media, Self.reportAttributes) { $0.readRenditionReport($1) }
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
  func read(_ value: Range<Int>, by parser: inout PlaylistParser) {
    known.read(&parser, self, value)
  }

  /// Returns the tag of a name without its number sign.
  static func named(_ name: String) -> PlaylistTag? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  private static let startAttributes = ["TIME-OFFSET", "PRECISE"]
  private static let variableAttributes = ["NAME", "VALUE", "IMPORT", "QUERYPARAM"]
  private static let dataAttributes = ["DATA-ID", "VALUE", "URI", "FORMAT", "LANGUAGE"]
  private static let controlAttributes = [
    "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "HOLD-BACK", "PART-HOLD-BACK",
  ]
  private static let skipAttributes = ["SKIPPED-SEGMENTS", "RECENTLY-REMOVED-DATERANGES"]
  private static let partAttributes = ["URI", "DURATION", "INDEPENDENT", "BYTERANGE", "GAP"]
  private static let hintAttributes = ["TYPE", "URI", "BYTERANGE-START", "BYTERANGE-LENGTH"]
  private static let reportAttributes = ["URI", "LAST-MSN", "LAST-PART"]
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
