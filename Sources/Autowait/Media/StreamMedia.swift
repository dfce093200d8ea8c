/// A stream over HTTP (HLS) as numbers: its variants, its renditions, and their segments.
///
/// Names are for people; the core knows variants, renditions, lists and keys by their numbers.
package struct StreamMedia: Hashable, Sendable {
  /// One of the ways in which the stream can be played (`EXT-X-STREAM-INF`).
  package struct Variant: Hashable, Sendable {
    /// The peak rate of all that it needs: `BANDWIDTH`.
    package var bandwidth: BitRate
    /// `AVERAGE-BANDWIDTH`, if the playlist says it.
    package var averageBandwidth: BitRate?
    /// `RESOLUTION`, if the playlist says it.
    package var resolution: Resolution?
    /// `FRAME-RATE` in thousandths, if the playlist says it.
    package var frameRate: Int?
    /// `VIDEO-RANGE`.
    package var videoRange = VideoRange.sdr
    /// The color of its picture, if that is tagged.
    package var color: VideoColor?
    /// The kinds of codecs that it needs; none if the playlist does not say.
    package var codecs: CodecFamilies = []
    /// The number of its segment list.
    package var list: Int
    /// The group of its audio renditions, if it has one.
    package var audioGroup: Int?
    /// The group of its subtitles, if it has one.
    package var subtitleGroup: Int?

    /// Creates a variant.
    package init(bandwidth: BitRate, list: Int) {
      self.bandwidth = bandwidth
      self.list = list
    }
  }

  /// An alternative track of a group (`EXT-X-MEDIA`).
  package struct Rendition: Hashable, Sendable {
    /// What a rendition is of.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
      /// Audio.
      case audio
      /// Subtitles.
      case subtitles
    }

    /// What it is of.
    package var kind: Kind
    /// The number of its group among those of its kind.
    package var group: Int
    /// Whether it plays unless the user chooses another.
    package var isDefault = false
    /// Whether it may be chosen without the user.
    package var isAutoselected = false
    /// Its language, if it says it.
    package var language: LanguageTag?
    /// The number of channels, if it is audio that says it.
    package var channels: Int?
    /// The samples of the sound per second, and the bits of each, if it says so.
    package var sampleRate: Int?
    package var bitDepth: Int?
    /// The number of its segment list; nil if it lies in the segments of the variant.
    package var list: Int?

    /// Creates a rendition.
    package init(_ kind: Kind, group: Int, list: Int?) {
      self.kind = kind
      self.group = group
      self.list = list
    }
  }

  /// A key without which segments cannot be played.
  package struct ContentKey: Hashable, Sendable {
    /// The bytes of the response.
    package var size: ByteCount
    /// How long the key server delays its response.
    package var serverDelay: TimeSpan
    /// The way to the key server, as in ``Media/route``.
    package var route = 0

    /// Creates a key.
    package init(size: ByteCount, serverDelay: TimeSpan = .zero) {
      self.size = size
      self.serverDelay = serverDelay
    }
  }

  /// The bytes of the multivariant playlist as they are sent; nil if a media playlist was named.
  package var playlistSize: ByteCount?
  /// The variants, in the order of the playlist.
  package var variants: [Variant]
  /// The renditions, in the order of the playlist.
  package var renditions: [Rendition] = []
  /// The segment lists that variants and renditions name.
  package var lists: [SegmentList]
  /// The keys that segments need.
  package var keys: [ContentKey] = []
  /// The keys that the multivariant playlist names (`EXT-X-SESSION-KEY`).
  package var sessionKeys: [Int] = []
  /// Where the media ends, if that is before its playlists say: somewhere in the last segment.
  ///
  /// A playlist rounds the durations of segments, or is wrong (observed: openradar 39282364).
  package var mediaEnd: MediaTime?
  /// Where playback starts (`EXT-X-START`); from the end if negative.
  package var startOffset: MediaTime?
  /// What makes the stream live; nil for video on demand.
  package var live: LiveWindow?
  /// What goes wrong with requests.
  package var faults: [Fault] = []

  /// Creates a stream of some variants.
  package init(variants: [Variant], lists: [SegmentList]) {
    self.variants = variants
    self.lists = lists
  }

  /// How long the stream plays: as long as the longest list of a variant.
  package var duration: MediaTime {
    variants.reduce(.zero) { max($0, lists[$1.list].end) }
  }

  /// The largest thing that is asked for; of a live playlist, as it is when the run starts.
  package var largestSegment: ByteCount {
    lists.reduce(playlistSize ?? .zero) {
      max($0, $1.largest, playlistSize(of: $1, at: .start))
    }
  }

  /// Returns the bytes of a list's playlist when a server answers at an instant.
  ///
  /// That of a live stream has what its window holds by then.
  func playlistSize(of list: SegmentList, at now: Instant) -> ByteCount {
    guard let live, list.playlistText != nil else { return list.playlistSize }
    return list.playlistSize(listing: live.listed(of: list, at: now))
  }

  /// Refuses what no player can make sense of; readers of files have refused it before.
  func check() {
    precondition(!variants.isEmpty, "a stream must have a variant")
    precondition(
      variants.allSatisfy { lists.indices.contains($0.list) },
      "the list of each variant must be one of \(lists.count), are \(variants.map { $0.list })")
    precondition(
      renditions.allSatisfy { $0.list.map(lists.indices.contains) ?? true },
      "the list of each rendition must be one of \(lists.count), are "
        + "\(renditions.compactMap { $0.list })")
    precondition(
      duration > .zero && duration <= Limits.mediaMax,
      "duration must be above 0 s and at most \(Limits.mediaMax), is \(duration)")
    if let mediaEnd {
      precondition(
        live == nil, "only a stream on demand can have a mediaEnd, this is live, with \(mediaEnd)")
      precondition(
        variants.allSatisfy { mediaEnd > lists[$0.list].lastStart } && mediaEnd <= duration,
        "mediaEnd must be in the last segment, which ends at \(duration), is \(mediaEnd)")
    }
    for list in lists {
      list.playlistText?.check()
      for stretch in list.stretches {
        precondition(
          stretch.key.map(keys.indices.contains) ?? true,
          "the key of a segment must be one of \(keys.count), is \(stretch.key ?? 0)")
        precondition(
          stretch.initialization.map(list.initializations.indices.contains) ?? true,
          "the initialization of a segment must be one of \(list.initializations.count), is "
            + "\(stretch.initialization ?? 0)")
      }
    }
    precondition(
      sessionKeys.allSatisfy(keys.indices.contains),
      "each session key must be one of \(keys.count), are \(sessionKeys)")
  }
}

