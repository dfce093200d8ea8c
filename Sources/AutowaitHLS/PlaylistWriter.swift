import AutowaitJSON

/// Writes playlists so that to read them gives the same again.
package enum PlaylistWriter {
  /// A playlist that no text says, such as one with a line end in an address.
  package struct PlaylistProblem: Error, Hashable, Sendable {
    /// What is the matter, in lower case and without a full stop.
    package let message: String

    /// Creates a problem.
    package init(message: String) {
      self.message = message
    }
  }

  /// Returns the text of a playlist, whose meaning is the playlist's own.
  ///
  /// It is read again to be sure of that. Counts of unknown tags are not written, and variables
  /// stand there with their values, wherever those came from.
  package static func write(_ playlist: Playlist) throws(PlaylistProblem) -> [UInt8] {
    let bytes =
      switch playlist {
      case .multivariant(let playlist): MultivariantPlaylistWriter(playlist).bytes
      case .media(let playlist): MediaPlaylistWriter(playlist).bytes
      }
    let (read, findings) = PlaylistReader.read(SourceText(path: "", bytes: bytes))
    guard let read else {
      let problem = findings.first { $0.severity == .error }?.message ?? "it cannot be read"
      throw PlaylistProblem(message: "no text says the playlist: \(problem)")
    }
    if read.meaning != playlist.meaning {
      throw PlaylistProblem(message: "no text says the playlist: it would be read as another one")
    }
    return bytes
  }
}

/// The attributes of a tag, as they are written.
struct AttributeText {
  private(set) var text = ""

  private mutating func add(_ name: String, _ value: String) {
    if !text.isEmpty { text += "," }
    text += "\(name)=\(value)"
  }

  mutating func string(_ name: String, _ value: String?) {
    if let value { add(name, "\"\(value)\"") }
  }

  mutating func strings(_ name: String, _ values: [String]) {
    if !values.isEmpty { string(name, values.joined(separator: ",")) }
  }

  mutating func word(_ name: String, _ value: String?) {
    if let value { add(name, value) }
  }

  mutating func flag(_ name: String, _ value: Bool) {
    if value { add(name, "YES") }
  }

  mutating func number(_ name: String, _ value: Int64?, in unit: Int64 = 1) {
    if let value { add(name, value.fixedPoint(unit)) }
  }

  mutating func time(_ name: String, _ value: PlaylistTime?) {
    number(name, value?.nanoseconds, in: 1_000_000_000)
  }

  mutating func byteRange(_ name: String, _ value: PlaylistByteRange?) {
    if let value { string(name, "\(value.length)@\(value.offset)") }
  }
}

/// The lines of a playlist.
struct PlaylistLines {
  private(set) var bytes: [UInt8] = Array("#EXTM3U\n".utf8)

  mutating func address(_ text: String) {
    bytes += text.utf8
    bytes.append(0x0A)
  }

  mutating func tag(_ tag: PlaylistTag, _ value: String? = nil) {
    bytes.append(UInt8(ascii: "#"))
    bytes += tag.name.utf8
    if let value {
      bytes.append(UInt8(ascii: ":"))
      bytes += value.utf8
    }
    bytes.append(0x0A)
  }

  mutating func tag(_ tag: PlaylistTag, _ body: (inout AttributeText) -> Void) {
    var attributes = AttributeText()
    body(&attributes)
    self.tag(tag, attributes.text)
  }

  /// Writes what both playlists may say.
  mutating func head(
    version: Int64, isIndependent: Bool, _ variables: [PlaylistVariable], _ start: PlaylistStart?
  ) {
    if version != 1 { tag(.version, String(version)) }
    for variable in variables {
      tag(.define) {
        $0.string("NAME", variable.name)
        $0.string("VALUE", variable.value)
      }
    }
    if isIndependent { tag(.independentSegments) }
    if let start {
      tag(.start) {
        $0.time("TIME-OFFSET", start.timeOffset)
        $0.flag("PRECISE", start.isPrecise)
      }
    }
  }

