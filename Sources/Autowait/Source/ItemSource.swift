/// What an item is played from: what is known of the item, its buffer, and what loads it.
///
/// A player has one for its current item, and one for each item or asset that it prepares; all of
/// them may load at once. It knows a source by what it answers: what holds, when that turns, what
/// is to be asked for next, and what comes of a request. A source decides and remembers; the
/// player acts.
///
/// What loads is a file or a stream, as its buffer says. The two are no cases of an enumeration,
/// and the stream is no optional: a payload of that size is copied with each change and with most
/// questions (measured: a ninth of the time of a stream with sound of its own).
struct ItemSource: Sendable {
  /// The number in the configuration of its player, and what it is.
  let number: Int
  let media: Media
  /// What an application sees of the item; nil while it is the current one of no player.
  var item: PlayerItem?
  var buffer: ItemBuffer
  /// The variants that were last told of: the one that is asked for, and the one that has come.
  var recordedVariant: Int?
  var arrivedVariant: Int?
  /// The variant whose segments were counted as still to come.
  private(set) var countedVariant: Int?
  /// What plays, and how long the item, or the last seek, took to be likely to keep up.
  var played = PlayedVariant()
  var startup = StartupSpan()
  /// The end of what was loaded when the loaded ranges were last recorded.
  var recordedEnd = MediaTime(nanoseconds: -1)

  var file: FileSource?
  /// Whether nothing is read behind the item's own end: another item may need the link.
  var stopsAtEnd = false
  /// What loads the stream; of a file, or of no item, one of nothing.
  var stream: StreamSource

  /// Makes the source of a player without an item, of which nothing ever holds.
  init(noItemAt now: Instant, policy: KeepUpPolicy) {
    let media = Media(
      .local, duration: MediaTime(nanoseconds: 1), bitRate: BitRate(bitsPerSecond: 1))
    number = -1
    self.media = media
    buffer = ItemBuffer(media, policy: policy, isFailed: true, at: now)
    stream = .ofNothing
  }

  /// Makes the source of an item, or of an asset, of which nothing is loaded but what its stream
  /// has; of a file the stream is one of nothing, and the file is to be set.
  init(_ number: Int, _ media: Media, _ buffer: ItemBuffer, _ stream: StreamSource) {
    self.number = number
    self.media = media
    self.buffer = buffer
    self.stream = stream
  }
}

/// The current item of a player, as an application sees it.
struct PlayerItem: Sendable {
  var status = ItemStatus.unknown
  /// Whether a preroll has been asked for and not completed.
  var isPrerolling = false
  /// Whether what is to be shown at the playhead has been made ready, and when it will be if the
  /// application has asked for it.
  var isPrimed = false
  var primedAt: Instant?
  /// Whether the timebase has run on this item.
  var hasBegun = false
}

// MARK: - What is asked for next

extension ItemSource {
  /// What is to be asked for next.
  enum SourceRequest {
    /// A part of the file.
    case part(LoadedRanges<DataAmount>.Range)
    /// A part of the stream that has an address of its own.
    case resource(NextRequest)
  }

  /// Whether nothing is asked for before what is under way has come, or is wanted no more.
  ///
  /// It is what ``nextRequest(in:)`` finds, without a look at what is loaded. A request that failed
  /// may have led to another variant while the buffer was full; that is to be recorded at once.
  var isOccupied: Bool {
    @inline(__always)
    get { isOccupied(isFull: buffer.isSuspended) }
  }

  /// The same, with a buffer that is full or not.
  @inline(__always)
  func isOccupied(isFull: Bool) -> Bool {
    if !buffer.isStream { return buffer.requestStart != nil }
    return !buffer.isLive && stream.isOccupied(isFull: isFull)
      && stream.variant == recordedVariant
  }

  /// Returns what is to be asked for now; nil if nothing is.
  mutating func nextRequest(in context: StreamSource.LoadContext) -> SourceRequest? {
    if buffer.isStream { return stream.next(in: context).map { .resource($0) } }
    if let file, file.retriesAt > context.now { return nil }
    let edge = buffer.edge(at: context.now)
    if stopsAtEnd, buffer.facts.contains(.ready), edge >= buffer.endPosition { return nil }
    // A gap was filled before more than enough that is there already.
    if buffer.isSuspended, buffer.facts.contains(.full) { return nil }
    return file?.nextRequest(from: edge).map { .part($0) }
  }

