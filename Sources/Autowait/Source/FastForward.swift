/// What the loop through the segments of a stream holds in its hands.
///
/// They are the numbers that every segment changes, of which `StreamSource` is told when the loop
/// is left. What is more than a number stays in the stream: to take that along, and to give it
/// back, costs more than to read it there (measured: a fortieth of the time of a stream that stalls
/// often).
struct FastForward {
  /// The response that is under way, and the segment that it brings.
  var flow: SingleFlow
  var segment: FastForwardSegment
  /// Where what is loaded begins and ends, and where the stretch of the present variant began.
  let start: MediaTime
  var edge: MediaTime
  var pieceStart: MediaTime
  /// The variant that is being loaded, and the segment for which it was chosen.
  var variant: Int
  var chosenFor: Int
  /// The rate that was measured when it was chosen.
  var switchBitrate: BitRate?
  var changedAt: Instant?
  /// Whether a segment has come.
  var hasTaken = false
  /// No more data than that is ahead.
  var aheadMax: DataAmount

  /// When the playhead, or a timer, would be the next thing to look at, without a timeout.
  var bound: Instant
  /// When the playhead reaches its end.
  var endsAt = Instant.never
  /// When a rule that asks for media ahead alone says otherwise, if nothing comes until then.
  var unlikelyAt = Instant.never
  /// When the segment is given up unless it has had an answer by then.
  fileprivate var timesOutAt: Instant
  /// When a modelled rule is asked next whether to give the segment up; never if none is.
  var asksAt: Instant
  /// Whether AVFoundation's rule is asked, and whether it may turn before what comes next.
  let asksToKeepUp: Bool
  var isTurning = false
  var keepUpLook = KeepUpLook.none
  /// When the playhead reaches another variant, as far as one is loaded.
  var switchesAt = Instant.never
  let shared: SharedStreamMedia
  let readsFillRate: Bool
  let asksToAbandon: Bool
  let timers: RequestTimers
  /// The marks of the buffer, if nothing but they tells what holds.
  var marks: ItemBuffer.Marks?
  /// The media ahead at which loading goes on, if it is limited in time.
  var resumesAt: MediaTime?
  /// Where playback is to end.
  var endTime = MediaTime.unbounded

  /// The segments that the loops know: their nanobits are below 2⁶², as ``SingleFlow`` needs it,
  /// and they do not come in no time, so that nothing is looked at between first and last byte.
  static let sizes = ByteCount(bytes: 1)...ByteCount(bytes: 1 << 29)

  /// Takes from a stream what each segment of it changes; `restore` returns it.
  ///
  /// The stream is not changed, and `inout` so that nothing of it is copied. It is one that
  /// ``StreamSource/mayFastForward(at:)`` allows, or, with the place of a request for a segment of
  /// the picture or none, ``StreamSource/mayFastForwardTracks(at:)``.
  @inline(__always)
  init(
    of stream: inout StreamSource, _ flow: SingleFlow, request place: Int?, bound: Instant,
    asksToKeepUp: Bool
  ) {
    guard let variant = stream.variant else {
      preconditionFailure("a variant must have been chosen")
    }
    self.flow = flow
    segment = FastForwardSegment(of: &stream, 0, request: place)
    start = stream.tracks[0].loaded.ranges[0].start
    edge = stream.tracks[0].loaded.ranges[0].end
    pieceStart = edge
    self.variant = variant
    chosenFor = stream.chosenFor
    switchBitrate = stream.switchEstimate?.bitRate
    changedAt = stream.changedAt
    aheadMax = DataAmount(ByteCount(bytes: .max))
    self.bound = bound
    asksToAbandon = stream.asksToAbandon
    asksAt = asksToAbandon ? stream.abandonment(bufferEnd: nil) : .never
    self.asksToKeepUp = asksToKeepUp
    shared = stream.shared
    readsFillRate = stream.plan.choosesByFillRate
    timers = stream.plan.timers
    timesOutAt = segment.opened + timers.responseTimeout(of: segment.list, shared)
  }

