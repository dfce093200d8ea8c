import Autowait

/// A playlist of HTTP Live Streaming as its text says it.
///
/// What the draft rfc8216bis-20 defines by other lines, such as the offset of a byte range or the
/// key in force, is resolved; what needs a network, such as an address relative to the playlist's
/// own, is not.
public enum Playlist: Hashable, Sendable {
  /// The variants of a presentation.
  case multivariant(MultivariantPlaylist)
  /// The segments of one variant or rendition.
  case media(MediaPlaylist)
}

/// A variable that `EXT-X-DEFINE` gives a value.
public struct PlaylistVariable: Hashable, Sendable {
  /// The name, by which a text refers to it as `{$name}`.
  public var name: String
  /// The value, which may be empty.
  public var value: String

  /// Creates a variable.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What a playlist must be told to be read: where it came from.
public struct PlaylistContext: Hashable, Sendable {
  /// The query of the playlist's address, without its question mark; nil if the address is not
  /// known.
  public var query: String?
  /// The variables of the multivariant playlist that leads to this one; nil if it is not known.
  public var variables: [PlaylistVariable]?

  /// Creates a context; without a query or variables those that are asked for count as empty, with
  /// a warning.
  public init(query: String? = nil, variables: [PlaylistVariable]? = nil) {
    self.query = query
    self.variables = variables
  }
}

/// Where playback should begin, from `EXT-X-START`.
public struct PlaylistStart: Hashable, Sendable {
  /// The time from the beginning of the playlist, or a negative one from its end.
  public var timeOffset: MediaTime
  /// Whether what lies before that time in its segment must not be shown.
  public var isPrecise: Bool

  /// Creates a start.
  public init(timeOffset: MediaTime, isPrecise: Bool = false) {
    self.timeOffset = timeOffset
    self.isPrecise = isPrecise
  }
}

/// A part of a file.
public struct PlaylistByteRange: Hashable, Sendable {
  /// Where the part begins.
  public var offset: ByteCount
  /// How long it is.
  public var length: ByteCount

  /// Creates a part of a file.
  public init(offset: ByteCount, length: ByteCount) {
    self.offset = offset
    self.length = length
  }
}

/// A key that decrypts segments, from `EXT-X-KEY` or `EXT-X-SESSION-KEY`.
public struct PlaylistKey: Hashable, Sendable {
  /// How what the key is for is encrypted.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Whole segments, with 128 bits.
    case aes128 = "AES-128"
    /// Whole segments, with 256 bits.
    case aes256GCM = "AES-256-GCM"
    /// Samples, each by itself.
    case sampleAES = "SAMPLE-AES"
    /// Samples, by the common encryption of MPEG.
    case sampleAESCTR = "SAMPLE-AES-CTR"
  }

  /// How what the key is for is encrypted.
  public var method: Method
  /// The address of the key.
  public var uri: String
  /// The initialization vector in hexadecimal digits, with `0x` before them.
  public var initializationVector: String?
  /// How the key is represented at its address.
  public var keyFormat: String
  /// The versions of that format, joined by slashes.
  public var keyFormatVersions: String?
  /// The line of the first tag that names the key, from 1.
  public var line: Int

  /// Creates a key; the format `identity` is 16 bytes as they are.
  public init(method: Method, uri: String, keyFormat: String = "identity", line: Int = 0) {
    self.method = method
    self.uri = uri
    self.keyFormat = keyFormat
    self.line = line
  }
}

/// A tag that is kept as it was written.
public struct PlaylistTagText: Hashable, Sendable {
  /// What stands behind the colon, references to variables included.
  public var text: String
  /// The line of the tag, from 1.
  public var line: Int

  /// Creates a tag from what stands behind its colon.
  public init(text: String, line: Int = 0) {
    self.text = text
    self.line = line
  }
}

/// How often a tag occurs that means nothing here.
public struct PlaylistTagCount: Hashable, Sendable {
  /// The name of the tag, without its number sign.
  public var name: String
  /// How many lines have it.
  public var count: Int

  /// Creates a count.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