  /// Whether the file is to be read no further for now, or again, if that has changed.
  mutating func changeOfReading(at now: Instant) -> (transfer: Int, suspends: Bool)? {
    if buffer.isStream {
      buffer.isSuspended = buffer.facts.contains(.full)
      return nil
    }
    let isAtEnd = buffer.isComplete(at: now)
    let stopsThere = stopsAtEnd && buffer.endPosition < media.contentEnd
    let suspends = buffer.facts.contains(.full) && (!isAtEnd || stopsThere)
    guard let request = file?.request else {
      buffer.isSuspended = suspends
      return nil
    }
    return suspends == buffer.isSuspended ? nil : (request.transfer, suspends)
  }

  /// When the first bytes of the open request will have told where the index is, if nothing about
  /// the link changes.
  ///
  /// If they reach to the index itself, there is nothing to give up.
  @inline(__always)
  func probed(_ probe: ByteCount) -> Instant {
    guard let file, file.indexSearch == .atHead, file.request != nil,
      DataAmount(probe) < media.contentEnd
    else { return .never }
    return buffer.arrival(of: DataAmount(probe))
  }
}

// MARK: - What comes of requests

extension ItemSource {
  /// Whether a transfer brings something of this source.
  @inline(__always)
  func has(_ transfer: Int) -> Bool {
    buffer.isStream
      ? stream.requests.contains { $0.transfer == transfer } : file?.request?.transfer == transfer
  }

  /// Takes note of a request for a part of the file that was made, and of what its response begins
  /// with.
  mutating func begin(
    _ range: LoadedRanges<DataAmount>.Range, _ request: FileSource.FileRequest,
    headStart: DataAmount, at now: Instant
  ) {
    file?.request = request
    buffer.begin(range, headStart: headStart, at: now)
  }

  /// Takes note of how a transfer goes on from here.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) {
    if buffer.isStream {
      buffer.addActive(stream.follow(transfer, at: now))
      noteArrival(at: now)
    } else {
      followActive(transfer)
      buffer.follow(transfer, at: now)
    }
  }

  /// Takes note of how the flow of a stream's only request has gone on, as a log of the link tells
  /// it from an entry on; returns when it was told last.
  mutating func follow(_ log: FlowLog, from start: Int) -> Instant? {
    if stream.requests.isEmpty { return nil }
    assert(stream.requests.count == 1, "\(stream.requests.count) requests follow one flow")
    let request = stream.requests[0]
    var flow = FlowPlace(request.transfer, isFlowing: request.responded != nil, request.share)
    var (delivered, last): (DataAmount, FlowStep?) = (request.delivered, nil)
    log.forEachBlock(behind: start) { block, from, to in
      if request.resource.isMedia {
        delivered = buffer.followStream(&flow, block, from..<to, delivered)
      } else {
        delivered += flow.follow(block, from: from, to: to)
      }
      last = block[to]
    }
    guard let last else { return nil }
    assert(delivered <= request.size, "a flow has got more than was asked for")
    assert(delivered >= request.delivered, "data that has come is lost")
    stream.requests[0].delivered = delivered
    stream.requests[0].share = flow.share(at: last)
    stream.requests[0].followed = last.instant
    if request.resource.isMedia {
      noteAside(at: last.instant)
    } else {
      noteArrival(at: last.instant)
    }
    return last.instant
  }

  /// Counts the time in which packets brought the file.
  @inline(__always)
  private mutating func followActive(_ transfer: Transfer) {
    if transfer.active == .zero { return }
    buffer.addActive(transfer.active - (file?.request?.active ?? .zero))
    file?.request?.active = transfer.active
  }

  /// Takes note of the first byte of a response.
  mutating func noteResponse(_ transfer: Int, record: Int, at now: Instant) {
    if buffer.isStream {
      stream.noteResponse(transfer, record: record, at: now)
    } else {
      file?.responseRecord = record
      buffer.hasResponded = true
    }
  }

  /// Takes the file's request, which is over, and what it has brought; and what the link has to
  /// spare for the next one.
  mutating func endFileRequest(
    _ transfer: Transfer, spare: DataAmount = .zero, playhead: MediaTime, at now: Instant
  ) {
    // What an index has brought is no place for a playhead to go on from.
    let start = buffer.awaitsIndex ? .zero : file?.request?.start ?? .zero
    followActive(transfer)
    file?.keep(transfer)
    buffer.end(transfer, at: now)
    buffer.awaitsIndex = file.map { $0.indexSearch != .found } ?? false
    placeEdge(playhead, notBefore: start, at: now)
    buffer.noteSpare(spare, at: now)
  }

  /// Whether media is asked for.
  var isLoadingMedia: Bool {
    file?.request != nil || stream.requests.contains { $0.resource.isMedia }
  }

  /// Takes a stream's request, which is over, and what it has brought; and what the link has to
  /// spare for the next one.
  @inline(always)
  mutating func endStreamRequest(
    _ transfer: Transfer, spare: DataAmount = .zero, at now: Instant
  ) -> StreamRequest {
    buffer.addActive(stream.follow(transfer, at: now))
    let request = stream.end(transfer.number)
    if request.resource.isMedia { buffer.keepStream(transfer.delivered) }
    noteArrival(at: now)
    // Nothing that has come is no evidence.
    if let track = request.track, request.resource.isMedia, transfer.size > .zero {
      buffer.noteSpare(spare, at: now)
      stream.noteBrought(transfer.number, of: track)
    }
    return request
  }

  /// Tells the buffer how the media of the stream is arriving, of which all has just been told.
  @inline(__always)
  mutating func noteArrival(at now: Instant) { noteArrival(at: now) { $0.delivered } }

  /// The same, given what has come of each request by now.
  @inline(__always)
  mutating func noteArrival(at now: Instant, _ delivered: (StreamRequest) -> DataAmount) {
    if !buffer.isStream { return }
    let arrival = stream.requests.arrival(delivered)
    buffer.followStream(arrival.delivered, arrival.share, isOpen: arrival.isOpen, at: now)
    noteAside(at: now)
  }
}