  /// Whether a segment is followed by another one.
  @inline(__always)
  var isFollowed: Bool { segment.number + 1 < shared.parts.lists[segment.list].count }

  /// The instant up to which nothing but the stream itself is to be looked at.
  @inline(__always)
  var limit: Instant { min(timerLimit, Instant(nanoseconds: unlikelyAt.nanoseconds - 1)) }

  /// The same, if the rule says the same.
  @inline(__always)
  var timerLimit: Instant {
    if segment.responseRecord != 0 { return bound }
    return min(bound, Instant(nanoseconds: timesOutAt.nanoseconds - 1))
  }

  /// When the playhead reaches another variant, or it is looked at whether data comes.
  @inline(__always)
  var nextLook: Instant { min(switchesAt, segment.looksAt) }

  /// Whether a byte of the segment comes before anything is looked at, or asked, as most do.
  @inline(__always)
  func isNext(_ byte: Instant) -> Bool { byte < min(unlikelyAt, min(nextLook, asksAt)) }

  /// Looks whether data comes, as `StreamSource.late(at:lastByte:)` does; returns false, with
  /// nothing done, if the segment may have to be given up.
  @inline(never)
  mutating func lookAtSegment(_ rate: BitRate) -> Bool {
    if segment.responseRecord == 0 { return false }
    let look = segment.looksAt
    assert(look >= segment.responded, "a segment is looked at before it has begun to come")
    // When the last byte came of one that does not come now, the general way finds.
    if timers.cutsSlowSegments || timers.timeouts != nil || rate == .zero { return false }
    segment.looksAt = look + timers.patience(with: segment.list, shared)
    return true
  }

  /// The segment after the edge of what is loaded, in the present variant; nil if it is not to be
  /// asked for.
  @inline(__always)
  fileprivate var nextNumber: Int? {
    let list = shared.parts.variants[variant].list
    let number = shared.parts.lists[list].segment(at: edge, near: segment.number + 1)
    return number < shared.parts.lists[list].count ? number : nil
  }
}

/// What a stream does in the loop.
///
/// It all changes the stream, or has it `inout` so that nothing of it is copied.
extension StreamSource {
  /// When it is looked at whether the segment, asked for now, is to be given up.
  @inline(always)
  mutating func abandonment(
    _ run: inout FastForward, bufferEnd: Instant, at now: Instant
  ) -> Instant {
    guard let patience = plan.patience, !choice.isLowest(run.variant) else { return .never }
    return patience.abandonment(opened: now, bufferEnd: bufferEnd)
  }

  /// Asks the rule whether to give the segment up; returns the variant that it wants instead.
  mutating func abandonment(
    _ run: inout FastForward, _ rate: BitRate, playhead: MediaTime, at now: Instant
  ) -> Int? {
    let delivered = DataAmount(nanobits: UInt128(run.flow.delivered(rate, at: now)))
    let progress = RuleDriver.Progress(
      variant: run.variant, size: DataAmount(run.segment.size), delivered: delivered,
      opened: run.segment.opened,
      responded: run.segment.responseRecord != 0 ? run.segment.responded : now)
    let answer = drivers[0].abandonment(
      progress, level: run.edge - playhead, playhead: playhead, at: now)
    run.asksAt = answer.again
    return choice.replacement(
      answer.variant, for: run.variant, isOfPlayer: drivers[0].asksOfLowest)
  }

  /// Takes note for the rule of the segment, which was asked for now.
  private mutating func ask(about number: Int, _ run: inout FastForward, at now: Instant) {
    let first = drivers[0].begin(number, of: run.variant, DataAmount(run.segment.size), at: now)
    if run.asksToAbandon, drivers[0].asksOfLowest || !choice.isLowest(run.variant) {
      run.asksAt = first
    }
  }

  /// Takes note for the rule of the first byte of the segment.
  @inline(__always)
  mutating func noteResponse(_ run: inout FastForward, at now: Instant) {
    if drivers.isEmpty { return }
    let next = drivers[0].noteResponse(at: now)
    if run.asksToAbandon, let next { run.asksAt = next }
  }

