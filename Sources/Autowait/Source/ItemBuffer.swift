/// The buffer of a player's item, as far as every change of the link touches it.
///
/// It is kept apart from ``PlayerItem``, which is what applications see. Of what is read at every
/// change of the link only the history of the window is in arrays: what is looked at a thousand
/// times a session must not count references.
struct ItemBuffer: Sendable {
  let map: ByteMap
  /// Whether the item is a stream, whose positions are its times.
  let isStream: Bool
  /// Whether the stream is live, or was.
  let isLive: Bool
  private(set) var policy: KeepUpPolicy
  /// The media ahead at which reading is suspended, and resumes, as it was asked for.
  let limitAsked: MediaTime?
  private let resumeAsked: MediaTime?
  let sizesAsked: ForwardBufferSizes?
  /// Whether data suspends reading: to look at the policy copies it.
  private(set) var countsData: Bool
  /// What held when it was last looked at; changes are what applications observe.
  var facts: BufferFacts = [.empty]
  /// Whether the item has failed and nothing more holds.
  var isFailed: Bool
  /// Whether nothing more is asked for, and the item fails when what is loaded has been played.
  var isGivenUp = false
  /// Whether anything has come that tells that the item exists.
  var hasResponded = false
  /// Whether the index is at the back and has not come: nothing is known of what has arrived.
  var awaitsIndex = false
  /// Whether the pipeline without which nothing can play is being built.
  var awaitsPipeline = false
  /// When the first frame is decoded; never while it is not known when, as long as that matters.
  var decodedAt = Instant.start
  /// The position at which the response of the open request, if any, begins.
  private(set) var requestStart: DataAmount?
  /// Whether the reading of the request is suspended because the buffer is full.
  var isSuspended = false
  /// Whether the rule asks what is still to come.
  let needsRemaining: Bool
  /// Whether the rule is AVFoundation's, and whether it is data: to look at the rule copies it.
  let isRuleLinear: Bool
  let usesConditions: Bool
  /// The media ahead that lets playback go on, of a rule that asks for nothing else.
  let ruleResume: MediaTime?
  /// The last answer of an external rule.
  var answer: RuleAnswer?
  private(set) var meter: FillMeter
  /// What the meter has seen in its window.
  var fillHistory = FillHistory()
  /// Whether anybody looks at how fast media arrives.
  let readsFillRate: Bool
  /// Whether the rule looks at it: what a stream's adaptation does is nothing to a file.
  let ruleReadsFillRate: Bool
  /// Whether data alone lets the rule say otherwise while the playhead stands.
  let turnsByDataAlone: Bool

  /// The edge of what is loaded without a gap from the playhead, as it moves with the request.
  private(set) var edgeBase = DataAmount.zero
  private(set) var edgeMax = DataAmount.zero
  private(set) var edgeAnchor: Instant
  private(set) var edgeShare = FlowShare.none
  /// The data received by requests that have ended.
  private(set) var receivedBefore = DataAmount.zero
  /// The loaded part, if any, behind the gap at the edge; a request ends where it begins.
  private(set) var island: LoadedRanges<DataAmount>.Range?

  /// What is still to come of a stream.
  private(set) var remaining = RemainingStream(deadline: .zero)
  /// What the link has brought of a stream's next requests already, as it ended some in the middle
  /// of a nanosecond, until those are made; and when that was.
  private(set) var spare = DataAmount.zero
  private var sparedAt = Instant.start
  /// What comes of a stream, but not of its next segments.
  var aside = AsideFlow()
  /// Up to when AVFoundation's rule is known to say what it says, while a player plans.
  var likelyHoldsUntil = Instant.start
  /// Whether playback of the item has begun.
  var hasBegun = false
  /// How the player came to buffer, for rules that are data, and the data that a stream has ahead.
  var buffering = BufferingState()
  var streamAhead = DataAmount.zero
  /// Where sizes of data have a stream suspended, if its player counts them.
  var sizeMarks = SizeMarks()
  /// Whether the player does not see how the media arrives, and so predicts nothing.
  let isFedByDelegate: Bool
  /// Whether the rule waits for media that the stream has promised and does not have.
  var awaitsMissingEnd = false

  /// The start of the part that the playhead is in.
  private(set) var rangeStart = DataAmount.zero

