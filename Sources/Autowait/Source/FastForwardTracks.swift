/// What a loop through the segments of a stream that shares the link holds in its hands: its sound
/// is one of its own, or another player is on the link.
///
/// The picture is what it is in the loop through a stream of one track that is alone. The link is
/// no part of it: it shares itself among all flows, and is followed where it is.
struct FastForwardTracks {
  var picture: FastForward
  /// The sound; what nobody asks for if there is none of its own.
  var sound: FastForwardSound
  private let hasSound: Bool
  /// Whether a segment of the picture is under way.
  var isPictureOpen: Bool
  /// The transfer that brought media last, and that which brought media of the picture last.
  var last: Int?
  var lastOfPicture: Int?
  /// The time in which data came that the meter was not told of, and since when it is counted; not
  /// at all before anything has happened.
  private var active = TimeSpan.zero
  private var countedFrom = Instant.never
  /// Whether nothing is under way, as the meter knows.
  var isIdle: Bool
  /// When a full buffer is read into again; never if it is not full.
  var resumesAt = Instant.never
  /// Whether what comes next is for the general way.
  var isOver = false
  private let order: RequestOrder

  /// Takes from a stream what each segment of it changes; `restore` returns it.
  ///
  /// It is a stream that ``StreamSource/mayFastForwardTracks(at:)`` allows.
  init(of stream: inout StreamSource, at now: Instant) {
    assert(1...2 ~= stream.tracks.count, "\(stream.tracks.count) tracks where there are two")
    hasSound = stream.tracks.count == 2
    let place = stream.requests.indices.first { stream.requests[$0].track == 0 }
    let flow = SingleFlow(
      number: place.map { stream.requests[$0].transfer } ?? 0, size: 0, headStart: 0,
      firstByteAt: now, at: now)
    isPictureOpen = place != nil
    isIdle = stream.requests.isEmpty
    (last, lastOfPicture) = (stream.last, stream.tracks[0].last)
    order = hasSound ? stream.plan.requests.order : .independent
    sound = hasSound ? FastForwardSound(of: &stream) : FastForwardSound(without: &stream)
    picture = FastForward(of: &stream, flow, request: place, bound: now, asksToKeepUp: false)
  }

  /// Whether the time in which data comes is left to the loop.
  var countsActive: Bool { countedFrom != .never }

  /// Begins to count the time in which data comes.
  mutating func beginCounting(from anchor: Instant) {
    assert(!countsActive && active == .zero, "the time of active transfer is counted twice")
    countedFrom = anchor
  }

  /// Counts the time in which the link, which had this rate, brought data up to an instant.
  @inline(__always)
  mutating func countActive(_ rate: BitRate, until now: Instant) {
    if rate > .zero, isFlowing { active += now - countedFrom }
    countedFrom = now
  }

  /// Returns the time in which data came since it was last taken.
  mutating func takeActive() -> TimeSpan {
    defer { active = .zero }
    return active
  }

  /// Whether a segment comes, of which the first byte is there.
  @inline(__always)
  private var isFlowing: Bool {
    (isPictureOpen && picture.segment.responseRecord != 0)
      || (sound.isOpen && sound.segment.responseRecord != 0)
  }

  /// How far both tracks are loaded.
  @inline(__always)
  var edge: MediaTime { min(picture.edge, sound.edge) }

  /// From where on both are.
  var start: MediaTime { max(picture.start, sound.start) }

  /// The instant up to which nothing but the loop is to be looked at.
  @inline(__always)
  var limit: Instant {
    var limit = picture.bound
    if isPictureOpen { limit = min(limit, lastInstant(of: picture.segment)) }
    if sound.isOpen { limit = min(limit, lastInstant(of: sound.segment)) }
    return limit
  }

  /// The last instant at which it is of no interest whether a segment has had an answer.
  @inline(__always)
  private func lastInstant(of segment: FastForwardSegment) -> Instant {
    if segment.responseRecord != 0 { return .never }
    let timeout = segment.opened + picture.timers.responseTimeout(of: segment.list, picture.shared)
    return Instant(nanoseconds: min(timeout, segment.looksAt).nanoseconds - 1)
  }