  /// Takes note of the segment, which has come.
  @inline(always)
  mutating func take(_ run: inout FastForward, at now: Instant, playhead: MediaTime) {
    let (list, number, size) = (run.segment.list, run.segment.number, run.segment.size)
    let start = run.shared.parts.lists[list].start(of: number)
    run.edge = run.shared.parts.lists[list].end(of: number)
    let span = now - run.segment.opened
    throughput.note(size, in: span, segmentsMax: plan.segmentsMax)
    tally.noteVideo(
      size, plays: MediaTime(nanoseconds: run.edge.nanoseconds - start.nanoseconds), in: span)
    if !drivers.isEmpty {
      drivers[0].note(
        DataAmount(size), of: run.variant, latency: run.segment.responded - run.segment.opened,
        in: span,
        (MediaTime(nanoseconds: max(0, start.nanoseconds - playhead.nanoseconds)), playhead, now))
    }
    run.hasTaken = true
  }

  /// Takes note of the stretch that is loaded of the present variant.
  @inline(__always)
  mutating func addPiece(_ run: inout FastForward) {
    if run.edge <= run.pieceStart { return }
    assert(run.pieceStart >= run.start, "a stretch begins before what is loaded")
    pieces.add(run.pieceStart, run.edge, of: run.variant, chosenAt: run.switchBitrate)
    run.pieceStart = run.edge
  }

  /// Where sizes of data have the stream suspended, as it tells it itself.
  @inline(__always)
  mutating func sizeMarks(
    _ run: inout FastForward, _ policy: KeepUpPolicy, playhead: MediaTime
  ) -> ItemBuffer.SizeMarks {
    run.aheadMax += DataAmount(run.segment.size)
    if policy.readsOn(with: run.aheadMax) { return .init() }
    return countedMarks(&run, policy, playhead: playhead)
  }

  /// Counts what is ahead, of which less and less may be left since it was counted last.
  @inline(never)
  private mutating func countedMarks(
    _ run: inout FastForward, _ policy: KeepUpPolicy, playhead: MediaTime
  ) -> ItemBuffer.SizeMarks {
    addPiece(&run)
    let whole = policy.forwardBufferSizes?.countsWholeSegments == true
    // Where no amount of data is too little to look for marks, it need not be counted.
    if policy.readsOn(with: .zero) {
      run.aheadMax = pieces.data(from: playhead, to: run.edge, whole: whole, of: run.shared)
      if policy.readsOn(with: run.aheadMax) { return .init() }
    }
    return policy.sizeMarks(from: run.start, to: run.edge) {
      pieces.time(withAtMost: $0, from: run.start, to: run.edge, whole: whole, of: run.shared)
    }
  }

  /// Chooses the variant of the next segment; what was chosen stays chosen.
  @inline(__always)
  mutating func chooseNext(
    _ run: inout FastForward, _ fillRate: VariantEstimate?, playhead: MediaTime, at now: Instant
  ) {
    if let number = run.nextNumber { choose(number, &run, fillRate, playhead: playhead, at: now) }
  }

  @inline(__always)
  private mutating func choose(
    _ number: Int, _ run: inout FastForward, _ fillRate: VariantEstimate?, playhead: MediaTime,
    at now: Instant
  ) {
    if run.chosenFor == number { return }
    run.chosenFor = number
    let next: Int
    if let safety = plan.throughputSafety {
      next = choice.next(throughput, after: run.variant, safety: safety)
    } else if drivers.isEmpty {
      let list = run.shared.parts.variants[run.variant].list
      let span =
        run.shared.parts.lists[list].end(of: number)
        - run.shared.parts.lists[list].start(of: number)
      let look = ChoiceLook(
        run.readsFillRate ? fillRate : throughput.estimate, resumesAt: run.resumesAt,
        segment: span, sinceChange: now - (run.changedAt ?? now), plan.adaptations[0])
      next = choice.next(number, after: run.variant, look, plan.adaptations[0])
    } else {
      let level = MediaTime(nanoseconds: max(0, run.edge.nanoseconds - playhead.nanoseconds))
      next = choice.allowed(drivers[0].next(number, level: level, playhead: playhead, at: now))
    }
    if next != run.variant || run.changedAt == nil { run.changedAt = now }
    if next == run.variant { return }
    addPiece(&run)
    run.variant = next
    let list = run.shared.parts.variants[next].list
    run.chosenFor = run.shared.parts.lists[list].segment(at: run.edge, near: number)
  }

