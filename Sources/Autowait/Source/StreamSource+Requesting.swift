/// What a stream that has started asks for, and in which variant.
extension StreamSource {
  /// What the tracks need once the stream is ready; the one that is behind comes first.
  mutating func nextOfTracks(in context: LoadContext) -> NextRequest? {
    if context.isFull, !awaitsTrack { return nil }
    if !openings.isEmpty, let next = nextOfOpening(in: context) { return next }
    while true {
      let before = variant
      if let need = needOfTracks(in: context) { return need }
      if !openings.isEmpty, requests.isEmpty, !context.isFull {
        // Nothing of what is open can be asked for, and the rest would wait for it forever.
        openings = []
        continue
      }
      // The variant that was chosen may have tracks that nobody has looked at.
      if variant == before { return nil }
    }
  }

  private mutating func needOfTracks(in context: LoadContext) -> NextRequest? {
    if isOccupied { return nil }
    let most = edgeMax(in: context)
    for place in tracks.indices {
      // The choice of another variant may have left fewer tracks.
      if place >= tracks.count { break }
      guard let (edge, isAhead) = placeToAsk(for: place, atMost: most, in: context),
        let next = next(of: place, at: edge, in: context)
      else { continue }
      return NextRequest(next, for: next.isContentKey ? nil : place, isAhead: isAhead)
    }
    return nil
  }

  /// Where a track goes on, and whether what comes before that is still being read; nil if nothing
  /// may be asked for it now.
  @inline(__always)
  private mutating func placeToAsk(
    for place: Int, atMost most: MediaTime, in context: LoadContext
  ) -> (edge: MediaTime, isAhead: Bool)? {
    let isBusy = requests.isLoading(place) || appending.has(place)
    if isBusy, plan.requests.readAhead == nil { return nil }
    if tracks[place].isIdle || tracks[place].retriesAt > context.now { return nil }
    if !openings.isEmpty, !isOpened(place) { return nil }
    if context.isFull, tracks[place].joinsBefore == nil { return nil }
    var (edge, isAhead) = (tracks[place].edge(from: context.playhead), false)
    if place == 0, let again = edgeOfReplacement(before: edge, in: context) { edge = again }
    if !held.isEmpty { edge = held.edge(of: place, from: edge) }
    if plan.requests.readAhead != nil {
      guard let next = nextPlace(of: place, behind: edge, isBusy: isBusy, in: context) else {
        return nil
      }
      (edge, isAhead) = next
    }
    if edge >= missingFrom { return nil }
    return waits(place, at: edge, atMost: most, in: context) ? nil : (edge, isAhead)
  }

  /// Whether the variant of the next segment is chosen before a rule is asked about it.
  @inline(__always)
  var choosesAhead: Bool {
    stage == .segments && goal == .media && streamMedia.variants.count > 1
  }

  /// The variant of the segment that is asked for next, as far as it is chosen.
  var variantAhead: Int? { chosenFor < 0 ? variant : chosenAhead ?? variant }

  /// Chooses the variant of the segment that is about to be asked for, as far as that is known.
  ///
  /// A live stream goes on in another variant when it asks for that: until its playlist has come,
  /// nothing is known of what can be sought.
  mutating func chooseAhead(in context: LoadContext) {
    if isOccupied { return }
    var place = placeToAsk(for: 0, atMost: edgeMax(in: context), in: context)
    if place == nil, tracks.count > 1, plan.requests.order == .furthestBehind {
      place = placeToAsk(for: 0, atMost: edgeMaxWhenOthersAsk(in: context), in: context)
    }
    guard let edge = place?.edge, replacement == nil else { return }
    let list = tracks[0].list
    let segment = streamMedia.lists[list].segment(at: edge, near: tracks[0].guess)
    if segment >= streamMedia.lists[list].count { return }
    if isGap(segment, of: 0), !leavesAtGaps { return }
    if streamMedia.live != nil, hasPlaylist[list], !isOffered(segment, at: edge, of: tracks[0]) {
      return
    }
    if chosenFor == segment { return }
    chosenFor = segment
    let next = chosenVariant(for: segment, in: context)
    if streamMedia.live != nil { return chosenAhead = next }
    let before = variant
    goOn(in: next, at: context.now)
    if plan.requests.replacesOnClimb { _ = edgeAfterClimb(from: before, at: edge, in: context) }
    if leavesAtGaps { while leaveGap(at: edge, in: context) {} }
  }

