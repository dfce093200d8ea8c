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
    var least: MediaTime?
    if tracks.count > 1 { least = leastFrontier(from: context.playhead) }
    for place in tracks.indices {
      // The choice of another variant may have left fewer tracks.
      if place >= tracks.count { break }
      if isLoading(place) { continue }
      if tracks[place].retriesAt > context.now { continue }
      let edge = tracks[place].edge(from: context.playhead)
      if let least, edge > least { continue }
      guard let next = next(of: place, at: edge, in: context) else { continue }
      return NextRequest(next, for: next.isContentKey ? nil : place)
    }
    return nil
  }

  /// Whether nothing is asked for before something that is under way has come.
  @inline(__always)
  private var isOccupied: Bool {
    switch plan.order {
    case .furthestBehind: tracks.indices.allSatisfy { isLoading($0) }
    case .serial: tracks.indices.contains { isLoading($0) }
    }
  }

  /// Whether a stream that is not live wants nothing more than what is under way for now.
  @inline(__always)
  func isOccupied(isFull: Bool) -> Bool {
    stage == .segments && isPlaced && !preloadsKeys && !hasPassedGap && (isFull || isOccupied)
  }

  /// Whether something that a track needs is under way.
  @inline(__always)
  private func isLoading(_ place: Int) -> Bool {
    requests.contains { $0.track == place && !isReload($0) } || isAppending(to: place)
  }

  /// How far the track that is furthest behind will be when what is under way has come.
  private func leastFrontier(from playhead: MediaTime) -> MediaTime {
    var least = MediaTime(nanoseconds: .max)
    for place in tracks.indices {
      let list = tracks[place].list
      var edge = tracks[place].edge(from: playhead)
      // Who has nothing to ask for holds nobody up.
      if hasPlaylist[list], streamMedia.live != nil {
        let segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
        if !isOffered(segment, at: edge, of: tracks[place]) { continue }
      }
      for request in requests where request.track == place {
        if let span = span(of: request.resource) { edge = max(edge, span.end) }
      }
      for segment in appending where segment.request.track == place {
        if let span = span(of: segment.request.resource) { edge = max(edge, span.end) }
      }
      if edge < streamMedia.lists[list].end { least = min(least, edge) }
    }
    return least
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
      if place > 0 || !isMeasuring, let section = section(need, of: tracks[place]) {
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
