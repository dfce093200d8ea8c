/// What the server of an item says of it.
public enum PlaybackType: UInt8, CaseIterable, Hashable, Sendable {
  /// A stream to which segments are added.
  case live
  /// A stream that is there as a whole.
  case vod
  /// A single file.
  case file
}

/// An entry of the access log, with AVFoundation's names.
///
/// An entry begins when playback of an item begins, where another variant plays, and at a seek; at
/// nothing else (WWDC18 502). It lasts until the next one, or until the item is another one, so
/// that a stall or a pause lies within it. What was transferred before the first entry counts into
/// it. What AVFoundation does not know, and shows as a negative number, is nil.
public struct AccessLogEvent: Hashable, Sendable {
  /// Why an entry begins.
  public enum EntryReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Playback of the item begins.
    case start
    /// Another variant plays.
    case variantSwitch
    /// The playhead was moved.
    case seek
  }

  /// Why the entry began.
  public internal(set) var reason = EntryReason.start
  /// The number of the item in its player's configuration, which has the address.
  public internal(set) var item = 0
  /// The number of the variant that plays; nil for files, and if nothing has played yet.
  public internal(set) var variant: Int?
  /// How the item is played.
  public internal(set) var playbackType = PlaybackType.file
  /// When the entry began.
  public internal(set) var playbackStartDate = Instant.start
  /// The playhead when the entry began.
  public internal(set) var playbackStartOffset = MediaTime.zero
  /// The time from the first media request of the item, or of the last seek, until the item was
  /// likely to keep up; nil if it was not yet.
  public internal(set) var startupTime: TimeSpan?
  /// The media that was played.
  public internal(set) var durationWatched = MediaTime.zero
  /// The stalls.
  public internal(set) var numberOfStalls = 0
  /// The requests for ranges of the file, or the segments that came.
  public internal(set) var numberOfMediaRequests = 0
  /// Those of them that were asked for while the network was expensive, as cellular ones are.
  public internal(set) var mediaRequestsWWAN = 0
  /// The bytes that arrived.
  public internal(set) var numberOfBytesTransferred = ByteCount.zero
  /// The time in which bytes came.
  public internal(set) var transferDuration = TimeSpan.zero
  /// What only streams have; nil for files.
  public var segments: Segments? { playbackType == .file ? nil : ofStream }
  /// That of a stream; an optional of this size is made, copied and asked for its case at each
  /// entry (measured: a third of what one costs).
  private var ofStream = Segments()

  /// What an entry says of the segments of a stream.
  public struct Segments: Hashable, Sendable {
    /// What came in the entry; who reads it reckons.
    fileprivate var tally = SegmentTally()

    /// The media that came, of the variants' own segments.
    public var segmentsDownloadedDuration: MediaTime { tally.video.duration }
    /// The segments that took longer to come than they play (assumed).
    public var downloadOverdue: Int { tally.overdueCount }
    /// The highest rate at which a segment came, its request and round trips counted.
    public var observedMaxBitrate: BitRate? { tally.observedMax }
    /// The lowest rate at which one came.
    public var observedMinBitrate: BitRate? { tally.observedMin }
    /// The standard deviation of these rates, rounded down.
    public var observedBitrateStandardDeviation: BitRate? { tally.observedDeviation }
    /// The mean rate of the variants' own segments that came, with all that lies in them.
    public var averageVideoBitrate: BitRate? { tally.video.bitRate }
    /// The mean rate of the segments of audio that came; nil if audio lies in the variants' own.
    public var averageAudioBitrate: BitRate? { tally.audio.bitRate }
    /// The peak rate of the variant, as the playlist says it.
    public internal(set) var indicatedBitrate: BitRate?
    /// The average rate of the variant, as the playlist says it.
    public internal(set) var indicatedAverageBitrate: BitRate?
    /// The rate that was measured when the variant was chosen; nil if it was the first.
    public internal(set) var switchBitrate: BitRate?

    /// Writes down what the playlist says of the variant that plays.
    @inline(__always)
    fileprivate mutating func name(
      _ piece: StreamPieces.LoadedPiece, of media: SharedStreamMedia
    ) {
      indicatedBitrate = media.parts.variants[piece.variant].bandwidth
      indicatedAverageBitrate = media.parts.variants[piece.variant].averageBandwidth
      switchBitrate = piece.switchBitrate
    }
  }

  /// Writes down which variant plays.
  @inline(__always)
  fileprivate mutating func name(_ piece: StreamPieces.LoadedPiece, of media: SharedStreamMedia) {
    assert(playbackType != .file, "a file has variants")
    variant = piece.variant
    ofStream.name(piece, of: media)
  }

  /// The rate over all that was transferred, in bit/s rounded down; nil if nothing was.
  public var observedBitrate: BitRate? {
    guard transferDuration > .zero, numberOfBytesTransferred.bytes > 0 else { return nil }
    let bits = Int128(numberOfBytesTransferred.bytes) * 8 * 1_000_000_000
    return BitRate(bitsPerSecond: Int64(bits / Int128(transferDuration.nanoseconds)))
  }
}