  /// Whether a track has enough for now, or is too far ahead of another one.
  private mutating func waits(
    _ place: Int, at edge: MediaTime, atMost most: MediaTime, in context: LoadContext
  ) -> Bool {
    let lead = plan.requests.order.lead
    if lead == .soundFirst { return waitsForSound(place, at: edge, in: context) }
    let isAhead = edge > most && (tracks[place].kind == .audio || lead != .secondOfSound)
    guard isPaced, let interval = plan.requests.interval,
      let intervalAhead = plan.requests.intervalAhead
    else { return isAhead }
    assert(
      interval > .zero && intervalAhead >= interval,
      "the interval must be above 0 s and intervalAhead not less, are \(interval) and "
        + "\(intervalAhead)")
    if tracks[place].looksAt > context.now { return true }
    let hasEnough = limit(of: place, in: context).map { edge >= context.playhead + $0 } ?? false
    if !hasEnough, !isAhead { return false }
    tracks[place].looksAt = context.now + (hasEnough ? interval : intervalAhead)
    return true
  }

  /// How far ahead a track is loaded that looks in intervals, if that is limited in time.
  private func limit(of place: Int, in context: LoadContext) -> MediaTime? {
    guard place == 0, !plan.limits.isEmpty, let variant else { return context.limit }
    return min(context.limit ?? .unbounded, plan.limits[variant])
  }

  /// Whether its tracks look in intervals whether they have enough.
  var isPaced: Bool { tracks.count > 1 && plan.requests.interval != nil }

  /// How far a track may be that asks for more.
  @inline(always)
  private func edgeMax(in context: LoadContext) -> MediaTime {
    let lead = plan.requests.order.lead
    if tracks.count == 1 || lead == .unlimited || plan.requests.readAhead != nil {
      return MediaTime.unbounded
    }
    return edgeMax(beside: lead, in: context)
  }

  /// The same of one of several tracks, which are not to be far apart.
  @inline(always)
  private func edgeMax(beside lead: RequestOrder.Lead, in context: LoadContext) -> MediaTime {
    // How far the track is that is furthest behind.
    let isBehind = lead != .segment && lead != .secondOfSound
    // A playhead that runs on without a picture moves without an event: who looks in no intervals
    // would see it by chance, and so takes the end of the picture for it.
    var playhead = context.playhead
    if !isBehind, !isPaced, let end = tracks.pictureEnd(around: playhead, streamMedia.lists),
      playhead < end.sound
    {
      playhead = min(playhead, end.picture)
    }
    var (least, longest) = (MediaTime.unbounded, MediaTime.zero)
    for place in tracks.indices {
      if let frontier = frontier(of: place, from: playhead) {
        least = min(least, frontier)
        if isBehind { continue }
        longest = max(longest, streamMedia.lists[tracks[place].list].targetDuration)
      }
    }
    if isBehind || least >= Limits.mediaMax { return least }
    if lead == .segment { return least + longest }
    let picture = tracks[0].isIdle ? least : tracks[0].edge(from: playhead)
    if !isPaced { return picture + .seconds(1) }
    return max(picture + .seconds(1), context.playhead + longest)
  }

  /// How far the picture may be that asks for more at this instant, when the other tracks have
  /// asked for the segments that they can, one each.
  private mutating func edgeMaxWhenOthersAsk(in context: LoadContext) -> MediaTime {
    var frontiers = tracks.indices.map { frontier(of: $0, from: context.playhead) }
    var others = Array(tracks.indices.dropFirst())
    while true {
      let most = frontiers.compactMap { $0 }.min() ?? MediaTime.unbounded
      guard let other = others.first(where: { frontiers[$0] == most }),
        let (edge, _) = placeToAsk(for: other, atMost: most, in: context),
        let end = endOfSegment(of: other, at: edge)
      else { return most }
      frontiers[other] = end < streamMedia.lists[tracks[other].list].end ? end : nil
      others.removeAll { $0 == other }
    }
  }