/// The size of a picture in pixels.
public struct Resolution: Hashable, Sendable {
  /// The pixels in a row.
  public var width: Int32
  /// The rows.
  public var height: Int32

  /// Creates a size.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }

  /// Returns whether a picture of this size covers one of another size in both directions.
  func covers(_ other: Resolution) -> Bool {
    width >= other.width && height >= other.height
  }

  /// The number of pixels.
  var pixels: Int64 { Int64(width) * Int64(height) }
}

/// The range of a video's brightness (`VIDEO-RANGE`).
package enum VideoRange: UInt8, CaseIterable, Hashable, Sendable {
  /// Standard.
  case sdr
  /// High, by hybrid log-gamma.
  case hlg
  /// High, by the perceptual quantizer.
  case pq
}

/// Kinds of codecs, as far as a device can or cannot decode them.
package struct CodecFamilies: OptionSet, Hashable, Sendable {
  /// A bit for each kind.
  package let rawValue: UInt32

  /// Creates a set from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// All kinds of sound.
  package static let sound: CodecFamilies = [.aac, .heAAC, .ac3, .ec3, .mp3, .flac, .alac, .opus]

  /// H.264.
  package static let avc = CodecFamilies(rawValue: 1)
  /// H.265.
  package static let hevc = CodecFamilies(rawValue: 2)
  /// Dolby Vision.
  package static let dolbyVision = CodecFamilies(rawValue: 4)
  /// AV1.
  package static let av1 = CodecFamilies(rawValue: 8)
  /// VP9.
  package static let vp9 = CodecFamilies(rawValue: 16)
  /// AAC of low complexity.
  package static let aac = CodecFamilies(rawValue: 32)
  /// AAC of high efficiency.
  package static let heAAC = CodecFamilies(rawValue: 64)
  /// Dolby Digital.
  package static let ac3 = CodecFamilies(rawValue: 128)
  /// Dolby Digital Plus.
  package static let ec3 = CodecFamilies(rawValue: 256)
  /// MPEG layers I to III.
  package static let mp3 = CodecFamilies(rawValue: 512)
  /// FLAC.
  package static let flac = CodecFamilies(rawValue: 1_024)
  /// Apple Lossless.
  package static let alac = CodecFamilies(rawValue: 2_048)
  /// Opus.
  package static let opus = CodecFamilies(rawValue: 4_096)
  /// Anything else.
  package static let other = CodecFamilies(rawValue: 1 << 31)
}