/// The access log of a player, and the counters when its last entry ended.
struct AccessLog: Hashable, Sendable {
  /// The counters of a player at an instant.
  struct Counters: Hashable, Sendable {
    var received = DataAmount.zero
    var active = TimeSpan.zero
    var requests = 0
    var expensiveRequests = 0
    var stalls = 0
    var watched = MediaTime.zero
  }

  /// The entries that have begun; the last one may be running.
  private(set) var events: [AccessLogEvent] = []
  /// Whether an entry is running: from the first playback of an item on.
  private(set) var isRunning = false
  private var booked = Counters()

  /// The variant that the running entry names.
  fileprivate var variant: Int? { isRunning ? events[events.count - 1].variant : nil }

  /// Begins an entry, and ends the running one, if any, in which the segments of a tally came.
  @inline(__always)
  fileprivate mutating func begin(
    _ entry: AccessLogEvent, _ counters: Counters, _ tally: SegmentTally
  ) {
    if isRunning { end(counters, tally) }
    assert(
      events.last.map { $0.playbackStartDate <= entry.playbackStartDate } ?? true,
      "an entry begins before the one before it")
    if events.isEmpty { events.reserveCapacity(16) }
    events.append(entry)
    isRunning = true
  }

  /// Ends the running entry, if any, in which the segments of a tally came; what was counted until
  /// now is in no later entry.
  @inline(__always)
  mutating func end(_ counters: Counters, _ tally: SegmentTally) {
    if isRunning { book(counters, tally) }
    isRunning = false
    booked = counters
  }

  /// Takes note of how long the item, or a seek, took to be likely to keep up: in its own entry,
  /// and in those of the variants that have played since.
  mutating func noteStartup(_ span: TimeSpan?) {
    if !isRunning { return }
    for place in events.indices.reversed() {
      events[place].startupTime = span
      if events[place].reason != .variantSwitch { return }
    }
    assertionFailure("the entry of a variant follows none")
  }

  /// Whether the running entry is that of a seek, and began at an instant.
  fileprivate func beganWithSeek(at now: Instant) -> Bool {
    guard isRunning, let last = events.last else { return false }
    return last.reason == .seek && last.playbackStartDate == now
  }

  /// Writes into the running entry which variant plays.
  fileprivate mutating func name(_ piece: StreamPieces.LoadedPiece, of media: SharedStreamMedia) {
    if isRunning { events[events.count - 1].name(piece, of: media) }
  }

  /// Returns the entries with the running one as it stands.
  func events(at counters: Counters, _ tally: SegmentTally) -> [AccessLogEvent] {
    guard isRunning else { return events }
    var copy = self
    copy.book(counters, tally)
    return copy.events
  }

