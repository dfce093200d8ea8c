/// What a player knows of a live media playlist: what the latest one that it has loaded listed.
///
/// A playlist tells what was published when the first byte of its response arrived (assumed: a
/// server decides when it answers; the way down is left out).
struct LivePlaylist: Hashable, Sendable {
  /// The first segment that it lists.
  var first = 0
  /// The number behind the last whole segment that it lists.
  var count = 0
  /// Where what it offers begins and ends; parts of the next segment count.
  var start = MediaTime.zero
  var end = MediaTime.zero
  /// Whether the programme is over and nothing will follow (`EXT-X-ENDLIST`).
  var isEnded = false
  /// Whether the last load brought something new.
  var hasChanged = true
  /// How long after a load that brought something new it is due again.
  var interval = MediaTime.zero
  /// Whether it was due to be loaded again, but was not, when the stream was paused or unused.
  var isOld = false
  /// Whether the last load of it had no answer: what it lists may be gone by now.
  var isMissed = false
  /// Whether a server refused what it lists when it was due: what it lists may be gone by now.
  var isDoubtful = false
  /// The segment whose refusal made it doubtful last.
  var doubted: Int?
  /// When a load last brought something new.
  var changedAt = Instant.start
  /// How many loads in a row have been over too long after that.
  var staleLoads = 0
  /// When the last load began; nil before the first one is over.
  var loadBegan: Instant?

  /// Whether what comes next at an edge is in it.
  @inline(__always)
  func lists(_ segment: Int, at edge: MediaTime) -> Bool {
    segment >= first && (segment < count || edge < end)
  }

  /// Whether it offers nothing at all.
  var isEmpty: Bool { end <= start }
}

extension LiveWindow {
  /// The shortest parts that are offered, and the shortest time between two loads of a playlist.
  ///
  /// Assumed: a tenth of a second, so that no playlist keeps a player from coming to rest.
  static let shortest = TimeSpan.milliseconds(100)

  /// The duration of parts; nil if there are none.
  var part: MediaTime? {
    guard let partDuration, partDuration > .zero else { return nil }
    return max(partDuration, MediaTime(nanoseconds: LiveWindow.shortest.nanoseconds))
  }

  /// When a playlist offers what ends at a time.
  func published(_ time: MediaTime) -> Instant {
    Instant(nanoseconds: time.nanoseconds - bounded(elapsed) + bounded(publishDelay))
  }

  /// How far the programme itself has got.
  func programme(at now: Instant) -> MediaTime {
    MediaTime(nanoseconds: bounded(elapsed) + now.nanoseconds)
  }

  /// How far behind the end playback starts and goes on.
  ///
  /// Three target durations, or three parts (RFC 8216, 6.3.3, and its successor's `HOLD-BACK`).
  func holdBack(of list: SegmentList) -> MediaTime {
    if let part { return partHoldBack ?? MediaTime(nanoseconds: 3 * part.nanoseconds) }
    return holdBack ?? MediaTime(nanoseconds: 3 * list.targetDuration.nanoseconds)
  }

  /// Returns what the playlist of a list says at an instant.
  func playlist(of list: SegmentList, at now: Instant) -> LivePlaylist {
    var playlist = LivePlaylist()
    let edge = max(.zero, edge(at: now))
    let listed = listed(of: list, at: now)
    (playlist.first, playlist.count) = (listed.lowerBound, listed.upperBound)
    playlist.isEnded = playlist.count == list.count
    let whole = list.time(of: playlist.count)
    playlist.end = whole
    if !playlist.isEnded, let part {
      let parts = (edge - whole).nanoseconds / part.nanoseconds
      playlist.end = MediaTime(nanoseconds: whole.nanoseconds + parts * part.nanoseconds)
    }
    playlist.start = list.time(of: playlist.first)
    return playlist
  }

  /// When something follows what a playlist offers; nil if nothing does.
  func nextPublication(_ playlist: LivePlaylist, of list: SegmentList) -> Instant? {
    guard playlist.count < list.count else { return nil }
    let end = list.end(of: playlist.count)
    guard let part else { return published(end) }
    return published(min(end, max(playlist.end, list.start(of: playlist.count)) + part))
  }

  /// When a playlist is loaded again, if a load of it is over and it has not ended.
  ///
  /// Its interval after the last load began, half a target duration if that brought nothing new
  /// (RFC 8216, 6.3.4). A server that holds its answer is asked at once.
  func nextLoad(_ playlist: LivePlaylist, of list: SegmentList) -> Instant {
    guard let began = playlist.loadBegan, !playlist.isEnded else { return .never }
    if canBlockReload { return began + LiveWindow.shortest }
    let target = (part ?? list.targetDuration).nanoseconds
    let wait = TimeSpan(
      nanoseconds: playlist.hasChanged ? playlist.interval.nanoseconds : target / 2)
    return began + max(wait, LiveWindow.shortest)
  }
}