  /// Where the segment ends that a track asks for next if it goes on from an edge; nil if it asks
  /// for something else first, or for nothing.
  private func endOfSegment(of place: Int, at edge: MediaTime) -> MediaTime? {
    let list = streamMedia.lists[tracks[place].list]
    let segment = list.segment(at: edge, near: tracks[place].guess)
    guard segment < list.count, hasPlaylist[tracks[place].list], !list.isGap(segment) else {
      return nil
    }
    let need = list.stretch(of: segment)
    if let key = need.key, !hasKey[key] { return nil }
    if tracks[place].section(need) != nil { return nil }
    return isOffered(segment, at: edge, of: tracks[place]) ? list.end(of: segment) : nil
  }

  /// When a track looks next whether it has enough.
  @inline(always)
  func nextLook(after now: Instant) -> Instant {
    if !isPaced || goal != .media { return .never }
    var next = Instant.never
    for place in tracks.indices where tracks[place].looksAt > now {
      next = min(next, tracks[place].looksAt)
    }
    return next
  }

  /// Whether nothing is asked for before something that is under way has come.
  @inline(__always)
  var isOccupied: Bool {
    if plan.requests.readAhead != nil { return false }
    return plan.requests.order.isOccupied(by: requests, appending, tracks: tracks.count)
  }

  /// Whether a stream that is not live wants nothing more than what is under way for now.
  @inline(__always)
  func isOccupied(isFull: Bool) -> Bool {
    stage == .segments && hasStartPosition && !preloadsKeys && !hasPassedGap
      && (isFull && !awaitsTrack && !isPaced || isOccupied)
  }

  /// Whether a track is to join the others: it is loaded up to the playhead though enough of them
  /// is ahead.
  var awaitsTrack: Bool {
    @inline(always) get { tracks.contains { $0.joinsBefore != nil } }
  }

  /// How far a track is, or is going to be when what is under way has come; nil if it holds nobody
  /// up.
  @inline(always)
  func frontier(of place: Int, from playhead: MediaTime) -> MediaTime? {
    if tracks[place].isIdle { return nil }
    let list = tracks[place].list
    var edge = tracks[place].edge(from: playhead)
    if !held.isEmpty { edge = held.edge(of: place, from: edge) }
    // Who has nothing to ask for holds nobody up.
    if streamMedia.live != nil, hasPlaylist[list] {
      let segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
      if !isOffered(segment, at: edge, of: tracks[place]) { return nil }
    }
    var frontier = edge
    if plan.requests.order.countsWhatIsUnderWay {
      frontier = max(edge, requests.end(of: place), appending.end(of: place))
    }
    return frontier < streamMedia.lists[list].end ? frontier : nil
  }

  /// The number that the segment at a place has in the variant that was chosen for it.
  ///
  /// Where segments of variants have ends of their own it is another one, for which no variant is
  /// chosen again: two of them could go on choosing each other.
  private func numberChosen(at edge: MediaTime) -> Int {
    streamMedia.lists[tracks[0].list].segment(at: edge)
  }

  private mutating func next(
    of place: Int, at edge: MediaTime, in context: LoadContext
  ) -> StreamResource? {
    var edge = edge
    while true {
      let list = tracks[place].list
      let segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
      if segment >= streamMedia.lists[list].count {
        // The list may have been chosen, and be shorter, after something was held back.
        if releaseLast(of: place) { hasPassedGap = true }
        return nil
      }
      tracks[place].guess = segment
      if streamMedia.live != nil, hasPlaylist[list],
        !isOffered(segment, at: edge, of: tracks[place])
      {
        return nil
      }
      let isGap = isGap(segment, of: place)
      if isGap, place > 0 || !leavesAtGaps || replacement != nil {
        edge = pass(segment, of: place, at: edge)
        continue
      }
      if place == 0, replacement == nil, chosenFor != segment || chosenAhead != nil {
        let known = chosenFor == segment ? chosenAhead : nil
        let before = variant
        chosenFor = segment
        chosenAhead = nil
        goOn(in: known ?? chosenVariant(for: segment, in: context), at: context.now)
        if variant != before { chosenFor = numberChosen(at: edge) }
        if plan.requests.replacesOnClimb {
          edge = edgeAfterClimb(from: before, at: edge, in: context)
          continue
        }
        if variant != before { continue }
      }
      if isGap {
        if leaveGap(at: edge, in: context) { continue }
        edge = pass(segment, of: place, at: edge)
        endGap(at: context.now)
        continue
      }
      if !hasPlaylist[list] {
        return isKnown(.mediaPlaylist(list)) ? nil : .mediaPlaylist(list)
      }
      let need = streamMedia.lists[list].stretch(of: segment)
      if let key = need.key, !hasKey[key] {
        return needs(key: key, at: context.now) ? .contentKey(key) : nil
      }
      // What is only measured is not decoded.
      if place > 0 || !isMeasuring, let section = tracks[place].section(need) {
        return section
      }
      return resource(segment, at: edge, of: tracks[place])
    }
  }