  @inline(__always)
  private mutating func book(_ counters: Counters, _ tally: SegmentTally) {
    events[events.count - 1].count(counters, since: booked, tally)
  }
}

extension AccessLogEvent {
  /// Writes down what was counted since the counters stood at others, and which segments came.
  @inline(__always)
  fileprivate mutating func count(
    _ counters: AccessLog.Counters, since booked: AccessLog.Counters, _ tally: SegmentTally
  ) {
    assert(
      counters.watched >= booked.watched && counters.active >= booked.active
        && counters.requests >= booked.requests, "a counter of the access log goes back")
    durationWatched = counters.watched - booked.watched
    numberOfStalls = counters.stalls - booked.stalls
    numberOfMediaRequests = counters.requests - booked.requests
    mediaRequestsWWAN = counters.expensiveRequests - booked.expensiveRequests
    numberOfBytesTransferred = ByteCount(
      bytes: counters.received.wholeBytes.bytes - booked.received.wholeBytes.bytes)
    transferDuration = counters.active - booked.active
    if playbackType != .file { ofStream.tally = tally }
  }
}

extension Player {
  /// The counters from which the access log reckons, after so much media was played.
  @inline(__always)
  func counters(at now: Instant, watched: MediaTime) -> AccessLog.Counters {
    AccessLog.Counters(
      received: receivedBefore + source.buffer.meter.received(at: now),
      active: activeBefore + source.buffer.meter.active(at: now),
      requests: meter.mediaRequestCount, expensiveRequests: meter.expensiveRequestCount,
      stalls: meter.stallCount, watched: watched)
  }

  /// Begins an entry of the access log, at a playhead whose way until there is booked.
  ///
  /// The device makes the entry of a variant when the switch happens in loading. Here it begins
  /// when the variant plays: only so is the sum of `indicatedBitrate` times `durationWatched`
  /// (WWDC18 502) a mean over what was watched.
  mutating func beginEntry(
    _ reason: AccessLogEvent.EntryReason, _ piece: StreamPieces.LoadedPiece?, at time: MediaTime,
    now: Instant
  ) {
    assert(time >= .zero, "an entry begins before the start of the item")
    assert(source.item != nil, "an entry of the access log begins without an item")
    let counters = counters(at: now, watched: meter.mediaPlayed)
    let hasCounted = accessLog.isRunning
    var entry = AccessLogEvent()
    (entry.reason, entry.item) = (reason, source.number)
    if let shared = source.media.shared {
      entry.playbackType = shared.parts.live == nil ? .vod : .live
      if let piece { entry.name(piece, of: shared) }
    }
    (entry.playbackStartDate, entry.playbackStartOffset) = (now, time)
    entry.startupTime = source.startup.span
    accessLog.begin(entry, counters, source.stream.tally)
    if hasCounted { source.stream.tally = SegmentTally() }
  }

  /// Takes note of what plays, and begins an entry where playback begins or another variant plays;
  /// returns whether one began.
  mutating func followPlayed(in moment: inout Moment) -> Bool {
    let isForwards = phase.rate > .zero
    var time = currentTime(at: moment.now)
    if hasPassedSwitch(at: moment.now), let until = source.played.until { time = until }
    var piece = source.stream.pieces.piece(at: time, isForwards: isForwards)
    // What is missing on purpose plays as a part of the variant around it.
    if piece == nil, let variant = source.played.variant ?? source.variant {
      piece = StreamPieces.LoadedPiece(start: time, end: time, variant: variant)
    }
    let known = accessLog.variant
    let isFirst = !accessLog.isRunning
    let isNew = isFirst || (known != nil && known != piece?.variant)
    // Of what stops in front of it nothing plays yet: the stall is part of the entry before.
    if isNew, !isFirst, stops(at: moment.now, time) { return false }
    if isNew {
      bookPlayed(until: time)
      beginEntry(isFirst ? .start : .variantSwitch, piece, at: time, now: moment.now)
    } else if known == nil, let piece, let shared = source.media.shared {
      accessLog.name(piece, of: shared)
    }
    source.played.variant = piece?.variant
    source.played.pieceCount = source.stream.pieces.pieces.count
    findSwitch(from: time)
    if pipeline != nil { noteVideoFrames(in: &moment) }
    if isNew { moment.record(.newAccessLogEntry) }
    return isNew
  }

