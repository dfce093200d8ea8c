/// What a stream that has started asks for, and in which variant.
extension StreamSource {
  /// What the tracks need once the stream is ready; the one that is behind comes first.
  mutating func nextOfTracks(in context: LoadContext) -> NextRequest? {
    if context.isFull { return nil }
    while true {
      let before = variant
      if let need = needOfTracks(in: context) { return need }
      // The variant that was chosen may have tracks that nobody has looked at.
      if variant == before { return nil }
    }
  }

  private mutating func needOfTracks(in context: LoadContext) -> NextRequest? {
    if isOccupied { return nil }
    // How far the track is that is furthest behind.
    var least = MediaTime(nanoseconds: .max)
    if tracks.count > 1 {
      for place in tracks.indices {
        if let frontier = frontier(of: place, from: context.playhead) {
          least = min(least, frontier)
        }
      }
    }
    for place in tracks.indices {
      // The choice of another variant may have left fewer tracks.
      if place >= tracks.count { break }
      if requests.isLoading(place) || appending.has(place) { continue }
      if tracks[place].retriesAt > context.now { continue }
      let edge = tracks[place].edge(from: context.playhead)
      if edge > least { continue }
      guard let next = next(of: place, at: edge, in: context) else { continue }
      return NextRequest(next, for: next.isContentKey ? nil : place)
    }
    return nil
  }

  /// Whether nothing is asked for before something that is under way has come.
  @inline(__always)
  private var isOccupied: Bool {
    plan.order.isOccupied(by: requests, appending, tracks: tracks.count)
  }

  /// Whether a stream that is not live wants nothing more than what is under way for now.
  @inline(__always)
  func isOccupied(isFull: Bool) -> Bool {
    stage == .segments && isPlaced && !preloadsKeys && !hasPassedGap && (isFull || isOccupied)
  }

  /// How far a track will be when what is under way has come; nil if it holds nobody up.
  @inline(__always)
  private func frontier(of place: Int, from playhead: MediaTime) -> MediaTime? {
    let list = tracks[place].list
    let edge = tracks[place].edge(from: playhead)
    // Who has nothing to ask for holds nobody up.
    if streamMedia.live != nil, hasPlaylist[list] {
      let segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
      if !isOffered(segment, at: edge, of: tracks[place]) { return nil }
    }
    let frontier = max(edge, requests.end(of: place), appending.end(of: place))
    return frontier < streamMedia.lists[list].end ? frontier : nil
  }

  private mutating func next(
    of place: Int, at edge: MediaTime, in context: LoadContext
  ) -> StreamResource? {
    var edge = edge
    while true {
      let list = tracks[place].list
      let segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
      if segment >= streamMedia.lists[list].count { return nil }
      tracks[place].guess = segment
      if streamMedia.live != nil, hasPlaylist[list],
        !isOffered(segment, at: edge, of: tracks[place])
      {
        return nil
      }
      if streamMedia.lists[list].isGap(segment) {
        let span = (
          streamMedia.lists[list].start(of: segment), streamMedia.lists[list].end(of: segment)
        )
        insert(span.0, span.1, into: place)
        hasPassedGap = true
        edge = tracks[place].edge(from: edge)
        continue
      }
      if place == 0, chosenFor != segment {
        chosenFor = segment
        choose(for: segment, in: context)
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

  /// Chooses the variant of a segment.
  private mutating func choose(for segment: Int, in context: LoadContext) {
    guard let present = variant, !isMeasuring else { return }
    if penalties.contains(where: { $0.ends <= context.now }) { liftPenalties(at: context.now) }
    var estimate = context.estimate
    if case .throughput = policy.adaptation.rule { estimate = throughput.estimate }
    let list = streamMedia.lists[tracks[0].list]
    let look = ChoiceLook(
      estimate, resumesAt: context.resumesAt,
      segment: list.end(of: segment) - list.start(of: segment),
      sinceChange: context.now - (changedAt ?? context.now), policy.adaptation)
    var next =
      pieces.isEmpty && segment == 0
      ? present : choice.next(segment, after: present, look, policy.adaptation)
    if !drivers.isEmpty, !(pieces.isEmpty && segment == 0) {
      let start = streamMedia.lists[tracks[0].list].start(of: segment)
      let level = MediaTime(
        nanoseconds: max(0, start.nanoseconds - context.playhead.nanoseconds))
      next = choice.allowed(drivers[0].next(segment, level: level, at: context.now))
    }
    if rungsToFall > 0 {
      let fallen = choice.below(present, by: rungsToFall)
      let isLower = streamMedia.variants[fallen].bandwidth < streamMedia.variants[next].bandwidth
      if isLower { next = fallen }
      rungsToFall = 0
    }
    if next != present || changedAt == nil { changedAt = context.now }
    if next != present { enter(variant: next) }
  }
}

// What follows takes no more of a stream than it looks at: a method of all of it, or a closure,
// would copy it for each question.

extension RequestOrder {
  /// Whether nothing is asked for before something that is under way has come.
  fileprivate func isOccupied(
    by requests: [StreamRequest], _ appending: [AppendingSegment], tracks: Int
  ) -> Bool {
    let needsAll = self == .furthestBehind
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
  fileprivate func end(of place: Int) -> MediaTime {
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
  fileprivate func end(of place: Int) -> MediaTime {
    reduce(.zero) { end, segment in
      guard segment.request.track == place, let span = segment.request.span else { return end }
      return Swift.max(end, span.end)
    }
  }
}