extension ItemSource {
  /// Tells the buffer what comes of its stream that playback does not wait for next.
  @inline(__always)
  private mutating func noteAside(at now: Instant) {
    if !buffer.needsRemaining { return }
    let aside = stream.requests.isEmpty ? (.zero, .none) : stream.aside(at: now)
    buffer.aside.set(aside.0, aside.1, at: now)
  }
}

// MARK: - What is given up

extension ItemSource {
  /// Asks for nothing more, and lets the item fail when what is loaded has been played, or wait.
  mutating func giveUp(fails: Bool) {
    stream.goal = .nothing
    stream.release()
    file?.retriesAt = .never
    buffer.isGivenUp = fails
  }
}

// MARK: - What is loaded

extension ItemSource {
  /// Lets the fill rate's window end at an instant.
  mutating func slideMeter(to now: Instant) { buffer.slideMeter(to: now) }

  /// What holds of the buffer at an instant at which the playhead is at a place.
  @inline(__always)
  mutating func facts(at instant: Instant, _ playhead: Playhead) -> BufferFacts {
    buffer.facts(at: instant, playhead)
  }

  /// Up to when AVFoundation's rule says yes if no less comes than is certain; nil if that is not
  /// certain for any time.
  mutating func likelyUntil(
    atMost limit: Instant, from now: Instant, _ timebase: Timebase, _ least: LeastFlow
  ) -> Instant? {
    buffer.likelyUntil(atMost: limit, from: now, timebase, least)
  }

  /// How much data may come, at most, with which AVFoundation's rule is sure to say no.
  mutating func unlikelyUpTo(from now: Instant, _ timebase: Timebase) -> DataAmount? {
    buffer.unlikelyUpTo(from: now, timebase)
  }

  /// When, before a bound, AVFoundation's rule says otherwise or has to be looked at again.
  mutating func keepUpTurn(
    after now: Instant, before bound: Instant, isKept: Bool, _ timebase: Timebase
  ) -> (turn: Instant, look: Instant) {
    buffer.keepUpTurn(after: now, before: bound, isKept: isKept, timebase)
  }

  /// Whether what is still to come was counted for another variant than is loaded next, and a rule
  /// asks for it.
  @inline(__always)
  var isMiscounted: Bool {
    buffer.needsRemaining && buffer.isStream && countedVariant != stream.variantAhead
  }

  /// Takes note of what is still to come of a stream, in the variant that is loaded now.
  @inline(__always)
  mutating func setRemaining(_ remaining: RemainingStream, of variant: Int) {
    buffer.setRemaining(remaining)
    countedVariant = variant
  }

  /// Throws the fill rate's samples away.
  mutating func restartMeter(at now: Instant) {
    buffer.restartMeter(at: now)
  }

  /// Finds the edge of what is loaded around a playhead, and what of a stream is still to come.
  mutating func placeEdge(
    _ playhead: MediaTime, notBefore least: DataAmount = .zero, at now: Instant
  ) {
    if buffer.isStream { return placeStreamEdge(buffer.placeNeeded(at: playhead), at: now) }
    guard let file else { return }
    let part = file.part(around: buffer.placeNeeded(at: playhead), notBefore: least)
    buffer.setEdge(part, before: file.loaded.part(behind: part.end), at: now)
  }

