import Autowait

/// A way in which a stream can be played.
public struct HLSVariant: Hashable, Sendable {
  /// The peak rate of all that is needed to play it, its sound included (`BANDWIDTH`).
  public var bandwidth: BitRate
  /// The mean rate of that (`AVERAGE-BANDWIDTH`).
  public var averageBandwidth: BitRate?
  /// The size of the picture.
  public var resolution: Resolution?

  /// Creates a variant.
  public init(
    _ bandwidth: BitRate, average: BitRate? = nil, resolution: Resolution? = nil
  ) {
    self.bandwidth = bandwidth
    averageBandwidth = average
    self.resolution = resolution
  }
}

extension Media {
  /// Creates a single file over HTTP, of a constant rate.
  public static func progressive(duration: MediaTime, bitRate: BitRate) -> Media {
    Media(.progressive, duration: duration, bitRate: bitRate)
  }

  /// Creates a single file over HTTP, of a size that is spread evenly.
  public static func progressive(duration: MediaTime, size: ByteCount) -> Media {
    Media(.progressive, duration: duration, contentSize: size)
  }

  /// Creates a file on the device, which is all there.
  public static func local(duration: MediaTime) -> Media {
    Media(.local, duration: duration, bitRate: .kilobits(100))
  }

  /// Creates a stream of HTTP Live Streaming whose variants share their sound, if it has any.
  ///
  /// It is what a scenario says with `{"kind": "hls", …}`: segments of one length and a constant
  /// rate, and playlists that are as large as such playlists are. The sound is there once in each
  /// of some languages, by their tags; the first one plays unless another is selected.
  public static func hls(
    duration: MediaTime, segmentDuration: MediaTime = .seconds(6), variants: [HLSVariant],
    audio: BitRate? = nil, languages: [String] = []
  ) -> Media {
    precondition(!variants.isEmpty, "variants must not be empty")
    precondition(
      audio != nil || languages.isEmpty, "a stream without sound has none in \(languages)")
    precondition(
      duration > .zero && segmentDuration > .zero,
      "a stream of \(duration) in segments of \(segmentDuration)")
    func list(_ rate: BitRate) -> SegmentList {
      var list = SegmentList(EvenSegments(duration, by: segmentDuration, at: rate))
      list.need(SegmentList.SegmentStretch(first: 0, initialization: nil))
      list.playlistSize = ByteCount(bytes: list.assumedPlaylistBytes)
      return list
    }
    let sound = audio.map { list($0) }
    let heard = sound.map { $0.rate(over: duration) } ?? .zero
    var lists: [SegmentList] = []
    var made: [StreamMedia.Variant] = []
    for variant in variants {
      let whole = (variant.averageBandwidth ?? variant.bandwidth).bitsPerSecond
      precondition(
        whole > heard.bitsPerSecond,
        "a variant of \(BitRate(bitsPerSecond: whole)) has no room for sound of \(heard)")
      var own = StreamMedia.Variant(bandwidth: variant.bandwidth, list: lists.count)
      own.averageBandwidth = variant.averageBandwidth
      own.resolution = variant.resolution
      own.audioGroup = sound == nil ? nil : 0
      lists.append(list(BitRate(bitsPerSecond: whole - heard.bitsPerSecond)))
      made.append(own)
    }
    var media = StreamMedia(variants: made, lists: lists)
    if let sound {
      for (place, language) in (languages.isEmpty ? [nil] : languages.map { $0 }).enumerated() {
        var rendition = StreamMedia.Rendition(.audio, group: 0, list: media.lists.count)
        rendition.isDefault = place == 0
        rendition.isAutoselected = true
        rendition.language = language.map { LanguageTag(checking: $0) }
        media.renditions.append(rendition)
        media.lists.append(sound)
      }
    }
    media.playlistSize = ByteCount(bytes: media.assumedPlaylistBytes)
    return Media(media)
  }
}

extension LanguageTag {
  /// Takes the tag of a language apart, and refuses what is none.
  init(checking text: String) {
    guard let tag = LanguageTag(text) else {
      preconditionFailure("'\(text)' is not the tag of a language, such as 'en' or 'pt-BR'")
    }
    self = tag
  }
}

extension SegmentList {
  /// The rate of the whole list over a time, rounded up.
  fileprivate func rate(over duration: MediaTime) -> BitRate {
    let bytes = (0..<count).reduce(Int64(0)) { $0 + size(of: $1).bytes }
    let bits = UInt128(UInt64(bytes)) * 8_000_000_000
    let time = UInt128(UInt64(duration.nanoseconds))
    return BitRate(bitsPerSecond: Int64((bits + time - 1) / time))
  }
}