  /// Chooses the variant of a segment; nil for the present one where there is nothing to choose.
  private mutating func chosenVariant(for segment: Int, in context: LoadContext) -> Int? {
    guard let present = variant, !isMeasuring else { return nil }
    if penalties.contains(where: { $0.ends <= context.now }) { liftPenalties(at: context.now) }
    let isFirst = pieces.isEmpty && segment == 0
    variantBeforeGap = nil
    var next = present
    if isFirst {
      // It has been chosen with the variant that the stream begins in.
    } else if let safety = plan.throughputSafety {
      next = choice.next(throughput, after: present, safety: safety)
    } else if drivers.isEmpty {
      let list = streamMedia.lists[tracks[0].list]
      let look = ChoiceLook(
        context.estimate, resumesAt: context.resumesAt,
        segment: list.end(of: segment) - list.start(of: segment),
        sinceChange: context.now - (changedAt ?? context.now), policy.adaptation)
      next = choice.next(segment, after: present, look, policy.adaptation)
    }
    if givesUpByScript, let scripted = scripts[0].variant(of: segment) { next = scripted }
    if !drivers.isEmpty, !isFirst {
      let start = streamMedia.lists[tracks[0].list].start(of: segment)
      let level = MediaTime(nanoseconds: max(0, start.nanoseconds - context.playhead.nanoseconds))
      next = choice.allowed(
        drivers[0].next(segment, level: level, playhead: context.playhead, at: context.now))
    }
    if rungsToFall > 0 {
      let fallen = choice.below(present, by: rungsToFall)
      let isLower = streamMedia.variants[fallen].bandwidth < streamMedia.variants[next].bandwidth
      if isLower { next = fallen }
      rungsToFall = 0
    }
    if next != present || changedAt == nil { changedAt = context.now }
    return next
  }

  mutating func goOn(in next: Int?, at now: Instant) {
    if let next, next != variant { change(to: next, at: now) }
  }
}

// What follows takes no more of a stream than it looks at: a method of all of it, or a closure,
// would copy it for each question.

extension RequestOrder {
  /// Whether nothing is asked for before something that is under way has come.
  fileprivate func isOccupied(
    by requests: [StreamRequest], _ appending: [AppendingSegment], tracks: Int
  ) -> Bool {
    let needsAll = !isSerial
    // What is opened of a variant that is not played takes its turn, too.
    if isSerial, requests.isLoading(StreamRequest.noTrack) { return true }
    for place in 0..<tracks
    where (requests.isLoading(place) || appending.has(place)) != needsAll {
      return !needsAll
    }
    return needsAll
  }
}

extension [StreamRequest] {
  /// Whether something that a track needs is under way.
  fileprivate func isLoading(_ place: Int) -> Bool {
    for index in indices where self[index].track == place && !self[index].isReload { return true }
    return false
  }

  /// Where what is under way for a track ends.
  func end(of place: Int) -> MediaTime {
    var end = MediaTime.zero
    for index in indices where self[index].track == place {
      if let span = self[index].span { end = Swift.max(end, span.end) }
    }
    return end
  }
}

extension [AppendingSegment] {
  /// Whether a segment is being appended to a track.
  fileprivate func has(_ place: Int) -> Bool {
    !isEmpty && contains { $0.request.track == place }
  }

  /// Where what is being appended to a track ends.
  func end(of place: Int) -> MediaTime {
    reduce(.zero) { end, segment in
      guard segment.request.track == place, let span = segment.request.span else { return end }
      return Swift.max(end, span.end)
    }
  }
}
