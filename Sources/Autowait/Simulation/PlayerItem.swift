/// The current item of a player: its media, what of it is loaded, and how it comes.
struct PlayerItem: Sendable {
  /// The one request that loads the item, and where its data goes.
  struct Request: Hashable, Sendable {
    let transfer: Int
    /// The position in the file at which the response begins.
    let start: Work
    /// Whether reading is suspended because the buffer is full.
    var isSuspended = false
  }

  /// A seek that has not completed.
  struct Seek: Hashable, Sendable {
    let number: Int
    let target: MediaTime
    /// Whether the playhead has moved and only the data is missing.
    var awaitsData = false
  }

  /// The item's number in the configuration of its player.
  let number: Int
  let media: Media
  let policy: KeepUpPolicy
  /// When the item was made.
  let created: Instant
  var status = ItemStatus.unknown
  /// When the item became ready.
  var becameReady: Instant?
  var forwardPlaybackEndTime: MediaTime? { didSet { placeEnd() } }
  var reversePlaybackEndTime: MediaTime?
  var seek: Seek?
  /// Whether a preroll has been asked for and not completed.
  var isPrerolling = false
  /// Whether the timebase has run on this item.
  var hasBegun = false
  /// Whether anything has come that tells that the item exists.
  private(set) var hasResponded = false
  /// The number of the record of the present response's first byte.
  private(set) var responseRecord = 0

  private(set) var request: Request?
  /// What has arrived, up to the start of the present request and behind its end.
  private(set) var loaded = LoadedRanges()
  private(set) var meter: FillMeter
  /// What held when it was last looked at; changes are what applications observe.
  var facts: BufferFacts = [.empty]
  /// The last answer of a foreign rule, when it came and when to ask again.
  var answer: RuleAnswer?
  var answered = Instant(nanoseconds: -1)
  var askAt = Instant.never

  /// The edge of what is loaded without a gap from the playhead, as it moves with the request.
  private var edgeBase = Work.zero
  private var edgeMax = Work.zero
  private var edgeAnchor = Instant.start
  private var edgeShare = FlowShare.none
  /// The data received by requests that have ended.
  private var receivedBefore = Work.zero

  private(set) var endTime: MediaTime
  private var endPosition: Work
  private var rule: LinearRule
  private var ruleRate = PlaybackRate.normal
  private let verdictWork: Work

  /// Makes an item of a player's configuration.
  init(number: Int, configuration: PlayerConfiguration, at now: Instant) {
    let media = configuration.media[number]
    self.number = number
    self.media = media
    policy = configuration.keepUp
    created = now
    endTime = media.duration
    endPosition = media.position(of: media.duration)
    meter = FillMeter(window: policy.fillRateWindow, at: now)
    rule = LinearRule(rate: .normal, safetyMargin: policy.safetyMargin)
    verdictWork = Work(policy.verdictSize)
    edgeAnchor = now
    forwardPlaybackEndTime = configuration.forwardPlaybackEndTime
    placeEnd()
    if media.source == .local {
      hasResponded = true
      loaded.insert(LoadedRanges.Range(start: .zero, end: media.size))
      settleEdge(at: .zero, now: now)
    }
  }

  private mutating func placeEnd() {
    endTime = min(forwardPlaybackEndTime ?? media.duration, media.duration)
    endPosition = media.position(of: endTime)
  }

  /// Where playback at a rate will end.
  func endTime(for rate: PlaybackRate) -> MediaTime {
    rate < .zero ? reversePlaybackEndTime ?? .zero : endTime
  }

  /// Whether all media from the playhead to the end has arrived by an instant.
  func isComplete(at instant: Instant) -> Bool {
    edge(at: instant) >= endPosition
  }

  /// The data still to arrive before the end, at an instant.
  func missing(at instant: Instant) -> Work {
    let edge = edge(at: instant)
    return edge >= endPosition ? .zero : endPosition - edge
  }
}

// MARK: - Loading

extension PlayerItem {
  /// Returns the edge of what is loaded without a gap from the playhead on.
  @inline(__always)
  func edge(at instant: Instant) -> Work {
    min(edgeMax, edgeBase + edgeShare.work(in: instant - edgeAnchor))
  }

  /// The media time up to which playback could go on.
  func loadedEnd(at instant: Instant) -> MediaTime {
    media.time(of: edge(at: instant))
  }

  /// Returns what would have to be asked for next, if anything, and where it ends.
  func nextRequest(at now: Instant) -> LoadedRanges.Range? {
    guard media.source == .progressive, status != .failed, request == nil else { return nil }
    let start = edge(at: now)
    guard start < media.size else { return nil }
    return LoadedRanges.Range(
      start: start, end: min(loaded.nextStart(after: start) ?? media.size, media.size))
  }

  /// Takes note of a request that was sent.
  mutating func begin(_ transfer: Int, _ range: LoadedRanges.Range, at now: Instant) {
    request = Request(transfer: transfer, start: range.start)
    edgeBase = range.start
    edgeMax = range.end
    edgeShare = .none
    edgeAnchor = now
    meter.note(at: now, received: receivedBefore, share: .none, isOpen: true)
  }

