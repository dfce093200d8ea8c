/// What is shown where nothing is left to play.
extension ItemSource {
  /// The place from which media is needed for a playhead: itself, or the last frame if an item that
  /// is not ready stands at its end, with nothing loaded up to there.
  ///
  /// An item is ready to play with its first frame, and at the end that is the last one. A ready
  /// item that is sent to its end has nothing left to play, and nothing to wait for (assumed).
  ///
  /// Nothing is changed; it is `mutating` so that the source is not copied for the question
  /// (measured: a fifteenth of the instructions of two players).
  @inline(__always)
  mutating func placeNeeded(at playhead: MediaTime) -> MediaTime {
    playhead < buffer.duration || buffer.facts.contains(.ready) || buffer.isLive
      ? playhead : placeOfFirstFrame(behindEnd: playhead)
  }

  @inline(never)
  private mutating func placeOfFirstFrame(behindEnd playhead: MediaTime) -> MediaTime {
    let end = buffer.duration
    assert(playhead >= end, "a playhead stands \((end - playhead).nanoseconds) ns before the end")
    let isThere = file.map { $0.hasLoaded(upTo: end) } ?? (stream.range(around: end).start < end)
    return isThere ? playhead : max(.zero, end - buffer.policy.frameDuration)
  }
}
