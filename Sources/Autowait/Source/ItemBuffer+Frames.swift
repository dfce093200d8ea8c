/// Whether a frame is there that can be shown.
extension ItemBuffer {
  /// A buffer that ran empty stays so until a frame can be shown, unless nothing more comes.
  @inline(__always)
  func isShortOfFrame(_ edge: DataAmount, _ playhead: MediaTime) -> Bool {
    facts.contains(.empty) && !isGivenUp && !hasFrame(edge, playhead, behind: leadAfterStarving)
  }

  /// How much media ahead is enough, in any case, to show a frame.
  var leadOfShown: MediaTime { starvesBelow + leadAfterStarving + policy.frameDuration }

  /// Whether an item that stands at its end, or behind it, is not ready for want of a first frame.
  @inline(__always)
  func awaitsFrameAtEnd(_ edge: DataAmount, _ playhead: MediaTime) -> Bool {
    !facts.contains(.ready) && playhead >= endTime && !hasFrame(edge, playhead)
  }

  /// The place from which media is needed for a playhead: itself, or the last frame if an item that
  /// is not ready stands at its end.
  ///
  /// An item is ready to play with its first frame, and at the end that is the last one. A ready
  /// item that is sent to its end has nothing left to play, and nothing to wait for (assumed).
  @inline(__always)
  func placeNeeded(at playhead: MediaTime) -> MediaTime {
    playhead < duration || facts.contains(.ready) || isLive
      ? playhead : max(.zero, duration - policy.frameDuration)
  }

  /// Whether the playhead has come to the end, or behind all media, though something before that is
  /// not loaded: an end that moves on behind it leaves nothing to play.
  @inline(__always)
  func isBehindEnd(_ playhead: MediaTime) -> Bool {
    playhead >= endTime && (facts.contains(.atEnd) || playhead > duration)
  }

  /// What is ahead of the frame that a buffer must have that has starved.
  ///
  /// A rule of conditions is told that the buffer is empty no more as soon as it does not starve,
  /// and has its own frame.
  @inline(__always)
  var leadAfterStarving: MediaTime {
    usesConditions ? .zero : starvesBelow
  }

  /// Whether what was sought is there: it is not empty, or the clock is to go backwards from a
  /// frame behind which nothing is loaded.
  @inline(__always)
  func showsWhatWasSought(_ playhead: MediaTime, at now: Instant) -> Bool {
    if !facts.contains(.empty) || facts.contains(.atEnd) { return true }
    return ruleRate < .zero && rangeStart <= map.position(of: playhead)
      && hasFrame(isStream ? edgeBase : edge(at: now), playhead)
  }

  /// When the frame comes at which a file is to be played backwards, if nothing about the link
  /// changes.
  func arrivalOfFrame(at playhead: MediaTime) -> Instant {
    arrival(of: position(of: endOfFrame(at: playhead), from: playhead))
  }

  /// Whether something is loaded that can be shown, behind some media from the playhead on.
  @inline(__always)
  func hasFrame(
    _ edge: DataAmount, _ playhead: MediaTime, behind lead: MediaTime = .zero
  ) -> Bool {
    edge >= position(of: endOfFrame(at: playhead, behind: lead), from: playhead)
  }

  /// Whether something is loaded at a place that can be shown there; at the end of the media, what
  /// comes before it.
  func isLoaded(at playhead: MediaTime, at now: Instant) -> Bool {
    let edge = edge(at: now)
    return rangeStart < edge && hasFrame(edge, playhead)
  }

  /// Where what is shown at a playhead ends at the latest: where playback does, or the media if it
  /// stands where nothing is left to play.
  @inline(__always)
  private func endOfFrame(at playhead: MediaTime, behind lead: MediaTime = .zero) -> MediaTime {
    min(playhead + lead + policy.frameDuration, playhead < endTime ? endTime : mediaEnd)
  }
}