  private mutating func placeStreamEdge(_ playhead: MediaTime, at now: Instant) {
    let duration = buffer.duration
    if stream.awaitsTrack { stream.joinTracks(at: playhead) }
    if stream.shared.hasGaps {
      stream.passGaps(at: playhead, stream.leavesAtGaps ? fillEstimate(at: now) : nil)
    }
    let range = stream.range(around: min(playhead, duration))
    var end = min(range.end, duration)
    if buffer.playsWithoutPicture,
      let longer = stream.endWithoutPicture(
        from: playhead, grace: buffer.mediaWithoutPicture, tail: buffer.starvesBelow)
    {
      end = max(end, longer)
    }
    if let last = media.streamMedia?.mediaEnd, end > last {
      // The last segment has come, and with it all there is.
      if end == duration, !stream.policy.waitsForMissingEnd { buffer.endMedia(at: last) }
      end = last
    }
    buffer.setStreamEdge(from: min(range.start, end), to: end, at: now)
    if buffer.needsRemaining || buffer.isLive {
      buffer.setRemaining(
        stream.remaining(
          from: playhead, to: buffer.endTime, edge: end,
          isLikely: buffer.facts.contains(.likely), at: now))
      noteAside(at: now)
    }
    if buffer.isLive { buffer.seekableStart = stream.seekableRange?.start ?? buffer.seekableStart }
    countedVariant = stream.variantAhead
    noteDataAhead(of: playhead)
    noteSizes(ahead: playhead)
  }

  /// Finds where sizes of data have the stream suspended, if its player counts them.
  mutating func noteSizes(ahead playhead: MediaTime) {
    guard let sizes = buffer.policy.forwardBufferSizes, buffer.isStream else { return }
    let (start, edge) = (buffer.streamStart, buffer.streamEdge)
    let isSuspended = buffer.isSuspended
    let ahead =
      isSuspended || !sizes.haveOnlySizeMax
      ? nil : stream.dataAhead(from: playhead, to: edge, whole: sizes.countsWholeSegments)
    if let ahead, buffer.policy.readsOn(with: ahead) {
      buffer.sizeMarks = .init()
      return
    }
    buffer.sizeMarks = stream.sizeMarks(buffer.policy, from: start, to: edge)
  }

  /// Counts the data that the stream has ahead, for rules that look at it.
  mutating func noteDataAhead(of playhead: MediaTime) {
    guard buffer.usesConditions, buffer.isStream else { return }
    buffer.streamAhead = stream.dataAhead(from: playhead, to: buffer.streamEdge, whole: false)
  }

  /// Says how far ahead a stream is loaded: as the application prefers, or else as the numbers of
  /// the player's own rule have it, or else by default.
  mutating func limitStream(to preferred: MediaTime, ahead playhead: MediaTime) {
    if !buffer.isStream { return }
    let sizes = buffer.sizesAsked
    if preferred > .zero {
      buffer.setForwardBufferLimit(max(preferred, stream.forwardBufferMin), sizes)
    } else if buffer.limitAsked != nil || sizes?.sizeMax != nil {
      buffer.setForwardBufferLimit(buffer.limitAsked, sizes)
    } else if let limit = stream.policy.forwardBufferLimit {
      buffer.setForwardBufferLimit(limit, sizes)
    } else {
      buffer.setForwardBufferLimit(nil, stream.forwardBufferSizes)
    }
    noteSizes(ahead: playhead)
  }

  /// What is loaded at an instant, by ascending start.
  func loadedTimeRanges(at now: Instant) -> [LoadedTimeRange] {
    if buffer.isStream {
      let last = stream.streamMedia.mediaEnd ?? Limits.mediaMax
      return stream.loadedTimeRanges.compactMap {
        $0.start < last ? LoadedTimeRange(start: $0.start, end: min($0.end, last)) : nil
      }
    }
    return file?.loadedTimeRanges(edge: buffer.edge(at: now)) ?? []
  }

  /// The media time up to which all is loaded from a time on, also where playback goes on without
  /// a picture.
  func loadedEnd(_ playhead: MediaTime, at now: Instant) -> MediaTime {
    let end = buffer.loadedEnd(at: now)
    guard buffer.playsWithoutPicture,
      let ends = stream.tracks.pictureEnd(around: playhead, stream.streamMedia.lists)
    else { return end }
    return min(end, max(ends.picture, playhead))
  }

  /// What is loaded, if it is one stretch that can be told at once.
  @inline(always)
  func onlyRange(to end: MediaTime) -> LoadedTimeRange? {
    if !buffer.isStream {
      return file?.startOfOnlyRange.map { LoadedTimeRange(start: $0, end: end) }
    }
    return stream.streamMedia.mediaEnd == nil ? stream.tracks.onlyRange : nil
  }

