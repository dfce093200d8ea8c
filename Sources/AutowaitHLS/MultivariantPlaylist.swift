/// The variants of a presentation, among which a player chooses.
package struct MultivariantPlaylist: Hashable, Sendable {
  /// The version of the protocol; 1 if the playlist does not say it.
  package var version: Int64 = 1
  /// Whether each segment of each playlist can be decoded without another one.
  package var hasIndependentSegments = false
  /// Where playback should begin.
  package var start: PlaylistStart?
  /// The variables, with their values, in the order of the file.
  package var variables: [PlaylistVariable] = []
  /// The variants in the order of the file.
  package var variants: [Variant] = []
  /// The variants that hold nothing but pictures that can be decoded alone.
  package var iFrameVariants: [Variant] = []
  /// What can be chosen beside the variants: languages, angles, subtitles.
  package var renditions: [Rendition] = []
  /// Keys that may be loaded before a media playlist asks for them.
  package var sessionKeys: [PlaylistKey] = []
  /// Data for the application, as it is written.
  package var sessionData: [PlaylistTagText] = []
  /// Who tells the player which pathway to prefer.
  package var contentSteering: ContentSteering?
  /// The tags that were skipped because nobody knows them, in the order of their first lines.
  package var unknownTags: [PlaylistTagCount] = []

  /// Creates a playlist without variants.
  package init() {}

  /// A server that tells the player which pathway to prefer, from `EXT-X-CONTENT-STEERING`.
  package struct ContentSteering: Hashable, Sendable {
    /// The address of the server.
    package var serverURI: String
    /// The pathway to begin with.
    package var pathwayID: String?

    /// Creates a server.
    package init(serverURI: String, pathwayID: String? = nil) {
      self.serverURI = serverURI
      self.pathwayID = pathwayID
    }
  }
}

/// One way to play a presentation.
extension MultivariantPlaylist {
  /// One way to play a presentation, from `EXT-X-STREAM-INF` or `EXT-X-I-FRAME-STREAM-INF`.
  package struct Variant: Hashable, Sendable {
    /// The address of its media playlist.
    package var uri: String
    /// The highest rate in bits per second of any stretch of its segments, with all its renditions.
    package var bandwidth: Int64
    /// The rate in bits per second of all its segments, with all its renditions.
    package var averageBandwidth: Int64?
    /// How much it is to be preferred, in millionths; more is better.
    package var scoreMillionths: Int64?
    /// The formats of its media, as RFC 6381 writes them.
    package var codecs: [String] = []
    /// Formats that it has on top of those, with their brands.
    package var supplementalCodecs: [String] = []
    /// The best size at which to show its pictures.
    package var resolution: Resolution?
    /// The most pictures per second, in thousandths.
    package var frameRateMillihertz: Int64?
    /// The range of brightness of its pictures.
    package var videoRange: VideoRange?
    /// The protection of the output that it needs.
    package var hdcpLevel: HDCPLevel?
    /// The protection of content that it may be played with, as it is written.
    package var allowedCPC: String?
    /// How its pictures are to be laid out, as it is written.
    package var requiredVideoLayout: String?
    /// The group of renditions with its sound.
    package var audioGroup: String?
    /// The group of renditions with its pictures.
    package var videoGroup: String?
    /// The group of renditions with its subtitles.
    package var subtitlesGroup: String?
    /// Where its closed captions are.
    package var closedCaptions: ClosedCaptions?
    /// The pathway that it belongs to.
    package var pathwayID: String?
    /// What names it in all versions of the playlist.
    package var stableVariantID: String?
    /// The line of its tag, from 1.
    package var line: Int

    /// Creates a variant.
    package init(uri: String, bandwidth: Int64, line: Int = 0) {
      self.uri = uri
      self.bandwidth = bandwidth
      self.line = line
    }
  }

  /// A size of pictures in pixels.
  package struct Resolution: Hashable, Sendable {
    /// The pixels in a row.
    package var width: Int64
    /// The rows.
    package var height: Int64

    /// Creates a size.
    package init(width: Int64, height: Int64) {
      self.width = width
      self.height = height
    }
  }

  /// A range of brightness.
  package enum VideoRange: String, CaseIterable, Hashable, Sendable {
    /// The range of old screens.
    case sdr = "SDR"
    /// Hybrid log-gamma.
    case hlg = "HLG"
    /// The perceptual quantizer.
    case pq = "PQ"
  }

  /// A protection of the output.
  package enum HDCPLevel: String, CaseIterable, Hashable, Sendable {
    /// None is needed.
    case notNeeded = "NONE"
    /// Type 0, or better.
    case type0 = "TYPE-0"
    /// Type 1, or better.
    case type1 = "TYPE-1"
  }

  /// Where the closed captions of a variant are.
  package enum ClosedCaptions: Hashable, Sendable {
    /// No variant has any.
    case absent
    /// A group of renditions has them.
    case group(String)
  }

  /// What can be chosen beside the variants, from `EXT-X-MEDIA`.
  package struct Rendition: Hashable, Sendable {
    /// What a rendition is of.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
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
    package var kind: Kind
    /// The group that it belongs to, by which variants name it.
    package var groupID: String
    /// What people call it.
    package var name: String
    /// The address of its media playlist; without one it is in the variant's own segments.
    package var uri: String?
    /// Its language.
    package var language: String?
    /// A language that it has another role in.
    package var associatedLanguage: String?
    /// What names it in all versions of the playlist.
    package var stableRenditionID: String?
    /// Whether it is to be played if the user has not chosen.
    package var isDefault = false
    /// Whether the player may choose it by the user's language; a default one always may.
    package var isAutoselect = false
    /// Whether it is needed to understand the presentation.
    package var isForced = false
    /// Where in the segments the closed captions are.
    package var instreamID: String?
    /// The bits of a sample of its sound.
    package var bitDepth: Int64?
    /// The samples of its sound per second.
    package var sampleRate: Int64?
    /// The channels of its sound, as they are written.
    package var channels: String?
    /// What it is good for, by uniform type identifiers.
    package var characteristics: [String] = []
    /// The line of its tag, from 1.
    package var line: Int

    /// Creates a rendition.
    package init(_ kind: Kind, groupID: String, name: String, uri: String? = nil, line: Int = 0) {
      self.kind = kind
      self.groupID = groupID
      self.name = name
      self.uri = uri
      self.line = line
    }
  }
}