  /// When it is looked at whether the data of segments comes.
  @inline(__always)
  var looksAt: Instant {
    min(
      isPictureOpen ? picture.segment.looksAt : .never,
      sound.isOpen ? sound.segment.looksAt : .never)
  }

  /// When the playhead reaches a mark of the buffer, or another variant, or it is looked at whether
  /// data comes.
  @inline(__always)
  var nextTurn: Instant { min(turnsAt, looksAt) }

  /// When the playhead reaches a mark of the buffer, or another variant.
  @inline(__always)
  var turnsAt: Instant { min(picture.switchesAt, picture.unlikelyAt, resumesAt) }

  /// Whether what is under way is followed by other segments: the end of a track is for the general
  /// way.
  @inline(__always)
  var isFollowed: Bool {
    !(isPictureOpen && !picture.isFollowed)
      && !(sound.isOpen && sound.segment.number + 1 >= sound.list(picture.shared).count)
  }

  /// How far a track may be that asks for more, as `StreamSource` tells it.
  @inline(__always)
  private var edgeMax: MediaTime {
    @inline(always) get {
      if order == .independent { return MediaTime.unbounded }
      let lists = picture.shared.parts.lists
      let ofPicture =
        isPictureOpen
        ? max(picture.edge, lists[picture.segment.list].end(of: picture.segment.number))
        : picture.edge
      let ofSound =
        sound.isOpen
        ? max(sound.edge, lists[sound.segment.list].end(of: sound.segment.number)) : sound.edge
      return min(ofPicture, ofSound)
    }
  }

  /// Which track asks next: the picture, the sound, or none.
  var next: Int? {
    @inline(always) get {
      if isPictureOpen, sound.isOpen { return nil }
      let most = edgeMax
      if !isPictureOpen, picture.edge <= most { return 0 }
      return hasSound && !sound.isOpen && sound.edge <= most ? 1 : nil
    }
  }

  /// Takes note of a request that was made; the one that it follows has brought what is there.
  mutating func begin(_ transfer: Int, of track: Int) {
    assert(!(track == 0 ? isPictureOpen : sound.isOpen), "track \(track) has two segments at once")
    if track == 0 {
      isPictureOpen = true
      picture.flow = SingleFlow(
        number: transfer, size: 0, headStart: 0, firstByteAt: picture.segment.opened,
        at: picture.segment.opened)
    } else {
      (sound.isOpen, sound.transfer) = (true, transfer)
    }
    if !isFollowed { isOver = true }
  }

  /// Takes note of the first byte of a segment; returns whether it is one of the picture.
  mutating func begin(_ transfer: Int, record: Int, at now: Instant) -> Bool {
    let isOfPicture = isPictureOpen && transfer == picture.flow.number
    if isOfPicture {
      (picture.segment.responseRecord, picture.segment.responded) = (record, now)
    } else {
      assert(sound.isOpen && transfer == sound.transfer, "transfer \(transfer) is nobody's")
      (sound.segment.responseRecord, sound.segment.responded) = (record, now)
    }
    return isOfPicture
  }

  /// Takes note that a transfer has brought media of a track; nothing that has come is no evidence.
  @inline(__always)
  mutating func noteBrought(_ transfer: Int, of track: Int, _ size: ByteCount) {
    if size == .zero { return }
    assert(size > .zero, "a segment of \(size.bytes) bytes")
    last = transfer
    if track == 0 { lastOfPicture = transfer } else { sound.last = transfer }
  }

