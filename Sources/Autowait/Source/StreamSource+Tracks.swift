/// How the tracks of a stream follow its variant, and what is selected.
extension StreamSource {
  /// Lets the tracks load a variant from now on; audio and subtitles follow its groups.
  mutating func enter(variant number: Int) {
    variant = number
    let list = streamMedia.variants[number].list
    let audio = renditionLists[number].audio
    let subtitles = renditionLists[number].subtitles
    defer {
      // Sound that lies in the segments of the picture cannot be had without it.
      let isIdle = !changedSelection.isEmpty && audio != nil && !selection.isVideoEnabled
      tracks[0].isIdle = isIdle
      awaitSomething()
    }
    if hasTracks(audio != nil, subtitles != nil) {
      for place in tracks.indices {
        switch tracks[place].kind {
        case nil: tracks[place].list = list
        case .audio: tracks[place].list = audio ?? list
        case .subtitles: tracks[place].list = subtitles ?? list
        }
      }
      return
    }
    var wanted = [StreamTrack(list: list)]
    if let audio { wanted.append(StreamTrack(list: audio, kind: .audio)) }
    if let subtitles { wanted.append(StreamTrack(list: subtitles, kind: .subtitles)) }
    follow(wanted)
  }

  /// Takes note that a transfer has brought media of a track.
  mutating func noteBrought(_ transfer: Int, of track: Int) {
    last = transfer
    if track < tracks.count { tracks[track].last = transfer }
  }

  /// Lets other tracks play; returns whether any are loaded otherwise than before.
  ///
  /// What was loaded of another selection is thrown away (WWDC18 502: a change of the audio drops
  /// what is buffered). From iOS 10 on playback goes on meanwhile (WWDC16 503): assumed, with the
  /// segment of the old sound in which the playhead is, and without what was not there before.
  mutating func select(
    _ new: MediaSelection, loadsAudioAgain: Bool = false, at playhead: MediaTime
  ) -> Bool {
    let (old, hadAudio) = (tracks, selection.isAudioEnabled)
    assert(old.isEmpty == (variant == nil), "tracks of no variant")
    if new != selection { selection = new }
    guard let variant else { return false }
    enter(variant: variant)
    var isChanged = tracks.count != old.count
    for place in tracks.indices {
      let track = tracks[place]
      guard let before = old.first(where: { $0.kind == track.kind }) else {
        let isOtherSound = track.kind == .audio && hadAudio
        join(place, before: isOtherSound ? end(ofSegmentIn: old[0], at: playhead) : Limits.mediaMax)
        tracks[place].joinsFrom = start(ofSegmentIn: old[0], at: playhead)
        continue
      }
      if before.isIdle != track.isIdle {
        join(place, before: track.isIdle ? nil : Limits.mediaMax)
      } else if track.kind != nil,
        track.list != before.list
          || loadsAudioAgain && track.kind == .audio
      {
        join(place, before: end(ofSegmentIn: before, at: playhead))
      } else {
        continue
      }
      tracks[place].joinsFrom = start(ofSegmentIn: before, at: playhead)
      isChanged = true
    }
    awaitSomething()
    return isChanged
  }

  /// Lets playback wait for all tracks if it would wait for none.
  private mutating func awaitSomething() {
    if tracks.contains(where: { $0.isAwaited }) { return }
    for place in tracks.indices { tracks[place].joinsBefore = nil }
  }

  /// Throws away what is loaded of a track, and lets playback go on without it up to a time.
  private mutating func join(_ place: Int, before end: MediaTime?) {
    drop(place)
    tracks[place].joinsBefore = end
    (tracks[place].failures, tracks[place].retriesAt) = (TrackFailures(), .start)
  }

  /// Where the segment of a track in which the playhead is ends; nil if it is not loaded.
  private func end(ofSegmentIn track: StreamTrack, at playhead: MediaTime) -> MediaTime? {
    let (list, edge) = (streamMedia.lists[track.list], track.edge(from: playhead))
    if edge <= playhead { return track.joinsBefore }
    let segment = list.segment(at: playhead, near: track.guess)
    return segment < list.count ? min(edge, list.end(of: segment)) : edge
  }