  /// Chooses the variant of the next segment and goes on to it, if no more than it is needed.
  @inline(always)
  mutating func enterNext(
    _ run: inout FastForward, _ fillRate: VariantEstimate?, playhead: MediaTime, at now: Instant
  ) -> Bool {
    guard let number = run.nextNumber else { return false }
    choose(number, &run, fillRate, playhead: playhead, at: now)
    let list = run.shared.parts.variants[run.variant].list
    guard hasPlaylist[list], number < run.shared.parts.lists[list].count,
      run.shared.parts.lists[list].start(of: number) == run.edge,
      run.shared.parts.lists[list].needsNothing
    else { return false }
    let size = run.shared.parts.lists[list].size(of: number)
    if !FastForward.sizes.contains(size) { return false }
    run.segment.list = list
    run.segment.number = number
    run.segment.size = size
    run.segment.opened = now
    run.segment.looksAt = run.timers.firstLook(at: now, list: list, run.shared)
    run.timesOutAt = now + run.timers.responseTimeout(of: list, run.shared)
    run.segment.responseRecord = 0
    run.asksAt = .never
    if !drivers.isEmpty { ask(about: number, &run, at: now) }
    return true
  }
}

extension SharedStreamMedia {
  /// What is still to come of a variant behind an edge, the segment behind which is near a number,
  /// and behind an initialisation section, as `StreamSource` tells it.
  ///
  /// It takes the numbers alone: a method of the loop would have all that it holds copied.
  @inline(__always)
  func remaining(
    of variant: Int, from edge: MediaTime, near number: Int, to endTime: MediaTime,
    after initialization: (list: Int, number: Int)?
  ) -> RemainingStream {
    var remaining = RemainingStream(deadline: MediaTime.unbounded)
    let list = parts.variants[variant].list
    let count = parts.lists[list].count(before: endTime)
    // Segments of no length are passed over: nothing asks for them.
    let next = parts.lists[list].segment(at: edge, near: number)
    if next >= count { return remaining }
    remaining.missing = DataAmount(parts.lists[list].size(from: next, to: count))
    remaining.deadline = parts.lists[list].start(of: count - 1)
    remaining.next = DataAmount(parts.lists[list].size(of: next))
    if !parts.lists[list].needsNothing {
      let section = parts.lists[list].sectionMissing(
        before: next, list, after: initialization)
      remaining.missing += section
      remaining.next += section
    }
    assert(remaining.next <= remaining.missing, "more is missing of a segment than of the stream")
    remaining.beforeLast = parts.lists[list].beforeShortLast(
      of: remaining.missing, next: next, to: endTime)
    return remaining
  }
}

/// The segment that is under way in the loop, or the last one that was.
struct FastForwardSegment {
  var list: Int
  var number: Int
  var size: ByteCount
  var opened = Instant.start
  /// When it is looked at next whether its data comes.
  var looksAt = Instant.never
  /// The number of the record of its first byte, and when that came; zero if it has not.
  var responseRecord = 0
  var responded = Instant.start
  /// Whether the network was expensive when it was asked for.
  var isExpensive = false

  /// Takes the segment of the request in a place, or, without one, what comes before the next of a
  /// track; the stream is not changed, and `inout` so that nothing of it is copied.
  @inline(__always)
  init(of stream: inout StreamSource, _ track: Int, request place: Int?) {
    guard let place, case .segment(let list, let number) = stream.requests[place].resource else {
      (list, number) = (stream.tracks[track].list, max(0, stream.tracks[track].guess - 1))
      size = .zero
      return
    }
    (self.list, self.number) = (list, number)
    size = stream.streamMedia.lists[list].size(of: number)
    opened = stream.requests[place].opened
    looksAt = stream.requests[place].looksAt
    responseRecord = stream.requests[place].responseRecord
    responded = stream.requests[place].responded ?? .start
    isExpensive = stream.requests[place].isExpensive
  }

