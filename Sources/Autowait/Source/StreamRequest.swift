/// A part of a stream that is asked for by itself.
enum StreamResource: Hashable, Sendable {
  /// The multivariant playlist.
  case multivariantPlaylist
  /// The media playlist of a segment list.
  case mediaPlaylist(Int)
  /// A key, by its number.
  case contentKey(Int)
  /// An initialisation section of a list.
  case initialization(list: Int, number: Int)
  /// A segment of a list.
  case segment(list: Int, number: Int)
  /// A part of a segment of a list.
  case part(list: Int, number: Int, part: Int)

  /// Whether it is a media playlist.
  var isPlaylist: Bool {
    if case .mediaPlaylist = self { true } else { false }
  }

  /// Whether it is a key, which tracks share.
  var isContentKey: Bool {
    if case .contentKey = self { true } else { false }
  }

  /// Whether it is a segment or a part of one.
  var isSegment: Bool {
    switch self {
    case .segment, .part: true
    case .multivariantPlaylist, .mediaPlaylist, .contentKey, .initialization: false
    }
  }

  /// The list that it is of, if it is of one.
  var list: Int? {
    switch self {
    case .mediaPlaylist(let list), .initialization(let list, _), .segment(let list, _),
      .part(let list, _, _):
      list
    case .multivariantPlaylist, .contentKey: nil
    }
  }

  /// The number of the segment that it is, or that it is a part of.
  var segment: Int? {
    switch self {
    case .segment(_, let number), .part(_, let number, _): number
    case .multivariantPlaylist, .mediaPlaylist, .contentKey, .initialization: nil
    }
  }

  /// Whether it is media, whose arrival tells how fast the buffer fills.
  var isMedia: Bool {
    switch self {
    case .initialization, .segment, .part: true
    case .multivariantPlaylist, .mediaPlaylist, .contentKey: false
    }
  }
}

/// What is to be asked for next.
struct NextRequest: Hashable, Sendable {
  let resource: StreamResource
  /// The track that needs it; nil for what all tracks need.
  let track: Int?
  /// Whether what comes before it is still being read.
  let isAhead: Bool

  init(_ resource: StreamResource, for track: Int? = nil, isAhead: Bool = false) {
    (self.resource, self.track, self.isAhead) = (resource, track, isAhead)
  }
}

/// A request of a stream that is under way.
struct StreamRequest: Sendable {
  /// The number of a track that is there no more.
  static let noTrack = Int.max

  /// The number of the transfer.
  let transfer: Int
  let resource: StreamResource
  /// The track that it is for; nil for what all tracks need.
  var track: Int?
  let size: DataAmount
  let opened: Instant
  /// The variant that was being loaded when it was made.
  var variant = 0
  /// What goes wrong with it, if anything.
  let fault: Fault.Outcome?
  /// The media that it brings, if any.
  var span: (start: MediaTime, end: MediaTime)?
  /// Whether it is for a playlist that has been loaded before.
  var isReload = false
  /// The list whose target duration it may go without an answer; nil if none is known.
  var listKnown: Int?
  /// How long the server holds its answer on purpose.
  var hold = TimeSpan.zero
  /// When the first byte of its response came.
  var responded: Instant?
  /// The data that has arrived, and how it goes on.
  var delivered = DataAmount.zero
  /// The time in which packets have brought it.
  var active = TimeSpan.zero
  var share = FlowShare.none
  /// The instant at which so much had arrived.
  var followed = Instant.start
  /// Whether what comes before it is still being read, and whether it has been suspended for that.
  var isAhead = false
  var isHeld = false
  /// The number of the record of its first byte.
  var responseRecord = 0
  /// When it is looked at next whether its data comes.
  var looksAt = Instant.never
  /// Whether it was decided that it is not given up.
  var isKept = false
  /// When a modelled rule is asked next whether to give it up; nil if it has not been asked.
  var asksAt: Instant?
  /// Whether the network was expensive when it was made.
  var isExpensive = false

  /// Takes note of how its transfer goes on; returns the time in which packets have brought media
  /// since that was last done.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) -> TimeSpan {
    let more = resource.isMedia ? transfer.active - active : .zero
    (active, delivered, share) = (transfer.active, transfer.delivered, transfer.share)
    followed = now
    return more
  }

  /// Takes note of the first byte of its response.
  @inline(__always)
  mutating func noteResponse(_ record: Int, at now: Instant) {
    (responseRecord, responded) = (record, now)
  }
}

/// One of the tracks that are loaded side by side: the variant's own, and its renditions'.
struct StreamTrack: Sendable {
  /// The number of the segment list that is being loaded.
  var list: Int
  /// What rendition it is; nil for the variant's own.
  let kind: StreamMedia.Rendition.Kind?
  /// What is loaded, by media time.
  var loaded = LoadedRanges<MediaTime>()
  /// How far playback gets without it until it has joined: what was loaded before its selection
  /// plays on; nil if it has joined.
  var joinsBefore: MediaTime?
  /// Where what plays on until then starts.
  var joinsFrom = MediaTime.zero
  /// Whether nothing is loaded of it, for it is disabled.
  var isIdle = false
  /// About where the next segment stands in the list.
  var guess = 0
  /// The initialisation section that was loaded last, with its list.
  var initialization: (list: Int, number: Int)?
  /// The segment that was looked into before any was loaded whole, with its list.
  var probe: (list: Int, number: Int)?
  /// The transfer that brought media of it last.
  var last: Int?
  /// Where it ends, if playback waits for it; nil if another track ends before it.
  var waitsFrom: MediaTime?
  /// How what is needed next has failed.
  var failures = TrackFailures()
  /// Of which of its two connections something that had come too early was read, a bit for each:
  /// they take turns, segment by segment.
  var readAheadOf: UInt8 = 0
  /// When it looks again whether it has enough, if it does so in intervals.
  var looksAt = Instant.start
  /// When what failed may be asked for again.
  var retriesAt = Instant.start

  /// Makes a track of which nothing is loaded.
  init(list: Int, kind: StreamMedia.Rendition.Kind? = nil) {
    (self.list, self.kind) = (list, kind)
  }

  /// Whether playback waits for it.
  var isAwaited: Bool { !isIdle && joinsBefore != Limits.mediaMax }

  /// What may be played, with what was loaded before its selection and plays on.
  var playableRanges: [LoadedRanges<MediaTime>.Range] {
    guard let joinsBefore else { return loaded.ranges }
    var ranges = loaded
    ranges.insert(.init(start: min(joinsFrom, joinsBefore), end: joinsBefore))
    return ranges.ranges
  }

  /// Returns what may be played around a time.
  func playable(around time: MediaTime) -> LoadedRanges<MediaTime>.Range {
    let range = loaded.range(holding: time) ?? .init(start: time, end: time)
    guard let joinsBefore else { return range }
    return .init(start: range.start, end: max(range.end, joinsBefore))
  }

  /// Returns where what is loaded around a time ends: the time itself if nothing is.
  @inline(always)
  func edge(from time: MediaTime) -> MediaTime {
    loaded.range(holding: time)?.end ?? time
  }

  /// The initialisation section that is still needed for a segment, if any.
  func section(_ need: SegmentList.SegmentStretch) -> StreamResource? {
    guard let number = need.initialization else { return nil }
    if let last = initialization, last == (list, number) { return nil }
    return .initialization(list: list, number: number)
  }
}
