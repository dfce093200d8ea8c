/// A piece of media: how long it plays and where its data comes from.
public struct Media: Hashable, Sendable {
  /// Where the data comes from.
  package enum Source: Hashable, Sendable {
    /// A file on the device: everything is there as soon as the item is loaded.
    case local
    /// A single file over HTTP, read from its beginning in one request.
    case progressive
    /// A stream over HTTP, read by playlists, keys and segments.
    case stream(SharedStreamMedia)
  }

  /// Where in a file its index lies: the `moov` of a movie, which says what lies where.
  package enum IndexPlacement: UInt8, CaseIterable, Hashable, Sendable {
    /// At the head: a file that is read from its beginning tells its index first.
    case front
    /// Behind the content, where writers leave it that do not know the content beforehand.
    case back
  }

  /// Where the data comes from.
  package let source: Source
  /// The bytes of the file's index, which must arrive before anything can play.
  package let headerSize: ByteCount
  /// Where those bytes lie.
  package let indexPlacement: IndexPlacement
  /// Whether the media can play faster than twice its natural speed.
  public var canPlayFastForward = true
  /// Whether the media can play backwards.
  public var canPlayReverse = true

  /// Whether an application's resource loader delegate hands the media over, and not the network.
  ///
  /// The player's "prediction of future availability of media data may be inaccurate" then
  /// (AVPlayer.h). Assumed: there is none, and it waits until all that it wants has come.
  public var isFedByDelegate = false

  /// Where the picture ends if the sound goes on, and the sound if the picture does: an item plays
  /// as long as its longest track.
  package var videoEnd: MediaTime?
  package var audioEnd: MediaTime?

  /// The color of the picture of a file, if it is tagged.
  package var color: VideoColor?

  /// How far the key frames lie apart, from the beginning on; nil for those at the starts of a
  /// stream's segments, and for a file that says nothing of them.
  package var keyFrameInterval: MediaTime?

  /// The way to the host that has the media: 0 for the link, else the place among the links of
  /// hosts with one of their own, counted from 1.
  package var route = 0

  /// Where the bytes of a time lie.
  let map: ByteMap

  /// How long the media plays.
  public var duration: MediaTime { map.duration }

  /// Creates a file of a constant bit rate.
  package init(
    _ source: Source, duration: MediaTime, bitRate: BitRate, headerSize: ByteCount = .zero,
    indexPlacement: IndexPlacement = .front
  ) {
    precondition(
      bitRate > .zero && bitRate <= Limits.bitRateMax,
      "bitRate must be above 0 bit/s and at most \(Limits.bitRateMax), is \(bitRate)")
    self.init(
      source, duration, (headerSize, indexPlacement),
      nanobits: UInt128(UInt64(bitRate.bitsPerSecond)), nanoseconds: 1)
  }

  /// Creates a file whose content, without the index, has the given size spread evenly over time.
  package init(
    _ source: Source, duration: MediaTime, contentSize: ByteCount, headerSize: ByteCount = .zero,
    indexPlacement: IndexPlacement = .front
  ) {
    precondition(
      contentSize > .zero && contentSize <= Limits.bytesMax,
      "contentSize must be above 0 B and at most \(Limits.bytesMax), is \(contentSize)")
    self.init(
      source, duration, (headerSize, indexPlacement), nanobits: DataAmount(contentSize).nanobits,
      nanoseconds: UInt64(duration.nanoseconds))
  }

  private init(
    _ source: Source, _ duration: MediaTime, _ index: (size: ByteCount, place: IndexPlacement),
    nanobits: UInt128, nanoseconds: UInt64
  ) {
    precondition(
      duration > .zero && duration <= Limits.mediaMax,
      "duration must be above 0 s and at most \(Limits.mediaMax), is \(duration)")
    if case .stream = source { preconditionFailure("a stream has no bytes of a file") }
    precondition(
      index.place == .front || index.size > .zero,
      "the size of an index at the back must be above 0 B, is \(index.size)")
    self.source = source
    headerSize = index.size
    indexPlacement = index.place
    map = ByteMap(
      duration, header: index.place == .front ? index.size : .zero, nanobits: nanobits,
      nanoseconds: nanoseconds)
  }