  /// Where the playhead last ran into the edge.
  private var stallAnchor = StallAnchor()

  /// Where the media ends, as far as is known.
  private(set) var mediaEnd: MediaTime
  /// Where playback ends, forwards and backwards.
  private(set) var endTime: MediaTime
  private(set) var endPosition: DataAmount
  var reverseEndTime: MediaTime?
  /// Where what can be sought of a live stream begins, and playback that goes backwards ends.
  var seekableStart = MediaTime.zero

  private(set) var rule: LinearRule
  private(set) var ruleRate = PlaybackRate.normal
  let verdictAmount: DataAmount

  /// Makes the buffer of an item of which nothing is loaded.
  ///
  /// The fill rate has no window if nobody is going to look at it.
  init(
    _ media: Media, policy asked: KeepUpPolicy, readsFillRate: Bool = true, isFailed: Bool = false,
    at now: Instant
  ) {
    map = media.map
    isStream = media.shared != nil
    isLive = media.shared?.parts.live != nil
    self.isFailed = isFailed
    (limitAsked, resumeAsked) = (asked.forwardBufferLimit, asked.forwardBufferResume)
    let isForOthers = isStream && asked.forwardBufferSizes?.appliesToFiles == true
    sizesAsked = isForOthers ? nil : asked.forwardBufferSizes
    var policy = asked
    policy.forwardBufferSizes = sizesAsked
    countsData = sizesAsked != nil
    self.policy = policy
    needsRemaining = policy.rule.readsRemaining
    (isRuleLinear, usesConditions) = (policy.rule.isLinear, policy.rule.usesConditions)
    if case .buffered(_, let resume) = policy.rule { ruleResume = resume } else { ruleResume = nil }
    isFedByDelegate = media.isFedByDelegate
    mediaEnd = media.duration
    endTime = media.duration
    endPosition = media.map.position(of: media.duration)
    self.readsFillRate = readsFillRate
    ruleReadsFillRate = policy.rule.readsFillRate
    turnsByDataAlone = !ruleReadsFillRate && !policy.rule.readsWaiting
    meter = FillMeter(window: readsFillRate ? policy.fillRateWindow : nil, at: now)
    rule = LinearRule(rate: .normal, safetyMargin: policy.safetyMargin)
    verdictAmount = DataAmount(policy.verdictSize)
    edgeAnchor = now
  }

  /// Says how far ahead of the playhead media is loaded, and how much data.
  mutating func setForwardBufferLimit(_ limit: MediaTime?, _ sizes: ForwardBufferSizes?) {
    policy.forwardBufferLimit = limit
    policy.forwardBufferSizes = sizes
    countsData = sizes != nil
    policy.forwardBufferResume = resumeAsked
    if let resumeAsked, let limit, resumeAsked >= limit { policy.forwardBufferResume = nil }
  }

  /// Places the end; nil for the end of the media.
  mutating func setEnd(_ time: MediaTime?) {
    endTime = min(time ?? mediaEnd, mediaEnd)
    endPosition = map.position(of: endTime)
  }

  /// Where playback is to end before the media does; nil if nowhere.
  var forwardEndTime: MediaTime? { endTime < mediaEnd ? endTime : nil }

  /// Takes note that the media ends before its duration.
  mutating func endMedia(at time: MediaTime) {
    mediaEnd = time
    setEnd(endTime)
  }

  /// Whether the rule is external.
  @inline(__always)
  var asksExternalRule: Bool { policy.rule.isExternal }

  /// Where playback at a rate will end.
  func endTime(for rate: PlaybackRate) -> MediaTime {
    rate < .zero ? max(reverseEndTime ?? .zero, seekableStart) : endTime
  }
}

// MARK: - The edge

extension ItemBuffer {
  /// Returns the edge of what is loaded without a gap from the playhead on.
  @inline(__always)
  func edge(at instant: Instant) -> DataAmount {
    min(edgeMax, edgeBase + edgeShare.data(in: instant - edgeAnchor))
  }

  /// The media time up to which playback could go on.
  @inline(__always)
  func loadedEnd(at instant: Instant) -> MediaTime {
    awaitsIndex ? .zero : map.time(of: edge(at: instant))
  }