  /// Returns the request that it is, by its transfer.
  func request(
    _ transfer: Int, of track: Int, variant: Int, _ shared: SharedStreamMedia
  ) -> StreamRequest {
    var request = StreamRequest(
      transfer: transfer, resource: .segment(list: list, number: number), track: track,
      size: DataAmount(size), opened: opened, fault: nil)
    request.variant = variant
    request.span = shared.span(of: request.resource)
    request.listKnown = list
    request.isExpensive = isExpensive
    update(&request)
    return request
  }

  /// Brings the request that it is up to what has become of it; what has come, the link tells.
  @inline(__always)
  func update(_ request: inout StreamRequest) {
    request.looksAt = looksAt
    if responseRecord != 0 {
      request.responseRecord = responseRecord
      request.responded = responded
    }
  }
}

extension StreamSource {
  /// Whether nothing is under way but a segment of the only track, and nothing can go wrong.
  ///
  /// It is asked of a stream with one track and one request.
  @inline(always)
  func mayFastForward(at now: Instant) -> Bool {
    assert(tracks.count == 1 && requests.count == 1, "\(requests.count) requests at once")
    guard isReady, plan.requests.takesWholeSegments, plan.requests.droppedSize == nil,
      requests[0].fault == nil,
      appendingSpan == .zero, openingSpan == .zero,
      tracks[0].retriesAt <= now, commonRetryAt <= now, failedKeys.isEmpty,
      streamMedia.faults.isEmpty, streamMedia.live == nil, !shared.hasGaps, !plan.notesExcess,
      failuresInARow == 0, tracks[0].failures.count == 0, penalties.isEmpty, keptData.isEmpty,
      streamMedia.renditions.isEmpty,
      rungsToFall == 0, pieces.isAscending, !givesUpByScript,
      tracks[0].loaded.ranges.count == 1, tracks[0].joinsBefore == nil, let variant,
      tracks[0].list == streamMedia.variants[variant].list,
      case .segment(let list, let number) = requests[0].resource, requests[0].track == 0,
      requests[0].variant == variant,
      requests[0].size == DataAmount(streamMedia.lists[list].size(of: number)),
      requests[0].size > .zero
    else { return false }
    return tracks[0].loaded.ranges[0].end
      == streamMedia.lists[list].start(of: number)
  }

  /// Takes note of what a run has loaded so far.
  mutating func extend(_ run: FastForward) {
    tracks[0].loaded.extendLast(to: run.edge)
  }

  /// Takes over what has become of the stream; its segment is under way, or has come.
  mutating func restore(_ run: inout FastForward, isOpen: Bool) {
    takeOver(&run, isOpen: isOpen)
    if !isOpen {
      requests.removeLast()
    } else {
      let isOther = requests[0].transfer != run.flow.number
      if isOther {
        requests[0] = run.segment.request(run.flow.number, of: 0, variant: run.variant, shared)
      } else {
        run.segment.update(&requests[0])
      }
      requests[0].asksAt = run.asksToAbandon ? run.asksAt : nil
    }
    noteTimeout()
  }

  /// Takes over all but the request.
  @inline(__always)
  mutating func takeOver(_ run: inout FastForward, isOpen: Bool) {
    addPiece(&run)
    changedAt = run.changedAt
    variant = run.variant
    chosenFor = run.chosenFor
    tracks[0].list = streamMedia.variants[run.variant].list
    if !run.hasTaken { return }
    tracks[0].failures = TrackFailures()
    forgetFailures()
    tracks[0].loaded.extendLast(to: run.edge)
    tracks[0].guess = run.segment.number + (isOpen ? 0 : 1)
    tracks[0].waitsFrom = run.edge
  }
}
