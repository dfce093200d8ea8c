/// A playlist of HTTP Live Streaming as its text says it.
///
/// What the draft rfc8216bis-20 defines by other lines, such as the offset of a byte range or the
/// key in force, is resolved; what needs a network, such as an address relative to the playlist's
/// own, is not.
package enum Playlist: Hashable, Sendable {
  /// The variants of a presentation.
  case multivariant(MultivariantPlaylist)
  /// The segments of one variant or rendition.
  case media(MediaPlaylist)
}

/// A variable that `EXT-X-DEFINE` gives a value.
package struct PlaylistVariable: Hashable, Sendable {
  /// The name, by which a text refers to it as `{$name}`.
  package var name: String
  /// The value, which may be empty.
  package var value: String

  /// Creates a variable.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What a playlist must be told to be read: where it came from.
package struct PlaylistContext: Hashable, Sendable {
  /// The query of the playlist's address, without its question mark; nil if the address is not
  /// known.
  package var query: String?
  /// The variables of the multivariant playlist that leads to this one; nil if it is not known.
  package var variables: [PlaylistVariable]?
  /// Whether what the standard forbids is told although all players take it.
  package var lints = false

  /// Creates a context; without a query or variables those that are asked for count as empty, with
  /// a warning.
  package init(query: String? = nil, variables: [PlaylistVariable]? = nil) {
    self.query = query
    self.variables = variables
  }
}

/// Where playback should begin, from `EXT-X-START`.
package struct PlaylistStart: Hashable, Sendable {
  /// The time from the beginning of the playlist, or a negative one from its end.
  package var timeOffset: PlaylistTime
  /// Whether what lies before that time in its segment must not be shown.
  package var isPrecise: Bool

  /// Creates a start.
  package init(timeOffset: PlaylistTime, isPrecise: Bool = false) {
    self.timeOffset = timeOffset
    self.isPrecise = isPrecise
  }
}

/// A part of a file.
package struct PlaylistByteRange: Hashable, Sendable {
  /// The byte at which the part begins.
  package var offset: Int64
  /// How many bytes it has.
  package var length: Int64

  /// Creates a part of a file.
  package init(offset: Int64, length: Int64) {
    self.offset = offset
    self.length = length
  }
}

/// A key that decrypts segments, from `EXT-X-KEY` or `EXT-X-SESSION-KEY`.
package struct PlaylistKey: Hashable, Sendable {
  /// How what the key is for is encrypted.
  package enum Method: String, CaseIterable, Hashable, Sendable {
    /// Whole segments, with 128 bits.
    case aes128 = "AES-128"
    /// Whole segments, with 256 bits.
    case aes256GCM = "AES-256-GCM"
    /// Whole segments, with 256 bits, in blocks: no standard has it, and hls.js and Shaka play it.
    case aes256 = "AES-256"
    /// Whole segments, with 256 bits, as a stream: likewise.
    case aes256CTR = "AES-256-CTR"
    /// Samples, each by itself.
    case sampleAES = "SAMPLE-AES"
    /// Samples, by the common encryption of MPEG.
    case sampleAESCTR = "SAMPLE-AES-CTR"
  }

  /// How what the key is for is encrypted.
  package var method: Method
  /// The address of the key.
  package var uri: String
  /// The initialization vector in hexadecimal digits, with `0x` before them.
  package var initializationVector: String?
  /// How the key is represented at its address.
  package var keyFormat: String
  /// The versions of that format, joined by slashes.
  package var keyFormatVersions: String?
  /// The line of the first tag that names the key, from 1.
  package var line: Int

  /// Creates a key; the format `identity` is 16 bytes as they are.
  package init(method: Method, uri: String, keyFormat: String = "identity", line: Int = 0) {
    self.method = method
    self.uri = uri
    self.keyFormat = keyFormat
    self.line = line
  }
}

/// A tag that is kept as it was written.
package struct PlaylistTagText: Hashable, Sendable {
  /// What stands behind the colon, references to variables included.
  package var text: String
  /// The line of the tag, from 1.
  package var line: Int

  /// Creates a tag from what stands behind its colon.
  package init(text: String, line: Int = 0) {
    self.text = text
    self.line = line
  }
}

/// How often a tag occurs that means nothing here.
package struct PlaylistTagCount: Hashable, Sendable {
  /// The name of the tag, without its number sign.
  package var name: String
  /// How many lines have it.
  package var count: Int

  /// Creates a count.
  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
