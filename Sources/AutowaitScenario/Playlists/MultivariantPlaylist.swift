import Autowait

/// The variants of a presentation, among which a player chooses.
public struct MultivariantPlaylist: Hashable, Sendable {
  /// The version of the protocol; 1 if the playlist does not say it.
  public var version: Int64 = 1
  /// Whether each segment of each playlist can be decoded without another one.
  public var hasIndependentSegments = false
  /// Where playback should begin.
  public var start: PlaylistStart?
  /// The variables, with their values, in the order of the file.
  public var variables: [PlaylistVariable] = []
  /// The variants in the order of the file.
  public var variants: [Variant] = []
  /// The variants that hold nothing but pictures that can be decoded alone.
  public var iFrameVariants: [Variant] = []
  /// What can be chosen beside the variants: languages, angles, subtitles.
  public var renditions: [Rendition] = []
  /// Keys that may be loaded before a media playlist asks for them.
  public var sessionKeys: [PlaylistKey] = []
  /// Data for the application, as it is written.
  public var sessionData: [PlaylistTagText] = []
  /// Who tells the player which pathway to prefer.
  public var contentSteering: ContentSteering?
  /// The tags that were skipped because nobody knows them, in the order of their first lines.
  public var unknownTags: [PlaylistTagCount] = []

  /// Creates a playlist without variants.
  public init() {}

  /// A server that tells the player which pathway to prefer, from `EXT-X-CONTENT-STEERING`.
  public struct ContentSteering: Hashable, Sendable {
    /// The address of the server.
    public var serverURI: String
    /// The pathway to begin with.
    public var pathwayID: String?

    /// Creates a server.
    public init(serverURI: String, pathwayID: String? = nil) {
      self.serverURI = serverURI
      self.pathwayID = pathwayID
    }
  }
}

/// One way to play a presentation.
extension MultivariantPlaylist {
  /// One way to play a presentation, from `EXT-X-STREAM-INF` or `EXT-X-I-FRAME-STREAM-INF`.
  public struct Variant: Hashable, Sendable {
    /// The address of its media playlist.
    public var uri: String
    /// The highest rate of any stretch of its segments, with all its renditions.
    public var bandwidth: BitRate
    /// The rate of all its segments, with all its renditions.
    public var averageBandwidth: BitRate?
    /// How much it is to be preferred, in millionths; more is better.
    public var scoreMillionths: Int64?
    /// The formats of its media, as RFC 6381 writes them.
    public var codecs: [String] = []
    /// Formats that it has on top of those, with their brands.
    public var supplementalCodecs: [String] = []
    /// The best size at which to show its pictures.
    public var resolution: Resolution?
    /// The most pictures per second, in thousandths.
    public var frameRateMillihertz: Int64?
    /// The range of brightness of its pictures.
    public var videoRange: VideoRange?
    /// The protection of the output that it needs.
    public var hdcpLevel: HDCPLevel?
    /// The protection of content that it may be played with, as it is written.
    public var allowedCPC: String?
    /// How its pictures are to be laid out, as it is written.
    public var requiredVideoLayout: String?
    /// The group of renditions with its sound.
    public var audioGroup: String?
    /// The group of renditions with its pictures.
    public var videoGroup: String?
    /// The group of renditions with its subtitles.
    public var subtitlesGroup: String?
    /// Where its closed captions are.
    public var closedCaptions: ClosedCaptions?
    /// The pathway that it belongs to.
    public var pathwayID: String?
    /// What names it in all versions of the playlist.
    public var stableVariantID: String?
    /// The line of its tag, from 1.
    public var line: Int

    /// Creates a variant.
    public init(uri: String, bandwidth: BitRate, line: Int = 0) {
      self.uri = uri
      self.bandwidth = bandwidth
      self.line = line
    }
  }

  /// A size of pictures in pixels.
  public struct Resolution: Hashable, Sendable {
    /// The pixels in a row.
    public var width: Int64
    /// The rows.
    public var height: Int64

    /// Creates a size.
    public init(width: Int64, height: Int64) {
      self.width = width
      self.height = height
    }
  }

  /// A range of brightness.
  public enum VideoRange: String, CaseIterable, Hashable, Sendable {
    /// The range of old screens.
    case sdr = "SDR"
    /// Hybrid log-gamma.
    case hlg = "HLG"
    /// The perceptual quantizer.
    case pq = "PQ"
  }

  /// A protection of the output.
  public enum HDCPLevel: String, CaseIterable, Hashable, Sendable {
    /// None is needed.
    case notNeeded = "NONE"
    /// Type 0, or better.
    case type0 = "TYPE-0"
    /// Type 1, or better.
    case type1 = "TYPE-1"
  }

  /// Where the closed captions of a variant are.
  public enum ClosedCaptions: Hashable, Sendable {
    /// No variant has any.
    case absent
    /// A group of renditions has them.
    case group(String)
  }

  /// What can be chosen beside the variants, from `EXT-X-MEDIA`.
  public struct Rendition: Hashable, Sendable {
    /// What a rendition is of.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// Sound.
      case audio = "AUDIO"
      /// Pictures.
      case video = "VIDEO"
      /// Subtitles.
      case subtitles = "SUBTITLES"
      /// Closed captions, which stand in the segments of the variant.
      case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// What it is of.
    public var kind: Kind
    /// The group that it belongs to, by which variants name it.
    public var groupID: String
    /// What people call it.
    public var name: String
    /// The address of its media playlist; without one it is in the variant's own segments.
    public var uri: String?
    /// Its language.
    public var language: String?
    /// A language that it has another role in.
    public var associatedLanguage: String?
    /// What names it in all versions of the playlist.
    public var stableRenditionID: String?
    /// Whether it is to be played if the user has not chosen.
    public var isDefault = false
    /// Whether the player may choose it by the user's language; a default one always may.
    public var isAutoselect = false
    /// Whether it is needed to understand the presentation.
    public var isForced = false
    /// Where in the segments the closed captions are.
    public var instreamID: String?
    /// The bits of a sample of its sound.
    public var bitDepth: Int64?
    /// The samples of its sound per second.
    public var sampleRate: Int64?
    /// The channels of its sound, as they are written.
    public var channels: String?
    /// What it is good for, by uniform type identifiers.
    public var characteristics: [String] = []
    /// The line of its tag, from 1.
    public var line: Int

    /// Creates a rendition.
    public init(_ kind: Kind, groupID: String, name: String, uri: String? = nil, line: Int = 0) {
      self.kind = kind
      self.groupID = groupID
      self.name = name
      self.uri = uri
      self.line = line
    }
  }
}
