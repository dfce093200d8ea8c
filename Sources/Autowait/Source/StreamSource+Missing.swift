/// Media that a server refuses for good, which ends what can be played.
///
/// What comes before it is loaded and played to its end on all tracks (WWDC17 514, WWDC24 10113: an
/// item fails when nothing is left to play). Where playback is led elsewhere, by a seek or another
/// selection of tracks, or where other variants may be chosen, all is asked for again (assumed).
extension StreamSource {
  /// Where the media begins that could not be had with a request; nil if that is no matter of a
  /// place in the stream.
  func start(ofMissing request: StreamRequest, playhead: MediaTime) -> MediaTime? {
    switch request.resource {
    case .segment, .part: return request.span?.start
    case .contentKey(let key): return firstNeed(from: playhead) { $0.key == key }
    case .initialization(let list, let number):
      return firstNeed(from: playhead, list: list) { $0.initialization == number }
    case .multivariantPlaylist, .mediaPlaylist: return nil
    }
  }

  /// Where the first segment begins that is not loaded and needs something.
  private func firstNeed(
    from playhead: MediaTime, list: Int? = nil,
    _ isMet: (SegmentList.SegmentStretch) -> Bool
  ) -> MediaTime? {
    var first: MediaTime?
    for track in tracks where !track.isIdle && list ?? track.list == track.list {
      let list = streamMedia.lists[track.list]
      let edge = track.edge(from: playhead)
      var segment = list.segment(at: edge, near: track.guess)
      while segment < list.count, !isMet(list.stretch(of: segment)) { segment += 1 }
      if segment == list.count { continue }
      let start = max(list.start(of: segment), edge)
      first = min(first ?? start, start)
    }
    return first
  }

  /// Whether all is there that comes before what is missing.
  func hasAllBeforeMissing(from playhead: MediaTime) -> Bool {
    assert(missingFrom < .unbounded, "nothing is missing")
    if !appending.isEmpty { return false }
    let isLoading = requests.contains { ($0.span?.start ?? missingFrom) < missingFrom }
    return !isLoading
      && tracks.allSatisfy {
        $0.isIdle || $0.edge(from: playhead) >= min(missingFrom, streamMedia.lists[$0.list].end)
      }
  }
}

extension ItemSource {
  /// Asks again for what was missing, as playback is led elsewhere.
  mutating func forgetMissing() {
    if stream.missingFrom == .unbounded { return }
    assert(stream.goal == .media || stream.goal == .nothing, "media is missing of nothing")
    stream.missingFrom = .unbounded
    for place in stream.tracks.indices { stream.tracks[place].failures = TrackFailures() }
    stream.isLastVariant = false
    if buffer.isGivenUp || stream.goal == .nothing { stream.goal = .media }
    buffer.isGivenUp = false
  }
}
