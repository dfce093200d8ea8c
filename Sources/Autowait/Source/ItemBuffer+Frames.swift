/// Whether a frame is there that can be shown.
extension ItemBuffer {
  /// A buffer that ran empty stays so until a frame can be shown, unless nothing more comes.
  @inline(__always)
  func isShortOfFrame(_ edge: DataAmount, _ playhead: MediaTime) -> Bool {
    facts.contains(.empty) && !isGivenUp && !hasFrame(edge, playhead, behind: leadAfterStarving)
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
  func showsWhatWasSought(_ playhead: MediaTime, at now: Instant) -> Bool {
    if !facts.contains(.empty) || facts.contains(.atEnd) { return true }
    return ruleRate < .zero && rangeStart <= map.position(of: playhead)
      && hasFrame(isStream ? edgeBase : edge(at: now), playhead)
  }

  /// When the frame comes at which a file is to be played backwards, if nothing about the link
  /// changes.
  func arrivalOfFrame(at playhead: MediaTime) -> Instant {
    arrival(of: position(of: min(playhead + policy.frameDuration, endTime), from: playhead))
  }

  /// Whether something is loaded that can be shown, behind some media from the playhead on.
  @inline(__always)
  func hasFrame(
    _ edge: DataAmount, _ playhead: MediaTime, behind lead: MediaTime = .zero
  ) -> Bool {
    edge >= position(of: min(playhead + lead + policy.frameDuration, endTime), from: playhead)
  }
}