  /// The media time from which on what holds the playhead is loaded.
  var loadedStart: MediaTime { map.time(of: rangeStart) }

  /// Whether a time lies in what is loaded around the playhead, or begins where loading goes on.
  func reaches(_ time: MediaTime, at now: Instant) -> Bool {
    let position = map.position(of: time)
    return rangeStart <= position && position <= edge(at: now)
  }

  /// Returns when the open request will have brought what lies before a position, if nothing
  /// about the link changes.
  func arrival(of position: DataAmount) -> Instant {
    if edgeBase >= position { return edgeAnchor }
    return edgeAnchor + edgeShare.span(for: position - edgeBase)
  }

  /// Takes note that a playhead stopped, at a time that is rounded down.
  mutating func anchorStall(_ playhead: MediaTime, at now: Instant) {
    let ranIntoEdge = loadedEnd(at: now) == playhead
    stallAnchor = ranIntoEdge ? StallAnchor(playhead, edge(at: now), map) : StallAnchor()
  }

  /// Returns the position of a mark ahead of a playhead, counted from where it ran into the edge.
  @inline(__always)
  func position(of mark: MediaTime, from playhead: MediaTime) -> DataAmount {
    map.position(of: mark) + stallAnchor.playedBehind(playhead)
  }

  /// Whether all media from the playhead to the end has arrived by an instant.
  @inline(__always)
  func isComplete(at instant: Instant) -> Bool {
    edge(at: instant) >= endPosition
  }

  /// The data still to arrive before the end, at an instant.
  func missing(at instant: Instant) -> DataAmount {
    let edge = edge(at: instant)
    return edge >= endPosition ? .zero : endPosition - edge
  }

  /// Takes note of a request that was sent, and of what its response begins with.
  mutating func begin(
    _ range: LoadedRanges<DataAmount>.Range, headStart: DataAmount, at now: Instant
  ) {
    assert(
      headStart <= range.end - range.start, "a request begins with more than it asks for")
    requestStart = range.start
    edgeBase = range.start + headStart
    edgeMax = range.end
    edgeShare = .none
    edgeAnchor = now
    spare = .zero
    meter.note(
      at: now, received: receivedBefore + headStart, share: .none, isOpen: true,
      history: &fillHistory)
  }