  /// Whether a player that plays stops at an instant, and a time, for want of something to play.
  private mutating func stops(at now: Instant, _ time: MediaTime) -> Bool {
    // Most variants begin well inside of what is loaded: no rule is asked for those.
    let lead = source.buffer.leadOfShown
    if phase.rate > .zero, source.buffer.streamEdge > time + lead { return false }
    let facts = facts(at: now)
    return facts.contains(.empty) && !facts.contains(.atEnd)
  }

  /// Finds where, before the end, a playhead that goes on from a time reaches another variant.
  mutating func findSwitch(from time: MediaTime) {
    guard let variant = source.played.variant else { return }
    let isForwards = phase.rate > .zero
    let until = source.stream.pieces.end(of: variant, from: time, isForwards: isForwards)
    let end = source.buffer.endTime(for: phase.rate)
    source.played.until = until.flatMap { (isForwards ? $0 < end : $0 > end) ? $0 : nil }
  }

  /// Whether it may be another variant that plays: the playhead has come to one, or more is loaded.
  @inline(__always)
  func mayPlayOther(at now: Instant) -> Bool {
    if source.buffer.facts.contains(.atEnd) { return false }
    return source.played.pieceCount != source.stream.pieces.pieces.count
      || hasPassedSwitch(at: now)
  }

  /// Whether the playhead has come to where another variant plays.
  @inline(__always)
  func hasPassedSwitch(at now: Instant) -> Bool {
    guard let until = source.played.until, timebase.isRunning(at: now) else { return false }
    let time = currentTime(at: now)
    return timebase.rate > .zero ? until <= time : until >= time
  }

  /// When it will, as far as is known.
  @inline(__always)
  func switchInstant(after now: Instant) -> Instant {
    source.played.until.map { timebase.instant(of: $0, from: now) } ?? .never
  }

  /// Begins the entry of a seek, if playback of the item has begun; returns whether it has.
  mutating func beginEntryOfSeek(at now: Instant) -> Bool {
    if !accessLog.isRunning { return false }
    let isOver = source.buffer.facts.endStartup
    source.startup = isOver ? .none : StartupSpan(since: source.isLoadingMedia ? now : nil)
    beginEntry(.seek, nil, at: currentTime(at: now), now: now)
    return true
  }

  /// Takes note that nothing is likely any more where a seek led at this instant, as another
  /// variant is asked for there: the time of the seek goes on.
  mutating func resumeStartup(at now: Instant) {
    guard source.startup.span == .zero, accessLog.beganWithSeek(at: now) else { return }
    source.startup = StartupSpan(since: source.isLoadingMedia ? now : nil)
    accessLog.noteStartup(nil)
  }

  /// Takes note of how long the item, or a seek, took until it was likely to keep up.
  ///
  /// A buffer that is empty cannot be played from, whatever the rule says of what will come.
  @inline(__always)
  mutating func noteStartup(_ facts: BufferFacts, at now: Instant) {
    guard source.startup.span == nil, facts.contains(.likely), !facts.contains(.empty),
      source.startup.noteLikely(at: now)
    else { return }
    accessLog.noteStartup(source.startup.span)
  }
}

extension BufferFacts {
  /// Whether the item is likely to keep up, and something is there to be played, if there is more
  /// to play at all.
  @inline(__always)
  fileprivate var endStartup: Bool {
    contains(.likely) && (!contains(.empty) || contains(.atEnd))
  }
}
