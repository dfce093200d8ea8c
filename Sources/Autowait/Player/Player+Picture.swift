/// A picture that starves while there is sound: it stands, and the clock runs on.
extension Player {
  /// Lets playback go on without a picture, if the player does that, and with one when it is there
  /// again; returns whether anything changed.
  mutating func followPicture(in moment: inout Moment) -> Bool {
    let time = currentTime(at: moment.now)
    if meter.frozenSince != nil {
      let isSeen = timebase.rate > .zero && !lacksPicture(at: time)
      let isAwaited = (phase.isPlaying || phase.isWaiting) && !source.buffer.facts.contains(.atEnd)
      guard isSeen || !isAwaited || source.item == nil || seek != nil else {
        return playOnWithoutPicture(at: moment.now, time)
      }
      tellPicture(isFrozen: false, in: &moment)
      return true
    }
    // After a seek to where there is sound alone the edge lies behind the picture at once.
    let movesEdge = playOnWithoutPicture(at: moment.now, time)
    guard playsOnWithoutPicture(at: moment.now), lacksPicture(at: time) else { return movesEdge }
    tellPicture(isFrozen: true, in: &moment)
    return true
  }

  /// Whether the clock runs, with or without a picture.
  private func playsOnWithoutPicture(at now: Instant) -> Bool {
    source.buffer.isStream && phase.isPlaying && timebase.rate > .zero && timebase.start <= now
      && !source.buffer.facts.contains(.atEnd)
  }

  /// Whether there is sound at a time, and no picture.
  private func lacksPicture(at time: MediaTime) -> Bool {
    source.stream.lacksPicture(
      at: time, tail: source.buffer.starvesBelow, before: source.buffer.endTime(for: .normal))
  }

  /// Moves the edge of what can be played behind the end of the picture when playback would stop
  /// there; returns whether it moved.
  private mutating func playOnWithoutPicture(at now: Instant, _ time: MediaTime) -> Bool {
    let edge = source.buffer.streamEdge
    guard playsOnWithoutPicture(at: now),
      edge - min(edge, source.buffer.starvesBelow) <= time
    else { return false }
    placeEdge(at: now)
    assert(source.buffer.streamEdge >= edge, "the edge fell behind as the picture ended")
    return source.buffer.streamEdge > edge
  }

  private mutating func tellPicture(isFrozen: Bool, in moment: inout Moment) {
    moment.cause = moment.record(.pictureFrozen(isFrozen))
    meter.notePicture(isFrozen: isFrozen, at: moment.now)
  }
}

extension PlaybackMeter {
  /// Counts a picture that stands while the clock runs, and the time until it goes on.
  fileprivate mutating func notePicture(isFrozen: Bool, at now: Instant) {
    if isFrozen { pictureFreezeCount += 1 }
    assert(isFrozen == (frozenSince == nil), "a picture freezes, or goes on, twice")
    if let frozenSince { timePictureFrozen += now - frozenSince }
    frozenSince = isFrozen ? now : nil
  }

  /// The time in which the picture stood though the clock ran, or was to run again.
  func pictureFrozen(at now: Instant) -> TimeSpan {
    timePictureFrozen + (frozenSince.map { now - $0 } ?? .zero)
  }
}

extension [StreamTrack] {
  /// Where the picture ends around a time, and what must be heard with it; nil unless its sound is
  /// apart from it and reaches farther.
  func pictureEnd(
    around time: MediaTime, _ lists: [SegmentList]
  ) -> (picture: MediaTime, sound: MediaTime)? {
    guard count > 1, self[0].isPlayed, let picture = self[0].loaded.end(around: time) else {
      return nil
    }
    var (sound, hasSound) = (MediaTime.unbounded, false)
    for track in dropFirst() where track.isPlayed {
      if track.kind == .audio { hasSound = true }
      let end = track.playable(around: time).end
      // Of a track that is shorter there is nothing more.
      if end < lists[track.list].end { sound = Swift.min(sound, end) }
    }
    guard hasSound, picture < sound, picture < lists[self[0].list].end else { return nil }
    return (picture, sound)
  }
}

extension StreamSource {
  /// Whether there is sound at a time, and no picture.
  ///
  /// The picture is not shown to its very end: the last one stands when no more than a tail is
  /// left, which is when the clock would stop. It does not stop there if playback ends with it.
  func lacksPicture(at time: MediaTime, tail: MediaTime, before end: MediaTime) -> Bool {
    guard let ends = tracks.pictureEnd(around: time, streamMedia.lists), ends.picture < end else {
      return false
    }
    return ends.picture <= time + tail && time < ends.sound
  }

  /// How far playback gets from a time on with sound alone; nil as long as there is a picture.
  ///
  /// So much media of grace passes without a picture until the clock stops. Recorded in Chromium:
  /// of seven first stalls after a frozen picture the clock stopped 2.89 to 2.91 s behind the
  /// nominal end of the picture, which is the grace less the tail.
  func endWithoutPicture(from time: MediaTime, grace: MediaTime, tail: MediaTime) -> MediaTime? {
    guard let (picture, sound) = tracks.pictureEnd(around: time, streamMedia.lists),
      picture <= time + tail
    else { return nil }
    // The sound may be at its end; without a picture playback is not.
    let last = streamMedia.lists[tracks[0].list].end - MediaTime(nanoseconds: 1)
    return min(min(picture + grace, sound), last)
  }
}

extension [StreamTrack] {
  /// What a playhead reaches next behind a time that runs on without what it plays: of a live
  /// stream the end of a segment, or where the picture goes on behind the gap that the time lies
  /// in; nil if nothing more is loaded.
  ///
  /// Without a picture, the playhead moves from a segment that has left the playlist to one that is
  /// offered.
  func turn(after time: MediaTime, _ shared: SharedStreamMedia) -> MediaTime? {
    var turn = first?.loaded.part(behind: time)?.start
    if shared.parts.live == nil { return turn }
    for track in self {
      let list = shared.parts.lists[track.list]
      let segment = list.segment(at: time, near: track.guess)
      if segment >= list.count { continue }
      let end = list.end(of: segment)
      turn = turn.map { Swift.min($0, end) } ?? end
    }
    return turn
  }
}

extension StreamTrack {
  /// Whether it plays with the others.
  fileprivate var isPlayed: Bool { !isIdle && joinsBefore == nil }
}

extension LoadedRanges where Position: Comparable {
  /// Where the part ends that holds a position, or else the last one before it.
  fileprivate func end(around position: Position) -> Position? {
    ranges.last { $0.start <= position }?.end
  }
}