  /// Takes note of how a transfer goes on from here.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) {
    guard let start = requestStart else { return }
    edgeBase = start + transfer.delivered
    edgeShare = transfer.share
    edgeAnchor = now
    meter.note(
      at: now, received: receivedBefore + transfer.delivered, share: transfer.share,
      isOpen: !transfer.isHeld, history: &fillHistory)
  }

  /// Takes note of a transfer that ended.
  mutating func end(_ transfer: Transfer, at now: Instant) {
    requestStart = nil
    isSuspended = false
    receivedBefore += transfer.delivered
    meter.note(
      at: now, received: receivedBefore, share: .none, isOpen: false, history: &fillHistory)
  }

  /// Puts the edge where it stays until something is loaded: at the end of the part around it, and
  /// before the next part, if any.
  mutating func setEdge(
    _ range: LoadedRanges<DataAmount>.Range, before island: LoadedRanges<DataAmount>.Range?,
    at now: Instant
  ) {
    self.island = island
    rangeStart = range.start
    edgeBase = range.end
    edgeMax = range.end
    edgeShare = .none
    edgeAnchor = now
  }

  /// What has come since the share last changed, and is not counted yet.
  @inline(__always)
  func flowed(at instant: Instant) -> DataAmount {
    (isStream ? meter.flowed(at: instant) : edgeShare.data(in: instant - edgeAnchor)) + spare
  }

  /// Takes note of what the link has brought already of a request that follows at once.
  mutating func noteSpare(_ amount: DataAmount, at now: Instant) {
    spare = now == sparedAt ? spare + amount : amount
    sparedAt = now
    if !isStream { edgeMax = max(edgeMax, min(edgeBase + spare, island?.start ?? endPosition)) }
  }

  /// Takes note that the requests are made, and have begun with it, or were not made at once.
  @inline(__always)
  mutating func forgetSpare() { spare = .zero }

  /// Takes note of how the media requests of a stream go on from here.
  @inline(__always)
  mutating func followStream(
    _ arriving: DataAmount, _ share: FlowShare, isOpen: Bool, at now: Instant
  ) {
    if now > sparedAt { spare = .zero }
    meter.note(
      at: now, received: receivedBefore + arriving, share: share, isOpen: isOpen,
      history: &fillHistory)
  }

  /// Takes note of how the flow of the only media request of a stream, that had brought some data,
  /// went on in some steps; returns what it has brought then.
  mutating func followStream(
    _ flow: inout FlowPlace, _ block: borrowing FlowBlock, _ steps: Range<Int>,
    _ arriving: DataAmount
  ) -> DataAmount {
    spare = .zero
    let received = meter.note(
      &flow, block, steps, received: receivedBefore + arriving, history: &fillHistory)
    // AVFoundation's rule finds where the window begins by itself.
    if !isRuleLinear || meter.isLate { meter.slide(history: &fillHistory) }
    return received - receivedBefore
  }

  /// Takes note of how the only media request of a stream goes on.
  @inline(__always)
  mutating func followSingle(_ arriving: UInt64, _ rate: BitRate, isOpen: Bool, at now: Instant) {
    spare = .zero
    followStream(
      DataAmount(nanobits: UInt128(arriving)), FlowShare(rate: rate, flows: 1, place: 0),
      isOpen: isOpen, at: now)
  }

  /// Puts the edge of a stream at the end of what is loaded around the playhead.
  mutating func setStreamEdge(from start: MediaTime, to end: MediaTime, at now: Instant) {
    let (start, end) = (ByteMap.positionInStream(of: start), ByteMap.positionInStream(of: end))
    setEdge(LoadedRanges.Range(start: start, end: end), before: nil, at: now)
  }

  /// Moves the edge of what is loaded of a stream.
  mutating func moveStreamEdge(to edge: MediaTime, at now: Instant) {
    edgeBase = ByteMap.positionInStream(of: edge)
    edgeMax = edgeBase
    edgeAnchor = now
  }

  /// The edge of what is loaded of a stream, and where that begins.
  @inline(__always)
  var streamEdge: MediaTime { ByteMap.timeInStream(of: edgeBase) }
  var streamStart: MediaTime { ByteMap.timeInStream(of: rangeStart) }

  /// Takes note of what a media request of a stream that is over has brought.
  mutating func keepStream(_ delivered: DataAmount) {
    receivedBefore += delivered
  }

  /// Counts time in which packets brought media, or a loop that tells the meter nothing else.
  @inline(__always)
  mutating func addActive(_ span: TimeSpan) { meter.addActive(span) }

  /// Leaves the counting of active time to a loop.
  mutating func leaveActive(from anchor: Instant) { meter.leaveActive(from: anchor) }

  /// How long the media plays.
  var duration: MediaTime { map.duration }

  /// Takes note of what is still to come of a stream.
  mutating func setRemaining(_ remaining: RemainingStream) {
    self.remaining = remaining
  }

  /// The edge of what is loaded of a stream, and the playhead at which reading goes on.
  @inline(__always)
  var streamMarks: (edge: MediaTime, resume: MediaTime?) {
    // What is still to come leaves off where playback stalls.
    let end = ByteMap.timeInStream(of: edgeBase)
    let edge = edgeBase < endPosition ? end - starvesBelow : end
    // What is given up counts as full, but reading never goes on.
    guard facts.contains(.full), edgeBase < endPosition, !remaining.isIdle, !isGivenUp else {
      return (edge, nil)
    }
    return (edge, countsData ? sizeMarks.resumesAt : end - policy.resumeMark)
  }

  /// Lets the fill rate's window slide to an instant.
  mutating func slideMeter(to now: Instant) {
    meter.slide(to: now, history: &fillHistory)
  }

  /// Throws the fill rate's samples away.
  mutating func restartMeter(at now: Instant) {
    meter.restart(at: now, history: &fillHistory)
    answer = nil
  }

  /// What the fill rate's window holds; nil if too little has come for a verdict.
  mutating func fillEstimate(at now: Instant) -> VariantEstimate? {
    let flowed = meter.flowed(at: now)
    let reading = meter.reading(at: now, flowed: flowed, history: &fillHistory)
    let isSeen = meter.received(flowed: flowed) >= verdictAmount
    if !isSeen || reading.received == .zero { return nil }
    return VariantEstimate(
      received: reading.received, open: reading.open, observed: meter.observed(at: now))
  }

  /// Returns the next instant at which the fill rate's window meets another stretch.
  @inline(__always)
  func windowEdge(after now: Instant) -> Instant {
    isStream || (requestStart != nil && ruleReadsFillRate) ? meter.windowEdge(after: now) : .never
  }
}