  mutating func key(_ tag: PlaylistTag, _ key: PlaylistKey) {
    self.tag(tag) {
      $0.word("METHOD", key.method.rawValue)
      $0.string("URI", key.uri)
      $0.word("IV", key.initializationVector)
      if key.keyFormat != "identity" { $0.string("KEYFORMAT", key.keyFormat) }
      $0.string("KEYFORMATVERSIONS", key.keyFormatVersions)
    }
  }
}

/// The text of a multivariant playlist.
private struct MultivariantPlaylistWriter {
  private var lines = PlaylistLines()

  var bytes: [UInt8] { lines.bytes }

  init(_ playlist: MultivariantPlaylist) {
    lines.head(
      version: playlist.version, isIndependent: playlist.hasIndependentSegments,
      playlist.variables, playlist.start)
    if let steering = playlist.contentSteering {
      lines.tag(.contentSteering) {
        $0.string("SERVER-URI", steering.serverURI)
        $0.string("PATHWAY-ID", steering.pathwayID)
      }
    }
    for data in playlist.sessionData { lines.tag(.sessionData, data.text) }
    for key in playlist.sessionKeys { lines.key(.sessionKey, key) }
    for rendition in playlist.renditions { write(rendition) }
    for variant in playlist.variants {
      lines.tag(.streamInf) { Self.write(variant, &$0) }
      lines.address(variant.uri)
    }
    for variant in playlist.iFrameVariants {
      lines.tag(.iFrameStreamInf) {
        Self.write(variant, &$0)
        $0.string("URI", variant.uri)
      }
    }
  }

  private mutating func write(_ rendition: MultivariantPlaylist.Rendition) {
    lines.tag(.media) {
      $0.word("TYPE", rendition.kind.rawValue)
      $0.string("GROUP-ID", rendition.groupID)
      $0.string("NAME", rendition.name)
      $0.string("LANGUAGE", rendition.language)
      $0.string("ASSOC-LANGUAGE", rendition.associatedLanguage)
      $0.string("STABLE-RENDITION-ID", rendition.stableRenditionID)
      $0.flag("DEFAULT", rendition.isDefault)
      $0.flag("AUTOSELECT", rendition.isAutoselect)
      $0.flag("FORCED", rendition.isForced)
      $0.string("INSTREAM-ID", rendition.instreamID)
      $0.number("BIT-DEPTH", rendition.bitDepth)
      $0.number("SAMPLE-RATE", rendition.sampleRate)
      $0.string("CHANNELS", rendition.channels)
      $0.strings("CHARACTERISTICS", rendition.characteristics)
      $0.string("URI", rendition.uri)
    }
  }

  private static func write(
    _ variant: MultivariantPlaylist.Variant, _ text: inout AttributeText
  ) {
    text.number("BANDWIDTH", variant.bandwidth)
    text.number("AVERAGE-BANDWIDTH", variant.averageBandwidth)
    text.number("SCORE", variant.scoreMillionths, in: 1_000_000)
    text.strings("CODECS", variant.codecs)
    text.strings("SUPPLEMENTAL-CODECS", variant.supplementalCodecs)
    text.word("RESOLUTION", variant.resolution.map { "\($0.width)x\($0.height)" })
    text.number("FRAME-RATE", variant.frameRateMillihertz, in: 1_000)
    text.word("HDCP-LEVEL", variant.hdcpLevel?.rawValue)
    text.string("ALLOWED-CPC", variant.allowedCPC)
    text.word("VIDEO-RANGE", variant.videoRange?.rawValue)
    text.string("REQ-VIDEO-LAYOUT", variant.requiredVideoLayout)
    text.string("STABLE-VARIANT-ID", variant.stableVariantID)
    text.string("AUDIO", variant.audioGroup)
    text.string("VIDEO", variant.videoGroup)
    text.string("SUBTITLES", variant.subtitlesGroup)
    switch variant.closedCaptions {
    case .absent: text.word("CLOSED-CAPTIONS", "NONE")
    case .group(let group): text.string("CLOSED-CAPTIONS", group)
    case nil: break
    }
    text.string("PATHWAY-ID", variant.pathwayID)
  }
}