  /// Looks whether the data of segments comes, as `StreamSource.late(at:lastByte:)` does; returns
  /// false, with nothing done, if one may have to be given up.
  mutating func look(at now: Instant, _ rate: BitRate) -> Bool {
    // When the last byte came of one that does not come now, the general way finds.
    let (timers, shared) = (picture.timers, picture.shared)
    if timers.cutsSlowSegments || timers.timeouts != nil || rate == .zero { return false }
    assert(now == looksAt, "nobody is to be looked at now")
    if isPictureOpen, picture.segment.looksAt == now {
      picture.segment.looksAt = now + timers.patience(with: picture.segment.list, shared)
    }
    if sound.isOpen, sound.segment.looksAt == now {
      sound.segment.looksAt = now + timers.patience(with: sound.segment.list, shared)
    }
    return true
  }
}

/// The sound in the loop.
struct FastForwardSound {
  let start: MediaTime
  var edge: MediaTime
  /// The segment that is under way, or was last, and the transfer that brings it.
  var segment: FastForwardSegment
  var transfer: Int
  var isOpen: Bool
  /// The transfer that brought sound last.
  var last: Int?
  /// Whether a segment has come.
  var hasTaken = false

  fileprivate init(of stream: inout StreamSource) {
    let place = stream.requests.indices.first { stream.requests[$0].track == 1 }
    segment = FastForwardSegment(of: &stream, 1, request: place)
    (isOpen, last) = (place != nil, stream.tracks[1].last)
    transfer = place.map { stream.requests[$0].transfer } ?? 0
    start = stream.tracks[1].loaded.ranges[0].start
    edge = stream.tracks[1].loaded.ranges[0].end
  }

  /// The sound of a stream that has none of its own: nothing waits for it.
  fileprivate init(without stream: inout StreamSource) {
    segment = FastForwardSegment(of: &stream, 0, request: nil)
    (isOpen, last, transfer) = (false, nil, 0)
    (start, edge) = (.zero, .unbounded)
  }

  @inline(__always)
  func list(_ shared: SharedStreamMedia) -> SegmentList { shared.parts.lists[segment.list] }

  /// Takes note of the segment, which has come.
  @inline(__always)
  mutating func take(_ tally: inout SegmentTally, _ shared: SharedStreamMedia, at now: Instant) {
    let begun = shared.parts.lists[segment.list].start(of: segment.number)
    assert(isOpen && begun == edge, "sound comes that nobody has asked for")
    edge = shared.parts.lists[segment.list].end(of: segment.number)
    let media = MediaTime(nanoseconds: edge.nanoseconds - begun.nanoseconds)
    tally.noteAudio(segment.size, plays: media, in: now - segment.opened)
    (isOpen, hasTaken) = (false, true)
  }

  /// Goes on to the next segment; returns false if no more than it is needed.
  @inline(__always)
  mutating func enterNext(
    _ shared: SharedStreamMedia, _ timers: RequestTimers, at now: Instant
  ) -> Bool {
    let list = segment.list
    assert(!isOpen, "sound is asked for twice")
    let number = shared.parts.lists[list].segment(at: edge, near: segment.number + 1)
    guard number < shared.parts.lists[list].count,
      shared.parts.lists[list].start(of: number) == edge,
      FastForward.sizes.contains(shared.parts.lists[list].size(of: number))
    else { return false }
    segment.number = number
    segment.size = shared.parts.lists[list].size(of: number)
    segment.opened = now
    segment.looksAt = timers.firstLook(at: now, list: list, shared)
    segment.responseRecord = 0
    return true
  }
}