extension SegmentList {
  /// Returns the bytes of a segment before a time in it, in proportion.
  private func size(of segment: Int, before time: MediaTime) -> Int64 {
    let duration = UInt64((end(of: segment) - start(of: segment)).nanoseconds)
    let place = UInt64(min(max(0, (time - start(of: segment)).nanoseconds), Int64(duration)))
    let bytes = UInt64(size(of: segment).bytes)
    return Int64(ExactProduct.scaledDown(UInt128(bytes), place, UInt128(duration)))
  }

  /// Returns the bytes of a part of a segment; those of all parts are those of the segment.
  func size(of segment: Int, from start: MediaTime, to end: MediaTime) -> ByteCount {
    ByteCount(bytes: size(of: segment, before: end) - size(of: segment, before: start))
  }
}

// MARK: - What a loader makes of it

extension StreamSource {
  /// Whether the stream is live and has not ended as far as is known.
  @inline(__always)
  var isLive: Bool {
    if streamMedia.live == nil { return false }
    for track in tracks where !live[track.list].isEnded { return true }
    return tracks.isEmpty
  }

  /// Takes note of a media playlist, and of when the first byte of it came.
  mutating func takePlaylist(_ list: Int, loadBegan: Instant, responded: Instant) {
    guard let window = streamMedia.live else { return }
    var playlist = window.playlist(of: streamMedia.lists[list], at: responded)
    let old = live[list]
    playlist.hasChanged =
      old.loadBegan == nil || playlist.end != old.end || playlist.start != old.start
      || playlist.isEnded != old.isEnded
    playlist.loadBegan = loadBegan
    playlist.interval = interval(of: streamMedia.lists[list], playlist, window)
    playlist.changedAt = playlist.hasChanged ? responded : old.changedAt
    let target = streamMedia.lists[list].wholeTargetDuration.nanoseconds
    let isStale = responded - playlist.changedAt >= TimeSpan(nanoseconds: target + target / 2)
    if isStale, !playlist.isEnded { playlist.staleLoads = old.staleLoads + 1 }
    playlist.doubted = old.doubted
    live[list] = playlist
  }

  /// Whether the last load of a list brought the same as those of one and a half target durations
  /// before (−12888; an engineer of Apple, forum thread 830888).
  @inline(__always)
  func isStale(_ list: Int) -> Bool { streamMedia.live != nil && live[list].staleLoads > 0 }

  /// Takes note of a live playlist that stays the same: another variant is loaded if there is one,
  /// else it is loaded again as before.
  ///
  /// That no variant is left is told once. A stream that has a single one leaves none (observed:
  /// −12888 alone, AetherEngine issue 446).
  mutating func takeStale(_ list: Int, of track: Int?, at now: Instant) -> Remedy {
    if let most = policy.stalePollsMax, live[list].staleLoads >= most { return .none }
    guard track == 0, let variant else { return .retry }
    if hasOther(than: variant, at: now), leave(variant, at: now) { return .otherVariant }
    return live[list].staleLoads == 1 && !penalties.isEmpty ? .lastVariant : .retry
  }

  /// How long after a load a playlist is due again: a part or a target duration, or the duration of
  /// the last segment listed.
  ///
  /// An Apple engineer: since iOS 13 it is the last segment's (forum 387894).
  private func interval(
    of list: SegmentList, _ playlist: LivePlaylist, _ window: LiveWindow
  ) -> MediaTime {
    if let part = window.part { return part }
    guard reloadsAfterLastSegment, playlist.count > playlist.first else {
      return list.targetDuration
    }
    return list.end(of: playlist.count - 1) - list.start(of: playlist.count - 1)
  }

  /// Takes note of a load of a playlist that failed: it is tried again as if nothing had changed.
  mutating func missPlaylist(_ list: Int, _ failure: RequestFailure, loadBegan: Instant) {
    guard live[list].loadBegan != nil else { return }
    live[list].isMissed = !failure.isAnswer
    live[list].loadBegan = loadBegan
    live[list].hasChanged = false
  }