// MARK: - Facts

extension ItemBuffer {
  /// Prepares the rule for a rate; cheap when it stays.
  @inline(__always)
  mutating func prepareRule(for rate: PlaybackRate) {
    if rate == ruleRate { return }
    ruleRate = rate
    rule = LinearRule(rate: rate, safetyMargin: policy.safetyMargin)
  }

  /// Returns what would hold if the first frame were decoded.
  @inline(__always)
  mutating func factsOfDecoded(at instant: Instant, _ clock: Playhead) -> BufferFacts {
    let flowed = flowed(at: instant)
    return factsOfDecoded(
      at: instant, clock, isStream ? edgeBase : min(edgeMax, edgeBase + flowed), flowed)
  }

  /// Returns the same with an edge of what is loaded.
  mutating func factsOfDecoded(
    at instant: Instant, _ clock: Playhead, _ edge: DataAmount, _ flowed: DataAmount
  ) -> BufferFacts {
    let playhead = clock.time
    var result: BufferFacts = instant >= verdictDue ? .verdict : []
    if !facts.contains(.opened) {
      guard !isFailed, hasResponded, !awaitsIndex, !awaitsPipeline,
        edge >= map.position(of: .zero)
      else { return isFailed ? .empty : result.union(.empty) }
    }
    if ruleRate < .zero { return reverseFacts(edge, clock) }
    result.formUnion(.begun)
    if edge >= endPosition {
      if awaitsFrameAtEnd(edge, playhead) { return result.subtracting(.ready).union(.empty) }
      result.formUnion(.complete)
      if playhead >= endTime { result.formUnion(.over) }
      return result
    }
    let isBehindEnd = isBehindEnd(playhead)
    if !isBehindEnd,
      edge <= position(ahead: starvesBelow, of: clock) || isShortOfFrame(edge, playhead)
    {
      result.formUnion(.empty)
      if !facts.contains(.ready) {
        result.subtract(.ready)
      } else if !policy.isEmptyWhenStarved, hasFrame(edge, playhead) {
        result.formUnion(.starved)
      }
    }
    // As `isFull` has it, which would copy what either needs.
    let isFull = countsData ? isFullOfData(edge, clock) : isFullOfMedia(edge, clock)
    if readsNoFurther(isFull: isFull) { result.formUnion(.full.union(.verdict)) }
    if isBehindEnd {
      // An empty buffer is likely to keep up only where it is full, too.
      if result.contains(.full) { result.insert(.likely) }
      return result.union(.over).union(.verdict)
    }
    let isEmpty = result.contains(.empty)
    // Where no request follows at once, the link has nothing to spare for it.
    let flowed = result.contains(.full) ? flowed - min(flowed, spare) : flowed
    switch policy.rule {
    case .buffered(let start, let resume):
      result.formUnion(.verdict)
      let mark = min(playhead + (hasBegun ? resume : start), endTime)
      if !isEmpty, edge >= position(of: mark, from: playhead) { result.formUnion(.likely) }
    case .linearToEnd:
      if isFedByDelegate { break }
      let hasSeenEnough = meter.sampled(flowed: flowed) >= verdictAmount
      if hasSeenEnough { result.formUnion(.verdict) }
      guard hasSeenEnough || result.contains(.full), !isEmpty, !awaitsMissingEnd else { break }
      if instant <= likelyHoldsUntil {
        result.formUnion(facts.intersection(.likely))
        break
      }
      if keepsUp(edge, clock, flowed, at: instant) { result.formUnion(.likely) }
    case .conditions:
      result.formUnion(.verdict)
      if !isEmpty, meetsConditions(BufferLook(instant, playhead, edge, flowed), result) {
        result.formUnion(.likely)
      }
    case .external:
      if let answer {
        result.formUnion(.verdict)
        if answer.isLikelyToKeepUp, !isEmpty { result.formUnion(.likely) }
      }
    }
    return result
  }