  /// Where the segment of a track in which the playhead is starts, or what is loaded of it.
  private func start(ofSegmentIn track: StreamTrack, at playhead: MediaTime) -> MediaTime {
    guard let range = track.loaded.range(holding: playhead) else {
      return playhead
    }
    let list = streamMedia.lists[track.list]
    let segment = list.segment(at: playhead, near: track.guess)
    let start = segment < list.count ? list.start(of: segment) : playhead
    assert(range.start <= playhead, "what is loaded starts behind the playhead")
    return max(range.start, min(start, playhead))
  }

  /// Lets the tracks that are there at the playhead play with the others; playback that has jumped
  /// needs them all.
  ///
  /// Assumed: one that nobody waits for joins with a segment more than the one that plays, so that
  /// it does not hold playback up at once.
  mutating func joinTracks(at playhead: MediaTime, hasJumped: Bool = false) {
    for place in tracks.indices {
      guard let end = tracks[place].joinsBefore else { continue }
      let list = streamMedia.lists[tracks[place].list]
      let next = list.segment(at: playhead, near: tracks[place].guess) + 1
      let enough = next < list.count ? min(end, list.end(of: next)) : list.end
      let edge = tracks[place].edge(from: playhead)
      if hasJumped || edge > playhead && edge >= enough { tracks[place].joinsBefore = nil }
    }
  }

  /// Whether a request is for what is not wanted since other tracks play.
  func isForOtherSelection(_ request: StreamRequest) -> Bool {
    guard let list = request.resource.list, let place = request.track else { return false }
    if place >= tracks.count { return true }
    return tracks[place].isIdle && request.resource.isMedia
      || tracks[place].kind != nil && tracks[place].list != list
  }

  /// Whether a request is for sound beside the picture.
  func isOfAudio(_ request: StreamRequest) -> Bool {
    guard let place = request.track, place < tracks.count else { return false }
    return request.resource.isMedia && tracks[place].kind == .audio
  }

  /// The number of the rendition that would play by a selection with the variant that is loaded;
  /// nil for none, and before the variants are known.
  func rendition(_ kind: StreamMedia.Rendition.Kind, by selection: MediaSelection) -> Int? {
    guard let variant = variant.map({ streamMedia.variants[$0] }) else { return nil }
    if kind == .subtitles, !selection.showsSubtitles { return nil }
    return streamMedia.rendition(
      kind, group: kind == .audio ? variant.audioGroup : variant.subtitleGroup, selection)
  }

  /// Whether a variant's own track is loaded, and beside it audio, or subtitles, or both.
  @inline(always)
  private func hasTracks(_ audio: Bool, _ subtitles: Bool) -> Bool {
    let count = 1 + (audio ? 1 : 0) + (subtitles ? 1 : 0)
    return tracks.count == count && (!audio || tracks[1].kind == .audio)
      && (!subtitles || tracks[count - 1].kind == .subtitles)
  }

  /// Keeps the tracks whose kinds are still wanted, with what they have.
  ///
  /// What was loaded before a variant with audio of its own group has its sound in it: a track that
  /// is new has all that the first one has. A request for a track that is gone belongs to none.
  private mutating func follow(_ wanted: [StreamTrack]) {
    let old = tracks
    tracks = wanted.map { new in
      var track = new
      if let same = old.first(where: { $0.kind == new.kind }) {
        track = same
        track.list = new.list
      } else if let first = old.first {
        let end = streamMedia.lists[new.list].end
        for range in first.loaded.ranges where range.start < end {
          track.loaded.insert(.init(start: range.start, end: min(range.end, end)))
        }
      }
      return track
    }
    for index in requests.indices { follow(&requests[index], from: old) }
    for index in appending.indices { follow(&appending[index].request, from: old) }
    held = held.map { one in
      var segment = one.segment
      follow(&segment.request, from: old)
      return HeldSegment(segment: segment, isFirst: one.isFirst, followedAt: one.followedAt)
    }
  }

  private func follow(_ request: inout StreamRequest, from old: [StreamTrack]) {
    guard let place = request.track, place < old.count else { return }
    request.track = tracks.firstIndex { $0.kind == old[place].kind } ?? StreamRequest.noTrack
  }
}
