/// In which order the tracks of a stream are loaded; each has one request at a time.
package enum RequestOrder: UInt8, CaseIterable, Hashable, Sendable {
  /// The track of which least is loaded, or under way, asks first.
  ///
  /// Assumed for AVPlayer, which does not say.
  case furthestBehind
  /// All tracks together have one request at a time; the one of which least is loaded asks first.
  ///
  /// Observed: the HLS player that is built into Chromium.
  case serial
  /// All tracks together have one request at a time. Sound is loaded a segment ahead until the
  /// first picture can be shown; then it asks first of two tracks that are equally far.
  ///
  /// Observed: VLC 3.0.24.
  case soundFirst
  /// The next segments are asked for when those of all tracks have come.
  ///
  /// Observed: hls.js 1.6.12.
  case together
  /// Each track goes on by itself, and begins no more than a segment ahead of what is loaded of
  /// another.
  ///
  /// Observed: Shaka 4.7.0; `streaming_engine.js` says so.
  case segmentAhead
  /// Each track goes on by itself, and sound begins no more than a second ahead of what is loaded
  /// of the picture, or, where tracks look in intervals, a segment ahead of the playhead.
  ///
  /// Observed: dash.js 5.1.1; `ScheduleController.js` says so.
  case soundFollows
  /// Each track goes on by itself, as far as the buffer reaches.
  ///
  /// Observed: the element `hlsdemux2` of GStreamer 1.22.
  case independent

  /// How far a track may be ahead of the others when it asks for more.
  enum Lead: Hashable, Sendable {
    /// The one of which least is there asks first.
    case none
    /// A segment, ahead of the track of which least is there.
    case segment
    /// Sound, a second ahead of the picture; the picture as far as it likes.
    case secondOfSound
    /// Sound, a segment ahead until there is a picture, and half of one then.
    case soundFirst
    /// As far as it likes.
    case unlimited
  }

  /// How far a track may be ahead of the others when it asks for more.
  @inline(__always)
  var lead: Lead {
    switch self {
    case .furthestBehind, .serial, .together: .none
    case .soundFirst: .soundFirst
    case .segmentAhead: .segment
    case .soundFollows: .secondOfSound
    case .independent: .unlimited
    }
  }

  /// Whether all tracks together have one request at a time.
  @inline(__always)
  package var isSerial: Bool {
    switch self {
    case .serial, .soundFirst: true
    case .furthestBehind, .together, .segmentAhead, .soundFollows, .independent: false
    }
  }

  /// Whether a track is as far as what is under way for it, and not only as what has come.
  @inline(__always)
  var countsWhatIsUnderWay: Bool {
    switch self {
    case .furthestBehind, .serial, .soundFirst: true
    case .together, .segmentAhead, .soundFollows, .independent: false
    }
  }
}

/// How long a player waits for what it has asked of a stream, where times of its own say it and no
/// target duration.
package struct RequestTimeouts: Hashable, Sendable {
  /// How long an answer may take to begin; nil for no limit.
  package var answer: TimeSpan?
  /// How long an answer that has begun may bring nothing; nil for no limit.
  package var silence: TimeSpan?
  /// How long a segment may take in all; nil for no limit.
  package var whole: TimeSpan?
  /// How often the same is asked for again before another variant is loaded instead.
  package var retriesMax = 0
  /// How long that waits: twice as long each further time.
  package var retryDelay = TimeSpan.zero
  /// Whether what has come of a segment is kept, and only the rest of it asked for again.
  ///
  /// The cache of a browser does so: two recorded sessions of Shaka in Chromium, over outages,
  /// asked for the last 58 of 449 kB.
  package var keepsData = false

  /// Creates timeouts.
  package init(answer: TimeSpan? = nil, silence: TimeSpan? = nil, whole: TimeSpan? = nil) {
    (self.answer, self.silence, self.whole) = (answer, silence, whole)
  }

  /// The same of a player that asks for the same again so many times.
  package func asking(
    _ times: Int, after delay: TimeSpan = .zero, forTheRest keepsData: Bool = false
  ) -> RequestTimeouts {
    var timeouts = self
    (timeouts.retriesMax, timeouts.retryDelay, timeouts.keepsData) = (times, delay, keepsData)
    return timeouts
  }

  /// When what was asked for, and brought something last at an instant, is given up.
  func deadline(opened: Instant, last: Instant) -> Instant {
    min(silence.map { last + $0 } ?? .never, whole.map { opened + $0 } ?? .never)
  }
}