  /// When the player that waits has a verdict though too little has come for one.
  @inline(__always)
  var verdictDue: Instant {
    buffering.waitsSince == .never ? .never : buffering.waitsSince + policy.verdictTime
  }

  /// What holds while the clock goes backwards, or is to: nothing is loaded on the way.
  ///
  /// The first frame is that at the playhead, as forwards.
  ///
  /// What is ahead of it is not loaded without end either: the more it goes back, the more that is.
  private func reverseFacts(_ edge: DataAmount, _ clock: Playhead) -> BufferFacts {
    let playhead = clock.time
    var result: BufferFacts = [.opened, .verdict]
    let awaitsFrame =
      edge < endPosition
      ? edge <= map.position(of: playhead + starvesBelow) || isShortOfFrame(edge, playhead)
      : awaitsFrameAtEnd(edge, playhead)
    if !facts.contains(.ready), awaitsFrame { return result.union(.empty) }
    result.formUnion(.ready)
    let end = endTime(for: ruleRate)
    let position = map.position(of: playhead)
    if edge >= endPosition || readsNoFurther(isFull: isFull(edge, clock)) {
      result.formUnion(.full)
    }
    if rangeStart <= map.position(of: end) {
      result.formUnion(.likely)
      if playhead <= end { result.formUnion([.atEnd, .empty]) }
    } else if position <= rangeStart {
      result.formUnion(.empty)
    }
    return result
  }
}

// MARK: - A single flow

extension ItemBuffer {
  /// What must be looked at while only the rate of a single flow changes, in 64-bit numbers.
  struct Packed {
    var meter: FillMeter.Packed
    /// The edge, less what the meter has received by then, and the end.
    let lead: UInt64
    let end: UInt64
    /// The position of a playhead: a start, and data per nanosecond.
    let origin: UInt64
    let density: UInt64
    /// Where playback ends, in the parts that the clock counts.
    let endPlace: Int64
    let duration: Int64
    /// How much media ahead has reading suspended.
    let limit: Int64
    /// The clock of the playhead.
    let clock: PackedClock
    /// The rule's factors, the first one in the parts that the clock counts, and what it says.
    let need: UInt64
    let have: UInt64
    var isLikely: Bool

    /// The edge at the beginning of the meter's running stretch.
    @inline(__always)
    var edge: UInt64 { lead &+ meter.received }
  }

  /// The buffer in 64-bit numbers; nil unless the playhead's way to the edge and the rule's verdict
  /// are all that can change what holds.
  func packed(_ clock: PackedClock) -> Packed? {
    guard facts.isSuperset(of: [.ready, .verdict]), meter.hasReceived(verdictAmount),
      facts.isDisjoint(with: [.empty, .full, .atEnd]),
      ruleRate > .zero, isRuleLinear, !isSuspended,
      !countsData, policy.starvesBelow == .zero,
      edgeShare.flows == 1, island == nil, endPosition == min(endPosition, edgeMax),
      endPosition.nanobits < 1 << 62, let meter = meter.packed,
      meter.start == edgeAnchor, let line = map.line, let factors = rule.packed
    else { return nil }
    return Packed(
      meter: meter, lead: UInt64(truncatingIfNeeded: edgeBase.nanobits) &- meter.received,
      end: UInt64(truncatingIfNeeded: endPosition.nanobits), origin: line.origin,
      density: line.density, endPlace: endTime.nanoseconds &* clock.parts,
      duration: duration.nanoseconds, limit: policy.forwardBufferLimit?.nanoseconds ?? .max,
      clock: clock, need: factors.need &* UInt64(bitPattern: clock.parts), have: factors.have,
      isLikely: facts.contains(.likely))
  }

  /// Takes over what has become of the buffer.
  mutating func unpack(_ packed: Packed) {
    if packed.isLikely { facts.insert(.likely) } else { facts.remove(.likely) }
    meter.unpack(packed.meter)
    edgeBase = DataAmount(nanobits: UInt128(packed.edge))
    edgeAnchor = packed.meter.start
    edgeShare = FlowShare(
      rate: BitRate(bitsPerSecond: Int64(bitPattern: packed.meter.rate)), flows: 1, place: 0)
  }
}