extension StreamSource {
  /// Whether nothing is under way but a segment of the picture, or of sound of its own, or both,
  /// and nothing can go wrong.
  ///
  /// It is asked of a stream with one track or two.
  mutating func mayFastForwardTracks(at now: Instant) -> Bool {
    guard isReady, drivers.isEmpty || (tracks.count == 1 && !asksToAbandon), plan.patience == nil,
      !givesUpByScript,
      plan.requests.takesWholeSegments, plan.requests.droppedSize == nil,
      linkIsFreeAt <= now, plan.limits.isEmpty,
      appending.isEmpty, held.isEmpty, openings.isEmpty, replacement == nil,
      appendingSpan == .zero, openingSpan == .zero, commonRetryAt <= now, failedKeys.isEmpty,
      !preloadsKeys, streamMedia.faults.isEmpty, streamMedia.live == nil, !shared.hasGaps,
      !plan.notesExcess, streamMedia.mediaEnd == nil, failuresInARow == 0, penalties.isEmpty,
      rungsToFall == 0, keptData.isEmpty,
      pieces.isAscending, let variant,
      tracks[0].list == streamMedia.variants[variant].list,
      tracks.count == 1 ? streamMedia.renditions.isEmpty : hasSoundOfItsOwn
    else { return false }
    for place in tracks.indices {
      guard tracks[place].loaded.ranges.count == 1, tracks[place].joinsBefore == nil,
        !tracks[place].isIdle, tracks[place].retriesAt <= now, tracks[place].failures.count == 0,
        tracks.count == 1 || tracks[place].edge < streamMedia.lists[tracks[place].list].end
      else { return false }
    }
    for index in requests.indices {
      guard requests[index].fault == nil, requests[index].size > .zero,
        let place = requests[index].track, place < tracks.count,
        case .segment(let list, let number) = requests[index].resource,
        list == tracks[place].list, place == 1 || requests[index].variant == variant,
        number + 1 < streamMedia.lists[list].count,
        streamMedia.lists[list].start(of: number) == tracks[place].edge
      else { return false }
    }
    return requests.count <= 1 || (requests.count == 2 && requests[0].track != requests[1].track)
  }

  /// Whether the second track is the sound of all variants, and each track loads for itself.
  private var hasSoundOfItsOwn: Bool {
    plan.requests.loadsAsItComes && tracks[1].kind == .audio
      && streamMedia.lists[tracks[1].list].needsNothing && hasPlaylist[tracks[1].list]
      && isSoundOfAllVariants(tracks[1].list)
  }

  private func isSoundOfAllVariants(_ list: Int) -> Bool {
    for index in renditionLists.indices
    where renditionLists[index].audio != list || renditionLists[index].subtitles != nil {
      return false
    }
    return true
  }

  /// Takes note of what a run has loaded so far.
  mutating func extend(_ run: FastForwardTracks) {
    tracks[0].loaded.extendLast(to: run.picture.edge)
    if tracks.count == 1 { return }
    tracks[1].loaded.extendLast(to: run.sound.edge)
  }

  /// Takes over what has become of the stream.
  mutating func restore(_ run: inout FastForwardTracks) {
    requests.removeAll(keepingCapacity: true)
    takeOver(&run.picture, isOpen: run.isPictureOpen)
    if run.sound.hasTaken {
      forgetFailures()
      tracks[1].failures = TrackFailures()
      tracks[1].loaded.extendLast(to: run.sound.edge)
      tracks[1].guess = run.sound.segment.number + (run.sound.isOpen ? 0 : 1)
    }
    (last, tracks[0].last) = (run.last, run.lastOfPicture)
    if tracks.count == 2 { tracks[1].last = run.sound.last }
    if run.isPictureOpen {
      requests.append(
        run.picture.segment.request(
          run.picture.flow.number, of: 0, variant: run.picture.variant, shared))
    }
    if run.sound.isOpen {
      let request = run.sound.segment.request(
        run.sound.transfer, of: 1, variant: run.picture.variant, shared)
      let isFirst = requests.first.map { $0.transfer > request.transfer } ?? false
      requests.insert(request, at: isFirst ? 0 : requests.count)
    }
    assert(run.isIdle == requests.isEmpty, "the meter knows of other requests")
    noteTimeout()
  }
}

extension StreamTrack {
  /// Where what is loaded last ends.
  fileprivate var edge: MediaTime { loaded.ranges[loaded.ranges.count - 1].end }
}

extension RequestPacing {
  /// Whether each track asks for the next segment as soon as it may, and the link brings it as
  /// it would to anybody.
  fileprivate var loadsAsItComes: Bool {
    (order == .furthestBehind || order == .independent) && interval == nil
      && queuedAhead == nil && soundWeight == FlowShare.ordinaryWeight
  }
}