/// When the tracks of a stream ask for more.
struct RequestPacing: Hashable, Sendable {
  let order: RequestOrder
  /// How often a track that has enough looks again; nil for as soon as it has not.
  var interval: TimeSpan?
  /// How the first segment of each track is looked into; nil if it is loaded at once.
  var probe: SegmentProbe?
  /// How much media of a segment is read at a time while it comes; nil for segments as a whole.
  var readStep: MediaTime?
  /// How much comes of the segment behind the one that is read; nil if it is asked for later.
  var readAhead: ByteCount?

  /// How much must have come behind a segment for it to be played; nil for nothing.
  var followingBlock: ByteCount?
  /// How much more crosses the link of a request that is given up; nil for nothing.
  var droppedSize: ByteCount?
  /// How the tracks are opened one after the other; nil for all at once.
  var opening: TrackOpening?
  /// What a response with sound weighs where it shares an ideal link.
  var soundWeight = FlowShare.ordinaryWeight
  /// How much of what is under way comes before an answer on an ideal link; nil for nothing.
  var queuedAhead: ByteCount?
  /// The buffer that BOLA plans with; nil where it does not limit what is loaded ahead.
  var bolaBuffer: MediaTime?
  /// Whether a better variant is loaded over what is there of the one before.
  var replacesOnClimb = false
  /// Whether each track has connections of its own.
  var connectsTracksApart = false
  /// How long requests are waited for; nil for as long as target durations say.
  var timeouts: RequestTimeouts?

  /// Whether tracks have nothing under way but one segment each, which they take as a whole.
  @inline(__always)
  var takesWholeSegments: Bool {
    readStep == nil && readAhead == nil && followingBlock == nil && opening == nil
      && !replacesOnClimb
  }

  /// The same for a stream that is live: every segment is played as soon as it is there, and all
  /// tracks are opened at once.
  var withoutHolding: RequestPacing {
    var pacing = self
    pacing.followingBlock = nil
    pacing.opening = nil
    pacing.replacesOnClimb = false
    return pacing
  }

  /// How often a track looks again that is too far ahead of another.
  ///
  /// Shaka looks every second then, and twice a second while it has enough (`update_` of
  /// `streaming_engine.js`, `updateIntervalSeconds`).
  var intervalAhead: TimeSpan? {
    order.lead == .segment ? interval.map { $0 + $0 } : interval
  }
}

/// A look into the first segment of a track before any is loaded whole.
package struct SegmentProbe: Hashable, Sendable {
  /// How much of the segment is read.
  package var size: ByteCount
  /// How much more of it crosses the link, and is thrown away.
  ///
  /// It was under way when the connection was dropped, and is not counted as transferred.
  package var dropped: ByteCount

  /// Creates a probe.
  package init(size: ByteCount, dropped: ByteCount = .zero) {
    (self.size, self.dropped) = (size, dropped)
  }
}

/// How a player opens the tracks of a stream one after the other: it begins with one, and goes on
/// when it has read into the first segment of that.
package struct TrackOpening: Hashable, Sendable {
  /// Which track is opened first.
  package enum Order: UInt8, CaseIterable, Hashable, Sendable {
    /// The picture, and then the sound, whose playlist is loaded then.
    ///
    /// Observed: GStreamer 1.22 with `hlsdemux2`.
    case pictureFirst
    /// The sound, and then the picture; all playlists are loaded before.
    case soundFirst
    /// The sound, then every other variant, and at last the picture; all playlists are loaded
    /// before.
    ///
    /// Of the other variants the first segment is loaded, and what comes of the second before it is
    /// read, which it never is. Observed: mpv 0.35.1, whose libavformat opens every playlist
    /// (`hls_read_header` of `hls.c`).
    case everyVariant
  }

  /// How much of a first segment must have come for the next track to be opened.
  package var size: ByteCount
  /// Which track is opened first.
  package var order: Order

  /// Creates the way of opening tracks.
  package init(size: ByteCount, order: Order) {
    (self.size, self.order) = (size, order)
  }
}