  /// What can be sought.
  var seekableRange: (start: MediaTime, end: MediaTime)? {
    guard stream.streamMedia.live != nil else { return (.zero, media.duration) }
    return stream.seekableRange
  }

  /// Whether a time can be sought; where that is not known yet, it may be.
  func canSeek(to target: MediaTime) -> Bool {
    guard let item, item.status != .failed, target >= .zero else { return false }
    guard media.streamMedia?.live != nil, let range = seekableRange else {
      return target <= media.duration
    }
    return range.start <= target && target <= range.end
  }

  /// What the fill rate's window holds; nil if too little has come for a verdict.
  mutating func fillEstimate(at now: Instant) -> VariantEstimate? { buffer.fillEstimate(at: now) }
}

// MARK: - What only streams have

extension ItemSource {
  /// Whether this is the stream of an item.
  func isStream(of number: Int) -> Bool { buffer.isStream && self.number == number }

  /// The variant that is being loaded.
  @inline(__always)
  var variant: Int? { stream.variant }

  /// Whether segments are asked for.
  @inline(__always)
  var isReady: Bool { stream.isReady }

  /// Whether it is known that no variant can be played.
  @inline(__always)
  var isUnplayable: Bool { stream.isUnplayable }

  /// Whether what the asset itself needs is there.
  var hasValues: Bool { buffer.isStream && stream.hasValues }

  /// The number of the record of the first byte of the file's last response.
  var responseRecord: Int { file?.responseRecord ?? 0 }

  /// Whether it is a live stream whose end is not known.
  @inline(__always)
  var isLive: Bool { stream.isLive }

  /// Whether it is a stream whose playhead is where playback starts.
  @inline(__always)
  var hasStartPosition: Bool { buffer.isStream && stream.hasStartPosition }

  /// Whether pieces of many variants are loaded.
  @inline(__always)
  var hasManyPieces: Bool { stream.pieces.areMany }

  /// Returns where playback of a stream starts, if that has just become known, whether that is
  /// nearer to the programme than it is meant to be, and the transfer that told it.
  mutating func takeStart() -> (time: MediaTime, isTooClose: Bool, playlist: Int)? {
    guard buffer.isStream, !stream.hasStartPosition, let start = stream.startPosition() else {
      return nil
    }
    stream.hasStartPosition = true
    _ = stream.timeToRestart()
    return (start.time, start.isTooClose, stream.latestPlaylist)
  }

  /// Whether the playhead was moved, though nobody asked for it, to where nothing is loaded yet.
  @inline(__always)
  var isJumping: Bool { stream.catchUp.isJumping }

  /// Wants at least this much of a stream.
  mutating func raise(_ goal: StreamSource.Goal) {
    if buffer.isStream, stream.goal < goal { stream.goal = goal }
  }

  /// Takes note that the item is the current one of a player from here on.
  mutating func enter(isPaused: Bool, at now: Instant) {
    item = PlayerItem()
    buffer.awaitsIndex = file?.indexSearch == .atHead
    buffer.hasResponded = media.source == .local || file?.hasCome == true || isReady
    raise(.media)
    stream.catchUp.attendance = isPaused ? .away : .following
    stream.expirePlaylists(at: now)
    buffer.awaitsMissingEnd =
      stream.policy.waitsForMissingEnd && media.streamMedia?.mediaEnd != nil
  }

  /// The variant of what plays last of a stream; nil if that is not loaded.
  var variantAtEnd: Int? {
    buffer.isStream ? stream.pieces.piece(at: buffer.endTime, isForwards: false)?.variant : nil
  }

  /// Puts other limits on the choice among variants.
  mutating func limit(to limits: VariantLimits) {
    if !buffer.isStream { return }
    if limits != stream.limits { forgetMissing() }
    stream.limit(to: limits)
  }

  /// Takes note that playback has run out of data.
  mutating func noteStall(at now: Instant) {
    if !buffer.isStream { return }
    stream.fall()
    stream.stalledAt = now
    stream.catchUp.stall()
  }

  /// Returns whether what is loaded has become longer by segments that are missing on purpose.
  @inline(__always)
  mutating func takePassedGap() -> Bool {
    defer { stream.hasPassedGap = false }
    return stream.hasPassedGap
  }

  /// Whether segments are read while they come, or opened before they can be read.
  @inline(__always)
  var readsSegments: Bool { buffer.isStream && !stream.plan.requests.takesWholeSegments }

  /// Whether segments may be given up because they come too late.
  @inline(__always)
  var givesUp: Bool { stream.givesUp }
}
