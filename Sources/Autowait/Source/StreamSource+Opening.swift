/// The tracks of a stream that are opened one after the other, and how far that has come.
struct TrackOpenings: Sendable {
  /// What is opened.
  enum OpeningStep: Hashable, Sendable {
    case track(Int)
    /// The list of a variant that is not going to be played.
    case other(list: Int)
  }

  let steps: [OpeningStep]
  /// The step that was taken last.
  private(set) var place = 0
  /// Whether the initialisation section and the first segment of that have come whole.
  private(set) var (hasSection, hasCome) = (false, false)

  init(_ steps: [OpeningStep]) {
    assert(steps.count > 1, "\(steps.count) tracks are opened one after the other")
    self.steps = steps
  }

  /// What was opened last.
  var last: OpeningStep { steps[place] }

  /// Whether all are open.
  var isThrough: Bool { place == steps.count - 1 }

  /// Whether a track is open.
  func isOpened(_ track: Int) -> Bool {
    guard let step = steps.firstIndex(of: .track(track)) else { return true }
    return step <= place
  }

  /// Whether a request is for a segment of what was opened last.
  func isOfLast(_ request: StreamRequest) -> Bool {
    guard request.resource.isSegment else { return false }
    switch last {
    case .track(let place): return request.track == place
    case .other(let list):
      return request.track == StreamRequest.noTrack && request.resource.list == list
    }
  }

  /// Takes note of what has come.
  mutating func take(_ request: StreamRequest) {
    if case .initialization(let list, _) = request.resource, last == .other(list: list) {
      hasSection = true
    }
    if isOfLast(request) { hasCome = true }
  }

  /// Opens the next one.
  mutating func open() {
    assert(!isThrough, "there is nothing more to open")
    (place, hasSection, hasCome) = (place + 1, false, false)
  }
}

/// How a player opens the tracks of a stream one after the other, as ``TrackOpening`` says.
extension StreamSource {
  /// Finds out what is opened, and in which order.
  ///
  /// Assumed of a stream that is live, or of which requests fail on purpose: all at once.
  mutating func beginOpening() {
    openings = []
    guard let opening = plan.requests.opening, streamMedia.live == nil, streamMedia.faults.isEmpty,
      let variant
    else { return }
    let others = tracks.indices.dropFirst().filter { !tracks[$0].isIdle }
      .map { TrackOpenings.OpeningStep.track($0) }
    var steps: [TrackOpenings.OpeningStep]
    switch opening.order {
    case .pictureFirst: steps = [.track(0)] + others
    case .soundFirst: steps = others + [.track(0)]
    case .everyVariant:
      steps = others
      for other in streamMedia.variants.indices where choice.allowed(other) == other {
        let step = TrackOpenings.OpeningStep.other(list: streamMedia.variants[other].list)
        let isPlayed = streamMedia.variants[other].list == streamMedia.variants[variant].list
        if !isPlayed, !steps.contains(step) { steps.append(step) }
      }
      steps.append(.track(0))
    }
    if steps.count > 1 { openings = [TrackOpenings(steps)] }
  }

  /// Whether segments of a track may be asked for.
  func isOpened(_ place: Int) -> Bool { openings.first?.isOpened(place) ?? true }

  /// Whether the playlist of a track may be asked for before segments are.
  func mayLoadPlaylist(of place: Int) -> Bool {
    plan.requests.opening?.order != .pictureFirst || isOpened(place)
  }

  /// What is asked for of variants that are opened and not played; nil for nothing.
  func nextOfOpening(in context: LoadContext) -> NextRequest? {
    for case .other(let list) in openings[0].steps where !hasPlaylist[list] {
      if !isKnown(.mediaPlaylist(list)) {
        return NextRequest(.mediaPlaylist(list), for: StreamRequest.noTrack)
      }
    }
    assert(streamMedia.live == nil, "a live stream opens its tracks one after the other")
    guard goal == .media, hasStartPosition, stage == .segments,
      case .other(let list) = openings[0].last, hasPlaylist[list]
    else { return nil }
    let first = streamMedia.lists[list].segment(at: context.playhead)
    if first >= streamMedia.lists[list].count { return nil }
    if plan.requests.order.isSerial, isOccupied { return nil }
    return nextOfOther(list, first)
  }