  /// Returns whether a refused segment has left its playlist, or may have: a server keeps none for
  /// long, so that its refusal says nothing of what the stream has now.
  ///
  /// A playlist that was due when the segment was asked for is loaded before anything else of its
  /// track. If it still lists the segment, the next refusal counts.
  mutating func doubtsPlaylist(after refused: StreamRequest) -> Bool {
    guard let window = streamMedia.live, window.window != nil, refused.resource.isSegment,
      let list = refused.resource.list, let segment = refused.resource.segment
    else { return false }
    if segment < live[list].first { return true }
    let isDue = window.nextLoad(live[list], of: streamMedia.lists[list]) <= refused.opened
    guard isDue || live[list].isOld, live[list].doubted != segment else { return false }
    (live[list].isDoubtful, live[list].doubted) = (true, segment)
    return true
  }

  /// Whether a track goes on only when its playlist has been loaded again.
  var doubtsPlaylists: Bool { tracks.contains { live[$0.list].isDoubtful } }

  /// Takes note that the programme may have left behind what was known of it.
  mutating func expirePlaylists(at now: Instant) {
    guard let window = streamMedia.live else { return }
    for list in live.indices where window.nextLoad(live[list], of: streamMedia.lists[list]) <= now {
      live[list].isOld = true
    }
  }

  /// Goes on with another variant.
  ///
  /// What its playlists offered when they were last loaded says nothing of the present if they are
  /// due to be loaded again by now.
  mutating func change(to other: Int, at now: Instant) {
    assert(streamMedia.variants.indices.contains(other), "there is no variant \(other)")
    let followed = tracks.map { $0.list }
    chosenAhead = nil
    enter(variant: other)
    guard let window = streamMedia.live else { return }
    for track in tracks where !followed.contains(track.list) {
      let next = window.nextLoad(live[track.list], of: streamMedia.lists[track.list])
      if next <= now { live[track.list].isOld = true }
    }
  }

  /// Whether the playlists of all tracks tell of the present.
  @inline(always)
  var isFresh: Bool { !tracks.contains { live[$0.list].isOld } }

  /// Whether they do for a player that was paused until now: those that are due are old.
  @inline(always)
  func isFresh(onReturnAt now: Instant) -> Bool {
    guard let window = streamMedia.live, isFresh else { return false }
    return tracks.allSatisfy {
      window.nextLoad(live[$0.list], of: streamMedia.lists[$0.list]) > now
    }
  }

  /// Whether the playlists of all tracks have come and tell of the present; where a stream goes on
  /// in another variant, that one's may not have.
  var hasPresentPlaylists: Bool {
    tracks.allSatisfy { live[$0.list].loadBegan != nil && !live[$0.list].isOld }
  }

  /// When the playlist of a track is due to be loaded again.
  private func nextLoad(of track: StreamTrack) -> Instant {
    guard let window = streamMedia.live else { return .never }
    var next = window.nextLoad(live[track.list], of: streamMedia.lists[track.list])
    if next == .never || track.failures.areOfSegments { return next }
    if track.failures.areOfPlaylistsUnanswered, let began = live[track.list].loadBegan {
      // Half a long target duration is no reason to try a network later than anything else is.
      next = min(next, began + policy.retryDelayMax)
    }
    return max(next, track.retriesAt)
  }

  /// When the next playlist is due that is not being loaded, if playlists may be.
  var nextReload: Instant {
    if streamMedia.live == nil || goal != .media || catchUp.attendance == .frozen { return .never }
    return tracks.reduce(.never) { next, track in
      isKnown(.mediaPlaylist(track.list)) ? next : min(next, nextLoad(of: track))
    }
  }

  /// The playlist that is due, with its track.
  func reload(at now: Instant) -> NextRequest? {
    if streamMedia.live == nil || goal != .media || catchUp.attendance == .frozen { return nil }
    for (place, track) in tracks.enumerated() where nextLoad(of: track) <= now {
      let playlist = StreamResource.mediaPlaylist(track.list)
      if !isKnown(playlist) { return NextRequest(playlist, for: place) }
    }
    return nil
  }

  /// How long a server holds its answer to a request for a playlist made now.
  @inline(__always)
  func hold(of list: Int, at now: Instant) -> TimeSpan {
    guard let window = streamMedia.live, window.canBlockReload, live[list].loadBegan != nil,
      let next = window.nextPublication(live[list], of: streamMedia.lists[list])
    else { return .zero }
    return max(.zero, next - now)
  }