/// What makes a stream live: segments appear as time goes on, and old ones leave the playlist.
///
/// The stream's lists hold its whole programme, from before the run to after its end; at the start
/// of the run some of it has been published.
package struct LiveWindow: Hashable, Sendable {
  /// How much of the programme is over when the run starts.
  package var elapsed: MediaTime
  /// How much of the programme a playlist lists; nil for all (`EXT-X-PLAYLIST-TYPE: EVENT`).
  package var window: MediaTime?
  /// How far from the end playback starts; nil for three target durations (RFC 8216, 6.3.3).
  package var holdBack: MediaTime?
  /// How long after its last frame a segment stands in the playlist.
  package var publishDelay = TimeSpan.zero
  /// The duration of parts, if the playlist offers them (`EXT-X-PART-INF`).
  package var partDuration: MediaTime?
  /// How far from the end playback starts with parts; nil for three of them.
  package var partHoldBack: MediaTime?
  /// Whether a server answers a reload when there is something new (`CAN-BLOCK-RELOAD`).
  package var canBlockReload = false

  /// Creates a window on a programme.
  package init(elapsed: MediaTime, window: MediaTime?) {
    self.elapsed = elapsed
    self.window = window
  }

  /// How far the programme has got in the playlists at an instant.
  func edge(at now: Instant) -> MediaTime {
    MediaTime(
      nanoseconds: bounded(elapsed) + now.nanoseconds - bounded(publishDelay))
  }

  /// Returns the segments that the playlist of a list has at an instant.
  func listed(of list: SegmentList, at now: Instant) -> Range<Int> {
    let count = list.segment(at: max(.zero, edge(at: now)))
    guard let window, count > 0 else { return 0..<count }
    // As many whole segments as the window holds, and at least one that plays.
    let whole = list.time(of: count)
    let least = max(.zero, MediaTime(nanoseconds: whole.nanoseconds - max(0, window.nanoseconds)))
    let behind = least == .zero ? 0 : list.segment(at: least - MediaTime(nanoseconds: 1)) + 1
    let last = list.segment(at: max(.zero, whole - MediaTime(nanoseconds: 1)))
    return min(behind, last)..<count
  }

  /// A media time that sums of two stay within.
  func bounded(_ time: MediaTime) -> Int64 {
    let most = Limits.mediaMax.nanoseconds
    return min(max(time.nanoseconds, -most), most)
  }

  /// A span that sums of two stay within.
  func bounded(_ span: TimeSpan) -> Int64 {
    min(max(span.nanoseconds, 0), Limits.timeMax.nanoseconds)
  }
}

/// Something that goes wrong with requests for parts of a stream.
package struct Fault: Hashable, Sendable {
  /// The requests that are met.
  package enum Target: Hashable, Sendable {
    /// The multivariant playlist.
    case multivariantPlaylist
    /// The playlist of a list; nil for any.
    case mediaPlaylist(list: Int?)
    /// Segments, of a list or of any, one of them or all.
    case segment(list: Int?, number: Int?)
    /// Initialisation sections, of a list or of any.
    case initialization(list: Int?)
    /// A key; nil for any.
    case contentKey(Int?)
  }

  /// What happens to them.
  package enum Outcome: Hashable, Sendable {
    /// The server answers with a status and no body: 404 and the like.
    case status(Int)
    /// The server never answers.
    case noResponse
    /// The name of the host cannot be resolved.
    case nameNotResolved
    /// The server names another place, which has it; a round trip more.
    case redirect
    /// The key does not fit.
    case wrongKey
  }

  /// The requests that are met.
  package var target: Target
  /// What happens to them.
  package var outcome: Outcome
  /// How many requests are met before it is over; nil for all.
  package var count: Int?

  /// Creates a fault.
  package init(_ outcome: Outcome, of target: Target, count: Int? = nil) {
    self.target = target
    self.outcome = outcome
    self.count = count
  }
}