  /// Creates a stream.
  package init(_ streamMedia: StreamMedia) {
    streamMedia.check()
    source = .stream(SharedStreamMedia(streamMedia))
    headerSize = .zero
    indexPlacement = .front
    map = ByteMap(timesOf: streamMedia.duration)
  }

  /// The stream, if the media is one.
  package var streamMedia: StreamMedia? {
    shared?.streamMedia
  }

  /// The stream's own storage, which costs nothing to hand on.
  @inline(__always)
  var shared: SharedStreamMedia? {
    if case .stream(let shared) = source { shared } else { nil }
  }

  /// The size of the whole file as an amount of data; of a stream that of its largest segment.
  package var size: DataAmount {
    if let streamMedia { return DataAmount(streamMedia.largestSegment) }
    return indexPlacement == .front ? contentEnd : contentEnd + DataAmount(headerSize)
  }

  /// The position at which the content of a file ends; an index at the back begins there.
  var contentEnd: DataAmount { map.position(of: duration) }
}

/// A stream that is never written again, so that many may look at it without a copy.
///
/// It lies in an array of one: to hand it on is to count a single reference. What every player of
/// it would have to sort is sorted once.
package struct SharedStreamMedia: Hashable, Sendable {
  private let storage: [Storage]
  /// Whether segments of any list are missing on purpose.
  let hasGaps: Bool
  /// Whether segments of any variant are larger than its peak rate allows.
  let exceedsRates: Bool

  private struct Storage: Hashable, Sendable {
    let streamMedia: StreamMedia
    let rates: [BitRate]
    let byRate: [Int]
    let switchRates: [BitRate]
    let renditionLists: [RenditionLists]
  }

  /// The lists of the audio and of the subtitles that have lists of their own.
  struct RenditionLists: Hashable, Sendable {
    let audio: Int?
    let subtitles: Int?
  }

  /// Takes a stream that is complete.
  init(_ streamMedia: StreamMedia) {
    let rates = streamMedia.variants.map { $0.bandwidth }
    storage = [
      Storage(
        streamMedia: streamMedia, rates: rates,
        byRate: rates.indices.sorted { (rates[$0], $0) < (rates[$1], $1) },
        switchRates: streamMedia.variants.map { $0.averageBandwidth ?? $0.bandwidth },
        renditionLists: streamMedia.variants.map {
          let audio = streamMedia.rendition(.audio, group: $0.audioGroup, MediaSelection())
          return RenditionLists(
            audio: audio.flatMap { streamMedia.renditions[$0].list }, subtitles: nil)
        })
    ]
    hasGaps = streamMedia.lists.contains { !$0.gaps.isEmpty }
    exceedsRates = streamMedia.variants.contains {
      streamMedia.lists[$0.list].exceeds($0.bandwidth)
    }
  }

  /// The stream.
  package var streamMedia: StreamMedia { storage[0].streamMedia }

  /// The stream for the core, which reads parts of it and never copies it.
  @inline(__always)
  var parts: StreamMedia { storage[0].streamMedia }

  /// The peak rates of the variants.
  @inline(__always)
  var rates: [BitRate] { storage[0].rates }

  /// The variants by ascending peak rate.
  @inline(__always)
  var byRate: [Int] { storage[0].byRate }

  /// The rates by which AVFoundation switches: the mean one of a variant, where it is said.
  @inline(__always)
  var switchRates: [BitRate] { storage[0].switchRates }

  /// The lists of the renditions that play with each variant unless somebody chooses; subtitles do
  /// not.
  var renditionLists: [RenditionLists] { storage[0].renditionLists }
}

extension Media {
  /// Returns whether the media can play at a rate.
  ///
  /// Ready items play up to twice their speed; beyond, and backwards, only where the media allows.
  func supports(_ rate: PlaybackRate) -> Bool {
    if rate < .zero { return canPlayReverse }
    return rate.millionths <= 2_000_000 || canPlayFastForward
  }
}