  /// Takes note of how a transfer goes on from here.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) {
    guard let request, request.transfer == transfer.number else { return }
    edgeBase = request.start + transfer.delivered
    edgeShare = transfer.share
    edgeAnchor = now
    meter.note(
      at: now, received: receivedBefore + transfer.delivered, share: transfer.share,
      isOpen: transfer.phase != .suspended)
  }

  /// Takes note that the first byte has arrived, and of the record that says so.
  mutating func beginResponse(_ record: Int) {
    hasResponded = true
    responseRecord = record
  }

  /// Takes note that reading was suspended or goes on.
  mutating func setSuspended(_ isSuspended: Bool) {
    request?.isSuspended = isSuspended
  }

  /// Takes note of a transfer that ended, whole or not.
  mutating func end(_ transfer: Transfer, playhead: MediaTime, at now: Instant) {
    guard let request else { preconditionFailure("a transfer ended that was not asked for") }
    loaded.insert(
      LoadedRanges.Range(start: request.start, end: request.start + transfer.delivered))
    receivedBefore += transfer.delivered
    self.request = nil
    meter.note(at: now, received: receivedBefore, share: .none, isOpen: false)
    settleEdge(at: media.position(of: playhead), now: now)
  }

  /// Finds the edge of what is loaded around a position when nothing flows.
  private mutating func settleEdge(at position: Work, now: Instant) {
    // Before the header is there, loading goes on from wherever the file was left.
    let headerEnd = loaded.range(holding: .zero)?.end ?? .zero
    let from = headerEnd < media.position(of: .zero) ? .zero : position
    edgeBase = loaded.range(holding: from)?.end ?? from
    edgeMax = edgeBase
    edgeShare = .none
    edgeAnchor = now
  }

  /// Moves the loading to another playhead; no request may be open.
  mutating func moveEdge(to playhead: MediaTime, at now: Instant) {
    precondition(request == nil, "the edge moves under an open request")
    settleEdge(at: media.position(of: playhead), now: now)
  }

  /// Whether a playhead lies in the part that the present request, if any, makes longer.
  func isReading(for playhead: MediaTime, at now: Instant) -> Bool {
    guard let request else { return false }
    let position = media.position(of: playhead)
    let start = loaded.range(holding: request.start)?.start ?? request.start
    return start <= position && position <= edge(at: now)
  }

  /// Returns the loaded ranges as times, by ascending start.
  func loadedTimeRanges(at instant: Instant) -> [(start: MediaTime, end: MediaTime)] {
    var all = loaded
    if let request {
      all.insert(LoadedRanges.Range(start: request.start, end: edge(at: instant)))
    }
    return all.ranges.compactMap { range in
      let start = media.time(of: range.start)
      let end = media.time(of: range.end)
      return start < end ? (start, end) : nil
    }
  }

  /// Throws the fill rate's samples away.
  mutating func restartMeter(at now: Instant) {
    meter.restart(at: now)
    answer = nil
  }
}

// MARK: - Facts

extension PlayerItem {
  /// Prepares the rule for a rate; cheap when it stays.
  @inline(__always)
  mutating func prepareRule(for rate: PlaybackRate) {
    if rate == ruleRate { return }
    ruleRate = rate
    rule = LinearRule(rate: rate, safetyMargin: policy.safetyMargin)
  }

  /// Returns what holds at an instant at which the playhead has a time, for the prepared rate.
  ///
  /// This is a pure function of the item and the instant, exact between two changes of the link:
  /// looking at it more often changes nothing.
  @inline(__always)
  func facts(at instant: Instant, playhead: MediaTime) -> BufferFacts {
    let edge = edge(at: instant)
    if !facts.contains(.ready) {
      guard status != .failed, hasResponded, edge >= media.position(of: .zero) else { return [.empty] }
    }
    if ruleRate < .zero { return reverseFacts(playhead: playhead) }
    var result: BufferFacts = .ready
    if edge >= endPosition {
      result.formUnion([.full, .likely, .verdict])
      if playhead >= endTime { result.formUnion([.atEnd, .empty]) }
      return result
    }
    let wasEmpty = facts.contains(.empty)
    if edge <= media.position(of: playhead)
      || (wasEmpty && edge < media.position(of: min(playhead + policy.frameDuration, endTime)))
    {
      result.formUnion(.empty)
    }
    if let limit = policy.forwardBufferLimit {
      let isFull =
        request?.isSuspended == true
        ? edge > media.position(of: playhead + policy.resumeMark)
        : edge >= media.position(of: playhead + limit)
      if isFull { result.formUnion([.full, .verdict]) }
    }
    switch policy.rule {
    case .linearToEnd:
      if !result.contains(.verdict), meter.sampled(at: instant) >= verdictWork {
        result.formUnion(.verdict)
      }
      if result.contains(.verdict),
        rule.holds(
          missing: endPosition - edge, left: max(.zero, endTime - playhead),
          reading: meter.reading(at: instant))
      {
        result.formUnion(.likely)
      }
    case .foreign:
      if let answer {
        result.formUnion(answer.isLikelyToKeepUp ? [.verdict, .likely] : .verdict)
      }
    }
    return result
  }

  /// Backwards nothing is loaded on the way: what is there is all there will be.
  private func reverseFacts(playhead: MediaTime) -> BufferFacts {
    var result: BufferFacts = [.ready, .verdict]
    let end = endTime(for: ruleRate)
    let position = media.position(of: playhead)
    let start = loaded.range(holding: position)?.start ?? request?.start ?? position
    if start <= media.position(of: end) {
      result.formUnion([.likely, .full])
      if playhead <= end { result.formUnion([.atEnd, .empty]) }
    } else if position <= start {
      result.formUnion(.empty)
    }
    return result
  }

  /// Returns the next instant at which the fill rate's window meets another stretch.
  @inline(__always)
  func windowEdge(after now: Instant) -> Instant {
    request == nil ? .never : meter.windowEdge(after: now)
  }

  /// Lets the fill rate's window slide to an instant.
  mutating func slideMeter(to now: Instant) {
    meter.slide(to: now)
  }
}
