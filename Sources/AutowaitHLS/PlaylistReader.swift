import AutowaitJSON

/// Reads playlists of HTTP Live Streaming, as rfc8216bis-20 defines them.
///
/// What the draft says that clients must or should refuse is an error; what it forbids, but players
/// take, is a warning, and is read as they do.
package enum PlaylistReader {
  /// The longest time; that of media.
  package static let timeMax = PlaylistTime.seconds(366 * 86_400)
  /// The most bytes of a file or a part of one.
  package static let bytesMax: Int64 = 1_000_000_000_000
  /// The highest rate in bits per second.
  package static let bitRateMax: Int64 = 1_000_000_000_000
  /// The longest line in bytes; assumed, some hundred times what is met.
  package static let lineMax = 1 << 20
  /// The most segments in a playlist, and the most parts; assumed.
  package static let segmentsMax = 1_000_000
  /// The most variants, renditions and other entries of a multivariant playlist; assumed.
  package static let entriesMax = 10_000
  /// The most bytes that variables may add up to where they are put in; assumed.
  static let substitutedMax = 1 << 26
  /// The most attributes of one tag; assumed.
  static let attributesMax = 200
  /// The most formats of keys for one segment; assumed.
  static let keyFormatsMax = 16
  /// The most variables; assumed.
  static let variablesMax = 10_000
  /// The most names of unknown tags that are told apart; assumed.
  static let unknownNamesMax = 1_000

  /// Reads a playlist; with an error among the findings there is none.
  package static func read(
    _ source: SourceText, _ context: PlaylistContext = PlaylistContext()
  ) -> (playlist: Playlist?, findings: [Finding]) {
    let findings = PlaylistFindings(source)
    var parser = PlaylistParser(source, context, findings)
    parser.parse()
    let playlist = parser.finish()
    return (findings.hasErrors ? nil : playlist, findings.finish())
  }

  /// Returns whether a text begins as a playlist does, with or without what should not be there.
  package static func isPlaylist(_ source: SourceText) -> Bool {
    let start = source.bytes.prefix(1_024).drop { byte in
      PlaylistParser.byteOrderMark.contains(byte) || PlaylistParser.isSpace(byte)
        || byte == 0x0A || byte == 0x0D
    }
    return start.starts(with: "#EXTM3U".utf8)
  }
}