  /// What the playlists of all tracks offer; nil before all have been loaded, and offer something.
  var seekableRange: (start: MediaTime, end: MediaTime)? {
    var (start, end) = (MediaTime.zero, MediaTime.unbounded)
    for track in tracks {
      let playlist = live[track.list]
      if playlist.loadBegan == nil || playlist.isEmpty { return nil }
      start = max(start, playlist.start)
      // A track that is over before another one ends holds nobody up.
      if !playlist.isEnded || tracks.count == 1 { end = min(end, playlist.end) }
    }
    if tracks.isEmpty { return nil }
    if end.nanoseconds == .max { end = tracks.reduce(.zero) { max($0, live[$1.list].end) } }
    return start < end ? (start, end) : nil
  }

  /// The time at which playback is as near to the end as it is meant to be.
  var livePosition: MediaTime? {
    guard let window = streamMedia.live, let range = seekableRange, let first = tracks.first else {
      return nil
    }
    return max(range.start, range.end - window.holdBack(of: streamMedia.lists[first.list]))
  }

  /// Where playback starts, and whether that is nearer to the end than it is meant to be.
  ///
  /// The first frame is that of a segment, or a part, that begins at least the hold-back before
  /// the end (RFC 8216, 6.3.3); `EXT-X-START` is followed to the nanosecond (assumed).
  func startPosition() -> (time: MediaTime, isTooClose: Bool)? {
    guard let window = streamMedia.live else {
      guard let offset = streamMedia.startOffset, let end = knownEnd else { return nil }
      return (place(offset, in: (.zero, end)), false)
    }
    guard let range = seekableRange, let first = tracks.first else { return nil }
    if !isFresh { return nil }
    if let offset = streamMedia.startOffset { return (place(offset, in: range), false) }
    let list = streamMedia.lists[first.list]
    if !isLive { return (range.start, false) }
    let wanted = range.end - window.holdBack(of: list)
    if wanted < range.start { return (range.start, true) }
    return (max(range.start, aligned(wanted, in: list)), false)
  }

  /// Where the stream ends, as soon as its playlists say it.
  private var knownEnd: MediaTime? {
    tracks.isEmpty || !tracks.allSatisfy { hasPlaylist[$0.list] } ? nil : streamMedia.duration
  }

  private func place(_ offset: MediaTime, in range: (start: MediaTime, end: MediaTime)) -> MediaTime
  {
    let base = offset < .zero ? range.end : range.start
    return min(max(range.start, base + offset), range.end)
  }

  private func aligned(_ time: MediaTime, in list: SegmentList) -> MediaTime {
    let segment = list.segment(at: time)
    let start = list.time(of: segment)
    guard segment < list.count, segment + 3 > live[tracks[0].list].count,
      let part = streamMedia.live?.part
    else { return start }
    let parts = (time - start).nanoseconds / part.nanoseconds
    return MediaTime(nanoseconds: start.nanoseconds + parts * part.nanoseconds)
  }

  /// Whether a server has removed a segment: it keeps one, after the playlist has left it behind,
  /// for as long as that lists it and the segment plays (RFC 8216, 6.2.2).
  @inline(__always)
  func isRemoved(_ resource: StreamResource, at now: Instant) -> Bool {
    plan.shared.parts.live?.window != nil && shared.isRemoved(resource, at: now)
  }

  /// Whether what comes next on a track at a time is offered by its playlist.
  ///
  /// Assumed: a playlist whose load had no answer, or that was due when a segment of it was
  /// refused, offers nothing until one has come.
  @inline(always)
  func isOffered(_ segment: Int, at edge: MediaTime, of track: StreamTrack) -> Bool {
    if streamMedia.live == nil { return true }
    let playlist = live[track.list]
    return !playlist.isMissed && !playlist.isDoubtful && playlist.lists(segment, at: edge)
  }

  /// Whether the next segment of a track, after a time, has left its playlist.
  func hasLost(after time: MediaTime) -> Bool {
    if streamMedia.live == nil { return false }
    return tracks.contains { hasLost($0, after: time) }
  }

  /// Whether what has left its playlist is not even under way.
  ///
  /// A server keeps a segment for as long again as the playlist that listed it (RFC 8216, 6.2.2),
  /// so that who has asked for one still gets it. A track that is loaded up to where what is shown
  /// ends needs no more for a seek.
  func hasLostForGood(after time: MediaTime, isShownUpTo end: MediaTime = .unbounded) -> Bool {
    if streamMedia.live == nil { return false }
    return tracks.indices.contains { place in
      guard hasLost(tracks[place], after: time) else { return false }
      let edge = tracks[place].edge(from: time)
      if edge >= end { return false }
      // What is under way of a track that is farther behind plays first.
      return !tracks.indices.contains { other in
        let next = tracks[other].edge(from: time)
        return (other == place || next < edge) && isComing(next, to: other)
      }
    }
  }