  private func nextOfOther(_ list: Int, _ first: Int) -> NextRequest? {
    func next(_ resource: StreamResource, isAhead: Bool = false) -> NextRequest {
      NextRequest(resource, for: StreamRequest.noTrack, isAhead: isAhead)
    }
    assert(hasPlaylist[list], "a variant is opened before its playlist has come")
    let opened = StreamResource.segment(list: list, number: first)
    if let request = requests.first(where: { $0.resource == opened }) {
      let second = StreamResource.segment(list: list, number: first + 1)
      let isLast = first + 1 == streamMedia.lists[list].count
      if request.responded == nil || isLast || plan.requests.readAhead == nil || isKnown(second) {
        return nil
      }
      return next(second, isAhead: true)
    }
    if openings[0].hasCome { return nil }
    if let number = streamMedia.lists[list].stretch(of: first).initialization,
      !openings[0].hasSection
    {
      let section = StreamResource.initialization(list: list, number: number)
      return isKnown(section) ? nil : next(section)
    }
    return next(opened)
  }

  /// When so much of what was opened last has come that the next one is, if nothing about the link
  /// changes.
  var nextOpening: Instant {
    guard let opening = plan.requests.opening else { return .never }
    if openings[0].hasCome { return .start }
    if case .track(let place) = openings[0].last, place >= tracks.count || tracks[place].isIdle {
      return .start
    }
    for request in requests where openings[0].isOfLast(request) && request.responded != nil {
      return request.arrival(of: min(DataAmount(opening.size), request.size))
    }
    return .never
  }

  /// Opens the next track if enough has come of the last one; returns whether it does.
  mutating func openNext(at now: Instant, _ delivered: (Int) -> DataAmount) -> Bool {
    guard !openings.isEmpty, nextOpening <= now, let opening = plan.requests.opening else {
      return false
    }
    if !openings[0].hasCome {
      for number in requests.indices
      where openings[0].isOfLast(requests[number]) && requests[number].responded != nil {
        let amount = delivered(requests[number].transfer)
        if amount < min(DataAmount(opening.size), requests[number].size) {
          requests[number].correct(amount, at: now)
          return false
        }
        break
      }
    }
    openings[0].open()
    if openings[0].isThrough { openings = [] }
    return true
  }
}

// MARK: - What was opened and is not played

extension StreamSource {
  /// Whether nothing is under way but what was opened and is never read, when everything else has
  /// come.
  func hasOnlyOpened(from playhead: MediaTime) -> Bool {
    guard plan.requests.opening != nil, openings.isEmpty, !requests.isEmpty,
      requests.allSatisfy({ $0.track == StreamRequest.noTrack && $0.isHeld })
    else { return false }
    return tracks.allSatisfy {
      $0.isIdle || $0.edge(from: playhead) >= streamMedia.lists[$0.list].end
    }
  }
}

// MARK: - Shares

extension StreamSource {
  /// How long an answer waits on an ideal link for what lies in its queue.
  ///
  /// That is of the picture: sound ends before it has a window that fills a queue.
  @inline(__always)
  func waitInQueue(of rate: BitRate) -> TimeSpan {
    guard let queued = plan.requests.queuedAhead, rate > .zero, requests.contains(where: fillsQueue)
    else { return .zero }
    assert(queued > .zero, "nothing lies in the queue")
    let speed = UInt128(UInt64(rate.bitsPerSecond))
    let wait = (DataAmount(queued).nanobits + speed - 1) / speed
    return min(TimeSpan(nanoseconds: Int64(clamping: wait)), Limits.timeMax)
  }

  private func fillsQueue(_ request: StreamRequest) -> Bool {
    guard request.responded != nil, !request.isHeld, request.resource.isSegment,
      let place = request.track
    else { return false }
    return place == 0 || place == StreamRequest.noTrack
  }

  /// What the response to a request weighs where it shares an ideal link.
  @inline(__always)
  func weight(of request: NextRequest) -> UInt32 {
    guard plan.requests.soundWeight != FlowShare.ordinaryWeight, request.resource.isMedia,
      let place = request.track, place < tracks.count, tracks[place].kind == .audio
    else { return FlowShare.ordinaryWeight }
    return plan.requests.soundWeight
  }
}