  private func isComing(_ edge: MediaTime, to place: Int) -> Bool {
    requests.contains { isComing(edge, by: $0, to: place) }
      || appending.contains { isComing(edge, by: $0.request, to: place) }
  }

  private func isComing(_ edge: MediaTime, by request: StreamRequest, to place: Int) -> Bool {
    guard request.track == place, let span = request.span else { return false }
    return span.start <= edge && edge < span.end
  }

  /// Whether playback would not go on from a time with the playlists that a server has at an
  /// instant.
  func isLost(_ time: MediaTime, at now: Instant) -> Bool {
    guard let window = streamMedia.live else { return false }
    if policy.restartsShortWindows { return true }
    return tracks.contains { track in
      let list = streamMedia.lists[track.list]
      let next = list.segment(at: track.edge(from: time), near: track.guess)
      return next < window.playlist(of: list, at: now).first
    }
  }

  private func hasLost(_ track: StreamTrack, after time: MediaTime) -> Bool {
    let playlist = live[track.list]
    guard playlist.loadBegan != nil, !playlist.isEmpty else { return false }
    let edge = track.edge(from: time)
    return streamMedia.lists[track.list].segment(at: edge, near: track.guess) < playlist.first
  }

  /// Whether everything that the playlists offer behind a time is loaded, and nothing is under way
  /// that goes on from it.
  ///
  /// What has left the playlists cannot be waited for. A playlist that was never loaded, as that of
  /// the sound after a switch, may offer more, as may one that is old: a playhead that goes on
  /// elsewhere needs them all.
  func isIdle(after time: MediaTime) -> Bool {
    // Where playback has no place yet, nothing is known of what comes there. What goes before the
    // first segment is asked for even where no segment is listed.
    if !isLive || tracks.isEmpty || !hasStartPosition || !isReady { return false }
    if !hasPresentPlaylists { return false }
    if hasLostForGood(after: time) { return true }
    if requests.contains(where: { $0.resource.isMedia }) || !appending.isEmpty { return false }
    return tracks.allSatisfy { track in
      let list = streamMedia.lists[track.list]
      let edge = track.edge(from: time)
      let segment = list.segment(at: edge, near: track.guess)
      return segment >= list.count || !live[track.list].lists(segment, at: edge)
    }
  }

  /// Returns the segment, or the part of one, that a track asks for at a time.
  ///
  /// Whole segments are asked for as such; a part is, where the playlist has no more yet, and where
  /// parts of the same segment came before it. Old segments have no parts (RFC 8216bis, B.1).
  @inline(__always)
  func resource(_ segment: Int, at edge: MediaTime, of track: StreamTrack) -> StreamResource {
    let whole = StreamResource.segment(list: track.list, number: segment)
    guard let part = streamMedia.live?.part, segment + 3 > live[track.list].count else {
      return whole
    }
    let start = streamMedia.lists[track.list].start(of: segment)
    let inside = (edge - start).nanoseconds
    let isWhole = segment < live[track.list].count
    if isWhole, inside == 0 || !inside.isMultiple(of: part.nanoseconds) { return whole }
    return .part(
      list: track.list, number: segment, part: Int(inside / part.nanoseconds))
  }
}

extension SharedStreamMedia {
  /// The media that a resource brings; nil if it brings none.
  func span(of resource: StreamResource) -> (start: MediaTime, end: MediaTime)? {
    switch resource {
    case .segment(let list, let number):
      return (parts.lists[list].start(of: number), parts.lists[list].end(of: number))
    case .part(let list, let number, let place):
      let part = parts.live?.part ?? .zero
      let start = parts.lists[list].start(of: number)
      let from = MediaTime(nanoseconds: start.nanoseconds + Int64(place) * part.nanoseconds)
      return (from, min(from + part, parts.lists[list].end(of: number)))
    case .multivariantPlaylist, .mediaPlaylist, .contentKey, .initialization: return nil
    }
  }
}

extension SharedStreamMedia {
  @inline(never)
  fileprivate func isRemoved(_ resource: StreamResource, at now: Instant) -> Bool {
    guard let live = parts.live, let window = live.window, let list = resource.list,
      let number = resource.segment
    else { return false }
    let media = parts.lists[list]
    let plays = media.end(of: number) - media.start(of: number)
    let kept = max(0, live.bounded(window)) + plays.nanoseconds
    let then = Instant(nanoseconds: now.nanoseconds - kept)
    return number < live.listed(of: media, at: then).lowerBound
  }
}
